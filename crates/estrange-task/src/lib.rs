//! What models are asked about the functions of a bench, and what their answers are worth.
//!
//! | what | where |
//! |---|---|
//! | the shape that every task has: items, answers, scores; runs that go on after a kill; scoring without the model | [`task`] |
//! | descriptions of functions, which are searched for | [`query`] |
//! | finding a function by its description, as names, shape and language are taken away | [`search`] |
//! | telling a function with a bug from the same one without it, as its surface changes | [`detect`] |
//! | saying what a function does on an input, as its surface changes | [`probe`] |
//! | writing a function by its description, in the names and shapes of a setting | [`generate`] |
//! | what a model can do with the same functions in all of these, and how much of that goes with the names | [`profile`] |
//! | having people review what was written | [`review`] |
//! | how much of a unit is seen with a function | [`seen`] |
//!
//! This crate knows records of a bench, not its files; it asks models through their traits, and scores by
//! `estrange-stats`.
//!
//! A task is a value that implements [`task::Task`]. Its items, answers and scores stand in tables that all tasks share;
//! what else it has to keep, it keeps in tables of its own, which `estrange-bench` need not know. `tests/second_task.rs` is a
//! whole task in one file.

mod asking;
pub mod detect;
mod drawn;
mod fall;
pub mod generate;
mod given;
mod interview;
mod patience;
mod places;
pub mod probe;
pub mod profile;
pub mod query;
pub mod review;
pub mod search;
pub mod seen;
mod sheets;
mod spoken;
pub mod task;
