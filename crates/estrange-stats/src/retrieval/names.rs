//! Numbers for documents that are known by name, in the order that breaks ties.

use std::collections::HashMap;

/// Document names, numbered in the order of their bytes, so that the later of two names has the higher number.
///
/// This is the order in which trec_eval compares names.
#[derive(Debug, Clone)]
pub struct Names {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    /// Numbers these names; one that comes twice is numbered once.
    ///
    /// # Panics
    /// With more than 2³² names.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        let mut names: Vec<String> = names.into_iter().map(Into::into).collect();
        names.sort_unstable();
        names.dedup();
        let number = |place: usize| u32::try_from(place).expect("fewer than 2³² names");
        let numbers = names.iter().enumerate().map(|(place, name)| (name.clone(), number(place))).collect();
        Self { names, numbers }
    }

    /// The number of a name.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The name with a number.
    pub fn name(&self, number: u32) -> Option<&str> {
        self.names.get(number as usize).map(String::as_str)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
