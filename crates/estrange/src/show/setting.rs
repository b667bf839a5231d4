//! What a bench has of a function in a setting.

use std::collections::BTreeSet;

use estrange_bench::{Bench, BenchError, Function, Lowered, Variant, Waiting};
use estrange_words::Word;

use crate::voice::Failure;

/// A function in a setting.
pub enum InSetting {
    /// With other names.
    Variant(Box<Variant>),
    /// Compiled, and printed as text.
    Lowered(Box<Lowered>),
}

/// The function in a setting: of several variants that of the lowest seed, unless one is named.
pub fn find(bench: &Bench, function: &Function, setting: &str, seed: Option<u32>) -> Result<InSetting, Failure> {
    let unusable = |error: BenchError| crate::bench::unusable(&error);
    if !bench.has_variants() && !bench.has_lowered() {
        return Err(Failure::new("the bench has no settings but the standard one").hint("build it with --settings"));
    }
    let mut seeds: BTreeSet<u32> = BTreeSet::new();
    let mut is_it = |id: &str, its_setting: &str, its_seed: u32| {
        let is_there = id == function.id && its_setting == setting;
        seeds.extend(is_there.then_some(its_seed));
        is_there && seed.is_none_or(|seed| seed == its_seed)
    };
    if bench.has_variants() {
        for variant in bench.variants().map_err(unusable)? {
            let variant = variant.map_err(unusable)?;
            if is_it(&variant.function_id, &variant.setting, variant.seed) {
                return Ok(InSetting::Variant(Box::new(variant)));
            }
        }
    }
    if bench.has_lowered() {
        for lowered in bench.lowered().map_err(unusable)? {
            let lowered = lowered.map_err(unusable)?;
            if is_it(&lowered.function_id, &lowered.setting, 0) {
                return Ok(InSetting::Lowered(Box::new(lowered)));
            }
        }
    }
    for waiting in bench.waiting().map_err(unusable)? {
        let waiting = waiting.map_err(unusable)?;
        if is_it(&waiting.function_id, &waiting.setting, waiting.seed) {
            return Err(why_not(function, &waiting));
        }
    }
    if let (Some(seed), false) = (seed, seeds.is_empty()) {
        let seeds: Vec<String> = seeds.iter().map(u32::to_string).collect();
        return Err(Failure::new(format!("{} is not in `{setting}` with the seed {seed}", function.qualified_name))
            .hint(format!("--seed takes {} here", seeds.join(", "))));
    }
    Err(Failure::new(format!("{} is not in the setting `{setting}`", function.qualified_name))
        .hint("`estrange stats BENCH --table variants --table lowered` says which settings the bench has"))
}

fn why_not(function: &Function, waiting: &Waiting) -> Failure {
    let Waiting { setting, reason, detail, .. } = waiting;
    let failure = Failure::new(format!("{} has no {setting} text: {}", function.qualified_name, reason.phrase()));
    if detail.is_empty() { failure } else { failure.hint(detail.clone()) }
}
