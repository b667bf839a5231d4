//! Circles of imports: modules beside each other of which each needs the other, directly or through more of them.
//!
//! A module and those within it may use each other: they are one subject. So what is looked at are the modules within one
//! parent, each together with all that is within it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::rust_files;

/// A module as the names that lead to it from the crate's root, which has none.
type Module = Vec<String>;

/// Which neighbours each module uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// The circles of a crate whose sources are in `src`, each as `parent: one, other`.
pub fn find(src: &Path) -> Vec<String> {
    let files: BTreeMap<Module, String> = rust_files(src)
        .into_iter()
        .map(|path| (module(path.strip_prefix(src).unwrap()), fs::read_to_string(&path).unwrap()))
        .filter(|(module, _)| !module.iter().any(|name| name == "tests"))
        .collect();
    let known: BTreeSet<Module> = files.keys().cloned().collect();
    let mut by_parent: BTreeMap<Module, Uses> = BTreeMap::new();
    for (from, text) in &files {
        for path in imports(text, from) {
            let to = resolve(&path, &known);
            let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
            if let (Some(one), Some(other)) = (from.get(common), to.get(common)) {
                let uses = by_parent.entry(from[..common].to_vec()).or_default();
                uses.entry(one.clone()).or_default().insert(other.clone());
            }
        }
    }
    let circles = by_parent.iter().flat_map(|(parent, uses)| {
        let parent = if parent.is_empty() { "crate".to_owned() } else { parent.join("::") };
        circles(uses).into_iter().map(move |names| format!("{parent}: {}", Vec::from_iter(names).join(", ")))
    });
    circles.collect()
}

/// The module that a file is, by its path below `src`.
fn module(path: &Path) -> Module {
    let path = path.with_extension("");
    let mut names: Module = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if matches!(names.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        names.pop();
    }
    names
}

/// The paths that a text names which begin with `crate` or `super`, from the crate's root. What only tests need does not
/// count.
fn imports(text: &str, module: &[String]) -> Vec<Module> {
    let text: String = text.split("#[cfg(test)]").next().unwrap_or_default().lines().map(without_comment).collect();
    let mut paths = Vec::new();
    for (at, word) in text.match_indices("crate::").chain(text.match_indices("super::")) {
        let is_whole =
            !text[..at].ends_with(|before: char| before.is_alphanumeric() || matches!(before, '_' | ':' | '$'));
        if !is_whole {
            continue;
        }
        let mut rest = &text[at..];
        let mut base = if word == "crate::" { Vec::new() } else { module.to_vec() };
        while let Some(above) = rest.strip_prefix("super::") {
            base.pop();
            rest = above;
        }
        let tree = rest.strip_prefix("crate::").unwrap_or(rest);
        paths.extend(branches(tree).0.into_iter().map(|branch| [base.clone(), branch].concat()));
    }
    paths
}

fn without_comment(line: &str) -> String {
    format!("{} ", line.split("//").next().unwrap_or_default())
}

/// The paths of a tree such as `a::{b, c::d}` at the start of a text, and what follows it.
fn branches(text: &str) -> (Vec<Module>, &str) {
    let end = text.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    let name: Module = Some(name).filter(|name| !name.is_empty()).map(str::to_owned).into_iter().collect();
    if let Some(within) = rest.strip_prefix("::") {
        let (paths, rest) = branches(within);
        return (paths.into_iter().map(|path| [name.clone(), path].concat()).collect(), rest);
    }
    let Some(mut open) = rest.strip_prefix('{').filter(|_| name.is_empty()) else { return (vec![name], rest) };
    let mut all = Vec::new();
    loop {
        let (paths, after) = branches(open.trim_start());
        all.extend(paths);
        // To the next one, past a new name.
        let Some(next) = after.find([',', '}']) else { return (all, after) };
        rest = &after[next + 1..];
        if after[next..].starts_with('}') {
            return (all, rest);
        }
        open = rest;
    }
}

/// The module that a path leads to, which may go on with what is in it.
fn resolve(path: &[String], known: &BTreeSet<Module>) -> Module {
    let is_known = |length: &usize| known.contains(&path[..*length]);
    let longest = (0..=path.len()).rev().find(is_known).unwrap_or(0);
    path[..longest].to_vec()
}

/// All that a module uses, directly or through others.
fn reached<'u>(from: &'u String, uses: &'u Uses) -> BTreeSet<&'u String> {
    let mut seen: BTreeSet<&String> = BTreeSet::new();
    let mut open: Vec<&String> = vec![from];
    while let Some(next) = open.pop() {
        open.extend(uses.get(next).into_iter().flatten().filter(|name| seen.insert(*name)));
    }
    seen
}

/// The sets of neighbours that reach each other.
fn circles(uses: &Uses) -> BTreeSet<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = uses.keys().map(|name| (name, reached(name, uses))).collect();
    let circle = |name: &&String| {
        let others = reached[*name].iter().filter(|other| reached.get(**other).is_some_and(|back| back.contains(name)));
        others.map(|other| (*other).clone()).collect::<BTreeSet<String>>()
    };
    uses.keys().map(|name| circle(&name)).filter(|names| names.len() > 1).collect()
}

#[test]
fn paths_are_read_out_of_imports_and_code() {
    let text = "use crate::{a::{b, C as D}, e};\nuse super::super::f;\nlet x = crate::g::h(1); // crate::comment\n\
                $crate::not; #[cfg(test)] use crate::tests;";
    let module = ["one", "two"].map(str::to_owned);
    let found: BTreeSet<String> = imports(text, &module).into_iter().map(|path| path.join("::")).collect();
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), ["a::C", "a::b", "e", "f", "g::h"]);
}

#[test]
fn a_circle_is_found_through_others_and_within_modules() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod a; mod b; mod c; use a::A;");
    write("a.rs", "mod inner; use crate::b::B;");
    // A module may use its parent.
    write("a/inner.rs", "use super::A; use crate::a::Other;");
    write("b.rs", "use crate::c;");
    write("c.rs", "use crate::a::inner::X;");
    assert_eq!(find(folder.path()), ["crate: a, b, c"]);
    write("c.rs", "use crate::Root;");
    assert!(find(folder.path()).is_empty());
}
