//! What the short words of a bench mean to a reader: stages, reasons, verdicts, classes.
//!
//! A bench may hold words that this program does not know; they are shown as they are, without their hyphens.

use estrange_bench::funnel::Class;
use estrange_bench::{Group, Kind, Language, STAGES_OF_CHOICE};

/// The stages in the order in which functions pass them.
const STAGES: [&str; 8] = ["source", "survey", "flatten", "parse", "find", "unit", "compile", "evidence"];

/// Where a stage comes among the others: what leaves functions out by choice is last.
pub fn stage_order(stage: &str) -> (usize, &str) {
    let place = |stages: &[&str]| stages.iter().position(|known| *known == stage);
    match (place(&STAGES), place(&STAGES_OF_CHOICE)) {
        (Some(place), _) => (place, stage),
        (_, Some(place)) => (STAGES.len() + 1 + place, stage),
        _ => (STAGES.len(), stage),
    }
}

/// What a class of functions is called.
pub fn class(class: Class) -> &'static str {
    match class {
        Class::C => "C functions",
        Class::CppFree => "C++ free functions",
        Class::CppMethod => "C++ methods",
        Class::Unknown => "not known",
    }
}

/// What a function is.
pub fn kind(language: Language, kind: Kind) -> String {
    let language = match language {
        Language::C => "C",
        Language::Cpp => "C++",
    };
    let kind = match kind {
        Kind::Template => "function template",
        other => other.as_str(),
    };
    format!("{language} {kind}")
}

/// What a group depends on.
pub fn group(group: Group) -> &'static str {
    match group {
        Group::One => "needs the standard library only",
        Group::Two => "needs types of its project",
        Group::Three => "calls functions of its project",
    }
}

/// What a reason means.
pub fn reason(reason: &str) -> String {
    let known = match &*reason.replace('_', "-") {
        // Variants.
        "name-shared-with-standard" => "a name is the project's and a header's, and one use may mean either",
        "pasted-name" => "the preprocessor puts a name together in a way that no new names follow",
        "no-place" => "there is nothing in it that the rewrite could change",
        "from-macro" => "a part that would have to be taken apart comes out of a macro",
        "directive-inside" => "the preprocessor is spoken to within the function",
        "unsupported-construct" => "it does something that the rewrite would not keep",
        "declaration" => "a declaration cannot be moved or taken apart",
        "dependence" => "the rounds of a loop may depend on each other",
        "jump" => "a jump leads where the rewrite cannot follow",
        "universal-character-name" => "a name is written with a universal character name",
        "trigraphs" => "the text has trigraphs",
        "differs" => "on some input it does something else: it is refused",
        "nothing-to-compare" => "no compiler writes code for it, a template perhaps",
        "no-helper" => "the linked unit does not have the text of each of its helpers as it stands",
        // Lowered functions.
        "header-missing" => "the target lacks a header that the unit includes",
        "inline-assembly" => "assembly in the source that the target does not know",
        "target-builtin" => "a built-in that the target does not have",
        "does-not-compile" => "the target's compiler refuses the unit",
        "compiler-ended" => "the compiler crashed, or took too long or too much memory",
        "function-has-no-code" => "no code is made for it: a template that nothing uses, perhaps",
        "ambiguous" => "several functions of the unit have its name",
        "output-unreadable" => "what the compiler wrote could not be read",
        "different" => "the code differs in more than names",
        "refused-by-gcc" => "gcc refuses it with new names",
        "refused-by-clang" => "clang refuses it with new names",
        "unit-refused-by-clang" => "clang refuses the unit as it is compiled to be compared",
        "unit-refused-by-gcc" => "gcc refuses the unit as it is compiled to be compared",
        "no-name" => "there is no other name for something",
        "not-in-the-data" => "the data that was imported does not have it",
        // Running.
        "template" => "it exists only for types that someone chooses",
        "varargs" => "it takes a number of arguments that it alone knows",
        "type" => "a value of a type cannot be made or looked at",
        "missing" => "the text does not define it",
        "refused" => "the parser or the compiler does not take the text",
        "unlinked" => "something that it needs is not defined",
        "not-repeatable" => "it does another thing each time",
        "never-returns" => "it ends on no input",
        "harness" => "the program around it failed",
        // Files and sources.
        "does-not-preprocess" => "the preprocessor refuses the file, often for want of a header",
        "preprocessor-timed-out" => "the preprocessor took too long",
        "preprocessor-over-memory" => "the preprocessor took too much memory",
        "includes-foreign-file" => "the file includes a file of this machine that is not the system's",
        "not-parsed" => "the text has the function, and the parser does not deliver it",
        "lambda-outside-function" => "a function without name, outside of all functions",
        "read-in-part" => "the parser gave up in the middle of the file",
        "does-not-parse" => "the parser found errors and no function",
        "not-text" => "the file has null bytes",
        "unreadable" => "it may not be read",
        "name-cannot-be-used" => "its name is too long, or not text",
        "nested-too-deeply" => "it is nested too deeply in folders",
        "submodule-not-fetched" => "a submodule of git is not part of the source: it is one of its own",
        "too-many-files" => "the source has more files than are looked at",
        "no-code" => "there is no C or C++ file in it",
        "file-too-large" => "the file is larger than is looked at",
        "no-compiler" => "there is no compiler for it on this machine",
        "parser-crashed" => "the parser crashed on it",
        "parser-timed-out" => "the parser took too long",
        "parser-over-memory" => "the parser took too much memory",
        "parser-unavailable" => "the parser could not be started",
        "cannot-be-surveyed" => "its files could not be told apart",
        "not-found" => "nothing of that name exists",
        "version-not-found" => "that version does not exist",
        "network" => "the network could not be reached",
        "hash-mismatch" => "the content is not what it was pinned to",
        "hostile-archive" => "the archive does what no honest archive does",
        "bad-spec" => "no kind of source is written like that",
        "revision-not-found" => "the repository has no such revision",
        "withdrawn" => "the registry took that version back",
        "server-refused" => "the server would not hand it out",
        "truncated-download" => "the download ended too early",
        "too-large" => "it is larger than is unpacked",
        "damaged-archive" => "the archive is damaged",
        "unsupported-format" => "no archive of that kind can be unpacked",
        "patch-does-not-apply" => "a patch of the package does not fit",
        "no-such-patch" => "the package has no such patch",
        "not-on-mirror" => "the mirror does not have that version any more",
        "no-debian-archive" => "this machine has no Debian archive",
        "tool-missing" => "a program that it takes is not there",
        "tool-failed" => "a program that it takes failed",
        "sandbox" => "the sandbox could not be used",
        "cache-read-only" => "the cache cannot be written",
        "cache-format" => "the cache is of another version",
        "disk-full" => "there is no room left on the disk",
        "io" => "a file could not be read or written",
        "internal-error" => "a mistake of Estrange's stopped the work",
        "no-flags" => "how to compile it is not known",
        // Functions.
        "unit-does-not-compile" => "clang does not compile the unit cut out for it",
        "macro-makes-several" => "one macro call makes it and others, so that it has no text of its own",
        "assembler-refuses" => "no assembler accepts the assembly in the unit",
        "gcc-refuses" => "gcc does not compile the unit, though clang does",
        "not-utf8" | "not-utf-8" => "the text is not UTF-8",
        "exact-duplicate" => "token for token the same as one that is kept",
        "near-duplicate" => "nearly the same as one that is kept",
        "no-arguments" => "there is no way to compile it",
        "over-share" => "its source has its share already",
        // Linking.
        "not-tried" => "nobody tried to link it",
        "too-many-lines" => "with all it needs it would be longer than allowed",
        "too-much-data" => "with all it needs it would be mostly data",
        "definition-not-found" => "something it needs is defined nowhere in the project",
        "definition-in-other-language" => "something it needs is defined in another language only",
        "no-function" => "the function is not where it should be",
        "static-collision" => "a name means different things in two of the files it needs",
        _ => return reason.replace(['-', '_'], " "),
    };
    known.to_owned()
}

/// What was found when machine code was compared.
pub fn verdict(verdict: &str) -> String {
    let known = match verdict {
        "same" => "the same as in its project",
        "explained" => "the same as in its project, but for a reason that was checked",
        "different" => "other than in its project",
        "absent-in-original" => "none in its project to compare with",
        "absent-in-unit" => "none in the unit to compare",
        "original-does-not-compile" => "none to compare with, as its project's file does not compile",
        "refused" => "none, as gcc does not compile the unit",
        other => return other.replace(['-', '_'], " "),
    };
    known.to_owned()
}

/// `o2` as a compiler's user writes it.
pub fn level(level: &str) -> String {
    match level.strip_prefix('o') {
        Some(number) if !number.is_empty() && number.len() <= 2 => format!("-O{number}"),
        _ => level.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_of_choice_come_last() {
        let mut stages = ["balance", "unheard-of", "compile", "duplicate", "parse"];
        stages.sort_by_key(|stage| stage_order(stage));
        assert_eq!(stages, ["parse", "compile", "unheard-of", "duplicate", "balance"]);
    }

    #[test]
    fn an_unknown_word_is_still_read() {
        assert_eq!(reason("moon-in_wrong-phase"), "moon in wrong phase");
        assert_eq!(level("o2"), "-O2");
        assert_eq!(level("original"), "original");
    }
}
