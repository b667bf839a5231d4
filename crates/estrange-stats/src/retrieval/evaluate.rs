//! Scoring rankings against judgements: a value for each measure and query.
//!
//! A ranking is read once, for all measures together: what they need of it is where its few relevant documents stand.

use super::{Judgements, Kind, Measure, RetrievalError, Run};

/// The values of some measures for every query.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    measures: Vec<Measure>,
    queries: usize,
    /// One measure after the other.
    values: Vec<f64>,
}

impl Scores {
    /// The measures that there are values of.
    pub fn measures(&self) -> &[Measure] {
        &self.measures
    }

    /// How many queries were scored.
    pub fn queries(&self) -> usize {
        self.queries
    }

    /// A measure's value for each query, in the order of the queries.
    pub fn of(&self, measure: &Measure) -> Option<&[f64]> {
        let place = self.measures.iter().position(|each| each == measure)?;
        Some(&self.values[place * self.queries..][..self.queries])
    }

    /// A measure's mean over all queries, where there is any.
    pub fn mean(&self, measure: &Measure) -> Option<f64> {
        let values = self.of(measure)?;
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }
}

/// Scores each query's ranking by each measure. The queries of both are the same, in the same order.
pub fn evaluate(judgements: &Judgements, run: &Run, measures: &[Measure]) -> Result<Scores, RetrievalError> {
    let fit = |what, judged, ranked| match judged == ranked {
        true => Ok(()),
        false => Err(RetrievalError::DoNotFit { what, judged, ranked }),
    };
    fit("queries", judgements.queries(), run.queries())?;
    fit("documents", judgements.documents, run.documents)?;
    let queries = run.queries();
    let deepest = measures.iter().map(|measure| measure.cut().unwrap_or(usize::MAX)).max().unwrap_or(0);
    let longest = judgements.relevant.longest().max(run.rankings.longest());
    let scale = Scale { discounts: (0..longest).map(|place| libm::log2(place as f64 + 2.0)).collect() };
    let mut values = vec![0.0; queries * measures.len()];
    let mut found = Found::default();
    for query in 0..queries {
        found.read(run.rankings.get(query), judgements.relevant.get(query), deepest);
        for (place, measure) in measures.iter().enumerate() {
            values[place * queries + query] = scale.value(measure, &found);
        }
    }
    Ok(Scores { measures: measures.to_vec(), queries, values })
}

/// What the measures need of one query.
#[derive(Default)]
struct Found {
    /// The places of relevant documents in the ranking, counted from 0, with their grades.
    hits: Vec<(usize, u32)>,
    /// The grades of all relevant documents, the highest first.
    grades: Vec<u32>,
    /// The length of the ranking.
    length: usize,
}

impl Found {
    fn read(&mut self, ranking: &[u32], relevant: &[(u32, u32)], deepest: usize) {
        self.length = ranking.len();
        self.grades.clear();
        self.grades.extend(relevant.iter().map(|&(_, grade)| grade));
        self.grades.sort_unstable_by(|one, two| two.cmp(one));
        self.hits.clear();
        // Most documents of a ranking are not relevant, and most of those are known by the last bits of their number.
        let bit = |document: u32| 1_u64 << (document & 63);
        let any = relevant.iter().fold(0, |any, &(document, _)| any | bit(document));
        for (place, &document) in ranking.iter().enumerate().take(deepest) {
            if any & bit(document) == 0 {
                continue;
            }
            if let Ok(found) = relevant.binary_search_by_key(&document, |&(document, _)| document) {
                self.hits.push((place, relevant[found].1));
                if self.hits.len() == relevant.len() {
                    break;
                }
            }
        }
    }
}

/// What a place in a ranking divides a gain by, for each place up to the longest ranking's last.
struct Scale {
    discounts: Vec<f64>,
}

impl Scale {
    fn value(&self, measure: &Measure, found: &Found) -> f64 {
        let cut = measure.cut().unwrap_or(usize::MAX);
        let within = found.hits.partition_point(|&(place, _)| place < cut);
        let hits = &found.hits[..within];
        let is_relevant = |grade: u32| grade >= measure.least_grade();
        let mut places = hits.iter().filter(|&&(_, grade)| is_relevant(grade)).map(|&(place, _)| place);
        let relevant = || found.grades.partition_point(|&grade| is_relevant(grade)) as f64;
        match measure.kind() {
            Kind::Ndcg => self.normalised(hits, &found.grades, cut, f64::from),
            Kind::NdcgExponential => {
                self.normalised(hits, &found.grades, cut, |grade| libm::exp2(f64::from(grade)) - 1.0)
            }
            Kind::ReciprocalRank => places.next().map_or(0.0, |place| 1.0 / (place + 1) as f64),
            Kind::AveragePrecision => {
                let precisions = places.enumerate().map(|(before, place)| (before + 1) as f64 / (place + 1) as f64);
                share(precisions.sum(), relevant())
            }
            Kind::Recall => share(places.count() as f64, relevant()),
            Kind::Precision => share(places.count() as f64, measure.cut().unwrap_or(found.length) as f64),
            Kind::Success => places.next().map_or(0.0, |_| 1.0),
        }
    }

    /// The discounted gain of these hits, as a share of what the best ranking of all relevant documents has.
    fn normalised(&self, hits: &[(usize, u32)], grades: &[u32], cut: usize, gain: impl Fn(u32) -> f64) -> f64 {
        let reached: f64 = hits.iter().map(|&(place, grade)| gain(grade) / self.discounts[place]).sum();
        let best: f64 =
            grades.iter().zip(&self.discounts).take(cut).map(|(&grade, discount)| gain(grade) / discount).sum();
        share(reached, best)
    }
}

/// A part of a whole, 0 where the whole is nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
