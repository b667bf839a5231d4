//! The numbers of `estrange stats`: from functions found to functions kept, and what the kept ones are like.
//!
//! Everything is counted from records, so that any cut can be made by filtering them first: the library's functions
//! alone, one source left out, one split.

mod lowered;
mod statistics;
mod variants;

use std::collections::BTreeMap;

use estrange_words::words;
use serde::Serialize;

use crate::counts::Counts;
use crate::error::BenchError;
use crate::record::{FunctionFacts, RejectedFacts};
use crate::words::{Group, Kind, Language};
use crate::{Bench, Split};

pub use lowered::{LoweredNumbers, by_lowering};
pub use statistics::{Distribution, GroupTable, Statistics, Summary};
pub use variants::{SettingNumbers, by_setting};

words! {
    /// Functions by how hard they are to carry out.
    pub enum Class {
        /// A function in C.
        C = "c",
        /// A function in C++ that is not a member.
        CppFree = "c++-free",
        /// A member function in C++, constructors and destructors included.
        CppMethod = "c++-method",
        /// It was lost before its language or kind was known.
        Unknown = "unknown",
    }
}

impl Class {
    /// The class of a function of this language and kind.
    pub fn of(language: Option<Language>, kind: Option<Kind>) -> Self {
        match (language, kind) {
            (Some(Language::C), _) => Self::C,
            (Some(Language::Cpp), Some(Kind::Function | Kind::Operator | Kind::Template)) => Self::CppFree,
            (Some(Language::Cpp), Some(_)) => Self::CppMethod,
            (Some(Language::Cpp) | None, None) | (None, Some(_)) => Self::Unknown,
        }
    }
}

/// From functions found to functions kept, cut in several ways. The counts of each cut add up to the total.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Funnel {
    /// All of them.
    pub total: Counts,
    /// By the source they come from.
    pub by_source: BTreeMap<String, Counts>,
    /// By language and kind.
    pub by_class: BTreeMap<Class, Counts>,
    /// By what their file is to its project; `unknown` where that is.
    pub by_role: BTreeMap<String, Counts>,
    /// The kept ones by group; a function that was lost has none.
    pub kept_by_group: BTreeMap<Group, u64>,
    /// The kept ones by split.
    pub kept_by_split: BTreeMap<Split, u64>,
    /// The kept ones by the class of their licence.
    pub kept_by_licence_class: BTreeMap<String, u64>,
}

impl Funnel {
    /// Counts a whole bench.
    pub fn of(bench: &Bench) -> Result<Self, BenchError> {
        let mut funnel = Self::default();
        for function in bench.function_facts()? {
            funnel.keep(&function?);
        }
        for rejected in bench.rejected_facts()? {
            funnel.reject(&rejected?);
        }
        Ok(funnel)
    }

    /// Counts these records.
    pub fn count<'r>(
        functions: impl IntoIterator<Item = &'r FunctionFacts>,
        rejected: impl IntoIterator<Item = &'r RejectedFacts>,
    ) -> Self {
        let mut funnel = Self::default();
        functions.into_iter().for_each(|function| funnel.keep(function));
        rejected.into_iter().for_each(|rejected| funnel.reject(rejected));
        funnel
    }

    fn keep(&mut self, function: &FunctionFacts) {
        let class = Class::of(Some(function.language), Some(function.kind));
        for counts in self.cuts(&function.source, class, &function.role) {
            counts.keep();
        }
        *self.kept_by_group.entry(function.group).or_default() += 1;
        *self.kept_by_split.entry(function.split).or_default() += 1;
        *self.kept_by_licence_class.entry(function.licence_class.clone()).or_default() += 1;
    }

    fn reject(&mut self, rejected: &RejectedFacts) {
        let class = Class::of(rejected.language, rejected.kind);
        let role = rejected.role.as_deref().unwrap_or("unknown");
        for counts in self.cuts(&rejected.source, class, role) {
            match rejected.is_function() {
                true => counts.reject(rejected.stage, rejected.reason),
                false => counts.lose(rejected.stage, rejected.reason),
            }
        }
    }

    fn cuts(&mut self, source: &str, class: Class, role: &str) -> [&mut Counts; 4] {
        [
            &mut self.total,
            self.by_source.entry(source.to_owned()).or_default(),
            self.by_class.entry(class).or_default(),
            self.by_role.entry(role.to_owned()).or_default(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_needs_what_it_depends_on_and_no_more() {
        assert_eq!(Class::of(Some(Language::C), None), Class::C);
        assert_eq!(Class::of(Some(Language::Cpp), Some(Kind::Template)), Class::CppFree);
        assert_eq!(Class::of(Some(Language::Cpp), Some(Kind::Destructor)), Class::CppMethod);
        assert_eq!(Class::of(Some(Language::Cpp), None), Class::Unknown);
    }
}
