//! A folder with sources to build, and a look at the benches that came of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use estrange_bench::{Bench, Function, Rejected};
use tempfile::TempDir;

use crate::support::{estrange, whole};

/// A folder with room for sources, a cache and benches.
pub struct Playground {
    folder: TempDir,
}

impl Playground {
    /// With a source of a few functions in C in it, named `adder`.
    pub fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        place.write("adder/adder.h", "struct pair { int one, other; };\nint add(int a, int b);\n");
        place.write(
            "adder/adder.c",
            "// SPDX-License-Identifier: MIT\n#include \"adder.h\"\n\n/* Adds. */\n\
             int add(int a, int b)\n{\n    return a + b;\n}\n\n\
             int sum(const struct pair *pair)\n{\n    return add(pair->one, pair->other);\n}\n\n\
             int broken(struct nowhere pair)\n{\n    return pair.one;\n}\n",
        );
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// `estrange build` with these arguments, run in the folder, with a cache of its own.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = estrange(&["build", "--configure", "never"]);
        command.args(arguments).current_dir(self.path("")).env("ESTRANGE_CACHE", self.path("cache"));
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Builds what has to succeed.
    pub fn build(&self, arguments: &[&str]) -> Built {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        let out = arguments.iter().position(|argument| *argument == "--out").unwrap();
        Built::open(&self.path(arguments[out + 1]))
    }
}

/// A bench, read.
pub struct Built {
    folder: PathBuf,
    pub functions: Vec<Function>,
    pub rejected: Vec<Rejected>,
}

impl Built {
    /// Reads a bench, of which the numbers have to add up.
    pub fn open(folder: &Path) -> Self {
        let bench = Bench::open(folder).unwrap();
        let functions: Vec<Function> = bench.functions().unwrap().map(Result::unwrap).collect();
        let rejected: Vec<Rejected> = bench.rejected().unwrap().map(Result::unwrap).collect();
        let counts = &bench.manifest().counts;
        let refused = rejected.iter().filter(|rejected| rejected.is_function()).count();
        assert_eq!(counts.kept, functions.len() as u64);
        assert_eq!(counts.found, counts.kept + refused as u64, "found = kept + rejected");
        let by_source: u64 = bench.manifest().sources.iter().map(|source| source.counts.found).sum();
        assert_eq!(by_source, counts.found, "the sources together have all");
        Self { folder: folder.to_owned(), functions, rejected }
    }

    /// The names of the functions that were kept.
    pub fn kept(&self) -> Vec<&str> {
        self.functions.iter().map(|function| function.name.as_str()).collect()
    }

    pub fn function(&self, name: &str) -> &Function {
        self.functions.iter().find(|function| function.name == name).unwrap_or_else(|| panic!("{name} was not kept"))
    }

    /// Path, name if it is a function, and reason of all that was not kept.
    pub fn losses(&self) -> Vec<String> {
        let line = |lost: &Rejected| {
            let words = [lost.path.as_deref(), lost.name.as_deref(), Some(lost.reason.as_str())];
            words.into_iter().flatten().collect::<Vec<_>>().join(" ")
        };
        let mut lines: Vec<String> = self.rejected.iter().map(line).collect();
        lines.sort();
        lines
    }

    /// All bytes of it.
    pub fn bytes(&self) -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(&self.folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
            .collect();
        files.sort();
        files
    }
}

/// Says whether two benches are the same, byte for byte.
pub fn assert_same(one: &Built, other: &Built) {
    let (one, other) = (one.bytes(), other.bytes());
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&one), ["functions.parquet", "manifest.json", "rejected.parquet"]);
    assert_eq!(names(&one), names(&other));
    for ((name, one), (_, other)) in one.iter().zip(&other) {
        assert!(one == other, "{name} differs");
    }
}

/// Compares with a snapshot, without what differs from machine to machine.
pub fn assert_whole(name: &str, place: &Playground, output: &Output) {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(&place.path("").display().to_string().trim_end_matches('/').replace('.', "\\."), "[folder]");
    settings.add_filter("built/[0-9a-f]{2}/[0-9a-f]{40}", "built/[entry]");
    settings.add_filter("\\.new-\\w+", ".new-[any]");
    settings.bind(|| insta::assert_snapshot!(name, whole(output)));
}
