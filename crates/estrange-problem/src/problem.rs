//! A problem: what is asked, and what answers are tested with.

use std::collections::BTreeMap;

use estrange_words::Language;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::interface::{Interface, Passing, Returned, Role, Structure};
use crate::value::{Compare, Value};
use crate::wire;
use crate::words::{Defect, Difficulty};

/// A programming problem that stands by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Its name, by which runs refer to it.
    pub name: String,
    /// A title for people.
    pub title: String,
    /// The day it was written or published, as `2026-11-19`. What was seen and unseen by a model goes by this.
    pub date: Option<String>,
    /// The language that answers are written in.
    pub language: Language,
    /// How hard it is.
    pub difficulty: Option<Difficulty>,
    /// What it is about.
    pub tags: Vec<String>,
    /// Where it comes from.
    pub origin: String,
    /// Under which licence it is.
    pub licence: Option<String>,
    /// What is asked, as Markdown.
    pub statement: String,
    /// The declaration of the function that is asked for, without a semicolon.
    pub signature: String,
    /// The function's name.
    pub function: String,
    /// What stands before an answer: `#include`s, types, helpers. Answers may repeat it.
    pub context: String,
    /// What answers are tested with.
    pub tests: Tests,
    /// An answer that passes.
    pub solution: Option<String>,
    /// Answers that must not pass.
    pub wrong: Vec<String>,
    /// What one case may use.
    pub bounds: Bounds,
}

/// What answers are tested with.
#[derive(Debug, Clone, PartialEq)]
pub enum Tests {
    /// Values that go in, and what must come out. What is expected is never where the answer runs.
    Cases(Cases),
    /// A program with assertions, as others write tests. It runs beside the answer.
    Program(Program),
}

/// Tests by values.
#[derive(Debug, Clone, PartialEq)]
pub struct Cases {
    /// What the function takes and gives.
    pub interface: Interface,
    /// How what comes out is compared.
    pub compare: Compare,
    /// The cases, in order.
    pub cases: Vec<Case>,
}

/// One call and what is expected of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// What it is a case of, for people; may be empty.
    pub about: String,
    /// The arguments, one for each parameter; nothing where the function writes first.
    pub arguments: Vec<Option<Value>>,
    /// What must be returned; nothing if that does not matter.
    pub result: Option<Value>,
    /// What each parameter must lead to afterwards; nothing where that does not matter.
    pub outputs: Vec<Option<Value>>,
}

/// Tests by a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The text with `main`. It stands behind the problem's context and the signature.
    pub text: String,
}

/// What one case may use.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Seconds of the processor; what waits may take four times as long on the clock, and five seconds more.
    pub seconds: f64,
    /// Mebibytes of memory. The sanitizer takes some of it.
    pub mebibytes: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { seconds: 4.0, mebibytes: 512 }
    }
}

/// A problem, or something that was to be one, which cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Its name, or where it stands.
    pub name: String,
    /// Why it cannot be used.
    pub defect: Defect,
    /// The same in detail.
    pub detail: String,
}

/// A case as it is written: by the names of parameters.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenCase {
    /// What it is a case of.
    #[serde(default)]
    pub about: String,
    /// The arguments by name. Lengths of arrays may be left out.
    #[serde(default)]
    pub arguments: Map<String, Json>,
    /// What must be returned. `null` is a null pointer or nothing in an optional.
    #[serde(default, deserialize_with = "given")]
    pub result: Option<Json>,
    /// What parameters must lead to afterwards, by name.
    #[serde(default)]
    pub outputs: Map<String, Json>,
}

/// A value that is given, even if it is null.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

impl Cases {
    /// Reads the cases of a function.
    pub fn read(
        signature: &str,
        roles: &BTreeMap<String, Role>,
        structures: &[Structure],
        language: Language,
        compare: Compare,
        written: &[WrittenCase],
    ) -> Result<Self, (Defect, String)> {
        let interface =
            Interface::read(signature, roles, structures, language).map_err(|why| (Defect::Signature, why))?;
        if written.is_empty() {
            return Err((Defect::NoTests, "there are no cases".to_owned()));
        }
        let mut cases = Vec::new();
        for (number, each) in written.iter().enumerate() {
            let case = Case::read(each, &interface);
            cases.push(case.map_err(|why| (Defect::BadCase, format!("case {}: {why}", number + 1)))?);
        }
        Ok(Self { interface, compare, cases })
    }
}

impl Case {
    fn read(written: &WrittenCase, interface: &Interface) -> Result<Self, String> {
        let place = |name: &String| {
            let found = interface.parameters.iter().position(|parameter| parameter.name == *name);
            found.ok_or_else(|| format!("`{name}` is no parameter"))
        };
        let mut case = Self {
            about: written.about.clone(),
            arguments: vec![None; interface.parameters.len()],
            result: None,
            outputs: vec![None; interface.parameters.len()],
        };
        for (name, json) in &written.arguments {
            let number = place(name)?;
            let is_null = json.is_null() && matches!(interface.parameters[number].passing, Passing::Array(_));
            let read = if is_null { Ok(Value::Null) } else { Value::read(json, &interface.value_type(number)) };
            case.arguments[number] = Some(read.map_err(|why| format!("`{name}`: {why}"))?);
        }
        for (name, json) in &written.outputs {
            let number = place(name)?;
            if !interface.parameters[number].is_output {
                return Err(format!("`{name}` is not written to"));
            }
            let read = Value::read(json, &interface.value_type(number));
            case.outputs[number] = Some(read.map_err(|why| format!("`{name}`: {why}"))?);
        }
        if let Some(json) = &written.result {
            let of = interface.result_type().ok_or("the function returns nothing")?;
            let is_array = matches!(interface.result, Returned::Array(..));
            let read = if json.is_null() && is_array { Ok(Value::Null) } else { Value::read(json, &of) };
            case.result = Some(read.map_err(|why| format!("the result: {why}"))?);
        }
        if case.result.is_none() && case.outputs.iter().all(Option::is_none) {
            return Err("nothing is expected".to_owned());
        }
        case.add_lengths(interface);
        // That they can be passed is known from passing them.
        wire::arguments(interface, &case.arguments, &case.wanted())?;
        Ok(case)
    }

    /// Gives parameters that are nothing but the length of an array the length of what is given.
    fn add_lengths(&mut self, interface: &Interface) {
        for (number, parameter) in interface.parameters.iter().enumerate() {
            let Passing::Array(array) = &parameter.passing else { continue };
            let mut inner = self.arguments[number].clone();
            for dimension in &array.dimensions {
                let length = match &inner {
                    Some(Value::List(all)) => all.len(),
                    Some(Value::Null) => 0,
                    _ => break,
                };
                if let Some(of) = dimension.parameter()
                    && self.arguments[of].is_none()
                    && let Passing::Value(_) = interface.parameters[of].passing
                {
                    self.arguments[of] = Some(Value::Integer(length as i128));
                }
                inner = match inner {
                    Some(Value::List(all)) => Some(all.into_iter().next().unwrap_or(Value::List(Vec::new()))),
                    other => other,
                };
            }
        }
    }

    /// Which parameters are looked at after the call.
    pub(crate) fn wanted(&self) -> Vec<bool> {
        self.outputs.iter().map(Option::is_some).collect()
    }

    /// The arguments as JSON, by the names of parameters.
    pub fn arguments_json(&self, interface: &Interface) -> Json {
        let named = interface.parameters.iter().enumerate().filter_map(|(number, parameter)| {
            let value = self.arguments[number].as_ref()?;
            Some((parameter.name.clone(), value.json(&interface.value_type(number))))
        });
        Json::Object(named.collect())
    }

    /// What is expected, as JSON: the result, or an object with `result` and the parameters that are written to.
    pub fn expected_json(&self, interface: &Interface) -> Json {
        outcome_json(interface, self.result.as_ref(), &self.outputs)
    }
}

/// A result and what was written, as JSON.
pub(crate) fn outcome_json(interface: &Interface, result: Option<&Value>, outputs: &[Option<Value>]) -> Json {
    let result = result.zip(interface.result_type()).map(|(value, of)| value.json(&of));
    let written = outputs.iter().enumerate().filter_map(|(number, value)| {
        let value = value.as_ref()?.json(&interface.value_type(number));
        Some((interface.parameters[number].name.clone(), value))
    });
    let written: Map<String, Json> = written.collect();
    if written.is_empty() {
        return result.unwrap_or(Json::Null);
    }
    let result = result.map(|result| ("result".to_owned(), result));
    Json::Object(result.into_iter().chain(written).collect())
}

impl Problem {
    /// What tells two problems apart whatever they are called.
    pub(crate) fn essence(&self) -> String {
        let text = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let tests = match &self.tests {
            Tests::Cases(cases) => format!("{:?}", cases.cases),
            Tests::Program(program) => text(&program.text),
        };
        format!("{}\0{}\0{}\0{tests}", self.language, text(&self.statement), text(&self.signature))
    }
}

/// Leaves out what has the name or is the same as something before it.
pub(crate) fn without_duplicates(problems: Vec<Problem>, losses: &mut Vec<Loss>) -> Vec<Problem> {
    let mut names = BTreeMap::new();
    let mut essences: BTreeMap<String, String> = BTreeMap::new();
    let mut kept: Vec<Problem> = Vec::new();
    for problem in problems {
        let lost = |defect, detail| Loss { name: problem.name.clone(), defect, detail };
        if names.insert(problem.name.clone(), ()).is_some() {
            losses.push(lost(Defect::SameName, "another one before it has this name".to_owned()));
        } else if let Some(other) = essences.get(&problem.essence()) {
            losses.push(lost(Defect::Duplicate, format!("it is the same as `{other}`")));
        } else {
            essences.insert(problem.essence(), problem.name.clone());
            kept.push(problem);
        }
    }
    kept
}

/// Whether a text is a day that the calendar has, as `2026-11-19`.
pub(crate) fn is_date(text: &str) -> bool {
    let parts: Vec<Option<u32>> = text.split('-').map(|part| part.parse().ok()).collect();
    let [Some(year), Some(month @ 1..=12), Some(day @ 1..)] = parts[..] else { return false };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    day <= days && text.len() == 10
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(signature: &str, roles: &str, written: &str) -> Result<Cases, (Defect, String)> {
        let roles = toml::from_str(roles).unwrap();
        let written: Vec<WrittenCase> = serde_json::from_str(written).unwrap();
        Cases::read(signature, &roles, &[], Language::C, Compare::default(), &written)
    }

    #[test]
    fn lengths_are_those_of_arrays_unless_told() {
        let sum = "int sum(const int *values, size_t count)";
        let read = cases(sum, "values = { array = ['count'] }", r#"[{"arguments": {"values": [1, 2]}, "result": 3}]"#)
            .unwrap();
        assert_eq!(read.cases[0].arguments[1], Some(Value::Integer(2)));
        assert_eq!(read.cases[0].arguments_json(&read.interface).to_string(), r#"{"count":2,"values":[1,2]}"#);
        let grid = cases(
            "int f(int **grid, int rows, int columns)",
            "grid = { array = ['rows', 'columns'] }",
            r#"[{"arguments": {"grid": [[1, 2, 3], [4, 5, 6]]}, "result": 3}]"#,
        );
        assert_eq!(grid.unwrap().cases[0].arguments[1..], [Some(Value::Integer(2)), Some(Value::Integer(3))]);
    }

    #[test]
    fn a_case_that_cannot_be_run_is_refused() {
        let sum =
            |written| cases("int sum(const int *values, size_t count)", "values = { array = ['count'] }", written);
        for written in [
            r#"[{"arguments": {"values": [1, 2], "count": 3}, "result": 3}]"#,
            r#"[{"arguments": {"values": [1, "2"]}, "result": 3}]"#,
            r#"[{"arguments": {}, "result": 3}]"#,
            r#"[{"arguments": {"values": [1]}}]"#,
            r#"[{"arguments": {"values": [1]}, "result": 1, "outputs": {"values": [1]}}]"#,
        ] {
            assert_eq!(sum(written).unwrap_err().0, Defect::BadCase, "{written}");
        }
        assert_eq!(sum("[]").unwrap_err().0, Defect::NoTests);
    }

    #[test]
    fn dates_are_days_of_the_calendar() {
        assert!(is_date("2026-11-19") && is_date("2024-02-29"));
        for text in ["2026-02-29", "2026-13-01", "2026-1-1", "yesterday", "2026-11-00", "2026-11"] {
            assert!(!is_date(text), "{text}");
        }
    }
}
