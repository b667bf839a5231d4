//! The oracle: a function is prepared once, then any number of rewrites are checked against it.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use estrange_clang::Tree;
use estrange_evidence::{Gcc, Language};
use estrange_sandbox::Sandbox;
use estrange_unit::{Parser, ParserLoss};
use tempfile::TempDir;

use crate::copies;
use crate::coverage::Coverage;
use crate::edits::Edit;
use crate::execution::{ExecutionError, State, execute};
use crate::harness::{Callee, Harness};
use crate::instance::{Instance, TYPES};
use crate::kills::{self, Chosen};
use crate::plan::{Effort, Job, Making, Plan, What};
use crate::program::{BuildError, Builder, COMPARISONS, CPP_FLAGS, FLAGS, SANITIZERS};
use crate::record::{Difference, End, Gates, Record, Share, Untestable, Verdict};
use crate::usage::Usage;

/// Steps that a call of the original may take.
const FUEL: u64 = 60_000;
/// How many times as many steps a rewrite may take, and a wrong edit.
const MORE_FUEL: u64 = 40;
const MUTANT_FUEL: u64 = 8;
/// What untouched memory holds in each run of the original; the runtime knows the first. No text is likely to have them.
const FILLS: [u8; 3] = [0xA5, 0xDB, 0x9D];
/// The first row of the original's results, one for each of the fills, and that of what is compared with it.
const FIRST: usize = 0;
const COMPARED: usize = FIRST + FILLS.len();
/// How often the original is run again before a difference is believed.
const DOUBTS: usize = 3;

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
    /// Wrong edits to judge inputs by, at most.
    pub mutants: usize,
    /// What `agrees` takes.
    pub gates: Gates,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tries: 8000, inputs: 150, mutants: 40, gates: Gates::default() }
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

/// Runs functions and their rewrites.
#[derive(Debug)]
pub struct Oracle {
    pub(crate) builder: Builder,
    sandbox: Sandbox,
    parser: Arc<Parser>,
    pub(crate) settings: Settings,
    /// Processor time of what the sandbox ran, in microseconds.
    spent: AtomicU64,
    _folder: TempDir,
}

impl Oracle {
    /// An oracle that keeps its files in a folder of its own below `scratch`.
    ///
    /// # Errors
    /// When there is no such folder, or its runtime does not compile here.
    pub fn new(sandbox: Sandbox, parser: Arc<Parser>, scratch: &Path, settings: Settings) -> Result<Self, OracleError> {
        let folder = tempfile::Builder::new().prefix("oracle-").tempdir_in(scratch)?;
        let gcc = Gcc::find_in(scratch).map_err(BuildError::from)?;
        let builder = Builder::new(gcc, folder.path())?;
        Ok(Self { builder, sandbox, parser, settings, spent: AtomicU64::new(0), _folder: folder })
    }

    /// Makes a harness for a function, finds inputs, and measures what they are worth.
    ///
    /// # Errors
    /// When the oracle itself cannot work. What is wrong with the function is a value.
    pub fn original(&self, subject: &Subject<'_>) -> Result<Result<Prepared<'_>, Untestable>, OracleError> {
        Preparation::of(self, subject)
    }

    /// The processor time of everything that ran in the sandbox so far.
    pub fn cpu(&self) -> Duration {
        Duration::from_micros(self.spent.load(Ordering::Relaxed))
    }

    /// Runs a program; what goes wrong in it is a reason.
    fn execute(
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
        let kind_of_job = |job: usize| jobs.get(job).map_or(What::Run, |job| job.what);
        match execute(&self.sandbox, program, &words, state, kind_of_job) {
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
    oracle: &'o Oracle,
    folder: TempDir,
    plan: Plan,
    harness: Harness,
    language: Language,
    flags: Vec<String>,
    seed: u64,
    state: State,
    record: Record,
}

/// A function on its way to be prepared.
struct Preparation<'s> {
    subject: &'s Subject<'s>,
    tree: Tree,
    body: usize,
    /// What of a template is run.
    instance: Option<Instance>,
}

impl<'s> Preparation<'s> {
    fn of<'o>(oracle: &'o Oracle, subject: &'s Subject<'s>) -> Result<Result<Prepared<'o>, Untestable>, OracleError> {
        let mut arguments = vec![if subject.language == Language::C { "-xc" } else { "-xc++" }.to_owned()];
        arguments.extend(subject.flags.iter().cloned());
        let tree = match oracle.parser.tree(subject.text, &arguments) {
            Ok(tree) => tree,
            Err(loss @ ParserLoss::Unavailable(_)) => return Err(loss.into()),
            Err(loss) => return Ok(Err(Untestable::Refused(loss.to_string()))),
        };
        let wanted = without_arguments(subject.function);
        let is_it = |body: &estrange_clang::Body| {
            let thing = tree.thing(body.thing);
            let names = [&thing.name, &thing.qualified_name].map(|name| without_arguments(name));
            // What a class makes by itself has no body.
            (body.body.is_some() || subject.language == Language::Cpp) && names.contains(&wanted)
        };
        let is_there = |body: &estrange_clang::Body| {
            subject.at.is_some_and(|at| body.start as usize <= at + 1 && at < body.end as usize)
        };
        let bodies = || tree.functions.iter().enumerate().filter(|(_, body)| is_it(body));
        let there = bodies().rfind(|(_, body)| is_there(body));
        let Some((body, _)) = there.or_else(|| bodies().next()) else { return Ok(Err(Untestable::Missing)) };
        if !tree.functions[body].is_template {
            return Preparation { subject, tree, body, instance: None }.prepare(oracle);
        }
        // The first type with which it compiles. What is private is ours, too.
        arguments.push("-fno-access-control".to_owned());
        for type_ in TYPES {
            let Some(lines) = Instance::lines(&tree, &tree.functions[body], type_) else { break };
            let with_lines = oracle.parser.tree(&format!("{}{lines}", subject.text), &arguments);
            let Some(tree) = with_lines.ok().filter(|tree| tree.troubles.is_empty()) else { continue };
            let there = tree.functions.get(body);
            let Some(instance) = there.and_then(|body| Instance::find(&tree, body, type_)) else { continue };
            match (Preparation { subject, tree, body, instance: Some(instance) }).prepare(oracle)? {
                Err(Untestable::Refused(_)) => {}
                prepared => return Ok(prepared),
            }
        }
        Ok(Err(Untestable::Template))
    }

    fn body(&self) -> &estrange_clang::Body {
        &self.tree.functions[self.body]
    }

    fn prepare<'o>(&self, oracle: &'o Oracle) -> Result<Result<Prepared<'o>, Untestable>, OracleError> {
        let chosen = OnceCell::new();
        let by_code = self.prepare_with(oracle, Making::Constructors, &chosen)?;
        match by_code {
            Err(Untestable::Unlinked(_) | Untestable::Refused(_) | Untestable::Type(_))
                if self.subject.language == Language::Cpp =>
            {
                Ok(self.prepare_with(oracle, Making::Members, &chosen)?.or(by_code))
            }
            by_code => Ok(by_code),
        }
    }

    fn prepare_with<'o>(
        &self,
        oracle: &'o Oracle,
        making: Making,
        chosen: &OnceCell<Chosen>,
    ) -> Result<Result<Prepared<'o>, Untestable>, OracleError> {
        let usage = Usage::of(&self.tree);
        let (language, instance) = (self.subject.language, self.instance.as_ref());
        let plan = match Plan::of(&self.tree, self.subject.text, self.body(), &usage, language, making, instance) {
            Ok(plan) => plan,
            Err(reason) => return Ok(Err(reason)),
        };
        let harness = Harness::of(&self.tree, self.subject.text, self.body(), &plan, language, instance);
        let chosen = match chosen.get() {
            Some(chosen) => chosen,
            None => {
                let new = kills::choose(oracle, self.subject, &self.tree, self.body(), &harness)?;
                chosen.get_or_init(|| new)
            }
        };
        let coverage = Coverage::of(&self.tree, self.subject.text, self.body(), self.subject.language);
        let folder = oracle.builder.folder()?;
        let program = folder.path().join("program");
        // Marks that do not compile are left out: then nothing is known of what inputs reach.
        let mut with_marks = coverage.marks() > 0;
        let marked = with_marks.then_some(&coverage);
        let built = match self.build(oracle, &harness, chosen, marked, folder.path())? {
            Err(Untestable::Refused(_)) if with_marks => {
                with_marks = false;
                self.build(oracle, &harness, chosen, None, folder.path())?
            }
            built => built,
        };
        if let Err(reason) = built {
            return Ok(Err(reason));
        }
        let marks = if with_marks { coverage.marks() } else { 0 };
        let run = |fill| Job { function: 0, fill, what: What::Run, fuel: FUEL, input: 0 };
        let explore =
            Job { function: u64::from(with_marks), fill: FILLS[0], what: What::Explore, fuel: FUEL, input: 0 };
        // The rows of the original come first, whatever is done first.
        let mut jobs: Vec<Job> = FILLS.map(run).into();
        let wrong = |number: usize, what, fuel| Job {
            function: number as u64 + 1 + u64::from(with_marks),
            fill: FILLS[0],
            what,
            fuel,
            input: 0,
        };
        jobs.extend((0..chosen.judges).map(|number| wrong(number, What::Compare, MUTANT_FUEL)));
        let found = match oracle.execute(&program, &plan, &[explore], (self.subject.seed, marks), None)? {
            Ok(found) => found,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut state = found.state.at_job(0, 0, 0);
        if state.kept() > 0 && chosen.judges < chosen.mutants.len() {
            let hunts = (chosen.judges..chosen.mutants.len()).map(|number| wrong(number, What::Hunt, FUEL));
            let jobs: Vec<Job> = [run(FILLS[0])].into_iter().chain(hunts).collect();
            // Without it the inputs are those that were found before.
            if let Ok(hunted) =
                oracle.execute(&program, &plan, &jobs, (self.subject.seed, marks), Some(state.clone()))?
            {
                state = hunted.state.at_job(0, 0, 0);
            }
        }
        let done = match oracle.execute(&program, &plan, &jobs, (self.subject.seed, marks), Some(state))? {
            Ok(done) => done,
            Err(reason) => return Ok(Err(reason)),
        };
        let state = done.state;
        let mut record = self.record(oracle, &state, chosen);
        if with_marks || coverage.marks() == 0 {
            (record.lines, record.branches) = coverage.shares(state.marks());
        } else {
            (record.lines, record.branches) = (Share { of: 0, all: 1 }, Share { of: 0, all: 1 });
        }
        if record.kept == 0 {
            return Ok(Err(Untestable::NeverReturns));
        }
        if record.not_repeatable == record.kept {
            return Ok(Err(Untestable::NotRepeatable));
        }
        Ok(Ok(Prepared {
            oracle,
            folder,
            plan,
            harness,
            language: self.subject.language,
            flags: self.subject.flags.to_vec(),
            seed: self.subject.seed,
            state,
            record,
        }))
    }

    /// Builds the program of the original: itself, the copy with marks, the copies with wrong edits.
    fn build(
        &self,
        oracle: &Oracle,
        harness: &Harness,
        chosen: &Chosen,
        coverage: Option<&Coverage>,
        folder: &Path,
    ) -> Result<Result<(), Untestable>, OracleError> {
        let name = &self.tree.thing(self.body().thing).name;
        let marked = coverage.map(|coverage| &coverage.edits[..]);
        let all: Vec<&[Edit]> =
            marked.into_iter().chain(chosen.mutants.iter().map(|mutant| &mutant.edits[..])).collect();
        let copied = copies::with_copies(&self.tree, self.subject.text, self.body(), self.subject.language, &all);
        let mut text = match copied {
            Some(copied) => copied.text,
            None if all.is_empty() => self.subject.text.to_owned(),
            None => return Ok(Err(Untestable::Refused("it cannot be copied".to_owned()))),
        };
        let copies = (0..all.len()).map(Callee::Copy);
        let functions: Vec<Callee> = [Callee::Itself(name.clone())].into_iter().chain(copies).collect();
        text.push_str(&harness.text(&functions, &BTreeMap::new()));
        let flags = oracle.flags(self.subject.language, self.subject.flags, &[COMPARISONS]);
        program_of(oracle, self.subject.language, &flags, &[&text], folder)
            .map(|built| built.map(|each| each.into_iter().next().unwrap_or(Ok(()))).and_then(|each| each))
    }

    fn record(&self, oracle: &Oracle, state: &State, chosen: &Chosen) -> Record {
        let mut record = Record {
            seed: self.subject.seed,
            compiler: oracle.builder.gcc().version().to_owned(),
            sanitizers: SANITIZERS.iter().map(|name| (*name).to_owned()).collect(),
            tried: state.tries(),
            kept: state.kept(),
            ..Record::default()
        };
        for input in 0..state.kept() {
            let first = state.seen(FIRST, input);
            *record.ends.entry(first.end).or_default() += 1;
            if (FIRST..COMPARED).any(|row| state.seen(row, input) != first) {
                record.not_repeatable += 1;
            } else if matches!(first.end, End::Returned | End::Threw) {
                record.clean += 1;
            }
        }
        record.mutants.all += chosen.unjudged;
        for (number, mutant) in chosen.mutants.iter().take(chosen.judges).enumerate() {
            let is_killed = (0..state.kept()).any(|input| {
                let seen = state.seen(COMPARED + number, input);
                seen.end != End::Never && seen != state.seen(FIRST, input)
            });
            record.mutants.all += 1;
            record.mutants.of += u32::from(is_killed);
            if !is_killed {
                *record.survivors.entry(mutant.operator.name().to_owned()).or_default() += 1;
            }
        }
        record
    }
}

/// The name of a constructor without what its template takes, which parsers write in several ways.
fn without_arguments(name: &str) -> &str {
    let is_operator = name.rsplit("::").next().is_some_and(|last| last.starts_with("operator"));
    name.split('<').next().filter(|_| !is_operator).unwrap_or(name)
}

/// Builds one program out of several texts; says of each that is not in it why. None is there if they do not link.
fn program_of(
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
        places
            .into_iter()
            .map(|place| match place {
                Ok(place) => self.verdict(&program, state.clone(), place),
                Err(reason) => Ok(Verdict::Untestable { reason }),
            })
            .collect()
    }

    fn verdict(&self, program: &Path, state: State, place: u64) -> Result<Verdict, OracleError> {
        let mut state = state;
        let mut row = COMPARED + place as usize;
        let mut from = 0;
        loop {
            let different = (from..state.kept()).find(|input| {
                let seen = state.seen(row, *input);
                seen.end != End::Never && seen != self.state.seen(FIRST, *input)
            });
            let Some(input) = different else {
                return Ok(match self.oracle.settings.gates.pass(&self.record) {
                    true => Verdict::Agrees,
                    false => Verdict::AgreesWeakly,
                });
            };
            if let Some(difference) = self.difference(program, place, input, state.seen(row, input).end)? {
                return Ok(Verdict::Differs(difference));
            }
            // The original itself does another thing now and then: on to the next input.
            tracing::debug!(input, "the original does not repeat itself");
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

    /// What differs, readable; none if the original does not repeat itself on that input after all.
    fn difference(
        &self,
        program: &Path,
        place: u64,
        input: u32,
        new_end: End,
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
        let (given, old) = told.split_once("\n== after").unwrap_or((&told, ""));
        let new = tell(program, place)?;
        let new = new.split_once("\n== after").map_or("", |(_, new)| new);
        if old == new && !old.is_empty() {
            return Ok(None);
        }
        let first = old.lines().zip(new.lines()).find(|(old, new)| old != new);
        let last = || (old.lines().last().unwrap_or_default(), new.lines().last().unwrap_or_default());
        let (old, new) = first.unwrap_or_else(last);
        Ok(Some(Difference {
            input,
            old_end: self.state.seen(FIRST, input).end,
            new_end,
            given: given.trim().to_owned(),
            old: old.to_owned(),
            new: new.to_owned(),
        }))
    }
}
