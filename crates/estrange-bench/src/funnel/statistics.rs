//! What the kept functions are like: the paper's Table 1 and its like, sizes of units, and what the evidence says.

use std::collections::BTreeMap;

use estrange_words::Reason;
use serde::Serialize;

use super::Class;
use crate::counts::share;
use crate::evidence::SameCode;
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
    pub same_code: BTreeMap<String, BTreeMap<SameCode, u64>>,
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

impl Statistics {
    /// Summarises these functions.
    pub fn of<'f>(functions: impl IntoIterator<Item = &'f FunctionFacts>) -> Self {
        let functions: Vec<&FunctionFacts> = functions.into_iter().collect();
        Self {
            all: group_table(&functions),
            by_split: cut(&functions, |facts| facts.split, group_table),
            by_class: cut(&functions, |facts| Class::of(Some(facts.language), Some(facts.kind)), summary),
            by_source: cut(&functions, |facts| facts.source.clone(), summary),
        }
    }
}

impl GroupTable {
    /// Summarises these functions by group.
    pub fn of<'f>(functions: impl IntoIterator<Item = &'f FunctionFacts>) -> Self {
        group_table(&functions.into_iter().collect::<Vec<_>>())
    }
}

impl Summary {
    /// Summarises these functions.
    pub fn of<'f>(functions: impl IntoIterator<Item = &'f FunctionFacts>) -> Self {
        summary(&functions.into_iter().collect::<Vec<_>>())
    }
}

/// Something about the functions of each kind.
fn cut<'f, K: Ord, S>(
    functions: &[&'f FunctionFacts],
    key: impl Fn(&FunctionFacts) -> K,
    summarise: impl Fn(&[&'f FunctionFacts]) -> S,
) -> BTreeMap<K, S> {
    let mut parts: BTreeMap<K, Vec<&FunctionFacts>> = BTreeMap::new();
    for function in functions {
        parts.entry(key(function)).or_default().push(function);
    }
    parts.into_iter().map(|(key, part)| (key, summarise(&part))).collect()
}

fn group_table(functions: &[&FunctionFacts]) -> GroupTable {
    GroupTable { groups: cut(functions, |facts| facts.group, summary), total: summary(functions) }
}

fn summary(functions: &[&FunctionFacts]) -> Summary {
    let facts = || functions.iter().copied();
    let each = |number: fn(&FunctionFacts) -> u32| mean(facts().map(number));
    let mut unlinkable: BTreeMap<Reason, u64> = BTreeMap::new();
    for function in facts().filter(|function| !function.linkable) {
        *unlinkable.entry(function.unlinkable_reason.unwrap_or(Reason::NotTried)).or_default() += 1;
    }
    let mut same_code: BTreeMap<String, BTreeMap<SameCode, u64>> = BTreeMap::new();
    for (level, verdict) in facts().flat_map(|function| function.evidence.verdicts()) {
        *same_code.entry(level.to_owned()).or_default().entry(verdict).or_default() += 1;
    }
    let same = facts().filter(|function| function.evidence.has_same_code()).count() as u64;
    let functions = functions.len() as u64;
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
}
