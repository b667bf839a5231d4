//! Reads what a compiler wrote, line by line.

use crate::clean::clean;
use crate::diagnostic::{Diagnostic, Excerpt, Note};
use crate::head::{Head, Place, head, place};

/// The diagnostics of a text that gcc, clang, their assembler or their linker wrote, in order.
///
/// Nothing is too strange for it: lines that it does not understand are passed over. A text may begin or end anywhere.
pub fn read(text: &str) -> Vec<Diagnostic> {
    let mut reader = Reader::default();
    clean(text).lines().for_each(|line| reader.line(line));
    reader.diagnostics
}

#[derive(Default)]
struct Reader {
    diagnostics: Vec<Diagnostic>,
    /// From where a template was needed: gcc says so before the diagnostic.
    before: Vec<Note>,
    /// What was just read is a note of the last diagnostic.
    is_note: bool,
    /// The line before this one, if it may be a line of the source.
    last: Option<String>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if let Some((number, shown)) = gutter(line) {
            return self.shown(number, shown);
        }
        if let Some(found) = head(line) {
            self.last = None;
            return self.head(found);
        }
        if let Some((at, reason)) = line.split_once(":   required ") {
            let Place { file, line, column } = place(at);
            let message = format!("required {reason}");
            return self.before.push(Note { file, line, column, message, excerpt: None });
        }
        // Without numbers at the margin, a line of the source is known by the line of marks below it.
        let is_marks = line.contains('^') && line.chars().all(|c| matches!(c, ' ' | '^' | '~' | '|' | '\t'));
        match self.last.take() {
            Some(source) if is_marks => self.excerpt(&source, line.chars().position(|c| c == '^')),
            _ => self.last = Some(line.to_owned()),
        }
    }

    fn head(&mut self, head: Head) {
        let Head { place: Place { file, line, column }, severity, message, option } = head;
        match (severity, self.diagnostics.last_mut()) {
            (None, Some(diagnostic)) => {
                self.is_note = true;
                diagnostic.notes.push(Note { file, line, column, message, excerpt: None });
            }
            // A note without a diagnostic: the text before it was cut off.
            (None, None) => {}
            (Some(severity), last) => {
                let notes = std::mem::take(&mut self.before);
                self.is_note = false;
                // clang does not show the same place twice.
                let is_there = |last: &&mut Diagnostic| (&last.file, last.line, last.column) == (&file, line, column);
                let excerpt = last.filter(is_there).and_then(|last| last.excerpt.clone()).filter(|_| line.is_some());
                self.diagnostics.push(Diagnostic { file, line, column, severity, message, option, excerpt, notes });
            }
        }
    }

    /// A line with a margin: one of the source if it has a number, else one of marks or of a proposal.
    fn shown(&mut self, number: Option<u32>, shown: &str) {
        match (number, self.current()) {
            (Some(number), Some((line, _))) if line.is_none_or(|line| line == number) => self.excerpt(shown, None),
            (None, Some((_, Some(excerpt)))) => {
                excerpt.caret = excerpt.caret.or_else(|| shown.chars().position(|c| c == '^'));
            }
            _ => {}
        }
    }

    /// The line of what was just read, and what is shown of it.
    fn current(&mut self) -> Option<(Option<u32>, &mut Option<Excerpt>)> {
        let diagnostic = self.diagnostics.last_mut()?;
        match diagnostic.notes.last_mut().filter(|_| self.is_note) {
            Some(note) => Some((note.line, &mut note.excerpt)),
            None => Some((diagnostic.line, &mut diagnostic.excerpt)),
        }
    }

    fn excerpt(&mut self, text: &str, caret: Option<usize>) {
        if let Some((_, shown)) = self.current() {
            shown.get_or_insert_with(|| Excerpt { text: text.to_owned(), caret });
        }
    }
}

/// What stands behind the margin of a line that shows the source, and the number in the margin.
fn gutter(line: &str) -> Option<(Option<u32>, &str)> {
    let (margin, shown) = line.split_once('|')?;
    let number = margin.trim();
    if !margin.ends_with(' ') || !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+') {
        return None;
    }
    Some((number.parse().ok(), shown.strip_prefix(' ').unwrap_or(shown)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::diagnostic::Severity;

    #[test]
    fn a_diagnostic_has_its_line_and_its_notes() {
        let text = "In file included from a.h:2,\n                 from a.c:1:\na.c: In function ‘f’:\n\
            a.c:3:9: error: too few arguments to function ‘g’\n    3 |\treturn g(\"a: error: b\");\n      |\t       ^\n\
            In file included from a.c:1:\na.h:7:5: note: declared here\n    7 | int g(int, int);\n      |     ^\n\
            a.c:5:1: warning: x [-Wy]\ncc1: some warnings being treated as errors\n";
        let read = read(text);
        let [first, second] = &read[..] else { panic!("{read:?}") };
        assert_eq!(first.message, "too few arguments to function 'g'");
        let excerpt = first.excerpt.as_ref().unwrap();
        assert_eq!((&*excerpt.text, excerpt.caret), ("\treturn g(\"a: error: b\");", Some(8)));
        assert_eq!(first.notes.len(), 1);
        assert_eq!((first.notes[0].line, &*first.notes[0].message), (Some(7), "declared here"));
        assert_eq!((second.severity, second.option.as_deref()), (Severity::Warning, Some("-Wy")));
    }

    #[test]
    fn lines_without_a_margin_are_shown_too() {
        let read = read("a.c:3:3: error: expected expression\n  if (x ==)\n          ^\n1 error generated.\n");
        let excerpt = read[0].excerpt.as_ref().unwrap();
        assert_eq!((&*excerpt.text, excerpt.caret), ("  if (x ==)", Some(10)));
    }

    #[test]
    fn where_a_template_was_needed_is_noted() {
        let text = "a.cpp: In instantiation of ‘T f(T) [with T = int]’:\na.cpp:9:8:   required from here\n\
            a.cpp:2:3: error: no match for ‘operator[]’ (operand types are ‘int’ and ‘int’)\n";
        let read = read(text);
        assert_eq!((read[0].notes[0].line, &*read[0].notes[0].message), (Some(9), "required from here"));
    }

    proptest! {
        #[test]
        fn nothing_is_too_strange(text in "(a\\.c:1:2: (error|note|fatal error): |[ 0-9]{0,4}\\| |\u{1b}[\\[\\]]|'|\\{aka '|\\PC{0,6}|\n|ld: |undefined reference to ){0,24}") {
            let diagnostics = read(&text);
            crate::diagnose(&diagnostics);
        }
    }
}
