//! What of all that was taken out stays: one of several that are nearly the same, and no source beyond its share. Works on
//! ids and signatures; the texts may be on disk.

use std::collections::HashMap;

use estrange_bench::{BenchError, Candidate, Function, Placed, Rejected};
use estrange_text::balance::{Bound, Item, surplus};
use estrange_text::duplicates::{Options as DuplicateOptions, Signature, Verdict, verdicts};
use estrange_words::{Reason, Stage};

use crate::error::BuildError;

/// How functions are chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    /// The similarity from which on two functions are duplicates.
    pub(crate) threshold: f64,
    /// Whether versions of one function may be nearly the same.
    pub(crate) keep_versions: bool,
    /// How much one source may have.
    pub(crate) max_per_source: Option<Bound>,
    pub(crate) seed: u64,
}

impl Rules {
    /// What can be said of the functions of one part, which does not know those of the others: of the same text twice,
    /// only the first can stay. Nothing, where versions are spared: of which function they are near duplicates counts.
    pub(crate) fn of_a_part(self) -> Option<Self> {
        (!self.keep_versions).then_some(Self { threshold: f64::INFINITY, max_per_source: None, ..self })
    }
}

/// What becomes of a function.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fate {
    /// It stays; these are nearly the same, and do not.
    Stays { duplicates: Vec<String> },
    /// It goes.
    Goes { stage: Stage, reason: Reason, detail: String },
}

/// What becomes of functions, in their order.
pub(crate) fn select(
    candidates: impl Iterator<Item = Result<Placed<Candidate>, BenchError>>,
    rules: Rules,
) -> Result<Vec<Fate>, BuildError> {
    let how = DuplicateOptions { threshold: rules.threshold, ..DuplicateOptions::default() };
    let (mut known, mut signatures) = (Vec::new(), Vec::new());
    let mut sources: HashMap<String, usize> = HashMap::new();
    for candidate in candidates {
        let Candidate { id, lineage, source, text } = candidate?.record;
        let next = sources.len();
        known.push((id, lineage, *sources.entry(source).or_insert(next)));
        signatures.push(Signature::of(&text, how));
    }
    let are_versions = |one: usize, other: usize| rules.keep_versions && known[one].1 == known[other].1;
    let mut fates: Vec<Fate> = known.iter().map(|_| Fate::Stays { duplicates: Vec::new() }).collect();
    for (index, verdict) in verdicts(&signatures, how, are_versions).into_iter().enumerate() {
        let Verdict::Duplicate { of, similarity, exact } = verdict else { continue };
        if let Fate::Stays { duplicates } = &mut fates[of] {
            duplicates.push(known[index].0.clone());
        }
        let reason = if exact { Reason::ExactDuplicate } else { Reason::NearDuplicate };
        let detail = format!("of {}, similarity {similarity:.3}", known[of].0);
        fates[index] = Fate::Goes { stage: Stage::Duplicate, reason, detail };
    }
    if let Some(bound) = rules.max_per_source {
        let mut names: Vec<&str> = vec![""; sources.len()];
        for (name, number) in &sources {
            names[*number] = name;
        }
        let stay: Vec<usize> = (0..fates.len()).filter(|index| fates[*index].stays()).collect();
        let items: Vec<Item<'_>> =
            stay.iter().map(|index| Item { source: names[known[*index].2], id: &known[*index].0 }).collect();
        for surplus in surplus(&items, bound, rules.seed)? {
            let detail = "its source would have more than its share".to_owned();
            fates[stay[surplus]] = Fate::Goes { stage: Stage::Balance, reason: Reason::OverShare, detail };
        }
    }
    Ok(fates)
}

impl Fate {
    pub(crate) fn stays(&self) -> bool {
        matches!(self, Self::Stays { .. })
    }
}

/// A function that was taken out and does not stay.
pub(crate) fn rejected(function: Function, stage: Stage, reason: Reason, detail: String) -> Rejected {
    Rejected {
        id: Some(function.id),
        source: function.source,
        version: Some(function.version),
        path: Some(function.path),
        line_start: Some(function.line_start),
        line_end: Some(function.line_end),
        name: Some(function.name),
        kind: Some(function.kind),
        language: Some(function.language),
        role: Some(function.role),
        stage,
        reason,
        detail,
        text: Some(function.text),
    }
}
