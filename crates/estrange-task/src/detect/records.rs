//! What a run of a detection has besides what every run has: what its items are, and what was said of them.

use estrange_bench::{End, Label, Language, Problem, Side, Verdict, record};

record! {
    /// What an item is: one row of `cases.parquet`. With it, a run can be scored without its bench.
    pub struct Case in "cases.parquet" {
        /// The item, as in the tables that every run has: the pair and the side.
        pub item: String,
        /// The setting.
        pub setting: String,
        /// Its seed.
        pub seed: u32,
        /// The pair.
        pub pair: String,
        /// Which side of it was shown.
        pub side: Side,
        /// What stands behind the word that the pair has a bug.
        pub label: Label,
        /// How the vulnerable side ends on its trigger, where that is known.
        pub class: Option<End>,
        /// The number of its weakness.
        pub cwe: Option<u32>,
        /// The line of the text that was shown on which the vulnerable side faults, counted from 1; none on the patched
        /// side, and where the fault is outside of what was shown.
        pub fault_line: Option<u32>,
        /// What it is written in.
        pub language: Language,
        /// What mends it. Pairs of one fix have the same.
        pub fix: String,
        /// How many functions the fix changes.
        pub changed_functions: u32,
        /// How many tokens of C the text has.
        pub tokens: u32,
        /// How far the function's text is from the one before the rewrite.
        pub surface_distance: f64,
    }
}

record! {
    /// What a detector said of an item, as it was understood: one row of `verdicts.parquet`.
    pub struct Opinion in "verdicts.parquet" {
        /// The item.
        pub item: String,
        /// The setting.
        pub setting: String,
        /// Its seed.
        pub seed: u32,
        /// Which of several answers it is, counted from 0.
        pub sample: u32,
        /// What it says; none where there is a problem.
        pub verdict: Option<Verdict>,
        /// Which weakness it names.
        pub cwe: Option<u32>,
        /// Which line of the shown text it names, counted from 1.
        pub line: Option<u32>,
        /// How sure it says it is, from 0 to 1.
        pub confidence: Option<f64>,
        /// Why, in its words.
        pub reason: Option<String>,
        /// Why there is no verdict.
        pub problem: Option<Problem>,
        /// The same in detail.
        pub detail: Option<String>,
    }
}
