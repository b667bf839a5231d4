//! Pairs on the page: both sides side by side at each level, the fault marked, and what each detector said.

use super::document::{DetectResults, DetectorSheet, PairSheet, RungSheet, SaidSheet, SideSheet};
use crate::markup::escape;
use crate::panel::PageOptions;

/// The section of pairs; empty where none is to be shown.
pub(super) fn section(document: &DetectResults, options: &PageOptions) -> String {
    let pairs = &document.pairs;
    if pairs.is_empty() {
        return String::new();
    }
    let wanted = options.queries.min(pairs.len());
    let shown = (0..wanted).map(|place| pair(document, &pairs[place * pairs.len() / wanted], options));
    let mut left_out = Vec::new();
    if wanted < document.all_pairs {
        left_out.push(format!("{wanted} of {} pairs are shown, taken at equal distances.", document.all_pairs));
    }
    if sides(document).any(|side| side.text.chars().count() > options.text) {
        left_out.push(format!("Of a longer function, some {} characters are shown.", options.text));
    }
    format!(
        "  <section id=\"pairs\">\n    <h2>Pairs</h2>\n    <p class=\"note\">Both sides at each level. The line of the fault is \
         marked; beside a verdict stands whether it is right. {}</p>\n{}  </section>\n",
        escape(&left_out.join(" ")),
        shown.collect::<String>()
    )
}

fn sides(document: &DetectResults) -> impl Iterator<Item = &SideSheet> {
    let rungs = document.pairs.iter().flat_map(|pair| &pair.rungs);
    rungs.flat_map(|rung| [&rung.vulnerable, &rung.patched])
}

fn pair(document: &DetectResults, pair: &PairSheet, options: &PageOptions) -> String {
    let facts = [&pair.class, &pair.weakness, &pair.label].map(|fact| escape(fact));
    let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    let rungs = pair.rungs.iter().map(|rung| level(document, rung, options));
    format!(
        "    <details class=\"pair\"><summary><strong>{}</strong> <span class=\"note\">{}</span></summary>\n      \
         <p>{}</p>\n{}    </details>\n",
        escape(&pair.name),
        facts.join(" · "),
        escape(&pair.description),
        rungs.collect::<String>()
    )
}

fn level(document: &DetectResults, rung: &RungSheet, options: &PageOptions) -> String {
    let seed = if rung.seed == 0 { String::new() } else { format!(", seed {}", rung.seed) };
    let marks: Vec<String> = [("vulnerable", &rung.vulnerable), ("patched", &rung.patched)]
        .iter()
        .map(|(name, side)| {
            let right = side.said.iter().filter(|said| said.is_right).count();
            format!("{name}: {right} of {} right", side.said.len())
        })
        .collect();
    format!(
        "      <details class=\"rung\"><summary>{}{seed} <span class=\"note\">{}</span></summary><div \
         class=\"sides\">{}{}</div></details>\n",
        escape(&document.settings[rung.setting]),
        marks.join(", "),
        side(document, "with the bug", &rung.vulnerable, options),
        side(document, "without it", &rung.patched, options)
    )
}

fn side(document: &DetectResults, title: &str, side: &SideSheet, options: &PageOptions) -> String {
    let said = side.said.iter().map(|said| line(&document.detectors[said.detector], said));
    format!(
        "<div><h4>{title}</h4><pre class=\"code\">{}</pre><ul class=\"said\">{}</ul></div>",
        code(side, options.text),
        said.collect::<String>()
    )
}

fn line(detector: &DetectorSheet, said: &SaidSheet) -> String {
    let (class, mark, verdict) = match (said.verdict.is_empty(), said.is_right) {
        (true, _) => ("none", "–", "no verdict"),
        (false, true) => ("right", "✓", said.verdict.as_str()),
        (false, false) => ("wrong", "✗", said.verdict.as_str()),
    };
    let more: Vec<String> = [&said.detail, &said.reason]
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(|text| escape(&cut(text)))
        .collect();
    format!(
        "<li class=\"{class}\">{mark} <strong>{}</strong>: {} <span class=\"note\">{}</span></li>",
        escape(&detector.name),
        escape(verdict),
        more.join(": ")
    )
}

/// A detector's words, as far as they are shown.
fn cut(text: &str) -> String {
    const MOST: usize = 300;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The lines of a function with their numbers: all, or those around the fault, or the first ones.
fn code(side: &SideSheet, most: usize) -> String {
    let lines: Vec<&str> = side.text.lines().collect();
    let fault = side.fault_line.map(|line| line as usize - 1).filter(|place| *place < lines.len());
    let (begin, end) = window(&lines, fault.unwrap_or(0), most);
    let mut text = String::new();
    if begin > 0 {
        text += &format!("<span class=\"note\">… {begin} lines before</span>\n");
    }
    for (place, line) in lines.iter().enumerate().take(end).skip(begin) {
        let line: String = line.chars().take(most).collect();
        let row = format!("{:>4}  {}", place + 1, escape(&line));
        match Some(place) == fault {
            true => text += &format!("<mark>{row}</mark>\n"),
            false => text += &format!("{row}\n"),
        }
    }
    if end < lines.len() {
        text += &format!("<span class=\"note\">… {} lines more</span>\n", lines.len() - end);
    }
    text
}

/// As many lines around one as fit into so many characters: that one at least.
fn window(lines: &[&str], around: usize, most: usize) -> (usize, usize) {
    let length = |place: usize| lines[place].chars().count() + 1;
    let (mut begin, mut end, mut taken) = (around.min(lines.len()), around.min(lines.len()), 0);
    loop {
        let below = (end < lines.len()).then(|| length(end)).filter(|length| taken + length <= most || taken == 0);
        if let Some(length) = below {
            taken += length;
            end += 1;
        }
        let above = begin.checked_sub(1).map(length).filter(|length| taken + length <= most);
        if let Some(length) = above {
            taken += length;
            begin -= 1;
        }
        if below.is_none() && above.is_none() {
            return (begin, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_the_fault_is_always_shown() {
        let lines = ["aaaa", "bbbb", "cccc", "dddd", "eeee"];
        assert_eq!(window(&lines, 0, 100), (0, 5));
        assert_eq!(window(&lines, 3, 1), (3, 4));
        assert_eq!(window(&lines, 2, 10), (1, 3));
        assert_eq!(window(&[], 0, 10), (0, 0));
        let side = SideSheet { text: "a\n<b>\nc".to_owned(), fault_line: Some(2), said: Vec::new() };
        assert_eq!(code(&side, 100), "   1  a\n<mark>   2  &lt;b&gt;</mark>\n   3  c\n");
        let line = SideSheet { fault_line: Some(9), ..side };
        assert!(!code(&line, 100).contains("<mark>"));
    }
}
