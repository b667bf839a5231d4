//! What the lowered functions of a bench are like: how many there are, why others are not, and how alike they are.

use std::collections::{BTreeMap, HashMap};

use estrange_words::{Reason, Stage};
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
    pub lost: BTreeMap<Reason, u64>,
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
    let mut tallies: BTreeMap<&str, Tally<'r>> = BTreeMap::new();
    for one in lowered {
        tallies.entry(&one.setting).or_default().add(one);
    }
    for one in waiting.into_iter().filter(|one| one.stage == Stage::Lower) {
        let lost = &mut tallies.entry(&one.setting).or_default().numbers.lost;
        *lost.entry(one.reason).or_default() += 1;
    }
    tallies.into_iter().map(|(setting, tally)| (setting.to_owned(), tally.numbers(functions))).collect()
}

#[derive(Default)]
struct Tally<'r> {
    numbers: LoweredNumbers,
    sums: [f64; 3],
    /// How many functions have each text.
    classes: HashMap<&'r str, u64>,
}

impl<'r> Tally<'r> {
    fn add(&mut self, one: &'r LoweredFacts) {
        self.numbers.functions += 1;
        self.numbers.surviving_names += u64::from(one.surviving_names);
        let measures = [one.lines, one.tokens, one.unique_instructions];
        self.sums.iter_mut().zip(measures).for_each(|(sum, measure)| *sum += f64::from(measure));
        *self.classes.entry(&one.duplicates).or_default() += 1;
    }

    fn numbers(self, functions: u64) -> LoweredNumbers {
        let count = self.numbers.functions as f64;
        let mean = |sum: f64| (count > 0.0).then(|| sum / count);
        let several: Vec<u64> = self.classes.into_values().filter(|size| *size > 1).collect();
        let duplicates: u64 = several.iter().sum();
        LoweredNumbers {
            functions_share: (functions > 0).then(|| count / functions as f64),
            lines: mean(self.sums[0]),
            tokens: mean(self.sums[1]),
            unique_instructions: mean(self.sums[2]),
            duplicates,
            duplicates_share: mean(duplicates as f64),
            duplicate_classes: several.len() as u64,
            ..self.numbers
        }
    }
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
        let waiting = |stage: Stage| Waiting {
            function_id: "e".to_owned(),
            setting: "x86_64".to_owned(),
            seed: 0,
            stage,
            reason: Reason::FunctionHasNoCode,
            detail: String::new(),
        };
        let numbers = by_lowering(5, &all, &[waiting(Stage::Lower), waiting(Stage::Evidence)]);
        let numbers = &numbers["x86_64"];
        assert_eq!((numbers.functions, numbers.functions_share), (4, Some(0.8)));
        assert_eq!((numbers.duplicates, numbers.duplicate_classes, numbers.duplicates_share), (2, 1, Some(0.5)));
        assert_eq!((numbers.lines, numbers.tokens, numbers.unique_instructions), (Some(4.0), Some(16.0), Some(3.0)));
        assert_eq!((numbers.lost[&Reason::FunctionHasNoCode], numbers.surviving_names), (1, 1));
    }
}
