//! Building programs out of units: compiled to assembly in one call, each with its names for itself, linked with the
//! runtime.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use estrange_evidence::{ClangError, Compiled, Gcc, GccError, Level};
use estrange_sandbox::{Tool, ToolError};
use estrange_store::{Store, key};
use estrange_words::{End, Hint, Language};

/// How a call can end, as the runtime knows it: numbers, and from where a pointer went astray.
fn ends() -> String {
    let names = End::ALL.iter().map(|end| end.as_str().replace('-', "_").to_uppercase());
    let astray = End::ALL.iter().map(|end| end.astray().to_string());
    format!(
        "enum end {{ {} }};\nstatic const unsigned char astray[] = {{{}}};\n",
        names.collect::<Vec<_>>().join(", "),
        astray.collect::<Vec<_>>().join(", ")
    )
}

/// The runtime, in the order in which its parts build on each other.
const RUNTIME: &[&str] = &[
    include_str!("runtime/state.c"),
    include_str!("runtime/choose.c"),
    include_str!("runtime/reals.c"),
    include_str!("runtime/faults.c"),
    include_str!("runtime/stretch.c"),
    include_str!("runtime/build.c"),
    include_str!("runtime/classes.c"),
    include_str!("runtime/meet.c"),
    include_str!("runtime/observe.c"),
    include_str!("runtime/stubs.c"),
    include_str!("runtime/given.c"),
    include_str!("runtime/wraps.c"),
    include_str!("runtime/leaks.c"),
    include_str!("runtime/main.c"),
    include_str!("runtime/seek.c"),
    include_str!("runtime/edges.c"),
    include_str!("runtime/exhaust.c"),
    include_str!("runtime/mend.c"),
];

/// How everything that is compared is compiled.
pub(crate) const FLAGS: &[&str] = &[
    "-O0",
    "-w",
    "-g0",
    "-fno-pie",
    "-fno-stack-protector",
    "-fcf-protection=none",
    "-ffp-contract=off",
    // Uninitialised memory would differ from program to program.
    "-ftrivial-auto-var-init=pattern",
    "-U_FORTIFY_SOURCE",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fsanitize-coverage=trace-pc",
    "--param=asan-instrumentation-with-call-threshold=100000000",
    "--param=asan-use-after-return=0",
];

/// More flags for C++: private members can be accessed, the sanitizer does not ask objects of the harness's making for their
/// dynamic type, and unreachable code is dropped.
pub(crate) const CPP_FLAGS: &[&str] = &["-fno-access-control", "-fno-sanitize=vptr", WHOLE];

/// Lets the compiler leave out what nothing in the text uses.
pub(crate) const WHOLE: &str = "-fwhole-program";

/// The library of C++, before the sanitizer's, which has functions of the same names in place of some of its own.
const CPP_LIBRARY: &[&str] = &[
    "-Wl,-u,__cxa_throw",
    "-Wl,-u,__cxa_rethrow",
    "-Wl,-u,_ZSt17__throw_bad_allocv",
    "-Wl,-Bstatic",
    "-lstdc++",
    "-Wl,-Bdynamic",
    "-static-libstdc++",
];

/// The sanitizers among [`FLAGS`].
pub(crate) const SANITIZERS: &[&str] = &["address", "undefined"];

/// What tells the search for inputs which comparisons were made.
pub(crate) const COMPARISONS: &str = "-fsanitize-coverage=trace-cmp";

/// Where a program stands in memory: a number that looks like an address of the program is taken for one, so it stands where
/// numbers are rare.
const IMAGE: &str = "-Wl,-Ttext-segment=0x6b5a0000";

/// How the runtime is compiled.
const RUNTIME_FLAGS: [&str; 7] =
    ["-O2", "-w", "-fno-pie", "-fno-builtin", "-fno-stack-protector", "-fno-omit-frame-pointer", "-c"];

/// Builds programs.
#[derive(Debug)]
pub(crate) struct Builder {
    gcc: Gcc,
    folder: PathBuf,
    runtime: PathBuf,
    wraps: Vec<String>,
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The compiler cannot be used.
    #[error(transparent)]
    Gcc(#[from] GccError),
    /// The other compiler cannot be used.
    #[error(transparent)]
    Clang(#[from] ClangError),
    /// A tool cannot be started.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The folder for files cannot be used.
    #[error("the oracle's folder cannot be used: {0}")]
    Folder(#[from] std::io::Error),
    /// The runtime does not compile: this machine's compiler is not the one that it was written for.
    #[error("the harness's runtime does not compile: {0}")]
    Runtime(String),
}

impl Hint for BuildError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Gcc(error) => error.hint(),
            Self::Clang(error) => error.hint(),
            Self::Tool(error) => error.hint(),
            Self::Folder(_) => Some("free some space, or name another folder with --cache".into()),
            Self::Runtime(_) => Some("`estrange doctor` says which compiler is wanted, and how to install it".into()),
        }
    }
}

impl Builder {
    /// Compiles the runtime into a folder, or takes it from where it was kept.
    pub(crate) fn new(gcc: Gcc, folder: &Path, kept: Option<&Path>) -> Result<Self, BuildError> {
        let runtime = folder.join("runtime.o");
        let text = ends() + &RUNTIME.concat();
        // Who cannot keep it compiles it each time.
        let store = kept.and_then(|kept| Store::open(kept).ok());
        let key = key("runtime", &[gcc.version().as_bytes(), RUNTIME_FLAGS.join(" ").as_bytes(), text.as_bytes()]);
        match store.as_ref().and_then(|store| store.bytes(&key)) {
            Some(object) => std::fs::write(&runtime, object)?,
            None => {
                compile_runtime(&text, folder, &runtime)?;
                if let Some(store) = &store
                    && let Err(error) = store.put_bytes(&key, &std::fs::read(&runtime)?)
                {
                    tracing::info!(%error, "the harness's runtime is not kept");
                }
            }
        }
        Ok(Self { gcc, folder: folder.to_owned(), runtime, wraps: wraps(&text) })
    }

    pub(crate) fn gcc(&self) -> &Gcc {
        &self.gcc
    }

    /// The assembly of each of `texts`, or what the compiler said against it.
    pub(crate) fn compile(
        &self,
        language: Language,
        flags: &[String],
        texts: &[&str],
    ) -> Result<Vec<Result<String, String>>, BuildError> {
        let compiled = self.gcc.compile(language, Level::Given, flags, texts)?;
        let each = compiled.into_iter().map(|compiled| match compiled {
            Compiled::Accepted { assembly } => Ok(assembly),
            Compiled::Refused { messages } => Err(messages),
            Compiled::Ended { how } => Err(how),
        });
        Ok(each.collect())
    }

    /// An object file of an assembly in which no name but the harness's can be seen from outside, so that several
    /// texts that define the same names make one program.
    pub(crate) fn assemble(&self, assembly: &str, to: &Path) -> Result<Result<(), String>, BuildError> {
        let source = to.with_extension("s");
        std::fs::write(&source, for_itself(assembly))?;
        let folder = to.parent().unwrap_or(&self.folder);
        let output = self.gcc.tool("as").works_in(folder).argument("-o").argument(to).argument(&source).run()?;
        std::fs::remove_file(&source)?;
        Ok(if output.success() { Ok(()) } else { Err(output.last_words(3)) })
    }

    /// Links objects with the runtime.
    pub(crate) fn link(
        &self,
        language: Language,
        objects: &[PathBuf],
        to: &Path,
    ) -> Result<Result<(), String>, BuildError> {
        self.link_with(language, objects, to, &["-lasan".to_owned()])
    }

    /// Links objects with the runtime and a library of a sanitizer.
    pub(crate) fn link_with(
        &self,
        language: Language,
        objects: &[PathBuf],
        to: &Path,
        sanitizer: &[String],
    ) -> Result<Result<(), String>, BuildError> {
        // What the library of C++ asks for goes through the runtime, too.
        let (driver, library) = match language {
            Language::C => ("gcc", &[][..]),
            Language::Cpp => ("g++", CPP_LIBRARY),
        };
        let folder = to.parent().unwrap_or(&self.folder);
        let link = |more: &[String]| {
            self.gcc
                .tool(driver)
                .works_in(folder)
                .reads(&self.runtime)
                .arguments(["-no-pie", IMAGE, "-Wl,--no-demangle", "-o"])
                .argument(to)
                .argument(&self.runtime)
                .arguments(objects)
                .arguments(&self.wraps)
                .arguments(more)
                .arguments(library)
                .arguments(sanitizer)
                .argument("-lm")
                .run()
        };
        let output = link(&[])?;
        if output.success() {
            return Ok(Ok(()));
        }
        // Vtables of classes that are not defined completely: nobody calls their methods.
        let tables = missing_tables(&String::from_utf8_lossy(&output.stderr));
        let again = if tables.is_empty() { output } else { link(&tables)? };
        Ok(if again.success() { Ok(()) } else { Err(again.last_words(3)) })
    }

    /// A folder for the files of one program, which goes with its handle.
    pub(crate) fn folder(&self) -> Result<tempfile::TempDir, BuildError> {
        Ok(tempfile::tempdir_in(&self.folder)?)
    }
}

fn compile_runtime(text: &str, folder: &Path, to: &Path) -> Result<(), BuildError> {
    let source = folder.join("runtime.c");
    std::fs::write(&source, text)?;
    let output = Tool::new("gcc").arguments(RUNTIME_FLAGS).argument("-o").argument(to).argument(&source).run()?;
    if output.success() { Ok(()) } else { Err(BuildError::Runtime(output.last_words(5))) }
}

/// The options that put the runtime's functions in place of the library's.
fn wraps(text: &str) -> Vec<String> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let mut names: Vec<&str> = Vec::new();
    for (at, mark) in text.match_indices("__wrap_").chain(text.match_indices("REFUSED(")) {
        let name = &text[at + mark.len()..];
        let name = &name[..name.find(|character| !is_part(character)).unwrap_or(0)];
        if !name.is_empty() && name != "name" {
            names.push(name);
        }
    }
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| format!("-Wl,--wrap={name}")).collect()
}

/// Definitions of the vtables that the linker misses.
fn missing_tables(said: &str) -> Vec<String> {
    let missing = said.split("undefined reference to `").skip(1).filter_map(|rest| rest.split('\'').next());
    let tables: BTreeSet<&str> = missing.filter(|name| name.starts_with("_ZTV") || name.starts_with("_ZTI")).collect();
    tables.into_iter().map(|name| format!("-Wl,--defsym={name}=estrange_no_methods")).collect()
}

/// The same assembly without the lines that show names to other objects, and with nothing that the linker would take from
/// only one of them.
fn for_itself(assembly: &str) -> String {
    let shows = |line: &&str| !line.starts_with("\t.globl\t") && !line.starts_with("\t.weak\t");
    let mut kept = String::with_capacity(assembly.len());
    for line in assembly.lines().filter(shows) {
        match alone(line) {
            Some(alone) => kept.push_str(&alone),
            None => kept.push_str(line),
        }
        kept.push('\n');
    }
    kept
}

/// The same assembly with many such bytes before each constant and variable, so that none stands where it did beside
/// another.
pub(crate) fn apart(assembly: &str, fill: u8) -> String {
    // A multiple of every alignment that compilers use.
    const MANY: usize = 4096;
    let mut is_data = false;
    let mut all = String::with_capacity(assembly.len());
    for line in assembly.lines() {
        match line.trim_start().split_once(char::is_whitespace).unwrap_or((line.trim_start(), "")) {
            (".section", name) => is_data = matches!(name.trim(), ".rodata" | ".data"),
            (".data", _) => is_data = true,
            (".text" | ".bss", _) => is_data = false,
            (label, _) if is_data && label.ends_with(':') && (label.starts_with(".LC") || !label.starts_with(".L")) => {
                all.push_str(&format!("\t.fill\t{MANY}, 1, {fill}\n"));
            }
            _ => {}
        }
        all.push_str(line);
        all.push('\n');
    }
    all
}

/// The line that opens a section, if it opens one that other objects may have in common with this.
fn alone(line: &str) -> Option<String> {
    if let Some(name) = line.strip_suffix(", @gnu_unique_object") {
        return Some(format!("{name}, @object"));
    }
    let section = line.strip_prefix("\t.section\t").and(line.strip_suffix(",comdat"))?;
    let (section, _) = section.rsplit_once(',')?;
    let (name, rest) = section.split_once(",\"")?;
    let (flags, rest) = rest.split_once('"')?;
    Some(format!("{name},\"{}\"{rest}", flags.replace('G', "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_becomes_ones_own() {
        let text = "\t.weak\t_ZN1AC1Ev\n\t.section\t.text._ZN1AC2Ev,\"axG\",@progbits,_ZN1AC5Ev,comdat\n\t.type\t_ZZ1fvE1a, @gnu_unique_object\n";
        let own = "\t.section\t.text._ZN1AC2Ev,\"ax\",@progbits\n\t.type\t_ZZ1fvE1a, @object\n";
        assert_eq!(for_itself(text), own);
    }

    #[test]
    fn constants_are_moved_apart_and_nothing_else() {
        let text = "\t.section\t.rodata\n\t.align 32\n.LC0:\n\t.string\t\"a\"\n.L4:\n\t.text\nf:\n\t.bss\nzero:\n\t.data\nnumber:\n";
        let apart = apart(text, 7);
        let fill = "\t.fill\t4096, 1, 7\n";
        assert_eq!(apart.matches(fill).count(), 2);
        assert!(apart.contains(&format!("{fill}.LC0:")) && apart.contains(&format!("{fill}number:")));
    }
}
