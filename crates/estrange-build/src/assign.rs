//! Each function is found in one or more translation units, a header's functions in many: one of them takes it out.

use std::collections::HashMap;
use std::path::PathBuf;

use estrange_project::SourceFile;
use estrange_unit::Found;

use crate::options::Options;
use crate::origin::Origin;
use crate::translate::Translations;

/// A function of a source, given to a translation unit.
pub(crate) struct Assigned<'a> {
    /// The translation unit, as an index.
    pub(crate) unit: usize,
    pub(crate) found: &'a Found,
    /// The file that it stands in.
    pub(crate) file: &'a SourceFile,
    /// Its stable id.
    pub(crate) id: String,
}

/// A translation unit that could take a function out.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    /// Whether the parser complained about the function there.
    troubled: bool,
    unit: usize,
    found: &'a Found,
    file: &'a SourceFile,
}

/// All functions of a source in files of the wanted roles, in order of path and line.
pub(crate) fn assign<'a>(origin: &'a Origin, translations: &'a Translations, options: &Options) -> Vec<Assigned<'a>> {
    let mut best: HashMap<(PathBuf, u32, &str, &str), Candidate<'a>> = HashMap::new();
    for (number, unit) in translations.units.iter().enumerate() {
        for found in &unit.functions {
            let Some(file) = origin.file(found.file.as_ref(), &unit.flags.directory) else { continue };
            if !options.roles.contains(&file.role) {
                continue;
            }
            let place = (file.path.clone(), found.lines.0, found.qualified_name.as_str(), found.text.as_str());
            let candidate = Candidate { troubled: unit.has_trouble_in(found), unit: number, found, file };
            let entry = best.entry(place).or_insert(candidate);
            // The first unit wins that the parser read without complaint.
            if entry.troubled && !candidate.troubled {
                *entry = candidate;
            }
        }
    }
    let mut assigned: Vec<Assigned<'a>> = best
        .into_values()
        .map(|best| Assigned { unit: best.unit, found: best.found, file: best.file, id: String::new() })
        .collect();
    assigned.sort_by(|one, other| {
        let order = |assigned: &Assigned<'a>| {
            (&assigned.file.path, assigned.found.lines, &assigned.found.qualified_name, &assigned.found.text)
        };
        order(one).cmp(&order(other))
    });
    let mut seen: HashMap<String, u32> = HashMap::new();
    for function in &mut assigned {
        let found = function.found;
        let id = id(&origin.name(), function.file, &found.qualified_name, &found.text);
        let times = seen.entry(id.clone()).or_default();
        *times += 1;
        // The same text twice under one name: macros that make functions.
        function.id = if *times == 1 { id } else { format!("{id}-{times}") };
    }
    assigned
}

/// The same for all versions of a function.
pub(crate) fn lineage(source: &str, file: &SourceFile, qualified_name: &str) -> String {
    let path = file.path.to_string_lossy();
    let parts: Vec<&[u8]> = [unversioned(source), &path, qualified_name].iter().map(|part| part.as_bytes()).collect();
    crate::store::key("lineage", &parts)[..24].to_owned()
}

/// The name of a source without its version.
fn unversioned(source: &str) -> &str {
    source.split(['=', '@', '#']).next().unwrap_or(source)
}

/// The id hangs on what the function is and where it belongs, not on its line or the version of its source.
pub(crate) fn id(source: &str, file: &SourceFile, qualified_name: &str, text: &str) -> String {
    let path = file.path.to_string_lossy();
    let parts: Vec<&[u8]> =
        [unversioned(source), &path, qualified_name, text].iter().map(|part| part.as_bytes()).collect();
    crate::store::key("function", &parts)[..24].to_owned()
}

impl crate::translate::Translated {
    fn has_trouble_in(&self, found: &Found) -> bool {
        let Some(declaration) = self.translation.reading.declarations.get(found.declaration as usize) else {
            return true;
        };
        let range = declaration.start..=declaration.end;
        self.translation.reading.troubles.iter().any(|trouble| trouble.at.is_some_and(|at| range.contains(&at)))
    }
}
