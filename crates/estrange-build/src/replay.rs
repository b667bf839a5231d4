//! Two files of a user's, run on one given input by both compilers, with the sanitizers of each.

use estrange_evidence::Compiler;
use estrange_oracle::{
    Compiled, Difference, End, Fitted, Input, Place, Ran, Replay, Subject, Untestable, Variant, Verdict,
};
use serde::Serialize;

use crate::desk::Host;
use crate::error::BuildError;
use crate::named::last_name;
use crate::single::{Check, FileError, FileRequest, Two, with_two};

/// How often each side is run: what does not repeat itself shows nothing.
const TIMES: usize = 5;

/// What one compiler's programs did on an input.
#[derive(Debug, Clone, Serialize)]
pub struct Replayed {
    /// Whose they are.
    pub compiler: Compiler,
    /// What the old one did.
    pub old: Ending,
    /// What the new one did.
    pub new: Ending,
    /// Whether both did the same each time.
    pub repeats: bool,
    /// What they did differently, if they did.
    pub difference: Option<Difference>,
}

/// How a call ended, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// How.
    pub end: End,
    /// The numbers of what that is among weaknesses (CWE), the most specific one first.
    pub weaknesses: &'static [u16],
    /// Where, in the text of that side.
    pub place: Option<Place>,
}

/// What an input showed.
#[derive(Debug, Clone, Serialize)]
pub struct ReplayedFiles {
    /// By each compiler.
    pub by: Vec<Replayed>,
    /// The call, as code that can be pasted.
    pub call: String,
    /// The function, with its scopes.
    pub function: String,
    /// What it is called in the new file.
    pub new_function: String,
}

impl ReplayedFiles {
    /// Whether both did the same, each time, by both compilers.
    pub fn holds(&self) -> bool {
        self.by.iter().all(|by| by.repeats && by.difference.is_none())
    }
}

/// Runs the function of two files on an input.
///
/// # Errors
/// When one of the two does not define the function, cannot be run, or the input does not fit.
pub fn replay_files(
    old: &FileRequest,
    new: &FileRequest,
    input: &Input,
    host: &Host,
) -> Result<ReplayedFiles, FileError> {
    with_two(old, new, host, |tools, two| {
        let Two { language, flags, function, new_function, renamed, .. } = &two;
        let oracle = tools.oracle()?;
        let (at, name) = (Some(function.start as usize), last_name(function));
        let subject = Subject { text: &old.text, function: name, at, language: *language, flags, seed: 0 };
        let replay = oracle.replay(&subject).map_err(BuildError::from)?.map_err(cannot_run)?;
        let fitted = replay.fit(input)?;
        let function = last_name(new_function);
        let variant = Variant { text: &new.text, function, names: renamed, known: &[] };
        let mut by = Vec::new();
        let mut call = String::new();
        for compiler in [Compiler::Gcc, Compiler::Clang] {
            let old = runs(&replay, None, compiler, &fitted)?;
            let new = runs(&replay, Some(&variant), compiler, &fitted)?;
            call = replay.call(&old[0]);
            by.push(replayed(&replay, compiler, &old, &new));
        }
        Ok(ReplayedFiles { by, call, function: two.function_name(), new_function: two.new_function_name() })
    })
}

/// The input that shows what the function of two files does differently; where it does the same, the first one on which a
/// sanitizer finds something; none, if none was found. Says whether both do the same on it.
///
/// # Errors
/// When one of the two does not define the function, or cannot be run.
pub fn find_input(
    old: &FileRequest,
    new: &FileRequest,
    check: Check,
    host: &Host,
) -> Result<Option<(Input, bool)>, FileError> {
    with_two(old, new, host, |tools, two| {
        let Two { language, flags, function, new_function, renamed, .. } = &two;
        let oracle = tools.oracle()?;
        let (at, name) = (Some(function.start as usize), last_name(function));
        let subject = Subject { text: &old.text, function: name, at, language: *language, flags, seed: check.seed };
        let prepared = oracle.original(&subject).map_err(BuildError::from)?.map_err(cannot_run)?;
        let function = last_name(new_function);
        let variant = Variant { text: &new.text, function, names: renamed, known: &[] };
        let checked = prepared.check(&[variant]).map_err(BuildError::from)?.pop();
        let Some(checked) = checked else { return Err(BuildError::NoAnswer("the oracle").into()) };
        let is_same = !matches!(checked.verdict, Verdict::Differs(_));
        let input = prepared.witness(&checked.verdict).map_err(BuildError::from)?;
        Ok(input.map(|input| (input, is_same)))
    })
}

fn cannot_run(reason: Untestable) -> FileError {
    FileError::Refused { reason: reason.reason(), detail: format!("it cannot be run: {reason}") }
}

/// What one side does, each time.
fn runs(
    replay: &Replay<'_>,
    rewrite: Option<&Variant<'_>>,
    compiler: Compiler,
    input: &Fitted,
) -> Result<Vec<Ran>, FileError> {
    let side: Compiled<'_> = replay.build(rewrite, compiler).map_err(BuildError::from)?.map_err(cannot_run)?;
    (0..TIMES).map(|_| side.run(input).map_err(BuildError::from)?.map_err(cannot_run)).collect()
}

fn replayed(replay: &Replay<'_>, compiler: Compiler, old: &[Ran], new: &[Ran]) -> Replayed {
    let ending = |ran: &Ran| Ending { end: ran.end, weaknesses: ran.end.weaknesses(), place: ran.place.clone() };
    let repeats = [old, new].iter().all(|runs| runs.iter().all(|ran| *ran == runs[0]));
    let difference = replay.difference(&old[0], &new[0]);
    Replayed { compiler, old: ending(&old[0]), new: ending(&new[0]), repeats, difference }
}
