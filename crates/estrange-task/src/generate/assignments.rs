//! Which functions are asked for: those that can be run, are described, and whose inputs are good evidence.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use estrange_bench::{Bench, Function, Group, Language, Split, Variant, Writing};
use estrange_grade::names::Back;
use estrange_history::{Asked, Past};
use estrange_model::Watch;
use estrange_report::generate::FunnelSheet;
use estrange_text::lexer::lex;
use estrange_text::outline::{Form, definitions};
use estrange_words::NotAsked;
use rayon::prelude::*;

use super::STANDARD;
use super::changed::{Stages, funnel};
use super::context::{Thing, identifiers, things, written};
use super::cut::{Cut, infill, prefix};
use super::distract::{Pool, mixed};
use super::entry::Entry;
use super::error::GenerateError;
use super::judge::{Fit, Ground, Unfit};
use super::records::Assignment;
use super::template::{Given, Template};
use super::world::{Original, World};
use crate::query::comment;

/// Which functions are asked for, in which settings, and how.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// What is to be written.
    pub writing: Writing,
    /// The settings; as they were written, and all that the bench has, where none is named.
    pub settings: Vec<String>,
    /// How many seeds of each setting.
    pub trials: usize,
    /// Functions of these groups; of all, where none is named.
    pub groups: Vec<Group>,
    /// Functions of sources that are for this; of all, where it is not said.
    pub split: Option<Split>,
    /// Functions under these classes of licences; of all, where none is named.
    pub licences: Vec<String>,
    /// Functions in this language; of both, where it is not said.
    pub language: Option<Language>,
    /// Functions of these sources; of all, where none is named.
    pub sources: Vec<String>,
    /// Whether functions without a description are asked for, too.
    pub undescribed: bool,
    /// At most so many functions, drawn by the seed.
    pub limit: Option<usize>,
    /// What functions, cuts and distractors are drawn by.
    pub seed: u64,
    /// What is shown besides the description.
    pub context: ContextOptions,
    /// When functions changed, as far as that is known; only those that it takes are asked for.
    pub past: Past,
}

/// What a model is shown of the file.
#[derive(Debug, Clone, Copy)]
pub struct ContextOptions {
    /// Whether other functions are shown with their bodies.
    pub with_bodies: bool,
    /// How many distractors for each thing that may be used.
    pub distractors: usize,
}

/// Why functions are not asked for, and how many.
pub type Lost = BTreeMap<&'static str, usize>;

/// What stands in the place of a description that is not there.
const UNDESCRIBED: &str = "What its declaration says.";

/// Everything that is asked for.
#[derive(Debug)]
pub struct Assignments<S> {
    pub(super) entries: Vec<Entry<S>>,
    pub(super) lost: Lost,
    pub(super) writing: Writing,
    stages: Stages,
}

/// A function that may be asked for.
struct Candidate {
    function: Function,
    description: String,
    original: Arc<Original>,
}

/// One of which answers can be told apart.
struct Ready {
    candidate: Candidate,
    fit: Fit,
}

/// One of them in a setting.
struct Staged<'r> {
    ready: &'r Ready,
    setting: String,
    seed: u32,
    world: World,
    surface_distance: f64,
}

impl Assignments<World> {
    /// Reads what was chosen from a bench, and prepares each function until there are as many as are wanted. `watch` is told of
    /// each that was looked at.
    pub fn read(
        bench: &Bench,
        chosen: &Chosen,
        template: &Template,
        ground: &dyn Ground,
        watch: &dyn Watch,
    ) -> Result<Self, GenerateError> {
        let mut lost = Lost::new();
        let candidates = candidates(bench, chosen, ground.runs_units(), &mut lost)?;
        let described = (candidates.len(), lost.clone());
        let ready = ready(candidates, chosen, ground, watch, &mut lost)?;
        let stages = Stages { described, ready: (ready.len(), lost.clone()), asked: 0 };
        let worlds = worlds(bench, chosen, &ready)?;
        let entries = fitting(entries(worlds, chosen, template, &mut lost), ground, watch, &mut lost)?;
        Self::of(entries, (lost, stages), chosen.writing)
    }
}

impl<S> Assignments<S> {
    /// Of these items, in their order by setting.
    pub(super) fn of(
        mut entries: Vec<Entry<S>>,
        (lost, stages): (Lost, Stages),
        writing: Writing,
    ) -> Result<Self, GenerateError> {
        if entries.is_empty() {
            let lost = lost.into_iter().map(|(why, count)| (why.to_owned(), count)).collect();
            return Err(GenerateError::NothingToAsk { lost });
        }
        entries.sort_by(|one, other| key(&one.assignment).cmp(&key(&other.assignment)));
        let mut read = Self { entries, lost, writing, stages };
        read.stages.asked = read.functions();
        Ok(read)
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none, which cannot be: what has none is an error.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many functions they are about.
    pub fn functions(&self) -> usize {
        self.entries.iter().map(|entry| &entry.assignment.item).collect::<BTreeSet<_>>().len()
    }

    /// Why functions are not asked for.
    pub fn lost(&self) -> &Lost {
        &self.lost
    }

    /// How functions were chosen by their changes, where that was asked for.
    pub fn funnel(&self, past: &Past, options: &Asked) -> Option<FunnelSheet> {
        let each = self.entries.iter().map(|entry| (&entry.assignment.source, &entry.assignment.item));
        let mut asked: BTreeMap<String, usize> = BTreeMap::new();
        each.collect::<BTreeSet<_>>()
            .into_iter()
            .for_each(|(source, _)| *asked.entry(source.clone()).or_default() += 1);
        funnel(past, options, &self.stages, &asked)
    }

    /// The items.
    pub fn entries(&self) -> &[Entry<S>] {
        &self.entries
    }
}

fn key(assignment: &Assignment) -> (bool, &str, u32, &str) {
    let Assignment { setting, seed, item, .. } = assignment;
    (setting != STANDARD, setting, *seed, item)
}

/// The functions that can be graded, as far as the bench knows, and are described, in the order in which they are drawn.
fn candidates(
    bench: &Bench,
    chosen: &Chosen,
    must_run: bool,
    lost: &mut Lost,
) -> Result<Vec<Candidate>, GenerateError> {
    let mut described: HashMap<String, String> = HashMap::new();
    if bench.has_queries() {
        for query in bench.queries()? {
            let query = query?;
            described.entry(query.function_id).or_insert(query.text);
        }
    }
    let mut candidates = Vec::new();
    for function in bench.functions()? {
        let function = function?;
        if !is_chosen(&function, chosen) {
            continue;
        }
        let mut loses = |why: NotAsked| *lost.entry(why.as_str()).or_default() += 1;
        let linked = (function.linked_unit.as_ref(), function.linked_start, function.linked_end);
        let smallest = (Some(&function.unit).filter(|_| !must_run), function.unit_start, function.unit_end);
        let (linked, smallest) = (placed(linked), placed(smallest));
        let Some((unit, start, end)) = linked.or(smallest) else {
            loses(NotAsked::NotLinkable);
            continue;
        };
        let place = start as usize..end as usize;
        let Some(own) = unit.get(place.clone()) else {
            loses(NotAsked::NotInItsUnit);
            continue;
        };
        if head(own).is_none() {
            loses(NotAsked::NoPlainHead);
            continue;
        }
        let description = match described.remove(&function.id) {
            Some(description) => description,
            None => match comment::description(&function) {
                Ok(description) => description,
                Err(_) if chosen.undescribed => UNDESCRIBED.to_owned(),
                Err(_) => {
                    loses(NotAsked::NotDescribed);
                    continue;
                }
            },
        };
        let original = Original {
            unit: unit.clone(),
            place,
            name: function.name.clone(),
            language: function.language,
            flags: function.flags.clone(),
        };
        candidates.push(Candidate { original: Arc::new(original), description, function });
    }
    candidates.sort_by_key(|candidate| drawn(chosen.seed, &candidate.function.id));
    Ok(candidates)
}

/// A unit and where the function stands in it, if both are there.
fn placed((unit, start, end): (Option<&String>, Option<u32>, Option<u32>)) -> Option<(&String, u32, u32)> {
    Some((unit?, start?, end?))
}

fn is_chosen(function: &Function, chosen: &Chosen) -> bool {
    let any = |words: &[String], word: &String| words.is_empty() || words.contains(word);
    (chosen.groups.is_empty() || chosen.groups.contains(&function.group))
        && chosen.split.is_none_or(|split| split == function.split)
        && chosen.language.is_none_or(|language| language == function.language)
        && any(&chosen.licences, &function.licence_class)
        && any(&chosen.sources, &function.source)
        && chosen.past.takes(&function.id)
}

/// Where something stands in an order that a seed draws.
pub(super) fn drawn(seed: u64, what: &str) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes()).update(what.as_bytes());
    hasher.finalize().as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The first functions of which answers can be told apart, as many as are wanted.
fn ready(
    candidates: Vec<Candidate>,
    chosen: &Chosen,
    ground: &dyn Ground,
    watch: &dyn Watch,
    lost: &mut Lost,
) -> Result<Vec<Ready>, GenerateError> {
    let at_once = rayon::current_num_threads().max(1) * 4;
    let wanted = chosen.limit.unwrap_or(usize::MAX);
    let mut ready: Vec<Ready> = Vec::new();
    let mut candidates = candidates.into_iter().peekable();
    while candidates.peek().is_some() && ready.len() < wanted {
        if watch.should_stop() {
            return Err(estrange_model::ModelError::Stopped.into());
        }
        let batch: Vec<Candidate> = candidates.by_ref().take(at_once).collect();
        let look = |candidate: Candidate| {
            let fits = ground.fits(&candidate.function, &candidate.original)?;
            watch.done(1);
            Ok((candidate, fits))
        };
        let looked: Vec<(Candidate, Result<Fit, Unfit>)> =
            batch.into_par_iter().map(look).collect::<Result<_, GenerateError>>()?;
        for (candidate, fits) in looked {
            match fits {
                Ok(fit) => ready.push(Ready { candidate, fit }),
                Err(why) => *lost.entry(why).or_default() += 1,
            }
        }
    }
    ready.truncate(wanted);
    Ok(ready)
}

/// Those items that pass as they are.
fn fitting(
    entries: Vec<Entry<World>>,
    ground: &dyn Ground,
    watch: &dyn Watch,
    lost: &mut Lost,
) -> Result<Vec<Entry<World>>, GenerateError> {
    let look = |entry: Entry<World>| {
        if watch.should_stop() {
            return Err(estrange_model::ModelError::Stopped.into());
        }
        Ok((ground.fits_in(&entry.assignment, &entry.subject)?, entry))
    };
    let looked: Vec<(Result<(), Unfit>, Entry<World>)> =
        entries.into_par_iter().map(look).collect::<Result<_, GenerateError>>()?;
    let mut fitting = Vec::new();
    for (fits, entry) in looked {
        match fits {
            Ok(()) => fitting.push(entry),
            Err(why) => *lost.entry(why).or_default() += 1,
        }
    }
    Ok(fitting)
}

/// Each function in each setting.
fn worlds<'r>(bench: &Bench, chosen: &Chosen, ready: &'r [Ready]) -> Result<Vec<Staged<'r>>, GenerateError> {
    let mut worlds = Vec::new();
    let mut known = BTreeSet::from([STANDARD.to_owned()]);
    let is_wanted = |setting: &str| chosen.settings.is_empty() || chosen.settings.iter().any(|own| own == setting);
    if is_wanted(STANDARD) {
        for ready in ready {
            let original = &ready.candidate.original;
            let (unit, place) = (original.unit.clone(), original.place.clone());
            let (names, back) = (BTreeMap::new(), Back::default());
            let world = World { original: Arc::clone(original), unit, place, names, is_linked: true, back };
            worlds.push(Staged { ready, setting: STANDARD.to_owned(), seed: 0, world, surface_distance: 0.0 });
        }
    }
    let by_id: HashMap<&str, &Ready> =
        ready.iter().map(|ready| (ready.candidate.function.id.as_str(), ready)).collect();
    let mut seeds: HashMap<(String, String), BTreeSet<u32>> = HashMap::new();
    if bench.has_variants() {
        for variant in bench.variants()? {
            let variant: Variant = variant?;
            known.insert(variant.setting.clone());
            let (Some(ready), true) = (by_id.get(variant.function_id.as_str()), is_wanted(&variant.setting)) else {
                continue;
            };
            let (Some(start), Some(end)) = (variant.unit_start, variant.unit_end) else { continue };
            let own = seeds.entry((variant.function_id.clone(), variant.setting.clone())).or_default();
            if own.len() >= chosen.trials && !own.contains(&variant.seed) {
                continue;
            }
            own.insert(variant.seed);
            let names = variant.rename_map.0;
            let world = World {
                original: Arc::clone(&ready.candidate.original),
                place: start as usize..end as usize,
                // Shapes are changed in units that are linked; names alone in the smallest one.
                is_linked: !variant.evidence.0.shapes.is_empty(),
                back: Back::of(&names),
                names,
                unit: variant.unit,
            };
            let Variant { setting, seed, surface_distance, .. } = variant;
            worlds.push(Staged { ready, setting, seed, world, surface_distance });
        }
    }
    match chosen.settings.iter().find(|setting| !known.contains(*setting)) {
        Some(setting) => Err(GenerateError::NoSetting { setting: setting.clone(), known: known.into_iter().collect() }),
        None => Ok(worlds),
    }
}

/// The declaration of a function: what stands before its body.
fn head(text: &str) -> Option<String> {
    let tokens = lex(text);
    let found = definitions(text, &tokens).into_iter().find(|definition| definition.form == Form::Function)?;
    let head = text.get(..found.body as usize)?.trim();
    (!head.is_empty()).then(|| format!("{head};"))
}

fn entries(worlds: Vec<Staged<'_>>, chosen: &Chosen, template: &Template, lost: &mut Lost) -> Vec<Entry<World>> {
    // What functions of one project have in a setting may distract from what another one uses there.
    let mut pools: BTreeMap<(&str, &str, u32), Pool> = BTreeMap::new();
    let mut shown: Vec<Option<Vec<Thing>>> = Vec::new();
    for Staged { ready, setting, seed, world, .. } in &worlds {
        let own = things(&world.unit, &world.place, chosen.context.with_bodies);
        let pool = pools.entry((&ready.candidate.function.source, setting, *seed)).or_default();
        if let Some(own) = own.as_ref().filter(|_| chosen.context.distractors > 0) {
            pool.add(own);
        }
        shown.push(own);
    }
    let mut all = Vec::new();
    let made: Vec<Option<(String, Option<Cut>)>> = worlds
        .iter()
        .zip(shown)
        .map(|(Staged { ready, setting, seed, world, .. }, shown)| {
            let pool = pools.get(&(ready.candidate.function.source.as_str(), setting.as_str(), *seed));
            asked(ready, world, shown?, pool, chosen, template)
        })
        .collect();
    for (Staged { ready, setting, seed, world, surface_distance }, made) in worlds.into_iter().zip(made) {
        let Some((prompt, cut)) = made else {
            let is_whole = chosen.writing == Writing::Generation;
            let why = if is_whole { NotAsked::NoPlainHead } else { NotAsked::TooShortToCut };
            *lost.entry(why.as_str()).or_default() += 1;
            continue;
        };
        let function = &ready.candidate.function;
        let text = world.text().to_owned();
        let assignment = Assignment {
            item: function.id.clone(),
            setting,
            seed,
            asks: chosen.writing,
            name: function.qualified_name.clone(),
            source: function.source.clone(),
            path: function.path.clone(),
            language: function.language,
            group: function.group,
            split: function.split,
            licence_class: function.licence_class.clone(),
            loc: u32::try_from(estrange_text::facts::facts(&text, function.language).code_lines).unwrap_or(u32::MAX),
            surface_distance,
            inputs: ready.fit.inputs,
            kill_rate: ready.fit.kill_rate,
            date: chosen.past.day(&function.id).map(str::to_owned),
            text,
        };
        let wrong = ready.fit.wrong.iter().map(|wrong| world.forth(wrong)).collect();
        all.push(Entry { assignment, prompt, cut, wrong, subject: world });
    }
    all
}

/// What is asked of a function in a setting, and what of it is given.
fn asked(
    ready: &Ready,
    world: &World,
    own: Vec<Thing>,
    pool: Option<&Pool>,
    chosen: &Chosen,
    template: &Template,
) -> Option<(String, Option<Cut>)> {
    let function = &ready.candidate.function;
    let seed = drawn(chosen.seed, &function.id);
    let text = world.text();
    let cut = match chosen.writing {
        Writing::Generation => None,
        Writing::Completion => Some(prefix(text, seed)?),
        Writing::Infill => Some(infill(text, seed)?),
    };
    let known = identifiers(&world.unit);
    let distractors = pool.map_or_else(Vec::new, |pool| {
        let is_taken = |name: &str| known.contains(name) || name == world.name();
        pool.distractors(&own, chosen.context.distractors, is_taken, seed)
    });
    let context = written(&mixed(own, distractors, seed));
    let given = Given {
        description: &world.described(&ready.candidate.description),
        declaration: &head(text)?,
        cut: cut.as_ref(),
        context: &context,
        language: function.language,
    };
    Some((template.filled(&given), cut))
}
