//! Debian's machine-readable copyright files (DEP-5): which licence a package's maintainers give each file.
//!
//! The format: paragraphs of fields, `Files:` with globs and a `License:` whose first line is a short name or an
//! expression of short names; a paragraph with `License:` alone holds a licence's text. The last match wins.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::names;

/// A parsed copyright file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Copyright {
    stanzas: Vec<Stanza>,
}

#[derive(Debug, PartialEq, Eq)]
struct Stanza {
    globs: Vec<Vec<u8>>,
    /// As an SPDX expression.
    licence: Option<String>,
}

impl Copyright {
    /// Parses a copyright file; `None` if it is not in the machine-readable format.
    pub fn parse(text: &str) -> Option<Self> {
        let mut paragraphs = paragraphs(text);
        paragraphs.next()?.get("format")?;
        let mut texts: HashMap<String, String> = HashMap::new();
        let mut stated: Vec<(Vec<Vec<u8>>, String)> = Vec::new();
        for paragraph in paragraphs {
            let Some(field) = paragraph.get("license") else { continue };
            let (licence, text) = field.split_once('\n').unwrap_or((field, ""));
            let licence = licence.trim();
            if !text.trim().is_empty() {
                texts.insert(licence.to_ascii_lowercase(), text.to_owned());
            }
            if let Some(files) = paragraph.get("files") {
                let globs = files.split([' ', '\t', '\n', ',']).filter(|glob| !glob.is_empty());
                let globs = globs.map(|glob| glob.strip_prefix("./").unwrap_or(glob).as_bytes().to_vec());
                stated.push((globs.collect(), licence.to_owned()));
            }
        }
        let text_of = |name: &str| texts.get(&name.to_ascii_lowercase()).map(String::as_str);
        // Many paragraphs state the same licence; each is understood once.
        let distinct: HashSet<&str> = stated.iter().map(|(_, licence)| licence.as_str()).collect();
        let understood: HashMap<&str, Option<String>> =
            distinct.into_par_iter().map(|licence| (licence, names::expression(licence, &text_of))).collect();
        let stanza = |(globs, licence): &(Vec<Vec<u8>>, String)| Stanza {
            globs: globs.clone(),
            licence: understood.get(licence.as_str()).cloned().flatten(),
        };
        Some(Self { stanzas: stated.iter().map(stanza).collect() })
    }

    /// The licence of a file, as an SPDX expression. `path` is relative to the package's root.
    pub fn licence_of(&self, path: &[u8]) -> Option<String> {
        let matches = |stanza: &&Stanza| stanza.globs.iter().any(|glob| glob_matches(glob, path));
        self.stanzas.iter().rev().find(matches)?.licence.clone()
    }
}

/// The paragraphs of a control file: field names in lower case, values with their continuation lines.
fn paragraphs(text: &str) -> impl Iterator<Item = HashMap<String, String>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    std::iter::from_fn(move || {
        let mut fields: HashMap<String, String> = HashMap::new();
        let mut last = String::new();
        for line in lines.by_ref() {
            if line.trim().is_empty() {
                if fields.is_empty() {
                    continue;
                }
                return Some(fields);
            }
            if line.starts_with([' ', '\t']) {
                if let Some(value) = fields.get_mut(&last) {
                    // A line with a lone dot stands for an empty one.
                    let line = line.trim();
                    value.push('\n');
                    value.push_str(if line == "." { "" } else { line });
                }
            } else if let Some((name, value)) = line.split_once(':') {
                last = name.trim().to_ascii_lowercase();
                fields.insert(last.clone(), value.trim().to_owned());
            }
        }
        (!fields.is_empty()).then_some(fields)
    })
}

/// Whether a glob matches a whole path: `*` any text with slashes, `?` any byte, a backslash takes the next byte as it
/// is. Backtracks to the last star only, so the time is bounded by the product of the lengths.
fn glob_matches(glob: &[u8], path: &[u8]) -> bool {
    let (mut g, mut p) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        let step = match &glob[g..] {
            [b'*', ..] => {
                star = Some((g + 1, p));
                g += 1;
                continue;
            }
            [] if p == path.len() => return true,
            [b'?', ..] if p < path.len() => Some(1),
            [b'\\', byte, ..] if path.get(p) == Some(byte) => Some(2),
            [byte, ..] if *byte != b'\\' && path.get(p) == Some(byte) => Some(1),
            _ => None,
        };
        match (step, star) {
            (Some(length), _) => {
                g += length;
                p += 1;
            }
            (None, Some((after, from))) if from < path.len() => {
                star = Some((after, from + 1));
                g = after;
                p = from + 1;
            }
            (None, _) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FILE: &str = "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: example

# A comment.
Files: *
Copyright: 2001 Jane Doe
License: Expat

Files: src/parser.?
  contrib/* doc/\\*.c
Copyright: 2002 John Roe
License: GPL-2+ or BSD-ours
 Some text
 .
 that is not a licence.

License: BSD-ours
 Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
 granted, provided that the above copyright notice and this permission notice appear in all copies.
 .
 THE SOFTWARE IS PROVIDED \"AS IS\" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
 IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
 INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN
 AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
 PERFORMANCE OF THIS SOFTWARE.

Files: contrib/late.c
License: odd-one
";

    #[test]
    fn the_last_match_wins() {
        let copyright = Copyright::parse(FILE).unwrap();
        let licence = |path: &str| copyright.licence_of(path.as_bytes());
        assert_eq!(licence("src/main.c").unwrap(), "MIT");
        assert_eq!(licence("src/parser.c").unwrap(), "GPL-2.0-or-later OR ISC", "the odd name is known by its text");
        assert_eq!(licence("contrib/deep/er/x.c").unwrap(), "GPL-2.0-or-later OR ISC");
        assert_eq!(licence("contrib/late.c").unwrap(), "LicenseRef-odd-one");
        assert_eq!(licence("doc/*.c").unwrap(), "GPL-2.0-or-later OR ISC");
        assert_eq!(licence("doc/x.c").unwrap(), "MIT");
    }

    #[test]
    fn free_text_is_not_machine_readable() {
        assert_eq!(Copyright::parse("This package was debianized by someone.\n\nLicense: GPL"), None);
        assert_eq!(Copyright::parse(""), None);
    }

    #[test]
    fn globs() {
        for (glob, path) in [("*", "a/b"), ("a*c", "abbc"), ("*.c", "a/b.c"), ("a?c", "a/c"), ("a\\?", "a?"), ("", "")]
        {
            assert!(glob_matches(glob.as_bytes(), path.as_bytes()), "{glob} {path}");
        }
        for (glob, path) in [("*.c", "a.cc"), ("a", "ab"), ("a\\?", "ab"), ("", "a"), ("a?", "a"), ("\\", "\\")] {
            assert!(!glob_matches(glob.as_bytes(), path.as_bytes()), "{glob} {path}");
        }
    }

    /// The same question, asked in the simplest way.
    fn naive(glob: &[u8], path: &[u8]) -> bool {
        match (glob, path) {
            ([], _) => path.is_empty(),
            ([b'*', rest @ ..], _) => (0..=path.len()).any(|taken| naive(rest, &path[taken..])),
            ([b'?', rest @ ..], [_, tail @ ..]) => naive(rest, tail),
            ([b'\\', byte, rest @ ..], [head, tail @ ..]) => byte == head && naive(rest, tail),
            ([b'\\', ..], _) => false,
            ([byte, rest @ ..], [head, tail @ ..]) => byte == head && naive(rest, tail),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn globs_agree_with_their_definition(glob in r"[ab*?\\/]{0,10}", path in "[ab*?/]{0,10}") {
            prop_assert_eq!(glob_matches(glob.as_bytes(), path.as_bytes()), naive(glob.as_bytes(), path.as_bytes()));
        }

        #[test]
        fn no_text_can_fail_it(text in r"(Format:|Files:|License:|[a-z*\\+ ,().\n:é-]|or|and|with|GPL)*") {
            if let Some(copyright) = Copyright::parse(&format!("Format: x\n\n{text}")) {
                let _ = copyright.licence_of(b"a/b.c");
            }
        }
    }
}
