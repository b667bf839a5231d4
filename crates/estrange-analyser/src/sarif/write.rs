//! Writing a document: one run, its rules, the weaknesses they are, and its results.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::classes::CWE;
use super::read::VERSION;
use crate::finding::Level;

/// The schema that a document names.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

/// Who found what a document tells.
#[derive(Debug, Clone, Copy)]
pub struct Driver<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Its version.
    pub version: &'a str,
}

/// One result to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    /// The rule: a short word for what is wrong, such as `heap-overflow-write`.
    pub rule: String,
    /// The number of its weakness in the Common Weakness Enumeration.
    pub class: Option<u32>,
    /// How grave it is.
    pub level: Level,
    /// What is wrong, to people.
    pub message: String,
    /// The path of the file, relative to where the document is, with slashes.
    pub path: Option<String>,
    /// The line in it, counted from 1.
    pub line: Option<u32>,
    /// The column in that, counted from 1 in units of UTF-16.
    pub column: Option<u32>,
    /// The function that it is in.
    pub function: Option<String>,
    /// What the result is known by in other documents, by what computed it, such as `place/v1`.
    pub fingerprints: BTreeMap<String, String>,
    /// What else is to be told: an object, or nothing.
    pub properties: Value,
}

/// What a rule is, to people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleText {
    /// In a few words.
    pub short: String,
    /// In full.
    pub help: String,
}

/// A document of SARIF 2.1.0 with one run. The same results give the same bytes; they stay in their order. `text_of` says what a
/// rule is, where that is known.
pub fn write(driver: Driver<'_>, results: &[Reported], text_of: &dyn Fn(&str) -> Option<RuleText>) -> String {
    let mut rules: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for result in results {
        let classes = rules.entry(&result.rule).or_default();
        classes.extend(result.class.filter(|class| !classes.contains(class)));
    }
    let places: BTreeMap<&str, usize> = rules.keys().enumerate().map(|(place, &rule)| (rule, place)).collect();
    let described: Vec<Value> = rules.iter().map(|(id, classes)| rule(id, classes, text_of(id))).collect();
    let written: Vec<Value> = results.iter().map(|result| outcome(result, places[result.rule.as_str()])).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [{
            "tool": { "driver": {
                "name": driver.name,
                "version": driver.version,
                "rules": described,
                "supportedTaxonomies": [component()],
            }},
            "taxonomies": [taxonomy(results)],
            "columnKind": "utf16CodeUnits",
            "results": written,
        }],
    });
    format!("{document:#}\n")
}

fn rule(id: &str, classes: &[u32], text: Option<RuleText>) -> Value {
    let relationships: Vec<Value> =
        classes.iter().map(|&class| json!({ "target": reference(class), "kinds": ["superset"] })).collect();
    let mut rule = json!({ "id": id, "relationships": relationships });
    if let Some(RuleText { short, help }) = text {
        rule["shortDescription"] = json!({ "text": short });
        rule["help"] = json!({ "text": help });
        let tags: Vec<String> = classes.iter().map(|class| format!("external/cwe/cwe-{class:03}")).collect();
        rule["properties"] = json!({ "tags": tags });
    }
    rule
}

fn taxonomy(results: &[Reported]) -> Value {
    let mut classes: Vec<u32> = results.iter().filter_map(|result| result.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let taxa: Vec<Value> = classes
        .iter()
        .map(|class| json!({ "id": class.to_string(), "helpUri": format!("https://cwe.mitre.org/data/definitions/{class}.html") }))
        .collect();
    json!({
        "name": CWE,
        "organization": "MITRE",
        "shortDescription": { "text": "The MITRE Common Weakness Enumeration" },
        "taxa": taxa,
    })
}

fn component() -> Value {
    json!({ "name": CWE, "index": 0 })
}

fn reference(class: u32) -> Value {
    json!({ "id": class.to_string(), "toolComponent": component() })
}

fn outcome(result: &Reported, place: usize) -> Value {
    let taxa: Vec<Value> = result.class.into_iter().map(reference).collect();
    let mut written = json!({
        "ruleId": result.rule,
        "ruleIndex": place,
        "level": result.level.as_str(),
        "message": { "text": result.message },
        "taxa": taxa,
    });
    if let Some(path) = &result.path {
        let mut physical = json!({ "artifactLocation": { "uri": escaped(path) } });
        if let Some(line) = result.line {
            physical["region"] = json!({ "startLine": line });
            if let Some(column) = result.column {
                physical["region"]["startColumn"] = json!(column);
            }
        }
        let mut location = json!({ "physicalLocation": physical });
        if let Some(function) = &result.function {
            location["logicalLocations"] = json!([{ "name": function, "kind": "function" }]);
        }
        written["locations"] = json!([location]);
    }
    if !result.fingerprints.is_empty() {
        written["partialFingerprints"] = json!(result.fingerprints);
    }
    if result.properties.is_object() {
        written["properties"] = result.properties.clone();
    }
    written
}

/// A path as a part of a URI.
fn escaped(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
    path.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
