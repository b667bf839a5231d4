//! What `estrange sources` found, as text: a block for each source, then one table over all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use estrange_project::SourceFile;
use estrange_project::files::Skip;
use estrange_words::Language;

use super::document::{Lost, Parse, Parsed, Source, SourcesJson, Survey};
use super::{overview, words};
use crate::output::printable;
use crate::phrasing::counted;
use crate::table::{Align, Cell, Table};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();

/// How many examples of one kind are shown; `--json` has them all.
const EXAMPLES: usize = 3;

/// The whole text.
pub fn text(document: &SourcesJson) -> String {
    let mut blocks: Vec<String> = document.sources.iter().map(block).collect();
    if document.sources.len() > 1 {
        blocks.push(overview::table(&document.sources));
    }
    blocks.join("\n")
}

fn block(source: &Source) -> String {
    let version = source.fetched.as_ref().map(|fetched| fetched.version.as_str()).unwrap_or_default();
    let heading = format!("{BOLD}{}{BOLD:#} {}", printable(&source.source), printable(version));
    let mut table = Table::new([Align::Left; 2]);
    if let Some(lost) = &source.lost {
        lost_rows(&mut table, lost);
    }
    if let Some(survey) = &source.survey {
        survey_rows(&mut table, survey);
    }
    for left_out in source.fetched.iter().flat_map(|fetched| &fetched.left_out) {
        let reason = words::omission(left_out.reason);
        row(&mut table, "left out", format!("{} {reason}: {}", left_out.count, left_out.examples.join(", ")));
    }
    let list = source.survey.as_ref().and_then(|survey| survey.list.as_deref()).map(files).unwrap_or_default();
    format!("{}\n{}{list}", heading.trim_end(), table.render("  "))
}

fn row(table: &mut Table, name: &str, text: impl AsRef<str>) {
    table.row([Cell::styled(name, DIM), printable(text.as_ref()).into()]);
}

fn lost_rows(table: &mut Table, lost: &Lost) {
    for (at, line) in lost.detail.lines().enumerate() {
        table.row([Cell::styled(if at == 0 { "lost" } else { "" }, RED), printable(line).into()]);
    }
    if let Some(hint) = &lost.hint {
        row(table, "hint", hint);
    }
}

fn survey_rows(table: &mut Table, survey: &Survey) {
    if survey.files == 0 {
        row(table, "files", "no C or C++ in it");
        return skipped_rows(table, &survey.skipped);
    }
    row(
        table,
        "files",
        format!("{}: {}", counts(&survey.languages, Language::title), counts(&survey.roles, words::role)),
    );
    row(table, "licences", licences(survey));
    row(table, "flags", flags(survey));
    let failed: Vec<_> = survey.attempts.iter().filter(|attempt| !attempt.success).collect();
    for alike in failed.chunk_by(|one, next| one.system == next.system && one.ended == next.ended) {
        let tries = if alike.len() == 1 { String::new() } else { format!(" in {} tries", alike.len()) };
        row(table, "", format!("{} gave none{tries}: {}", words::origin(alike[0].system), alike[0].ended));
    }
    if let Some(parse) = &survey.parse {
        parse_rows(table, parse);
    }
    skipped_rows(table, &survey.skipped);
}

/// What was passed over, a line for each reason.
fn skipped_rows(table: &mut Table, skipped: &[Skip]) {
    let mut by_reason: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for skip in skipped {
        by_reason.entry(skip.reason.to_string()).or_default().push(skip.path.display().to_string());
    }
    for (reason, paths) in by_reason {
        row(table, "skipped", format!("{reason}: {}", examples(&paths)));
    }
}

fn parse_rows(table: &mut Table, parse: &Parse) {
    let words = |parsed: Parsed, what: &str| match parsed.files {
        0 => format!("no {what}"),
        files => format!("{} of {}, {}", parsed.without_fatal_error, counted(files, what), overview::share(parsed)),
    };
    let (units, headers) = (words(parse.units, "library file"), words(parse.headers, "library header"));
    row(table, "parses", format!("{units}; {headers}"));
    if parse.other_system.files > 0 {
        row(table, "", words(parse.other_system, "file") + " for another system, not counted");
    }
    let failed = || parse.failed.iter().filter_map(|failed| Some((failed, failed.fatal.as_deref()?)));
    let absent: BTreeSet<&String> = failed().flat_map(|(failed, _)| &failed.unavailable).collect();
    if !absent.is_empty() {
        let (units, headers) = (parse.units.left_out_by_the_build, parse.headers.left_out_by_the_build);
        let who = format!("{} and {}", counted(units, "file"), counted(headers, "header"));
        let absent: Vec<&String> = absent.into_iter().collect();
        row(table, "", format!("{who} that its build leaves out here, for want of {}", examples(&absent)));
    }
    let unexplained = || failed().filter(|(failed, _)| failed.unavailable.is_empty());
    for (failed, fatal) in unexplained().take(EXAMPLES) {
        // The compiler repeats where the file is on this machine.
        let fatal = fatal.split_once("fatal error: ").map_or(fatal, |(_, words)| words);
        row(table, "", format!("{}: {fatal}", failed.path));
    }
    if unexplained().count() > EXAMPLES {
        row(table, "", format!("and {} more; --json has them all", unexplained().count() - EXAMPLES));
    }
}

/// The first few, and how many more there are.
fn examples(names: &[impl AsRef<str>]) -> String {
    let mut shown: Vec<String> = names.iter().take(EXAMPLES).map(|name| name.as_ref().to_owned()).collect();
    if names.len() > EXAMPLES {
        shown.push(format!("and {} more", names.len() - EXAMPLES));
    }
    shown.join(", ")
}

fn licences(survey: &Survey) -> String {
    let classes = survey.licence_classes.iter().map(|(class, count)| {
        let mut text = format!("{count} {}", words::class(*class));
        if let Some(licences) = survey.licences.get(class) {
            let mut by_count: Vec<(&String, &usize)> = licences.iter().collect();
            by_count.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let names: Vec<&str> = by_count.iter().map(|(name, _)| name.as_str()).collect();
            let _ = write!(text, " ({})", examples(&names));
        }
        text
    });
    classes.collect::<Vec<_>>().join(", ")
}

/// `CMake for 3 library files, inferred for 2`.
fn flags(survey: &Survey) -> String {
    let mut origins: Vec<_> = survey.flags.iter().collect();
    origins.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let mut origins = origins.into_iter();
    let Some((main, count)) = origins.next() else { return "no library file is compiled by itself".to_owned() };
    let main = format!("{} for {}", words::origin(*main), counted(*count, "library file"));
    let others = origins.map(|(origin, count)| format!("{} for {count}", words::origin(*origin)));
    [main].into_iter().chain(others).collect::<Vec<_>>().join(", ")
}

/// `3 library, 2 test`, the most frequent first.
fn counts<T: Copy>(counts: &BTreeMap<T, usize>, word: fn(T) -> &'static str) -> String {
    let mut counts: Vec<(T, usize)> = counts.iter().map(|(thing, count)| (*thing, *count)).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    match counts.is_empty() {
        true => "none".to_owned(),
        false => counts.iter().map(|(thing, count)| format!("{count} {}", word(*thing))).collect::<Vec<_>>().join(", "),
    }
}

fn files(list: &[SourceFile]) -> String {
    let mut table = Table::new([Align::Left; 6]);
    for file in list {
        table.row([
            printable(&file.path.to_string_lossy()).into(),
            format!("{} {}", file.language.title(), words::kind(file.kind)).into(),
            words::role(file.role).into(),
            printable(file.licence.expression.as_deref().unwrap_or("unknown")).into(),
            file.flags.as_ref().map(|flags| words::origin(flags.origin)).unwrap_or("-").into(),
            printable(&file.flags.as_ref().map(|flags| flags.command_line().join(" ")).unwrap_or_default()).into(),
        ]);
    }
    table.render("  ")
}
