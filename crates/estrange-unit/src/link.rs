//! The linked unit: a function with the definitions of all it reaches, across the translation units of its project,
//! so that it can be executed.
//!
//! Each translation unit that contributes is a *section* of the text: what is needed of it, in its own order. The
//! sections follow each other, the function's own last. What two of them share (a header's declarations, by file, line
//! and text) is written by the first. Macros are defined just before what needs them and undefined where a name must
//! not be one, so that each chunk sees the macros that it saw at home. Names that only one file can see, and that mean
//! different things in two of them, are renamed in the later one.
//!
//! Nothing here starts a process or calls the parser; whether the text compiles is for the caller to check.

mod helpers;
mod index;
mod names;
mod sheet;
mod walk;
mod write;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::rc::Rc;

use estrange_clang::Reading;
use estrange_words::{Language, Reason};
use serde::{Deserialize, Serialize};

use crate::flat::Flat;
use index::Index;
use sheet::{Sheet, Sheets};
use walk::Walk;

/// One translation unit of a project.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    /// Its text.
    pub flat: &'a Flat,
    /// What the parser read in it.
    pub reading: &'a Reading,
    /// Its language.
    pub language: Language,
}

/// How large a linked unit may be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// In lines.
    pub lines: usize,
    /// The largest share of its text, from zero to one, that variables and their values may have.
    pub data_share: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { lines: 5_000, data_share: 0.9 }
    }
}

/// A function with all that it needs to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linked {
    /// The text.
    pub text: String,
    /// Where the function stands in it, in bytes.
    pub function: Range<usize>,
    /// All functions that it defines, in their order.
    pub functions: Vec<LinkedFunction>,
    /// The standard headers it includes.
    pub includes: Vec<String>,
    /// The translation units that contribute, as numbers of members; the function's own comes first.
    pub units: Vec<u32>,
}

/// A function that a linked unit defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedFunction {
    /// The same in every file. Functions that only their own file sees may share it.
    pub usr: String,
    /// The file that it comes from.
    pub file: String,
    /// The line on which it begins there.
    pub line: u32,
    /// Where it stands in the text, in bytes.
    pub range: Range<usize>,
}

/// What a compiler missed in a linked unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Missed {
    /// Names in the source that it does not know: all that has one of them is wanted.
    pub names: Vec<String>,
    /// Symbols that its object code refers to and does not define.
    pub symbols: Vec<String>,
}

/// A function of the project that another one reaches by calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HelperText {
    /// Its name, with namespaces and classes.
    pub name: String,
    /// The same in every file.
    pub usr: String,
    /// The number of calls to get there: one if it is called directly.
    pub depth: u32,
    /// Its text, tidied.
    pub text: String,
}

/// Why a function cannot be linked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum LinkLoss {
    /// Something it reaches is declared and nowhere defined.
    #[error("`{0}` is defined nowhere in the project")]
    DefinitionNotFound(String),
    /// Something it reaches is only defined in a file of another language.
    #[error("`{0}` is defined in another language")]
    OtherLanguage(String),
    /// It would have too many lines.
    #[error("with all it reaches it has more than {0} lines")]
    TooManyLines(usize),
    /// It would be mostly data.
    #[error("{0}% of the text it reaches is data")]
    TooMuchData(u32),
    /// Two files give one name different meanings, and neither can be renamed.
    #[error("`{0}` means different things in two files")]
    StaticCollision(String),
    /// There is no such function.
    #[error("there is no function definition with this number")]
    NoFunction,
}

impl LinkLoss {
    /// What is defined nowhere, if that is why.
    pub fn missing(&self) -> Option<&str> {
        match self {
            LinkLoss::DefinitionNotFound(name) => Some(name),
            _ => None,
        }
    }

    /// The typed reason.
    pub fn reason(&self) -> Reason {
        match self {
            LinkLoss::DefinitionNotFound(_) => Reason::DefinitionNotFound,
            LinkLoss::OtherLanguage(_) => Reason::DefinitionInOtherLanguage,
            LinkLoss::TooManyLines(_) => Reason::TooManyLines,
            LinkLoss::TooMuchData(_) => Reason::TooMuchData,
            LinkLoss::StaticCollision(_) => Reason::StaticCollision,
            LinkLoss::NoFunction => Reason::NoFunction,
        }
    }
}

/// The translation units of one project.
pub struct Program<'a> {
    members: Vec<Member<'a>>,
    index: Index<'a>,
    sheets: Sheets<'a>,
}

impl<'a> Program<'a> {
    /// Indexes what the translation units define. Where several define the same, the one nearest to its user is
    /// taken, then the one that is given first.
    pub fn new(members: Vec<Member<'a>>) -> Self {
        let index = Index::of(&members);
        let sheets = Sheets::new();
        Self { members, index, sheets }
    }

    /// The function `function`, an index of the declarations of member `unit`, with all that it needs to run.
    ///
    /// # Errors
    /// When it reaches too much, or something that the project does not define.
    pub fn linked(&self, unit: usize, function: u32, bounds: Bounds) -> Result<Linked, LinkLoss> {
        self.linked_with(unit, function, bounds, &Missed::default())
    }

    /// As [`Program::linked`], with what a compiler missed in the text without it.
    ///
    /// # Errors
    /// As [`Program::linked`].
    pub fn linked_with(&self, unit: usize, function: u32, bounds: Bounds, missed: &Missed) -> Result<Linked, LinkLoss> {
        let mut walk = Walk::new(self, bounds);
        walk.start(unit as u32, function)?;
        walk.names(&missed.names)?;
        walk.symbols(&missed.symbols)?;
        let sections = walk.finish()?;
        let renames = names::renames(&sections, function)?;
        let linked = write::write(&sections, &renames, function, self.members[unit].language);
        let lines = linked.text.lines().count();
        if lines > bounds.lines {
            return Err(LinkLoss::TooManyLines(bounds.lines));
        }
        Ok(linked)
    }

    /// The functions of the project that `function` reaches by at most `depth` calls, nearest first, as long as they
    /// have at most `lines` lines together.
    pub fn helpers(&self, unit: usize, function: u32, depth: u32, lines: usize) -> Vec<HelperText> {
        helpers::helpers(self, unit as u32, function, depth, lines)
    }

    fn sheet(&self, unit: u32) -> Rc<Sheet<'a>> {
        self.sheets.get(unit, &self.members[unit as usize])
    }
}
