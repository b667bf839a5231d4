//! What is shown of fixed texts, and what is made for it: it changes only with the version.
//!
//! No output has anything of a compiler in it: another release of one must not change them.

#![allow(clippy::unwrap_used)]

#[path = "../../golden.rs"]
mod golden;

use std::path::Path;

use estrange_evidence::code::{Opening, compiled_with, marked, with_code};
use estrange_evidence::leaks::{is_language, left, project_names};
use estrange_evidence::{
    Clang, Gcc, IdenticalCode, LEVELS, Language, Pair, Refusal, Renames, VERSION, has_words_for_the_assembler,
    identical_code, unit_flags,
};
use estrange_sandbox::Workshop;

const SUM: &str = "int total(const int *list, int n) { int s = 0; while (n--) s += list[n]; return s; }\n";
const ASSERTED: &str = "#include <assert.h>\nint half(int even) { assert(even % 2 == 0); return even / 2; }\n";
const TEMPLATE: &str = "#include <list>\n#define API(x) x\n#include <set>\n\
    template <class Item> __attribute__((noinline)) static API(inline) Item first(const std::list<Item> &all) { return all.front(); }\n";

/// What both compilers say of a text and of the same with another text for some words.
fn shown(old: &str, pairs: &[(&str, &str)], new: &str) -> String {
    let workshop = Workshop::temporary().unwrap();
    let (gcc, clang) = (Gcc::find(&workshop).unwrap(), Clang::find(&workshop).unwrap());
    let renames = Renames::new(pairs.iter().copied());
    let pair = Pair { old, new, renames: &renames };
    let found = identical_code(&gcc, &clang, Language::C, &[], &LEVELS, &[pair], &|name| name == "__assert_fail");
    match found.unwrap().remove(0) {
        Ok(code) => verdicts(&code),
        Err(Refusal { compiler, side, .. }) => format!("{compiler:?} {side:?}"),
    }
}

/// The verdicts, without the lines of assembly that they quote.
fn verdicts(code: &IdenticalCode) -> String {
    let verdict = |verdict: &estrange_evidence::Identical| format!("{verdict:?}").split('{').next().unwrap().to_owned();
    let all = code.verdicts().map(|(compiler, level, found)| format!("{compiler:?} {level:?} {}", verdict(found)));
    format!("{} {:?}", all.collect::<Vec<_>>().join(", "), code.explanations())
}

#[test]
fn what_is_shown_changes_with_the_version_only() {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let owned = |name: &str| is_language(name) || name == "assert";
    let mut names: Vec<String> = project_names(ASSERTED, &owned).into_iter().collect();
    names.sort();
    let flags =
        words("-xc -I/x -O3 -DA=1 -std=gnu99 -fno-strict-aliasing -Wall -g -funsigned-char -include config.h -c a.c");
    let renamed = SUM.replace("total", "f0").replace("list", "a0");
    let outputs = [
        ("renamed", shown(SUM, &[("total", "f0"), ("list", "a0")], &renamed)),
        ("renamed beside an assertion", {
            shown(ASSERTED, &[("half", "f0"), ("even", "a0")], &ASSERTED.replace("half", "f0").replace("even", "a0"))
        }),
        ("something else", shown(SUM, &[("total", "f0")], &SUM.replace("total", "f0").replace("+=", "-="))),
        ("refused", shown(SUM, &[("total", "f0")], "int f0(")),
        ("flags of a unit", format!("{:?}", unit_flags(&flags))),
        ("compiled together", format!("{:?}", compiled_with(Language::Cpp, &flags, TEMPLATE))),
        ("includes first", Opening::of(TEMPLATE).unwrap().includes_first()),
        ("marked", marked(TEMPLATE, TEMPLATE.find("template").unwrap(), "__attribute__((used)) ")),
        ("with code", with_code(SUM, "total", 0..SUM.trim_end().len())),
        ("names", format!("{names:?}")),
        ("left", format!("{:?}", left(ASSERTED, &ASSERTED.replace("half", "f0 /* half */"), &owned))),
        (
            "words for the assembler",
            format!("{:?}", [SUM, "void f(void) { asm(\"nop\"); }"].map(has_words_for_the_assembler)),
        ),
    ];
    let outputs = outputs.map(|(name, output)| (name.to_owned(), output));
    golden::check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt"), VERSION, &outputs);
}
