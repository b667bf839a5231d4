//! Whether two assembly texts are the same code, up to the names that a renaming changes.
//!
//! Texts that are equal but for symbols give objects whose sections and relocations are equal, so no assembler is
//! asked. What is compared is every line and every byte, in order:
//!
//! - **Symbols** correspond one to one over the whole text. Those of different names must differ in identifiers that the
//!   renaming allows, and one that belongs to a standard library and is not defined here keeps its name.
//! - **Constants** that the compiler made up are compared by what they hold where they are used: how they are numbered
//!   and in which order they are written depends on which of them are equal.
//! - **Names in data**, such as those that `__func__`, `assert` and `typeid` leave there, may change as the renaming says;
//!   each such change is named. With it the length, the alignment and the section of that datum change, nothing else.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::listing::{Constant, Datum, Item, Listing, View, first_word, is_symbol_byte, is_text, unquoted};
use crate::operands::{Operands, Token, is_symbol};
use crate::pieces::{Piece, pieces};
use crate::renames::{Renamed, Renames};

/// How the code of a renamed unit stands to that of the unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Identical {
    /// The same, up to the names of symbols.
    Identical,
    /// The same but for names in its data, each of which the renaming explains.
    Explained(Vec<Explanation>),
    /// It differs.
    Different {
        /// The first line of the old code that does; empty where that has ended.
        old: String,
        /// The line of the new code in its place.
        new: String,
    },
    /// Neither defines a function or a datum of its own, so that nothing is shown.
    NoCode,
}

/// A name in the data that changed as the renaming says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Explanation {
    /// What the name is a part of.
    pub what: NameIn,
    /// The identifier.
    pub old: String,
    /// Its new name.
    pub new: String,
}

/// What a name in the data is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameIn {
    /// The name of a function in itself: `__func__`, `__PRETTY_FUNCTION__`.
    FunctionName,
    /// The name of a type of C++, for `typeid` and exceptions.
    TypeName,
    /// A text, such as one that the preprocessor made of its argument (`#x`, `assert`).
    Text,
}

impl Identical {
    /// Whether the code is the same, as it stands or by names that were explained.
    pub fn holds(&self) -> bool {
        matches!(self, Identical::Identical | Identical::Explained(_))
    }
}

/// Compares what one compiler, at one level, made of a unit and of the same unit with new names.
///
/// `standard` says of a symbol, as the linker knows it, whether a standard library has it.
///
/// Whether a name in a text came from an identifier or was written there is not to be seen here;
/// [`crate::identical_code()`] looks at the units for that.
pub fn identical(old: &str, new: &str, renames: &Renames, standard: &dyn Fn(&str) -> bool) -> Identical {
    compare(&Listing::parse(old).whole(), &Listing::parse(new).whole(), renames, standard)
}

/// [`identical()`] for texts that were read before.
pub(crate) fn compare<'a>(
    old: &'a View<'a>,
    new: &'a View<'a>,
    renames: &'a Renames,
    standard: &'a dyn Fn(&str) -> bool,
) -> Identical {
    let mut comparison = Comparison {
        old,
        new,
        renames,
        standard,
        forward: HashMap::new(),
        backward: HashMap::new(),
        sections: HashMap::new(),
        constants: HashMap::new(),
        explanations: BTreeSet::new(),
        resized: HashSet::new(),
        contents: None,
        depth: 0,
    };
    if let Err((old, new)) = comparison.all() {
        return Identical::Different { old, new };
    }
    if !comparison.has_code() {
        return Identical::NoCode;
    }
    match comparison.explanations.len() {
        0 => Identical::Identical,
        _ => Identical::Explained(comparison.explanations.into_iter().collect()),
    }
}

/// How two data stand to each other that are not different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Same,
    Explained,
}

struct Comparison<'a> {
    old: &'a View<'a>,
    new: &'a View<'a>,
    renames: &'a Renames,
    standard: &'a dyn Fn(&str) -> bool,
    /// The symbols that correspond, in both directions.
    forward: HashMap<&'a str, &'a str>,
    backward: HashMap<&'a str, &'a str>,
    /// The sections that were compared.
    sections: HashMap<(usize, usize), bool>,
    /// The constants that were compared, or are being.
    constants: HashMap<(&'a str, &'a str), Option<Content>>,
    explanations: BTreeSet<Explanation>,
    /// Data that hold a new name, so that their sizes may differ.
    resized: HashSet<&'a str>,
    /// What the constants hold that differ.
    contents: Option<(String, String)>,
    depth: usize,
}

/// How deep constants within constants are followed.
const DEEPEST: usize = 64;

impl<'a> Comparison<'a> {
    /// Compares everything; the first lines that differ.
    fn all(&mut self) -> Result<(), (String, String)> {
        let (old, new) = (self.old, self.new);
        for (&ours, &theirs) in old.items.iter().zip(&new.items) {
            if !self.item(ours, theirs) {
                let (mut first, mut second) = (shown(old.listing, Some(ours)), shown(new.listing, Some(theirs)));
                if let Some((content, other)) = self.contents.take() {
                    first = format!("{first} # {content}");
                    second = format!("{second} # {other}");
                }
                return Err((first, second));
            }
        }
        let common = old.items.len().min(new.items.len());
        if old.items.len() != new.items.len() {
            return Err((
                shown(old.listing, old.items.get(common).copied()),
                shown(new.listing, new.items.get(common).copied()),
            ));
        }
        self.sizes()
    }

    /// Compares the sizes of data.
    fn sizes(&self) -> Result<(), (String, String)> {
        let show = |symbol: &str, size: Option<&&str>| size.map(|size| format!(".size\t{symbol}, {size}"));
        let mut symbols: Vec<&&str> = self.old.sizes.keys().collect();
        symbols.sort_unstable();
        for symbol in symbols {
            let other = self.forward.get(symbol).unwrap_or(symbol);
            let (size, its) = (self.old.sizes.get(symbol), self.new.sizes.get(other));
            if size != its && !(self.resized.contains(symbol) && its.is_some()) {
                return Err((show(symbol, size).unwrap_or_default(), show(other, its).unwrap_or_default()));
            }
        }
        let mut others: Vec<&&str> = self.new.sizes.keys().collect();
        others.sort_unstable();
        let is_new = |other: &&&&str| !self.old.sizes.contains_key(self.backward.get(**other).unwrap_or(*other));
        match others.iter().find(is_new) {
            Some(other) => Err((String::new(), show(other, self.new.sizes.get(**other)).unwrap_or_default())),
            None => Ok(()),
        }
    }

    /// Whether something is defined that is the unit's own, rather than its headers'.
    fn has_code(&self) -> bool {
        let is_own = |symbol: &&str| {
            let is_kept = self.forward.get(symbol).is_none_or(|other| other == symbol);
            let is_of_headers = is_kept && is_reserved(symbol);
            !is_of_headers && !symbol.starts_with(".L")
        };
        self.old.items.iter().filter_map(|item| item.defines()).any(|symbol| is_own(&symbol))
    }

    fn item(&mut self, old: &'a Item<'a>, new: &'a Item<'a>) -> bool {
        match (old, new) {
            (Item::Line { text, section }, Item::Line { text: other, section: its }) => {
                let same = match (section, its) {
                    (Some(section), Some(its)) => self.same_section(*section, *its),
                    (None, None) => true,
                    _ => false,
                };
                same && self.line(text, other)
            }
            (Item::Datum(datum), Item::Datum(other)) => self.datum(datum, other),
            _ => false,
        }
    }

    fn datum(&mut self, old: &'a Datum<'a>, new: &'a Datum<'a>) -> bool {
        let same_label = match (old.label, new.label) {
            (Some(label), Some(other)) => self.symbol(label, other),
            (None, None) => true,
            _ => false,
        };
        if !same_label {
            return false;
        }
        match self.content(old, new) {
            None => false,
            Some(Content::Same) => old.alignment == new.alignment && self.same_section(old.section, new.section),
            Some(Content::Explained) => {
                self.resized.extend(old.label);
                self.like_section(old.section, new.section)
            }
        }
    }

    /// Compares a line that is no datum.
    fn line(&mut self, old: &'a str, new: &'a str) -> bool {
        if let (Some(label), Some(other)) = (old.strip_suffix(':'), new.strip_suffix(':'))
            && (is_symbol(label) || label.starts_with('"'))
        {
            return self.symbol(unquoted(label), unquoted(other));
        }
        let (mut old, mut new) = (old, new);
        loop {
            let ((word, rest), (other, its)) = (first_word(old), first_word(new));
            if word != other {
                return false;
            }
            (old, new) = (rest, its);
            if !PREFIXES.contains(&word) {
                return if is_text(word) { old == new } else { self.operands(old, new) };
            }
        }
    }

    /// Compares what stands behind an instruction or a directive.
    fn operands(&mut self, old: &'a str, new: &'a str) -> bool {
        // Numbers only, as in long tables.
        if old == new && !old.bytes().any(|byte| is_symbol_byte(byte) && !byte.is_ascii_digit() || byte == b'"') {
            return true;
        }
        let (mut old, mut new) = (Operands::of(old), Operands::of(new));
        loop {
            match (old.next(), new.next()) {
                (None, None) => return true,
                (Some(Token::Other(byte)), Some(Token::Other(other))) if byte == other => {}
                (Some(Token::Plain(word)), Some(Token::Plain(other))) if word == other => {}
                (Some(Token::Symbol(symbol)), Some(Token::Symbol(other))) => {
                    let has_offset = old.rest().starts_with(['+', '-']);
                    if !self.symbol_or_constant(symbol, other, has_offset) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }

    fn symbol_or_constant(&mut self, old: &'a str, new: &'a str, has_offset: bool) -> bool {
        match (self.old.listing.constants.get(old), self.new.listing.constants.get(new)) {
            (None, None) => self.symbol(old, new),
            (Some(_), Some(_)) => match self.constant(old, new) {
                Some(Content::Same) => true,
                // Where it points to is no longer the same.
                Some(Content::Explained) => !has_offset,
                None => false,
            },
            _ => false,
        }
    }

    /// Compares two constants that the compiler made up.
    fn constant(&mut self, old: &'a str, new: &'a str) -> Option<Content> {
        if let Some(known) = self.constants.get(&(old, new)) {
            return *known;
        }
        if self.depth == DEEPEST {
            return None;
        }
        // One that points to itself is what it is if the rest is.
        self.constants.insert((old, new), Some(Content::Same));
        self.depth += 1;
        let found = match (self.old.listing.constants.get(old)?, self.new.listing.constants.get(new)?) {
            (Constant::Whole(ours), Constant::Whole(theirs)) => {
                let content = self.content(ours, theirs);
                if content.is_none() {
                    let show = |listing: &Listing<'_>, datum| listing.lines(datum).join("; ").replace('\t', " ");
                    self.contents.get_or_insert_with(|| (show(self.old.listing, ours), show(self.new.listing, theirs)));
                }
                content.filter(|content| match content {
                    _ if self.both_merged(ours.section, theirs.section) => {
                        *content == Content::Explained || ours.alignment == theirs.alignment
                    }
                    Content::Same => {
                        ours.alignment == theirs.alignment && self.same_section(ours.section, theirs.section)
                    }
                    Content::Explained => self.like_section(ours.section, theirs.section),
                })
            }
            (Constant::Part(value), Constant::Part(other)) => self.operands(value, other).then_some(Content::Same),
            _ => None,
        };
        self.depth -= 1;
        self.constants.insert((old, new), found);
        found
    }

    /// Compares two symbols; those that the listings define are known by then.
    fn symbol(&mut self, old: &'a str, new: &'a str) -> bool {
        if let Some(known) = self.forward.get(old) {
            return *known == new;
        }
        if self.backward.contains_key(new) || !self.corresponds(old, new) {
            return false;
        }
        self.forward.insert(old, new);
        self.backward.insert(new, old);
        true
    }

    /// Whether these may be the same symbol.
    fn corresponds(&self, old: &str, new: &str) -> bool {
        let is_defined = self.old.listing.defined.contains(old);
        if is_defined != self.new.listing.defined.contains(new) {
            return false;
        }
        if old == new {
            return true;
        }
        if let (Some(label), Some(other)) = (old.strip_prefix(".L"), new.strip_prefix(".L")) {
            return without_digits(label).eq(without_digits(other))
                || self.renames.same_name(without_number(label), without_number(other));
        }
        if !is_defined {
            return !(self.standard)(old) && !(self.standard)(new) && self.renames.same_name(old, new);
        }
        if self.old.listing.global.contains(old) || self.new.listing.global.contains(new) {
            return self.renames.same_name(old, new);
        }
        // What no other file knows is numbered where names are the same, and may be named after another symbol.
        let is_start = |symbol: &str| symbol.starts_with("_GLOBAL__sub_I_") || symbol.starts_with("_GLOBAL__sub_D_");
        (is_start(old) && is_start(new)) || self.renames.same_name(without_number(old), without_number(new))
    }

    fn same_section(&mut self, old: usize, new: usize) -> bool {
        if let Some(known) = self.sections.get(&(old, new)) {
            return *known;
        }
        let same = self.section(self.old.listing.section(old), self.new.listing.section(new), without_its_number);
        self.sections.insert((old, new), same);
        same
    }

    /// Whether both are sections whose equal constants the linker merges, with constants of one kind. Such a section is named
    /// after the function that is the first to use one of them: which that is depends on which constants are equal, and so on
    /// names that `assert` and the like leave in texts. As they do, constants and labels of cold code are numbered otherwise.
    fn both_merged(&self, old: usize, new: usize) -> bool {
        let parts =
            |section: &'a str| section.split_once(',').filter(|(name, _)| unquoted(name).starts_with(".rodata"));
        let (ours, theirs) = (parts(self.old.listing.section(old)), parts(self.new.listing.section(new)));
        let flags = ours.zip(theirs).filter(|((_, ours), (_, theirs))| ours == theirs).map(|((_, flags), _)| flags);
        flags.and_then(|flags| flags.split('"').nth(1)).is_some_and(|flags| flags.contains('M') && !flags.contains('G'))
    }

    /// Whether two sections are the same but for the alignment of the texts in them.
    fn like_section(&mut self, old: usize, new: usize) -> bool {
        self.section(self.old.listing.section(old), self.new.listing.section(new), without_alignment)
    }

    fn section(&mut self, old: &'a str, new: &'a str, part: impl Fn(&str) -> &str) -> bool {
        let (name, rest) = old.split_once(',').unwrap_or((old, ""));
        let (other, its) = new.split_once(',').unwrap_or((new, ""));
        if !self.renames.same_name(part(unquoted(name)), part(unquoted(other))) {
            return false;
        }
        let mut others = its.split(',');
        let same = rest.split(',').all(|word| {
            let Some(other) = others.next() else { return false };
            // The group that it belongs to has the name of a symbol.
            word == other || (is_symbol(word) && is_symbol(other) && self.symbol(word, other))
        });
        same && others.next().is_none()
    }

    /// Compares what two data hold.
    fn content(&mut self, old: &'a Datum<'a>, new: &'a Datum<'a>) -> Option<Content> {
        let (lines, others) = (self.old.listing.lines(old), self.new.listing.lines(new));
        let has_text = |lines: &[&str]| lines.iter().any(|line| is_text(first_word(line).0));
        if lines == others || !(has_text(lines) || has_text(others)) {
            let same = lines.len() == others.len() && lines.iter().zip(others).all(|(a, b)| self.line(a, b));
            return same.then_some(Content::Same);
        }
        let (pieces, others) = (pieces(lines), pieces(others));
        if pieces.len() != others.len() {
            return None;
        }
        let what = old.label.map_or(NameIn::Text, name_in);
        let mut content = Content::Same;
        // How long the text before was, and is.
        let mut changed = None;
        for (piece, other) in pieces.iter().zip(&others) {
            let mut changes = None;
            match (piece, other) {
                (Piece::Text(text), Piece::Text(other)) if text == other => {}
                (Piece::Text(text), Piece::Text(other)) => {
                    for (old, new) in self.explained(what, text, other)? {
                        self.explanations.insert(Explanation { what, old, new });
                    }
                    content = Content::Explained;
                    changes = Some((text.len(), other.len()));
                }
                (Piece::Zeros(count), Piece::Zeros(other)) if count == other => {}
                (Piece::Zeros(count), Piece::Zeros(other)) => {
                    let (before, now) = changed?;
                    // The field is as long as it was.
                    if before + count != now + other {
                        return None;
                    }
                }
                (Piece::Line(line), Piece::Line(other)) if self.line(line, other) => {}
                _ => return None,
            }
            changed = changes;
        }
        Some(content)
    }

    /// The identifiers by which two texts differ, if they differ in nothing else.
    fn explained(&self, what: NameIn, old: &[u8], new: &[u8]) -> Option<Vec<Renamed>> {
        let (old, new) = (str::from_utf8(old).ok()?, str::from_utf8(new).ok()?);
        if what == NameIn::TypeName {
            let mut pairs = Vec::new();
            return self.renames.encoded(old, new, &mut pairs).then_some(pairs);
        }
        self.renames.in_text(old, new)
    }
}

/// An item as a line.
fn shown(listing: &Listing<'_>, item: Option<&Item<'_>>) -> String {
    match item {
        None => String::new(),
        Some(Item::Line { text, .. }) => (*text).to_owned(),
        Some(Item::Datum(datum)) => {
            let lines = listing.lines(datum).iter().map(|line| line.replace('\t', " ")).collect::<Vec<_>>().join("; ");
            let mut shown = format!("{}: {lines}", datum.label.unwrap_or_default());
            if let Some((end, _)) = shown.char_indices().nth(LONGEST) {
                shown.truncate(end);
            }
            shown
        }
    }
}

/// So much of a datum is shown.
const LONGEST: usize = 300;

/// What stands before an instruction, as a word of its own.
const PREFIXES: &[&str] =
    &["rep", "repe", "repne", "repz", "repnz", "lock", "notrack", "bnd", "data16", "rex64", "xacquire", "xrelease"];

/// What a datum with this label says.
fn name_in(label: &str) -> NameIn {
    let is_function_name = |label: &str| {
        ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"].iter().any(|name| {
            // In C++ by gcc, it is a variable inside of the function.
            label.starts_with(name) || (label.starts_with("_ZZ") && label.ends_with(name))
        })
    };
    match label {
        _ if label.starts_with("_ZTS") => NameIn::TypeName,
        _ if is_function_name(label.strip_prefix(".L").unwrap_or(label)) => NameIn::FunctionName,
        _ => NameIn::Text,
    }
}

/// Whether a symbol is of the headers rather than of the unit, by its name: one that is reserved, or in `std`.
pub(crate) fn is_reserved(symbol: &str) -> bool {
    let Some(rest) = symbol.strip_prefix('_') else { return false };
    let Some(encoded) = rest.strip_prefix('Z') else {
        return rest.starts_with(|first: char| first == '_' || first.is_ascii_uppercase());
    };
    let scope = encoded.trim_start_matches(['N', 'K', 'Z', 'L', 'T', 'V', 'G', 'I']);
    ["S", "9__gnu_cxx", "10__cxxabiv1"].iter().any(|name| scope.starts_with(name))
}

/// The name of a section, without the alignment if it is one for texts, and without the number of its symbol.
fn without_alignment(section: &str) -> &str {
    match section.rsplit_once(".str1.") {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => without_number(section),
    }
}

/// The name of a section that is named after a symbol, without the number behind that.
fn without_its_number(section: &str) -> &str {
    if without_alignment(section).len() < without_number(section).len() { section } else { without_number(section) }
}

/// A symbol without the number behind it.
fn without_number(symbol: &str) -> &str {
    match symbol.rsplit_once('.') {
        Some((name, number)) if !name.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => symbol,
    }
}

fn without_digits(label: &str) -> impl Iterator<Item = u8> {
    label.bytes().filter(|byte| !byte.is_ascii_digit())
}
