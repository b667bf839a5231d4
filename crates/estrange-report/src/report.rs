//! A report: what tasks have to show, side by side.

use crate::html;
use crate::panel::{PageOptions, Panel};
use crate::table::Table;
use crate::values;

/// A title, and a panel for each task.
pub struct Report<'p> {
    title: String,
    panels: Vec<Box<dyn Panel + 'p>>,
}

impl<'p> Report<'p> {
    /// A report without a panel.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), panels: Vec::new() }
    }

    /// The report with one panel more.
    pub fn with(mut self, panel: impl Panel + 'p) -> Self {
        self.panels.push(Box::new(panel));
        self
    }

    /// All tables of all panels.
    pub fn tables(&self) -> Vec<Table> {
        self.panels.iter().flat_map(|panel| panel.tables()).collect()
    }

    /// All values of the tables as one for programs: comma-separated values, one row a value.
    pub fn csv(&self) -> String {
        values::text(self.panels.iter().flat_map(|panel| panel.values()))
    }

    /// One page with everything. It needs no network and no other file.
    pub fn page(&self, options: &PageOptions) -> String {
        html::page(&self.title, &self.panels, options)
    }
}
