//! Progress on a terminal: a line for each source under way, and one for all of them, with counts and time left.
//!
//! Bars are drawn on stderr, and only where a person watches: not when stderr is no terminal, not with `--quiet`, and
//! not beside logs.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::logs;

/// Everything that is drawn; at most one in a process, so that [`above`] knows what is in the way.
static BARS: OnceLock<MultiProgress> = OnceLock::new();

const TICK: Duration = Duration::from_millis(120);
const ALL: &str = "[{bar:24}] {pos} of {len} {msg}, {elapsed}";
/// Time left can be told once the first thing is done.
const ALL_ESTIMATED: &str = "[{bar:24}] {pos} of {len} {msg}, {elapsed}, about {eta} left";
const STEP: &str = "{spinner} {prefix}  {msg}";
const COUNT: &str = "{spinner} {prefix}  {msg}  [{bar:24}] {pos} of {len}";
const BYTES: &str = "{spinner} {prefix}  {msg}  [{bar:24}] {bytes} of {total_bytes}, about {eta} left";
const BYTES_ONLY: &str = "{spinner} {prefix}  {msg}  {bytes}";

/// Writes to stderr with the bars out of the way.
pub fn above(write: impl FnOnce()) {
    match BARS.get() {
        Some(bars) => bars.suspend(write),
        None => write(),
    }
}

/// The progress of a whole command.
#[derive(Debug)]
pub struct Progress {
    bars: MultiProgress,
    all: ProgressBar,
    /// How wide the longest name is, so that what is said about each thing lines up.
    width: usize,
}

impl Progress {
    /// Progress through things of one `kind`, each with a name.
    pub fn new(kind: &'static str, names: impl ExactSizeIterator<Item = String>, quiet: bool) -> Self {
        let shown = !quiet && !logs::wanted() && std::io::stderr().is_terminal();
        let bars = BARS.get_or_init(MultiProgress::new).clone();
        if !shown {
            bars.set_draw_target(ProgressDrawTarget::hidden());
        }
        let count = names.len();
        let width = names.map(|name| name.chars().count()).max().unwrap_or_default();
        let all = bars.add(ProgressBar::new(count as u64).with_style(style(ALL)).with_message(kind));
        all.enable_steady_tick(TICK);
        Self { bars, all, width }
    }

    /// The line of one thing, while it is under way.
    pub fn line(&self, name: &str) -> Line {
        let bar = self.bars.insert_before(&self.all, ProgressBar::new_spinner().with_style(style(STEP)));
        bar.set_prefix(format!("{name:width$}", width = self.width));
        bar.enable_steady_tick(TICK);
        Line { all: self.all.clone(), bar }
    }

    /// Takes everything off the screen.
    pub fn clear(&self) {
        let _ = self.bars.clear();
        self.bars.set_draw_target(ProgressDrawTarget::hidden());
    }
}

/// One thing under way; its line goes, and the count goes up, when this is dropped.
#[derive(Debug)]
pub struct Line {
    all: ProgressBar,
    bar: ProgressBar,
}

impl Line {
    /// Says what is being done now.
    pub fn says(&self, what: &str) {
        self.bar.unset_length();
        self.bar.set_style(style(STEP));
        self.bar.set_message(what.to_owned());
    }

    /// Says how much of that is done.
    pub fn counts(&self, done: usize, of: usize) {
        self.bar.set_style(style(COUNT));
        self.bar.set_length(of as u64);
        self.bar.set_position(done as u64);
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        self.all.set_style(style(ALL_ESTIMATED));
        self.all.inc(1);
    }
}

impl estrange_source::Progress for Line {
    fn started(&self, what: &str, bytes: Option<u64>) {
        self.says(what);
        self.bar.reset();
        if let Some(bytes) = bytes {
            self.bar.set_length(bytes);
            self.bar.set_style(style(BYTES));
        }
    }

    fn advanced(&self, bytes: u64) {
        if self.bar.length().is_none() && self.bar.position() == 0 {
            self.bar.set_style(style(BYTES_ONLY));
        }
        self.bar.inc(bytes);
    }

    fn message(&self, text: &str) {
        self.says(text);
    }

    fn finished(&self) {
        self.bar.unset_length();
        self.bar.set_style(style(STEP));
    }
}

fn style(template: &str) -> ProgressStyle {
    // The templates are constants of this file; a wrong one shows as the plain default.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("=> ").tick_chars("|/-\\ ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_well_formed() {
        for template in [ALL, ALL_ESTIMATED, STEP, COUNT, BYTES, BYTES_ONLY] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
