//! The records of pairs: a function with a bug, the same function without it, and both after rewrites that left the bug where
//! it was.
//!
//! Both sides are functions of the bench, with one lineage. A bench has these tables where `estrange pairs` made it.

use estrange_words::{End, Reason, Stage};
use serde::{Deserialize, Serialize};

use crate::json::Json;
use crate::rows::record;
use crate::words::{Label, Side};

record! {
    /// A function with a bug and the same function without it: one row of `pairs.parquet`.
    pub struct BugPair {
        /// What it is called; no other pair of the bench is called so.
        pub name: String,
        /// The lineage of both sides.
        pub lineage: String,
        /// The id of the function with the bug.
        pub vulnerable_id: String,
        /// The id of the one without it.
        pub patched_id: String,
        /// The patch or the commit that mends it, or the folder of the pair. Pairs of one fix have the same.
        pub fix: String,
        /// How many functions the fix changes.
        pub changed_functions: u32,
        /// What the fix changes, as a unified diff.
        pub patch: String,
        /// What whoever mended it says about it.
        pub description: String,
        /// The numbers of the vulnerability, such as `CVE-2024-45490`.
        pub cves: Vec<String>,
        /// The number of the weakness (CWE), where somebody said it or the fault tells.
        pub cwe: Option<u32>,
        /// What stands behind the word that it has a bug.
        pub label: Label,
        /// Why it is not confirmed, where it is not.
        pub reason: Option<Reason>,
        /// Why, in detail.
        pub detail: Option<String>,
        /// The input on which the vulnerable side faults, as `check --input` reads it.
        pub trigger: Option<String>,
        /// How it ends there.
        pub class: Option<End>,
        /// The function in which it ends.
        pub fault_function: Option<String>,
        /// The line of the linked unit on which it ends, counted from 1.
        pub fault_line: Option<u32>,
        /// That line, without the blanks around it.
        pub fault_text: Option<String>,
    }
}

record! {
    /// Both sides of a pair after a recipe: one row of `rungs.parquet`. Of a pair that is crash-confirmed, the bug is still
    /// there on one side and not on the other; of one that is not, nothing was run.
    pub struct Rung {
        /// The name of the pair.
        pub pair: String,
        /// The setting, such as `L2`; `L0` is as it was written.
        pub setting: String,
        /// The seed.
        pub seed: u32,
        /// The unit of the vulnerable side, linked where it can be: a file that compiles by itself.
        pub vulnerable_unit: String,
        /// Where its function begins there, in bytes of UTF-8.
        pub vulnerable_start: u32,
        /// Where it ends.
        pub vulnerable_end: u32,
        /// The line of that unit on which it faults, counted from 1.
        pub fault_line: Option<u32>,
        /// The unit of the patched side.
        pub patched_unit: String,
        /// Where its function begins there.
        pub patched_start: u32,
        /// Where it ends.
        pub patched_end: u32,
        /// One minus the ratio of Python's `difflib.SequenceMatcher` on the characters of the vulnerable function's texts,
        /// before and after.
        pub surface_distance: f64,
        /// How many times as long it is, in characters.
        pub expansion: f64,
        /// What was run: a JSON object.
        pub evidence: Json<RungEvidence>,
    }
}

record! {
    /// What is not there: one row of `unpaired.parquet`.
    pub struct Unpaired {
        /// The fix.
        pub fix: String,
        /// The pair, as far as there is one.
        pub pair: Option<String>,
        /// The setting, where it is about a rung.
        pub setting: Option<String>,
        /// Its seed.
        pub seed: Option<u32>,
        /// The side that it is about, where it is about one.
        pub side: Option<Side>,
        /// Where on the way it was lost.
        pub stage: Stage,
        /// Why.
        pub reason: Reason,
        /// Why, in detail.
        pub detail: String,
    }
}

/// What was run of a rung.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RungEvidence {
    /// By each compiler; nothing where there is no trigger.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<RungEnds>,
    /// How often each side was run by each compiler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// What faults in the vulnerable side: the operation with the types of its operands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
}

/// How both sides ended under one compiler's sanitizers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RungEnds {
    /// The compiler.
    pub compiler: String,
    /// The vulnerable side.
    pub vulnerable: Ended,
    /// The patched one.
    pub patched: Ended,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// How.
    pub end: End,
    /// The function in which it ended, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The line of the unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}
