//! Every rewrite of shape on every function of a program: it must print what it printed, and no sanitizer may complain.

use std::path::Path;

use estrange_clang::Clang;
use estrange_rewrite::{Draw, Reshape, Subject};
use estrange_sandbox::Tool;

const PROGRAM: &str = include_str!("programs/many.c");

/// The program after a rewrite of all its functions but `main`, and how many it applies to.
fn rewritten(clang: &Clang, text: &str, reshape: Reshape, seed: u64) -> (String, usize) {
    let tree = clang.tree(text, &["-xc".to_owned()]);
    assert!(tree.troubles.is_empty(), "{:?}\n{text}", tree.troubles);
    let mut text = text.to_owned();
    let mut applied = 0;
    let old = text.clone();
    for (number, function) in tree.functions.iter().enumerate().rev() {
        let name = &tree.thing(function.thing).name;
        // What others put before it stands behind it now: places before it are as they were.
        let subject = Subject { text: &old, tree: &tree, function: number, is_cpp: false };
        if name == "main" || reshape == Reshape::Outline && applied > 0 {
            continue;
        }
        if let Ok(edited) = reshape.apply(&subject, &mut Draw::new(name, seed, 0)) {
            text.replace_range(function.start as usize..function.end as usize, edited.function_text());
            applied += 1;
        }
    }
    (text, applied)
}

/// What a program prints.
fn printed(text: &str, folder: &Path) -> String {
    std::fs::write(folder.join("program.c"), text).expect("a file is written");
    let flags =
        ["-w", "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-o", "program", "program.c"];
    let compiled = Tool::new("gcc").arguments(flags).directory(folder).run().expect("gcc is there");
    assert!(compiled.success(), "{}\n{text}", compiled.last_words(5));
    let output = Tool::new(folder.join("program")).directory(folder).run().expect("the program starts");
    assert!(output.success(), "{}\n{text}", output.last_words(8));
    output.text()
}

#[test]
fn every_rewrite_keeps_what_a_program_prints() {
    let clang = Clang::load().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let wanted = printed(PROGRAM, folder.path());
    for reshape in Reshape::ALL {
        let (text, applied) = rewritten(&clang, PROGRAM, *reshape, 1);
        assert!(applied > 0, "{reshape} applies to none of the functions");
        assert_eq!(printed(&text, folder.path()), wanted, "{reshape}\n{text}");
    }
}

#[test]
fn rewrites_on_top_of_each_other_keep_it() {
    let clang = Clang::load().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let wanted = printed(PROGRAM, folder.path());
    for seed in 1..=4 {
        let mut order = Reshape::ALL.to_vec();
        Draw::new("order", seed, 0).shuffle(&mut order);
        let mut text = PROGRAM.to_owned();
        for reshape in order.iter().take(12) {
            text = rewritten(&clang, &text, *reshape, seed).0;
        }
        assert_eq!(printed(&text, folder.path()), wanted, "{order:?}\n{text}");
    }
}
