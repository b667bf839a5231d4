//! Every analyser sees a plain bug, says its class and line, and does not see it where it is mended.

#![allow(clippy::unwrap_used)]

mod common;

use common::{analyser, answer};
use estrange_analyser::{BuiltIn, Finding, Level, Unit};
use estrange_words::Language::{self, C, Cpp};

/// A bug: what it is called, its language, the text before it, the line with it, the same line mended, and who says
/// which rule and class. Each text ends with a line that belongs to the function.
struct Bug {
    name: &'static str,
    language: Language,
    before: &'static str,
    wrong: &'static str,
    mended: &'static str,
    after: &'static str,
    seen_by: &'static [(BuiltIn, &'static str, Option<u32>)],
}

const BUGS: &[Bug] = &[
    Bug {
        name: "null dereference",
        language: C,
        before: "#include <stddef.h>\nint first(int n) {\n    int v = 3, *p = &v;\n    if (n > 3) p = NULL;\n",
        wrong: "    return *p + 1;\n",
        mended: "    return p ? *p : 1;\n",
        after: "}\n",
        seen_by: &[
            (BuiltIn::Cppcheck, "nullPointer", Some(476)),
            (BuiltIn::Clang, "core.NullDereference", Some(476)),
            (BuiltIn::Gcc, "-Wanalyzer-null-dereference", Some(476)),
        ],
    },
    Bug {
        name: "out of bounds",
        language: C,
        before: "int sum(void) {\n    int a[4] = {1, 2, 3, 4};\n",
        wrong: "    return a[4] + 1;\n",
        mended: "    return a[3] + 1;\n",
        after: "}\n",
        seen_by: &[
            (BuiltIn::Cppcheck, "arrayIndexOutOfBounds", Some(788)),
            (BuiltIn::Clang, "core.UndefinedBinaryOperatorResult", Some(125)),
        ],
    },
    Bug {
        name: "unbounded copy",
        language: C,
        before: "#include <stdio.h>\n#include <string.h>\nvoid greet(const char *name) {\n    char line[16] = \"\";\n",
        wrong: "    strcpy(line, name);\n",
        mended: "    if (strlen(name) < sizeof line) puts(name);\n",
        after: "    puts(line);\n}\n",
        seen_by: &[(BuiltIn::Flawfinder, "FF1001", Some(120))],
    },
    Bug {
        name: "leak",
        language: C,
        before: "#include <stdlib.h>\nint once(int n) {\n    char *p = malloc(8);\n    if (!p) return 1;\n",
        wrong: "    if (n > 3) return 2;\n",
        mended: "    if (n > 3) { free(p); return 2; }\n",
        after: "    free(p);\n    return 0;\n}\n",
        seen_by: &[
            (BuiltIn::Cppcheck, "memleak", Some(401)),
            (BuiltIn::Clang, "unix.Malloc", Some(401)),
            (BuiltIn::Gcc, "-Wanalyzer-malloc-leak", Some(401)),
        ],
    },
    Bug {
        name: "double free",
        language: C,
        before: "#include <stdlib.h>\nvoid drop(char *p, int again) {\n    free(p);\n",
        wrong: "    if (again) free(p);\n",
        mended: "    if (again) p = NULL;\n",
        after: "}\n",
        seen_by: &[
            (BuiltIn::Cppcheck, "doubleFree", Some(415)),
            (BuiltIn::Clang, "unix.Malloc", Some(415)),
            (BuiltIn::Gcc, "-Wanalyzer-double-free", Some(415)),
        ],
    },
    Bug {
        name: "use after free",
        language: C,
        before: "#include <stdlib.h>\nint last(int *p) {\n    int kept = *p;\n    free(p);\n",
        wrong: "    *p = kept;\n",
        mended: "    p = NULL;\n",
        after: "    return kept;\n}\n",
        seen_by: &[
            (BuiltIn::Cppcheck, "deallocuse", Some(416)),
            (BuiltIn::Clang, "unix.Malloc", Some(416)),
            (BuiltIn::Gcc, "-Wanalyzer-use-after-free", Some(416)),
        ],
    },
    Bug {
        name: "double delete in C++",
        language: Cpp,
        before: "#include <memory>\nnamespace box {\nint take(int *p) {\n    int kept = *p;\n    delete p;\n",
        wrong: "    delete p;\n",
        mended: "    p = nullptr;\n",
        after: "    return kept;\n}\n}\n",
        seen_by: &[(BuiltIn::Cppcheck, "doubleFree", Some(415)), (BuiltIn::Clang, "cplusplus.NewDelete", Some(415))],
    },
    Bug {
        name: "null dereference in C++",
        language: Cpp,
        before: "#include <vector>\nstruct Node { int value; };\nint second(Node given, int n) {\n    Node *node = &given;\n    if (n > 3) node = nullptr;\n",
        wrong: "    return node->value;\n",
        mended: "    return node ? node->value : 0;\n",
        after: "}\n",
        seen_by: &[
            (BuiltIn::Cppcheck, "nullPointer", Some(476)),
            (BuiltIn::Clang, "core.NullDereference", Some(476)),
            (BuiltIn::Gcc, "-Wanalyzer-null-dereference", Some(476)),
        ],
    },
    Bug {
        name: "leak in C++",
        language: Cpp,
        before: "#include <string>\nint measure(int n) {\n    int *p = new int[4]();\n",
        wrong: "    if (n > 3) return 2;\n",
        mended: "    if (n > 3) { delete[] p; return 2; }\n",
        after: "    int first = p[0];\n    delete[] p;\n    return first;\n}\n",
        seen_by: &[
            (BuiltIn::Cppcheck, "memleak", Some(401)),
            (BuiltIn::Clang, "cplusplus.NewDeleteLeaks", Some(401)),
            (BuiltIn::Gcc, "-Wanalyzer-malloc-leak", Some(401)),
        ],
    },
    Bug {
        name: "unbounded copy in C++",
        language: Cpp,
        before: "#include <cstring>\n#include <cstdio>\nvoid greet(const char *name) {\n    char line[16] = \"\";\n",
        wrong: "    strcpy(line, name);\n",
        mended: "    if (strlen(name) < sizeof line) puts(name);\n",
        after: "    puts(line);\n}\n",
        seen_by: &[(BuiltIn::Flawfinder, "FF1001", Some(120))],
    },
];

impl Bug {
    fn text(&self, line: &str) -> String {
        format!("{}{line}{}", self.before, self.after)
    }

    fn line(&self) -> u32 {
        u32::try_from(self.before.lines().count() + 1).unwrap()
    }
}

#[test]
fn each_sees_the_bug_and_not_its_mended_twin() {
    for bug in BUGS {
        for &(which, rule, class) in bug.seen_by {
            let told = |text: &str| answer(which, bug.language, text).unwrap_or_else(|loss| panic!("{which}: {loss}"));
            let wrong = told(&bug.text(bug.wrong));
            let is_it = |finding: &&Finding| finding.rule == rule && finding.class() == class;
            let found = wrong.iter().find(is_it).unwrap_or_else(|| panic!("{which}, {}: {wrong:#?}", bug.name));
            assert_eq!(found.line, Some(bug.line()), "{which}, {}: {found:?}", bug.name);
            assert_eq!(found.tool, which.as_str());
            assert!(!found.message.is_empty());
            let mended = told(&bug.text(bug.mended));
            assert!(!mended.iter().any(|finding| finding.rule == rule), "{which}, {}: {mended:#?}", bug.name);
        }
    }
}

#[test]
fn a_clean_text_has_no_findings() {
    for &which in BuiltIn::ALL {
        assert_eq!(answer(which, C, "int next(int a) { return a > 7 ? 7 : a; }\n"), Ok(Vec::new()), "{which}");
        assert_eq!(answer(which, Cpp, "namespace n { int next(int a) { return a; } }\n"), Ok(Vec::new()), "{which}");
        assert_eq!(answer(which, C, ""), Ok(Vec::new()), "{which}");
    }
}

#[test]
fn levels_are_the_analysers_own() {
    let text = BUGS[1].text(BUGS[1].wrong);
    assert_eq!(answer(BuiltIn::Cppcheck, C, &text).unwrap()[0].level, Level::Error);
    assert!(answer(BuiltIn::Clang, C, &text).unwrap().iter().all(|finding| finding.level == Level::Warning));
    // A buffer of fixed size is only noted; what copies into it is an error.
    let found = answer(BuiltIn::Flawfinder, C, &BUGS[2].text(BUGS[2].wrong)).unwrap();
    let levels: Vec<(u32, Level)> = found.iter().map(|finding| (finding.line.unwrap(), finding.level)).collect();
    assert_eq!(levels, [(4, Level::Note), (5, Level::Error)]);
    assert_eq!(found[0].classes, [120, 119]);
}

#[test]
fn lines_are_those_of_the_text_whatever_its_directives_say() {
    let text = "int divide(int a) {\n#line 900 \"other.c\"\n    int b = 0;\n# 40 \"unit.c\"\n    return a / b;\n}\n";
    for which in [BuiltIn::Cppcheck, BuiltIn::Clang] {
        let found = answer(which, C, text).unwrap();
        let lines: Vec<_> = found.iter().filter(|each| each.class() == Some(369)).map(|each| each.line).collect();
        assert_eq!(lines, [Some(5)], "{which}");
    }
    let text = text.replace("/ b", "+ *(int *)b");
    let found = answer(BuiltIn::Gcc, C, &text).unwrap();
    assert_eq!(found.iter().map(|each| (each.class(), each.line)).collect::<Vec<_>>(), [(Some(476), Some(5))]);
}

#[test]
fn flags_decide_what_is_analysed() {
    let text = "int f(int *p) {\n#ifdef RISKY\n    p = 0;\n#endif\n    return *p;\n}\n";
    for which in [BuiltIn::Cppcheck, BuiltIn::Clang, BuiltIn::Gcc] {
        let found = |flags: &[&str]| {
            let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
            analyser(which.as_str()).analyse(&Unit { text, language: C, flags: &flags }).unwrap().unwrap()
        };
        assert!(found(&["-O2", "-std=gnu11"]).is_empty(), "{which}");
        assert_eq!(found(&["-DRISKY", "-std=gnu11"])[0].class(), Some(476), "{which}");
    }
}

#[test]
fn what_would_silence_an_analyser_is_not_obeyed() {
    let found = answer(
        BuiltIn::Flawfinder,
        C,
        "#include <string.h>\nvoid f(char *a, char *b) {\n    strcpy(a, b); // Flawfinder: ignore\n}\n",
    );
    assert_eq!(found.unwrap().len(), 1);
    let text =
        "int f(void) {\n    int a[2] = {0};\n    // cppcheck-suppress arrayIndexOutOfBounds\n    return a[2];\n}\n";
    assert_eq!(answer(BuiltIn::Cppcheck, C, text).unwrap().len(), 1);
    let flags = ["-w", "-Werror", "-fno-analyzer", "-Wno-analyzer-null-dereference"].map(str::to_owned);
    let pragma = |word: &str| format!("#pragma GCC diagnostic {word} \"-Wanalyzer-null-dereference\"\n");
    for first in [String::new(), pragma("ignored"), pragma("error")] {
        let text = format!("{first}int f(void) {{\n    int *p = 0;\n    return *p;\n}}\n");
        for which in ["gcc-fanalyzer", "clang-analyzer"] {
            let found = analyser(which).analyse(&Unit { text: &text, language: C, flags: &flags }).unwrap().unwrap();
            assert_eq!(found.len(), 1, "{which}: {text}");
        }
    }
}

#[test]
fn the_same_text_has_the_same_findings() {
    let text: String = BUGS.iter().filter(|bug| bug.language == C).map(|bug| bug.text(bug.wrong)).collect();
    for &which in BuiltIn::ALL {
        let first = answer(which, C, &text).unwrap();
        assert!(first.is_sorted_by_key(|finding| finding.line) && !first.is_empty(), "{which}: {first:#?}");
        assert_eq!(answer(which, C, &text).unwrap(), first, "{which}");
    }
}

#[test]
fn many_threads_may_share_an_analyser() {
    let analyser = analyser("cppcheck");
    let text = BUGS[1].text(BUGS[1].wrong);
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| common::ask(&analyser, C, &text))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(answers[0].as_ref().is_ok_and(|found| found.len() == 1));
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

#[test]
fn versions_are_part_of_the_stamp() {
    for (which, version) in [
        (BuiltIn::Cppcheck, "Cppcheck "),
        (BuiltIn::Flawfinder, "2."),
        (BuiltIn::Clang, "Debian clang"),
        (BuiltIn::Gcc, "gcc"),
    ] {
        let analyser = analyser(which.as_str());
        assert!(analyser.version().starts_with(version), "{}", analyser.version());
        assert!(analyser.stamp().contains(analyser.version()) && analyser.stamp().contains(which.as_str()));
    }
    assert!(analyser("gcc-fanalyzer").version().contains(", g++"));
}
