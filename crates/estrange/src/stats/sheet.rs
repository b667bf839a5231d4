//! A table of results in the formats that papers and programs take: aligned text, Markdown, LaTeX, CSV.

use anstyle::Style;

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
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let ruler = self.columns.iter().map(|(_, align)| match align {
            Align::Left => "---".to_owned(),
            Align::Right => "---:".to_owned(),
        });
        let escape = |text: &str| printable(text).replace('\\', "\\\\").replace('|', "\\|");
        let mut text = format!("**{}**\n\n", escape(&self.title));
        text += &line(self.columns.iter().map(|(heading, _)| (*heading).to_owned()).collect());
        text += &line(ruler.collect());
        for row in &self.rows {
            text += &line(row.iter().map(|cell| escape(cell)).collect());
        }
        text
    }

    /// For a paper in LaTeX, with the rules of the package `booktabs`.
    pub fn latex(&self) -> String {
        let letters = self.columns.iter().map(|(_, align)| if *align == Align::Left { 'l' } else { 'r' });
        let line = |cells: Vec<String>| format!("    {} \\\\\n", cells.join(" & "));
        let mut text = format!("\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n", latex(&self.title));
        text += &format!("  \\begin{{tabular}}{{{}}}\n    \\toprule\n", letters.collect::<String>());
        text += &line(self.columns.iter().map(|(heading, _)| latex(heading)).collect());
        text += "    \\midrule\n";
        for (at, row) in self.rows.iter().enumerate() {
            if self.has_total && at > 0 && at + 1 == self.rows.len() {
                text += "    \\midrule\n";
            }
            text += &line(row.iter().map(|cell| latex(cell)).collect());
        }
        text + "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n"
    }

    /// For programs: one line of headings, then the rows (RFC 4180, but for the ends of lines).
    pub fn csv(&self) -> String {
        let line = |cells: Vec<String>| format!("{}\n", cells.join(","));
        let mut text = line(self.columns.iter().map(|(heading, _)| csv(heading)).collect());
        for row in &self.rows {
            text += &line(row.iter().map(|cell| csv(cell)).collect());
        }
        text
    }
}

fn latex(text: &str) -> String {
    if text == "-" {
        return "--".to_owned();
    }
    let mut output = String::new();
    for character in printable(text).chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => output.extend(['\\', character]),
            '\\' => output += "\\textbackslash{}",
            '~' => output += "\\textasciitilde{}",
            '^' => output += "\\textasciicircum{}",
            '<' => output += "\\textless{}",
            '>' => output += "\\textgreater{}",
            other => output.push(other),
        }
    }
    output
}

/// A dash stands for a number that there is not.
fn csv(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false if text == "-" => String::new(),
        false => text.to_owned(),
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
            "**50% of_it**\n\n| a | b |\n| --- | ---: |\n| x\\|y | - |\n| all, \"both\" | 2 |\n"
        );
        let latex = sheet().latex();
        assert!(latex.contains("\\caption{50\\% of\\_it}\n  \\begin{tabular}{lr}\n"), "{latex}");
        assert!(latex.contains("    x|y & -- \\\\\n    \\midrule\n    all, \"both\" & 2 \\\\\n"), "{latex}");
    }
}
