//! New names for everything: how many functions get them, what is left of the old ones, and what it costs.

use std::error::Error;
use std::path::Path;

use estrange_bench::funnel::{SettingNumbers, by_setting};
use estrange_bench::{Bench, Function, FunctionFacts, Language, VariantFacts, Waiting};
use serde_json::json;

use crate::estrange::Estrange;
use crate::floor::Floor;
use crate::report::Row;

/// The settings that give new names.
const SETTINGS: &str = "neutralized,randomized,symbol";

/// How many functions have all settings with evidence, and what is left in them.
pub fn names(estrange: &Estrange, sources: &[&str]) -> Result<Vec<Row>, Box<dyn Error>> {
    let out = estrange.out("names")?;
    estrange.build_settings(sources, &out, SETTINGS)?;
    numbers(&out)
}

/// The same of a bench that is there.
pub fn numbers(bench: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for (language, bar) in [(Language::C, 0.98), (Language::Cpp, 0.90)] {
        rows.extend(covered(bench, language, bar)?);
    }
    Ok(rows)
}

fn covered(bench: &Path, language: Language, bar: f64) -> Result<Vec<Row>, Box<dyn Error>> {
    let bench = Bench::open(bench)?;
    let functions: Vec<FunctionFacts> = bench.function_facts()?.collect::<Result<_, _>>()?;
    let is_its = |id: &str| functions.iter().any(|function| function.id == id && function.language == language);
    let mut variants: Vec<VariantFacts> = bench.variant_facts()?.collect::<Result<_, _>>()?;
    let mut waiting: Vec<Waiting> = bench.waiting()?.collect::<Result<_, _>>()?;
    variants.retain(|variant| is_its(&variant.function_id));
    waiting.retain(|waiting| is_its(&waiting.function_id));
    let count = functions.iter().filter(|function| function.language == language).count() as u64;
    if count == 0 {
        return Ok(Vec::new());
    }
    let numbers = by_setting(count, &variants, &waiting);
    let share = numbers.values().filter_map(|numbers| numbers.functions_share).fold(1.0, f64::min);
    let left: u64 = numbers.values().map(|numbers| numbers.surviving_names + numbers.surviving_comments).sum();
    let words = |part: &dyn Fn(&SettingNumbers) -> String| {
        let each = numbers.iter().map(|(setting, numbers)| format!("{setting} {}", part(numbers)));
        each.collect::<Vec<_>>().join(", ")
    };
    let percent = |share: Option<f64>| format!("{:.1}%", share.unwrap_or_default() * 100.0);
    let random = numbers.get("randomized");
    let excess = random.and_then(|numbers| Some(numbers.same_first_letter? - numbers.same_first_letter_by_chance?));
    let name = language.as_str();
    Ok(vec![
        Row::new(
            "names",
            format!(
                "{name} functions with all settings, each with the same code by both compilers: at least {:.0}%",
                bar * 100.0
            ),
            format!(
                "{} ({} of {count} functions)",
                words(&|numbers| percent(numbers.functions_share)),
                (share * count as f64).round()
            ),
            share >= bar,
            "`estrange stats BENCH --table variants`: neutralized, ten trials of randomized, symbol",
            json!({ "language": name, "functions": count, "settings": numbers }),
        ),
        Row::new(
            "names",
            format!("{name}: names and comments left, first letters"),
            format!(
                "{left} left; first letters of random names equal {} (by chance {})",
                percent(random.and_then(|numbers| numbers.same_first_letter)),
                percent(random.and_then(|numbers| numbers.same_first_letter_by_chance)),
            ),
            left == 0 && excess.is_none_or(|excess| excess < 0.005),
            "counted in the units by a lexer that shares nothing with the renamer",
            json!({ "left": left, "excess": excess }),
        ),
    ])
}

/// The cost of ten randomized trials with their evidence, against compiling the units.
pub fn trials(estrange: &Estrange, sources: &[&str], units: usize, seed: u64) -> Result<Vec<Row>, Box<dyn Error>> {
    estrange.fetch(sources)?;
    estrange.forget()?;
    let out = estrange.out("trials")?;
    estrange.build(sources, &out)?;
    let without = estrange.build(sources, &out)?;
    let with = estrange.build_settings(sources, &out, "randomized")?;
    let bench = Bench::open(&out)?;
    let functions: Vec<Function> = bench.functions()?.collect::<Result<_, _>>()?;
    let variants = bench.variant_facts()?.count();
    let floor = Floor::measure(functions, &[&["-O0"], &["-O2"]], units, seed)?;
    let cpu = with.cpu - without.cpu;
    let ratio = cpu / floor.cpu();
    let error = ratio * floor.relative_error();
    Ok(vec![Row::new(
        "trials",
        "CPU time of ten randomized trials, evidence included: at most twice gcc and clang at -O0 and -O2 once on every unit",
        format!(
            "{ratio:.2} ± {error:.2} times ({cpu:.1} s against {:.1} s; {} functions, {variants} variants with evidence)",
            floor.cpu(),
            floor.kept
        ),
        ratio <= 2.0,
        format!(
            "a build with `--settings randomized` less one without, both with all units known; the floor on {} random \
             units, scaled",
            floor.seconds.len()
        ),
        json!({ "sources": sources, "with": with, "without": without, "floor": floor.cpu(), "functions": floor.kept,
            "variants": variants, "ratio": ratio, "standard_error": error }),
    )])
}
