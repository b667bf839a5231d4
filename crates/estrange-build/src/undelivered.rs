//! Functions that stand in a file and that the parser delivered in no translation unit: each is told as a loss.

use std::collections::{BTreeMap, HashMap};

use estrange_project::SourceFile;
use estrange_unit::{Language, Undelivered};

use crate::assign::{Assigned, id};
use crate::options::Options;
use crate::origin::Origin;
use crate::translate::Translations;

/// A function that no translation unit gives.
pub(crate) struct Lost<'a> {
    pub(crate) function: &'a Undelivered,
    pub(crate) file: &'a SourceFile,
    pub(crate) language: Language,
    /// Its stable id.
    pub(crate) id: String,
}

/// All of a source in files of the wanted roles, in order of path and line, that are not among its `functions`.
pub(crate) fn undelivered<'a>(
    origin: &'a Origin,
    translations: &'a Translations,
    functions: &[Assigned<'_>],
    options: &Options,
) -> Vec<Lost<'a>> {
    let mut found: HashMap<&std::path::Path, Vec<&Assigned<'_>>> = HashMap::new();
    for function in functions {
        found.entry(&function.file.path).or_default().push(function);
    }
    let mut lost = BTreeMap::new();
    for unit in &translations.units {
        for function in &unit.undelivered {
            let Some(file) = origin.file(function.file.as_ref(), &unit.flags.directory) else { continue };
            if !options.roles.contains(&file.role) || !origin.state.wanted.meet(&file.path, function.lines) {
                continue;
            }
            // Another translation unit may have been read better.
            let here = found.get(file.path.as_path()).into_iter().flatten();
            if !here.into_iter().any(|assigned| is_same(assigned, function)) {
                let place = (&file.path, function.lines, &function.name, &function.text);
                lost.entry(place).or_insert((function, file, unit.translation.language));
            }
        }
    }
    let mut seen: HashMap<String, u32> = HashMap::new();
    lost.into_values()
        .map(|(function, file, language)| {
            let id = id(&origin.name(), file, &function.name, &function.text);
            let times = seen.entry(id.clone()).or_default();
            *times += 1;
            let id = if *times == 1 { id } else { format!("{id}-{times}") };
            Lost { function, file, language, id }
        })
        .collect()
}

/// Whether two stand in the same place and are the same; macros may hide the name of one.
fn is_same(assigned: &Assigned<'_>, function: &Undelivered) -> bool {
    let found = assigned.found;
    let overlap = found.lines.0 <= function.lines.1 && function.lines.0 <= found.lines.1;
    overlap
        && (found.name == function.name || found.text.contains(&function.text) || function.text.contains(&found.text))
}
