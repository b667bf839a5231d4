//! Refuses documents that contradict themselves, so that whoever shows them need not look.

use std::collections::HashSet;

use super::{Estimate, SearchResults};

/// Why a document cannot be shown.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SearchResultsError {
    /// Something refers to what is not there.
    #[error("{referrer} refers to {what} {place}, but there are only {count} (places count from 0)")]
    Place {
        /// What refers to it.
        referrer: String,
        /// The list that it refers to.
        what: &'static str,
        /// The place.
        place: usize,
        /// How long the list is.
        count: usize,
    },
    /// A number is infinite or not a number.
    #[error("{referrer} has {value} as its {what}, which is not finite (places count from 0)")]
    NotFinite {
        /// What has it.
        referrer: String,
        /// Which number it is.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A score is not a fraction of 1.
    #[error("result {result} has the score {score}, which is not between 0 and 1 (places count from 0)")]
    Score {
        /// The result's place.
        result: usize,
        /// The score.
        score: f32,
    },
    /// There is not one score for each query.
    #[error("result {result} has {scores} scores, but its corpus names {queries} queries (places count from 0)")]
    Scores {
        /// The result's place.
        result: usize,
        /// How many scores it has.
        scores: usize,
        /// How many queries its corpus names.
        queries: usize,
    },
    /// The same model, corpus and measure have two results.
    #[error("result {result} is the second one of its model, corpus and measure (places count from 0)")]
    Twice {
        /// The second one's place.
        result: usize,
    },
    /// The level of confidence is not one.
    #[error("the level of confidence is {0}, which is not between 0 and 1")]
    Confidence(f64),
}

/// Refuses a document in which a place is not there, a number is not finite, or scores do not fit their queries.
pub(crate) fn check(document: &SearchResults) -> Result<(), SearchResultsError> {
    let is_level = document.confidence > 0.0 && document.confidence < 1.0;
    if !is_level && !document.results.is_empty() {
        return Err(SearchResultsError::Confidence(document.confidence));
    }
    corpora(document)?;
    results(document)?;
    comparisons_and_shifts(document)?;
    queries(document)
}

fn corpora(document: &SearchResults) -> Result<(), SearchResultsError> {
    for (number, corpus) in document.corpora.iter().enumerate() {
        let at = Referrer("corpus", number);
        at.names("setting", corpus.setting, &document.settings)?;
        if let Some(standard) = corpus.standard {
            at.names("corpus", standard, &document.corpora)?;
        }
        for &query in &corpus.asked {
            at.names("query", query, &document.queries)?;
        }
    }
    Ok(())
}

fn results(document: &SearchResults) -> Result<(), SearchResultsError> {
    let mut seen = HashSet::new();
    for (number, cell) in document.results.iter().enumerate() {
        let at = Referrer("result", number);
        at.names("model", cell.model, &document.models)?;
        at.names("corpus", cell.corpus, &document.corpora)?;
        at.names("measure", cell.measure, &document.measures)?;
        at.estimate("mean", &cell.mean)?;
        if let Some(drop) = &cell.drop {
            at.estimate("drop", drop)?;
        }
        if let Some(trials) = &cell.trials {
            at.finite("standard error", trials.standard_error)?;
        }
        // Rounding may take a score a hair above 1.
        if let Some(&score) = cell.scores.iter().find(|score| !(0.0..=1.000_001).contains(*score)) {
            return Err(SearchResultsError::Score { result: number, score });
        }
        let queries = document.corpora[cell.corpus].asked.len();
        if !cell.scores.is_empty() && cell.scores.len() != queries {
            return Err(SearchResultsError::Scores { result: number, scores: cell.scores.len(), queries });
        }
        if !seen.insert((cell.model, cell.corpus, cell.measure)) {
            return Err(SearchResultsError::Twice { result: number });
        }
    }
    Ok(())
}

fn comparisons_and_shifts(document: &SearchResults) -> Result<(), SearchResultsError> {
    for (number, comparison) in document.comparisons.iter().enumerate() {
        let at = Referrer("comparison", number);
        at.names("corpus", comparison.corpus, &document.corpora)?;
        at.names("measure", comparison.measure, &document.measures)?;
        at.names("model", comparison.first, &document.models)?;
        at.names("model", comparison.second, &document.models)?;
        at.finite("difference", comparison.difference)?;
        at.finite("p-value", comparison.p_value)?;
        at.finite("corrected p-value", comparison.corrected.unwrap_or_default())?;
    }
    for (number, shift) in document.shifts.iter().enumerate() {
        let at = Referrer("shift", number);
        at.names("model", shift.model, &document.models)?;
        at.names("setting", shift.setting, &document.settings)?;
        at.estimate("correlation", &shift.correlation)?;
        at.finite("p-value", shift.p_value)?;
    }
    Ok(())
}

fn queries(document: &SearchResults) -> Result<(), SearchResultsError> {
    for (number, query) in document.queries.iter().enumerate() {
        let at = Referrer("query", number);
        if let Some(right) = query.right {
            at.names("snippet", right, &document.snippets)?;
        }
        for ranking in &query.rankings {
            at.names("model", ranking.model, &document.models)?;
            at.names("corpus", ranking.corpus, &document.corpora)?;
            at.finite("score", ranking.score.unwrap_or_default().into())?;
            for hit in &ranking.top {
                at.names("snippet", hit.snippet, &document.snippets)?;
                at.finite("score", hit.score.into())?;
            }
        }
    }
    for (number, snippet) in document.snippets.iter().enumerate() {
        for text in &snippet.texts {
            Referrer("snippet", number).names("setting", text.setting, &document.settings)?;
        }
    }
    Ok(())
}

/// Something with a place of its own that refers to others.
#[derive(Clone, Copy)]
struct Referrer(&'static str, usize);

impl Referrer {
    fn names<T>(self, what: &'static str, place: usize, list: &[T]) -> Result<(), SearchResultsError> {
        match place < list.len() {
            true => Ok(()),
            false => Err(SearchResultsError::Place { referrer: self.name(), what, place, count: list.len() }),
        }
    }

    fn finite(self, what: &'static str, value: f64) -> Result<(), SearchResultsError> {
        match value.is_finite() {
            true => Ok(()),
            false => Err(SearchResultsError::NotFinite { referrer: self.name(), what, value }),
        }
    }

    fn estimate(self, what: &'static str, estimate: &Estimate) -> Result<(), SearchResultsError> {
        [estimate.value, estimate.low, estimate.high].into_iter().try_for_each(|value| self.finite(what, value))
    }

    fn name(self) -> String {
        format!("{} {}", self.0, self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, CorpusSheet, Fact, ModelSheet, Setting, SettingKind};
    use super::*;

    fn small() -> SearchResults {
        SearchResults {
            title: "small".to_owned(),
            made: vec![Fact::new("seed", "1")],
            confidence: 0.95,
            measures: vec!["ndcg@10".to_owned()],
            settings: vec![Setting::new("standard", SettingKind::Original)],
            models: vec![ModelSheet { name: "bm25".to_owned(), facts: Vec::new() }],
            corpora: vec![CorpusSheet { group: "1".to_owned(), ..CorpusSheet::default() }],
            results: vec![Cell::default()],
            ..SearchResults::default()
        }
    }

    #[test]
    fn a_document_that_contradicts_itself_is_refused_with_the_place_of_its_fault() {
        assert_eq!(check(&small()), Ok(()));

        let mut document = small();
        document.results[0].model = 3;
        let error = check(&document).unwrap_err().to_string();
        assert_eq!(error, "result 0 refers to model 3, but there are only 1 (places count from 0)");

        let mut document = small();
        document.results[0].mean.high = f64::NAN;
        let error = check(&document).unwrap_err().to_string();
        assert_eq!(error, "result 0 has NaN as its mean, which is not finite (places count from 0)");

        let mut document = small();
        document.results[0].scores = vec![0.5];
        assert_eq!(check(&document), Err(SearchResultsError::Scores { result: 0, scores: 1, queries: 0 }));

        let mut document = small();
        document.results[0].scores = vec![57.44];
        assert_eq!(check(&document), Err(SearchResultsError::Score { result: 0, score: 57.44 }));

        let mut document = small();
        document.results.push(Cell::default());
        assert_eq!(check(&document), Err(SearchResultsError::Twice { result: 1 }));

        let mut document = small();
        document.confidence = 95.0;
        assert_eq!(check(&document), Err(SearchResultsError::Confidence(95.0)));

        let mut document = small();
        document.corpora[0].standard = Some(1);
        assert!(matches!(check(&document), Err(SearchResultsError::Place { what: "corpus", place: 1, .. })));
    }

    #[test]
    fn a_document_comes_back_from_json_as_it_was() {
        let document = small();
        let text = serde_json::to_string(&document).unwrap();
        assert_eq!(serde_json::from_str::<SearchResults>(&text).unwrap(), document);
    }
}
