//! A batch gives each unit what a call of its own would give it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use estrange_evidence::{Clang, Compiled, Gcc, Language, Level, refused_by_assembler};

const C: &[&str] = &[
    "#include <stdio.h>\n#include <string.h>\nunsigned long f(const char *s) { return strlen(s) + printf(\"%d\", 7); }\n",
    "#include <stdio.h>\n#include <stdlib.h>\nint g(int a) { puts(\"x\"); return abs(a); }\n",
    "#include <stdio.h>\n\n#define N 3\n#include <stdlib.h>\nint h(int a) { switch (a) { case 0: return N; case 1: return 5; \
     case 2: return 8; case 3: return 9; case 4: return 1; default: return puts(__FILE__) + __LINE__; } }\n",
    "double k(double x) { return x * 1.5 + 2.25; }\n",
    "",
    "#include <stdio.h>",
    "#include <stdio.h>\n",
    "#if 1\n#include <stdio.h>\n#endif\nint m(void) { return getchar(); }",
];

const CPP: &[&str] = &[
    "#include <string>\n#include <vector>\nint f(const std::vector<std::string> &v) { return v.size() ? v[0].size() : 0; }\n",
    "#include <string>\n#include <vector>\nstd::string g(std::string s) { s += \"abc\"; return s; }\n",
    "#include <string>\n#include <vector>\nvoid h(std::vector<int> &v) { v.push_back(3); }\n",
    "namespace a { struct S { int x; int get() const; }; int S::get() const { return x; } }\n",
    "int k(int a) { try { throw a; } catch (int b) { return b; } }\n",
    "#include <string>\nint m(const std::string &s) { return s.size(); }\n",
];

fn same_as_alone(language: Language, level: Level, units: &[&str]) {
    let gcc = Gcc::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
    assert!(gcc.batches());
    let together = gcc.compile(language, level, &[], units).unwrap();
    let alone = gcc.one_by_one().compile(language, level, &[], units).unwrap();
    assert_eq!(together.len(), units.len());
    for ((together, alone), unit) in together.iter().zip(&alone).zip(units) {
        assert!(alone.accepted(), "{unit}: {alone:?}");
        let lines = |one: &Compiled| one.assembly().unwrap().trim_end().to_owned();
        assert_eq!(lines(together), lines(alone), "{unit}");
    }
}

#[test]
fn c_without_optimisation() {
    same_as_alone(Language::C, Level::O0, C);
}

#[test]
fn c_with_optimisation() {
    same_as_alone(Language::C, Level::O2, C);
}

#[test]
fn c_checked_only() {
    same_as_alone(Language::C, Level::Syntax, C);
}

#[test]
fn cpp_without_optimisation() {
    same_as_alone(Language::Cpp, Level::O0, CPP);
}

#[test]
fn cpp_with_optimisation() {
    same_as_alone(Language::Cpp, Level::O2, CPP);
}

#[test]
fn cpp_checked_only() {
    same_as_alone(Language::Cpp, Level::Syntax, CPP);
}

#[test]
fn an_error_costs_one_unit_and_names_its_line() {
    let gcc = Gcc::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
    let units = [
        "#include <stdio.h>\nint f(void) { return 1; }\n",
        "#include <stdio.h>\n\nint g(void) { return missing; }\n",
        "#include <stdio.h>\nint h(void) { return undeclared(); }\n",
        "#include <no-such-header.h>\nint k(void) { return 1; }\n",
        "#include <stdio.h>\nint l(void) { return 2; }\n",
    ];
    let results = gcc.compile(Language::C, Level::O2, &[], &units).unwrap();
    assert_eq!(results.iter().map(Compiled::accepted).collect::<Vec<_>>(), [true, false, false, false, true]);
    let Compiled::Refused { messages } = &results[1] else { panic!("{:?}", results[1]) };
    assert!(messages.contains("unit.c:3:"), "{messages}");
    assert!(messages.contains("missing"), "{messages}");
    let Compiled::Refused { messages } = &results[2] else { panic!("{:?}", results[2]) };
    assert!(messages.contains("undeclared") && !messages.contains("missing"), "{messages}");
}

#[test]
fn a_compiler_that_is_ended_costs_one_unit() {
    let gcc = Gcc::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
    // Deeper than the compiler can go.
    let deep = format!("int f(void) {{ return {}1{}; }}\n", "(".repeat(400_000), ")".repeat(400_000));
    let results = gcc.compile(Language::C, Level::Syntax, &[], &["int g;\n", &deep, "int h;\n"]).unwrap();
    assert!(results[0].accepted() && results[2].accepted(), "{results:?}");
    assert!(matches!(results[1], Compiled::Ended { .. }), "{:?}", results[1]);
}

#[test]
fn what_a_unit_prints_is_its_own() {
    let gcc = Gcc::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
    let units = [
        "__asm__(\"\\n#estrange-0000000000000000 1 0\\n\");\nint f(void) { return 1; }\n",
        "int g(void) { return 2; }\n",
    ];
    let results = gcc.compile(Language::C, Level::O0, &[], &units).unwrap();
    assert!(results[0].assembly().unwrap().contains("f:"));
    assert!(results[1].assembly().unwrap().contains("g:") && !results[1].assembly().unwrap().contains("f:"));
}

#[test]
fn more_units_than_one_call_takes() {
    let gcc = Gcc::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
    let texts: Vec<String> = (0..600).map(|n| format!("int f{n}(void) {{ return {n}; }}\n")).collect();
    let units: Vec<&str> = texts.iter().map(String::as_str).collect();
    let results = gcc.compile(Language::C, Level::O0, &[], &units).unwrap();
    for (n, result) in results.iter().enumerate() {
        assert!(result.assembly().unwrap().contains(&format!("\nf{n}:")), "{n}");
    }
}

#[test]
fn a_unit_does_not_reach_what_makes_batches() {
    let gcc = Gcc::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
    let units = [
        "#include \"estrange.fork.1\"\nint f(void) { return 1; }\n",
        "int g;\n#include \"estrange.fork.0\"\nint h(void) { return missing; }\n",
        "#include <stdio.h>\n#if __has_include(\"estrange.fork.2\")\n#error found\n#endif\n",
        "#include <stdio.h>\nint k;\n",
    ];
    for level in [Level::Syntax, Level::O0] {
        let results = gcc.compile(Language::C, level, &[], &units).unwrap();
        assert_eq!(
            results.iter().map(Compiled::accepted).collect::<Vec<_>>(),
            [false, false, true, true],
            "{results:?}"
        );
        assert!(!gcc.compile(Language::C, level, &[], &units[..1]).unwrap()[0].accepted());
    }
}

#[test]
fn assembly_that_no_assembler_accepts_is_refused_at_every_level() {
    let workshop = estrange_sandbox::Workshop::temporary().unwrap();
    let (gcc, clang) = (Gcc::find(&workshop).unwrap(), Clang::find(&workshop).unwrap());
    let units = [
        "int f(int x) { __asm__ volatile(\"nop\"); return x; }\n",
        "int g(int x) { __asm__ volatile(\"no_such_instruction %0\" : : \"r\"(x)); return x; }\n",
        "asm(\".no_such_directive\");\nint h(int x) { return x; }\n",
        "int k(int x) { return x; }\n",
    ];
    for level in [Level::Syntax, Level::O0, Level::O2] {
        let by_gcc = gcc.compile(Language::C, level, &[], &units).unwrap();
        let by_clang = clang.compile(Language::C, level, &[], &units).unwrap();
        for results in [by_gcc, by_clang] {
            assert_eq!(
                results.iter().map(Compiled::accepted).collect::<Vec<_>>(),
                [true, false, false, true],
                "{level:?}"
            );
            let Compiled::Refused { messages } = &results[1] else { panic!("{:?}", results[1]) };
            assert!(refused_by_assembler(messages) && messages.contains("no_such_instruction"), "{messages}");
        }
    }
    let method = "struct s { int m(int x) { asm(\"no_such_instruction\"); return x; } };\n";
    let results = gcc.compile(Language::Cpp, Level::O0, &[], &[method]).unwrap();
    assert!(!results[0].accepted(), "{results:?}");
}

#[test]
fn what_the_dialect_of_1989_allows_is_accepted_there_only() {
    let gcc = Gcc::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
    let unit = ["old(a, b) char *b; { return undeclared(a) + *b; }\n"];
    for (dialect, accepted) in [("-std=gnu89", true), ("-std=c90", true), ("-std=gnu99", false), ("-std=gnu17", false)]
    {
        let results = gcc.compile(Language::C, Level::O0, &[dialect.to_owned()], &unit).unwrap();
        assert_eq!(results[0].accepted(), accepted, "{dialect}: {results:?}");
    }
}
