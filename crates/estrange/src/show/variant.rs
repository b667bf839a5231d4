//! One variant of a function: beside what it was, its new names, and what was shown about it.

use anstyle::Style;
use estrange_bench::evidence::{Behaviour, VariantEvidence};
use estrange_bench::{Function, Tier, Variant};

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
    row("evidence", evidence(variant.tier, &variant.evidence));
    let Variant { surface_distance, expansion, perturbation_fraction, .. } = variant;
    row(
        "distance",
        format!("{surface_distance:.3} of 1, {expansion:.2} times as long, {perturbation_fraction:.3} of it renamed"),
    );
    let names: Vec<String> = variant.rename_map.iter().map(|(old, new)| format!("{old} → {new}")).collect();
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

/// What a variant's tier stands on.
fn evidence(tier: Tier, evidence: &VariantEvidence) -> String {
    match (tier, &evidence.behaviour, &evidence.proved) {
        (Tier::IdenticalCode, ..) => identical_code(evidence),
        (Tier::Proved, _, Some(proof)) => {
            format!("proved by {} for loops of at most {} rounds", proof.by, proof.rounds)
        }
        (Tier::Agrees | Tier::AgreesWeakly, Some(Behaviour::Ran(ran)), _) => format!(
            "{tier}: the same on {} inputs; {} lines, {} branches, {} planted mistakes seen",
            ran.kept, ran.lines, ran.branches, ran.mutants
        ),
        (Tier::Untestable, Some(Behaviour::Untestable(why)), _) => format!("{tier}: {}", why.detail),
        (tier, ..) => tier.to_string(),
    }
}

fn identical_code(evidence: &VariantEvidence) -> String {
    let has_o0 = evidence.identical_code.as_ref().is_some_and(|levels| levels.contains_key("gcc_o0"));
    let levels = if has_o0 { "at -O0 and -O2" } else { "at -O2" };
    let same = format!("identical code by gcc and clang, {levels}");
    match evidence.explained.as_ref().map_or(0, Vec::len) {
        0 => same,
        1 => format!("{same}, but for one name in its data that the new names explain"),
        count => format!("{same}, but for {count} names in its data that the new names explain"),
    }
}
