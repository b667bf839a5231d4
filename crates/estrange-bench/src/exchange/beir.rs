//! BEIR's layout: a folder for each corpus, with JSON lines and a table of what is right.

use std::path::Path;

use serde_json::json;

use super::corpus::ExportedCorpus;
use super::error::ExchangeError;
use super::file::{write, write_json_lines};

/// Writes `NAME/corpus.jsonl`, `NAME/queries.jsonl` and `NAME/qrels/test.tsv` of each corpus.
pub fn write_corpora(folder: &Path, corpora: &[ExportedCorpus]) -> Result<(), ExchangeError> {
    for corpus in corpora {
        corpus.check_ids()?;
        let name = corpus.name.as_str();
        let documents = corpus.documents.iter().map(|(id, text)| json!({ "_id": id, "title": "", "text": text }));
        write_json_lines(folder, &[name, "corpus.jsonl"], documents)?;
        let queries = corpus.queries.iter().map(|(id, text)| json!({ "_id": id, "text": text }));
        write_json_lines(folder, &[name, "queries.jsonl"], queries)?;
        write(folder, &[name, "qrels", "test.tsv"], |file| {
            writeln!(file, "query-id\tcorpus-id\tscore")?;
            let mut rows = corpus.qrels.iter();
            rows.try_for_each(|(query, document, grade)| writeln!(file, "{query}\t{document}\t{grade}"))
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::read_to_string;

    use super::super::corpus::tests::sample;
    use super::*;

    #[test]
    fn a_line_is_a_line_whatever_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        write_corpora(folder.path(), &[sample()]).unwrap();
        let read = |name: &str| read_to_string(folder.path().join("group3-short-standard").join(name)).unwrap();
        let second: serde_json::Value = serde_json::from_str(read("corpus.jsonl").lines().nth(1).unwrap()).unwrap();
        assert_eq!(second, json!({ "_id": "b", "title": "", "text": "int \"b\"\t;\n" }));
        assert_eq!(read("queries.jsonl").lines().count(), 2);
        assert_eq!(read("qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tc\t2\nq2\tb\t2\nq2\td\t1\n");
    }

    #[test]
    fn an_id_that_would_break_a_line_is_refused() {
        let mut corpus = sample();
        corpus.queries[0].0 = "q 1".to_owned();
        let error = write_corpora(tempfile::tempdir().unwrap().path(), &[corpus]).unwrap_err();
        assert!(matches!(error, ExchangeError::Id { ref id } if id == "q 1"), "{error}");
    }
}
