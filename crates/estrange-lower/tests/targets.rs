//! Every target: no name survives, the text assembles to the same code, and what is lost has its reason.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::HashSet;

use common::{FUNCTIONS, OWN_NAMES, SHAPES, TABLE, attempt, run, text};
use estrange_lower::{Compiler, Language, Loss, Lowerer, Opt, Options, Request, Style, Target, statistics};
use estrange_words::Reason;

#[test]
fn no_name_of_a_unit_survives_at_any_target() {
    for &target in Target::ALL {
        // g++ writes the name of a function as a string of the program, which stays where no names are hidden.
        for &compiler in Compiler::ALL.iter().filter(|compiler| **compiler != Compiler::Gxx) {
            for opt in [Opt::O0, Opt::O2] {
                let options = Options { target, compiler, opt, ..Options::default() };
                for (unit, function) in FUNCTIONS {
                    let found = text(&options, unit, Language::C, function);
                    let counted = statistics(target, &found);
                    assert!(counted.instructions >= 5 && counted.unique_instructions >= 4, "{counted:?}\n{found}");
                    for name in OWN_NAMES {
                        assert!(!found.contains(name), "{name} at {target} by {compiler} {opt}\n{found}");
                    }
                }
            }
        }
    }
}

#[test]
fn functions_of_cpp_are_found_at_every_target() {
    let lowerer = Lowerer::new(&estrange_sandbox::Workshop::temporary().unwrap());
    // By the name in the source, and by the linker's, which is x86-64's; the constructor's has the library's string.
    let constructor = "_ZN6shapes7PolygonC1ENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
    let functions = [
        "shapes::measure",
        "Polygon::longest_side",
        "_ZNK6shapes7Polygon12longest_sideEv",
        constructor,
        "_ZN6shapes12_GLOBAL__N_17doubledEd",
    ];
    let hidden = HashSet::new();
    let requests = functions.map(|function| Request {
        unit: SHAPES,
        language: Language::Cpp,
        flags: &[],
        function,
        helpers: &[],
        hidden: &hidden,
    });
    for &target in Target::ALL {
        let options = Options { target, ..Options::default() };
        let found = lowerer.lower(&options, &requests).unwrap();
        let texts: Vec<String> = found.into_iter().map(|each| each.unwrap().text).collect();
        assert_eq!(texts[1], texts[2], "{target}");
        for name in OWN_NAMES {
            assert!(texts.iter().all(|text| !text.contains(name)), "{name} at {target}: {texts:#?}");
        }
    }
    let found = attempt(&Options::default(), SHAPES, Language::Cpp, "doubled");
    assert_eq!(found.unwrap_err().reason(), Reason::Ambiguous);
}

#[test]
fn the_text_of_aarch64_and_riscv_assembles_to_the_same_code() {
    for (target, prefix) in [(Target::Aarch64, "aarch64-linux-gnu-"), (Target::Riscv64, "riscv64-linux-gnu-")] {
        for opt in [Opt::O0, Opt::O2] {
            for (unit, function) in FUNCTIONS {
                let folder = tempfile::tempdir().unwrap();
                let options = Options { target, opt, ..Options::default() };
                let ours = text(&options, unit, Language::C, function);
                // What is called is elsewhere; data of a text are in a section of their own.
                let (code, data) = ours.split_once("\n\n").unwrap_or((&ours, ""));
                let ours = format!("\t.text\n{code}\n\t.data\n{data}\n");
                std::fs::write(folder.path().join("ours.s"), ours).unwrap();
                std::fs::write(folder.path().join("unit.c"), unit).unwrap();
                let flags = ["-S", "-fkeep-static-functions", "-fno-section-anchors", "-ffunction-sections"];
                let gcc = format!("{prefix}gcc");
                let level = opt.flag();
                let call = [&flags[..], &[&level, "unit.c", "-o", "theirs.s"]].concat();
                run(folder.path(), &gcc, &call);
                let pic = if target == Target::Riscv64 { "-fpic" } else { "-EL" };
                for name in ["ours", "theirs"] {
                    run(
                        folder.path(),
                        &format!("{prefix}as"),
                        &[pic, &format!("{name}.s"), "-o", &format!("{name}.o")],
                    );
                }
                let code = |file: &str, section: &str| {
                    let said = run(folder.path(), &format!("{prefix}objdump"), &["-d", "-j", section, file]);
                    let lines = said.lines().filter(|line| line.starts_with(' '));
                    // The bytes, and the name of the instruction.
                    let words = lines.filter_map(|line| {
                        let mut parts = line.split('\t').skip(1);
                        Some((parts.next()?.trim().to_owned(), parts.next()?.to_owned()))
                    });
                    words.collect::<Vec<_>>()
                };
                let ours = code("ours.o", ".text");
                let theirs = code("theirs.o", &format!(".text.{function}"));
                assert!(ours.len() > 10, "{ours:?}");
                // Alignment inside of the code is the assembler's.
                let padding = |each: &&(String, String)| each.1 != "nop";
                let (ours, theirs): (Vec<_>, Vec<_>) =
                    (ours.iter().filter(padding).collect(), theirs.iter().filter(padding).collect());
                let names = |list: &[&(String, String)]| list.iter().map(|each| each.1.clone()).collect::<Vec<_>>();
                assert_eq!(names(&ours), names(&theirs), "{target} {function} {opt}");
            }
        }
    }
}

#[test]
fn webassembly_text_assembles_to_the_same_body() {
    for opt in [Opt::O0, Opt::O2] {
        for (unit, function) in FUNCTIONS {
            let options = Options { target: Target::Wasm32, opt, ..Options::default() };
            let ours = text(&options, unit, Language::C, function);
            let module = wat::parse_str(&ours).unwrap_or_else(|error| panic!("{error}\n{ours}"));
            // An independent reading: wabt's, of the module and of what emcc itself writes.
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("ours.wasm"), module).unwrap();
            std::fs::write(folder.path().join("ours.wat"), &ours).unwrap();
            run(folder.path(), "wat2wasm", &["--debug-names", "ours.wat", "-o", "wabt.wasm"]);
            // Only here: emcc keeps nothing that nothing calls.
            let unit = unit.replace("static int weigh_record", "int weigh_record");
            std::fs::write(folder.path().join("unit.c"), unit).unwrap();
            run(folder.path(), "emcc", &["-c", &opt.flag(), "unit.c", "-o", "theirs.o"]);
            let body = |file: &str, name: &str| {
                let said = run(folder.path(), "wasm-objdump", &["-d", file]);
                let start = said.find(&format!("<{name}>:\n")).unwrap_or_else(|| panic!("{name} is not in {said}"));
                let lines = said[start..].lines().skip(1).take_while(|line| line.starts_with(' '));
                // The instructions, without addresses, bytes and what a linker fills in.
                let shown = lines
                    .filter(|line| !line.contains("R_WASM") && !line.contains("| local["))
                    .filter_map(|line| line.split_once("| ").map(|(_, rest)| rest.trim()));
                shown.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect::<Vec<_>>()
            };
            let ours = body("ours.wasm", "fn_1");
            assert!(ours.len() > 10);
            assert_eq!(ours, body("wabt.wasm", "fn_1"), "{function} {opt}");
            assert_eq!(ours, body("theirs.o", function), "{function} {opt}");
        }
    }
}

#[test]
fn llvms_text_is_a_module() {
    for opt in [Opt::O0, Opt::O2] {
        for (unit, function) in FUNCTIONS {
            let options = Options { target: Target::LlvmIr, opt, ..Options::default() };
            let folder = tempfile::tempdir().unwrap();
            let ours = text(&options, unit, Language::C, function);
            std::fs::write(folder.path().join("ours.ll"), &ours).unwrap();
            run(folder.path(), "llvm-as-19", &["ours.ll", "-o", "ours.bc"]);
        }
    }
}

#[test]
fn helpers_follow_the_function_and_may_be_absent() {
    let helpers = ["weigh_record".to_owned(), "never_written".to_owned()];
    for &target in Target::ALL {
        let request = Request {
            unit: TABLE,
            language: Language::C,
            flags: &[],
            function: "judge_record",
            helpers: &helpers,
            hidden: &HashSet::new(),
        };
        let options = Options { target, ..Options::default() };
        let found = Lowerer::new(&estrange_sandbox::Workshop::temporary().unwrap())
            .lower(&options, &[request])
            .unwrap()
            .remove(0)
            .unwrap();
        assert_eq!(found.absent, ["never_written"]);
        let alone = text(&options, TABLE, Language::C, "judge_record");
        let (with, without) = (statistics(target, &found.text), statistics(target, &alone));
        assert!(with.instructions > without.instructions + 8, "{target} {with:?} {without:?}");
    }
}

#[test]
fn names_of_the_standard_library_may_be_kept_and_words_hidden() {
    let hidden = HashSet::from(["first".to_owned()]);
    let keep = |name: &str| name == "puts" || name == "strlen";
    for &target in Target::ALL {
        let options = Options { target, keep: &keep, ..Options::default() };
        let function = "judge_record";
        let request =
            Request { unit: TABLE, language: Language::C, flags: &[], function, helpers: &[], hidden: &hidden };
        let found = Lowerer::new(&estrange_sandbox::Workshop::temporary().unwrap())
            .lower(&options, &[request])
            .unwrap()
            .remove(0)
            .unwrap();
        assert!(found.outside.iter().any(|(_, symbol)| symbol == "printf"), "{:?}", found.outside);
        assert!(!found.outside.iter().any(|(_, symbol)| symbol == "puts"), "{:?}", found.outside);
        let found = found.text;
        assert!(found.contains("puts") && found.contains("strlen") && !found.contains("printf"), "{found}");
        assert!(found.contains("the name_1") && !found.contains("first"), "{found}");
    }
}

#[test]
fn letters_in_strings_that_the_preprocessor_made_are_names() {
    let unit = "#include <assert.h>\n#include <stdio.h>\n#define CHECK(c) if (!(c)) puts(\"bad: \" #c)\n\
                int f(int n, const char *s) { assert(n > 0); CHECK(*s == n); return printf(\"%s\", s); }\n";
    let hidden = HashSet::from(["n".to_owned(), "s".to_owned(), "f".to_owned()]);
    for &target in Target::ALL {
        let options = Options { target, ..Options::default() };
        let request = Request { unit, language: Language::C, flags: &[], function: "f", helpers: &[], hidden: &hidden };
        let lowerer = Lowerer::new(&estrange_sandbox::Workshop::temporary().unwrap());
        let found = lowerer.lower(&options, &[request]).unwrap().remove(0).unwrap().text;
        for (made, left) in [("name_1 > 0", "n > 0"), ("bad: *name_2 == name_1", "*s == n")] {
            let made_alone = made.replace("name_2", "name_1").replace("== name_1", "== name_2");
            assert!(found.contains(made) || found.contains(&made_alone), "{made} at {target}: {found}");
            assert!(!found.contains(left), "{left} at {target}: {found}");
        }
        assert!(found.contains("%s"), "{target}: {found}");
    }
}

#[test]
fn what_a_target_lacks_is_a_loss_with_its_reason() {
    let reason = |target: Target, unit: &str, function: &str| {
        let options = Options { target, ..Options::default() };
        attempt(&options, unit, Language::C, function).map(|found| found.text).map_err(|loss| loss.reason())
    };
    let cpuid = "int f(void) { int a = 0, b, c, d; __asm__ volatile(\"cpuid\" : \"+a\"(a), \"=b\"(b), \"=c\"(c), \"=d\"(d)); return a; }\n";
    assert!(reason(Target::X86_64, cpuid, "f").is_ok_and(|text| text.contains("\tcpuid\n")));
    for target in [Target::Aarch64, Target::Riscv64, Target::Wasm32] {
        assert_eq!(reason(target, cpuid, "f"), Err(Reason::InlineAssembly), "{target}");
    }
    // gcc copies what it does not read.
    let pause = "int f(int a) { __asm__ volatile(\"xchg %%bx,%%bx\"); return a; }\n";
    assert_eq!(reason(Target::Aarch64, pause, "f"), Err(Reason::InlineAssembly));
    let vector = "#include <emmintrin.h>\nint f(void) { return _mm_cvtsi128_si32(_mm_setzero_si128()); }\n";
    assert!(reason(Target::X86_64, vector, "f").is_ok());
    assert_eq!(reason(Target::Aarch64, vector, "f"), Err(Reason::HeaderMissing));
    let builtin = "int f(void) { __builtin_ia32_pause(); return 1; }\n";
    assert_eq!(reason(Target::Riscv64, builtin, "f"), Err(Reason::TargetBuiltin));
    assert_eq!(
        reason(Target::Wasm32, "#include <sys/quota_missing.h>\nint f(void) { return 1; }\n", "f"),
        Err(Reason::HeaderMissing)
    );
    assert_eq!(reason(Target::X86_64, "int f(void) { return }\n", "f"), Err(Reason::DoesNotCompile));
    assert_eq!(reason(Target::X86_64, "int f(void);\n", "f"), Err(Reason::FunctionHasNoCode));
}

#[test]
fn inline_functions_have_code_too() {
    let unit = "static inline int f(int a) { return a * 3; }\nstatic inline __attribute__((always_inline)) int g(int a) { return a * 5; }\n";
    for &target in Target::ALL {
        for &compiler in Compiler::ALL {
            let options = Options { target, compiler, ..Options::default() };
            for function in ["f", "g"] {
                text(&options, unit, Language::C, function);
            }
        }
    }
}

#[test]
fn the_papers_style_hides_what_was_relocated() {
    let paper = |target: Target| {
        text(&Options { target, style: Style::Paper, ..Options::default() }, TABLE, Language::C, "judge_record")
    };
    let x86 = paper(Target::X86_64);
    assert!(x86.starts_with("   0:\tpush   %rbp\n   1:\tmov    %rsp,%rbp\n"), "{x86}");
    assert!(x86.contains("lea    0x0(%rip),%rax        # 0x"), "{x86}");
    // By g++, C has other conversions: what a comparison gives is one byte, and is extended.
    let unit = "int f(int a, int b) { return (a < b) + sizeof 'a'; }\n";
    let by = |compiler| text(&Options { compiler, ..Options::default() }, unit, Language::C, "f");
    assert!(by(Compiler::Gcc).contains("$0x4") && by(Compiler::Gxx).contains("$0x1"), "{}", by(Compiler::Gxx));
    let own = "#include <stdlib.h>\nint *own(void) { int *p = malloc(4); return p; }\n";
    let lost = attempt(&Options { compiler: Compiler::Gxx, ..Options::default() }, own, Language::C, "own");
    assert!(matches!(lost, Err(Loss::DoesNotCompile { .. })), "{lost:?}");
    let wasm = paper(Target::Wasm32);
    assert!(wasm.starts_with("  (func (;") && wasm.ends_with("return)\n"), "{wasm}");
    assert!(!wasm.contains('$'), "{wasm}");
}
