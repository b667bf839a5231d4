//! Where settings, measures and queries stand in a document.

use std::collections::HashMap;

use estrange_bench::{Group, Run, View, WrittenBy};
use estrange_report::document::Setting;

use crate::search::error::SearchError;
use crate::search::library::Library;
use crate::search::records::item_name;

/// The places of things that others refer to.
pub(super) struct Places {
    pub(super) settings: Vec<Setting>,
    pub(super) measures: Vec<String>,
    /// Who wrote each query.
    pub(super) written_by: Vec<WrittenBy>,
    items: HashMap<String, AskedItem>,
}

/// Which query an item is, in which group and view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AskedItem {
    pub(super) group: Group,
    pub(super) view: View,
    pub(super) query: usize,
}

impl Places {
    pub(super) fn new(settings: Vec<Setting>, library: &Library) -> Self {
        let groups: HashMap<&str, Group> =
            library.functions().iter().map(|function| (&*function.id, function.group)).collect();
        let mut items = HashMap::new();
        for (query, each) in library.queries().iter().enumerate() {
            let Some(&group) = groups.get(each.function_id.as_str()) else { continue };
            for &view in View::ALL {
                items.insert(item_name(group, view, &each.id), AskedItem { group, view, query });
            }
        }
        let written_by = library.queries().iter().map(|query| query.written_by).collect();
        Self { settings, measures: Vec::new(), written_by, items }
    }

    /// A setting's place, where it is shown.
    pub(super) fn place_of(&self, setting: &str) -> Option<usize> {
        self.settings.iter().position(|each| each.name == setting)
    }

    /// The place of a setting that a run speaks of.
    pub(super) fn setting(&self, run: &Run, name: &str) -> Result<usize, SearchError> {
        self.place_of(name).ok_or_else(|| self.foreign(run, &format!("the setting {name}")))
    }

    /// What an item is that a run speaks of.
    pub(super) fn item(&self, run: &Run, name: &str) -> Result<AskedItem, SearchError> {
        self.items.get(name).copied().ok_or_else(|| self.foreign(run, name))
    }

    /// A run speaks of something that was never asked.
    pub(super) fn foreign(&self, run: &Run, what: &str) -> SearchError {
        SearchError::Foreign { run: run.folder().to_owned(), what: what.to_owned() }
    }

    /// A measure's place; a new one gets the next.
    pub(super) fn measure(&mut self, name: &str) -> usize {
        self.measures.iter().position(|known| known == name).unwrap_or_else(|| {
            self.measures.push(name.to_owned());
            self.measures.len() - 1
        })
    }
}
