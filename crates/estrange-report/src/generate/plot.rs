//! Pass rates by setting as drawings: a line a model.

use super::document::{GenerateResults, WritingSheet};
use crate::curves::{Curve, Curves};
use crate::document::Estimate;

/// Both pass rates beside each other; nothing where there is no answer.
pub(super) fn plots(document: &GenerateResults) -> String {
    if document.levels.is_empty() {
        return String::new();
    }
    let tests = plot(
        document,
        "Test pass rate",
        "Test pass rate by setting, a line a model; the table below has the values",
        |level| level.tpr,
    );
    let compiles = plot(
        document,
        "Compile pass rate",
        "Compile pass rate by setting, a line a model; the table below has the values",
        |level| level.cpr,
    );
    format!("    <div class=\"rates\">\n{}{}    </div>\n", tests.figure(), compiles.figure())
}

fn plot<'d>(
    document: &'d GenerateResults,
    caption: &str,
    label: &'static str,
    read: impl Fn(&WritingSheet) -> Estimate,
) -> Curves<'d> {
    let curve = |place: usize| Curve {
        name: document.title(place),
        place,
        points: document.levels_of(place).map(|level| (level.setting, read(level))).collect(),
    };
    Curves {
        caption: caption.to_owned(),
        label,
        settings: &document.settings,
        curves: (0..document.authors.len()).map(curve).collect(),
    }
}
