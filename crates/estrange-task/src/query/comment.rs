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
    let mut has_names = false;
    for sentence in sentences(&without_commands(comment)) {
        let sentence = with_own_name_hidden(&sentence, &names);
        if !names.in_text(&sentence).is_empty() {
            has_names = true;
            continue;
        }
        if holds_code(&sentence) {
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
    match words(&kept).count() < FEWEST_WORDS {
        true if has_names => Err("comment-names-the-function"),
        true => Err("comment-says-too-little"),
        false => Ok(kept),
    }
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

/// The function's own name as words, where that reads well: not in *the other gzclose functions*.
fn with_own_name_hidden(sentence: &str, names: &TargetNames) -> String {
    const KINDS: [&str; 9] =
        ["function", "functions", "routine", "routines", "method", "methods", "call", "calls", "family"];
    const BEFORE: [&str; 8] = ["the", "a", "an", "other", "these", "those", "function", "method"];
    let mut text = String::new();
    let mut end = 0;
    for place in names.own_places(sentence) {
        let (before, after) = (&sentence[end..place.start], &sentence[place.end..]);
        let after_call = after.strip_prefix("()").unwrap_or(after);
        let is_whole = &sentence[place.clone()] == names.own()
            && !before.ends_with([':', '.', '-', '#', '>', '`', '\'', '"'])
            && !after_call.starts_with([':', '-', '(', '\'', '`', '"', '’']);
        let is_kind = words(after_call).next().is_some_and(|next| KINDS.contains(&next))
            || words(before).last().is_some_and(|last| BEFORE.contains(&last.to_lowercase().as_str()));
        if is_whole && !is_kind {
            text.push_str(before);
            text.push_str(if text.is_empty() { "This function" } else { "this function" });
            end = sentence.len() - after_call.len();
        }
    }
    text + &sentence[end..]
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
        let hidden = |sentence: &str, own: &str| with_own_name_hidden(sentence, &TargetNames::called(own));
        assert_eq!(hidden("crc_32() sums up. So crc_32x does.", "crc_32"), "This function sums up. So crc_32x does.");
        assert_eq!(hidden("Use sort() to sort.", "sort"), "Use this function to sort.");
        assert_eq!(
            hidden("gzclose closes, then gzclose ends.", "gzclose"),
            "This function closes, then this function ends."
        );
        for left in ["Same as the other gzclose functions.", "gzclose's result", "the gzclose of zlib"] {
            assert_eq!(hidden(left, "gzclose"), left);
        }
    }

    #[test]
    fn sentences_end_where_a_capital_follows() {
        assert_eq!(
            sentences("Like e.g. this one. Next\nline! 3 follow"),
            ["Like e.g. this one.", "Next line!", "3 follow"]
        );
    }
}
