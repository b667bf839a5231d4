//! A variant as a row of the bench.

use estrange_bench::{Json, Language, Variant, VariantEvidence, Waiting, evidence};
use estrange_evidence::leaks::{is_language, left};
use estrange_evidence::undefined::Checks;
use estrange_evidence::{Compiler, Explanation, Identical, IdenticalCode, Level, Proof, Refusal, Side};
use estrange_oracle::{Difference, Verdict};
use estrange_rewrite::{Left, Rewrite, Setting, Unfolding, expansion};
use estrange_text::facts::facts;
use estrange_text::similarity::surface_distance;
use estrange_words::{Reason, Stage, Tier, Undefinedness};
use serde::{Deserialize, Serialize};

use crate::error::BuildError;
use crate::record::word;
use crate::run::{self, Behaviour};
use crate::tools::Tools;
use crate::undefined::Undefined;
use crate::variants::{Candidate, Rewritten, View, Whole};

/// What became of a function's variants.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Made {
    pub(crate) variants: Vec<Variant>,
    pub(crate) waiting: Vec<Waiting>,
    merged: Vec<Merged>,
}

/// A variant's text with helpers.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Merged {
    setting: String,
    seed: u32,
    text: String,
    evidence: Json<VariantEvidence>,
    surviving_names: u32,
    surviving_comments: u32,
}

/// What was shown of a variant.
pub(super) struct Shown {
    pub(super) code: Result<IdenticalCode, Refusal>,
    /// What running showed, where it was run.
    pub(super) behaviour: Option<Behaviour>,
    /// What clang would check in both, where that was compared.
    pub(super) checks: Option<Checks>,
}

impl Made {
    /// Adds what became of the function in other settings.
    pub(super) fn add(&mut self, made: Self) {
        self.variants.extend(made.variants);
        self.waiting.extend(made.waiting);
    }

    /// Adds what became of the function with its helpers to the variants that there are without.
    pub(super) fn add_merged(&mut self, made: Self) {
        for merged in made.merged {
            let is_same = |variant: &&mut Variant| (&variant.setting, variant.seed) == (&merged.setting, merged.seed);
            let Some(variant) = self.variants.iter_mut().find(is_same) else { continue };
            variant.evidence.with_helpers = Some(Box::new(merged.evidence.0));
            variant.long_text = Some(merged.text);
            variant.surviving_names += merged.surviving_names;
            variant.surviving_comments += merged.surviving_comments;
        }
        let waiting = made.waiting.into_iter().map(|waiting| Waiting { stage: Stage::Long, ..waiting });
        self.waiting.extend(waiting);
    }
}

/// Records a variant: with its evidence, or as waiting for some.
pub(super) fn record(
    whole: &Whole<'_>,
    candidate: &Candidate,
    shown: Shown,
    tools: &Tools,
    made: &mut Made,
) -> Result<(), BuildError> {
    let function = whole.function;
    let waiting = |stage: Stage, reason: Reason, detail: String| Waiting {
        function_id: function.id.clone(),
        setting: candidate.setting.to_string(),
        seed: candidate.seed,
        stage,
        reason,
        detail,
    };
    let code = match shown.code {
        Ok(code) => code,
        Err(refusal) => {
            let reason = match (refusal.side, refusal.compiler) {
                (Side::Old, Compiler::Gcc) => Reason::UnitRefusedByGcc,
                (Side::Old, Compiler::Clang) => Reason::UnitRefusedByClang,
                (Side::New, Compiler::Gcc) => Reason::RefusedByGcc,
                (Side::New, Compiler::Clang) => Reason::RefusedByClang,
            };
            // What includes the place comes before what is wrong there.
            let mut lines = refusal.message.lines();
            let first = lines.clone().next().unwrap_or_default();
            let detail = lines.find(|line| line.contains("error: ")).unwrap_or(first);
            made.waiting.push(waiting(Stage::Compile, reason, detail.to_owned()));
            return Ok(());
        }
    };
    if let Some(Behaviour { verdict: Verdict::Differs(difference), .. }) = &shown.behaviour {
        let Difference { call, seen, old, new, old_end, new_end, .. } = difference;
        let detail = format!("{call}{seen}: `{old}` ({old_end}) became `{new}` ({new_end})");
        made.waiting.push(waiting(Stage::Evidence, Reason::Differs, detail));
        return Ok(());
    }
    if shown.behaviour.is_none()
        && let Some((compiler, level, verdict)) = code.first_difference()
    {
        let (reason, detail) = match verdict {
            Identical::NoCode => {
                (Reason::NothingToCompare, "no compiler writes code for it, so that nothing is shown".to_owned())
            }
            Identical::Different { old, new } => {
                (Reason::Different, format!("{}, {level:?}: `{old}` became `{new}`", compiler.name()))
            }
            _ => (Reason::Different, String::new()),
        };
        made.waiting.push(waiting(Stage::Evidence, reason, detail));
        return Ok(());
    }
    let rewritten = &candidate.rewritten;
    let headers = tools.headers_of(&whole.unit, function.language, &function.flags)?;
    let mut left = left(&whole.unit, &rewritten.unit, &|name| is_language(name) || headers.have(name));
    if !renames_all(&candidate.setting) {
        left.names.clear();
    }
    if !left.names.is_empty() {
        tracing::debug!(function = function.name, names = ?left.names, "names are left");
    }
    let surviving_names = whole_number(left.names.len());
    let surviving_comments = whole_number(left.comments);
    let proof = match &shown.behaviour {
        // What is the same code needs no proof.
        Some(_) if !code.holds() && function.language == Language::C => {
            let run::Rewrite { text, names, .. } = rewritten.to_run();
            tools.proof(&function.flags, (&whole.unit, text), &function.name, &names)?
        }
        _ => None,
    };
    let tier = tier(&code, proof.as_ref(), shown.behaviour.as_ref());
    let undefined = shown.checks.map(|checks| Undefined::new(checks, shown.behaviour.as_ref()));
    let undefinedness = undefined.as_ref().map_or(Undefinedness::NotShown, |undefined| undefined.shown);
    let evidence = Json(VariantEvidence {
        undefined: undefined.map(|undefined| undefined.evidence()),
        proved: proof.map(|Proof { by, rounds }| evidence::Proof { by, rounds }),
        ..evidence(&code, shown.behaviour.as_ref(), rewritten, tools)
    });
    let (setting, seed) = (candidate.setting.to_string(), candidate.seed);
    if let Some(text) = rewritten.merged.clone()
        && whole.view == View::WithHelpers
    {
        made.merged.push(Merged { setting, seed, text, evidence, surviving_names, surviving_comments });
        return Ok(());
    }
    let facts = facts(rewritten.text(), function.language);
    made.variants.push(Variant {
        function_id: function.id.clone(),
        setting,
        recipe: candidate.setting.recipe().to_string(),
        seed,
        text: rewritten.text().to_owned(),
        long_text: rewritten.merged.clone(),
        unit: rewritten.unit.clone(),
        unit_start: u32::try_from(rewritten.function.start).ok(),
        unit_end: u32::try_from(rewritten.function.end).ok(),
        rename_map: Json(rewritten.map.clone()),
        tier,
        undefinedness,
        evidence,
        loc: whole_number(facts.code_lines),
        cyclomatic_complexity: whole_number(facts.complexity),
        tokens: whole_number(facts.tokens),
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

/// Whether a setting is meant to leave no name as it was.
fn renames_all(setting: &Setting) -> bool {
    matches!(setting.recipe().naming(), Some(Rewrite::Neutralize | Rewrite::Randomize | Rewrite::Symbol))
}

/// The strongest that was shown.
fn tier(code: &IdenticalCode, proof: Option<&Proof>, behaviour: Option<&Behaviour>) -> Tier {
    match (code.holds(), proof) {
        (true, _) => Tier::IdenticalCode,
        (false, Some(_)) => Tier::Proved,
        (false, None) => behaviour.and_then(Behaviour::tier).unwrap_or(Tier::Untestable),
    }
}

/// What was shown by comparing code, and by running; not yet whether it is proved.
fn evidence(
    code: &IdenticalCode,
    behaviour: Option<&Behaviour>,
    rewritten: &Rewritten,
    tools: &Tools,
) -> VariantEvidence {
    let verdicts = code.verdicts().map(|(compiler, level, verdict)| {
        let level = match level {
            Level::O2 => "o2",
            _ => "o0",
        };
        let name = match compiler {
            Compiler::Gcc => "gcc",
            Compiler::Clang => "clang",
        };
        let verdict = match verdict {
            Identical::Explained(_) => evidence::IdenticalCode::Explained,
            Identical::Identical => evidence::IdenticalCode::Identical,
            Identical::NoCode => evidence::IdenticalCode::NoCode,
            Identical::Different { .. } => evidence::IdenticalCode::Different,
        };
        (format!("{name}_{level}"), verdict)
    });
    let explained = code.explanations().into_iter().map(|Explanation { what, old, new }| evidence::Explanation {
        new: new.clone(),
        old: old.clone(),
        what: word(what),
    });
    VariantEvidence {
        behaviour: behaviour.and_then(Behaviour::evidence),
        compilers: Some(tools.versions.clone()),
        explained: Some(explained.collect()),
        identical_code: Some(verdicts.collect()),
        instance: rewritten.instance.as_ref().map(|instance| instance.trim().to_owned()),
        kept: rewritten.kept.clone(),
        shapes: rewritten.shapes.iter().map(|shape| (*shape).to_owned()).collect(),
        unfolding: rewritten.unfolding.as_ref().map(unfolding),
        ..VariantEvidence::default()
    }
}

fn unfolding(unfolding: &Unfolding) -> evidence::Unfolding {
    let left = unfolding.left.iter().map(|Left { function, refusal }| evidence::CallLeft {
        detail: refusal.to_string(),
        function: function.clone(),
        reason: refusal.reason(),
    });
    evidence::Unfolding { calls: unfolding.calls, left: left.collect() }
}
