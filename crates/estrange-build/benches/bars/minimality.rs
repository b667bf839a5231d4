//! Whether units are minimal: each top-level declaration of a sampled unit is taken away, and the rest compiled.
//!
//! The parser that built the units is asked first, in its own process, which is quick; what it accepts is given to
//! both compilers. That the parser refuses what clang refuses is checked on some of its refusals.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_bench::{Bench, Function};
use estrange_sandbox::Workshop;
use estrange_unit::{Flat, Parser};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::compilers::{Compiler, accepts};
use crate::removal::{Removable, removables, without};
use crate::report::Row;
use crate::sample::Chance;

/// How many of the parser's refusals are put to clang.
const CHECKED: usize = 200;

/// What was found of one unit.
#[derive(Debug)]
struct Verdict {
    removed: usize,
    superfluous: Vec<Removable>,
    refusals: Vec<String>,
    trouble: Option<String>,
}

/// Measures minimality on so many units of a bench.
pub fn minimality(bench: &Path, count: usize, seed: u64, jobs: usize) -> Result<Vec<Row>, Box<dyn Error>> {
    let bench = Bench::open(bench)?;
    let functions: Vec<Function> = bench.functions()?.collect::<Result<_, _>>()?;
    let sampled = Chance::new(seed).sample(functions, count);
    let folder = tempfile::tempdir()?;
    let parser = Parser::new(jobs, &Workshop::temporary()?)?;
    let names = AtomicUsize::new(0);
    let judge = |function: &Function| {
        let name = names.fetch_add(1, Ordering::Relaxed);
        judge(function, &parser, &folder.path().join(name.to_string())).map_err(|error| error.to_string())
    };
    let verdicts: Vec<Verdict> = sampled.par_iter().map(judge).collect::<Result<_, String>>()?;

    let refusals: Vec<(&Function, &String)> = sampled
        .iter()
        .zip(&verdicts)
        .flat_map(|(function, verdict)| verdict.refusals.iter().map(move |text| (function, text)))
        .collect();
    let checked = Chance::new(seed).sample(refusals, CHECKED);
    let accepted: Vec<bool> = checked
        .par_iter()
        .map(|(function, text)| {
            let name = names.fetch_add(1, Ordering::Relaxed);
            let file = folder.path().join(name.to_string());
            accepts(Compiler::Clang, function.language, &function.flags, text, &file)
        })
        .collect::<Result<_, _>>()?;
    let wrong = accepted.iter().filter(|&&accepted| accepted).count();

    let minimal = verdicts.iter().filter(|each| each.superfluous.is_empty() && each.trouble.is_none()).count();
    let share = minimal as f64 / verdicts.len().max(1) as f64;
    let removed: usize = verdicts.iter().map(|each| each.removed).sum();
    let superfluous: usize = verdicts.iter().map(|each| each.superfluous.len()).sum();
    let findings: Vec<Value> =
        sampled.iter().zip(&verdicts).filter_map(|(function, each)| finding(function, each)).collect();
    Ok(vec![Row::new(
        "minimality",
        "units from which no top-level declaration can be taken away: at least 95% of 200",
        format!(
            "{:.1}% ({minimal} of {}); {superfluous} of {removed} declarations can go",
            share * 100.0,
            verdicts.len()
        ),
        share >= 0.95,
        format!(
            "seed {seed}; each declaration taken away, then libclang, `gcc -c` and `clang-19 -c`; of {} refusals of \
             libclang put to `clang-19 -c`, {wrong} were accepted",
            checked.len()
        ),
        json!({ "units": verdicts.len(), "minimal": minimal, "removed": removed, "superfluous": superfluous,
            "refusals_checked": checked.len(), "refusals_wrong": wrong, "findings": findings }),
    )])
}

/// Takes away each declaration of a unit in turn.
fn judge(function: &Function, parser: &Parser, file: &Path) -> Result<Verdict, Box<dyn Error>> {
    let text = function.unit.as_str();
    let arguments: Vec<String> =
        [function.language.flag(), "-w"].map(str::to_owned).into_iter().chain(function.flags.iter().cloned()).collect();
    let reading = parser.read(&Flat { text: text.to_owned(), ..Flat::default() }, &arguments)?;
    let mut verdict = Verdict { removed: 0, superfluous: Vec::new(), refusals: Vec::new(), trouble: None };
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        if !accepts(compiler, function.language, &function.flags, text, file)? {
            verdict.trouble =
                Some(format!("the unit itself does not compile with {}", compiler.name(function.language)));
            return Ok(verdict);
        }
    }
    let own = own_range(function, text);
    for removable in removables(text, &reading) {
        if own.as_ref().is_some_and(|own| own.start < removable.range.end && removable.range.start < own.end) {
            continue;
        }
        verdict.removed += 1;
        let rest = without(text, &removable.range);
        if !parser.check(&rest, &arguments)?.is_empty() {
            verdict.refusals.push(rest);
            continue;
        }
        let mut accepted = true;
        for compiler in [Compiler::Gcc, Compiler::Clang] {
            accepted = accepted && accepts(compiler, function.language, &function.flags, &rest, file)?;
        }
        if accepted {
            verdict.superfluous.push(removable);
        }
    }
    if own.is_none() {
        verdict.trouble = Some("the function's text is not in its unit".to_owned());
    }
    Ok(verdict)
}

/// Where the function itself stands: it is the last thing with its text.
fn own_range(function: &Function, text: &str) -> Option<std::ops::Range<usize>> {
    let start = text.rfind(function.text.as_str())?;
    Some(start..start + function.text.len())
}

fn finding(function: &Function, verdict: &Verdict) -> Option<Value> {
    if verdict.superfluous.is_empty() && verdict.trouble.is_none() {
        return None;
    }
    let superfluous: Vec<Value> = verdict
        .superfluous
        .iter()
        .map(|each| {
            let text = &function.unit[each.range.clone()];
            let kind = if each.only_declares { format!("{} declared", each.kind) } else { each.kind.clone() };
            json!({ "kind": kind, "name": each.name, "text": text.chars().take(300).collect::<String>() })
        })
        .collect();
    Some(json!({ "id": function.id, "source": function.source, "name": function.qualified_name,
        "unit_lines": function.unit_lines, "superfluous": superfluous, "trouble": verdict.trouble }))
}
