//! Arguments that are one of a list: `?` or `help` instead of one prints the list.

use std::ffi::OsStr;

use clap::builder::{EnumValueParser, PossibleValue, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, ValueEnum};

/// What asks for the list; some shells keep `?` for themselves.
const ASKED: [&str; 2] = ["?", "help"];

/// Reads an argument, or asks for the list of what it may be.
#[derive(Debug, Clone)]
pub struct Listed<P> {
    parser: P,
    list: fn() -> String,
}

/// An argument that is text.
pub fn text(list: fn() -> String) -> Listed<StringValueParser> {
    Listed { parser: StringValueParser::new(), list }
}

/// An argument that is one of few words.
pub fn word<T: ValueEnum + Clone + Send + Sync + 'static>() -> Listed<EnumValueParser<T>> {
    Listed { parser: EnumValueParser::new(), list: words::<T> }
}

/// The list that an error asks for, if it does.
pub fn asked_for(error: &clap::Error) -> Option<&str> {
    match error.get(ContextKind::Custom) {
        Some(ContextValue::String(list)) => Some(list),
        _ => None,
    }
}

/// Words with what they mean, in two columns.
pub fn columns<'w>(rows: impl IntoIterator<Item = (&'w str, String)>) -> String {
    let rows: Vec<(&str, String)> = rows.into_iter().collect();
    let width = rows.iter().map(|(word, _)| word.len()).max().unwrap_or_default();
    let line = |(word, meaning): &(&str, String)| format!("  {word:width$}  {meaning}").trim_end().to_owned() + "\n";
    rows.iter().map(line).collect()
}

/// The part of a help page below one of its lines.
pub fn below(page: &str, line: &str) -> String {
    let below = page.split_once(line).map_or(page, |(_, below)| below);
    let below = below.split("\n\n").next().unwrap_or(below);
    below.trim_matches('\n').to_owned() + "\n"
}

fn words<T: ValueEnum>() -> String {
    let values: Vec<PossibleValue> = T::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect();
    columns(
        values.iter().map(|value| (value.get_name(), value.get_help().map(ToString::to_string).unwrap_or_default())),
    )
}

impl<P: TypedValueParser> TypedValueParser for Listed<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<P::Value, clap::Error> {
        if ASKED.iter().any(|asked| value == *asked) {
            let mut asked = clap::Error::new(ErrorKind::DisplayHelp);
            asked.insert(ContextKind::Custom, ContextValue::String((self.list)()));
            return Err(asked);
        }
        self.parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.parser.possible_values()
    }
}
