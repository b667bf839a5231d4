//! One variant of a function: beside what it was, its new names, and what was shown about it.

use anstyle::Style;
use estrange_bench::evidence::{Behaviour, VariantEvidence};
use estrange_bench::{Function, Tier, Undefinedness, Variant};
use estrange_words::Word;

use super::code;
use crate::highlight;
use crate::output::printable;
use crate::phrasing::counted;
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
    row("undefined", undefined(variant.undefinedness, &variant.evidence));
    let Variant { surface_distance, expansion, perturbation_fraction, .. } = variant;
    row(
        "distance",
        format!("{surface_distance:.3} of 1, {expansion:.2} times as long, {perturbation_fraction:.3} of it renamed"),
    );
    let (lines, tokens) = (counted(variant.loc, "line"), counted(variant.tokens, "token"));
    row("size", format!("{lines}, {tokens}, complexity {}", variant.cyclomatic_complexity));
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

/// Whether it is undefined in the same ways.
fn undefined(shown: Undefinedness, evidence: &VariantEvidence) -> String {
    let Some(undefined) = &evidence.undefined else { return shown.to_string() };
    let lapses = undefined.lapses.iter().map(|lapse| match (lapse.old.as_str(), lapse.new.as_str()) {
        (old, "") => format!("{}: `{old}` only in what it was", lapse.subject),
        ("", new) => format!("{}: `{new}` only in the variant", lapse.subject),
        (old, new) => format!("{}: `{old}` became `{new}`", lapse.subject),
    });
    let all: Vec<String> = lapses.chain(undefined.refused.clone()).collect();
    if all.is_empty() { format!("{shown}: {}", shown.phrase()) } else { format!("{shown}: {}", all.join("; ")) }
}

/// What a variant's tier stands on.
fn evidence(tier: Tier, evidence: &VariantEvidence) -> String {
    match (tier, &evidence.behaviour, &evidence.proved) {
        (Tier::IdenticalCode, ..) => identical_code(evidence),
        (Tier::Proved, _, Some(proof)) => {
            format!("proved by {} for loops of at most {} rounds", proof.by, proof.rounds)
        }
        (Tier::Exhaustive, Some(Behaviour::Ran(ran)), _) => {
            format!("{tier}: the same on all {} inputs", ran.reached.map_or(0, |reached| reached.all))
        }
        (Tier::Agrees | Tier::AgreesWeakly, Some(Behaviour::Ran(ran)), _) => {
            let own = ran
                .reached
                .map(|reached| format!("; {} lines and {} branches of its own text", reached.lines, reached.branches));
            format!(
                "{tier}: the same on {} inputs; {} lines, {} branches, {} planted mistakes seen{}",
                ran.kept + ran.reached.map_or(0, |reached| reached.found),
                ran.lines,
                ran.branches,
                ran.mutants,
                own.unwrap_or_default()
            )
        }
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
