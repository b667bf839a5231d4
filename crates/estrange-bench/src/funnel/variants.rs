//! What the variants of a bench are like: how many there are, how far from what they were, and what is left in them.

use std::collections::{BTreeMap, BTreeSet};

use estrange_words::{Reason, Stage, Tier, Undefinedness};
use serde::Serialize;

use crate::record::{VariantFacts, Waiting};

/// The variants of one setting.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SettingNumbers {
    /// Functions all of whose variants have evidence.
    pub functions: u64,
    /// The share of the functions counted that these are.
    pub functions_share: Option<f64>,
    /// Variants with evidence.
    pub variants: u64,
    /// These by the strongest that was shown of them.
    pub tiers: BTreeMap<Tier, u64>,
    /// These by whether they were shown to be undefined in the same ways.
    pub undefinedness: BTreeMap<Undefinedness, u64>,
    /// Of these, those whose code differs in names in its data, each explained.
    pub explained: u64,
    /// Of these, those that are there with their helpers too, in group 3.
    pub long: u64,
    /// Variants without evidence, by stage and reason.
    pub waiting: BTreeMap<Stage, BTreeMap<Reason, u64>>,
    /// Means over the variants.
    pub loc: Option<f64>,
    /// As above.
    pub tokens: Option<f64>,
    /// As above.
    pub cyclomatic_complexity: Option<f64>,
    /// As above.
    pub surface_distance: Option<f64>,
    /// As above.
    pub expansion: Option<f64>,
    /// As above.
    pub perturbation_fraction: Option<f64>,
    /// Names of the project that still stand in a variant's unit, over all variants.
    pub surviving_names: u64,
    /// Comments that do.
    pub surviving_comments: u64,
    /// The share of new names that begin with the letter of the old one, whatever its case.
    pub same_first_letter: Option<f64>,
    /// The same if new names were dealt to old ones at random.
    pub same_first_letter_by_chance: Option<f64>,
    /// How the lengths of old and new names go together: Pearson's correlation.
    pub length_correlation: Option<f64>,
}

/// Counts variants by setting, of functions of which there are so many.
pub fn by_setting<'r>(
    functions: u64,
    variants: impl IntoIterator<Item = &'r VariantFacts>,
    waiting: impl IntoIterator<Item = &'r Waiting>,
) -> BTreeMap<String, SettingNumbers> {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for variant in variants {
        tallies.entry(&variant.setting).or_default().add(variant);
    }
    for waiting in waiting.into_iter().filter(|waiting| waiting.stage != Stage::Lower) {
        tallies.entry(&waiting.setting).or_default().wait(waiting);
    }
    tallies.into_iter().map(|(setting, tally)| (setting.to_owned(), tally.numbers(functions))).collect()
}

#[derive(Default)]
struct Tally<'r> {
    numbers: SettingNumbers,
    whole: BTreeSet<&'r str>,
    broken: BTreeSet<&'r str>,
    sums: [f64; 6],
    letters: Letters,
    lengths: Lengths,
}

impl<'r> Tally<'r> {
    fn add(&mut self, variant: &'r VariantFacts) {
        self.numbers.variants += 1;
        *self.numbers.tiers.entry(variant.tier).or_default() += 1;
        *self.numbers.undefinedness.entry(variant.undefinedness).or_default() += 1;
        self.numbers.explained += u64::from(variant.evidence.is_explained());
        self.numbers.long += u64::from(variant.evidence.with_helpers.is_some());
        self.numbers.surviving_names += u64::from(variant.surviving_names);
        self.numbers.surviving_comments += u64::from(variant.surviving_comments);
        self.whole.insert(&variant.function_id);
        let counts = [variant.loc, variant.tokens, variant.cyclomatic_complexity].map(f64::from);
        let measures = [variant.surface_distance, variant.expansion, variant.perturbation_fraction];
        let measures = counts.into_iter().chain(measures);
        self.sums.iter_mut().zip(measures).for_each(|(sum, measure)| *sum += measure);
        for (old, new) in variant.rename_map.iter() {
            // A word before the name says what it is.
            let old = old.rsplit(' ').next().unwrap_or(old);
            self.letters.add(old, new);
            self.lengths.add(old.chars().count() as f64, new.chars().count() as f64);
        }
    }

    fn wait(&mut self, waiting: &'r Waiting) {
        if waiting.stage != Stage::Long {
            self.broken.insert(&waiting.function_id);
        }
        let reasons = self.numbers.waiting.entry(waiting.stage).or_default();
        *reasons.entry(waiting.reason).or_default() += 1;
    }

    fn numbers(self, functions: u64) -> SettingNumbers {
        let variants = self.numbers.variants as f64;
        let mean = |sum: f64| (variants > 0.0).then(|| sum / variants);
        let whole = self.whole.difference(&self.broken).count() as u64;
        SettingNumbers {
            functions: whole,
            functions_share: (functions > 0).then(|| whole as f64 / functions as f64),
            loc: mean(self.sums[0]),
            tokens: mean(self.sums[1]),
            cyclomatic_complexity: mean(self.sums[2]),
            surface_distance: mean(self.sums[3]),
            expansion: mean(self.sums[4]),
            perturbation_fraction: mean(self.sums[5]),
            same_first_letter: self.letters.same(),
            same_first_letter_by_chance: self.letters.by_chance(),
            length_correlation: self.lengths.correlation(),
            ..self.numbers
        }
    }
}

/// The first letters of old and new names.
#[derive(Default)]
struct Letters {
    old: BTreeMap<char, u64>,
    new: BTreeMap<char, u64>,
    same: u64,
    all: u64,
}

impl Letters {
    fn add(&mut self, old: &str, new: &str) {
        let first = |name: &str| name.chars().next().map(|letter| letter.to_ascii_lowercase());
        let (Some(old), Some(new)) = (first(old), first(new)) else { return };
        *self.old.entry(old).or_default() += 1;
        *self.new.entry(new).or_default() += 1;
        self.same += u64::from(old == new);
        self.all += 1;
    }

    fn same(&self) -> Option<f64> {
        (self.all > 0).then(|| self.same as f64 / self.all as f64)
    }

    fn by_chance(&self) -> Option<f64> {
        let all = self.all as f64;
        let of = |letter: &char| self.new.get(letter).copied().unwrap_or_default() as f64;
        (self.all > 0).then(|| self.old.iter().map(|(letter, count)| *count as f64 / all * of(letter) / all).sum())
    }
}

/// The lengths of old and new names.
#[derive(Default)]
struct Lengths {
    count: f64,
    sums: (f64, f64),
    squares: (f64, f64),
    products: f64,
}

impl Lengths {
    fn add(&mut self, old: f64, new: f64) {
        self.count += 1.0;
        self.sums = (self.sums.0 + old, self.sums.1 + new);
        self.squares = (self.squares.0 + old * old, self.squares.1 + new * new);
        self.products += old * new;
    }

    /// None where one of the two never varies.
    fn correlation(&self) -> Option<f64> {
        let covariance = self.count * self.products - self.sums.0 * self.sums.1;
        let spread = |sum: f64, squares: f64| self.count * squares - sum * sum;
        let product = spread(self.sums.0, self.squares.0) * spread(self.sums.1, self.squares.1);
        (product > 0.0).then(|| covariance / product.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(function: &str, map: &str) -> VariantFacts {
        VariantFacts {
            function_id: function.to_owned(),
            setting: "symbol".to_owned(),
            rename_map: map.parse().unwrap(),
            tier: Tier::IdenticalCode,
            undefinedness: Undefinedness::SameChecks,
            evidence: r#"{"identical_code":{"gcc_o0":"identical"}}"#.parse().unwrap(),
            loc: 4,
            cyclomatic_complexity: 2,
            tokens: 20,
            surface_distance: 0.5,
            expansion: 1.5,
            perturbation_fraction: 0.25,
            surviving_names: 1,
            surviving_comments: 0,
        }
    }

    #[test]
    fn what_is_explained_is_the_variant_itself() {
        let evidences = [
            r#"{"identical_code":{"gcc_o0":"explained","gcc_o2":"identical"}}"#,
            r#"{"identical_code":{"gcc_o0":"identical"},"with_helpers":{"identical_code":{"gcc_o0":"explained"}}}"#,
            r#"{"identical_code":{"gcc_o0":"identical"},"explained":[],"instance":"explained"}"#,
        ];
        let variants =
            evidences.map(|evidence| VariantFacts { evidence: evidence.parse().unwrap(), ..variant("1", "{}") });
        let numbers = &by_setting(1, &variants, [])["symbol"];
        assert_eq!((numbers.explained, numbers.long), (1, 1));
    }

    #[test]
    fn a_function_counts_if_none_of_its_variants_waits() {
        let variants = [variant("1", r#"{"node":"vertex","struct node":"nodule"}"#), variant("2", r#"{"a":"b"}"#)];
        let waiting = Waiting {
            function_id: "2".to_owned(),
            setting: "symbol".to_owned(),
            seed: 0,
            stage: Stage::Evidence,
            reason: Reason::Different,
            detail: String::new(),
        };
        let numbers = &by_setting(4, &variants, [&waiting])["symbol"];
        assert_eq!((numbers.functions, numbers.functions_share, numbers.variants), (1, Some(0.25), 2));
        assert_eq!(numbers.waiting[&Stage::Evidence][&Reason::Different], 1);
        assert_eq!(numbers.undefinedness[&Undefinedness::SameChecks], 2);
        assert_eq!((numbers.surface_distance, numbers.surviving_names), (Some(0.5), 2));
        assert_eq!((numbers.loc, numbers.tokens, numbers.cyclomatic_complexity), (Some(4.0), Some(20.0), Some(2.0)));
        // Of `node`, `node` and `a`, the second keeps its first letter.
        assert_eq!(numbers.same_first_letter, Some(1.0 / 3.0));
        assert!(numbers.length_correlation.is_some_and(|found| found > 0.9));
    }
}
