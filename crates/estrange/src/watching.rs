//! How far a model is, for a person who waits: a bar on a terminal, a line a minute elsewhere, and what a server does.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use estrange_model::{Event, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::interrupt::Interrupt;
use crate::{logs, progress, voice};

const TEXTS: &str = "[{bar:24}] {pos} of {len} texts {msg}, {elapsed}";
const STEP: &str = "{spinner} {msg}, {elapsed}";
/// How often the terminal is looked after, and how often a plain line is written elsewhere.
const TICK: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_secs(60);
/// A server that takes no longer is not worth a word.
const SOON: Duration = Duration::from_secs(5);

/// Shows how far a model is, and ends its work at Ctrl-C.
pub struct Watching {
    shown: Arc<Shown>,
    interrupt: Interrupt,
    /// Ends with this.
    _pulse: Option<Pulse>,
}

struct Shown {
    bar: ProgressBar,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    what: String,
    /// Requests that are on their way.
    under_way: usize,
    /// Since when nothing has come back.
    since: Option<Instant>,
    /// When something was said last: what repeats itself is said once a minute.
    said: HashMap<String, Instant>,
}

impl Watching {
    /// Watches over work that has yet to [begin](Self::begins).
    pub fn new(quiet: bool, interrupt: &Interrupt) -> Self {
        let is_wanted = !quiet && !logs::wanted();
        let is_watched = std::io::stderr().is_terminal();
        let bar = progress::bars().add(ProgressBar::new_spinner());
        match is_wanted && is_watched {
            // What was shown before may have ended with all that is drawn.
            true => progress::bars().set_draw_target(ProgressDrawTarget::stderr()),
            false => bar.set_draw_target(ProgressDrawTarget::hidden()),
        }
        let shown = Arc::new(Shown { bar, state: Mutex::default() });
        let own = Arc::clone(&shown);
        let pulse = is_wanted.then(|| match is_watched {
            true => Pulse::every(TICK, move || own.draw()),
            false => Pulse::every(PAUSE, move || voice::note(&own.plain())),
        });
        Self { shown, interrupt: interrupt.clone(), _pulse: pulse }
    }

    /// Says what is done now, and how many texts it is about, if that can be said.
    pub fn begins(&self, what: impl Into<String>, texts: Option<usize>) {
        let bar = &self.shown.bar;
        self.shown.state().what = what.into();
        bar.reset();
        match texts {
            Some(texts) => bar.set_length(texts as u64),
            None => bar.unset_length(),
        }
        let style = ProgressStyle::with_template(if texts.is_some() { TEXTS } else { STEP });
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        self.shown.draw();
    }
}

impl Watch for Watching {
    fn done(&self, texts: usize) {
        self.shown.bar.inc(texts as u64);
    }

    fn should_stop(&self) -> bool {
        self.interrupt.is_set()
    }

    fn happened(&self, event: Event<'_>) {
        let words = match event {
            Event::Asked | Event::Returned => {
                let mut state = self.shown.state();
                match event {
                    Event::Asked => state.under_way += 1,
                    _ => state.under_way = state.under_way.saturating_sub(1),
                }
                if state.under_way == 0 || event == Event::Returned || state.since.is_none() {
                    state.since = (state.under_way > 0).then(Instant::now);
                }
                return;
            }
            Event::Again { detail, attempt, pause } => {
                let after = match pause.as_secs() {
                    0 => "at once".to_owned(),
                    seconds => format!("in {seconds} s"),
                };
                format!("the server gave no answer, attempt {attempt}: {detail}; it is asked again {after}")
            }
            Event::Unwanted { parameter, instead: None } => {
                format!("the server does not want `{parameter}`, which is left out")
            }
            Event::Unwanted { parameter, instead: Some(instead) } => {
                format!("the server does not want `{parameter}`, which is sent as `{instead}`")
            }
            Event::Refused { detail } => format!("the server refuses a function: {detail}"),
        };
        if self.shown.state().is_due(&words) {
            voice::warning(&words);
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.shown.bar.finish_and_clear();
    }
}

impl Shown {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self) {
        let words = self.state().words();
        self.bar.set_message(words);
        self.bar.tick();
    }

    /// What is shown, in words alone.
    fn plain(&self) -> String {
        let (words, done) = (self.state().words(), self.bar.position());
        match self.bar.length() {
            Some(texts) => format!("{done} of {texts} texts {words}"),
            None => words,
        }
    }
}

impl State {
    fn words(&self) -> String {
        let what = &self.what;
        match self.since.map(|since| since.elapsed()).filter(|silence| *silence >= SOON) {
            None => what.clone(),
            Some(silence) => {
                let requests = if self.under_way == 1 { "request waits" } else { "requests wait" };
                format!("{what}; {} {requests}, for {} s now", self.under_way, silence.as_secs())
            }
        }
    }

    /// Whether something was not said within the last minute; it counts as said now.
    fn is_due(&mut self, words: &str) -> bool {
        let is_due = self.said.get(words).is_none_or(|last| last.elapsed() >= PAUSE);
        if is_due {
            self.said.insert(words.to_owned(), Instant::now());
        }
        is_due
    }
}

/// Does something again and again, on a thread of its own, until it is dropped.
struct Pulse {
    is_over: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Pulse {
    fn every(pause: Duration, beat: impl Fn() + Send + 'static) -> Self {
        let is_over = Arc::new((Mutex::new(false), Condvar::new()));
        let own = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            let (is_over, woken) = &*own;
            let mut guard = is_over.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let waited = woken.wait_timeout_while(guard, pause, |is_over| !*is_over);
                guard = waited.unwrap_or_else(PoisonError::into_inner).0;
                if *guard {
                    break;
                }
                beat();
            }
        });
        Self { is_over, thread: Some(thread) }
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        *self.is_over.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.is_over.1.notify_all();
        // A beat that panicked has said so itself.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_pulse_beats_until_it_is_dropped() {
        let beats = Arc::new(AtomicUsize::new(0));
        let own = Arc::clone(&beats);
        let pulse = Pulse::every(Duration::from_millis(5), move || {
            own.fetch_add(1, Ordering::SeqCst);
        });
        while beats.load(Ordering::SeqCst) < 3 {
            thread::sleep(Duration::from_millis(1));
        }
        drop(pulse);
        let then = beats.load(Ordering::SeqCst);
        thread::sleep(Duration::from_millis(30));
        assert_eq!(beats.load(Ordering::SeqCst), then);
    }

    #[test]
    fn a_plain_line_says_how_far_it_is_and_for_how_long_a_server_is_silent() {
        let watching = Watching::new(true, &Interrupt::default());
        watching.begins("reading the bench", None);
        assert_eq!(watching.shown.plain(), "reading the bench");
        watching.begins("made into vectors", Some(9));
        watching.done(4);
        watching.happened(Event::Asked);
        watching.happened(Event::Asked);
        assert_eq!(watching.shown.plain(), "4 of 9 texts made into vectors");
        watching.shown.state().since = Instant::now().checked_sub(Duration::from_secs(62));
        assert_eq!(watching.shown.plain(), "4 of 9 texts made into vectors; 2 requests wait, for 62 s now");
        watching.happened(Event::Returned);
        assert_eq!(watching.shown.plain(), "4 of 9 texts made into vectors");
    }

    #[test]
    fn every_template_is_well_formed() {
        for template in [TEXTS, STEP] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }

    #[test]
    fn what_repeats_itself_is_said_once_a_minute() {
        let mut state = State::default();
        assert!(state.is_due("busy") && !state.is_due("busy") && state.is_due("broken"));
    }
}
