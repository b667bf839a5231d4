//! The panel of detections: its tables, its page, and what it refuses.

use estrange_report::detect::{
    ClassSheet, DetectResults, DetectResultsError, DetectorSheet, FallSheet, LevelSheet, Outcomes, PairSheet,
    RungSheet, SaidSheet, SideSheet,
};
use estrange_report::document::Estimate;
use estrange_report::{DetectPanel, PageOptions, Report};

fn estimate(value: f64) -> Estimate {
    Estimate { value, low: value - 0.1, high: value + 0.1 }
}

fn level(detector: usize, setting: usize, f1: f64) -> LevelSheet {
    let fall = FallSheet { pairs: 9, before: 0.8, after: f1, lost: estimate(0.8 - f1), p_value: 0.031 };
    LevelSheet {
        detector,
        setting,
        items: 20,
        answered: 18,
        f1: estimate(f1),
        pairwise: estimate(f1 / 2.0),
        outcomes: Outcomes { pairs: 10, both_right: 4, both_flagged: 5, unanswered: 1, ..Outcomes::default() },
        flips: (setting > 0).then(|| estimate(0.25)),
        fall: (setting > 0).then_some(fall),
        problems: vec![("refusal".to_owned(), 2)],
        ..LevelSheet::default()
    }
}

fn side(text: &str, fault_line: Option<u32>, verdict: &str) -> SideSheet {
    let is_right = (verdict == "vulnerable") == fault_line.is_some();
    let said = SaidSheet {
        detector: 0,
        verdict: verdict.to_owned(),
        is_right,
        detail: "line 2".to_owned(),
        reason: "<i>why</i>".to_owned(),
    };
    SideSheet { text: text.to_owned(), fault_line, said: vec![said] }
}

fn sample(pairs: usize, lines: usize) -> DetectResults {
    let text = "    total = total + next_of(&reader); /* as long as lines are */\n".repeat(lines);
    let rung = |setting| RungSheet {
        setting,
        seed: 0,
        vulnerable: side(&text, Some(lines as u32), "vulnerable"),
        patched: side("int f(void) {}", None, "vulnerable"),
    };
    let pair = |number: usize| PairSheet {
        name: format!("pair-{number}"),
        class: "add-overflow".to_owned(),
        description: "</details><script>alert(1)</script>".to_owned(),
        rungs: (0..2).map(rung).collect(),
        ..PairSheet::default()
    };
    let sheet = |name: &str, label: &str| DetectorSheet {
        name: name.to_owned(),
        label: label.to_owned(),
        sees: "function".to_owned(),
        facts: Vec::new(),
    };
    DetectResults {
        title: "Bugs".to_owned(),
        confidence: 0.95,
        settings: vec!["L0".to_owned(), "L4".to_owned()],
        detectors: vec![sheet("<b>one", "crash-confirmed"), sheet("two", "crash-confirmed"), sheet("two", "reasoned")],
        levels: vec![level(0, 0, 0.8), level(0, 1, 0.4), level(1, 0, 0.7), level(1, 1, 0.6), level(2, 0, 0.5)],
        classes: vec![ClassSheet { class: "add-overflow".to_owned(), pairs: 10, f1: 0.8, ..ClassSheet::default() }],
        pairs: (0..pairs).map(pair).collect(),
        all_pairs: pairs,
        ..DetectResults::default()
    }
}

fn page(document: &DetectResults) -> String {
    Report::new("Bugs").with(DetectPanel::new(document).unwrap()).page(&PageOptions::default())
}

#[test]
fn labels_never_stand_in_one_block_and_the_best_is_the_best_of_its_own() {
    let document = sample(1, 3);
    let report = Report::new("Bugs").with(DetectPanel::new(&document).unwrap());
    let tables = report.tables();
    let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    let all =
        ["f1", "levels", "pairs", "flips", "falls", "classes", "problems"].map(|name| format!("detection-{name}"));
    assert_eq!(names, all);
    let sections: Vec<&str> = tables[0].sections.iter().map(|section| section.title.as_str()).collect();
    assert_eq!(sections, ["pairs that are crash-confirmed", "pairs that are reasoned"]);
    let markdown = tables[0].to_markdown();
    assert!(markdown.contains("**80.0"), "{markdown}");
    assert!(!markdown.contains("**50.0"), "what stands alone is not the best of anything: {markdown}");
    let csv = report.csv();
    let row = "detection_fall,<b>one,L0,,function,L4,crash-confirmed,f1,0.400000,0.300000,0.500000,9,,,0.031000,";
    assert!(csv.lines().any(|line| line == row), "{csv}");
    assert!(csv.contains("detection_outcome,two,,,function,L0,crash-confirmed,both_flagged,5.000000,,,10,"), "{csv}");
}

#[test]
fn the_page_is_alone_and_marks_the_fault_and_no_text_leaves_its_place() {
    let page = page(&sample(2, 3));
    for needs in ["src=", "<link", "@import", "url(", "fetch(", "http://", "https://"] {
        assert!(!page.contains(needs), "{needs}");
    }
    assert_eq!(page.matches("<script").count(), 1, "the one that tells of errors");
    for tag in ["<b>one", "<i>"] {
        let found = page.find(tag).map(|at| &page[at.saturating_sub(80)..at + 20]);
        assert_eq!(found, None);
    }
    assert!(page.contains("&lt;i&gt;why"));
    assert_eq!(page.matches("<mark>   3  ").count(), 4);
    assert!(page.contains("<strong>&lt;b&gt;one</strong> loses most: its F1 falls from 80% to 40%."));
    assert!(page.contains("vulnerable: 1 of 1 right, patched: 0 of 1 right"));
    assert_eq!(page.matches("<svg").count(), 2, "a plot a label");
}

#[test]
fn a_page_of_many_long_functions_stays_small_and_says_what_is_left_out() {
    let page = page(&sample(1000, 200));
    assert!(page.len() < 10_000_000, "{} bytes", page.len());
    assert!(page.contains("200 of 1000 pairs are shown"));
    assert!(page.contains("<mark> 200  ") && page.contains("lines before</span>"));
}

#[test]
fn a_document_that_contradicts_itself_is_refused() {
    let refused = |change: &dyn Fn(&mut DetectResults)| {
        let mut document = sample(1, 3);
        change(&mut document);
        DetectPanel::new(&document).unwrap_err()
    };
    let error = refused(&|document| document.levels[0].detector = 7);
    assert_eq!(error.to_string(), "level 0 refers to detector 7, but there are only 3 (places count from 0)");
    assert_eq!(refused(&|document| document.levels[1].setting = 0), DetectResultsError::Twice(1));
    assert!(matches!(refused(&|document| document.levels[2].f1.high = f64::NAN), DetectResultsError::NotFinite { .. }));
    assert!(matches!(
        refused(&|document| document.pairs[0].rungs[0].setting = 2),
        DetectResultsError::Place { what: "setting", .. }
    ));
}
