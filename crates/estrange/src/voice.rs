//! The one voice in which errors, warnings and hints are spoken, and the exit codes that go with them.
//!
//! An error says what happened, then why, then what to do about it:
//!
//! ```text
//! error: the cache cannot be used: /nowhere
//!   because: Permission denied (os error 13)
//! hint: name another folder with --cache DIR
//! ```
//!
//! It reads the same without colour.

use std::borrow::Cow;
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::error::ErrorKind;
use estrange_words::Hint;

use crate::arguments::Color;
use crate::arguments::listing::asked_for;
use crate::{output, progress};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// Why a command could not do its work, in words.
#[derive(Debug)]
pub struct Failure {
    message: String,
    causes: Vec<String>,
    hints: Vec<String>,
    code: u8,
}

impl Failure {
    /// A failure: what happened, in a few words without a full stop.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), causes: Vec::new(), hints: Vec::new(), code: 1 }
    }

    /// What a library says, with what it says to do about it.
    pub fn of(error: &(dyn Error + 'static)) -> Self {
        let failure = Self::new(error.to_string());
        match hint_for(error) {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }

    /// Adds an error, and the errors that caused it, as the reason.
    pub fn because(mut self, error: &dyn Error) -> Self {
        self.causes.extend(causes(error));
        self
    }

    /// Makes it a case of wrong usage.
    pub fn usage(mut self) -> Self {
        self.code = 2;
        self
    }

    /// Adds what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

/// The first hint of an error and of what caused it. Every library's error that has hints is named here.
pub fn hint_for(error: &(dyn Error + 'static)) -> Option<Cow<'static, str>> {
    fn of<E: Error + Hint + 'static>(error: &(dyn Error + 'static)) -> Option<Cow<'static, str>> {
        error.downcast_ref::<E>().and_then(Hint::hint)
    }
    type HintOf = fn(&(dyn Error + 'static)) -> Option<Cow<'static, str>>;
    let all: [HintOf; 21] = [
        of::<estrange_pair::PairError>,
        of::<estrange_build::BuildError>,
        of::<estrange_task::search::SearchError>,
        of::<estrange_task::profile::ProfileError>,
        of::<estrange_task::review::ReviewError>,
        of::<estrange_task::detect::DetectError>,
        of::<estrange_task::detect::ChoiceError>,
        of::<estrange_task::detect::TemplateError>,
        of::<estrange_task::probe::ProbeError>,
        of::<estrange_task::probe::ChoiceError>,
        of::<estrange_task::generate::GenerateError>,
        of::<estrange_task::generate::ChoiceError>,
        of::<estrange_task::generate::PrecomputedError>,
        of::<estrange_grade::GradeError>,
        of::<estrange_bench::BenchError>,
        of::<estrange_bench::exchange::ExchangeError>,
        of::<estrange_model::ModelError>,
        of::<estrange_model::OpenError>,
        of::<estrange_model::SpecError>,
        of::<estrange_source::Loss>,
        of::<estrange_source::BadSpec>,
    ];
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(hint) = all.iter().find_map(|hint| hint(error)) {
            return Some(hint);
        }
        next = error.source();
    }
    None
}

/// The words of an error and of what caused it, without what an error repeats of its own cause.
fn causes(error: &dyn Error) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        if !words.last().is_some_and(|last| last.ends_with(&text)) {
            words.push(text);
        }
        next = error.source();
    }
    words
}

/// Decides about colour for the rest of the process.
pub fn set_color(color: Color) {
    // `Auto` is what anstream does by itself: NO_COLOR, CLICOLOR, TERM and whether a terminal is there.
    match color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
}

/// Says why a command failed.
pub fn failure(failure: &Failure) -> ExitCode {
    say(ERROR, "error", &failure.message);
    for cause in &failure.causes {
        write(&format!("  because: {}", indent(cause)));
    }
    for text in &failure.hints {
        hint(text);
    }
    ExitCode::from(failure.code)
}

/// The exit code of work that the user stopped.
pub const INTERRUPTED: u8 = 130;

/// Says that the user stopped the work.
pub fn interrupted() -> ExitCode {
    hint("finished work is kept; the same command goes on from there");
    ExitCode::from(INTERRUPTED)
}

/// Says what may surprise, though the work goes on.
pub fn warning(message: &str) {
    say(WARNING, "warning", message);
}

/// Says what was found out, beside a result that goes to stdout.
pub fn note(message: &str) {
    let lines: Vec<String> = message.lines().map(output::printable).collect();
    anstream::eprintln!("{}", lines.join("\n"));
}

/// Says what to do.
pub fn hint(message: &str) {
    say(HINT, "hint", message);
}

/// Answers wrong usage in the same voice, and a request for help or the version with what was asked for.
pub fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let page = asked_for(error).map_or_else(|| error.render().ansi().to_string(), str::to_owned);
        return match output::print(&page) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failed) => failure(&failed),
        };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        write(&error.render().ansi().to_string());
        return ExitCode::from(2);
    }
    for line in usage_lines(&error.render().to_string()) {
        match line.split_once(": ") {
            Some(("error", message)) => say(ERROR, "error", message),
            Some(("hint", message)) => hint(message),
            _ => write(&line),
        }
    }
    ExitCode::from(2)
}

/// Clap's message in our own words: no blank lines, and its advice as hints.
fn usage_lines(message: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in message.lines().filter(|line| !line.trim().is_empty()) {
        let trimmed = line.trim_start();
        lines.push(if let Some(tip) = trimmed.strip_prefix("tip: ") {
            format!("hint: {tip}")
        } else if let Some(advice) = trimmed.strip_prefix("For more information, try ") {
            format!("hint: for more, try {}", advice.trim_end_matches('.'))
        } else if let Some(usage) = trimmed.strip_prefix("Usage: ") {
            format!("usage: {usage}")
        } else {
            line.to_owned()
        });
    }
    lines
}

fn say(style: Style, label: &str, message: &str) {
    write(&format!("{style}{label}{style:#}: {}", indent(message)));
}

/// Keeps further lines of a message apart from the next message, and foreign words in it from the terminal.
fn indent(message: &str) -> String {
    message.trim_end().lines().map(output::printable).collect::<Vec<_>>().join("\n    ")
}

/// A closed stderr leaves nobody to tell.
fn write(line: &str) {
    progress::above(|| {
        let _ = writeln!(anstream::stderr(), "{line}");
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Layer(&'static str, Option<Box<Layer>>);

    impl std::fmt::Display for Layer {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|layer| layer as _)
        }
    }

    #[derive(Debug)]
    struct Foreign(estrange_source::BadSpec);

    impl std::fmt::Display for Foreign {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("it went wrong")
        }
    }

    impl Error for Foreign {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    /// An error of ours behind an error of somebody else's still says what to do.
    #[test]
    fn a_hint_is_found_among_the_causes() {
        let bad = "svn:x".parse::<estrange_source::Spec>().unwrap_err();
        let hint = bad.hint();
        assert!(hint.is_some());
        assert_eq!(hint_for(&Foreign(bad)), hint);
    }

    #[test]
    fn a_cause_that_an_error_already_names_is_said_once() {
        let error = Layer("cannot open a: denied", Some(Box::new(Layer("denied", Some(Box::new(Layer("why", None)))))));
        assert_eq!(causes(&error), ["cannot open a: denied", "why"]);
    }

    #[test]
    fn wrong_usage_is_told_in_our_voice() {
        let clap = "error: unexpected argument '--jsn' found\n\n  tip: a similar argument exists: '--json'\n\n\
                    Usage: estrange doctor --json\n\nFor more information, try '--help'.\n";
        assert_eq!(
            usage_lines(clap),
            [
                "error: unexpected argument '--jsn' found",
                "hint: a similar argument exists: '--json'",
                "usage: estrange doctor --json",
                "hint: for more, try '--help'",
            ]
        );
    }
}
