//! One function as a compiler's text: beside what it was, and how it was made.

use anstyle::Style;
use estrange_bench::{Function, Lowered};

use super::code;
use crate::highlight;
use crate::output::printable;
use crate::table::{Align, Cell, Table};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// A lowered function below what it was.
pub fn text(function: &Function, lowered: &Lowered) -> String {
    let mut table = Table::new([Align::Left; 2]);
    let mut row = |name: &str, text: String| table.row([Cell::styled(name, DIM), printable(&text).into()]);
    let Lowered { setting, target, compiler, opt, lines, tokens, unique_instructions, .. } = lowered;
    row("setting", setting.clone());
    row("made by", format!("{compiler} for {target} at -{opt}"));
    row("size", format!("{lines} lines, {tokens} tokens, {unique_instructions} different instructions"));
    if lowered.short_text.is_some() {
        row("holds", "the function, then those that it calls".to_owned());
    }
    let mut text = format!("{BOLD}{}{BOLD:#}\n{}", printable(&function.qualified_name), table.render("  "));
    text += &format!("\n{DIM}as it was{DIM:#}\n");
    for line in highlight::lines(code(&function.text, Some(function.language), &function.types)) {
        text += &format!("  {line}\n");
    }
    text += &format!("\n{DIM}{}{DIM:#}\n", printable(setting));
    for line in lowered.text.lines() {
        text += &format!("  {}\n", printable(&line.replace('\t', "        ")));
    }
    text
}
