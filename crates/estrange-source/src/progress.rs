//! What a fetch tells while it works, for whoever draws the progress bar.

/// Hears what one fetch is doing. Every method does nothing unless overridden, and may be called from any thread.
///
/// A fetch goes through several steps (resolving, downloading, unpacking, …): each is one `started`, any number of
/// `advanced`, and one `finished`, also when the step fails.
pub trait Progress: Sync {
    /// A step begins; `bytes` is what [`Progress::advanced`] will add up to, where that is known.
    fn started(&self, what: &str, bytes: Option<u64>) {
        let _ = (what, bytes);
    }

    /// So many more bytes are done.
    fn advanced(&self, bytes: u64) {
        let _ = bytes;
    }

    /// Something a person may want to read; no part of the result.
    fn message(&self, text: &str) {
        let _ = text;
    }

    /// The step that began last is over.
    fn finished(&self) {}
}

/// Hears nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}

/// A step under way; it is finished when this is dropped.
pub(crate) struct Step<'a>(&'a dyn Progress);

impl<'a> Step<'a> {
    pub(crate) fn new(progress: &'a dyn Progress, what: &str, bytes: Option<u64>) -> Self {
        tracing::debug!(what, bytes, "started");
        progress.started(what, bytes);
        Self(progress)
    }

    pub(crate) fn advanced(&self, bytes: u64) {
        self.0.advanced(bytes);
    }
}

impl Drop for Step<'_> {
    fn drop(&mut self) {
        self.0.finished();
    }
}
