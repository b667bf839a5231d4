//! Questions about what functions do, each with its answer: who makes them knows what running showed, who asks them need not.

use estrange_words::Language;

use crate::rows::record;
use crate::words::Asks;

record! {
    /// What a function comes to on one input, or which function it is: one row of a run's `questions.parquet`.
    pub struct Question in "questions.parquet" {
        /// What it is called: the pair, and a number or `summary`. At every level of the pair it is the same question, under other names.
        pub item: String,
        /// The level, such as `L2`.
        pub setting: String,
        /// Its seed.
        pub seed: u32,
        /// The pair whose patched side is asked about.
        pub pair: String,
        /// The id of that side.
        pub function_id: String,
        /// What it is written in.
        pub language: Language,
        /// Whether it is about a call or for a summary.
        pub asks: Asks,
        /// The call with all that it is given, as code that could stand behind the unit; nothing where there is none.
        pub call: String,
        /// What is asked of it.
        pub asked: String,
        /// The answer, as code writes it: a number, a text in quotes, `NULL`, or several of these in braces. That to a summary
        /// is the pair whose function is meant.
        pub answer: String,
        /// How many bits its whole numbers have, the widest of several.
        pub bits: Option<u32>,
    }
}
