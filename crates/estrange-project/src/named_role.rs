//! What a file is to its project, and what the names of files and folders say about it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::systems::{is_other_system, is_other_unix};

/// What a file is to its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// What the project is for.
    Library,
    /// A command-line tool or another program, and its parts.
    Program,
    /// Tests, benchmarks, fuzz targets, and what they need.
    Test,
    /// Examples, demonstrations, documentation.
    Example,
    /// A copy of another project, or contributed code that is not part of the library.
    Vendored,
    /// Written by a program.
    Generated,
    /// The work of a distribution's packagers.
    Packaging,
    /// For another system than this one, by its name, and not part of the build here.
    Platform,
}

impl Role {
    /// Each of them.
    pub const ALL: [Self; 8] = [
        Self::Library,
        Self::Program,
        Self::Test,
        Self::Example,
        Self::Vendored,
        Self::Generated,
        Self::Packaging,
        Self::Platform,
    ];
}

/// A role and what gave it away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Assigned {
    /// The role.
    pub role: Role,
    /// The rule that applied, in words.
    pub reason: String,
}

impl Assigned {
    pub(crate) fn new(role: Role, reason: impl Into<String>) -> Self {
        Self { role, reason: reason.into() }
    }
}

/// What a folder's name says about everything below it, if it says anything.
pub fn folder_role(name: &str) -> Option<Role> {
    let name = name.to_ascii_lowercase();
    Some(match name.as_str() {
        "test" | "tests" | "t" | "testing" | "testsuite" | "testsuites" | "unittest" | "unittests" | "unit_tests"
        | "unit-tests" | "unit_test" | "unit-test" | "regress" | "regression" | "check" | "checks" | "fuzz"
        | "fuzzer" | "fuzzers" | "fuzzing" | "ossfuzz" | "oss-fuzz" | "oss_fuzz" | "harness" | "harnesses"
        | "bench" | "benches" | "benchmark" | "benchmarks" | "perf" | "perftest" | "performance" | "mock" | "mocks"
        | "ci" => Role::Test,
        "example" | "examples" | "demo" | "demos" | "sample" | "samples" | "tutorial" | "tutorials" | "doc"
        | "docs" | "documentation" | "snippets" => Role::Example,
        "tool" | "tools" | "program" | "programs" | "progs" | "bin" | "cli" | "apps" | "cmd" => Role::Program,
        "third_party" | "thirdparty" | "third-party" | "3rdparty" | "3rd_party" | "3rd-party" | "3party" | "vendor"
        | "vendors" | "vendored" | "dep" | "deps" | "dependencies" | "extern" | "externs" | "external"
        | "externals" | "subprojects" | "submodules" | "bundled" | "contrib" | "contribs" | "contributed" => {
            Role::Vendored
        }
        "ide" | "ides" | "xcode" | "msvc" | "msvs" | "win" => Role::Platform,
        other if is_other_system(other) || is_other_unix(other) => Role::Platform,
        // `libfoo_test`, `test-data`, `example.2`: the words around the dash count as the whole name does.
        _ => return affix_role(&name),
    })
}

/// The other system that a file is named for: `x_win32.c`, `darwin-x.c`, `aix.c`.
fn system_in_name(stem: &str) -> Option<&str> {
    let (first, last) = (stem.split(['_', '-']).next()?, stem.rsplit(['_', '-']).next()?);
    let unix = [first, last].into_iter().find(|word| is_other_unix(word));
    unix.or_else(|| Some(last).filter(|word| *word != stem && is_other_system(word)))
}

fn affix_role(name: &str) -> Option<Role> {
    let parts: Vec<&str> = name.split(['_', '-', '.']).collect();
    let (first, last) = (*parts.first()?, *parts.last()?);
    let is = |words: &[&str]| parts.len() > 1 && (words.contains(&first) || words.contains(&last));
    if is(&["test", "tests", "fuzz", "benchmark", "benchmarks", "unittest"]) {
        Some(Role::Test)
    } else if is(&["example", "examples", "demo", "samples"]) {
        Some(Role::Example)
    } else {
        None
    }
}

/// Whether a folder's telling name may also be that of a library's part, when it stands within the sources: there,
/// contributions are part of the whole, a check may be a checksum, and a sample may be a sound's.
pub fn is_weak(name: &str) -> bool {
    const WEAK: [&str; 12] =
        ["contrib", "check", "checks", "t", "perf", "performance", "ci", "doc", "sample", "bin", "dep", "regression"];
    WEAK.iter().any(|weak| name.eq_ignore_ascii_case(weak))
}

/// Whether a folder's name is that of a place for sources.
pub fn holds_sources(name: &str) -> bool {
    ["src", "source", "sources", "lib", "include"].contains(&name)
}

/// Whether a path alone says that a file is a test.
pub fn is_test_path(path: &Path) -> bool {
    let mut in_sources = false;
    for part in path.parent().into_iter().flat_map(Path::components) {
        let name = part.as_os_str().to_str().unwrap_or_default();
        if folder_role(name) == Some(Role::Test) && !(in_sources && is_weak(name)) {
            return true;
        }
        in_sources = in_sources || holds_sources(name);
    }
    by_name(path, true).is_some_and(|assigned| assigned.role == Role::Test)
}

/// The reason of a file whose name alone makes it a test.
pub const NAMED_AS_TEST: &str = "named as a test";

/// What a file's own name says.
pub fn by_name(path: &Path, starts_program: bool) -> Option<Assigned> {
    let stem = path.file_stem()?.to_str()?;
    let words = name_words(stem);
    let (first, last) = (words.first()?.as_str(), words.last()?.as_str());
    let is = |known: &[&str]| known.contains(&first) || known.contains(&last);
    let lower = stem.to_ascii_lowercase();
    // Without separators (`runtest`, `testapi`) the word could be part of another; a `main` settles it.
    let runs = |word: &str| starts_program && (lower.starts_with(word) || lower.ends_with(word));
    // Something called just `fuzzer` may be a feature.
    let fuzzes = is(&["fuzz", "fuzzer"]) && (words.len() > 1 || starts_program);
    let tests = words.iter().any(|word| ["test", "tests", "unittest", "unittests"].contains(&word.as_str()));
    if tests
        || fuzzes
        || is(&["testing", "bench", "benchmark", "benchmarks"])
        || runs("test")
        || runs("tests")
        || runs("fuzzer")
        || runs("bench")
    {
        Some(Assigned::new(Role::Test, NAMED_AS_TEST))
    } else if is(&["example", "examples", "demo", "sample"]) && (starts_program || words.len() == 1)
        || runs("example")
        || runs("demo")
    {
        Some(Assigned::new(Role::Example, "named as an example"))
    } else {
        let system = system_in_name(&lower)?;
        Some(Assigned::new(Role::Platform, format!("named for {system}")))
    }
}

/// The words of a file name, in lower case: `fooBar_baz2` is foo, bar, baz.
fn name_words(stem: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for character in stem.chars() {
        let boundary = !character.is_ascii_alphabetic() || (character.is_ascii_uppercase() && after_lower);
        if boundary && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if character.is_ascii_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.push(character.to_ascii_lowercase());
        }
        after_lower = character.is_ascii_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_role(name: &str, starts_program: bool) -> Option<Role> {
        by_name(Path::new(name), starts_program).map(|assigned| assigned.role)
    }

    #[test]
    fn names_of_tests_and_examples() {
        for test in [
            "test_x.c",
            "x_test.cc",
            "x-unittest.cc",
            "xTest.cpp",
            "test.c",
            "fuzz_x.c",
            "x_fuzzer.cc",
            "test2.c",
            "x_test_data.c",
        ] {
            assert_eq!(name_role(test, false), Some(Role::Test), "{test}");
        }
        assert_eq!(name_role("runtest.c", true), Some(Role::Test));
        assert_eq!(name_role("testapi.c", true), Some(Role::Test));
        assert_eq!(name_role("demo.c", true), Some(Role::Example));
        assert_eq!(name_role("io_win32.c", false), Some(Role::Platform));
        assert_eq!(name_role("windows.c", false), None, "it may open windows on a screen");
        assert_eq!(name_role("darwin-title.c", false), Some(Role::Platform));
        assert_eq!(name_role("aix.c", false), Some(Role::Platform));
        for other in
            ["latest.c", "contest.c", "attestation.c", "x.c", "sampler.c", "rate_sample.c", "protest.h", "fuzzer.c"]
        {
            assert_eq!(name_role(other, false), None, "{other}");
        }
    }

    #[test]
    fn names_of_folders() {
        assert_eq!(folder_role("Tests"), Some(Role::Test));
        assert_eq!(folder_role("foo-examples"), Some(Role::Example));
        assert_eq!(folder_role("third_party"), Some(Role::Vendored));
        assert_eq!(folder_role("tools"), Some(Role::Program));
        assert_eq!(folder_role("Win32"), Some(Role::Platform));
        for other in ["src", "lib", "util", "include", "latest", "ports", "extensions"] {
            assert_eq!(folder_role(other), None, "{other}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_name_has_an_answer(name: String) {
            let _ = by_name(Path::new(&name), true);
            let _ = folder_role(&name);
        }
    }
}
