//! Pairs as `datasets` of Hugging Face loads them: Parquet files, a row for each side of each rung, and a README whose head
//! says which is what. What running confirmed and what a patch only says are configurations of their own.

use std::collections::BTreeMap;
use std::path::Path;

use estrange_words::Language;

use super::card::Card;
use super::error::ExchangeError;
use super::file::{write, write_rows};
use super::pair_card;
use super::pair_set::{ExportedPair, ExportedRung};
use crate::json::Json;
use crate::pairs::RungEvidence;
use crate::rows::record;
use crate::words::{End, Label, Reason, Side, Split};

record! {
    /// A side of a pair in a setting: one row of an exported file.
    pub struct SideRow {
        /// The pair.
        pub pair: String,
        /// The setting; `L0` is as it was written.
        pub setting: String,
        /// Its seed.
        pub seed: u32,
        /// Which of both it is.
        pub side: Side,
        /// Whether it has the bug.
        pub vulnerable: bool,
        /// What stands behind that.
        pub label: Label,
        /// The function's text.
        pub code: String,
        /// A file with it that compiles by itself; linked, where it can be.
        pub unit: String,
        /// Where the function begins there, in bytes of UTF-8.
        pub unit_start: u32,
        /// Where it ends.
        pub unit_end: u32,
        /// What compilers must be told besides the language.
        pub flags: Vec<String>,
        /// What the function is called in its project.
        pub function: String,
        /// Its language.
        pub language: Language,
        /// The number of the weakness (CWE) of the pair.
        pub cwe: Option<u32>,
        /// How the vulnerable side ends on the trigger.
        pub class: Option<End>,
        /// The vulnerability's numbers.
        pub cves: Vec<String>,
        /// The line of `unit` on which it faults, counted from 1; of the vulnerable side only.
        pub fault_line: Option<u32>,
        /// The line of `code`, where it is within.
        pub fault_line_in_code: Option<u32>,
        /// The operation that faults, with the types of its operands.
        pub operation: Option<String>,
        /// The input on which the vulnerable side faults.
        pub trigger: Option<String>,
        /// Why it is not confirmed, where it is not.
        pub reason: Option<Reason>,
        /// The patch or the commit that mends it.
        pub fix: String,
        /// How many functions that changes.
        pub changed_functions: u32,
        /// What it changes, as a unified diff.
        pub patch: String,
        /// What whoever mended it says.
        pub description: String,
        /// Where the function comes from.
        pub source: String,
        /// The version of that.
        pub version: String,
        /// Its file there.
        pub path: String,
        /// The file's licence, an SPDX expression.
        pub licence: String,
        /// What its source is for.
        pub split: Split,
        /// How far its characters are from those of `L0`, from 0 to 1; of the vulnerable side.
        pub surface_distance: f64,
        /// How many times as long that is.
        pub expansion: f64,
        /// How both sides ended by each compiler, and how often each was run: a JSON object.
        pub evidence: Json<RungEvidence>,
    }
}

/// A file of rows.
struct Part {
    configuration: &'static str,
    split: String,
    path: [String; 3],
}

/// Writes the pairs with their card; says how many rows there are in each configuration and split.
pub fn write_pairs(
    folder: &Path,
    pairs: &[ExportedPair],
    card: &Card,
) -> Result<Vec<(String, String, usize)>, ExchangeError> {
    let mut rows: BTreeMap<(Label, String), Vec<SideRow>> = BTreeMap::new();
    for pair in pairs {
        for rung in &pair.rungs {
            let part = rows.entry((pair.pair.label, split_name(&rung.rung.setting))).or_default();
            part.extend(Side::ALL.iter().map(|side| row(pair, rung, *side)));
        }
    }
    let (mut parts, mut written) = (Vec::new(), Vec::new());
    for ((label, split), rows) in rows {
        let path = ["data".to_owned(), label.to_string(), format!("{split}.parquet")];
        write_rows(folder, &path.each_ref().map(String::as_str), &rows)?;
        written.push((label.to_string(), split.clone(), rows.len()));
        parts.push(Part { configuration: label.as_str(), split, path });
    }
    let all = written.iter().map(|(.., rows)| rows).sum();
    let text = head(card, &parts, pairs, all) + &pair_card::text(card, pairs) + USE;
    write(folder, &["README.md"], |file| file.write_all(text.as_bytes()))?;
    Ok(written)
}

const USE: &str = "
## Use

```python
from datasets import load_dataset
written = load_dataset(\"DIR\", \"crash-confirmed\", split=\"L0\")
strange = load_dataset(\"DIR\", \"crash-confirmed\", split=\"L4\")
```

Each pair has two rows in a split, one for each side; `vulnerable` is the label.
";

/// A setting as the name of a split, which has letters, digits and underscores only.
fn split_name(setting: &str) -> String {
    setting.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

fn row(pair: &ExportedPair, rung: &ExportedRung, side: Side) -> SideRow {
    let ExportedPair { pair: facts, vulnerable, patched, .. } = pair;
    let function = if side == Side::Vulnerable { vulnerable } else { patched };
    let ExportedRung { rung: whole, .. } = rung;
    let (start, end) = match side {
        Side::Vulnerable => (whole.vulnerable_start, whole.vulnerable_end),
        Side::Patched => (whole.patched_start, whole.patched_end),
    };
    let fault_line = whole.fault_line.filter(|_| side == Side::Vulnerable);
    SideRow {
        pair: facts.name.clone(),
        setting: whole.setting.clone(),
        seed: whole.seed,
        side,
        vulnerable: side == Side::Vulnerable,
        label: facts.label,
        code: rung.code(side).to_owned(),
        unit: rung.unit(side).to_owned(),
        unit_start: start,
        unit_end: end,
        flags: function.flags.clone(),
        function: function.qualified_name.clone(),
        language: function.language,
        cwe: facts.cwe,
        class: facts.class,
        cves: facts.cves.clone(),
        fault_line,
        fault_line_in_code: fault_line.and_then(|line| line_in_code(rung, side, start, line)),
        operation: whole.evidence.0.operation.clone().filter(|_| side == Side::Vulnerable),
        trigger: facts.trigger.clone(),
        reason: facts.reason,
        fix: facts.fix.clone(),
        changed_functions: facts.changed_functions,
        patch: facts.patch.clone(),
        description: facts.description.clone(),
        source: function.source.clone(),
        version: function.version.clone(),
        path: function.path.clone(),
        licence: function.licence.clone(),
        split: function.split,
        surface_distance: whole.surface_distance,
        expansion: whole.expansion,
        evidence: whole.evidence.clone(),
    }
}

/// Which line of the function a line of its unit is.
fn line_in_code(rung: &ExportedRung, side: Side, start: u32, line: u32) -> Option<u32> {
    let before = rung.unit(side).get(..start as usize)?.matches('\n').count();
    let line = line.checked_sub(u32::try_from(before).ok()?)?;
    let lines = rung.code(side).lines().count();
    (line >= 1 && line as usize <= lines).then_some(line)
}

/// What the hub reads of a README, between lines of three hyphens. Whatever is in quotes here is JSON, which is YAML.
fn head(card: &Card, parts: &[Part], pairs: &[ExportedPair], rows: usize) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut head = format!(
        "---\npretty_name: {}\nlanguage:\n- code\n{}size_categories:\n- {}\ntask_categories:\n- text-classification\ntags:\n\
         - code\n- c\n- c++\n- vulnerability-detection\nconfigs:\n",
        quoted(card.name()),
        licence(pairs),
        size(rows),
    );
    let mut last = "";
    for Part { configuration, split, path } in parts {
        if *configuration != last {
            let default = if last.is_empty() { "  default: true\n" } else { "" };
            head += &format!("- config_name: {}\n{default}  data_files:\n", quoted(configuration));
            last = configuration;
        }
        head += &format!("  - split: {}\n    path: {}\n", quoted(split), quoted(&path.join("/")));
    }
    head + "---\n\n"
}

/// The licence as the hub knows it: one of its words, or that each row has its own.
fn licence(pairs: &[ExportedPair]) -> String {
    const KNOWN: [&str; 8] = ["mit", "apache-2.0", "bsd-2-clause", "bsd-3-clause", "zlib", "isc", "gpl-2.0", "gpl-3.0"];
    let mut licences: Vec<String> = pairs
        .iter()
        .flat_map(|pair| [&pair.vulnerable, &pair.patched])
        .map(|side| side.licence.to_lowercase())
        .collect();
    licences.sort();
    licences.dedup();
    match licences.as_slice() {
        [only] if KNOWN.contains(&only.as_str()) => format!("license: {only}\n"),
        _ => "license: other\nlicense_name: by-row\nlicense_link: README.md\n".to_owned(),
    }
}

/// The hub's word for so many rows.
fn size(rows: usize) -> &'static str {
    match rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        _ => "n>1M",
    }
}
