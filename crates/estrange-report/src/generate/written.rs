//! Functions on the page: each as it is in a setting, and beside it what was written in its place and what became of that.

use super::document::{AnswerSheet, FunctionSheet, GenerateResults, WorldSheet};
use super::fate::Fate;
use crate::markup::escape;
use crate::panel::PageOptions;

/// How many characters of what a compiler or a test said are shown.
const DETAIL: usize = 600;
/// How much text all functions may have together, so that the page can still be sent.
const MOST: usize = 6_000_000;

/// The section of functions; empty where none is to be shown.
pub(super) fn section(document: &GenerateResults, options: &PageOptions) -> String {
    let all = &document.shown;
    if all.is_empty() {
        return String::new();
    }
    let wanted = wanted(all, options);
    let shown = (0..wanted).map(|place| function(document, &all[place * all.len() / wanted], options));
    format!(
        "  <section id=\"written\">\n    <h2>What was written</h2>\n    <p class=\"note\">Each function as it is in a setting, \
         and beside it each model's answer, with what became of it and what the compiler or the test said. {}</p>\n{}  \
         </section>\n",
        escape(&left_out(document, wanted, options)),
        shown.collect::<String>()
    )
}

/// How many functions are shown: fewer where they are long.
fn wanted(all: &[FunctionSheet], options: &PageOptions) -> usize {
    let wanted = options.queries.min(all.len());
    let letters = |text: &str, most: usize| text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
    let length: usize = texts(all)
        .map(|text| letters(text, options.text))
        .chain(answers(all).filter_map(|answer| answer.detail.as_deref()).map(|text| letters(text, DETAIL)))
        .sum();
    // As many as there is room for if all are about as long, and one at least.
    let room = (MOST as u64).saturating_mul(all.len() as u64) / (length as u64).max(1);
    wanted.min(usize::try_from(room).unwrap_or(usize::MAX).max(1))
}

fn answers(all: &[FunctionSheet]) -> impl Iterator<Item = &AnswerSheet> {
    all.iter().flat_map(|function| &function.settings).flat_map(|world| &world.answers)
}

fn texts(all: &[FunctionSheet]) -> impl Iterator<Item = &str> {
    let own = all.iter().flat_map(|function| &function.settings).map(|world| world.text.as_str());
    own.chain(answers(all).map(|answer| answer.text.as_str()))
}

fn left_out(document: &GenerateResults, wanted: usize, options: &PageOptions) -> String {
    let mut sentences = Vec::new();
    if wanted < document.all_functions {
        sentences.push(format!("{wanted} of {} functions are shown.", document.all_functions));
    }
    if texts(&document.shown).any(|text| is_longer(text, options.text)) {
        sentences.push(format!("Of a longer text, the first {} characters are shown.", options.text));
    }
    sentences.join(" ")
}

fn function(document: &GenerateResults, function: &FunctionSheet, options: &PageOptions) -> String {
    let worlds = function.settings.iter().map(|each| world(document, each, options));
    let tallies: Vec<String> = function
        .settings
        .iter()
        .filter(|world| !world.answers.is_empty())
        .map(|world| format!("{} {}", document.settings[world.setting], passes(world)))
        .collect();
    let tallies =
        if tallies.is_empty() { "no answer".to_owned() } else { format!("passing: {}", tallies.join(" · ")) };
    format!(
        "    <details class=\"function\"><summary><strong>{}</strong> <span class=\"note\">{}</span></summary>\n{}    \
         </details>\n",
        escape(&function.name),
        escape(&tallies),
        worlds.collect::<String>()
    )
}

fn passes(world: &WorldSheet) -> String {
    let passes = world.answers.iter().filter(|answer| Fate::of(&answer.outcome) == Fate::Passes).count();
    format!("{passes} of {}", world.answers.len())
}

fn world(document: &GenerateResults, world: &WorldSheet, options: &PageOptions) -> String {
    let name = escape(&document.settings[world.setting]);
    let pass = match world.answers.is_empty() {
        true => "no answer".to_owned(),
        false => format!("{} pass", passes(world)),
    };
    let answers = world.answers.iter().map(|each| answer(document, each, options));
    format!(
        "      <details class=\"world\"><summary>{name} <span class=\"note\">{pass}</span></summary><div \
         class=\"beside\"><div class=\"own\"><h4>The function in {name}</h4>{}</div><div>{}</div></div></details>\n",
        code(&world.text, options.text),
        answers.collect::<String>()
    )
}

fn answer(document: &GenerateResults, answer: &AnswerSheet, options: &PageOptions) -> String {
    let fate = Fate::of(&answer.outcome);
    let detail = answer.detail.as_deref().filter(|detail| !detail.trim().is_empty());
    let detail = detail
        .map_or_else(String::new, |detail| format!("<pre class=\"detail\">{}</pre>", cut(detail.trim_end(), DETAIL)));
    format!(
        "<h4>{} <span class=\"outcome {}\">{} {}</span></h4>{detail}{}",
        escape(&document.title(answer.author)),
        fate.class(),
        fate.mark(),
        escape(&answer.outcome),
        code(&answer.text, options.text)
    )
}

/// A text as code; where there is none, a word says so.
fn code(text: &str, most: usize) -> String {
    match text.trim().is_empty() {
        true => "<p class=\"note\">no text</p>".to_owned(),
        false => format!("<pre class=\"code\">{}</pre>", cut(text, most)),
    }
}

/// The first characters of a text, with a word on what is missing.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            let left = text[end..].chars().count();
            format!("{}<span class=\"note\">… {left} characters more</span>", escape(&text[..end]))
        }
        None => escape(text),
    }
}

fn is_longer(text: &str, most: usize) -> bool {
    text.char_indices().nth(most).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_and_says_how_much_is_missing() {
        assert_eq!(cut("<é>", 3), "&lt;é&gt;");
        assert_eq!(cut("é<é>", 2), "é&lt;<span class=\"note\">… 2 characters more</span>");
    }

    #[test]
    fn fewer_functions_are_shown_where_they_are_long() {
        let world = WorldSheet { text: "x".repeat(1_000_000), ..WorldSheet::default() };
        let function = FunctionSheet { name: String::new(), settings: vec![world] };
        let all = vec![function; 8];
        let options = |text| PageOptions { text, ..PageOptions::default() };
        assert_eq!(wanted(&all, &options(1_000_000)), 6);
        assert_eq!(wanted(&all, &options(1000)), 8);
        assert_eq!(wanted(&all[..1], &options(usize::MAX)), 1);
    }
}
