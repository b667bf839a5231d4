//! What a language model's answer means: one JSON object with a verdict, or a typed reason why there is none.
//!
//! Objects are read wherever they stand in the answer, in code fences or not, so that words around one do no harm. Words
//! alone are no verdict, whatever they say, and two objects that contradict each other are none either.

use estrange_bench::{Problem, Verdict};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::spoken::{is_refusal, without_thoughts};

/// A verdict, and what was said beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The verdict.
    pub verdict: Verdict,
    /// The weakness.
    pub cwe: Option<u32>,
    /// The line.
    pub line: Option<u32>,
    /// How sure, from 0 to 1.
    pub confidence: Option<f64>,
    /// Why.
    pub reason: Option<String>,
}

/// How much of an answer is repeated where it is no verdict, in characters.
const QUOTED: usize = 200;

/// What an answer says; or why it gives no verdict, with its beginning.
pub fn read(answer: &str) -> Result<Reply, (Problem, String)> {
    let said = without_thoughts(answer).trim();
    let problem = |problem: Problem| Err((problem, said.chars().take(QUOTED).collect()));
    if said.is_empty() {
        return problem(Problem::EmptyAnswer);
    }
    let objects = objects(said);
    let mut replies = Vec::new();
    for object in &objects {
        let mut verdicts = object.all("verdict").map(verdict);
        match (verdicts.next(), verdicts.next()) {
            (Some(Some(verdict)), None) => replies.push(reply(object, verdict)),
            (Some(_), Some(_)) => return problem(Problem::TwoVerdicts),
            (Some(None), None) => return problem(Problem::NoVerdict),
            (None, _) => {}
        }
    }
    match replies.split_first() {
        Some((first, others)) if others.iter().all(|other| other.verdict == first.verdict) => Ok(first.clone()),
        Some(_) => problem(Problem::TwoVerdicts),
        None if is_refusal(said) => problem(Problem::Refusal),
        None if objects.is_empty() => problem(Problem::NoObject),
        None => problem(Problem::NoVerdict),
    }
}

fn verdict(value: &Value) -> Option<Verdict> {
    value.as_str()?.trim().to_ascii_lowercase().parse().ok()
}

fn reply(object: &Object, verdict: Verdict) -> Reply {
    let first = |name: &'static str| object.all(name).next();
    let digits = |text: &str| text.trim().trim_start_matches("CWE-").trim_start_matches("cwe-").parse().ok();
    let number = |name: &'static str| {
        let value = first(name)?;
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        number.or_else(|| digits(value.as_str()?)).filter(|number| *number > 0)
    };
    Reply {
        verdict,
        cwe: number("cwe"),
        line: number("line"),
        confidence: first("confidence").and_then(Value::as_f64).filter(|sure| (0.0..=1.0).contains(sure)),
        reason: first("reason").and_then(Value::as_str).map(str::to_owned),
    }
}

/// An object with its fields as they came: one that has a field twice has both.
struct Object(Vec<(String, Value)>);

impl Object {
    fn all(&self, name: &'static str) -> impl Iterator<Item = &Value> {
        self.0.iter().filter(move |(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Object;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Object(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// The JSON objects of a text that are in no other one.
fn objects(text: &str) -> Vec<Object> {
    let mut objects = Vec::new();
    let mut at = 0;
    while let Some(begin) = text[at..].find('{').map(|found| at + found) {
        let mut values = serde_json::Deserializer::from_str(&text[begin..]).into_iter::<Object>();
        match values.next() {
            Some(Ok(object)) => {
                objects.push(object);
                at = begin + values.byte_offset().max(1);
            }
            _ => at = begin + 1,
        }
    }
    objects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_read_in_fences_and_behind_thoughts() {
        let object = r#"{"verdict": "Vulnerable", "cwe": "CWE-190", "line": 12, "reason": "a + b", "confidence": 0.8}"#;
        for answer in [
            object.to_owned(),
            format!("```json\n{object}\n```"),
            format!("<think>{{\"verdict\": \"safe\"}}?</think>\n{object}"),
            format!("Here it is:\n{object}\nThat is all."),
            format!("{object}\n{object}"),
        ] {
            let reply = read(&answer).unwrap();
            assert_eq!((reply.verdict, reply.cwe, reply.line), (Verdict::Vulnerable, Some(190), Some(12)), "{answer}");
            assert_eq!((reply.confidence, reply.reason.as_deref()), (Some(0.8), Some("a + b")));
        }
        let little = read(r#"{"verdict":"safe","cwe":null,"line":-1,"confidence":7}"#).unwrap();
        assert_eq!((little.verdict, little.cwe, little.line, little.confidence), (Verdict::Safe, None, None, None));
    }

    #[test]
    fn what_is_no_verdict_has_a_reason() {
        for (answer, problem) in [
            ("", Problem::EmptyAnswer),
            ("  \n", Problem::EmptyAnswer),
            ("The code is vulnerable: the sum overflows.", Problem::NoObject),
            ("Der Code ist sicher.", Problem::NoObject),
            ("<think>It adds two numbers, so", Problem::NoObject),
            ("{\"verdict\": \"vulnerable\", \"reason\": \"it was cu", Problem::NoObject),
            ("{\"verdict\": \"anfällig\"}", Problem::NoVerdict),
            ("{\"verdict\": true}", Problem::NoVerdict),
            ("{\"answer\": \"safe\"}", Problem::NoVerdict),
            ("{\"verdict\": \"vulnerable or safe\"}", Problem::NoVerdict),
            ("{\"verdict\": \"safe\", \"verdict\": \"vulnerable\"}", Problem::TwoVerdicts),
            ("{\"verdict\": \"safe\"} {\"verdict\": \"vulnerable\"}", Problem::TwoVerdicts),
            ("I'm sorry, but I can't help with that.", Problem::Refusal),
            ("I cannot assist with finding vulnerabilities.", Problem::Refusal),
            ("{{{{", Problem::NoObject),
        ] {
            assert_eq!(read(answer).unwrap_err().0, problem, "{answer}");
        }
    }
}
