//! What is seen of a side of a pair: a text, and where things are in it.

use std::borrow::Cow;
use std::ops::Range;

use estrange_text::outline::bodies;
use estrange_text::splice::splice;
use estrange_words::words;

words! {
    /// What is seen of a side.
    pub enum Seen {
        /// The function's own text.
        Function = "function",
        /// A file that compiles by itself, in which the functions that it calls are declared only.
        Unit = "unit",
        /// The same with these functions' code: a file that can be linked and run, where there is one.
        LinkedUnit = "linked-unit",
    }
}

/// What is seen of a unit with a function in it.
pub(crate) struct View<'u> {
    unit: &'u str,
    /// What is seen.
    pub text: Cow<'u, str>,
    /// Where the function is in that.
    pub function: Range<usize>,
    /// Which parts of the unit are not seen.
    hidden: Vec<(Range<usize>, &'static str)>,
}

impl<'u> View<'u> {
    /// What is seen of a unit; nothing if the function is not where it should be.
    pub fn of(unit: &'u str, function: Range<usize>, seen: Seen) -> Option<Self> {
        let own = unit.get(function.clone()).filter(|own| !own.trim().is_empty())?;
        Some(match seen {
            Seen::Function => Self {
                unit,
                text: own.into(),
                function: 0..own.len(),
                hidden: vec![(0..function.start, ""), (function.end..unit.len(), "")],
            },
            Seen::LinkedUnit => Self { unit, text: unit.into(), function, hidden: Vec::new() },
            Seen::Unit => {
                let hidden = bodies(unit, &function);
                let mut places = [function.start, function.end];
                let text = splice(unit, &hidden, &mut places);
                Self { unit, text: text.into(), function: places[0]..places[1], hidden }
            }
        })
    }

    /// The line here that a line of the unit is, if it is seen.
    pub fn line(&self, line: u32) -> Option<u32> {
        let start = start_of(self.unit, line)?;
        let end = self.unit[start..].find('\n').map_or(self.unit.len(), |length| start + length);
        let first = start + self.unit[start..end].find(|letter: char| !letter.is_whitespace())?;
        if self.hidden.iter().any(|(hidden, _)| hidden.contains(&first)) {
            return None;
        }
        let mut place = [first];
        let text = splice(self.unit, &self.hidden, &mut place);
        Some(number(&text, place[0]))
    }

    /// The line of the function that a line here is, if it is one of its lines.
    pub fn own_line(&self, line: u32) -> Option<u32> {
        let own = line.checked_sub(number(&self.text, self.function.start) - 1).filter(|own| *own > 0)?;
        (own as usize <= self.text[self.function.clone()].lines().count()).then_some(own)
    }
}

/// Where a line begins, counted from 1.
fn start_of(text: &str, line: u32) -> Option<usize> {
    match line {
        0 => None,
        1 => Some(0),
        line => {
            text.match_indices('\n').nth(line as usize - 2).map(|(at, _)| at + 1).filter(|start| *start < text.len())
        }
    }
}

/// The number of the line in which a place is.
fn number(text: &str, place: usize) -> u32 {
    text.as_bytes()[..place.min(text.len())].iter().filter(|byte| **byte == b'\n').count() as u32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: &str = "int limit;\nint g(int a) {\n  return a;\n}\n\nint f(int a) {\n  a = g(a);\n  return a;\n}\n";

    fn view(seen: Seen) -> View<'static> {
        let start = UNIT.find("int f").unwrap();
        View::of(UNIT, start..UNIT.trim_end().len(), seen).unwrap()
    }

    #[test]
    fn lines_are_found_where_they_are_seen() {
        for (seen, text, lines, own) in [
            (Seen::Function, "int f(int a) {\n  a = g(a);\n  return a;\n}", [None, None, Some(2)], 2),
            (
                Seen::Unit,
                "int limit;\nint g(int a);\n\nint f(int a) {\n  a = g(a);\n  return a;\n}\n",
                [Some(1), None, Some(5)],
                5,
            ),
            (Seen::LinkedUnit, UNIT, [Some(1), Some(3), Some(7)], 7),
        ] {
            let view = view(seen);
            assert_eq!(view.text, text);
            assert!(view.text[view.function.clone()].starts_with("int f(int a) {"));
            assert_eq!([1, 3, 7].map(|line| view.line(line)), lines, "{seen}");
            assert_eq!((view.own_line(own), view.own_line(own + 3)), (Some(2), None), "{seen}");
            assert_eq!((view.line(0), view.line(99)), (None, None), "{seen}");
        }
    }

    #[test]
    fn a_function_that_is_not_there_is_not_seen() {
        assert!(View::of("int f;\n   ", 7..9, Seen::Unit).is_none());
        assert!(View::of("int f;", 3..99, Seen::Function).is_none());
    }
}
