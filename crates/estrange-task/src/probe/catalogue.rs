//! The functions of a bench, to be found by what is said of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use estrange_bench::{Asks, Bench, Language, Question, Rung, record};
use estrange_model::{Item, ModelError, OpenedRanker, Scored, Silent};

use super::error::ProbeError;
use super::value::in_quotes;
use crate::detect::STANDARD;

record! {
    /// What is read of a pair.
    pub struct PairView of Pairs {
        /// As in the bench; so with the others.
        pub name: String,
        /// What versions of one function have in common.
        pub lineage: String,
        /// The id of its patched side.
        pub patched_id: String,
        /// The id of its vulnerable side.
        pub vulnerable_id: String,
    }
}

record! {
    /// What is read of a function.
    pub struct FunctionView of Functions {
        /// As in the bench; so with the other.
        pub id: String,
        /// Its language.
        pub language: Language,
    }
}

/// The patched sides of all pairs of a bench, as they were written. Versions of one function are one: the first by name.
pub struct Catalogue {
    ranker: OpenedRanker,
    /// By the name that they are found under.
    functions: Vec<(String, String)>,
    /// Under which name the function of a pair is found.
    names: HashMap<String, String>,
    pairs: HashMap<String, PairView>,
    languages: HashMap<String, Language>,
}

/// The patched function's own text in a rung.
fn own_text(rung: &Rung) -> Option<&str> {
    let own = rung.patched_start as usize..rung.patched_end as usize;
    rung.patched_unit.get(own).filter(|own| !own.trim().is_empty())
}

/// What stands before the body of a function, on one line.
fn head(text: &str) -> String {
    let before = text.split_once('{').map_or(text, |(before, _)| before);
    before.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where a function stands among all, for what was said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// The one that stands first, unless others are as good.
    pub first: Option<String>,
    /// How many are as good as the one that was meant, itself and better ones included.
    pub rank: Option<u32>,
}

impl Catalogue {
    /// What a bench has, to be searched by a model.
    ///
    /// # Errors
    /// When the bench has no pairs, or cannot be read.
    pub fn of(bench: &Bench, ranker: OpenedRanker) -> Result<Self, ProbeError> {
        let pairs: Vec<PairView> = bench.rows::<PairView>()?.collect::<Result<_, _>>()?;
        let languages = bench.rows::<FunctionView>()?.map(|view| view.map(|view| (view.id, view.language)));
        let languages = languages.collect::<Result<_, _>>()?;
        let mut firsts: BTreeMap<&str, &str> = BTreeMap::new();
        for pair in &pairs {
            let first = firsts.entry(&pair.lineage).or_insert(&pair.name);
            *first = (*first).min(&pair.name);
        }
        let name = |pair: &PairView| (pair.name.clone(), firsts[pair.lineage.as_str()].to_owned());
        let names: HashMap<String, String> = pairs.iter().map(name).collect();
        let mut functions = BTreeMap::new();
        for rung in bench.rows::<Rung>()? {
            let rung = rung?;
            let Some(name) = names.get(&rung.pair).filter(|_| rung.setting == STANDARD) else { continue };
            if *name == rung.pair || !functions.contains_key(name) {
                functions.insert(name.clone(), own_text(&rung).unwrap_or(&rung.patched_unit).to_owned());
            }
        }
        Ok(Self {
            ranker,
            functions: functions.into_iter().collect(),
            names,
            pairs: pairs.into_iter().map(|pair| (pair.name.clone(), pair)).collect(),
            languages,
        })
    }

    /// What these pairs' functions do, asked at each of their levels.
    pub fn questions(&self, bench: &Bench, pairs: &HashSet<String>) -> Result<Vec<Question>, ProbeError> {
        let mut questions = Vec::new();
        for rung in bench.rows::<Rung>()? {
            let rung = rung?;
            if pairs.contains(&rung.pair) {
                questions.push(self.question(rung)?);
            }
        }
        Ok(questions)
    }

    fn question(&self, rung: Rung) -> Result<Question, ProbeError> {
        let item = format!("{}/{}", rung.pair, Asks::Summary);
        let known = self.pairs.get(&rung.pair).zip(self.names.get(&rung.pair)).and_then(|(pair, name)| {
            let language = self.languages.get(&pair.patched_id).or_else(|| self.languages.get(&pair.vulnerable_id));
            Some((pair.patched_id.clone(), name, *language?))
        });
        let Some((function_id, name, language)) = known else {
            let detail = "the bench does not have its function".to_owned();
            return Err(ProbeError::Question { item, setting: rung.setting, seed: rung.seed, detail });
        };
        Ok(Question {
            item,
            seed: rung.seed,
            function_id,
            language,
            asks: Asks::Summary,
            call: String::new(),
            asked: format!("What does the function `{}` do?", head(own_text(&rung).unwrap_or_default())),
            answer: in_quotes(name),
            bits: None,
            setting: rung.setting,
            pair: rung.pair,
        })
    }

    /// What is said of a function by who knows all: its own text.
    pub(super) fn text(&self, pair: &str) -> Option<&str> {
        let name = self.names.get(pair)?;
        self.functions.iter().find(|(own, _)| own == name).map(|(_, text)| text.as_str())
    }

    /// Everything that what is found depends on.
    pub(super) fn card(&self) -> serde_json::Value {
        let mut card = self.ranker.ranker().card();
        let mut hasher = blake3::Hasher::new();
        for (name, text) in &self.functions {
            hasher.update(name.as_bytes()).update(&[0]).update(text.as_bytes()).update(&[0]);
        }
        if let Some(card) = card.as_object_mut() {
            card.insert("functions".to_owned(), self.functions.len().into());
            card.insert("hash".to_owned(), hasher.finalize().to_hex().as_str().into());
        }
        card
    }

    /// What is found by summaries, each of the function of a pair.
    pub(super) fn found(&self, summaries: &[(&str, &str)]) -> Result<Vec<Found>, ModelError> {
        let documents: Vec<Item<'_>> = self.functions.iter().map(|(id, text)| Item { id, text }).collect();
        let queries: Vec<Item<'_>> = summaries.iter().map(|(pair, text)| Item { id: pair, text }).collect();
        let rankings = self.ranker.ranker().rank(&queries, &documents, documents.len(), &Silent)?;
        Ok(summaries.iter().zip(rankings).map(|((pair, _), ranking)| self.found_by(pair, &ranking)).collect())
    }

    fn found_by(&self, pair: &str, ranking: &[Scored]) -> Found {
        let meant = self.names.get(pair).and_then(|name| self.functions.iter().position(|(own, _)| own == name));
        let mut best = ranking.iter().filter(|scored| Some(scored.score) == ranking.first().map(|first| first.score));
        let first = match (best.next(), best.next()) {
            (Some(first), None) => self.functions.get(first.document as usize).map(|(name, _)| name.clone()),
            _ => None,
        };
        let own = ranking.iter().find(|scored| Some(scored.document as usize) == meant);
        let rank = own.map(|own| ranking.iter().filter(|scored| scored.score >= own.score).count() as u32);
        Found { first, rank }
    }
}
