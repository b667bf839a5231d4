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
mod grants;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{Bounds, list};
    use std::collections::BTreeMap;

    /// The licences in a tree of `(path, content)` pairs, by path.
    fn licences(files: &[(&str, &str)]) -> BTreeMap<String, Licence> {
        let folder = crate::folder_of(files);
        let listing = list(folder.path(), &Bounds::default()).unwrap();
        let found = find(folder.path(), &listing);
        listing.files.iter().map(|file| file.path.display().to_string()).zip(found).collect()
    }

    fn expect(found: &BTreeMap<String, Licence>, path: &str, expression: &str, found_by: FoundBy) {
        let licence = &found[path];
        assert_eq!((licence.expression.as_deref(), &licence.found_by), (Some(expression), &found_by), "{path}");
    }

    const ZLIB: &str =
        "This software is provided 'as-is', without any express or implied warranty. In no event will the
authors be held liable for any damages arising from the use of this software.

Permission is granted to anyone to use this software for any purpose, including commercial applications, and to alter
it and redistribute it freely, subject to the following restrictions:

1. The origin of this software must not be misrepresented; you must not claim that you wrote the original software. If
you use this software in a product, an acknowledgment in the product documentation would be appreciated but is not
required.
2. Altered source versions must be plainly marked as such, and must not be misrepresented as being the original
software.
3. This notice may not be removed or altered from any source distribution.
";

    #[test]
    fn the_nearest_voice_is_heard_first() {
        let text = format!("/*\n{ZLIB}*/");
        let debian = "Format: x\n\nFiles: *\nLicense: Apache-2.0\n\nFiles: late.c\nLicense: GPL-2+\n";
        let found = licences(&[
            ("tagged.c", "// SPDX-License-Identifier: ISC\n// Under the MIT license."),
            ("text.c", &text),
            ("named.c", "// Under the MIT license."),
            ("points.c", "/* points.c: For conditions of use, see copyright notice in text.c */"),
            ("silent.c", "int x;"),
            ("late.c", "int y;"),
            ("debian/copyright", debian),
            ("LICENSE", ZLIB),
        ]);
        expect(&found, "tagged.c", "ISC", FoundBy::SpdxTag);
        expect(&found, "text.c", "Zlib", FoundBy::OwnText);
        expect(&found, "named.c", "MIT", FoundBy::OwnNotice);
        expect(&found, "points.c", "Zlib", FoundBy::Pointer("text.c".into()));
        expect(&found, "silent.c", "Apache-2.0", FoundBy::DebianCopyright);
        expect(&found, "late.c", "GPL-2.0-or-later", FoundBy::DebianCopyright);
        assert_eq!(found["late.c"].class, Class::Restrictive);
    }

    #[test]
    fn licence_files_speak_for_what_is_below_them() {
        let found = licences(&[
            ("LICENSE", ZLIB),
            ("a.c", ""),
            ("deep/er/b.c", ""),
            ("odd/COPYING", "Ask my lawyer before you even look at this."),
            ("odd/c.c", ""),
            ("style.c", "// Use is governed by a BSD-style license, see LICENSE."),
        ]);
        expect(&found, "a.c", "Zlib", FoundBy::LicenceFile("LICENSE".into()));
        expect(&found, "deep/er/b.c", "Zlib", FoundBy::LicenceFile("LICENSE".into()));
        assert_eq!(found["odd/c.c"].found_by, FoundBy::Nothing, "a nearer licence that nobody understands");
        assert_eq!(found["odd/c.c"].class, Class::Unknown);
        expect(&found, "style.c", BSD_STYLE, FoundBy::OwnNotice);
    }

    #[test]
    fn a_crate_without_a_licence_file_has_its_manifest() {
        let manifest = "[package]\nname = \"x\"\nlicense = \"MIT OR Apache-2.0\"\n\n[dependencies]\n";
        let found = licences(&[("Cargo.toml", manifest), ("c/a.c", "")]);
        expect(&found, "c/a.c", "MIT OR Apache-2.0", FoundBy::CargoManifest);
    }

    #[test]
    fn pointers_in_a_circle_lead_nowhere() {
        let found = licences(&[
            ("a.c", "// For the license see b.c"),
            ("b.c", "// For the license see a.c"),
            ("c.c", "// For the license see c.c"),
        ]);
        assert!(found.values().all(|licence| licence.found_by == FoundBy::Nothing), "{found:?}");
    }
}
