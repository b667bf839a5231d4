//! From units to texts: compiles many at once, and prints one function of each.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use estrange_evidence::{Clang, ClangError, Compiled, Gcc, GccError, Level, Output};
use estrange_sandbox::{ToolError, Workshop};
use estrange_words::{Hint, Language, Target};

use crate::form::Form;
use crate::how::{Compiler, Opt, Style};
use crate::loss::Loss;
use crate::lowered::Lowered;
use crate::names::Policy;
use crate::stringised::stringised;
use crate::{assembly, emscripten, ir, wasm, x86};

/// A function to be lowered.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The whole text of its unit.
    pub unit: &'a str,
    /// The unit's language.
    pub language: Language,
    /// The flags that the unit needs besides the language; those of one machine (`-m…`) are left out.
    pub flags: &'a [String],
    /// The function, by the linker's name or by its own: see [`crate`].
    pub function: &'a str,
    /// The functions of the project that it calls and that are printed after it.
    pub helpers: &'a [String],
    /// Words that are replaced wherever they stand whole in string data: the project's names, which come into strings by
    /// `assert` or `#x`.
    pub hidden: &'a HashSet<String>,
}

/// How functions are lowered.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What to.
    pub target: Target,
    /// By what.
    pub compiler: Compiler,
    /// How far it is optimised.
    pub opt: Opt,
    /// How the text looks.
    pub style: Style,
    /// Whether a symbol that the unit does not define keeps its name, as `memcpy` may. By default none does.
    pub keep: &'a dyn Fn(&str) -> bool,
}

/// Why nothing can be lowered: the machine lacks something.
#[derive(Debug, thiserror::Error)]
pub enum LowerError {
    /// gcc cannot be used.
    #[error(transparent)]
    Gcc(#[from] GccError),
    /// clang cannot be used.
    #[error(transparent)]
    Clang(#[from] ClangError),
    /// The assembler could not be started.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The folder for files cannot be used.
    #[error("the folder for compiling cannot be used: {0}")]
    Folder(#[from] std::io::Error),
}

impl Hint for LowerError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Gcc(error) => error.hint(),
            Self::Clang(error) => error.hint(),
            Self::Tool(error) => error.hint(),
            Self::Folder(_) => Some("free some space, or name another folder with --cache".into()),
        }
    }
}

/// The compilers, found when they are first needed. Clones share them.
#[derive(Debug, Clone)]
pub struct Lowerer {
    workshop: Workshop,
    found: Arc<Mutex<Compilers>>,
}

#[derive(Debug, Default)]
struct Compilers {
    gcc: HashMap<Target, Gcc>,
    clang: HashMap<Target, Clang>,
    wasm: HashMap<(Language, Opt), Clang>,
}

/// What a unit was compiled to.
type Made = Result<Vec<u8>, Loss>;

impl Lowerer {
    /// Compiles in this workshop. The folders that this takes go with the last clone.
    pub fn new(workshop: &Workshop) -> Self {
        Self { workshop: workshop.clone(), found: Arc::default() }
    }

    /// Lowers each function. The results stand in the same order. Calls from several threads go side by side.
    pub fn lower(
        &self,
        options: &Options<'_>,
        requests: &[Request<'_>],
    ) -> Result<Vec<Result<Lowered, Loss>>, LowerError> {
        let made = self.compile(options, requests)?;
        let mut results: Vec<Result<Lowered, Loss>> = Vec::with_capacity(requests.len());
        let mut again: Vec<(usize, Retry)> = Vec::new();
        for (index, (request, made)) in requests.iter().zip(&made).enumerate() {
            let result = made.as_ref().map_err(Clone::clone).and_then(|made| printed(options, request, made));
            again.extend(
                result.as_ref().err().and_then(|loss| retry(options, request, loss)).map(|retry| (index, retry)),
            );
            results.push(result);
        }
        if !again.is_empty() {
            let more: Vec<Request<'_>> = again
                .iter()
                .map(|(index, Retry { unit, flags })| Request { unit, flags, ..requests[*index].clone() })
                .collect();
            let made = self.compile(options, &more)?;
            for (((index, _), request), made) in again.iter().zip(&more).zip(made) {
                // If it does not even compile, the first reason is the better one.
                if let Ok(made) = made {
                    results[*index] = printed(options, request, &made);
                }
            }
        }
        Ok(results)
    }

    /// The compilers' names and versions for a target: part of what every result depends on.
    pub fn version(&self, target: Target, compiler: Compiler, opt: Opt) -> Result<String, LowerError> {
        Ok(match (target, compiler) {
            (Target::Wasm32, _) => self.wasm(Language::C, opt)?.version().to_owned(),
            (Target::LlvmIr, _) | (_, Compiler::Clang) => self.clang(target)?.version().to_owned(),
            (_, Compiler::Gcc | Compiler::Gxx) => self.gcc(target)?.version().to_owned(),
        })
    }

    /// Compiles units to what their target is printed from.
    fn compile(&self, options: &Options<'_>, requests: &[Request<'_>]) -> Result<Vec<Made>, LowerError> {
        let mut groups: BTreeMap<(Language, Vec<String>), Vec<usize>> = BTreeMap::new();
        for (index, request) in requests.iter().enumerate() {
            let flags = request.flags.iter().filter(|flag| !is_machines(flag)).cloned().collect();
            groups.entry((language(options, request), flags)).or_default().push(index);
        }
        let mut results: Vec<Option<Made>> = requests.iter().map(|_| None).collect();
        for ((language, flags), group) in groups {
            let units: Vec<&str> = group.iter().map(|&index| requests[index].unit).collect();
            let made = self.group(options, language, &flags, &units)?;
            for (index, made) in group.into_iter().zip(made) {
                results[index] = Some(made);
            }
        }
        // Each was filled just above.
        Ok(results.into_iter().flatten().collect())
    }

    fn group(
        &self,
        options: &Options<'_>,
        language: Language,
        flags: &[String],
        units: &[&str],
    ) -> Result<Vec<Made>, LowerError> {
        let mut all = vec![options.opt.flag(), "-g0".to_owned()];
        if options.target == Target::Wasm32 {
            let clang = self.wasm(language, options.opt)?;
            all.extend(flags.iter().cloned());
            return Ok(clang.make(language, Output::Object, &all, units)?.into_iter().map(accepted).collect());
        }
        if options.target == Target::LlvmIr {
            all.push("-fdiscard-value-names".to_owned());
            all.extend(flags.iter().cloned());
            let made = self.clang(options.target)?.make(language, Output::Ir, &all, units)?;
            return Ok(made.into_iter().map(accepted).collect());
        }
        let texts: Vec<Made> = match options.compiler {
            Compiler::Clang => {
                all.extend(flags.iter().cloned());
                let made = self.clang(options.target)?.make(language, Output::Assembly, &all, units)?;
                made.into_iter().map(accepted).collect()
            }
            Compiler::Gcc | Compiler::Gxx => {
                all.push("-fkeep-static-functions".to_owned());
                if language == Language::C {
                    all.push("-fkeep-inline-functions".to_owned());
                }
                if options.target != Target::X86_64 {
                    // Without section anchors each datum is addressed by its own symbol, wherever it lies.
                    all.push("-fno-section-anchors".to_owned());
                }
                all.extend(flags.iter().cloned());
                let made = self.gcc(options.target)?.compile(language, Level::Given, &all, units)?;
                made.into_iter().map(|made| accepted(made).map(String::into_bytes)).collect()
            }
        };
        let folder = self.workshop.folder("estrange-lower-")?;
        // The cross assemblers come with the cross compilers, and are started in the same way.
        let gcc = self.gcc(options.target)?;
        let assemble = |text: &[u8]| assembled(&gcc, options.target, folder.path(), text);
        texts
            .into_iter()
            .map(|made| match made {
                Ok(text) if options.target == Target::X86_64 => assemble(&text),
                // Inline assembly has been read by nobody so far: the assembler has to accept it.
                Ok(text) if assembly::has_inline_assembly(&String::from_utf8_lossy(&text)) => {
                    Ok(assemble(&text)?.map(|_| text))
                }
                other => Ok(other),
            })
            .collect()
    }

    fn gcc(&self, target: Target) -> Result<Gcc, LowerError> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(gcc) = found.gcc.get(&target) {
            return Ok(gcc.clone());
        }
        let gcc = Gcc::cross(&self.workshop, &Form::of(target).prefix())?;
        found.gcc.insert(target, gcc.clone());
        Ok(gcc)
    }

    fn clang(&self, target: Target) -> Result<Clang, LowerError> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clang) = found.clang.get(&target) {
            return Ok(clang.clone());
        }
        let triple = Form::of(target).triple();
        let clang = Clang::driver(&self.workshop, CLANG, &[format!("--target={triple}")])?;
        found.clang.insert(target, clang.clone());
        Ok(clang)
    }

    /// The compiler of WebAssembly: emscripten's, or our own where that is missing.
    fn wasm(&self, language: Language, opt: Opt) -> Result<Clang, LowerError> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clang) = found.wasm.get(&(language, opt)) {
            return Ok(clang.clone());
        }
        let clang = match emscripten::find(&self.workshop, language, &[opt.flag()])? {
            Some(call) => Clang::driver(&self.workshop, &call.program, &call.arguments)?,
            None => {
                // Left alone, clang takes the host's headers where the target has none.
                let arguments = ["--target=wasm32-wasi", "-nostdlibinc", "-isystem", WASI_HEADERS].map(str::to_owned);
                Clang::driver(&self.workshop, CLANG, &arguments)?
            }
        };
        found.wasm.insert((language, opt), clang.clone());
        Ok(clang)
    }
}

/// The clang that serves every target but WebAssembly.
const CLANG: &str = "clang-19";
/// Where Debian keeps the headers of WebAssembly's own C library.
const WASI_HEADERS: &str = "/usr/include/wasm32-wasi";

impl Default for Options<'_> {
    /// x86-64 by gcc, without optimisation, with no names.
    fn default() -> Self {
        Self {
            target: Target::X86_64,
            compiler: Compiler::default(),
            opt: Opt::default(),
            style: Style::default(),
            keep: &|_| false,
        }
    }
}

fn uses_gcc(options: &Options<'_>) -> bool {
    options.compiler != Compiler::Clang && !Form::of(options.target).is_clangs()
}

/// The language that a unit is compiled as.
fn language(options: &Options<'_>, request: &Request<'_>) -> Language {
    match options.compiler {
        Compiler::Gxx if uses_gcc(options) => Language::Cpp,
        _ => request.language,
    }
}

/// Another way to compile a unit.
struct Retry {
    unit: String,
    flags: Vec<String>,
}

/// Other ways to compile a unit whose function was lost.
fn retry(options: &Options<'_>, request: &Request<'_>, loss: &Loss) -> Option<Retry> {
    let mut unit = request.unit.to_owned();
    let mut flags = request.flags.to_vec();
    match loss {
        // gcc writes nothing for what is always inline, nor, in C++, for anything inline, unless it is asked to.
        Loss::NoCode { .. } if uses_gcc(options) => {
            flags.extend(OUT_OF_LINE.iter().map(|&flag| flag.to_owned()));
            if language(options, request) == Language::Cpp {
                flags.push("-fkeep-inline-functions".to_owned());
            }
        }
        // A unit has the headers that it needs with the host's library, whose headers include other ones.
        Loss::DoesNotCompile { .. } | Loss::TargetBuiltin { .. } if options.target == Target::Wasm32 => {
            let headers = match request.language {
                Language::C => C_HEADERS,
                Language::Cpp => CPP_HEADERS,
            };
            let at = first_include(&unit);
            let line = 1 + unit[..at].matches('\n').count();
            let names: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
            unit.insert_str(at, &format!("{names}#line {line}\n"));
        }
        _ => return None,
    }
    Some(Retry { unit, flags })
}

/// Flags that neutralise attributes such as `always_inline`, with which a compiler writes no code for a function by itself.
const OUT_OF_LINE: &[&str] = &[
    "-Dalways_inline=__unused__",
    "-D__always_inline__=__unused__",
    "-Dgnu_inline=__unused__",
    "-D__gnu_inline__=__unused__",
];

/// The headers that others often include.
const C_HEADERS: &[&str] =
    &["stddef.h", "stdint.h", "sys/types.h", "limits.h", "stdarg.h", "string.h", "strings.h", "time.h", "sys/time.h"];
const CPP_HEADERS: &[&str] = &[
    "cstddef",
    "cstdint",
    "cstdlib",
    "cstring",
    "climits",
    "limits",
    "string",
    "utility",
    "memory",
    "new",
    "iterator",
    "algorithm",
    "functional",
    "stdexcept",
    "typeinfo",
    "tuple",
    "array",
    "vector",
    "map",
    "set",
    "iosfwd",
    "ostream",
    "istream",
    "sstream",
    "type_traits",
    "initializer_list",
];

/// Where the first `#include` of a text stands, or its start.
fn first_include(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("include")) {
            return at;
        }
        at += line.len();
    }
    0
}

/// Whether a flag is about one machine, which is not always the target.
fn is_machines(flag: &str) -> bool {
    flag.starts_with("-m")
}

fn accepted<T>(compiled: Compiled<T>) -> Result<T, Loss> {
    match compiled {
        Compiled::Accepted { assembly } => Ok(assembly),
        Compiled::Refused { messages } => Err(Loss::of_messages(&messages)),
        Compiled::Ended { how } => Err(Loss::CompilerEnded { how }),
    }
}

/// The object file of an assembly text. Labels that only the compiler knows are kept in it: they say where data begin.
fn assembled(gcc: &Gcc, target: Target, folder: &Path, text: &[u8]) -> Result<Made, LowerError> {
    let (source, object) = (folder.join("unit.s"), folder.join("unit.o"));
    std::fs::write(&source, text)?;
    let call = gcc.tool(format!("{}as", Form::of(target).prefix())).arguments(["--keep-locals", "-o"]);
    let output = call.works_in(folder).argument(&object).argument(&source).run()?;
    if !output.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let message = said.lines().find(|line| line.contains("Error:")).unwrap_or_default();
        let message = message.split_once("Error:").map_or(message, |(_, rest)| rest).trim().to_owned();
        return Ok(Err(if assembly::has_inline_assembly(&String::from_utf8_lossy(text)) {
            Loss::InlineAssembly { message }
        } else {
            Loss::DoesNotCompile { message }
        }));
    }
    Ok(Ok(std::fs::read(&object)?))
}

fn printed(options: &Options<'_>, request: &Request<'_>, made: &[u8]) -> Result<Lowered, Loss> {
    let Request { function, helpers, .. } = *request;
    let Options { style, keep, .. } = *options;
    let stringised = if request.hidden.is_empty() { HashSet::new() } else { stringised(request.unit) };
    let policy = Policy { keep, hidden: request.hidden, stringised: &stringised };
    let text = || String::from_utf8_lossy(made);
    match Form::of(options.target) {
        Form::Object => x86::print(made, function, helpers, style, policy),
        Form::Assembly(machine) => assembly::print(&text(), machine, function, helpers, style, policy),
        Form::Wasm => wasm::print(made, function, helpers, style, policy),
        Form::Ir => ir::print(&text(), function, helpers, style, policy),
    }
}
