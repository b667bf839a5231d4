//! What a respondent's answers to an item come to: right, wrong, or none.

use std::collections::HashMap;

use estrange_bench::{Asks, BenchError, Problem, Question, RunTables};

use super::records::Response;
use super::value::Value;
use crate::given::Key;

/// An item, and what all answers to it come to.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The item.
    pub question: Question,
    /// What most of the answers say that give a value, as the first of them writes it; none where as many say one as
    /// another, or none gives one.
    pub value: Option<String>,
    /// Whether that is the answer.
    pub is_right: bool,
    /// The share of all answers that say it; none where there was one answer.
    pub agreement: Option<f64>,
    /// Of a summary, one by where the right function stands, the mean of all answers; 0 where nothing is found.
    pub reciprocal_rank: Option<f64>,
    /// Why answers give no value.
    pub problems: Vec<Problem>,
}

impl Judged {
    /// What all answers to an item come to.
    pub fn of(question: Question, responses: &[Response]) -> Self {
        let said = responses.iter().filter_map(|response| {
            let value = response.value.as_deref()?;
            Some((value, Value::read(value)?))
        });
        let most = most(&said.collect::<Vec<_>>(), question.bits);
        let answer = Value::read(&question.answer);
        let is_right = |(_, value, _): &(&str, Value, usize)| {
            answer.as_ref().is_some_and(|answer| answer.is(value, question.bits))
        };
        let with = most.as_ref().map_or(0, |(.., count)| *count);
        Self {
            value: most.as_ref().map(|(text, ..)| (*text).to_owned()),
            is_right: most.as_ref().is_some_and(is_right),
            agreement: (responses.len() > 1).then(|| with as f64 / responses.len() as f64),
            reciprocal_rank: (question.asks == Asks::Summary).then(|| reciprocal_rank(responses)),
            problems: responses.iter().filter_map(|response| response.problem).collect(),
            question,
        }
    }
}

fn reciprocal_rank(responses: &[Response]) -> f64 {
    let found: f64 = responses.iter().filter_map(|response| response.rank).map(|rank| 1.0 / f64::from(rank)).sum();
    found / responses.len().max(1) as f64
}

/// What comes most often, and how often; nothing where something else comes as often.
fn most<'v>(said: &[(&'v str, Value)], bits: Option<u32>) -> Option<(&'v str, Value, usize)> {
    let mut counts: Vec<(&str, &Value, usize)> = Vec::new();
    for (text, value) in said {
        let is_it = |known: &Value| known.is(value, bits) || value.is(known, bits);
        match counts.iter_mut().find(|(_, known, _)| is_it(known)) {
            Some((.., count)) => *count += 1,
            None => counts.push((text, value, 1)),
        }
    }
    let highest = counts.iter().map(|(.., count)| *count).max()?;
    let mut those = counts.into_iter().filter(|(.., count)| *count == highest);
    match (those.next(), those.next()) {
        (Some((text, value, count)), None) => Some((text, value.clone(), count)),
        _ => None,
    }
}

/// What a run's tables say of each of its items, in their order. What has no response at all has no value.
pub fn judged(tables: &RunTables) -> Result<Vec<Judged>, BenchError> {
    let mut responses: HashMap<Key, Vec<Response>> = HashMap::new();
    for response in tables.rows::<Response>()? {
        let response = response?;
        let key = (response.item.clone(), response.setting.clone(), response.seed);
        responses.entry(key).or_default().push(response);
    }
    let judge = |question: Result<Question, BenchError>| {
        let question = question?;
        let own = responses.get(&(question.item.clone(), question.setting.clone(), question.seed));
        Ok(Judged::of(question, own.map_or(&[][..], Vec::as_slice)))
    };
    tables.rows::<Question>()?.map(judge).collect()
}
