//! Licence texts recognised by likeness: SPDX's texts and standard notices, as the `spdx` crate compares them.
//!
//! The crate's own scanner breaks ties in the order of a hash map; here the same scores are compared in a fixed
//! order, so that the same text always gets the same name.

use std::sync::LazyLock;

use spdx::detection::{Store, TextData};

/// How alike a text and a licence must be. Below this, licences of one family are no longer told apart.
const SURE: f32 = 0.9;

/// More licences than this are not looked for in one text.
const PASSES: usize = 4;

/// As many of the most similar licences are looked for in parts of a text; in a long one only the most similar.
const CANDIDATES: usize = 5;

/// A text from here on is long: looking for one licence in it takes a tenth of a second.
const LONG: usize = 8 * 1024;

/// Texts beyond this size are no licences, and comparing them would take long.
const BOUND: usize = 64 * 1024;

struct Known {
    name: &'static str,
    text: &'static TextData,
    /// A word without which a text cannot be this licence: the GNU licences differ in little else.
    must_say: &'static str,
}

static STORE: LazyLock<Store> = LazyLock::new(|| {
    // The store is compiled into the crate; were it broken, no text would be recognised, and tests would fail.
    Store::load_inline().unwrap_or_default()
});

/// Every text of every licence that is still in use under its name, in the order in which ties are broken.
static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let mut known = Vec::new();
    for (name, entry) in STORE.iter() {
        if spdx::license_id(name).is_none_or(|id| id.is_deprecated()) {
            continue;
        }
        let must_say = match name.split_once('-') {
            Some(("AGPL", _)) => "affero",
            _ => "",
        };
        // The bare text of a GNU licence grants no later version; a notice that applies it may.
        let only = entry.aliases.iter().find(|alias| alias.ends_with("-only")).unwrap_or(name);
        let full = std::iter::once(&entry.original).chain(&entry.alternates);
        known.extend(full.map(|text| Known { name: only, text, must_say }));
        known.extend(entry.headers.iter().map(|text| Known { name, text, must_say }));
    }
    known.sort_by_key(|known| known.name);
    known
});

/// What was recognised in a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Detected {
    /// The licences whose texts stand in it, as SPDX identifiers in the order found; none if it is not sure.
    pub licences: Vec<&'static str>,
    /// The lines that belong to none of them.
    pub rest: String,
}

/// Looks for licence texts.
pub fn detect(text: &str) -> Detected {
    if text.len() > BOUND || text.trim().is_empty() {
        return Detected { rest: text.to_owned(), ..Detected::default() };
    }
    let mut found = Detected::default();
    let candidates = if text.len() < LONG { CANDIDATES } else { 1 };
    let says = text.to_lowercase();
    let mut text = TextData::new(&rejoin(text));
    for _ in 0..PASSES {
        let candidates = closest(&text, &says, candidates);
        if let Some((best, score)) = candidates.first()
            && *score >= SURE
        {
            found.licences.push(best.name);
            return found;
        }
        // With other words around it, the right text may not be the closest to the whole.
        let within = candidates.iter().map(|(known, _)| (known.name, text.optimize_bounds(known.text)));
        let best = within.reduce(|best, next| if next.1.1 > best.1.1 { next } else { best });
        let Some((name, (within, score))) = best else { break };
        if score < SURE {
            break;
        }
        if !found.licences.contains(&name) {
            found.licences.push(name);
        }
        text = within.white_out();
    }
    found.rest = text.lines().join("\n");
    found
}

/// The text with words that were broken at the end of a line made whole.
fn rejoin(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let goes_on = lines.peek().is_some_and(|next| next.trim_start().starts_with(char::is_alphabetic));
        match line.trim_end().strip_suffix('-') {
            Some(start) if goes_on && start.ends_with(char::is_alphabetic) => {
                // The rest of the word moves up; the line count stays roughly the same, the words exactly.
                out.push_str(start);
                let rest = lines.next().unwrap_or_default().trim_start();
                out.push_str(rest);
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// The `count` known texts that are most like a text, best first. Ties keep the order of [`KNOWN`].
fn closest(text: &TextData, says: &str, count: usize) -> Vec<(&'static Known, f32)> {
    let possible = KNOWN.iter().filter(|known| says.contains(known.must_say));
    let mut scored: Vec<(&Known, f32)> = possible.map(|known| (known, known.text.match_score(text))).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    scored.truncate(count);
    scored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_store_is_whole() {
        let started = std::time::Instant::now();
        assert!(KNOWN.len() > 500, "{}", KNOWN.len());
        eprintln!("loaded {} in {:?}", KNOWN.len(), started.elapsed());
    }

    #[test]
    fn a_text_is_found_among_other_words() {
        let zlib = "inflate.c -- undoes deflation, quickly
            This software is provided 'as-is', without any express or implied warranty. In no event will the authors
            be held liable for any damages arising from the use of this software.
            Permission is granted to anyone to use this software for any purpose, including commercial applications,
            and to alter it and redistribute it freely, subject to the following restrictions:
            1. The origin of this software must not be misrepresented; you must not claim that you wrote the original
            software. If you use this software in a product, an acknowledgment in the product documentation would be
            appreciated but is not required.
            2. Altered source versions must be plainly marked as such, and must not be misrepresented as being the
            original software.
            3. This notice may not be removed or altered from any source distribution.
            Jane Doe
            jane@example.org";
        assert_eq!(detect(zlib).licences, ["Zlib"]);
        assert!(detect("Converts units of length.").licences.is_empty());
        assert_eq!(detect(""), Detected::default());
    }
}
