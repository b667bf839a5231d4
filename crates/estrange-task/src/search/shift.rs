//! How far functions' vectors move from the standard setting to another (the paper's Table 11).

use std::collections::HashMap;

use estrange_bench::View;
use estrange_model::{Embedder, Item, ModelError, Role, Watch};

use super::corpus::{Corpus, Document};
use super::library::{Library, STANDARD};
use super::records::Shift;

/// The distance between each function's vector in the standard setting and in each other one. Only functions of the
/// corpora that are searched have one, each for its own text: whoever has ranked these has all vectors already.
pub fn shifts(
    library: &Library,
    corpora: &[Corpus],
    embedder: &dyn Embedder,
    watch: &dyn Watch,
) -> Result<Vec<Shift>, ModelError> {
    let mut shifts = Vec::new();
    let alone = || corpora.iter().filter(|corpus| corpus.view == View::Short);
    for standard in alone().filter(|corpus| corpus.setting == STANDARD) {
        // In the short view, functions of other groups are documents too where they are called.
        let of_group = library.functions().iter().filter(|function| function.group == standard.group);
        let before: HashMap<&str, &str> =
            standard.documents.iter().map(|document| (&*document.id, &*document.text)).collect();
        let before: HashMap<&str, &str> = of_group
            .filter_map(|function| before.get_key_value(&*function.id))
            .map(|(id, text)| (*id, *text))
            .collect();
        for other in alone().filter(|corpus| corpus.group == standard.group && corpus.setting != STANDARD) {
            let both: Vec<(&Document, &str)> =
                other.documents.iter().filter_map(|document| Some((document, *before.get(&*document.id)?))).collect();
            let vectors = |corpus: &Corpus, texts: &[&str]| {
                let ids: Vec<String> = both.iter().map(|(document, _)| corpus.id_of(&document.id)).collect();
                let items: Vec<Item<'_>> = ids.iter().zip(texts).map(|(id, text)| Item { id, text }).collect();
                embedder.embed(&items, Role::Document, watch)
            };
            let then = vectors(standard, &both.iter().map(|(_, text)| *text).collect::<Vec<_>>())?;
            let now = vectors(other, &both.iter().map(|(document, _)| &*document.text).collect::<Vec<_>>())?;
            shifts.extend(both.iter().zip(then.iter().zip(&now)).map(|((document, _), (then, now))| {
                let squares = then.iter().zip(now).map(|(old, new)| f64::from(old - new).powi(2));
                Shift {
                    function_id: document.id.to_string(),
                    group: other.group,
                    setting: other.setting.clone(),
                    seed: other.seed,
                    distance: squares.sum::<f64>().sqrt(),
                }
            }));
        }
    }
    Ok(shifts)
}
