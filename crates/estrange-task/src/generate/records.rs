//! What a run of generation has besides what every run has: what its items are, and what became of answers.

use estrange_bench::{End, Group, Language, Mistake, Outcome, Problem, Split, Writing, record};

record! {
    /// What an item is: one row of `assignments.parquet`. With it, a run can be scored without its bench.
    pub struct Assignment in "assignments.parquet" {
        /// The item: the function's id.
        pub item: String,
        /// The setting.
        pub setting: String,
        /// Its seed.
        pub seed: u32,
        /// What was asked for.
        pub asks: Writing,
        /// The function's name as it was written.
        pub name: String,
        /// The source that it is from.
        pub source: String,
        /// Its file.
        pub path: String,
        /// Its language.
        pub language: Language,
        /// How much it depends on.
        pub group: Group,
        /// What its source is for.
        pub split: Split,
        /// The class of its licence.
        pub licence_class: String,
        /// How many lines of code the function has in this setting.
        pub loc: u32,
        /// How far its text is from the one before the rewrite.
        pub surface_distance: f64,
        /// On how many inputs answers are run, or how many tests they have to pass.
        pub inputs: u32,
        /// The share of planted mistakes that these show, where that was found out.
        pub kill_rate: Option<f64>,
        /// The day on which the function last changed, as `2024-05-31`, where that is known.
        pub date: Option<String>,
        /// The function as it is in this setting: what an answer stands in the place of.
        pub text: String,
    }
}

record! {
    /// What became of an answer: one row of `marks.parquet`.
    pub struct Mark in "marks.parquet" {
        /// The item.
        pub item: String,
        /// The setting.
        pub setting: String,
        /// Its seed.
        pub seed: u32,
        /// Which of several answers it is, counted from 0.
        pub sample: u32,
        /// What became of it.
        pub outcome: Outcome,
        /// Why there is no reply, where there is none.
        pub problem: Option<Problem>,
        /// How a call ended that shows it.
        pub end: Option<End>,
        /// The mistake for which it does not compile, as gcc's messages tell it.
        pub gcc_mistake: Option<Mistake>,
        /// The same as clang's tell it.
        pub clang_mistake: Option<Mistake>,
        /// The code that was taken from the reply.
        pub code: Option<String>,
        /// What the compiler, the linker or the test said.
        pub detail: Option<String>,
        /// Of one that passes, its steps for each of the function's.
        pub steps: Option<f64>,
        /// Of one that passes, the bytes that it leaves in use beyond the function's.
        pub left: Option<u32>,
        /// How one that passes ends where memory is short and the function ends well, if that is a fault.
        pub short_of_memory: Option<End>,
    }
}
