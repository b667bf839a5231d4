//! Progress on a terminal: a line for each source under way, and one for all of them, with counts and time left.
//!
//! Bars are drawn on stderr, and only where a person watches. Where stderr is no terminal, a plain line a minute says
//! how far the work is, for those who look into the log. Neither is shown with `--quiet` or beside logs.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{logs, voice};

/// Everything that is drawn; at most one in a process, so that [`above`] knows what is in the way.
static BARS: OnceLock<MultiProgress> = OnceLock::new();

const TICK: Duration = Duration::from_millis(120);
/// How often a plain line is written.
const PAUSE: Duration = Duration::from_secs(60);
const ALL: &str = "[{bar:24}] {pos} of {len} {msg}, {elapsed}";
/// Time left can be told once the first thing is done.
const ALL_ESTIMATED: &str = "[{bar:24}] {pos} of {len} {msg}, {elapsed}, about {eta} left";
const STEP: &str = "{spinner} {prefix}  {msg}";
const COUNT: &str = "{spinner} {prefix}  {msg}  [{bar:24}] {pos} of {len}, {elapsed}";
const BYTES: &str = "{spinner} {prefix}  {msg}  [{bar:24}] {bytes} of {total_bytes}, about {eta} left";
const BYTES_ONLY: &str = "{spinner} {prefix}  {msg}  {bytes}";

/// What everything is drawn with.
pub fn bars() -> MultiProgress {
    BARS.get_or_init(MultiProgress::new).clone()
}

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
    log: Option<Arc<Log>>,
}

impl Progress {
    /// Progress through things of one `kind`, each with a name.
    pub fn new(kind: &'static str, names: impl ExactSizeIterator<Item = String>, quiet: bool) -> Self {
        let is_wanted = !quiet && !logs::wanted();
        let is_watched = std::io::stderr().is_terminal();
        let bars = bars();
        if !is_wanted || !is_watched {
            bars.set_draw_target(ProgressDrawTarget::hidden());
        }
        let log = (is_wanted && !is_watched).then(|| Log::every(PAUSE, voice::note));
        let count = names.len();
        let width = names.map(|name| name.chars().count()).max().unwrap_or_default();
        let all = bars.add(ProgressBar::new(count as u64).with_style(style(ALL)).with_message(kind));
        all.enable_steady_tick(TICK);
        Self { bars, all, width, log }
    }

    /// The line of one thing, while it is under way.
    pub fn line(&self, name: &str) -> Line {
        self.begin(name, Some(self.all.clone()))
    }

    /// The line of what is done with all of them together, after each.
    pub fn together(&self) -> Line {
        self.all.set_style(style(ALL));
        self.begin(&format!("all {}", self.all.message()), None)
    }

    fn begin(&self, name: &str, counted: Option<ProgressBar>) -> Line {
        let bar = self.bars.insert_before(&self.all, ProgressBar::new_spinner().with_style(style(STEP)));
        bar.set_prefix(format!("{name:width$}", width = self.width));
        bar.enable_steady_tick(TICK);
        let log = self.log.clone().map(|log| (log.add(&bar), log));
        Line { counted, bar, log }
    }

    /// Takes everything off the screen.
    pub fn clear(&self) {
        let _ = self.bars.clear();
        self.bars.set_draw_target(ProgressDrawTarget::hidden());
    }
}

/// One thing under way; its line goes, and the count goes up if it counts, when this is dropped.
#[derive(Debug)]
pub struct Line {
    counted: Option<ProgressBar>,
    bar: ProgressBar,
    log: Option<(u64, Arc<Log>)>,
}

impl Line {
    /// Says what is being done now.
    pub fn says(&self, what: &str) {
        self.bar.unset_length();
        self.bar.reset_elapsed();
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

/// What a line shows, in words alone.
fn plain(bar: &ProgressBar) -> String {
    let (name, step) = (bar.prefix(), bar.message());
    let name = name.trim_end();
    match bar.length() {
        Some(of) => format!("{name}: {step}, {} of {of}", bar.position()),
        None => format!("{name}: {step}"),
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some((number, log)) = &self.log {
            log.lines().retain(|(other, _)| other != number);
        }
        self.bar.finish_and_clear();
        if let Some(all) = &self.counted {
            all.set_style(style(ALL_ESTIMATED));
            all.inc(1);
        }
    }
}

/// What is under way, for a line now and then whether or not something happens: work that takes long is silent.
#[derive(Debug, Default)]
struct Log {
    lines: Mutex<Vec<(u64, ProgressBar)>>,
}

impl Log {
    /// One that says every `pause` how far the work is, for as long as there is someone to add to it.
    fn every(pause: Duration, say: impl Fn(&str) + Send + 'static) -> Arc<Self> {
        let log = Arc::new(Self::default());
        let watched = Arc::downgrade(&log);
        thread::spawn(move || {
            loop {
                thread::sleep(pause);
                let Some(log) = watched.upgrade() else { break };
                let said = log.said();
                drop(log);
                said.into_iter().for_each(|line| say(&line));
            }
        });
        log
    }

    fn lines(&self) -> MutexGuard<'_, Vec<(u64, ProgressBar)>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line; gives the number by which it is taken out again.
    fn add(&self, bar: &ProgressBar) -> u64 {
        let mut lines = self.lines();
        let number = lines.last().map_or(0, |(last, _)| last + 1);
        lines.push((number, bar.clone()));
        number
    }

    /// The line that has been there longest, and how many others there are.
    fn said(&self) -> Option<String> {
        let lines = self.lines();
        let (_, first) = lines.first()?;
        Some(match lines.len() - 1 {
            0 => plain(first),
            others => format!("{}; {others} more under way", plain(first)),
        })
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

    #[test]
    fn a_plain_line_says_what_is_done_and_how_much_of_it() {
        let progress = Progress::new("sources", ["deb:zlib".to_owned()].into_iter(), true);
        let line = progress.line("deb:zlib");
        line.says("changing shapes");
        assert_eq!(plain(&line.bar), "deb:zlib: changing shapes");
        line.counts(40, 100);
        assert_eq!(plain(&line.bar), "deb:zlib: changing shapes, 40 of 100");
    }

    #[test]
    fn a_step_that_takes_long_is_told_though_nothing_happens() {
        let (sender, said) = std::sync::mpsc::channel();
        let log = Log::every(Duration::from_millis(5), move |line| sender.send(line.to_owned()).unwrap_or_default());
        let bar = ProgressBar::hidden().with_prefix("deb:zlib ").with_message("changing shapes");
        let number = log.add(&bar);
        for _ in 0..3 {
            assert_eq!(said.recv(), Ok("deb:zlib: changing shapes".to_owned()));
        }
        log.add(&ProgressBar::hidden().with_prefix("deb:expat").with_message("linking"));
        assert!(said.iter().take(100).any(|line| line == "deb:zlib: changing shapes; 1 more under way"));
        log.lines().retain(|(other, _)| *other != number);
        assert!(said.iter().take(100).any(|line| line == "deb:expat: linking"));
        // With nobody left to add to it, it ends.
        drop(log);
        assert!(said.iter().count() < 100);
    }
}
