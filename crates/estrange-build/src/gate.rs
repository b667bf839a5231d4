//! Units and their evidence: built by the parser, compiled by gcc beside the project's own file.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_evidence::{
    Compiled, Evidence, Language as GccLanguage, Level, Original, Place, Question, Text, has_words_for_the_assembler,
    refused_by_assembler, unit_flags,
};
use estrange_unit::{ParserLoss, Unit, UnitLoss, Wanted, quoted_names};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::assign::Assigned;
use crate::error::BuildError;
use crate::options::Progress;
use crate::origin::Origin;
use crate::store::{Keep, Store, key};
use crate::tools::{Tools, gcc_language};
use crate::translate::{Translated, Translations, without_root};

/// Raise it when the same function may get another unit or other evidence.
const STAGE: &str = "gate 7";

/// How many functions are worked on, and kept, together.
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
    Lost { stage: String, reason: String, detail: String },
}

/// Builds and checks the units of all functions, in their order.
pub(crate) fn gate(
    origin: &Origin,
    translations: &Translations,
    functions: &[Assigned<'_>],
    tools: &Tools,
    store: &Store,
    progress: &dyn Progress,
) -> Result<Vec<Gated>, BuildError> {
    let mut by_unit: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, function) in functions.iter().enumerate() {
        by_unit.entry(function.unit).or_default().push(index);
    }
    let originals: Vec<OnceLock<Option<Original>>> = translations.units.iter().map(|_| OnceLock::new()).collect();
    let batches: Vec<(usize, Vec<usize>)> = by_unit
        .into_iter()
        .flat_map(|(unit, indices)| indices.chunks(BATCH).map(move |part| (unit, part.to_vec())).collect::<Vec<_>>())
        .collect();
    progress.step("taking functions out");
    let done = AtomicUsize::new(0);
    let results: Vec<Result<Vec<Gated>, BuildError>> = batches
        .par_iter()
        .map(|(unit, indices)| {
            if progress.is_cancelled() {
                return Err(BuildError::Cancelled);
            }
            let batch = Batch { origin, translated: &translations.units[*unit], original: &originals[*unit], tools };
            let members: Vec<&Assigned<'_>> = indices.iter().map(|index| &functions[*index]).collect();
            let gated = batch.run(&members, store);
            progress.count(done.fetch_add(members.len(), Ordering::Relaxed) + members.len(), functions.len());
            gated
        })
        .collect();
    let mut gated: Vec<Option<Gated>> = vec![None; functions.len()];
    for ((_, indices), results) in batches.iter().zip(results) {
        for (index, result) in indices.iter().zip(results?) {
            gated[*index] = Some(result);
        }
    }
    // Every function is in exactly one batch.
    Ok(gated.into_iter().flatten().collect())
}

/// Some functions of one translation unit.
struct Batch<'a> {
    origin: &'a Origin,
    translated: &'a Translated,
    original: &'a OnceLock<Option<Original>>,
    tools: &'a Tools,
}

impl Batch<'_> {
    fn run(&self, functions: &[&Assigned<'_>], store: &Store) -> Result<Vec<Gated>, BuildError> {
        let declarations: Vec<u8> =
            functions.iter().flat_map(|function| function.found.declaration.to_le_bytes()).collect();
        let tools = self.tools.key();
        let parts: [&[u8]; 3] = [self.translated.translation.key.as_bytes(), &declarations, tools.as_bytes()];
        store.get_or(&key(STAGE, &parts), || {
            let gated = self.make(functions)?;
            // A slow or crowded machine may do better another time.
            let by_chance = |gated: &Gated| {
                matches!(gated, Gated::Lost { reason, .. } if reason == "parser-timed-out" || reason == "parser-over-memory")
            };
            let keep = if gated.iter().any(by_chance) { Keep::No } else { Keep::Yes };
            Ok((gated, keep))
        })
    }

    fn make(&self, functions: &[&Assigned<'_>]) -> Result<Vec<Gated>, BuildError> {
        let wanted: Vec<Wanted> = functions.iter().map(|function| self.wanted(function, Vec::new())).collect();
        let units = self.units(&wanted)?;
        let mut gated = self.compare(functions, units)?;

        // What gcc misses is named in its messages: again with that, as long as it names something new.
        let mut missed: Vec<Vec<String>> = vec![Vec::new(); functions.len()];
        for _ in 0..ROUNDS {
            let mut again: Vec<usize> = Vec::new();
            for (index, gated) in gated.iter().enumerate() {
                if let Gated::Lost { stage, reason, detail } = gated
                    && stage == "compile"
                    && reason != "assembler-refuses"
                {
                    let before = missed[index].len();
                    let names = gcc_names(detail).into_iter();
                    let new: Vec<String> = names.filter(|name| !missed[index].contains(name)).collect();
                    missed[index].extend(new);
                    if missed[index].len() > before {
                        again.push(index);
                    }
                }
            }
            if again.is_empty() {
                break;
            }
            let wanted: Vec<Wanted> =
                again.iter().map(|index| self.wanted(functions[*index], missed[*index].clone())).collect();
            let members: Vec<&Assigned<'_>> = again.iter().map(|index| functions[*index]).collect();
            let units = self.units(&wanted)?;
            for (index, second) in again.into_iter().zip(self.compare(&members, units)?) {
                gated[index] = second;
            }
        }
        Ok(gated)
    }

    fn wanted(&self, function: &Assigned<'_>, missed: Vec<String>) -> Wanted {
        Wanted { declaration: function.found.declaration, missed }
    }

    /// A unit is compiled in the compilers' own default dialect if it can be, else in its project's.
    fn units(&self, wanted: &[Wanted]) -> Result<Vec<Result<Unit, UnitLoss>>, BuildError> {
        let words = self.translated.flags.command_line();
        let language: Vec<String> = words.first().cloned().into_iter().collect();
        let meaning = unit_flags(&words);
        let is_standard = |word: &String| word.starts_with("-std=") || word == "-ansi";
        let plain: Vec<String> =
            language.iter().cloned().chain(meaning.iter().filter(|word| !is_standard(word)).cloned()).collect();
        let mut alternatives = vec![plain];
        if meaning.iter().any(is_standard) {
            alternatives.push(language.into_iter().chain(meaning).collect());
        }
        self.tools.parser.units(&self.translated.translation, &alternatives, wanted).map_err(|loss| match loss {
            ParserLoss::Unavailable(detail) => BuildError::Tool { what: "libclang", detail },
            loss => BuildError::Tool { what: "libclang", detail: loss.to_string() },
        })
    }

    /// Compiles units with gcc, and compares their functions with the project's.
    fn compare(
        &self,
        functions: &[&Assigned<'_>],
        units: Vec<Result<Unit, UnitLoss>>,
    ) -> Result<Vec<Gated>, BuildError> {
        let mut gated: Vec<Option<Gated>> = vec![None; functions.len()];
        let mut by_flags: BTreeMap<Vec<String>, Vec<(usize, Unit)>> = BTreeMap::new();
        for (index, unit) in units.into_iter().enumerate() {
            match unit {
                Err(UnitLoss { reason, detail }) => {
                    gated[index] = Some(Gated::Lost { stage: "unit".to_owned(), reason, detail });
                }
                Ok(_) if !functions[index].found.made_with.is_empty() => {
                    let others = functions[index].found.made_with.join(", ");
                    gated[index] = Some(Gated::Lost {
                        stage: "unit".to_owned(),
                        reason: "macro-makes-several".to_owned(),
                        detail: format!("one macro call makes it and {others}: its text is not its own"),
                    });
                }
                Ok(_) if functions[index].found.text.contains('\u{fffd}') => {
                    let detail = "its text is not UTF-8".to_owned();
                    gated[index] =
                        Some(Gated::Lost { stage: "unit".to_owned(), reason: "not-utf-8".to_owned(), detail });
                }
                Ok(unit) => by_flags.entry(unit.flags.clone()).or_default().push((index, unit)),
            }
        }
        for (flags, members) in by_flags {
            for ((index, unit), evidence) in members.iter().zip(self.evidence(functions, &flags, &members)?) {
                gated[*index] = Some(match evidence {
                    Err(messages) => lost_to_compiler("gcc-refuses", &messages),
                    Ok(evidence) => Gated::Kept { unit: unit.clone(), evidence },
                });
            }
            self.assembled_by_clang(&flags, &members, &mut gated)?;
        }
        Ok(gated.into_iter().flatten().collect())
    }

    /// The parser has read the units, but no assembly in them: where there is any, clang has to make an object file.
    fn assembled_by_clang(
        &self,
        flags: &[String],
        members: &[(usize, Unit)],
        gated: &mut [Option<Gated>],
    ) -> Result<(), BuildError> {
        let members: Vec<&(usize, Unit)> = members
            .iter()
            .filter(|(index, unit)| {
                matches!(gated[*index], Some(Gated::Kept { .. })) && has_words_for_the_assembler(&unit.text)
            })
            .collect();
        let texts: Vec<&str> = members.iter().map(|(_, unit)| unit.text.as_str()).collect();
        let language = gcc_language(self.translated.translation.language);
        let compiled = self
            .tools
            .clang
            .compile(language, Level::O0, flags, &texts)
            .map_err(|error| BuildError::Tool { what: "clang", detail: error.to_string() })?;
        for ((index, _), compiled) in members.into_iter().zip(compiled) {
            if let Compiled::Refused { messages } | Compiled::Ended { how: messages } = compiled {
                gated[*index] = Some(lost_to_compiler("unit-does-not-compile", &messages));
            }
        }
        Ok(())
    }

    /// The evidence of some units with the same flags; gcc's messages for those it refuses.
    fn evidence(
        &self,
        functions: &[&Assigned<'_>],
        flags: &[String],
        members: &[(usize, Unit)],
    ) -> Result<Vec<Result<Option<Evidence>, String>>, BuildError> {
        let language = gcc_language(self.translated.translation.language);
        let failed = |error| self.tools.gcc_failed(error);
        let Some(original) = self.original(language) else {
            let texts: Vec<&str> = members.iter().map(|(_, unit)| unit.text.as_str()).collect();
            let compiled = self.tools.gcc.compile(language, Level::Syntax, flags, &texts).map_err(failed)?;
            return Ok(compiled
                .into_iter()
                .map(|compiled| match compiled {
                    Compiled::Accepted { .. } => Ok(None),
                    Compiled::Refused { messages } => Err(messages),
                    Compiled::Ended { how } => Err(how),
                })
                .collect());
        };
        let questions: Vec<Question<'_>> = members
            .iter()
            .map(|(index, unit)| {
                let found = functions[*index].found;
                let place = Place { line: found.lines.0 as usize, file: &found.file };
                let text = Text { text: &unit.text, line: unit.line as usize };
                Question { symbol: &found.symbol, unit: text, linked: None, place: Some(place) }
            })
            .collect();
        let evidence = self.tools.gcc.evidence(language, flags, original, &questions).map_err(failed)?;
        Ok(evidence
            .into_iter()
            .map(|evidence| match &evidence.o0 {
                Err(messages) => Err(messages.clone()),
                Ok(_) => Ok(Some(evidence)),
            })
            .collect())
    }

    /// The project's own file, compiled once.
    fn original(&self, language: GccLanguage) -> Option<&Original> {
        let compile = || {
            let file = self.origin.project.root.join(&self.translated.path);
            let flags = &self.translated.flags;
            match Original::compile(
                &self.origin.shown_in(&self.tools.workshop),
                &file,
                &flags.command_line(),
                &flags.directory,
                language,
            ) {
                Ok(original) => Some(original),
                Err(loss) => {
                    let loss = without_root(&loss.to_string(), &self.origin.project.root);
                    tracing::info!("{}: {loss}", self.translated.path.display());
                    None
                }
            }
        };
        self.original.get_or_init(compile).as_ref()
    }
}

/// A function whose unit a compiler refuses, or an assembler.
fn lost_to_compiler(reason: &str, messages: &str) -> Gated {
    let reason = if refused_by_assembler(messages) { "assembler-refuses" } else { reason };
    Gated::Lost { stage: "compile".to_owned(), reason: reason.to_owned(), detail: first_error(messages) }
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
