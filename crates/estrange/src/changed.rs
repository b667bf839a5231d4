//! Which functions changed when, and until when a model was trained: what of that is asked for, found out, and said.

use estrange_bench::{Bench, Run};
use estrange_history::{Asked, Past, With};
use estrange_report::generate::{AuthorSheet, FunnelSheet, GenerateResults};
use estrange_source::Silent;
use estrange_task::generate::{Cutoff, Cutoffs};
use serde_json::Value;

use crate::arguments::{Changed, Shared};
use crate::prepare::{cache, sandbox};
use crate::runs::{generate_panel, words_of};
use crate::voice::{self, Failure};
use crate::watching::Watching;
use crate::{bench, output};

/// Until when a model was trained, as far as it is said or known. Of a run that is graded again, what it has counts.
pub fn cutoff(arguments: &Changed, model: &str, regraded: Option<&Run>) -> Result<Option<Cutoff>, Failure> {
    if let Some(until) = &arguments.cutoff {
        return Ok(Some(Cutoff { until: until.clone(), source: "--cutoff".to_owned() }));
    }
    let kept = regraded.map(|run| &run.facts().card).and_then(|card| {
        let source = card["cutoff_source"].as_str().unwrap_or_default().to_owned();
        Some(Cutoff { until: card["cutoff"].as_str()?.parse().ok()?, source })
    });
    let known = match &arguments.cutoffs {
        Some(file) => Cutoffs::built_in().with(file).map_err(|error| Failure::of(&error))?,
        None => Cutoffs::built_in(),
    };
    Ok(kept.or_else(|| known.of(model)))
}

/// Puts it on a card.
pub fn note(card: &mut Value, cutoff: Option<&Cutoff>) {
    if let (Some(card), Some(Cutoff { until, source })) = (card.as_object_mut(), cutoff) {
        card.insert("cutoff".to_owned(), until.as_str().into());
        card.insert("cutoff_source".to_owned(), source.as_str().into());
    }
}

/// Which changes are asked about.
pub fn asked(arguments: &Changed) -> Result<Asked, Failure> {
    let with: Vec<With> = words_of(std::slice::from_ref(&arguments.changed_with))?;
    Ok(Asked { since: arguments.changed_since.clone(), with: with.first().copied().unwrap_or(With::Tests) })
}

/// When the functions of a bench changed, if that is wanted. Sources without a known history are said.
pub fn past(
    arguments: &Changed,
    cutoff: Option<&Cutoff>,
    opened: &Bench,
    shared: &Shared,
    watching: &Watching,
) -> Result<Past, Failure> {
    let asked = asked(arguments)?;
    let is_wanted = match arguments.dates.as_str() {
        "always" => true,
        "never" => asked.since.is_some(),
        _ => asked.since.is_some() || cutoff.is_some(),
    };
    if !is_wanted {
        return Ok(Past::default());
    }
    watching.begins("reading when functions changed", None);
    let past = Past::of(opened, &asked, &cache(shared)?, &sandbox(shared)?, &Silent)
        .map_err(|error| bench::unusable(&error))?;
    for source in &past.sources {
        if let Some(left_out) = &source.left_out {
            voice::note(&format!("when the functions of {} changed is not known: {}", source.source, left_out.detail));
        }
    }
    if past.chosen() == Some(0) {
        let since = asked.since.map(|day| day.to_string()).unwrap_or_default();
        let steps: Vec<String> =
            past.steps().iter().map(|step| format!("{} {} {}", step.left, step.of, step.name)).collect();
        return Err(Failure::new(format!("no function of the bench changed since {since}: {}", steps.join(", ")))
            .hint("--changed-with any takes changes that touch no test, too; sources need a git history"));
    }
    Ok(past)
}

/// Prints how functions were chosen, where nobody is asked about them.
pub fn print(funnel: Option<FunnelSheet>, model: &str) -> Result<(), Failure> {
    if funnel.is_none() {
        return Ok(());
    }
    let author = AuthorSheet { name: model.to_owned(), funnel, ..AuthorSheet::default() };
    let document = GenerateResults { authors: vec![author], ..GenerateResults::default() };
    output::print_tables(&generate_panel(&document)?.summary())
}

/// The funnel as a run keeps it.
pub fn kept(funnel: Option<&FunnelSheet>) -> Value {
    funnel.and_then(|funnel| serde_json::to_value(funnel).ok()).unwrap_or(Value::Null)
}
