//! What a function must show before it is a task: its own text passes, and its tests notice when it does nothing.

use std::ops::Range;

use estrange_words::{Language, words};
use serde::{Deserialize, Serialize};

use crate::edit::Replacement;
use crate::error::GradeError;
use crate::grade::{Grade, Graded, RunResult, Runs};
use crate::mapping::Tests;
use crate::stub;
use crate::suite::Suite;

/// A function of a project: where its definition stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The path of its file in the tree.
    pub path: String,
    /// The bytes of its definition, from its first token to the end of its body.
    pub range: Range<usize>,
    /// Its name, without what qualifies it.
    pub name: String,
    /// What it is written in.
    pub language: Language,
}

words! {
    /// Why a function is no task in project mode.
    pub enum Shut {
        /// None of its tests passes untouched each time.
        NoTests = "no-tests",
        /// Its own text, put in its place, does not pass in every run.
        GoldFails = "gold-fails",
        /// Its own text, put in its place, passes, and there is a reason not to believe it.
        GoldNotBelieved = "gold-not-believed",
        /// No stub of it could be made that compiles.
        NoStub = "no-stub",
        /// Its tests pass though it does nothing.
        Unnoticed = "unnoticed",
        /// Its tests fail in some runs only, where it does nothing.
        NoticedByChance = "noticed-by-chance",
        /// Its tests pass though it does nothing, and something else shows that it does.
        NoOpNotBelieved = "no-op-not-believed",
    }
}

/// What the gates say of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gated {
    /// Why it is no task; nothing if it is one.
    pub shut: Option<Shut>,
    /// What came of its own text, if it was tried.
    pub gold: Option<Graded>,
    /// What came of a stub, if it was tried.
    pub no_op: Option<Graded>,
    /// The stub that compiled.
    pub stub: Option<String>,
}

impl Suite {
    /// Holds a function against both gates, by these tests.
    pub fn gates(&self, place: &Place, tests: &Tests, runs: Runs) -> Result<Gated, GradeError> {
        let mut gated = Gated { shut: None, gold: None, no_op: None, stub: None };
        let text = self.text_of(place)?;
        match self.gold(&[place.filled_with(&text)], tests, runs) {
            Err(GradeError::NoTests) => gated.shut = Some(Shut::NoTests),
            Err(error) => return Err(error),
            Ok((shut, gold)) => (gated.shut, gated.gold) = (shut, Some(gold)),
        }
        if gated.shut.is_none() {
            (gated.shut, gated.stub, gated.no_op) = self.no_op(place, tests, runs)?;
        }
        Ok(gated)
    }

    /// The gate of the reference: texts that are known to be right, such as the project's own or a rewrite of it, must pass
    /// in all runs.
    pub fn gold(
        &self,
        replacements: &[Replacement],
        tests: &Tests,
        runs: Runs,
    ) -> Result<(Option<Shut>, Graded), GradeError> {
        let gold = self.grade(replacements, tests, runs)?;
        let shut = match gold.grade {
            Grade::Passed => None,
            Grade::NotBelieved => Some(Shut::GoldNotBelieved),
            _ => Some(Shut::GoldFails),
        };
        Ok((shut, gold))
    }

    /// The gate of the stub: a function that does nothing must be noticed in all runs. Beside the answer come the stub that
    /// compiled, and what came of it.
    #[allow(clippy::type_complexity)]
    pub fn no_op(
        &self,
        place: &Place,
        tests: &Tests,
        runs: Runs,
    ) -> Result<(Option<Shut>, Option<String>, Option<Graded>), GradeError> {
        let text = self.text_of(place)?;
        let mut refused = None;
        for stub in stub::stubs(&text, &place.name, place.language) {
            let graded = self.grade(&[place.filled_with(&stub)], tests, runs)?;
            if matches!(graded.grade, Grade::DoesNotCompile | Grade::DoesNotLink) {
                refused.get_or_insert(graded);
                continue;
            }
            return Ok((unnoticed(&graded), Some(stub), Some(graded)));
        }
        Ok((Some(Shut::NoStub), None, refused))
    }

    /// The text of a function as it came.
    pub fn text_of(&self, place: &Place) -> Result<String, GradeError> {
        let bytes = self.original(&place.path)?;
        let bytes = bytes.get(place.range.clone());
        let bytes =
            bytes.ok_or_else(|| GradeError::NoRange { path: place.path.clone(), range: place.range.clone() })?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}

impl Place {
    /// Its replacement by a text.
    pub fn filled_with(&self, text: &str) -> Replacement {
        Replacement { path: self.path.clone(), range: self.range.clone(), text: text.to_owned() }
    }
}

/// Why a stub was not noticed, or nothing if it was.
fn unnoticed(graded: &Graded) -> Option<Shut> {
    let notices = |result: RunResult| matches!(result, RunResult::Failed | RunResult::Crashed | RunResult::TimedOut);
    let noticed = graded.runs.iter().filter(|run| notices(run.result)).count();
    match graded.grade {
        Grade::Passed | Grade::NotBuilt => Some(Shut::Unnoticed),
        Grade::NotBelieved => Some(Shut::NoOpNotBelieved),
        _ if noticed == graded.runs.len() => None,
        _ => Some(Shut::NoticedByChance),
    }
}
