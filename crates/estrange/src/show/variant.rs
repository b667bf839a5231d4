//! One variant of a function: beside what it was, its new names, and what was shown about it.

use std::collections::BTreeMap;

use anstyle::Style;
use estrange_bench::{Function, Variant};
use serde_json::Value;

use super::code;
use crate::highlight;
use crate::output::printable;
use crate::table::{Align, Cell, Table};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// A variant beside what it was.
pub fn text(function: &Function, variant: &Variant) -> String {
    let mut table = Table::new([Align::Left; 2]);
    let mut row = |name: &str, text: String| table.row([Cell::styled(name, DIM), printable(&text).into()]);
    row("setting", format!("{}, seed {}", variant.setting, variant.seed));
    row("recipe", variant.recipe.clone());
    row("evidence", evidence(variant));
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

fn evidence(variant: &Variant) -> String {
    let value: Value = serde_json::from_str(&variant.evidence).unwrap_or_default();
    let levels = if value["identical_code"].get("gcc_o0").is_some() { "at -O0 and -O2" } else { "at -O2" };
    let same = format!("identical code by gcc and clang, {levels}");
    let explained = value["explained"].as_array().map_or(0, Vec::len);
    let ran = &value["behaviour"];
    let share = |part: &str| format!("{} of {}", ran[part]["of"], ran[part]["all"]);
    match (variant.tier.as_str(), explained) {
        ("identical-code", 0) => same,
        ("identical-code", 1) => format!("{same}, but for one name in its data that the new names explain"),
        ("identical-code", count) => format!("{same}, but for {count} names in its data that the new names explain"),
        (tier @ ("agrees" | "agrees-weakly"), _) => format!(
            "{tier}: the same on {} inputs; {} lines, {} branches, {} planted mistakes seen",
            ran["kept"],
            share("lines"),
            share("branches"),
            share("mutants")
        ),
        ("proved", _) => format!(
            "proved by {} for loops of at most {} rounds",
            value["proved"]["by"].as_str().unwrap_or("alive-tv"),
            value["proved"]["rounds"]
        ),
        (tier, _) => match ran["detail"].as_str() {
            Some(detail) => format!("{tier}: {detail}"),
            None => tier.to_owned(),
        },
    }
}
