//! The whole survey of a tree in one call: its files with their languages, roles, licences and flags.

use std::io;
use std::path::{Path, PathBuf};

use estrange_sandbox::Sandbox;
use estrange_words::Language;
use serde::Serialize;

use crate::files::{self, Bounds, Kind, Skip};
use crate::flags::{self, Attempt, FlagOptions, FlagOrigin, Flags, FlagsError};
use crate::licence::{self, Licence};
use crate::role::{self, Role};

/// How to survey.
#[derive(Debug, Clone)]
pub struct Options {
    /// How much of the tree is looked at.
    pub bounds: Bounds,
    /// How flags are obtained.
    pub flags: FlagOptions,
}

/// A surveyed tree.
#[derive(Debug, Clone, Serialize)]
pub struct Project {
    /// Stands for all that its files' flags depend on: the tree's content, the options, the tools.
    pub key: String,
    /// The tree to compile in: the one given, or a copy that holds generated headers too.
    #[serde(serialize_with = "crate::serialize_path")]
    pub root: PathBuf,
    /// Its C and C++ files, sorted by path.
    pub files: Vec<SourceFile>,
    /// What was passed over, and why.
    pub skipped: Vec<Skip>,
    /// What was tried to obtain flags, in order.
    pub attempts: Vec<Attempt>,
}

/// One C or C++ file of a project.
#[derive(Debug, Clone, Serialize)]
pub struct SourceFile {
    /// Relative to the tree.
    #[serde(serialize_with = "crate::serialize_path")]
    pub path: PathBuf,
    /// The language it is compiled as.
    pub language: Language,
    /// How it takes part in a build.
    pub kind: Kind,
    /// What it is to its project.
    pub role: Role,
    /// The rule that gave it its role, in words.
    pub role_reason: String,
    /// Its licence.
    pub licence: Licence,
    /// How to compile it, if that is known.
    pub flags: Option<Flags>,
    /// The files that include it directly, as indices into [`Project::files`].
    #[serde(skip)]
    pub included_by: Vec<usize>,
}

/// Why a tree could not be surveyed at all.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError {
    /// The tree cannot be read.
    #[error("the source tree {} cannot be read: {source}", path.display())]
    Tree {
        /// The tree.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// Flags could not be looked for.
    #[error(transparent)]
    Flags(#[from] FlagsError),
}

/// Surveys the tree at `root`. `progress` is told in words what is being done.
pub fn survey(
    root: &Path,
    options: &Options,
    sandbox: &Sandbox,
    progress: &dyn Fn(&str),
) -> Result<Project, SurveyError> {
    progress("listing files");
    let unreadable = |source| SurveyError::Tree { path: root.to_owned(), source };
    let listing = files::list(root, &options.bounds).map_err(unreadable)?;
    let roles = role::assign(root, &listing);
    progress("reading licences");
    let licences = licence::find(root, &listing);
    let wanted: Vec<flags::SourceFile> = listing
        .files
        .iter()
        .map(|file| flags::SourceFile { path: file.path.clone(), language: file.language, kind: file.kind })
        .collect();
    let mut report = flags::obtain(root, &wanted, &options.flags, sandbox, progress)?;
    let files = listing.files.into_iter().zip(roles).zip(licences).map(|((file, assigned), licence)| {
        let flags = report.files.remove(&file.path);
        // A build knows better than the includes do what is compiled by itself, and as what.
        let built = flags.as_ref().filter(|flags| is_from_a_build(flags.origin));
        let (role, role_reason) = match (assigned.role, built) {
            (Role::Platform, Some(_)) => {
                (Role::Library, "named for another system, but its build compiles it here".into())
            }
            (role, _) => (role, assigned.reason),
        };
        SourceFile {
            language: built.map_or(file.language, |flags| flags.language),
            kind: if built.is_some() { Kind::Unit } else { file.kind },
            path: file.path,
            included_by: file.included_by,
            role,
            role_reason,
            licence,
            flags,
        }
    });
    Ok(Project {
        key: report.key,
        files: files.collect(),
        root: report.root,
        skipped: listing.skipped,
        attempts: report.attempts,
    })
}

fn is_from_a_build(origin: FlagOrigin) -> bool {
    !matches!(origin, FlagOrigin::Neighbour | FlagOrigin::Inferred)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Configure;
    use crate::licence::Class;
    use std::fs;
    use std::time::Duration;

    fn options(cache: &Path) -> Options {
        let flags = FlagOptions {
            configure: Configure::Never,
            wall: Duration::from_secs(60),
            cache: cache.to_owned(),
            earlier: None,
        };
        Options { bounds: Bounds::default(), flags }
    }

    fn sandbox() -> Sandbox {
        Sandbox::start(&estrange_sandbox::Launcher::this_program(), estrange_sandbox::Protection::Required).unwrap()
    }

    #[test]
    fn a_small_tree_is_surveyed_whole() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("tree");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir_all(root.join("tests")).unwrap();
        fs::write(root.join("src/sum.h"), "int sum(int, int);").unwrap();
        let unit = "// SPDX-License-Identifier: MIT\n#include \"sum.h\"\nint sum(int a, int b) { return a + b; }";
        fs::write(root.join("src/sum.c"), unit).unwrap();
        fs::write(root.join("src/rows.inc"), "1, 2,").unwrap();
        fs::write(root.join("src/table.c"), "int rows[] = {\n#include \"rows.inc\"\n};").unwrap();
        fs::write(root.join("tests/sum_test.c"), "#include \"../src/sum.h\"\nint main(void) { return sum(1, -1); }")
            .unwrap();
        let database = format!(
            r#"[{{"directory": "{0}", "file": "src/sum.c", "arguments": ["cc", "-DX=1", "-c", "src/sum.c"]}}]"#,
            root.display()
        );
        fs::write(root.join("compile_commands.json"), database).unwrap();

        let project = survey(&root, &options(&folder.path().join("cache")), &sandbox(), &|_| ()).unwrap();
        let shown: Vec<_> =
            project.files.iter().map(|file| (file.path.to_str().unwrap(), file.kind, file.role)).collect();
        let expected = [
            ("src/rows.inc", Kind::Fragment, Role::Library),
            ("src/sum.c", Kind::Unit, Role::Library),
            ("src/sum.h", Kind::Header, Role::Library),
            ("src/table.c", Kind::Unit, Role::Library),
            ("tests/sum_test.c", Kind::Unit, Role::Test),
        ];
        assert_eq!(shown, expected);
        let sum = &project.files[1];
        assert_eq!(sum.licence.class, Class::Permissive);
        let flags = sum.flags.as_ref().unwrap();
        assert_eq!(flags.origin, FlagOrigin::Database);
        assert!(flags.arguments.contains(&"-DX=1".to_owned()), "{flags:?}");
        let cache = folder.path().join("cache");
        let parse = |project: &Project| {
            crate::parse_check::parse_check(project, |file| file.kind == Kind::Unit, &cache, &sandbox())
        };
        let parsed = parse(&project);
        assert!(parsed.len() == 3 && parsed.iter().all(|result| result.clean()), "{parsed:?}");
        let elsewhere = Project { root: folder.path().join("nowhere"), ..project.clone() };
        assert_eq!(parse(&elsewhere), parsed, "a second time nothing is parsed");
        let json = serde_json::to_value(&project).unwrap();
        assert_eq!(json["files"][1]["licence"]["expression"], "MIT");
        assert_eq!(json["files"][1]["licence"]["found_by"], "spdx_tag");
        assert_eq!(json["files"][4]["role"], "test");
    }

    #[test]
    fn a_tree_that_is_not_there_is_an_error_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let absent = folder.path().join("absent");
        let error = survey(&absent, &options(folder.path()), &sandbox(), &|_| ()).unwrap_err();
        assert!(error.to_string().contains("absent"), "{error}");
    }

    #[test]
    fn an_empty_tree_is_a_project_without_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("tree");
        fs::create_dir(&root).unwrap();
        let project = survey(&root, &options(&folder.path().join("cache")), &sandbox(), &|_| ()).unwrap();
        assert!(project.files.is_empty());
    }
}
