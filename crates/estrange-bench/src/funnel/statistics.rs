//! What the kept functions are like: the paper's Table 1 and its like, sizes of units, and what the evidence says.

use std::collections::BTreeMap;

use estrange_words::Reason;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Class;
use crate::counts::share;
use crate::record::FunctionFacts;
use crate::words::{Group, Split};

/// Summaries of the kept functions, cut in several ways.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// All of them.
    pub all: GroupTable,
    /// By split: evaluation is the paper's Table 1, training its Table 7.
    pub by_split: BTreeMap<Split, GroupTable>,
    /// By language and kind.
    pub by_class: BTreeMap<Class, Summary>,
    /// By the source they come from.
    pub by_source: BTreeMap<String, Summary>,
}

/// A row for each group, and one for all.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct GroupTable {
    /// The groups.
    pub groups: BTreeMap<Group, Summary>,
    /// All of them together.
    pub total: Summary,
}

/// What some functions are like. Means and shares are none where there is nothing to take them of.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// How many functions.
    pub functions: u64,
    /// Lexical tokens, the mean.
    pub mean_tokens: Option<f64>,
    /// Tokens by a model's tokenizer, the mean of those that have the number.
    pub mean_model_tokens: Option<f64>,
    /// Lines of code, the mean.
    pub mean_loc: Option<f64>,
    /// Cyclomatic complexity, the mean.
    pub mean_cyclomatic_complexity: Option<f64>,
    /// Different keywords, the mean.
    pub mean_unique_keywords: Option<f64>,
    /// Lines of the units.
    pub unit_lines: Option<Distribution>,
    /// Lines of the linked units, where there are any.
    pub linked_lines: Option<Distribution>,
    /// How many are linkable.
    pub linkable: u64,
    /// The share of those.
    pub linkable_share: Option<f64>,
    /// Why the others are not.
    pub unlinkable: BTreeMap<Reason, u64>,
    /// What was found when the function's machine code was compared with its project's: by optimisation level, then
    /// by verdict.
    pub same_code: BTreeMap<String, BTreeMap<String, u64>>,
    /// The share of the functions that were compared at some level and found the same at each.
    pub same_code_share: Option<f64>,
}

/// Where the middle and the upper end of some numbers lie, by nearest rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Distribution {
    /// Half of them are at most this.
    pub median: u32,
    /// Nine of ten are at most this.
    pub p90: u32,
    /// All of them are at most this.
    pub max: u32,
}

/// A function and what its evidence says, read once.
struct Known<'f> {
    facts: &'f FunctionFacts,
    /// Optimisation level to verdict.
    same_code: BTreeMap<String, String>,
}

impl<'f> Known<'f> {
    fn all(functions: impl IntoIterator<Item = &'f FunctionFacts>) -> Vec<Self> {
        let know = |facts: &'f FunctionFacts| Self { facts, same_code: same_code_verdicts(&facts.evidence) };
        functions.into_iter().map(know).collect()
    }
}

impl Statistics {
    /// Summarises these functions.
    pub fn of<'f>(functions: impl IntoIterator<Item = &'f FunctionFacts>) -> Self {
        let known = Known::all(functions);
        let known: Vec<&Known> = known.iter().collect();
        Self {
            all: group_table(&known),
            by_split: cut(&known, |facts| facts.split, group_table),
            by_class: cut(&known, |facts| Class::of(Some(facts.language), Some(facts.kind)), summary),
            by_source: cut(&known, |facts| facts.source.clone(), summary),
        }
    }
}

impl GroupTable {
    /// Summarises these functions by group.
    pub fn of<'f>(functions: impl IntoIterator<Item = &'f FunctionFacts>) -> Self {
        group_table(&Known::all(functions).iter().collect::<Vec<_>>())
    }
}

impl Summary {
    /// Summarises these functions.
    pub fn of<'f>(functions: impl IntoIterator<Item = &'f FunctionFacts>) -> Self {
        summary(&Known::all(functions).iter().collect::<Vec<_>>())
    }
}

/// Something about the functions of each kind.
fn cut<'k, K: Ord, S>(
    known: &[&'k Known<'k>],
    key: impl Fn(&FunctionFacts) -> K,
    summarise: impl Fn(&[&'k Known<'k>]) -> S,
) -> BTreeMap<K, S> {
    let mut parts: BTreeMap<K, Vec<&Known>> = BTreeMap::new();
    for function in known {
        parts.entry(key(function.facts)).or_default().push(function);
    }
    parts.into_iter().map(|(key, part)| (key, summarise(&part))).collect()
}

fn group_table(known: &[&Known]) -> GroupTable {
    GroupTable { groups: cut(known, |facts| facts.group, summary), total: summary(known) }
}

fn summary(known: &[&Known]) -> Summary {
    let facts = || known.iter().map(|known| known.facts);
    let each = |number: fn(&FunctionFacts) -> u32| mean(facts().map(number));
    let mut unlinkable: BTreeMap<Reason, u64> = BTreeMap::new();
    for function in facts().filter(|function| !function.linkable) {
        *unlinkable.entry(function.unlinkable_reason.unwrap_or(Reason::NotTried)).or_default() += 1;
    }
    let mut verdicts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let mut same = 0;
    for Known { same_code, .. } in known {
        let holds = |verdict: &String| matches!(verdict.as_str(), "same" | "explained");
        same += u64::from(!same_code.is_empty() && same_code.values().all(holds));
        for (level, verdict) in same_code {
            *verdicts.entry((level, verdict)).or_default() += 1;
        }
    }
    let mut same_code: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for ((level, verdict), number) in verdicts {
        same_code.entry(level.to_owned()).or_default().insert(verdict.to_owned(), number);
    }
    let functions = known.len() as u64;
    let linkable = facts().filter(|function| function.linkable).count() as u64;
    Summary {
        functions,
        mean_tokens: each(|function| function.tokens),
        mean_model_tokens: mean(facts().filter_map(|function| function.model_tokens)),
        mean_loc: each(|function| function.loc),
        mean_cyclomatic_complexity: each(|function| function.cyclomatic_complexity),
        mean_unique_keywords: each(|function| function.unique_keywords),
        unit_lines: Distribution::of(facts().map(|function| function.unit_lines).collect()),
        linked_lines: Distribution::of(facts().filter_map(|function| function.linked_lines).collect()),
        linkable,
        linkable_share: share(linkable, functions),
        unlinkable,
        same_code,
        same_code_share: share(same, functions),
    }
}

impl Distribution {
    /// Of these numbers, in any order; none where there are none.
    pub fn of(mut numbers: Vec<u32>) -> Option<Self> {
        numbers.sort_unstable();
        // The smallest number such that so many of a hundred are at most it.
        let rank = |percent: usize| numbers.get((numbers.len() * percent).div_ceil(100).checked_sub(1)?).copied();
        Some(Self { median: rank(50)?, p90: rank(90)?, max: rank(100)? })
    }
}

fn mean(numbers: impl Iterator<Item = u32>) -> Option<f64> {
    let (count, sum) = numbers.fold((0u64, 0u64), |(count, sum), number| (count + 1, sum + u64::from(number)));
    share(sum, count)
}

#[derive(Deserialize)]
struct Evidence {
    #[serde(default)]
    same_code: Value,
}

/// What the evidence says about sameness: level to verdict. Evidence that says nothing of the kind is not an error.
fn same_code_verdicts(evidence: &str) -> BTreeMap<String, String> {
    let Ok(Evidence { same_code: Value::Object(levels) }) = serde_json::from_str(evidence) else {
        return BTreeMap::new();
    };
    let verdict = |(level, verdict)| match verdict {
        Value::String(verdict) => Some((level, verdict)),
        _ => None,
    };
    levels.into_iter().filter_map(verdict).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_numbers_that_occur() {
        assert_eq!(Distribution::of(vec![]), None);
        assert_eq!(Distribution::of(vec![7]), Some(Distribution { median: 7, p90: 7, max: 7 }));
        let numbers = (1..=10).rev().collect();
        assert_eq!(Distribution::of(numbers), Some(Distribution { median: 5, p90: 9, max: 10 }));
    }

    #[test]
    fn evidence_is_read_as_far_as_it_goes() {
        let read = |text| same_code_verdicts(text).into_iter().map(|(a, b)| format!("{a}={b}")).collect::<Vec<_>>();
        assert_eq!(read(r#"{"compiles": 1, "same_code": {"o0": "same", "o2": "differs"}}"#), ["o0=same", "o2=differs"]);
        assert_eq!(read(r#"{"same_code": {"o0": "same", "o2": null}}"#), ["o0=same"]);
        for nothing in ["", "{", "[]", "{}", r#"{"same_code": 1}"#, r#"{"same_code": null}"#] {
            assert!(read(nothing).is_empty(), "{nothing}");
        }
    }
}
