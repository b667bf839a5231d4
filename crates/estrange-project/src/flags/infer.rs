//! Flags for files that no build system spoke about: include folders from the tree's own `#include` lines, standards
//! from its build files, and configuration headers from their templates.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use super::build_files::Project;
use super::facts::Facts;
use super::includes::{Given, Include, Includes, Needs};
use super::paths::{distance, folder, join, name};
use super::system::System;
use super::template::evaluate;
use super::tree::Tree;
use super::words::listed;
use super::{FlagOrigin, Flags, SourceFile};

/// Where headers are put whose place in the tree no template tells.
const GENERATED: &str = "estrange-generated";

/// A header made from a template may include another that has to be made.
const ROUNDS: usize = 4;

/// The search for flags in one tree.
pub(crate) struct Inference<'a> {
    tree: Tree,
    includes: Includes,
    project: Project,
    system: &'a System,
}

/// A file, and what is known about its flags so far.
pub(crate) struct Task<'a> {
    /// The file.
    pub file: &'a SourceFile,
    /// Flags to start from: a neighbour's, or those of a compile database.
    pub start: Option<Flags>,
}

impl<'a> Inference<'a> {
    /// Reads the tree's includes and build files.
    pub fn new(tree: Tree, system: &'a System) -> Self {
        let includes = Includes::scan(&tree);
        let project = Project::read(&tree);
        Self { tree, includes, project, system }
    }

    /// Flags for each task, in order. Makes the headers that are missing and can be made.
    pub fn infer(&mut self, tasks: &[Task<'_>]) -> Vec<Flags> {
        let mut needs = self.needs(tasks);
        for _ in 0..ROUNDS {
            if !self.make_missing(tasks, &needs) {
                break;
            }
            needs = self.needs(tasks);
        }
        self.tree.forget_made_but(&needs.iter().flat_map(|needs| &needs.reached).collect());
        tasks.iter().zip(needs).map(|(task, needs)| self.flags(task, needs)).collect()
    }

    /// The tree, with the headers that were made.
    pub fn into_tree(self) -> Tree {
        self.tree
    }

    fn needs(&self, tasks: &[Task<'_>]) -> Vec<Needs> {
        tasks
            .par_iter()
            .map(|task| {
                let Some(path) = task.file.path.to_str() else { return Needs::default() };
                let given = task.start.as_ref().map(|flags| self.folders_of(flags)).unwrap_or_default();
                self.includes.needs(path, task.file.language, &given, &self.tree, self.system)
            })
            .collect()
    }

    /// The folders of the tree that flags put on the include path.
    fn folders_of(&self, flags: &Flags) -> Given {
        let mut given = Given::default();
        for argument in &flags.arguments {
            let folder =
                ["-isystem", "-iquote", "-idirafter", "-I"].iter().find_map(|flag| argument.strip_prefix(flag));
            let Some(folder) = folder.map(Path::new) else { continue };
            match folder.strip_prefix(self.tree.root()).map(Path::to_str) {
                Ok(Some(inside)) => given.inside.push(inside.to_owned()),
                _ => given.outside.push(folder.to_owned()),
            }
        }
        given
    }

    fn flags(&self, task: &Task<'_>, needs: Needs) -> Flags {
        let file = task.file;
        let path = file.path.to_string_lossy();
        let mut flags = task.start.clone().unwrap_or_else(|| Flags {
            language: file.language,
            standard: Some(self.project.standard(&path, file.language)),
            arguments: self.project.defines(&path).iter().map(|define| format!("-D{define}")).collect(),
            directory: self.tree.root().to_owned(),
            origin: FlagOrigin::Inferred,
            unavailable: Vec::new(),
        });
        let root = |folder: &String| self.tree.root().join(folder).display().to_string();
        flags.arguments.extend(needs.quote_folders.iter().map(|folder| format!("-iquote{}", root(folder))));
        flags.arguments.extend(needs.folders.iter().map(|folder| format!("-I{}", root(folder))));
        let says_config = flags.arguments.iter().any(|argument| argument.starts_with("-DHAVE_CONFIG_H"));
        if needs.config && !says_config && flags.origin == FlagOrigin::Inferred {
            flags.arguments.push("-DHAVE_CONFIG_H=1".to_owned());
        }
        flags.unavailable = needs.unavailable;
        flags
    }

    /// Makes every header whose template tells its name and place, so that it counts where the nearest is looked for.
    /// Not for a tree that was configured: beside the sources, these would hide what the configure step made.
    pub fn make_stated(&mut self) {
        const ENDINGS: [&str; 9] =
            [".prebuilt", ".generic", ".default", ".dist", ".cmake.in", ".meson.in", ".in", ".cmake", ".meson"];
        let stated = self.project.templates.iter().map(|(header, template)| (template.clone(), header.clone()));
        let named = self.tree.files().filter_map(|path| {
            let header = ENDINGS.iter().find_map(|ending| name(path).strip_suffix(ending))?;
            Some((path.to_owned(), header.to_owned()))
        });
        let mut templates: Vec<(String, String)> =
            named.chain(stated).filter(|(_, header)| is_header(header)).collect();
        // Complete ones first, since the first to make a header is the one that counts.
        let complete = |path: &str| ENDINGS[..4].iter().any(|ending| path.ends_with(ending));
        templates.sort_by_key(|(template, header)| (!complete(template), template.clone(), header.clone()));
        for (template, header) in templates {
            if let Some(path) = join(folder(&template), &header).filter(|path| !self.tree.has(path)) {
                self.put(&path, &template);
            }
        }
    }

    /// Fills in a template and adds the header to the tree.
    fn put(&mut self, path: &str, template: &str) {
        let facts = Facts { system: self.system, project: &self.project };
        let text = evaluate(&self.tree.text(template), facts);
        self.tree.make(path.to_owned(), text);
        self.includes.add(&self.tree, path);
    }

    /// Makes headers that files miss, from their templates. Says whether any was made.
    fn make_missing(&mut self, tasks: &[Task<'_>], needs: &[Needs]) -> bool {
        let mut wanted: HashMap<&str, &str> = HashMap::new();
        for (task, needs) in tasks.iter().zip(needs) {
            for Include { text, .. } in &needs.missing {
                wanted.entry(text).or_insert(task.file.path.to_str().unwrap_or_default());
            }
        }
        let mut wanted: Vec<(&str, &str)> = wanted.into_iter().collect();
        wanted.sort_unstable();
        let made: Vec<(String, String)> = wanted.into_iter().filter_map(|(text, from)| self.make(text, from)).collect();
        for (path, text) in &made {
            self.tree.make(path.clone(), text.clone());
            self.includes.add(&self.tree, path);
        }
        !made.is_empty()
    }

    /// The header that an include misses: its path in the tree and its text.
    fn make(&self, text: &str, from: &str) -> Option<(String, String)> {
        let wanted = join("", text.trim_start_matches("../"))?;
        match self.template(name(&wanted), from) {
            Some(template) => {
                let beside = join(folder(&template), name(&wanted))?;
                let fits =
                    beside.strip_suffix(wanted.as_str()).is_some_and(|root| root.is_empty() || root.ends_with('/'));
                let path = if fits { beside } else { join(GENERATED, &wanted)? };
                let facts = Facts { system: self.system, project: &self.project };
                (!self.tree.has(&path)).then(|| (path, evaluate(&self.tree.text(&template), facts)))
            }
            // Sources that include it without asking can do without its content as often as not.
            None if wanted == "config.h" => {
                Some((join(GENERATED, &wanted)?, String::new())).filter(|(path, _)| !self.tree.has(path))
            }
            None => None,
        }
    }

    /// The template of a header, the nearest to the file that wants it.
    fn template(&self, header: &str, from: &str) -> Option<String> {
        let stated =
            self.project.templates.iter().filter(|(output, _)| output == header).map(|(_, template)| template.as_str());
        let stated: Vec<&str> = stated.collect();
        let wanted = tokens(header).0;
        let named = self.tree.files().filter(|path| {
            let (tokens, is_template) = tokens(name(path));
            is_template && tokens == wanted
        });
        let rank = |path: &&str| {
            let complete = ["prebuilt", "generic", "default", "dist"].iter().any(|word| path.ends_with(word));
            (
                crate::systems::is_hinted_at(path),
                !complete,
                !stated.contains(path),
                distance(folder(from), folder(path)),
                path.len(),
                (*path).to_owned(),
            )
        };
        stated.iter().copied().chain(named).filter(|path| name(path) != header).min_by_key(rank).map(str::to_owned)
    }
}

fn is_header(file: &str) -> bool {
    file.rsplit_once('.')
        .is_some_and(|(stem, extension)| !stem.is_empty() && matches!(extension, "h" | "hh" | "hpp" | "hxx" | "inc"))
}

/// The parts of a file's name that tell which header it is about, and whether others tell that it is a template:
/// `config.h.cmake.in`, `config_h.in`, `config.hin` and `cmake_config.in.h` are all about `config.h`.
fn tokens(file: &str) -> (Vec<String>, bool) {
    const MARKS: &str = " in cmake cmakein meson generic dist default template tmpl tpl prebuilt autoconf linux unix gnu posix configure ";
    let mut is_template = false;
    let mut kept = Vec::new();
    for part in file.split(['.', '_', '-']) {
        match part {
            "hin" => {
                is_template = true;
                kept.push("h".to_owned());
            }
            part if listed(MARKS, part) => is_template = true,
            part => kept.push(part.to_owned()),
        }
    }
    (kept, is_template)
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn templates_are_recognised_by_their_names() {
        for template in
            ["config.h.in", "config.h.cmake.in", "config_h.in", "config.hin", "cmake_config.in.h", "config-linux.h"]
        {
            assert_eq!(tokens(template), (vec!["config".to_owned(), "h".to_owned()], true), "{template}");
        }
        assert!(!tokens("config.h").1 && !tokens("config-win32.h").1);
    }
}
