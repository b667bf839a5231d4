//! Units and their evidence: built by the parser, compiled by gcc beside the project's own file.
//!
//! What compilers say of a text is kept by that text, so that it is asked once, wherever the text comes from. What a
//! translation unit's functions came to is kept as an index of results: while nothing in the translation unit changes,
//! not even the texts are put together again.

mod code;
mod definitions;
mod units;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use estrange_evidence::{Compiled, Evidence, Level, Original, has_words_for_the_assembler, refused_by_assembler};
use estrange_unit::{Unit, UnitLoss, Wanted, quoted_names};
use estrange_words::{Reason, Stage};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::assign::Assigned;
use crate::error::BuildError;
use crate::origin::Origin;
use crate::store::key;
use crate::translate::{TREE, Translated, Translations};
use crate::work::Work;

pub(crate) use definitions::definitions;
use units::wanted;

/// Raise it when the same function may get another unit or other evidence.
const STAGE: &str = "gate 10";

/// How many functions are worked on together.
const BATCH: usize = 48;

/// How often a unit is built again because gcc missed something.
const ROUNDS: usize = 4;

/// What became of a function.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Gated {
    /// Both compilers accept its unit.
    Kept {
        unit: Unit,
        /// Its code compared with the project's; nothing if the project's own file does not compile with gcc.
        evidence: Option<Evidence>,
    },
    /// It was lost.
    Lost { stage: Stage, reason: Reason, detail: String },
}

/// What became of a function, without the texts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Gate {
    /// Under which key the store has it: a [`Gated`].
    pub(crate) kept_as: String,
    /// What compilers are told of its unit; nothing if it was lost.
    pub(crate) flags: Option<Vec<String>>,
}

/// Builds and checks the units of functions, in their order.
pub(crate) fn gate(
    work: &Work<'_>,
    origin: &Origin,
    translations: &Translations,
    functions: &[&Assigned<'_>],
) -> Result<Vec<Gate>, BuildError> {
    let mut by_unit: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, function) in functions.iter().enumerate() {
        by_unit.entry(function.unit).or_default().push(index);
    }
    let originals: BTreeMap<usize, Originals> =
        by_unit.iter().map(|(unit, all)| (*unit, Originals::new(all.len().div_ceil(BATCH)))).collect();
    let batches: Vec<(usize, Vec<usize>)> = by_unit
        .into_iter()
        .flat_map(|(unit, indices)| indices.chunks(BATCH).map(move |part| (unit, part.to_vec())).collect::<Vec<_>>())
        .collect();
    work.progress.step("taking functions out");
    let done = AtomicUsize::new(0);
    let results: Vec<Result<Vec<Gate>, BuildError>> = batches
        .par_iter()
        .map(|(unit, indices)| {
            if work.progress.is_cancelled() {
                return Err(BuildError::Cancelled);
            }
            let batch = Batch { work, origin, translated: &translations.units[*unit], originals: &originals[unit] };
            let members: Vec<&Assigned<'_>> = indices.iter().map(|index| functions[*index]).collect();
            let gates = batch.run(&members);
            batch.originals.is_done_with();
            work.progress.count(done.fetch_add(members.len(), Ordering::Relaxed) + members.len(), functions.len());
            gates
        })
        .collect();
    let mut gates: Vec<Option<Gate>> = vec![None; functions.len()];
    for ((_, indices), results) in batches.iter().zip(results) {
        for (index, result) in indices.iter().zip(results?) {
            gates[*index] = Some(result);
        }
    }
    // Every function is in exactly one batch.
    Ok(gates.into_iter().flatten().collect())
}

/// A project's own file, compiled when the first of its batches asks, and forgotten after the last.
struct Originals {
    compiled: Mutex<Option<Option<Arc<Original>>>>,
    batches_left: AtomicUsize,
}

impl Originals {
    fn new(batches: usize) -> Self {
        Self { compiled: Mutex::default(), batches_left: AtomicUsize::new(batches) }
    }

    fn get_or(&self, compile: impl FnOnce() -> Option<Original>) -> Option<Arc<Original>> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        compiled.get_or_insert_with(|| compile().map(Arc::new)).clone()
    }

    fn is_done_with(&self) {
        if self.batches_left.fetch_sub(1, Ordering::AcqRel) == 1 {
            *self.compiled.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}

/// A function on its way: what became of it, and which names gcc missed.
struct Judged {
    gated: Gated,
    missed: Vec<String>,
}

impl Judged {
    fn lost(stage: Stage, reason: Reason, detail: String) -> Self {
        let gated = Gated::Lost { stage, reason, detail };
        Self { gated, missed: Vec::new() }
    }
}

/// Some functions of one translation unit.
struct Batch<'a> {
    work: &'a Work<'a>,
    origin: &'a Origin,
    translated: &'a Translated,
    originals: &'a Originals,
}

impl Batch<'_> {
    /// A key of this stage.
    fn key(&self, what: &str, parts: &[&[u8]]) -> String {
        let context = format!("{STAGE} {what}\n{}{}", self.work.tools.key(), self.translated.headers);
        key(&context, parts)
    }

    /// Stands for how the project's own file is compiled: with flags that the flattened text does not know.
    fn compiled_with(&self) -> Vec<u8> {
        let mut flags = self.translated.flags.clone();
        flags.relocate(&self.origin.project.root, TREE.as_ref());
        flags.command_line().join("\n").into_bytes()
    }

    fn run(&self, functions: &[&Assigned<'_>]) -> Result<Vec<Gate>, BuildError> {
        let declarations: Vec<u8> =
            functions.iter().flat_map(|function| function.found.declaration.to_le_bytes()).collect();
        let parts = [self.translated.translation.key.as_bytes(), &self.compiled_with(), &declarations];
        let index = self.key("index", &parts);
        let store = self.work.store;
        if let Some(gates) = store.get::<Vec<Gate>>(&index) {
            return Ok(gates);
        }
        let mut by_chance = false;
        let mut gates = Vec::with_capacity(functions.len());
        for judged in self.make(functions)? {
            // A slow or crowded machine may do better another time.
            by_chance |= matches!(&judged.gated, Gated::Lost { reason, .. } if is_by_chance(*reason));
            let flags = match &judged.gated {
                Gated::Kept { unit, .. } => Some(unit.flags.clone()),
                Gated::Lost { .. } => None,
            };
            gates.push(Gate { kept_as: store.put_content(&judged.gated)?, flags });
        }
        if !by_chance {
            store.put(&index, &gates)?;
        }
        Ok(gates)
    }

    fn make(&self, functions: &[&Assigned<'_>]) -> Result<Vec<Judged>, BuildError> {
        let units = self.first_units(functions)?;
        let mut judged = self.compare(functions, units)?;

        // What gcc misses is named in its messages: again with that, as long as it names something new.
        let mut missed: Vec<Vec<String>> = vec![Vec::new(); functions.len()];
        for _ in 0..ROUNDS {
            let mut again: Vec<usize> = Vec::new();
            for (index, judged) in judged.iter().enumerate() {
                let before = missed[index].len();
                let new: Vec<String> =
                    judged.missed.iter().filter(|name| !missed[index].contains(name)).cloned().collect();
                missed[index].extend(new);
                if missed[index].len() > before {
                    again.push(index);
                }
            }
            if again.is_empty() {
                break;
            }
            let members: Vec<&Assigned<'_>> = again.iter().map(|index| functions[*index]).collect();
            let wanted: Vec<Wanted> =
                again.iter().map(|index| wanted(functions[*index], missed[*index].clone())).collect();
            let units = self.units(&members, &wanted)?;
            for (index, second) in again.into_iter().zip(self.compare(&members, units)?) {
                judged[index] = second;
            }
        }
        Ok(judged)
    }

    /// Compiles units with gcc, and compares their functions with the project's.
    fn compare(
        &self,
        functions: &[&Assigned<'_>],
        units: Vec<Result<Unit, UnitLoss>>,
    ) -> Result<Vec<Judged>, BuildError> {
        let mut judged: Vec<Option<Judged>> = functions.iter().map(|_| None).collect();
        let mut by_flags: BTreeMap<Vec<String>, Vec<(usize, Unit)>> = BTreeMap::new();
        for (index, unit) in units.into_iter().enumerate() {
            let found = functions[index].found;
            match unit {
                Err(UnitLoss { reason, detail }) => judged[index] = Some(Judged::lost(Stage::Unit, reason, detail)),
                Ok(_) if !found.made_with.is_empty() => {
                    let others = found.made_with.join(", ");
                    let detail = format!("one macro call makes it and {others}: its text is not its own");
                    judged[index] = Some(Judged::lost(Stage::Unit, Reason::MacroMakesSeveral, detail));
                }
                Ok(_) if found.text.contains('\u{fffd}') => {
                    let detail = "its text is not UTF-8".to_owned();
                    judged[index] = Some(Judged::lost(Stage::Unit, Reason::NotUtf8, detail));
                }
                Ok(unit) => by_flags.entry(unit.flags.clone()).or_default().push((index, unit)),
            }
        }
        for (flags, members) in by_flags {
            for ((index, unit), evidence) in members.iter().zip(self.evidence(functions, &flags, &members)?) {
                judged[*index] = Some(match evidence {
                    Err(messages) => lost_to_compiler(Reason::GccRefuses, &messages),
                    Ok(evidence) => Judged { gated: Gated::Kept { unit: unit.clone(), evidence }, missed: Vec::new() },
                });
            }
            self.assembled_by_clang(functions, &flags, &members, &mut judged)?;
        }
        Ok(judged.into_iter().flatten().collect())
    }

    /// The parser has read the units, but no assembly in them: where there is any, clang has to make an object file.
    fn assembled_by_clang(
        &self,
        functions: &[&Assigned<'_>],
        flags: &[String],
        members: &[(usize, Unit)],
        judged: &mut [Option<Judged>],
    ) -> Result<(), BuildError> {
        let is_kept = |judged: &Option<Judged>| matches!(judged, Some(Judged { gated: Gated::Kept { .. }, .. }));
        let language = self.translated.translation.language;
        let told = format!("{language:?} {flags:?}");
        for (index, unit) in members {
            if !is_kept(&judged[*index]) || !has_words_for_the_assembler(&unit.text) {
                continue;
            }
            let key = self.key("assembled by clang", &[unit.text.as_bytes(), told.as_bytes()]);
            let refused: Option<String> = match self.work.store.get(&key) {
                Some(refused) => refused,
                None => {
                    self.work.computed.add(&functions[*index].id, "assembled by clang");
                    let compiled = self.work.tools.clang.compile(language, Level::O0, flags, &[&unit.text]);
                    let refused = compiled?.into_iter().find_map(|compiled| match compiled {
                        Compiled::Refused { messages } | Compiled::Ended { how: messages } => Some(messages),
                        Compiled::Accepted { .. } => None,
                    });
                    self.work.store.put(&key, &refused)?;
                    refused
                }
            };
            if let Some(messages) = refused {
                judged[*index] = Some(lost_to_compiler(Reason::UnitDoesNotCompile, &messages));
            }
        }
        Ok(())
    }
}

/// Whether a slow or crowded machine is to blame.
fn is_by_chance(reason: Reason) -> bool {
    matches!(reason, Reason::ParserTimedOut | Reason::ParserOverMemory)
}

/// A function whose unit a compiler refuses, or an assembler.
fn lost_to_compiler(reason: Reason, messages: &str) -> Judged {
    let by_assembler = refused_by_assembler(messages);
    let reason = if by_assembler { Reason::AssemblerRefuses } else { reason };
    let missed = if by_assembler { Vec::new() } else { gcc_names(&first_error(messages)) };
    Judged { missed, ..Judged::lost(Stage::Compile, reason, first_error(messages)) }
}

/// The names that gcc's messages quote.
pub(crate) fn gcc_names(messages: &str) -> Vec<String> {
    quoted_names(&messages.replace(['‘', '’'], "'"))
}

fn first_error(messages: &str) -> String {
    let line = messages.lines().find(|line| line.contains("error:")).or(messages.lines().next());
    let line = line.unwrap_or_default();
    line.split_once("error: ").map_or(line, |(_, words)| words).to_owned()
}
