//! Functions that do what few do: `setjmp`, assembly, jumps to addresses, lengths known only when the program runs, braces
//! that macros open; and those that only C++ has. Every rewrite and every setting either says why it does not apply, or
//! gives a program that compiles and prints what it printed.

mod program;

use estrange_clang::Clang;
use estrange_rewrite::{NAMED, Reshape, Setting};
use estrange_words::Reason;
use program::{Language, Program};

/// The settings that are tried: those that have a name, but for synonyms, and every rewrite of shape.
fn settings() -> Vec<Setting> {
    let named = NAMED.iter().map(|(name, _)| *name).filter(|name| !name.contains("symbol"));
    let more = ["inline*2", "outline,flatten", "semantic*3,neutralize", "structure,semantic*2"];
    let all = named.chain(more).chain(Reshape::ALL.iter().map(|reshape| reshape.name()));
    all.map(|name| name.parse().expect("a setting")).collect()
}

/// Checks a program in all settings, on all processors.
fn check(program: &Program, seeds: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let wanted = program.printed(folder.path());
    let settings = settings();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for first in 0..threads {
            let mine = settings.iter().skip(first).step_by(threads);
            let wanted = &wanted;
            scope.spawn(move || mine.for_each(|setting| check_setting(program, setting, seeds, wanted)));
        }
    });
}

fn check_setting(program: &Program, setting: &Setting, seeds: u64, wanted: &str) {
    let clang = Clang::load().expect("libclang");
    let folder = tempfile::tempdir().expect("a folder");
    let mut before = String::new();
    for seed in 1..=seeds {
        let (new, refused) = program.rewritten(&clang, setting, seed);
        assert!(refused.iter().all(|refusal| refusal.reason() != Reason::DoesNotParse), "{setting}: {refused:?}");
        // Many rewrites do the same for every seed.
        if new.text != before {
            assert_eq!(new.printed(folder.path()), wanted, "{setting}, seed {seed}\n{}", new.text);
        }
        before = new.text;
    }
}

#[test]
fn odd_functions_are_rewritten_rightly_or_not_at_all() {
    check(&Program::new(Language::C, include_str!("programs/odd.c")), 2);
}

#[test]
fn what_macros_write_is_rewritten_rightly_or_not_at_all() {
    check(&Program::new(Language::C, include_str!("programs/macros.c")), 2);
}

#[test]
fn functions_as_only_cpp_has_them_are_rewritten_rightly_or_not_at_all() {
    check(&Program::new(Language::Cpp, include_str!("programs/odd.cpp")), 1);
}

#[test]
fn coroutines_are_rewritten_rightly_or_not_at_all() {
    check(&Program::new(Language::Cpp, include_str!("programs/coroutine.cpp")), 2);
}

#[test]
fn what_the_parser_does_not_know_is_refused() {
    let text = "int outer(int n) { int inner(int x) { return x + n; } return inner(3); }\n";
    let program = Program::new(Language::C, text);
    let clang = Clang::load().expect("libclang");
    for setting in settings().iter().filter(|setting| setting.recipe().reshapes()) {
        let (new, refused) = program.rewritten(&clang, setting, 1);
        assert_eq!(new.text, text);
        assert!(refused.iter().all(|refusal| refusal.reason() == Reason::DoesNotParse), "{setting}: {refused:?}");
    }
}
