//! What models are asked about the functions of a bench, and what their answers are worth.
//!
//! | what | where |
//! |---|---|
//! | descriptions of functions, which are searched for | [`query`] |
//! | finding a function by its description, as names, shape and language are taken away | [`search`] |
//!
//! This crate knows records of a bench, not its files; it asks models through their traits, and scores by
//! `estrange-stats`.

pub mod query;
pub mod search;
