//! Clang as a gate, one process a unit: the reference for faster ways.

use estrange_sandbox::{Tool, ToolError};

use crate::gcc::Language;

/// Whether clang accepts the unit; its messages if it does not.
pub fn clang_accepts(
    language: Language,
    flags: &[String],
    unit: &std::path::Path,
) -> Result<Result<(), String>, ToolError> {
    let output = Tool::new("clang-19")
        .arguments(["-fsyntax-only", "-w", "-fno-caret-diagnostics", "-fno-color-diagnostics", "-ferror-limit=5"])
        .arguments(flags)
        .arguments(["-x", language.name()])
        .argument(unit)
        .run()?;
    Ok(if output.success() { Ok(()) } else { Err(output.last_words(5)) })
}
