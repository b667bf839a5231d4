//! `estrange stats`: from functions found to functions kept, and what the kept ones are like.

mod document;
mod render;
mod sheet;
mod tables;
pub mod words;

use crate::arguments::{self, Format, StatsTable};
use crate::voice::Failure;
use crate::{Ending, bench, output};
use document::{Cut, StatsJson};
use sheet::Sheet;

/// The tables that a paper needs, where none is named.
const FOR_A_PAPER: [StatsTable; 2] = [StatsTable::Funnel, StatsTable::Groups];

/// Runs the command.
pub fn run(arguments: &arguments::Stats) -> Result<Ending, Failure> {
    let opened = bench::open(&arguments.bench)?;
    check_sources(arguments, opened.manifest())?;
    let folder = arguments.bench.display().to_string();
    let document = StatsJson::new(&opened, &folder, Cut::new(arguments)).map_err(|error| bench::unusable(&error))?;
    match arguments.format {
        _ if arguments.json => output::print_json(document::FORMAT, &document)?,
        None if arguments.table.is_empty() => output::print(&render::text(&document))?,
        format => output::print(&tables(&document, &arguments.table, format))?,
    }
    Ok(Ending::Done)
}

/// A source that the bench does not have would quietly give numbers of nothing, or of everything.
fn check_sources(arguments: &arguments::Stats, manifest: &estrange_bench::Manifest) -> Result<(), Failure> {
    let known = |name: &&String| manifest.sources.iter().any(|source| source.spec == **name);
    match arguments.source.iter().chain(&arguments.without).find(|name| !known(name)) {
        None => Ok(()),
        Some(name) => {
            let specs: Vec<&str> = manifest.sources.iter().map(|source| source.spec.as_str()).collect();
            let failure = Failure::new(format!("the bench has no source {name}")).usage();
            Err(failure.hint(format!("it has {}", specs.join(", "))))
        }
    }
}

fn tables(document: &StatsJson, wanted: &[StatsTable], format: Option<Format>) -> String {
    let wanted = if wanted.is_empty() { &FOR_A_PAPER[..] } else { wanted };
    let sheets = wanted.iter().flat_map(|table| match table {
        StatsTable::Funnel => vec![tables::funnel(document)],
        StatsTable::Groups => tables::groups(document),
        StatsTable::Classes => vec![tables::classes(document)],
        StatsTable::Sources => vec![tables::sources(document)],
        StatsTable::Roles => vec![tables::roles(document)],
        StatsTable::Reasons => vec![tables::reasons(document)],
        StatsTable::Losses => vec![tables::losses(document)],
        StatsTable::Unlinkable => vec![tables::unlinkable(document)],
        StatsTable::SameCode => vec![tables::same_code(document)],
        StatsTable::Variants => vec![tables::variants(document)],
        StatsTable::Lowered => vec![tables::lowered(document)],
        StatsTable::NotLowered => vec![tables::not_lowered(document)],
        StatsTable::Waiting => vec![tables::waiting(document)],
        StatsTable::Outcomes => vec![tables::outcomes(document)],
    });
    let print = match format {
        None => Sheet::text,
        Some(Format::Markdown) => Sheet::markdown,
        Some(Format::Latex) => Sheet::latex,
        Some(Format::Csv) => Sheet::csv,
    };
    sheets.map(|sheet| print(&sheet)).collect::<Vec<_>>().join("\n")
}
