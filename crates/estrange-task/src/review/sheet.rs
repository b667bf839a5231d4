//! Comma-separated values for people: cells may have line breaks, and no cell is a formula.

/// A line of cells (RFC 4180), each in quotes where it must be.
pub fn line<'c>(cells: impl IntoIterator<Item = &'c str>) -> String {
    let quoted = cells.into_iter().map(|cell| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    });
    format!("{}\n", quoted.collect::<Vec<_>>().join(","))
}

/// Foreign text as a cell: what a spreadsheet would take for a formula gets an apostrophe before it.
pub fn harmless(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

/// The rows of a text; those without any cell are left out.
pub fn rows(text: &str) -> Vec<Vec<String>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut is_quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !is_quoted && letters.peek() == Some(&'\n') => {}
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    rows.retain(|row| row.iter().any(|cell| !cell.trim().is_empty()));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_as_it_was() {
        let all = [vec!["a", "b, c", "say \"no\""], vec!["", "two\nlines\r\n", "1"]];
        let text: String = all.iter().map(|row| line(row.iter().copied())).collect();
        assert_eq!(rows(&text), all);
        assert_eq!(rows(&format!("\u{feff}{}", "a,b\r\n\r\n,\r\nc,d")), [["a", "b"], ["c", "d"]]);
    }

    #[test]
    fn no_cell_is_a_formula() {
        assert_eq!(["=1+1", "-x", "a=b", ""].map(harmless), ["'=1+1", "'-x", "a=b", ""]);
    }
}
