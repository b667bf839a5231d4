//! An analyser of this machine: found, asked for its version, and run on units.

use std::path::PathBuf;
use std::time::Duration;

use estrange_sandbox::{ToolError, Workshop};

use crate::call::Call;
use crate::choice::{BuiltIn, Choice};
use crate::command::Command;
use crate::error::AnalyserError;
use crate::finding::{Finding, in_order};
use crate::loss::Loss;
use crate::unit::Unit;
use crate::{VERSION, clang, cppcheck, flawfinder, gcc};

/// How long one unit may take, unless it is said.
const WALL: Duration = Duration::from_secs(60);
/// How long saying a version may take.
const WALL_OF_A_VERSION: Duration = Duration::from_secs(20);

/// An analyser that is installed. It can be used from many threads at once.
#[derive(Debug, Clone)]
pub struct Analyser {
    choice: Choice,
    version: String,
    way: Way,
    workshop: Workshop,
    wall: Duration,
}

/// What is started for a unit.
#[derive(Debug, Clone)]
enum Way {
    BuiltIn(BuiltIn),
    Command(Command),
}

impl Analyser {
    /// Finds an analyser. Its runs are confined by the workshop, and their files are in folders there, which go with
    /// each run.
    pub fn find(choice: &Choice, workshop: &Workshop) -> Result<Self, AnalyserError> {
        let (version, way) = match choice {
            Choice::BuiltIn(known) => (version(*known, workshop)?, Way::BuiltIn(*known)),
            Choice::Sarif(text) => {
                let command = Command::find(text)?;
                (command.stamp.clone(), Way::Command(command))
            }
        };
        Ok(Self { choice: choice.clone(), version, way, workshop: workshop.clone(), wall: WALL })
    }

    /// The same, where one unit may take so long.
    pub fn patience(mut self, wall: Duration) -> Self {
        self.wall = wall;
        self
    }

    /// The same, whose command may also read and execute what is at these paths, under the same names. What is there is no
    /// part of the [stamp](Self::stamp). Without effect on what is built in.
    pub fn showing(mut self, paths: impl IntoIterator<Item = PathBuf>) -> Self {
        if let Way::Command(command) = &mut self.way {
            command.showing(paths);
        }
        self
    }

    /// What was chosen.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// The first line that it says of its version; of a command a hash of its words, its program and the files that they
    /// name.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Stands for everything that findings depend on besides the unit, for the keys of caches. The time limit is not in it:
    /// a [`Loss`] may be another one elsewhere.
    pub fn stamp(&self) -> String {
        format!("estrange-analyser {VERSION} {} {}", self.choice, self.version)
    }

    /// What it finds in a unit, in the order of the lines; or why there is no answer. An error means that nothing can be
    /// analysed at all.
    pub fn analyse(&self, unit: &Unit<'_>) -> Result<Result<Vec<Finding>, Loss>, AnalyserError> {
        let call = Call::new(&self.workshop, self.wall, unit)?;
        let answer = match &self.way {
            Way::BuiltIn(BuiltIn::Cppcheck) => cppcheck::analyse(&call, unit),
            Way::BuiltIn(BuiltIn::Flawfinder) => flawfinder::analyse(&call),
            Way::BuiltIn(BuiltIn::Clang) => clang::analyse(&call, unit),
            Way::BuiltIn(BuiltIn::Gcc) => gcc::analyse(&call, unit),
            Way::Command(command) => command.analyse(&call),
        };
        answer.map(|answer| answer.map(in_order))
    }
}

/// The versions of what a built-in analyser starts, each of which must be there.
fn version(known: BuiltIn, workshop: &Workshop) -> Result<String, AnalyserError> {
    let said = known.programs().iter().map(|&(program, package)| said_version(program, package, workshop));
    Ok(said.collect::<Result<Vec<_>, _>>()?.join(", "))
}

fn said_version(program: &str, package: &'static str, workshop: &Workshop) -> Result<String, AnalyserError> {
    let call = workshop.tool(program).argument("--version").environment("LC_ALL", "C.UTF-8").wall(WALL_OF_A_VERSION);
    let output = call.run().map_err(|error| match error {
        ToolError::Missing { program } => AnalyserError::Missing { program, package },
        other => AnalyserError::Tool(other),
    })?;
    match output.text().lines().next() {
        Some(line) if output.success() && !line.trim().is_empty() => Ok(line.trim().to_owned()),
        _ => {
            let said = format!("it {}: {}", output.end, output.last_words(1));
            Err(AnalyserError::NoVersion { program: program.to_owned(), said })
        }
    }
}

#[cfg(test)]
mod tests {
    use estrange_sandbox::Workshop;

    use super::said_version;
    use crate::error::AnalyserError;

    #[test]
    fn a_program_that_is_not_there_or_says_no_version_is_told() {
        let workshop = Workshop::temporary().unwrap();
        let missing = said_version("no-such-analyser", "no-such-package", &workshop).unwrap_err();
        assert!(matches!(&missing, AnalyserError::Missing { package: "no-such-package", .. }), "{missing}");
        for silent in ["false", "cat"] {
            let said = said_version(silent, "coreutils", &workshop);
            assert_eq!(matches!(said, Err(AnalyserError::NoVersion { .. })), silent == "false", "{said:?}");
        }
    }
}
