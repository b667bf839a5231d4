//! Reports of lines that are like given patterns.

use super::{Reading, ReportFault, Results, TestResult, not_whole};

/// Reads the lines that pass and fail, and looks for the one that ends the report.
pub fn read(reading: &Reading, text: &str) -> Result<Results, ReportFault> {
    let mut results = Results::new();
    let mut ends = 0;
    for line in text.lines().map(str::trim_end) {
        if reading.end.as_ref().is_some_and(|end| end.matches(line)) {
            ends += 1;
        }
        // What could be either is a failure.
        if let Some(test) = reading.fail.iter().find_map(|pattern| pattern.test_in(line)) {
            results.push((test.to_owned(), TestResult::Failed));
        } else if let Some(test) = reading.pass.iter().find_map(|pattern| pattern.test_in(line)) {
            results.push((test.to_owned(), TestResult::Passed));
        }
    }
    match &reading.end {
        Some(end) if ends != 1 => Err(not_whole(format!("the line that ends it (`{end}`) is there {ends} times"))),
        _ => Ok(results),
    }
}
