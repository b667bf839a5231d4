//! x86-64 text agrees with what `objdump` says of the object file that gcc itself writes, instruction by instruction.

#![allow(clippy::unwrap_used)]

mod common;

use common::{FUNCTIONS, run, text};
use estrange_lower::{Compiler, Language, Opt, Options, Style, Target, mnemonic};

/// What `objdump` prints of a function's instructions, without addresses, comments and names.
fn disassembled(driver: &str, opt: Opt, unit: &str, function: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("unit.c"), unit).unwrap();
    // clang has no flag to keep what nothing calls.
    let keep = if driver == "gcc" { "-fkeep-static-functions" } else { "-w" };
    run(folder.path(), driver, &["-c", keep, &opt.flag(), "unit.c", "-o", "unit.o"]);
    let option = format!("--disassemble={function}");
    let said = run(folder.path(), "objdump", &["-d", "--no-show-raw-insn", &option, "unit.o"]);
    let instructions = said.lines().filter_map(|line| line.split_once(":\t").map(|(_, instruction)| instruction));
    let plain = instructions.map(|line| line.split(['#', '<']).next().unwrap().trim().to_owned());
    plain.collect()
}

#[test]
fn gccs_text_is_objdumps_at_every_level() {
    for (unit, function) in FUNCTIONS {
        for &opt in Opt::ALL {
            let theirs = disassembled("gcc", opt, unit, function);
            assert!(theirs.len() > 8, "{function} {opt} {theirs:?}");
            let options = Options { opt, ..Options::default() };
            let plain = text(&options, unit, Language::C, function);
            let ours: Vec<&str> = plain.lines().filter_map(|line| mnemonic(Target::X86_64, line)).collect();
            let names: Vec<&str> = theirs.iter().filter_map(|line| mnemonic(Target::X86_64, line)).collect();
            assert_eq!(ours, names, "{function} {opt}");

            let paper = text(&Options { style: Style::Paper, ..options }, unit, Language::C, function);
            let lines = paper.lines().filter_map(|line| line.split_once(":\t").map(|(_, instruction)| instruction));
            let ours: Vec<String> = lines.map(|line| line.split('#').next().unwrap().trim().to_owned()).collect();
            assert_eq!(ours.len(), theirs.len());
            for (ours, theirs) in ours.iter().zip(&theirs) {
                // Only where a jump goes to depends on where the function is.
                if !theirs.starts_with('j') && !theirs.starts_with("call") {
                    assert_eq!(ours, theirs, "{function} {opt}");
                }
            }
        }
    }
}

#[test]
fn clangs_text_is_objdumps() {
    for opt in [Opt::O0, Opt::O2] {
        let (unit, function) = FUNCTIONS[0];
        let options = Options { opt, compiler: Compiler::Clang, ..Options::default() };
        let ours = text(&options, unit, Language::C, function);
        let ours: Vec<&str> = ours.lines().filter_map(|line| mnemonic(Target::X86_64, line)).collect();
        let theirs = disassembled("clang-19", opt, unit, function);
        let theirs: Vec<&str> = theirs.iter().filter_map(|line| mnemonic(Target::X86_64, line)).collect();
        assert_eq!(ours, theirs, "{opt}");
    }
}

#[test]
fn what_the_code_refers_to_is_named_and_shown() {
    let (unit, function) = FUNCTIONS[0];
    let text = text(&Options::default(), unit, Language::C, function);
    assert!(text.starts_with("fn_1:\n\tpush   %rbp\n"), "{text}");
    for part in [
        "\tcall   fn_2\n",
        "\t.string \"the first\"\n",
        "\t.string \"two \\\"quoted\\\"\"\n",
        "\t.string \"fn_1\"\n",
        ".L1:\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    // A table of jumps leads to labels that are there.
    let jumps: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("\t.long .L")?.split_once('-').map(|(label, _)| label))
        .collect();
    assert_eq!(jumps.len(), 6, "{text}");
    for label in jumps {
        assert!(text.contains(&format!("\n.L{label}:\n")), "{label}");
    }
}

#[test]
fn functions_that_differ_in_a_string_a_number_or_a_callee_have_different_texts() {
    let unit = |body: &str| {
        format!(
            "#include <stdio.h>\nextern int a, b; int x(int), y(int);\nstatic const int t[2] = {{1, 2}};\nint f(int i) {{ {body} }}\n"
        )
    };
    let bodies = [
        "return puts(\"one\");",
        "return puts(\"two\");",
        "return x(i) + y(i);",
        "return x(i) + x(i);",
        "return a + b;",
        "return a + a;",
        "return t[i];",
        "return t[i] + (int)(i * 0.5);",
        "return t[i] + (int)(i * 0.25);",
    ];
    let texts: std::collections::BTreeSet<String> =
        bodies.iter().map(|body| text(&Options::default(), &unit(body), Language::C, "f")).collect();
    assert_eq!(texts.len(), bodies.len(), "{texts:#?}");
}
