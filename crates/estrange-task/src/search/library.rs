//! What a bench holds, as a search needs it: texts of functions by setting and seed, queries, and what is right.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use estrange_bench::exchange::ExportedCorpus;
use estrange_bench::{Bench, BenchError, Function, Group, Judgement, Query, View};
use estrange_report::document::SettingKind;

use super::corpus::{Corpus, Document};
use crate::query::document_id;

/// The setting in which functions are as they were written.
pub const STANDARD: &str = "standard";

/// Why there is nothing to search.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The bench cannot be read.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// It has no queries.
    #[error("the bench has no queries")]
    NoQueries,
    /// It does not have a setting that was asked for.
    #[error("the bench has no setting `{setting}`; it has {}", .known.join(", "))]
    NoSetting {
        /// The setting.
        setting: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// There is no corpus with a query.
    #[error("no corpus has a query and a document that is right for it")]
    Empty,
    /// A model failed.
    #[error(transparent)]
    Model(#[from] estrange_model::ModelError),
    /// Rankings or judgements do not fit.
    #[error(transparent)]
    Ranking(#[from] estrange_stats::retrieval::RetrievalError),
}

impl SearchError {
    /// What to do about it, where there is something.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Bench(error) => error.hint(),
            Self::NoQueries => {
                Some("`estrange queries BENCH` writes some, out of comments if no model is named".to_owned())
            }
            Self::NoSetting { .. } => Some("build the bench with --settings that have it".to_owned()),
            Self::Empty => Some("name other groups or settings, or more queries".to_owned()),
            Self::Model(_) | Self::Ranking(_) => None,
        }
    }
}

/// The text of a function in a setting.
struct Shown {
    text: String,
    /// With what it calls, where the setting has that.
    long: Option<String>,
    /// What was shown of a variant.
    tier: Option<String>,
}

impl Shown {
    /// Whether it is no variant, or one of these tiers; of any, if there are none.
    fn is_of(&self, tiers: &[String]) -> bool {
        tiers.is_empty() || self.tier.as_ref().is_none_or(|tier| tiers.contains(tier))
    }
}

/// Which corpora are put together; empty lists choose everything.
#[derive(Debug, Clone, Default)]
pub struct Chosen {
    /// The settings.
    pub settings: Vec<String>,
    /// The groups.
    pub groups: Vec<Group>,
    /// The views.
    pub views: Vec<View>,
    /// Only queries by these authors.
    pub authors: Vec<String>,
    /// Only variants of these tiers, by what was shown of them.
    pub tiers: Vec<String>,
    /// Only documents that all chosen settings have, so that all have the same queries and documents in each group and view.
    pub common: bool,
}

/// A bench, read.
pub struct Library {
    functions: Vec<Function>,
    queries: Vec<Query>,
    judgements: HashMap<(String, View), Vec<(String, u32)>>,
    /// By setting and seed, by function.
    shown: BTreeMap<(String, u32), HashMap<String, Shown>>,
    /// The settings that compilers made, as far as they were read.
    lowered: BTreeSet<String>,
}

impl Library {
    /// Reads what the chosen settings need.
    pub fn read(bench: &Bench, settings: &[String]) -> Result<Self, SearchError> {
        if !bench.has_queries() {
            return Err(SearchError::NoQueries);
        }
        let functions: Vec<Function> = bench.functions()?.collect::<Result<_, _>>()?;
        let queries: Vec<Query> = bench.queries()?.collect::<Result<_, _>>()?;
        let mut judgements: HashMap<(String, View), Vec<(String, u32)>> = HashMap::new();
        for judgement in bench.judgements()? {
            let Judgement { query_id, view, document_id, grade } = judgement?;
            judgements.entry((query_id, view)).or_default().push((document_id, grade));
        }
        let is_asked = |setting: &str| settings.is_empty() || settings.iter().any(|asked| asked == setting);
        let mut shown: BTreeMap<(String, u32), HashMap<String, Shown>> = BTreeMap::new();
        let mut known: BTreeSet<String> = BTreeSet::from([STANDARD.to_owned()]);
        let mut put = |setting: String, seed: u32, function: String, text: Shown| {
            if is_asked(&setting) {
                shown.entry((setting.clone(), seed)).or_default().insert(function, text);
            }
            known.insert(setting);
        };
        for function in &functions {
            let text = Shown { text: function.text.clone(), long: function.long_text.clone(), tier: None };
            put(STANDARD.to_owned(), 0, function.id.clone(), text);
        }
        if bench.has_variants() {
            for variant in bench.variants()? {
                let variant = variant?;
                let text = Shown { text: variant.text, long: variant.long_text, tier: Some(variant.tier) };
                put(variant.setting, variant.seed, variant.function_id, text);
            }
        }
        let mut of_compilers = BTreeSet::new();
        if bench.has_lowered() {
            for lowered in bench.lowered()? {
                let lowered = lowered?;
                if !of_compilers.contains(&lowered.setting) {
                    of_compilers.insert(lowered.setting.clone());
                }
                let (text, long) = match lowered.short_text {
                    Some(short) => (short, Some(lowered.text)),
                    None => (lowered.text.clone(), Some(lowered.text)),
                };
                put(lowered.setting, 0, lowered.function_id, Shown { text, long, tier: None });
            }
        }
        if let Some(missing) = settings.iter().find(|setting| !known.contains(*setting)) {
            return Err(SearchError::NoSetting { setting: missing.clone(), known: known.into_iter().collect() });
        }
        Ok(Self { functions, queries, judgements, shown, lowered: of_compilers })
    }

    /// The functions of the bench.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The queries of the bench.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// What a setting shows: what was written, rewritten or compiled.
    pub fn kind(&self, setting: &str) -> SettingKind {
        match setting {
            STANDARD => SettingKind::Original,
            setting if self.lowered.contains(setting) => SettingKind::Lowered,
            _ => SettingKind::Rewritten,
        }
    }

    /// The settings that were read, with their seeds: the standard one first.
    pub fn settings(&self) -> Vec<(String, u32)> {
        let mut settings: Vec<(String, u32)> = self.shown.keys().cloned().collect();
        settings.sort_by_key(|(setting, seed)| (setting != STANDARD, setting.clone(), *seed));
        settings
    }

    /// What is searched: one corpus for each group, view, setting and seed that has a query.
    pub fn corpora(&self, chosen: &Chosen) -> Result<Vec<Corpus>, SearchError> {
        let asked = |setting: &str| chosen.settings.is_empty() || chosen.settings.iter().any(|each| each == setting);
        let settings: Vec<(String, u32)> = self.settings().into_iter().filter(|(setting, _)| asked(setting)).collect();
        let mut corpora = Vec::new();
        for group in Group::ALL.iter().filter(|group| chosen.groups.is_empty() || chosen.groups.contains(group)) {
            for view in View::ALL.iter().filter(|view| chosen.views.is_empty() || chosen.views.contains(view)) {
                if *view == View::Long && *group != Group::Three {
                    continue;
                }
                let mut documents: Vec<BTreeMap<String, String>> =
                    settings.iter().map(|key| self.documents(*group, *view, key, &chosen.tiers)).collect();
                if chosen.common {
                    keep_common(&mut documents);
                }
                for ((setting, seed), documents) in settings.iter().zip(documents) {
                    let has_several = settings.iter().filter(|(each, _)| each == setting).count() > 1;
                    let name = ExportedCorpus::name(*group, *view, setting, has_several.then_some(*seed));
                    let mut corpus = Corpus::new(name, *group, *view, setting.clone(), *seed);
                    corpus.documents = documents.into_iter().map(|(id, text)| Document { id, text }).collect();
                    self.add_queries(&mut corpus, &chosen.authors);
                    corpora.extend((!corpus.queries.is_empty()).then_some(corpus));
                }
            }
        }
        if corpora.is_empty() { Err(SearchError::Empty) } else { Ok(corpora) }
    }

    /// What may be found in a group, a view and a setting with its seed, by id.
    fn documents(&self, group: Group, view: View, key: &(String, u32), tiers: &[String]) -> BTreeMap<String, String> {
        let shown = self.shown.get(key);
        let text = |id: &str| {
            let shown = shown?.get(id).filter(|shown| shown.is_of(tiers))?;
            match view {
                View::Short => Some(shown.text.clone()),
                View::Long => shown.long.clone(),
            }
        };
        let mut documents: BTreeMap<String, String> = BTreeMap::new();
        for function in self.functions.iter().filter(|function| function.group == group) {
            if let Some(text) = text(&function.id) {
                documents.insert(function.id.clone(), text);
            }
            if group != Group::Three || view == View::Long {
                continue;
            }
            for helper in function.helpers.iter().filter(|helper| helper.depth == 1) {
                let Some(id) = document_id(helper) else { continue };
                // One that is no function of the bench is only known as it was written.
                let own = (key.0 == STANDARD && !helper.text.is_empty()).then(|| helper.text.clone());
                if let Some(text) = text(&id).or(own) {
                    documents.entry(id).or_insert(text);
                }
            }
        }
        documents
    }

    /// Adds the queries whose function is a document, and what is right for each.
    fn add_queries(&self, corpus: &mut Corpus, authors: &[String]) {
        let number: HashMap<String, u32> =
            corpus.documents.iter().zip(0..).map(|(document, at)| (document.id.clone(), at)).collect();
        let in_group: HashSet<&str> =
            self.functions.iter().filter(|each| each.group == corpus.group).map(|each| each.id.as_str()).collect();
        for query in &self.queries {
            let is_by = authors.is_empty() || authors.contains(&query.author);
            if !is_by || !in_group.contains(query.function_id.as_str()) {
                continue;
            }
            let Some(right) = self.judgements.get(&(query.id.clone(), corpus.view)) else { continue };
            let graded: Vec<(u32, u32)> =
                right.iter().filter_map(|(id, grade)| Some((*number.get(id)?, *grade))).collect();
            // Without the function itself nobody can find it.
            match number.contains_key(&query.function_id) {
                true => corpus.add(query, graded),
                false => corpus.left_out += 1,
            }
        }
    }
}

/// Leaves out of each what is not in all of them.
fn keep_common(documents: &mut [BTreeMap<String, String>]) {
    let mut settings = documents.iter().map(|each| each.keys().cloned().collect::<BTreeSet<String>>());
    let first = settings.next().unwrap_or_default();
    let common = settings.fold(first, |common, ids| common.intersection(&ids).cloned().collect());
    documents.iter_mut().for_each(|each| each.retain(|id, _| common.contains(id)));
}
