//! The functions as what compilers make of them: assembly, WebAssembly, LLVM's language.

use std::collections::{HashMap, HashSet};

use estrange_bench::{Function, Language as BenchLanguage, Lowered, Waiting};
use estrange_evidence::code::{compiled_with, mark, marked};
use estrange_evidence::leaks::{is_language, project_names, words};
use estrange_lower::{Language, Lowerer, Lowering, Request, class, statistics};
use estrange_text::piece::joined;
use serde::{Deserialize, Serialize};

use crate::batches::Batches;
use crate::error::BuildError;
use crate::helpers::in_merged;
use crate::options::{Options, Progress};
use crate::store::{Store, key};
use crate::tools::{Tools, gcc_language};

/// Raise it when the same function may be lowered to another text.
const STAGE: &str = "lower 4";

/// How many functions are worked on, and kept, together.
const BATCH: usize = 64;

/// What became of a function in one setting.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Made {
    Text { text: Text, short: Option<Text> },
    Lost { reason: String, detail: String },
}

/// A text, and the names in it of what it does not hold and of its variables, with their symbols.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Text {
    text: String,
    outside: Vec<(String, String)>,
    variables: Vec<(String, String)>,
}

/// The numbers that symbols have in all texts of one source and one setting: texts that differ only in what they call
/// or which variables they use are not one text.
#[derive(Default)]
struct Numbers<'a> {
    by_source: HashMap<&'a str, HashMap<String, usize>>,
}

/// Lowers functions in all settings that are asked for, in their order.
pub(crate) fn lower(
    functions: &[Function],
    options: &Options,
    tools: &Tools,
    store: &Store,
    progress: &dyn Progress,
) -> Result<(Vec<Lowered>, Vec<Waiting>), BuildError> {
    let (mut lowered, mut waiting) = (Vec::new(), Vec::new());
    if options.lowerings.is_empty() {
        return Ok((lowered, waiting));
    }
    let lowerer = Lowerer::new(&tools.workshop);
    let batches = Batches::alike(functions, BATCH, |function| {
        compiled_with(
            gcc_language(unit_language(function.language)),
            &function.flags,
            function.linked_unit.as_ref().unwrap_or(&function.unit),
        )
    });
    for lowering in &options.lowerings {
        progress.step(&format!("lowering to {lowering}"));
        let version = lowerer
            .version(lowering.target, lowering.compiler, lowering.opt)
            .map_err(|error| BuildError::Tool { what: "a compiler", detail: error.to_string() })?;
        let work = Work { lowering: *lowering, version, tools, lowerer: &lowerer };
        let made = batches.made(store, progress, |batch| work.key(batch), |batch, _| work.make(batch))?;
        let first = lowered.len();
        let mut numbers = Numbers::default();
        for (function, made) in functions.iter().zip(made) {
            match made {
                Made::Text { text, short } => {
                    let text = numbers.numbered(&function.source, text);
                    let short = short.map(|short| numbers.numbered(&function.source, short));
                    lowered.push(record(function, lowering, text, short));
                }
                Made::Lost { reason, detail } => waiting.push(Waiting {
                    function_id: function.id.clone(),
                    setting: lowering.to_string(),
                    seed: 0,
                    stage: "lower".to_owned(),
                    reason,
                    detail,
                }),
            }
        }
        count_survivors(functions, &mut lowered[first..], tools)?;
    }
    Ok((lowered, waiting))
}

impl<'a> Numbers<'a> {
    /// The text with `ext_N` for whatever it does not hold, and `var_N` for its variables.
    fn numbered(&mut self, source: &'a str, text: Text) -> String {
        let numbers = self.by_source.entry(source).or_default();
        let mut names: HashMap<&str, String> = HashMap::new();
        for (symbols, word) in [(&text.outside, "ext"), (&text.variables, "var")] {
            for (name, symbol) in symbols {
                let next = numbers.len() + 1;
                let number = *numbers.entry(symbol.clone()).or_insert(next);
                names.insert(name, format!("{word}_{number}"));
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
}

fn record(function: &Function, lowering: &Lowering, text: String, short_text: Option<String>) -> Lowered {
    let numbers = statistics(lowering.target, &text);
    Lowered {
        function_id: function.id.clone(),
        setting: lowering.to_string(),
        target: lowering.target.to_string(),
        compiler: lowering.compiler.to_string(),
        opt: lowering.opt.to_string(),
        duplicates: class(&text),
        lines: numbers.lines as u32,
        tokens: numbers.tokens as u32,
        unique_instructions: numbers.unique_instructions as u32,
        text,
        short_text,
        surviving_names: 0,
    }
}

/// Looks for names of the project in the texts of one setting, without knowing how those were made.
fn count_survivors(functions: &[Function], lowered: &mut [Lowered], tools: &Tools) -> Result<(), BuildError> {
    let by_id: HashMap<&str, &Function> = functions.iter().map(|function| (function.id.as_str(), function)).collect();
    let mut texts: Vec<(&mut Lowered, HashSet<String>)> = Vec::with_capacity(lowered.len());
    for one in lowered {
        if let Some(function) = by_id.get(one.function_id.as_str()) {
            texts.push((one, own_names(function, tools)?));
        }
    }
    let counts = survivors(texts.iter().map(|(one, own)| (one.text.as_str(), own)));
    for ((one, _), count) in texts.iter_mut().zip(counts) {
        one.surviving_names = count;
    }
    Ok(())
}

/// How many names survive in each text, of which the identifiers of its project are known.
///
/// A word of a text that is an identifier of the function's project survives, unless it is a word of the machine: one
/// that also stands in the text of a function whose unit does not have it.
fn survivors<'t>(texts: impl Iterator<Item = (&'t str, &'t HashSet<String>)> + Clone) -> Vec<u32> {
    let is_plain = |own: &HashSet<String>, word: &str| !own.contains(word) && !is_language(word);
    let machine: HashSet<&str> =
        texts.clone().flat_map(|(text, own)| words(text).filter(|word| is_plain(own, word))).collect();
    let count = |(text, own): (&'t str, &'t HashSet<String>)| {
        let suspects: HashSet<&str> = words(text).filter(|word| own.contains(*word)).collect();
        suspects.into_iter().filter(|word| !machine.contains(word)).count() as u32
    };
    texts.map(count).collect()
}

/// The identifiers of the project in a function's unit.
fn own_names(function: &Function, tools: &Tools) -> Result<HashSet<String>, BuildError> {
    let headers = tools.headers_of(&function.unit, unit_language(function.language), &function.flags)?;
    let text = function.linked_unit.as_deref().unwrap_or(&function.unit);
    Ok(project_names(text, &|name| is_language(name) || headers.all.contains(name)))
}

struct Work<'a> {
    lowering: Lowering,
    version: String,
    tools: &'a Tools,
    lowerer: &'a Lowerer,
}

/// What is compiled for a function.
struct Prepared {
    unit: String,
    symbol: String,
    hidden: HashSet<String>,
    /// The unit with all that it needs to run, and the helpers that are printed with it.
    long: Option<(String, Vec<String>)>,
}

impl Prepared {
    fn has_helpers(&self) -> bool {
        self.long.as_ref().is_some_and(|(_, helpers)| !helpers.is_empty())
    }
}

fn text(lowered: estrange_lower::Lowered) -> Text {
    Text { text: lowered.text, outside: lowered.outside, variables: lowered.variables }
}

impl Work<'_> {
    fn key(&self, functions: &[&Function]) -> String {
        let how = format!("{} {}\n{}", self.lowering, self.version, self.tools.key());
        let flags = format!("{:?}", functions.first().map(|function| (function.language, &function.flags)));
        let mut parts: Vec<&[u8]> = vec![how.as_bytes(), flags.as_bytes()];
        for function in functions {
            let long = function.linked_unit.as_deref().unwrap_or_default();
            parts.extend([function.id.as_bytes(), function.unit.as_bytes(), function.text.as_bytes(), long.as_bytes()]);
        }
        key(STAGE, &parts)
    }

    fn make(&self, functions: &[&Function]) -> Result<Vec<Made>, BuildError> {
        let prepared: Vec<Prepared> =
            functions.iter().map(|function| self.prepare(function)).collect::<Result<_, _>>()?;
        let short: Vec<Request<'_>> = functions
            .iter()
            .zip(&prepared)
            .map(|(function, prepared)| Request {
                unit: &prepared.unit,
                language: language(function),
                flags: &function.flags,
                function: &prepared.symbol,
                helpers: &[],
                hidden: &prepared.hidden,
            })
            .collect();
        let long: Vec<(usize, Request<'_>)> = functions
            .iter()
            .zip(&prepared)
            .enumerate()
            .filter_map(|(index, (function, prepared))| {
                let (unit, helpers) = prepared.long.as_ref()?;
                let language = language(function);
                let (flags, hidden) = (&function.flags, &prepared.hidden);
                Some((index, Request { unit, language, flags, function: &prepared.symbol, helpers, hidden }))
            })
            .collect();
        let options = estrange_lower::Options {
            target: self.lowering.target,
            compiler: self.lowering.compiler,
            opt: self.lowering.opt,
            ..estrange_lower::Options::default()
        };
        let failed =
            |error: estrange_lower::LowerError| BuildError::Tool { what: "a compiler", detail: error.to_string() };
        let mut made: Vec<Made> = self
            .lowerer
            .lower(&options, &short)
            .map_err(failed)?
            .into_iter()
            .map(|result| match result {
                Ok(lowered) => Made::Text { text: text(lowered), short: None },
                Err(loss) => Made::Lost { reason: loss.reason().to_owned(), detail: loss.to_string() },
            })
            .collect();
        let has_helpers: Vec<bool> = prepared.iter().map(Prepared::has_helpers).collect();
        let (places, requests): (Vec<usize>, Vec<Request<'_>>) = long.into_iter().unzip();
        for (place, result) in places.into_iter().zip(self.lowerer.lower(&options, &requests).map_err(failed)?) {
            // Without what it needs to run it is still itself.
            if let (Made::Text { text: own, short }, Ok(lowered)) = (&mut made[place], result) {
                let long = std::mem::replace(own, text(lowered));
                *short = has_helpers[place].then_some(long);
            }
        }
        Ok(made)
    }

    /// The text and the symbol that are asked for.
    fn prepare(&self, function: &Function) -> Result<Prepared, BuildError> {
        let hidden = own_names(function, self.tools)?;
        let helpers: Vec<String> =
            in_merged(&function.text, &function.helpers).iter().map(|helper| helper.name.clone()).collect();
        let long = function.linked_unit.as_ref().map(|unit| (unit.clone(), helpers));
        if function.language == BenchLanguage::C {
            return Ok(Prepared { unit: function.unit.clone(), symbol: function.name.clone(), hidden, long });
        }
        let language = unit_language(function.language);
        let arguments: Vec<String> = ["-xc++".to_owned()].into_iter().chain(function.flags.iter().cloned()).collect();
        let start = function.unit.rfind(&function.text);
        let names = self.tools.parser.names(&function.unit, &arguments).ok();
        let (Some(start), Some(names)) = (start, names) else {
            return Ok(Prepared { unit: function.unit.clone(), symbol: function.qualified_name.clone(), hidden, long });
        };
        let range = start..start + function.text.len();
        let found = names.functions.iter().find(|found| range.contains(&(found.at as usize)));
        let mark = mark(&function.unit, range, found, gcc_language(language), &function.flags);
        let mut unit = marked(&function.unit, start, mark);
        let mut long = long.map(|(text, helpers)| match text.rfind(&function.text) {
            Some(start) => (marked(&text, start, mark), helpers),
            None => (text, helpers),
        });
        if let Some(found) = found.filter(|found| found.is_template) {
            let compiled = |appendix: &str| marked(&function.unit, start, mark) + appendix;
            if let Some(pieces) = self.tools.instance(&function.unit, found, &function.flags, &compiled)? {
                let appendix = joined(&function.unit, &pieces);
                unit += &appendix;
                if let Some((text, _)) = &mut long {
                    *text += &appendix;
                }
            }
        }
        let symbol = found.map(|found| found.symbol.clone()).filter(|symbol| !symbol.is_empty());
        Ok(Prepared { unit, symbol: symbol.unwrap_or_else(|| function.qualified_name.clone()), hidden, long })
    }
}

fn language(function: &Function) -> Language {
    match function.language {
        BenchLanguage::C => Language::C,
        BenchLanguage::Cpp => Language::Cpp,
    }
}

fn unit_language(language: BenchLanguage) -> estrange_unit::Language {
    match language {
        BenchLanguage::C => estrange_unit::Language::C,
        BenchLanguage::Cpp => estrange_unit::Language::Cpp,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_survives_unless_it_is_a_word_of_the_machine() {
        let own =
            [["insert", "mov"], ["fresh", "other"], ["mov", "gone"]].map(|own| HashSet::from(own.map(str::to_owned)));
        let texts = ["mov insert", "mov fresh fresh", "mov"];
        assert_eq!(survivors(texts.into_iter().zip(&own)), [1, 1, 0]);
    }
}
