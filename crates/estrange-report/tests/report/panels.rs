//! Panels of other tasks stand beside the one of searches, and know nothing of it.

use estrange_report::table::{Column, Entry, Number, Section};
use estrange_report::{FactSheet, PageOptions, Panel, Report, SearchPanel, Table, ValueRow, document::Fact, number};

use super::sample;

/// One table, and nothing else.
struct Small;

impl Panel for Small {
    fn name(&self) -> &str {
        "small"
    }

    fn title(&self) -> &str {
        "A <small> task"
    }

    fn tables(&self) -> Vec<Table> {
        let row = vec![Entry::Text("bm25".to_owned()), Entry::Number(Number { value: 50.0, ..Number::default() })];
        let column = |heading: &str| Column { heading: heading.to_owned(), ..Column::default() };
        vec![Table {
            name: "small-right".to_owned(),
            title: "How often it was right".to_owned(),
            columns: vec![column("model"), column("right")],
            sections: vec![Section { title: String::new(), rows: vec![row] }],
            ..Table::default()
        }]
    }

    fn values(&self) -> Vec<ValueRow> {
        let model = "bm25, plain".to_owned();
        vec![ValueRow { statistic: "mean", model, value: number(0.5), ..ValueRow::default() }]
    }

    fn facts(&self) -> Vec<FactSheet> {
        vec![FactSheet { title: "Small".to_owned(), facts: vec![Fact::new("seed", "7")] }]
    }
}

#[test]
fn a_panel_of_tables_needs_no_page_of_its_own() {
    let report = Report::new("Alone").with(Small);
    let page = report.page(&PageOptions::default());
    for part in ["<h1>Alone</h1>", "<section id=\"small\">", "A &lt;small&gt; task", "<dt>seed</dt><dd>7</dd>"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("<a href=\"#small\">") && !page.contains("{{"));
    let csv = report.csv();
    assert!(csv.starts_with("statistic,model,against,"), "{csv}");
    assert!(csv.ends_with("\nmean,\"bm25, plain\",,,,,,,0.500000,,,,,,,\n"), "{csv}");
}

#[test]
fn panels_stand_side_by_side() {
    let document = sample::small();
    let searches = || SearchPanel::new(&document).unwrap();
    let (alone, both) = (Report::new("One").with(searches()), Report::new("Two").with(searches()).with(Small));
    assert_eq!(both.tables().len(), alone.tables().len() + 1);
    assert_eq!(both.csv().lines().count(), alone.csv().lines().count() + 1);
    let page = both.page(&PageOptions::default());
    let place = |part: &str| page.find(part).unwrap_or_else(|| panic!("{part}"));
    assert!(place("<section id=\"explorer\"") < place("<section id=\"small\">"));
    assert!(place("<section id=\"small\">") < place("<section id=\"made\">"));
    assert!(place("id=\"table-small-right\"") < place("id=\"data\""));
}
