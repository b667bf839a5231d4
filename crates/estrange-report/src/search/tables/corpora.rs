//! What was searched: the corpora and their sizes.

use super::{count, words};
use crate::search::SearchPanel;
use crate::table::{Column, Entry, Section, Table};
use crate::words as names;

/// One row for all settings in which a corpus has the same size.
pub(super) fn corpora(report: &SearchPanel<'_>) -> Table {
    let document = report.document();
    let mut rows: Vec<Vec<Entry>> = Vec::new();
    for corpus in &document.corpora {
        let name = words(names::corpus(corpus));
        let setting = &document.settings[corpus.setting].name;
        let sizes = [corpus.documents, corpus.queries, corpus.duplicate_classes].map(count);
        match rows.iter_mut().find(|row| row[0] == name && row[2..] == sizes) {
            Some(row) => {
                if let Entry::Text(settings) = &mut row[1] {
                    settings.push_str(", ");
                    settings.push_str(setting);
                }
            }
            None => rows.push([vec![name, words(setting.clone())], sizes.to_vec()].concat()),
        }
    }
    Table {
        name: "corpora".to_owned(),
        title: "What was searched".to_owned(),
        note: "A class of duplicates is two or more documents with the same text: each of them is right where one is."
            .to_owned(),
        columns: vec![
            Column::words("corpus"),
            Column::words("settings"),
            Column::numbers("documents"),
            Column::numbers("queries"),
            Column::numbers("duplicate classes"),
        ],
        sections: vec![Section { title: String::new(), rows }],
        shows_spread: false,
    }
}
