//! The bare compilers, as the check of a unit is described to users.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use estrange_bench::Language;

/// A compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    Gcc,
    Clang,
}

impl Compiler {
    pub fn name(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Gcc, Language::C) => "gcc",
            (Self::Gcc, Language::Cpp) => "g++",
            (Self::Clang, Language::C) => "clang-19",
            (Self::Clang, Language::Cpp) => "clang++-19",
        }
    }

    /// `-c` on a file, with what the unit asks for and no warnings.
    pub fn command(self, language: Language, flags: &[String], file: &Path) -> Command {
        let mut command = Command::new(self.name(language));
        command.args(["-c", "-w", "-Werror=implicit-function-declaration"]).args(flags);
        command.arg("-x").arg(language.as_str()).arg(file).arg("-o").arg(file.with_extension("o"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

/// Whether the compiler accepts the text, which is put into this file.
pub fn accepts(compiler: Compiler, language: Language, flags: &[String], text: &str, file: &Path) -> io::Result<bool> {
    std::fs::write(file, text)?;
    Ok(compiler.command(language, flags, file).status()?.success())
}
