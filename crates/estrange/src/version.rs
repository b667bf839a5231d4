//! Versions as tools print them, and their order.

use std::fmt;

/// A dotted version: `19.1.7`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(Vec<u64>);

impl Version {
    /// Reads a dotted version such as `3.20`; `None` if it is anything else.
    pub fn parse(text: &str) -> Option<Self> {
        text.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u64>>>().map(Self)
    }

    /// The first version in what a tool printed about itself: a word that begins with a digit and has a dot in it.
    pub fn find(text: &str) -> Option<Self> {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.')
            .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
            .filter_map(|word| {
                let end = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
                Self::parse(word[..end].trim_end_matches('.'))
            })
            .find(|version| version.0.len() > 1)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(u64::to_string).collect();
        f.write_str(&parts.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_tools_print() {
        for (printed, version) in [
            ("gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "12.2.0"),
            ("Debian clang version 19.1.7 (3~deb12u1)", "19.1.7"),
            ("Debian dpkg-source version 1.21.23.", "1.21.23"),
            ("xz (XZ Utils) 5.4.1\nliblzma 5.4.1", "5.4.1"),
            ("apt 2.6.1 (amd64)", "2.6.1"),
            ("cargo 1.95.0-nightly (f2d3ce0bd 2026-03-21)", "1.95.0"),
            ("llvm 19.1.0git", "19.1.0"),
        ] {
            assert_eq!(Version::find(printed).map(|found| found.to_string()).as_deref(), Some(version), "{printed}");
        }
        assert_eq!(Version::find("usage: tool [-v]"), None);
    }

    #[test]
    fn versions_compare_by_number() {
        let version = |text| Version::parse(text).unwrap();
        assert!(version("2.10") > version("2.9"));
        assert!(version("12.2.0") > version("12"));
        assert!(version("3.18.4") < version("3.20"));
    }
}
