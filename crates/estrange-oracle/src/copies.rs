//! Copies of a function in its own text, each with edits: with marks, or wrong on purpose.
//!
//! In C a copy stands behind everything, under another name. In C++ it stands behind the function itself, so that it
//! belongs to the same class and sees the same names; a constructor's copy takes one more argument.

use std::ops::Range;

use estrange_clang::{Body, FunctionKind, Tree};
use estrange_words::Language;

use crate::edits::{Edit, copy_of, edited, lines};

/// A text with copies.
pub(crate) struct Copied {
    pub(crate) text: String,
    /// The lines of each copy, from 0.
    pub(crate) lines: Vec<Range<usize>>,
}

/// What must stand before copies with marks.
const IN_C: &str = "\nvoid estrange_mark(int);\nint estrange_branch(int, int);\n";
const IN_CPP: &str =
    "extern \"C\" { void estrange_mark(int); int estrange_branch(int, int); } template <int> struct estrange_tag {};\n";

/// What must not be said twice of a method, nor of what has another name.
const UNSAID: [&str; 3] = ["virtual", "override", "final"];

/// The name of a copy in C.
pub(crate) fn name_in_c(function: &str, number: usize) -> String {
    format!("{function}__copy_{number}")
}

/// The name of a copy in C++, which no other begins with.
pub(crate) fn name_in_cpp(number: usize) -> String {
    format!("estrange_c{number:03}c")
}

/// What a copy of a constructor takes before everything else.
pub(crate) fn tag(number: usize) -> String {
    format!("estrange_tag<{number}>()")
}

/// What the symbols of a copy have in their names.
pub(crate) fn symbol(kind: FunctionKind, language: Language, function: &str, number: usize) -> String {
    match (language, kind) {
        (Language::C, _) => name_in_c(function, number),
        (Language::Cpp, FunctionKind::Constructor) => format!("estrange_tagILi{number}EE"),
        (Language::Cpp, _) => name_in_cpp(number),
    }
}

/// The text with a copy for each of `all`; none if there can be none.
pub(crate) fn with_copies(tree: &Tree, text: &str, body: &Body, language: Language, all: &[&[Edit]]) -> Option<Copied> {
    match language {
        Language::C => {
            let name = &tree.thing(body.thing).name;
            let mut copied = Copied { text: format!("{text}{IN_C}"), lines: Vec::new() };
            let mut line = lines(&copied.text);
            for (number, edits) in all.iter().enumerate() {
                let copy = copy_of(text, body, name, &name_in_c(name, number), edits);
                let from = line;
                line += lines(&copy);
                copied.text.push_str(&copy);
                copied.lines.push(from..line);
            }
            Some(copied)
        }
        Language::Cpp => in_cpp(text, body, &tree.thing(body.thing).name, all),
    }
}

fn in_cpp(text: &str, body: &Body, name: &str, all: &[&[Edit]]) -> Option<Copied> {
    // Where a macro writes the name, something else stands in its place.
    let word = name.split(|character: char| !character.is_alphanumeric() && character != '_').next()?;
    let is_written = text.get(body.name as usize..).is_some_and(|rest| rest.starts_with(word));
    let renaming = Renaming::of(text, body).filter(|_| is_written)?;
    let declared = match body.declared {
        Some(declared) => {
            let semicolon = text.get(declared.end as usize..)?.find(';')?;
            Some((declared, declared.end + semicolon as u32 + 1))
        }
        None => None,
    };
    // The declarations come before the copies, where they are needed.
    let mut insertions: Vec<(u32, String)> = Vec::new();
    for number in 0..all.len() {
        if let Some((declared, end)) = declared {
            let edits = [renaming.edit(text, declared.name, number)?];
            let copy = edited(text, declared.start, declared.end, &edits);
            insertions.push((end, unsaid(&format!("{copy};"), renaming.kind)));
        }
    }
    if declared.is_some_and(|(_, end)| end > body.start) {
        return None;
    }
    let first_copy = insertions.len();
    for (number, edits) in all.iter().enumerate() {
        let mut edits = edits.to_vec();
        edits.push(renaming.edit(text, body.name, number)?);
        let copy = edited(text, body.start, body.end, &edits);
        let is_template = copy.trim_start().starts_with("template");
        let copy = if is_template { copy } else { format!("__attribute__((__used__, __noinline__)) {copy}") };
        insertions.push((body.end, unsaid(&copy, renaming.kind)));
    }
    let mut copied = Copied { text: IN_CPP.to_owned(), lines: Vec::new() };
    let mut at = 0;
    for (number, (place, insertion)) in insertions.into_iter().enumerate() {
        copied.text.push_str(text.get(at..place as usize)?);
        at = place as usize;
        let from = lines(&copied.text);
        copied.text.push_str(&insertion);
        if number >= first_copy {
            copied.lines.push(from..lines(&copied.text));
        }
    }
    copied.text.push_str(text.get(at..)?);
    Some(copied)
}

/// How a copy is told from the function.
struct Renaming {
    kind: FunctionKind,
}

impl Renaming {
    fn of(text: &str, body: &Body) -> Option<Self> {
        let is_possible = matches!(body.kind, FunctionKind::Free | FunctionKind::Method | FunctionKind::Constructor);
        let this = Self { kind: body.kind };
        let written = text.get(body.start as usize..body.end as usize)?;
        // A function with `if constexpr` is not copied: marks and edits could change what is compiled at all. A copy of a
        // `constexpr` function is an ordinary one.
        let is_plain = !written.contains("if constexpr") && !is_specialization(written);
        (is_possible && is_plain && this.edit(text, body.name, 0).is_some()).then_some(this)
    }

    /// The edit of a declaration whose name stands at a place.
    fn edit(&self, text: &str, name: u32, number: usize) -> Option<Edit> {
        let rest = text.get(name as usize..)?;
        let length = name_length(rest)?;
        let open = length + rest[length..].find(|character: char| !character.is_whitespace())?;
        if !rest[open..].starts_with('(') {
            return None;
        }
        if self.kind != FunctionKind::Constructor {
            return Some(Edit::new(name, name + length as u32, name_in_cpp(number)));
        }
        let inside = rest[open + 1..].trim_start();
        let separator = if inside.starts_with(')') { "" } else { ", " };
        let at = name + open as u32 + 1;
        Some(Edit::new(at, at, format!("estrange_tag<{number}>{separator}")))
    }
}

/// Whether a text begins with `template <>`.
fn is_specialization(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix("template").map(str::trim_start);
    rest.and_then(|rest| rest.strip_prefix('<')).is_some_and(|rest| rest.trim_start().starts_with('>'))
}

/// How long the name is that a text begins with.
fn name_length(rest: &str) -> Option<usize> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let word = rest.find(|character| !is_part(character)).filter(|length| *length > 0)?;
    if &rest[..word] != "operator" {
        return Some(word);
    }
    let sign = word + rest[word..].find(|character: char| !character.is_whitespace())?;
    if rest[sign..].starts_with('(') {
        return Some(sign + rest[sign..].find(')')? + 1);
    }
    Some(sign + rest[sign..].find('(')?)
}

/// A declaration in which nothing is said that holds for the function alone.
fn unsaid(copy: &str, kind: FunctionKind) -> String {
    let mut text = String::from("\n");
    for word in UNSAID {
        text.push_str(&format!("#define {word}\n"));
    }
    let constant = if kind == FunctionKind::Constructor { "" } else { " const" };
    text.push_str(&format!("#define constexpr{constant}\n{copy}\n#undef constexpr\n"));
    for word in UNSAID {
        text.push_str(&format!("#undef {word}\n"));
    }
    text
}
