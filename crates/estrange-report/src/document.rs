//! What a report is made of: plain data, to be filled from runs, and to be written as JSON where that is useful.
//!
//! Things refer to each other by their place in the document's lists: a [`Cell`]'s `model` is a place in
//! [`SearchResults::models`]. [`SearchPanel::new`](crate::SearchPanel::new) refuses places that are not there.
//!
//! Scores, means and drops are fractions of 1, as measures give them; tables and pages show them as percentages.

mod check;

use estrange_words::Target;
use serde::{Deserialize, Serialize};

pub use check::SearchResultsError;
pub(crate) use check::check;

/// Everything that a report shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchResults {
    /// What the report is called.
    pub title: String,
    /// What was run: the bench, its sources, counts, seeds, versions; in the order in which it is shown.
    pub made: Vec<Fact>,
    /// The level of confidence of all intervals, such as 0.95.
    pub confidence: f64,
    /// The measures by name, such as `ndcg@10`; the first one is the one that summaries speak of.
    pub measures: Vec<String>,
    /// The settings, in the order in which they stand side by side.
    pub settings: Vec<Setting>,
    /// The models, in the order in which they stand below each other.
    pub models: Vec<ModelSheet>,
    /// What was searched.
    pub corpora: Vec<CorpusSheet>,
    /// How well it went.
    pub results: Vec<Cell>,
    /// Whether one model is better than another.
    pub comparisons: Vec<Comparison>,
    /// What the shift of a model's vectors goes together with.
    pub shifts: Vec<Shift>,
    /// The queries, all of them.
    pub queries: Vec<QuerySheet>,
    /// The texts that were searched, as far as they are to be shown.
    pub snippets: Vec<Snippet>,
}

/// A name and what is to be said of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is, such as `seed`.
    pub name: String,
    /// What there is to say, such as `1`.
    pub value: String,
}

impl Fact {
    /// A fact of these two.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

/// What the functions of a corpus have gone through.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Its name on the command line, such as `neutralized` or `x86_64`.
    pub name: String,
    /// Its name above a narrow column, such as `Neu`.
    pub short: String,
    /// Among which settings it is shown.
    pub kind: SettingKind,
}

/// Among which settings a setting is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingKind {
    /// The functions as they are in their projects.
    #[default]
    Original,
    /// Rewritten, still in their language.
    Rewritten,
    /// Compiled, and printed as text.
    Lowered,
}

impl Setting {
    /// A setting of a kind. The well-known ones have a short name, also where a compiler or a level follows it.
    ///
    /// ```
    /// use estrange_report::document::{Setting, SettingKind};
    ///
    /// assert_eq!(Setting::new("neutralized", SettingKind::Rewritten).short, "Neu");
    /// assert_eq!(Setting::new("x86_64:clang:O2", SettingKind::Lowered).short, "Asm:clang:O2");
    /// assert_eq!(Setting::new("wasm32/paper", SettingKind::Lowered).short, "Wasm/paper");
    /// assert_eq!(Setting::new("symbol+structure", SettingKind::Rewritten).short, "symbol+structure");
    /// ```
    pub fn new(name: &str, kind: SettingKind) -> Self {
        let (first, more) = name.split_at(name.find([':', '/']).unwrap_or(name.len()));
        let short = match first {
            "standard" => "Std",
            "neutralized" => "Neu",
            "randomized" => "Ran",
            "symbol" => "Sym",
            other => Target::of_setting(other).map_or(other, |target| target.short()),
        };
        Self { name: name.to_owned(), short: format!("{short}{more}"), kind }
    }
}

/// Who searched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelSheet {
    /// Its name, such as `bm25`.
    pub name: String,
    /// How it was used: its version, context length, instructions, what it cost.
    pub facts: Vec<Fact>,
}

/// What was searched, and with which queries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusSheet {
    /// The group of its functions: `1`, `2` or `3`.
    pub group: String,
    /// Which view of the group, such as `short` or `long`; empty where there is but one.
    pub view: String,
    /// The place of its setting.
    pub setting: usize,
    /// Which of the queries were asked: `all`, or the name of a part of them, such as `human`.
    pub subset: String,
    /// How many documents there are.
    pub documents: usize,
    /// How many queries were asked.
    pub queries: usize,
    /// How many classes of documents with the same text there are.
    pub duplicate_classes: usize,
    /// The place of the corpus that results on this one are compared with: the same queries in the standard setting.
    pub standard: Option<usize>,
    /// The places of the queries that were asked; empty where they are not known one by one.
    pub asked: Vec<usize>,
}

/// A value with the bounds between which it lies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// How well a model did on a corpus, by one measure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The model's place.
    pub model: usize,
    /// The corpus's place.
    pub corpus: usize,
    /// The measure's place.
    pub measure: usize,
    /// The mean over all queries, and over all trials.
    pub mean: Estimate,
    /// The trials, where there were several.
    pub trials: Option<Trials>,
    /// What is lost against the corpus's standard, on the queries that both have; above 0 where something is lost.
    pub drop: Option<Estimate>,
    /// The score of each query that was asked, in the corpus's order; empty where they were not kept.
    pub scores: Vec<f32>,
}

/// How far several trials of the same thing are apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Trials {
    /// How many there were.
    pub count: usize,
    /// The standard error of their mean.
    pub standard_error: f64,
}

/// Two models on the same queries of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The corpus's place.
    pub corpus: usize,
    /// The measure's place.
    pub measure: usize,
    /// The first model's place.
    pub first: usize,
    /// The second model's place.
    pub second: usize,
    /// The first model's mean less the second's.
    pub difference: f64,
    /// How likely a difference as large would be if it did not matter which is which.
    pub p_value: f64,
    /// The same, corrected for the number of comparisons.
    pub corrected: Option<f64>,
}

/// How the shift of a model's vectors under a setting goes together with a feature of the code.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Shift {
    /// The model's place.
    pub model: usize,
    /// The group: `1`, `2` or `3`.
    pub group: String,
    /// The setting's place.
    pub setting: usize,
    /// The feature, such as `lines of code`.
    pub feature: String,
    /// The correlation, with its bounds.
    pub correlation: Estimate,
    /// How likely one as strong would be by chance.
    pub p_value: f64,
}

/// One query, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct QuerySheet {
    /// Its id.
    pub id: String,
    /// What was asked.
    pub text: String,
    /// Who wrote it: `comment`, `person`, or a model's name.
    pub author: String,
    /// The group of the function that it asks for.
    pub group: String,
    /// The licence of that function.
    pub licence: String,
    /// How strongly that function and its variants were checked.
    pub evidence: String,
    /// Where that function comes from.
    pub source: String,
    /// The place of that function among the snippets, where it is shown.
    pub right: Option<usize>,
    /// What models found; of the first trial, where there are several.
    pub rankings: Vec<Ranking>,
}

/// What a model found for a query in a corpus.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// The model's place.
    pub model: usize,
    /// The corpus's place.
    pub corpus: usize,
    /// The rank of the right function, from 1; none where it was not found.
    pub rank: Option<usize>,
    /// The right function's score.
    pub score: Option<f32>,
    /// The first ones, from the best on.
    pub top: Vec<Hit>,
}

/// A document that was found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The snippet's place.
    pub snippet: usize,
    /// Its score, as the model gave it.
    pub score: f32,
    /// How right it is: 0 not at all, more is better.
    pub grade: u32,
}

/// A function as it was searched, in each setting.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snippet {
    /// Its id.
    pub id: String,
    /// Its name in its project.
    pub name: String,
    /// Its texts.
    pub texts: Vec<SnippetText>,
}

/// A function's text in a setting and a view.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnippetText {
    /// The setting's place.
    pub setting: usize,
    /// The view; empty where there is but one.
    pub view: String,
    /// The text.
    pub text: String,
}
