//! A variant as a row of the bench.

use estrange_bench::{Function, Variant, Waiting};
use estrange_evidence::{Compiler, Identical, IdenticalCode, Level, Refusal, Side};
use estrange_rewrite::expansion;
use estrange_text::similarity::surface_distance;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::error::BuildError;
use crate::leaks::{is_language, left};
use crate::tools::Tools;
use crate::variants::{Candidate, Rewritten, unit_language};

/// What became of a function's variants.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Made {
    pub(super) variants: Vec<Variant>,
    pub(super) waiting: Vec<Waiting>,
}

/// Records a variant: with its evidence, or as waiting for some.
pub(super) fn record(
    function: &Function,
    candidate: &Candidate,
    verdict: Result<IdenticalCode, Refusal>,
    tools: &Tools,
    made: &mut Made,
) -> Result<(), BuildError> {
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
    let headers =
        tools.headers.of(&function.unit, unit_language(function.language), &function.flags, &tools.scratch)?;
    let left = left(&function.unit, &rewritten.unit, &|name| is_language(name) || headers.all.contains(name));
    let whole = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    made.variants.push(Variant {
        function_id: function.id.clone(),
        setting: candidate.setting.to_string(),
        recipe: candidate.setting.recipe().to_string(),
        seed: candidate.seed,
        text: rewritten.text().to_owned(),
        unit: rewritten.unit.clone(),
        rename_map: rewritten.map.clone(),
        evidence: evidence(&code, rewritten, tools).to_string(),
        surface_distance: surface_distance(&function.text, rewritten.text()),
        expansion: expansion(&function.text, rewritten.text()),
        perturbation_fraction: rewritten.perturbation_fraction,
        surviving_names: whole(left.names.len()),
        surviving_comments: whole(left.comments),
    });
    Ok(())
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
