//! A data set as MTEB loads it: Parquet files, and a README whose head says which is what.
//!
//! One corpus has the configurations `corpus`, `queries` and `qrels`. Several have `NAME-corpus`, `NAME-queries` and
//! `NAME-qrels` each, which is how MTEB finds the parts of a task that has several.

use std::path::Path;

use super::card::Card;
use super::corpus::ExportedCorpus;
use super::croissant::{self, Described};
use super::error::ExchangeError;
use super::file::{Column, write, write_parquet};

/// The split that MTEB asks for unless told otherwise.
const SPLIT: &str = "test";

/// Writes the data set, with its card and what machines read about it.
pub fn write_corpora(folder: &Path, corpora: &[ExportedCorpus], card: &Card) -> Result<(), ExchangeError> {
    let mut configurations = Vec::new();
    for corpus in corpora {
        let name = |part: &str| match corpora.len() {
            1 => part.to_owned(),
            _ => format!("{}-{part}", corpus.name),
        };
        for (part, columns) in parts(corpus) {
            let name = name(part);
            let file = format!("{SPLIT}.parquet");
            write_parquet(folder, &[&name, &file], &columns)?;
            let path = format!("{name}/{file}");
            let fields = columns.iter().map(|(column, values)| ((*column).to_owned(), values.kind())).collect();
            configurations.push(Described { name, path, fields });
        }
    }
    write(folder, &["README.md"], |file| file.write_all((head(card, &configurations) + &card.text()).as_bytes()))?;
    croissant::write_metadata(folder, card, &configurations)
}

/// The three tables of a corpus.
fn parts(corpus: &ExportedCorpus) -> [(&'static str, Vec<(&'static str, Column<'_>)>); 3] {
    fn texts(pairs: &[(String, String)]) -> Vec<(&'static str, Column<'_>)> {
        let ids = pairs.iter().map(|(id, _)| id.as_str()).collect();
        let texts = pairs.iter().map(|(_, text)| text.as_str()).collect();
        vec![("_id", Column::Texts(ids)), ("text", Column::Texts(texts))]
    }
    let qrels = vec![
        ("query-id", Column::Texts(corpus.qrels.iter().map(|(query, ..)| query.as_str()).collect())),
        ("corpus-id", Column::Texts(corpus.qrels.iter().map(|(_, document, _)| document.as_str()).collect())),
        (
            "score",
            Column::Numbers(corpus.qrels.iter().map(|&(.., grade)| grade.try_into().unwrap_or(i32::MAX)).collect()),
        ),
    ];
    [("corpus", texts(&corpus.documents)), ("queries", texts(&corpus.queries)), ("qrels", qrels)]
}

/// What the hub reads of a README, between lines of three hyphens. Whatever is in quotes here is JSON, which is YAML.
fn head(card: &Card, configurations: &[Described]) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut head = format!(
        "---\npretty_name: {}\nlanguage:\n- en\n- code\ntask_categories:\n- text-retrieval\ntags:\n- code\n- c\n- c++\nconfigs:\n",
        quoted(card.name())
    );
    for each in configurations {
        head += &format!(
            "- config_name: {}\n  data_files:\n  - split: {SPLIT}\n    path: {}\n",
            quoted(&each.name),
            quoted(&each.path)
        );
    }
    head + "---\n\n"
}
