//! A closure written down: one file in translation order, in the source's own spelling.

use std::collections::BTreeSet;
use std::ops::Range;

use estrange_text::comments::strip;
use estrange_text::lexer::{Kind, is_feature_macro};
use estrange_words::Language;

use crate::closure::Closure;
use crate::forms::Cut;
use crate::macros::Event;

/// A unit's text, and what stands where in it.
#[derive(Debug, Clone)]
pub(crate) struct Emitted {
    pub(crate) text: String,
    /// Where each chunk stands.
    pub(crate) chunks: Vec<(u32, Range<usize>)>,
    /// Where the function itself stands.
    pub(crate) function: Range<usize>,
}

/// What is written, in the order of its place in the translation unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Include(usize),
    Pragma(u32, u32),
    Macro(usize),
    Chunk(u32),
}

impl Closure<'_, '_> {
    /// Writes the closure down, with these of the translation unit's includes.
    pub(crate) fn emit(&self, includes: &BTreeSet<usize>) -> Emitted {
        let slices = self.slices;
        let source = slices.text();
        let mut items: Vec<(u32, Item)> = Vec::new();
        for number in self.forms.keys() {
            let chunk = &slices.chunks[*number as usize];
            items.push((chunk.start, Item::Chunk(*number)));
            for pragma in &slices.pragmas {
                let over = pragma.opens.0 < chunk.start && pragma.closes.is_none_or(|(start, _)| start >= chunk.end);
                if over {
                    items.push((pragma.opens.0, Item::Pragma(pragma.opens.0, pragma.opens.1)));
                    if let Some((start, end)) = pragma.closes {
                        items.push((start, Item::Pragma(start, end)));
                    }
                }
            }
        }
        let first = items.iter().map(|(start, _)| *start).min().unwrap_or_default();
        for number in includes {
            let start = slices.includes[*number].start;
            items.push((if self.may_come_first(first, start) { first } else { start }, Item::Include(*number)));
        }
        for event in &self.macros {
            let start = slices.macros.events[*event].start;
            let around = slices.chunk_at(start).filter(|chunk| self.forms.contains_key(chunk));
            match around {
                Some(chunk) if chunk == self.home() => {}
                Some(chunk) => items.push((slices.chunks[chunk as usize].start, Item::Macro(*event))),
                None => items.push((start, Item::Macro(*event))),
            }
        }
        items.sort();
        items.dedup();

        let mut writer = Writer { text: String::new(), open: Vec::new(), defined: BTreeSet::new(), chunks: Vec::new() };
        let mut function = 0..0;
        for (_, item) in items {
            match item {
                Item::Include(number) => {
                    writer.close_to(0);
                    writer.line(&format!("#include <{}>", slices.includes[number].name));
                }
                Item::Pragma(start, end) => writer.line(&source[start as usize..end as usize]),
                Item::Macro(event) => {
                    let event = &slices.macros.events[event];
                    writer.undefine(&event.name);
                    writer.line(strip(&source[event.start as usize..event.end as usize]).trim_end());
                    writer.defined.insert(event.name.clone());
                }
                Item::Chunk(number) => {
                    for name in self.unmacroed.get(&number).into_iter().flatten() {
                        writer.undefine(name);
                    }
                    writer.enter(&slices.path(number));
                    if number == self.home() {
                        writer.blank();
                    }
                    let (text, own) = self.chunk_text(number);
                    let start = writer.chunk(number, &text);
                    if let Some(own) = own {
                        function = start + own.start..start + own.end;
                    }
                }
            }
        }
        writer.close_to(0);
        Emitted { text: writer.text, chunks: writer.chunks, function }
    }

    /// Whether the include at `start` may stand before the first chunk, which may need it: it may be one of several that
    /// bring the same, and not the first. The parser sees all headers of C++ first; in C they stay where they were.
    fn may_come_first(&self, first: u32, start: u32) -> bool {
        let mut events = self.macros.iter().map(|event| &self.slices.macros.events[*event]);
        let decides = |event: &Event| (first..start).contains(&event.start) && is_feature_macro(&event.name);
        self.slices.language == Language::Cpp && first < start && !events.any(decides)
    }

    /// A chunk's text in its form, and where the function stands in it, if it does. The function's own chunk keeps its
    /// directives, the function itself its comments; all else goes without.
    fn chunk_text(&self, number: u32) -> (String, Option<Range<usize>>) {
        let slices = self.slices;
        let chunk = &slices.chunks[number as usize];
        let mut cuts = self.cuts(number);
        if number != self.home() {
            let directives = slices.tokens(chunk.start, chunk.end).iter().filter(|token| token.kind == Kind::Directive);
            cuts.extend(directives.map(|token| Cut { start: token.start, end: token.end, instead: "".into() }));
            cuts.sort();
            return (bare(&without(slices.text(), chunk.start, chunk.end, &cuts)).trim_end().to_owned(), None);
        }
        let (start, end) = slices.extent_of(self.target);
        let before = bare(&without(slices.text(), chunk.start, start, &cuts));
        let own = tidy(&without(slices.text(), start, end, &cuts));
        let after = bare(&without(slices.text(), end, chunk.end, &cuts));
        let range = before.len()..before.len() + own.len();
        (format!("{before}{own}{after}").trim_end().to_owned(), Some(range))
    }
}

/// A stretch of the source without what is cut.
fn without(source: &str, start: u32, end: u32, cuts: &[Cut]) -> String {
    let mut text = String::new();
    let mut from = start;
    for cut in cuts.iter().filter(|cut| cut.end <= end) {
        if cut.start < from {
            continue;
        }
        text.push_str(&source[from as usize..cut.start as usize]);
        text.push_str(&cut.instead);
        from = cut.end;
    }
    text.push_str(&source[from as usize..end as usize]);
    text
}

/// Leaves out comments, empty lines and spaces at the ends of lines. Its first line may go on with one that is not
/// part of it, and its last line may be gone on with.
fn bare(text: &str) -> String {
    let stripped = strip(text);
    let mut bare = String::new();
    for (number, line) in stripped.split_inclusive('\n').enumerate() {
        match line.strip_suffix('\n').map(str::trim_end) {
            Some("") if number > 0 => {}
            Some(line) => {
                bare.push_str(line);
                bare.push('\n');
            }
            None => bare.push_str(line),
        }
    }
    bare
}

/// Leaves out empty lines at the ends and all but one of several in a row, and spaces at the ends of lines.
pub(crate) fn tidy(text: &str) -> String {
    tidy_with(text, &mut [])
}

/// As [`tidy`]; each mark is an offset of the text and becomes that of the same place in the result. A place that is left
/// out becomes the end of what stands before it.
pub(crate) fn tidy_with(text: &str, marks: &mut [usize]) -> String {
    let mut tidied = String::new();
    let mut blank = true;
    let mut from = 0;
    let mut moved = marks.to_vec();
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end();
        if line.is_empty() {
            blank = true;
        } else {
            if blank && !tidied.is_empty() {
                tidied.push('\n');
            }
            blank = false;
        }
        for (mark, moved) in marks.iter().zip(&mut moved).filter(|(mark, _)| **mark >= from) {
            *moved = tidied.len() + (*mark - from).min(line.len());
        }
        if !line.is_empty() {
            tidied.push_str(line);
            tidied.push('\n');
        }
        from += whole.len();
    }
    tidied.truncate(tidied.trim_end().len());
    for (mark, moved) in marks.iter_mut().zip(moved) {
        *mark = moved.min(tidied.len());
    }
    tidied
}

struct Writer {
    text: String,
    open: Vec<String>,
    defined: BTreeSet<String>,
    chunks: Vec<(u32, Range<usize>)>,
}

impl Writer {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn undefine(&mut self, name: &str) {
        if self.defined.remove(name) {
            self.line(&format!("#undef {name}"));
        }
    }

    /// Writes a chunk; where it begins.
    fn chunk(&mut self, number: u32, text: &str) -> usize {
        let start = self.text.len();
        self.line(text);
        self.chunks.push((number, start..self.text.len() - 1));
        start
    }

    fn enter(&mut self, path: &[String]) {
        let common = self.open.iter().zip(path).take_while(|(open, wanted)| open == wanted).count();
        self.close_to(common);
        for words in &path[common..] {
            self.line(words);
            self.open.push(words.clone());
        }
    }

    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            self.open.pop();
            self.line("}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tidied_is_found_again() {
        let text = "\n\n struct s {  \n\n\n  int f(void)   \r\n  { return 1; }\n\n};  \n";
        let start = text.find("int f").unwrap();
        let mut marks = [start, text.find("}\n").unwrap() + 1, text.len()];
        let tidied = tidy_with(text, &mut marks);
        assert_eq!(tidied, tidy(text));
        assert_eq!(&tidied[marks[0]..marks[1]], "int f(void)\n  { return 1; }");
        assert_eq!(marks[2], tidied.len());
    }
}
