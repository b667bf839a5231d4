//! The pairs of a bench in formats of their own: a data set, a log of faults, folders that build.

use std::collections::BTreeMap;

use estrange_bench::Bench;
use estrange_bench::exchange::pair_set::{ExportedPair, Wanted, by_setting, exported_pairs};
use estrange_bench::exchange::reproducers::{LeftOut, write_reproducers};
use estrange_bench::exchange::{ExchangeError, card::Card, datasets, faults, into_new_folder};
use estrange_model::Watch;
use serde::Serialize;

use super::located;
use super::runners::Runners;
use crate::arguments::{self, ExportFormat, Shared};
use crate::interrupt::Interrupt;
use crate::lists::words;
use crate::phrasing::counted;
use crate::voice::{self, Failure};
use crate::watching::Watching;
use crate::{bench, output};

/// What folders are made of where nothing else is asked for: the code as it was written.
const WRITTEN: &str = "L0";

/// What was written of pairs.
#[derive(Debug, Serialize)]
pub struct WrittenPairs {
    /// The pairs of which something was written, and those of them that are confirmed.
    pairs: usize,
    crash_confirmed: usize,
    /// The rungs that were written, by setting.
    rungs: BTreeMap<String, usize>,
    /// The rungs that were not, with the reason.
    left_out: Vec<Missing>,
    #[serde(skip)]
    lines: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Missing {
    pair: String,
    setting: String,
    seed: u32,
    reason: String,
}

impl WrittenPairs {
    fn of(pairs: &[ExportedPair], left_out: Vec<LeftOut>) -> Self {
        let written = || pairs.iter().filter(|pair| !pair.rungs.is_empty());
        Self {
            pairs: written().count(),
            crash_confirmed: written().filter(|pair| pair.is_confirmed()).count(),
            rungs: by_setting(pairs),
            left_out: left_out
                .into_iter()
                .map(|LeftOut { pair, setting, seed, reason }| Missing { pair, setting, seed, reason })
                .collect(),
            lines: Vec::new(),
        }
    }

    /// As people read it.
    pub fn text(&self) -> String {
        let rungs = self.rungs.iter().map(|(setting, count)| format!("{} {count}", output::printable(setting)));
        let mut text = format!(
            "  {}, {} of them crash-confirmed: {}\n",
            counted(self.pairs, "pair"),
            self.crash_confirmed,
            rungs.collect::<Vec<_>>().join(", ")
        );
        self.lines.iter().for_each(|line| text += &format!("  {line}\n"));
        text
    }
}

/// Whether a format is one of pairs.
pub fn is_of_pairs(format: ExportFormat) -> bool {
    matches!(format, ExportFormat::Hf | ExportFormat::Sarif | ExportFormat::Folder)
}

/// Writes the pairs of a bench.
pub fn export(
    arguments: &arguments::Export,
    opened: &Bench,
    shared: &Shared,
    interrupt: &Interrupt,
) -> Result<WrittenPairs, Failure> {
    check(arguments)?;
    let mut settings = words(&arguments.setting);
    if settings.is_empty() && arguments.format == ExportFormat::Folder {
        settings.push(WRITTEN.to_owned());
    }
    let wanted = Wanted { settings, seeds: arguments.seed.clone() };
    let mut pairs = exported_pairs(opened, &wanted).map_err(|error| bench::not_exchanged(&error))?;
    if arguments.format != ExportFormat::Hf {
        pairs.retain(|pair| pair.is_confirmed() && !pair.rungs.is_empty());
    }
    if pairs.is_empty() {
        return Err(bench::not_exchanged(&ExchangeError::Nothing));
    }
    let card = Card::of(opened, &[]).map_err(|error| bench::unusable(&error))?;
    match arguments.format {
        ExportFormat::Folder => folder(arguments, &mut pairs, &card, shared, interrupt),
        ExportFormat::Sarif => {
            let log = located::log(&pairs);
            into_new_folder(&arguments.out, |folder| faults::write_log(folder, &pairs, &log, &card))
                .map_err(|error| bench::not_exchanged(&error))?;
            Ok(WrittenPairs::of(&pairs, Vec::new()))
        }
        _ => {
            let written = into_new_folder(&arguments.out, |folder| datasets::write_pairs(folder, &pairs, &card))
                .map_err(|error| bench::not_exchanged(&error))?;
            let mut all = WrittenPairs::of(&pairs, Vec::new());
            let line = |(configuration, split, rows): &(String, String, usize)| {
                format!("{configuration}  {split}  {}", counted(*rows, "row"))
            };
            all.lines = written.iter().map(line).collect();
            Ok(all)
        }
    }
}

/// What chooses corpora chooses no pairs.
fn check(arguments: &arguments::Export) -> Result<(), Failure> {
    let arguments::Export { group, view, author, bench, keep_duplicates, .. } = arguments;
    let is_of_corpora = !group.is_empty() || !view.is_empty() || !author.is_empty() || *keep_duplicates;
    if is_of_corpora || bench.is_some() {
        let failure = Failure::new("--group, --view, --author, --keep-duplicates and --bench are for corpora and runs");
        return Err(failure.hint("--setting and --seed choose the rungs of pairs").usage());
    }
    Ok(())
}

/// Folders that build. What each is made of was run before it is written.
fn folder(
    arguments: &arguments::Export,
    pairs: &mut [ExportedPair],
    card: &Card,
    shared: &Shared,
    interrupt: &Interrupt,
) -> Result<WrittenPairs, Failure> {
    let watching = Watching::new(shared.quiet, interrupt);
    watching.begins("opening the compilers", None);
    let runners = Runners::new(shared)?;
    let (made, left_out) = runners.all(pairs, &watching)?;
    let is_stopped = watching.should_stop();
    drop(watching);
    if is_stopped {
        return Err(Failure::new("it was stopped, and nothing was written"));
    }
    if made.is_empty() {
        let reason = left_out.first().map(|left| left.reason.clone()).unwrap_or_default();
        return Err(Failure::new(format!("no trigger can be run by a program of its own: {reason}")));
    }
    into_new_folder(&arguments.out, |folder| write_reproducers(folder, &made, &left_out, card))
        .map_err(|error| bench::not_exchanged(&error))?;
    if let Some(LeftOut { pair, setting, reason, .. }) = left_out.first() {
        let count = counted(left_out.len(), "rung");
        voice::warning(&output::printable(&format!("{count} left out, such as {pair} at {setting}: {reason}")));
    }
    drop(made);
    for pair in pairs.iter_mut() {
        let is_made = |pair: &str, setting: &str, seed: u32| {
            !left_out.iter().any(|left| (left.pair.as_str(), left.setting.as_str(), left.seed) == (pair, setting, seed))
        };
        pair.rungs.retain(|each| is_made(&each.rung.pair, &each.rung.setting, each.rung.seed));
    }
    let mut written = WrittenPairs::of(pairs, left_out);
    written.lines.push(format!("make -C {} reproduce", crate::phrasing::quoted(&arguments.out)));
    Ok(written)
}
