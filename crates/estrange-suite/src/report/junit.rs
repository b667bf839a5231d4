//! JUnit's XML, as CTest and many other test runners write it.

use super::xml::{Event, Xml};
use super::{ReportFault, Results, TestResult, not_whole};

/// Reads every `testcase`. A report is whole if its elements are closed, and it has as many tests as it says.
pub fn read(text: &str) -> Result<Results, ReportFault> {
    let unreadable = |why: &str| ReportFault::Unreadable { why: why.to_owned() };
    let mut results = Results::new();
    let mut current: Option<(String, TestResult)> = None;
    let mut said: Vec<u64> = Vec::new();
    let mut depth = 0;
    for event in Xml::new(text) {
        match event.map_err(|why| unreadable(&why))? {
            Event::Open { name, attributes, closed } => {
                let value =
                    |name: &str| attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
                match name {
                    "testsuite" => said.extend(value("tests").and_then(|count| count.parse::<u64>().ok())),
                    "testcase" => {
                        let test = value("name").ok_or_else(|| unreadable("a test has no name"))?;
                        let class = value("classname").filter(|class| *class != test && !class.is_empty());
                        let test = class.map_or(test.to_owned(), |class| format!("{class}.{test}"));
                        let result = match value("status").unwrap_or("run") {
                            "fail" => TestResult::Failed,
                            "notrun" | "disabled" | "skipped" => TestResult::Skipped,
                            _ => TestResult::Passed,
                        };
                        match closed {
                            true => results.push((test, result)),
                            false => current = Some((test, result)),
                        }
                    }
                    "failure" | "error" => {
                        if let Some((_, result)) = &mut current {
                            *result = TestResult::Failed;
                        }
                    }
                    "skipped" => {
                        if let Some((_, result)) = &mut current {
                            *result = TestResult::Skipped;
                        }
                    }
                    _ => {}
                }
                depth += i64::from(!closed);
            }
            Event::Close { name } => {
                depth -= 1;
                if name == "testcase" {
                    results.extend(current.take());
                }
            }
        }
    }
    let sum = results.len() as u64;
    match depth {
        // Suites may lie in each other, and then the outer one counts all.
        0 if said.is_empty() || said.iter().sum::<u64>() == sum || said.contains(&sum) => Ok(results),
        0 => Err(not_whole(format!("it has {sum} tests and says {said:?}"))),
        _ => Err(not_whole("an element is not closed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "<?xml version=\"1.0\"?>\n<testsuite name=\"(empty)\" tests=\"3\"><testcase name=\"a&lt;1\" \
        classname=\"a&lt;1\" status=\"run\"><properties/><system-out>&lt;testcase name=&quot;z&quot;/&gt;</system-out></testcase>\
        <testcase name=\"b\" status=\"fail\"><failure message=\"\"/></testcase><testcase name=\"c\" \
        status=\"notrun\"><skipped/></testcase></testsuite>";

    #[test]
    fn cases_are_results_and_what_a_test_prints_is_not() {
        let results = read(WHOLE).unwrap();
        assert_eq!(
            results,
            [
                ("a<1".to_owned(), TestResult::Passed),
                ("b".to_owned(), TestResult::Failed),
                ("c".to_owned(), TestResult::Skipped)
            ]
        );
        assert!(matches!(read(&WHOLE.replace("tests=\"3\"", "tests=\"4\"")), Err(ReportFault::NotWhole { .. })));
        assert!(read(&WHOLE[..WHOLE.len() - 12]).is_err());
    }
}
