//! What a project's build files say about it when read as text, without running them: its name, version, language
//! standards, and which template becomes which header.

use std::collections::BTreeMap;

use estrange_words::Language;

use super::defines;
use super::paths::{folder, join, name};
use super::tree::Tree;

/// What the build files of a tree say.
#[derive(Debug, Default, Clone)]
pub(crate) struct Project {
    /// The project's name.
    pub name: String,
    /// Its version, in dotted form.
    pub version: String,
    /// The header a build makes (by name) and the template it makes it from (by path in the tree).
    pub templates: Vec<(String, String)>,
    folders: BTreeMap<String, Folder>,
}

/// What the build files of one folder say.
#[derive(Debug, Default, Clone)]
struct Folder {
    c: Option<String>,
    cpp: Option<String>,
    defines: Vec<String>,
}

impl Project {
    /// Reads the build files of the tree.
    pub fn read(tree: &Tree) -> Self {
        let mut project = Project { version: "0.0.0".to_owned(), ..Project::default() };
        let mut files: Vec<&str> = tree.files().filter(|path| is_build_file(name(path))).collect();
        files.sort_by_key(|path| (path.matches('/').count(), *path));
        for path in files {
            let text = tree.text(path);
            if project.name.is_empty()
                && let Some((name, version)) = identity(&text)
            {
                project.name = name;
                project.version = version;
            }
            project.templates.extend(templates(&text, folder(path), tree));
            let known = project.folders.entry(folder(path).to_owned()).or_default();
            known.c = known.c.take().or_else(|| standard(&text, Language::C));
            known.cpp = known.cpp.take().or_else(|| standard(&text, Language::Cpp));
            match name(path) {
                "CMakeLists.txt" => known.defines.extend(defines::in_cmake(&text)),
                "configure.ac" | "configure.in" | "meson.build" => {}
                path if path.ends_with(".cmake") => {}
                _ => known.defines.extend(defines::in_makefile(&text)),
            }
        }
        project
    }

    /// The language standard for a file: that of the nearest build file at or above it that names one.
    pub fn standard(&self, file: &str, language: Language) -> String {
        let named = self.above(file).find_map(|folder| match language {
            Language::C => folder.c.clone(),
            Language::Cpp => folder.cpp.clone(),
        });
        let usual = match language {
            Language::C => "gnu17",
            Language::Cpp => "gnu++17",
        };
        named.unwrap_or_else(|| usual.to_owned())
    }

    /// The macros that the build files at and above a file define, the nearest definition of each.
    pub fn defines(&self, file: &str) -> Vec<String> {
        let mut defines: BTreeMap<String, String> = BTreeMap::new();
        for define in self.above(file).flat_map(|folder| &folder.defines) {
            let name = define.split('=').next().unwrap_or_default().to_owned();
            defines.entry(name).or_insert_with(|| define.clone());
        }
        defines.into_values().collect()
    }

    /// The folders at and above a file that have build files, the nearest first.
    fn above(&self, file: &str) -> impl Iterator<Item = &Folder> {
        let path = folder(file);
        let parents = std::iter::successors(Some(path), |path| (!path.is_empty()).then(|| folder(path)));
        parents.filter_map(|path| self.folders.get(path))
    }
}

fn is_build_file(name: &str) -> bool {
    matches!(
        name,
        "CMakeLists.txt"
            | "meson.build"
            | "configure.ac"
            | "configure.in"
            | "Makefile"
            | "makefile"
            | "GNUmakefile"
            | "Makefile.am"
            | "Makefile.in"
    ) || name.ends_with(".cmake")
}

/// The project's name and version, where a build file states both.
fn identity(text: &str) -> Option<(String, String)> {
    let arguments = ["project", "PROJECT", "AC_INIT"].iter().find_map(|call| call_arguments(text, call).next())?;
    let words: Vec<&str> = arguments
        .split([' ', ',', '\n', '\t', ':', '('])
        .map(|word| word.trim_matches(['[', ']', '\'', '"']))
        .filter(|word| !word.is_empty())
        .collect();
    let is_version = |word: &&&str| word.starts_with(|letter: char| letter.is_ascii_digit()) && word.contains('.');
    let version = words.iter().skip(1).find(is_version)?;
    Some(((*words.first()?).to_owned(), (*version).to_owned()))
}

/// What stands between the parentheses of each call of `function`.
fn call_arguments<'a>(text: &'a str, function: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(function).filter_map(move |(at, _)| {
        let alone = !text[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        let inner = text[at + function.len()..].trim_start_matches([' ', '\t']).strip_prefix('(')?;
        let (arguments, _) = inner.split_once(')')?;
        alone.then_some(arguments)
    })
}

/// The templates that a build file fills in, with the headers they become.
fn templates(text: &str, here: &str, tree: &Tree) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for call in ["configure_file", "CONFIGURE_FILE"] {
        for arguments in call_arguments(text, call) {
            let words: Vec<String> =
                arguments.split([' ', ',', '\n', '\t']).map(plain).filter(|word| !word.is_empty()).collect();
            // Meson names its arguments, CMake counts them.
            let named = |key: &str| words.iter().position(|word| word == key).and_then(|at| words.get(at + 1));
            let input = named("input:").or(words.first());
            let output = named("output:").or(words.get(1));
            if let (Some(input), Some(output)) = (input, output)
                && let Some(template) = locate(input, here, tree)
            {
                found.push((name(output).to_owned(), template));
            }
        }
    }
    for call in ["AC_CONFIG_HEADERS", "AC_CONFIG_HEADER", "AM_CONFIG_HEADER", "AC_CONFIG_FILES"] {
        for arguments in call_arguments(text, call) {
            for word in arguments.split([' ', ',', '\n', '\t']).map(|word| word.trim_matches(['[', ']'])) {
                let (output, input) = word.split_once(':').map_or_else(
                    || (word.to_owned(), format!("{word}.in")),
                    |(output, input)| (output.to_owned(), input.to_owned()),
                );
                if let Some(template) = locate(&input, here, tree).filter(|_| !output.is_empty()) {
                    found.push((name(&output).to_owned(), template));
                }
            }
        }
    }
    found
}

/// A word without quotes, list brackets and variables in front.
fn plain(word: &str) -> String {
    let word = word.trim_matches(['"', '\'', '[', ']']);
    let word = match word.rfind('}') {
        Some(end) if word.starts_with("${") => &word[end + 1..],
        _ => word,
    };
    word.trim_start_matches('/').to_owned()
}

fn locate(path: &str, here: &str, tree: &Tree) -> Option<String> {
    let beside = join(here, path).filter(|path| tree.has(path));
    beside.or_else(|| join("", path).filter(|path| tree.has(path)))
}

/// The newest standard of the language that a build file names.
fn standard(text: &str, language: Language) -> Option<String> {
    let marks: &[(&str, &str)] = match language {
        Language::C => {
            &[("-std=", ""), ("c_std=", ""), ("CMAKE_C_STANDARD ", "gnu"), ("C_STANDARD ", "gnu"), ("c_std_", "gnu")]
        }
        Language::Cpp => &[
            ("-std=", ""),
            ("cpp_std=", ""),
            ("CMAKE_CXX_STANDARD ", "gnu++"),
            ("CXX_STANDARD ", "gnu++"),
            ("cxx_std_", "gnu++"),
            ("AX_CXX_COMPILE_STDCXX([", "gnu++"),
            ("AX_CXX_COMPILE_STDCXX(", "gnu++"),
            ("AX_CXX_COMPILE_STDCXX_", "gnu++"),
        ],
    };
    marks
        .iter()
        .flat_map(|(mark, prefix)| {
            text.match_indices(mark).filter_map(move |(at, _)| {
                let value: String = text[at + mark.len()..]
                    .trim_start_matches(['"', ' '])
                    .chars()
                    .take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '+')
                    .collect();
                valid(&format!("{prefix}{value}"), language)
            })
        })
        .max_by_key(|standard| year(standard))
}

/// The standard under a name that gcc and clang both know.
fn valid(standard: &str, language: Language) -> Option<String> {
    let digits = standard.trim_start_matches("gnu").trim_start_matches('c').trim_start_matches("++");
    let is_cpp = standard.contains("++");
    let known: &[&str] = match language {
        Language::C => &["89", "90", "99", "9x", "11", "1x", "17", "18", "2x", "23"],
        Language::Cpp => &["98", "03", "11", "0x", "14", "1y", "17", "1z", "20", "2a", "23", "2b"],
    };
    let prefixed = standard.starts_with("gnu") || standard.starts_with('c');
    (prefixed && is_cpp == (language == Language::Cpp) && known.contains(&digits))
        .then(|| standard.replace("23", if is_cpp { "2b" } else { "2x" }))
}

/// Orders standards by age.
fn year(standard: &str) -> u8 {
    let digits = &standard[standard.len().saturating_sub(2)..];
    match digits {
        "89" | "90" | "98" => 0,
        "99" | "9x" | "03" => 1,
        "11" | "0x" | "1x" => 2,
        "14" | "1y" => 3,
        "17" | "18" | "1z" => 4,
        "20" | "2a" => 5,
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standards_are_found_in_every_dialect_of_build_file() {
        assert_eq!(standard("set(CMAKE_CXX_STANDARD 14)", Language::Cpp).as_deref(), Some("gnu++14"));
        assert_eq!(standard("CFLAGS = -O2 -std=c99", Language::C).as_deref(), Some("c99"));
        assert_eq!(standard("CFLAGS = -O2 -std=c99", Language::Cpp), None);
        assert_eq!(standard("default_options: ['cpp_std=c++20']", Language::Cpp).as_deref(), Some("c++20"));
        assert_eq!(standard("AX_CXX_COMPILE_STDCXX([17], [noext])", Language::Cpp).as_deref(), Some("gnu++17"));
        assert_eq!(standard("-std=${X}", Language::C), None);
    }

    #[test]
    fn name_and_version_are_found() {
        let toy = Some(("toy".to_owned(), "1.2.3".to_owned()));
        assert_eq!(identity("cmake_minimum_required(VERSION 3.0)\nproject(toy VERSION 1.2.3 LANGUAGES C)"), toy);
        assert_eq!(identity("AC_INIT([toy],[1.2.3],[bugs@example.org])"), toy);
        assert_eq!(identity("project('toy', 'c', version : '1.2.3')"), toy);
    }
}
