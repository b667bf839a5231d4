//! One input, run again: by a function or a rewrite of it, compiled by gcc or by clang, with the sanitizers of each.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use estrange_evidence::Compiler;
use estrange_words::{End, Language};
use serde::Serialize;
use tempfile::TempDir;

use crate::callee::Callee;
use crate::dictionary::Dictionary;
use crate::execution::State;
use crate::given::Given;
use crate::harness::Harness;
use crate::input::{Drawn, Input, InputError};
use crate::layout;
use crate::oracle::{FILLS, FIRST, FUEL, MORE_FUEL, Oracle, OracleError, Prepared, Variant};
use crate::plan::{Effort, Job, Plan, What};
use crate::record::{Difference, Untestable, Verdict};
use crate::saving::saved;
use crate::{VERSION, seen};

/// Where a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line of the text, from 1.
    pub line: u32,
    /// The column, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The function.
    pub function: String,
}

/// What a call did.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// Where; where memory was left behind, where it was taken. Only of ends that have a place in the text.
    pub place: Option<Place>,
    /// Stands for all that was seen.
    hash: u64,
    /// What the harness told: of the input, and of what came of it.
    pub(crate) given: String,
    pub(crate) told: String,
}

/// A function with its harness, without any search.
#[derive(Debug)]
pub struct Replay<'o> {
    pub(crate) oracle: &'o Oracle,
    pub(crate) plan: Plan,
    pub(crate) harness: Harness,
    pub(crate) text: String,
    pub(crate) function: String,
    pub(crate) language: Language,
    pub(crate) flags: Vec<String>,
}

/// An input that fits a function.
#[derive(Debug, Clone)]
pub struct Fitted(Form);

#[derive(Debug, Clone)]
enum Form {
    Values(Box<Given>),
    Drawn(State),
}

impl Fitted {
    /// What it is made of; nothing if it was drawn.
    pub(crate) fn values(&self) -> Option<&Given> {
        match &self.0 {
            Form::Values(given) => Some(given),
            Form::Drawn(_) => None,
        }
    }
}

/// A function or a rewrite, ready to be run on inputs.
#[derive(Debug)]
pub struct Compiled<'r> {
    replay: &'r Replay<'r>,
    folder: TempDir,
    /// Where calls ended, by the addresses that were on the stack.
    places: Mutex<HashMap<Vec<u64>, Ended>>,
}

/// The function, line and column of an end, where it has a place in the text.
type Ended = Option<(String, u32, u32)>;

impl Prepared<'_> {
    /// The input that shows what a rewrite does differently; where it does the same, the first one on which a sanitizer finds
    /// something in the original. As a file has it: by its values, as far as these say all.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn witness(&self, verdict: &Verdict) -> Result<Option<Input>, OracleError> {
        let seen = |input: u32| self.state.seen(FIRST, input);
        let words = match verdict {
            Verdict::Differs(difference) => Some(difference.drawn.clone()),
            _ => (0..self.state.kept()).find(|input| seen(*input).end.is_fault()).map(|input| self.state.input(input)),
        };
        words.map(|words| self.written(words)).transpose()
    }

    /// An input that was drawn, as a file has it.
    pub(crate) fn written(&self, words: Vec<u64>) -> Result<Input, OracleError> {
        let drawn = Input {
            drawn: Some(Drawn { version: VERSION.to_owned(), plan: fingerprint(&self.plan), words: words.clone() }),
            ..Input::empty()
        };
        let job = Job { function: 0, fill: FILLS[0], what: What::Save, fuel: FUEL * MORE_FUEL, input: 0 };
        let program = self.folder.path().join("program");
        let told = self.oracle.execute_given(&program, &self.plan, &[job], None, State::of_input(&words))?;
        let Some(input) = told.ok().and_then(|told| saved(&self.plan, &told.said)) else { return Ok(drawn) };
        // What is written is believed only when it does the same.
        let (Ok(given), Ok(as_drawn)) = (layout::given(&self.plan, &input), self.told(&words, None)?) else {
            return Ok(drawn);
        };
        let as_given = self.told(&[], Some(&given))?;
        Ok(if as_given.is_ok_and(|as_given| as_given == as_drawn) { input } else { drawn })
    }

    /// How a call of the original ended, and what stands for all that was seen.
    fn told(&self, words: &[u64], given: Option<&Given>) -> Result<Result<(String, String), Untestable>, OracleError> {
        let program = self.folder.path().join("program");
        let said = self.oracle.tell(&program, &self.plan, given, State::of_input(words))?;
        Ok(said.map(|said| (line(&said, "ended"), line(&said, "all that was seen"))))
    }
}

/// Stands for all that a plan says.
fn fingerprint(plan: &Plan) -> String {
    let none = Dictionary::default();
    let effort = Effort { seed: 0, tries: 0, wanted: 0, marks: 0, hints: &none, is_graded: false };
    let words = plan.words(&[], effort, None);
    let start = 0xcbf2_9ce4_8422_2325_u64;
    let hash = words.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// What stands behind a word in the last line that begins with it.
fn line(said: &str, word: &str) -> String {
    let found = said.lines().rev().find_map(|line| line.strip_prefix(word));
    found.unwrap_or_default().trim().to_owned()
}

impl Oracle {
    /// Runs a program on one input; what it told.
    fn tell(
        &self,
        program: &std::path::Path,
        plan: &Plan,
        given: Option<&Given>,
        state: State,
    ) -> Result<Result<String, Untestable>, OracleError> {
        let job = Job { function: 0, fill: FILLS[0], what: What::Tell, fuel: FUEL * MORE_FUEL, input: 0 };
        let told = self.execute_given(program, plan, &[job], given, state)?;
        Ok(told.map(|told| told.said))
    }
}

impl Replay<'_> {
    /// An input for this function.
    ///
    /// # Errors
    /// When it does not fit: it says which of its values does not.
    pub fn fit(&self, input: &Input) -> Result<Fitted, InputError> {
        match &input.drawn {
            Some(Drawn { version, plan, words }) => match version == VERSION && *plan == fingerprint(&self.plan) {
                true => Ok(Fitted(Form::Drawn(State::of_input(words)))),
                false => Err(InputError::DrawnElsewhere),
            },
            None => Ok(Fitted(Form::Values(Box::new(layout::given(&self.plan, input)?)))),
        }
    }

    /// Builds the function, or a rewrite of it.
    ///
    /// # Errors
    /// When the oracle itself cannot work. What is wrong with the text is a value.
    pub fn build(
        &self,
        rewrite: Option<&Variant<'_>>,
        compiler: Compiler,
    ) -> Result<Result<Compiled<'_>, Untestable>, OracleError> {
        let none = BTreeMap::new();
        let (text, function, names) = match rewrite {
            Some(rewrite) => (rewrite.text, rewrite.function, rewrite.names),
            None => (self.text.as_str(), self.function.as_str(), &none),
        };
        let harness = self.harness.text(&[Callee::Itself(function.to_owned())], names);
        let builder = &self.oracle.builder;
        let folder = builder.folder()?;
        let built = builder.one_program(compiler, self.language, &self.flags, (text, &harness), folder.path())?;
        Ok(built.map(|()| Compiled { replay: self, folder, places: Mutex::default() }).map_err(Untestable::Refused))
    }

    /// What a rewrite did differently, if it did; both must have been run on the same input and by the same compiler.
    pub fn difference(&self, old: &Ran, new: &Ran) -> Option<Difference> {
        if old.end.is_like(new.end) && (old.hash == new.hash || old.end.is_fault()) {
            return None;
        }
        let told = seen::Told { given: &old.given, old: &old.told, new: &new.told };
        Some(seen::difference(&self.plan, 0, (old.end, new.end), told))
    }

    /// The call on an input, as code that can be pasted.
    pub fn call(&self, ran: &Ran) -> String {
        let told = seen::Told { given: &ran.given, old: &ran.told, new: &ran.told };
        seen::difference(&self.plan, 0, (ran.end, ran.end), told).call
    }
}

impl Compiled<'_> {
    /// Where in the text these addresses are; who asked once is not told by another process again.
    fn place(&self, frames: Vec<u64>) -> Result<Ended, OracleError> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = places.get(&frames) {
            return Ok(place.clone());
        }
        let place = self.replay.oracle.builder.place(&self.folder.path().join("program"), &frames)?;
        places.insert(frames, place.clone());
        Ok(place)
    }

    /// Runs it on an input.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn run(&self, input: &Fitted) -> Result<Result<Ran, Untestable>, OracleError> {
        let Replay { oracle, plan, .. } = self.replay;
        let program = self.folder.path().join("program");
        let (given, state) = match &input.0 {
            Form::Values(given) => (Some(&**given), State::of_input(&[])),
            Form::Drawn(state) => (None, state.clone()),
        };
        let said = match oracle.tell(&program, plan, given, state)? {
            Ok(said) => said,
            Err(reason) => return Ok(Err(reason)),
        };
        let number = |word: &str| line(&said, word).parse::<usize>().ok();
        let end = number("last").and_then(|number| End::ALL.get(number).copied()).unwrap_or(End::Died);
        let words: Vec<u32> = line(&said, "place").split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let frames: Vec<u64> =
            line(&said, "frames").split_whitespace().filter_map(|word| u64::from_str_radix(word, 16).ok()).collect();
        let place = match end.is_fault() || matches!(end, End::Aborted | End::Exited | End::Endless) {
            true => self.place(frames)?,
            false => None,
        };
        let place = place.map(|(function, at, column)| {
            // The sanitizer knows better in which column of the line.
            let told = words.first().is_some_and(|line| *line == at).then(|| words.get(1).copied()).flatten();
            let column = told.or(Some(column)).filter(|column| *column > 0);
            Place { line: at, column, function }
        });
        let (given, told) = said.split_once("\n== after").unwrap_or((&said, ""));
        let told = told.rsplit_once("\nlast ").map_or(told, |(told, _)| told);
        let hash = u64::from_str_radix(&line(&said, "all that was seen"), 16).unwrap_or(0);
        Ok(Ok(Ran { end, place, hash, given: given.to_owned(), told: told.to_owned() }))
    }
}
