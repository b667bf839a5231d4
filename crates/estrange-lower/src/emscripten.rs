//! Emscripten's own clang, called as `emcc` calls it.
//!
//! `emcc` is a script that takes many times as long as the compiler that it starts. So we ask it once how it calls the
//! compiler, and make that call ourselves, provided that the object file is byte for byte the one that `emcc` writes.

use estrange_sandbox::{ToolError, Workshop};
use estrange_words::Language;

/// How `emcc` starts its compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub program: String,
    pub arguments: Vec<String>,
}

/// A unit that shows whether two compilers are the same: it has code, data, and a header.
const PROBE: &str = "#include <string.h>\nstatic const char *words[] = {\"one\", \"two\"};\nint probe(const char *text, int at) {\n  \
                     return strcmp(text, words[at]) * at / 3;\n}\n";

/// How `emcc` would compile a unit with these flags; nothing if it is not installed, or if calling its compiler does not give
/// what it gives.
pub(crate) fn find(workshop: &Workshop, language: Language, flags: &[String]) -> std::io::Result<Option<Call>> {
    let folder = workshop.folder("estrange-emcc-")?;
    let (driver, source) = match language {
        Language::C => ("emcc", "probe.c"),
        Language::Cpp => ("em++", "probe.cpp"),
    };
    std::fs::write(folder.path().join(source), PROBE)?;
    let output = workshop
        .tool(driver)
        .arguments(flags)
        .arguments(["-c", source, "-o", "theirs.o"])
        .environment("EMCC_DEBUG", "1")
        .environment("EMCC_TEMP_DIR", folder.path())
        .works_in(folder.path())
        .run();
    let output = match output {
        Ok(output) => output,
        Err(ToolError::Missing { .. }) => return Ok(None),
        Err(error) => return Err(std::io::Error::other(error)),
    };
    let said = String::from_utf8_lossy(&output.stderr);
    let Some(call) = said.lines().find_map(|line| read(line, source)) else {
        tracing::warn!("emcc does not say how it compiles");
        return Ok(None);
    };
    let ours = workshop
        .tool(&call.program)
        .arguments(&call.arguments)
        .arguments(["-c", source, "-o", "ours.o"])
        .works_in(folder.path())
        .run();
    let same = ours.is_ok_and(|ours| ours.success())
        && std::fs::read(folder.path().join("ours.o"))? == std::fs::read(folder.path().join("theirs.o"))?;
    if !same {
        tracing::warn!("what emcc's compiler writes is not what emcc writes");
    }
    Ok(same.then_some(call))
}

/// The call in a line of what `emcc` says, without its files.
fn read(line: &str, source: &str) -> Option<Call> {
    let (_, call) = line.split_once("successfully executed ")?;
    let mut words = shlex::split(call)?.into_iter();
    let program = words.next()?;
    let mut arguments = Vec::new();
    let mut is_call = false;
    while let Some(word) = words.next() {
        match word.as_str() {
            "-o" => drop(words.next()),
            "-c" => {}
            _ if word == source => is_call = true,
            _ => arguments.push(word),
        }
    }
    is_call.then_some(Call { program, arguments })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_call_is_read_without_its_files() {
        let line = "shared:DEBUG: successfully executed /usr/bin/clang-14 -target wasm32-unknown-emscripten '-DA=\"b c\"' -c probe.c -o theirs.o";
        let call = read(line, "probe.c").unwrap();
        assert_eq!(call.program, "/usr/bin/clang-14");
        assert_eq!(call.arguments, ["-target", "wasm32-unknown-emscripten", "-DA=\"b c\""]);
        assert_eq!(read("shared:DEBUG: successfully executed /usr/bin/clang-14 --version", "probe.c"), None);
    }
}
