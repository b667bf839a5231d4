//! A file of the user's: read, and what is said where it cannot be worked on.

use std::path::Path;

use estrange_build::{FileError, FileRequest};
use estrange_words::Reason;

use crate::nearest::nearest;
use crate::voice::Failure;

/// What some editors put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How many functions of a file are listed.
const LISTED: usize = 20;

/// A file of the user's, read.
pub fn request(path: &Path, function: Option<&str>, flags: &[String]) -> Result<FileRequest, Failure> {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::new(format!("{} cannot be read", path.display())).because(&error))?;
    let mut text = String::from_utf8(bytes).map_err(|_| {
        Failure::new(format!("{} is not UTF-8", path.display())).hint("convert it first, for example with iconv")
    })?;
    // A mark of the encoding is no part of the program, and whatever stands before it makes it one.
    if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
    }
    Ok(FileRequest { path: path.to_owned(), text, function: function.map(str::to_owned), flags: flags.to_vec() })
}

/// What went wrong, in words.
pub fn failure(error: FileError) -> Failure {
    let words = error.to_string();
    match error {
        FileError::Refused { reason, .. } => {
            let failure = Failure::new(words);
            match reason {
                Reason::DoesNotParse => {
                    failure.hint("say with --flag what a compiler needs to know, such as -Iinclude")
                }
                _ => failure.hint(format!("the reason is {reason}")),
            }
        }
        FileError::NoFunction { name, there, .. } => {
            let names: Vec<&str> = there.iter().map(|choice| without_types(&choice.signature)).collect();
            let near = nearest(names.iter().copied(), without_types(&name.unwrap_or_default()));
            match (near.is_empty(), names.is_empty()) {
                (false, _) => Failure::new(words).hint(format!("there is {}", near.join(", "))),
                (true, false) => Failure::new(words).hint(format!("there is {}", first(&names, ", "))),
                (true, true) => Failure::new(words).hint("only functions with a body count"),
            }
        }
        FileError::Ambiguous { choices, .. } => {
            let lines: Vec<String> =
                choices.iter().map(|choice| format!("{}, line {}", choice.signature, choice.line)).collect();
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            Failure::new(format!("{words}:\n{}", first(&lines, "\n")))
                .hint("name it with its scopes and the types of its parameters, as here")
        }
        FileError::Input(_) => Failure::new(words).hint("docs/inputs.md says how one is written"),
        FileError::Build(error) => Failure::of(&error),
    }
}

fn without_types(signature: &str) -> &str {
    signature.split_once('(').map_or(signature, |(name, _)| name)
}

/// As many of them as people read.
fn first(all: &[&str], between: &str) -> String {
    let shown = all[..all.len().min(LISTED)].join(between);
    match all.len().checked_sub(LISTED).filter(|more| *more > 0) {
        Some(more) => format!("{shown}{between}and {more} more"),
        None => shown,
    }
}
