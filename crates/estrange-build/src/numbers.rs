//! The numbers of symbols in lowered texts, and the names that survive there: what is known only over all functions.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use estrange_bench::{BenchError, Lowered, Placed, Unnumbered, UnnumberedText};
use estrange_lower::{Lowering, Style, class, statistics};

use crate::error::BuildError;
use estrange_evidence::leaks::{is_language, words};

/// Lowered texts that get numbers. They are read twice: which words are the machine's is known after the last of them.
pub(crate) struct Numbered<'k, F> {
    rows: F,
    kept: &'k HashSet<String>,
    /// The words of each setting that stand in the text of some function whose project does not have them.
    machine: HashMap<String, HashSet<String>>,
}

/// The numbers that symbols have in all texts of one source and one setting: texts that differ only in what they call
/// or which variables they use are not one text.
#[derive(Default)]
struct Numbers {
    source: u32,
    by_setting: HashMap<String, HashMap<String, usize>>,
}

impl<'k, F, I> Numbered<'k, F>
where
    F: Fn() -> Result<I, BenchError>,
    I: Iterator<Item = Result<Placed<Unnumbered>, BenchError>>,
{
    /// Reads them for the first time. What is not among the functions `kept` is passed over.
    pub(crate) fn new(rows: F, kept: &'k HashSet<String>) -> Result<Self, BuildError> {
        let mut all = Self { rows, kept, machine: HashMap::new() };
        let mut numbers = Numbers::default();
        for row in (all.rows)()? {
            let row = row?;
            if !kept.contains(&row.record.function_id) {
                continue;
            }
            let texts = numbers.numbered(&row);
            let own: HashSet<&str> = row.record.own_words.iter().map(String::as_str).collect();
            let machine = all.machine.entry(row.record.setting.clone()).or_default();
            for word in texts.first().into_iter().flat_map(|text| words(text)) {
                let is_number = word.starts_with(|first: char| first.is_ascii_digit());
                if !is_number && !own.contains(word) && !is_language(word) && !machine.contains(word) {
                    machine.insert(word.to_owned());
                }
            }
        }
        Ok(all)
    }

    /// The finished records, in order.
    pub(crate) fn all(&self) -> Result<impl Iterator<Item = Result<Lowered, BuildError>>, BuildError> {
        let mut numbers = Numbers::default();
        let is_kept = |row: &Result<Placed<Unnumbered>, BenchError>| !matches!(row, Ok(row) if !self.kept.contains(&row.record.function_id));
        Ok((self.rows)()?.filter(is_kept).map(move |row| {
            let row = row?;
            let texts = numbers.numbered(&row);
            self.record(row.record, texts)
        }))
    }

    fn record(&self, row: Unnumbered, texts: Vec<String>) -> Result<Lowered, BuildError> {
        let wrong = |detail: &str| {
            let detail = format!("a lowered text of {}: {detail}", row.function_id);
            BenchError::Damaged { path: "lowered.parquet".into(), detail }
        };
        let lowering: Lowering = row.setting.parse().map_err(|_| wrong("its setting is not known"))?;
        let mut texts = texts.into_iter();
        let text = texts.next().ok_or_else(|| wrong("there is no text"))?;
        let counts = statistics(lowering.target, &text);
        Ok(Lowered {
            surviving_names: self.survivors(&row, &operands(lowering.style, &text)),
            setting: lowering.to_string(),
            target: lowering.target.to_string(),
            compiler: lowering.compiler.to_string(),
            opt: lowering.opt.to_string(),
            duplicates: class(&text),
            lines: counts.lines as u32,
            tokens: counts.tokens as u32,
            unique_instructions: counts.unique_instructions as u32,
            text,
            short_text: texts.next(),
            function_id: row.function_id,
        })
    }

    /// How many names survive in a text. A word that is an identifier of the function's project does, unless it is a
    /// word of the machine: one that also stands in the text of a function whose unit does not have it.
    fn survivors(&self, row: &Unnumbered, text: &str) -> u32 {
        let own: HashSet<&str> = row.own_words.iter().map(String::as_str).collect();
        let machine = self.machine.get(&row.setting);
        let suspects: HashSet<&str> = words(text).filter(|word| own.contains(word)).collect();
        suspects.into_iter().filter(|word| !machine.is_some_and(|machine| machine.contains(*word))).count() as u32
    }
}

/// A text without the addresses and instructions that the published look begins its lines with: both may look like names.
fn operands(style: Style, text: &str) -> Cow<'_, str> {
    let is_address = |word: &str| word.trim_start().bytes().all(|digit| digit.is_ascii_hexdigit());
    let operands = |line| match str::split_once(line, ":\t") {
        Some((address, instruction)) if is_address(address) => {
            instruction.split_once(' ').map_or("", |(_, operands)| operands)
        }
        _ => line,
    };
    match style {
        Style::Paper => Cow::Owned(text.lines().map(operands).collect::<Vec<_>>().join("\n")),
        Style::Plain => Cow::Borrowed(text),
    }
}

impl Numbers {
    /// The texts of a row with their numbers.
    fn numbered(&mut self, row: &Placed<Unnumbered>) -> Vec<String> {
        if row.place.source != self.source {
            *self = Self { source: row.place.source, by_setting: HashMap::new() };
        }
        let numbers = self.by_setting.entry(row.record.setting.clone()).or_default();
        row.record.texts.iter().map(|text| numbered(text, numbers)).collect()
    }
}

/// A text with `ext_N` for whatever it does not hold, and `var_N` for its variables.
fn numbered(text: &UnnumberedText, numbers: &mut HashMap<String, usize>) -> String {
    let mut names: HashMap<&str, String> = HashMap::new();
    for (symbols, word) in [(&text.outside, "ext"), (&text.variables, "var")] {
        for symbol in symbols {
            let next = numbers.len() + 1;
            let number = *numbers.entry(symbol.symbol.clone()).or_insert(next);
            names.insert(&symbol.name, format!("{word}_{number}"));
        }
    }
    let mut written = String::with_capacity(text.text.len());
    let mut at = 0;
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    for word in words(&text.text) {
        // Words are parts of the text itself.
        let start = word.as_ptr() as usize - text.text.as_ptr() as usize;
        let follows_word = text.text[..start].ends_with(is_word);
        if let Some(name) = names.get(word).filter(|_| !follows_word) {
            written.push_str(&text.text[at..start]);
            written.push_str(name);
            at = start + word.len();
        }
    }
    written.push_str(&text.text[at..]);
    written
}

/// Whether a word looks like a number that a symbol may get.
pub(crate) fn looks_numbered(word: &str) -> bool {
    let digits = word.strip_prefix("ext_").or_else(|| word.strip_prefix("var_"));
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use estrange_bench::{RowPlace, Symbol};

    use super::*;

    fn row(source: u32, id: &str, text: &str, outside: &[(&str, &str)], own: &[&str]) -> Placed<Unnumbered> {
        let symbol = |(name, symbol): &(&str, &str)| Symbol { name: (*name).to_owned(), symbol: (*symbol).to_owned() };
        let outside = outside.iter().map(symbol).collect();
        let texts = vec![UnnumberedText { text: text.to_owned(), outside, variables: Vec::new() }];
        let own_words = own.iter().map(|word| (*word).to_owned()).collect();
        let (function_id, setting) = (id.to_owned(), "x86_64".to_owned());
        Placed { place: RowPlace { source, number: 0 }, record: Unnumbered { function_id, setting, texts, own_words } }
    }

    fn finished(rows: &[Placed<Unnumbered>]) -> Vec<(String, u32)> {
        let kept = rows.iter().map(|row| row.record.function_id.clone()).filter(|id| id != "gone").collect();
        let numbered = Numbered::new(|| Ok(rows.iter().cloned().map(Ok)), &kept).unwrap();
        let all: Result<Vec<Lowered>, BuildError> = numbered.all().unwrap().collect();
        all.unwrap().into_iter().map(|lowered| (lowered.text, lowered.surviving_names)).collect()
    }

    #[test]
    fn a_name_survives_unless_it_is_a_word_of_the_machine() {
        let rows = [
            row(0, "a", "mov insert", &[], &["insert", "mov"]),
            row(0, "b", "mov fresh fresh", &[], &["fresh", "other"]),
            row(1, "c", "mov", &[], &["mov", "gone"]),
        ];
        assert_eq!(finished(&rows).iter().map(|(_, names)| *names).collect::<Vec<_>>(), [1, 1, 0]);
    }

    #[test]
    fn addresses_and_instructions_are_no_names_that_survive() {
        let rows = ["x86_64/paper", "x86_64"].map(|setting| {
            let mut row = row(0, "a", "   a:\tadd b", &[], &["a", "add"]);
            row.record.setting = setting.to_owned();
            row
        });
        assert_eq!(finished(&rows).iter().map(|(_, names)| *names).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn a_symbol_has_one_number_in_all_texts_of_a_source_that_are_kept() {
        let rows = [
            row(0, "gone", "call @x", &[("x", "first")], &[]),
            row(0, "a", "call @x", &[("x", "free")], &[]),
            row(0, "b", "call @y @x", &[("y", "malloc"), ("x", "free")], &[]),
            row(1, "c", "call @x", &[("x", "malloc")], &[]),
        ];
        let texts: Vec<String> = finished(&rows).into_iter().map(|(text, _)| text).collect();
        assert_eq!(texts, ["call @ext_1", "call @ext_2 @ext_1", "call @ext_1"]);
    }
}
