//! Flags for files that a build did not compile, taken over from the nearest file that it did.

use std::collections::BTreeMap;
use std::path::PathBuf;

use estrange_words::Language;

use super::paths::{distance, folder};
use super::{FlagOrigin, Flags, SourceFile};
use crate::files::Kind;

/// The flags that builds gave, one representative a folder and language.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    known: BTreeMap<(String, Language), Flags>,
}

impl Neighbours {
    /// Takes note of the flags of compiled files.
    pub fn new<'a>(compiled: impl IntoIterator<Item = (&'a PathBuf, &'a Flags)>) -> Self {
        let mut known = BTreeMap::new();
        for (path, flags) in compiled {
            let folder = folder(&path.to_string_lossy()).to_owned();
            known.entry((folder, flags.language)).or_insert_with(|| flags.clone());
        }
        Self { known }
    }

    /// The nearest flags for `file`. A header may take them from either language, preferring its own.
    pub fn nearest(&self, file: &SourceFile) -> Option<Flags> {
        let path = file.path.to_string_lossy();
        let here = folder(&path);
        self.known
            .iter()
            .filter(|((_, language), _)| *language == file.language || file.kind != Kind::Unit)
            .min_by_key(|((folder, language), _)| (*language != file.language, distance(here, folder), folder.clone()))
            .map(|(_, flags)| Flags { origin: FlagOrigin::Neighbour, ..flags.clone() })
    }
}
