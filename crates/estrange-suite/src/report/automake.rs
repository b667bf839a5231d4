//! The `.trs` files of automake's parallel test harness.

use super::{ReportFault, Results, TestResult, not_whole};

/// Reads one file: one line `:test-result:` of most tests, more where a driver understands a protocol.
pub fn read(path: &str, text: &str) -> Result<Results, ReportFault> {
    let test = path.strip_suffix(".trs").unwrap_or(path);
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(":test-result:")).map(str::trim).collect();
    let whole = text.lines().any(|line| line.starts_with(":global-test-result:"));
    if lines.is_empty() || !whole {
        return Err(not_whole(format!("{path} has no result")));
    }
    let mut results = Results::new();
    for line in &lines {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let result = match word {
            "PASS" | "XFAIL" => TestResult::Passed,
            "SKIP" => TestResult::Skipped,
            "FAIL" | "XPASS" | "ERROR" => TestResult::Failed,
            _ => return Err(ReportFault::Unreadable { why: format!("{path}: {line}") }),
        };
        let name = if lines.len() == 1 { test.to_owned() } else { format!("{test}: {}", rest.trim()) };
        results.push((name, result));
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_one_test_or_several() {
        let one = ":test-result: PASS\n:global-test-result: PASS\n:recheck: no\n:copy-in-global-log: no\n";
        assert_eq!(read("tests/add.trs", one).unwrap(), [("tests/add".to_owned(), TestResult::Passed)]);
        let two = ":test-result: PASS 1 a\n:test-result: FAIL 2 b\n:global-test-result: FAIL\n";
        assert_eq!(read("t.trs", two).unwrap()[1], ("t: 2 b".to_owned(), TestResult::Failed));
        assert!(matches!(read("t.trs", ":test-result: PASS\n"), Err(ReportFault::NotWhole { .. })));
    }
}
