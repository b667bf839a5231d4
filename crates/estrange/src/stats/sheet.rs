//! A table of what was counted: in colour for a terminal, and as the tables of a report for papers and programs.

use anstyle::Style;
use estrange_report as report;

use crate::output::printable;
use crate::table::{Align, Cell, Table};

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// A table with a title and headings, of plain text.
#[derive(Debug)]
pub struct Sheet {
    /// What is in it.
    pub title: String,
    /// The columns: their headings, and where their text stands.
    pub columns: Vec<(&'static str, Align)>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// Whether the last row sums up the others.
    pub has_total: bool,
}

impl Sheet {
    /// An empty table.
    pub fn new(title: impl Into<String>, columns: impl IntoIterator<Item = (&'static str, Align)>) -> Self {
        Self { title: title.into(), columns: columns.into_iter().collect(), rows: Vec::new(), has_total: false }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Leaves out the column with this heading.
    pub fn remove_column(&mut self, heading: &str) {
        if let Some(column) = self.columns.iter().position(|(name, _)| *name == heading) {
            self.columns.remove(column);
            self.rows.iter_mut().filter(|row| row.len() > column).for_each(|row| drop(row.remove(column)));
        }
    }

    /// For a terminal: the title, then aligned columns.
    pub fn text(&self) -> String {
        let mut table = Table::new(self.columns.iter().map(|(_, align)| *align));
        table.row(self.columns.iter().map(|(heading, _)| Cell::styled(*heading, DIM)));
        for row in &self.rows {
            table.row(row.iter().map(|cell| printable(cell).into()));
        }
        format!("{BOLD}{}{BOLD:#}\n{}", printable(&self.title), table.render("  "))
    }

    /// For a page in Markdown.
    pub fn markdown(&self) -> String {
        self.for_a_paper().to_markdown()
    }

    /// For a paper in LaTeX, with the rules of the package `booktabs`.
    pub fn latex(&self) -> String {
        self.for_a_paper().to_latex()
    }

    /// For programs: one line of headings, then the rows.
    pub fn csv(&self) -> String {
        self.for_a_paper().to_csv()
    }

    /// The same as a table of a report; the last row, if it sums up the others, in a block of its own.
    fn for_a_paper(&self) -> report::Table {
        let entry = |cell: &String| match cell.as_str() {
            "-" => report::table::Entry::Empty,
            words => report::table::Entry::Text(words.to_owned()),
        };
        let column = |(heading, align): &(&'static str, Align)| match align {
            Align::Left => report::table::Column::words(*heading),
            Align::Right => report::table::Column::numbers(*heading),
        };
        let totals = usize::from(self.has_total && self.rows.len() > 1);
        let (rows, total) = self.rows.split_at(self.rows.len() - totals);
        let block = |rows: &[Vec<String>]| report::table::Section {
            title: String::new(),
            rows: rows.iter().map(|row| row.iter().map(entry).collect()).collect(),
        };
        let words = self.title.split(|character: char| !character.is_ascii_alphanumeric());
        let words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
        report::Table {
            name: words.join("-"),
            title: self.title.clone(),
            columns: self.columns.iter().map(column).collect(),
            sections: [rows, total].into_iter().filter(|rows| !rows.is_empty()).map(block).collect(),
            ..report::Table::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new("50% of_it", [("a", Align::Left), ("b", Align::Right), ("c", Align::Left)]);
        sheet.row(["x|y".to_owned(), "-".to_owned(), "?".to_owned()]);
        sheet.row(["all, \"both\"".to_owned(), "2".to_owned()]);
        sheet.has_total = true;
        sheet.remove_column("c");
        sheet
    }

    #[test]
    fn each_format_escapes_what_it_must() {
        assert_eq!(sheet().csv(), "a,b\nx|y,\n\"all, \"\"both\"\"\",2\n");
        assert_eq!(
            sheet().markdown(),
            "**50% of\\_it**\n\n| a | b |\n| --- | ---: |\n| x\\|y | – |\n| all, \"both\" | 2 |\n"
        );
        let latex = sheet().latex();
        let head = "\\caption{50\\% of\\_it.}\n  \\label{tab:50-of-it}\n  \\begin{tabular}{lr}\n";
        assert!(latex.contains(head), "{latex}");
        let rows = "    x\\textbar{}y & -- \\\\\n    \\addlinespace\n    all, \\char34{}both\\char34{} & 2 \\\\\n";
        assert!(latex.contains(rows), "{latex}");
    }
}
