//! What only an assembler can refuse.
//!
//! A compiler that is asked for assembly text, or only to check, hands on inline assembly and the names of sections and
//! symbols as they are written: nobody has read them then. So a unit that has such words is accepted only if its
//! object file can be had. All others cannot differ there, and are spared the assembler.

use estrange_words::Language;

use crate::batch::Compiled;
use crate::clang::{Clang, ClangError, Output};
use crate::gcc::{Gcc, GccError, Level};

/// What begins the messages of an assembler that refuses.
const REFUSED: &str = "the assembler: ";

/// The words whose arguments reach the assembler as they are written.
const VERBATIM: [&str; 9] =
    ["asm", "__asm", "__asm__", "section", "__section__", "alias", "__alias__", "symver", "__symver__"];

/// Whether a unit has something that only the assembler reads.
pub fn has_words_for_the_assembler(unit: &str) -> bool {
    unit.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| VERBATIM.contains(&word))
}

/// Whether messages of a refusal are the assembler's.
pub fn refused_by_assembler(messages: &str) -> bool {
    messages.starts_with(REFUSED)
}

/// The first thing that the assembler says, without the place in a file that nobody sees.
fn first_words(messages: &str) -> String {
    let line = messages.lines().find(|line| line.contains("rror: ")).or(messages.lines().next()).unwrap_or_default();
    let words = line.split_once("rror: ").map_or(line, |(_, words)| words);
    format!("{REFUSED}{words}")
}

impl Gcc {
    /// Takes back what was accepted of units whose assembly the assembler refuses.
    pub(crate) fn assemble(
        &self,
        language: Language,
        level: Level,
        flags: &[String],
        units: &[&str],
        results: &mut [Compiled],
    ) -> Result<(), GccError> {
        for (unit, result) in units.iter().zip(results) {
            let Compiled::Accepted { assembly } = result else { continue };
            // Whoever chooses the flags goes on to the object file.
            if level == Level::Given || !has_words_for_the_assembler(unit) {
                continue;
            }
            let mut said = None;
            if level != Level::Syntax {
                said = self.assembler_says(flags, assembly)?;
            }
            // In C++ a function that nothing calls has no code otherwise.
            if said.is_none() && level != Level::O2 && (level == Level::Syntax || language == Language::Cpp) {
                let flags: Vec<String> = flags.iter().cloned().chain(["-fkeep-inline-functions".to_owned()]).collect();
                match self.alone(language, Level::O0, &flags, unit)? {
                    Compiled::Accepted { assembly } => said = self.assembler_says(&flags, &assembly)?,
                    refused => {
                        *result = refused;
                        continue;
                    }
                }
            }
            if let Some(messages) = said {
                *result = Compiled::Refused { messages: first_words(&messages) };
            }
        }
        Ok(())
    }

    /// What the assembler has against a text.
    fn assembler_says(&self, flags: &[String], assembly: &str) -> Result<Option<String>, GccError> {
        let folder = tempfile::tempdir_in(self.folder.path())?;
        std::fs::write(folder.path().join("unit.s"), assembly)?;
        let machine = if flags.iter().any(|flag| flag == "-m32") { "--32" } else { "--64" };
        let call = self.tool("as").arguments([machine, "-o", "unit.o", "unit.s"]);
        let output = call.works_in(folder.path()).run()?;
        Ok((!output.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

impl Clang {
    /// Takes back what was accepted of units for which clang makes no object file.
    pub(crate) fn assemble(
        &self,
        language: Language,
        level: Level,
        flags: &[String],
        units: &[&str],
        results: &mut [Compiled],
    ) -> Result<(), ClangError> {
        for result in results.iter_mut() {
            // Where it writes assembly text, it has read some of what it hands on.
            if let Compiled::Refused { messages } = result
                && messages.contains("<inline asm>")
            {
                *messages = first_words(messages);
            }
        }
        let level = if level == Level::Syntax { Level::O0 } else { level };
        let indices: Vec<usize> = (0..units.len())
            .filter(|&index| results[index].accepted() && has_words_for_the_assembler(units[index]))
            .collect();
        let texts: Vec<&str> = indices.iter().map(|&index| units[index]).collect();
        if level == Level::Given || texts.is_empty() {
            return Ok(());
        }
        let objects = self.all(language, level, Output::Object, flags, &texts)?;
        for (index, object) in indices.into_iter().zip(objects) {
            match object {
                Compiled::Accepted { .. } => {}
                Compiled::Refused { messages } => {
                    results[index] = Compiled::Refused { messages: first_words(&messages) }
                }
                Compiled::Ended { how } => results[index] = Compiled::Ended { how },
            }
        }
        Ok(())
    }
}
