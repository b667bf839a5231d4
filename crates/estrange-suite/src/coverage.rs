//! Which tests execute which functions: the project is built once more, with counters in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::archive;
use crate::error::SuiteError;
use crate::guest::{Guest, Mode};
use crate::mapping::{MapBy, Tests};
use crate::suite::{Suite, image_of};
use crate::symptoms;

/// The script that stands in front of compilers, and for which.
const COVER: &[u8] = include_bytes!("guest/cover.sh");
const COMPILERS: [&str; 6] = ["cc", "gcc", "c++", "g++", "c99", "c89"];
/// Reads the counters once the tests have ended.
const COLLECT: &str = "find /scratch/tree -name '*.gcda' -print0 | xargs -0 -r gcov --json-format --stdout \
    >/scratch/.report/coverage 2>/dev/null; true";
/// No more of what it says is read.
const BOUND: u64 = 1 << 30;

/// A function that tests execute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Covered {
    /// The path of its file in the tree.
    pub path: String,
    /// Its name, as gcov prints it: of C++, with its namespaces and parameters.
    pub name: String,
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// The tests that execute it.
    pub tests: Tests,
}

/// Which functions the tests execute.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The functions that are executed, by path and first line.
    pub functions: Vec<Covered>,
}

impl Coverage {
    /// The tests that execute a function in this line of a file; none if no test does.
    pub fn tests_of(&self, path: &str, line: u32) -> Tests {
        let mut found = self.functions.iter().filter(|function| function.path == path);
        let function = found.find(|function| (function.first..=function.last).contains(&line));
        function.map_or(Tests::Named(BTreeSet::new()), |function| function.tests.clone())
    }
}

impl Suite {
    /// Finds which tests execute which functions. Where the project file has a command for single tests, each is run by
    /// itself; otherwise all tests are every executed function's.
    pub fn coverage(&self) -> Result<Coverage, SuiteError> {
        let guest = Guest { sandbox: &self.sandbox, file: self.file() };
        let file = self.file();
        let wrong = |why: String, output: &str| SuiteError::NoCoverage { why, output: symptoms::tail(output) };
        let unpacked = |error: std::io::Error| SuiteError::Guest { why: error.to_string() };
        let (tree, _) = archive::pack_tree(&self.tree).map_err(unpacked)?;
        let compilers = COMPILERS.map(|name| (format!(".cover/{name}"), COVER));
        let compilers = archive::pack_programs(compilers).map_err(unpacked)?;
        let path = [("PATH", "/scratch/.cover:/usr/local/bin:/usr/bin:/bin")];
        let commands = [file.configure.as_slice(), &file.build].concat();
        let wall = Duration::from_secs(file.limits.build);
        let ran = guest.run_with(Mode::Image, &[&tree, &compilers], &commands, wall, &path)?;
        let image = image_of(&ran, &commands, file)?;
        let alone: Vec<String> = self.untouched().stable().map(str::to_owned).collect();
        let each = file.some.is_some() && alone.iter().all(|test| self.is_plain(test));
        let asked: Vec<Tests> = if each {
            alone.into_iter().map(|test| Tests::Named(BTreeSet::from([test]))).collect()
        } else {
            vec![Tests::All]
        };
        let mut functions: BTreeMap<(String, u32, u32), Covered> = BTreeMap::new();
        for tests in asked {
            let command = match &tests {
                Tests::Named(names) => self.command_of(names),
                Tests::All => file.test.clone(),
            };
            let commands = [format!("{{ {command}\n}}; true"), COLLECT.to_owned()];
            let wall = Duration::from_secs(file.limits.test);
            let ran = guest.run_with(Mode::Test, &[image.bytes(), &compilers], &commands, wall, &path)?;
            let counters = ran.bytes(".report/coverage", BOUND).unwrap_or_default();
            if counters.is_empty() {
                return Err(wrong("no counter was written".to_owned(), &ran.all_output()));
            }
            for covered in executed(&counters, &tests).map_err(|why| wrong(why, ""))? {
                let key = (covered.path.clone(), covered.first, covered.last);
                match functions.get_mut(&key).map(|known| &mut known.tests) {
                    None => drop(functions.insert(key, covered)),
                    Some(Tests::Named(names)) => {
                        if let Tests::Named(more) = covered.tests {
                            names.extend(more);
                        }
                    }
                    Some(Tests::All) => {}
                }
            }
        }
        Ok(Coverage { functions: functions.into_values().collect() })
    }

    /// The tests of a function, as the project file maps them. `coverage` is needed where it maps by coverage.
    pub fn tests_of(&self, path: &str, function: &str, line: u32, coverage: Option<&Coverage>) -> Tests {
        match (self.file().map.by, coverage) {
            (MapBy::Coverage, Some(coverage)) => coverage.tests_of(path, line),
            _ => self.file().map.tests_of(path, function, self.untouched().stable()),
        }
    }
}

/// What gcov says of one file of counters.
#[derive(Deserialize)]
struct Counters {
    current_working_directory: String,
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    file: String,
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    demangled_name: String,
    start_line: u32,
    end_line: u32,
    execution_count: u64,
}

/// The functions of the tree that were executed.
fn executed(counters: &[u8], tests: &Tests) -> Result<Vec<Covered>, String> {
    let mut covered = Vec::new();
    for counters in serde_json::Deserializer::from_slice(counters).into_iter::<Counters>() {
        let counters = counters.map_err(|error| format!("gcov's output cannot be read: {error}"))?;
        for file in counters.files {
            let Some(path) = in_tree(&counters.current_working_directory, &file.file) else { continue };
            let functions = file.functions.into_iter().filter(|function| function.execution_count > 0);
            covered.extend(functions.map(|function| Covered {
                path: path.clone(),
                name: function.demangled_name,
                first: function.start_line,
                last: function.end_line,
                tests: tests.clone(),
            }));
        }
    }
    Ok(covered)
}

/// The path of a file in the tree.
fn in_tree(folder: &str, file: &str) -> Option<String> {
    let mut path = PathBuf::new();
    for part in Path::new(folder).join(file).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    Some(path.strip_prefix("/scratch/tree").ok()?.to_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_tree() {
        assert_eq!(in_tree("/scratch/tree/build", "../src/./a.c").as_deref(), Some("src/a.c"));
        assert_eq!(in_tree("/scratch/tree", "/usr/include/stdio.h"), None);
    }

    #[test]
    fn what_never_ran_is_not_covered() {
        let text = br#"{"current_working_directory":"/scratch/tree","files":[{"file":"a.c","functions":[
            {"demangled_name":"f","start_line":1,"end_line":3,"execution_count":2,"blocks":1},
            {"demangled_name":"g","start_line":5,"end_line":6,"execution_count":0}],"lines":[]}]}
            "#;
        let covered = executed(text, &Tests::All).unwrap();
        assert_eq!(covered.iter().map(|function| function.name.as_str()).collect::<Vec<_>>(), ["f"]);
    }
}
