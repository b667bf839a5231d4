//! What the documents of all tasks on pairs have in common: settings in their order, what was run, who was asked.

use estrange_bench::{Bench, Run, RunFacts};
use estrange_report::document::{Estimate, Fact};
use estrange_stats::bootstrap;
use serde_json::Value;

/// Settings, each once: the ladder from its foot, then others as they come.
pub(crate) fn ordered_settings<'s>(all: impl Iterator<Item = &'s str>) -> Vec<String> {
    let mut settings: Vec<String> = Vec::new();
    for setting in all {
        if !settings.iter().any(|known| known == setting) {
            settings.push(setting.to_owned());
        }
    }
    settings.sort_by_key(|setting| (level_of(setting).is_none(), level_of(setting)));
    settings
}

/// Which level of the ladder a setting is.
fn level_of(setting: &str) -> Option<u32> {
    setting.strip_prefix('L')?.parse().ok()
}

/// What was run, and on what.
pub(crate) fn made(bench: &Bench, runs: &[Run]) -> Vec<Fact> {
    let manifest = bench.manifest();
    let sources: Vec<&str> = manifest.sources.iter().map(|source| source.pinned.as_str()).collect();
    let mut facts = vec![Fact::new("sources", sources.join(", ")), Fact::new("Estrange", manifest.estrange.clone())];
    if let Some(run) = runs.first() {
        facts.push(Fact::new("bench", run.facts().bench_hash.clone()));
    }
    facts
}

/// What a model is called. Of a file, where it lies says nothing.
pub(crate) fn model_name(facts: &RunFacts) -> &str {
    match facts.model.split_once(':') {
        Some(("local" | "precomputed", path)) => path.rsplit('/').next().unwrap_or(path),
        _ => &facts.model,
    }
}

/// What a run's card says of its model.
pub(crate) fn card_facts(facts: &RunFacts) -> Vec<Fact> {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let card = facts.card.as_object().into_iter().flatten();
    card.map(|(name, value)| Fact::new(name.as_str(), plain(value))).collect()
}

/// A number with its interval, as reports have it.
pub(crate) fn shown(estimate: bootstrap::Estimate) -> Estimate {
    Estimate { value: estimate.value, low: estimate.interval.low, high: estimate.interval.high }
}
