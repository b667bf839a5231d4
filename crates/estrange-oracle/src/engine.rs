//! A program for one input: a function compiled by gcc or by clang, with the sanitizers of each, and places in the code.

use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;

use estrange_evidence::Compiler;
use estrange_sandbox::Tool;
use estrange_words::Language;

use crate::program::{BuildError, Builder};

/// What the text and the harness are called in what the compiler says of places.
pub(crate) const UNIT: &str = "unit";
pub(crate) const HARNESS: &str = "harness";

/// How both compilers compile: as what is compared is compiled, with the places of the code.
const FLAGS: &[&str] = &[
    "-S",
    "-O0",
    "-w",
    "-fno-pie",
    "-fno-omit-frame-pointer",
    "-fno-stack-protector",
    "-fcf-protection=none",
    "-ffp-contract=off",
    "-ftrivial-auto-var-init=pattern",
    "-U_FORTIFY_SOURCE",
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-fsanitize-coverage=trace-pc",
];
const GCC_FLAGS: &[&str] =
    &["-g1", "--param=asan-instrumentation-with-call-threshold=100000000", "--param=asan-use-after-return=1"];
/// With less, clang does not say what functions are called. Those that are handed in have no type that it could look at.
const CLANG_FLAGS: &[&str] = &[
    "-g",
    "-fno-sanitize=function",
    "-fno-addrsig",
    "-mllvm",
    "-asan-instrumentation-with-call-threshold=100000000",
    "-fsanitize-address-use-after-return=always",
];
const CPP_FLAGS: &[&str] = &["-fno-access-control", "-fno-sanitize=vptr"];

/// A symbol that tells the runtime that one input is run.
const ONE_INPUT: &str = "-Wl,--defsym=estrange_replays=1";

pub(crate) const CLANG: &str = "clang-19";
const CLANGS_LIBRARY: &str = "libclang_rt.asan-x86_64.so";
const SYMBOLIZER: &str = "llvm-symbolizer-19";

impl Builder {
    /// Builds a program of a text with its harness into a folder; says what the compiler or the linker has against it.
    pub(crate) fn one_program(
        &self,
        compiler: Compiler,
        language: Language,
        flags: &[String],
        (text, harness): (&str, &str),
        folder: &Path,
    ) -> Result<Result<(), String>, BuildError> {
        let source = folder.join("source");
        std::fs::write(&source, format!("#line 1 \"{UNIT}\"\n{text}\n#line 1 \"{HARNESS}\"\n{harness}"))?;
        let (driver, own) = match (compiler, language) {
            (Compiler::Gcc, Language::C) => ("gcc", GCC_FLAGS),
            (Compiler::Gcc, Language::Cpp) => ("g++", GCC_FLAGS),
            (Compiler::Clang, _) => (CLANG, CLANG_FLAGS),
        };
        let of_language = if language == Language::Cpp { CPP_FLAGS } else { &[] };
        let assembly = folder.join("assembly");
        let output = self
            .gcc()
            .tool(driver)
            .works_in(folder)
            .arguments(FLAGS)
            .arguments(own)
            .arguments(of_language)
            .arguments(flags)
            .arguments(["-x", language.as_str()])
            .argument(&source)
            .argument("-o")
            .argument(&assembly)
            .run()?;
        if !output.success() {
            return Ok(Err(output.last_words(3)));
        }
        let object = folder.join("unit.o");
        if let Err(why) = self.assemble(&std::fs::read_to_string(&assembly)?, &object)? {
            return Ok(Err(why));
        }
        let mut library = match compiler {
            Compiler::Gcc => vec!["-lasan".to_owned()],
            Compiler::Clang => clangs_library()?,
        };
        library.push(ONE_INPUT.to_owned());
        self.link_with(language, &[object], &folder.join("program"), &library)
    }

    /// The first of these addresses that stands in the text of the unit: its function, its line and its column.
    pub(crate) fn place(&self, program: &Path, addresses: &[u64]) -> Result<Option<(String, u32, u32)>, BuildError> {
        if addresses.is_empty() {
            return Ok(None);
        }
        let folder = program.parent().unwrap_or(Path::new("."));
        // A call returns to what comes behind it.
        let addresses = addresses.iter().map(|address| OsString::from(format!("{:#x}", address.saturating_sub(1))));
        let output = self
            .gcc()
            .tool(SYMBOLIZER)
            .works_in(folder)
            .arguments(["--functions=short", "--basenames", "--obj"])
            .argument(program)
            .arguments(addresses)
            .run()?;
        let text = output.text();
        let mut lines = text.lines().filter(|line| !line.is_empty());
        while let (Some(function), Some(place)) = (lines.next(), lines.next()) {
            let mut parts = place.rsplitn(3, ':');
            let (column, line) = (parts.next(), parts.next());
            if parts.next() == Some(UNIT) {
                let number = |text: Option<&str>| text.and_then(|text| text.parse().ok()).unwrap_or(0);
                return Ok(Some((function.to_owned(), number(line), number(column))));
            }
        }
        Ok(None)
    }
}

/// Clang's library of its sanitizers, by its path, which the program looks for it, too.
fn clangs_library() -> Result<Vec<String>, BuildError> {
    // It is where it was for as long as this process runs.
    static KNOWN: OnceLock<Vec<String>> = OnceLock::new();
    if let Some(known) = KNOWN.get() {
        return Ok(known.clone());
    }
    let path = Tool::new(CLANG).argument(format!("-print-file-name={CLANGS_LIBRARY}")).run()?.text();
    let path = Path::new(path.trim());
    let folder = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    Ok(KNOWN.get_or_init(|| vec![path.display().to_string(), format!("-Wl,-rpath,{folder}")]).clone())
}
