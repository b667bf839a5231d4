//! Descriptions out of the documentation comments that people wrote, cleaned of names.
//!
//! What remains of a comment is what could be said of the function by somebody who does not see it: commands of
//! documentation tools become sentences or go, the function's own name becomes "this function", and a sentence that
//! names anything else of the function, or holds code, goes. If too few words are left, there is no description.

use estrange_bench::{Function, Query, WrittenBy};

use super::names::{TargetNames, words};
use super::{Lost, query};

/// The fewest words that say something.
const FEWEST_WORDS: usize = 5;
/// What comes after so many words is left out, at the end of a sentence.
const MOST_WORDS: usize = 120;

/// The queries that functions' comments make, and how many make none.
pub fn queries<'f>(functions: impl IntoIterator<Item = &'f Function>) -> (Vec<Query>, Lost) {
    let mut lost = Lost::new();
    let mut found = Vec::new();
    for function in functions {
        match description(function) {
            Ok(text) => found.push(query(function, text, "comment", WrittenBy::Comment)),
            Err(reason) => *lost.entry(reason).or_default() += 1,
        }
    }
    (found, lost)
}

/// What a function's comment says of it, or why it says nothing.
pub fn description(function: &Function) -> Result<String, &'static str> {
    let comment = function.comment.as_deref().ok_or("no-comment")?;
    let names = TargetNames::of(function);
    let mut kept = String::new();
    for sentence in sentences(&without_commands(comment)) {
        let sentence = with_own_name_hidden(&sentence, names.own());
        if !names.in_text(&sentence).is_empty() || holds_code(&sentence) {
            continue;
        }
        if words(&kept).count() >= MOST_WORDS {
            break;
        }
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(&sentence);
    }
    if words(&kept).count() < FEWEST_WORDS { Err("comment-says-too-little") } else { Ok(kept) }
}

/// Commands of documentation tools as sentences: what is returned and taken stays, references and the like go.
fn without_commands(comment: &str) -> String {
    let mut text = String::new();
    let mut is_dropped = false;
    for line in comment.lines() {
        let line = line.trim().trim_start_matches(['*', '/', '!']).trim();
        let command =
            line.strip_prefix(['@', '\\']).map(|rest| rest.split_once(char::is_whitespace).unwrap_or((rest, "")));
        let line = match command {
            None if line.is_empty() => {
                is_dropped = false;
                "\n\n".to_owned()
            }
            None if is_dropped => continue,
            None => line.to_owned(),
            Some((name, rest)) => {
                is_dropped = false;
                match name.split(['[', '{']).next().unwrap_or_default() {
                    "brief" | "details" | "short" => rest.to_owned(),
                    "return" | "returns" | "result" => format!("\n\nReturns {rest}"),
                    // The name of what is taken goes, what it is stays.
                    "param" | "tparam" | "arg" => {
                        let what = rest
                            .split_once(char::is_whitespace)
                            .map_or("", |(_, what)| what.trim_start_matches(['-', ':', ' ']));
                        if what.is_empty() { continue } else { format!("\n\nTakes {what}") }
                    }
                    _ => {
                        is_dropped = true;
                        continue;
                    }
                }
            }
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// The sentences of a text, each on one line.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for paragraph in text.split("\n\n") {
        let plain = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut rest = plain.as_str();
        while !rest.is_empty() {
            // A stop ends a sentence if a capital follows: so `e.g. this` goes on.
            let end = rest.match_indices(['.', '!', '?']).map(|(at, stop)| at + stop.len()).find(|end| {
                let after = &rest[*end..];
                after.is_empty()
                    || after.starts_with(' ') && after.trim_start().starts_with(|next: char| !next.is_lowercase())
            });
            let (sentence, after) = rest.split_at(end.unwrap_or(rest.len()));
            if sentence.chars().any(char::is_alphabetic) {
                found.push(sentence.trim().to_owned());
            }
            rest = after.trim_start();
        }
    }
    found
}

/// The function's own name as words.
fn with_own_name_hidden(sentence: &str, own: &str) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some(at) = (!own.is_empty()).then(|| rest.find(own)).flatten() {
        let (before, after) = (&rest[..at], &rest[at + own.len()..]);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
        // A name that is a word as well is hidden only where it is called.
        let is_name = super::names::looks_like_code(own) || after.starts_with("()");
        text.push_str(before);
        match is_whole && is_name {
            true => text.push_str(if text.is_empty() { "This function" } else { "this function" }),
            false => text.push_str(own),
        }
        rest = if is_whole && is_name { after.strip_prefix("()").unwrap_or(after) } else { after };
    }
    text + rest
}

/// Whether a sentence is code rather than words.
fn holds_code(sentence: &str) -> bool {
    ["->", "::", "==", "!=", "&&", "||", "{", "}", ";", "();", "/*"].iter().any(|sign| sentence.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_become_sentences_or_go() {
        let comment = "@brief Adds two numbers.\n@param left the first number\n@param right\n@return their sum\n@see subtract\n  and more\n\nIt never fails.";
        let text = without_commands(comment);
        assert_eq!(
            sentences(&text),
            ["Adds two numbers.", "Takes the first number", "Returns their sum", "It never fails."]
        );
    }

    #[test]
    fn the_own_name_is_hidden_where_it_is_a_name() {
        assert_eq!(
            with_own_name_hidden("crc_32() sums up. So crc_32x does.", "crc_32"),
            "This function sums up. So crc_32x does."
        );
        assert_eq!(with_own_name_hidden("Use sort() to sort.", "sort"), "Use this function to sort.");
    }

    #[test]
    fn sentences_end_where_a_capital_follows() {
        assert_eq!(
            sentences("Like e.g. this one. Next\nline! 3 follow"),
            ["Like e.g. this one.", "Next line!", "3 follow"]
        );
    }
}
