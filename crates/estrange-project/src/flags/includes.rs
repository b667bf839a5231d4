//! Which folders a file needs on its include path, found by resolving its `#include` lines against the tree.
//!
//! Conditions are not evaluated: an include in a branch for another system costs at most a folder too many. Where
//! several files of the tree could be meant, the nearest one counts.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use estrange_words::Language;

use super::paths::{distance, folder, join, name};
use super::system::{System, is_standard};
use super::tree::Tree;
use super::words::listed;
use crate::systems::is_hinted_at;

/// One `#include`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Include {
    /// What stands between the quotes or brackets.
    pub text: String,
    /// Whether they were quotes.
    pub quoted: bool,
    /// Whether it stands under a condition other than the guard of its file.
    pub conditional: bool,
    /// Whether that condition is `HAVE_CONFIG_H`: it is the configuration header.
    pub configures: bool,
}

/// The includes of every file that could be included or compiled, scanned once.
#[derive(Debug)]
pub(crate) struct Includes {
    scanned: HashMap<String, Vec<Include>>,
}

/// What one file needs.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Folders for `-I`, in the order in which they were found to be needed.
    pub folders: Vec<String>,
    /// Folders for `-iquote`: they hold headers that would hide the system's.
    pub quote_folders: Vec<String>,
    /// Includes that neither the tree nor the system has, in the order found.
    pub missing: Vec<Include>,
    /// Those of them that stand under no condition: without them the file cannot be parsed.
    pub unavailable: Vec<String>,
    /// Whether a configuration header that it includes only if `HAVE_CONFIG_H` is defined was found.
    pub config: bool,
    /// The files of the tree that it includes, directly or not.
    pub reached: Vec<String>,
}

impl Includes {
    /// Scans every file of the tree that looks like C or C++.
    pub fn scan(tree: &Tree) -> Self {
        use rayon::prelude::*;
        let files: Vec<&str> = tree.files().filter(|path| may_be_included(path)).collect();
        let scanned = files.into_par_iter().map(|path| (path.to_owned(), scan(&tree.text(path)))).collect();
        Self { scanned }
    }

    /// Scans a file that was added to the tree.
    pub fn add(&mut self, tree: &Tree, path: &str) {
        self.scanned.insert(path.to_owned(), scan(&tree.text(path)));
    }

    /// Follows the includes of `file`, with `given` (folders known to be on its path) searched first.
    pub fn needs(&self, file: &str, language: Language, given: &Given, tree: &Tree, system: &System) -> Needs {
        let mut search = Search { tree, system, language, given, folders: given.inside.clone(), missing: Vec::new() };
        let mut config = false;
        let reached = self.follow(file, |from, include| {
            let target = search.resolve(from, include)?;
            config |= include.configures && !is_hinted_at(&target) && !tree.text(&target).is_empty();
            Some(target)
        });
        let mut unavailable = Vec::new();
        self.follow(file, |from, include| {
            let target = if include.conditional { None } else { search.known(from, include) };
            if target.is_none() && !include.conditional && search.missing.contains(include) {
                unavailable.push(include.text.clone());
            }
            target
        });
        unavailable.sort();
        unavailable.dedup();
        Needs { unavailable, config, reached, ..search.finish() }
    }

    /// Every file that includes lead to from `file`, as `resolve` sees them, in the order found.
    fn follow(&self, file: &str, mut resolve: impl FnMut(&str, &Include) -> Option<String>) -> Vec<String> {
        let mut seen: HashSet<String> = HashSet::from([file.to_owned()]);
        let mut order = vec![file.to_owned()];
        let mut next = 0;
        while let Some(path) = order.get(next).cloned() {
            next += 1;
            for include in self.scanned.get(&path).map(Vec::as_slice).unwrap_or_default() {
                if let Some(target) = resolve(&path, include)
                    && seen.insert(target.clone())
                {
                    order.push(target);
                }
            }
        }
        order.remove(0);
        order
    }
}

/// Folders that flags already put on the include path.
#[derive(Debug, Default, Clone)]
pub(crate) struct Given {
    /// Those of the tree, relative to it.
    pub inside: Vec<String>,
    /// Others.
    pub outside: Vec<PathBuf>,
}

struct Search<'a> {
    tree: &'a Tree,
    system: &'a System,
    language: Language,
    given: &'a Given,
    folders: Vec<String>,
    missing: Vec<Include>,
}

impl Search<'_> {
    /// The file of the tree that `include` in `from` means, adding a folder to the path if need be.
    fn resolve(&mut self, from: &str, include: &Include) -> Option<String> {
        let text = include.text.as_str();
        if let Some(known) = self.known(from, include) {
            return Some(known);
        }
        let outside = self.outside(text);
        if outside && is_standard(text) {
            return None;
        }
        match best(self.tree, from, text) {
            // A header for another system is no match for one that this system has.
            Some(path) if !(outside && is_hinted_at(&path)) => {
                if is_hinted_at(&path) && !is_hinted_at(from) {
                    // There may be a template to make a fitting one from.
                    self.miss(include);
                }
                self.folders.push(search_folder(&path, text));
                Some(path)
            }
            _ => {
                if !outside {
                    self.miss(include);
                }
                None
            }
        }
    }

    fn miss(&mut self, include: &Include) {
        if !self.missing.contains(include) {
            self.missing.push(include.clone());
        }
    }

    /// The file of the tree that the include path as it stands leads to.
    fn known(&self, from: &str, include: &Include) -> Option<String> {
        let text = include.text.as_str();
        let beside = include.quoted.then(|| join(folder(from), text)).flatten().filter(|path| self.tree.has(path));
        if beside.is_some() || is_standard(text) && self.outside(text) {
            return beside;
        }
        self.folders.iter().find_map(|folder| join(folder, text).filter(|path| self.tree.has(path)))
    }

    /// Whether a header of this name lies outside the tree.
    fn outside(&self, text: &str) -> bool {
        self.system.has_header(text, self.language)
            || self.given.outside.iter().any(|folder| folder.join(text).is_file())
    }

    fn finish(self) -> Needs {
        let mut needs = Needs { missing: self.missing, ..Needs::default() };
        for folder in self.folders.into_iter().skip(self.given.inside.len()) {
            let list = if hides_system(self.tree, &folder) { &mut needs.quote_folders } else { &mut needs.folders };
            list.push(folder);
        }
        needs
    }
}

/// The folder from which `text` leads to `path`: for `../a/b.h` that is the folder `a` itself, which surely exists.
fn search_folder(path: &str, text: &str) -> String {
    let tail = clean(text);
    let root = path[..path.len() - tail.len()].trim_end_matches('/');
    match (text.starts_with("../"), tail.split_once('/')) {
        (true, Some((first, _))) => join(root, first).unwrap_or_default(),
        _ => root.to_owned(),
    }
}

/// Whether a folder holds a file that `<…>` would find instead of the standard one.
fn hides_system(tree: &Tree, folder: &str) -> bool {
    const HEADERS: &str = "assert.h ctype.h errno.h features.h limits.h locale.h math.h memory.h poll.h regex.h sched.h \
        search.h signal.h stdint.h stdio.h stdlib.h string.h strings.h time.h unistd.h wait.h \
        algorithm memory new string utility version";
    HEADERS.split_whitespace().any(|header| join(folder, header).is_some_and(|path| tree.has(&path)))
}

/// An include's text without leading `./` and `../`, which say nothing about where the file lies.
fn clean(text: &str) -> &str {
    let mut rest = text;
    while let Some(shorter) = rest.strip_prefix("../").or_else(|| rest.strip_prefix("./")) {
        rest = shorter;
    }
    rest
}

/// The file of the tree that `text` most likely means when `from` includes it.
pub(crate) fn best(tree: &Tree, from: &str, text: &str) -> Option<String> {
    let text = clean(text);
    let matches = |path: &&str| path.strip_suffix(text).is_some_and(|root| root.is_empty() || root.ends_with('/'));
    let rank = |path: &&str| {
        let root = path[..path.len() - text.len()].trim_end_matches('/');
        let foreign = is_hinted_at(path) && !is_hinted_at(from);
        let aside = is_aside(path) && !is_aside(from);
        let usual = !matches!(name(root), "include" | "inc" | "src" | "lib" | "");
        (foreign, aside, distance(folder(from), root), usual, path.len(), (*path).to_owned())
    };
    tree.named(name(text)).filter(matches).min_by_key(rank).map(str::to_owned)
}

/// Whether a path lies among what a library is built from here: no test, no example, nothing for another system.
pub(crate) fn is_own(path: &str) -> bool {
    !is_aside(path) && !crate::systems::is_hinted_at(path)
}

/// Whether a path lies outside what a library is built from.
pub(crate) fn is_aside(path: &str) -> bool {
    path.split('/').rev().skip(1).any(|part| {
        let part = part.to_ascii_lowercase();
        ["test", "example", "sample", "doc", "bench", "fuzz", "demo", "debian", "contrib"]
            .iter()
            .any(|word| part.starts_with(word))
    })
}

/// Whether a file may hold `#include` lines that matter.
fn may_be_included(path: &str) -> bool {
    match name(path).rsplit_once('.') {
        Some((_, extension)) => {
            const KNOWN: &str =
                " c C cc cp cpp cxx c++ h H hh hp hpp hxx h++ inc inl ipp tcc txx tpp ii i def tbl x y l m mm cu in ";
            listed(KNOWN, extension)
        }
        None => false,
    }
}

fn scan(text: &str) -> Vec<Include> {
    let mut includes = Vec::new();
    let mut conditions: Vec<&str> = Vec::new();
    let mut directives = 0;
    let mut guarded = false;
    for line in text.lines() {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        directives += 1;
        if directive.starts_with("if") {
            // A file's guard is its first directive and asks for something not to be defined.
            let negative = ["ifndef", "if !defined", "if ! defined"].iter().any(|start| directive.starts_with(start));
            guarded |= directives == 1 && negative;
            conditions.push(directive);
        } else if let (true, Some(last)) = (directive.starts_with("el"), conditions.last_mut()) {
            *last = directive;
        } else if directive.starts_with("endif") {
            conditions.pop();
            guarded &= !conditions.is_empty();
        }
        includes.extend(include_of(line).map(|include| Include {
            conditional: include.conditional || conditions.len() > usize::from(guarded),
            configures: conditions.last().is_some_and(|condition| condition.contains("HAVE_CONFIG_H")),
            ..include
        }));
    }
    includes
}

/// The include in a line, or the one that a macro made for including stands for (`#define NAME <file.h>`).
fn include_of(line: &str) -> Option<Include> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    let operand =
        if let Some(rest) = directive.strip_prefix("include_next").or_else(|| directive.strip_prefix("include")) {
            rest
        } else {
            let rest = directive.strip_prefix("define")?;
            rest.split_once(['<', '"'])?;
            let (_, value) = rest.trim_start().split_once(char::is_whitespace)?;
            value
        };
    let operand = operand.trim_start();
    let (close, quoted) = match operand.chars().next()? {
        '"' => ('"', true),
        '<' => ('>', false),
        _ => return None,
    };
    let (text, _) = operand[1..].split_once(close)?;
    let is_macro = directive.starts_with("define");
    let looks_like_header =
        text.rsplit_once('.').is_some_and(|(_, extension)| extension.starts_with(['h', 'H', 'i', 'c']));
    (!text.is_empty() && (!is_macro || looks_like_header)).then(|| Include {
        text: text.to_owned(),
        quoted,
        conditional: is_macro,
        configures: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn include_lines_are_read_in_all_their_forms() {
        let include =
            |text: &str, quoted| Some(Include { text: text.to_owned(), quoted, conditional: false, configures: false });
        assert_eq!(include_of("#include <a/b.h>"), include("a/b.h", false));
        assert_eq!(include_of("  #  include\t\"c.h\" // why"), include("c.h", true));
        assert_eq!(include_of("#define PORT_H <port/x.h>").map(|include| include.text).as_deref(), Some("port/x.h"));
        assert_eq!(include_of("#define NAME \"libfoo\""), None);
        assert_eq!(include_of("#include MACRO"), None);
        assert_eq!(include_of("#include \"unclosed"), None);
    }

    #[test]
    fn conditions_other_than_a_guard_are_noticed() {
        let conditional = |text: &str| scan(text).iter().map(|include| include.conditional).collect::<Vec<_>>();
        assert_eq!(
            conditional("#ifndef A_H\n#define A_H\n#include <a>\n#ifdef X\n#include <b>\n#endif\n#endif\n"),
            [false, true]
        );
        assert_eq!(
            conditional("#include <a>\n#if X\n#include <b>\n#else\n#include <c>\n#endif\n#include <d>"),
            [false, true, true, false]
        );
    }
}
