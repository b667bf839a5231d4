//! The installed clang, which compiles many units in one process, each as if it were compiled alone.
//!
//! Starting clang costs several times what a function of ordinary size costs. Its compiler proper takes any number of
//! files and writes one result for each, but after the first that it refuses it writes nothing more: that one is
//! compiled by itself, which says what is wrong with it, and those after it are compiled again.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use estrange_sandbox::{Tool, ToolEnd, ToolError, Workshop};
use estrange_words::{Hint, Language};
use tempfile::TempDir;

use crate::batch::{Compiled, UNIT_NAME, ended_alone, headers};
use crate::gcc::{Level, PLAIN_CODE};
use crate::precompiled::{self, Precompiled};

/// The program that is looked for in `PATH`.
const PROGRAM: &str = "clang-19";

/// Why clang cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ClangError {
    /// It could not be started.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// It gave an answer that cannot be used.
    #[error("clang could not be used: {0}")]
    Answer(String),
    /// The folder for its files cannot be used.
    #[error("the folder for compiling cannot be used: {0}")]
    Folder(#[from] std::io::Error),
}

impl Hint for ClangError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Tool(error) => error.hint(),
            Self::Answer(_) => Some("`estrange doctor` says which version is wanted, and how to install it".into()),
            Self::Folder(_) => Some("free some space, or name another folder with --cache".into()),
        }
    }
}

/// What a unit is turned into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Output {
    /// Assembly text.
    Assembly,
    /// LLVM's own language, as text.
    Ir,
    /// The same before any optimisation, with the checks of the sanitizer for undefined behaviour.
    Checks,
    /// An object file.
    Object,
}

/// The installed clang. Clones share what was found out, and the precompiled headers.
#[derive(Debug, Clone)]
pub struct Clang {
    program: String,
    /// What every call is told first.
    arguments: Vec<String>,
    version: String,
    workshop: Workshop,
    folder: Arc<TempDir>,
    calls: Arc<Mutex<HashMap<Asked, Arc<Call>>>>,
    precompiled: Arc<Precompiled<Level>>,
    /// How many units one process takes.
    most: usize,
}

/// What a call of the compiler proper depends on.
type Asked = (Language, Level, Output, Vec<String>);

/// How the driver would call the compiler proper, but for the files; its messages if it would not.
type Call = Result<(OsString, Vec<String>), String>;

/// A process takes at most so many units, and so much text, unless one unit alone is longer.
const UNITS: usize = 256;
const TEXT: usize = 8 << 20;
/// After a failure, the next process takes at least so many units.
const FEWEST: usize = 4;

/// How long a process may take, and how much longer for each of its units.
const WALL: Duration = Duration::from_secs(60);
const WALL_OF_A_UNIT: Duration = Duration::from_secs(2);
/// How much memory a process may have.
const MEMORY: u64 = 4 << 30;

/// What every call is told: nothing about warnings, and messages in plain lines.
const QUIET: &[&str] = &["-w", "-fno-caret-diagnostics", "-fno-color-diagnostics", "-ferror-limit=5"];

impl Clang {
    /// Finds clang. Files needed while compiling are kept in a new folder of the workshop, which goes with the last clone;
    /// it stays only if this process is killed.
    pub fn find(workshop: &Workshop) -> Result<Self, ClangError> {
        Self::driver(workshop, PROGRAM, &[])
    }

    /// As [`Self::find`], for the clang called `program`, every call of which gets `arguments`: its target, as a rule.
    pub fn driver(workshop: &Workshop, program: &str, arguments: &[String]) -> Result<Self, ClangError> {
        let folder = workshop.folder("estrange-clang-")?;
        // The driver wants to see the file that it is asked about.
        std::fs::write(folder.path().join(UNIT_NAME), "")?;
        let version = Tool::new(program).argument("--version").run()?.text();
        Ok(Self {
            program: program.to_owned(),
            arguments: arguments.to_vec(),
            version: version.lines().next().unwrap_or_default().to_owned(),
            workshop: workshop.clone(),
            folder: Arc::new(folder),
            calls: Arc::default(),
            precompiled: Arc::default(),
            most: UNITS,
        })
    }

    /// The first line of `clang --version`: part of what every result depends on.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The same clang, which compiles units one by one.
    pub fn one_by_one(mut self) -> Self {
        self.most = 1;
        self
    }

    /// Compiles each of `units`, whole texts, with `flags` besides those of the level. The results stand in the same
    /// order. Calls from several threads go side by side.
    ///
    /// The levels are plain: of those of gcc, only what keeps every function of C ([`Level::flags`]) and [`PLAIN_CODE`]
    /// have their like here. A unit whose flags clang does not know is refused.
    pub fn compile(
        &self,
        language: Language,
        level: Level,
        flags: &[String],
        units: &[&str],
    ) -> Result<Vec<Compiled>, ClangError> {
        let made = self.all(language, level, Output::Assembly, flags, units)?;
        let mut results: Vec<Compiled> = made.into_iter().map(Compiled::into_text).collect();
        self.assemble(language, level, flags, units, &mut results)?;
        Ok(results)
    }

    /// Compiles each of `units`, whole texts, with no flags but `flags`, and keeps every function of them, even if nothing
    /// calls it. The results stand in the same order.
    pub fn make(
        &self,
        language: Language,
        output: Output,
        flags: &[String],
        units: &[&str],
    ) -> Result<Vec<Compiled<Vec<u8>>>, ClangError> {
        self.all(language, Level::Given, output, flags, units)
    }

    pub(crate) fn all(
        &self,
        language: Language,
        level: Level,
        output: Output,
        flags: &[String],
        units: &[&str],
    ) -> Result<Vec<Compiled<Vec<u8>>>, ClangError> {
        let call = self.call(language, level, output, flags)?;
        let (program, arguments) = match call.as_ref() {
            Ok(known) => known,
            Err(messages) => return Ok(vec![Compiled::Refused { messages: messages.clone() }; units.len()]),
        };
        let batch = Batch { clang: self, program, arguments, language, level, output, units };
        let mut results: Vec<Option<Compiled<Vec<u8>>>> = vec![None; units.len()];
        let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, unit) in units.iter().enumerate() {
            // Headers of C are read faster than their precompiled form is loaded.
            let begin = if language == Language::Cpp && self.most > 1 { headers(unit) } else { "" };
            groups.entry(begin).or_default().push(index);
        }
        for (headers, group) in groups {
            let held = match headers {
                "" => None,
                // Functions of precompiled headers are not emitted with a unit, so that it is always worth it.
                _ if level == Level::Given => {
                    self.precompiled.get(level, flags, headers, group.len().max(2), || batch.precompile(headers))?
                }
                _ => self.precompiled.get(level, flags, headers, group.len(), || batch.precompile(headers))?,
            };
            let known = held.as_ref().and_then(|held| Some((headers, held.folder()?)));
            batch.all(&group, known, &mut results)?;
        }
        // Each was filled just above.
        Ok(results.into_iter().flatten().collect())
    }

    /// How the driver would call the compiler proper; it is asked once.
    fn call(
        &self,
        language: Language,
        level: Level,
        output: Output,
        flags: &[String],
    ) -> Result<Arc<Call>, ClangError> {
        let asked = (language, level, output, flags.to_vec());
        let known = self.calls.lock().unwrap_or_else(PoisonError::into_inner).get(&asked).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let output = self
            .workshop
            .tool(&self.program)
            .arguments(["-###"])
            .arguments(&self.arguments)
            .arguments(level_flags(language, level, output))
            .arguments(QUIET)
            .arguments(flags)
            .arguments(["-x", language.as_str(), UNIT_NAME])
            .environment("LC_ALL", "C")
            .directory(self.folder.path())
            .reads(self.folder.path().join(UNIT_NAME))
            .run()?;
        let call = if output.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let line = text.lines().find(|line| line.contains("\"-cc1\""));
            let line =
                line.ok_or_else(|| ClangError::Answer(format!("no compiler is named: {}", output.last_words(1))))?;
            let not_read = || ClangError::Answer(format!("its own call cannot be read: {line}"));
            Ok(compiler_proper(line).ok_or_else(not_read)?)
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let call = Arc::new(call);
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).insert(asked, Arc::clone(&call));
        Ok(call)
    }
}

/// The driver's flags of a level.
fn level_flags(language: Language, level: Level, output: Output) -> Vec<&'static str> {
    let mut flags = match output {
        Output::Assembly => vec!["-S"],
        Output::Ir => vec!["-S", "-emit-llvm"],
        Output::Checks => ["-S", "-emit-llvm"].into_iter().chain(CHECKS.iter().copied()).collect(),
        Output::Object => vec!["-c"],
    };
    match level {
        Level::Syntax => return vec!["-fsyntax-only"],
        Level::O0 => flags.push("-O0"),
        Level::O2 => flags.push("-O2"),
        Level::Given => {}
    }
    if level != Level::Given {
        flags.extend(PLAIN_CODE);
    }
    flags.extend(["-fno-addrsig", "-fno-verbose-asm"]);
    if language == Language::C || level == Level::Given {
        flags.extend(["-Xclang", "-femit-all-decls"]);
        flags.extend(NOT_TO_BE_EMITTED);
    }
    flags
}

/// Headers of clang's own that it cannot emit all of: their functions need a processor that others have not. They are
/// taken for read.
const NOT_TO_BE_EMITTED: [&str; 3] = ["-D__AMXINTRIN_H", "-D__AMX_COMPLEXINTRIN_H", "-D__AMX_FP16INTRIN_H"];

/// What puts checks in, each of which ends in an instruction that says which one it is. Those that compare the names of types
/// say nothing where names change.
const CHECKS: &[&str] = &[
    "-Xclang",
    "-disable-llvm-passes",
    "-fsanitize=undefined,float-divide-by-zero",
    "-fno-sanitize=function,vptr",
    "-fsanitize-trap=undefined,float-divide-by-zero",
];

/// The program and the arguments that the driver's line names, without the files, and without what makes one process
/// for each file: to free nothing at its end.
fn compiler_proper(line: &str) -> Option<(OsString, Vec<String>)> {
    let mut words = shlex::split(line)?.into_iter();
    let program = words.next()?.into();
    let mut arguments = Vec::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-disable-free" | "-clear-ast-before-backend" => {}
            "-o" | "-x" | "-dumpdir" => drop(words.next()),
            _ if word == UNIT_NAME && arguments.last().is_none_or(|last| last != "-main-file-name") => {}
            _ if word.starts_with("-fdebug-compilation-dir") || word.starts_with("-fcoverage-compilation-dir") => {}
            _ => arguments.push(word),
        }
    }
    Some((program, arguments))
}

/// Units that are compiled in the same way.
struct Batch<'a> {
    clang: &'a Clang,
    program: &'a OsString,
    arguments: &'a [String],
    language: Language,
    level: Level,
    output: Output,
    units: &'a [&'a str],
}

/// Headers that units begin with, and the folder of their precompiled form.
type Known<'a> = Option<(&'a str, &'a Path)>;

impl Batch<'_> {
    /// Compiles the units of `group`, in as few processes as it takes.
    fn all(
        &self,
        group: &[usize],
        known: Known<'_>,
        results: &mut [Option<Compiled<Vec<u8>>>],
    ) -> Result<(), ClangError> {
        let mut rest = group;
        let mut most = self.clang.most;
        while let [first, ..] = *rest {
            let taken = self.as_many_as_fit(&rest[..most.min(rest.len())]);
            let done = if self.clang.most == 1 { 0 } else { self.together(&rest[..taken], known, results)? };
            rest = &rest[done..];
            if done == taken {
                most = (most * 2).min(self.clang.most);
                continue;
            }
            // Where it stopped is known only if it writes something for each.
            if self.level != Level::Syntax || taken == 1 {
                let stopped = rest.first().copied().unwrap_or(first);
                tracing::debug!(stopped, "a unit is compiled by itself");
                results[stopped] = Some(self.alone(self.units[stopped])?);
                rest = rest.get(1..).unwrap_or_default();
                most = (done * 2).clamp(FEWEST, UNITS).min(self.clang.most);
            } else {
                most = taken / 2;
            }
        }
        Ok(())
    }

    /// How many of these one process takes.
    fn as_many_as_fit(&self, group: &[usize]) -> usize {
        let mut size = 0;
        let fits = |&&index: &&usize| {
            size += self.units[index].len();
            size <= TEXT
        };
        group.iter().take_while(fits).count().max(1)
    }

    /// Compiles these in one process: how many of the first ones were accepted, whose results are filled in.
    fn together(
        &self,
        group: &[usize],
        known: Known<'_>,
        results: &mut [Option<Compiled<Vec<u8>>>],
    ) -> Result<usize, ClangError> {
        let folder = tempfile::tempdir_in(self.clang.folder.path())?;
        let mut files = Vec::with_capacity(group.len());
        for (number, &index) in group.iter().enumerate() {
            let read = known.map_or(0, |(headers, _)| headers.len());
            let line = 1 + lines(&self.units[index][..read]);
            std::fs::create_dir(folder.path().join(number.to_string()))?;
            let file = format!("{number}/{UNIT_NAME}");
            std::fs::write(folder.path().join(&file), self.text(line, &self.units[index][read..]))?;
            files.push(file);
        }
        let mut call = self.call(files.len());
        if let Some((_, headers)) = known {
            call = call.reads(headers).argument("-include-pch").argument(headers.join(WRITTEN));
        }
        let output = call.arguments(["-x", self.language.as_str()]).arguments(files).works_in(folder.path()).run()?;
        if self.level == Level::Syntax {
            let accepted = || Some(Compiled::Accepted { assembly: Vec::new() });
            return Ok(if output.success() {
                group.iter().for_each(|&index| results[index] = accepted());
                group.len()
            } else {
                0
            });
        }
        let mut done = group.len();
        for (number, &index) in group.iter().enumerate() {
            // It is there only if there were no errors.
            let written =
                folder.path().join(number.to_string()).join(UNIT_NAME).with_extension(self.output.extension());
            match std::fs::read(written) {
                Ok(assembly) => results[index] = Some(Compiled::Accepted { assembly }),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    done = number;
                    break;
                }
                Err(error) => return Err(error.into()),
            }
        }
        // What was being written when the process was ended is not whole.
        if !matches!(output.end, ToolEnd::Exited(_)) {
            done = done.saturating_sub(1);
            results[group[done]] = None;
        }
        Ok(done)
    }

    /// What is compiled for a text that begins in this line of its unit.
    fn text(&self, line: usize, text: &str) -> String {
        if !self.keeps_functions() {
            return format!("#line {line} \"{UNIT_NAME}\"\n{text}");
        }
        // Those of the headers need not be kept.
        let (headers, rest) = text.split_at(headers(text).len());
        let next = line + lines(headers);
        let (before, after) = KEPT;
        format!("#line {line} \"{UNIT_NAME}\"\n{headers}{before}#line {next} \"{UNIT_NAME}\"\n{rest}{after}")
    }

    fn keeps_functions(&self) -> bool {
        match self.level {
            Level::Syntax => false,
            Level::O0 | Level::O2 => self.language == Language::C,
            Level::Given => true,
        }
    }

    /// One unit in processes of its own: as it is, for what is wrong with it, and then as it is compiled with others.
    fn alone(&self, unit: &str) -> Result<Compiled<Vec<u8>>, ClangError> {
        let plain = self.compiled(unit)?;
        if !plain.accepted() || !self.keeps_functions() {
            return Ok(plain);
        }
        let whole = self.compiled(&self.text(1, unit))?;
        Ok(if whole.accepted() { whole } else { plain })
    }

    /// What one process makes of one text.
    fn compiled(&self, text: &str) -> Result<Compiled<Vec<u8>>, ClangError> {
        let folder = tempfile::tempdir_in(self.clang.folder.path())?;
        std::fs::write(folder.path().join(UNIT_NAME), text)?;
        let call = self.call(1).arguments(["-o", "-", "-x", self.language.as_str(), UNIT_NAME]);
        Ok(ended_alone(call.works_in(folder.path()).run()?))
    }

    /// Precompiles headers into a folder of their own; nothing if they are refused.
    fn precompile(&self, headers: &str) -> Result<Option<TempDir>, ClangError> {
        let folder = tempfile::tempdir_in(self.clang.folder.path())?;
        std::fs::write(folder.path().join(precompiled::NAME), headers)?;
        let output = self
            .call(1)
            .arguments(["-emit-pch", "-fpch-instantiate-templates", "-x", "c++-header", precompiled::NAME])
            .arguments(["-o", WRITTEN])
            .works_in(folder.path())
            .run()?;
        Ok(output.success().then_some(folder))
    }

    /// A call of the compiler proper for so many units, but for its files.
    fn call(&self, units: usize) -> Tool {
        self.clang
            .workshop
            .tool(self.program)
            .arguments(self.arguments)
            // Writing to another name first makes the system write it to the disk at once.
            .argument("-fno-temp-file")
            .environment("LC_ALL", "C")
            // No reports of its own crashes.
            .environment("LLVM_DISABLE_SYMBOLIZATION", "1")
            .environment("LLVM_DISABLE_CRASH_REPORT", "1")
            .wall(WALL + WALL_OF_A_UNIT * u32::try_from(units).unwrap_or(u32::MAX))
            .memory(MEMORY)
    }
}

/// What stands before and after a unit of C, so that functions are kept which nothing calls. clang has no flag for that:
/// of what it is told to emit (`-femit-all-decls`) the optimiser drops what is not used. What is annotated is used. The
/// annotation itself leaves nothing in the code.
const KEPT: (&str, &str) = (
    "#pragma clang attribute push(__attribute__((annotate(\"\"))), apply_to = function)\n",
    "\n#undef pop\n#pragma clang attribute pop\n",
);

impl Output {
    /// How the names of such files end.
    fn extension(self) -> &'static str {
        match self {
            Output::Assembly => "s",
            Output::Ir | Output::Checks => "ll",
            Output::Object => "o",
        }
    }
}

/// How many lines end in a text.
fn lines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// The file name of precompiled headers.
const WRITTEN: &str = "headers.pch";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_driver_keep_their_spaces_and_quotes() {
        let (program, arguments) = compiler_proper(r#" "/a b/clang" "-cc1" "-DX=\"y\\z\"" "#).unwrap();
        assert_eq!(program, "/a b/clang");
        assert_eq!(arguments, ["-cc1", r#"-DX="y\z""#]);
    }

    #[test]
    fn files_and_folders_of_the_question_are_no_part_of_the_answer() {
        let line = r#" "clang" "-cc1" "-S" "-disable-free" "-main-file-name" "unit.c" "-fdebug-compilation-dir=/x" "-o" "unit.s" "-x" "c" "unit.c""#;
        let (program, arguments) = compiler_proper(line).unwrap();
        assert_eq!(program, "clang");
        assert_eq!(arguments, ["-cc1", "-S", "-main-file-name", "unit.c"]);
    }

    /// Whether one process takes all of these units, after `headers` that were written down.
    fn one_process_takes(language: Language, headers: &str, units: &[&str]) {
        let clang = Clang::find(&Workshop::temporary().unwrap()).unwrap();
        for level in [Level::Syntax, Level::O0, Level::O2] {
            let call = clang.call(language, level, Output::Assembly, &[]).unwrap();
            let (program, arguments) = call.as_ref().as_ref().unwrap();
            let batch = Batch { clang: &clang, program, arguments, language, level, output: Output::Assembly, units };
            let written = (!headers.is_empty()).then(|| batch.precompile(headers).unwrap().unwrap());
            let known = written.as_ref().map(|folder| (headers, folder.path()));
            let group: Vec<usize> = (0..units.len()).collect();
            let mut results = vec![None; units.len()];
            assert_eq!(batch.together(&group, known, &mut results).unwrap(), units.len(), "{level:?}");
            assert!(results.iter().flatten().all(Compiled::accepted));
        }
    }

    #[test]
    fn one_process_takes_many_c_units() {
        one_process_takes(Language::C, "", &["#include <stdio.h>\nint f;\n", "#include <stdio.h>\nint f;\n", ""]);
    }

    #[test]
    fn one_process_takes_many_cpp_units_after_precompiled_headers() {
        let headers = "#include <new>\n";
        one_process_takes(Language::Cpp, headers, &["#include <new>\nint f;\n", "#include <new>\nstd::nothrow_t g;\n"]);
    }

    #[test]
    fn what_was_accepted_before_an_error_need_not_be_compiled_again() {
        let clang = Clang::find(&Workshop::temporary().unwrap()).unwrap();
        let call = clang.call(Language::C, Level::O0, Output::Assembly, &[]).unwrap();
        let (program, arguments) = call.as_ref().as_ref().unwrap();
        let units = ["int a;\n", "int b;\n", "int c = missing;\n", "int d;\n"];
        let (language, level) = (Language::C, Level::O0);
        let output = Output::Assembly;
        let batch = Batch { clang: &clang, program, arguments, language, level, output, units: &units };
        let mut results = vec![None; 4];
        assert_eq!(batch.together(&[0, 1, 2, 3], None, &mut results).unwrap(), 2);
        assert_eq!(results.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false, false]);
    }
}
