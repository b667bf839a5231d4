//! SARIF as others write it and as they should not, and SARIF as we write it.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use estrange_analyser::sarif::{Driver, Reported, RuleText, Sarif, SarifError, write};
use estrange_analyser::{Finding, Level};
use serde_json::{Value, json};

fn findings(document: &Value) -> Result<Vec<Finding>, SarifError> {
    Sarif::read(document.to_string().as_bytes())?.findings(&|file| file == "unit.c")
}

/// A document with one run with these results, and rules if there are some.
fn document(results: Value, rules: Value) -> Value {
    json!({ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "tool", "rules": rules } }, "results": results }] })
}

/// What is found by one result.
fn one(result: Value, rules: Value) -> Finding {
    let found = findings(&document(json!([result]), rules)).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

#[test]
fn what_is_no_sarif_is_told_apart() {
    let read = |text: &str| Sarif::read(text.as_bytes()).map(|_| ()).unwrap_err();
    for text in ["", "No bugs here.", "{", "{\"version\": \"2.1.0\", \"runs\": [", "\u{0}"] {
        assert!(matches!(read(text), SarifError::NotJson(_)), "{text}: {:?}", read(text));
    }
    for text in [
        "[]",
        "1",
        "null",
        "{}",
        "{\"version\": \"2.1.0\"}",
        "{\"version\": \"2.1.0\", \"runs\": {}}",
        "{\"runs\": []}",
    ] {
        assert!(matches!(read(text), SarifError::NotSarif(_)), "{text}: {:?}", read(text));
    }
    assert_eq!(read("{\"version\": \"2.0.0\", \"runs\": []}"), SarifError::OtherVersion("2.0.0".to_owned()));
    let deep = format!("{{\"version\": \"2.1.0\", \"runs\": [], \"x\": {}", "[".repeat(1_000_000));
    assert!(matches!(read(&deep), SarifError::NotJson(_)));
}

#[test]
fn results_of_a_wrong_form_are_told() {
    for result in [json!(1), json!({ "ruleId": 7 }), json!({ "locations": {} }), json!({ "message": "text" })] {
        let told = findings(&document(json!([result]), json!([])));
        assert!(matches!(told, Err(SarifError::NotSarif(_))), "{told:?}");
    }
    let negative = json!({ "locations": [{ "physicalLocation": { "region": { "startLine": -3 } } }] });
    assert!(matches!(findings(&document(json!([negative]), json!([]))), Err(SarifError::NotSarif(_))));
    let word = findings(&document(json!([{ "level": "fatal" }]), json!([])));
    assert_eq!(word, Err(SarifError::Word { what: "level", found: "fatal".to_owned() }));
    let word = findings(&document(json!([{ "kind": "maybe" }]), json!([])));
    assert_eq!(word, Err(SarifError::Word { what: "kind", found: "maybe".to_owned() }));
}

#[test]
fn nothing_found_is_not_nothing_done() {
    assert_eq!(findings(&document(json!([]), json!([]))), Ok(Vec::new()));
    assert_eq!(findings(&json!({ "version": "2.1.0", "runs": [] })), Err(SarifError::NoRun));
    let without = json!({ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "tool" } } }] });
    assert_eq!(findings(&without), Err(SarifError::NoRun));
    let mut failed = document(json!([]), json!([]));
    failed["runs"][0]["invocations"] = json!([{ "executionSuccessful": true }, {
        "executionSuccessful": false,
        "toolExecutionNotifications": [{ "message": { "text": "no licence" } }],
    }]);
    assert_eq!(findings(&failed), Err(SarifError::Unsuccessful { message: "no licence".to_owned() }));
}

#[test]
fn a_result_without_anything_is_a_finding_without_a_place() {
    let found = one(json!({ "message": { "text": "hm" } }), json!([]));
    let expected = Finding {
        tool: "tool".to_owned(),
        rule: String::new(),
        classes: Vec::new(),
        level: Level::Warning,
        line: None,
        message: "hm".to_owned(),
    };
    assert_eq!(found, expected);
    assert_eq!(found.class(), None);
}

#[test]
fn only_failures_that_stand_are_findings() {
    let results = json!([
        { "ruleId": "fails", "kind": "fail" },
        { "ruleId": "passes", "kind": "pass" },
        { "ruleId": "suppressed", "suppressions": [{ "kind": "inSource" }] },
        { "ruleId": "not suppressed", "suppressions": [{ "kind": "external", "status": "rejected" }] },
        { "ruleId": "gone", "baselineState": "absent" },
        { "ruleId": "stays", "baselineState": "unchanged" },
        { "ruleId": "stays", "baselineState": "unchanged" },
    ]);
    let rules: Vec<String> =
        findings(&document(results, json!([]))).unwrap().into_iter().map(|each| each.rule).collect();
    assert_eq!(rules, ["fails", "not suppressed", "stays"]);
}

#[test]
fn a_line_is_one_of_the_file() {
    let place = |uri: Value, line: Value| json!({ "physicalLocation": { "artifactLocation": uri, "region": { "startLine": line } } });
    let line = |locations: Value| one(json!({ "locations": locations }), json!([])).line;
    assert_eq!(line(json!([place(json!({ "uri": "unit.c" }), json!(7))])), Some(7));
    assert_eq!(line(json!([place(json!({ "uri": "./%75nit.c" }), json!(7))])), Some(7));
    assert_eq!(
        line(json!([place(json!({ "uri": "other.h" }), json!(7)), place(json!({ "uri": "unit.c" }), json!(8))])),
        Some(8)
    );
    assert_eq!(line(json!([place(json!({ "uri": "other.h" }), json!(7))])), None);
    assert_eq!(line(json!([place(json!({ "index": 0 }), json!(7))])), None);
    assert_eq!(line(json!([place(json!({ "uri": "unit.c" }), json!(0))])), None);
    assert_eq!(line(json!([{}])), None);
    assert_eq!(line(json!([])), None);
    let mut listed = document(json!([{ "locations": [place(json!({ "index": 1 }), json!(9))] }]), json!([]));
    listed["runs"][0]["artifacts"] = json!([{ "location": { "uri": "a.h" } }, { "location": { "uri": "unit.c" } }]);
    assert_eq!(findings(&listed).unwrap()[0].line, Some(9));
}

#[test]
fn a_rule_says_what_its_result_does_not() {
    let rules = json!([
        { "id": "other" },
        {
            "id": "R1",
            "defaultConfiguration": { "level": "error" },
            "messageStrings": { "default": { "text": "'{0}' leaks" } },
            "properties": { "tags": ["security", "external/cwe/cwe-401", "external/cwe/cwe-772"] },
        },
    ]);
    for named in [
        json!({ "ruleIndex": 1 }),
        json!({ "ruleId": "R1" }),
        json!({ "rule": { "id": "R1" } }),
        json!({ "ruleId": "R1/a" }),
    ] {
        let mut result = named.clone();
        result["message"] = json!({ "id": "default", "arguments": ["p"] });
        let found = one(result, rules.clone());
        assert_eq!(
            (found.classes, found.level, found.message.as_str()),
            (vec![401, 772], Level::Error, "'p' leaks"),
            "{named}"
        );
        assert!(found.rule.starts_with("R1"));
    }
    let far = one(json!({ "ruleId": "R2", "ruleIndex": 99, "level": "none" }), rules);
    assert_eq!((far.rule.as_str(), far.classes.as_slice(), far.level), ("R2", [].as_slice(), Level::Note));
}

#[test]
fn a_rule_may_be_that_of_an_extension() {
    let mut whole =
        document(json!([{ "rule": { "index": 0, "toolComponent": { "index": 0 } } }]), json!([{ "id": "driver's" }]));
    whole["runs"][0]["tool"]["extensions"] = json!([{ "name": "pack", "rules": [{ "id": "pack's", "properties": { "cwe": ["CWE-416: Use After Free"] } }] }]);
    let found = &findings(&whole).unwrap()[0];
    assert_eq!((found.rule.as_str(), found.class()), ("pack's", Some(416)));
}

#[test]
fn classes_come_from_wherever_they_are_said() {
    let cwe = json!({ "name": "CWE" });
    let related = |kind: &str, id: &str| json!({ "target": { "id": id, "toolComponent": cwe }, "kinds": [kind] });
    let rules = json!([{
        "id": "R",
        "relationships": [related("incomparable", "CWE-119"), related("relevant", "120")],
        "properties": { "tags": ["CWE-787: Out-of-bounds Write", "owasp-a1"], "cwe": "cwe-120" },
    }]);
    let found = one(json!({ "ruleId": "R", "taxa": [{ "id": "121", "toolComponent": cwe }] }), rules);
    assert_eq!(found.classes, [121, 120, 119, 787]);

    let mut listed = document(json!([{ "taxa": [{ "index": 1, "toolComponent": { "index": 0 } }] }]), json!([]));
    listed["runs"][0]["taxonomies"] = json!([{ "name": "CWE", "taxa": [{ "id": "20" }, { "id": "22" }] }]);
    assert_eq!(findings(&listed).unwrap()[0].classes, [22]);

    // A number of another taxonomy is none of this one.
    let other =
        one(json!({ "taxa": [{ "id": "121", "toolComponent": { "name": "OWASP" } }, { "id": "8" }] }), json!([]));
    assert!(other.classes.is_empty());
}

#[test]
fn what_is_written_is_read() {
    let reported = |rule: &str, class: Option<u32>, level: Level, path: Option<&str>, line: Option<u32>| Reported {
        rule: rule.to_owned(),
        class,
        level,
        message: format!("\"{rule}\" {{0}}\n"),
        path: path.map(str::to_owned),
        line,
        column: line.map(|line| line + 1),
        function: line.map(|_| "f".to_owned()),
        fingerprints: BTreeMap::from([("place/v1".to_owned(), rule.to_owned())]),
        properties: json!({ "trigger": { "arguments": [1] } }),
    };
    let help = |rule: &str| {
        let text = RuleText { short: rule.to_uppercase(), help: "Do not.".to_owned() };
        (rule == "leak").then_some(text)
    };
    let results = [
        reported("use-after-free-read", Some(416), Level::Error, Some("unit.c"), Some(12)),
        reported("leak", Some(401), Level::Warning, Some("unit.c"), Some(3)),
        reported("leak", None, Level::Note, None, None),
        reported("leak", Some(772), Level::Warning, Some("a b/%.c"), None),
    ];
    let text = write(Driver { name: "estrange", version: "1" }, &results, &help);
    assert_eq!(write(Driver { name: "estrange", version: "1" }, &results, &help), text);
    let sarif = Sarif::read(text.as_bytes()).unwrap();
    let found = sarif.findings(&|file| file == "unit.c").unwrap();
    let parts: Vec<_> = found.iter().map(|each| (each.rule.as_str(), each.class(), each.level, each.line)).collect();
    let expected = [
        ("leak", Some(772), Level::Warning, None),
        // Without a class of its own it has those of its rule.
        ("leak", Some(401), Level::Note, None),
        ("leak", Some(401), Level::Warning, Some(3)),
        ("use-after-free-read", Some(416), Level::Error, Some(12)),
    ];
    for part in expected {
        assert!(parts.contains(&part), "{part:?} is not in {parts:?}");
    }
    assert!(found.iter().all(|each| each.tool == "estrange" && each.message.ends_with("{0}\n")));
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        value["runs"][0]["results"][3]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "a%20b/%25.c"
    );
    let run = &value["runs"][0];
    assert_eq!(run["results"][0]["ruleIndex"], 1);
    let place = &run["results"][1]["locations"][0];
    assert_eq!(place["physicalLocation"]["region"], json!({ "startLine": 3, "startColumn": 4 }));
    assert_eq!(place["logicalLocations"][0]["name"], "f");
    assert_eq!(run["results"][1]["partialFingerprints"]["place/v1"], "leak");
    assert_eq!(run["results"][1]["properties"]["trigger"]["arguments"], json!([1]));
    let rules = &run["tool"]["driver"]["rules"];
    assert_eq!((&rules[0]["shortDescription"]["text"], &rules[1]["help"]), (&json!("LEAK"), &Value::Null));
    assert_eq!(rules[0]["properties"]["tags"], json!(["external/cwe/cwe-401", "external/cwe/cwe-772"]));
}

#[test]
fn a_document_without_results_is_written_whole() {
    let text = write(Driver { name: "estrange", version: "1" }, &[], &|_| None);
    assert_eq!(Sarif::read(text.as_bytes()).unwrap().findings(&|_| true), Ok(Vec::new()));
}
