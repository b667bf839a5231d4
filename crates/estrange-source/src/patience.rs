//! How long a server is waited for, and how often it is asked.

use std::time::Duration;

/// How patient a download is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// How long a server may be silent.
    pub(crate) silence: Duration,
    /// How often in a row an attempt may bring nothing new.
    pub(crate) attempts: u32,
    /// The pause after the first such attempt; it doubles each time.
    pub(crate) pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { silence: Duration::from_secs(30), attempts: 4, pause: Duration::from_millis(500) }
    }
}
