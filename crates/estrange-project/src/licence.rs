//! Under which licence each file is, as an SPDX expression, and of which class.
//!
//! Who is asked, in this order; the first answer counts, and which it was is recorded:
//!
//! 1. the file itself, by an `SPDX-License-Identifier:` tag in its opening comment;
//! 2. the file itself, by a licence's text or notice in its opening comment, or by the notice of another file that
//!    it points to ("see copyright notice in foo.h");
//! 3. Debian's machine-readable `debian/copyright`;
//! 4. the nearest licence file (`LICENSE`, `COPYING`, …) in its folder or above, or, where none stands beside it, the
//!    `license` field of a `Cargo.toml`.
//!
//! A file's own words come before Debian's because they are the grant itself: `debian/copyright` is a careful reading
//! of it, but by wildcards over many files. Where the opening comment is not understood, Debian's reading decides.

mod debian;
mod detector;
mod expression;
mod names;
mod notice;
mod texts;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use crate::files::Listing;
use debian::Copyright;
use expression::BSD_STYLE;
use notice::Said;
use texts::Texts;

pub use expression::Class;
pub use texts::is_licence_file;
pub(crate) use texts::read as read_text;

/// A file's licence, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Licence {
    /// The SPDX expression; `None` if nothing was found.
    pub expression: Option<String>,
    /// Its class.
    pub class: Class,
    /// Who said so.
    pub found_by: FoundBy,
}

/// Where a licence was found.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    /// A tag in the file.
    SpdxTag,
    /// A licence's text or standard notice in the file.
    OwnText,
    /// A licence's name in the file.
    OwnNotice,
    /// The notice of another file that it points to.
    Pointer(#[serde(serialize_with = "crate::serialize_path")] PathBuf),
    /// `debian/copyright`.
    DebianCopyright,
    /// A licence file in its folder or above.
    LicenceFile(#[serde(serialize_with = "crate::serialize_path")] PathBuf),
    /// The nearest `Cargo.toml`.
    CargoManifest,
    /// Nothing was found.
    Nothing,
}

impl Licence {
    fn new(expression: String, found_by: FoundBy) -> Self {
        Self { class: expression::class(&expression), expression: Some(expression), found_by }
    }
}

/// The licence of each file of the listing, in its order.
pub fn find(root: &Path, listing: &Listing) -> Vec<Licence> {
    let passages: Vec<String> = listing.files.par_iter().map(|file| notice::passage(&file.facts.opening)).collect();
    // Most files of a project open with the same words; each wording is understood once.
    let distinct: HashSet<&str> = passages.iter().map(String::as_str).collect();
    let said: HashMap<&str, Said> =
        distinct.into_par_iter().map(|passage| (passage, notice::understand(passage))).collect();
    let pointed_to = said.values().filter_map(|said| match said {
        Said::See(name) => name.as_deref(),
        _ => None,
    });
    let texts = Texts::read(root, listing, &pointed_to.collect());
    let debian = Copyright::parse(&texts::read(&root.join("debian/copyright")));
    let mut by_name: HashMap<&OsStr, Vec<usize>> = HashMap::new();
    for (at, file) in listing.files.iter().enumerate() {
        by_name.entry(file.path.file_name().unwrap_or_default()).or_default().push(at);
    }
    let finder = Finder { listing, by_name, passages: &passages, said: &said, texts: &texts, debian: debian.as_ref() };
    (0..listing.files.len()).into_par_iter().map(|at| finder.find(at)).collect()
}

struct Finder<'a> {
    listing: &'a Listing,
    by_name: HashMap<&'a OsStr, Vec<usize>>,
    passages: &'a [String],
    said: &'a HashMap<&'a str, Said>,
    texts: &'a Texts,
    debian: Option<&'a Copyright>,
}

impl Finder<'_> {
    fn find(&self, at: usize) -> Licence {
        let path = &self.listing.files[at].path;
        self.own(at)
            .or_else(|| self.pointed_to(at))
            .or_else(|| {
                Some(Licence::new(self.debian?.licence_of(path.as_os_str().as_bytes())?, FoundBy::DebianCopyright))
            })
            .or_else(|| self.texts.nearest(path))
            .unwrap_or(Licence { expression: None, class: Class::Unknown, found_by: FoundBy::Nothing })
    }

    /// What the file says of itself.
    fn own(&self, at: usize) -> Option<Licence> {
        let file = &self.listing.files[at];
        if let Some(expression) = notice::spdx_tag(&file.facts.opening) {
            return Some(Licence::new(expression, FoundBy::SpdxTag));
        }
        let (expression, found_by) = match self.said(at)? {
            Said::Text(expression) => (expression, FoundBy::OwnText),
            Said::Name(expression) => (expression, FoundBy::OwnNotice),
            Said::See(_) | Said::Nothing => return None,
        };
        // "A BSD-style licence, see LICENSE": the licence file says which.
        let expression = match expression.contains(BSD_STYLE).then(|| self.texts.nearest_bsd(&file.path)).flatten() {
            Some(exact) => expression.replace(BSD_STYLE, exact),
            None => expression.clone(),
        };
        Some(Licence::new(expression, found_by))
    }

    /// What the file says that it points to: another source file's own words, or a licence file by its name.
    fn pointed_to(&self, at: usize) -> Option<Licence> {
        let Said::See(Some(name)) = self.said(at)? else { return None };
        let from = &self.listing.files[at].path;
        if let Some(licence) = self.texts.named(from, name) {
            return Some(licence);
        }
        let shared = |at: usize| {
            let path = &self.listing.files[at].path;
            path.components().zip(from.components()).take_while(|(a, b)| a == b).count()
        };
        let named = self.by_name.get(OsStr::new(name))?.iter().copied().filter(|&target| target != at);
        let target = named.max_by_key(|&target| (shared(target), Reverse(target)))?;
        let licence = self.own(target)?;
        Some(Licence { found_by: FoundBy::Pointer(self.listing.files[target].path.clone()), ..licence })
    }

    fn said(&self, at: usize) -> Option<&Said> {
        self.said.get(self.passages[at].as_str())
    }
}
