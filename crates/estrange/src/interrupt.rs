//! Ctrl-C: the first one stops the work cleanly, the second one ends the process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::voice;

/// Whether the user wants the work to stop; cheap to clone and to ask.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Whether Ctrl-C was pressed.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Watches for Ctrl-C, and for a polite request to end (SIGTERM, SIGHUP).
pub fn watch() -> Result<Interrupt, ctrlc::Error> {
    let interrupt = Interrupt::default();
    let flag = Arc::clone(&interrupt.0);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        voice::warning("stopping; press Ctrl-C again to end at once");
    })?;
    Ok(interrupt)
}
