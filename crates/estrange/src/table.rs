//! Text in aligned columns, readable on a terminal and in a file.

use anstyle::Style;

/// Where a column's text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// One cell: text, and how it looks where there is colour.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// A cell that stands out.
    pub fn styled(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), style: Style::new() }
    }
}

/// Rows of cells, as wide as their content.
#[derive(Debug, Default)]
pub struct Table {
    columns: Vec<Align>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(columns: impl IntoIterator<Item = Align>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row. Missing cells at its end stay empty; cells beyond the last column are left out.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().take(self.columns.len()).collect());
    }

    /// The table as lines, each behind `margin`, with two spaces between columns and none at the end.
    pub fn render(&self, margin: &str) -> String {
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.text.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = margin.to_owned();
            let mut pending = 0;
            for ((cell, align), width) in row.iter().zip(&self.columns).zip(&widths) {
                let gap = width - cell.text.chars().count();
                let (before, after) = if *align == Align::Right { (gap, 0) } else { (0, gap) };
                if !cell.text.is_empty() {
                    let style = cell.style;
                    line += &" ".repeat(pending + before);
                    line += &format!("{style}{}{style:#}", cell.text);
                    pending = after + 2;
                } else {
                    pending += width + 2;
                }
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_lines_end_with_their_text() {
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        table.row(["source".into(), "files".into(), "licence".into()]);
        table.row(["a".into(), "1200".into(), "permissive".into()]);
        table.row(["long-name".into(), Cell::default(), "ünknown".into()]);
        table.row(["last".into(), "7".into()]);
        let lines = [
            " source     files  licence",
            " a           1200  permissive",
            " long-name         ünknown",
            " last           7",
        ];
        assert_eq!(table.render(" "), lines.map(|line| format!("{line}\n")).concat());
    }
}
