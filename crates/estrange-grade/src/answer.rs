//! The function in a reply: in a fence or bare, with what it needs beside it, and without what the unit has already.
//!
//! Models repeat the context that they were given, show how the function is called, and explain. None of that is the answer.
//! What is taken is the function, and of what stands beside it in the same piece of code what the unit does not have: other
//! functions, macros, types, headers of the system. `main` is left out, and so is what the unit has under the same name.

use std::collections::HashSet;

use estrange_text::lexer::{Kind, Token, lex};
use estrange_text::top_level::{Chunk, What, chunks};
use estrange_words::Outcome;

/// Which function is wanted, and where it will stand.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Its plain name.
    pub name: &'a str,
    /// The unit that it will stand in.
    pub unit: &'a str,
    /// What of its body was given, where it was to be completed.
    pub given: Option<Given<'a>>,
}

/// The parts of a function that were given.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// From its head to where it is to go on.
    pub before: &'a str,
    /// What comes behind what is missing; empty where everything to the end is.
    pub after: &'a str,
}

/// The code of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Headers of the system that it includes.
    pub includes: Vec<String>,
    /// What it brings along: functions, macros, types.
    pub helpers: Vec<String>,
    /// The function.
    pub function: String,
    /// The names of what it repeats of its unit, or defines without need, which was left out.
    pub left_out: Vec<String>,
}

/// Why there is no code to grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAnswer {
    /// There is nothing, or only prose.
    NoCode,
    /// There is code without the function.
    NoFunction,
    /// It ends within the function.
    CutOff,
}

impl NoAnswer {
    /// What becomes of it.
    pub fn outcome(self) -> Outcome {
        match self {
            Self::NoCode => Outcome::NoCode,
            Self::NoFunction => Outcome::NoFunction,
            Self::CutOff => Outcome::CutOff,
        }
    }
}

/// A piece of code in a reply.
struct Piece<'r> {
    text: &'r str,
    /// Whether its fence ends.
    is_closed: bool,
    is_fenced: bool,
}

/// The code of a reply.
///
/// # Errors
/// Where there is none, or not the one that is wanted.
pub fn read(reply: &str, wanted: Wanted<'_>) -> Result<Answer, NoAnswer> {
    if reply.trim().is_empty() {
        return Err(NoAnswer::NoCode);
    }
    let pieces = pieces(reply);
    // The last piece with the function: whoever corrects himself does so behind what he said before.
    for piece in pieces.iter().rev() {
        if let Some(answer) = with_function(piece.text, wanted) {
            return Ok(answer);
        }
    }
    if let Some(given) = wanted.given {
        return continued(&pieces, given, wanted);
    }
    match pieces.iter().rev().find(|piece| begins_function(piece.text, wanted.name)) {
        Some(piece) if !piece.is_closed || !is_balanced(piece.text) => Err(NoAnswer::CutOff),
        _ if pieces
            .iter()
            .any(|piece| piece.is_fenced || !chunks(piece.text).is_empty() && looks_like_code(piece.text)) =>
        {
            Err(NoAnswer::NoFunction)
        }
        _ => Err(NoAnswer::NoCode),
    }
}

/// The pieces of code of a reply: what stands in fences, or all of it where there are none.
fn pieces(reply: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in reply.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        if is_fence {
            match open.take() {
                Some(start) => pieces.push(Piece { text: &reply[start..at], is_closed: true, is_fenced: true }),
                None => open = Some(at + line.len()),
            }
        }
        at += line.len();
    }
    if let Some(start) = open {
        pieces.push(Piece { text: &reply[start.min(reply.len())..], is_closed: false, is_fenced: true });
    }
    if pieces.is_empty() {
        pieces.push(Piece { text: reply, is_closed: true, is_fenced: false });
    }
    pieces
}

/// The answer in a piece that defines the function.
fn with_function(text: &str, wanted: Wanted<'_>) -> Option<Answer> {
    let all = chunks(text);
    let is_it = |chunk: &&Chunk| chunk.what == What::Function && chunk.name.as_deref() == Some(wanted.name);
    let function = all.iter().rfind(is_it)?;
    let own = without_prose(&text[function.place.clone()], wanted.name);
    if !is_balanced(own) {
        return None;
    }
    let known = known(wanted);
    let mut answer = Answer { function: own.to_owned(), ..Answer::default() };
    for chunk in all.iter().filter(|chunk| *chunk != function) {
        let own = text[chunk.place.clone()].trim();
        match (chunk.what, &chunk.name) {
            (What::Include, _) if is_system_header(own) => answer.includes.push(own.to_owned()),
            (What::Macro | What::Function | What::Prototype | What::Type | What::Variable, Some(name))
                if name != "main" && name != wanted.name && !known.contains(name.as_str()) =>
            {
                answer.helpers.push(own.to_owned());
            }
            (_, Some(name)) => answer.left_out.push(name.clone()),
            // Prose beside code in a bare reply declares nothing.
            _ => {}
        }
    }
    Some(answer)
}

/// A function without the prose before it, which a reply without fences may have: its head has no empty line.
fn without_prose<'t>(text: &'t str, name: &str) -> &'t str {
    let tokens = lex(text);
    let is_called = |pair: &&[Token]| pair[0].text(text) == name && pair[1].text(text) == "(";
    let head = tokens.windows(2).find(is_called).map_or(0, |pair| pair[0].start as usize);
    let start = text[..head].rfind("\n\n").map_or(0, |at| at + 2);
    text[start..].trim()
}

/// The names that the unit has at its top level.
fn known<'u>(wanted: Wanted<'u>) -> HashSet<&'u str> {
    let tokens = lex(wanted.unit);
    tokens
        .iter()
        .filter(|token| token.kind == Kind::Identifier)
        .map(|token| token.text(wanted.unit))
        .chain(
            // Macros are in directives, of which the lexer makes one token.
            wanted.unit.lines().filter_map(|line| {
                let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
                rest.trim_start().split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
            }),
        )
        .collect()
}

/// Whether a directive includes a header of the system, by a name that leads nowhere else.
fn is_system_header(line: &str) -> bool {
    let name = line.trim_start_matches('#').trim_start().strip_prefix("include").map(str::trim_start);
    let name = name.and_then(|rest| rest.strip_prefix('<')).and_then(|rest| rest.split('>').next());
    name.is_some_and(|name| !name.starts_with('/') && !name.contains(".."))
}

/// A function that was given in part, with what a reply goes on with.
fn continued(pieces: &[Piece<'_>], given: Given<'_>, wanted: Wanted<'_>) -> Result<Answer, NoAnswer> {
    let piece = pieces.last().ok_or(NoAnswer::NoCode)?;
    let own = piece.text.trim_end();
    if own.trim().is_empty() || (!piece.is_fenced && !looks_like_code(own)) {
        return Err(NoAnswer::NoCode);
    }
    // Who was given the beginning may say it again, or its last lines.
    let own = without_repeated(own, given.before);
    let own = match given.after.trim() {
        "" => own,
        after => own.trim_end().strip_suffix(after).unwrap_or(own),
    };
    let ends: &[&str] = if given.after.trim().is_empty() { &["", "\n}"] } else { &[""] };
    for end in ends {
        let whole = format!("{}{own}\n{}{end}", given.before, given.after);
        if let Some(answer) = with_function(&whole, wanted) {
            return Ok(answer);
        }
    }
    Err(if piece.is_closed && piece.is_fenced && is_balanced(own) { NoAnswer::NoFunction } else { NoAnswer::CutOff })
}

/// A continuation without what it repeats of what it continues.
fn without_repeated<'o>(own: &'o str, before: &str) -> &'o str {
    let lines = |text: &str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    let before: Vec<String> = lines(before.trim_end());
    let said = lines(own);
    let most = before.len().min(said.len());
    // At least two lines: a brace alone is repeated by chance.
    let Some(count) = (2..=most).rev().find(|count| before[before.len() - count..] == said[..*count]) else {
        return own;
    };
    let skipped: usize = own.split_inclusive('\n').take(count).map(str::len).sum();
    &own[skipped..]
}

/// Whether a text begins to define a function.
fn begins_function(text: &str, name: &str) -> bool {
    let tokens = lex(text);
    tokens.windows(2).any(|pair| pair[0].text(text) == name && pair[1].text(text) == "(")
        && tokens.iter().any(|token| token.text(text) == "{")
}

fn is_balanced(text: &str) -> bool {
    let tokens = lex(text);
    let count = |word: &str| tokens.iter().filter(|token| token.text(text) == word).count();
    count("{") == count("}")
}

/// Whether a text without fences is code: it has statements or braces.
fn looks_like_code(text: &str) -> bool {
    let tokens = lex(text);
    let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.text(text)));
    has(&[";", "{", "}"])
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: &str = "#include <stddef.h>\n#define MOST 9\nstruct node { struct node *next; };\nint size(struct node *);\n\
                        int f(struct node *at) { return 0; }\n";

    fn wanted() -> Wanted<'static> {
        Wanted { name: "f", unit: UNIT, given: None }
    }

    #[test]
    fn the_function_is_found_in_fences_and_without() {
        let own = "int f(struct node *at) { return size(at); }";
        for reply in [
            own.to_owned(),
            format!("```c\n{own}\n```"),
            format!("Sure! Here is it:\n\n```c\n{own}\n```\nIt counts the nodes."),
            format!("```\nint g(void) {{ return 1; }}\n```\nor better\n~~~cpp\n{own}\n~~~\n"),
            format!("```c\n{own}\n"),
            format!("Here is the function:\n\n{own}\n\nThis works as it should."),
        ] {
            assert_eq!(read(&reply, wanted()).map(|answer| answer.function), Ok(own.to_owned()), "{reply}");
        }
    }

    #[test]
    fn what_stands_beside_it_comes_along_unless_the_unit_has_it() {
        let reply = "```c\n#include <string.h>\n#include \"own.h\"\n#include </etc/passwd>\n#define MOST 9\n#define LEAST 1\n\
                     struct node { struct node *next; };\nstatic int help(int a) { return a + LEAST; }\n\
                     int f(struct node *at) { return help(MOST); }\nint main(void) { return f(0); }\n```";
        let answer = read(reply, wanted()).unwrap();
        assert_eq!(answer.includes, ["#include <string.h>"]);
        assert_eq!(answer.helpers, ["#define LEAST 1", "static int help(int a) { return a + LEAST; }"]);
        assert_eq!(answer.left_out, ["MOST", "node", "main"]);
        assert_eq!(answer.function, "int f(struct node *at) { return help(MOST); }");
    }

    #[test]
    fn what_is_no_answer_is_told_apart() {
        for (reply, why) in [
            ("", NoAnswer::NoCode),
            ("  \n", NoAnswer::NoCode),
            ("I would walk along the list and count.", NoAnswer::NoCode),
            ("```c\nint g(void) { return 1; }\n```", NoAnswer::NoFunction),
            ("```c\nint f(struct node *at) {\n  while (at) {\n", NoAnswer::CutOff),
            ("int f(struct node *at) {\n  while (at", NoAnswer::CutOff),
        ] {
            assert_eq!(read(reply, wanted()).unwrap_err(), why, "{reply}");
        }
    }

    #[test]
    fn what_was_begun_is_completed() {
        let before = "int f(struct node *at) {\n    int count = 0;\n    while (at) {\n        count++;\n";
        let given = |after| Wanted { given: Some(Given { before, after }), ..wanted() };
        let whole = "int f(struct node *at) {\n    int count = 0;\n    while (at) {\n        count++;\n        at = at->next;\n    }\n    return count;\n}";
        for reply in [
            "        at = at->next;\n    }\n    return count;\n}",
            "```c\n        at = at->next;\n    }\n    return count;\n}\n```",
            "```c\n    while (at) {\n        count++;\n        at = at->next;\n    }\n    return count;\n}\n```",
            &format!("```c\n{whole}\n```"),
        ] {
            let answer = read(reply, given("")).unwrap();
            let plain: String = answer.function.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(plain, whole.split_whitespace().collect::<Vec<_>>().join(" "), "{reply}");
        }
        let answer = read("        at = at->next;\n    }\n", given("    return count;\n}\n")).unwrap();
        assert!(answer.function.ends_with("return count;\n}"), "{}", answer.function);
        assert_eq!(read("The loop goes on", given("")).unwrap_err(), NoAnswer::NoCode);
        assert_eq!(read("        at = at->next;\n    if (", given("")).unwrap_err(), NoAnswer::CutOff);
    }
}
