//! A project's own file, compiled as the project compiles it: what a unit's code is compared with.

use std::path::Path;

use estrange_sandbox::{ToolEnd, ToolError, ToolOutput, Workshop};
use estrange_words::Language;

use crate::assembly::Assembly;
use crate::flags::original_flags;
use crate::gcc::{Level, WALL};

/// A project's file, compiled at both levels.
#[derive(Debug, Clone)]
pub struct Original {
    /// Without optimisation.
    pub o0: Assembly,
    /// With `-O2`, each function by itself.
    pub o2: Assembly,
}

/// Why a project's file has no code to compare with.
#[derive(Debug, thiserror::Error)]
pub enum Loss {
    /// The compiler found errors in it.
    #[error("the file does not compile with gcc: {messages}")]
    Refused {
        /// Its first messages.
        messages: String,
    },
    /// The compiler crashed, or took too long.
    #[error("gcc {how}")]
    Ended {
        /// How.
        how: String,
    },
    /// The compiler could not be started.
    #[error(transparent)]
    Tool(#[from] ToolError),
}

impl Original {
    /// Compiles `file` in `directory` with the project's `arguments`, of which only those count that change what the
    /// text means: once for each level.
    ///
    /// The workshop shows the project's tree. In its code, `__FILE__` says `tree.1` instead of the folder `tree.0`: the
    /// code must not depend on where the tree lies.
    pub fn compile(
        workshop: &Workshop,
        file: &Path,
        arguments: &[String],
        directory: &Path,
        language: Language,
        tree: (&Path, &str),
    ) -> Result<Self, Loss> {
        let at = |level: Level| {
            let call = workshop
                .tool(language.gcc())
                .environment("LC_ALL", "C")
                .wall(WALL)
                .arguments(["-S", "-w", "-fmax-errors=5", "-fno-diagnostics-show-caret", "-fdiagnostics-color=never"])
                .arguments(original_flags(arguments))
                .arguments(level.flags(language))
                .arguments(KEPT.iter().filter(|_| language == Language::Cpp))
                .argument(format!("-fmacro-prefix-map={}={}", tree.0.display(), tree.1))
                .arguments(["-x", language.as_str()])
                .argument(file)
                .arguments(["-o", "-"]);
            assembly_of(&call.directory(directory).run()?)
        };
        Ok(Self { o0: at(Level::O0)?, o2: at(Level::O2)? })
    }

    /// Its assembly at a level that gives code.
    pub fn level(&self, level: Level) -> Option<&Assembly> {
        match level {
            Level::Syntax | Level::Given => None,
            Level::O0 => Some(&self.o0),
            Level::O2 => Some(&self.o2),
        }
    }
}

/// What gives functions code that are defined in their class, or `inline`, though nothing in the file calls them. Those of
/// C have that at every level.
const KEPT: [&str; 1] = ["-fkeep-inline-functions"];

fn assembly_of(output: &ToolOutput) -> Result<Assembly, Loss> {
    match output.end {
        ToolEnd::Exited(0) => Ok(Assembly::parse(output.text())),
        ToolEnd::Exited(_) => Err(Loss::Refused { messages: output.last_words(5) }),
        end => Err(Loss::Ended { how: end.to_string() }),
    }
}
