//! One table over all sources: a row for each, and one for all together.

use anstyle::{AnsiColor, Style};
use estrange_project::licence::Class;
use estrange_project::role::Role;

use super::document::{Parsed, Source, Survey};
use super::words;
use crate::output::printable;
use crate::table::Align::{Left, Right};
use crate::table::{Cell, Table};

const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();

/// The table as text.
pub fn table(sources: &[Source]) -> String {
    let mut table = Table::new([Left, Left, Right, Right, Right, Left, Right, Right, Right]);
    let headings =
        ["source", "version", "files", "library", "permissive", "flags", "parses", "of library", "other system"];
    table.row(headings.map(|heading| Cell::styled(heading, DIM)));
    let mut all = Numbers::default();
    for source in sources {
        let name = printable(&source.source);
        let version = source.fetched.as_ref().map(|fetched| printable(&fetched.version)).unwrap_or_default();
        match (&source.survey, &source.lost) {
            (Some(survey), None) => {
                let numbers = Numbers::of(survey);
                all.add(&numbers);
                let flags: Vec<&str> = survey.flags.keys().map(|origin| words::origin(*origin)).collect();
                table.row(numbers.cells(name, version, flags.join(", ")));
            }
            (_, lost) => {
                let lost = format!("lost: {}", lost.as_ref().map_or("", |lost| lost.reason.as_str()));
                let none = Cell::default;
                table.row([name.into(), version.into(), none(), none(), none(), Cell::styled(lost, RED)]);
            }
        }
    }
    table.row(all.cells("together".to_owned(), String::new(), String::new()));
    table.render("")
}

/// What is counted in each row.
#[derive(Debug, Default)]
struct Numbers {
    files: usize,
    library: usize,
    permissive: usize,
    /// The library's units, and other systems'.
    parsed: Option<[Parsed; 2]>,
}

impl Numbers {
    fn of(survey: &Survey) -> Self {
        Self {
            files: survey.files,
            library: survey.roles.get(&Role::Library).copied().unwrap_or_default(),
            permissive: survey.licence_classes.get(&Class::Permissive).copied().unwrap_or_default(),
            parsed: survey.parse.as_ref().map(|parse| [parse.units, parse.other_system]),
        }
    }

    fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.library += other.library;
        self.permissive += other.permissive;
        if let Some(parsed) = other.parsed {
            for (sum, parsed) in self.parsed.get_or_insert_default().iter_mut().zip(parsed) {
                sum.files += parsed.files;
                sum.without_fatal_error += parsed.without_fatal_error;
            }
        }
    }

    fn cells(&self, name: String, version: String, flags: String) -> [Cell; 9] {
        let parsed = |which: usize, text: fn(Parsed) -> String| {
            Cell::from(self.parsed.map(|parsed| text(parsed[which])).unwrap_or_default())
        };
        let count = |parsed: Parsed| format!("{} of {}", parsed.without_fatal_error, parsed.files);
        [
            name.into(),
            version.into(),
            self.files.to_string().into(),
            self.library.to_string().into(),
            percent(self.permissive, self.files).into(),
            flags.into(),
            parsed(0, share),
            parsed(0, count),
            parsed(1, count),
        ]
    }
}

/// The share of files that parse without a fatal error.
pub fn share(parsed: Parsed) -> String {
    percent(parsed.without_fatal_error, parsed.files)
}

/// A share with one decimal, rounded down, so that 100.0% means all of them.
fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{}.{}%", part * 100 / whole, part * 1000 / whole % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_of_them_are_a_hundred_percent() {
        assert_eq!(percent(9_999, 10_000), "99.9%");
        assert_eq!(percent(7, 7), "100.0%");
        assert_eq!(percent(1, 16), "6.2%");
        assert_eq!(percent(0, 0), "-");
    }
}
