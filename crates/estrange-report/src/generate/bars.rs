//! Bars by setting: what is lost of the test pass rate, and what became of answers. Each bar has its words and its value beside
//! it, so that no colour is needed.

use super::decrease;
use super::document::{GenerateResults, WritingSheet};
use super::fate::{self, Fate};
use crate::markup::escape;
use crate::table::decimals;

/// How far to the left bars may reach: where little passed before, a few answers more are many times that.
const LOWEST: f64 = -100.0;

/// The decrease ratio in each setting but the first one, a bar a model; empty where nothing is compared.
pub(super) fn decreases(document: &GenerateResults) -> String {
    let of = |setting: usize| -> Vec<(usize, f64)> {
        let own = |author| document.level(author, setting, None)?.fall.as_ref().and_then(decrease);
        (0..document.authors.len()).filter_map(|author| Some((author, 100.0 * own(author)?))).collect()
    };
    let all: Vec<(usize, Vec<(usize, f64)>)> = (0..document.settings.len()).map(|each| (each, of(each))).collect();
    let lowest = all.iter().flat_map(|(_, values)| values).map(|(_, value)| *value).fold(0.0, f64::min).max(LOWEST);
    let zero = match lowest < 0.0 {
        true => format!("<i class=\"zero\" style=\"left: {:.2}%\"></i>", span(0.0, lowest).0),
        false => String::new(),
    };
    let groups = all.iter().filter(|(_, values)| !values.is_empty()).map(|(setting, values)| {
        let rows = values.iter().map(|&(author, value)| {
            let name = document.title(author);
            let (left, width) = span(value, lowest);
            format!(
                "<dt>{}</dt><dd class=\"m{}\"><span class=\"track\"><i style=\"left: {left:.2}%; width: {width:.2}%\"></i>\
                 {zero}</span><b>{}%</b></dd>",
                escape(&name),
                author % 8,
                shown(value)
            )
        });
        format!("<h4>{}</h4><dl>{}</dl>", escape(&document.settings[*setting]), rows.collect::<String>())
    });
    let groups: String = groups.collect();
    if groups.is_empty() {
        return String::new();
    }
    format!(
        "    <figure class=\"decreases\"><figcaption>What is lost of the test pass rate since {}<span class=\"note\">The \
         decrease ratio, on the same functions: what is lost, in percent of what there was.{}</span></figcaption>{groups}\
         </figure>\n",
        escape(document.settings.first().map_or("", String::as_str)),
        if lowest < 0.0 { " Bars to the left of the line: more passes than before." } else { "" }
    )
}

/// Where a bar begins and how long it is, in percent of a track from the lowest value (or 0) to 100.
fn span(value: f64, lowest: f64) -> (f64, f64) {
    let whole = 100.0 - lowest;
    let at = |value: f64| 100.0 * (value - lowest) / whole;
    let value = value.clamp(lowest, 100.0);
    (at(value.min(0.0)), at(value.max(0.0)) - at(value.min(0.0)))
}

/// What became of answers, a bar a setting with a part for each fate; empty where nothing was graded.
pub(super) fn fates(document: &GenerateResults) -> String {
    let groups = (0..document.authors.len()).map(|author| {
        let rows: String = document.levels_of(author).map(|level| fate_bar(document, level)).collect();
        match rows.is_empty() {
            true => rows,
            false => format!("<h4>{}</h4><dl>{rows}</dl>", escape(&document.title(author))),
        }
    });
    let groups: String = groups.collect();
    if groups.is_empty() {
        return String::new();
    }
    let has = |fate: &Fate| document.levels.iter().any(|level| fate::met(level, *fate) > 0);
    let legend = Fate::ALL
        .into_iter()
        .filter(has)
        .map(|fate| format!("<span class=\"{}\"><i class=\"swatch\"></i>{}</span>", fate.class(), fate.meaning()));
    format!(
        "    <figure class=\"fates\"><figcaption>What became of answers<span class=\"note\">In percent of the answers that \
         were graded.</span></figcaption><div class=\"legend\">{}</div>{groups}</figure>\n",
        legend.collect::<String>()
    )
}

fn fate_bar(document: &GenerateResults, level: &WritingSheet) -> String {
    let all: u64 = level.outcomes.iter().map(|(_, count)| count).sum();
    if all == 0 {
        return String::new();
    }
    let parts = Fate::ALL.into_iter().filter_map(|fate| {
        let count = fate::met(level, fate);
        let share = 100.0 * count as f64 / all as f64;
        (count > 0).then(|| {
            // What has no room is in the next line, out of sight.
            format!(
                "<span class=\"{}\" style=\"width: {share:.2}%\" title=\"{}: {count} of {all}\"><i></i> <b>{share:.0}</b> \
                 <em>{}</em></span>",
                fate.class(),
                fate.meaning(),
                fate.short()
            )
        })
    });
    format!(
        "<dt>{}</dt><dd><span class=\"stack\">{}</span></dd>",
        escape(&document.settings[level.setting]),
        parts.collect::<String>()
    )
}

fn shown(value: f64) -> String {
    decimals(value, 1).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn a_gain_stands_to_the_left_of_the_line_and_a_loss_to_the_right() {
        assert_eq!(span(40.0, 0.0), (0.0, 40.0));
        assert_eq!(span(60.0, -100.0), (50.0, 30.0));
        assert_eq!(span(-100.0, -100.0), (0.0, 50.0));
        assert_eq!(span(0.0, -100.0), (50.0, 0.0));
        assert_eq!(span(-900.0, -100.0), (0.0, 50.0));
    }
}
