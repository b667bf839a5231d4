//! One function as text: what is known about it, its comment, and its code with line numbers.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use estrange_bench::{Function, Helper, Rejected};
use estrange_words::Word;

use super::{code, evidence};
use crate::highlight::{self, Code};
use crate::output::printable;
use crate::phrasing::counted;
use crate::stats::words;
use crate::table::{Align, Cell, Table};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();
const MARK: Style = AnsiColor::Green.on_default().bold();

/// How many helpers, types and such are named; `--json` has them all.
const NAMED: usize = 8;

/// How many lines of a detail are shown; `--json` has them all.
const DETAIL: usize = 30;

/// A function that was kept.
pub fn kept(function: &Function) -> String {
    let mut table = Table::new([Align::Left; 2]);
    let mut row = |name: &str, text: String| {
        if !text.is_empty() {
            table.row([Cell::styled(name, DIM), printable(&text).into()]);
        }
    };
    let Function { source, version, path, licence, licence_class, .. } = function;
    let lines = lines(Some(function.line_start), Some(function.line_end));
    row("id", function.id.clone());
    row("source", format!("{source} {version}, split {}", function.split));
    row("file", format!("{path}{lines}, {}", function.role));
    row("licence", format!("{licence} ({licence_class})"));
    row("kind", words::kind(function.language, function.kind));
    row("group", format!("{}: {}", function.group, words::group(function.group)));
    row("size", size(function));
    row("unit", counted(function.unit_lines, "line"));
    row("linked", linked(function));
    row("calls", helpers(&function.helpers));
    row("types", names(&function.types));
    row("includes", names(&function.includes));
    row("flags", function.flags.join(" "));
    for (at, line) in evidence::in_words(&function.evidence).into_iter().enumerate() {
        table_row(&mut table, if at == 0 { "evidence" } else { "" }, &line);
    }
    if !function.duplicates.is_empty() {
        table_row(&mut table, "copies", &format!("left out: {}", names(&function.duplicates)));
    }

    let mut text = format!("{BOLD}{}{BOLD:#}\n{}", printable(&function.qualified_name), table.render("  "));
    if let Some(comment) = &function.comment {
        text += &format!("\n{DIM}comment{DIM:#}\n");
        for line in comment.lines() {
            text += format!("  {}", printable(line)).trim_end();
            text.push('\n');
        }
    }
    let marked = function.in_unit().map(|place| within(&function.unit, place));
    let marks = if marked.is_some() { ", the function marked by >" } else { "" };
    text += &format!("\n{DIM}unit{marks}{DIM:#}\n");
    text + &numbered(code(&function.unit, Some(function.language), &function.types), 1, marked)
}

/// A function that was not kept.
pub fn rejected(rejected: &Rejected) -> String {
    let mut table = Table::new([Align::Left; 2]);
    let mut row = |name: &str, text: &str| {
        if !text.is_empty() {
            table_row(&mut table, name, text);
        }
    };
    row("id", rejected.id.as_deref().unwrap_or_default());
    row("source", &format!("{} {}", rejected.source, rejected.version.as_deref().unwrap_or_default()));
    if let Some(path) = &rejected.path {
        let lines = lines(rejected.line_start, rejected.line_end);
        row("file", &format!("{path}{lines}, {}", rejected.role.as_deref().unwrap_or("role not known")));
    }
    if let (Some(language), Some(kind)) = (rejected.language, rejected.kind) {
        row("kind", &words::kind(language, kind));
    }
    row("stage", rejected.stage.as_str());
    row("reason", &format!("{}: {}", rejected.reason, rejected.reason.phrase()));
    let lines = rejected.detail.lines().count();
    for (at, line) in rejected.detail.lines().take(DETAIL).enumerate() {
        table_row(&mut table, if at == 0 { "detail" } else { "" }, line);
    }
    if lines > DETAIL {
        table_row(&mut table, "", &format!("and {} more lines; --json has them all", lines - DETAIL));
    }
    let name = printable(rejected.name.as_deref().unwrap_or("a function without a name"));
    let mut text = format!("{BOLD}{name}{BOLD:#} {RED}rejected{RED:#}\n{}", table.render("  "));
    if let Some(function) = &rejected.text {
        text += &format!("\n{DIM}text{DIM:#}\n");
        let first = rejected.line_start.unwrap_or(1) as usize;
        text += &numbered(code(function, rejected.language, &[]), first, None);
    }
    text
}

fn table_row(table: &mut Table, name: &str, text: &str) {
    table.row([Cell::styled(name, DIM), printable(text).into()]);
}

/// The first and last line of a part of a text, counted from 1.
fn within(text: &str, part: Range<usize>) -> (usize, usize) {
    let line = |offset: usize| text.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count() + 1;
    (line(part.start), line(part.end))
}

/// `:3-5`, after a path.
fn lines(first: Option<u32>, last: Option<u32>) -> String {
    match (first, last) {
        (Some(first), Some(last)) if first != last => format!(":{first}-{last}"),
        (Some(line), _) | (None, Some(line)) => format!(":{line}"),
        (None, None) => String::new(),
    }
}

/// Code behind its line numbers, some of its lines marked.
fn numbered(code: Code<'_>, first: usize, marked: Option<(usize, usize)>) -> String {
    let lines = highlight::lines(code);
    let width = (first + lines.len().saturating_sub(1)).to_string().len();
    let mut text = String::new();
    for (line, number) in lines.iter().zip(first..) {
        let mark = match marked {
            Some((first, last)) if (first..=last).contains(&number) => format!("{MARK}>{MARK:#}"),
            Some(_) => " ".to_owned(),
            None => String::new(),
        };
        let numbered = format!("  {DIM}{number:>width$}{DIM:#} {mark} {line}");
        text += numbered.trim_end();
        text.push('\n');
    }
    text
}

fn size(function: &Function) -> String {
    let mut parts = vec![
        counted(function.loc, "line"),
        counted(function.tokens, "token"),
        counted(function.unique_keywords, "different keyword"),
        format!("complexity {}", function.cyclomatic_complexity),
    ];
    if let Some(tokens) = function.model_tokens {
        parts.insert(2, format!("{} by a model's tokenizer", counted(tokens, "token")));
    }
    parts.join(", ")
}

fn linked(function: &Function) -> String {
    match (function.linkable, function.linked_lines, &function.unlinkable_reason) {
        (true, Some(lines), _) => format!("{}; --linked shows them", counted(lines, "line")),
        (true, None, _) => "yes; --linked shows it".to_owned(),
        (false, _, Some(reason)) => format!("no: {} ({reason})", reason.phrase()),
        (false, _, None) => "no".to_owned(),
    }
}

/// The nearest helpers, with the beginning of their ids.
fn helpers(helpers: &[Helper]) -> String {
    let name = |helper: &Helper| match &helper.id {
        Some(id) => format!("{} ({})", helper.name, id.chars().take(12).collect::<String>()),
        None => helper.name.clone(),
    };
    names(&helpers.iter().map(name).collect::<Vec<_>>())
}

/// The first few, and how many more there are.
fn names(names: &[String]) -> String {
    let mut shown: Vec<String> = names.iter().take(NAMED).cloned().collect();
    if names.len() > NAMED {
        shown.push(format!("and {} more", names.len() - NAMED));
    }
    shown.join(", ")
}
