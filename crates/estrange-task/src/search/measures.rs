//! What rankings of a corpus are worth.

use std::collections::HashMap;

use estrange_bench::Score;
use estrange_stats::retrieval::{Judgements, Measure, Run, evaluate};

use super::corpus::Corpus;
use super::error::SearchError;
use super::records::Ranking;

/// The measures of a corpus with their names in a run: those that were asked for, each by its own name, or the paper's.
fn named(measures: &[Measure], is_graded: bool) -> Vec<(Measure, String)> {
    if !measures.is_empty() {
        return measures.iter().map(|measure| (*measure, measure.to_string())).collect();
    }
    // In a graded corpus the paper's reciprocal rank is that of the primary answer. It is called what it is called in the
    // others, so that they stand in one column.
    let names = Measure::of_clarc(false).into_iter().map(|measure| measure.to_string());
    Measure::of_clarc(is_graded).into_iter().zip(names).collect()
}

/// The scores of rankings by these measures, or by the paper's if there are none. Queries without a ranking score 0.
pub(super) fn scores(corpus: &Corpus, rankings: &[Ranking], measures: &[Measure]) -> Result<Vec<Score>, SearchError> {
    let numbers: HashMap<&str, u32> =
        corpus.documents.iter().zip(0..).map(|(document, at)| (&*document.id, at)).collect();
    let by_query: HashMap<&str, &Ranking> =
        rankings.iter().map(|ranking| (ranking.query_id.as_str(), ranking)).collect();
    let mut judgements = Judgements::new(corpus.documents.len());
    let mut run = Run::new(corpus.documents.len());
    for query in &corpus.queries {
        judgements.push(&query.right)?;
        let ranking: Vec<(u32, f32)> = by_query.get(query.id.as_str()).map_or_else(Vec::new, |ranking| {
            let scored = ranking.documents.iter().zip(&ranking.scores);
            scored.filter_map(|(id, score)| Some((*numbers.get(id.as_str())?, *score as f32))).collect()
        });
        run.push(&ranking)?;
    }
    let classes = corpus.classes();
    let (measures, names): (Vec<Measure>, Vec<String>) = named(measures, corpus.is_graded()).into_iter().unzip();
    let scores = evaluate(&judgements.merged(&classes)?, &run.merged(&classes)?, &measures)?;
    let mut rows = Vec::with_capacity(measures.len() * corpus.queries.len());
    for (measure, name) in measures.iter().zip(names) {
        let values = scores.of(measure).unwrap_or_default();
        rows.extend(corpus.queries.iter().zip(values).map(|(query, value)| Score {
            task: super::NAME.to_owned(),
            item: corpus.item_name(&query.id),
            setting: corpus.setting.clone(),
            seed: corpus.seed,
            measure: name.clone(),
            value: *value,
        }));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_that_were_asked_for_keep_their_names() {
        let asked: Vec<Measure> = ["recall@5", "recall@5-l2"].iter().map(|name| name.parse().unwrap()).collect();
        let names: Vec<String> = named(&asked, true).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["recall@5", "recall@5-l2"]);
    }

    #[test]
    fn the_papers_measures_have_the_same_names_in_every_corpus() {
        let names = |is_graded| -> Vec<String> { named(&[], is_graded).into_iter().map(|(_, name)| name).collect() };
        assert_eq!(names(true), names(false));
        assert!(names(true).contains(&"mrr@10".to_owned()));
        assert_eq!(named(&[], true)[1].0.to_string(), "mrr@10-l2");
    }
}
