//! The linked units of a source's functions: put together from all its translation units, and compiled.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_evidence::code::with_code;
use estrange_evidence::symbols::Symbols;
use estrange_evidence::{Compiled, Language as GccLanguage, Level};
use estrange_unit::{Bounds, Language, Linked, Member, Missed, ParserLoss, Program, quoted_names};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::assign::Assigned;
use crate::error::BuildError;
use crate::gate::{Gated, gcc_names};
use crate::options::{Options, Progress};
use crate::store::{Keep, Store, key};
use crate::tools::Tools;
use crate::translate::Translations;

/// Raise it when the same function may get another linked unit.
const STAGE: &str = "linked 7";

/// How many functions are worked on, and kept, together.
const BATCH: usize = 96;

/// How often a linked unit is put together again because a compiler missed something.
const ROUNDS: usize = 12;

/// What became of a function's linked unit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum LinkOutcome {
    /// Both compilers accept it, and nothing of the project is undefined in it.
    Linked(String),
    /// There is none, for this reason.
    Not(String),
}

/// Links all functions that were kept; the others have no outcome.
pub(crate) fn link(
    translations: &Translations,
    functions: &[Assigned<'_>],
    gated: &[Gated],
    options: &Options,
    tools: &Tools,
    store: &Store,
    progress: &dyn Progress,
) -> Result<Vec<Option<LinkOutcome>>, BuildError> {
    let kept: Vec<usize> = (0..functions.len()).filter(|index| matches!(gated[*index], Gated::Kept { .. })).collect();
    let declarations = translations.units.iter().flat_map(|unit| &unit.translation.reading.declarations);
    let linker = Linker {
        translations,
        functions,
        gated,
        options,
        tools,
        symbols: Symbols::new(declarations.map(|declaration| declaration.symbol.as_str()), &tools.standard_symbols),
    };
    let project: Vec<u8> = translations.units.iter().flat_map(|unit| unit.translation.key.bytes()).collect();
    progress.step("linking");
    let done = AtomicUsize::new(0);
    let batches: Vec<&[usize]> = kept.chunks(BATCH).collect();
    let outcomes: Vec<Result<Vec<LinkOutcome>, BuildError>> = batches
        .par_iter()
        .map_init(
            || None,
            |program, batch| {
                if progress.is_cancelled() {
                    return Err(BuildError::Cancelled);
                }
                let parts = linker.key_parts(batch);
                let key = key(STAGE, &[&project, &parts, tools.key().as_bytes()]);
                let outcomes = store.get_or(&key, || {
                    let program = program.get_or_insert_with(|| linker.program());
                    Ok((linker.run(program, batch)?, Keep::Yes))
                });
                progress.count(done.fetch_add(batch.len(), Ordering::Relaxed) + batch.len(), kept.len());
                outcomes
            },
        )
        .collect();
    let mut all = vec![None; functions.len()];
    for (batch, outcomes) in batches.iter().zip(outcomes) {
        for (index, outcome) in batch.iter().zip(outcomes?) {
            all[*index] = Some(outcome);
        }
    }
    Ok(all)
}

/// A linked unit that was given to both compilers.
struct Tried {
    index: usize,
    linked: Linked,
    verdict: Verdict,
}

enum Verdict {
    /// Both accept it, and it has all of the project that it needs.
    Whole,
    /// It refers to symbols that neither it nor the standard libraries define.
    Undefined(Vec<String>),
    /// One of them refused it; the names in its messages.
    Refused(Vec<String>),
}

struct Linker<'a> {
    translations: &'a Translations,
    functions: &'a [Assigned<'a>],
    gated: &'a [Gated],
    options: &'a Options,
    tools: &'a Tools,
    symbols: Symbols<'a>,
}

impl<'a> Linker<'a> {
    fn program(&self) -> Program<'a> {
        let members = self.translations.units.iter().map(|unit| {
            let translation = &unit.translation;
            Member { flat: &translation.flat, reading: &translation.reading, language: translation.language }
        });
        Program::new(members.collect())
    }

    fn bounds(&self) -> Bounds {
        Bounds { lines: self.options.max_unit_lines, data_share: self.options.max_data_share }
    }

    fn key_parts(&self, batch: &[usize]) -> Vec<u8> {
        let bounds = self.bounds();
        let mut parts = format!("{} {}", bounds.lines, bounds.data_share).into_bytes();
        for index in batch {
            let function = &self.functions[*index];
            parts.extend_from_slice(&(function.unit as u64).to_le_bytes());
            parts.extend_from_slice(&function.found.declaration.to_le_bytes());
        }
        parts
    }

    fn run(&self, program: &Program<'a>, batch: &[usize]) -> Result<Vec<LinkOutcome>, BuildError> {
        let mut outcomes: BTreeMap<usize, LinkOutcome> = BTreeMap::new();
        let mut open: BTreeMap<usize, Missed> = batch.iter().map(|index| (*index, Missed::default())).collect();
        // What a compiler misses is known by name: once more, with that, as long as it misses something new.
        for _ in 0..ROUNDS {
            let mut texts: Vec<(usize, Linked)> = Vec::new();
            for (index, missed) in &open {
                let function = &self.functions[*index];
                match program.linked_with(function.unit, function.found.declaration, self.bounds(), missed) {
                    Ok(linked) => texts.push((*index, linked)),
                    Err(loss) => {
                        outcomes.insert(*index, LinkOutcome::Not(loss.reason().to_owned()));
                    }
                }
            }
            let mut next = BTreeMap::new();
            for Tried { index, linked, verdict } in self.compile(texts)? {
                let missed = &open[&index];
                let (reason, more) = match verdict {
                    Verdict::Whole => {
                        outcomes.insert(index, LinkOutcome::Linked(linked.text));
                        continue;
                    }
                    Verdict::Undefined(symbols) => {
                        ("definition-not-found", Missed { symbols: joined(&missed.symbols, symbols), ..missed.clone() })
                    }
                    Verdict::Refused(names) => {
                        ("does-not-compile", Missed { names: joined(&missed.names, names), ..missed.clone() })
                    }
                };
                outcomes.insert(index, LinkOutcome::Not(reason.to_owned()));
                if more != *missed {
                    next.insert(index, more);
                }
            }
            open = next;
        }
        // Every function of the batch got an outcome in the first round.
        Ok(outcomes.into_values().collect())
    }

    /// Compiles linked units.
    fn compile(&self, texts: Vec<(usize, Linked)>) -> Result<Vec<Tried>, BuildError> {
        let mut by_flags: BTreeMap<_, Vec<(usize, Linked)>> = BTreeMap::new();
        for (index, linked) in texts {
            let language = self.translations.units[self.functions[index].unit].translation.language;
            let Gated::Kept { unit, .. } = &self.gated[index] else { continue };
            by_flags.entry((language, unit.flags.clone())).or_default().push((index, linked));
        }
        let mut results = Vec::new();
        for ((language, flags), members) in by_flags {
            // What C++ refers to is only known once it is compiled: tables of virtual functions, templates.
            let (gcc_language, word, level) = match language {
                Language::C => (GccLanguage::C, "-xc", Level::Syntax),
                Language::Cpp => (GccLanguage::Cpp, "-xc++", Level::O0),
            };
            let compiled = members.iter().map(|(index, linked)| match language {
                Language::C => Cow::Borrowed(linked.text.as_str()),
                // What an inline function refers to is only known where it has code.
                Language::Cpp => {
                    let found = self.functions[*index].found;
                    Cow::Owned(with_code(&linked.text, &found.name, &found.text))
                }
            });
            let compiled: Vec<Cow<'_, str>> = compiled.collect();
            let units: Vec<&str> = compiled.iter().map(|text| &**text).collect();
            let compiled = self
                .tools
                .gcc
                .compile(gcc_language, level, &flags, &units)
                .map_err(|error| BuildError::Tool { what: "gcc", detail: error.to_string() })?;
            let arguments: Vec<String> = [word.to_owned()].into_iter().chain(flags).collect();
            for ((index, linked), compiled) in members.into_iter().zip(compiled) {
                let verdict = match compiled {
                    Compiled::Refused { messages } => Verdict::Refused(gcc_names(&messages)),
                    Compiled::Ended { .. } => Verdict::Refused(Vec::new()),
                    Compiled::Accepted { assembly } => match self.symbols.undefined(&assembly) {
                        undefined if undefined.is_empty() => self.parsed(&linked.text, &arguments)?,
                        undefined => Verdict::Undefined(undefined),
                    },
                };
                results.push(Tried { index, linked, verdict });
            }
        }
        Ok(results)
    }

    /// What clang says of a linked unit.
    fn parsed(&self, text: &str, arguments: &[String]) -> Result<Verdict, BuildError> {
        match self.tools.parser.check(text, arguments) {
            Ok(troubles) if troubles.is_empty() => Ok(Verdict::Whole),
            Ok(troubles) => {
                Ok(Verdict::Refused(troubles.iter().flat_map(|trouble| quoted_names(&trouble.message)).collect()))
            }
            Err(ParserLoss::Unavailable(detail)) => Err(BuildError::Tool { what: "libclang", detail }),
            Err(_) => Ok(Verdict::Refused(Vec::new())),
        }
    }
}

/// What was known and what is new, in order.
fn joined(known: &[String], new: Vec<String>) -> Vec<String> {
    let mut all = known.to_vec();
    for name in new {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}
