//! What programs print that were made with GoogleTest.

use super::{ReportFault, Results, TestResult, not_whole};

/// Reads every test that began, its result, and the line that closes a program's run.
pub fn read(text: &str) -> Result<Results, ReportFault> {
    let (mut results, mut running, mut open, mut planned, mut of_program) = (Results::new(), None, 0, 0, 0);
    for line in text.lines() {
        let mark = |mark: &str| line.strip_prefix(mark).map(str::trim);
        if let Some(rest) = mark("[==========]") {
            let count = rest.split(' ').nth(1).and_then(|word| word.parse::<u64>().ok());
            match count {
                Some(count) if rest.starts_with("Running ") => {
                    open += 1;
                    planned = count;
                    of_program = 0;
                }
                _ if rest.contains(" ran.") => {
                    if of_program != planned {
                        return Err(not_whole(format!("{planned} tests were to run and {of_program} did")));
                    }
                    open -= 1;
                }
                _ => {}
            }
        } else if let Some(rest) = mark("[ RUN      ]") {
            if let Some(test) = running.replace(rest.to_owned()) {
                return Err(not_whole(format!("the test {test} began and did not end")));
            }
        } else if let Some((rest, result)) = (mark("[       OK ]").map(|rest| (rest, TestResult::Passed)))
            .or_else(|| mark("[  FAILED  ]").map(|rest| (rest, TestResult::Failed)))
            .or_else(|| mark("[  SKIPPED ]").map(|rest| (rest, TestResult::Skipped)))
        {
            // The list of failed tests at the end looks alike, and no test is running then.
            let Some(test) = running.take() else { continue };
            if !rest.starts_with(&test) {
                return Err(not_whole(format!("while {test} ran, another result was reported: {rest}")));
            }
            of_program += 1;
            results.push((test, result));
        }
    }
    match (running, open) {
        (Some(test), _) => Err(not_whole(format!("the test {test} began and did not end"))),
        (None, 0) => Ok(results),
        _ => Err(not_whole("a program's run was not closed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "[==========] Running 2 tests from 1 test suite.\n[ RUN      ] A.one\n[       OK ] A.one (0 ms)\n\
        [ RUN      ] A.two\nx.cpp:3: Failure\n[  FAILED  ] A.two (0 ms)\n[==========] 2 tests from 1 test suite ran. (0 ms \
        total)\n[  PASSED  ] 1 test.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.two\n";

    #[test]
    fn every_test_begins_and_ends() {
        let results = read(WHOLE).unwrap();
        assert_eq!(results, [("A.one".to_owned(), TestResult::Passed), ("A.two".to_owned(), TestResult::Failed)]);
        let cut = &WHOLE[..WHOLE.find("[ RUN      ] A.two").unwrap()];
        assert!(matches!(read(cut), Err(ReportFault::NotWhole { .. })));
        let forged = WHOLE.replace("x.cpp:3: Failure", "[       OK ] A.other (0 ms)");
        assert!(matches!(read(&forged), Err(ReportFault::NotWhole { .. })));
    }
}
