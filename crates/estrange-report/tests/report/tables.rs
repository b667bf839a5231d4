//! Tables as they are written, looked at once and kept.

use estrange_report::SearchResults;
use estrange_report::table::{Column, Entry, Number, Section, Spread, Table};

use super::{report, sample};

fn all() -> Vec<Table> {
    report(&sample::small()).tables()
}

fn named(name: &str) -> Table {
    all().into_iter().find(|table| table.name == name).unwrap()
}

#[test]
fn every_table_of_the_paper_is_there() {
    let names: Vec<String> = all().into_iter().map(|table| table.name).collect();
    let expected = [
        "standard",
        "rewritten",
        "lowered",
        "robustness",
        "trials-randomized",
        "subset-human",
        "comparisons",
        "shifts",
        "corpora",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_document_without_results_has_no_tables() {
    assert_eq!(report(&SearchResults::default()).tables(), []);
}

#[test]
fn tables_for_a_terminal() {
    let text: Vec<String> = all().iter().map(|table| table.to_text(Some(100))).collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn tables_for_a_terminal_are_as_narrow_as_it_is() {
    for table in all() {
        for line in table.to_text(Some(80)).lines().skip(1) {
            assert!(line.chars().count() <= 80, "{}: {line:?}", table.name);
        }
    }
}

#[test]
fn tables_in_markdown() {
    let text: Vec<String> = all().iter().map(Table::to_markdown).collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn tables_in_latex() {
    let text: Vec<String> = all().iter().map(Table::to_latex).collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn tables_for_programs() {
    let mut document = sample::small();
    document.models[1].name = "a \"b\", c".to_owned();
    let text = report(&document).csv();
    // One table, whose rows all have what the first one names.
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter(|cells| !cells.iter().any(|cell| cell.contains('"')))
        .collect();
    assert!(rows.iter().all(|cells| cells.len() == rows[0].len()));
    // A value of the tables is in one row.
    let cell = &document.results[0];
    let wanted = format!("mean,bm25,,1,,standard,all,ndcg@10,{:.6},", cell.mean.value);
    assert_eq!(text.lines().filter(|line| line.starts_with(&wanted)).count(), 1, "{wanted}");
    let some: Vec<&str> = text.lines().step_by(60).collect();
    insta::assert_snapshot!(some.join("\n"));
}

#[test]
fn every_row_has_every_column() {
    for table in all() {
        for row in table.sections.iter().flat_map(|section| &section.rows) {
            assert_eq!(row.len(), table.columns.len(), "{}", table.name);
        }
    }
}

#[test]
fn intervals_are_shown_where_they_are_asked_for() {
    let mut table = named("standard");
    table.shows_spread = true;
    let shown = |text: String| text.lines().filter(|line| line.contains("bm25") && line.contains('[')).count();
    assert_eq!(shown(table.to_text(None)), 4);
    assert_eq!(shown(table.to_markdown()), 4);
    assert_eq!(shown(table.to_latex()), 4);
}

/// A table that says in every place what could be taken for something else.
fn hostile() -> Table {
    let text = "50% of_it & <b> | *x* \\ {y} ~^#$ \"q\", [z]\n\u{1b}[31m";
    let number = Number { value: -1.5, digits: 1, spread: Spread::Error(0.25), is_best: true, origin: None };
    Table {
        name: "hostile".to_owned(),
        title: text.to_owned(),
        note: String::new(),
        columns: vec![Column::words(text), Column::numbers("n").under("N_1")],
        sections: vec![Section {
            title: String::new(),
            rows: vec![vec![Entry::Text(text.to_owned()), Entry::Number(number)], vec![Entry::Empty, Entry::Empty]],
        }],
        shows_spread: true,
    }
}

#[test]
fn each_format_escapes_what_it_must() {
    let table = hostile();
    let all = [table.to_text(None), table.to_markdown(), table.to_latex()];
    insta::assert_snapshot!(all.join("\n"));
    assert!(!all.concat().contains('\u{1b}'));
}
