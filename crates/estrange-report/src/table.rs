//! A table of values with headings and blocks of rows, and how it is written for papers, programs and terminals.

mod csv;
mod latex;
mod markdown;
mod text;

/// A table: columns, and rows in sections.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// A short name of lower-case letters and hyphens, for files, anchors and labels.
    pub name: String,
    /// What is in it.
    pub title: String,
    /// What one must know to read it; may be empty.
    pub note: String,
    /// The columns; the first one says what a row is about.
    pub columns: Vec<Column>,
    /// The blocks of rows.
    pub sections: Vec<Section>,
    /// Whether values are written with their spread. CSV has it in columns of its own in any case.
    pub shows_spread: bool,
}

/// A column's heading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Column {
    /// The heading over this column and those beside it that have the same one; empty if there is none.
    pub over: String,
    /// Its own heading.
    pub heading: String,
    /// Where its text stands.
    pub align: Align,
}

/// Where a column's text stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Align {
    /// On the left, as words do.
    #[default]
    Left,
    /// On the right, as numbers do.
    Right,
}

/// A block of rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// What its rows have in common; empty if there is but one section.
    pub title: String,
    /// The rows, each with one entry for each column.
    pub rows: Vec<Vec<Entry>>,
}

/// What stands in a row and a column.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Entry {
    /// There is no value.
    #[default]
    Empty,
    /// Words.
    Text(String),
    /// A number.
    Number(Number),
}

/// A number, and what is to be shown of it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Number {
    /// The number as it is shown: a percentage is above 1.
    pub value: f64,
    /// How many decimals it has.
    pub digits: usize,
    /// How far it may be off.
    pub spread: Spread,
    /// Whether it is the best of its column in its section.
    pub is_best: bool,
    /// Which result it comes from, for pages that compute it again.
    pub origin: Option<Origin>,
}

/// How far a number may be off.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Spread {
    /// Nothing is known.
    #[default]
    Unknown,
    /// It lies between these bounds.
    Interval {
        /// The lower one.
        low: f64,
        /// The upper one.
        high: f64,
    },
    /// Its standard error.
    Error(f64),
}

/// The result that a number was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The result's place in the document.
    pub result: usize,
    /// What of it.
    pub part: Part,
}

/// What was taken of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Its mean.
    Mean,
    /// What it lost.
    Drop,
    /// What is left of what there was.
    Left,
}

impl Column {
    /// A column of words.
    pub fn words(heading: impl Into<String>) -> Self {
        Self { over: String::new(), heading: heading.into(), align: Align::Left }
    }

    /// A column of numbers.
    pub fn numbers(heading: impl Into<String>) -> Self {
        Self { over: String::new(), heading: heading.into(), align: Align::Right }
    }

    /// The same column under a heading that it shares with those beside it.
    pub fn under(self, over: impl Into<String>) -> Self {
        Self { over: over.into(), ..self }
    }

    /// Both headings in one line.
    fn full(&self) -> String {
        match self.over.is_empty() {
            true => self.heading.clone(),
            false => format!("{} {}", self.over, self.heading),
        }
    }
}

impl Section {
    /// Marks the largest numbers of each column, where there is something to choose from. What looks the same is the
    /// same.
    pub fn mark_best(&mut self) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        for column in 0..columns {
            let mut numbers: Vec<&mut Number> = self.rows.iter_mut().filter_map(|row| number(row, column)).collect();
            let best = numbers.iter().map(|number| number.value).fold(f64::NEG_INFINITY, f64::max);
            if numbers.len() > 1 {
                for number in &mut numbers {
                    number.is_best = decimals(number.value, number.digits) == decimals(best, number.digits);
                }
            }
        }
    }
}

fn number(row: &mut [Entry], column: usize) -> Option<&mut Number> {
    match row.get_mut(column) {
        Some(Entry::Number(number)) => Some(number),
        _ => None,
    }
}

impl Table {
    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.sections.iter().all(|section| section.rows.is_empty())
    }

    /// Removes the columns of numbers that have no value in any row.
    pub(crate) fn without_empty_columns(mut self) -> Self {
        let rows = || self.sections.iter().flat_map(|section| &section.rows);
        let has_value = |place: usize| rows().any(|row| row.get(place).is_some_and(|entry| *entry != Entry::Empty));
        let kept: Vec<bool> = (0..self.columns.len()).map(|place| place == 0 || has_value(place)).collect();
        keep(&mut self.columns, &kept);
        for row in self.sections.iter_mut().flat_map(|section| &mut section.rows) {
            keep(row, &kept);
        }
        self
    }

    /// The headings over columns, each with the columns that it spans.
    pub(crate) fn spans(&self) -> Vec<(&str, std::ops::Range<usize>)> {
        let mut spans: Vec<(&str, std::ops::Range<usize>)> = Vec::new();
        for (place, column) in self.columns.iter().enumerate() {
            match spans.last_mut() {
                Some((over, range)) if !over.is_empty() && *over == column.over => range.end = place + 1,
                _ => spans.push((&column.over, place..place + 1)),
            }
        }
        spans
    }

    fn has_spans(&self) -> bool {
        self.columns.iter().any(|column| !column.over.is_empty())
    }
}

fn keep<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    items.retain(|_| kept.next().copied().unwrap_or(true));
}

/// A number with so many decimals, never `-0.00`.
pub(crate) fn decimals(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|character| matches!(character, '0' | '.')) => rest.to_owned(),
        _ => text,
    }
}

/// Text with what could speak to a terminal, or break a line, written out.
fn printable(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[f64]) -> Vec<Entry> {
        values.iter().map(|&value| Entry::Number(Number { value, digits: 1, ..Number::default() })).collect()
    }

    #[test]
    fn what_looks_like_the_best_is_the_best() {
        let mut section =
            Section { rows: vec![row(&[1.04, 5.0]), row(&[1.0, 7.0]), row(&[0.5])], ..Section::default() };
        section.mark_best();
        let best = |entry: &Entry| matches!(entry, Entry::Number(number) if number.is_best);
        let marks: Vec<Vec<bool>> = section.rows.iter().map(|row| row.iter().map(best).collect()).collect();
        assert_eq!(marks, [vec![true, false], vec![true, true], vec![false]]);

        let mut alone = Section { rows: vec![row(&[1.0])], ..Section::default() };
        alone.mark_best();
        assert!(!best(&alone.rows[0][0]));
    }

    #[test]
    fn nothing_is_less_than_nothing() {
        assert_eq!(decimals(-0.001, 2), "0.00");
        assert_eq!(decimals(-0.01, 2), "-0.01");
        assert_eq!(decimals(-0.0, 0), "0");
    }
}
