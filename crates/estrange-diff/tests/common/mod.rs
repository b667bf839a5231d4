//! Makes texts, edits of them, and their unified diffs: what the tests compare with.
#![allow(dead_code, clippy::unwrap_used)]

use proptest::prelude::*;

/// One line of an old and a new text side by side.
#[derive(Debug, Clone)]
pub enum Edit {
    Keep(String),
    Remove(String),
    Add(String),
}

/// An edit of a text, and whether the old and the new text end with a newline.
#[derive(Debug, Clone)]
pub struct Script {
    pub edits: Vec<Edit>,
    pub ends: bool,
}

/// Lines out of few words, so that they repeat themselves.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[abc]{1,2}", 1 => Just(String::new()), 1 => "[-+@ \\\\]{1,3}[ab]", 1 => Just("-- a/x.c".to_owned())]
}

pub fn script() -> impl Strategy<Value = Script> {
    let edit = prop_oneof![
        6 => line().prop_map(Edit::Keep),
        1 => line().prop_map(Edit::Remove),
        1 => line().prop_map(Edit::Add),
    ];
    (prop::collection::vec(edit, 0..60), prop::bool::weighted(0.8)).prop_map(|(edits, ends)| Script { edits, ends })
}

impl Script {
    fn text(&self, is_side: impl Fn(&Edit) -> bool) -> String {
        let of = |edit: &Edit| match edit {
            Edit::Keep(line) | Edit::Remove(line) | Edit::Add(line) => line.clone(),
        };
        let lines: Vec<String> = self.edits.iter().filter(|edit| is_side(edit)).map(of).collect();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        if self.ends { text } else { text.strip_suffix('\n').unwrap_or(&text).to_owned() }
    }

    pub fn old(&self) -> String {
        self.text(|edit| !matches!(edit, Edit::Add(_)))
    }

    pub fn new_text(&self) -> String {
        self.text(|edit| !matches!(edit, Edit::Remove(_)))
    }

    pub fn changes(&self) -> bool {
        self.edits.iter().any(|edit| !matches!(edit, Edit::Keep(_)))
    }

    /// Whether the old and the new text have lines at all: with none, a file is new or gone.
    pub fn has_both(&self) -> bool {
        !self.old().is_empty() && !self.new_text().is_empty()
    }

    /// The unified diff with so many lines of context.
    pub fn diff(&self, context: usize) -> String {
        let changed: Vec<usize> =
            (0..self.edits.len()).filter(|&at| !matches!(self.edits[at], Edit::Keep(_))).collect();
        let mut diff = String::from("--- a/x.c\n+++ b/x.c\n");
        for group in changed.chunk_by(|a, b| b - a <= 2 * context + 1) {
            let from = group[0].saturating_sub(context);
            let to = (group[group.len() - 1] + context + 1).min(self.edits.len());
            diff += &self.hunk(from, to);
        }
        diff
    }

    fn hunk(&self, from: usize, to: usize) -> String {
        let is_old = |edit: &&Edit| !matches!(edit, Edit::Add(_));
        let is_new = |edit: &&Edit| !matches!(edit, Edit::Remove(_));
        let range = |before: usize, count: usize| format!("{},{count}", if count == 0 { before } else { before + 1 });
        let count = |edits: &[Edit], is: &dyn Fn(&&Edit) -> bool| edits.iter().filter(is).count();
        let (before, within) = (&self.edits[..from], &self.edits[from..to]);
        let old = range(count(before, &is_old), count(within, &is_old));
        let new = range(count(before, &is_new), count(within, &is_new));
        let mut hunk = format!("@@ -{old} +{new} @@\n");
        let last = |is: &dyn Fn(&&Edit) -> bool| (0..self.edits.len()).rfind(|&at| is(&&self.edits[at]));
        for at in from..to {
            let (mark, line) = match &self.edits[at] {
                Edit::Keep(line) => (' ', line),
                Edit::Remove(line) => ('-', line),
                Edit::Add(line) => ('+', line),
            };
            hunk += &format!("{mark}{line}\n");
            let is_last = match mark {
                ' ' => last(&is_old) == Some(at) && last(&is_new) == Some(at),
                '-' => last(&is_old) == Some(at),
                _ => last(&is_new) == Some(at),
            };
            if !self.ends && is_last {
                hunk += "\\ No newline at end of file\n";
            }
        }
        hunk
    }

    /// Whether a diff can say it: without newline at the end, no text may end with an empty line, and both have to end
    /// with the same line, or differ there.
    pub fn can_be_said(&self) -> bool {
        let is_empty =
            |edit: &Edit| matches!(edit, Edit::Keep(line) | Edit::Remove(line) | Edit::Add(line) if line.is_empty());
        let last =
            |not: fn(&Edit) -> bool| self.edits.iter().rfind(|edit| !not(edit)).is_some_and(|edit| !is_empty(edit));
        let end = self.edits.iter().rposition(|edit| matches!(edit, Edit::Keep(_)));
        let behind = &self.edits[end.map_or(0, |end| end + 1)..];
        let has = |is: fn(&Edit) -> bool| behind.iter().any(is);
        let is_removed = |edit: &Edit| matches!(edit, Edit::Remove(_));
        let is_added = |edit: &Edit| matches!(edit, Edit::Add(_));
        self.ends || (last(is_added) && last(is_removed) && (end.is_none() || has(is_removed) == has(is_added)))
    }
}
