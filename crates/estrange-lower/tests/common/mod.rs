//! What the tests of lowering share: units written for them, and lowering one function of one.

#![allow(dead_code, clippy::unwrap_used)]

use std::collections::HashSet;
use std::process::Command;

use estrange_lower::{Language, Loss, Lowered, Lowerer, Options, Request};

pub const TABLE: &str = include_str!("../units/table.c");
pub const ARITHMETIC: &str = include_str!("../units/arithmetic.c");
pub const SHAPES: &str = include_str!("../units/shapes.cpp");

/// The functions of the units in C.
pub const FUNCTIONS: [(&str, &str); 3] = [(TABLE, "judge_record"), (TABLE, "weigh_record"), (ARITHMETIC, "mixed_sum")];

/// The names of the units that no text may hold.
pub const OWN_NAMES: &[&str] = &[
    "record",
    "judge",
    "weigh",
    "titles",
    "squares",
    "calls",
    "elsewhere",
    "consult",
    "mixed_sum",
    "turned",
    "table.c",
    "unit.c",
    "Polygon",
    "shapes",
    "longest",
    "measure",
    "doubled",
    "printf",
    "strlen",
    "puts",
];

/// One function, or its loss.
pub fn attempt(options: &Options<'_>, unit: &str, language: Language, function: &str) -> Result<Lowered, Loss> {
    let request = Request { unit, language, flags: &[], function, helpers: &[], hidden: &HashSet::new() };
    let mut found = Lowerer::new(&estrange_sandbox::Workshop::temporary().unwrap()).lower(options, &[request]).unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// The text of a function.
pub fn text(options: &Options<'_>, unit: &str, language: Language, function: &str) -> String {
    let found = attempt(options, unit, language, function);
    found.unwrap_or_else(|loss| panic!("{function} at {}: {loss}", options.target)).text
}

/// Runs a program in a folder; what it printed.
pub fn run(folder: &std::path::Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
