//! The panel of searches: a document that was found sound, with what is needed to look things up in it.

mod csv;
mod html;
mod tables;

use std::collections::HashMap;

use crate::document::{Cell, Estimate, SearchResults, SearchResultsError, SettingKind, check};
use crate::panel::{FactSheet, PageOptions, PagePart, Panel};
use crate::table::Table;
use crate::values::ValueRow;
use crate::words;

/// Runs of searches, to be shown side by side.
#[derive(Debug)]
pub struct SearchPanel<'d> {
    document: &'d SearchResults,
    results: HashMap<(usize, usize, usize), usize>,
}

/// A group and a view of it: what has one line, one panel or one block of rows to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Category<'d> {
    pub group: &'d str,
    pub view: &'d str,
}

impl Category<'_> {
    pub fn name(&self) -> String {
        words::category(self.group, self.view)
    }
}

impl<'d> SearchPanel<'d> {
    /// A panel of this document, unless it contradicts itself.
    pub fn new(document: &'d SearchResults) -> Result<Self, SearchResultsError> {
        check(document)?;
        let places = document.results.iter().enumerate();
        let results = places.map(|(place, cell)| ((cell.model, cell.corpus, cell.measure), place)).collect();
        Ok(Self { document, results })
    }

    pub(crate) fn document(&self) -> &'d SearchResults {
        self.document
    }

    /// The place of a model's result, and the result.
    pub(crate) fn result(&self, model: usize, corpus: usize, measure: usize) -> Option<(usize, &'d Cell)> {
        let place = *self.results.get(&(model, corpus, measure))?;
        Some((place, &self.document.results[place]))
    }

    /// The categories that have a corpus, in the order in which they come.
    pub(crate) fn categories(&self) -> Vec<Category<'d>> {
        let mut categories = Vec::new();
        for corpus in &self.document.corpora {
            let category = Category { group: &corpus.group, view: &corpus.view };
            if !categories.contains(&category) {
                categories.push(category);
            }
        }
        categories
    }

    /// The corpus of a category in a setting, asked all queries, or a subset of them.
    pub(crate) fn corpus(&self, category: Category<'_>, setting: usize, subset: Option<&str>) -> Option<usize> {
        self.document.corpora.iter().position(|corpus| {
            let is_subset = match subset {
                None => words::is_all(&corpus.subset),
                Some(subset) => corpus.subset == subset,
            };
            corpus.setting == setting && corpus.group == category.group && corpus.view == category.view && is_subset
        })
    }

    /// The settings of a kind, by their places.
    pub(crate) fn settings(&self, kind: SettingKind) -> Vec<usize> {
        let settings = self.document.settings.iter().enumerate();
        settings.filter(|(_, setting)| setting.kind == kind).map(|(place, _)| place).collect()
    }

    /// What a result lost against its corpus's standard: as it was measured, or the difference of the means.
    pub(crate) fn drop(&self, cell: &Cell) -> Option<(Estimate, bool)> {
        if let Some(drop) = cell.drop {
            return Some((drop, true));
        }
        let standard = self.document.corpora[cell.corpus].standard?;
        let (_, before) = self.result(cell.model, standard, cell.measure)?;
        let value = before.mean.value - cell.mean.value;
        Some((Estimate { value, low: value, high: value }, false))
    }

    /// What a model lost in a setting by the first measure, over all categories, as a share of what it had before.
    pub(crate) fn loss(&self, model: usize, setting: usize) -> Option<f64> {
        let corpora = self.document.corpora.iter().enumerate();
        let corpora = corpora.filter(|(_, corpus)| corpus.setting == setting && words::is_all(&corpus.subset));
        let cells = corpora.filter_map(|(place, _)| self.result(model, place, 0));
        let (mut before, mut lost) = (0.0, 0.0);
        for (_, cell) in cells {
            let Some((drop, _)) = self.drop(cell) else { continue };
            before += cell.mean.value + drop.value;
            lost += drop.value;
        }
        (before > 0.0).then(|| lost / before)
    }
}

impl Panel for SearchPanel<'_> {
    fn name(&self) -> &str {
        "search"
    }

    fn title(&self) -> &str {
        "Search"
    }

    /// All tables that the document has values for, in the order in which a paper has them.
    fn tables(&self) -> Vec<Table> {
        tables::all(self)
    }

    fn values(&self) -> Vec<ValueRow> {
        csv::rows(self.document)
    }

    fn facts(&self) -> Vec<FactSheet> {
        let made = FactSheet { title: String::new(), facts: self.document.made.clone() };
        let models = self.document.models.iter();
        let models = models.map(|model| FactSheet { title: model.name.clone(), facts: model.facts.clone() });
        [made].into_iter().chain(models).collect()
    }

    /// Tables, plots, filters and an explorer of queries.
    fn page(&self, options: &PageOptions) -> PagePart {
        html::part(self, options)
    }
}
