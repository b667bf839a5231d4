//! F1 by level as a drawing: a line a detector, a plot a label.

use super::document::{DetectResults, DetectorSheet, LevelSheet};
use crate::markup::escape;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 36.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 26.0;
/// How far the lines of neighbours are moved apart, so that their whiskers can be told apart.
const APART: f64 = 5.0;

/// A plot for each label, with what its colours mean.
pub(super) fn plots(document: &DetectResults) -> String {
    let mut labels: Vec<&str> = document.detectors.iter().map(|sheet| sheet.label.as_str()).collect();
    labels.dedup();
    labels.sort_unstable();
    labels.dedup();
    labels.into_iter().map(|label| plot(document, label)).collect()
}

fn plot(document: &DetectResults, label: &str) -> String {
    let those: Vec<(usize, &DetectorSheet)> =
        document.detectors.iter().enumerate().filter(|(_, sheet)| sheet.label == label).collect();
    let legend = those.iter().map(|(detector, sheet)| {
        let name = escape(&sheet.name);
        format!("<span class=\"m{}\"><i class=\"swatch\"></i>{name}</span>", detector % 8)
    });
    let lines = those.iter().enumerate().map(|(place, (detector, sheet))| {
        let shift = APART * (place as f64 - (those.len() as f64 - 1.0) / 2.0);
        line(document, *detector, sheet, shift.clamp(-25.0, 25.0))
    });
    format!(
        "    <figure class=\"panel detection\"><figcaption>F1, pairs that are {}</figcaption><div class=\"legend\">{}</div><svg \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"F1 by setting, a line a detector; the table below has the \
         values\">{}{}</svg></figure>\n",
        escape(label),
        legend.collect::<String>(),
        frame(document),
        lines.collect::<String>()
    )
}

fn x(document: &DetectResults, setting: usize) -> f64 {
    LEFT + (setting as f64 + 0.5) * (WIDTH - LEFT - RIGHT) / document.settings.len().max(1) as f64
}

fn y(share: f64) -> f64 {
    HEIGHT - BOTTOM - share.clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM)
}

fn frame(document: &DetectResults) -> String {
    let grid = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| {
        let (class, at) = (if share == 0.0 { "axis" } else { "grid" }, y(share));
        format!(
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{:.0}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0,
            100.0 * share
        )
    });
    let names = document.settings.iter().enumerate().map(|(setting, name)| {
        let (at, name) = (x(document, setting), escape(name));
        format!("<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>", HEIGHT - 8.0)
    });
    grid.into_iter().chain(names).collect()
}

fn line(document: &DetectResults, detector: usize, sheet: &DetectorSheet, shift: f64) -> String {
    let mut levels: Vec<&LevelSheet> = document.levels.iter().filter(|level| level.detector == detector).collect();
    levels.sort_by_key(|level| level.setting);
    let at = |level: &LevelSheet| (x(document, level.setting) + shift, y(level.f1.value));
    let path = levels.iter().enumerate().map(|(place, level)| {
        let (x, y) = at(level);
        format!("{}{x:.1} {y:.1}", if place == 0 { "M" } else { "L" })
    });
    let marks = levels.iter().map(|level| {
        let ((x, middle), f1) = (at(level), level.f1);
        format!(
            "<path class=\"whisker\" d=\"M{x:.1} {:.1}V{:.1}\"/><circle class=\"mark\" cx=\"{x:.1}\" cy=\"{middle:.1}\" \
             r=\"4\"><title>{}, {}: {:.1} ({:.1} to {:.1})</title></circle>",
            y(f1.low),
            y(f1.high),
            escape(&sheet.name),
            escape(&document.settings[level.setting]),
            100.0 * f1.value,
            100.0 * f1.low,
            100.0 * f1.high
        )
    });
    format!(
        "<g class=\"m{}\"><path class=\"line\" d=\"{}\"/>{}</g>",
        detector % 8,
        path.collect::<String>(),
        marks.collect::<String>()
    )
}
