//! What a run is busy with, in the words of its command.

use estrange_model::{Event, Watch};
use estrange_task::task::{Progress, Stage};

use crate::watching::Watching;

/// Shows how far a run is.
pub struct Telling<'w> {
    /// Where.
    pub watching: &'w Watching,
    /// What is said of texts in each stage.
    pub words: fn(Stage) -> &'static str,
}

impl Watch for Telling<'_> {
    fn done(&self, texts: usize) {
        self.watching.done(texts);
    }

    fn should_stop(&self) -> bool {
        self.watching.should_stop()
    }

    fn happened(&self, event: Event<'_>) {
        self.watching.happened(event);
    }
}

impl Progress for Telling<'_> {
    fn begins(&self, stage: Stage, texts: Option<usize>) {
        self.watching.begins((self.words)(stage), texts);
    }
}
