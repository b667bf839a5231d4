//! Corpora and rankings in the plain words that other programs' formats are written from.

use estrange_bench::exchange::ExportedCorpus;

use super::corpus::Corpus;

/// A corpus in plain words.
pub fn exported(corpus: &Corpus) -> ExportedCorpus {
    let mut qrels = Vec::new();
    for query in &corpus.queries {
        for (document, grade) in &query.right {
            let document = corpus.documents.get(*document as usize).map(|document| document.id.to_string());
            qrels.extend(document.map(|document| (query.id.clone(), document, *grade)));
        }
    }
    let text = |text: &str| text.to_owned();
    ExportedCorpus {
        name: corpus.name.clone(),
        group: corpus.group,
        view: corpus.view,
        setting: corpus.setting.clone(),
        seed: corpus.seed,
        documents: corpus.documents.iter().map(|document| (text(&document.id), text(&document.text))).collect(),
        queries: corpus.queries.iter().map(|query| (query.id.clone(), text(&query.text))).collect(),
        qrels,
    }
}
