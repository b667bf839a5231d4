//! The oracle: a function is prepared once, then any number of rewrites are checked against it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use estrange_evidence::{Clang, Gcc};
use estrange_sandbox::{Sandbox, Workshop};
use estrange_unit::{Parser, ParserLoss};
use estrange_words::{Hint, Language};
use tempfile::TempDir;

use crate::callee::Callee;
use crate::execution::{ExecutionError, State, execute};
use crate::harness::Harness;
use crate::plan::{Effort, Job, Plan, What};
use crate::program::{BuildError, Builder, CPP_FLAGS, FLAGS, apart};
use crate::record::{Difference, End, Gates, Record, Untestable, Verdict};
use crate::seen;

/// Steps that a call of the original may take.
pub(crate) const FUEL: u64 = 60_000;
/// How many times as many steps a rewrite may take, and a wrong edit.
const MORE_FUEL: u64 = 40;
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

/// Runs functions and their rewrites.
#[derive(Debug)]
pub struct Oracle {
    pub(crate) builder: Builder,
    pub(crate) clang: Clang,
    sandbox: Sandbox,
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
        let builder = Builder::new(gcc, folder.path())?;
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
        (seed, marks): (u64, u64),
        state: Option<State>,
    ) -> Result<Result<crate::execution::Finished, Untestable>, OracleError> {
        let (tries, wanted) = (u64::from(self.settings.tries), u64::from(self.settings.inputs));
        let effort = Effort { seed, tries, wanted, marks };
        let words = plan.words(jobs, effort);
        match execute(&self.sandbox, program, &words, state, jobs) {
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

    /// Checks rewrites of the function; the verdicts stand in the same order.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn check(&self, variants: &[Variant<'_>]) -> Result<Vec<Verdict>, OracleError> {
        let folder = self.oracle.builder.folder()?;
        let texts: Vec<String> = variants
            .iter()
            .map(|variant| {
                let function = Callee::Itself(variant.function.to_owned());
                variant.text.to_owned() + &self.harness.text(&[function], variant.names)
            })
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let flags = self.oracle.flags(self.language, &self.flags, &[]);
        let each = match program_of(self.oracle, self.language, &flags, &texts, folder.path())? {
            Ok(each) => each,
            Err(_) if variants.len() > 1 => {
                // One of them spoils the others: each by itself.
                let alone = variants.iter().map(|variant| self.check(std::slice::from_ref(variant)));
                return Ok(alone.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect());
            }
            Err(reason) => vec![Err(reason)],
        };
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
        let mut jobs = vec![Job { function: 0, fill: FILLS[0], what: What::Run, fuel: FUEL, input: 0 }; COMPARED];
        jobs.extend((0..place).map(|function| Job {
            function,
            fill: FILLS[0],
            what: What::Compare,
            fuel: MORE_FUEL,
            input: 0,
        }));
        let program = folder.path().join("program");
        let state = match place {
            0 => Ok(self.state.clone()),
            _ => self
                .oracle
                .execute(&program, &self.plan, &jobs, (self.seed, 0), Some(self.state.at_job(COMPARED, COMPARED, 0)))?
                .map(|finished| finished.state),
        };
        let state = match state {
            Ok(state) => state,
            Err(reason) => return Ok(vec![Verdict::Untestable { reason }; variants.len()]),
        };
        let mut moved = None;
        places
            .into_iter()
            .map(|place| match place {
                Ok(place) => self.verdict(&program, state.clone(), place, &mut moved),
                Err(reason) => Ok(Verdict::Untestable { reason }),
            })
            .collect()
    }

    /// What became of the rewrite at this place. `moved` is where the original was moved to, as soon as it was.
    fn verdict(
        &self,
        program: &Path,
        state: State,
        place: u64,
        moved: &mut Option<TempDir>,
    ) -> Result<Verdict, OracleError> {
        let mut state = state;
        let mut row = COMPARED + place as usize;
        let mut from = 0;
        let mut record = self.record.clone();
        loop {
            let different = (from..state.kept()).find(|input| {
                let seen = state.seen(row, *input);
                seen.end != End::Never && seen != self.state.seen(FIRST, *input)
            });
            let Some(input) = different else {
                return Ok(match self.oracle.settings.gates.pass(&record) {
                    true => Verdict::Agrees,
                    false => Verdict::AgreesWeakly,
                });
            };
            if let Some(difference) = self.difference(program, place, input, state.seen(row, input).end, moved)? {
                return Ok(Verdict::Differs(difference));
            }
            // The original itself does another thing now and then: this input says nothing, on to the next one.
            tracing::debug!(input, "the original does not repeat itself");
            record.clean = record.clean.saturating_sub(1);
            let mut jobs = vec![Job { function: 0, fill: FILLS[0], what: What::Run, fuel: FUEL, input: 0 }; COMPARED];
            jobs.push(Job { function: place, fill: FILLS[0], what: What::Compare, fuel: MORE_FUEL, input: 0 });
            from = input + 1;
            row = COMPARED;
            let start = self.state.at_job(COMPARED, COMPARED, from);
            match self.oracle.execute(program, &self.plan, &jobs, (self.seed, 0), Some(start))? {
                Ok(finished) => state = finished.state,
                Err(reason) => return Ok(Verdict::Untestable { reason }),
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
        place: u64,
        input: u32,
        new_end: End,
        moved: &mut Option<TempDir>,
    ) -> Result<Option<Difference>, OracleError> {
        let tell = |program: &Path, function| {
            let fuel = FUEL * MORE_FUEL;
            let job = Job { function, fill: FILLS[0], what: What::Tell, fuel, input: u64::from(input) };
            let start = Some(self.state.at_job(0, 0, 0));
            let told = self.oracle.execute(program, &self.plan, &[job], (self.seed, 0), start)?;
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
        let ends = (self.state.seen(FIRST, input).end, new_end);
        Ok(Some(seen::difference(&self.plan, input, ends, seen::Told { given, old, new: &new })))
    }
}
