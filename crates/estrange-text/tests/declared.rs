//! Files in which one function is defined and the others are declared only: they still compile.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use estrange_text::lexer::lex;
use estrange_text::outline::{bodies, definitions};
use estrange_text::splice::splice;

/// What stands behind the first key of this name.
fn value(toml: &str, key: &str) -> String {
    let line = toml.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('=')).unwrap_or_default();
    line.trim().trim_matches('"').to_owned()
}

fn compiled(file: &Path) -> Output {
    let compiler = if file.extension().is_some_and(|end| end == "c") { "gcc" } else { "g++" };
    Command::new(compiler).args(["-fsyntax-only", "-w"]).arg(file).output().unwrap()
}

#[test]
fn our_pairs_compile_without_the_code_of_what_they_call() {
    let pairs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pairs");
    let place = tempfile::tempdir().unwrap();
    let (mut looked_at, mut shorter) = (0, 0);
    let mut folders: Vec<PathBuf> = fs::read_dir(pairs).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let Ok(toml) = fs::read_to_string(folder.join("pair.toml")) else { continue };
        let name = value(&toml, "function");
        for file in ["vulnerable.c", "vulnerable.cpp"] {
            let Ok(text) = fs::read_to_string(folder.join(file)) else { continue };
            let all = definitions(&text, &lex(&text));
            let Some(own) = all.iter().find(|one| name.rsplit("::").next() == Some(one.name(&text))) else { continue };
            let hidden = bodies(&text, &(own.start as usize..own.end as usize));
            let declared = splice(&text, &hidden, &mut []);
            let path = place.path().join(file);
            fs::write(&path, &declared).unwrap();
            let output = compiled(&path);
            assert!(output.status.success(), "{}\n{declared}", String::from_utf8_lossy(&output.stderr));
            looked_at += 1;
            shorter += usize::from(!hidden.is_empty());
        }
    }
    assert!(looked_at >= 80 && shorter >= 10, "{looked_at} {shorter}");
}
