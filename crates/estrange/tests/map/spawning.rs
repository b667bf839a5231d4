//! Finds the places in Rust code that could start a process: by its tokens, so that no comment or string misleads.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What may be taken from a module called `process`; anything else there is taken for a way to start one.
const HARMLESS: [&str; 7] = ["ExitCode", "ExitStatus", "Termination", "abort", "exit", "id", "self"];

/// Functions that start a process or replace this one, under whatever path they come.
const SPAWNING: [&str; 17] = [
    "fork",
    "vfork",
    "clone3",
    "kernel_fork",
    "posix_spawn",
    "posix_spawnp",
    "popen",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execveat",
    "execvp",
    "execvpe",
    "fexecve",
    "CommandExt",
];

/// Functions with common names, which start a process when they come from libc.
const SPAWNING_IN_LIBC: [&str; 3] = ["clone", "syscall", "system"];

/// Each place where a file could start a process, in words.
pub fn find(source: &str) -> Vec<String> {
    let tokens: TokenStream = match source.parse() {
        Ok(tokens) => tokens,
        Err(error) => return vec![format!("could not be read: {error}")],
    };
    let mut found = Vec::new();
    scan(tokens, &mut found);
    found
}

fn scan(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => scan(group.stream(), found),
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let rest = &tokens[index + 1..];
                // Rustix's module of that name starts nothing: it is where signals and ids are.
                let in_rustix = index >= 3 && is_identifier(&tokens[index - 3], "rustix");
                if SPAWNING.contains(&name.as_str()) {
                    found.push(name);
                } else if name == "process" && !in_rustix {
                    let forbidden = taken(rest).into_iter().filter(|item| !HARMLESS.contains(&item.as_str()));
                    found.extend(forbidden.map(|item| format!("process::{item}")));
                } else if name == "libc" {
                    let forbidden = taken(rest).into_iter().filter(|item| SPAWNING_IN_LIBC.contains(&item.as_str()));
                    found.extend(forbidden.map(|item| format!("libc::{item}")));
                }
            }
            _ => {}
        }
    }
}

fn is_identifier(token: &TokenTree, name: &str) -> bool {
    matches!(token, TokenTree::Ident(identifier) if identifier == name)
}

/// What is taken from a module whose name stands just before `rest`: the next name of a path, the names in the braces
/// of a `use`, `*` for all of it, and `as` where it gets another name under which it could not be followed.
fn taken(rest: &[TokenTree]) -> Vec<String> {
    match rest {
        [TokenTree::Ident(word), ..] if word == "as" => vec!["as".to_owned()],
        [TokenTree::Punct(a), TokenTree::Punct(b), item, ..] if a.as_char() == ':' && b.as_char() == ':' => {
            match item {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let mut names = Vec::new();
                    let mut at_start = true;
                    for token in group.stream() {
                        match &token {
                            TokenTree::Punct(comma) if comma.as_char() == ',' => at_start = true,
                            _ if at_start => {
                                names.push(token.to_string());
                                at_start = false;
                            }
                            _ => {}
                        }
                    }
                    names
                }
                _ => vec![item.to_string()],
            }
        }
        _ => Vec::new(),
    }
}

#[test]
fn planted_violations_are_found() {
    for planted in [
        "fn f() { std::process::Command::new(\"sh\").spawn(); }",
        "fn f() { ::std :: process\n::Command::new(\"sh\"); }",
        "use std::process::Command;",
        "use std::process::{ExitCode, Command};",
        "use std::process::{Command as Run};",
        "use std::{io, process::{self, Command}};",
        "use std::process::*;",
        "use std::process as other;",
        "use std::{process as other};",
        "use std::process; fn f() { process::Command::new(\"sh\"); }",
        "fn f() { tokio::process::Command::new(\"sh\"); }",
        "fn f() { unsafe { libc::fork() }; }",
        "use libc::*; fn f() { unsafe { vfork() }; }",
        "fn f() { unsafe { libc::system(c\"sh\".as_ptr()) }; }",
        "use libc::{getpid, syscall};",
        "use nix::unistd::execve;",
        "fn f() { run!(std::process::Command::new(\"sh\")) }",
        "fn f() { let text = \"//\"; std::process::Command::new(text); }",
        "fn f() { /* */ std::process::Command::new(\"/*\"); }",
        "fn unfinished() {",
    ] {
        assert!(!find(planted).is_empty(), "not found: {planted}");
    }
}

#[test]
fn harmless_code_is_left_alone() {
    for harmless in [
        "//! Not std::process::Command.\n// libc::fork()\n/* std::process::Command */ fn f() {}",
        "/// Like [`std::process::Command`].\nfn f() { print(\"std::process::Command libc::fork\"); }",
        "use std::process::{self, ExitCode}; fn main() { process::exit(1) }",
        "use estrange_sandbox::Command; fn f() { Command::new(\"sh\"); }",
        "fn f() { let process = 1; process.clone(); rustix::process::geteuid(); libc::getpid(); }",
    ] {
        let found = find(harmless);
        assert!(found.is_empty(), "{found:?} in: {harmless}");
    }
}
