//! The tables of functions that were chosen by their changes, and of what a model may have seen.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use estrange_report::document::Estimate;
use estrange_report::generate::{
    AuthorSheet, CutoffSheet, FunnelSheet, GapSheet, GenerateResults, GenerateResultsError, ProjectFunnelSheet,
    SeenSheet, SideSheet, StepSheet, WritingSheet,
};
use estrange_report::{GeneratePanel, PageOptions, Report, Table};

fn counts(all: &[(&str, u64)]) -> BTreeMap<String, u64> {
    all.iter().map(|(word, count)| ((*word).to_owned(), *count)).collect()
}

fn step(name: &str, of: &str, left: u64, kinds: &[(&str, u64)], lost: &[(&str, u64)]) -> StepSheet {
    StepSheet { name: name.to_owned(), of: of.to_owned(), left, kinds: counts(kinds), lost: counts(lost) }
}

fn funnel() -> FunnelSheet {
    let project = |name: &str, landed, found| ProjectFunnelSheet {
        name: name.to_owned(),
        steps: vec![step("landed", "changes", landed, &[], &[]), step("found", "functions", found, &[], &[])],
        asked: found / 10,
        ..ProjectFunnelSheet::default()
    };
    FunnelSheet {
        since: "2024-01-01".to_owned(),
        with: "tests".to_owned(),
        steps: vec![
            step("landed", "changes", 60, &[], &[]),
            step("since", "changes", 12, &[("merge", 7), ("commit", 5)], &[("before", 48)]),
            step("found", "functions", 200, &[], &[]),
            step("changed", "functions", 30, &[], &[("not-changed", 160), ("not-committed", 10)]),
        ],
        projects: vec![project("zlib", 40, 150), project("<i>expat", 20, 50)],
    }
}

fn around(value: f64) -> Estimate {
    Estimate { value, low: value - 0.1, high: value + 0.1 }
}

fn seen() -> SeenSheet {
    let side =
        |functions, tpr| SideSheet { functions, answers: 2 * functions as u64, cpr: around(0.9), tpr: around(tpr) };
    let gap = |lost| GapSheet { lost: around(lost), p_value: 0.0123 };
    SeenSheet {
        before: Some(side(30, 0.6)),
        after: Some(side(10, 0.25)),
        undated: 4,
        cpr: Some(gap(0.0)),
        tpr: Some(gap(0.35)),
    }
}

fn sample() -> GenerateResults {
    let author = |name: &str| AuthorSheet {
        name: name.to_owned(),
        asked: "generation".to_owned(),
        graded: "function".to_owned(),
        funnel: Some(funnel()),
        ..AuthorSheet::default()
    };
    let cutoff = CutoffSheet { day: "2023-12-31".to_owned(), source: "its card".to_owned() };
    let level = |author, seen| WritingSheet { author, functions: 44, answers: 88, seen, ..WritingSheet::default() };
    GenerateResults {
        settings: vec!["standard".to_owned()],
        authors: vec![AuthorSheet { cutoff: Some(cutoff), ..author("one") }, author("two")],
        levels: vec![level(0, Some(seen())), level(1, None)],
        ..GenerateResults::default()
    }
}

fn table(document: &GenerateResults, name: &str) -> Option<Table> {
    let all = Report::new("Functions").with(GeneratePanel::new(document).unwrap()).tables();
    all.into_iter().find(|table| table.name == name)
}

#[test]
fn the_steps_and_both_sides_of_a_cut_off() {
    let document = sample();
    let names = ["generation-funnel", "generation-funnel-projects", "generation-seen", "generation-seen-compile"];
    let texts: Vec<String> = names.map(|name| table(&document, name).unwrap().to_text(Some(120))).to_vec();
    insta::assert_snapshot!(texts.join("\n"));
    let page = Report::new("x").with(GeneratePanel::new(&document).unwrap()).page(&PageOptions::default());
    assert!(page.contains("How functions were chosen") && page.contains("Seen against unseen"));
    assert!(page.contains("&lt;i&gt;expat") && !page.contains("<i>expat"));
    let summary = GeneratePanel::new(&document).unwrap().summary();
    assert_eq!(summary[0].name, "generation-funnel", "what was chosen comes before what it is worth");
    assert!(summary.iter().any(|table| table.name == "generation-seen"));

    let csv = Report::new("x").with(GeneratePanel::new(&document).unwrap()).csv();
    for row in [
        "generation_seen,one,2023-12-31,,generation,standard,function,tpr_before,0.600000,0.500000,0.700000,30,,,,",
        "generation_seen,one,2023-12-31,,generation,standard,function,cpr_after,0.900000,0.800000,1.000000,10,,,,",
        "generation_seen,one,2023-12-31,,generation,standard,function,tpr,0.350000,0.250000,0.450000,40,,,0.012300,",
        "generation_seen,one,2023-12-31,,generation,standard,function,undated,4.000000,,,44,,,,",
    ] {
        assert!(csv.lines().any(|line| line == row), "{row} is not in:\n{csv}");
    }
    assert!(!csv.contains("generation_seen,two"));
}

#[test]
fn models_with_other_functions_have_funnels_of_their_own() {
    let mut document = sample();
    assert_eq!(table(&document, "generation-funnel").unwrap().sections.len(), 1, "both have the same");
    if let Some(funnel) = &mut document.authors[1].funnel {
        funnel.with = "any".to_owned();
    }
    let titles: Vec<String> =
        table(&document, "generation-funnel").unwrap().sections.into_iter().map(|section| section.title).collect();
    let tests = "one: functions changed since 2024-01-01, by changes that touch tests, too";
    assert_eq!(titles, [tests, "two: functions changed since 2024-01-01"]);
    for author in &mut document.authors {
        author.funnel = None;
    }
    assert!(table(&document, "generation-funnel").is_none());
}

#[test]
fn one_side_alone_is_compared_with_nothing() {
    let mut document = sample();
    document.levels[0].seen = Some(SeenSheet { after: None, cpr: None, tpr: None, ..seen() });
    let text = table(&document, "generation-seen").unwrap().to_text(None);
    assert!(text.contains("60.0") && !text.contains("35.0"), "{text}");
}

#[test]
fn a_funnel_that_does_not_add_up_is_refused() {
    let wrong = |change: fn(&mut FunnelSheet)| {
        let mut document = sample();
        document.authors[1].funnel.iter_mut().for_each(change);
        GeneratePanel::new(&document).err()
    };
    let error = |step: &str| Some(GenerateResultsError::Funnel { author: 1, step: step.to_owned() });
    assert_eq!(wrong(|_| ()), None);
    assert_eq!(wrong(|funnel| funnel.steps[3].left += 1), error("changed"));
    assert_eq!(wrong(|funnel| funnel.steps[1].kinds.retain(|kind, _| kind == "merge")), error("since"));
    assert_eq!(wrong(|funnel| funnel.steps[1].lost.clear()), error("since"));
    let mut document = sample();
    document.levels[0].seen =
        Some(SeenSheet { cpr: Some(GapSheet { p_value: f64::NAN, ..GapSheet::default() }), ..seen() });
    assert!(matches!(GeneratePanel::new(&document).unwrap_err(), GenerateResultsError::NotFinite { level: 0, .. }));
}
