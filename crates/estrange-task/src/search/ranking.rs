//! Has a model rank corpora, and says what the rankings are worth.

use std::collections::HashMap;

use estrange_bench::{Answer, Score};
use estrange_model::{Item, Ranker, Watch};
use estrange_stats::retrieval::{Judgements, Measure, Run, evaluate};

use super::corpus::Corpus;
use super::library::SearchError;

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

/// What came of searching one corpus.
#[derive(Debug, Clone, Default)]
pub struct Searched {
    /// The rankings, one for each query.
    pub answers: Vec<Answer>,
    /// What they are worth.
    pub scores: Vec<Score>,
}

/// Has a model rank a corpus for each of its queries, and scores that.
pub fn search(
    corpus: &Corpus,
    ranker: &dyn Ranker,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Searched, SearchError> {
    let document_ids: Vec<String> = corpus.documents.iter().map(|document| corpus.id_of(&document.id)).collect();
    let query_ids: Vec<String> = corpus.queries.iter().map(|(id, _)| corpus.id_of(id)).collect();
    let documents = corpus.documents.iter().zip(&document_ids);
    let documents: Vec<Item<'_>> = documents.map(|(document, id)| Item { id, text: &document.text }).collect();
    let queries: Vec<Item<'_>> =
        corpus.queries.iter().zip(&query_ids).map(|((_, text), id)| Item { id, text }).collect();
    let rankings = ranker.rank(&queries, &documents, options.depth, watch)?;
    let answers: Vec<Answer> = corpus
        .queries
        .iter()
        .zip(rankings)
        .map(|((query_id, _), ranking)| Answer {
            group: corpus.group,
            view: corpus.view,
            setting: corpus.setting.clone(),
            seed: corpus.seed,
            query_id: query_id.clone(),
            documents: ranking
                .iter()
                .filter_map(|scored| Some(corpus.documents.get(scored.document as usize)?.id.clone()))
                .collect(),
            scores: ranking.iter().map(|scored| f64::from(scored.score)).collect(),
        })
        .collect();
    let scores = rescored(corpus, &answers, options)?;
    Ok(Searched { answers, scores })
}

/// What rankings of a corpus are worth. Queries without a ranking score 0.
pub fn rescored(corpus: &Corpus, answers: &[Answer], options: &Options) -> Result<Vec<Score>, SearchError> {
    let numbers: HashMap<&str, u32> =
        corpus.documents.iter().enumerate().map(|(at, document)| (document.id.as_str(), at as u32)).collect();
    let by_query: HashMap<&str, &Answer> = answers.iter().map(|answer| (answer.query_id.as_str(), answer)).collect();
    let mut judgements = Judgements::new(corpus.documents.len());
    let mut run = Run::new(corpus.documents.len());
    for ((query_id, _), right) in corpus.queries.iter().zip(&corpus.right) {
        judgements.push(right)?;
        let ranking: Vec<(u32, f32)> = by_query.get(query_id.as_str()).map_or_else(Vec::new, |answer| {
            let scored = answer.documents.iter().zip(&answer.scores);
            scored.filter_map(|(id, score)| Some((*numbers.get(id.as_str())?, *score as f32))).collect()
        });
        run.push(&ranking)?;
    }
    let classes = corpus.classes();
    let measures = match options.measures.is_empty() {
        true => Measure::of_clarc(corpus.is_graded()),
        false => options.measures.clone(),
    };
    let scores = evaluate(&judgements.merged(&classes)?, &run.merged(&classes)?, &measures)?;
    let mut rows = Vec::with_capacity(measures.len() * corpus.queries.len());
    for measure in &measures {
        let values = scores.of(measure).unwrap_or_default();
        // The primary answer's rank is what it is called everywhere.
        let name = measure.to_string();
        let name = name.strip_suffix("-l2").unwrap_or(&name);
        rows.extend(corpus.queries.iter().zip(values).map(|((query_id, _), value)| Score {
            group: corpus.group,
            view: corpus.view,
            setting: corpus.setting.clone(),
            seed: corpus.seed,
            query_id: query_id.clone(),
            measure: name.to_owned(),
            value: *value,
        }));
    }
    Ok(rows)
}
