//! A grader for all tests of a file, and problems to try things on.

use std::sync::LazyLock;

use estrange_problem::{Graded, Grader, Problem, import};
use estrange_sandbox::{Launcher, Protection, Sandbox, Workshop};

/// It never goes, so its folder is among those of the build.
pub static GRADER: LazyLock<Grader> = LazyLock::new(|| {
    let sandbox = Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap();
    Grader::new(&Workshop::new(sandbox, env!("CARGO_TARGET_TMPDIR"))).unwrap()
});

/// A problem in the generic layout.
#[allow(dead_code)]
pub fn problem(json: &str) -> Problem {
    let line = json.replace('\n', " ");
    let mut imported = import::parse(&line, import::Layout::Generic, Some("2026-11-19"));
    assert_eq!(imported.losses, []);
    imported.problems.remove(0)
}

/// The sum of numbers.
#[allow(dead_code)]
pub fn sum() -> Problem {
    problem(
        r##"{"id": "sum", "statement": "Return the sum.", "signature": "int sum(const int *values, size_t count)", "context":
        "#include <stddef.h>", "tests": [{"input": [[]], "output": 0}, {"input": [[7]], "output": 7}, {"input": [[1, 2, 3]],
        "output": 6}, {"input": [[4, -4, 5]], "output": 5}]}"##,
    )
}

#[allow(dead_code)]
pub fn grade(problem: &Problem, answer: &str) -> Graded {
    GRADER.grade(problem, answer).unwrap()
}
