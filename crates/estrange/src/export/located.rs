//! The confirmed faults of pairs as SARIF: a rule for each class, a result for each rung, at the operation that faults.

use std::collections::BTreeMap;

use estrange_analyser::Level;
use estrange_analyser::sarif::{Driver, Reported, RuleText, write};
use estrange_bench::exchange::pair_set::{ExportedPair, ExportedRung};
use estrange_bench::{End, Ended, RungEvidence, Side};
use estrange_words::Word;
use serde_json::{Value, json};

/// Who says where these faults are.
const DRIVER: Driver<'_> = Driver { name: "estrange", version: env!("CARGO_PKG_VERSION") };
/// What a fault is known by in another log of the same bench.
const FINGERPRINT: &str = "estrangeFault/v1";

/// The log of these pairs, which are confirmed.
pub fn log(pairs: &[ExportedPair]) -> String {
    let results: Vec<Reported> =
        pairs.iter().flat_map(|pair| pair.rungs.iter().filter_map(|rung| result(pair, rung))).collect();
    write(DRIVER, &results, &|rule| rule.parse().ok().map(text_of))
}

/// What a class is, to people.
fn text_of(class: End) -> RuleText {
    let phrase = class.phrase();
    let numbers: Vec<String> = class.weaknesses().iter().map(|number| format!("CWE-{number}")).collect();
    let help = format!(
        "{} As a weakness it is {}. Address and undefined-behaviour sanitizers of gcc and clang both found it on the \
         trigger, which stands among the properties of the result.",
        class.meaning(),
        numbers.join(", "),
    );
    RuleText { short: format!("The function {phrase}"), help }
}

fn result(pair: &ExportedPair, rung: &ExportedRung) -> Option<Reported> {
    let class = pair.pair.class?;
    let evidence = &rung.rung.evidence.0;
    let line = rung.rung.fault_line;
    let place =
        evidence.by.iter().rev().map(|by| &by.vulnerable).find(|ended| ended.line.is_some() && ended.line == line);
    let column = place.and_then(|ended| column(rung.unit(Side::Vulnerable), ended));
    let weakness = pair.pair.cwe.or_else(|| class.weaknesses().first().map(|number| u32::from(*number)));
    Some(Reported {
        rule: class.as_str().to_owned(),
        class: weakness,
        level: Level::Error,
        message: message(class, evidence),
        path: Some(rung.path(&pair.file(Side::Vulnerable))),
        line,
        column,
        function: place.and_then(|ended| ended.function.clone()),
        fingerprints: BTreeMap::from([(FINGERPRINT.to_owned(), fingerprint(pair, rung, class))]),
        properties: properties(pair, rung),
    })
}

/// What happens, and what each compiler's sanitizers said of it.
fn message(class: End, evidence: &RungEvidence) -> String {
    let mut message = format!("On the trigger it {}", class.phrase());
    if let Some(operation) = &evidence.operation {
        message += &format!(": {operation}");
    }
    message += ".";
    for by in &evidence.by {
        let Ended { end, function, line, column } = &by.vulnerable;
        message += &format!(" {}: {end}", by.compiler);
        if let Some(line) = line {
            let column = column.map_or(String::new(), |column| format!(", column {column}"));
            message += &format!(" on line {line}{column}");
        }
        if let Some(function) = function {
            message += &format!(" in {function}");
        }
        message += ".";
    }
    message
}

/// A column, which compilers count in bytes, in units of UTF-16.
fn column(unit: &str, ended: &Ended) -> Option<u32> {
    let line = unit.lines().nth(ended.line?.checked_sub(1)? as usize)?;
    let before = line.get(..ended.column?.checked_sub(1)? as usize)?;
    u32::try_from(before.encode_utf16().count() + 1).ok()
}

/// The same for the same fault of the same function in the same setting, whatever stands around it.
fn fingerprint(pair: &ExportedPair, rung: &ExportedRung, class: End) -> String {
    let operation = rung.rung.evidence.0.operation.as_deref().unwrap_or_default();
    let seed = rung.rung.seed.to_string();
    let parts = [&pair.pair.lineage, &pair.pair.name, &rung.rung.setting, &seed, class.as_str(), operation];
    blake3::hash(parts.join("\0").as_bytes()).to_hex()[..32].to_owned()
}

fn properties(pair: &ExportedPair, rung: &ExportedRung) -> Value {
    let trigger = pair.pair.trigger.as_deref().unwrap_or_default();
    json!({
        "pair": pair.pair.name,
        "setting": rung.rung.setting,
        "seed": rung.rung.seed,
        "fix": pair.pair.fix,
        "cves": pair.pair.cves,
        "patched": rung.path(&pair.file(Side::Patched)),
        "operation": rung.rung.evidence.0.operation,
        "evidence": rung.rung.evidence.0,
        // An input is a document, too.
        "trigger": serde_json::from_str(trigger).unwrap_or_else(|_| Value::from(trigger)),
    })
}
