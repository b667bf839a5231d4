//! What `estrange stats` counted, for a person at a terminal.

use anstyle::{AnsiColor, Style};

use super::document::{Cut, StatsJson};
use super::sheet::Sheet;
use super::tables;
use crate::output::printable;
use crate::phrasing::counted;
use crate::table::Align::{Left, Right};
use crate::table::{Cell, Table};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default();
const GREEN: Style = AnsiColor::Green.on_default();

/// How long the bar of all functions is.
const BAR: u64 = 40;

/// The whole text.
pub fn text(document: &StatsJson) -> String {
    let mut blocks = vec![heading(document)];
    let mut add = |sheet: Sheet| {
        if !sheet.rows.is_empty() {
            blocks.push(sheet.text());
        }
    };
    add(tables::classes(document));
    add(tables::sources(document));
    if document.by_role.values().filter(|numbers| numbers.found > 0).count() > 1 {
        add(tables::roles(document));
    }
    add(tables::reasons(document));
    add(tables::losses(document));
    add(tables::unlinkable(document));
    add(tables::same_code(document));
    tables::groups(document).into_iter().for_each(&mut add);
    add(tables::variants(document));
    add(tables::waiting(document));
    add(tables::lowered(document));
    add(tables::not_lowered(document));
    blocks.push(rest(document));
    blocks.join("\n")
}

/// The bench, and its funnel with bars.
fn heading(document: &StatsJson) -> String {
    let numbers = &document.functions;
    let of = cut(&document.cut);
    let mut text = format!("{BOLD}{}{BOLD:#}{of}", printable(&document.bench.folder));
    text += &format!(", made by Estrange {}\n", printable(&document.bench.estrange));
    let mut table = Table::new([Left, Right, Right, Right, Left]);
    let mut row = |name: &str, lost: Option<u64>, left: u64, style: Style| {
        table.row([
            Cell::styled(printable(name), style),
            Cell::styled(lost.map(|lost| format!("-{lost}")).unwrap_or_default(), RED),
            left.to_string().into(),
            tables::percent(left, numbers.found).into(),
            Cell::styled(bar(left, numbers.found), GREEN),
        ]);
    };
    row("found", None, numbers.found, BOLD);
    for stage in &document.stages {
        row(stage.stage.as_str(), Some(stage.lost), stage.left, Style::new());
    }
    row("kept", None, numbers.kept, BOLD);
    text + &table.render("  ")
}

/// Which functions are counted, where it is not all of them.
fn cut(cut: &Cut) -> String {
    if cut.is_all() {
        return String::new();
    }
    let part = |name: &str, values: &[String]| match values {
        [] => String::new(),
        values => printable(&format!("{name}{}", values.join(", "))),
    };
    let parts = [part("role ", &cut.roles), part("only ", &cut.sources), part("without ", &cut.without)];
    format!(" ({})", parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; "))
}

/// Shorter for every function that is missing: a bar is full only where all are there, and empty only where none is.
fn bar(part: u64, whole: u64) -> String {
    if whole == 0 || part == 0 {
        return String::new();
    }
    let halves = (u128::from(part) * u128::from(BAR) * 2 / u128::from(whole)).max(1) as usize;
    format!("{}{}", "█".repeat(halves / 2), if halves % 2 == 1 { "▌" } else { "" })
}

/// What needs no table.
fn rest(document: &StatsJson) -> String {
    let mut table = Table::new([Left, Left]);
    let mut row = |name: &str, text: String| {
        if !text.is_empty() {
            table.row([Cell::styled(name, DIM), printable(&text).into()]);
        }
    };
    let counts = |counts: &mut dyn Iterator<Item = (String, u64)>| {
        counts.map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
    };
    let splits = document.splits.iter().map(|(split, numbers)| {
        format!("{split}: {} of {}", counted(numbers.functions, "function"), counted(numbers.sources, "source"))
    });
    row("splits", splits.collect::<Vec<_>>().join("; "));
    row("licences", counts(&mut document.licence_classes.iter().map(|(class, count)| (class.clone(), *count))));
    let kinds = document.duplicates.iter().map(|(reason, count)| (reason.as_str().replace("-duplicate", ""), *count));
    let duplicates = match document.duplicates.values().sum() {
        0u64 => "none left out".to_owned(),
        all => format!("{all} left out: {}", counts(&mut { kinds })),
    };
    row("duplicates", duplicates);
    let statistics = &document.functions.statistics;
    for (name, lines) in [("units", &statistics.unit_lines), ("linked units", &statistics.linked_lines)] {
        if let Some(lines) = lines {
            let (median, most, all) = (lines.median, lines.p90, lines.max);
            row(name, format!("lines: median {median}, 90% at most {most}, all at most {all}"));
        }
    }
    format!("{BOLD}The rest{BOLD:#}\n{}", table.render("  "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_full_only_for_all_and_empty_only_for_none() {
        let length = |part, whole| bar(part, whole).chars().count();
        assert_eq!((length(100_000, 100_000), bar(100_000, 100_000).contains('▌')), (40, false));
        assert!(bar(99_999, 100_000).ends_with('▌'));
        assert_eq!(bar(1, 100_000), "▌");
        assert_eq!((length(0, 10), length(0, 0)), (0, 0));
    }
}
