//! Whether a call uses what was never written: one input as a program of its own, under clang's memory sanitizer. It has to
//! see everything that is written, and of the harness's own runtime it sees nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use estrange_sandbox::{Command, End as Exit, Limits, Sanitizer};
use estrange_words::{End, Language};
use tempfile::TempDir;

use crate::engine::{CLANG, HARNESS, UNIT};
use crate::oracle::{OracleError, Variant};
use crate::program::BuildError;
use crate::replay::{Fitted, Place, Replay};
use crate::standalone::NotStandalone;

/// Variables keep what was there: what never got a value must not get one here.
const FLAGS: &[&str] = &[
    "-O0",
    "-g",
    "-w",
    "-fno-pie",
    "-no-pie",
    "-fno-omit-frame-pointer",
    "-fsanitize=memory",
    "-fno-sanitize-recover=all",
    "-U_FORTIFY_SOURCE",
    "-fno-access-control",
];

/// The code that the lines of the harness end a program with that cannot make its input.
const NOT_MADE: i32 = 99;

/// The same to the sandbox, and in what the sanitizer says.
const PROGRAM: &str = "/input/program";

/// The signal of `abort`.
const ABORT: i32 = 6;

/// Why the memory sanitizer cannot look.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unwatchable {
    /// A plain program cannot make the input.
    #[error(transparent)]
    NotStandalone(#[from] NotStandalone),
    /// The compiler does not take the text.
    #[error("it does not compile: {0}")]
    Refused(String),
}

/// A function or a rewrite with one input, under the memory sanitizer.
#[derive(Debug)]
pub struct Watched<'r> {
    replay: &'r Replay<'r>,
    folder: TempDir,
}

impl Replay<'_> {
    /// Builds the function, or a rewrite of it, for one input.
    ///
    /// # Errors
    /// When the oracle itself cannot work. What is wrong with the text or the input is a value.
    pub fn watched(
        &self,
        rewrite: Option<&Variant<'_>>,
        input: &Fitted,
    ) -> Result<Result<Watched<'_>, Unwatchable>, OracleError> {
        let none = BTreeMap::new();
        let (text, function, names) = match rewrite {
            Some(rewrite) => (rewrite.text, rewrite.function, rewrite.names),
            None => (self.text.as_str(), self.function.as_str(), &none),
        };
        let program = match self.program(input, (function, names), "") {
            Ok(program) => program,
            Err(why) => return Ok(Err(why.into())),
        };
        let builder = &self.oracle.builder;
        let folder = builder.folder()?;
        let (source, main) = (folder.path().join("source"), folder.path().join("main"));
        std::fs::write(&source, format!("#line 1 \"{UNIT}\"\n{text}\n#line 1 \"{HARNESS}\"\n{}", program.call))?;
        std::fs::write(&main, program.input)?;
        let object = folder.path().join("main.o");
        let clang = || builder.gcc().tool(CLANG).works_in(folder.path()).arguments(FLAGS);
        let language = Language::C.as_str();
        let made = clang().arguments(["-c", "-x", language]).argument(&main).argument("-o").argument(&object).run();
        let made = made.map_err(BuildError::from)?;
        if !made.success() {
            return Ok(Err(Unwatchable::Refused(made.last_words(3))));
        }
        let output = clang()
            .arguments(&self.flags)
            .arguments(["-x", self.language.as_str()])
            .argument(&source)
            .arguments(["-x", "none"])
            .argument(&object)
            .argument("-o")
            .argument(folder.path().join("program"))
            .arguments(if self.language == Language::Cpp { &["-lstdc++", "-lm"][..] } else { &["-lm"] })
            .run()
            .map_err(BuildError::from)?;
        Ok(match output.success() {
            true => Ok(Watched { replay: self, folder }),
            false => Err(Unwatchable::Refused(output.last_words(3))),
        })
    }
}

impl Watched<'_> {
    /// Calls it: how that ends, and where what was never written is used.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn run(&self) -> Result<(End, Option<Place>), OracleError> {
        let program = self.folder.path().join("program");
        let limits = Limits { wall: Duration::from_secs(20), memory: 1 << 30, output: 1 << 20, ..Limits::default() };
        // The sanitizer needs to know where things are.
        let command = Command::new(PROGRAM).input(&program, "program").limits(limits).sanitized().fixed_addresses(true);
        let outcome = self.replay.oracle.sandbox.run(&command)?;
        let end = match outcome.end {
            Exit::Sanitizer(verdict) if verdict.sanitizer == Sanitizer::Memory => End::UninitialisedUse,
            Exit::Exited(0) => End::Returned,
            Exit::Exited(NOT_MADE) => End::Never,
            Exit::Exited(_) => End::Exited,
            Exit::Signalled(ABORT) => End::Aborted,
            Exit::TimedOut => End::Endless,
            _ => End::Died,
        };
        if end != End::UninitialisedUse {
            return Ok((end, None));
        }
        let said = String::from_utf8_lossy(&outcome.stderr);
        let place = self.replay.oracle.builder.place(&program, &frames(&said))?;
        let place = place.map(|(function, line, column)| Place {
            line,
            column: Some(column).filter(|column| *column > 0),
            function,
        });
        Ok((end, place))
    }
}

/// The addresses in the program that a sanitizer lists, from the innermost call on: `    #0 0x4c7d38  (/input/program+0xc7d38)`.
fn frames(said: &str) -> Vec<u64> {
    let frame = |line: &str| {
        let (number, rest) = line.trim_start().strip_prefix('#')?.split_once(" 0x")?;
        let is_own = rest.contains(PROGRAM) && number.parse::<u32>().is_ok();
        // It names where the call stands, and not what comes behind it.
        let address = u64::from_str_radix(rest.split_whitespace().next()?, 16).ok()?;
        is_own.then_some(address + 1)
    };
    said.lines().filter_map(frame).collect()
}

#[cfg(test)]
mod tests {
    use super::frames;

    #[test]
    fn frames_are_those_of_the_program() {
        let said = "==1==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x0000004c7d38  (/input/program+0x4c7d38) (BuildId: b)\n    \
                    #1 0x7fc11f056249  (/lib/x86_64-linux-gnu/libc.so.6+0x27249)\n";
        assert_eq!(frames(said), [0x4c_7d39]);
    }
}
