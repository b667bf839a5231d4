//! Runs of tasks: what of a bench they are about, how they are shown, and what is said where they cannot be.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use estrange_bench::{Bench, Run, UnknownWord};
use estrange_report::detect::DetectResults;
use estrange_report::generate::GenerateResults;
use estrange_report::probe::ProbeResults;
use estrange_report::{DetectPanel, GeneratePanel, ProbePanel, Report, SearchPanel, SearchResults};
use estrange_task::search::{DocumentOptions, SearchError, document};

use crate::voice::Failure;
use crate::watching::Watching;
use crate::{bench, output};

/// Opens a run.
pub fn open(folder: &Path) -> Result<Run, Failure> {
    Run::open(folder).map_err(|error| bench::unusable(&error))
}

/// The bench that all runs were on; none where they are about problems, which stand by themselves.
pub fn bench_if_any(runs: &[Run], named: Option<&Path>) -> Result<Option<Bench>, Failure> {
    let are_problems = |run: &Run| run.facts().card["graded"] == "problem";
    if runs.iter().all(are_problems) {
        return check_same(runs).map(|()| None);
    }
    bench_of(runs, named).map(Some)
}

/// Refuses runs that are not on the same.
fn check_same(runs: &[Run]) -> Result<(), Failure> {
    let mut hashes = runs.iter().map(|run| &run.facts().bench_hash);
    let first = hashes.next();
    if hashes.any(|hash| Some(hash) != first) {
        return Err(Failure::new("the runs are not on the same bench")
            .hint("scores on different functions or queries cannot stand side by side; run them again on one bench"));
    }
    Ok(())
}

/// The bench that all runs were on.
pub fn bench_of(runs: &[Run], named: Option<&Path>) -> Result<Bench, Failure> {
    check_same(runs)?;
    let first = runs.first().map(|run| &run.facts().bench_hash);
    let path = named.map(Path::to_owned).or_else(|| runs.first().map(|run| PathBuf::from(&run.facts().bench)));
    let path = path.unwrap_or_default();
    let opened = bench::open(&path).map_err(|failure| failure.hint("--bench says where it is"))?;
    match first {
        Some(hash) if bench::hash(&opened)? != *hash => {
            Err(Failure::new(format!("the bench has changed since the runs were made: {}", path.display()))
                .hint("run them again, or name their bench with --bench"))
        }
        _ => Ok(opened),
    }
}

/// Refuses a run that is by another model.
pub fn is_by(run: &Run, model: &str) -> Result<(), Failure> {
    let own = &run.facts().model;
    if own == model {
        return Ok(());
    }
    let words = format!("the run in {} is by `{own}`, not by `{model}`", run.folder().display());
    Err(Failure::new(words).hint(format!("--model {own}, or another run with --out")).usage())
}

/// The panel of searches.
pub fn search_panel(document: &SearchResults) -> Result<SearchPanel<'_>, Failure> {
    SearchPanel::new(document).map_err(|error| Failure::new("the report cannot be made").because(&error))
}

/// The panel of detections.
pub fn detect_panel(document: &DetectResults) -> Result<DetectPanel<'_>, Failure> {
    DetectPanel::new(document).map_err(|error| Failure::new("the report cannot be made").because(&error))
}

/// The panel of the probe.
pub fn probe_panel(document: &ProbeResults) -> Result<ProbePanel<'_>, Failure> {
    ProbePanel::new(document).map_err(|error| Failure::new("the report cannot be made").because(&error))
}

/// The panel of generation.
pub fn generate_panel(document: &GenerateResults) -> Result<GeneratePanel<'_>, Failure> {
    GeneratePanel::new(document).map_err(|error| Failure::new("the report cannot be made").because(&error))
}

/// Prints what one run of a search is worth.
pub fn print(run: &Run, bench: &Bench, json: bool, watching: Watching) -> Result<(), Failure> {
    let options = DocumentOptions { shown: 0, ..DocumentOptions::default() };
    let document = document(bench, std::slice::from_ref(run), &options).map_err(|error| failure(&error))?;
    if json {
        drop(watching);
        return output::print_json(1, &document);
    }
    let tables = Report::new(document.title.as_str()).with(search_panel(&document)?).tables();
    drop(watching);
    output::print_tables(&tables)
}

/// The words for what stopped a search.
pub fn failure(error: &SearchError) -> Failure {
    match error {
        SearchError::Statistics(source) => Failure::of(error).because(source),
        error => Failure::of(error),
    }
}

/// Words out of a closed list, as they were typed.
pub fn words_of<W: FromStr<Err = UnknownWord>>(words: &[String]) -> Result<Vec<W>, Failure> {
    let parse = |word: &String| word.parse().map_err(|error: UnknownWord| Failure::new(error.to_string()).usage());
    words.iter().map(parse).collect()
}

/// A model's name as a folder's: the last part of it, in plain letters, and never a way to another folder.
pub fn slug(model: &str) -> PathBuf {
    let last = model.trim_end_matches('/').rsplit('/').next().unwrap_or(model);
    let plain = |letter: char| if letter.is_alphanumeric() || matches!(letter, '-' | '.') { letter } else { '-' };
    let name: String = last.chars().map(plain).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "model" } else { name }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_run_is_always_one_below() {
        for (model, folder) in [
            ("bm25", "bm25"),
            ("bm25:atire,k1=1.5", "bm25-atire-k1-1.5"),
            ("local:models/all-MiniLM-L6-v2/", "all-MiniLM-L6-v2"),
            ("local:..", "local"),
            ("local:models/..", "model"),
            ("openai:org/.", "model"),
            ("", "model"),
        ] {
            assert_eq!(slug(model), Path::new(folder), "{model}");
        }
    }
}
