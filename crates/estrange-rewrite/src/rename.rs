//! A text with new names.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use estrange_text::comments::{strip, strip_with};
use estrange_text::piece::{Piece, joined};
use estrange_text::rename_map;
use serde::{Deserialize, Serialize};

use crate::bind::{Bound, Composed, Symbol, What};
use crate::layout::layout;
use crate::naming::{Naming, Taken};
use crate::refusal::Refusal;

/// What something was called, and is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NewName {
    /// Its old name.
    pub old: String,
    /// Its new one.
    pub new: String,
    /// What it is.
    pub what: What,
}

/// A text with new names and without comments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Renamed {
    /// The whole text.
    pub text: String,
    /// Where the function stands in it.
    pub function: Range<usize>,
    /// All new names, in the order in which they were given.
    pub names: Vec<NewName>,
    /// What is written besides the text, in the same names.
    pub besides: Vec<String>,
}

impl Renamed {
    /// The function's text.
    pub fn function_text(&self) -> &str {
        &self.text[self.function.clone()]
    }

    /// The same in the one layout.
    pub fn laid_out(self) -> Self {
        let (text, function) = layout(&self.text, self.function);
        Self { text, function, ..self }
    }

    /// The old names with their new ones, for people and programs. A name that several kinds of things had stands
    /// there by itself for the first of them, and behind a word for each of the others: `struct node`.
    pub fn map(&self) -> BTreeMap<String, String> {
        let mut map = BTreeMap::new();
        for name in &self.names {
            let key = if map.contains_key(&name.old) {
                rename_map::key(word(name.what), &name.old)
            } else {
                name.old.clone()
            };
            map.insert(key, name.new.clone());
        }
        map
    }
}

impl Bound<'_> {
    /// Gives every name of the project a new one, and leaves out the comments; `function` is where the function stands.
    ///
    /// # Errors
    /// When there is no new name for one.
    pub fn rename(&self, function: Range<usize>, naming: &mut dyn Naming) -> Result<Renamed, Refusal> {
        self.rename_with(function, &[], naming)
    }

    /// The same, with what is written besides.
    ///
    /// # Errors
    /// When there is no new name for one.
    pub fn rename_with(
        &self,
        function: Range<usize>,
        besides: &[Vec<Piece>],
        naming: &mut dyn Naming,
    ) -> Result<Renamed, Refusal> {
        let names = self.new_names(&function, naming)?;
        let part = |range: Range<usize>| strip(&self.written(range, &names));
        let before = part(0..function.start);
        let own = part(function.clone());
        let after = part(function.end..self.text.len());
        let start = before.len();
        let besides = besides.iter().map(|pieces| {
            let pieces = pieces.iter().map(|piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Own(range) => self.written(range.clone(), &names),
            });
            pieces.collect()
        });
        let besides = besides.collect();
        // What the preprocessor puts together need not stand in the text.
        let mut seen = HashSet::new();
        let composed = self.composed.iter().map(|(whole, _)| *whole);
        let all = self.order(&function).chain(composed).filter(|number| seen.insert(*number));
        let names = all.map(|number| {
            let Symbol { name, what } = &self.symbols[number];
            NewName { old: name.clone(), new: names[number].clone(), what: *what }
        });
        Ok(Renamed {
            function: start..start + own.len(),
            names: names.collect(),
            text: before + &own + &after,
            besides,
        })
    }

    /// The text as it is, without comments: what a renamed one is compared with.
    pub fn plain(&self, function: Range<usize>, besides: &[Vec<Piece>]) -> Renamed {
        let (text, function, _) = without_comments(self.text, function, &[]);
        let besides = besides.iter().map(|pieces| joined(self.text, pieces));
        Renamed { function, names: Vec::new(), text, besides: besides.collect() }
    }

    /// The symbols in the order of their first use: by the function first.
    fn order(&self, function: &Range<usize>) -> impl Iterator<Item = usize> {
        let own = |start: u32| function.contains(&(start as usize));
        let inside = self.tokens.iter().filter(move |(start, ..)| own(*start));
        let mut seen = HashSet::new();
        inside.chain(&self.tokens).map(|(.., symbol)| *symbol).filter(move |symbol| seen.insert(*symbol))
    }

    fn new_names(&self, function: &Range<usize>, naming: &mut dyn Naming) -> Result<Vec<String>, Refusal> {
        let mut names = vec![String::new(); self.symbols.len()];
        let mut taken = Taken { old: &self.old, new: HashSet::new(), is_standard: self.is_standard };
        let composed: HashSet<usize> = self.composed.iter().map(|(whole, _)| *whole).collect();
        let parts = self.composed.iter().flat_map(|(_, parts)| parts).filter_map(|part| match part {
            Composed::Symbol(number) => Some(*number),
            Composed::Text(_) => None,
        });
        let mut order: Vec<usize> = self.order(function).chain(parts).collect();
        let mut seen = HashSet::new();
        order.retain(|number| !composed.contains(number) && seen.insert(*number));
        for number in order {
            let symbol = &self.symbols[number];
            let name = naming.name(symbol, &taken).ok_or_else(|| Refusal::NoName(symbol.name.clone()))?;
            taken.new.insert(name.clone());
            names[number] = name;
        }
        for (whole, parts) in &self.composed {
            let parts = parts.iter().map(|part| match part {
                Composed::Symbol(number) => names[*number].as_str(),
                Composed::Text(text) => text,
            });
            let name: String = parts.collect();
            if taken.contains(&name) {
                return Err(Refusal::NoName(self.symbols[*whole].name.clone()));
            }
            taken.new.insert(name.clone());
            names[*whole] = name;
        }
        Ok(names)
    }

    /// A part of the text with new names.
    fn written(&self, range: Range<usize>, names: &[String]) -> String {
        let mut written = String::with_capacity(range.len());
        let mut from = range.start;
        for (start, end, symbol) in &self.tokens {
            let (start, end) = (*start as usize, *end as usize);
            if start < from || end > range.end {
                continue;
            }
            written.push_str(&self.text[from..start]);
            written.push_str(&names[*symbol]);
            from = end;
        }
        written.push_str(&self.text[from..range.end]);
        written
    }
}

/// A text without comments, and where a function and other parts stand in it.
pub(crate) fn without_comments(
    text: &str,
    function: Range<usize>,
    parts: &[Range<usize>],
) -> (String, Range<usize>, Vec<Range<usize>>) {
    let offsets: Vec<usize> = parts.iter().flat_map(|part| [part.start, part.end]).collect();
    let mut moved = offsets.clone();
    let mut written = String::with_capacity(text.len());
    let mut borders = Vec::new();
    // The function is taken by itself, so that a comment before it has no say in how it begins.
    for range in [0..function.start, function.clone(), function.end..text.len()] {
        let mut marks: Vec<usize> = offsets.iter().map(|at| at.saturating_sub(range.start).min(range.len())).collect();
        let stripped = strip_with(&text[range.clone()], &mut marks);
        for ((offset, moved), mark) in offsets.iter().zip(&mut moved).zip(marks) {
            if range.start <= *offset && *offset <= range.end {
                *moved = written.len() + mark;
            }
        }
        written.push_str(&stripped);
        borders.push(written.len());
    }
    let parts = moved.chunks(2).map(|ends| ends[0]..ends[1]).collect();
    (written, borders[0]..borders[1], parts)
}

/// A text with its old names again: `text` is one that [`Bound::rename`] gave, or a part of it, `names` its new names.
pub fn back(text: &str, names: &[NewName]) -> String {
    let old: BTreeMap<&str, &str> = names.iter().map(|name| (name.new.as_str(), name.old.as_str())).collect();
    let mut written = String::with_capacity(text.len());
    let mut from = 0;
    for occurrence in crate::occurrence::occurrences(text) {
        if let Some(old) = old.get(occurrence.token.text(text)) {
            written.push_str(&text[from..occurrence.token.start as usize]);
            written.push_str(old);
            from = occurrence.token.end as usize;
        }
    }
    written.push_str(&text[from..]);
    written
}

fn word(what: What) -> &'static str {
    use estrange_clang::Role;
    match what {
        What::Macro => "macro",
        What::MacroParameter => "macro-parameter",
        What::Part => "part",
        What::Thing(Role::Function) => rename_map::FUNCTION,
        What::Thing(Role::Variable) => rename_map::VARIABLE,
        What::Thing(Role::Field) => "field",
        What::Thing(Role::Struct) => rename_map::STRUCT,
        What::Thing(Role::Union) => rename_map::UNION,
        What::Thing(Role::Class) => rename_map::CLASS,
        What::Thing(Role::Enumeration) => rename_map::ENUM,
        What::Thing(Role::Enumerator) => "enumerator",
        What::Thing(Role::Alias) => rename_map::TYPEDEF,
        What::Thing(Role::Label) => "label",
        What::Thing(Role::Namespace) => rename_map::NAMESPACE,
        What::Thing(Role::TemplateParameter) => "template-parameter",
    }
}
