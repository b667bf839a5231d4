//! Compiling many units in one call of a compiler, each as if it were compiled alone.
//!
//! Starting gcc's compiler proper, making it ready to write code and reading the standard headers cost several times
//! what a function of ordinary size costs. In a batch they are done once: the compiler reads what units have in common
//! at their start, and goes on in a copy of its process for each way in which they continue (`fork.c`). A unit's
//! result is what a call of its own would have given, and a compiler that crashes on one unit costs that unit only.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;

use estrange_sandbox::{Tool, ToolEnd, ToolOutput};
use estrange_words::Language;
use tempfile::TempDir;

use crate::gcc::{Gcc, GccError, Level};
use crate::precompiled;

/// The name a unit has for the compiler: in its messages, and as its `__FILE__`.
pub const UNIT_NAME: &str = "unit.c";

/// What became of a unit, as text or as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compiled<T = String> {
    /// It compiled; the assembly is empty for [`Level::Syntax`].
    Accepted {
        /// What the compiler wrote.
        assembly: T,
    },
    /// The compiler found errors.
    Refused {
        /// Its messages.
        messages: String,
    },
    /// The compiler ended otherwise: it crashed, or took too long or too much memory.
    Ended {
        /// How.
        how: String,
    },
}

impl<T> Compiled<T> {
    /// Whether it compiled.
    pub fn accepted(&self) -> bool {
        matches!(self, Compiled::Accepted { .. })
    }
}

impl Compiled<Vec<u8>> {
    /// The same as text, with anything that is not UTF-8 replaced.
    pub(crate) fn into_text(self) -> Compiled {
        match self {
            Compiled::Accepted { assembly } => {
                Compiled::Accepted { assembly: String::from_utf8_lossy(&assembly).into_owned() }
            }
            Compiled::Refused { messages } => Compiled::Refused { messages },
            Compiled::Ended { how } => Compiled::Ended { how },
        }
    }
}

impl Compiled {
    /// The assembly of a unit that compiled.
    pub fn assembly(&self) -> Option<&str> {
        match self {
            Compiled::Accepted { assembly } => Some(assembly),
            _ => None,
        }
    }
}

/// A call takes at most so many units, and so much text: what it prints must stay within what is kept of it.
const UNITS: usize = 256;
const TEXT: usize = 8 << 20;
/// What gcc 12 only warns about by default, and what nothing compiles with that is to be read by another compiler.
const REFUSED: &[&str] = &["-Werror=implicit-function-declaration", "-Werror=implicit-int"];

impl Gcc {
    /// Compiles each of `units`, whole texts, with `flags` besides those of the level. The results stand in the same
    /// order. Calls from several threads go side by side.
    ///
    /// In every unit, calling what is not declared is an error, as it is for clang; so is what the assembler refuses.
    pub fn compile(
        &self,
        language: Language,
        level: Level,
        flags: &[String],
        units: &[&str],
    ) -> Result<Vec<Compiled>, GccError> {
        let mut results: Vec<Option<Compiled>> = vec![None; units.len()];
        for part in parts(units) {
            if self.splitter.is_some() && (part.len() > 1 || language == Language::Cpp) {
                match language {
                    Language::C => self.together(language, level, flags, units, &part, None, &mut results)?,
                    Language::Cpp => self.by_headers(level, flags, units, &part, &mut results)?,
                }
            }
            for index in part {
                if results[index].is_none() {
                    tracing::debug!(index, "a unit is compiled by itself");
                    results[index] = Some(self.alone(language, level, flags, units[index])?);
                }
            }
        }
        // Each was filled just above, if not before.
        let mut results: Vec<Compiled> = results.into_iter().flatten().collect();
        self.assemble(language, level, flags, units, &mut results)?;
        Ok(results)
    }

    /// One unit in a call of its own.
    pub(crate) fn alone(
        &self,
        language: Language,
        level: Level,
        flags: &[String],
        unit: &str,
    ) -> Result<Compiled, GccError> {
        let folder = tempfile::tempdir_in(self.folder.path())?;
        std::fs::write(folder.path().join(UNIT_NAME), unit)?;
        let output = self.call(language, level, flags).argument(UNIT_NAME).works_in(folder.path()).run()?;
        Ok(ended_alone(output).into_text())
    }

    /// A call of the compiler proper, but for the file.
    pub(crate) fn call(&self, language: Language, level: Level, flags: &[String]) -> Tool {
        let proper = self.proper(language);
        self.tool(&proper.program)
            .argument("-quiet")
            .arguments(&proper.arguments)
            .arguments(level.flags(language))
            .arguments(if language == Language::C && !allows_implicit(flags) { REFUSED } else { &[] })
            .arguments(["-fmax-errors=5", "-fno-diagnostics-show-caret", "-fdiagnostics-color=never"])
            .arguments(flags)
            .arguments(["-o", "-"])
    }

    /// C++ is read whole before any of it is understood, so that what units have in common must be understood before:
    /// the headers at the start of several units are precompiled.
    fn by_headers(
        &self,
        level: Level,
        flags: &[String],
        units: &[&str],
        part: &[usize],
        results: &mut [Option<Compiled>],
    ) -> Result<(), GccError> {
        let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for &index in part {
            groups.entry(headers(units[index])).or_default().push(index);
        }
        for (headers, group) in groups {
            if headers.is_empty() {
                self.together(Language::Cpp, level, flags, units, &group, None, results)?;
            } else if let Some(held) =
                self.precompiled.get(level, flags, headers, group.len(), || self.precompile(level, flags, headers))?
            {
                let known = held.folder().map(|folder| (headers, folder));
                self.together(Language::Cpp, level, flags, units, &group, known, results)?;
            }
        }
        Ok(())
    }

    /// Precompiles headers of C++ into a folder of their own; nothing if they are refused.
    fn precompile(&self, level: Level, flags: &[String], headers: &str) -> Result<Option<TempDir>, GccError> {
        let folder = tempfile::tempdir_in(self.folder.path())?;
        std::fs::write(folder.path().join(precompiled::NAME), headers)?;
        let written = format!("--output-pch={}.gch", precompiled::NAME);
        let call = self.call(Language::Cpp, level, flags).argument(precompiled::NAME).argument(written);
        let output = call.works_in(folder.path()).run()?;
        Ok(output.success().then_some(folder))
    }

    /// Compiles the units of `part` in one call. Those that it says nothing of stay without result. What they all
    /// begin with may be `known`: written down in a folder.
    #[expect(clippy::too_many_arguments, reason = "private, and each is what a batch is made of")]
    fn together(
        &self,
        language: Language,
        level: Level,
        flags: &[String],
        units: &[&str],
        part: &[usize],
        known: Option<(&str, &Path)>,
        results: &mut [Option<Compiled>],
    ) -> Result<(), GccError> {
        let folder = tempfile::tempdir_in(self.folder.path())?;
        let plan = Plan::of(units, part, known.map_or("", |(headers, _)| headers));
        let marker = format!("#estrange-{:016x}", std::hash::RandomState::new().build_hasher().finish());
        std::fs::write(folder.path().join("plan"), plan.write(&marker))?;
        let mut root = String::new();
        let mut call = self.call(language, level, flags);
        if let Some((_, folder)) = known {
            call = call.reads(folder);
            let _ = writeln!(root, "#include \"{}\"", folder.join(precompiled::NAME).display());
        }
        root.push_str("#include \"estrange.fork.0\"\n");
        std::fs::write(folder.path().join(UNIT_NAME), root)?;
        call = call.argument(UNIT_NAME).works_in(folder.path()).environment("ESTRANGE_PLAN", "plan");
        if let Some(splitter) = &self.splitter {
            call = call.loads(splitter).environment("LD_PRELOAD", splitter);
        }
        if level == Level::Syntax {
            call = call.environment("ESTRANGE_SYNTAX", "1");
        }
        let output = call.run()?;
        let mut messages = sections(&String::from_utf8_lossy(&output.stderr), &marker);
        for (entry, (status, text)) in sections(&output.text(), &marker) {
            let Some(&Some(unit)) = plan.units.get(entry) else { continue };
            let messages = messages.remove(&entry).map(|(_, messages)| messages).unwrap_or_default();
            results[unit] = Some(ended(status, text, messages));
        }
        Ok(())
    }
}

/// Whether the dialect is C89, in which undeclared functions return `int`.
fn allows_implicit(flags: &[String]) -> bool {
    let dialect = flags.iter().rfind(|flag| flag.starts_with("-std=") || *flag == "-ansi");
    dialect.is_some_and(|flag| ["-ansi", "89", "90", "199409"].iter().any(|old| flag.ends_with(old)))
}

/// What a process's end and its outputs say of a unit.
pub(crate) fn ended_alone(output: ToolOutput) -> Compiled<Vec<u8>> {
    let status = match output.end {
        ToolEnd::Exited(code) => code << 8,
        ToolEnd::Signalled(signal) => signal,
        ToolEnd::TimedOut => libc_sigxcpu(),
        end @ (ToolEnd::OverMemory | ToolEnd::OverOutput) => {
            return Compiled::Ended { how: format!("the compiler {end}") };
        }
    };
    ended(status, output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What a process's status, as the kernel gives it, and its outputs say of a unit.
fn ended<T>(status: i32, assembly: T, messages: String) -> Compiled<T> {
    let (code, signal) = ((status >> 8) & 0xff, status & 0x7f);
    match (code, signal) {
        (0, 0) => Compiled::Accepted { assembly },
        (1, 0) => Compiled::Refused { messages },
        (4, 0) => Compiled::Ended { how: format!("the compiler failed: {}", messages.lines().next().unwrap_or("")) },
        (code, 0) => Compiled::Ended { how: format!("the compiler ended with code {code}") },
        (_, signal) if signal == libc_sigxcpu() => Compiled::Ended { how: "the compiler took too long".to_owned() },
        (_, signal) => Compiled::Ended { how: format!("the compiler was ended by signal {signal}") },
    }
}

/// The signal of a process that used up its time.
const fn libc_sigxcpu() -> i32 {
    24
}

/// Splits what a call printed at its markers: each entry's status and text.
fn sections(output: &str, marker: &str) -> BTreeMap<usize, (i32, String)> {
    let mut found = BTreeMap::new();
    let mut rest = output;
    let search = format!("\n{marker} ");
    while let Some((text, after)) = rest.split_once(&search) {
        let (line, after) = after.split_once('\n').unwrap_or((after, ""));
        let mut numbers = line.split(' ');
        let entry = numbers.next().and_then(|word| word.parse().ok());
        let status = numbers.next().and_then(|word| word.parse().ok());
        if let (Some(entry), Some(status)) = (entry, status) {
            found.insert(entry, (status, text.to_owned()));
        }
        rest = after;
    }
    found
}

/// Splits the units, by their indices, into what one call may take; those with the same opening stay together.
fn parts(units: &[&str]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|&index| &units[index][..opening(units[index])]);
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut size = 0;
    for index in order {
        let unit = units[index];
        match parts.last_mut() {
            Some(part) if part.len() < UNITS && size + unit.len() <= TEXT => part.push(index),
            _ => {
                parts.push(vec![index]);
                size = 0;
            }
        }
        size += unit.len();
    }
    parts
}

/// The part of a text's opening that ends with its last `#include`.
pub(crate) fn headers(text: &str) -> &str {
    let opening = &text[..opening(text)];
    let is_include = |line: &str| line.trim_start().trim_start_matches('#').trim_start().starts_with("include");
    let mut length = 0;
    let mut end = 0;
    for line in opening.split_inclusive('\n') {
        length += line.len();
        if is_include(line) {
            end = length;
        }
    }
    &opening[..end]
}

/// The length of a text's opening: its first lines, as far as they are blank, or directives that stand by themselves.
fn opening(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let alone = bare
            .strip_prefix('#')
            .map(str::trim_start)
            .is_some_and(|directive| ["include", "define", "undef"].iter().any(|name| directive.starts_with(name)));
        let whole = line.ends_with('\n') && !bare.ends_with('\\') && !bare.contains("/*");
        if !(bare.is_empty() || alone) || !whole || bare.contains("estrange.fork") {
            break;
        }
        length += line.len();
    }
    length
}

/// What is read in which order: a tree, whose ends are the units.
struct Plan {
    texts: Vec<String>,
    /// For each entry, its first follower and their number.
    followers: Vec<(usize, usize)>,
    /// For each entry, the unit that ends there.
    units: Vec<Option<usize>>,
}

/// Units, each with how many bytes of it have been read, and the entry they follow.
struct Branch {
    entry: usize,
    depth: usize,
    units: Vec<(usize, usize)>,
}

impl Plan {
    /// The plan for the units of `part`, after `headers`, with which each of them begins.
    fn of(units: &[&str], part: &[usize], headers: &str) -> Self {
        let mut plan = Self { texts: vec![String::new()], followers: vec![(0, 0)], units: vec![None] };
        let units_read = part.iter().map(|&index| (index, headers.len())).collect();
        let mut open = vec![Branch { entry: 0, depth: 0, units: units_read }];
        while let Some(branch) = open.pop() {
            let groups = group_by_next_line(units, branch.units);
            plan.followers[branch.entry] = (plan.texts.len(), groups.len());
            for group in groups {
                let entry = plan.texts.len();
                let (first, read) = group[0];
                let common = if group.len() == 1 { units[first].len() } else { common(units, &group) };
                let line = 1 + units[first][..read].bytes().filter(|&byte| byte == b'\n').count();
                let mut text = format!("#line {line} \"{UNIT_NAME}\"\n{}", &units[first][read..common]);
                plan.followers.push((0, 0));
                if group.len() == 1 {
                    plan.units.push(Some(first));
                } else {
                    plan.units.push(None);
                    // Writing to a string does not fail.
                    let _ = writeln!(text, "#include \"estrange.fork.{}\"", branch.depth + 1);
                    let units = group.into_iter().map(|(index, _)| (index, common)).collect();
                    open.push(Branch { entry, depth: branch.depth + 1, units });
                }
                plan.texts.push(text);
            }
        }
        plan
    }

    fn write(&self, marker: &str) -> String {
        let mut written = format!("{marker} {}\n", self.texts.len());
        let mut offset = 0;
        for (text, (first, count)) in self.texts.iter().zip(&self.followers) {
            // Writing to a string does not fail.
            let _ = writeln!(written, "{offset} {} {first} {count}", text.len());
            offset += text.len();
        }
        written.extend(self.texts.iter().map(String::as_str));
        written
    }
}

/// Puts together the units whose next line is the same and belongs to their opening. The others stay by themselves.
fn group_by_next_line(units: &[&str], members: Vec<(usize, usize)>) -> Vec<Vec<(usize, usize)>> {
    let mut groups: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut by_line: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, read) in members {
        let end = opening(units[index]);
        let line = (read < end).then(|| units[index][read..end].split_inclusive('\n').next()).flatten();
        match line {
            None => groups.push(vec![(index, read)]),
            Some(line) => {
                let place = *by_line.entry(line).or_insert(groups.len());
                if place == groups.len() {
                    groups.push(Vec::new());
                }
                groups[place].push((index, read));
            }
        }
    }
    groups
}

/// How far, in whole lines, the openings of these units are the same.
fn common(units: &[&str], group: &[(usize, usize)]) -> usize {
    let first = &units[group[0].0][..opening(units[group[0].0])];
    let mut length = first.len();
    for &(index, _) in &group[1..] {
        let other = &units[index][..opening(units[index])];
        let same = first.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        let whole = first.as_bytes()[..same].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        length = length.min(whole);
    }
    length
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_opening_ends_before_anything_that_does_not_stand_by_itself() {
        let length = |text: &str| opening(text);
        assert_eq!(length("#include <a>\n\n# define X 1\nint f;\n"), "#include <a>\n\n# define X 1\n".len());
        assert_eq!(length("#include <a>"), 0);
        assert_eq!(length("#if X\n#include <a>\n#endif\n"), 0);
        assert_eq!(length("#define X \\\n  1\n"), 0);
        assert_eq!(length("#include <a> /* b\n#include <c> */\n"), 0);
    }

    /// Each unit's texts, along the way to its end.
    fn ways(plan: &Plan) -> BTreeMap<usize, String> {
        let mut found = BTreeMap::new();
        let mut open = vec![(0, String::new())];
        while let Some((entry, before)) = open.pop() {
            let (first, count) = plan.followers[entry];
            for next in first..first + count {
                let own = |line: &&str| !line.starts_with("#line") && !line.contains("estrange.fork");
                let text: String = plan.texts[next].split_inclusive('\n').filter(own).collect();
                match plan.units[next] {
                    Some(unit) => drop(found.insert(unit, before.clone() + &text)),
                    None => open.push((next, before.clone() + &text)),
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn a_plan_has_each_unit_once_and_whole(
            units in proptest::collection::vec("(#include <[ab]>\n|\n|#define [XY]\n){0,4}(int [fg];\n){0,2}(#include <a>\n)?", 1..12)
        ) {
            let units: Vec<&str> = units.iter().map(String::as_str).collect();
            let part: Vec<usize> = (0..units.len()).collect();
            let found = ways(&Plan::of(&units, &part, ""));
            prop_assert_eq!(found.len(), units.len());
            for (index, text) in found {
                prop_assert_eq!(&text, units[index]);
            }
        }
    }

    #[test]
    fn a_call_takes_no_more_than_it_may() {
        let long = "x".repeat(TEXT);
        let units = vec![long.as_str(), "a", "b", long.as_str(), long.as_str()];
        assert_eq!(parts(&units), [vec![0], vec![1, 2], vec![3], vec![4]]);
        assert_eq!(parts(&vec!["a"; UNITS + 1]).len(), 2);
    }

    /// Whether one call says what became of each of these units, after `headers` that were written down.
    fn one_call_takes(language: Language, headers: &str, units: &[&str]) {
        let gcc = Gcc::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
        for level in [Level::Syntax, Level::O0, Level::O2] {
            let mut results = vec![None; units.len()];
            let part: Vec<usize> = (0..units.len()).collect();
            let written = (!headers.is_empty()).then(|| gcc.precompile(level, &[], headers).unwrap().unwrap());
            let known = written.as_ref().map(|folder| (headers, folder.path()));
            gcc.together(language, level, &[], units, &part, known, &mut results).unwrap();
            let taken: Vec<bool> = results.iter().map(|one| one.as_ref().is_some_and(Compiled::accepted)).collect();
            assert_eq!(taken, vec![true; units.len()], "{level:?} {results:?}");
        }
    }

    #[test]
    fn one_call_takes_many_c_units() {
        one_call_takes(Language::C, "", &["#include <stdio.h>\nint f;\n", "#include <stdio.h>\nint g;\n", "int h;\n"]);
    }

    #[test]
    fn one_call_takes_many_cpp_units_after_precompiled_headers() {
        let headers = "#include <new>\n";
        one_call_takes(Language::Cpp, headers, &["#include <new>\nint f;\n", "#include <new>\nstd::nothrow_t g;\n"]);
    }
}
