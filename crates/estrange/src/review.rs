//! `estrange review`: answers for people to look at, and how far their labels agree with ours.

use std::path::Path;

use estrange_bench::Run;
use estrange_report::document::Estimate;
use estrange_report::table::{Column, Entry, Number, Section, Spread, Table};
use estrange_task::review::{self, Agreement, Confusion, Review, ReviewError, Sample, SampleOptions, Stratum};

use crate::phrasing::counted;
use crate::voice::Failure;
use crate::{Ending, arguments, output, runs};

/// Runs the command.
pub fn run(arguments: &arguments::Review) -> Result<Ending, Failure> {
    let run = runs::open(&arguments.run)?;
    match (&arguments.sample, &arguments.reviewed) {
        (Some(file), _) => draw(&run, file, arguments),
        (None, Some(file)) => agree(&run, file, arguments.json),
        (None, None) => Err(Failure::new("neither --sample nor --reviewed is said").usage()),
    }
}

fn draw(run: &Run, file: &Path, arguments: &arguments::Review) -> Result<Ending, Failure> {
    let is_share = |percent: f64| percent > 0.0 && percent < 100.0;
    for (option, percent) in [("--confidence", arguments.confidence), ("--margin", arguments.margin)] {
        if !is_share(percent) {
            return Err(Failure::new(format!("{option} is between 0 and 100, not {percent}")).usage());
        }
    }
    let options = SampleOptions {
        confidence: arguments.confidence / 100.0,
        margin: arguments.margin / 100.0,
        seed: arguments.seed,
    };
    let sample = review::sample(run, &options).map_err(|error| failure(&error))?;
    output::write_file(file, &sample.csv())?;
    if arguments.json {
        let document = serde_json::json!({ "answers": sample.answers, "drawn": sample.len(), "strata": sample.strata });
        output::print_json(1, &document)?;
        return Ok(Ending::Done);
    }
    output::print_tables(&[strata(&sample)])?;
    let words = format!(
        "{} has {} of {}, by {}% give or take {}%\n",
        file.display(),
        sample.len(),
        counted(sample.answers, "answer"),
        arguments.confidence,
        arguments.margin
    );
    output::print(&format!("\n{words}"))?;
    Ok(Ending::Done)
}

fn agree(run: &Run, file: &Path, json: bool) -> Result<Ending, Failure> {
    let review = review::review(run, file).map_err(|error| failure(&error))?;
    if json {
        output::print_json(1, &review)?;
        return Ok(Ending::Done);
    }
    let tables = [agreements(&review), confusions(&review)];
    output::print_tables(&tables.into_iter().filter(|table| !table.is_empty()).collect::<Vec<_>>())?;
    if review.without > 0 {
        output::print(&format!("\n{} without a label\n", counted(review.without, "row")))?;
    }
    Ok(Ending::Done)
}

fn count(value: usize) -> Entry {
    Entry::Number(Number { value: value as f64, ..Number::default() })
}

fn text(words: impl ToString) -> Entry {
    Entry::Text(words.to_string())
}

/// A value with its interval, as so many times itself.
fn value(estimate: Estimate, times: f64, digits: usize) -> Entry {
    let spread = Spread::Interval { low: times * estimate.low, high: times * estimate.high };
    Entry::Number(Number { value: times * estimate.value, digits, spread, ..Number::default() })
}

fn strata(sample: &Sample) -> Table {
    let row = |each: &Stratum| vec![text(&each.setting), text(each.outcome), count(each.answers), count(each.drawn)];
    Table {
        name: "sample".to_owned(),
        title: "Answers to be looked at".to_owned(),
        note: String::new(),
        columns: vec![
            Column::words("setting"),
            Column::words("outcome"),
            Column::numbers("answers"),
            Column::numbers("drawn"),
        ],
        sections: vec![Section { title: String::new(), rows: sample.strata.iter().map(row).collect() }],
        shows_spread: false,
    }
}

fn agreements(review: &Review) -> Table {
    let row = |each: &Agreement| {
        let kappa = each.kappa.map_or(Entry::Empty, |kappa| value(kappa, 1.0, 2));
        vec![text(each.on), count(each.labels), value(each.same, 100.0, 1), kappa]
    };
    Table {
        name: "agreement".to_owned(),
        title: "How far labels agree with ours".to_owned(),
        note: "The same in percent; Cohen's kappa is 1 where all are the same and 0 where they agree as by chance."
            .to_owned(),
        columns: vec![
            Column::words("on"),
            Column::numbers("labels"),
            Column::numbers("the same"),
            Column::numbers("kappa"),
        ],
        sections: vec![Section { title: String::new(), rows: review.agreements.iter().map(row).collect() }],
        shows_spread: true,
    }
}

fn confusions(review: &Review) -> Table {
    let row = |each: &Confusion| vec![text(each.ours), text(each.theirs), count(each.answers)];
    Table {
        name: "confusions".to_owned(),
        title: "Where they do not".to_owned(),
        note: String::new(),
        columns: vec![Column::words("ours"), Column::words("reviewed"), Column::numbers("answers")],
        sections: vec![Section { title: String::new(), rows: review.confusions.iter().map(row).collect() }],
        shows_spread: false,
    }
}

fn failure(error: &ReviewError) -> Failure {
    match error {
        ReviewError::Statistics(source) => Failure::of(error).because(source),
        error => Failure::of(error),
    }
}
