//! What models answered, kept on disk by content: one file that only grows.
