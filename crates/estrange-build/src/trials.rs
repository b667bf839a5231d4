//! How many variants a function gets in a setting, each with a seed of its own.

use std::str::FromStr;

use estrange_rewrite::{NoRecipe, Rewrite, Setting, split_list};

/// How many trials each setting has. A setting that draws nothing has one, whatever is said of all: another seed would
/// give the same text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trials {
    /// What is said of all settings.
    all: Option<u32>,
    /// What is said of single ones.
    of: Vec<(Setting, u32)>,
}

/// Why a text does not say how many trials there are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoTrials {
    /// It is no number that may be.
    #[error("`{0}` is no number of trials: 5, or symbol:5, with numbers from 1 to 1000")]
    HowMany(String),
    /// There is no such setting.
    #[error(transparent)]
    Setting(#[from] NoRecipe),
    /// The seed has no say in a setting.
    #[error("`{0}` draws nothing: every trial of it would be the same")]
    DrawsNothing(Setting),
    /// Two numbers for one setting, or for all.
    #[error("`{0}` says for a second time how many trials there are")]
    Twice(String),
}

/// How many trials names that are drawn at random have, unless told otherwise.
const OF_RANDOM_NAMES: u32 = 10;
const MOST: u32 = 1000;

impl Trials {
    /// How many trials a setting has.
    pub fn of(&self, setting: &Setting) -> u32 {
        let usual = if setting.recipe().has(Rewrite::Randomize) { OF_RANDOM_NAMES } else { 1 };
        let told = self.of.iter().find(|(told, _)| told == setting).map(|(_, count)| *count);
        match setting.recipe().draws() {
            true => told.or(self.all).unwrap_or(usual),
            false => 1,
        }
    }

    /// The settings of which something is said by name.
    pub fn named(&self) -> impl Iterator<Item = &Setting> {
        self.of.iter().map(|(setting, _)| setting)
    }
}

impl FromStr for Trials {
    type Err = NoTrials;

    /// Reads a number for all settings, and `SETTING:N` for single ones, with commas between them.
    fn from_str(text: &str) -> Result<Self, NoTrials> {
        let count = |number: &str, word: &str| {
            let count = number.trim().parse().ok().filter(|count| (1..=MOST).contains(count));
            count.ok_or_else(|| NoTrials::HowMany(word.to_owned()))
        };
        let mut trials = Self::default();
        for word in split_list(text) {
            let is_first = match word.rsplit_once(':') {
                None => trials.all.replace(count(word, word)?).is_none(),
                Some((setting, number)) => {
                    let (setting, number): (Setting, u32) = (setting.parse()?, count(number, word)?);
                    if !setting.recipe().draws() {
                        return Err(NoTrials::DrawsNothing(setting));
                    }
                    let is_first = trials.named().all(|named| *named != setting);
                    trials.of.push((setting, number));
                    is_first
                }
            };
            if !is_first {
                return Err(NoTrials::Twice(word.to_owned()));
            }
        }
        Ok(trials)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(trials: &str, setting: &str) -> u32 {
        trials.parse::<Trials>().unwrap().of(&setting.parse().unwrap())
    }

    #[test]
    fn a_number_is_for_all_settings_that_draw_and_a_setting_may_have_its_own() {
        let all = ["neutralized", "randomized", "symbol", "semantic", "L1", "randomize+layout"];
        assert_eq!(all.map(|setting| Trials::default().of(&setting.parse().unwrap())), [1, 10, 1, 1, 1, 10]);
        assert_eq!(all.map(|setting| of("3", setting)), [1, 3, 3, 3, 1, 3]);
        assert_eq!(all.map(|setting| of("symbol:5, semantic*3:2", setting)), [1, 10, 5, 2, 1, 10]);
        assert_eq!(all.map(|setting| of("randomized:4,2", setting)), [1, 4, 2, 2, 1, 2]);
    }

    #[test]
    fn what_says_nothing_is_refused() {
        let wrong = |text: &str| text.parse::<Trials>().unwrap_err();
        for text in ["", "0", "1001", "many", "symbol:", "symbol:0", "symbol:-1", "symbol:5,"] {
            assert!(matches!(wrong(text), NoTrials::HowMany(_)), "{text}");
        }
        assert_eq!(wrong("simbol:5"), NoTrials::Setting(NoRecipe::Unknown("simbol".to_owned())));
        assert_eq!(wrong("neutralized:5"), NoTrials::DrawsNothing("neutralized".parse().unwrap()));
        assert_eq!(wrong("5,symbol:2,5"), NoTrials::Twice("5".to_owned()));
        assert_eq!(wrong("semantic:5,semantic*3:2"), NoTrials::Twice("semantic*3:2".to_owned()));
    }
}
