//! How far functions' vectors move from the standard setting to another (the paper's Table 11).

use estrange_bench::Shift;
use estrange_model::{Embedder, Item, ModelError, Role, Watch};

use super::library::{Library, STANDARD};

/// The distance between each function's vector in the standard setting and in each other one.
pub fn shifts(library: &Library, embedder: &dyn Embedder, watch: &dyn Watch) -> Result<Vec<Shift>, ModelError> {
    let functions = library.functions();
    let standard: Vec<Item<'_>> =
        functions.iter().map(|function| Item { id: &function.id, text: &function.text }).collect();
    let standard = embedder.embed(&standard, Role::Document, watch)?;
    let mut shifts = Vec::new();
    for (setting, seed) in library.settings().into_iter().filter(|(setting, _)| setting != STANDARD) {
        let found: Vec<(usize, Item<'_>)> = functions
            .iter()
            .enumerate()
            .filter_map(|(at, function)| {
                let text = library.text(&setting, seed, &function.id)?;
                Some((at, Item { id: &function.id, text }))
            })
            .collect();
        let items: Vec<Item<'_>> = found.iter().map(|(_, item)| *item).collect();
        let vectors = embedder.embed(&items, Role::Document, watch)?;
        shifts.extend(found.iter().zip(vectors).map(|((at, item), vector)| {
            let squares = standard[*at].iter().zip(&vector).map(|(old, new)| f64::from(old - new).powi(2));
            Shift {
                function_id: item.id.to_owned(),
                group: functions[*at].group,
                setting: setting.clone(),
                seed,
                distance: squares.sum::<f64>().sqrt(),
            }
        }));
    }
    Ok(shifts)
}
