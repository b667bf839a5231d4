//! The names of things as a reader knows them.

use crate::document::CorpusSheet;

/// A measure's name as papers write it: `NDCG@10` for `ndcg@10`, `R@5` for `recall@5`.
pub(crate) fn measure(name: &str) -> String {
    let (kind, rest) = name.split_at(name.find(['@', '-']).unwrap_or(name.len()));
    let kind = match kind {
        "ndcg" | "mrr" | "map" => kind.to_uppercase(),
        "recall" => "R".to_owned(),
        "precision" => "P".to_owned(),
        other => other.to_owned(),
    };
    kind + rest
}

/// What a corpus is a view of: `Group 1`, `Group 3 short`.
pub(crate) fn category(group: &str, view: &str) -> String {
    format!("Group {group} {view}").trim_end().to_owned()
}

/// What a corpus is: its category, and the part of the queries where it is not all.
pub(crate) fn corpus(corpus: &CorpusSheet) -> String {
    let category = category(&corpus.group, &corpus.view);
    match is_all(&corpus.subset) {
        true => category,
        false => format!("{category}, {}", corpus.subset),
    }
}

/// A share as a percentage, with as many decimals as it has: `95%`, `99.9%`.
pub(crate) fn percent(share: f64) -> String {
    format!("{}%", (share * 1e8).round() / 1e6)
}

/// Whether a subset is all queries.
pub(crate) fn is_all(subset: &str) -> bool {
    matches!(subset, "" | "all")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_have_the_names_of_papers() {
        let names = ["ndcg@10", "mrr@10-l2", "map", "recall@5", "my-own@3"].map(measure);
        assert_eq!(names, ["NDCG@10", "MRR@10-l2", "MAP", "R@5", "my-own@3"]);
    }

    #[test]
    fn a_percentage_has_no_tail() {
        assert_eq!([0.95, 0.999, 0.9].map(percent), ["95%", "99.9%", "90%"]);
    }

    #[test]
    fn a_category_without_views_has_no_space_at_its_end() {
        assert_eq!(category("1", ""), "Group 1");
        assert_eq!(category("3", "long"), "Group 3 long");
    }
}
