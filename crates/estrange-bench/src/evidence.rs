//! What a machine checked about a function or a variant, as it stands in the column `evidence`.
//!
//! The types are plain: how each thing was found out is the business of those who write them. In the column they are one
//! JSON object, made once when the row is written; what cannot be read back is an error, never "nothing was checked".
//!
//! **To add to the evidence,** add a field where it belongs in the alphabet, as an `Option` that is skipped where it is
//! none. So the texts of benches that lack it stay as they are.

use std::collections::BTreeMap;

use estrange_words::{Reason, Tier, words};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What was checked about the unit of a function.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UnitEvidence {
    /// Of imported functions: `nothing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<String>,
    /// The tools that accept the unit, with their versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiles: Option<BTreeMap<String, String>>,
    /// Where imported functions come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<String>,
    /// By optimisation level: how the function's code compares with the code that it has in its project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_code: Option<BTreeMap<String, SameCode>>,
    /// By level too: what explains a difference, or what differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_code_notes: Option<BTreeMap<String, Value>>,
}

words! {
    /// How the code of a function in its unit compares with the code that it has in its project.
    pub enum SameCode {
        /// The same as in its project.
        Same = "same",
        /// The same as in its project, but for a reason that was checked.
        Explained = "explained",
        /// Other than in its project.
        Different = "different",
        /// None in its project to compare with.
        AbsentInOriginal = "absent-in-original",
        /// None in the unit to compare.
        AbsentInUnit = "absent-in-unit",
        /// None to compare with, as its project's file does not compile.
        OriginalDoesNotCompile = "original-does-not-compile",
        /// None, as gcc does not compile the unit.
        Refused = "refused",
    }
}

/// What was checked about a variant.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct VariantEvidence {
    /// What running both sides showed, where they were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<Behaviour>,
    /// Of imported variants: `nothing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<String>,
    /// The tools, with their versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compilers: Option<BTreeMap<String, String>>,
    /// The names in the data that differ as the new names say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explained: Option<Vec<Explanation>>,
    /// How the code of both sides compares, by compiler and level, such as `gcc_o2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identical_code: Option<BTreeMap<String, IdenticalCode>>,
    /// Where imported variants come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<String>,
    /// What a template was instantiated with, in the old names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The names that stay, since the language itself asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
    /// What a prover showed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<Proof>,
    /// The rewrites of shape that were done, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<String>,
    /// The same about the text with its helpers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_helpers: Option<Box<VariantEvidence>>,
}

impl VariantEvidence {
    /// Whether the code of the variant itself differs in names in its data, each explained. What was shown of it with its
    /// helpers does not count.
    pub fn is_explained(&self) -> bool {
        self.identical_code.iter().flat_map(BTreeMap::values).any(|verdict| *verdict == IdenticalCode::Explained)
    }
}

words! {
    /// How the code of a variant compares with the code of what it was.
    pub enum IdenticalCode {
        /// The same, up to symbols that the new names pair.
        Identical = "identical",
        /// The same but for names in its data, each of which a new name explains.
        Explained = "explained",
        /// Neither side has code.
        NoCode = "no-code",
        /// It differs in more than names.
        Different = "different",
    }
}

/// A name in the data that differs as the new names say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// Its new name.
    pub new: String,
    /// The identifier.
    pub old: String,
    /// What the name is a part of, such as `function-name`.
    pub what: String,
}

/// What a prover showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The prover.
    pub by: String,
    /// For loops of at most so many rounds.
    pub rounds: u32,
}

/// What running both sides on the same inputs showed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Behaviour {
    /// They were run.
    Ran(Box<Ran>),
    /// They cannot be run.
    Untestable(Untestable),
}

/// Why nothing was run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Untestable {
    /// Why, in detail.
    pub detail: String,
    /// Why.
    pub reason: Reason,
    /// [`Tier::Untestable`].
    pub verdict: Tier,
}

/// What the inputs of a function are worth on which its variant did the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    /// Ways that conditions and cases can go, and those that are gone.
    pub branches: Share,
    /// Of the inputs kept, those on which the original returned or threw, and did the same twice.
    pub clean: u32,
    /// The compiler.
    pub compiler: String,
    /// How the original ended on the inputs that were kept.
    pub ends: BTreeMap<String, u32>,
    /// Wrong edits that do not count, since a compiler writes the same optimised code for them.
    pub equivalent: u32,
    /// Wrong edits for which no inputs were searched before they were counted.
    pub held_out: Share,
    /// Inputs that were kept and are compared.
    pub kept: u32,
    /// Lines with statements, and those of them that inputs reach on which the original returns.
    pub lines: Share,
    /// Wrong edits that compile and change the optimised code, and those of them that the inputs show.
    pub mutants: Share,
    /// Of the inputs kept, those on which the original did not do the same twice. They are not compared.
    pub not_repeatable: u32,
    /// The sanitizers that both sides were built with.
    pub sanitizers: Vec<String>,
    /// What everything was drawn from.
    pub seed: u64,
    /// Wrong edits that count and that the inputs do not show.
    pub survivors: Vec<Survivor>,
    /// Inputs that were tried in the search.
    pub tried: u32,
    /// [`Tier::Agrees`] or [`Tier::AgreesWeakly`].
    pub verdict: Tier,
}

/// A wrong edit that the inputs do not show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survivor {
    /// What the edit made of what stood there.
    pub becomes: String,
    /// Why it was not seen: `input`, `environment` or `unobserved`.
    pub cause: String,
    /// The line of the function, from 1.
    pub line: u32,
    /// The kind of edit.
    pub operator: String,
    /// What stands there.
    pub was: String,
}

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// All.
    pub all: u32,
    /// Those that hold.
    pub of: u32,
}
