//! What a standard header brings: the places of all that is declared or defined when it alone is included.

use std::collections::BTreeMap;

use clang::CXCursor;
use clang_sys as clang;
use serde::{Deserialize, Serialize};

use crate::cursor::{children, file_name, kind, location};
use crate::library::Clang;

/// The lines of every file where something is declared, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provided(pub BTreeMap<String, Vec<u32>>);

impl Provided {
    /// How many lines there are in all.
    pub fn size(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// Whether a place is among them.
    pub fn has(&self, place: &crate::HeaderLine) -> bool {
        self.0.get(&place.file).is_some_and(|lines| lines.binary_search(&place.line).is_ok())
    }
}

impl Clang {
    /// What `text` (a few `#include`s, perhaps after some `#define`s) brings.
    pub fn provides(&self, text: &str, arguments: &[String]) -> Provided {
        let options =
            clang::CXTranslationUnit_DetailedPreprocessingRecord | clang::CXTranslationUnit_SkipFunctionBodies;
        let Some(unit) = self.parse(text, arguments, options) else { return Provided::default() };
        // SAFETY: the unit is alive.
        let root = unsafe { clang::clang_getTranslationUnitCursor(unit.raw) };
        let mut lines: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for cursor in children(root) {
            collect(cursor, &mut lines);
        }
        let files = lines.into_iter().filter(|(file, _)| *file != 0 && *file != unit.file as usize);
        Provided(
            files
                .map(|(file, mut lines)| {
                    lines.sort_unstable();
                    lines.dedup();
                    (file_name(file as clang::CXFile), lines)
                })
                .collect(),
        )
    }
}

fn collect(cursor: CXCursor, lines: &mut BTreeMap<usize, Vec<u32>>) {
    match kind(cursor) {
        clang::CXCursor_MacroExpansion | clang::CXCursor_InclusionDirective => {}
        clang::CXCursor_Namespace | clang::CXCursor_LinkageSpec => {
            for child in children(cursor) {
                collect(child, lines);
            }
        }
        _ => {
            let at = location(cursor);
            lines.entry(at.file as usize).or_default().push(at.line);
        }
    }
}
