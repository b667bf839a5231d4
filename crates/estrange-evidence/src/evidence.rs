//! The evidence `same-code` for many functions of one file.
//!
//! Where a function's code differs, the reasons that are known are tried: the unit's text is changed so that the
//! reason is gone, and compiled again. Only if the code is the same then is the difference explained.

use estrange_words::Language;
use serde::{Deserialize, Serialize};

use crate::assembly::Assembly;
use crate::batch::Compiled;
use crate::gcc::{Gcc, GccError, Level};
use crate::original::Original;
use crate::same_code::{SameCode, Why, same_code};

/// A function whose code is to be compared.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The function, as the linker knows it.
    pub symbol: &'a str,
    /// Its unit.
    pub unit: Text<'a>,
    /// Its unit with code for the function even if nothing calls it: what counts where the unit has none.
    pub used: Option<&'a str>,
    /// Its linked unit, if there is one: its code counts where the unit's differs.
    pub linked: Option<Text<'a>>,
    /// Where the function stands in its project, if its code may hold that (`__LINE__`, `__FILE__`, `assert`).
    pub place: Option<FileLine<'a>>,
}

/// A whole text that has the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text<'a> {
    /// The text.
    pub text: &'a str,
    /// The line, from 1, at which the function's definition begins.
    pub line: usize,
}

/// Where a function's definition begins in its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileLine<'a> {
    /// The file, in the words in which it was given to [`Original::compile`], or by which it was included.
    pub file: &'a str,
    /// The line, from 1.
    pub line: usize,
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

    /// The compiler's words, if the unit does not compile.
    pub fn refused(&self) -> Option<&str> {
        self.o0.as_ref().err().or(self.o2.as_ref().err()).map(String::as_str)
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
        // What does not compile at one level does not at another.
        let compiles: Vec<Question<'_>> =
            questions.iter().zip(&o0).filter(|(_, found)| found.is_ok()).map(|(question, _)| *question).collect();
        let mut o2 = self.compared(language, Level::O2, flags, &original.o2, &compiles)?.into_iter();
        let pair = |o0: Result<SameCode, String>| {
            let refused = o0.as_ref().err().cloned();
            let o2 = refused.map_or_else(|| o2.next(), |messages| Some(Err(messages)));
            // There is one for each that compiles.
            Evidence { o0, o2: o2.unwrap_or_else(|| Err(String::new())) }
        };
        Ok(o0.into_iter().map(pair).collect())
    }

    /// One level of [`Gcc::evidence`].
    pub fn compared(
        &self,
        language: Language,
        level: Level,
        flags: &[String],
        original: &Assembly,
        questions: &[Question<'_>],
    ) -> Result<Vec<Result<SameCode, String>>, GccError> {
        let units: Vec<&str> = questions.iter().map(|question| question.unit.text).collect();
        let mut compiled = self.compile(language, level, flags, &units)?;
        let questions = self.used(language, level, flags, questions, &mut compiled)?;
        let mut attempts = Vec::new();
        let mut verdicts = Vec::with_capacity(questions.len());
        for (index, (unit, question)) in compiled.into_iter().zip(&questions).enumerate() {
            let (verdict, unit) = verdict(unit, original, question.symbol);
            if let (Ok(SameCode::Different { .. }), Some(unit)) = (&verdict, unit) {
                let mut reasons = Reasons::of(language, question, &unit);
                reasons.attempts.reverse();
                attempts.push((index, reasons.attempts));
            }
            verdicts.push(verdict);
        }
        // One attempt for each that is left, until none has any.
        while !attempts.is_empty() {
            let round: Vec<(usize, Attempt)> =
                attempts.iter_mut().filter_map(|(index, left)| Some((*index, left.pop()?))).collect();
            let units: Vec<&str> = round.iter().map(|(_, attempt)| attempt.text.as_str()).collect();
            let compiled = self.compile(language, level, flags, &units)?;
            for ((index, attempt), unit) in round.into_iter().zip(compiled) {
                if verdict(unit, original, questions[index].symbol).0 == Ok(SameCode::Same) {
                    verdicts[index] = Ok(SameCode::Explained { why: attempt.why });
                }
            }
            attempts
                .retain(|(index, left)| !left.is_empty() && matches!(verdicts[*index], Ok(SameCode::Different { .. })));
        }
        Ok(verdicts)
    }
}

impl Gcc {
    /// Compiles those units again that have no code for their function, with what gives them code. Where that is accepted, it
    /// takes the place of the unit.
    fn used<'a>(
        &self,
        language: Language,
        level: Level,
        flags: &[String],
        questions: &[Question<'a>],
        compiled: &mut [Compiled],
    ) -> Result<Vec<Question<'a>>, GccError> {
        let mut questions = questions.to_vec();
        let has_none = |question: &Question<'_>, compiled: &Compiled| {
            let label = format!("{}:", question.symbol);
            compiled.assembly().is_some_and(|assembly| !assembly.lines().any(|line| line == label))
        };
        let open: Vec<(usize, &str)> = (0..questions.len())
            .filter(|index| has_none(&questions[*index], &compiled[*index]))
            .filter_map(|index| Some((index, questions[index].used?)))
            .collect();
        let texts: Vec<&str> = open.iter().map(|(_, text)| *text).collect();
        for ((index, text), again) in open.iter().zip(self.compile(language, level, flags, &texts)?) {
            if again.accepted() {
                compiled[*index] = again;
                questions[*index].unit.text = text;
            }
        }
        Ok(questions)
    }
}

fn verdict(unit: Compiled, original: &Assembly, symbol: &str) -> (Result<SameCode, String>, Option<Assembly>) {
    match unit {
        Compiled::Accepted { assembly } => {
            let unit = Assembly::parse(assembly);
            (Ok(same_code(original, &unit, symbol)), Some(unit))
        }
        Compiled::Refused { messages } => (Err(messages), None),
        Compiled::Ended { how } => (Err(how), None),
    }
}

/// A text in which some reasons for a difference are gone.
struct Attempt {
    why: Vec<Why>,
    text: String,
}

/// What to try for one function, the simplest first.
struct Reasons {
    attempts: Vec<Attempt>,
}

impl Reasons {
    fn of(language: Language, question: &Question<'_>, unit: &Assembly) -> Self {
        let mut attempts = Vec::new();
        let variables = if language == Language::C { unit.variables_of(question.symbol) } else { Vec::new() };
        let texts = [(Vec::new(), Some(question.unit)), (vec![Why::Definitions], question.linked)];
        for (why, text) in texts.into_iter().filter_map(|(why, text)| Some((why, text?))) {
            for with_addresses in [false, true] {
                for with_place in [false, true] {
                    let mut why = why.clone();
                    let mut changed = text.text.to_owned();
                    if with_place {
                        let Some(place) = question.place else { continue };
                        why.push(Why::Place);
                        changed = placed(&changed, text.line, place);
                    }
                    if with_addresses {
                        if variables.is_empty() {
                            continue;
                        }
                        why.push(Why::AddressTaken);
                        changed.push_str(&addresses(&variables));
                    }
                    if !why.is_empty() {
                        attempts.push(Attempt { why, text: changed });
                    }
                }
            }
        }
        Self { attempts }
    }
}

/// The text, which from the function on says of itself that it stands in the project's file.
fn placed(text: &str, line: usize, place: FileLine<'_>) -> String {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let file = place.file.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{}#line {} \"{file}\"\n{}", &text[..start], place.line, &text[start..])
}

/// Functions that take the addresses of these variables.
fn addresses(variables: &[&str]) -> String {
    let one = |(index, name)| format!("\nvoid *estrange_address_{index}(void) {{ return (void *) &{name}; }}\n");
    variables.iter().enumerate().map(one).collect()
}
