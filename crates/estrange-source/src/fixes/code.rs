//! Which files are C or C++ code, and which of them are tests: by their names, since of most only a patch is seen.

/// The endings of units, headers and fragments, as the survey of a project has them.
const ENDINGS: [&str; 27] = [
    "c", "cc", "cpp", "cxx", "c++", "cp", "C", "CPP", "CC", "ccm", "cppm", "cxxm", "c++m", "ixx", "mpp", "h", "hh",
    "hpp", "hxx", "h++", "hp", "H", "HPP", "ipp", "tcc", "tpp", "txx",
];

/// Folders of tests, benchmarks and fuzz targets, as the survey of a project has them.
const FOLDERS: [&str; 35] = [
    "test",
    "tests",
    "t",
    "testing",
    "testsuite",
    "testsuites",
    "unittest",
    "unittests",
    "unit_tests",
    "unit-tests",
    "unit_test",
    "unit-test",
    "regress",
    "regression",
    "check",
    "checks",
    "fuzz",
    "fuzzer",
    "fuzzers",
    "fuzzing",
    "ossfuzz",
    "oss-fuzz",
    "oss_fuzz",
    "harness",
    "harnesses",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "perf",
    "perftest",
    "performance",
    "mock",
    "mocks",
    "ci",
];

/// Words that give a test away where they begin or end a name.
const AFFIXES: [&str; 6] = ["test", "tests", "fuzz", "benchmark", "benchmarks", "unittest"];

/// Whether a file is C or C++ code, by its ending.
pub(super) fn is_code(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    ending.is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Whether a file is a test or a part of one, by its name and those of its folders.
pub(super) fn is_test(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    folders.split('/').any(|folder| FOLDERS.contains(&folder) || has_affix(folder)) || stem == "test" || has_affix(stem)
}

/// Whether a name begins or ends with a word for tests, as `x_test` and `test-x` do.
fn has_affix(name: &str) -> bool {
    let mut words = name.split(['_', '-', '.']);
    let (first, last) = (words.next(), words.next_back());
    last.is_some() && [first, last].into_iter().flatten().any(|word| AFFIXES.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_code_and_tests() {
        for path in ["a.c", "src/x.tar.cc", "src/x.H", "lib/test.h", "x.ixx"] {
            assert!(is_code(path), "{path}");
        }
        for path in ["a", ".c", "src/x.py", "c", "x.c/Makefile", "x.y"] {
            assert!(!is_code(path), "{path}");
        }
        for path in
            ["test/a.c", "src/Tests/a.c", "src/unit-test/a.c", "x_test.cc", "test-y.c", "lib-fuzz/a.c", "test.c"]
        {
            assert!(is_test(path), "{path}");
        }
        for path in ["a.c", "src/latest.c", "contest/a.c", "attestation.c", "src/t.c"] {
            assert!(!is_test(path), "{path}");
        }
    }
}
