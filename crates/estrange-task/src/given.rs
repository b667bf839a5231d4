//! Files of answers that somebody gave before: JSON lines, or comma-separated values below a line with names.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The rows of a file with their lines: JSON lines if the first one is an object. Of comma-separated values those below the
/// names that are numbers are read as such.
pub(crate) fn rows<R: DeserializeOwned>(text: &str, numbers: &[&str]) -> Vec<(usize, Result<R, String>)> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    let is_json = lines.peek().is_none_or(|(_, line)| line.trim_start().starts_with('{'));
    if is_json {
        let row = |line: &str| serde_json::from_str(line).map_err(|error| error.to_string());
        return lines.map(|(number, line)| (number + 1, row(line))).collect();
    }
    let names: Vec<String> = lines.next().map(|(_, line)| cells(line)).unwrap_or_default();
    lines.map(|(number, line)| (number + 1, separated(&names, line, numbers))).collect()
}

/// A row of comma-separated values.
fn separated<R: DeserializeOwned>(names: &[String], line: &str, numbers: &[&str]) -> Result<R, String> {
    let cells = cells(line);
    if cells.len() != names.len() {
        return Err(format!("it has {} values below {} names", cells.len(), names.len()));
    }
    let mut object = serde_json::Map::new();
    for (name, cell) in names.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
        let is_number = numbers.contains(&name.as_str());
        let value = if is_number { serde_json::from_str(&cell).unwrap_or(json!(cell)) } else { json!(cell) };
        object.insert(name.clone(), value);
    }
    serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())
}

/// The cells of a line: between commas, in quotes where a cell has one.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                push(&mut cells, '"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            other => push(&mut cells, other),
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

fn push(cells: &mut [String], letter: char) {
    if let Some(cell) = cells.last_mut() {
        cell.push(letter);
    }
}
