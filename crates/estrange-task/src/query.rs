//! Descriptions of functions: what a search starts from.
//!
//! They come from [comments](comment) that people wrote as documentation, from [files](mod@file) that people wrote as
//! queries, or from [models](written). In no case may a description name what it describes: see [`names`].

pub mod comment;
pub mod file;
pub mod names;
mod ordinary;
pub mod prompt;
pub mod written;

use std::collections::BTreeMap;

use estrange_bench::{Function, Group, Helper, Judgement, Query, View, WrittenBy};

/// A description that is not there, by the reason.
pub type Lost = BTreeMap<&'static str, usize>;

/// A query for a function, by an author who asked nobody.
fn query(function: &Function, text: String, author: &str, written_by: WrittenBy) -> Query {
    Query {
        id: format!("q-{}", function.id),
        function_id: function.id.clone(),
        text,
        author: author.to_owned(),
        written_by,
        prompt_hash: None,
        prompt_tokens: None,
        answer_tokens: None,
        cost: None,
    }
}

/// What is right for a query: the function, and in the short view of group 3 what it calls itself, with a lower grade.
pub fn judgements(query: &Query, function: &Function) -> Vec<Judgement> {
    let judgement =
        |view, document_id: String, grade| Judgement { query_id: query.id.clone(), view, document_id, grade };
    let mut all = vec![judgement(View::Short, function.id.clone(), 2)];
    if function.group == Group::Three {
        let called = function.helpers.iter().filter(|helper| helper.depth == 1);
        let mut helpers: Vec<String> = called.filter_map(document_id).collect();
        helpers.sort_unstable();
        helpers.dedup();
        helpers.retain(|helper| *helper != function.id);
        all.extend(helpers.into_iter().map(|helper| judgement(View::Short, helper, 1)));
        if function.long_text.is_some() {
            all.push(judgement(View::Long, function.id.clone(), 2));
        }
    }
    all
}

/// What a helper is called as a document: by its own id, or by its text where it has none. One without a text is no
/// document.
pub fn document_id(helper: &Helper) -> Option<String> {
    match (&helper.id, helper.text.is_empty()) {
        (Some(id), _) => Some(id.clone()),
        (None, true) => None,
        (None, false) => Some(format!("h-{}", &blake3::hash(helper.text.as_bytes()).to_hex()[..24])),
    }
}
