//! TREC's files: what is right for queries, and the rankings of a run, as trec_eval reads them.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::corpus::{ExportedCorpus, check_id};
use super::error::ExchangeError;
use super::file::write;

/// Writes `NAME.qrels` of each corpus.
pub fn write_qrels(folder: &Path, corpora: &[ExportedCorpus]) -> Result<(), ExchangeError> {
    for corpus in corpora {
        corpus.check_ids()?;
        write(folder, &[&format!("{}.qrels", corpus.name)], |file| {
            let mut rows = corpus.qrels.iter();
            rows.try_for_each(|(query, document, grade)| writeln!(file, "{query} 0 {document} {grade}"))
        })?;
    }
    Ok(())
}

/// A ranking in plain words: what was found for a query, with scores.
#[derive(Debug, Clone, Copy)]
pub struct ExportedRanking<'a> {
    /// The query's id.
    pub query: &'a str,
    /// The documents, the best first.
    pub documents: &'a [String],
    /// Their scores.
    pub scores: &'a [f64],
}

/// Writes rankings as `NAME.run`, in the order in which trec_eval reads them: by their scores, and where these are equal by
/// the documents' ids, the last first. A document that another one stands for goes by that one's id, once, in the place of
/// the first of them.
pub fn write_run(
    folder: &Path,
    name: &str,
    tag: &str,
    rankings: &[ExportedRanking<'_>],
    stands_for: &HashMap<String, String>,
) -> Result<(), ExchangeError> {
    let tag = tag.replace(char::is_whitespace, "_");
    for ranking in rankings {
        check_id(ranking.query)?;
        ranking.documents.iter().try_for_each(|document| check_id(document))?;
    }
    write(folder, &[&format!("{name}.run")], |file| {
        for ranking in rankings {
            for (place, (document, score)) in united(ranking, stands_for).into_iter().enumerate() {
                writeln!(file, "{} Q0 {document} {} {score} {tag}", ranking.query, place + 1)?;
            }
        }
        Ok(())
    })
}

/// A ranking of documents that stand for themselves. The scores are what trec_eval makes of them, in single precision.
fn united<'a>(ranking: &ExportedRanking<'a>, stands_for: &'a HashMap<String, String>) -> Vec<(&'a str, f32)> {
    let mut ranking: Vec<(&str, f32)> =
        ranking.documents.iter().zip(ranking.scores).map(|(id, score)| (id.as_str(), *score as f32)).collect();
    ranking.sort_by(by_trec);
    let mut seen = HashSet::new();
    let mut kept: Vec<(&str, f32)> = Vec::with_capacity(ranking.len());
    for (id, score) in ranking {
        let id = stands_for.get(id).map_or(id, String::as_str);
        if !seen.insert(id) {
            continue;
        }
        // With another id it could stand elsewhere among equal scores: the least step down keeps the order.
        let score = match kept.last() {
            Some(&last) if by_trec(&last, &(id, score)) == Ordering::Greater => last.1.next_down(),
            _ => score,
        };
        kept.push((id, score));
    }
    kept
}

fn by_trec(one: &(&str, f32), two: &(&str, f32)) -> Ordering {
    two.1.total_cmp(&one.1).then_with(|| two.0.cmp(one.0))
}

#[cfg(test)]
mod tests {
    use super::super::corpus::tests::sample;
    use super::*;

    fn parts(ranking: &[(&str, f64)]) -> (Vec<String>, Vec<f64>) {
        ranking.iter().map(|(id, score)| ((*id).to_owned(), *score)).unzip()
    }

    fn exported((documents, scores): &(Vec<String>, Vec<f64>)) -> ExportedRanking<'_> {
        ExportedRanking { query: "q1", documents, scores }
    }

    #[test]
    fn one_document_stands_for_its_copies_where_the_first_of_them_stood() {
        let stands_for = sample().unite_duplicates();
        let found = parts(&[("d", 2.0), ("b", 1.0), ("c", 1.0), ("a", 0.5)]);
        let ranked = united(&exported(&found), &stands_for);
        assert_eq!(ranked.iter().map(|(id, _)| *id).collect::<Vec<_>>(), ["d", "a", "b"]);
        assert!(ranked[1].1 == 1.0 && ranked[2].1 < 1.0 && ranked[2].1 > 0.999_999);
    }

    #[test]
    fn files_are_as_trec_eval_wants_them() {
        let folder = tempfile::tempdir().unwrap();
        write_qrels(folder.path(), &[sample()]).unwrap();
        let found = parts(&[("b", 0.1_f32.into()), ("d", 0.25)]);
        write_run(folder.path(), "group3-short-standard", "local:my model", &[exported(&found)], &HashMap::new())
            .unwrap();
        let read = |end: &str| std::fs::read_to_string(folder.path().join(format!("group3-short-standard.{end}")));
        assert_eq!(read("qrels").unwrap(), "q1 0 a 1\nq1 0 c 2\nq2 0 b 2\nq2 0 d 1\n");
        assert_eq!(read("run").unwrap(), "q1 Q0 d 1 0.25 local:my_model\nq1 Q0 b 2 0.1 local:my_model\n");
    }
}
