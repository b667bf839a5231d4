//! Reports of a document that is made up from a seed: their tables in every format, and their page in a real browser.

#![allow(clippy::unwrap_used)]

mod browser;
mod code;
mod page;
mod sample;
mod tables;
