//! A variant as a row of the bench.

use estrange_bench::{Variant, Waiting};
use estrange_evidence::{Compiler, Identical, IdenticalCode, Level, Refusal, Side};
use estrange_rewrite::expansion;
use estrange_text::similarity::surface_distance;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::error::BuildError;
use crate::leaks::{is_language, left};
use crate::tools::Tools;
use crate::variants::{Candidate, Rewritten, Whole, unit_language};

/// What became of a function's variants.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Made {
    pub(super) variants: Vec<Variant>,
    pub(super) waiting: Vec<Waiting>,
    merged: Vec<Merged>,
}

/// A variant's text with helpers.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Merged {
    setting: String,
    seed: u32,
    text: String,
    evidence: String,
    surviving_names: u32,
    surviving_comments: u32,
}

impl Made {
    /// Adds what became of the function with its helpers to the variants that there are without.
    pub(super) fn add_merged(&mut self, made: Self) {
        for merged in made.merged {
            let is_same = |variant: &&mut Variant| (&variant.setting, variant.seed) == (&merged.setting, merged.seed);
            let Some(variant) = self.variants.iter_mut().find(is_same) else { continue };
            let mut evidence: Value = serde_json::from_str(&variant.evidence).unwrap_or_default();
            evidence["with_helpers"] = serde_json::from_str(&merged.evidence).unwrap_or_default();
            variant.evidence = evidence.to_string();
            variant.long_text = Some(merged.text);
            variant.surviving_names += merged.surviving_names;
            variant.surviving_comments += merged.surviving_comments;
        }
        let waiting = made.waiting.into_iter().map(|waiting| Waiting { stage: "long".to_owned(), ..waiting });
        self.waiting.extend(waiting);
    }
}

/// Records a variant: with its evidence, or as waiting for some.
pub(super) fn record(
    whole: &Whole<'_>,
    candidate: &Candidate,
    verdict: Result<IdenticalCode, Refusal>,
    tools: &Tools,
    made: &mut Made,
) -> Result<(), BuildError> {
    let function = whole.function;
    let waiting = |stage: &str, reason: String, detail: String| Waiting {
        function_id: function.id.clone(),
        setting: candidate.setting.to_string(),
        seed: candidate.seed,
        stage: stage.to_owned(),
        reason,
        detail,
    };
    let code = match verdict {
        Ok(code) => code,
        Err(refusal) => {
            let what = if refusal.side == Side::Old { "unit-refused-by" } else { "refused-by" };
            let reason = format!("{what}-{}", refusal.compiler.name());
            // What includes the place comes before what is wrong there.
            let mut lines = refusal.message.lines();
            let first = lines.clone().next().unwrap_or_default();
            let detail = lines.find(|line| line.contains("error: ")).unwrap_or(first);
            made.waiting.push(waiting("compile", reason, detail.to_owned()));
            return Ok(());
        }
    };
    if let Some((compiler, level, verdict)) = code.first_difference() {
        let (reason, detail) = match verdict {
            Identical::NoCode => {
                ("nothing-to-compare", "no compiler writes code for it, so that nothing is shown".to_owned())
            }
            Identical::Different { old, new } => {
                ("different", format!("{}, {level:?}: `{old}` became `{new}`", compiler.name()))
            }
            _ => ("different", String::new()),
        };
        made.waiting.push(waiting("evidence", reason.to_owned(), detail));
        return Ok(());
    }
    let rewritten = &candidate.rewritten;
    let headers = tools.headers.of(&whole.unit, unit_language(function.language), &function.flags, &tools.scratch)?;
    let left = left(&whole.unit, &rewritten.unit, &|name| is_language(name) || headers.all.contains(name));
    if !left.names.is_empty() {
        tracing::debug!(function = function.name, names = ?left.names, "names are left");
    }
    let surviving_names = whole_number(left.names.len());
    let surviving_comments = whole_number(left.comments);
    let evidence = evidence(&code, rewritten, tools).to_string();
    let (setting, seed) = (candidate.setting.to_string(), candidate.seed);
    if let Some(text) = rewritten.merged.clone() {
        made.merged.push(Merged { setting, seed, text, evidence, surviving_names, surviving_comments });
        return Ok(());
    }
    made.variants.push(Variant {
        function_id: function.id.clone(),
        setting,
        recipe: candidate.setting.recipe().to_string(),
        seed,
        text: rewritten.text().to_owned(),
        long_text: None,
        unit: rewritten.unit.clone(),
        rename_map: rewritten.map.clone(),
        evidence,
        surface_distance: surface_distance(&function.text, rewritten.text()),
        expansion: expansion(&function.text, rewritten.text()),
        perturbation_fraction: rewritten.perturbation_fraction,
        surviving_names,
        surviving_comments,
    });
    Ok(())
}

fn whole_number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The evidence as JSON.
fn evidence(code: &IdenticalCode, rewritten: &Rewritten, tools: &Tools) -> Value {
    let mut verdicts = Map::new();
    for (compiler, level, verdict) in code.verdicts() {
        let level = match level {
            Level::O2 => "o2",
            _ => "o0",
        };
        let name = match compiler {
            Compiler::Gcc => "gcc",
            Compiler::Clang => "clang",
        };
        let word = if matches!(verdict, Identical::Explained(_)) { "explained" } else { "identical" };
        verdicts.insert(format!("{name}_{level}"), json!(word));
    }
    let mut evidence =
        json!({ "identical_code": verdicts, "explained": code.explanations(), "compilers": tools.versions });
    if let Some(instance) = &rewritten.instance {
        evidence["instance"] = json!(instance.trim());
    }
    if !rewritten.kept.is_empty() {
        evidence["kept"] = json!(rewritten.kept);
    }
    evidence
}
