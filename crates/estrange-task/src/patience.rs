//! What a server's refusals mean: of one function, or of everything that it will be asked.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use estrange_model::openai::ServerError;
use estrange_model::{Event, ModelError, Watch};

/// A server that refuses so many prompts before it has answered one does not refuse them for what is in them.
const MOST_REFUSALS: usize = 8;

/// How many refusals of a server are taken to be about a single function.
#[derive(Default)]
pub(crate) struct Patience {
    refusals: AtomicUsize,
    is_answered: AtomicBool,
}

/// Why a single question has no answer, where the others may have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// It is too long for the model.
    TooLong,
    /// The server refused it.
    Refused,
}

impl Patience {
    /// Told that a question was answered.
    pub fn answered(&self) {
        self.is_answered.store(true, Ordering::Relaxed);
    }

    /// Why a question is lost by an error, if the others need not be.
    pub fn loss(&self, error: &ModelError, watch: &dyn Watch) -> Option<Unanswered> {
        let (status, message) = match error {
            ModelError::TooLong { .. } => return Some(Unanswered::TooLong),
            ModelError::Server(ServerError::Refused { status: status @ (400 | 413 | 422), message, .. }) => {
                (*status, message)
            }
            _ => return None,
        };
        if !self.is_answered.load(Ordering::Relaxed)
            && self.refusals.fetch_add(1, Ordering::Relaxed) + 1 >= MOST_REFUSALS
        {
            return None;
        }
        if status == 413 || ["context length", "context_length"].iter().any(|words| message.contains(words)) {
            return Some(Unanswered::TooLong);
        }
        watch.happened(Event::Refused { detail: message });
        Some(Unanswered::Refused)
    }
}
