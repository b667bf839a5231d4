//! F1 by level as a drawing: a line a detector, a plot a label.

use super::document::{DetectResults, DetectorSheet};
use crate::curves::{Curve, Curves};

/// A plot for each label, with what its colours mean.
pub(super) fn plots(document: &DetectResults) -> String {
    let mut labels: Vec<&str> = document.detectors.iter().map(|sheet| sheet.label.as_str()).collect();
    labels.sort_unstable();
    labels.dedup();
    labels.into_iter().map(|label| plot(document, label).figure()).collect()
}

fn plot<'d>(document: &'d DetectResults, label: &str) -> Curves<'d> {
    let those = document.detectors.iter().enumerate().filter(|(_, sheet)| sheet.label == label);
    let curve = |(place, sheet): (usize, &'d DetectorSheet)| {
        let own = document.levels.iter().filter(|level| level.detector == place);
        Curve { name: (&sheet.name).into(), place, points: own.map(|level| (level.setting, level.f1)).collect() }
    };
    Curves {
        caption: format!("F1, pairs that are {label}"),
        label: "F1 by setting, a line a detector; the table below has the values",
        settings: &document.settings,
        curves: those.map(curve).collect(),
    }
}
