//! Compiling and linking: the program that runs answers, what calls a problem's function, and answers.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::{Tool, ToolEnd, ToolOutput, Workshop};
use estrange_words::Language;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSymbol};
use tempfile::TempDir;

use crate::error::GradeError;
use crate::glue;
use crate::problem::{Problem, Program, Tests};

const RUNTIME: &str = include_str!("runtime/main.c");

/// The sanitizers, and what makes their findings the same each time.
const SANITIZERS: &[&str] = &["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"];
/// How answers, and what calls them, are compiled.
const FLAGS: &[&str] = &[
    "-O0",
    "-g0",
    "-fPIC",
    "-fno-omit-frame-pointer",
    "-ffp-contract=off",
    // Uninitialised memory would differ from run to run.
    "-ftrivial-auto-var-init=pattern",
    "-U_FORTIFY_SOURCE",
    "-fdiagnostics-color=never",
    "-fmessage-length=0",
];

/// How long a compiler may take on the clock, which is more than it ever needs on a busy machine, and how much memory.
const WALL: Duration = Duration::from_secs(900);
const MEMORY: u64 = 3 << 30;
/// What each process of a compiler may take for an answer: seconds of the processor, and bytes of a file.
const ANSWER_LIMITS: [&str; 2] = ["--cpu=60", "--fsize=268435456"];
/// More of what a compiler says is not kept.
const MOST_MESSAGES: usize = 1 << 18;

/// Builds what is run.
#[derive(Debug)]
pub(crate) struct Builder {
    workshop: Workshop,
    folder: TempDir,
    /// What no answer knows.
    secret: String,
}

/// What calls a problem's function.
#[derive(Debug)]
pub(crate) struct Harness {
    /// The shared library.
    pub library: PathBuf,
    /// The symbol of its entry.
    pub entry: String,
    /// The symbols by which it knows the function.
    pub symbols: Vec<String>,
    _folder: TempDir,
}

/// An answer that was compiled and linked.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The shared library.
    pub library: PathBuf,
    _folder: TempDir,
}

/// What the compiler or the linker makes of an answer.
#[derive(Debug)]
pub(crate) enum Built {
    /// A library, and what the compiler warned of.
    Linked(Answer, String),
    /// The compiler refuses it.
    Refused(String),
    /// The linker refuses it.
    NotLinked(String),
}

impl Builder {
    /// Compiles the program that runs answers.
    pub(crate) fn new(workshop: &Workshop) -> Result<Self, GradeError> {
        let builder = Self { workshop: workshop.clone(), folder: workshop.folder("problems-")?, secret: random_word() };
        let folder = builder.folder.path();
        fs::write(folder.join("main.c"), format!("{}{RUNTIME}", glue::HOST))?;
        let output = builder
            .tool(Language::C, folder)
            .arguments(["-O1", "-w", "-fsanitize=address,undefined", "main.c", "-o", "run", "-ldl"])
            .run()?;
        match output.success() {
            true => Ok(builder),
            false => Err(GradeError::Runtime(messages(&output))),
        }
    }

    pub(crate) fn workshop(&self) -> &Workshop {
        &self.workshop
    }

    /// The program that runs answers.
    pub(crate) fn program(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    /// A new folder within ours, so that all go with it.
    fn new_folder(&self, prefix: &str) -> Result<TempDir, GradeError> {
        Ok(tempfile::Builder::new().prefix(prefix).tempdir_in(self.folder.path())?)
    }

    fn tool(&self, language: Language, folder: &Path) -> Tool {
        self.workshop.tool(language.gcc()).works_in(folder).wall(WALL).memory(MEMORY)
    }

    /// The same for a foreign text: what it may take of the processor is bounded, so that a busy machine refuses nothing.
    fn bounded_tool(&self, language: Language, folder: &Path) -> Tool {
        let tool = self.workshop.tool("prlimit").works_in(folder).wall(WALL).memory(MEMORY);
        tool.arguments(ANSWER_LIMITS).argument(language.gcc())
    }

    fn compile(
        &self,
        language: Language,
        folder: &Path,
        source: &str,
        flags: &[&str],
    ) -> Result<ToolOutput, GradeError> {
        let standard = if language.is_cpp() { "-std=gnu++20" } else { "-std=gnu17" };
        let object = Path::new(source).with_extension("o");
        let tool = self.bounded_tool(language, folder).arguments(FLAGS).arguments(flags).argument(standard);
        Ok(tool.arguments(["-x", language.as_str(), "-c", source, "-o"]).argument(object).run()?)
    }

    /// Compiles what calls a problem's function, or the program of tests.
    pub(crate) fn harness(&self, problem: &Problem) -> Result<Harness, GradeError> {
        let wrong = |why| GradeError::Problem { problem: problem.name.clone(), why };
        let folder = self.new_folder("harness-")?;
        let entry = format!("estrange_{}", self.secret);
        let (text, flags): (String, &[&str]) = match &problem.tests {
            Tests::Cases(cases) => {
                (glue::text(&cases.interface, &problem.context, &problem.signature, problem.language, &entry), &["-w"])
            }
            Tests::Program(program) => {
                let Program { text } = program;
                let Problem { context, signature, .. } = problem;
                (format!("{context}\n{signature};\n#line 1 \"{TESTS}\"\n{text}\n"), &["-w"])
            }
        };
        let source = format!("harness.{}", problem.language.ending());
        fs::write(folder.path().join(&source), text)?;
        let output = self.compile(problem.language, folder.path(), &source, flags)?;
        if !output.success() {
            return Err(wrong(messages(&output)));
        }
        let object = folder.path().join("harness.o");
        if let Tests::Program(_) = problem.tests {
            // Not by a macro: what is not `main` must return in the end.
            let renamed = format!("main={entry}");
            let output = self
                .workshop
                .tool("objcopy")
                .works_in(folder.path())
                .arguments(["--redefine-sym", &renamed, "harness.o"])
                .run()?;
            if !output.success() {
                return Err(wrong(messages(&output)));
            }
        }
        let symbols = undefined_symbols(&fs::read(&object)?, &problem.function, problem.language);
        if symbols.is_empty() {
            return Err(wrong(format!("its tests do not call `{}`", problem.function)));
        }
        let output = self.link(problem.language, folder.path(), &["harness.o", "-o", "harness.so"])?;
        if !output.success() {
            return Err(wrong(messages(&output)));
        }
        Ok(Harness { library: folder.path().join("harness.so"), entry, symbols, _folder: folder })
    }

    fn link(&self, language: Language, folder: &Path, arguments: &[&str]) -> Result<ToolOutput, GradeError> {
        let tool = self.bounded_tool(language, folder).argument("-shared").arguments(SANITIZERS);
        Ok(tool.arguments(arguments).argument("-lm").run()?)
    }

    /// Compiles an answer as a library in which nothing can be seen from outside but the function.
    pub(crate) fn answer(
        &self,
        problem: &Problem,
        harness: &Harness,
        context: Option<&str>,
        text: &str,
    ) -> Result<Built, GradeError> {
        let language = problem.language;
        let folder = self.new_folder("answer-")?;
        let name = format!("answer.{}", language.ending());
        let source = format!("text.{}", language.ending());
        // What the answer defines as a macro is of no use to it here: nothing is tested in this text.
        let signature = format!("{};\n", problem.signature);
        let before = context.map(|context| format!("#line 1 \"context\"\n{context}\n")).unwrap_or_default();
        let whole = format!("{before}#line 1 \"{name}\"\n{text}\n#line 1 \"signature\"\n{signature}");
        // The compiler shows lines from the files that are named.
        let parts = [(name.as_str(), text), ("context", context.unwrap_or_default()), ("signature", &signature)];
        for (name, text) in parts.into_iter().chain([(source.as_str(), whole.as_str())]) {
            fs::write(folder.path().join(name), text)?;
        }
        let output = self.compile(language, folder.path(), &source, SANITIZERS)?;
        let said = messages(&output);
        if !output.success() {
            return Ok(Built::Refused(said));
        }
        let symbols = harness.symbols.iter().map(|symbol| format!("{symbol}; ")).collect::<String>();
        fs::write(folder.path().join("exports"), format!("{{ global: {symbols}local: *; }};\n"))?;
        let required: Vec<String> =
            harness.symbols.iter().map(|symbol| format!("-Wl,--require-defined={symbol}")).collect();
        let mut arguments = vec![
            "text.o",
            "-o",
            "answer.so",
            "-Wl,--version-script=exports",
            "-Wl,-Bsymbolic",
            "-Wl,-z,defs",
            "-Wl,--no-gc-sections",
        ];
        arguments.extend(required.iter().map(String::as_str));
        let output = self.link(language, folder.path(), &arguments)?;
        if output.success() {
            let library = folder.path().join("answer.so");
            return Ok(Built::Linked(Answer { library, _folder: folder }, said));
        }
        let mut why = messages(&output);
        if why.contains("required symbol") {
            why = format!("{}\n{why}", missing(problem));
        }
        Ok(Built::NotLinked(why))
    }
}

/// What is said of an answer without the function.
pub(crate) fn missing(problem: &Problem) -> String {
    format!("the answer does not define `{}`", problem.signature)
}

/// What the text of a program of tests is called in what its assertions say.
pub(crate) const TESTS: &str = "estrange-tests";

/// What a compiler said, or how it was ended.
fn messages(output: &ToolOutput) -> String {
    let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.len() > MOST_MESSAGES {
        let end = (0..=MOST_MESSAGES).rev().find(|at| said.is_char_boundary(*at)).unwrap_or(0);
        said.truncate(end);
        said.push_str("\n[more was said]\n");
    }
    if !matches!(output.end, ToolEnd::Exited(_)) {
        said.push_str(&format!("the compiler {}\n", output.end));
    }
    said
}

/// The symbols by which an object refers to a function that it does not define.
fn undefined_symbols(object: &[u8], function: &str, language: Language) -> Vec<String> {
    let Ok(file) = ElfFile64::<Endianness>::parse(object) else { return Vec::new() };
    // A function outside of namespaces: its name with its length, then its parameters.
    let mangled = format!("_Z{}{function}", function.len());
    let is_it = |name: &str| name == function || language.is_cpp() && name.starts_with(&mangled);
    let undefined = file.symbols().filter(|symbol| symbol.is_undefined());
    let mut symbols: Vec<String> =
        undefined.filter_map(|symbol| symbol.name().ok().filter(|name| is_it(name)).map(str::to_owned)).collect();
    symbols.sort();
    symbols
}

/// A word that nobody can guess.
pub(crate) fn random_word() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}
