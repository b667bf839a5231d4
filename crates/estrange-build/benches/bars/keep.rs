//! How much of what was found is kept, linkable, the same machine code, and small.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use estrange_bench::funnel::{Class, Distribution, Funnel, Summary};
use estrange_bench::{Bench, FunctionFacts, Language, RejectedFacts};
use serde_json::json;

use crate::report::Row;

/// The sources that the bars are about.
pub const SOURCES: [&str; 8] = [
    "deb:utf8proc",
    "deb:libonig",
    "deb:double-conversion",
    "deb:yaml-cpp",
    "deb:libsamplerate",
    "deb:zlib",
    "deb:expat",
    SQLITE,
];
/// One file in which nearly everything reaches everything.
pub const SQLITE: &str = "crate:libsqlite3-sys";

/// Reads the numbers of a bench of [`SOURCES`].
pub fn keep(bench: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let bench = Bench::open(bench)?;
    let functions: Vec<FunctionFacts> = bench.function_facts()?.collect::<Result<_, _>>()?;
    let rejected: Vec<RejectedFacts> = bench.rejected_facts()?.collect::<Result<_, _>>()?;
    let sources: Vec<&str> = bench.manifest().sources.iter().map(|source| source.spec.as_str()).collect();
    let functions: Vec<&FunctionFacts> = functions.iter().filter(|each| each.role == "library").collect();
    let lost_files = rejected.iter().filter(|each| !each.is_function()).count();
    let rejected: Vec<&RejectedFacts> =
        rejected.iter().filter(|each| each.role.as_deref() == Some("library")).collect();

    let funnel = Funnel::count(functions.iter().copied(), rejected.iter().copied());
    let mut rows = Vec::new();
    for (class, words, bar) in [
        (Class::C, "C functions kept", 0.97),
        (Class::CppFree, "C++ free functions kept", 0.85),
        (Class::CppMethod, "C++ methods kept", 0.75),
    ] {
        let counts = funnel.by_class.get(&class).cloned().unwrap_or_default();
        let share = counts.usable_share();
        rows.push(Row::new(
            "keep",
            format!("{words}: at least {:.0}%", bar * 100.0),
            percent(share, counts.usable(), counts.found),
            share.map(|share| share >= bar),
            "of the functions found in library files, before duplicates are dropped",
            serde_json::to_value(&counts)?,
        ));
    }

    let without_sqlite = |each: &&&FunctionFacts| each.source != SQLITE;
    for (language, words, bar) in
        [(Language::C, "C linkable, SQLite apart", 0.75), (Language::Cpp, "C++ linkable", 0.50)]
    {
        let of_language = functions.iter().filter(|each| each.language == language).filter(without_sqlite);
        let kept: Vec<&FunctionFacts> = of_language.copied().collect();
        let of_language = rejected.iter().filter(|each| each.language == Some(language) && each.source != SQLITE);
        let counts = Funnel::count(kept.iter().copied(), of_language.copied()).total;
        let summary = Summary::of(kept.iter().copied());
        // A duplicate that was dropped is taken to be as linkable as what was kept.
        let of_found = summary.linkable_share.zip(counts.usable_share()).map(|(linkable, usable)| linkable * usable);
        rows.push(Row::new(
            "keep",
            format!("{words}: at least {:.0}%", bar * 100.0),
            format!(
                "{} of found; {} of kept",
                of_found.map_or("nothing".to_owned(), |share| format!("{:.1}%", share * 100.0)),
                percent(summary.linkable_share, summary.linkable, summary.functions)
            ),
            of_found.map(|share| share >= bar),
            "library files; the share of the kept times the share that was kept",
            json!({ "linkable": summary.linkable, "kept": summary.functions, "of_found": of_found, "why_not": summary.unlinkable }),
        ));
    }

    rows.push(same_code(&functions));
    if let Some(lines) = Distribution::of(functions.iter().map(|each| each.unit_lines).collect()) {
        rows.push(Row::new(
            "keep",
            "lines of a unit: median at most 100, nine of ten at most 800",
            format!("median {}, nine of ten at most {}, longest {}", lines.median, lines.p90, lines.max),
            lines.median <= 100 && lines.p90 <= 800,
            "units of the kept functions in library files, both languages",
            serde_json::to_value(lines)?,
        ));
    }
    rows.push(reasons(&rejected, lost_files));
    if sources != SOURCES {
        for row in &mut rows {
            row.how = format!("{} (of {})", row.how, sources.join(" "));
        }
    }
    Ok(rows)
}

/// The share of the kept C functions whose code is that of their project.
fn same_code(functions: &[&FunctionFacts]) -> Row {
    let mut verdicts: BTreeMap<String, u64> = BTreeMap::new();
    let (mut all, mut same) = (0, 0);
    for function in functions.iter().filter(|each| each.language == Language::C) {
        let found: Vec<&str> = function.evidence.verdicts().map(|(_, verdict)| verdict.as_str()).collect();
        all += 1;
        same += u64::from(function.evidence.has_same_code());
        *verdicts.entry(found.join(" and ")).or_default() += 1;
    }
    let share = (all > 0).then(|| same as f64 / all as f64);
    Row::new(
        "keep",
        "kept C functions with the machine code they have in their project: at least 97%",
        percent(share, same, all),
        share.map(|share| share >= 0.97),
        "gcc, the same or with the difference explained, at -O0 and at -O2 both; library files",
        json!({ "same": same, "kept": all, "o0_and_o2": verdicts }),
    )
}

/// Why functions were lost.
fn reasons(rejected: &[&RejectedFacts], lost_files: usize) -> Row {
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for each in rejected.iter().filter(|each| each.is_function() && !each.stage.is_of_choice()) {
        let language = each.language.map_or("unknown", Language::as_str);
        *reasons.entry(format!("{language} {}", each.reason)).or_default() += 1;
    }
    let all: u64 = reasons.values().sum();
    let mut sorted: Vec<(&String, &u64)> = reasons.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let biggest: Vec<String> = sorted.iter().take(5).map(|(reason, count)| format!("{reason} {count}")).collect();
    Row::new(
        "keep",
        "every loss has a reason",
        format!("{all} functions lost: {}; {lost_files} whole files or sources", biggest.join(", ")),
        None,
        "the five biggest reasons, library files",
        json!({ "reasons": reasons, "lost_files": lost_files }),
    )
}

fn percent(share: Option<f64>, part: u64, whole: u64) -> String {
    share.map_or("nothing found".to_owned(), |share| format!("{:.1}% ({part} of {whole})", share * 100.0))
}
