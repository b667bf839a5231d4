//! Every rewrite of shape on every function of a program: it must print what it printed, and no sanitizer may complain.

mod program;

use estrange_clang::Clang;
use estrange_rewrite::{Draw, Reshape};
use program::{Language, Program};

fn many() -> Program {
    Program::new(Language::C, include_str!("programs/many.c"))
}

#[test]
fn every_rewrite_keeps_what_a_program_prints() {
    let clang = Clang::load().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let wanted = many().printed(folder.path());
    for reshape in Reshape::ALL {
        let (new, refused) = many().rewritten(&clang, &reshape.name().parse().unwrap(), 1);
        assert_ne!(new.text, many().text, "{reshape} applies to none of the functions: {refused:?}");
        assert_eq!(new.printed(folder.path()), wanted, "{reshape}\n{}", new.text);
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
