//! What `estrange sources` found: the document that `--json` prints, and that the text is made from.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use estrange_project::SourceFile;
use estrange_project::files::{Kind, Skip};
use estrange_project::flags::{Attempt, FlagOrigin};
use estrange_project::licence::Class;
use estrange_project::role::Role;
use estrange_source::{Fetched, Loss};
use estrange_words::{Hint, Language, Reason};
use serde::Serialize;

/// The version of the document's shape.
pub const FORMAT: u32 = 2;

/// The whole document.
#[derive(Debug, Serialize)]
pub struct SourcesJson {
    /// In the order in which they were named.
    pub sources: Vec<Source>,
}

/// One source.
#[derive(Debug, Serialize)]
pub struct Source {
    /// As it was named.
    pub source: String,
    /// Why it could not be had or surveyed.
    pub lost: Option<Lost>,
    /// Version, digests, patches, and what was left out.
    pub fetched: Option<Fetched>,
    /// Where its tree is.
    pub root: Option<PathBuf>,
    pub survey: Option<Survey>,
}

/// Why a source was lost.
#[derive(Debug, Serialize)]
pub struct Lost {
    pub reason: Reason,
    pub detail: String,
    pub hint: Option<String>,
}

impl From<&Loss> for Lost {
    fn from(loss: &Loss) -> Self {
        Self { reason: loss.reason(), detail: loss.to_string(), hint: loss.hint().map(Cow::into_owned) }
    }
}

/// What is in a tree.
#[derive(Debug, Serialize)]
pub struct Survey {
    /// C and C++ files, headers included.
    pub files: usize,
    pub languages: BTreeMap<Language, usize>,
    pub kinds: BTreeMap<Kind, usize>,
    pub roles: BTreeMap<Role, usize>,
    /// Files by the class of their licence.
    pub licence_classes: BTreeMap<Class, usize>,
    /// Files by licence, within each class; a file whose licence is not known is not here.
    pub licences: BTreeMap<Class, BTreeMap<String, usize>>,
    /// Library files that are compiled by themselves, by how their flags were obtained.
    pub flags: BTreeMap<FlagOrigin, usize>,
    /// What was tried to obtain flags, in order.
    pub attempts: Vec<Attempt>,
    /// How the library's files parse, if that was asked for.
    pub parse: Option<Parse>,
    /// What was passed over.
    pub skipped: Vec<Skip>,
    /// Each file, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<SourceFile>>,
}

/// How the library's files parse with their flags.
#[derive(Debug, Default, Serialize)]
pub struct Parse {
    /// Files that are compiled by themselves.
    pub units: Parsed,
    /// Headers, each parsed as if it were compiled by itself.
    pub headers: Parsed,
    /// Files named for another system, which do not count as the library's; those that are compiled by themselves.
    pub other_system: Parsed,
    /// The files that do not parse without error.
    pub failed: Vec<Failed>,
}

/// How files of one kind parse.
#[derive(Debug, Default, Clone, Copy, Serialize)]
pub struct Parsed {
    pub files: usize,
    pub without_fatal_error: usize,
    pub without_error: usize,
    /// Those with a fatal error that the project's own build leaves out here, and that include, under no condition, a
    /// header which neither the source nor this machine has.
    pub left_out_by_the_build: usize,
}

/// A file that does not parse without error.
#[derive(Debug, Serialize)]
pub struct Failed {
    pub path: String,
    pub errors: usize,
    pub fatal: Option<String>,
    /// The headers that it includes and that are neither in the source nor on this machine.
    pub unavailable: Vec<String>,
}
