//! What the page's script works with, as JSON inside the page.

use serde::Serialize;
use serde_json::{Value, json};

use super::{base64, explorer};
use crate::document::{QuerySheet, SearchResults, SettingKind};
use crate::panel::PageOptions;
use crate::search::SearchPanel;
use crate::words;

/// Something that queries can be told apart by.
#[derive(Serialize)]
struct Facet<'d> {
    name: &'static str,
    label: &'static str,
    values: Vec<&'d str>,
    /// For each query the place of its value.
    of: Vec<usize>,
}

/// The data as JSON that can stand inside a `script` element whatever texts are in it.
pub(super) fn json(report: &SearchPanel<'_>, options: &PageOptions) -> String {
    let document = report.document();
    let data = json!({
        "confidence": document.confidence,
        "measures": document.measures.iter().map(|name| json!({ "name": name, "label": words::measure(name) })).collect::<Vec<_>>(),
        "settings": document.settings.iter().map(|setting| json!({
            "name": setting.name, "short": setting.short, "original": setting.kind == SettingKind::Original,
        })).collect::<Vec<_>>(),
        "models": document.models.iter().map(|model| &model.name).collect::<Vec<_>>(),
        "corpora": corpora(document),
        "results": results(document),
        "queries": document.queries.len(),
        "facets": facets(document),
        "explorer": explorer::data(document, options),
    });
    // The only way to end the element, or to begin a comment in it, is with this sign.
    data.to_string().replace('<', "\\u003c")
}

fn corpora(document: &SearchResults) -> Vec<Value> {
    let corpora = document.corpora.iter().map(|corpus| {
        json!({
            "category": words::category(&corpus.group, &corpus.view),
            "view": corpus.view,
            "setting": corpus.setting,
            "all": words::is_all(&corpus.subset),
            "standard": corpus.standard,
            "asked": corpus.asked,
        })
    });
    corpora.collect()
}

fn results(document: &SearchResults) -> Vec<Value> {
    let results = document.results.iter().map(|cell| {
        json!({
            "model": cell.model,
            "corpus": cell.corpus,
            "measure": cell.measure,
            "mean": [cell.mean.value, cell.mean.low, cell.mean.high],
            "drop": cell.drop.map(|drop| [drop.value, drop.low, drop.high]),
            "scores": base64::fractions(&cell.scores),
        })
    });
    results.collect()
}

/// By what the page can filter: what has the same value for all queries is no choice.
fn facets(document: &SearchResults) -> Vec<Facet<'_>> {
    type Read = fn(&QuerySheet) -> &str;
    let kinds: [(&'static str, &'static str, Read); 4] = [
        ("group", "Group", |query| &query.group),
        ("licence", "Licence", |query| &query.licence),
        ("evidence", "Evidence", |query| &query.evidence),
        ("author", "Query by", |query| &query.author),
    ];
    let facets = kinds.into_iter().map(|(name, label, read)| {
        let mut values: Vec<&str> = document.queries.iter().map(read).collect();
        values.sort_unstable();
        values.dedup();
        let of = document.queries.iter().map(|query| values.binary_search(&read(query)).unwrap_or_default()).collect();
        Facet { name, label, values, of }
    });
    facets.filter(|facet| facet.values.len() > 1).collect()
}
