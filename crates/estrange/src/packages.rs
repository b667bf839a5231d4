//! The Debian packages Estrange needs: the list that `tools/setup` installs, read for the doctor.

use crate::version::Version;

const LIST: &str = include_str!("../../../tools/debian-packages.txt");

/// A package that is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Its name in Debian.
    pub name: &'static str,
    /// The program in it that can be asked for its version; a library has none.
    pub program: Option<&'static str>,
    /// The oldest version that will do.
    pub at_least: Option<Version>,
    /// What it is needed for.
    pub needed_for: &'static str,
}

/// Every package that is needed, in the list's order.
pub fn needed() -> impl Iterator<Item = Package> {
    LIST.lines().filter_map(package)
}

/// Reads a line: `PACKAGE [PROGRAM [>= VERSION]] # what it is needed for`.
fn package(line: &'static str) -> Option<Package> {
    let (words, needed_for) = line.split_once('#')?;
    let mut words = words.split_whitespace();
    let name = words.next()?;
    let program = words.next();
    let at_least = words.nth(1).and_then(Version::parse);
    Some(Package { name, program, at_least, needed_for: needed_for.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_list_is_well_formed() {
        for line in LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let package = package(line).unwrap_or_else(|| panic!("no `# why`: {line}"));
            assert!(!package.needed_for.is_empty(), "{line}");
            assert_eq!(package.at_least.is_some(), line.contains(">="), "{line}");
        }
    }

    #[test]
    fn a_line_may_name_a_program_and_a_version() {
        let plain = package("libclang1-19  # parsing").unwrap();
        assert_eq!((plain.name, plain.program, plain.at_least), ("libclang1-19", None, None));
        let full = package("xz-utils xz >= 5.2 # unpacking").unwrap();
        assert_eq!((full.program, full.at_least), (Some("xz"), Version::parse("5.2")));
    }
}
