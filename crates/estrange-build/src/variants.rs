//! The variants of functions: other names, other shapes, and the evidence that nothing else changed.

mod record;
mod rewrite;
mod whole;

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::Path;

use estrange_bench::{Taken, Waiting};
use estrange_evidence::undefined::Checks;
use estrange_evidence::{IdenticalCode, LEVELS, Pair, Refusal, Renames};
use estrange_oracle::{self as oracle, Oracle, Untestable};
use estrange_rewrite::{Rewrite, Setting};
use estrange_text::thesaurus::Thesaurus;
use estrange_unit::Language;
use estrange_words::Stage;
use rayon::prelude::*;

use crate::batches::{Counter, Early, InBatches};
use crate::error::BuildError;
use crate::foreign::Contractors;
use crate::gate::gcc_names;
use crate::run::{self, Behaviour, behaviours};
use crate::store::{Store, key};
use crate::tools::Tools;
use crate::work::{Computed, Work};

pub(crate) use record::Made;
use record::{Shown, record};
pub(crate) use rewrite::{Known, Rewriter, Rewritten, Subject as RewriteSubject, Trouble, is_of_shape};
use whole::{View, Whole};

/// Raise them when the same function may get other variants or other evidence.
const STAGE: &str = "variants 18";
const STAGE_WITH_HELPERS: &str = "variants with helpers 11";
const STAGE_OF_SHAPE: &str = "variants of shape 22";

/// How many functions are worked on together; fewer where they are run, which takes long.
const BATCH: usize = 32;
const BATCH_OF_SHAPE: usize = 8;
/// How many bytes their texts may have, each of which is in memory several times while it is compiled.
const BYTES: usize = 6 << 20;

/// How often the names that a compiler misses are kept, and the function tried again.
const ROUNDS: usize = 4;

/// A setting and a seed.
type Asked = (Setting, u32);

/// What makes variants.
pub(crate) struct Variants<'a> {
    /// The settings and seeds, those of shape behind the others.
    asked: Vec<Asked>,
    tools: &'a Tools,
    store: &'a Store,
    computed: &'a Computed,
    thesaurus: Option<Thesaurus>,
    /// Who carries out what is none of ours.
    contractors: Contractors,
    /// Who runs functions, where the shape changes.
    oracle: Option<Oracle>,
    seed: u64,
}

impl<'a> Variants<'a> {
    pub(crate) fn new(work: &Work<'a>) -> Result<Self, BuildError> {
        let mut asked: Vec<Asked> = work.options.variants();
        asked.sort_by_key(|(setting, _)| is_of_shape(setting));
        let thesaurus = match asked.iter().any(|(setting, _)| setting.recipe().has(Rewrite::Symbol)) {
            true => Some(Thesaurus::load(Path::new(Thesaurus::FOLDER))?),
            false => None,
        };
        let (_, of_shape) = parted(&asked);
        let oracle = if of_shape.is_empty() { None } else { Some(work.tools.oracle()?) };
        let Work { tools, store, computed, options, .. } = *work;
        let recipes = options.settings.iter().map(Setting::recipe);
        let contractors = Contractors::new(recipes, &options.foreign, tools.workshop.sandbox(), Some(store))?;
        Ok(Self { asked, tools, store, computed, thesaurus, contractors, oracle, seed: options.seed })
    }

    /// How many variants a function gets.
    pub(crate) fn count(&self) -> usize {
        self.asked.len()
    }

    /// How often each function is gone through.
    pub(crate) fn passes(&self) -> usize {
        let (of_names, of_shape) = parted(&self.asked);
        usize::from(!of_names.is_empty()) * 2 + usize::from(!of_shape.is_empty())
    }

    /// What becomes of functions, in their order: those of their variants that have these numbers.
    pub(crate) fn of(
        &self,
        functions: &[&Taken],
        numbers: Range<usize>,
        counter: &Counter<'_>,
    ) -> Result<Vec<Made>, BuildError> {
        let (of_names, of_shape) = parted(&self.asked[numbers]);
        let mut made: Vec<Made> = functions.iter().map(|_| Made::default()).collect();
        if !of_names.is_empty() {
            let work = self.work(of_names, None);
            let wholes: Vec<Subject<'_>> =
                functions.iter().map(|taken| (Whole::alone(&taken.function), *taken)).collect();
            made = work.all(&wholes, counter)?;
            let mut callers = Vec::new();
            let mut merged: Vec<Subject<'_>> = Vec::new();
            for (index, taken) in functions.iter().enumerate() {
                if let Some(whole) = Whole::with_helpers(&taken.function) {
                    callers.push(index);
                    merged.push((whole, *taken));
                }
            }
            counter.add(functions.len() - merged.len());
            for (caller, merged) in callers.into_iter().zip(work.all(&merged, counter)?) {
                made[caller].add_merged(merged);
            }
        }
        if let Some(oracle) = self.oracle.as_ref().filter(|_| !of_shape.is_empty()) {
            let work = self.work(of_shape, Some((oracle, self.seed)));
            let wholes: Vec<Subject<'_>> =
                functions.iter().map(|taken| (Whole::running(&taken.function), *taken)).collect();
            for (made, of_shape) in made.iter_mut().zip(work.all(&wholes, counter)?) {
                made.add(of_shape);
            }
        }
        Ok(made)
    }

    fn work<'w>(&'w self, asked: &'w [Asked], running: Option<(&'w Oracle, u64)>) -> Rounds<'w> {
        let Self { tools, store, computed, .. } = *self;
        Rounds {
            asked,
            tools,
            store,
            computed,
            thesaurus: self.thesaurus.as_ref(),
            contractors: &self.contractors,
            running,
        }
    }
}

/// The settings that change names only, and those that change the shape, which come behind them.
fn parted(asked: &[Asked]) -> (&[Asked], &[Asked]) {
    asked.split_at(asked.partition_point(|(setting, _)| !is_of_shape(setting)))
}

/// A text that compiles, and the function that it is about.
type Subject<'a> = (Whole<'a>, &'a Taken);

/// What makes the variants of some settings.
struct Rounds<'a> {
    asked: &'a [Asked],
    tools: &'a Tools,
    store: &'a Store,
    computed: &'a Computed,
    thesaurus: Option<&'a Thesaurus>,
    contractors: &'a Contractors,
    /// Who runs functions, and the seed of their inputs, where the shape changes.
    running: Option<(&'a Oracle, u64)>,
}

/// A variant on its way.
struct Candidate {
    /// The function, as an index of the batch.
    function: usize,
    setting: Setting,
    seed: u32,
    rewritten: Rewritten,
    renames: Renames,
}

impl Candidate {
    /// The old text and the new one, as they are compiled.
    fn texts(&self) -> (String, String) {
        (self.rewritten.old_compiled(), self.rewritten.new_compiled())
    }
}

impl Rounds<'_> {
    /// What becomes of texts, in their order.
    fn all(&self, subjects: &[Subject<'_>], counter: &Counter<'_>) -> Result<Vec<Made>, BuildError> {
        let size = if self.running.is_some() { BATCH_OF_SHAPE } else { BATCH };
        // What is only rehearsed is no result.
        let store = (!self.contractors.rehearse()).then_some(self.store);
        let batches = InBatches { store, counter, size, bytes: BYTES };
        let alike = |(whole, _): &Subject<'_>| whole.compiled_with().into_iter().map(str::to_owned).collect::<Vec<_>>();
        batches.made(
            subjects,
            |subject| self.key(subject),
            alike,
            |(whole, _)| whole.unit.len() * (1 + self.asked.len()),
            |batch, early| {
                batch.iter().for_each(|(whole, _)| self.computed.add(&whole.function.id, "variants"));
                self.make(&batch.iter().map(|(whole, _)| whole).collect::<Vec<_>>(), early)
            },
        )
    }

    fn key(&self, (whole, taken): &Subject<'_>) -> String {
        let function = whole.function;
        let stage = match whole.view {
            View::Alone => STAGE,
            View::WithHelpers => STAGE_WITH_HELPERS,
            View::Running => STAGE_OF_SHAPE,
        };
        let running = self.running.map(|(_, seed)| (seed, oracle::VERSION));
        let foreign = if self.running.is_some() { self.contractors.stamp() } else { String::new() };
        let asked = format!("{:?} {} {running:?} {foreign}", self.asked, estrange_rewrite::VERSION);
        let compiled = format!("{}{} {:?} {:?}", self.tools.key(), taken.headers, function.language, function.flags);
        let unlinked = function.unlinkable_reason.map_or("", |reason| reason.as_str());
        let mut parts: Vec<&[u8]> = vec![asked.as_bytes(), compiled.as_bytes(), unlinked.as_bytes()];
        parts.extend([function.id.as_bytes(), whole.unit.as_bytes(), function.text.as_bytes()]);
        let places = format!("{:?} {:?}", whole.place, whole.helpers);
        parts.push(places.as_bytes());
        key(stage, &parts)
    }

    fn make(&self, wholes: &[&Whole<'_>], early: &Early<'_>) -> Result<Vec<Made>, BuildError> {
        let wholes: Vec<Whole<'_>> = wholes.iter().map(|whole| self.reduced(whole)).collect();
        let mut made: Vec<Made> = wholes.iter().map(|_| Made::default()).collect();
        let first = Known { is_checked: true, ..Known::default() };
        let mut open: BTreeMap<usize, Known> = (0..wholes.len()).map(|index| (index, first.clone())).collect();
        for round in 1..=ROUNDS {
            let mut candidates = Vec::new();
            for (index, known) in &open {
                self.rewrite(*index, &wholes[*index], known, &mut candidates, &mut made[*index])?;
            }
            let verdicts = self.evidence(&wholes, &candidates)?;
            let mut next: BTreeMap<usize, Known> = BTreeMap::new();
            if round < ROUNDS {
                for (candidate, verdict) in candidates.iter().zip(&verdicts) {
                    let known = &open[&candidate.function];
                    if let Some(more) = learned(known, candidate, verdict) {
                        let next = next.entry(candidate.function).or_insert_with(|| known.clone());
                        next.keep.extend(more.keep);
                        next.theirs.extend(more.theirs);
                    }
                }
            }
            let (done, verdicts): (Vec<Candidate>, Vec<_>) = candidates
                .into_iter()
                .zip(verdicts)
                .filter(|(candidate, _)| !next.contains_key(&candidate.function))
                .unzip();
            let behaviours = self.behaviours(&wholes, &done, &verdicts, early)?;
            let checks = self.checks(&wholes, &done, &verdicts)?;
            for (((candidate, code), behaviour), checks) in done.iter().zip(verdicts).zip(behaviours).zip(checks) {
                let whole = &wholes[candidate.function];
                let shown = Shown { code, behaviour, checks };
                record(whole, candidate, shown, self.tools, &mut made[candidate.function])?;
            }
            // Those that are tried again begin anew.
            for index in next.keys() {
                made[*index] = Made::default();
            }
            open = next;
        }
        Ok(made)
    }

    /// A function with helpers in no more than they need.
    fn reduced<'w>(&self, whole: &Whole<'w>) -> Whole<'w> {
        // In C++ a body may be needed where none is run.
        if whole.view != View::WithHelpers || whole.function.language != Language::C {
            return whole.clone();
        }
        let arguments: Vec<String> =
            [Language::C.flag().to_owned()].into_iter().chain(whole.function.flags.iter().cloned()).collect();
        match self.tools.parser.names(&whole.unit, &arguments) {
            Ok(names) => whole.reduced(&names.functions),
            Err(_) => whole.clone(),
        }
    }

    /// All variants of one function; those that cannot be are waiting.
    fn rewrite(
        &self,
        index: usize,
        whole: &Whole<'_>,
        known: &Known,
        candidates: &mut Vec<Candidate>,
        made: &mut Made,
    ) -> Result<(), BuildError> {
        let rewriter = Rewriter { tools: self.tools, thesaurus: self.thesaurus, contractors: self.contractors };
        let function = whole.function;
        let subject = rewrite::Subject {
            id: &function.id,
            unit: &whole.unit,
            function: whole.place.as_ref(),
            helpers: &whole.helpers,
            language: function.language,
            flags: &function.flags,
        };
        let rewritten = rewriter.all(subject, known, self.asked)?;
        for ((setting, seed), rewritten) in self.asked.iter().zip(rewritten) {
            match rewritten {
                Ok(rewritten) => {
                    let renames = Renames::new(rewritten.names.iter().map(|name| (&name.old, &name.new)));
                    candidates.push(Candidate {
                        function: index,
                        setting: setting.clone(),
                        seed: *seed,
                        rewritten,
                        renames,
                    });
                }
                Err((reason, detail)) => made.waiting.push(Waiting {
                    function_id: function.id.clone(),
                    setting: setting.to_string(),
                    seed: *seed,
                    stage: Stage::Rewrite,
                    reason,
                    detail,
                }),
            }
        }
        Ok(())
    }

    /// What others have rewritten may do what the original does not: inputs say less about that.
    fn weigh(
        &self,
        whole: &Whole<'_>,
        candidate: &Candidate,
        verdict: &Result<IdenticalCode, Refusal>,
        behaviour: &mut Behaviour,
    ) -> Result<(), BuildError> {
        let is_others = !candidate.setting.recipe().foreign().is_empty();
        if is_others && !verdict.as_ref().is_ok_and(IdenticalCode::holds) {
            let (old, new) = candidate.texts();
            let pair = Pair { old: &old, new: &new, renames: &candidate.renames };
            self.tools.weighed(whole.function.language, &whole.function.flags, &pair, behaviour)?;
        }
        Ok(())
    }

    /// What running shows of each candidate that compiles, where it is to be run.
    fn behaviours(
        &self,
        wholes: &[Whole<'_>],
        candidates: &[Candidate],
        verdicts: &[Result<IdenticalCode, Refusal>],
        early: &Early<'_>,
    ) -> Result<Vec<Option<Behaviour>>, BuildError> {
        let mut all: Vec<Option<Behaviour>> = candidates.iter().map(|_| None).collect();
        let Some((oracle, seed)) = self.running else { return Ok(all) };
        let shown: Vec<Result<Vec<(usize, Behaviour)>, BuildError>> = wholes
            .par_iter()
            .enumerate()
            .map(|(index, whole)| {
                let is_one = |number: &usize| candidates[*number].function == index && verdicts[*number].is_ok();
                let numbers: Vec<usize> = (0..candidates.len()).filter(is_one).collect();
                let rewrites: Vec<run::Rewrite<'_>> =
                    numbers.iter().map(|number| candidates[*number].rewritten.to_run()).collect();
                let mut shown = ran(whole, &rewrites, oracle, seed)?;
                for (number, behaviour) in numbers.iter().zip(&mut shown) {
                    self.weigh(whole, &candidates[*number], &verdicts[*number], behaviour)?;
                }
                // A function is done when it is run, which takes longest, and it is run once.
                if !numbers.is_empty() {
                    early.one();
                }
                Ok(numbers.into_iter().zip(shown).collect())
            })
            .collect();
        for shown in shown {
            for (number, behaviour) in shown? {
                all[number] = Some(behaviour);
            }
        }
        Ok(all)
    }

    /// What clang would check in each candidate that compiles. With helpers nothing is asked: each of the functions has that
    /// by itself.
    fn checks(
        &self,
        wholes: &[Whole<'_>],
        candidates: &[Candidate],
        verdicts: &[Result<IdenticalCode, Refusal>],
    ) -> Result<Vec<Option<Checks>>, BuildError> {
        let mut all: Vec<Option<Checks>> = candidates.iter().map(|_| None).collect();
        let first = wholes.first().filter(|whole| whole.view != View::WithHelpers).map(|whole| whole.function);
        let Some(first) = first else { return Ok(all) };
        let numbers: Vec<usize> = (0..candidates.len()).filter(|number| verdicts[*number].is_ok()).collect();
        let texts: Vec<(String, String)> = numbers.iter().map(|number| candidates[*number].texts()).collect();
        let pairs: Vec<Pair<'_>> = numbers
            .iter()
            .zip(&texts)
            .map(|(number, (old, new))| Pair { old, new, renames: &candidates[*number].renames })
            .collect();
        let found = self.tools.same_checks(first.language, &first.flags, &pairs)?;
        numbers.into_iter().zip(found).for_each(|(number, checks)| all[number] = Some(checks));
        Ok(all)
    }

    /// What both compilers say of all candidates, which have the same language and flags. With helpers it is shown
    /// without optimisation only: each of the functions has the whole evidence by itself, and it costs a quarter.
    fn evidence(
        &self,
        wholes: &[Whole<'_>],
        candidates: &[Candidate],
    ) -> Result<Vec<Result<IdenticalCode, Refusal>>, BuildError> {
        let Some(first) = wholes.first().map(|whole| whole.function) else { return Ok(Vec::new()) };
        let texts: Vec<(String, String)> = candidates.iter().map(Candidate::texts).collect();
        let pairs: Vec<Pair<'_>> = candidates
            .iter()
            .zip(&texts)
            .map(|(candidate, (old, new))| Pair { old, new, renames: &candidate.renames })
            .collect();
        let levels = match wholes.first().map(|whole| whole.view) {
            Some(View::WithHelpers) => &LEVELS[..1],
            // Without optimisation another shape is other code.
            Some(View::Running) => &LEVELS[1..],
            Some(View::Alone) | None => &LEVELS[..],
        };
        self.tools.identical_code(first.language, &first.flags, levels, &pairs)
    }
}

/// What running shows of a function's rewrites, in their order.
fn ran(
    whole: &Whole<'_>,
    rewrites: &[run::Rewrite<'_>],
    oracle: &Oracle,
    seed: u64,
) -> Result<Vec<Behaviour>, BuildError> {
    let function = whole.function;
    if function.linked_unit.is_none() {
        let reason =
            Untestable::Unlinked(function.unlinkable_reason.map(|reason| reason.to_string()).unwrap_or_default());
        return Ok(rewrites.iter().map(|_| Behaviour::untestable(reason.clone())).collect());
    }
    let subject = oracle::Subject {
        text: &whole.unit,
        function: &function.name,
        at: whole.place.as_ref().map(|place| place.start),
        language: function.language,
        flags: &function.flags,
        seed,
    };
    behaviours(oracle, &subject, rewrites)
}

/// What a verdict adds to what is known of names; nothing if it adds nothing.
///
/// A name that a compiler misses must stay: the language itself asks for it, as for `begin`. A use of which nothing told
/// whose it is was taken for the project's; if that does not hold, it is a header's; if that does not either, the name
/// stays wherever it stands.
fn learned(known: &Known, candidate: &Candidate, verdict: &Result<IdenticalCode, Refusal>) -> Option<Known> {
    if matches!(verdict, Ok(code) if code.holds() || is_of_shape(&candidate.setting)) {
        return None;
    }
    let mut more = Known::default();
    if let Err(refusal) = verdict {
        let old: HashSet<&str> = candidate.rewritten.names.iter().map(|name| name.old.as_str()).collect();
        more.keep.extend(gcc_names(&refusal.message).into_iter().filter(|name| old.contains(name.as_str())));
    }
    if candidate.rewritten.doubtful.is_empty() {
        more.keep.extend(known.theirs.iter().cloned());
    }
    more.theirs.extend(candidate.rewritten.doubtful.iter().cloned());
    more.keep.retain(|name| !known.keep.contains(name));
    (!more.keep.is_empty() || !more.theirs.is_empty()).then_some(more)
}
