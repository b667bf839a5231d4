//! Tables for programs: comma-separated values (RFC 4180, but for the ends of lines).

use super::{Entry, Number, Spread, Table, decimals};

/// Decimals of what a program reads on.
const DIGITS: usize = 6;

/// What stands beside a column of values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    Bounds,
    Error,
}

impl Table {
    /// The table for programs: a line of headings, then the rows with the title of their section first, values with six
    /// decimals, and bounds or standard errors in columns of their own. What there is not is empty.
    pub fn to_csv(&self) -> String {
        let has_sections = self.sections.iter().any(|section| !section.title.is_empty());
        let beside: Vec<Beside> = (0..self.columns.len()).map(|column| self.beside(column)).collect();
        let mut headings = Vec::new();
        if has_sections {
            headings.push("section".to_owned());
        }
        for (column, beside) in self.columns.iter().zip(&beside) {
            let heading = column.full();
            let more: &[&str] = match beside {
                Beside::Nothing => &[],
                Beside::Bounds => &["low", "high"],
                Beside::Error => &["standard error"],
            };
            let more = more.iter().map(|part| format!("{heading} {part}")).collect::<Vec<_>>();
            headings.push(heading);
            headings.extend(more);
        }
        let mut text = line(&headings);
        for section in &self.sections {
            for row in &section.rows {
                let mut cells = Vec::new();
                if has_sections {
                    cells.push(section.title.clone());
                }
                for (entry, beside) in row.iter().zip(&beside) {
                    cells.extend(values(entry, *beside));
                }
                text += &line(&cells);
            }
        }
        text
    }

    fn beside(&self, column: usize) -> Beside {
        let entries = self.sections.iter().flat_map(|section| &section.rows).filter_map(|row| row.get(column));
        let spreads = entries.filter_map(|entry| match entry {
            Entry::Number(Number { spread: Spread::Interval { .. }, .. }) => Some(Beside::Bounds),
            Entry::Number(Number { spread: Spread::Error(_), .. }) => Some(Beside::Error),
            _ => None,
        });
        spreads.into_iter().next().unwrap_or(Beside::Nothing)
    }
}

fn values(entry: &Entry, beside: Beside) -> Vec<String> {
    let show = |value: f64, digits: usize| decimals(value, if digits == 0 { 0 } else { DIGITS });
    let mut values = match entry {
        Entry::Empty => vec![String::new()],
        Entry::Text(words) => vec![words.clone()],
        Entry::Number(number) => vec![show(number.value, number.digits)],
    };
    let spread = if let Entry::Number(number) = entry { number.spread } else { Spread::Unknown };
    match (beside, spread) {
        (Beside::Nothing, _) => (),
        (Beside::Bounds, Spread::Interval { low, high }) => values.extend([show(low, 1), show(high, 1)]),
        (Beside::Error, Spread::Error(error)) => values.push(show(error, 1)),
        (Beside::Bounds, _) => values.extend([String::new(), String::new()]),
        (Beside::Error, _) => values.push(String::new()),
    }
    values
}

fn line(cells: &[String]) -> String {
    let quoted = cells.iter().map(|cell| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    });
    format!("{}\n", quoted.collect::<Vec<_>>().join(","))
}
