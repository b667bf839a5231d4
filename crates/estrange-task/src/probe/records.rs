//! What a run of the probe has besides its questions and what every run has: what was answered, as it was understood.

use estrange_bench::{Problem, record};

record! {
    /// An answer as it was understood: one row of `responses.parquet`.
    pub struct Response in "responses.parquet" {
        /// The item.
        pub item: String,
        /// The setting.
        pub setting: String,
        /// Its seed.
        pub seed: u32,
        /// Which of several answers it is, counted from 0.
        pub sample: u32,
        /// The value, as it was written; none where there is a problem.
        pub value: Option<String>,
        /// Why there is none.
        pub problem: Option<Problem>,
        /// The same in detail.
        pub detail: Option<String>,
        /// Of a summary, where the right function stands among those that are found by it, from 1.
        pub rank: Option<u32>,
    }
}
