//! Where settings, measures and queries stand in a document.

use std::collections::HashMap;

use estrange_bench::{Query, WrittenBy};
use estrange_report::document::Setting;

/// The places of things that others refer to.
pub(super) struct Places {
    pub(super) settings: Vec<Setting>,
    pub(super) measures: Vec<String>,
    /// Who wrote each query.
    pub(super) written_by: Vec<WrittenBy>,
    queries: HashMap<String, usize>,
}

impl Places {
    pub(super) fn new(settings: Vec<Setting>, queries: &[Query]) -> Self {
        Self {
            settings,
            measures: Vec::new(),
            written_by: queries.iter().map(|query| query.written_by).collect(),
            queries: queries.iter().enumerate().map(|(at, query)| (query.id.clone(), at)).collect(),
        }
    }

    pub(super) fn setting(&self, name: &str) -> Option<usize> {
        self.settings.iter().position(|setting| setting.name == name)
    }

    pub(super) fn query(&self, id: &str) -> Option<usize> {
        self.queries.get(id).copied()
    }

    /// A measure's place; a new one gets the next.
    pub(super) fn measure(&mut self, name: &str) -> usize {
        self.measures.iter().position(|known| known == name).unwrap_or_else(|| {
            self.measures.push(name.to_owned());
            self.measures.len() - 1
        })
    }
}
