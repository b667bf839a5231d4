//! `estrange report`: runs side by side, as a page or as tables.

use std::path::Path;

use estrange_bench::Run;
use estrange_report::PageOptions;
use estrange_report::table::Table;
use estrange_task::search::{DocumentOptions, document};

use crate::arguments::Shared;
use crate::interrupt::Interrupt;
use crate::phrasing::counted;
use crate::voice::Failure;
use crate::watching::Watching;
use crate::{Ending, arguments, output, runs};

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
    let opened: Vec<Run> = arguments.runs.iter().map(|folder| runs::open(folder)).collect::<Result<_, _>>()?;
    let bench = runs::bench_of(&opened, arguments.bench.as_deref())?;
    let options = DocumentOptions {
        title: arguments.title.clone().unwrap_or_else(|| "Which models find strange code".to_owned()),
        shown: if form == Form::Page { DocumentOptions::default().shown } else { 0 },
        ..DocumentOptions::default()
    };
    let document = document(&bench, &opened, &options).map_err(|error| runs::failure(&error))?;
    let report = runs::report(&document)?;
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
        counted(opened.len(), "run"),
        counted(document.corpora.len(), "corpus")
    ))?;
    Ok(Ending::Done)
}
