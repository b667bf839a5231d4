//! What a file's opening comment says about its licence: a tag, a text, a short notice, or a pointer elsewhere.
//!
//! Texts are the detector's work; sentences that name a licence without its text are that of [`super::grants`].

use super::detector::detect;
use super::expression::{PUBLIC_DOMAIN, canonical};
use super::grants::{grants_later, named, normalize, offers_choice};
use super::names::short_name;

/// What an opening comment says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A licence text or standard notice, recognised by likeness.
    Text(String),
    /// A licence by name.
    Name(String),
    /// "See that file": its name as written, if it was.
    See(Option<String>),
    /// Nothing that is understood.
    Nothing,
}

/// The expression of the `SPDX-License-Identifier:` tags in a comment. Several tags all apply.
pub fn spdx_tag(opening: &str) -> Option<String> {
    const TAG: &str = "SPDX-License-Identifier:";
    let tags = opening.lines().take(60).filter_map(|line| line.split_once(TAG));
    let mut found: Vec<String> = Vec::new();
    for (_, stated) in tags {
        let stated = stated.trim().trim_end_matches("*/").trim_end_matches("-->").trim();
        // A house's own identifier, without the prefix it should have.
        let own = || canonical(&format!("LicenseRef-{stated}")).filter(|_| !stated.is_empty());
        let expression = canonical(stated).or_else(own)?;
        if !found.contains(&expression) {
            found.push(expression);
        }
    }
    join(&found, " AND ")
}

/// The lines of an opening comment that may speak of the licence, without copyright lines and the file's description.
/// Files of one project mostly share it word for word, so that it needs to be understood only once.
pub fn passage(opening: &str) -> String {
    const WORDS: [&str; 12] = [
        "licen",
        "permission",
        "permitted",
        "redistribut",
        "warrant",
        "public domain",
        "copying",
        "conditions",
        "disclaim",
        "liable",
        "distribut",
        "see copyright",
    ];
    let is_copyright = |line: &str| {
        let line = line.trim_start().to_ascii_lowercase();
        let held = line.starts_with("copyright") || line.starts_with("(c)") || line.starts_with("\u{a9}");
        held && line.contains(|character: char| character.is_ascii_digit())
    };
    let lines = opening.lines().filter(|line| !is_copyright(line)).map(str::trim);
    let text = lines.collect::<Vec<_>>().join("\n");
    let paragraphs: Vec<&str> = text.split("\n\n").map(str::trim).filter(|text| !text.is_empty()).collect();
    let speaks = |paragraph: &str| {
        let lower = paragraph.to_ascii_lowercase();
        WORDS.iter().any(|word| lower.contains(word))
    };
    let first = paragraphs.iter().position(|paragraph| speaks(paragraph));
    let last = paragraphs.iter().rposition(|paragraph| speaks(paragraph));
    match (first, last) {
        (Some(first), Some(last)) => paragraphs[first..=last].join("\n\n"),
        _ => String::new(),
    }
}

/// What a passage says.
pub fn understand(passage: &str) -> Said {
    if passage.is_empty() {
        return Said::Nothing;
    }
    let words = normalize(passage);
    let detected = detect(passage);
    let by_text = !detected.licences.is_empty();
    let mut found: Vec<String> = detected.licences.into_iter().map(|id| as_granted(id, &words)).collect();
    if by_text {
        // Only what a text leaves may name another licence, and not one of its own family: texts name many.
        let others = named(&normalize(&detected.rest)).into_iter().filter(|name| name != PUBLIC_DOMAIN);
        for name in others {
            if !found.iter().any(|known| family(known) == family(&name)) {
                found.push(name);
            }
        }
    } else {
        found = labelled(passage).map_or_else(|| named(&words), |licence| vec![licence]);
    }
    match join(&found, if offers_choice(&words) { " OR " } else { " AND " }) {
        Some(expression) if by_text => Said::Text(expression),
        Some(expression) => Said::Name(expression),
        None => pointer(passage, &words).map_or(Said::Nothing, Said::See),
    }
}

/// The licence of a line like `License: MIT`.
fn labelled(passage: &str) -> Option<String> {
    passage.lines().find_map(|line| {
        let (label, name) = line.split_once(':')?;
        let is_label = ["license", "licence", "@license"].contains(&label.trim().to_ascii_lowercase().as_str());
        let name = name.trim().trim_end_matches('.');
        is_label.then(|| short_name(name).or_else(|| canonical(name))).flatten()
    })
}

/// What related licences have in common in their identifiers: `gpl`, `bsd`, `libpng`.
fn family(id: &str) -> String {
    let id = id.trim_start_matches("LicenseRef-");
    id.split('-').next().unwrap_or(id).to_ascii_lowercase()
}

/// The notices of a GNU licence with and without later versions are alike; the words tell.
fn as_granted(id: &str, words: &str) -> String {
    match id.strip_suffix("-or-later") {
        Some(base) if !grants_later(words) => format!("{base}-only"),
        _ => id.to_owned(),
    }
}

/// Joins identifiers and expressions into one.
pub fn join(expressions: &[String], operator: &str) -> Option<String> {
    match expressions {
        [] => None,
        [one] => Some(one.clone()),
        many => {
            let wrap = |one: &String| if one.contains(' ') { format!("({one})") } else { one.clone() };
            Some(many.iter().map(wrap).collect::<Vec<_>>().join(operator))
        }
    }
}

/// "For conditions of use, see that file": terms are said to be elsewhere.
fn pointer(passage: &str, words: &str) -> Option<Option<String>> {
    const TERMS: [&str; 6] =
        [" license ", " copyright notice ", " conditions of ", " copying ", " terms of ", " see copyright "];
    const ELSEWHERE: [&str; 6] = ["see", "in", "file", "accompanying", "read", "license"];
    if !TERMS.iter().any(|phrase| words.contains(phrase)) {
        return None;
    }
    let is_source = |word: &&str| {
        let endings = [".h", ".c", ".hpp", ".cc", ".cpp"];
        endings.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
    };
    let is_licence = |word: &&str| super::is_licence_file(word) && word.starts_with(char::is_uppercase);
    let is_readme = |word: &&str| word.starts_with("README");
    let bare = |word| str::trim_matches(word, |character: char| !character.is_alphanumeric());
    // A file's own name may stand before the words that lead elsewhere.
    let leads = |word: &str| ELSEWHERE.contains(&word.to_lowercase().as_str());
    let after: Vec<&str> = passage.split_whitespace().map(bare).skip_while(|word| !leads(word)).collect();
    let named = |is: &dyn Fn(&&str) -> bool| after.iter().copied().find(|word| is(word)).map(str::to_owned);
    (!after.is_empty()).then(|| named(&is_licence).or_else(|| named(&is_source)).or_else(|| named(&is_readme)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Said {
        understand(&passage(text))
    }

    fn name(expression: &str) -> Said {
        Said::Name(expression.to_owned())
    }

    #[test]
    fn tags() {
        assert_eq!(spdx_tag("x\nSPDX-License-Identifier: MIT").unwrap(), "MIT");
        assert_eq!(spdx_tag("SPDX-License-Identifier: GPL-2.0+ */").unwrap(), "GPL-2.0-or-later");
        assert_eq!(spdx_tag("SPDX-License-Identifier: MIT\nSPDX-License-Identifier: ISC").unwrap(), "MIT AND ISC");
        assert_eq!(spdx_tag("SPDX-License-Identifier: house-rules").unwrap(), "LicenseRef-house-rules");
        assert_eq!(spdx_tag("SPDX-License-Identifier: "), None);
        assert_eq!(spdx_tag("no tag"), None);
    }

    #[test]
    fn short_notices() {
        assert_eq!(said("foo.c: foo\n\nThis software is released under the MIT licence, see COPYING."), name("MIT"));
        let lgpl =
            "Distributed under the terms of the GNU Lesser General Public License as published by the FSF; either
            version 2.1 of the License, or (at your option) any later version.";
        assert!(matches!(said(lgpl), Said::Name(id) | Said::Text(id) if id == "LGPL-2.1-or-later"));
        assert_eq!(said("Licensed under the GNU GPL, version 3."), name("GPL-3.0-only"));
        assert_eq!(said("You may distribute this under the GNU General Public License."), name("GPL-1.0-or-later"));
        assert_eq!(said("This file is in the public domain."), name(PUBLIC_DOMAIN));
        assert_eq!(said("Licensed under the CC0 Public Domain Dedication license."), name("CC0-1.0"));
        assert_eq!(said("Distributed under the Boost Software License, Version 1.0."), name("BSL-1.0"));
        assert_eq!(said("Author: me\nLicense: BSD-3-Clause"), name("BSD-3-Clause"));
        let dual = "Dual licensed: the MIT license, or the GNU General Public License version 2.";
        assert_eq!(said(dual), name("MIT OR GPL-2.0-only"));
    }

    #[test]
    fn a_name_beside_a_text_counts_if_it_is_of_another_family() {
        let zlib = "This software is provided 'as-is', without any express or implied warranty. In no event will the
            authors be held liable for any damages arising from the use of this software.

            Permission is granted to anyone to use this software for any purpose, including commercial applications,
            and to alter it and redistribute it freely, subject to the following restrictions:

            1. The origin of this software must not be misrepresented; you must not claim that you wrote the original
            software. If you use this software in a product, an acknowledgment in the product documentation would be
            appreciated but is not required.
            2. Altered source versions must be plainly marked as such, and must not be misrepresented as being the
            original software.
            3. This notice may not be removed or altered from any source distribution.";
        let text = |expression: &str| Said::Text(expression.to_owned());
        assert_eq!(said(zlib), text("Zlib"));
        let more = "\n\nThe tables below were computed by another program, which its makers have put under the terms of
            the GNU General Public License, version 2. They are kept here as they are, in the hope that nobody
            minds, since it took a long time to compute them and they will never change again.";
        assert_eq!(said(&format!("{zlib}{more}")), text("Zlib AND GPL-2.0-only"));
        assert_eq!(said(&format!("{zlib}{more} Alternatively, use yours.")), text("Zlib OR GPL-2.0-only"));
        let same = more.replace("the GNU General Public License, version 2", "the zlib license");
        assert_eq!(said(&format!("{zlib}{same}")), text("Zlib"));
    }

    #[test]
    fn pointers() {
        let see = |text: &str| match said(text) {
            Said::See(file) => file,
            other => panic!("{other:?}"),
        };
        assert_eq!(see("For conditions of distribution and use, see copyright notice in foo.h").unwrap(), "foo.h");
        assert_eq!(see("Use is governed by the license that can be found in the LICENSE file.").unwrap(), "LICENSE");
        assert_eq!(see("bar.c -- does it\nFor conditions of use, see foo.h").unwrap(), "foo.h");
        assert_eq!(see("See Copyright for the status of this software.").unwrap(), "Copyright");
        assert_eq!(see("For the warranty see README; the license is in the file LICENSE").unwrap(), "LICENSE");
        assert_eq!(see("See the accompanying license for details."), None);
    }

    #[test]
    fn a_description_is_not_part_of_the_passage() {
        let one = passage("a.c\nSorts.\n\nCopyright (c) 2001 Jane\n\nUnder the MIT license.");
        let two = passage("b.c\nSearches.\n\nCopyright (c) 2005 John\n\nUnder the MIT license.");
        assert_eq!(one, two);
        assert_eq!(passage("Sorts."), "");
    }

    proptest::proptest! {
        #[test]
        fn any_comment_can_be_read(text in r"(GNU General Public License|gplv2|version|v2|public domain|see|é|LICENSE|[a-zA-Z0-9. \n-])*") {
            let _ = spdx_tag(&text);
            let passage = passage(&text);
            let _ = pointer(&passage, &normalize(&passage));
        }
    }
}
