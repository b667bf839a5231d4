//! The oracle: a function is prepared once, then any number of rewrites are checked against it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use estrange_evidence::{Clang, Gcc};
use estrange_sandbox::{Sandbox, Workshop};
use estrange_unit::{Parser, ParserLoss};
use estrange_words::{End, Hint, Language};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::callee::Callee;
use crate::dictionary::Dictionary;
use crate::execution::{ExecutionError, MARKS, State, execute};
use crate::given::Given;
use crate::harness::Harness;
use crate::plan::{Effort, Job, Plan, What};
use crate::planner::Making;
use crate::program::{BuildError, Builder, COMPARISONS, CPP_FLAGS, FLAGS, apart};
use crate::record::{Difference, Gates, Reached, Record, Untestable, Verdict};
use crate::seen;
use crate::side::{Shared, Side};

/// Steps that a call of the original may take.
pub(crate) const FUEL: u64 = 60_000;
/// How many times as many steps a rewrite may take, and a wrong edit.
pub(crate) const MORE_FUEL: u64 = 40;
pub(crate) const MUTANT_FUEL: u64 = 8;
/// What untouched memory holds in each run of the original; the runtime knows the first. No text is likely to have them.
pub(crate) const FILLS: [u8; 3] = [0xA5, 0xDB, 0x9D];
/// The first row of the original's results, one for each of the fills, and that of what is compared with it.
pub(crate) const FIRST: usize = 0;
pub(crate) const COMPARED: usize = FIRST + FILLS.len();
/// How often the original is run again before a difference is believed.
const DOUBTS: usize = 3;
/// What stands between the original's constants and variables where it is moved: a text that has been run past may go on
/// there, or end.
const BETWEEN: [u8; 3] = [FILLS[0], 0, FILLS[1]];

/// A function to prepare.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Its linked unit: a text that defines all that it needs to run.
    pub text: &'a str,
    /// Its name.
    pub function: &'a str,
    /// Where its definition starts in the text, for one of several of that name.
    pub at: Option<usize>,
    /// The unit's language.
    pub language: Language,
    /// The flags that the unit is compiled with, besides its language.
    pub flags: &'a [String],
    /// What everything is drawn from.
    pub seed: u64,
}

/// A rewrite to check.
#[derive(Debug, Clone, Copy)]
pub struct Variant<'a> {
    /// Its linked unit.
    pub text: &'a str,
    /// The function's name in it.
    pub function: &'a str,
    /// New names of what has another name in the original: variables outside of functions, and types. Where several kinds
    /// of things have a name, all but one may stand with their kind before it: `struct list`, `variable list`.
    pub names: &'a BTreeMap<String, String>,
    /// Where conditions and statements stand of which its maker knows that they decide always alike: no input need show
    /// that. Only who made the text can know; nothing of it is taken from a text.
    pub known: &'a [Range<usize>],
}

/// What became of a rewrite.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Whether it does the same.
    pub verdict: Verdict,
    /// What the inputs reach of it, where it did the same.
    pub reached: Option<Reached>,
}

/// How much work a function is worth.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Inputs to try in the search.
    pub tries: u32,
    /// Inputs to keep, besides those that reach something new.
    pub inputs: u32,
    /// Wrong edits to plant, at most.
    pub mutants: usize,
    /// What `agrees` takes.
    pub gates: Gates,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tries: 25000, inputs: 150, mutants: 40, gates: Gates::default() }
    }
}

/// Why the oracle itself cannot work; nothing is said of the function.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// Compiling and linking.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The sandbox.
    #[error(transparent)]
    Sandbox(#[from] estrange_sandbox::Error),
    /// The parser.
    #[error(transparent)]
    Parser(#[from] ParserLoss),
    /// Files.
    #[error("the oracle's folder cannot be used: {0}")]
    Folder(#[from] std::io::Error),
}

impl Hint for OracleError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Build(error) => error.hint(),
            Self::Sandbox(error) => error.hint(),
            Self::Parser(error) => error.hint(),
            Self::Folder(_) => Some("free some space, or name another folder with --cache".into()),
        }
    }
}

/// What inputs are drawn from, and what is to be reached.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Aim<'h> {
    pub(crate) seed: u64,
    /// How many marks there are.
    pub(crate) marks: u64,
    /// What is worth trying besides what the plan has.
    pub(crate) hints: Option<&'h Dictionary>,
    /// Whether it is for grades.
    pub(crate) is_graded: bool,
}

/// Runs functions and their rewrites.
#[derive(Debug)]
pub struct Oracle {
    pub(crate) builder: Builder,
    pub(crate) clang: Clang,
    pub(crate) sandbox: Sandbox,
    pub(crate) parser: Arc<Parser>,
    pub(crate) settings: Settings,
    /// Processor time of what the sandbox ran, in microseconds.
    spent: AtomicU64,
    _folder: TempDir,
}

impl Oracle {
    /// An oracle that keeps its files in a folder of its own in the workshop, and runs programs in its sandbox.
    ///
    /// # Errors
    /// When there is no such folder, or its runtime does not compile here.
    pub fn new(workshop: &Workshop, parser: Arc<Parser>, settings: Settings) -> Result<Self, OracleError> {
        let folder = workshop.folder("oracle-")?;
        let gcc = Gcc::find(workshop).map_err(BuildError::from)?;
        let builder = Builder::new(gcc, folder.path(), workshop.kept())?;
        let clang = Clang::find(workshop).map_err(BuildError::from)?;
        let sandbox = workshop.sandbox().clone();
        Ok(Self { builder, clang, sandbox, parser, settings, spent: AtomicU64::new(0), _folder: folder })
    }

    /// The processor time of everything that ran in the sandbox so far.
    pub fn cpu(&self) -> Duration {
        Duration::from_micros(self.spent.load(Ordering::Relaxed))
    }

    /// Runs a program; what goes wrong in it is a reason.
    pub(crate) fn execute(
        &self,
        program: &Path,
        plan: &Plan,
        jobs: &[Job],
        aim: Aim<'_>,
        state: Option<State>,
    ) -> Result<Result<crate::execution::Finished, Untestable>, OracleError> {
        let (tries, wanted) = (u64::from(self.settings.tries), u64::from(self.settings.inputs));
        let (none, Aim { seed, marks, hints, is_graded }) = (Dictionary::default(), aim);
        let effort = Effort { seed, tries, wanted, marks, hints: hints.unwrap_or(&none), is_graded };
        self.execute_words(program, &plan.words(jobs, effort, None), jobs, state)
    }

    /// Runs a program on an input that is given by its values, or else by the state.
    pub(crate) fn execute_given(
        &self,
        program: &Path,
        plan: &Plan,
        jobs: &[Job],
        given: Option<&Given>,
        state: State,
    ) -> Result<Result<crate::execution::Finished, Untestable>, OracleError> {
        let none = Dictionary::default();
        let effort = Effort { seed: 0, tries: 0, wanted: 0, marks: 0, hints: &none, is_graded: false };
        let words = plan.words(jobs, effort, given);
        self.execute_words(program, &words, jobs, Some(state))
    }

    fn execute_words(
        &self,
        program: &Path,
        words: &[u8],
        jobs: &[Job],
        state: Option<State>,
    ) -> Result<Result<crate::execution::Finished, Untestable>, OracleError> {
        match execute(&self.sandbox, program, words, state, jobs) {
            Ok(finished) => {
                self.spent.fetch_add(finished.usage.cpu.as_micros() as u64, Ordering::Relaxed);
                Ok(Ok(finished))
            }
            Err(ExecutionError::Harness(why)) => Ok(Err(Untestable::Harness(why))),
            Err(ExecutionError::Sandbox(error)) => Err(error.into()),
            Err(ExecutionError::Folder(error)) => Err(error.into()),
        }
    }

    pub(crate) fn flags(&self, language: Language, own: &[String], more: &[&str]) -> Vec<String> {
        let of_language = if language == Language::Cpp { CPP_FLAGS } else { &[] };
        FLAGS.iter().chain(of_language).chain(more).map(|flag| (*flag).to_owned()).chain(own.iter().cloned()).collect()
    }
}

/// A function with its harness and inputs.
#[derive(Debug)]
pub struct Prepared<'o> {
    pub(crate) oracle: &'o Oracle,
    pub(crate) folder: TempDir,
    pub(crate) plan: Plan,
    pub(crate) harness: Harness,
    /// The original's text with a harness for it alone.
    pub(crate) original: String,
    pub(crate) language: Language,
    pub(crate) flags: Vec<String>,
    pub(crate) seed: u64,
    pub(crate) state: State,
    pub(crate) record: Record,
    /// What a rewrite may have, too.
    pub(crate) shared: Shared,
    /// Whether all its inputs can be tried.
    pub(crate) is_small: bool,
    /// How its harness came about.
    pub(crate) made: Made,
    /// The function with one of the wrong edits each for which no input was searched.
    pub(crate) wrong: Vec<String>,
}

/// What was tried until there was a harness that compiles.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Made {
    pub(crate) making: Making,
    /// What a template is given.
    pub(crate) type_: Option<String>,
}

/// What comparing on some inputs came to.
pub(crate) enum Compared {
    /// The same, on all but so many, of which the original does not repeat itself; with what was reached.
    Same {
        lost: u32,
        marks: Vec<u8>,
    },
    Differs(Difference),
    Untestable(Untestable),
}

/// What running both on all inputs came to.
pub(crate) enum Exhausted {
    /// The same, on so many.
    Same(u32),
    /// Nothing that could be believed, or too much.
    Unknown,
    /// Something else.
    Other(Compared),
}

/// Builds one program out of several texts; says of each that is not in it why. None is there if they do not link.
pub(crate) fn program_of(
    oracle: &Oracle,
    language: Language,
    flags: &[String],
    texts: &[&str],
    folder: &Path,
) -> Result<Result<Vec<Result<(), Untestable>>, Untestable>, OracleError> {
    let compiled = oracle.builder.compile(language, flags, texts)?;
    let mut objects: Vec<PathBuf> = Vec::new();
    let mut each = Vec::new();
    for (number, assembly) in compiled.into_iter().enumerate() {
        each.push(match assembly {
            Ok(assembly) => {
                let object = folder.join(format!("unit-{number}.o"));
                oracle.builder.assemble(&assembly, &object)?.map(|()| objects.push(object)).map_err(Untestable::Refused)
            }
            Err(why) => Err(Untestable::Refused(why)),
        });
    }
    if objects.is_empty() {
        return Ok(Ok(each));
    }
    let linked = oracle.builder.link(language, &objects, &folder.join("program"))?;
    Ok(linked.map(|()| each).map_err(Untestable::Unlinked))
}

impl Prepared<'_> {
    /// What the inputs are worth.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Checks rewrites of the function; what became of them stands in the same order.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn check(&self, variants: &[Variant<'_>]) -> Result<Vec<Checked>, OracleError> {
        let sides: Vec<Side> = variants.iter().map(|variant| self.side(variant)).collect::<Result<_, _>>()?;
        self.check_sides(variants, sides)
    }

    /// What a rewrite's text has that the original's has not.
    pub(crate) fn side(&self, variant: &Variant<'_>) -> Result<Side, OracleError> {
        let arguments: Vec<String> =
            [self.language.flag().to_owned()].into_iter().chain(self.flags.iter().cloned()).collect();
        match self.oracle.parser.tree(variant.text, &arguments) {
            Ok(tree) => Ok(Side::of(&tree, variant.text, self.language, variant.known, &self.shared, &self.plan)),
            Err(loss @ ParserLoss::Unavailable(_)) => Err(loss.into()),
            Err(_) => Ok(Side::dark(variant.text)),
        }
    }

    fn check_sides(&self, variants: &[Variant<'_>], sides: Vec<Side>) -> Result<Vec<Checked>, OracleError> {
        let folder = self.oracle.builder.folder()?;
        let texts: Vec<String> = variants
            .iter()
            .zip(&sides)
            .map(|(variant, side)| {
                let function = Callee::Itself(variant.function.to_owned());
                side.text.clone() + &self.harness.text(&[function], variant.names)
            })
            .collect();
        let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        // What is compared on all inputs is called side by side.
        let is_beside = self.is_small && sides.iter().any(|side| side.keeps_nothing);
        texts.extend(is_beside.then_some(self.original.as_str()));
        let flags = self.oracle.flags(self.language, &self.flags, &[COMPARISONS]);
        let mut each = match program_of(self.oracle, self.language, &flags, &texts, folder.path())? {
            Ok(each) => each,
            Err(_) if variants.len() > 1 => {
                // One of them spoils the others: each by itself.
                let alone = variants.iter().zip(sides);
                let alone = alone.map(|(variant, side)| self.check_sides(std::slice::from_ref(variant), vec![side]));
                return Ok(alone.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect());
            }
            Err(reason) => vec![Err(reason)],
        };
        let original = each.split_off(variants.len().min(each.len())).pop();
        // What does not compile with marks may compile without.
        if each.iter().zip(&sides).any(|(built, side)| built.is_err() && side.coverage.marks() > 0) {
            let marked = each.iter().zip(sides).zip(variants);
            let less =
                marked.map(|((built, side), variant)| if built.is_err() { Side::dark(variant.text) } else { side });
            return self.check_sides(variants, less.collect());
        }
        // In the program are those that compile, in their order.
        let mut place = 0;
        let places: Vec<Result<u64, Untestable>> = each
            .into_iter()
            .map(|built| {
                built.map(|()| {
                    place += 1;
                    place - 1
                })
            })
            .collect();
        let program = folder.path().join("program");
        let compared = (0..place).map(|function| compare(function, 0));
        let state = match place {
            0 => Ok(self.state.clone()),
            _ => self.run(&program, &again(compared), self.state.at_job(COMPARED, COMPARED, 0))?,
        };
        let state = match state {
            Ok(state) => state,
            Err(reason) => return Ok(vec![Checked::untestable(reason); variants.len()]),
        };
        let mut moved = None;
        let original = original.filter(Result::is_ok).map(|_| place);
        places
            .into_iter()
            .zip(&sides)
            .map(|(at, side)| match at {
                Ok(place) => self.checked(&program, &state, (place, original), side, &mut moved),
                Err(reason) => Ok(Checked::untestable(reason)),
            })
            .collect()
    }

    /// Runs jobs of a program from a state on.
    pub(crate) fn run(
        &self,
        program: &Path,
        jobs: &[Job],
        state: State,
    ) -> Result<Result<State, Untestable>, OracleError> {
        let aim = Aim { seed: self.seed, ..Aim::default() };
        let finished = self.oracle.execute(program, &self.plan, jobs, aim, Some(state))?;
        Ok(finished.map(|finished| finished.state))
    }

    /// What became of the rewrite at this place, which was run on the original's inputs. The original stands beside it, where
    /// all inputs can be tried. `moved` is where the original was
    /// moved to, as soon as it was.
    fn checked(
        &self,
        program: &Path,
        state: &State,
        (place, original): (u64, Option<u64>),
        side: &Side,
        moved: &mut Option<TempDir>,
    ) -> Result<Checked, OracleError> {
        let row = COMPARED + place as usize;
        let mut record = self.record.clone();
        let mut marks = match self.compared(program, &self.state, (state, row), 0, place, moved)? {
            Compared::Same { lost, marks } => {
                record.clean = record.clean.saturating_sub(lost);
                marks
            }
            other => return Ok(other.into()),
        };
        let mut open = side.open(&self.shared, &marks);
        let mut reached = Reached::default();
        if let Some(original) = original.filter(|_| side.keeps_nothing) {
            match self.exhausted(program, (place, original), moved)? {
                Exhausted::Same(all) => reached.all = all,
                Exhausted::Other(other) => return Ok(other.into()),
                Exhausted::Unknown => {}
            }
        }
        if reached.all > 0 {
            open.clear();
        }
        let (tried, found) = self.sought(program, place, side, (&marks, &open))?;
        reached.tried = tried;
        if let Some(found) = found {
            reached.found = found.kept() - self.state.kept();
            match self.compared_more(program, &found, place, moved)? {
                Compared::Same { marks: more, .. } => marks.iter_mut().zip(more).for_each(|(mark, more)| *mark |= more),
                other => return Ok(other.into()),
            }
            open = side.open(&self.shared, &marks);
        }
        (reached.lines, reached.branches) = side.coverage.shares(&marks);
        reached.open = open.len() as u32;
        reached.is_known = side.is_watched();
        let gates = self.oracle.settings.gates;
        let verdict = match gates.pass(&record) && gates.pass_reached(&reached) {
            _ if reached.all > 0 => Verdict::Exhaustive,
            true => Verdict::Agrees,
            false => Verdict::AgreesWeakly,
        };
        Ok(Checked { verdict, reached: Some(reached) })
    }

    /// Runs a rewrite on the inputs that were found behind those that there are, and compares it with what the original did.
    pub(crate) fn compared_more(
        &self,
        program: &Path,
        found: &State,
        place: u64,
        moved: &mut Option<TempDir>,
    ) -> Result<Compared, OracleError> {
        let from = self.state.kept();
        match self.run(program, &again([compare(place, from)]), found.at_job(COMPARED, COMPARED, from))? {
            Ok(state) => self.compared(program, found, (&state, COMPARED), from, place, moved),
            Err(reason) => Ok(Compared::Untestable(reason)),
        }
    }

    /// Compares a rewrite with what the original did on inputs from some input on. It was run on these: what it did stands
    /// in a row of a state.
    fn compared(
        &self,
        program: &Path,
        own: &State,
        (state, row): (&State, usize),
        from: u32,
        place: u64,
        moved: &mut Option<TempDir>,
    ) -> Result<Compared, OracleError> {
        let (mut state, mut row, mut from) = (Cow::Borrowed(state), row, from);
        let (mut lost, mut marks) = (0, vec![0; MARKS]);
        loop {
            marks.iter_mut().zip(state.marks_of(row)).for_each(|(mark, more)| *mark |= more);
            let different = (from..own.kept()).find(|input| {
                let seen = state.seen(row, *input);
                seen.end != End::Never && !seen.is_like(own.seen(FIRST, *input))
            });
            let Some(input) = different else { return Ok(Compared::Same { lost, marks }) };
            if let Some(difference) = self.difference(program, own, place, input, state.seen(row, input).end, moved)? {
                return Ok(Compared::Differs(Difference { drawn: own.input(input), ..difference }));
            }
            // The original itself does another thing now and then: this input says nothing, on to the next one.
            tracing::debug!(input, "the original does not repeat itself");
            lost += 1;
            (from, row) = (input + 1, COMPARED);
            let start = own.at_job(COMPARED, COMPARED, from);
            match self.run(program, &again([compare(place, from)]), start)? {
                Ok(after) => state = Cow::Owned(after),
                Err(reason) => return Ok(Compared::Untestable(reason)),
            }
        }
    }

    /// Builds a program of the original in several places, each with other bytes between its constants and variables. There
    /// is none in the folder if one of them cannot be built.
    fn moved(&self) -> Result<TempDir, OracleError> {
        let builder = &self.oracle.builder;
        let folder = builder.folder()?;
        let flags = self.oracle.flags(self.language, &self.flags, &[]);
        let mut objects = Vec::new();
        for assembly in builder.compile(self.language, &flags, &[&self.original])?.into_iter().flatten() {
            for fill in BETWEEN {
                let object = folder.path().join(format!("unit-{fill}.o"));
                if builder.assemble(&apart(&assembly, fill), &object)?.is_ok() {
                    objects.push(object);
                }
            }
        }
        let is_whole = objects.len() == BETWEEN.len();
        if !is_whole || builder.link(self.language, &objects, &folder.path().join("program"))?.is_err() {
            tracing::warn!("the original cannot be moved");
        }
        Ok(folder)
    }

    /// What differs, readable; none if the original does not repeat itself on that input after all.
    fn difference(
        &self,
        program: &Path,
        state: &State,
        place: u64,
        input: u32,
        new_end: End,
        moved: &mut Option<TempDir>,
    ) -> Result<Option<Difference>, OracleError> {
        let tell = |program: &Path, function| {
            let fuel = FUEL * MORE_FUEL;
            let job = Job { function, fill: FILLS[0], what: What::Tell, fuel, input: u64::from(input) };
            let start = Some(state.at_job(0, 0, 0));
            let aim = Aim { seed: self.seed, ..Aim::default() };
            let told = self.oracle.execute(program, &self.plan, &[job], aim, start)?;
            Ok::<String, OracleError>(told.map(|told| told.said).unwrap_or_default())
        };
        let own = self.folder.path().join("program");
        let told = tell(&own, 0)?;
        for _ in 1..DOUBTS {
            if tell(&own, 0)? != told {
                return Ok(None);
            }
        }
        let after = |told: &str| told.split_once("\n== after").map_or(String::new(), |(_, after)| after.to_owned());
        let (given, old) = told.split_once("\n== after").unwrap_or((&told, ""));
        // A pointer that has gone astray finds other bytes wherever the original stands: it depends on the linker. Where
        // nothing is told, nothing is known.
        let moved = match moved {
            Some(moved) => &*moved,
            None => moved.insert(self.moved()?),
        };
        let elsewhere = moved.path().join("program");
        if elsewhere.exists() {
            for place in 0..BETWEEN.len() as u64 {
                let there = after(&tell(&elsewhere, place)?);
                if !there.is_empty() && there != old {
                    return Ok(None);
                }
            }
        }
        // What the new one does now and then, and at other times not, says as little.
        let mut new = String::new();
        for _ in 0..DOUBTS {
            new = after(&tell(program, place)?);
            if old == new && !old.is_empty() {
                return Ok(None);
            }
        }
        let ends = (state.seen(FIRST, input).end, new_end);
        Ok(Some(seen::difference(&self.plan, input, ends, seen::Told { given, old, new: &new })))
    }
}

/// The jobs of rewrites, behind those whose rows hold what the original did.
pub(crate) fn again(jobs: impl IntoIterator<Item = Job>) -> Vec<Job> {
    std::iter::repeat_n(right(FILLS[0], 0), COMPARED).chain(jobs).collect()
}

/// A rewrite on inputs from one on.
pub(crate) fn compare(function: u64, from: u32) -> Job {
    Job { function, fill: FILLS[0], what: What::Compare, fuel: MORE_FUEL, input: u64::from(from) }
}

/// The original on inputs from one on, with memory that holds something.
pub(crate) fn right(fill: u8, from: u32) -> Job {
    Job { function: 0, fill, what: What::Run, fuel: FUEL, input: u64::from(from) }
}

impl Checked {
    fn untestable(reason: Untestable) -> Self {
        Self { verdict: Verdict::Untestable { reason }, reached: None }
    }
}

impl From<Compared> for Checked {
    fn from(compared: Compared) -> Self {
        match compared {
            Compared::Same { .. } => Self { verdict: Verdict::AgreesWeakly, reached: None },
            Compared::Differs(difference) => Self { verdict: Verdict::Differs(difference), reached: None },
            Compared::Untestable(reason) => Self::untestable(reason),
        }
    }
}
