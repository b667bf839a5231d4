//! The records of a bench: what is known about a function that was kept, and about what was not.
//!
//! A field is a column of the same name, in the same order; that is the bench's contract with its readers, in whatever
//! language. The `…Facts` records are the narrow views that statistics need, without the texts.

use std::collections::BTreeMap;

use crate::evidence::{UnitEvidence, VariantEvidence};
use crate::json::Json;
use crate::rows::record;
use crate::words::{Group, Kind, Language, Reason, Split, Stage, Tier, Undefinedness, View, WrittenBy};

record! {
    /// A function that was kept: one row of `functions.parquet`.
    pub struct Function {
        /// The stable id, hexadecimal; no other kept function has it.
        pub id: String,
        /// The same for all versions of the function: it stands for its source, path and qualified name.
        pub lineage: String,
        /// The source, as it was asked for, such as `deb:zlib`.
        pub source: String,
        /// The version of the source.
        pub version: String,
        /// The file, relative to the source's root.
        pub path: String,
        /// The line on which the function begins, counted from 1.
        pub line_start: u32,
        /// The line on which it ends.
        pub line_end: u32,
        /// Its plain name.
        pub name: String,
        /// Its name with namespaces and classes.
        pub qualified_name: String,
        /// What it is in its language.
        pub kind: Kind,
        /// Its language.
        pub language: Language,
        /// What its file is to the project: `library`, `test`, ….
        pub role: String,
        /// Its licence, an SPDX expression.
        pub licence: String,
        /// The class of the licence.
        pub licence_class: String,
        /// How much it depends on.
        pub group: Group,
        /// What its source is for.
        pub split: Split,
        /// The function's own text.
        pub text: String,
        /// The smallest file in which it compiles.
        pub unit: String,
        /// Where the function begins in `unit`, in bytes of UTF-8; none where there is no unit.
        pub unit_start: Option<u32>,
        /// Where it ends there.
        pub unit_end: Option<u32>,
        /// The unit with the definitions it needs to run; none where it is not linkable.
        pub linked_unit: Option<String>,
        /// Where the function begins in `linked_unit`.
        pub linked_start: Option<u32>,
        /// Where it ends there.
        pub linked_end: Option<u32>,
        /// Whether there is a linked unit.
        pub linkable: bool,
        /// Why there is none.
        pub unlinkable_reason: Option<Reason>,
        /// What a compiler needs to be told besides the language, such as `-std=c++11`; usually nothing.
        pub flags: Vec<String>,
        /// The functions of the project that it calls, directly and through others.
        pub helpers: Vec<Helper>,
        /// Its helpers and itself as one document.
        pub long_text: Option<String>,
        /// Where `text` begins in `long_text`.
        pub long_start: Option<u32>,
        /// The types of the project that it uses.
        pub types: Vec<String>,
        /// The standard headers that its unit includes.
        pub includes: Vec<String>,
        /// The documentation comment before it.
        pub comment: Option<String>,
        /// Lines of code of `text`.
        pub loc: u32,
        /// The cyclomatic complexity.
        pub cyclomatic_complexity: u32,
        /// Lexical tokens of `text`.
        pub tokens: u32,
        /// Tokens of `text` by a model's tokenizer, where one was given.
        pub model_tokens: Option<u32>,
        /// How many different keywords `text` has.
        pub unique_keywords: u32,
        /// Lines of `unit`.
        pub unit_lines: u32,
        /// Lines of `linked_unit`.
        pub linked_lines: Option<u32>,
        /// What a machine checked about the unit, and how: a JSON object.
        pub evidence: Json<UnitEvidence>,
        /// The ids of the functions that were dropped because they are nearly this one.
        pub duplicates: Vec<String>,
    }
}

record! {
    /// A function of the project that another one calls.
    pub struct Helper {
        /// Its plain name.
        pub name: String,
        /// Its id, where its definition was found in the same bench's sources.
        pub id: Option<String>,
        /// How many calls away it is: 1 for what the function calls itself.
        pub depth: u32,
        /// Its text; empty where it has no definition in the project.
        pub text: String,
        /// Where it begins in the linked unit of the function that calls it; none where it is not in it.
        pub linked_start: Option<u32>,
        /// Where it ends there.
        pub linked_end: Option<u32>,
    }
}

record! {
    /// What was found and not kept: one row of `rejected.parquet`.
    ///
    /// With an id it is a function, and counts among the functions found. Without one it is a loss of a whole file or
    /// source, whose functions nobody could count.
    pub struct Rejected {
        /// The function's id; none for a whole file or source.
        pub id: Option<String>,
        /// The source, as it was asked for.
        pub source: String,
        /// The version of the source, where it got so far.
        pub version: Option<String>,
        /// The file, relative to the source's root.
        pub path: Option<String>,
        /// The line on which the function begins, counted from 1.
        pub line_start: Option<u32>,
        /// The line on which it ends.
        pub line_end: Option<u32>,
        /// Its plain name.
        pub name: Option<String>,
        /// What it is in its language.
        pub kind: Option<Kind>,
        /// Its language.
        pub language: Option<Language>,
        /// What its file is to the project.
        pub role: Option<String>,
        /// Where on the way it was lost.
        pub stage: Stage,
        /// Why.
        pub reason: Reason,
        /// Why, in detail.
        pub detail: String,
        /// The function's own text.
        pub text: Option<String>,
    }
}

record! {
    /// A function after a recipe, with what was shown about it: one row of `variants.parquet`.
    pub struct Variant {
        /// The function's id.
        pub function_id: String,
        /// The setting, such as `neutralized`.
        pub setting: String,
        /// The rewrites, in order.
        pub recipe: String,
        /// The seed.
        pub seed: u32,
        /// The function's own text.
        pub text: String,
        /// In group 3: its helpers' texts and its own, where they can be had.
        pub long_text: Option<String>,
        /// The unit that it stands in.
        pub unit: String,
        /// Where `text` begins in `unit`, in bytes of UTF-8; none where there is no unit.
        pub unit_start: Option<u32>,
        /// Where it ends there.
        pub unit_end: Option<u32>,
        /// Old names and new ones: a JSON object.
        pub rename_map: Json<BTreeMap<String, String>>,
        /// The strongest that a machine showed about it.
        pub tier: Tier,
        /// Whether a machine showed that it is undefined in the same ways.
        pub undefinedness: Undefinedness,
        /// What a machine checked about it, and how: a JSON object.
        pub evidence: Json<VariantEvidence>,
        /// Lines of code of `text`, counted as those of functions.
        pub loc: u32,
        /// The cyclomatic complexity of `text`.
        pub cyclomatic_complexity: u32,
        /// Lexical tokens of `text`.
        pub tokens: u32,
        /// One minus the ratio of Python's `difflib.SequenceMatcher` on the characters of the two texts.
        pub surface_distance: f64,
        /// How many times as long it is, in characters.
        pub expansion: f64,
        /// The share of the old text's characters that belong to identifiers that were changed.
        pub perturbation_fraction: f64,
        /// How many names of the project still stand in the unit.
        pub surviving_names: u32,
        /// How many comments still stand in it.
        pub surviving_comments: u32,
    }
}

record! {
    /// A function as what a compiler makes of it: one row of `lowered.parquet`.
    pub struct Lowered {
        /// The function's id.
        pub function_id: String,
        /// The setting, such as `x86_64`.
        pub setting: String,
        /// What it was compiled for.
        pub target: String,
        /// By which compiler.
        pub compiler: String,
        /// At which level, such as `O0`.
        pub opt: String,
        /// The text: the function's code, in group 3 with that of its helpers after it, where they can be had.
        pub text: String,
        /// The function's code alone, where the text has helpers too.
        pub short_text: Option<String>,
        /// The lines of the text.
        pub lines: u32,
        /// Its tokens.
        pub tokens: u32,
        /// How many different instructions it has.
        pub unique_instructions: u32,
        /// The same for all functions with the same text in this setting.
        pub duplicates: String,
        /// How many names of the project still stand in it.
        pub surviving_names: u32,
    }
}

record! {
    /// A description of a function, to search for it: one row of `queries.parquet`.
    pub struct Query {
        /// Its id; no other query has it.
        pub id: String,
        /// The function that it describes.
        pub function_id: String,
        /// The description.
        pub text: String,
        /// Who wrote it: `comment`, or a model or a file, as it was asked for.
        pub author: String,
        /// What the author is.
        pub written_by: WrittenBy,
        /// The BLAKE3 hash of what a model was asked.
        pub prompt_hash: Option<String>,
        /// How many tokens a model was given for it, over all attempts.
        pub prompt_tokens: Option<u32>,
        /// How many tokens it answered.
        pub answer_tokens: Option<u32>,
        /// What that cost, in the currency of the prices that were given.
        pub cost: Option<f64>,
    }
}

record! {
    /// What is right for a query: one row of `qrels.parquet`.
    pub struct Judgement {
        /// The query's id.
        pub query_id: String,
        /// In which view of the functions.
        pub view: View,
        /// The document: a function's id, or that of a helper which is no function of the bench.
        pub document_id: String,
        /// 2 for the function itself, 1 for its helpers.
        pub grade: u32,
    }
}

record! {
    /// A variant that is not there, or not yet: one row of `waiting.parquet`.
    pub struct Waiting {
        /// The function's id.
        pub function_id: String,
        /// The setting.
        pub setting: String,
        /// The seed.
        pub seed: u32,
        /// Where it stopped: `rewrite`, `compile`, `evidence`, `long` or `lower`.
        pub stage: Stage,
        /// Why.
        pub reason: Reason,
        /// Why, in detail.
        pub detail: String,
    }
}

record! {
    /// The columns of [`Function`] that statistics need.
    pub struct FunctionFacts of Functions {
        /// As in [`Function`].
        pub id: String,
        /// As in [`Function`].
        pub source: String,
        /// As in [`Function`].
        pub kind: Kind,
        /// As in [`Function`].
        pub language: Language,
        /// As in [`Function`].
        pub role: String,
        /// As in [`Function`].
        pub licence_class: String,
        /// As in [`Function`].
        pub group: Group,
        /// As in [`Function`].
        pub split: Split,
        /// As in [`Function`].
        pub linkable: bool,
        /// As in [`Function`].
        pub unlinkable_reason: Option<Reason>,
        /// As in [`Function`].
        pub loc: u32,
        /// As in [`Function`].
        pub cyclomatic_complexity: u32,
        /// As in [`Function`].
        pub tokens: u32,
        /// As in [`Function`].
        pub model_tokens: Option<u32>,
        /// As in [`Function`].
        pub unique_keywords: u32,
        /// As in [`Function`].
        pub unit_lines: u32,
        /// As in [`Function`].
        pub linked_lines: Option<u32>,
        /// As in [`Function`].
        pub evidence: Json<UnitEvidence>,
    }
}

record! {
    /// The columns of [`Rejected`] that statistics need.
    pub struct RejectedFacts of Rejected {
        /// As in [`Rejected`].
        pub id: Option<String>,
        /// As in [`Rejected`].
        pub source: String,
        /// As in [`Rejected`].
        pub kind: Option<Kind>,
        /// As in [`Rejected`].
        pub language: Option<Language>,
        /// As in [`Rejected`].
        pub role: Option<String>,
        /// As in [`Rejected`].
        pub stage: Stage,
        /// As in [`Rejected`].
        pub reason: Reason,
    }
}

record! {
    /// The columns of [`Variant`] that statistics need.
    pub struct VariantFacts of Variants {
        /// As in [`Variant`].
        pub function_id: String,
        /// As in [`Variant`].
        pub setting: String,
        /// As in [`Variant`].
        pub rename_map: Json<BTreeMap<String, String>>,
        /// As in [`Variant`].
        pub tier: Tier,
        /// As in [`Variant`].
        pub undefinedness: Undefinedness,
        /// As in [`Variant`].
        pub evidence: Json<VariantEvidence>,
        /// As in [`Variant`].
        pub loc: u32,
        /// As in [`Variant`].
        pub cyclomatic_complexity: u32,
        /// As in [`Variant`].
        pub tokens: u32,
        /// As in [`Variant`].
        pub surface_distance: f64,
        /// As in [`Variant`].
        pub expansion: f64,
        /// As in [`Variant`].
        pub perturbation_fraction: f64,
        /// As in [`Variant`].
        pub surviving_names: u32,
        /// As in [`Variant`].
        pub surviving_comments: u32,
    }
}

impl From<&Function> for FunctionFacts {
    fn from(function: &Function) -> Self {
        Self {
            id: function.id.clone(),
            source: function.source.clone(),
            kind: function.kind,
            language: function.language,
            role: function.role.clone(),
            licence_class: function.licence_class.clone(),
            group: function.group,
            split: function.split,
            linkable: function.linkable,
            unlinkable_reason: function.unlinkable_reason,
            loc: function.loc,
            cyclomatic_complexity: function.cyclomatic_complexity,
            tokens: function.tokens,
            model_tokens: function.model_tokens,
            unique_keywords: function.unique_keywords,
            unit_lines: function.unit_lines,
            linked_lines: function.linked_lines,
            evidence: function.evidence.clone(),
        }
    }
}

impl From<&Rejected> for RejectedFacts {
    fn from(rejected: &Rejected) -> Self {
        Self {
            id: rejected.id.clone(),
            source: rejected.source.clone(),
            kind: rejected.kind,
            language: rejected.language,
            role: rejected.role.clone(),
            stage: rejected.stage,
            reason: rejected.reason,
        }
    }
}

impl Rejected {
    /// Whether this is one function, rather than a whole file or source.
    pub fn is_function(&self) -> bool {
        self.id.is_some()
    }
}

impl RejectedFacts {
    /// Whether this is one function, rather than a whole file or source.
    pub fn is_function(&self) -> bool {
        self.id.is_some()
    }
}

record! {
    /// The columns of [`Lowered`] that statistics need.
    pub struct LoweredFacts of Lowered {
        /// As in [`Lowered`].
        pub function_id: String,
        /// As in [`Lowered`].
        pub setting: String,
        /// As in [`Lowered`].
        pub lines: u32,
        /// As in [`Lowered`].
        pub tokens: u32,
        /// As in [`Lowered`].
        pub unique_instructions: u32,
        /// As in [`Lowered`].
        pub duplicates: String,
        /// As in [`Lowered`].
        pub surviving_names: u32,
    }
}
