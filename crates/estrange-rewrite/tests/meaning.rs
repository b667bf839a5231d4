//! Every rewrite of shape on every function of a program: it must print what it printed, and no sanitizer may complain.

mod program;

use estrange_clang::Clang;
use estrange_rewrite::{Draw, Reshape};
use program::{Language, Program};

fn many() -> Program {
    Program::new(Language::C, include_str!("programs/many.c"))
}

/// A program of C++ with what a rewrite could get wrong there.
fn objects() -> Program {
    Program::new(Language::Cpp, include_str!("programs/objects.cpp"))
}

#[test]
fn every_rewrite_keeps_what_a_program_prints() {
    let clang = Clang::load().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let programs = [many(), objects()].map(|program| (program.printed(folder.path()), program));
    for reshape in Reshape::ALL {
        let mut all_refused = Vec::new();
        let mut applies = false;
        for (wanted, program) in &programs {
            let (new, refused) = program.rewritten(&clang, &reshape.name().parse().unwrap(), 1);
            all_refused.push(refused);
            if new.text != program.text {
                applies = true;
                assert_eq!(new.printed(folder.path()), *wanted, "{reshape}\n{}", new.text);
            }
        }
        assert!(applies, "{reshape} applies to none of the functions: {all_refused:?}");
    }
}

#[test]
fn rewrites_of_cpp_on_top_of_each_other_keep_it() {
    let clang = Clang::load().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let wanted = objects().printed(folder.path());
    for (recipe, seed) in
        [("semantic*3", 1), ("semantic*4", 2), ("inline*2", 3), ("inline,semantic*2,flatten", 4), ("outline,opaque", 5)]
    {
        let new = objects().rewritten(&clang, &recipe.parse().unwrap(), seed).0;
        assert_eq!(new.printed(folder.path()), wanted, "{recipe}\n{}", new.text);
    }
}

#[test]
fn rewrites_on_top_of_each_other_keep_it() {
    let clang = Clang::load().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let wanted = many().printed(folder.path());
    for seed in 1..=4 {
        let mut order = Reshape::ALL.to_vec();
        Draw::new("order", seed, 0).shuffle(&mut order);
        let mut program = many();
        for reshape in order.iter().take(12) {
            program = program.rewritten(&clang, &reshape.name().parse().unwrap(), seed).0;
        }
        assert_eq!(program.printed(folder.path()), wanted, "{order:?}\n{}", program.text);
    }
}
