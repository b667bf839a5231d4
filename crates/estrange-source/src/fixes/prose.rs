//! What is written about a patch or a commit: the numbers that it names, and the signs of a fix.

use std::collections::BTreeSet;

use super::wanted::Sign;

/// What was found in prose.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Prose {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) cves: Vec<String>,
    pub(super) cwes: Vec<String>,
    pub(super) signs: BTreeSet<Sign>,
}

/// What sanitizers are called, and what they report. Each stands as a word of its own.
const SANITIZERS: [&str; 34] = [
    "addresssanitizer",
    "leaksanitizer",
    "memorysanitizer",
    "threadsanitizer",
    "undefinedbehaviorsanitizer",
    "hwaddresssanitizer",
    "asan",
    "hwasan",
    "lsan",
    "msan",
    "tsan",
    "ubsan",
    "heap-buffer-overflow",
    "heap buffer overflow",
    "stack-buffer-overflow",
    "stack buffer overflow",
    "stack-buffer-underflow",
    "global-buffer-overflow",
    "global buffer overflow",
    "dynamic-stack-buffer-overflow",
    "container-overflow",
    "heap-use-after-free",
    "use-after-free",
    "use after free",
    "stack-use-after-return",
    "stack-use-after-scope",
    "use-after-poison",
    "double-free",
    "alloc-dealloc-mismatch",
    "memcpy-param-overlap",
    "negative-size-param",
    "use-of-uninitialized-value",
    "signed integer overflow",
    "runtime error",
];

/// What fuzzers and their trackers are called.
const FUZZERS: [&str; 12] = [
    "oss-fuzz",
    "ossfuzz",
    "oss fuzz",
    "clusterfuzz",
    "clusterfuzz-testcase",
    "fuzzer",
    "libfuzzer",
    "honggfuzz",
    "found by fuzzing",
    "afl",
    "afl++",
    "aflplusplus",
];

impl Prose {
    /// Reads what is written about something of a name, which may speak for itself, too.
    pub(super) fn read(name: &str, title: String, description: &str) -> Self {
        let text = format!("{name}\n{description}");
        let lower = text.to_ascii_lowercase();
        let cves = numbered(&lower, "cve", &[4, 4]);
        let mut signs = BTreeSet::new();
        signs.extend((!cves.is_empty()).then_some(Sign::Cve));
        signs.extend(SANITIZERS.iter().any(|word| has_word(&lower, word)).then_some(Sign::Sanitizer));
        let is_fuzzers = FUZZERS.iter().any(|word| has_word(&lower, word)) || lower.lines().any(fixes_issue);
        signs.extend(is_fuzzers.then_some(Sign::Fuzzer));
        let cwes = numbered(&lower, "cwe", &[1]);
        Self { title, description: description.trim().to_owned(), cves, cwes, signs }
    }
}

/// Whether a word or several stand in a text, with no letter or digit directly before or behind them.
fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric();
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(inside) && !text[at + word.len()..].starts_with(inside))
}

/// Whether a line says that it fixes a numbered issue of a tracker, in the way of `Fixes: signed overflow, issue 12345`.
fn fixes_issue(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix("fixes:") else { return false };
    let digits = |text: &str| text.trim_start_matches([' ', '#']).bytes().take_while(u8::is_ascii_digit).count();
    rest.match_indices("issue").any(|(at, word)| digits(&rest[at + word.len()..]) >= 4)
}

/// All that is numbered in the way of `cve-2024-45490`, with at least so many digits a part; in capitals, sorted by number.
fn numbered(text: &str, word: &str, digits: &[usize]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices(word) {
        if text[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) {
            continue;
        }
        if let Some(numbers) = numbers(&text[at + word.len()..], digits) {
            found.insert(numbers);
        }
    }
    let print = |numbers: Vec<&str>| format!("{}-{}", word.to_ascii_uppercase(), numbers.join("-"));
    found.into_iter().map(|numbers| print(numbers.into_iter().map(|(_, digits)| digits).collect())).collect()
}

/// The numbers behind a word, each after a dash or an underscore. With their lengths they are in order.
fn numbers<'t>(text: &'t str, digits: &[usize]) -> Option<Vec<(usize, &'t str)>> {
    let mut rest = text;
    let mut found = Vec::new();
    for least in digits {
        rest = rest.strip_prefix(['-', '_'])?;
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        if length < *least || length > 9 {
            return None;
        }
        found.push((length, &rest[..length]));
        rest = &rest[length..];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(text: &str) -> Vec<Sign> {
        Prose::read("", String::new(), text).signs.into_iter().collect()
    }

    #[test]
    fn numbers_are_found_in_names_and_text() {
        let text = "Fixes cve_2023-10000 and CVE-2023-0801, CWE-190; not xCVE-2020-1234, CVE-2020, CVE-2020-12.";
        let prose = Prose::read("CVE-2023-0800_CVE-2023-0801.patch", String::new(), text);
        assert_eq!(prose.cves, ["CVE-2023-0800", "CVE-2023-0801", "CVE-2023-10000"]);
        assert_eq!(prose.cwes, ["CWE-190"]);
        assert_eq!(prose.signs, BTreeSet::from([Sign::Cve]));
    }

    #[test]
    fn signs_are_words() {
        assert_eq!(signs("ERROR: AddressSanitizer: heap-buffer-overflow on"), [Sign::Sanitizer]);
        assert_eq!(signs("Found by UBSan."), [Sign::Sanitizer]);
        assert_eq!(signs("Fixes: out of array access, issue 12345"), [Sign::Fuzzer]);
        assert_eq!(signs("Fixes: 123/clusterfuzz-testcase-minimized-x"), [Sign::Fuzzer]);
        assert_eq!(signs("found by OSS-Fuzz: use-after-free"), [Sign::Fuzzer, Sign::Sanitizer]);
        assert_eq!(signs("A thousand asanas of fuzzy waffles. Fixes: issue 12"), []);
    }
}
