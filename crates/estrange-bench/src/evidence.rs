//! What a machine checked about a function or a variant, as it stands in the column `evidence`.
//!
//! The types are plain: how each thing is found out is the business of those who fill them. In the column they are one
//! JSON object, made where the row is written ([`Json`](crate::Json)). What cannot be read back, be it a word or a field
//! that is not known, is an error, never "nothing was checked". A word that programs decide by is one of a closed list;
//! what is only told to people is text.
//!
//! **To add to the evidence,** add a field where it belongs in the alphabet, as an `Option` that is not written where it is
//! none: the texts of benches that lack it stay as they are. Then set it in `estrange-build` (`record.rs`,
//! `variants/record.rs`), say it in words in `estrange` (`show/evidence.rs`, `show/variant.rs`), and name it in
//! `docs/bench.md`. A program of before refuses a bench that has the new field.

use std::collections::BTreeMap;

use estrange_words::{Reason, Tier, Undefinedness, words};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// What was checked about the unit of a function.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UnitEvidence {
    /// What was checked of an imported function: `nothing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<String>,
    /// The tools that accept the unit, with their versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiles: Option<BTreeMap<String, String>>,
    /// Where an imported function comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<String>,
    /// How the function's code compares with the code that it has in its project, by level, such as `o2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_code: Option<BTreeMap<String, SameCode>>,
    /// What more there is to say about it, by level too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_code_notes: Option<BTreeMap<String, Note>>,
    /// What its linked unit would need and was not found: names and symbols, where these are why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<String>>,
}

impl UnitEvidence {
    /// The levels at which code was compared, with what was found.
    pub fn verdicts(&self) -> impl Iterator<Item = (&str, SameCode)> {
        self.same_code.iter().flatten().map(|(level, verdict)| (level.as_str(), *verdict))
    }

    /// Whether code was compared at some level, and is the same at each.
    pub fn has_same_code(&self) -> bool {
        let mut verdicts = self.verdicts().peekable();
        verdicts.peek().is_some() && verdicts.all(|(_, verdict)| verdict.holds())
    }
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

impl SameCode {
    /// Whether it is the same, or for a reason that was checked as good as the same.
    pub fn holds(self) -> bool {
        matches!(self, Self::Same | Self::Explained)
    }
}

/// What more there is to say about how code compares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Note {
    /// The reasons that explain a difference, such as `place`.
    Explained(Vec<String>),
    /// The first difference.
    Different(CodeDifference),
    /// What gcc said.
    Refused(String),
}

/// The first line where the code of a function differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeDifference {
    /// Its number, from 0.
    pub line: u32,
    /// The line in the project's code; empty where that has ended.
    pub original: String,
    /// The line in the unit's code; empty where that has ended.
    pub unit: String,
}

/// What was checked about a variant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VariantEvidence {
    /// What running both sides showed, where that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<Behaviour>,
    /// What was checked of an imported variant: `nothing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<String>,
    /// The tools, with their versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compilers: Option<BTreeMap<String, String>>,
    /// The names in the data that differ as the new names say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explained: Option<Vec<Explanation>>,
    /// How the code of both sides compares, by compiler and level, such as `gcc_o2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identical_code: Option<BTreeMap<String, IdenticalCode>>,
    /// Where an imported variant comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<String>,
    /// What a template was instantiated with, in the old names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The names that stay, since the language itself or a header asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
    /// What a prover showed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<Proof>,
    /// The rewrites of shape that were done, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<String>,
    /// Whether it was shown to be undefined in the same ways.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
    /// What became of its calls of functions that its unit defines, where they were unfolded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfolding: Option<Unfolding>,
    /// The same about the text with its helpers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_helpers: Option<Box<VariantEvidence>>,
}

impl VariantEvidence {
    /// Whether the code of the variant itself differs in names in its data, each explained. What was shown of it with
    /// its helpers does not count.
    pub fn is_explained(&self) -> bool {
        self.identical_code.iter().flatten().any(|(_, verdict)| *verdict == IdenticalCode::Explained)
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
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// Its new name.
    pub new: String,
    /// The identifier.
    pub old: String,
    /// What the name is a part of, such as `function-name`.
    pub what: String,
}

/// What became of a function's calls, where all that can be were unfolded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unfolding {
    /// How many calls were unfolded, those within what was unfolded included.
    pub calls: u32,
    /// The calls that stay: each function once for each reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<CallLeft>,
}

/// A call of a function that the unit defines, which stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallLeft {
    /// Why, in detail.
    pub detail: String,
    /// The function that is called, by its old name.
    pub function: String,
    /// Why it stays.
    pub reason: Reason,
}

/// What a prover showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The prover.
    pub by: String,
    /// For loops of at most so many rounds.
    pub rounds: u32,
}

/// What was shown of where a variant is undefined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Undefined {
    /// What clang's sanitizer would check on one side only, and other things by which one side only is undefined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lapses: Vec<Lapse>,
    /// What clang said, where it refuses one side with checks in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// As in the column.
    pub shown: Undefinedness,
}

/// Something that can be undefined on one side only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lapse {
    /// What there is in the variant; empty where there is nothing.
    pub new: String,
    /// What there was in the function.
    pub old: String,
    /// What it is about, such as `integer overflow`.
    pub subject: String,
}

/// What running both sides on the same inputs showed. The verdict says which it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Behaviour {
    /// They did the same.
    Ran(Box<Ran>),
    /// They cannot be run.
    Untestable(Untestable),
}

impl Behaviour {
    /// What the inputs are worth, where both sides were run.
    pub fn ran(&self) -> Option<&Ran> {
        match self {
            Self::Ran(ran) => Some(ran),
            Self::Untestable(_) => None,
        }
    }
}

/// The verdict chooses, so that an error says what is wrong with what was meant.
impl<'de> Deserialize<'de> for Behaviour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let behaviour = match value["verdict"] == Tier::Untestable.as_str() {
            true => Untestable::deserialize(value).map(Self::Untestable),
            false => Ran::deserialize(value).map(|ran| Self::Ran(Box::new(ran))),
        };
        behaviour.map_err(serde::de::Error::custom)
    }
}

/// Why nothing was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Untestable {
    /// Why, in detail.
    pub detail: String,
    /// Why.
    pub reason: Reason,
    /// [`Tier::Untestable`].
    pub verdict: Tier,
}

/// What the inputs of a function are worth on which its variant did the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ran {
    /// Branches of conditions and cases, and those that are taken.
    pub branches: Share,
    /// Of the inputs kept, those on which the original returned or threw, and did the same twice.
    pub clean: u32,
    /// The compiler.
    pub compiler: String,
    /// How the original ended on the inputs that were kept, such as `returned`.
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
    /// What they reach of the variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<Reached>,
    /// The sanitizers that both sides were built with.
    pub sanitizers: Vec<String>,
    /// What everything was drawn from.
    pub seed: u64,
    /// Wrong edits that count and that the inputs do not show.
    pub survivors: Vec<Survivor>,
    /// Inputs that were tried in the search.
    pub tried: u32,
    /// [`Tier::Exhaustive`], [`Tier::Agrees`] or [`Tier::AgreesWeakly`].
    pub verdict: Tier,
}

/// What inputs reach of a variant: what of it is not the original's too was searched for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reached {
    /// How many inputs there are, where both sides were run on all of them; else 0.
    pub all: u32,
    /// Branches of conditions and cases, and those that are taken; without those that decide always alike, as is known of
    /// the rewrites that were done.
    pub branches: Share,
    /// Inputs that were found for the variant, on which both sides were compared, too.
    pub found: u32,
    /// Lines with statements, and those of them that inputs reach on which it returns.
    pub lines: Share,
    /// Branches that the original does not have, and that no input takes.
    pub open: u32,
    /// Inputs that were tried in search of them.
    pub tried: u32,
    /// Whether all that is new in it could be watched.
    pub watched: bool,
}

/// A wrong edit that the inputs do not show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
pub struct Share {
    /// All.
    pub all: u32,
    /// Those that hold.
    pub of: u32,
}

impl std::fmt::Display for Share {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} of {}", self.of, self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Json;

    const TOOLS: &str = r#"{"clang":"Debian clang version 19.1.7 (3~deb12u1)","gcc":"12.2.0"}"#;

    /// Reads a text, and says what is written for it.
    fn again<T: Serialize + serde::de::DeserializeOwned>(text: &str) -> String {
        text.parse::<Json<T>>().unwrap_or_else(|error| panic!("{error}: {text}")).text()
    }

    /// The texts are as builds wrote them when evidence was put together as JSON: any change is one of the format.
    #[test]
    fn what_is_written_of_a_unit_is_what_it_always_was() {
        for text in [
            format!(r#"{{"compiles":{TOOLS},"same_code":{{"o0":"same","o2":"same"}},"same_code_notes":{{}}}}"#),
            format!(
                r#"{{"compiles":{TOOLS},"same_code":{{"o0":"explained","o2":"different"}},"same_code_notes":{{"o0":["place"],"o2":{{"line":6,"original":"call _ZN5shelf5stackC1Ej","unit":".L1:"}}}}}}"#
            ),
            format!(
                r#"{{"compiles":{TOOLS},"same_code":{{"o0":"absent-in-original","o2":"refused"}},"same_code_notes":{{"o2":"unit.c:1:1: error: no"}}}}"#
            ),
            r#"{"checked":"nothing","imported":"clarc"}"#.to_owned(),
        ] {
            assert_eq!(again::<UnitEvidence>(&text), text);
        }
    }

    #[test]
    fn what_is_written_of_a_variant_is_what_it_always_was() {
        let ran = r#"{"branches":{"all":2,"of":2},"clean":104,"compiler":"gcc (Debian 12.2.0-14+deb12u1) 12.2.0","ends":{"memory":18,"returned":104},"equivalent":0,"held_out":{"all":11,"of":10},"kept":122,"lines":{"all":5,"of":5},"mutants":{"all":17,"of":16},"not_repeatable":0,"sanitizers":["address","undefined"],"seed":18446744073709551615,"survivors":[{"becomes":"unsigned char ","cause":"unobserved","line":4,"operator":"type","was":"size_t "}],"tried":34377,"verdict":"agrees"}"#;
        let unlinked =
            r#"{"detail":"it cannot be linked: definition-not-found","reason":"unlinked","verdict":"untestable"}"#;
        let explained = r#"[{"new":"func_0","old":"named","what":"function-name"}]"#;
        let reached = r#""reached":{"all":0,"branches":{"all":4,"of":4},"found":2,"lines":{"all":6,"of":6},"open":0,"tried":310,"watched":true},"sanitizers""#;
        let ran = &ran.replace("\"sanitizers\"", reached);
        for text in [
            format!(
                r#"{{"behaviour":{ran},"compilers":{TOOLS},"explained":[],"identical_code":{{"clang_o2":"different","gcc_o2":"identical"}},"kept":["begin"],"proved":{{"by":"alive-tv","rounds":8}},"shapes":["add-cast"],"undefined":{{"lapses":[{{"new":"","old":"index","subject":"indices"}}],"shown":"same-runs"}},"unfolding":{{"calls":2,"left":[{{"detail":"the function uses va_start","function":"warn","reason":"unsupported-construct"}}]}}}}"#
            ),
            format!(
                r#"{{"behaviour":{unlinked},"compilers":{TOOLS},"explained":[],"identical_code":{{"gcc_o2":"no-code"}},"undefined":{{"shown":"same-checks"}}}}"#
            ),
            format!(
                r#"{{"compilers":{TOOLS},"explained":{explained},"identical_code":{{"gcc_o0":"explained"}},"instance":"template struct holder<int>;","with_helpers":{{"compilers":{TOOLS},"explained":[],"identical_code":{{"gcc_o0":"identical"}}}}}}"#
            ),
            r#"{"checked":"nothing","imported":"clarc"}"#.to_owned(),
        ] {
            assert_eq!(again::<VariantEvidence>(&text), text);
        }
    }

    #[test]
    fn what_is_not_known_is_an_error_that_names_it() {
        let refused = |text: &str| match text.parse::<Json<VariantEvidence>>() {
            Ok(read) => panic!("{text} was read as {read:?}"),
            Err(error) => error.to_string(),
        };
        for (text, wrong) in [
            ("", "it is no JSON object"),
            ("[]", "it is no JSON object"),
            ("{", "EOF while parsing"),
            (r#"{"oracle":1}"#, "unknown field `oracle`"),
            (r#"{"identical_code":{"gcc_o0":"odd"}}"#, "`odd` is none of identical, explained, no-code, different"),
            (r#"{"behaviour":{"verdict":"untestable","reason":"varargs"}}"#, "missing field `detail`"),
            (r#"{"behaviour":{"verdict":"agrees"}}"#, "missing field `branches`"),
        ] {
            assert!(refused(text).contains(wrong), "{text}: {}", refused(text));
        }
    }
}
