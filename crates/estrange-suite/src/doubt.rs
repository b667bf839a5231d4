//! Why a report that says that all is well is not believed.

use serde::{Deserialize, Serialize};

use crate::report::ReportFault;
use crate::witness::Deed;

/// Why a report is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum Doubt {
    /// The report itself is not sound.
    #[error("of the report: {0}")]
    Report(ReportFault),
    /// Tests are not in it.
    #[error("{} tests are not in the report, the first is {}", tests.len(), tests[0])]
    Missing {
        /// The tests; at least one.
        tests: Vec<String>,
    },
    /// Tests are in it that the untouched project does not have.
    #[error("the project has no test {test}, and the report does")]
    Unknown {
        /// The first of them.
        test: String,
    },
    /// The tests stand in another order.
    #[error("the report has the tests in another order")]
    Order,
    /// The exit code does not go with the report.
    #[error("the report says that all passed, and the tests exited with {code}")]
    ExitCode {
        /// The code.
        code: i32,
    },
    /// A line that must be the same is another, or is not there as often.
    #[error("the tests print other lines than untouched; the first that is missing or new is {line:?}")]
    Lines {
        /// The first that is missing or new.
        line: String,
    },
    /// A program did what it does not do untouched, such as ending in another place.
    #[error("a program did what it never does untouched: {0}")]
    Deed(Deed),
    /// Processes were still there when the tests had ended.
    #[error("{count} processes were left behind")]
    Left {
        /// How many.
        count: u32,
    },
    /// The tests changed a file that they do not change untouched.
    #[error("the tests changed {path}")]
    Changed {
        /// The file.
        path: String,
    },
    /// The tests removed a file.
    #[error("the tests removed {path}")]
    Removed {
        /// The file.
        path: String,
    },
    /// The build changed a file of the source.
    #[error("the build changed {path}, which is source")]
    Source {
        /// The file.
        path: String,
    },
    /// The edit defines a symbol that other files had from elsewhere, such as a function of the C library.
    #[error("{object} defines {symbol} in the place of the one that others used")]
    TakesPlace {
        /// The object file.
        object: String,
        /// The symbol.
        symbol: String,
    },
    /// The edit lets code run before or after `main`, which the original did not.
    #[error("{object} has code that runs before or after main ({section})")]
    Hook {
        /// The object file.
        object: String,
        /// The section that says so.
        section: String,
    },
}
