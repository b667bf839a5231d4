//! The line that begins a diagnostic: a place, a severity, a message.

use crate::clean::first_of;
use crate::diagnostic::Severity;

/// What such a line says.
#[derive(Debug, PartialEq, Eq)]
pub struct Head {
    pub place: Place,
    /// Nothing where it is a note.
    pub severity: Option<Severity>,
    pub message: String,
    pub option: Option<String>,
}

/// A place in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
}

/// What stands between a place and a message.
const SEVERITIES: &[(&str, Option<Severity>)] = &[
    ("internal compiler error: ", Some(Severity::Internal)),
    ("fatal error: ", Some(Severity::Fatal)),
    ("sorry, unimplemented: ", Some(Severity::Error)),
    ("error: ", Some(Severity::Error)),
    ("Error: ", Some(Severity::Error)),
    ("warning: ", Some(Severity::Warning)),
    ("Warning: ", Some(Severity::Warning)),
    ("remark: ", Some(Severity::Remark)),
    ("note: ", None),
];

/// What a linker says behind a place or its own name.
const LINKER: &[&str] = &[
    "undefined reference to ",
    "multiple definition of ",
    "undefined symbol: ",
    "duplicate symbol: ",
    "cannot find -l",
    "cannot find crt",
    "file format not recognized",
    "error adding symbols: ",
    "final link failed",
];

/// What is said when memory is not enough, or when a program has crashed.
const FAILED: &[&str] = &["out of memory allocating ", "virtual memory exhausted", "PLEASE submit a bug report"];

/// Reads a line. Most lines are none that begins a diagnostic.
pub fn head(line: &str) -> Option<Head> {
    by_linker(line).or_else(|| by_compiler(line)).or_else(|| failure(line))
}

fn by_compiler(line: &str) -> Option<Head> {
    let found = SEVERITIES.iter().filter_map(|(word, severity)| {
        let at = match line.starts_with(word) {
            true => 0,
            false => line.match_indices(word).find(|(at, _)| line[..*at].ends_with(": "))?.0,
        };
        Some((at, *word, *severity))
    });
    // Of two at one place the longer: an internal compiler error is no error of the code.
    let (at, word, severity) = found.min_by_key(|(at, ..)| *at)?;
    let before = line[..at].strip_suffix(": ").unwrap_or(&line[..at]);
    if before.starts_with(char::is_whitespace) {
        return None;
    }
    let (message, option) = without_option(line[at + word.len()..].trim());
    Some(Head { place: place(before), severity, message: message.to_owned(), option })
}

/// A linker's line has no severity: `/usr/bin/ld: a.c:(.text+0x5): undefined reference to 'f'`.
fn by_linker(line: &str) -> Option<Head> {
    let (at, _) = first_of(line, LINKER)?;
    let before = line[..at].trim_end();
    let is_linkers = before.is_empty() || before.ends_with(':');
    if !is_linkers || line.starts_with(char::is_whitespace) || line.contains(": warning: ") {
        return None;
    }
    let before = before.trim_end_matches(':').trim_end_matches("error").trim_end_matches([':', ' ']);
    let before = before.split_once("ld: ").map_or(before, |(_, place)| place);
    let place = place(before.split_once(":(").map_or(before, |(file, _)| file));
    Some(Head { place, severity: Some(Severity::Error), message: line[at..].trim().to_owned(), option: None })
}

fn failure(line: &str) -> Option<Head> {
    let (at, _) = first_of(line, FAILED)?;
    let place = Place { file: line[..at].strip_suffix(": ").map(str::to_owned), ..Place::default() };
    Some(Head { place, severity: Some(Severity::Internal), message: line[at..].to_owned(), option: None })
}

/// The place that a text names: `file`, `file:line` or `file:line:column`.
pub fn place(text: &str) -> Place {
    let (rest, last) = number_behind(text);
    let (file, first) = if last.is_some() { number_behind(rest) } else { (rest, None) };
    let (line, column) = if first.is_some() { (first, last) } else { (last, None) };
    Place { file: Some(file.to_owned()).filter(|file| !file.is_empty()), line, column }
}

/// Takes `:number` off the end of a text.
fn number_behind(text: &str) -> (&str, Option<u32>) {
    let number = text.rsplit_once(':').and_then(|(rest, number)| Some((rest, number.parse().ok()?)));
    number.map_or((text, None), |(rest, number)| (rest, Some(number)))
}

/// Takes `[-Wsomething]` off the end of a message.
fn without_option(message: &str) -> (&str, Option<String>) {
    let found = message.strip_suffix(']').and_then(|text| text.rsplit_once(" [-"));
    let Some((text, options)) = found.filter(|(_, options)| !options.contains(char::is_whitespace)) else {
        return (message, None);
    };
    // clang names `-Werror` beside the option, gcc within it.
    let plain = options.split(',').map(|option| option.trim_start_matches('-').replacen("Werror=", "W", 1));
    (text.trim_end(), plain.filter(|option| option != "Werror").map(|option| format!("-{option}")).next())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Said = (Option<String>, Option<u32>, Option<u32>, Option<Severity>, String, Option<String>);

    fn said(line: &str) -> Said {
        let Head { place, severity, message, option } = head(line).unwrap();
        (place.file, place.line, place.column, severity, message, option)
    }

    #[test]
    fn a_place_a_severity_and_an_option_are_read() {
        let (file, line, column, severity, message, option) =
            said("C:/a b.c:12:5: error: x: note: y ['-Wz'] [-Werror=int-conversion]");
        assert_eq!((file.as_deref(), line, column), (Some("C:/a b.c"), Some(12), Some(5)));
        assert_eq!((severity, &*message), (Some(Severity::Error), "x: note: y ['-Wz']"));
        assert_eq!(option.as_deref(), Some("-Wint-conversion"));
        assert_eq!(said("a.c:1: warning: x [-Werror,-Wy]").5.as_deref(), Some("-Wy"));
        assert_eq!(said("a.c:1:1: internal compiler error: in f, at g.cc:1").3, Some(Severity::Internal));
        assert_eq!(said("fatal error: error in backend: x").3, Some(Severity::Fatal));
        assert_eq!(said("cc1: error: x").0.as_deref(), Some("cc1"));
        assert_eq!(said("a.c:3:1: note: here").3, None);
        assert!(head("    3 |   puts(\"x: error: y\");").is_none());
        assert!(head("a.c: In function 'f':").is_none());
    }

    #[test]
    fn a_linker_is_understood() {
        let (file, line, _, severity, message, _) =
            said("/usr/bin/ld: /tmp/cc1.o:a.c:(.text+0x1b): undefined reference to 'f'");
        assert_eq!((file.as_deref(), line, severity), (Some("/tmp/cc1.o:a.c"), None, Some(Severity::Error)));
        assert_eq!(message, "undefined reference to 'f'");
        assert_eq!(said("a.c:12: undefined reference to 'f'").1, Some(12));
        assert_eq!(said("ld.lld: error: undefined symbol: f").0.as_deref(), Some("ld.lld"));
        assert_eq!(said("/usr/bin/ld: cannot find -lx: No such file").4, "cannot find -lx: No such file");
    }
}
