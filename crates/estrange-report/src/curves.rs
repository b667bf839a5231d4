//! A share by level as a drawing: a line for each of those who were asked, with whiskers.

use std::borrow::Cow;

use crate::document::Estimate;
use crate::markup::escape;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 36.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 26.0;
/// How far the lines of neighbours are moved apart, so that their whiskers can be told apart.
const APART: f64 = 5.0;

/// The style sheet of drawings.
pub(crate) const STYLE: &str = include_str!("page/curves.css");

/// Lines that share their axes.
pub(crate) struct Curves<'c> {
    /// What stands above it.
    pub caption: String,
    /// What it shows, for who cannot see it.
    pub label: &'c str,
    /// The levels, side by side.
    pub settings: &'c [String],
    /// The lines.
    pub curves: Vec<Curve<'c>>,
}

/// A line.
pub(crate) struct Curve<'c> {
    /// Whose it is.
    pub name: Cow<'c, str>,
    /// Its place among all, which decides its colour.
    pub place: usize,
    /// Its points, each with the place of its level.
    pub points: Vec<(usize, Estimate)>,
}

impl Curves<'_> {
    /// The drawing, with what its colours mean.
    pub fn figure(&self) -> String {
        let legend = self.curves.iter().map(|curve| {
            format!("<span class=\"m{}\"><i class=\"swatch\"></i>{}</span>", curve.place % 8, escape(&curve.name))
        });
        let lines = self.curves.iter().enumerate().map(|(place, curve)| {
            let shift = APART * (place as f64 - (self.curves.len() as f64 - 1.0) / 2.0);
            self.line(curve, shift.clamp(-25.0, 25.0))
        });
        format!(
            "    <figure class=\"panel curves\"><figcaption>{}</figcaption><div class=\"legend\">{}</div><svg \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">{}{}</svg></figure>\n",
            escape(&self.caption),
            legend.collect::<String>(),
            escape(self.label),
            self.frame(),
            lines.collect::<String>()
        )
    }

    fn x(&self, setting: usize) -> f64 {
        LEFT + (setting as f64 + 0.5) * (WIDTH - LEFT - RIGHT) / self.settings.len().max(1) as f64
    }

    fn frame(&self) -> String {
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
        let names = self.settings.iter().enumerate().map(|(setting, name)| {
            let (at, name) = (self.x(setting), escape(name));
            format!("<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>", HEIGHT - 8.0)
        });
        grid.into_iter().chain(names).collect()
    }

    fn line(&self, curve: &Curve<'_>, shift: f64) -> String {
        let mut points: Vec<&(usize, Estimate)> = curve.points.iter().collect();
        points.sort_by_key(|(setting, _)| *setting);
        let at = |(setting, share): &(usize, Estimate)| (self.x(*setting) + shift, y(share.value));
        let path = points.iter().enumerate().map(|(place, point)| {
            let (x, y) = at(point);
            format!("{}{x:.1} {y:.1}", if place == 0 { "M" } else { "L" })
        });
        let marks = points.iter().map(|point| {
            let ((x, middle), (setting, share)) = (at(point), **point);
            format!(
                "<path class=\"whisker\" d=\"M{x:.1} {:.1}V{:.1}\"/><circle class=\"mark\" cx=\"{x:.1}\" cy=\"{middle:.1}\" \
                 r=\"4\"><title>{}, {}: {:.1} ({:.1} to {:.1})</title></circle>",
                y(share.low),
                y(share.high),
                escape(&curve.name),
                escape(&self.settings[setting]),
                100.0 * share.value,
                100.0 * share.low,
                100.0 * share.high
            )
        });
        format!(
            "<g class=\"m{}\"><path class=\"line\" d=\"{}\"/>{}</g>",
            curve.place % 8,
            path.collect::<String>(),
            marks.collect::<String>()
        )
    }
}

fn y(share: f64) -> f64 {
    HEIGHT - BOTTOM - share.clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM)
}
