//! One variant of a function: beside what it was, its new names, and what was shown about it.

use std::collections::BTreeMap;

use anstyle::Style;
use estrange_bench::{Bench, BenchError, Function, Variant, Waiting};
use serde::Serialize;
use serde_json::Value;

use super::code;
use crate::highlight;
use crate::output::printable;
use crate::stats::words;
use crate::table::{Align, Cell, Table};
use crate::voice::Failure;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The document of `--json`.
#[derive(Debug, Serialize)]
pub struct Document<'v> {
    format: u32,
    #[serde(flatten)]
    variant: &'v Variant,
    /// As JSON rather than as text that holds it.
    rename_map: Option<Value>,
    evidence: Option<Value>,
}

impl<'v> Document<'v> {
    pub fn of(variant: &'v Variant) -> Self {
        let parsed = |text: &str| serde_json::from_str(text).ok();
        Self { format: 1, variant, rename_map: parsed(&variant.rename_map), evidence: parsed(&variant.evidence) }
    }
}

/// The variant of a function in a setting: that of the lowest seed, unless one is named.
pub fn find(bench: &Bench, function: &Function, setting: &str, seed: Option<u32>) -> Result<Variant, Failure> {
    let unusable = |error: BenchError| crate::bench::unusable(&error);
    if !bench.has_variants() {
        return Err(Failure::new("the bench has no variants").hint("build it with --settings"));
    }
    let is_it = |id: &str, its_setting: &str, its_seed: u32| {
        id == function.id && its_setting == setting && seed.is_none_or(|seed| seed == its_seed)
    };
    for variant in bench.variants().map_err(unusable)? {
        let variant = variant.map_err(unusable)?;
        if is_it(&variant.function_id, &variant.setting, variant.seed) {
            return Ok(variant);
        }
    }
    for waiting in bench.waiting().map_err(unusable)? {
        let waiting = waiting.map_err(unusable)?;
        if is_it(&waiting.function_id, &waiting.setting, waiting.seed) {
            return Err(why_not(function, &waiting));
        }
    }
    Err(Failure::new(format!("{} has no such variant", function.qualified_name))
        .hint("`estrange stats BENCH --table variants` says which settings the bench has"))
}

fn why_not(function: &Function, waiting: &Waiting) -> Failure {
    let Waiting { setting, reason, detail, .. } = waiting;
    let failure =
        Failure::new(format!("{} has no variant {setting}: {}", function.qualified_name, words::reason(reason)));
    if detail.is_empty() { failure } else { failure.hint(detail.clone()) }
}

/// A variant beside what it was.
pub fn text(function: &Function, variant: &Variant) -> String {
    let mut table = Table::new([Align::Left; 2]);
    let mut row = |name: &str, text: String| table.row([Cell::styled(name, DIM), printable(&text).into()]);
    row("setting", format!("{}, seed {}", variant.setting, variant.seed));
    row("recipe", variant.recipe.clone());
    row("evidence", evidence(&variant.evidence));
    let Variant { surface_distance, expansion, perturbation_fraction, .. } = variant;
    row(
        "distance",
        format!("{surface_distance:.3} of 1, {expansion:.2} times as long, {perturbation_fraction:.3} of it renamed"),
    );
    let map: BTreeMap<String, String> = serde_json::from_str(&variant.rename_map).unwrap_or_default();
    let names: Vec<String> = map.iter().map(|(old, new)| format!("{old} → {new}")).collect();
    row("names", names.join(", "));
    let mut text = format!("{BOLD}{}{BOLD:#}\n{}", printable(&function.qualified_name), table.render("  "));
    for (heading, part) in [("as it was", &function.text), (variant.setting.as_str(), &variant.text)] {
        text += &format!("\n{DIM}{}{DIM:#}\n", printable(heading));
        for line in highlight::lines(code(part, Some(function.language), &function.types)) {
            text += &format!("  {line}\n");
        }
    }
    text
}

fn evidence(json: &str) -> String {
    let value: Value = serde_json::from_str(json).unwrap_or_default();
    let explained = value["explained"].as_array().map_or(0, Vec::len);
    let same = "identical code by gcc and clang, at -O0 and -O2";
    match explained {
        0 => same.to_owned(),
        1 => format!("{same}, but for one name in its data that the new names explain"),
        count => format!("{same}, but for {count} names in its data that the new names explain"),
    }
}
