//! The functions as what compilers make of them: assembly, WebAssembly, LLVM's language.

use std::collections::HashSet;

use estrange_bench::{Function, Language, Symbol, Taken, Unnumbered, UnnumberedText, Waiting};
use estrange_evidence::code::{compiled_with, mark, marked};
use estrange_evidence::leaks::{is_language, project_names, words};
use estrange_lower::{Loss as LowerLoss, Lowerer, Lowering, Request};
use estrange_text::piece::joined;
use estrange_words::{Reason, Stage};
use serde::{Deserialize, Serialize};

use crate::batches::{Counter, InBatches};
use crate::error::BuildError;
use crate::helpers::in_merged;
use crate::numbers::looks_numbered;
use crate::store::{Store, key};
use crate::tools::Tools;
use crate::work::{Computed, Work};

/// Raise it when the same function may be lowered to another text.
const STAGE: &str = "lower 5";

/// How many functions are worked on together.
const BATCH: usize = 64;
/// How many bytes their texts may have.
const BYTES: usize = 8 << 20;

/// What became of a function in one setting.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Made {
    /// The texts, and the words of the first that are names of the project.
    Texts {
        texts: Vec<UnnumberedText>,
        own_words: Vec<String>,
    },
    Lost {
        reason: Reason,
        detail: String,
    },
}

/// What became of a function in all settings.
#[derive(Default)]
pub(crate) struct LoweredFunction {
    pub(crate) texts: Vec<Unnumbered>,
    pub(crate) waiting: Vec<Waiting>,
}

/// What lowers functions.
pub(crate) struct Lowerings<'a> {
    tools: &'a Tools,
    store: &'a Store,
    computed: &'a Computed,
    lowerer: Lowerer,
    /// The settings that are asked for, each with the version of its compiler.
    asked: Vec<(Lowering, String)>,
}

impl<'a> Lowerings<'a> {
    pub(crate) fn new(work: &Work<'a>) -> Result<Self, BuildError> {
        let lowerer = Lowerer::new(&work.tools.workshop);
        let mut asked = Vec::new();
        for lowering in &work.options.lowerings {
            let version = lowerer.version(lowering.target, lowering.compiler, lowering.opt)?;
            asked.push((*lowering, version));
        }
        Ok(Self { tools: work.tools, store: work.store, computed: work.computed, lowerer, asked })
    }

    /// How often each function is gone through.
    pub(crate) fn passes(&self) -> usize {
        self.asked.len()
    }

    /// What becomes of functions, in their order: the texts in all settings, and those that there are not.
    pub(crate) fn of(&self, functions: &[&Taken], counter: &Counter<'_>) -> Result<Vec<LoweredFunction>, BuildError> {
        let mut all: Vec<LoweredFunction> = functions.iter().map(|_| LoweredFunction::default()).collect();
        let batches = InBatches { store: Some(self.store), counter, size: BATCH, bytes: BYTES };
        for (lowering, version) in &self.asked {
            let work = Lower { lowering: *lowering, version, tools: self.tools, lowerer: &self.lowerer };
            let alike = |taken: &&Taken| {
                let function = &taken.function;
                let unit = function.linked_unit.as_ref().unwrap_or(&function.unit);
                let compiled = compiled_with(function.language, &function.flags, unit);
                compiled.into_iter().map(str::to_owned).collect::<Vec<_>>()
            };
            let made = batches.made(
                functions,
                |taken| work.key(taken),
                alike,
                |taken| taken.function.linked_unit.as_ref().unwrap_or(&taken.function.unit).len(),
                |batch, _| {
                    batch.iter().for_each(|taken| self.computed.add(&taken.function.id, "lowered"));
                    work.make(&batch.iter().map(|taken| &taken.function).collect::<Vec<_>>())
                },
            )?;
            for ((taken, made), all) in functions.iter().zip(made).zip(&mut all) {
                let (function_id, setting) = (taken.function.id.clone(), lowering.to_string());
                match made {
                    Made::Texts { texts, own_words } => {
                        all.texts.push(Unnumbered { function_id, setting, texts, own_words });
                    }
                    Made::Lost { reason, detail } => {
                        let stage = Stage::Lower;
                        all.waiting.push(Waiting { function_id, setting, seed: 0, stage, reason, detail });
                    }
                }
            }
        }
        Ok(all)
    }
}

/// The identifiers of the project in a function's unit.
fn own_names(function: &Function, tools: &Tools) -> Result<HashSet<String>, BuildError> {
    let headers = tools.headers_of(&function.unit, function.language, &function.flags)?;
    let text = function.linked_unit.as_deref().unwrap_or(&function.unit);
    Ok(project_names(text, &|name| is_language(name) || headers.have(name)))
}

/// Functions in one setting.
struct Lower<'a> {
    lowering: Lowering,
    version: &'a str,
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

fn text(lowered: estrange_lower::Lowered) -> UnnumberedText {
    let symbols = |pairs: Vec<(String, String)>| {
        pairs.into_iter().map(|(name, symbol)| Symbol { name, symbol }).collect::<Vec<Symbol>>()
    };
    let (outside, variables) = (symbols(lowered.outside), symbols(lowered.variables));
    UnnumberedText { text: lowered.text, outside, variables }
}

impl Lower<'_> {
    fn key(&self, taken: &Taken) -> String {
        let function = &taken.function;
        let how = format!(
            "{} {} {}\n{}{}",
            estrange_lower::VERSION,
            self.lowering,
            self.version,
            self.tools.key(),
            taken.headers
        );
        let told = format!("{:?} {:?}", function.language, function.flags);
        let long = function.linked_unit.as_deref().unwrap_or_default();
        let helpers: Vec<&str> =
            in_merged(&function.text, &function.helpers).iter().map(|helper| helper.name.as_str()).collect();
        let names = [&function.name, &function.qualified_name, &*helpers.join(" ")].join("\n");
        let parts = [&how, &told, &names, &function.unit, &function.text, long].map(str::as_bytes);
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
                language: function.language,
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
                let language = function.language;
                let (flags, hidden) = (&function.flags, &prepared.hidden);
                Some((index, Request { unit, language, flags, function: &prepared.symbol, helpers, hidden }))
            })
            .collect();
        let options = estrange_lower::Options {
            target: self.lowering.target,
            compiler: self.lowering.compiler,
            opt: self.lowering.opt,
            style: self.lowering.style,
            ..estrange_lower::Options::default()
        };
        let short = self.lowerer.lower(&options, &short)?;
        let mut made: Vec<Result<Vec<UnnumberedText>, LowerLoss>> =
            short.into_iter().map(|result| result.map(|lowered| vec![text(lowered)])).collect();
        let (places, requests): (Vec<usize>, Vec<Request<'_>>) = long.into_iter().unzip();
        let long = self.lowerer.lower(&options, &requests)?;
        for (place, result) in places.into_iter().zip(long) {
            // Without what it needs to run it is still itself.
            if let (Ok(texts), Ok(lowered)) = (&mut made[place], result) {
                texts.insert(0, text(lowered));
                texts.truncate(if prepared[place].has_helpers() { 2 } else { 1 });
            }
        }
        let recorded = made.into_iter().zip(&prepared).map(|(made, prepared)| match made {
            Ok(texts) => {
                let in_text: HashSet<&str> = texts.first().into_iter().flat_map(|text| words(&text.text)).collect();
                let own = prepared.hidden.iter();
                let mut own_words: Vec<String> =
                    own.filter(|word| in_text.contains(word.as_str()) || looks_numbered(word)).cloned().collect();
                own_words.sort_unstable();
                Made::Texts { texts, own_words }
            }
            Err(loss) => Made::Lost { reason: loss.reason(), detail: loss.to_string() },
        });
        Ok(recorded.collect())
    }

    /// The text and the symbol that are asked for.
    fn prepare(&self, function: &Function) -> Result<Prepared, BuildError> {
        let hidden = own_names(function, self.tools)?;
        let helpers: Vec<String> =
            in_merged(&function.text, &function.helpers).iter().map(|helper| helper.name.clone()).collect();
        let long = function.linked_unit.as_ref().map(|unit| (unit.clone(), helpers));
        if function.language == Language::C {
            return Ok(Prepared { unit: function.unit.clone(), symbol: function.name.clone(), hidden, long });
        }
        let language = function.language;
        let arguments: Vec<String> =
            [language.flag().to_owned()].into_iter().chain(function.flags.iter().cloned()).collect();
        let names = self.tools.parser.names(&function.unit, &arguments).ok();
        let (Some(range), Some(names)) = (function.in_unit(), names) else {
            return Ok(Prepared { unit: function.unit.clone(), symbol: function.qualified_name.clone(), hidden, long });
        };
        let start = range.start;
        let found = names.functions.iter().find(|found| range.contains(&(found.at as usize)));
        let mark = mark(&function.unit, range, found, language, &function.flags);
        let mut unit = marked(&function.unit, start, mark);
        let mut long = long.map(|(text, helpers)| match function.in_linked_unit() {
            Some(place) => (marked(&text, place.start, mark), helpers),
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
