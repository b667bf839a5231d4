//! Licences by name in a sentence: "released under the MIT licence", "GNU GPL, version 2 or later".

use super::expression::{BSD_STYLE, PUBLIC_DOMAIN, canonical};

/// Lower case, words and numbers only, single spaces; dots stay within words.
pub fn normalize(text: &str) -> String {
    let keep = |character: char| if character.is_alphanumeric() || character == '.' { character } else { ' ' };
    let text: String = text.to_lowercase().replace("licence", "license").chars().map(keep).collect();
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches('.')).collect();
    format!(" {} ", words.join(" "))
}

pub fn offers_choice(words: &str) -> bool {
    const PHRASES: [&str; 10] = [
        " alternatively ",
        " dual license",
        " dually license",
        " dual gpl ",
        " your choice ",
        " at your option one of ",
        " at your option either ",
        " select at your option ",
        " under either ",
        " or under the following ",
    ];
    PHRASES.iter().any(|phrase| words.contains(phrase))
}

/// The licences that a text names as its own.
pub fn named(words: &str) -> Vec<String> {
    const NAMES: [(&str, &str); 42] = [
        (" apache license version 2.0 ", "Apache-2.0"),
        (" apache license 2.0 ", "Apache-2.0"),
        (" apache 2.0 license ", "Apache-2.0"),
        (" apache license v2.0 ", "Apache-2.0"),
        (" mit license ", "MIT"),
        (" mit x11 license ", "MIT"),
        (" expat license ", "MIT"),
        (" boost software license version 1.0 ", "BSL-1.0"),
        (" mozilla public license version 2.0 ", "MPL-2.0"),
        (" mozilla public license v. 2.0 ", "MPL-2.0"),
        (" mozilla public license v 2.0 ", "MPL-2.0"),
        (" mozilla public license version 1.1 ", "MPL-1.1"),
        (" academic free license version 2.0 ", "AFL-2.0"),
        (" academic free license version 2.1 ", "AFL-2.1"),
        (" isc license ", "ISC"),
        (" zlib license ", "Zlib"),
        (" zlib libpng license ", "Zlib"),
        (" libpng license ", "Libpng"),
        (" 2 clause bsd license ", "BSD-2-Clause"),
        (" bsd 2 clause ", "BSD-2-Clause"),
        (" simplified bsd license ", "BSD-2-Clause"),
        (" two clause bsd ", "BSD-2-Clause"),
        (" 3 clause bsd license ", "BSD-3-Clause"),
        (" bsd 3 clause ", "BSD-3-Clause"),
        (" three clause bsd ", "BSD-3-Clause"),
        (" new bsd license ", "BSD-3-Clause"),
        (" modified bsd license ", "BSD-3-Clause"),
        (" revised bsd license ", "BSD-3-Clause"),
        (" freetype project license ", "FTL"),
        (" freetype license ", "FTL"),
        (" independent jpeg group s software ", "IJG"),
        (" bsd style license ", BSD_STYLE),
        (" bsd license ", BSD_STYLE),
        (" eclipse public license v 2.0 ", "EPL-2.0"),
        (" eclipse public license 2.0 ", "EPL-2.0"),
        (" eclipse public license v1.0 ", "EPL-1.0"),
        (" creative commons zero ", "CC0-1.0"),
        (" cc0 ", "CC0-1.0"),
        (" publicdomain zero 1.0 ", "CC0-1.0"),
        (" postgresql license ", "PostgreSQL"),
        (" python software foundation license ", "PSF-2.0"),
        (" unlicense ", "Unlicense"),
    ];
    let mut found: Vec<String> = Vec::new();
    for (phrase, id) in NAMES {
        if words.contains(phrase) && !found.iter().any(|known| known == id) {
            found.push(id.to_owned());
        }
    }
    // "The BSD licence" beside "3-clause BSD licence" is the same one.
    if found.iter().any(|id| id.starts_with("BSD-")) {
        found.retain(|id| id != BSD_STYLE);
    }
    found.extend(gnu(words));
    if found.is_empty() && gives_to_public(words) {
        found.push(PUBLIC_DOMAIN.to_owned());
    }
    found
}

fn gives_to_public(words: &str) -> bool {
    let negated = [" not in the public domain ", " not public domain "].iter().any(|phrase| words.contains(phrase));
    let given = [
        " public domain ",
        " author disclaims copyright ",
        " authors disclaim copyright ",
        " no copyright is claimed ",
    ];
    !negated && given.iter().any(|phrase| words.contains(phrase))
}

/// GNU licences by their full or short names, with the version named after them.
fn gnu(words: &str) -> Vec<String> {
    const FAMILIES: [(&str, &str, &str); 10] = [
        (" gnu affero general public license ", "AGPL", "3.0"),
        (" gnu lesser general public license ", "LGPL", "2.0"),
        (" gnu lesser public license ", "LGPL", "2.0"),
        (" gnu library general public license ", "LGPL", "2.0"),
        (" gnu lgpl ", "LGPL", "2.0"),
        (" lgpl ", "LGPL", "2.0"),
        (" gnu general public license ", "GPL", "1.0"),
        (" gnu public license ", "GPL", "1.0"),
        (" gnu gpl ", "GPL", "1.0"),
        (" gplv2 ", "GPL", "2.0"),
    ];
    let mut found: Vec<String> = Vec::new();
    for (phrase, family, first) in FAMILIES {
        let Some(at) = words.find(phrase) else { continue };
        if found.iter().any(|known| known.starts_with(family)) {
            continue;
        }
        // The version stands nearby: before the name ("version 2 of the …") or, mostly, after it.
        let end = floor(words, at + phrase.len() + 260);
        let start = floor(words, at.saturating_sub(60));
        let after = &words[at + phrase.len() - 1..end];
        let version = version(after).or_else(|| version(&words[start..=at]));
        let later =
            after.contains(" any later version ") || after.contains(" or later ") || after.contains(" or newer ");
        let (version, later) = match version {
            Some(version) => (version, later),
            None if phrase == " gplv2 " => ("2.0".to_owned(), later),
            None => (first.to_owned(), true),
        };
        let suffix = if later { "or-later" } else { "only" };
        found.extend(canonical(&format!("{family}-{version}-{suffix}")));
    }
    found
}

/// The largest character boundary at or below `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// `version 2.1`, `v2`, `v. 3` as `2.1`, `2.0`, `3.0`.
fn version(words: &str) -> Option<String> {
    let mut previous = "";
    for word in words.split(' ') {
        let number = match word.strip_prefix('v') {
            Some(number) if !number.is_empty() => number,
            _ if matches!(previous, "version" | "v" | "license") => word,
            _ => {
                previous = word;
                continue;
            }
        };
        previous = word;
        let digits = number.chars().all(|character| character.is_ascii_digit() || character == '.');
        if digits && number.len() <= 3 && number.starts_with(|character: char| character.is_ascii_digit()) {
            return Some(if number.contains('.') { number.to_owned() } else { format!("{number}.0") });
        }
    }
    None
}

/// Whether words about a GNU licence allow its later versions.
pub fn grants_later(words: &str) -> bool {
    [" later version", " or later ", " or newer "].iter().any(|phrase| words.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        named(&normalize(text))
    }

    #[test]
    fn gnu_licences_and_their_versions() {
        let cases = [
            (
                "the GNU General Public License as published by the FSF; either version 2, or any later version",
                "GPL-2.0-or-later",
            ),
            ("the GNU Lesser General Public License, version 2.1.", "LGPL-2.1-only"),
            ("version 3 of the GNU Affero General Public License", "AGPL-3.0-only"),
            ("under the GNU GPL v3 or later", "GPL-3.0-or-later"),
            ("the GNU General Public Licence", "GPL-1.0-or-later"),
            ("see GPLv2 in COPYING", "GPL-2.0-only"),
        ];
        for (text, expected) in cases {
            assert_eq!(names(text), [expected], "{text}");
        }
    }

    #[test]
    fn public_domain_is_the_last_guess() {
        assert_eq!(names("Written by me and released to the public domain"), [PUBLIC_DOMAIN]);
        assert_eq!(names("MIT license; parts are in the public domain"), ["MIT"]);
        assert!(names("This code is not in the public domain").is_empty());
    }

    #[test]
    fn one_bsd_licence_is_named_once() {
        assert_eq!(names("under the 2-clause BSD license; see COPYING for the BSD license"), ["BSD-2-Clause"]);
        assert_eq!(names("under a BSD-style license"), [BSD_STYLE]);
    }

    #[test]
    fn a_later_version_is_not_a_choice_of_licences() {
        assert!(!offers_choice(&normalize("version 2 or (at your option) any later version")));
        assert!(offers_choice(&normalize("Alternatively, the GPL applies")));
    }

    proptest::proptest! {
        #[test]
        fn any_words_can_be_read(text in r"(GNU General Public License|gplv2|version|v2|v|public domain|\u{e9}|[a-zA-Z0-9. \n-])*") {
            let _ = named(&normalize(&text));
        }
    }
}
