//! How far functions' vectors move from the standard setting to another (the paper's Table 11).

use std::collections::HashMap;

use estrange_bench::{Shift, View};
use estrange_model::{Embedder, Item, ModelError, Role, Watch};

use super::corpus::Corpus;
use super::library::{Library, STANDARD};

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
            standard.documents.iter().map(|document| (document.id.as_str(), document.text.as_str())).collect();
        let before: HashMap<&str, &str> = of_group
            .filter_map(|function| before.get_key_value(function.id.as_str()))
            .map(|(id, text)| (*id, *text))
            .collect();
        for other in alone().filter(|corpus| corpus.group == standard.group && corpus.setting != STANDARD) {
            let both =
                other.documents.iter().filter_map(|document| Some((document, *before.get(document.id.as_str())?)));
            let (now, then): (Vec<Item<'_>>, Vec<Item<'_>>) = both
                .map(|(document, then)| {
                    let id = document.id.as_str();
                    (Item { id, text: &document.text }, Item { id, text: then })
                })
                .unzip();
            let vectors = |items: &[Item<'_>]| embedder.embed(items, Role::Document, watch);
            let distances = vectors(&then)?.into_iter().zip(vectors(&now)?).map(|(then, now)| {
                let squares = then.iter().zip(&now).map(|(old, new)| f64::from(old - new).powi(2));
                squares.sum::<f64>().sqrt()
            });
            shifts.extend(now.iter().zip(distances).map(|(item, distance)| Shift {
                function_id: item.id.to_owned(),
                group: other.group,
                setting: other.setting.clone(),
                seed: other.seed,
                distance,
            }));
        }
    }
    Ok(shifts)
}
