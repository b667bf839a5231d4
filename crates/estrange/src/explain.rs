//! `estrange explain`: what the words of Estrange mean.
//!
//! What is said about a word stands beside it in the code, and the tables in the documents are made from the same.

mod pages;

use anstyle::Style;
use estrange_build::{Group, LoweringTarget, NAMED_SETTINGS, Rewrite};
use estrange_problem::Defect;
use estrange_stats::retrieval::Kind as Measure;
use estrange_suite::Shut;
use estrange_words::{
    End, Mistake, MistakeCategory, NotAsked, Outcome, Problem, Reason, Stage, Tier, Undefinedness, Word,
};
use serde::Serialize;

use crate::arguments::listing::columns;
use crate::nearest::nearest;
use crate::voice::Failure;
use crate::{Ending, arguments, output};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The version of the document's shape.
const FORMAT: u32 = 1;

/// What a word is said of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Setting,
    Rewrite,
    Target,
    Tier,
    Undefinedness,
    Stage,
    Reason,
    End,
    Problem,
    NotAsked,
    Outcome,
    MistakeCategory,
    Mistake,
    Measure,
}

/// Each kind, with the heading of its list and what one of it is called.
const KINDS: [(Kind, &str, &str); 14] = [
    (Kind::Setting, "Settings: what a variant has gone through", "setting"),
    (Kind::Rewrite, "Rewrites: what a recipe is made of", "rewrite"),
    (Kind::Target, "Targets: what functions are lowered to", "target"),
    (Kind::Tier, "Tiers: the strongest that was shown of a variant", "tier"),
    (Kind::Undefinedness, "Undefinedness: whether a variant is undefined in the same ways", "word for undefinedness"),
    (Kind::Stage, "Stages: where something was lost", "stage"),
    (Kind::Reason, "Reasons: why it was lost", "reason"),
    (Kind::End, "Ends: how a call ended, and what a sanitizer found", "end"),
    (Kind::Problem, "Problems: why a detector gave no verdict, or a model no answer", "problem of an answer"),
    (Kind::NotAsked, "Not asked: why nobody is asked to write a function", "reason not to ask"),
    (Kind::Outcome, "Outcomes: what became of code that was written in a function's place", "outcome"),
    (Kind::MistakeCategory, "Categories of mistakes: what they have to do with", "category of mistakes"),
    (Kind::Mistake, "Mistakes: why code does not compile", "mistake"),
    (Kind::Measure, "Measures: what a ranking is worth", "measure"),
];

/// What is known of a word.
#[derive(Debug, Serialize)]
struct Entry {
    word: &'static str,
    kind: Kind,
    meaning: String,
    /// What more there is to know: a heading, and a sentence or a piece of code.
    more: Vec<(&'static str, String)>,
}

/// The document of `--json`.
#[derive(Debug, Serialize)]
struct WordsJson {
    words: Vec<Entry>,
}

/// Runs the command.
pub fn run(arguments: &arguments::Explain) -> Result<Ending, Failure> {
    let all = entries();
    let Some(word) = &arguments.word else {
        return match arguments.json {
            true => output::print_json(FORMAT, &WordsJson { words: all }),
            false => output::print(&list(&all)),
        }
        .map(|()| Ending::Done);
    };
    // A measure is asked for with its cut, and a target with its compiler and its look.
    let plain = word.split(['@', ':', '/']).next().unwrap_or(word);
    let near = nearest(all.iter().map(|entry| entry.word), plain);
    let is_it = |entry: &Entry| entry.word.eq_ignore_ascii_case(plain);
    // Reading and writing are two ends: what they have in common names both.
    let is_side = |entry: &Entry| {
        let access = entry.word.strip_prefix(plain).filter(|_| entry.kind == Kind::End);
        access.is_some_and(|access| matches!(access, "-read" | "-write"))
    };
    let is_there = all.iter().any(is_it);
    let found: Vec<Entry> = all.into_iter().filter(|entry| is_it(entry) || !is_there && is_side(entry)).collect();
    if found.is_empty() {
        let failure = Failure::new(format!("`{word}` is no word of Estrange's")).usage();
        let list = "`estrange explain` lists all";
        return Err(match near.as_slice() {
            [] => failure.hint(list),
            near => failure.hint(format!("there is {}; {list}", near.join(", "))),
        });
    }
    match arguments.json {
        true => output::print_json(FORMAT, &WordsJson { words: found })?,
        false => output::print(&found.iter().map(explained).collect::<Vec<_>>().join("\n"))?,
    }
    Ok(Ending::Done)
}

/// All words, by kind.
fn list(all: &[Entry]) -> String {
    let parts = KINDS.map(|(kind, heading, _)| {
        let those = all.iter().filter(|entry| entry.kind == kind);
        format!("{BOLD}{heading}{BOLD:#}\n{}", columns(those.map(|entry| (entry.word, entry.meaning.clone()))))
    });
    parts.join("\n")
}

/// One word.
fn explained(entry: &Entry) -> String {
    let kind = KINDS.iter().find(|(kind, ..)| *kind == entry.kind).map_or("", |(_, _, name)| name);
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    let mut text = format!("{BOLD}{}{BOLD:#}, {article} {kind}\n  {}\n", entry.word, entry.meaning);
    for (heading, said) in &entry.more {
        match said.trim_end().contains('\n') || said.ends_with('\n') {
            true => {
                text += &format!("\n{DIM}{heading}{DIM:#}\n");
                said.lines().for_each(|line| text += &format!("  {line}\n"));
            }
            false => text += &format!("  {DIM}{heading}:{DIM:#} {said}\n"),
        }
    }
    text
}

fn entries() -> Vec<Entry> {
    let settings = NAMED_SETTINGS.iter().map(|(word, recipe)| setting(word, recipe));
    settings
        .chain([Entry {
            word: "standard",
            kind: Kind::Setting,
            meaning: "The function as it was written.".to_owned(),
            more: Vec::new(),
        }])
        .chain(Rewrite::all().chain([Rewrite::External]).map(rewrite))
        .chain(words::<LoweringTarget>(Kind::Target))
        .chain(words::<Tier>(Kind::Tier))
        .chain(words::<Undefinedness>(Kind::Undefinedness))
        .chain(words::<Stage>(Kind::Stage))
        .chain(Reason::ALL.iter().map(|reason| reason_entry(*reason)))
        .chain(End::ALL.iter().map(|end| end_entry(*end)))
        .chain(words::<Problem>(Kind::Problem))
        .chain(words::<NotAsked>(Kind::NotAsked))
        .chain(words::<Shut>(Kind::NotAsked))
        .chain(words::<Defect>(Kind::NotAsked))
        .chain(words::<Outcome>(Kind::Outcome))
        .chain(words::<MistakeCategory>(Kind::MistakeCategory))
        .chain(Mistake::ALL.iter().map(|mistake| mistake_entry(*mistake)))
        .chain(words::<Measure>(Kind::Measure))
        .collect()
}

fn words<W: Word>(kind: Kind) -> impl Iterator<Item = Entry> {
    W::ALL.iter().map(move |word| Entry {
        word: word.as_str(),
        kind,
        meaning: word.meaning().to_owned(),
        more: match kind {
            Kind::Measure => vec![("example", format!("{word}@10 reads the first ten documents of a ranking"))],
            Kind::Target => vec![("example", format!("estrange lower FILE --target {word}"))],
            _ => Vec::new(),
        },
    })
}

fn reason_entry(reason: Reason) -> Entry {
    let of = reason.concern();
    let more = vec![("said of", format!("{of}: {}", of.phrase()))];
    Entry { word: reason.as_str(), kind: Kind::Reason, meaning: reason.meaning().to_owned(), more }
}

fn end_entry(end: End) -> Entry {
    let numbers: Vec<String> = end.weaknesses().iter().map(|number| format!("CWE-{number}")).collect();
    let more = if numbers.is_empty() { Vec::new() } else { vec![("weakness", numbers.join(", "))] };
    Entry { word: end.as_str(), kind: Kind::End, meaning: end.meaning().to_owned(), more }
}

fn mistake_entry(mistake: Mistake) -> Entry {
    let category = mistake.category();
    let more = vec![("category", format!("{category}: {}", category.phrase()))];
    Entry { word: mistake.as_str(), kind: Kind::Mistake, meaning: mistake.meaning().to_owned(), more }
}

fn setting(word: &'static str, recipe: &str) -> Entry {
    let meaning = format!("The recipe `{recipe}`.");
    let more = vec![("example", format!("estrange build SOURCE --out BENCH --settings {word}"))];
    Entry { word, kind: Kind::Setting, meaning, more: more.into_iter().chain(examples(&[word, recipe])).collect() }
}

fn rewrite(rewrite: Rewrite) -> Entry {
    let name = rewrite.name();
    let group = match rewrite.group() {
        Some(Group::Structure) if name == "inline" => None,
        Some(Group::Structure) => Some("restructure"),
        Some(Group::Semantic) => Some("semantic"),
        Some(Group::Ladder) => Some("the ladder, L2 to L4"),
        Some(Group::Distraction | Group::ByName) | None => None,
    };
    // The pages of names show settings, which are called a little differently.
    let as_setting = NAMED_SETTINGS.iter().find(|(_, recipe)| *recipe == name).map_or(name, |(setting, _)| setting);
    let more = group.map(|group| ("one of", group.to_owned())).into_iter();
    let more = more.chain(rewrite.needs().map(|needs| ("needs", needs.to_owned())));
    let more = more.chain(examples(&[name, as_setting])).collect();
    Entry { word: name, kind: Kind::Rewrite, meaning: rewrite.about().to_owned(), more }
}

/// What a recipe does and what it refuses, by the pages.
fn examples(recipes: &[&str]) -> Vec<(&'static str, String)> {
    let mut more = Vec::new();
    if let Some(example) = pages::done(recipes) {
        more.push(("before", example.before.to_owned()));
        more.push(("after", example.after.to_owned()));
    }
    if let Some(example) = pages::refused(recipes) {
        more.push(("refused", example.before.to_owned()));
        more.push(("because", example.after.to_owned()));
    }
    more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_words_and_every_word_a_meaning() {
        let all = entries();
        for (kind, ..) in KINDS {
            assert!(all.iter().any(|entry| entry.kind == kind), "{kind:?}");
        }
        assert!(all.iter().all(|entry| entry.meaning.ends_with('.')), "{all:#?}");
    }
}
