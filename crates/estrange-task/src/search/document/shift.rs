//! What the shift of a model's vectors goes together with: the paper's Table 11.

use std::collections::{BTreeMap, HashMap};

use estrange_bench::{Bench, Run};
use estrange_report::document::{self, Estimate};
use estrange_stats::StatisticsError;
use estrange_stats::bootstrap::Interval;
use estrange_stats::correlation::{Correlation, pearson};

use super::Places;
use crate::search::error::SearchError;
use crate::search::library::{Known, Library};
use crate::search::records::Shift;

const FEATURES: [&str; 3] = ["lines of code", "cyclomatic complexity", "perturbation fraction"];

/// Pearson's coefficient between how far a function's vector moved, as a mean over all seeds, and what it is like.
pub(super) fn correlations(
    bench: &Bench,
    library: &Library,
    runs: &[Run],
    places: &Places,
) -> Result<Vec<document::Shift>, SearchError> {
    let functions: HashMap<&str, &Known> =
        library.functions().iter().map(|function| (&*function.id, function)).collect();
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
        for shift in run.rows::<Shift>()? {
            let shift = shift?;
            // What was scored anew may be less than what vectors were made for.
            let Some(setting) = places.place_of(&shift.setting) else { continue };
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
                let Some((correlation, interval)) = correlated(&distances, &values)? else { continue };
                found.push(document::Shift {
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

/// How two lists go together; nothing goes together with too few values, or with values that are all the same.
fn correlated(one: &[f64], two: &[f64]) -> Result<Option<(Correlation, Interval)>, StatisticsError> {
    let correlated = pearson(one, two).and_then(|found| found.interval(0.95).map(|interval| (found, interval)));
    match correlated {
        Ok(found) => Ok(Some(found)),
        Err(StatisticsError::TooFew { .. } | StatisticsError::Constant) => Ok(None),
        Err(error) => Err(error),
    }
}
