//! The linked units of a source's functions: put together from all its translation units, and compiled.
//!
//! What compilers say of a linked unit is kept by its text; which linked units a project's functions have is kept as an
//! index, as long as nothing in the project changes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_evidence::code::with_code;
use estrange_evidence::symbols::Symbols;
use estrange_evidence::{Compiled, Level};
use estrange_unit::{Bounds, Language, Linked, Member, Missed, ParserLoss, Program, quoted_names};
use estrange_words::Reason;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::assign::Assigned;
use crate::companions::Companions;
use crate::error::BuildError;
use crate::gate::{Gate, gcc_names};
use crate::store::key;
use crate::translate::{Translated, Translations};
use crate::work::Work;

/// Raise it when the same function may get another linked unit.
const STAGE: &str = "linked 11";

/// How many functions are worked on together.
const BATCH: usize = 96;

/// How often a linked unit is put together again because a compiler missed something.
const ROUNDS: usize = 12;

/// What became of a function's linked unit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Link {
    /// Both compilers accept it, and nothing of the project is undefined in it. The store has it under this key.
    Linked(String),
    /// There is none.
    Not {
        /// Why.
        reason: Reason,
        /// What was found nowhere, by name or by symbol.
        missing: Vec<String>,
    },
}

/// Links all of some functions that were kept; the others have no outcome.
pub(crate) fn link(
    work: &Work<'_>,
    translations: &Translations,
    companions: &Companions,
    functions: &[&Assigned<'_>],
    gates: &[Gate],
) -> Result<Vec<Option<Link>>, BuildError> {
    let kept: Vec<usize> = (0..functions.len()).filter(|index| gates[*index].flags.is_some()).collect();
    let units: Vec<&Translated> = translations.units.iter().chain(&companions.units).collect();
    let headers: String = units.iter().map(|unit| unit.headers.as_str()).collect();
    let declarations = units.iter().flat_map(|unit| &unit.translation.reading.declarations);
    let linker = Linker {
        work,
        units: &units,
        functions,
        gates,
        context: format!("{STAGE}\n{}{}", work.tools.key(), key("headers", &[headers.as_bytes()])),
        symbols: Symbols::new(
            declarations.map(|declaration| declaration.symbol.as_str()),
            &work.tools.standard_symbols,
        ),
    };
    let project: Vec<u8> = units.iter().flat_map(|unit| unit.translation.key.bytes()).collect();
    work.progress.step("linking");
    let done = AtomicUsize::new(0);
    let batches: Vec<&[usize]> = kept.chunks(BATCH).collect();
    let outcomes: Vec<Result<Vec<Link>, BuildError>> = batches
        .par_iter()
        .map_init(
            || None,
            |program, batch| {
                if work.progress.is_cancelled() {
                    return Err(BuildError::Cancelled);
                }
                let index = key(&linker.context, &[&project, &linker.key_parts(batch)]);
                let links = match work.store.get(&index) {
                    Some(links) => links,
                    None => {
                        let program = program.get_or_insert_with(|| linker.program());
                        let links = linker.run(program, batch)?;
                        work.store.put(&index, &links)?;
                        links
                    }
                };
                work.progress.count(done.fetch_add(batch.len(), Ordering::Relaxed) + batch.len(), kept.len());
                Ok(links)
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

/// What both compilers say of a text, whatever project it is from.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Verdict {
    /// Both accept it. These words of its code are not defined in it.
    Accepted { undefined: Vec<String> },
    /// gcc accepts it, and clang was not asked: among these words are symbols of the project that asked.
    Undefined { undefined: Vec<String> },
    /// One of them refused it; the names in its messages.
    Refused { names: Vec<String> },
}

struct Linker<'a> {
    work: &'a Work<'a>,
    units: &'a [&'a Translated],
    functions: &'a [&'a Assigned<'a>],
    gates: &'a [Gate],
    /// What every key begins with.
    context: String,
    symbols: Symbols<'a>,
}

impl<'a> Linker<'a> {
    fn program(&self) -> Program<'a> {
        let members = self.units.iter().map(|unit| {
            let translation = &unit.translation;
            Member { flat: &translation.flat, reading: &translation.reading, language: translation.language }
        });
        Program::new(members.collect())
    }

    fn bounds(&self) -> Bounds {
        let options = self.work.options;
        Bounds { lines: options.max_unit_lines, data_share: options.max_data_share }
    }

    fn key_parts(&self, batch: &[usize]) -> Vec<u8> {
        let bounds = self.bounds();
        let mut parts = format!("{} {}", bounds.lines, bounds.data_share).into_bytes();
        for index in batch {
            let function = self.functions[*index];
            parts.extend_from_slice(&(function.unit as u64).to_le_bytes());
            parts.extend_from_slice(&function.found.declaration.to_le_bytes());
            parts.extend_from_slice(format!("{:?}", self.gates[*index].flags).as_bytes());
        }
        parts
    }

    fn run(&self, program: &Program<'a>, batch: &[usize]) -> Result<Vec<Link>, BuildError> {
        let mut outcomes: BTreeMap<usize, Link> = BTreeMap::new();
        let mut open: BTreeMap<usize, Missed> = batch.iter().map(|index| (*index, Missed::default())).collect();
        // What a compiler misses is known by name: once more, with that, as long as it misses something new.
        for _ in 0..ROUNDS {
            let mut texts: Vec<(usize, Linked)> = Vec::new();
            for (index, missed) in &open {
                let function = self.functions[*index];
                match program.linked_with(function.unit, function.found.declaration, self.bounds(), missed) {
                    Ok(linked) => texts.push((*index, linked)),
                    Err(loss) => {
                        let missing = loss.missing().into_iter().map(str::to_owned).collect();
                        outcomes.insert(*index, Link::Not { reason: loss.reason(), missing });
                    }
                }
            }
            let mut next = BTreeMap::new();
            for Tried { index, linked, verdict } in self.tried(texts)? {
                let missed = &open[&index];
                let (reason, missing, more) = match verdict {
                    Verdict::Accepted { undefined } | Verdict::Undefined { undefined } => {
                        match self.symbols.foreign(undefined) {
                            none if none.is_empty() => {
                                outcomes.insert(index, Link::Linked(self.work.store.put_content(&linked)?));
                                continue;
                            }
                            missing => {
                                let symbols = joined(&missed.symbols, missing.clone());
                                (Reason::DefinitionNotFound, missing, Missed { symbols, ..missed.clone() })
                            }
                        }
                    }
                    Verdict::Refused { names: missing } => {
                        let names = joined(&missed.names, missing.clone());
                        (Reason::DoesNotCompile, missing, Missed { names, ..missed.clone() })
                    }
                };
                outcomes.insert(index, Link::Not { reason, missing });
                if more != *missed {
                    next.insert(index, more);
                }
            }
            open = next;
        }
        // Every function of the batch got an outcome in the first round.
        Ok(outcomes.into_values().collect())
    }

    /// What compilers say of linked units; they are asked where the store does not know.
    fn tried(&self, texts: Vec<(usize, Linked)>) -> Result<Vec<Tried>, BuildError> {
        let mut by_flags: BTreeMap<_, Vec<(usize, Linked)>> = BTreeMap::new();
        for (index, linked) in texts {
            let language = self.units[self.functions[index].unit].translation.language;
            let Some(flags) = &self.gates[index].flags else { continue };
            by_flags.entry((language, flags)).or_default().push((index, linked));
        }
        let mut tried = Vec::new();
        for ((language, flags), members) in by_flags {
            let told = format!("{language:?} {flags:?}");
            let compiled: Vec<Cow<'_, str>> =
                members.iter().map(|(index, linked)| self.compiled(*index, linked, language)).collect();
            let keys: Vec<String> = members
                .iter()
                .zip(&compiled)
                .map(|((_, linked), compiled)| {
                    key(&self.context, &[linked.text.as_bytes(), compiled.as_bytes(), told.as_bytes()])
                })
                .collect();
            let mut verdicts: Vec<Option<Verdict>> = keys.iter().map(|key| self.known(key)).collect();
            let open: Vec<usize> = (0..members.len()).filter(|number| verdicts[*number].is_none()).collect();
            let asked: Vec<(&str, &str)> =
                open.iter().map(|number| (members[*number].1.text.as_str(), &*compiled[*number])).collect();
            for (number, verdict) in open.into_iter().zip(self.ask(language, flags, &asked)?) {
                self.work.computed.add(&self.functions[members[number].0].id, "linked");
                self.work.store.put(&keys[number], &verdict)?;
                verdicts[number] = Some(verdict);
            }
            let verdicts = verdicts.into_iter().flatten();
            tried.extend(members.into_iter().zip(verdicts).map(|((index, linked), verdict)| Tried {
                index,
                linked,
                verdict,
            }));
        }
        Ok(tried)
    }

    /// What the store knows of a text. Where another project missed a symbol, this one may not.
    fn known(&self, key: &str) -> Option<Verdict> {
        match self.work.store.get(key)? {
            Verdict::Undefined { undefined } if self.symbols.foreign(undefined.clone()).is_empty() => None,
            verdict => Some(verdict),
        }
    }

    /// A linked unit as gcc compiles it. What an inline function of C++ refers to is only known where it has code.
    fn compiled<'l>(&self, index: usize, linked: &'l Linked, language: Language) -> Cow<'l, str> {
        let found = self.functions[index].found;
        match language {
            Language::C => Cow::Borrowed(linked.text.as_str()),
            Language::Cpp => Cow::Owned(with_code(&linked.text, &found.name, linked.function.clone())),
        }
    }

    /// Asks both compilers about texts, each as it is and as gcc compiles it.
    fn ask(&self, language: Language, flags: &[String], asked: &[(&str, &str)]) -> Result<Vec<Verdict>, BuildError> {
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        // What C++ refers to is only known once it is compiled: tables of virtual functions, templates.
        let level = match language {
            Language::C => Level::Syntax,
            Language::Cpp => Level::O0,
        };
        let units: Vec<&str> = asked.iter().map(|(_, compiled)| *compiled).collect();
        let gcc = &self.work.tools.gcc;
        let compiled =
            gcc.compile(language, level, flags, &units).map_err(|error| self.work.tools.gcc_failed(error))?;
        let arguments: Vec<String> = [language.flag().to_owned()].into_iter().chain(flags.iter().cloned()).collect();
        asked
            .iter()
            .zip(compiled)
            .map(|((text, _), compiled)| match compiled {
                Compiled::Refused { messages } => Ok(Verdict::Refused { names: gcc_names(&messages) }),
                Compiled::Ended { .. } => Ok(Verdict::Refused { names: Vec::new() }),
                Compiled::Accepted { assembly } => {
                    let undefined = self.symbols.undefined(&assembly);
                    match self.symbols.foreign(undefined.clone()).is_empty() {
                        true => self.parsed(text, &arguments, undefined),
                        // It will be put together again, with these.
                        false => Ok(Verdict::Undefined { undefined }),
                    }
                }
            })
            .collect()
    }

    /// What clang says of a linked unit that gcc accepts.
    fn parsed(&self, text: &str, arguments: &[String], undefined: Vec<String>) -> Result<Verdict, BuildError> {
        match self.work.tools.parser.check(text, arguments) {
            Ok(troubles) if troubles.is_empty() => Ok(Verdict::Accepted { undefined }),
            Ok(troubles) => {
                let names = troubles.iter().flat_map(|trouble| quoted_names(&trouble.message)).collect();
                Ok(Verdict::Refused { names })
            }
            Err(loss @ ParserLoss::Unavailable(_)) => Err(BuildError::Parser(loss)),
            Err(_) => Ok(Verdict::Refused { names: Vec::new() }),
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
