//! The panel of the probe: its tables, its page beside the one of detections, and what it refuses.

use estrange_report::detect::{DetectResults, DetectorSheet, FallSheet, LevelSheet as DetectLevel};
use estrange_report::document::Estimate;
use estrange_report::probe::{LevelSheet, ProbeResults, ProbeResultsError, RespondentSheet};
use estrange_report::{DetectPanel, PageOptions, ProbePanel, Report};

fn estimate(value: f64) -> Estimate {
    Estimate { value, low: value - 0.1, high: value + 0.1 }
}

fn level(respondent: usize, setting: usize, right: u64) -> LevelSheet {
    let accuracy = right as f64 / 20.0;
    let fall = FallSheet { pairs: 9, before: 0.8, after: accuracy, lost: estimate(0.8 - accuracy), p_value: 0.031 };
    LevelSheet {
        respondent,
        setting,
        pairs: 10,
        questions: 20,
        answered: 18,
        right,
        accuracy: estimate(accuracy),
        fall: (setting > 0).then_some(fall),
        reciprocal_rank: None,
        agreement: None,
        problems: vec![("no-answer-line".to_owned(), 2)],
    }
}

fn sample() -> ProbeResults {
    let sheet = |name: &str| RespondentSheet {
        name: name.to_owned(),
        asked: "call".to_owned(),
        sees: "unit".to_owned(),
        facts: Vec::new(),
    };
    ProbeResults {
        title: "Reading".to_owned(),
        confidence: 0.95,
        settings: vec!["L0".to_owned(), "L4".to_owned()],
        respondents: vec![sheet("<b>one"), sheet("two")],
        levels: vec![level(0, 0, 16), level(0, 1, 8), level(1, 0, 12)],
        all_pairs: 10,
        all_questions: 20,
        ..ProbeResults::default()
    }
}

#[test]
fn right_wrong_and_without_a_value_add_up() {
    let document = sample();
    let report = Report::new("Reading").with(ProbePanel::new(&document).unwrap());
    let tables = report.tables();
    let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["accuracy", "levels", "falls", "problems"].map(|name| format!("comprehension-{name}")));
    let markdown = tables[0].to_markdown();
    assert!(markdown.contains("**80.0") && !markdown.contains("**10"), "{markdown}");
    let levels = tables[1].to_text(None);
    assert!(levels.contains("without a value") && !levels.contains("agreement"), "{levels}");
    let csv = report.csv();
    let row = "comprehension_fall,<b>one,L0,,unit,L4,,accuracy,0.400000,0.300000,0.500000,9,,,0.031000,";
    assert!(csv.lines().any(|line| line == row), "{csv}");
    assert!(csv.contains("comprehension_problem,two,,,unit,L0,,no-answer-line,2.000000,,,20,"), "{csv}");
}

#[test]
fn its_curves_stand_beside_those_of_detections() {
    let document = sample();
    let detector = DetectorSheet { name: "cppcheck".to_owned(), ..DetectorSheet::default() };
    let detections = DetectResults {
        settings: vec!["L0".to_owned()],
        detectors: vec![detector],
        levels: vec![DetectLevel { items: 2, ..DetectLevel::default() }],
        ..DetectResults::default()
    };
    let report = Report::new("Both").with(DetectPanel::new(&detections).unwrap());
    let page = report.with(ProbePanel::new(&document).unwrap()).page(&PageOptions::default());
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(page.contains("id=\"detection\"") && page.contains("id=\"comprehension\""));
    assert!(page.contains("2 models were asked 20 questions about the patched sides of 10 pairs in 2 settings"));
    assert!(!page.contains("<b>one") && page.contains("&lt;b&gt;one, L4: 40.0 (30.0 to 50.0)"));
}

#[test]
fn a_document_that_contradicts_itself_is_refused() {
    let refused = |change: &dyn Fn(&mut ProbeResults)| {
        let mut document = sample();
        change(&mut document);
        ProbePanel::new(&document).unwrap_err()
    };
    let error = refused(&|document| document.levels[1].respondent = 7);
    assert_eq!(error.to_string(), "level 1 refers to model 7, but there are only 2 (places count from 0)");
    assert_eq!(refused(&|document| document.levels[1].setting = 0), ProbeResultsError::Twice(1));
    assert!(matches!(
        refused(&|document| document.levels[2].accuracy.low = f64::NAN),
        ProbeResultsError::NotFinite { .. }
    ));
}
