//! `estrange report`: runs side by side, as a page or as tables.

use std::path::Path;

use estrange_bench::{Bench, Run};
use estrange_report::detect::DetectResults;
use estrange_report::generate::GenerateResults;
use estrange_report::probe::ProbeResults;
use estrange_report::table::Table;
use estrange_report::{PageOptions, ProfilePanel, Report, SearchResults};
use estrange_task::{detect, generate, probe, search};

use crate::arguments::Shared;
use crate::interrupt::Interrupt;
use crate::phrasing::counted;
use crate::voice::Failure;
use crate::watching::Watching;
use crate::{Ending, arguments, output, profile, runs};

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
    let bench = runs::bench_if_any(&opened, arguments.bench.as_deref())?;
    let bench = bench.as_ref();
    let profiles = bench.map(|bench| profile::document(bench, &opened, arguments.as_one.as_deref())).transpose()?;
    let profiles = profiles.flatten();
    let profiles = profiles.as_ref().map(profile::panel).transpose()?;
    let ByTask { searches, generations, detections, probes } = by_task(opened)?;
    let is_page = form == Form::Page;
    let on = |runs: &[Run]| bench.filter(|_| !runs.is_empty());
    let searched = on(&searches).map(|bench| search_document(bench, &searches, is_page)).transpose()?;
    let written = (!generations.is_empty()).then(|| generate_document(bench, &generations, is_page)).transpose()?;
    let detected = on(&detections).map(|bench| detect_document(bench, &detections, is_page)).transpose()?;
    let probed = on(&probes).map(|bench| probe_document(bench, &probes)).transpose()?;
    let sentences = profiles.as_ref().map(ProfilePanel::sentences).unwrap_or_default();
    let title = arguments.title.as_deref().unwrap_or(match (&searched, &written, &detected, &probed) {
        (_, None, None, None) => "Which models find strange code",
        (None, Some(_), None, None) => "Which models write strange code",
        (None, None, Some(_), None) => "Which detectors see bugs in strange code",
        _ => "What models understand of strange code",
    });
    let mut report = Report::new(title);
    if let Some(panel) = profiles {
        report = report.with(panel);
    }
    if let Some(document) = &searched {
        report = report.with(runs::search_panel(document)?);
    }
    if let Some(document) = &written {
        report = report.with(runs::generate_panel(document)?);
    }
    if let Some(document) = &detected {
        report = report.with(runs::detect_panel(document)?);
    }
    if let Some(document) = &probed {
        report = report.with(runs::probe_panel(document)?);
    }
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
    let about = [
        searched.as_ref().map(|document| counted(document.corpora.len(), "corpus")),
        written.as_ref().map(|document| counted(document.all_functions, "function")),
        detected.as_ref().map(|document| counted(document.all_pairs, "pair")),
        probed.as_ref().map(|document| counted(document.all_questions, "question")),
    ];
    let about = about.into_iter().flatten().collect::<Vec<_>>().join(" and ");
    output::print(&format!("{path} shows {} on {about}\n", counted(arguments.runs.len(), "run")))?;
    let sentences = sentences.iter().map(|sentence| format!("  {}\n", output::printable(sentence)));
    output::print(&sentences.collect::<String>())?;
    Ok(Ending::Done)
}

/// Runs by what was asked.
#[derive(Default)]
struct ByTask {
    searches: Vec<Run>,
    generations: Vec<Run>,
    detections: Vec<Run>,
    probes: Vec<Run>,
}

fn by_task(runs: Vec<Run>) -> Result<ByTask, Failure> {
    let mut by_task = ByTask::default();
    for run in runs {
        match run.facts().task.as_str() {
            search::NAME => by_task.searches.push(run),
            generate::NAME => by_task.generations.push(run),
            detect::NAME => by_task.detections.push(run),
            probe::NAME => by_task.probes.push(run),
            other => {
                let words = format!("{} is a run of the task `{other}`", run.folder().display());
                return Err(
                    Failure::new(words).hint("reports are made of searches, generations, detections and probes")
                );
            }
        }
    }
    Ok(by_task)
}

/// Searches side by side; texts are on pages alone.
fn search_document(bench: &Bench, runs: &[Run], is_page: bool) -> Result<SearchResults, Failure> {
    let defaults = search::DocumentOptions::default();
    let options = search::DocumentOptions { shown: if is_page { defaults.shown } else { 0 }, ..defaults };
    search::document(bench, runs, &options).map_err(|error| runs::failure(&error))
}

/// Written functions side by side; texts are on pages alone.
fn generate_document(bench: Option<&Bench>, runs: &[Run], is_page: bool) -> Result<GenerateResults, Failure> {
    let defaults = generate::DocumentOptions::default();
    let options = generate::DocumentOptions { shown: if is_page { defaults.shown } else { 0 }, ..defaults };
    generate::document(bench, runs, &options).map_err(|error| crate::generate::failure(&error))
}

/// Detections side by side; texts are on pages alone.
fn detect_document(bench: &Bench, runs: &[Run], is_page: bool) -> Result<DetectResults, Failure> {
    let defaults = detect::DocumentOptions::default();
    let options = detect::DocumentOptions { shown: if is_page { defaults.shown } else { 0 }, ..defaults };
    detect::document(bench, runs, &options).map_err(|error| crate::detect::failure(&error))
}

/// Probes side by side.
fn probe_document(bench: &Bench, runs: &[Run]) -> Result<ProbeResults, Failure> {
    let options = probe::DocumentOptions::default();
    probe::document(bench, runs, &options).map_err(|error| crate::probe::failure(&error))
}
