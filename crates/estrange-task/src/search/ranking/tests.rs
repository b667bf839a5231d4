//! Searches of a small bench, from its files to scores.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_bench::{
    Function, Judgement, Lock, Lowered, Provenance, Query, Run, Score, Source, Split, Variant, View, Writer, WrittenBy,
    put_queries,
};
use estrange_model::{Item, ModelError, Scored, Silent, Watch};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::search::{DocumentOptions, document};
use crate::task;

/// A bench of three functions of group 1 and one of group 3 that calls the first, rewritten twice and lowered.
pub(crate) struct Playground {
    folder: TempDir,
    pub(crate) bench: Bench,
}

fn function(id: &str, group: &str, helpers: Value) -> Function {
    let long = (group == "3").then(|| format!("text of {id} and of others"));
    serde_json::from_value(json!({
        "id": id, "lineage": id, "source": "a", "version": "1", "path": "a.c", "line_start": 1, "line_end": 2, "name": id,
        "qualified_name": id, "kind": "function", "language": "c", "role": "library", "licence": "MIT",
        "licence_class": "permissive", "group": group, "split": "train", "text": format!("text of {id}"),
        "unit": "u".repeat(1000), "linkable": false, "flags": [], "helpers": helpers, "long_text": long, "types": [],
        "includes": [], "loc": 1, "cyclomatic_complexity": 1, "tokens": 3, "unique_keywords": 1, "unit_lines": 1,
        "evidence": "{}", "duplicates": [],
    }))
    .unwrap()
}

fn variant(id: &str, seed: u32) -> Variant {
    serde_json::from_value(json!({
        "function_id": id, "setting": "symbol", "recipe": "symbol", "seed": seed, "text": format!("x{seed} of {id}"),
        "unit": "u", "rename_map": "{}", "tier": "identical-code", "undefinedness": "same-checks",
        "evidence": "{}", "loc": 1,
        "cyclomatic_complexity": 1, "tokens": 3, "surface_distance": 0.5,
        "expansion": 1.0, "perturbation_fraction": 0.5, "surviving_names": 0, "surviving_comments": 0,
    }))
    .unwrap()
}

fn lowered(id: &str) -> Lowered {
    serde_json::from_value(json!({
        "function_id": id, "setting": "x86_64:clang:O2", "target": "x86_64", "compiler": "clang", "opt": "O2",
        "text": format!("mov {id}"), "lines": 1, "tokens": 2, "unique_instructions": 1, "duplicates": id,
        "surviving_names": 0,
    }))
    .unwrap()
}

impl Playground {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::acquire(folder.path().join("bench")).unwrap();
        let ids = ["f1", "f2", "f3"];
        let helper = json!([{ "name": "f1", "id": "f1", "depth": 1, "text": "text of f1" }]);
        let mut writer = Writer::new(&lock).unwrap();
        ids.iter().for_each(|id| writer.keep(function(id, "1", json!([]))).unwrap());
        writer.keep(function("g1", "3", helper)).unwrap();
        writer.add_variants(ids.iter().flat_map(|id| [variant(id, 1), variant(id, 2)]), []).unwrap();
        writer.add_lowered(ids.iter().map(|id| lowered(id)), []).unwrap();
        let source = Source {
            spec: "a".to_owned(),
            pinned: "a".to_owned(),
            version: "1".to_owned(),
            tree: "0".to_owned(),
            licences: Default::default(),
            split: Split::Train,
            counts: Default::default(),
        };
        writer.finish(Provenance { sources: vec![source], ..Provenance::default() }).unwrap();
        let query = |id: &str| Query {
            id: format!("q-{id}"),
            function_id: id.to_owned(),
            text: format!("what is {id}"),
            author: "comment".to_owned(),
            written_by: WrittenBy::Comment,
            prompt_hash: None,
            prompt_tokens: None,
            answer_tokens: None,
            cost: None,
        };
        let judgement = |view, query: &str, document: &str, grade| Judgement {
            query_id: format!("q-{query}"),
            view,
            document_id: document.to_owned(),
            grade,
        };
        let mut right: Vec<Judgement> = ["f1", "f2", "f3", "g1"].map(|id| judgement(View::Short, id, id, 2)).to_vec();
        right.push(judgement(View::Short, "g1", "f1", 1));
        right.push(judgement(View::Long, "g1", "g1", 2));
        put_queries(&lock, ["f1", "f2", "f3", "g1"].map(query), right).unwrap();
        drop(lock);
        let bench = Bench::open(folder.path().join("bench")).unwrap();
        Self { folder, bench }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn search(&self, measures: &[&str]) -> Search {
        let measures = measures.iter().map(|name| name.parse().unwrap()).collect();
        Search::of(&self.bench, &Chosen::default(), Options { measures, ..Options::default() }).unwrap()
    }

    fn facts(&self, search: &Search) -> RunFacts {
        let named = ("first", json!({ "model": "first" }));
        task::facts(search, named, (&self.bench, &self.path("bench")), json!({ "depth": 100 })).unwrap()
    }

    fn run(&self, search: &Search, model: First, out: &str) -> Result<Run, SearchError> {
        let facts = self.facts(search);
        let folder = task::folder::<Search>(&self.path(out), &facts, false)?;
        let model = OpenedRanker::Free(Box::new(model));
        assert_eq!(search.estimate(&model)?, None, "nothing has to be paid for");
        task::perform(search, &model, &folder, facts, &Silent)
    }
}

/// Finds what has the last word of the query in it; stops when it was asked so often.
#[derive(Default)]
struct First {
    asked: Arc<AtomicUsize>,
    stops_at: Option<usize>,
}

impl Ranker for First {
    fn card(&self) -> Value {
        json!({ "model": "first" })
    }

    fn rank(
        &self,
        queries: &[Item<'_>],
        documents: &[Item<'_>],
        depth: usize,
        _: &dyn Watch,
    ) -> Result<Vec<Vec<Scored>>, ModelError> {
        if Some(self.asked.fetch_add(1, Ordering::SeqCst)) == self.stops_at {
            return Err(ModelError::Stopped);
        }
        let rank = |query: &Item<'_>| {
            let word = query.text.rsplit(' ').next().unwrap();
            let found = documents.iter().zip(0..).filter(|(document, _)| document.text.contains(word));
            found.map(|(_, document)| Scored { document, score: 1.0 }).take(depth).collect()
        };
        Ok(queries.iter().map(rank).collect())
    }
}

fn values(run: &Run) -> Vec<(String, String, u32, String, f64)> {
    let scores = run.rows::<Score>().unwrap().map(Result::unwrap);
    scores.map(|score| (score.item, score.setting, score.seed, score.measure, score.value)).collect()
}

fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read =
        |path: &PathBuf| (path.display().to_string().rsplit('/').next().unwrap().to_owned(), std::fs::read(path));
    files.iter().map(read).map(|(name, text)| (name, text.unwrap())).collect()
}

#[test]
fn corpora_share_the_texts_of_the_library() {
    let place = Playground::new();
    let search = place.search(&[]);
    let names: Vec<&str> = search.corpora().iter().map(|corpus| corpus.name.as_str()).collect();
    let expected = [
        "group1-standard",
        "group1-symbol-1",
        "group1-symbol-2",
        "group1-x86_64-clang-O2",
        "group3-short-standard",
        "group3-long-standard",
    ];
    assert_eq!(names, expected);
    let text = |corpus: usize, id: &str| {
        let documents = &search.corpora()[corpus].documents;
        Arc::clone(&documents.iter().find(|document| &*document.id == id).unwrap().text)
    };
    // A function that another one calls is a document in both groups: one text.
    assert!(Arc::ptr_eq(&text(0, "f1"), &text(4, "f1")));
    // The library holds each once, and corpora add nothing: the library, two corpora, the two handles here.
    let one = text(0, "f1");
    assert_eq!(Arc::strong_count(&one), 4);
    // Nothing of what only compilers need was read.
    assert_eq!(place.bench.manifest().counts.kept, 4);
}

#[test]
fn a_search_that_was_stopped_goes_on_and_gives_the_same_bytes() {
    let place = Playground::new();
    let search = place.search(&[]);
    let whole = place.run(&search, First::default(), "whole").unwrap();
    assert_eq!(whole.rows::<estrange_bench::Answer>().unwrap().count(), 14);
    let stopped = First { stops_at: Some(3), ..First::default() };
    assert!(matches!(place.run(&search, stopped, "stopped"), Err(SearchError::Model(ModelError::Stopped))));
    assert!(Run::open(&place.path("stopped")).is_err());
    let rest = First::default();
    let asked = Arc::clone(&rest.asked);
    place.run(&search, rest, "stopped").unwrap();
    assert_eq!(asked.load(Ordering::SeqCst), 3, "of six corpora, three were there");
    assert_eq!(bytes(&place.path("stopped")), bytes(&place.path("whole")));
}

#[test]
fn grades_are_told_apart_by_the_measures_names() {
    let place = Playground::new();
    let search = place.search(&["recall@5", "recall@5-l2"]);
    let run = place.run(&search, First::default(), "run").unwrap();
    let of = |measure: &str| -> f64 {
        let values = values(&run);
        let found = values.iter().find(|each| each.0 == "group3-short/q-g1" && each.3 == measure);
        found.unwrap_or_else(|| panic!("{measure}: {values:?}")).4
    };
    // The function is found, what it calls is not.
    assert_eq!((of("recall@5"), of("recall@5-l2")), (0.5, 1.0));
}

#[test]
fn a_run_is_scored_anew_without_the_model() {
    let place = Playground::new();
    let run = place.run(&place.search(&[]), First::default(), "run").unwrap();
    let measures = vec!["recall@3".parse().unwrap()];
    let chosen = Chosen { settings: vec!["standard".to_owned()], ..Chosen::default() };
    let options = Options { measures, ..Options::default() };
    let search = Search::of_run(&place.bench, &run, chosen, options).unwrap();
    let mut facts = run.facts().clone();
    facts.parts = search.parts();
    let folder = task::folder::<Search>(&place.path("run"), &facts, true).unwrap();
    let again = task::rescore(&search, &run, &folder, facts).unwrap();
    assert!(values(&again).iter().all(|each| each.1 == "standard" && each.3 == "recall@3"));
    assert_eq!(again.rows::<Ranking>().unwrap().count(), run.rows::<Ranking>().unwrap().count());
    drop(folder);
    // A run on another bench is not scored on this one.
    let lock = Lock::acquire(place.path("bench")).unwrap();
    put_queries(&lock, [], []).unwrap();
    let changed = Bench::open(place.path("bench")).unwrap();
    let error = Search::of_run(&changed, &run, Chosen::default(), Options::default()).err().unwrap();
    assert!(matches!(error, SearchError::OtherBench), "{error}");
}

#[test]
fn a_run_with_fewer_documents_or_shorter_rankings_takes_no_others_place() {
    let place = Playground::new();
    let before = place.facts(&place.search(&[]));
    let mut after = before.clone();
    assert_eq!(Search::lost(&before, &after), None);
    after.parts[0].facts["documents"] = 1.into();
    assert_eq!(Search::lost(&before, &after).unwrap(), "it has 3 documents of group1, standard");
    after.options["depth"] = 9.into();
    assert_eq!(Search::lost(&before, &after).unwrap(), "its rankings have 100 documents");
}

#[test]
fn what_a_run_was_not_asked_is_an_error_not_a_gap() {
    let place = Playground::new();
    let run = place.run(&place.search(&[]), First::default(), "run").unwrap();
    let shown = |run: &Run| document(&place.bench, std::slice::from_ref(run), &DocumentOptions::default());
    let sound = shown(&run).unwrap();
    // Six corpora, seeds of one setting together: five, by seven measures.
    assert_eq!(sound.results.len(), 5 * 7);
    assert_eq!(sound.settings[2].name, "x86_64:clang:O2");
    assert_eq!(sound.settings[2].kind, estrange_report::document::SettingKind::Lowered);
    let scores: Vec<Score> = run.rows::<Score>().unwrap().map(Result::unwrap).collect();
    let forged = |change: &dyn Fn(Score) -> Score| {
        let folder = estrange_bench::RunFolder::take(&place.path("run")).unwrap();
        let rows: Vec<Score> = scores.iter().cloned().map(change).collect();
        let facts = run.facts().clone();
        folder.rescore::<SearchError>(&run, facts, |_, keep| Ok(rows.into_iter().try_for_each(keep)?)).unwrap()
    };
    let unknown = forged(&|score| Score { item: "group1/q-nobody".to_owned(), ..score });
    assert!(matches!(shown(&unknown), Err(SearchError::Foreign { what, .. }) if what == "group1/q-nobody"));
    let setting = forged(&|score| Score { setting: "semantic".to_owned(), ..score });
    assert!(matches!(shown(&setting), Err(SearchError::Foreign { .. })));
    let no_number = forged(&|score| Score { value: f64::NAN, ..score });
    assert!(matches!(shown(&no_number), Err(SearchError::Statistics(_))));
}

#[test]
fn models_that_were_asked_different_queries_are_counted_not_compared() {
    let place = Playground::new();
    let one = place.run(&place.search(&[]), First::default(), "one").unwrap();
    let two = place.run(&place.search(&[]), First::default(), "two").unwrap();
    let folder = estrange_bench::RunFolder::take(&place.path("two")).unwrap();
    let rows = two.rows::<Score>().unwrap().map(Result::unwrap);
    let rows: Vec<Score> =
        rows.filter(|score| (score.item.as_str(), score.setting.as_str()) != ("group1/q-f1", "standard")).collect();
    let facts = two.facts().clone();
    let two = folder.rescore::<SearchError>(&two, facts, |_, keep| Ok(rows.into_iter().try_for_each(keep)?)).unwrap();
    let shown = document(&place.bench, &[one, two], &DocumentOptions::default()).unwrap();
    assert_eq!(shown.comparisons.len(), 4);
    let told = shown.made.iter().find(|fact| fact.name == "not compared").unwrap();
    assert!(told.value.starts_with("1 of 5 pairs of models"), "{told:?}");
}
