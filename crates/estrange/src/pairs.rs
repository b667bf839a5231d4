//! `estrange pairs`: makes pairs of functions with a bug and without it.

use std::collections::BTreeMap;
use std::fs;

use estrange_bench::{BugPair, Label, Unpaired};
use estrange_build::{Options as BuildOptions, split_list};
use estrange_pair::{Options, Report, RungCount, Shams, Tally};
use estrange_source::{Sign, Spec, Wanted};
use estrange_words::Word;
use serde_json::json;

use crate::arguments::{self, Shared};
use crate::build::{check_trials, lost_sources, specs, watched};
use crate::interrupt::Interrupt;
use crate::lists::no_setting;
use crate::phrasing::{counted, quoted};
use crate::prepare::{cache, sandbox};
use crate::table::{Align, Table};
use crate::voice::Failure;
use crate::{Ending, output};

/// The shape of what `--json` prints.
const FORMAT: u32 = 1;

/// Runs the command.
pub fn run(arguments: &arguments::Pairs, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let sources = specs(&arguments.sources)?;
    let asked = sources.len();
    let options = options(arguments, shared)?;
    let (cache, sandbox) = (cache(shared)?, sandbox(shared)?);
    let names = sources.iter().map(Spec::to_string).collect();
    let report = watched("sources", names, shared, interrupt, move |progress| {
        estrange_pair::make(&sources, &options, &cache, &sandbox, progress)
    })?;
    show(&report, arguments)?;
    lost_sources(asked, asked - report.lost_sources)
}

fn options(arguments: &arguments::Pairs, shared: &Shared) -> Result<Options, Failure> {
    let mut build = BuildOptions::new(arguments.out.clone());
    build.seed = arguments.seed;
    build.max_unit_lines = arguments.max_unit_lines;
    build.jobs = shared.jobs();
    build.trials = arguments.trials.clone().unwrap_or_default();
    for word in
        arguments.settings.iter().flat_map(|list| split_list(list)).filter(|word| !["L0", "standard"].contains(word))
    {
        build.settings.insert(word.parse().map_err(|error| no_setting(word, &error))?);
    }
    check_trials(&build)?;
    Ok(Options {
        build,
        wanted: wanted(arguments)?,
        seek: !arguments.no_seek,
        controls: arguments.controls,
        shams: arguments.shams,
    })
}

fn wanted(arguments: &arguments::Pairs) -> Result<Wanted, Failure> {
    let mut names = arguments.fix.clone();
    if let Some(file) = &arguments.fixes {
        let text = fs::read_to_string(file)
            .map_err(|error| Failure::new(format!("{} cannot be read", file.display())).because(&error).usage())?;
        names.extend(Wanted::names_in(&text));
    }
    let range = |text: &String| {
        Wanted::range(text).ok_or_else(|| {
            Failure::new(format!("`{text}` is no range")).hint("two commits, tags or branches: v1.0..v1.1").usage()
        })
    };
    let sign = |word: &String| word.parse::<Sign>().map_err(|error| Failure::new(error.to_string()).usage());
    Ok(Wanted {
        names,
        ranges: arguments.range.iter().map(range).collect::<Result<_, _>>()?,
        signs: arguments.sign.iter().map(sign).collect::<Result<_, _>>()?,
    })
}

fn show(report: &Report, arguments: &arguments::Pairs) -> Result<(), Failure> {
    match arguments.json {
        true => output::print_json(FORMAT, &document(report)),
        false => output::print(&text(report, arguments)),
    }
}

fn document(report: &Report) -> serde_json::Map<String, serde_json::Value> {
    let rungs: BTreeMap<&str, usize> = report.rungs.iter().map(|rung| (rung.setting.as_str(), rung.there)).collect();
    let document = json!({
        "pairs": report.pairs.len(),
        "crash_confirmed": report.confirmed(),
        "rungs": rungs,
        "controls": report.controls.iter().map(tally).collect::<BTreeMap<_, _>>(),
        "shams": report.shams.iter().map(sham).collect::<BTreeMap<_, _>>(),
        "reasoned": by_reason(report.pairs.iter().filter_map(|pair| pair.reason)),
        "unpaired": by_reason(report.unpaired.iter().map(|lost| lost.reason)),
    });
    match document {
        serde_json::Value::Object(document) => document,
        _ => serde_json::Map::new(),
    }
}

fn tally((name, tally): (&String, &Tally)) -> (String, serde_json::Value) {
    let Tally { tried, gone, refused, lied } = tally;
    (name.clone(), json!({ "pairs": tried, "gone": gone, "refused": refused, "wrongly_passed": lied }))
}

fn sham((held_against, shams): (&String, &Shams)) -> (String, serde_json::Value) {
    (held_against.clone(), json!({ "tried": shams.tried, "confirmed": shams.confirmed }))
}

fn by_reason(reasons: impl Iterator<Item = estrange_words::Reason>) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for reason in reasons {
        *counts.entry(reason.as_str()).or_default() += 1;
    }
    counts
}

fn text(report: &Report, arguments: &arguments::Pairs) -> String {
    let confirmed = report.confirmed();
    let mut text =
        format!("{}, {confirmed} crash-confirmed: {}\n", counted(report.pairs.len(), "pair"), quoted(&arguments.out));
    if confirmed > 0 {
        text.push_str("\nrungs of confirmed pairs on which the bug is where it was\n");
        text.push_str(&rungs(report));
    }
    if !report.controls.is_empty() {
        text.push_str("\nnegative controls: rewrites that may take a bug away, and what the gate said\n");
        text.push_str(&controls(report));
    }
    if !report.shams.is_empty() {
        text.push_str("\nshams: patched functions that were held against themselves and their own rewrites\n");
        text.push_str(&shams(report));
    }
    let reasoned: Vec<&BugPair> = report.pairs.iter().filter(|pair| pair.label == Label::Reasoned).collect();
    if !reasoned.is_empty() {
        text.push_str("\nwhy pairs are not confirmed\n");
        text.push_str(&reasons(by_reason(reasoned.iter().filter_map(|pair| pair.reason))));
    }
    let of = |is_rung: bool| report.unpaired.iter().filter(move |lost: &&Unpaired| lost.setting.is_some() == is_rung);
    for (is_rung, title) in [(true, "why rungs are not there"), (false, "why fixes give no pair")] {
        if of(is_rung).next().is_some() {
            text.push_str(&format!("\n{title}\n"));
            text.push_str(&reasons(by_reason(of(is_rung).map(|lost| lost.reason))));
        }
    }
    text
}

fn rungs(report: &Report) -> String {
    let mut table = Table::new([Align::Left, Align::Right, Align::Right]);
    for RungCount { setting, there, of } in &report.rungs {
        let share = (*there as f64 / *of as f64 * 1000.0).floor() / 10.0;
        table.row([setting.clone().into(), there.to_string().into(), format!("{share:.1}%").into()]);
    }
    table.render("  ")
}

fn controls(report: &Report) -> String {
    let mut table = Table::new([Align::Left, Align::Right, Align::Right, Align::Right, Align::Right]);
    table.row(["", "pairs", "bug gone", "refused", "wrongly passed"].map(Into::into));
    for (name, tally) in &report.controls {
        let counts = [tally.tried, tally.gone, tally.refused, tally.lied].map(|count| count.to_string().into());
        table.row([name.clone().into()].into_iter().chain(counts));
    }
    table.render("  ")
}

fn shams(report: &Report) -> String {
    let mut table = Table::new([Align::Left, Align::Right, Align::Right]);
    table.row(["", "tried", "wrongly confirmed"].map(Into::into));
    for (held_against, shams) in &report.shams {
        let counts = [shams.tried, shams.confirmed].map(|count| count.to_string().into());
        table.row([held_against.clone().into()].into_iter().chain(counts));
    }
    table.render("  ")
}

fn reasons(counts: BTreeMap<&'static str, usize>) -> String {
    let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
    let mut rows: Vec<(&str, usize)> = counts.into_iter().collect();
    rows.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    for (word, count) in rows {
        let meaning = word.parse::<estrange_words::Reason>().map(|reason| reason.phrase().to_owned());
        table.row([word.into(), count.to_string().into(), meaning.unwrap_or_default().into()]);
    }
    table.render("  ")
}
