//! What the shift of a model's vectors goes together with: the paper's Table 11.

use std::collections::{BTreeMap, HashMap};

use estrange_bench::{Bench, Function, Run};
use estrange_report::document::{Estimate, Shift};
use estrange_stats::correlation::pearson;

use super::Places;
use crate::search::library::{Library, SearchError};

const FEATURES: [&str; 3] = ["lines of code", "cyclomatic complexity", "perturbation fraction"];

/// Pearson's coefficient between how far a function's vector moved, as a mean over all seeds, and what it is like.
pub(super) fn correlations(
    bench: &Bench,
    library: &Library,
    runs: &[Run],
    places: &Places,
) -> Result<Vec<Shift>, SearchError> {
    let functions: HashMap<&str, &Function> =
        library.functions().iter().map(|function| (function.id.as_str(), function)).collect();
    let mut perturbed: HashMap<(String, String), f64> = HashMap::new();
    if bench.has_variants() {
        for variant in bench.variant_facts()? {
            let variant = variant?;
            perturbed.insert((variant.function_id, variant.setting), variant.perturbation_fraction);
        }
    }
    let mut found = Vec::new();
    for (model, run) in runs.iter().enumerate() {
        let mut distances: BTreeMap<(String, usize), BTreeMap<String, Vec<f64>>> = BTreeMap::new();
        for shift in run.shifts()? {
            let shift = shift?;
            let Some(setting) = places.setting(&shift.setting) else { continue };
            let of = distances.entry((shift.group.to_string(), setting)).or_default();
            of.entry(shift.function_id).or_default().push(shift.distance);
        }
        for ((group, setting), by_function) in distances {
            let name = &places.settings[setting].name;
            for feature in FEATURES {
                let pairs = by_function.iter().filter_map(|(id, distances)| {
                    let function = functions.get(id.as_str())?;
                    let value = match feature {
                        "lines of code" => f64::from(function.loc),
                        "cyclomatic complexity" => f64::from(function.cyclomatic_complexity),
                        _ => *perturbed.get(&(id.clone(), name.clone()))?,
                    };
                    Some((distances.iter().sum::<f64>() / distances.len() as f64, value))
                });
                let (distances, values): (Vec<f64>, Vec<f64>) = pairs.unzip();
                // Too few, or all the same: nothing goes together with them.
                let Ok(correlation) = pearson(&distances, &values) else { continue };
                let Ok(interval) = correlation.interval(0.95) else { continue };
                found.push(Shift {
                    model,
                    group: group.clone(),
                    setting,
                    feature: feature.to_owned(),
                    correlation: Estimate { value: correlation.coefficient, low: interval.low, high: interval.high },
                    p_value: correlation.p_value,
                });
            }
        }
    }
    Ok(found)
}
