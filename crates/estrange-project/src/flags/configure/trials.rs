//! Compares the build systems of one folder by what the preprocessor says to their flags.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::harvest::Harvest;
use crate::flags::preprocess::Chosen;

/// A build system at work in one folder counts as good if it compiles this share of the folder's sources.
const COVERED: f64 = 0.6;

/// The runs in one folder that gave flags.
#[derive(Debug)]
pub(crate) struct Trials {
    sources: BTreeSet<String>,
    /// The sources that some run's flags are accepted for.
    covered: BTreeSet<PathBuf>,
    /// The sources that some run's flags are refused for.
    refused: BTreeSet<PathBuf>,
    /// The best first.
    ranked: Vec<Trial>,
}

#[derive(Debug)]
struct Trial {
    harvest: Harvest,
    accepted: usize,
    refused: usize,
}

impl Trials {
    /// None so far, in a folder with these sources.
    pub fn new(sources: BTreeSet<String>) -> Self {
        Self { sources, covered: BTreeSet::new(), refused: BTreeSet::new(), ranked: Vec::new() }
    }

    /// Adds a run, with what was chosen from its flags alone. Says whether it is of any use beside the earlier ones.
    pub fn add(&mut self, harvest: Harvest, chosen: &Chosen) -> bool {
        let own = |path: &&PathBuf| path.to_str().is_some_and(|path| self.sources.contains(path));
        let (refused, accepted): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) =
            chosen.files.keys().filter(own).cloned().partition(|path| chosen.refused.contains_key(path));
        let trial = Trial { harvest, accepted: accepted.len(), refused: refused.len() };
        let before = self.covered.len();
        let was_enough = self.are_enough();
        self.covered.extend(accepted);
        self.refused.extend(refused);
        let gained = self.covered.len() - before;
        // A run that compiles few files refuses few: only with more accepted files does it make up for refused ones.
        let mends = |best: &Trial| trial.refused < best.refused && trial.accepted > best.accepted;
        // What compiles more than all before it has the better flags.
        if gained > before || self.ranked.first().is_some_and(mends) {
            self.ranked.insert(0, trial);
        } else if gained > 0 || !was_enough {
            self.ranked.push(trial);
        } else {
            return false;
        }
        true
    }

    /// Whether no further run is needed: enough sources are compiled, and each by flags that are accepted.
    pub fn are_settled(&self) -> bool {
        self.are_enough() && self.refused.is_subset(&self.covered)
    }

    /// What the runs left, the best first.
    pub fn into_harvests(self) -> impl Iterator<Item = Harvest> {
        self.ranked.into_iter().map(|trial| trial.harvest)
    }

    fn are_enough(&self) -> bool {
        self.covered.len() as f64 >= COVERED * self.sources.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::{FlagOrigin, Flags};
    use estrange_words::Language;

    /// Adds a run that compiles the files named, those in capitals by flags that are refused.
    fn add(trials: &mut Trials, origin: FlagOrigin, files: &str) -> bool {
        let flags = Flags {
            language: Language::C,
            standard: None,
            arguments: Vec::new(),
            directory: PathBuf::new(),
            origin,
            unavailable: Vec::new(),
        };
        let path = |letter: char| PathBuf::from(letter.to_ascii_lowercase().to_string());
        let refused = files.chars().filter(char::is_ascii_uppercase).map(|letter| (path(letter), String::new()));
        let chosen = Chosen {
            files: files.chars().map(|letter| (path(letter), flags.clone())).collect(),
            checked: files.len(),
            refused: refused.collect(),
        };
        let harvest = Harvest { origin, calls: Vec::new(), guest: PathBuf::new(), left: PathBuf::new() };
        trials.add(harvest, &chosen)
    }

    /// The order of CMake's and make's runs, and whether there is more to do.
    fn compare(cmake: &str, make: &str) -> (Vec<FlagOrigin>, bool) {
        let mut trials = Trials::new("abcdefgh".chars().map(String::from).collect());
        add(&mut trials, FlagOrigin::Cmake, cmake);
        assert!(!trials.are_settled(), "{cmake}");
        add(&mut trials, FlagOrigin::Make, make);
        let settled = trials.are_settled();
        (trials.into_harvests().map(|harvest| harvest.origin).collect(), settled)
    }

    #[test]
    fn the_run_with_more_accepted_files_goes_first_and_one_of_no_use_is_left_out() {
        use FlagOrigin::{Cmake, Make};
        assert_eq!(compare("abcdefgH", "abcdefgh"), (vec![Make, Cmake], true));
        assert_eq!(compare("abcdefgH", "h"), (vec![Cmake, Make], true), "few files do not win");
        assert_eq!(compare("abcdefgH", "bcdefgh"), (vec![Cmake, Make], true), "a tie goes to the earlier");
        assert_eq!(compare("abcdefgH", "abcH"), (vec![Cmake], false));
        assert_eq!(compare("abcdefGH", "abcdefgH"), (vec![Make, Cmake], false));
        assert_eq!(compare("ABCDEFgh", "abcd"), (vec![Make, Cmake], false));
        assert_eq!(compare("ab", "abcdefgh"), (vec![Make, Cmake], true));
        assert_eq!(compare("ab", "ab"), (vec![Cmake, Make], false), "it may have made headers all the same");
    }
}
