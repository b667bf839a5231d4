//! Questions about what functions do: what the patched side of a confirmed pair comes to on an input.
//!
//! A question counts only where it has one answer: at every level of the pair and under both compilers the same.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_bench::{Bench, BenchError, Label, Language, Question, Rung, Table, record};
use estrange_build::{BuildError, ForeignOptions, Progress, Workbench};
use estrange_oracle::{Oracle, Settings};
use estrange_sandbox::Sandbox;
use estrange_source::Cache;
use estrange_store::{Keep, Store, key};
use estrange_words::Reason;
use rayon::prelude::*;

use crate::error::PairError;
use crate::levels::Levels;
use crate::pair::WRITTEN;
use crate::runner::Lost;

/// What is to be asked about.
#[derive(Debug, Clone, Copy)]
pub struct Inquiry {
    /// How many questions a pair has, at most.
    pub a_pair: usize,
    /// About so many pairs at most, which the seed draws; about all where there is none.
    pub pairs: Option<usize>,
    /// What inputs are drawn from.
    pub seed: u64,
    /// How many pairs are worked on side by side.
    pub jobs: usize,
}

/// Questions, each once for every level of its pair.
#[derive(Debug, Clone, Default)]
pub struct Questions {
    /// By pair, then as they were found, then by level.
    pub all: Vec<Question>,
    /// The pairs without any.
    pub unasked: Vec<Unasked>,
}

/// A pair that nothing is asked about.
#[derive(Debug, Clone)]
pub struct Unasked {
    /// The pair.
    pub pair: String,
    /// Why.
    pub reason: Reason,
    /// Why, in detail.
    pub detail: String,
}

record! {
    /// What is read of a pair.
    pub struct PairView of Pairs {
        /// As in the bench; so with the others.
        pub name: String,
        /// The id of its patched side.
        pub patched_id: String,
        /// The id of its vulnerable side.
        pub vulnerable_id: String,
        /// What stands behind the word that it has a bug.
        pub label: Label,
    }
}

record! {
    /// What is read of a function.
    pub struct FunctionView of Functions {
        /// As in the bench; so with the others.
        pub id: String,
        /// Its language.
        pub language: Language,
        /// What a compiler needs to be told.
        pub flags: Vec<String>,
    }
}

/// A pair that may be asked about.
struct Subject {
    pair: PairView,
    function: FunctionView,
    rungs: Vec<Rung>,
}

/// Makes questions about the confirmed pairs of a bench.
///
/// # Errors
/// When no pair is confirmed, or nothing can be run. That a pair has no question is no error.
pub fn questions(
    bench: &Bench,
    inquiry: &Inquiry,
    cache: &Cache,
    sandbox: &Sandbox,
    progress: &dyn Progress,
) -> Result<Questions, PairError> {
    let subjects = drawn(subjects(bench)?, inquiry.pairs, inquiry.seed);
    progress.source("questions");
    let workbench = Workbench::new(inquiry.jobs, &[], &ForeignOptions::default(), cache, sandbox)?;
    let asking = Asking {
        oracle: workbench.oracle(Settings { mutants: 0, ..Settings::default() })?,
        store: Store::open(cache.path().join("built")).map_err(BuildError::from)?,
        tools: workbench.key(),
        inquiry,
        progress,
    };
    let mut questions = Questions::default();
    for (subject, found) in subjects.iter().zip(asking.about(&subjects)?) {
        match found {
            Ok(found) => questions.all.extend(found),
            Err((reason, detail)) => {
                questions.unasked.push(Unasked { pair: subject.pair.name.clone(), reason, detail });
            }
        }
    }
    Ok(questions)
}

/// The pairs that are asked about: so many at most of the confirmed ones.
///
/// # Errors
/// When no pair is confirmed, or the bench cannot be read.
pub fn asked_about(bench: &Bench, most: Option<usize>, seed: u64) -> Result<HashSet<String>, PairError> {
    Ok(drawn(subjects(bench)?, most, seed).into_iter().map(|subject| subject.pair.name).collect())
}

/// The questions about a pair, or why there are none.
type Found = Result<Vec<Question>, Lost>;

/// What is needed to make questions.
struct Asking<'a> {
    oracle: Oracle,
    store: Store,
    /// Stands for the versions of all tools.
    tools: String,
    inquiry: &'a Inquiry,
    progress: &'a dyn Progress,
}

impl Asking<'_> {
    /// What is found about pairs, side by side. What was found before is kept.
    fn about(&self, subjects: &[Subject]) -> Result<Vec<Found>, BuildError> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.inquiry.jobs).build();
        let threads = threads.map_err(|error| BuildError::Threads(error.to_string()))?;
        self.progress.step("running functions on inputs to ask about");
        let done = AtomicUsize::new(0);
        let one = |subject: &Subject| {
            if self.progress.is_cancelled() {
                return Err(BuildError::Cancelled);
            }
            let make = || Ok::<_, BuildError>((subject.questions(&self.oracle, self.inquiry)?, Keep::Yes));
            let kept = self.store.get_or(&subject.kept_as(self.inquiry, &self.tools), make);
            self.progress.count(done.fetch_add(1, Ordering::Relaxed) + 1, subjects.len());
            kept
        };
        threads.install(|| subjects.par_iter().map(one).collect())
    }
}

impl Subject {
    fn questions(&self, oracle: &Oracle, inquiry: &Inquiry) -> Result<Found, BuildError> {
        let Self { pair, function, rungs } = self;
        let (language, flags) = (function.language, function.flags.as_slice());
        let levels = Levels { pair: &pair.name, function_id: &pair.patched_id, language, flags, rungs };
        levels.questions(oracle, (inquiry.a_pair, inquiry.seed))
    }

    /// Stands for all that its questions depend on.
    fn kept_as(&self, inquiry: &Inquiry, tools: &str) -> String {
        let Self { pair, function, rungs } = self;
        let about = format!("{} {} {} {}", inquiry.a_pair, inquiry.seed, pair.name, pair.patched_id);
        let told = format!("{} {:?}", function.language, function.flags);
        let place = |rung: &Rung| format!("{} {} {} {}", rung.setting, rung.seed, rung.patched_start, rung.patched_end);
        let places: Vec<String> = rungs.iter().map(place).collect();
        let mut parts: Vec<&[u8]> =
            [crate::VERSION, estrange_oracle::VERSION, tools, &about, &told].map(str::as_bytes).to_vec();
        parts.extend(
            rungs.iter().zip(&places).flat_map(|(rung, place)| [place.as_bytes(), rung.patched_unit.as_bytes()]),
        );
        key("questions", &parts)
    }
}

/// The confirmed pairs with their levels, by name.
fn subjects(bench: &Bench) -> Result<Vec<Subject>, PairError> {
    let failed = |error: BenchError| PairError::from(BuildError::from(error));
    if !bench.has(Table::Pairs) || !bench.has(Table::Rungs) {
        return Err(PairError::NoPairs);
    }
    let pairs: Vec<PairView> = all(bench).map_err(failed)?;
    let functions: Vec<FunctionView> = all(bench).map_err(failed)?;
    let functions: HashMap<String, FunctionView> =
        functions.into_iter().map(|function| (function.id.clone(), function)).collect();
    let mut rungs: BTreeMap<String, Vec<Rung>> = BTreeMap::new();
    for rung in all::<Rung>(bench).map_err(failed)? {
        rungs.entry(rung.pair.clone()).or_default().push(rung);
    }
    let count = pairs.len();
    let subject = |pair: PairView| {
        let function = functions.get(&pair.patched_id).or_else(|| functions.get(&pair.vulnerable_id))?.clone();
        let mut rungs = rungs.remove(&pair.name)?;
        rungs.sort_by_cached_key(|rung| (rung.setting != WRITTEN, rung.setting.clone(), rung.seed));
        Some(Subject { pair, function, rungs })
    };
    let confirmed = pairs.into_iter().filter(|pair| pair.label == Label::CrashConfirmed);
    let mut subjects: Vec<Subject> = confirmed.filter_map(subject).collect();
    subjects.sort_by(|one, other| one.pair.name.cmp(&other.pair.name));
    match (subjects.is_empty(), count) {
        (true, 0) => Err(PairError::NoPairs),
        (true, pairs) => Err(PairError::NoConfirmed { pairs }),
        (false, _) => Ok(subjects),
    }
}

fn all<R: estrange_bench::TableRow>(bench: &Bench) -> Result<Vec<R>, BenchError> {
    bench.rows::<R>()?.collect()
}

/// Those that are asked about: so many at most, each as likely as the others.
fn drawn(mut subjects: Vec<Subject>, most: Option<usize>, seed: u64) -> Vec<Subject> {
    let Some(most) = most else { return subjects };
    let seed = seed.to_string();
    let lot = |subject: &Subject| key("lot", &[seed.as_bytes(), subject.pair.name.as_bytes()]);
    subjects.sort_by_cached_key(lot);
    subjects.truncate(most);
    subjects.sort_by(|one, other| one.pair.name.cmp(&other.pair.name));
    subjects
}
