//! The lowered texts of fixed units: they change only with the version, or with the compilers, whose releases are part of
//! each input's name.

#![allow(clippy::unwrap_used)]

mod common;
#[path = "../../golden.rs"]
mod golden;

use std::path::Path;

use common::{FUNCTIONS, SHAPES, attempt};
use estrange_lower::{Compiler, Language, Opt, Options, Target, VERSION, class, statistics};

#[test]
fn lowered_texts_change_with_the_version_only() {
    let folder = tempfile::tempdir().unwrap();
    let release = |program: &str| common::run(folder.path(), program, &["-dumpversion"]).trim().to_owned();
    let releases = format!("gcc {} clang {}", release("gcc"), release("clang-19"));
    let mut outputs = Vec::new();
    for &target in Target::ALL {
        let options = Options { target, opt: Opt::O2, compiler: Compiler::Clang, ..Options::default() };
        let in_c = FUNCTIONS.map(|(unit, function)| (unit, Language::C, function));
        for (unit, language, function) in in_c.into_iter().chain([(SHAPES, Language::Cpp, "shapes::measure")]) {
            let lowered = attempt(&options, unit, language, function);
            let output = match lowered {
                Ok(found) => {
                    let counted = statistics(target, &found.text);
                    format!(
                        "{}\n{:?} {:?}\n{counted:?} {}",
                        found.text,
                        found.outside,
                        found.variables,
                        class(&found.text)
                    )
                }
                Err(loss) => loss.to_string(),
            };
            outputs.push((format!("{function} at {target}, {releases}"), output));
        }
    }
    golden::check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt"), VERSION, &outputs);
}
