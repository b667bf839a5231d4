//! What is known of a fix, and why a patch or a commit that was wanted is none that can be used.

use std::borrow::Cow;

use estrange_diff::{BadPatch, Change, Patch, Touch, Unapplied};
use estrange_words::{Hint, Reason};

use super::code::{is_code, is_test};
use super::prose::Prose;
use super::wanted::Sign;
use crate::changed::ChangedFile;
use crate::spec::Spec;

/// A patch or a commit that mends something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The patch's name in its series, or the commit.
    pub name: String,
    /// What it is about, in one line; may be empty.
    pub title: String,
    /// What was written about it: the head of the patch, or the commit's message.
    pub description: String,
    /// The vulnerabilities that it names, sorted: `CVE-2024-45490`.
    pub cves: Vec<String>,
    /// The weaknesses that it names, sorted: `CWE-190`.
    pub cwes: Vec<String>,
    /// What gives it away, sorted.
    pub signs: Vec<Sign>,
    /// The patch as it stands, or the commit's diff against its first parent.
    pub diff: Vec<u8>,
    /// The C and C++ files that it changes, without tests, sorted by their paths.
    pub files: Vec<ChangedFile>,
    /// The state before it.
    pub before: Spec,
    /// The state with it, and with nothing later.
    pub after: Spec,
}

/// All fixes of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixes {
    /// The source, pinned by its version.
    pub source: Spec,
    /// How many patches or commits were looked at. Those that are neither a fix nor a loss were not wanted.
    pub seen: usize,
    /// The fixes, in the order of the series or of the history; commits that were named, as they were.
    pub fixes: Vec<Fix>,
    /// What was wanted and cannot be used, in the same order.
    pub losses: Vec<Passed>,
}

/// A patch or a commit that was wanted and is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// The patch's name, or the commit.
    pub name: String,
    /// What it is about, in one line; may be empty.
    pub title: String,
    /// Why.
    pub unfit: Unfit,
}

/// Why a patch or a commit is no fix that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The source does not have it.
    #[error("the source has nothing of that name")]
    NotThere,
    /// It is no sound patch.
    #[error("it cannot be read: {0}")]
    Malformed(#[from] BadPatch),
    /// It changes more files than are looked at.
    #[error("it changes {files} files, and more than {most} are not looked at")]
    TooManyFiles {
        /// How many it changes.
        files: usize,
        /// How many are looked at.
        most: usize,
    },
    /// Its diff is longer than is looked at.
    #[error("its diff is longer than {most} bytes")]
    TooLarge {
        /// How many bytes are looked at.
        most: usize,
    },
    /// It changes binary files only, as far as code is concerned.
    #[error("it changes binary files and no code")]
    Binary,
    /// It changes no line of a C or C++ file.
    #[error("it changes no C or C++ code")]
    NoCode,
    /// The code that it changes is tests.
    #[error("it changes tests only")]
    OnlyTests,
    /// It does not fit the state before it.
    #[error("it does not apply: {0}")]
    DoesNotApply(#[from] Unapplied),
    /// What it gives, with those behind it, is not what the package has.
    #[error("with what follows, it gives another text of {path} than the package has")]
    OtherText {
        /// The file.
        path: String,
    },
    /// A commit that has nothing before it.
    #[error("it is the first commit, and nothing is before it")]
    NoParent,
}

impl Unfit {
    /// The typed reason.
    pub fn reason(&self) -> Reason {
        match self {
            Self::NotThere => Reason::NotFound,
            Self::Malformed(_) | Self::DoesNotApply(_) | Self::OtherText { .. } => Reason::PatchDoesNotApply,
            Self::TooManyFiles { .. } => Reason::TooManyFiles,
            Self::TooLarge { .. } => Reason::TooLarge,
            Self::Binary => Reason::NotText,
            Self::NoCode | Self::OnlyTests => Reason::NoCode,
            Self::NoParent => Reason::RevisionNotFound,
        }
    }
}

impl Hint for Unfit {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::NotThere => Some("name a patch of the series, or a commit, tag or branch of the repository".into()),
            Self::Malformed(bad) => bad.hint(),
            Self::DoesNotApply(unapplied) => unapplied.hint(),
            _ => None,
        }
    }
}

/// The most files that a fix may change: more are a clean-up, a release, a reformatting.
const MOST_FILES: usize = 40;

/// Looks by their names alone whether a patch's files may be a fix's. `strip` folders come before each name.
pub(super) fn look(patch: &Patch, strip: usize) -> Result<(), Unfit> {
    if patch.files.len() > MOST_FILES {
        return Err(Unfit::TooManyFiles { files: patch.files.len(), most: MOST_FILES });
    }
    let changes = patch.files.iter().filter(|file| !file.hunks.is_empty());
    let paths: Vec<String> = changes.filter_map(|file| file.new_path(strip).or_else(|| file.old_path(strip))).collect();
    if paths.iter().any(|path| is_code(path) && !is_test(path)) {
        Ok(())
    } else if paths.iter().any(|path| is_code(path)) {
        Err(Unfit::OnlyTests)
    } else if patch.files.iter().any(|file| file.change == Change::Binary) {
        Err(Unfit::Binary)
    } else {
        Err(Unfit::NoCode)
    }
}

/// Of changed files the code without tests, sorted. Several changes of one file, one behind the other, become one.
pub(super) fn code_of(changed: impl IntoIterator<Item = ChangedFile>) -> Vec<ChangedFile> {
    let mut files: Vec<ChangedFile> = Vec::new();
    for file in changed {
        let follows = |before: &&mut ChangedFile| before.new_path.is_some() && before.new_path == file.old_path;
        if let Some(before) = files.iter_mut().find(follows) {
            before.new_path = file.new_path;
            before.touched = Touch::together(&before.touched, &file.touched);
        } else {
            files.push(file);
        }
    }
    files.retain(|file| {
        !file.touched.is_empty() && file.paths().next().is_some_and(|path| is_code(path) && !is_test(path))
    });
    files.sort_by(|one, other| one.paths().next().cmp(&other.paths().next()));
    files
}

impl Passed {
    pub(super) fn new(name: &str, prose: &Prose, unfit: Unfit) -> Self {
        Self { name: name.to_owned(), title: prose.title.clone(), unfit }
    }
}
