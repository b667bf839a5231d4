//! The command line of Estrange: arguments, progress, wording and exit codes.
//!
//! Everything a user reads is written here, and nothing is computed here: each command calls the libraries and
//! shows what they found. Results go to stdout, everything else to stderr.

mod arguments;
mod asking;
mod bench;
mod build;
mod cache;
mod changed;
mod check;
mod completions;
mod detect;
mod doctor;
mod explain;
mod export;
mod files;
mod foreign;
mod generate;
mod highlight;
mod import;
mod interrupt;
mod lists;
mod logs;
mod lower;
mod memory;
mod merge;
mod models;
mod nearest;
mod output;
mod packages;
mod pairs;
mod phrasing;
mod prepare;
mod probe;
mod profile;
mod progress;
mod queries;
mod replay;
mod report;
mod review;
mod rewrite;
mod runs;
mod search;
mod show;
mod sources;
mod stats;
mod table;
mod telling;
mod verdict;
mod version;
mod voice;
mod watching;

use std::process::ExitCode;

use arguments::{Arguments, Command};

/// How a command ended when nothing stopped it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Everything that was asked for was done.
    Done,
    /// The work went to its end, but a part of it failed; the output says which.
    Failed,
}

fn main() -> ExitCode {
    let arguments = match Arguments::parse() {
        Ok(arguments) => arguments,
        Err(error) => return voice::usage(&error),
    };
    if matches!(arguments.command, Command::Build(_) | Command::Merge(_) | Command::Pairs(_)) {
        memory::give_back();
    }
    voice::set_color(arguments.shared.color);
    logs::start();
    let interrupt = match interrupt::watch() {
        Ok(interrupt) => interrupt,
        Err(error) => return voice::failure(&voice::Failure::new("Ctrl-C cannot be watched for").because(&error)),
    };
    let ending = match &arguments.command {
        Command::Build(build) => build::run(build, &arguments.shared, &interrupt),
        Command::Merge(merge) => merge::run(merge, &arguments.shared, &interrupt),
        Command::Pairs(pairs) => pairs::run(pairs, &arguments.shared, &interrupt),
        Command::Sources(sources) => sources::run(sources, &arguments.shared, &interrupt),
        Command::Stats(stats) => stats::run(stats),
        Command::Show(show) => show::run(show),
        Command::Rewrite(rewrite) => rewrite::run(rewrite, &arguments.shared),
        Command::Check(check) => check::run(check, &arguments.shared),
        Command::Lower(lower) => lower::run(lower, &arguments.shared),
        Command::Queries(queries) => queries::run(queries, &arguments.shared, &interrupt),
        Command::Search(search) => search::run(search, &arguments.shared, &interrupt),
        Command::Generate(generate) => generate::run(generate, &arguments.shared, &interrupt),
        Command::Detect(detect) => detect::run(detect, &arguments.shared, &interrupt),
        Command::Probe(probe) => probe::run(probe, &arguments.shared, &interrupt),
        Command::Report(report) => report::run(report, &arguments.shared, &interrupt),
        Command::Review(review) => review::run(review),
        Command::Import(import) => import::run(import),
        Command::Export(export) => export::run(export, &arguments.shared, &interrupt),
        Command::Cache(cache) => cache::run(cache, &arguments.shared),
        Command::Explain(explain) => explain::run(explain),
        Command::Doctor(doctor) => doctor::run(doctor),
        Command::Completions(completions) => completions::run(completions),
    };
    match ending {
        _ if interrupt.is_set() => {
            interrupt::end_tools();
            voice::interrupted()
        }
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Failed) => ExitCode::from(1),
        Err(failure) => voice::failure(&failure),
    }
}
