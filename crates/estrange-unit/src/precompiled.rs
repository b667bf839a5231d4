//! The standard headers of a C++ translation unit, read once for all units of its functions.
//!
//! Reading them costs several times what the unit itself costs. A check against all headers that the translation
//! unit includes does not show that the unit's own includes suffice; g++, which compiles the unit as it is, does.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use estrange_clang::Clang;

use crate::slices::Slices;

/// Precompiled headers, by what they include.
#[derive(Default)]
pub(crate) struct Precompiled {
    known: HashMap<(Vec<String>, String), Option<PathBuf>>,
}

impl Precompiled {
    /// The precompiled header of all that a translation unit includes, made in `folder`.
    pub(crate) fn of(
        &mut self,
        clang: &Clang,
        slices: &Slices<'_>,
        arguments: &[String],
        folder: &Path,
    ) -> Option<PathBuf> {
        let text: String = slices.includes.iter().map(|include| format!("#include <{}>\n", include.name)).collect();
        if text.is_empty() {
            return None;
        }
        let number = self.known.len();
        let make = |(arguments, text): &(Vec<String>, String)| {
            let name = format!("{}-{number}", std::process::id());
            let header = folder.join(format!("{name}.hpp"));
            let out = folder.join(format!("{name}.pch"));
            fs::write(&header, text).ok()?;
            let mut arguments = arguments.clone();
            for word in &mut arguments {
                if word == "-xc++" {
                    "-xc++-header".clone_into(word);
                }
            }
            arguments.push("-fpch-instantiate-templates".to_owned());
            clang.precompile(&header, &arguments, &out).then_some(out)
        };
        let key = (arguments.to_vec(), text);
        if !self.known.contains_key(&key) {
            let made = make(&key);
            self.known.insert(key.clone(), made);
        }
        self.known[&key].clone()
    }
}

/// A unit's text with its includes blanked out, every offset as it was.
pub(crate) fn without_includes(text: &str) -> String {
    let blank = |line: &str| " ".repeat(line.len() - 1) + "\n";
    text.split_inclusive('\n')
        .map(|line| if line.starts_with("#include <") { blank(line) } else { line.to_owned() })
        .collect()
}
