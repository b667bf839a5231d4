//! Tables for a page in Markdown.

use super::{Align, Entry, Number, Section, Spread, Table, decimals, printable};

impl Table {
    /// The table for a page in Markdown, with its title above and its note below.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("**{}**\n\n", escape(&self.title));
        text += &line(self.columns.iter().map(|column| escape(&column.full())));
        text += &line(self.columns.iter().map(|column| ruler(column.align).to_owned()));
        for section in &self.sections {
            text += &self.markdown_section(section);
        }
        if !self.note.is_empty() {
            text += &format!("\n{}\n", escape(&self.note));
        }
        text
    }

    fn markdown_section(&self, section: &Section) -> String {
        let mut text = String::new();
        if !section.title.is_empty() {
            let title = std::iter::once(format!("**{}**", escape(&section.title)));
            text += &line(title.chain(self.columns.iter().skip(1).map(|_| String::new())));
        }
        for row in &section.rows {
            text += &line(row.iter().map(|entry| match entry {
                Entry::Empty => "–".to_owned(),
                Entry::Text(words) => escape(words),
                Entry::Number(number) => self.markdown_number(number),
            }));
        }
        text
    }

    fn markdown_number(&self, number: &Number) -> String {
        let show = |value: f64| decimals(value, number.digits);
        let value = if number.is_best { format!("**{}**", show(number.value)) } else { show(number.value) };
        match number.spread {
            Spread::Interval { low, high } if self.shows_spread => format!("{value} [{}, {}]", show(low), show(high)),
            Spread::Error(error) if self.shows_spread => format!("{value} ± {}", show(error)),
            _ => value,
        }
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

fn ruler(align: Align) -> &'static str {
    match align {
        Align::Left => "---",
        Align::Right => "---:",
    }
}

/// Text that stays text: no column of its own, no emphasis, no link, no tag.
fn escape(text: &str) -> String {
    let mut output = String::new();
    for character in printable(text).chars() {
        if matches!(character, '\\' | '|' | '*' | '_' | '`' | '<' | '[' | ']') {
            output.push('\\');
        }
        output.push(character);
    }
    output
}
