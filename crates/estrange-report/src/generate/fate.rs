//! What becomes of answers, in few words: what a bar can show, and a mark beside an answer.

use estrange_words::Outcome;

use super::document::WritingSheet;

/// What became of an answer, as far as a glance tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It passes.
    Passes,
    /// It compiles and links, and does not do what the function does.
    Fails,
    /// It does not compile or link.
    NotBuilt,
    /// There is no function to compile.
    Nothing,
    /// Nothing can be said of it.
    Unclear,
}

impl Fate {
    pub const ALL: [Self; 5] = [Self::Passes, Self::Fails, Self::NotBuilt, Self::Nothing, Self::Unclear];

    /// The fate that a word stands for; of an unknown word nothing is said.
    pub fn of(word: &str) -> Self {
        match word.parse() {
            Ok(Outcome::Passed) => Self::Passes,
            Ok(
                Outcome::WrongResult | Outcome::Fault | Outcome::EndedEarly | Outcome::Endless | Outcome::NotBelieved,
            ) => Self::Fails,
            Ok(Outcome::DoesNotCompile | Outcome::DoesNotLink) => Self::NotBuilt,
            Ok(Outcome::NoCode | Outcome::NoFunction | Outcome::CutOff | Outcome::NoReply) => Self::Nothing,
            Ok(Outcome::Flaky | Outcome::NotRun) | Err(_) => Self::Unclear,
        }
    }

    /// The name of its class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Self::Passes => "passes",
            Self::Fails => "fails",
            Self::NotBuilt => "not-built",
            Self::Nothing => "nothing",
            Self::Unclear => "unclear",
        }
    }

    /// What it means, for a legend.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Passes => "passes",
            Self::Fails => "compiles, does not pass",
            Self::NotBuilt => "does not compile or link",
            Self::Nothing => "no function in the reply",
            Self::Unclear => "not clear",
        }
    }

    /// The same in a word, for a bar.
    pub fn short(self) -> &'static str {
        match self {
            Self::Passes => "pass",
            Self::Fails => "fail",
            Self::NotBuilt => "not built",
            Self::Nothing => "no function",
            Self::Unclear => "not clear",
        }
    }

    /// What stands before an outcome, so that it can be told without colour.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Passes => "✓",
            Self::Fails | Self::NotBuilt => "✗",
            Self::Nothing | Self::Unclear => "–",
        }
    }
}

/// How many answers of a level met this fate.
pub(super) fn met(level: &WritingSheet, fate: Fate) -> u64 {
    let own = level.outcomes.iter().filter(|(word, _)| Fate::of(word) == fate);
    own.map(|(_, count)| count).sum()
}

/// Words in the order of their list, and those that are in no list behind them.
pub(super) fn in_order<'w>(words: impl Iterator<Item = &'w str>, list: &[&str]) -> Vec<&'w str> {
    let place = |word: &str| list.iter().position(|known| *known == word).unwrap_or(list.len());
    let mut words: Vec<&str> = words.collect();
    words.sort_by(|one, other| place(one).cmp(&place(other)).then_with(|| one.cmp(other)));
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_built_passes_or_fails_and_no_other_does() {
        for outcome in Outcome::ALL.iter().copied().filter(|outcome| outcome.is_known()) {
            let is_built = matches!(Fate::of(outcome.as_str()), Fate::Passes | Fate::Fails);
            assert_eq!(is_built, outcome.is_built(), "{outcome}");
        }
        assert_eq!(Fate::of("what-nobody-knows"), Fate::Unclear);
        let classes: std::collections::BTreeSet<_> = Fate::ALL.iter().map(|fate| fate.class()).collect();
        assert_eq!(classes.len(), Fate::ALL.len());
    }

    #[test]
    fn unknown_words_stand_last_and_none_stands_twice() {
        assert_eq!(in_order(["z", "b", "a", "b", "y"].into_iter(), &["b", "a"]), ["b", "a", "y", "z"]);
    }
}
