//! What of all that was kept stays: one of several that are nearly the same, and no source beyond its share.

use estrange_bench::{Function, Rejected};
use estrange_text::balance::{Item, surplus};
use estrange_text::duplicates::{Options as DuplicateOptions, Verdict, duplicates};

use crate::error::BuildError;
use crate::options::Options;

/// Splits functions into those that stay and those that go, with the reasons.
pub(crate) fn select(
    functions: Vec<Function>,
    options: &Options,
) -> Result<(Vec<Function>, Vec<Rejected>), BuildError> {
    let texts: Vec<&str> = functions.iter().map(|function| function.text.as_str()).collect();
    let how = DuplicateOptions { threshold: options.duplicate_threshold, ..DuplicateOptions::default() };
    let verdicts = duplicates(&texts, how);
    let ids: Vec<String> = functions.iter().map(|function| function.id.clone()).collect();
    let mut stay: Vec<(usize, Function)> = Vec::new();
    let mut go = Vec::new();
    let mut of: Vec<Vec<String>> = vec![Vec::new(); functions.len()];
    for (index, (function, verdict)) in functions.into_iter().zip(verdicts).enumerate() {
        match verdict {
            Verdict::Kept => stay.push((index, function)),
            Verdict::Duplicate { of: first, similarity, exact } => {
                of[first].push(function.id.clone());
                let reason = if exact { "exact-duplicate" } else { "near-duplicate" };
                let detail = format!("of {}, similarity {similarity:.3}", ids[first]);
                go.push(rejected(function, "duplicate", reason, detail));
            }
        }
    }
    for (index, function) in &mut stay {
        function.duplicates = std::mem::take(&mut of[*index]);
    }
    let mut stay: Vec<Function> = stay.into_iter().map(|(_, function)| function).collect();

    if let Some(bound) = options.max_per_source {
        let items: Vec<Item<'_>> =
            stay.iter().map(|function| Item { source: &function.source, id: &function.id }).collect();
        let drop = surplus(&items, bound, options.seed)?;
        let mut kept = Vec::new();
        for (index, function) in stay.into_iter().enumerate() {
            if drop.binary_search(&index).is_err() {
                kept.push(function);
            } else {
                let detail = "its source would have more than its share".to_owned();
                go.push(rejected(function, "balance", "over-share", detail));
            }
        }
        stay = kept;
    }
    Ok((stay, go))
}

fn rejected(function: Function, stage: &str, reason: &str, detail: String) -> Rejected {
    Rejected {
        id: Some(function.id),
        source: function.source,
        version: Some(function.version),
        path: Some(function.path),
        line_start: Some(function.line_start),
        line_end: Some(function.line_end),
        name: Some(function.name),
        kind: Some(function.kind),
        language: Some(function.language),
        role: Some(function.role),
        stage: stage.to_owned(),
        reason: reason.to_owned(),
        detail,
        text: Some(function.text),
    }
}
