//! The top of the page: what was measured, and how much each model loses.

use std::collections::BTreeSet;

use estrange_words::counted;

use crate::document::SettingKind;
use crate::markup::escape;
use crate::search::SearchPanel;
use crate::words;

/// A sentence or two: what was measured, and what came out.
pub(super) fn lead(report: &SearchPanel<'_>) -> String {
    let document = report.document();
    let groups: BTreeSet<&str> = document.corpora.iter().map(|corpus| corpus.group.as_str()).collect();
    let mut text = format!(
        "{} searched functions of {} in {} with {}.",
        counted(document.models.len(), "model"),
        counted(groups.len(), "group"),
        counted(document.settings.len(), "setting"),
        match document.queries.len() {
            0 => "queries that are not known one by one".to_owned(),
            queries => counted(queries, "query"),
        }
    );
    if let Some(sentence) = outcome(report) {
        text += " ";
        text += &sentence;
    }
    text
}

/// Who loses least and most, in the setting in which most is lost.
fn outcome(report: &SearchPanel<'_>) -> Option<String> {
    let document = report.document();
    let measure = words::measure(document.measures.first()?);
    let mut hardest: Option<(f64, String)> = None;
    for (setting, sheet) in document.settings.iter().enumerate() {
        if sheet.kind == SettingKind::Original {
            continue;
        }
        let losses = (0..document.models.len()).filter_map(|model| Some((report.loss(model, setting)?, model)));
        let mut losses: Vec<(f64, usize)> = losses.collect();
        losses.sort_by(|first, second| first.0.total_cmp(&second.0));
        let (Some(&least), Some(&most)) = (losses.first(), losses.last()) else { continue };
        let mean = losses.iter().map(|(loss, _)| loss).sum::<f64>() / losses.len() as f64;
        if hardest.as_ref().is_some_and(|(before, _)| *before >= mean) {
            continue;
        }
        let name = |model: usize| format!("<strong>{}</strong>", escape(&document.models[model].name));
        let percent = |loss: f64| format!("{:.0}%", 100.0 * loss);
        let setting = format!("<em>{}</em>", escape(&sheet.name));
        let mut sentence =
            format!("Most is lost in {setting}: {} loses {} of its {measure}", name(least.1), percent(least.0));
        if losses.len() > 1 {
            sentence += &format!(", {} {}", name(most.1), percent(most.0));
        }
        hardest = Some((mean, sentence + "."));
    }
    hardest.map(|(_, sentence)| sentence)
}

/// A small table: each model's mean by the first measure, and what it loses in each other setting.
pub(super) fn headline(report: &SearchPanel<'_>) -> String {
    let document = report.document();
    let Some(measure) = document.measures.first() else { return String::new() };
    let changed = document.settings.iter().enumerate().filter(|(_, sheet)| sheet.kind != SettingKind::Original);
    let changed: Vec<(usize, &str)> = changed.map(|(place, sheet)| (place, sheet.name.as_str())).collect();
    let rows: Vec<String> =
        (0..document.models.len()).filter_map(|model| headline_row(report, model, &changed)).collect();
    if rows.is_empty() {
        return String::new();
    }
    let headings = changed.iter().map(|(_, name)| format!("<th scope=\"col\">{}</th>", escape(name)));
    format!(
        "<figure class=\"table\" id=\"headline\"><figcaption id=\"caption-headline\">How much is lost\
         <span class=\"note\">Mean {} over all categories as they are, and the share of it that is lost in each other \
         setting.</span></figcaption><div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-labelledby=\"caption-headline\"><table><thead><tr><th scope=\"col\">model</th>\
         <th scope=\"col\">standard</th>{}</tr></thead><tbody>{}</tbody></table></div></figure>",
        escape(&words::measure(measure)),
        headings.collect::<String>(),
        rows.concat()
    )
}

fn headline_row(report: &SearchPanel<'_>, model: usize, settings: &[(usize, &str)]) -> Option<String> {
    let document = report.document();
    let standard = standard(report, model)?;
    let losses = settings.iter().map(|&(setting, _)| {
        let attributes = format!("data-model=\"{model}\" data-setting=\"{setting}\"");
        match report.loss(model, setting) {
            Some(loss) => format!(
                "<td class=\"loss\" {attributes} style=\"--loss:{:.3}\">{}</td>",
                loss.clamp(0.0, 1.0),
                signed_percent(-loss)
            ),
            None => format!("<td class=\"loss\" {attributes}>–</td>"),
        }
    });
    Some(format!(
        "<tr><th scope=\"row\"><i class=\"swatch m{}\"></i>{}</th><td data-model=\"{model}\">{:.2}</td>{}</tr>",
        model % 8,
        escape(&document.models[model].name),
        100.0 * standard,
        losses.collect::<String>()
    ))
}

/// A model's mean by the first measure over all categories of the standard setting.
fn standard(report: &SearchPanel<'_>, model: usize) -> Option<f64> {
    let document = report.document();
    let corpora = document.corpora.iter().enumerate().filter(|(_, corpus)| {
        document.settings[corpus.setting].kind == SettingKind::Original && words::is_all(&corpus.subset)
    });
    let means = corpora.filter_map(|(place, _)| Some(report.result(model, place, 0)?.1.mean.value));
    let means: Vec<f64> = means.collect();
    (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
}

fn signed_percent(share: f64) -> String {
    match format!("{:.1}", 100.0 * share).as_str() {
        "0.0" | "-0.0" => "0.0%".to_owned(),
        text => match text.strip_prefix('-') {
            Some(rest) => format!("−{rest}%"),
            None => format!("+{text}%"),
        },
    }
}
