//! `estrange report`: runs side by side, as a page or as tables.

use std::path::{Path, PathBuf};

use estrange_bench::{Bench, Run};
use estrange_report::table::Table;
use estrange_report::{Document, PageOptions, Report};
use estrange_task::search::{DocumentOptions, document};

use crate::arguments::Shared;
use crate::interrupt::Interrupt;
use crate::phrasing::counted;
use crate::search::failure;
use crate::voice::Failure;
use crate::watching::Watching;
use crate::{Ending, arguments, bench, output};

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Page,
    Markdown,
    Latex,
    Csv,
}

impl Form {
    /// The form that a file's name asks for.
    fn of(path: &Path) -> Result<Self, Failure> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("html" | "htm") => Ok(Self::Page),
            Some("md") => Ok(Self::Markdown),
            Some("tex") => Ok(Self::Latex),
            Some("csv") => Ok(Self::Csv),
            _ => Err(Failure::new(format!("{} has no form", path.display()))
                .hint("the name of the file ends with .html, .md, .tex or .csv")
                .usage()),
        }
    }
}

/// Runs the command.
pub fn run(arguments: &arguments::Report, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let form = Form::of(&arguments.out)?;
    let watching = Watching::new(shared.quiet, interrupt);
    watching.begins("putting runs side by side", None);
    let runs: Vec<Run> = arguments
        .runs
        .iter()
        .map(|folder| Run::open(folder).map_err(|error| bench::unusable(&error)))
        .collect::<Result<_, _>>()?;
    let bench = bench_of(&runs, arguments.bench.as_deref())?;
    let options = DocumentOptions {
        title: arguments.title.clone().unwrap_or_else(|| "Which models find strange code".to_owned()),
        shown: if form == Form::Page { DocumentOptions::default().shown } else { 0 },
        ..DocumentOptions::default()
    };
    let document = document(&bench, &runs, &options).map_err(|error| failure(&error))?;
    let report = report(&document)?;
    let joined = |each: &dyn Fn(&Table) -> String| report.tables().iter().map(each).collect::<Vec<_>>().join("\n");
    let text = match form {
        Form::Page => report.page(&PageOptions::default()),
        Form::Markdown => joined(&Table::to_markdown),
        Form::Latex => joined(&Table::to_latex),
        Form::Csv => report.csv(),
    };
    let path = arguments.out.display();
    output::write_file(&arguments.out, &text)?;
    drop(watching);
    output::print(&format!(
        "{path} shows {} on {}\n",
        counted(runs.len(), "run"),
        counted(document.corpora.len(), "corpus")
    ))?;
    Ok(Ending::Done)
}

/// The bench that all runs were on.
pub fn bench_of(runs: &[Run], named: Option<&Path>) -> Result<Bench, Failure> {
    let mut hashes = runs.iter().map(|run| &run.facts().bench_hash);
    let first = hashes.next();
    if hashes.any(|hash| Some(hash) != first) {
        return Err(Failure::new("the runs are not on the same bench")
            .hint("scores on different functions or queries cannot stand side by side; run them again on one bench"));
    }
    let path = named.map(Path::to_owned).or_else(|| runs.first().map(|run| PathBuf::from(&run.facts().bench)));
    let opened = bench::open(&path.unwrap_or_default()).map_err(|failure| failure.hint("--bench says where it is"))?;
    first.map_or(Ok(()), |hash| check_bench(&opened, hash))?;
    Ok(opened)
}

/// Refuses a bench that is not the one that was searched.
pub fn check_bench(opened: &Bench, searched: &str) -> Result<(), Failure> {
    match opened.hash().map_err(|error| bench::unusable(&error))? == searched {
        true => Ok(()),
        false => Err(Failure::new("the bench has changed since it was searched")
            .hint("search it again, or name the bench that was searched with --bench")),
    }
}

fn report(document: &Document) -> Result<Report<'_>, Failure> {
    Report::new(document).map_err(|error| Failure::new("the report cannot be made").because(&error))
}

/// Prints what one run is worth.
pub fn print_run(run: &Run, bench: &Bench, json: bool, watching: Watching) -> Result<(), Failure> {
    let options = DocumentOptions { shown: 0, ..DocumentOptions::default() };
    let document = document(bench, std::slice::from_ref(run), &options).map_err(|error| failure(&error))?;
    if json {
        drop(watching);
        return output::print_json(1, &document);
    }
    let tables = report(&document)?.tables();
    drop(watching);
    output::print(&tables.iter().map(|table| table.to_text(None)).collect::<Vec<_>>().join("\n"))
}
