//! Function mode: an answer is held against the function, on inputs that were found before. No test suite is needed, and
//! what was found for a function is kept: grading another answer searches nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use estrange_diagnosis::{diagnose, read};
use estrange_evidence::{Gcc, GccError};
use estrange_oracle::{Grade, Kept, Oracle, OracleError, Settings, Subject, Untestable, Variant};
use estrange_sandbox::{ToolError, Workshop};
use estrange_store::{Keep, Store, key};
use estrange_unit::Parser;
use estrange_words::{End, Hint, Language, Mistake, Outcome};

/// A function that answers are held against.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// Its linked unit.
    pub unit: &'a str,
    /// Its plain name.
    pub name: &'a str,
    /// Where it stands in the unit.
    pub place: (usize, usize),
    /// Its language.
    pub language: Language,
    /// What compilers are told besides the language.
    pub flags: &'a [String],
}

impl Target<'_> {
    /// Where it stands in the unit.
    pub fn range(&self) -> Range<usize> {
        self.place.0..self.place.1
    }
}

/// Code to be graded: a whole unit with an answer in it.
#[derive(Debug, Clone)]
pub struct Submission<'a> {
    /// The unit.
    pub text: String,
    /// What the function is called in it.
    pub name: &'a str,
    /// Old names and new ones, where it is not in those of the original.
    pub names: &'a BTreeMap<String, String>,
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Graded {
    /// In a word.
    pub outcome: Outcome,
    /// How a call ended that shows it.
    pub end: Option<End>,
    /// The mistake for which gcc does not compile it, and for which clang does not.
    pub mistakes: [Option<Mistake>; 2],
    /// What the compiler or the linker said, or what was seen: the call, what the function does, what the answer does.
    pub detail: Option<String>,
    /// Steps for each of the function's, where it passes.
    pub steps: Option<f64>,
    /// Bytes that it leaves in use beyond the function's, where it passes.
    pub left: Option<u32>,
    /// How it ends where memory is short and the function ends well, if that is a fault.
    pub short_of_memory: Option<End>,
}

impl Graded {
    /// An outcome and nothing else.
    pub fn plain(outcome: Outcome, detail: Option<String>) -> Self {
        Self { outcome, end: None, mistakes: [None, None], detail, steps: None, left: None, short_of_memory: None }
    }
}

/// Why nothing can be graded.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    /// The oracle.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// gcc.
    #[error(transparent)]
    Gcc(#[from] GccError),
    /// A compiler cannot be started.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// Files.
    #[error("the grader's folder cannot be used: {0}")]
    Folder(#[from] std::io::Error),
}

impl Hint for GradeError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Oracle(error) => error.hint(),
            Self::Gcc(error) => error.hint(),
            Self::Tool(error) => error.hint(),
            Self::Folder(_) => Some("free some space, or name another folder with --cache".into()),
        }
    }
}

/// Grades answers against functions.
#[derive(Debug)]
pub struct Functions {
    oracle: Oracle,
    gcc: Gcc,
    workshop: Workshop,
    store: Option<Store>,
    seed: u64,
}

/// What is kept of a function: what it takes to grade answers, or why it cannot be run.
type Prepared = Result<Kept, Untestable>;

impl Functions {
    /// A grader that works in a workshop and keeps what it finds in a store, if there is one.
    ///
    /// # Errors
    /// When a tool is missing.
    pub fn new(jobs: usize, workshop: &Workshop, store: Option<Store>, seed: u64) -> Result<Self, GradeError> {
        let parser = Arc::new(Parser::new(jobs, workshop)?);
        let oracle = Oracle::new(workshop, parser, Settings::default())?;
        Ok(Self { oracle, gcc: Gcc::find(workshop)?, workshop: workshop.clone(), store, seed })
    }

    /// What it takes to grade answers against a function: from the store, or found now.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn prepared(&self, target: Target<'_>) -> Result<Prepared, GradeError> {
        let key = self.key(target);
        if let Some(prepared) = self.store.as_ref().and_then(|store| store.get(&key)) {
            return Ok(prepared);
        }
        let prepared = match self.oracle.original(&self.subject(target))? {
            Ok(prepared) => prepared.keep()?,
            Err(reason) => Err(reason),
        };
        if let Some(store) = &self.store
            && may_be_kept(&prepared) == Keep::Yes
            && let Err(error) = store.put(&key, &prepared)
        {
            tracing::info!(%error, "what was found for a function is not kept");
        }
        Ok(prepared)
    }

    fn subject<'a>(&self, target: Target<'a>) -> Subject<'a> {
        let Target { unit, name, place, language, flags } = target;
        Subject { text: unit, function: name, at: Some(place.0), language, flags, seed: self.seed }
    }

    fn key(&self, target: Target<'_>) -> String {
        let Target { unit, name, place, language, flags } = target;
        key(
            "reference",
            &[
                crate::VERSION.as_bytes(),
                estrange_oracle::VERSION.as_bytes(),
                self.gcc.version().as_bytes(),
                unit.as_bytes(),
                name.as_bytes(),
                &place.0.to_le_bytes(),
                language.as_str().as_bytes(),
                flags.join("\0").as_bytes(),
                &self.seed.to_le_bytes(),
            ],
        )
    }

    /// What becomes of answers, in their order.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn graded(
        &self,
        target: Target<'_>,
        kept: &Kept,
        submissions: &[Submission<'_>],
    ) -> Result<Vec<Graded>, GradeError> {
        if submissions.is_empty() {
            return Ok(Vec::new());
        }
        let reference = match self.oracle.reference(&self.subject(target), kept)? {
            Ok(reference) => reference,
            Err(reason) => {
                return Ok(vec![Graded::plain(Outcome::NotRun, Some(reason.to_string())); submissions.len()]);
            }
        };
        let variants: Vec<Variant<'_>> = submissions
            .iter()
            .map(|one| Variant { text: &one.text, function: one.name, names: one.names, known: &[] })
            .collect();
        let grades = reference.grade(&variants)?;
        submissions.iter().zip(grades).map(|(one, grade)| self.said(target, one, grade)).collect()
    }

    fn said(&self, target: Target<'_>, one: &Submission<'_>, grade: Grade) -> Result<Graded, GradeError> {
        Ok(match grade {
            Grade::Same(quality) => Graded {
                steps: Some(quality.steps),
                left: Some(quality.left),
                short_of_memory: quality.short_of_memory,
                ..Graded::plain(Outcome::Passed, None)
            },
            Grade::Differs(difference) => {
                let end = difference.new_end;
                let told = format!(
                    "{}\n{}: {} by the function, {} by the answer",
                    difference.call.trim_end(),
                    difference.seen,
                    short(&difference.old, difference.old_end),
                    short(&difference.new, end),
                );
                Graded { end: Some(end), ..Graded::plain(outcome(end), Some(told)) }
            }
            Grade::Refused(messages) => {
                let refused = Graded::plain(Outcome::DoesNotCompile, Some(messages));
                self.diagnosed(target, one, refused, "")?
            }
            Grade::Unlinked(messages) => {
                let refused = Graded::plain(Outcome::DoesNotLink, Some(messages.clone()));
                self.diagnosed(target, one, refused, &messages)?
            }
            Grade::Untestable(reason) => Graded::plain(Outcome::NotRun, Some(reason.to_string())),
        })
    }

    /// The same with what both compilers say of the unit alone.
    fn diagnosed(
        &self,
        target: Target<'_>,
        one: &Submission<'_>,
        refused: Graded,
        linker: &str,
    ) -> Result<Graded, GradeError> {
        let folder = self.workshop.folder("grade-")?;
        let source = folder.path().join("answer");
        std::fs::write(&source, &one.text)?;
        let words = |driver: &str| -> Result<String, ToolError> {
            let output = self
                .gcc
                .tool(driver)
                .works_in(folder.path())
                .arguments(["-fsyntax-only", "-fdiagnostics-color=never"])
                .arguments(target.flags)
                .arguments(["-x", target.language.as_str()])
                .argument(&source)
                .run()?;
            Ok(String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let by_gcc = words(if target.language == Language::C { "gcc" } else { "g++" })?;
        let by_clang = words(CLANG)?;
        let mistake = |said: &str| diagnose(&read(&format!("{said}\n{linker}"))).map(|diagnosed| diagnosed.mistake);
        let detail =
            if by_gcc.trim().is_empty() { refused.detail } else { Some(without_folder(&by_gcc, folder.path())) };
        Ok(Graded { mistakes: [mistake(&by_gcc), mistake(&by_clang)], detail, ..refused })
    }
}

const CLANG: &str = "clang-19";

/// What a compiler said, without the folder that the file was in.
fn without_folder(said: &str, folder: &std::path::Path) -> String {
    said.replace(&format!("{}/", folder.display()), "")
}

/// What failed for reasons outside of the function is tried again.
fn may_be_kept(prepared: &Prepared) -> Keep {
    match prepared {
        Err(Untestable::Harness(_)) => Keep::No,
        _ => Keep::Yes,
    }
}

fn short(value: &str, end: End) -> String {
    match (value.trim(), end) {
        ("", End::Returned) => "nothing".to_owned(),
        ("", end) => end.to_string(),
        (value, _) => value.to_owned(),
    }
}

/// What an end of an answer is, where the function ended well and the two differ.
fn outcome(end: End) -> Outcome {
    match end {
        End::Returned | End::Threw => Outcome::WrongResult,
        End::Aborted | End::Exited | End::Died => Outcome::EndedEarly,
        End::Endless | End::StackExhausted => Outcome::Endless,
        end if end.is_fault() => Outcome::Fault,
        _ => Outcome::NotRun,
    }
}
