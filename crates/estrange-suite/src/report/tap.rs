//! Reports in the Test Anything Protocol.

use super::{ReportFault, Results, TestResult, not_whole};

/// Reads the lines `ok 1 - name`, `not ok 2 - name` and the plan `1..2`. Other lines are the tests' own.
pub fn read(text: &str) -> Result<Results, ReportFault> {
    let (mut results, mut plan, mut next) = (Vec::new(), None, 1);
    for line in text.lines().map(str::trim_end) {
        if line.starts_with("Bail out!") {
            return Err(not_whole(line));
        }
        if let Some(last) = line.strip_prefix("1..").and_then(|rest| rest.split([' ', '#']).next()?.parse::<u64>().ok())
        {
            if plan.replace(last).is_some() {
                return Err(not_whole("two plans"));
            }
            continue;
        }
        let (passed, rest) = match (word(line, "ok"), word(line, "not ok")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => continue,
        };
        let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let number = rest[..digits].parse().unwrap_or(next);
        next = number + 1;
        let (name, directive) = rest[digits..].split_once('#').unwrap_or((&rest[digits..], ""));
        let name = name.trim().trim_start_matches("- ").trim();
        let directive = directive.trim().to_ascii_lowercase();
        let result = match passed {
            _ if directive.starts_with("skip") || directive.starts_with("todo") => TestResult::Skipped,
            true => TestResult::Passed,
            false => TestResult::Failed,
        };
        results.push((format!("{number} {name}").trim_end().to_owned(), result));
    }
    match plan {
        Some(plan) if plan == results.len() as u64 => Ok(results),
        Some(plan) => Err(not_whole(format!("it plans {plan} tests and reports {}", results.len()))),
        None if results.is_empty() => Err(ReportFault::Missing),
        None => Err(not_whole("it has no plan")),
    }
}

/// What follows the word at the line's start.
fn word<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_need_their_plan() {
        let text = "1..3\nok 1 - add\nprinted by a test\nnot ok 2 - sub\nok 3 - mul # SKIP no mul\n";
        let results = read(text).unwrap();
        assert_eq!(
            results,
            [
                ("1 add".to_owned(), TestResult::Passed),
                ("2 sub".to_owned(), TestResult::Failed),
                ("3 mul".to_owned(), TestResult::Skipped)
            ]
        );
        assert!(matches!(read("1..3\nok 1\n"), Err(ReportFault::NotWhole { .. })));
        assert!(matches!(read("ok 1\nok 2\n"), Err(ReportFault::NotWhole { .. })));
        assert!(matches!(read("1..1\nok 1\n1..1\n"), Err(ReportFault::NotWhole { .. })));
        assert!(matches!(read("1..2\nok 1\nBail out! no\n"), Err(ReportFault::NotWhole { .. })));
        assert_eq!(read("okay\n"), Err(ReportFault::Missing));
    }
}
