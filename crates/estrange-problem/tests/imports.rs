//! Files of problems in others' layouts, made up for this test: what is read, what is lost, and how answers to it are graded.

#![allow(clippy::unwrap_used)]

mod support;

use std::path::Path;

use estrange_problem::import::{self, Imported, Layout};
use estrange_problem::{Bounds, Defect, Difficulty, Problem, Tests, Verdict};
use support::grade;

fn import(layout: Layout) -> Imported {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/layouts");
    import::read(&folder.join(format!("{layout}.jsonl")), layout, Some("2020-01-31")).unwrap()
}

fn lost(imported: &Imported) -> Vec<(&str, Defect)> {
    imported.losses.iter().map(|loss| (loss.name.as_str(), loss.defect)).collect()
}

#[track_caller]
fn expect(problem: &Problem, answer: &str, verdict: Verdict) {
    let graded = grade(problem, answer);
    assert_eq!(graded.verdict, verdict, "{answer}: {graded:#?}");
}

#[test]
fn humaneval_x() {
    let imported = import(Layout::HumanEvalX);
    let names: Vec<&str> = imported.problems.iter().map(|problem| problem.name.as_str()).collect();
    assert_eq!(names, ["CPP-0", "CPP-1"]);
    let expected = [
        ("Python-2", Defect::UnknownLanguage),
        ("CPP-3", Defect::MissingField),
        ("CPP-4", Defect::TestsDoNotCall),
        ("CPP-5", Defect::Signature),
        ("line 8", Defect::Malformed),
        ("CPP-0", Defect::SameName),
    ];
    assert_eq!(lost(&imported), expected);
    let [vowels, zero] = imported.problems.try_into().unwrap();
    assert_eq!((vowels.signature.as_str(), vowels.date.as_deref()), ("int vowels(string text)", Some("2020-01-31")));
    assert!(vowels.statement.starts_with("Return the number of vowels") && vowels.context.contains("#include<string>"));
    assert_eq!(zero.signature, "double zero(vector<double> k, double near)");
    for problem in [&vowels, &zero] {
        let solution = problem.solution.clone().unwrap();
        expect(problem, &solution, Verdict::Passed);
        // With everything that the prompt has before it.
        let graded = grade(problem, &format!("{}\n{solution}", problem.context));
        assert!(graded.is_passed(), "{graded:#?}");
    }
    let graded = grade(&vowels, "int vowels(string text) { return 2; }");
    assert_eq!(graded.verdict, Verdict::WrongResult, "{graded:#?}");
    assert!(graded.cases[0].said.contains("Assertion `vowels(\"\")==0' failed"), "{}", graded.cases[0].said);
}

/// What must not pass although the tests are beside it.
#[test]
fn programs_of_tests_are_not_fooled() {
    let imported = import(Layout::HumanEvalX);
    let vowels = &Problem { bounds: Bounds { seconds: 0.5, mebibytes: 512 }, ..imported.problems[0].clone() };
    let body = "int vowels(string text) { return 7; }";
    expect(
        vowels,
        &format!("#include <cassert>\n#undef assert\n#define assert(x)\n#define NDEBUG\n#define main other\n{body}"),
        Verdict::WrongResult,
    );
    expect(
        vowels,
        &format!(
            "extern \"C\" void __assert_fail(const char *, const char *, unsigned, const char *) noexcept {{}}\n{body}"
        ),
        Verdict::WrongResult,
    );
    expect(vowels, &format!("int main() {{ return 0; }}\n{body}"), Verdict::WrongResult);
    expect(vowels, "#include <cstdlib>\nint vowels(string text) { exit(0); }", Verdict::EndedEarly);
    expect(vowels, "#include <unistd.h>\nint vowels(string text) { _exit(0); }", Verdict::EndedEarly);
    expect(
        vowels,
        "#include <cstdio>\nint vowels(string text) { puts(\"main returned 0\"); fflush(stdout); _Exit(0); }",
        Verdict::EndedEarly,
    );
    let first = format!("#include <unistd.h>\nstruct First {{ First() {{ _exit(0); }} }} first;\n{body}");
    expect(vowels, &first, Verdict::EndedEarly);
    expect(vowels, "int vowels(string text) { throw 1; }", Verdict::Threw);
    expect(vowels, "int vowels(string text) { for (volatile unsigned i = 0;; i = i + 1) {} }", Verdict::TimedOut);
    expect(vowels, "int vowels(string text) { int *p = nullptr; return *p; }", Verdict::Crashed);
    expect(vowels, "int vowels(const char *text) { return 0; }", Verdict::DoesNotLink);
    expect(vowels, "int vowels(string text) { return }", Verdict::DoesNotCompile);
    expect(vowels, "", Verdict::DoesNotLink);
}

#[test]
fn multipl_e() {
    let imported = import(Layout::MultiplE);
    assert_eq!(lost(&imported), [("Made_1_shout", Defect::UnknownLanguage), ("Made_2_cut", Defect::MissingField)]);
    let longer = &imported.problems[0];
    assert_eq!(longer.function, "longer");
    assert!(longer.statement.starts_with("Return the longer one"), "{}", longer.statement);
    expect(
        longer,
        "std::string longer(std::string a, std::string b) {\n    return b.size() > a.size() ? b : a;\n}",
        Verdict::Passed,
    );
    expect(longer, "std::string longer(std::string a, std::string b) {\n    return a;\n}", Verdict::WrongResult);
}

#[test]
fn generic() {
    let imported = import(Layout::Generic);
    let expected = [
        ("no-signature", Defect::MissingField),
        ("java", Defect::UnknownLanguage),
        ("no-tests", Defect::NoTests),
        ("empty-tests", Defect::NoTests),
        ("bad-value", Defect::BadCase),
        ("bad-date", Defect::Malformed),
        ("callback", Defect::Signature),
        ("spread-again", Defect::Duplicate),
    ];
    assert_eq!(lost(&imported), expected);
    let dates: Vec<Option<&str>> = imported.problems.iter().map(|problem| problem.date.as_deref()).collect();
    assert_eq!(dates[..2], [Some("2025-03-04"), Some("2020-01-31")]);
    assert_eq!(imported.problems[0].difficulty, Some(Difficulty::Easy));
    for problem in &imported.problems {
        expect(problem, problem.solution.as_deref().unwrap(), Verdict::Passed);
    }
    assert!(matches!(imported.problems[4].tests, Tests::Program(_)));
    expect(&imported.problems[4], "int four(void) { return 5; }", Verdict::WrongResult);
    expect(&imported.problems[2], "void double_all(std::vector<long> &numbers) {}", Verdict::WrongResult);
    // `double_all` of no numbers.
    assert_eq!(grade(&imported.problems[2], "void double_all(std::vector<long> &numbers) {}").passed(), 1);
}
