//! Tables for a terminal: aligned columns, without colour, in as many blocks as its width asks for.

use super::{Align, Entry, Number, Spread, Table, decimals, printable};

/// What stands between two columns.
const GAP: usize = 2;
/// What marks the best value, so that it shows in a file as well.
const BEST: char = '*';

impl Table {
    /// The table for a terminal. Where it is wider than `width` allows, its columns follow each other in blocks, each
    /// with the first column again.
    pub fn to_text(&self, width: Option<usize>) -> String {
        let widths: Vec<usize> = (0..self.columns.len()).map(|column| self.width_of(column)).collect();
        let mut text = format!("{}\n", printable(&self.title));
        for (place, block) in blocks(&widths, width.unwrap_or(usize::MAX)).iter().enumerate() {
            if place > 0 {
                text.push('\n');
            }
            text += &self.block(block, &widths);
        }
        if self.has_best() {
            text += &format!("  {BEST} the best of its block\n");
        }
        for line in wrapped(&printable(&self.note), width.unwrap_or(120).saturating_sub(GAP)) {
            text += &format!("  {line}\n");
        }
        text
    }

    /// Some of the columns, with headings and all rows.
    fn block(&self, columns: &[usize], widths: &[usize]) -> String {
        let mut text = String::new();
        if self.has_spans() {
            let mut before = "";
            let overs = columns.iter().map(|&column| {
                // Written once, over the first column that it spans.
                let over = self.columns[column].over.as_str();
                let shown = if over == before { "" } else { over };
                before = over;
                shown.to_owned()
            });
            text += &spread_line(overs.collect(), columns, widths);
        }
        text += &self.line(columns.iter().map(|&column| printable(&self.columns[column].heading)), columns, widths);
        for section in &self.sections {
            // A section may have its values in another block.
            let has_value =
                |row: &&Vec<Entry>| columns[1..].iter().any(|&column| row.get(column) != Some(&Entry::Empty));
            let rows: Vec<&Vec<Entry>> = section.rows.iter().filter(has_value).collect();
            if !section.title.is_empty() && !rows.is_empty() {
                text += &format!("  {}\n", printable(&section.title));
            }
            for row in rows {
                let cells =
                    columns.iter().map(|&column| row.get(column).map_or(String::new(), |each| self.entry(each)));
                text += &self.line(cells, columns, widths);
            }
        }
        text
    }

    fn line(&self, cells: impl Iterator<Item = String>, columns: &[usize], widths: &[usize]) -> String {
        let mut line = String::new();
        for (cell, &column) in cells.zip(columns) {
            let room = " ".repeat(widths[column].saturating_sub(cell.chars().count()));
            line += &" ".repeat(GAP);
            line += &match self.columns[column].align {
                Align::Left => cell + &room,
                Align::Right => room + &cell,
            };
        }
        format!("{}\n", line.trim_end())
    }

    fn entry(&self, entry: &Entry) -> String {
        match entry {
            Entry::Empty => "-".to_owned(),
            Entry::Text(words) => printable(words),
            Entry::Number(number) => self.number(number),
        }
    }

    fn number(&self, number: &Number) -> String {
        let show = |value: f64| decimals(value, number.digits);
        let mark = if number.is_best { BEST.to_string() } else { String::new() };
        let value = format!("{mark}{}", show(number.value));
        match number.spread {
            Spread::Interval { low, high } if self.shows_spread => format!("{value} [{}, {}]", show(low), show(high)),
            Spread::Error(error) if self.shows_spread => format!("{value} ± {}", show(error)),
            _ => value,
        }
    }

    fn width_of(&self, column: usize) -> usize {
        let rows = self.sections.iter().flat_map(|section| &section.rows);
        let cells = rows.filter_map(|row| row.get(column)).map(|entry| self.entry(entry).chars().count());
        let heading = printable(&self.columns[column].heading).chars().count();
        let widest = cells.chain([heading]).max().unwrap_or(0);
        // A heading over one column alone must fit over it.
        let alone = self.spans().into_iter().find(|(_, range)| *range == (column..column + 1));
        alone.map_or(widest, |(over, _)| widest.max(over.chars().count()))
    }

    fn has_best(&self) -> bool {
        let mut entries = self.sections.iter().flat_map(|section| &section.rows).flatten();
        entries.any(|entry| matches!(entry, Entry::Number(number) if number.is_best))
    }
}

/// The columns of each block: the first one, and as many of the others as fit beside it.
fn blocks(widths: &[usize], width: usize) -> Vec<Vec<usize>> {
    let mut blocks = vec![vec![0]];
    let first = widths.first().copied().unwrap_or(0) + GAP;
    let mut used = first;
    for (column, each) in widths.iter().enumerate().skip(1) {
        let needed = each + GAP;
        let last = blocks.len() - 1;
        if used.saturating_add(needed) > width && blocks[last].len() > 1 {
            blocks.push(vec![0, column]);
            used = first + needed;
        } else {
            blocks[last].push(column);
            used += needed;
        }
    }
    if widths.is_empty() { Vec::new() } else { blocks }
}

/// Headings that may be wider than their columns, each beginning where its first column begins.
fn spread_line(overs: Vec<String>, columns: &[usize], widths: &[usize]) -> String {
    let mut line = String::new();
    let mut place = 0;
    for (over, &column) in overs.iter().zip(columns) {
        if !over.is_empty() {
            let gap = (place + GAP).saturating_sub(line.chars().count());
            line += &" ".repeat(gap.max(usize::from(!line.is_empty())));
            line += &printable(over);
        }
        place += widths[column] + GAP;
    }
    format!("{line}\n")
}

/// Words in lines of at most so many characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
