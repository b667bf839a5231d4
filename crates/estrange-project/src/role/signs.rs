//! What names and contents say about a file's role.

use std::path::Path;

use super::{Assigned, Role};
use crate::files::File;
use crate::systems::{is_other_system, is_other_unix};

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

/// What a file's content says.
///
/// `provides` tells whether the project itself holds a file of this name as its own code: a test framework's sources
/// are not its tests.
pub fn by_content(file: &File, provides: &dyn Fn(&str) -> bool) -> Option<Assigned> {
    let facts = &file.facts;
    if let Some(mark) = generated_mark(&facts.opening) {
        return Some(Assigned::new(Role::Generated, format!("its opening comment says \"{mark}\"")));
    }
    if facts.fuzz_target {
        return Some(Assigned::new(Role::Test, "defines a fuzz target"));
    }
    let framework = facts.includes.iter().find(|include| is_test_framework(&include.name) && !provides(&include.name));
    if let Some(framework) = framework {
        return Some(Assigned::new(Role::Test, format!("includes {}", framework.name)));
    }
    facts.starts_program.then(|| Assigned::new(Role::Program, "defines main"))
}

fn is_test_framework(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let file = name.rsplit('/').next().unwrap_or(&name);
    matches!(
        file,
        "gtest.h"
            | "gmock.h"
            | "catch.hpp"
            | "catch_all.hpp"
            | "catch_test_macros.hpp"
            | "doctest.h"
            | "cmocka.h"
            | "check.h"
            | "cppunit.h"
            | "cutest.h"
            | "cunit.h"
            | "minunit.h"
            | "munit.h"
            | "unity.h"
            | "utest.h"
            | "greatest.h"
            | "acutest.h"
            | "qtest.h"
            | "qttest"
            | "cxxtest.h"
            | "criterion.h"
            | "benchmark.h"
    ) && (file != "benchmark.h" || name == "benchmark/benchmark.h")
        || name.starts_with("boost/test/")
        || name.starts_with("cppunit/")
        || name.starts_with("cpputest/")
}

/// The words by which a file says that no person wrote it, if it opens with any.
fn generated_mark(opening: &str) -> Option<&'static str> {
    const ANYWHERE: [&str; 6] =
        ["do not edit", "do not modify", "don't edit", "made by gnu bison", "scanner generated by", "@generated"];
    const FIRST: [&str; 6] = [
        "generated",
        "automatically generated",
        "auto-generated",
        "autogenerated",
        "auto generated",
        "this is generated",
    ];
    const OF_THIS_FILE: [&str; 4] =
        ["file is generated", "file was generated", "file has been generated", "table was generated"];
    // Beyond the first lines, prose may speak of generated files without being one.
    let lines: Vec<String> = opening.lines().take(20).map(|line| line.trim().to_ascii_lowercase()).collect();
    let text = lines.join(" ").replace("automatically ", "").replace("auto-", "").replace("auto ", "");
    let text = text.replace("autogenerated", "generated").split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let first = |mark: &&str| {
        lines.iter().any(|line| line.strip_prefix(*mark).is_some_and(|rest| rest.starts_with([' ', '.'])))
    };
    // "The bottom of this file is generated" leaves a top that is not.
    let whole = |mark: &&str| {
        text.split_once(*mark).is_some_and(|(before, _)| !before.ends_with("of this ") && !before.ends_with("of the "))
    };
    let anywhere = ANYWHERE.into_iter().find(|mark| text.contains(mark));
    anywhere.or_else(|| FIRST.into_iter().find(first)).or_else(|| OF_THIS_FILE.into_iter().find(whole))
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

    #[test]
    fn generated_files_say_so_in_their_first_lines() {
        assert!(generated_mark("x.c -- DO NOT\n EDIT").is_some());
        assert!(generated_mark("A Bison parser, made by GNU Bison 3.8.").is_some());
        assert!(generated_mark("x.h: a table\nGenerated automatically by x.c").is_some());
        assert!(generated_mark("WARNING, this file was automatically generated by mkx").is_some());
        assert!(generated_mark("Converts units.").is_none());
        assert!(generated_mark("The bottom of this file is automatically generated by x.py").is_none());
        assert!(generated_mark("Entry points where an automatically generated stub is impractical").is_none());
        assert!(generated_mark(&format!("{}do not edit", "line\n".repeat(30))).is_none());
    }

    proptest::proptest! {
        #[test]
        fn any_name_has_an_answer(name: String) {
            let _ = by_name(Path::new(&name), true);
            let _ = folder_role(&name);
        }
    }
}
