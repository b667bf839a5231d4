//! Confirming a pair: its sides are compiled with sanitizers, and called in the sandbox.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use estrange_sandbox::{Command, End, Outcome, Sanitizer, Verdict, Workshop};

use crate::layout::{Call, Pair};

/// How often each side is called on the trigger.
const TIMES: usize = 5;

/// What begins a finding, in a sanitizer's own words and then what else it says of it, and the class that it belongs to.
pub const CLASSES: [(&str, &str); 42] = [
    ("signed integer overflow +", "add-overflow"),
    ("signed integer overflow -", "subtract-overflow"),
    ("signed integer overflow *", "multiply-overflow"),
    ("negation of ", "negate-overflow"),
    ("division of ", "division-overflow"),
    ("division by zero", "division-by-zero"),
    ("shift exponent ", "shift-exponent"),
    ("left shift of ", "shift-base"),
    ("heap-buffer-overflow READ before", "heap-underflow-read"),
    ("heap-buffer-overflow READ", "heap-overflow-read"),
    ("heap-buffer-overflow WRITE behind", "heap-overflow-write"),
    ("stack-buffer-overflow READ", "stack-overflow-read"),
    ("stack-buffer-overflow WRITE", "stack-overflow-write"),
    ("dynamic-stack-buffer-overflow WRITE", "stack-overflow-write"),
    ("stack-buffer-underflow WRITE", "stack-underflow-write"),
    ("global-buffer-overflow READ", "global-overflow-read"),
    ("global-buffer-overflow WRITE", "global-overflow-write"),
    ("SEGV READ", "wild-read"),
    ("index ", "index-out-of-bounds"),
    ("heap-use-after-free READ", "use-after-free-read"),
    ("heap-use-after-free WRITE", "use-after-free-write"),
    ("stack-use-after-return READ", "use-after-return-read"),
    ("stack-use-after-scope READ", "use-after-scope-read"),
    ("attempting double-free", "double-free"),
    ("attempting free", "invalid-free"),
    ("alloc-dealloc-mismatch", "mismatched-free"),
    ("new-delete-type-mismatch", "mismatched-free"),
    ("load of null pointer", "null-pointer"),
    ("store to null pointer", "null-pointer"),
    ("member access within null pointer", "null-pointer"),
    ("member call on null pointer", "null-pointer"),
    ("null pointer passed as argument", "null-argument"),
    ("load of misaligned address", "misaligned"),
    ("member access within misaligned address", "misaligned"),
    ("memcpy-param-overlap", "overlap"),
    ("strcpy-param-overlap", "overlap"),
    ("strcat-param-overlap", "overlap"),
    ("negative-size-param", "negative-size"),
    // Of a `bool`; other types are told with their value.
    ("load of value ", "invalid-bool"),
    ("execution reached the end of a value-returning function", "missing-return"),
    ("variable length array bound evaluates to non-positive value", "array-length"),
    ("use-of-uninitialized-value", "uninitialised-use"),
];

/// A way to compile a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    c: &'static str,
    cpp: &'static str,
    sanitizers: &'static str,
}

const GCC: Way = Way { c: "gcc", cpp: "g++", sanitizers: "-fsanitize=address,undefined" };
const CLANG: Way = Way { c: "clang-19", cpp: "clang++-19", sanitizers: "-fsanitize=address,undefined" };
/// What gcc has nothing for.
const MEMORY: Way = Way { sanitizers: "-fsanitize=memory", ..CLANG };

/// Behind the unit: what the calls of `pair.toml` may use.
const WORDS: &str = "
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((unused)) static void *copied(const void *bytes, size_t size) {
    void *made = malloc(size);
    memcpy(made, bytes, size);
    return made;
}
#define BYTES(text) ((unsigned char *)copied(text, sizeof(text) - 1))
#define TEXT(text) ((char *)copied(text, sizeof(text)))
";

/// What keeps a pair from being one; nothing if all is well.
pub fn problems(workshop: &Workshop, pair: &Pair) -> Vec<String> {
    let Some(line) = pair.line() else { return vec!["its line is not there, or not once".to_owned()] };
    let ways = match pair.about.class.as_str() {
        "uninitialised-use" => vec![MEMORY],
        _ => vec![GCC, CLANG],
    };
    let (mut problems, mut harmless) = (Vec::new(), BTreeSet::new());
    for way in ways {
        for (side, text) in [("vulnerable", &pair.vulnerable), ("patched", &pair.patched)] {
            let folder = workshop.folder("pair-").unwrap();
            let mut say = |said: String| problems.push(format!("{} {side}: {said}", way.c));
            if let Err(messages) = compile(workshop, folder.path(), way, pair, side, text) {
                say(messages);
                continue;
            }
            let outcomes = (0..TIMES).map(|_| run(workshop, folder.path(), way, "trigger"));
            if side == "patched" {
                outcomes.filter(|outcome| !outcome.success()).for_each(|outcome| say(outcome.end.to_string()));
            } else {
                // What is alike is looked up once.
                let findings: BTreeSet<_> = outcomes.map(|outcome| found(&outcome)).collect();
                let wrong = |finding| is_wrong(workshop, folder.path(), pair, line, finding);
                findings.into_iter().filter_map(wrong).for_each(&mut say);
            }
            let outcome = run(workshop, folder.path(), way, "benign");
            if !outcome.success() {
                say(format!("on harmless inputs: {}", outcome.end));
            }
            harmless.insert(outcome.stdout);
        }
    }
    if harmless.len() > 1 {
        problems.push("the sides do not do the same on harmless inputs".to_owned());
    }
    problems
}

/// What is wrong with a finding on the vulnerable side; nothing if it is the one that the pair tells.
fn is_wrong(workshop: &Workshop, folder: &Path, pair: &Pair, line: usize, finding: Finding) -> Option<String> {
    let (class, places) = match finding {
        Ok(finding) => finding,
        Err(end) => return Some(end),
    };
    if class != pair.about.class {
        return Some(format!("{class}, not {}", pair.about.class));
    }
    let at = line_of(workshop, folder, &format!("vulnerable.{}", pair.about.language), &places);
    (at != Some(line)).then(|| format!("at {at:?}, not line {line}: {places:?}"))
}

/// Compiles a side and its calls to the program `program`.
fn compile(workshop: &Workshop, folder: &Path, way: Way, pair: &Pair, side: &str, text: &str) -> Result<(), String> {
    let language = &pair.about.language;
    let (unit, driver) = (format!("{side}.{language}"), format!("driver.{language}"));
    fs::write(folder.join(&unit), text).unwrap();
    fs::write(folder.join(&driver), calls(pair, &unit)).unwrap();
    let tool = workshop
        .tool(if language == "cpp" { way.cpp } else { way.c })
        .works_in(folder)
        // Of a newer version of DWARF, `addr2line` takes one file for another.
        .arguments(["-Wall", "-O0", "-g1", "-gdwarf-4", way.sanitizers, "-fno-sanitize-recover=all"])
        .arguments(["-o", "program", &driver]);
    let output = if way == CLANG { tool.arguments(shared(workshop)) } else { tool }.run().unwrap();
    if output.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Lets clang link its sanitizer as a library, as gcc does, which takes half the time.
fn shared(workshop: &Workshop) -> &'static [String] {
    static ARGUMENTS: OnceLock<[String; 2]> = OnceLock::new();
    ARGUMENTS.get_or_init(|| {
        let output = workshop.tool(CLANG.c).argument("-print-file-name=libclang_rt.asan-x86_64.so").run().unwrap();
        let library = String::from_utf8(output.stdout).unwrap();
        let folder = Path::new(library.trim()).parent().unwrap();
        ["-shared-libasan".to_owned(), format!("-Wl,-rpath,{}", folder.display())]
    })
}

/// A program that makes the call of the trigger, or all harmless ones if it is given a word, and prints what came of them.
fn calls(pair: &Pair, unit: &str) -> String {
    let case = |(number, call): (usize, &Call)| {
        let Call { setup, call } = call;
        format!("static long long call_{number}(void) {{\n{setup}\nreturn (long long)({call});\n}}\n")
    };
    let trigger = case((0, &pair.about.trigger));
    let benign: String = pair.about.benign.iter().enumerate().map(|(number, call)| case((number + 1, call))).collect();
    let say = |number: usize| format!("printf(\"%lld\\n\", call_{number}());\n");
    let all: String = (1..=pair.about.benign.len()).map(say).collect();
    format!(
        "#include \"{unit}\"\n{WORDS}{trigger}{benign}int main(int count, char **words) {{\n(void)words;\n\
         if (count > 1) {{\n{all}}} else {{\n{}}}\nreturn 0;\n}}\n",
        say(0)
    )
}

fn run(workshop: &Workshop, folder: &Path, way: Way, input: &str) -> Outcome {
    let options = "exitcode=66:symbolize=0:allocator_may_return_null=1:detect_leaks=0:detect_stack_use_after_return=1";
    let mut command = Command::new("/input/program").input(folder.join("program"), "program").sanitized();
    if way == MEMORY {
        // Its shadow does not go together with every address.
        command = command.fixed_addresses(true);
    } else {
        command = command.environment("ASAN_OPTIONS", options);
    }
    if input == "benign" {
        command = command.argument(input);
    }
    workshop.sandbox().run(&command).unwrap()
}

/// What a sanitizer found: the class, and the places of the first stack as far as they are told, from the inside out. Or
/// how the run ended, if that was something else.
type Finding = Result<(&'static str, Vec<String>), String>;

fn found(outcome: &Outcome) -> Finding {
    let said = String::from_utf8_lossy(&outcome.stderr);
    let End::Sanitizer(Verdict { sanitizer, fault }) = &outcome.end else {
        return Err(format!("{} {said}", outcome.end));
    };
    let finding = format!("{fault} {}", details(&said));
    let class = CLASSES.iter().find(|(words, _)| finding.starts_with(words)).ok_or(format!("no class: {said}"))?.1;
    let places = match sanitizer {
        Sanitizer::UndefinedBehavior => said.lines().filter(|line| line.contains(": runtime error: ")).collect(),
        _ => offsets(&said),
    };
    Ok((class, places.into_iter().map(str::to_owned).collect()))
}

/// What a report says more of its finding: the operator, or the access and on which side of an object it was.
fn details(said: &str) -> String {
    if let Some((_, operation)) = said.split_once("signed integer overflow: ") {
        return operation.split(' ').nth(1).unwrap_or_default().to_owned();
    }
    let has = |words: &str| said.contains(words);
    let access = match () {
        () if has("READ of size ") || has("caused by a READ") => "READ",
        () if has("WRITE of size ") || has("caused by a WRITE") => "WRITE",
        () => "",
    };
    // In gcc's words and in clang's.
    let located = said.lines().find(|line| line.contains(" is located ")).unwrap_or_default();
    let is_before = located.contains(" to the left of ") || located.contains(" before ");
    format!("{access} {}", if is_before { "before" } else { "behind" })
}

/// The offsets in the program of the first stack of a report.
fn offsets(said: &str) -> Vec<&str> {
    let frames = said.lines().skip_while(|line| !line.trim_start().starts_with("#0 "));
    let frames = frames.take_while(|line| line.trim_start().starts_with('#'));
    frames.filter_map(|line| Some(line.split_once("(/input/program+")?.1.split_once(')')?.0)).collect()
}

/// The line of the unit in which the innermost of some places is.
fn line_of(workshop: &Workshop, folder: &Path, unit: &str, places: &[String]) -> Option<usize> {
    let offsets = places.iter().filter(|place| place.starts_with("0x"));
    let tool = workshop.tool("addr2line").works_in(folder).arguments(["-e", "program"]).arguments(offsets);
    let told = String::from_utf8_lossy(&tool.run().unwrap().stdout).into_owned();
    places.iter().map(String::as_str).chain(told.lines()).find_map(|place| line_in(place, unit))
}

/// The line of a place such as `/folder/unit.c:7:3: …` or `./unit.c:7 (…)`.
fn line_in(place: &str, unit: &str) -> Option<usize> {
    let (folder, rest) = place.split_once(&format!("{unit}:"))?;
    let digits = rest.split_once(|end: char| !end.is_ascii_digit()).map_or(rest, |(digits, _)| digits);
    (folder.is_empty() || folder.ends_with('/')).then(|| digits.parse().ok()).flatten()
}
