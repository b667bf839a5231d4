//! What the lowered functions of a bench are like: how many there are, why others are not, and how alike they are.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::record::{LoweredFacts, Waiting};

/// The lowered functions of one setting.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LoweredNumbers {
    /// Functions that have a text.
    pub functions: u64,
    /// The share of the functions counted that these are.
    pub functions_share: Option<f64>,
    /// Functions that have none, by reason.
    pub lost: BTreeMap<String, u64>,
    /// Means over the texts.
    pub lines: Option<f64>,
    /// As above.
    pub tokens: Option<f64>,
    /// As above.
    pub unique_instructions: Option<f64>,
    /// Functions whose text another function has too.
    pub duplicates: u64,
    /// The share of the texts that these are.
    pub duplicates_share: Option<f64>,
    /// In how many classes of the same text they are.
    pub duplicate_classes: u64,
    /// Names of the project that still stand in a text, over all texts.
    pub surviving_names: u64,
}

/// Counts lowered functions by setting, of functions of which there are so many.
pub fn by_lowering<'r>(
    functions: u64,
    lowered: impl IntoIterator<Item = &'r LoweredFacts>,
    waiting: impl IntoIterator<Item = &'r Waiting>,
) -> BTreeMap<String, LoweredNumbers> {
    let mut all: BTreeMap<&str, (LoweredNumbers, [f64; 3], HashMap<&str, u64>)> = BTreeMap::new();
    for one in lowered {
        let (numbers, sums, classes) = all.entry(&one.setting).or_default();
        numbers.functions += 1;
        numbers.surviving_names += u64::from(one.surviving_names);
        let measures = [one.lines, one.tokens, one.unique_instructions];
        sums.iter_mut().zip(measures).for_each(|(sum, measure)| *sum += f64::from(measure));
        *classes.entry(&one.duplicates).or_default() += 1;
    }
    for one in waiting.into_iter().filter(|one| one.stage == "lower") {
        let (numbers, ..) = all.entry(&one.setting).or_default();
        *numbers.lost.entry(one.reason.clone()).or_default() += 1;
    }
    let finish = |(setting, (mut numbers, sums, classes)): (&str, (LoweredNumbers, [f64; 3], HashMap<&str, u64>))| {
        let count = numbers.functions as f64;
        let mean = |sum: f64| (count > 0.0).then(|| sum / count);
        let several: Vec<u64> = classes.into_values().filter(|size| *size > 1).collect();
        numbers.functions_share = (functions > 0).then(|| count / functions as f64);
        numbers.lines = mean(sums[0]);
        numbers.tokens = mean(sums[1]);
        numbers.unique_instructions = mean(sums[2]);
        numbers.duplicates = several.iter().sum();
        numbers.duplicates_share = mean(numbers.duplicates as f64);
        numbers.duplicate_classes = several.len() as u64;
        (setting.to_owned(), numbers)
    };
    all.into_iter().map(finish).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowered(function: &str, class: &str, lines: u32) -> LoweredFacts {
        LoweredFacts {
            function_id: function.to_owned(),
            setting: "x86_64".to_owned(),
            lines,
            tokens: 4 * lines,
            unique_instructions: 3,
            duplicates: class.to_owned(),
            surviving_names: u32::from(function == "d"),
        }
    }

    #[test]
    fn texts_that_several_have_are_counted_and_those_that_are_not_there() {
        let all = [lowered("a", "1", 2), lowered("b", "1", 2), lowered("c", "2", 4), lowered("d", "3", 8)];
        let waiting = |stage: &str| Waiting {
            function_id: "e".to_owned(),
            setting: "x86_64".to_owned(),
            seed: 0,
            stage: stage.to_owned(),
            reason: "function-has-no-code".to_owned(),
            detail: String::new(),
        };
        let numbers = by_lowering(5, &all, &[waiting("lower"), waiting("evidence")]);
        let numbers = &numbers["x86_64"];
        assert_eq!((numbers.functions, numbers.functions_share), (4, Some(0.8)));
        assert_eq!((numbers.duplicates, numbers.duplicate_classes, numbers.duplicates_share), (2, 1, Some(0.5)));
        assert_eq!((numbers.lines, numbers.tokens, numbers.unique_instructions), (Some(4.0), Some(16.0), Some(3.0)));
        assert_eq!((numbers.lost["function-has-no-code"], numbers.surviving_names), (1, 1));
    }
}
