//! The evidence `same-code` for many functions of one file.

use serde::{Deserialize, Serialize};

use crate::assembly::Assembly;
use crate::batch::Compiled;
use crate::gcc::{Gcc, GccError, Language, Level};
use crate::original::Original;
use crate::same_code::{SameCode, Why, same_code};

/// A function whose code is to be compared.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The unit's text.
    pub unit: &'a str,
    /// The function, as the linker knows it.
    pub symbol: &'a str,
    /// Where the function begins on both sides, if its code may hold its own place (`__LINE__`, `__FILE__`, `assert`).
    pub place: Option<Place<'a>>,
}

/// Where a function's definition begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// Its first line in the unit, from 1.
    pub unit_line: usize,
    /// Its first line in the project's file, from 1.
    pub line: usize,
    /// The project's file, in the words in which it was given to [`Original::compile`] or included.
    pub file: &'a str,
}

/// What was found of one function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Its code without optimisation; the compiler's words if the unit does not compile.
    pub o0: Result<SameCode, String>,
    /// Its code with `-O2`.
    pub o2: Result<SameCode, String>,
}

impl Evidence {
    /// Whether the code is the same at both levels, as it stands or for a reason that was checked.
    pub fn holds(&self) -> bool {
        let holds = |one: &Result<SameCode, String>| matches!(one, Ok(SameCode::Same | SameCode::Explained { .. }));
        holds(&self.o0) && holds(&self.o2)
    }
}

impl Gcc {
    /// Compiles the units with `flags` (see [`crate::unit_flags`]), and compares each one's function with the original.
    ///
    /// This is the gate by gcc as well: a unit that does not compile has the compiler's messages instead.
    pub fn evidence(
        &self,
        language: Language,
        flags: &[String],
        original: &Original,
        questions: &[Question<'_>],
    ) -> Result<Vec<Evidence>, GccError> {
        let o0 = self.compared(language, Level::O0, flags, &original.o0, questions)?;
        let o2 = self.compared(language, Level::O2, flags, &original.o2, questions)?;
        Ok(o0.into_iter().zip(o2).map(|(o0, o2)| Evidence { o0, o2 }).collect())
    }

    /// One level of [`Gcc::evidence`].
    fn compared(
        &self,
        language: Language,
        level: Level,
        flags: &[String],
        original: &Assembly,
        questions: &[Question<'_>],
    ) -> Result<Vec<Result<SameCode, String>>, GccError> {
        let units: Vec<&str> = questions.iter().map(|question| question.unit).collect();
        let compiled = self.compile(language, level, flags, &units)?;
        let mut verdicts: Vec<Result<SameCode, String>> = compiled
            .into_iter()
            .zip(questions)
            .map(|(unit, question)| verdict(unit, original, question.symbol))
            .collect();
        // What differs and may hold its own place is compiled once more, as if it stood in its project's place.
        let again: Vec<(usize, String)> = questions
            .iter()
            .enumerate()
            .filter(|(index, _)| matches!(verdicts[*index], Ok(SameCode::Different { .. })))
            .filter_map(|(index, question)| Some((index, placed(question.unit, question.place?))))
            .collect();
        let units: Vec<&str> = again.iter().map(|(_, unit)| unit.as_str()).collect();
        let compiled = self.compile(language, level, flags, &units)?;
        for ((index, _), unit) in again.iter().zip(compiled) {
            if verdict(unit, original, questions[*index].symbol) == Ok(SameCode::Same) {
                verdicts[*index] = Ok(SameCode::Explained { why: Why::Place });
            }
        }
        Ok(verdicts)
    }
}

fn verdict(unit: Compiled, original: &Assembly, symbol: &str) -> Result<SameCode, String> {
    match unit {
        Compiled::Accepted { assembly } => Ok(same_code(original, &Assembly::parse(assembly), symbol)),
        Compiled::Refused { messages } => Err(messages),
        Compiled::Ended { how } => Err(how),
    }
}

/// The unit's text, which from the function on says of itself that it stands in the project's file.
fn placed(unit: &str, place: Place<'_>) -> String {
    let start: usize = unit.split_inclusive('\n').take(place.unit_line.saturating_sub(1)).map(str::len).sum();
    let file = place.file.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{}#line {} \"{file}\"\n{}", &unit[..start], place.line, &unit[start..])
}
