//! The code of units, compared with the code that their functions have in the project.

use std::ops::Range;
use std::sync::Arc;

use estrange_evidence::code::with_code;
use estrange_evidence::{Compiled, Evidence, FileLine, Level, Loss, Original, Question, SameCode, Text};
use estrange_unit::{Language, Linked, Unit};
use serde::{Deserialize, Serialize};

use super::Batch;
use crate::assign::Assigned;
use crate::error::BuildError;
use crate::store::key;
use crate::translate::{TREE, in_tree_name, without_root};

/// What is kept of a unit's code under the unit.
#[derive(Serialize, Deserialize)]
enum OfCode {
    /// What was found.
    Known(Result<Option<Evidence>, String>),
    /// It depends on where the function stands in its file.
    DependsOnPlace,
}

/// A function that gcc is asked about.
pub(super) struct Asked<'a> {
    pub(super) function: &'a Assigned<'a>,
    pub(super) unit: &'a Unit,
    /// Its linked unit, where that may explain a difference.
    pub(super) linked: Option<&'a Linked>,
}

impl Batch<'_> {
    /// The evidence of some units with the same flags; gcc's messages for those it refuses.
    pub(super) fn evidence(
        &self,
        functions: &[&Assigned<'_>],
        flags: &[String],
        members: &[(usize, Unit)],
    ) -> Result<Vec<Result<Option<Evidence>, String>>, BuildError> {
        let original = self.original();
        let store = self.work.store;
        let mut found: Vec<Option<Result<Option<Evidence>, String>>> = Vec::with_capacity(members.len());
        let mut keys = Vec::with_capacity(members.len());
        for (index, unit) in members {
            let function = functions[*index];
            let anywhere = self.key_of_code(function, flags, unit, original.as_deref());
            let place = format!("{} {}", function.found.lines.0, self.file_name(function));
            let here = key("here", &[anywhere.as_bytes(), place.as_bytes()]);
            found.push(match store.get(&anywhere) {
                Some(OfCode::Known(evidence)) => Some(evidence),
                Some(OfCode::DependsOnPlace) => store.get(&here),
                None => None,
            });
            keys.push((anywhere, here));
        }
        let open: Vec<usize> = (0..members.len()).filter(|number| found[*number].is_none()).collect();
        if open.is_empty() {
            return Ok(found.into_iter().flatten().collect());
        }
        let asked: Vec<Asked<'_>> = open
            .iter()
            .map(|number| &members[*number])
            .map(|(index, unit)| Asked { function: functions[*index], unit, linked: None })
            .collect();
        for (number, evidence) in open.into_iter().zip(self.ask_gcc(&asked, flags, original.as_deref())?) {
            self.work.computed.add(&functions[members[number].0].id, "code");
            let (anywhere, here) = &keys[number];
            if depends_on_place(&evidence) {
                store.put(here, &evidence)?;
                store.put(anywhere, &OfCode::DependsOnPlace)?;
            } else {
                store.put(anywhere, &OfCode::Known(evidence.clone()))?;
            }
            found[number] = Some(evidence);
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Stands for a unit and the code that its function has in the project.
    fn key_of_code(
        &self,
        function: &Assigned<'_>,
        flags: &[String],
        unit: &Unit,
        original: Option<&Original>,
    ) -> String {
        let symbol = &function.found.symbol;
        let code = |level| {
            let code = original.and_then(|original| original.level(level)?.code(symbol));
            format!("{:?}", code.as_ref().map(|code| (code.lines(), code.is_whole())))
        };
        let language = self.translated.translation.language;
        let told = format!("{language:?} {flags:?} {} {symbol} {}", unit.line, original.is_some());
        let (o0, o2) = (code(Level::O0), code(Level::O2));
        self.key("code", &[unit.text.as_bytes(), told.as_bytes(), o0.as_bytes(), o2.as_bytes()])
    }

    /// Has gcc compile units, and compares their functions with the project's, if its own file compiles.
    pub(super) fn ask_gcc(
        &self,
        asked: &[Asked<'_>],
        flags: &[String],
        original: Option<&Original>,
    ) -> Result<Vec<Result<Option<Evidence>, String>>, BuildError> {
        let language = self.translated.translation.language;
        let tools = self.work.tools;
        let failed = |error| tools.gcc_failed(error);
        let Some(original) = original else {
            let texts: Vec<&str> = asked.iter().map(|asked| asked.unit.text.as_str()).collect();
            let compiled = tools.gcc.compile(language, Level::Syntax, flags, &texts).map_err(failed)?;
            return Ok(compiled
                .into_iter()
                .map(|compiled| match compiled {
                    Compiled::Accepted { .. } => Ok(None),
                    Compiled::Refused { messages } => Err(messages),
                    Compiled::Ended { how } => Err(how),
                })
                .collect());
        };
        let files: Vec<String> = asked.iter().map(|asked| self.file_name(asked.function)).collect();
        // In C every function has code.
        let used = |asked: &Asked<'_>, text: &str, function: &Range<usize>| {
            (language == Language::Cpp).then(|| with_code(text, &asked.function.found.name, function.clone()))
        };
        let units: Vec<Option<String>> =
            asked.iter().map(|asked| used(asked, &asked.unit.text, &asked.unit.function)).collect();
        let linked = |asked: &Asked<'_>| {
            let linked = asked.linked?;
            let line = 1 + linked.text[..linked.function.start].matches('\n').count();
            Some((used(asked, &linked.text, &linked.function).unwrap_or_else(|| linked.text.clone()), line))
        };
        let linked: Vec<Option<(String, usize)>> = asked.iter().map(linked).collect();
        let questions: Vec<Question<'_>> = asked
            .iter()
            .zip(&files)
            .zip(units.iter().zip(&linked))
            .map(|((Asked { function, unit, .. }, file), (used, linked))| {
                let found = function.found;
                let place = FileLine { line: found.lines.0 as usize, file };
                let text = Text { text: &unit.text, line: unit.line as usize };
                let used = used.as_deref();
                let linked = linked.as_ref().map(|(text, line)| Text { text, line: *line });
                Question { symbol: &found.symbol, unit: text, used, linked, place: Some(place) }
            })
            .collect();
        let evidence = tools.gcc.evidence(language, flags, original, &questions).map_err(failed)?;
        Ok(evidence
            .into_iter()
            .map(|evidence| match &evidence.o0 {
                Err(messages) => Err(messages.clone()),
                Ok(_) => Ok(Some(evidence)),
            })
            .collect())
    }

    /// What the project's code calls the file of a function.
    pub(super) fn file_name(&self, function: &Assigned<'_>) -> String {
        in_tree_name(&function.found.file, &self.origin.project.root)
    }

    /// The project's own file, compiled once.
    pub(super) fn original(&self) -> Option<Arc<Original>> {
        self.originals.get_or(|| {
            let root = &self.origin.project.root;
            let flags = &self.translated.flags;
            let compiled = Original::compile(
                &self.origin.shown_in(&self.work.tools.workshop),
                &root.join(&self.translated.path),
                &flags.command_line(),
                &flags.directory,
                self.translated.translation.language,
                (root, TREE),
            );
            let failed = |loss: Loss| {
                let loss = without_root(&loss.to_string(), root);
                tracing::info!("{}: {loss}", self.translated.path.display());
            };
            compiled.map_err(failed).ok()
        })
    }
}

/// Whether a function's place in its file was tried as a reason for a difference.
fn depends_on_place(evidence: &Result<Option<Evidence>, String>) -> bool {
    let tried =
        |level: &Result<SameCode, String>| matches!(level, Ok(SameCode::Different { .. } | SameCode::Explained { .. }));
    matches!(evidence, Ok(Some(evidence)) if tried(&evidence.o0) || tried(&evidence.o2))
}
