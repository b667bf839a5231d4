//! Every rewrite of shape on every function of a program: it must print what it printed, and no sanitizer may complain.

use std::path::Path;

use estrange_clang::{Clang, Tree};
use estrange_rewrite::{Draw, Reshape, Subject};
use estrange_sandbox::Tool;

const PROGRAM: &str = include_str!("programs/many.c");

/// The program after a rewrite of all its functions but `main`, and how many it applies to.
fn rewritten(clang: &Clang, text: &str, reshape: Reshape, seed: u64) -> (String, usize) {
    let read = |text: &str| {
        let tree = clang.tree(text, &["-xc".to_owned()]);
        assert!(tree.troubles.is_empty(), "{reshape}: {:?}\n{text}", tree.troubles);
        tree
    };
    let mut text = text.to_owned();
    let mut tree = read(&text);
    let name_of = |tree: &Tree, number: usize| tree.thing(tree.functions[number].thing).name.clone();
    let names: Vec<String> = (0..tree.functions.len()).map(|number| name_of(&tree, number)).collect();
    let mut applied = 0;
    for name in names.iter().filter(|name| *name != "main") {
        let number = (0..tree.functions.len()).find(|number| name_of(&tree, *number) == *name).expect("it is there");
        let subject = Subject { text: &text, tree: &tree, function: number, is_cpp: false };
        if let Ok(edited) = reshape.apply(&subject, &mut Draw::new(name, seed, 0)) {
            text = edited.text;
            tree = read(&text);
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
