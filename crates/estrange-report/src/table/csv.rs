//! Tables for programs: comma-separated values (RFC 4180, but for the ends of lines).

use super::{Entry, Table};
use crate::values::line;

impl Table {
    /// The table for programs: one line of headings, then the rows. A value is written with all of its digits and without
    /// its spread; what a section's title says is in no row.
    pub fn to_csv(&self) -> String {
        let headings: Vec<String> = self.columns.iter().map(super::Column::full).collect();
        let mut text = line(headings.iter().map(String::as_str));
        for row in self.sections.iter().flat_map(|section| &section.rows) {
            let cells: Vec<String> = row
                .iter()
                .map(|entry| match entry {
                    Entry::Empty => String::new(),
                    Entry::Text(words) => words.clone(),
                    Entry::Number(number) => number.value.to_string(),
                })
                .collect();
            text += &line(cells.iter().map(String::as_str));
        }
        text
    }
}
