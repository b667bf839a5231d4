//! The task: has a model rank corpora, and says what the rankings are worth.

use estrange_bench::{Bench, Item, Run, RunFacts, RunPart, RunPartWriter, RunTable, RunTables};
use estrange_model::openai::Estimate;
use estrange_model::{self as model, OpenedRanker, Ranker, Role};
use estrange_stats::retrieval::Measure;
use serde::Deserialize;

use super::corpus::Corpus;
use super::error::SearchError;
use super::library::{Chosen, Library, STANDARD};
use super::measures::scores;
use super::records::{CorpusCounts, Ranking, Shift};
use super::shift::shifts;
use crate::task::{Headline, Keep, Progress, Stage, Task};

/// How rankings are made and scored.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many documents a ranking has.
    pub depth: usize,
    /// The measures; the paper's if there are none.
    pub measures: Vec<Measure>,
}

impl Default for Options {
    fn default() -> Self {
        Self { depth: 100, measures: Vec::new() }
    }
}

/// Corpora that are searched.
pub struct Search {
    library: Library,
    corpora: Vec<Corpus>,
    options: Options,
}

impl Search {
    /// The task on what was chosen of a bench.
    pub fn of(bench: &Bench, chosen: &Chosen, options: Options) -> Result<Self, SearchError> {
        let library = Library::read(bench, &chosen.settings)?;
        let corpora = library.corpora(chosen)?;
        Ok(Self { library, corpora, options })
    }

    /// The task of a run, to score it anew: on what is chosen now, on what was chosen then where nothing is, and on no corpus
    /// that the run did not rank.
    pub fn of_run(bench: &Bench, run: &Run, chosen: Chosen, options: Options) -> Result<Self, SearchError> {
        if run.facts().task != Self::NAME {
            return Err(SearchError::OtherTask { run: run.folder().to_owned(), task: run.facts().task.clone() });
        }
        if bench.hash()? != run.facts().bench_hash {
            return Err(SearchError::OtherBench);
        }
        let mut search = Self::of(bench, &chosen.or_as_in(run)?, options)?;
        search.keep_ranked(run.tables())?;
        Ok(search)
    }

    /// What is searched.
    pub fn corpora(&self) -> &[Corpus] {
        &self.corpora
    }

    /// Leaves out corpora of which a run has no ranking.
    fn keep_ranked(&mut self, tables: &RunTables) -> Result<(), SearchError> {
        let mut ranked: Vec<Ranking> = Vec::new();
        for ranking in tables.rows::<Ranking>()? {
            let ranking = Ranking { documents: Vec::new(), scores: Vec::new(), ..ranking? };
            if !ranked.iter().any(|other| other.is_beside(&ranking)) {
                ranked.push(ranking);
            }
        }
        self.corpora.retain(|corpus| ranked.iter().any(|ranking| is_of(ranking, corpus)));
        Ok(())
    }

    /// All that a model is given for some parts: documents and queries.
    fn texts(&self, parts: &[usize]) -> (Vec<model::Item<'_>>, Vec<model::Item<'_>>) {
        let corpora = || parts.iter().filter_map(|part| self.corpora.get(*part));
        let documents = corpora().flat_map(|corpus| &corpus.documents);
        let queries = corpora().flat_map(|corpus| &corpus.queries);
        (
            documents.map(|document| model::Item { id: &document.id, text: &document.text }).collect(),
            queries.map(|query| model::Item { id: &query.id, text: &query.text }).collect(),
        )
    }

    /// How many documents and queries there are in all.
    pub fn size(&self) -> (usize, usize) {
        let count = |count: fn(&Corpus) -> usize| self.corpora.iter().map(count).sum();
        (count(|corpus| corpus.documents.len()), count(|corpus| corpus.queries.len()))
    }
}

fn is_of(ranking: &Ranking, corpus: &Corpus) -> bool {
    (ranking.group, ranking.view, ranking.seed) == (corpus.group, corpus.view, corpus.seed)
        && ranking.setting == corpus.setting
}

impl Task for Search {
    const NAME: &'static str = super::NAME;
    const TABLES: &'static [RunTable] = &[RunTable::of::<Ranking>(), RunTable::of::<Shift>()];
    const HEADLINE: Option<Headline> =
        Some(Headline { skill: "search", measure: "ndcg@10", chance: 0.0, baseline: STANDARD });
    type Model = OpenedRanker;
    type Error = SearchError;

    fn parts(&self) -> Vec<RunPart> {
        self.corpora.iter().map(Corpus::facts).collect()
    }

    fn items(&self, part: usize) -> Vec<Item> {
        self.corpora[part].items()
    }

    fn begin(&self, parts: &[usize], model: &OpenedRanker, progress: &dyn Progress) -> Result<(), SearchError> {
        let (documents, queries) = self.texts(parts);
        let all = documents.len() + queries.len();
        if model.ranker().embedder().is_some() {
            progress.begins(Stage::Preparing, Some(all));
            model.ranker().prepare(&queries, &documents, progress)?;
        }
        progress.begins(Stage::Asking, Some(all));
        Ok(())
    }

    fn ask(
        &self,
        part: usize,
        model: &OpenedRanker,
        rows: &mut RunPartWriter<'_, '_>,
        progress: &dyn Progress,
    ) -> Result<(), SearchError> {
        for ranking in ranked(&self.corpora[part], model.ranker(), self.options.depth, progress)? {
            rows.push(ranking.answer())?;
            rows.push(ranking)?;
        }
        Ok(())
    }

    fn conclude(
        &self,
        model: &OpenedRanker,
        rows: &mut RunPartWriter<'_, '_>,
        progress: &dyn Progress,
    ) -> Result<(), SearchError> {
        let Some(embedder) = model.ranker().embedder() else { return Ok(()) };
        progress.begins(Stage::Concluding, None);
        let shifts = shifts(&self.library, &self.corpora, embedder, progress)?;
        Ok(shifts.into_iter().try_for_each(|shift| rows.push(shift))?)
    }

    /// Rankings stand together by corpus, so that those of one at a time are in memory.
    fn score(&self, answered: &RunTables, keep: Keep<'_>) -> Result<(), SearchError> {
        let mut score = |rankings: &[Ranking]| -> Result<(), SearchError> {
            let corpus = rankings.first().and_then(|first| self.corpora.iter().find(|corpus| is_of(first, corpus)));
            let Some(corpus) = corpus else { return Ok(()) };
            let scores = scores(corpus, rankings, &self.options.measures)?;
            Ok(scores.into_iter().try_for_each(&mut *keep)?)
        };
        let mut together: Vec<Ranking> = Vec::new();
        for ranking in answered.rows::<Ranking>()? {
            let ranking = ranking?;
            if together.last().is_some_and(|last| !last.is_beside(&ranking)) {
                score(&together)?;
                together.clear();
            }
            together.push(ranking);
        }
        score(&together)
    }

    fn estimate(&self, model: &OpenedRanker) -> Result<Option<Estimate>, SearchError> {
        let (documents, queries) = self.texts(&(0..self.corpora.len()).collect::<Vec<_>>());
        let documents = model.estimate(&documents, Role::Document)?;
        let queries = model.estimate(&queries, Role::Query)?;
        Ok(documents.zip(queries).map(|(documents, queries)| documents + queries))
    }

    fn lost(before: &RunFacts, after: &RunFacts) -> Option<String> {
        let depth =
            |facts: &RunFacts| facts.options.get("depth").and_then(serde_json::Value::as_u64).unwrap_or_default();
        if depth(before) > depth(after) {
            return Some(format!("its rankings have {} documents", depth(before)));
        }
        if before.bench_hash != after.bench_hash {
            return None;
        }
        let documents = |part: &RunPart| CorpusCounts::deserialize(&part.facts).map_or(0, |counts| counts.documents);
        let has = |part: &RunPart| {
            after.parts.iter().any(|other| {
                (&other.name, &other.setting, other.seed) == (&part.name, &part.setting, part.seed)
                    && documents(other) >= documents(part)
            })
        };
        let lost = before.parts.iter().find(|part| !has(part))?;
        Some(format!("it has {} documents of {}, {}", documents(lost), lost.name, lost.setting))
    }
}

/// What a model finds for each query of a corpus.
fn ranked(
    corpus: &Corpus,
    ranker: &dyn Ranker,
    depth: usize,
    progress: &dyn Progress,
) -> Result<Vec<Ranking>, SearchError> {
    let document_ids: Vec<String> = corpus.documents.iter().map(|document| corpus.id_of(&document.id)).collect();
    let query_ids: Vec<String> = corpus.queries.iter().map(|query| corpus.id_of(&query.id)).collect();
    let documents = corpus.documents.iter().zip(&document_ids);
    let documents: Vec<_> = documents.map(|(document, id)| model::Item { id, text: &document.text }).collect();
    let queries: Vec<_> =
        corpus.queries.iter().zip(&query_ids).map(|(query, id)| model::Item { id, text: &query.text }).collect();
    let rankings = ranker.rank(&queries, &documents, depth, progress)?;
    let found = |(query, ranking): (&super::Asked, Vec<model::Scored>)| Ranking {
        item: corpus.item_name(&query.id),
        group: corpus.group,
        view: corpus.view,
        setting: corpus.setting.clone(),
        seed: corpus.seed,
        query_id: query.id.clone(),
        documents: ranking
            .iter()
            .filter_map(|scored| Some(corpus.documents.get(scored.document as usize)?.id.to_string()))
            .collect(),
        scores: ranking.iter().map(|scored| f64::from(scored.score)).collect(),
    };
    Ok(corpus.queries.iter().zip(rankings).map(found).collect())
}

#[cfg(test)]
mod tests;
