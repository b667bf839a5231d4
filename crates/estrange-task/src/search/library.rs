//! What a bench holds, as a search needs it: texts of functions by setting and seed, queries, and what is right.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use estrange_bench::exchange::ExportedCorpus;
use estrange_bench::{
    Bench, BenchError, Group, Helper, Json, Judgement, Query, Run, Tier, Undefinedness, UnitEvidence, View, record,
};
use estrange_report::document::SettingKind;
use serde::Deserialize;

use super::checked::checked;
use super::corpus::{Asked, Corpus, Document};
use super::error::SearchError;
use crate::query::document_id;

/// The setting in which functions are as they were written.
pub const STANDARD: &str = "standard";

record! {
    /// What is read of a function: neither its unit nor its linked unit.
    pub struct FunctionView of Functions {
        /// As in the bench; so with the others.
        pub id: String,
        /// Its name.
        pub qualified_name: String,
        /// Where it comes from.
        pub source: String,
        /// Its licence.
        pub licence: String,
        /// Its group.
        pub group: Group,
        /// Its text.
        pub text: String,
        /// With what it calls.
        pub long_text: Option<String>,
        /// What it calls.
        pub helpers: Vec<Helper>,
        /// How long it is.
        pub loc: u32,
        /// How many ways lead through it.
        pub cyclomatic_complexity: u32,
        /// What was checked of it.
        pub evidence: Json<UnitEvidence>,
    }
}

record! {
    /// What is read of a variant.
    pub struct VariantView of Variants {
        /// As in the bench; so with the others.
        pub function_id: String,
        /// The setting.
        pub setting: String,
        /// The seed.
        pub seed: u32,
        /// Its text.
        pub text: String,
        /// With what it calls.
        pub long_text: Option<String>,
        /// What was shown of it.
        pub tier: Tier,
        /// Whether it was shown to be undefined in the same ways.
        pub undefinedness: Undefinedness,
    }
}

record! {
    /// What is read of a lowered function.
    pub struct LoweredView of Lowered {
        /// As in the bench; so with the others.
        pub function_id: String,
        /// The setting.
        pub setting: String,
        /// Its text.
        pub text: String,
        /// Its own part of the text.
        pub short_text: Option<String>,
    }
}

/// What is known of a function, whatever the setting.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its id.
    pub id: Arc<str>,
    /// Its name with namespaces and classes.
    pub qualified_name: String,
    /// Where it comes from.
    pub source: String,
    /// Its licence.
    pub licence: String,
    /// Its group.
    pub group: Group,
    /// Lines of code.
    pub loc: u32,
    /// The cyclomatic complexity.
    pub cyclomatic_complexity: u32,
    /// How strongly it was checked, in a word.
    pub checked: String,
    /// The documents that it calls itself.
    helpers: Vec<Arc<str>>,
}

/// The documents of a corpus, by their ids.
type Documents = BTreeMap<Arc<str>, Arc<str>>;

/// The text of a function in a setting.
struct Shown {
    text: Arc<str>,
    /// With what it calls, where the setting has that.
    long: Option<Arc<str>>,
    /// What was shown of a variant, and whether it was shown to be undefined in the same ways.
    variant: Option<(Tier, Undefinedness)>,
}

impl Shown {
    /// Whether it is no variant, or one that is chosen.
    fn is_of(&self, chosen: &Chosen) -> bool {
        let Chosen { tiers, undefinedness, .. } = chosen;
        self.variant.is_none_or(|(tier, shown)| {
            (tiers.is_empty() || tiers.contains(&tier)) && (undefinedness.is_empty() || undefinedness.contains(&shown))
        })
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
    pub tiers: Vec<Tier>,
    /// Only variants of which this was shown of the ways in which they are undefined.
    pub undefinedness: Vec<Undefinedness>,
    /// Only documents that all chosen settings have, so that all have the same queries and documents in each group and view.
    pub common: bool,
}

impl Chosen {
    /// What is chosen here, and where nothing is, what was chosen for a run.
    pub fn or_as_in(self, run: &Run) -> Result<Self, SearchError> {
        fn either<T>(now: Vec<T>, then: Vec<T>) -> Vec<T> {
            if now.is_empty() { then } else { now }
        }
        let damaged = |error: serde_json::Error| BenchError::Damaged {
            path: run.folder().join("run.json"),
            detail: format!("options: {error}"),
        };
        let then = ChosenThen::deserialize(&run.facts().options).map_err(damaged)?;
        Ok(Self {
            settings: either(self.settings, then.settings),
            groups: either(self.groups, then.groups),
            views: either(self.views, then.views),
            authors: either(self.authors, then.authors),
            tiers: either(self.tiers, then.tiers),
            undefinedness: either(self.undefinedness, then.undefinedness),
            common: self.common || then.common,
        })
    }
}

/// What a run says of what was chosen.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ChosenThen {
    settings: Vec<String>,
    groups: Vec<Group>,
    views: Vec<View>,
    authors: Vec<String>,
    tiers: Vec<Tier>,
    undefinedness: Vec<Undefinedness>,
    common: bool,
}

/// A bench, as far as a search needs it. Each text is held once; corpora share it.
pub struct Library {
    functions: Vec<Known>,
    queries: Vec<Query>,
    judgements: HashMap<(String, View), Vec<(String, u32)>>,
    /// By setting and seed, by function.
    shown: BTreeMap<(String, u32), HashMap<Arc<str>, Shown>>,
    /// The texts of what functions call and is no function of the bench, as they were written; only where the standard
    /// setting was asked for.
    helpers: HashMap<Arc<str>, Arc<str>>,
    /// The settings that compilers made, as far as they were read.
    lowered: BTreeSet<String>,
}

impl Library {
    /// Reads what the chosen settings need; all of them, if none is named.
    pub fn read(bench: &Bench, settings: &[String]) -> Result<Self, SearchError> {
        if !bench.has_queries() {
            return Err(SearchError::NoQueries);
        }
        let mut judgements: HashMap<(String, View), Vec<(String, u32)>> = HashMap::new();
        for judgement in bench.judgements()? {
            let Judgement { query_id, view, document_id, grade } = judgement?;
            judgements.entry((query_id, view)).or_default().push((document_id, grade));
        }
        let mut library = Self {
            functions: Vec::new(),
            queries: bench.queries()?.collect::<Result<_, _>>()?,
            judgements,
            shown: BTreeMap::new(),
            helpers: HashMap::new(),
            lowered: BTreeSet::new(),
        };
        let mut known: BTreeSet<String> = BTreeSet::from([STANDARD.to_owned()]);
        let mut is_asked = |setting: &str| {
            if !known.contains(setting) {
                known.insert(setting.to_owned());
            }
            settings.is_empty() || settings.iter().any(|asked| asked == setting)
        };
        let ids = library.read_functions(bench, is_asked(STANDARD))?;
        // An id that is no function's would be one of a bench that was put together wrongly; it is as good as any.
        let id = |id: String| ids.get(id.as_str()).cloned().unwrap_or_else(|| id.into());
        if bench.has_variants() {
            for variant in bench.rows::<VariantView>()? {
                let VariantView { function_id, setting, seed, text, long_text, tier, undefinedness } = variant?;
                if is_asked(&setting) {
                    let variant = Some((tier, undefinedness));
                    let shown = Shown { text: text.into(), long: long_text.map(Arc::from), variant };
                    library.shown.entry((setting, seed)).or_default().insert(id(function_id), shown);
                }
            }
        }
        if bench.has_lowered() {
            for lowered in bench.rows::<LoweredView>()? {
                let LoweredView { function_id, setting, text, short_text } = lowered?;
                if is_asked(&setting) {
                    let long: Arc<str> = text.into();
                    let text = short_text.map_or_else(|| Arc::clone(&long), Arc::from);
                    let shown = Shown { text, long: Some(long), variant: None };
                    library.lowered.insert(setting.clone());
                    library.shown.entry((setting, 0)).or_default().insert(id(function_id), shown);
                }
            }
        }
        if let Some(missing) = settings.iter().find(|setting| !known.contains(*setting)) {
            return Err(SearchError::NoSetting { setting: missing.clone(), known: known.into_iter().collect() });
        }
        Ok(library)
    }

    /// Reads the functions, with their texts if the standard setting was asked for; says what ids there are.
    fn read_functions(&mut self, bench: &Bench, with_texts: bool) -> Result<HashMap<Arc<str>, Arc<str>>, SearchError> {
        let mut ids: HashMap<Arc<str>, Arc<str>> = HashMap::new();
        let mut one = |id: String| match ids.get(id.as_str()) {
            Some(there) => Arc::clone(there),
            None => {
                let id: Arc<str> = id.into();
                ids.insert(Arc::clone(&id), Arc::clone(&id));
                id
            }
        };
        let mut standard: HashMap<Arc<str>, Shown> = HashMap::new();
        for function in bench.rows::<FunctionView>()? {
            let function = function?;
            let id = one(function.id);
            let mut helpers = Vec::new();
            for helper in function.helpers.into_iter().filter(|helper| helper.depth == 1) {
                let Some(document) = document_id(&helper).map(&mut one) else { continue };
                if with_texts && !helper.text.is_empty() && !self.helpers.contains_key(&document) {
                    self.helpers.insert(Arc::clone(&document), helper.text.into());
                }
                helpers.push(document);
            }
            if with_texts {
                let (text, long) = (function.text.into(), function.long_text.map(Arc::from));
                standard.insert(Arc::clone(&id), Shown { text, long, variant: None });
            }
            self.functions.push(Known {
                id,
                qualified_name: function.qualified_name,
                source: function.source,
                licence: function.licence,
                group: function.group,
                loc: function.loc,
                cyclomatic_complexity: function.cyclomatic_complexity,
                checked: checked(&function.evidence),
                helpers,
            });
        }
        if with_texts {
            // What is a function of the bench has its text among these.
            self.helpers.retain(|id, _| !standard.contains_key(id));
            self.shown.insert((STANDARD.to_owned(), 0), standard);
        }
        Ok(ids)
    }

    /// The functions of the bench.
    pub fn functions(&self) -> &[Known] {
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
                let mut documents: Vec<Documents> =
                    settings.iter().map(|key| self.documents(*group, *view, key, chosen)).collect();
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
    fn documents(&self, group: Group, view: View, key: &(String, u32), chosen: &Chosen) -> Documents {
        let shown = self.shown.get(key);
        let text = |id: &str| {
            let shown = shown?.get(id).filter(|shown| shown.is_of(chosen))?;
            match view {
                View::Short => Some(Arc::clone(&shown.text)),
                View::Long => shown.long.clone(),
            }
        };
        let mut documents = Documents::new();
        for function in self.functions.iter().filter(|function| function.group == group) {
            if let Some(text) = text(&function.id) {
                documents.insert(Arc::clone(&function.id), text);
            }
            if group != Group::Three || view == View::Long {
                continue;
            }
            for id in &function.helpers {
                // One that is no function of the bench is only known as it was written.
                let own = || self.helpers.get(id).filter(|_| key.0 == STANDARD).cloned();
                if let Some(text) = text(id).or_else(own) {
                    documents.entry(Arc::clone(id)).or_insert(text);
                }
            }
        }
        documents
    }

    /// Adds the queries whose function is a document, and what is right for each.
    fn add_queries(&self, corpus: &mut Corpus, authors: &[String]) {
        let number: HashMap<&str, u32> =
            corpus.documents.iter().zip(0..).map(|(document, at)| (&*document.id, at)).collect();
        let in_group: HashMap<&str, &Arc<str>> =
            self.functions.iter().filter(|each| each.group == corpus.group).map(|each| (&*each.id, &each.id)).collect();
        let (mut asked, mut left_out) = (Vec::new(), 0);
        for query in self.queries.iter().filter(|query| authors.is_empty() || authors.contains(&query.author)) {
            let Some(&function) = in_group.get(query.function_id.as_str()) else { continue };
            let Some(right) = self.judgements.get(&(query.id.clone(), corpus.view)) else { continue };
            // Without the function itself nobody can find it.
            if !number.contains_key(&**function) {
                left_out += 1;
                continue;
            }
            let graded = right.iter().filter_map(|(id, grade)| Some((*number.get(id.as_str())?, *grade)));
            asked.push(Asked {
                id: query.id.clone(),
                text: query.text.as_str().into(),
                function: Arc::clone(function),
                right: graded.collect(),
            });
        }
        (corpus.queries, corpus.left_out) = (asked, left_out);
    }
}

/// Leaves out of each what is not in all of them.
fn keep_common(documents: &mut [Documents]) {
    let mut settings = documents.iter().map(|each| each.keys().cloned().collect::<BTreeSet<Arc<str>>>());
    let first = settings.next().unwrap_or_default();
    let common = settings.fold(first, |common, ids| common.intersection(&ids).cloned().collect());
    documents.iter_mut().for_each(|each| each.retain(|id, _| common.contains(id)));
}
