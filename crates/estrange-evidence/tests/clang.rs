//! clang gives each unit of a batch what a process of its own would give it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use estrange_evidence::{Clang, Compiled, Language, Level};

const C: &[&str] = &[
    "#include <stdio.h>\n#include <string.h>\nunsigned long f(const char *s) { return strlen(s) + printf(\"%d\", 7); }\n",
    "#include <stdio.h>\n#include <stdlib.h>\nstatic int g(int a) { puts(\"x\"); return abs(a); }\n",
    "#include <assert.h>\n\n#define N 3\n#include <stdlib.h>\nint h(int a) { assert(a > N); return puts2(__FILE__); }\n",
    "#include <stdio.h>\n\n#define N 3\n#include <stdlib.h>\nint h(int a) { return puts(__FILE__) + __LINE__ + a * N; }\n",
    "#include <stdio.h>\nint h(int a) { return puts(__BASE_FILE__) + puts(__FILE_NAME__) + __INCLUDE_LEVEL__; }\n",
    "#include <assert.h>\nstruct s { int n; };\nvoid h(struct s *s) { assert(s->n); }\nint c0 = __COUNTER__;\n",
    "struct s { double n; };\ndouble k(struct s x) { return x.n * 1.5 + 2.25; }\nint c1 = __COUNTER__;\n",
    "static inline int unused(int a) { return a; }\n",
    "",
    "#include <stdio.h>",
    "int first_line = __LINE__; const char *file = __FILE__;",
    "#if 1\n#include <stdio.h>\n#endif\nint m(void) { return getchar(); }",
    "#line 77 \"other.c\"\nint line = __LINE__; const char *file = __FILE__;\n",
    "#pragma GCC diagnostic error \"-Wunused-variable\"\nint p(void) { return 1; }\n",
    "int q(void) { int unused; return 1; }\n",
    "#include <immintrin.h>\nstatic __m128i r(__m128i a, __m128i b) { return _mm_add_epi32(a, b); }\n",
];

const CPP: &[&str] = &[
    "#include <string>\n#include <vector>\nint f(const std::vector<std::string> &v) { return v.size() ? v[0].size() : 0; }\n",
    "#include <string>\n#include <vector>\nstd::string g(std::string s) { s += __FILE__; return s; }\n",
    "#include <string>\n#include <vector>\nstruct node { virtual ~node(); std::string name; };\nnode::~node() {}\n\
     void h(std::vector<node> &v) { v.push_back(node()); }\nstatic std::string global = __func__ + std::to_string(__LINE__);\n",
    "namespace a { struct S { int x; int get() const; }; int S::get() const { return x; } }\n",
    "int k(int a) { try { throw a; } catch (int b) { return b; } }\n",
    "#include <string>\nint m(const std::string &s) { return s.size(); }\n",
    "#include <string>\n#include <vector>\nint wrong(const std::vector<int> &v) { return v.length(); }\n",
    "#include <map>\n#include <string>\nint g(std::map<std::string, int> &m) { return m[\"a\"] + m.count(\"b\"); }\n",
    "#include <map>\n#include <string>\ntemplate <class T> T twice(T t) { return t + t; }\nint z(int a) { return twice(a); }\n\
     std::string z(std::string a) { std::map<std::string, std::string> m; m[a] = twice(a); return m.begin()->second; }\n",
];

fn same_as_alone(language: Language, units: &[&str]) {
    let clang = Clang::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
    for level in [Level::Syntax, Level::O0, Level::O2] {
        let together = clang.compile(language, level, &[], units).unwrap();
        let alone = clang.clone().one_by_one().compile(language, level, &[], units).unwrap();
        assert_eq!(together.len(), units.len());
        for ((together, alone), unit) in together.iter().zip(&alone).zip(units) {
            assert_eq!(together, alone, "{level:?} {unit}");
            assert_eq!(alone.accepted(), !unit.contains("puts2") && !unit.contains("length"), "{alone:?}");
        }
    }
}

#[test]
fn units_of_c() {
    same_as_alone(Language::C, C);
}

#[test]
fn units_of_cpp() {
    same_as_alone(Language::Cpp, CPP);
}

#[test]
fn names_and_lines_are_the_units_own() {
    let unit = "\nconst char *file = __FILE__;\nint line = __LINE__;\n";
    let results = Clang::find(&estrange_sandbox::Workshop::temporary().unwrap())
        .unwrap()
        .compile(Language::C, Level::O0, &[], &[unit, unit])
        .unwrap();
    for result in results {
        let assembly = result.assembly().unwrap();
        assert!(assembly.contains(".asciz\t\"unit.c\"") && assembly.contains(".long\t3"), "{assembly}");
    }
}

#[test]
fn unused_functions_of_c_are_kept() {
    let unit = "static int f(int a) { return a; }\nstatic inline int g(int a) { return a; }\n";
    for level in [Level::O0, Level::O2] {
        let result = Clang::find(&estrange_sandbox::Workshop::temporary().unwrap())
            .unwrap()
            .compile(Language::C, level, &[], &[unit])
            .unwrap()
            .remove(0);
        let assembly = result.assembly().unwrap();
        assert!(["f:", "g:"].iter().all(|label| assembly.contains(label)), "{assembly}");
        assert!(!assembly.contains(".cfi") && !assembly.contains("endbr"), "{assembly}");
    }
}

#[test]
fn an_error_costs_one_unit_and_names_its_line() {
    let clang = Clang::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
    let mut texts: Vec<String> =
        (0..40).map(|n| format!("#include <stdio.h>\nint f{n}(void) {{ return {n}; }}\n")).collect();
    texts[3] = "#include <stdio.h>\n\nint g(void) { return missing; }\n".to_owned();
    texts[4] = "#include <no-such-header.h>\nint k(void) { return 1; }\n".to_owned();
    texts[30] = "#include <stdio.h>\nint h(void) { return undeclared(); }\n".to_owned();
    texts[31] = "int a(void) { __asm__(\"no such instruction\"); return 1; }\n".to_owned();
    texts[39] = "#error last\n".to_owned();
    let units: Vec<&str> = texts.iter().map(String::as_str).collect();
    for level in [Level::Syntax, Level::O0, Level::O2] {
        let results = clang.compile(Language::C, level, &[], &units).unwrap();
        for (n, result) in results.iter().enumerate() {
            let is_wrong = [3, 4, 30, 31, 39].contains(&n);
            assert_eq!(result.accepted(), !is_wrong, "{n} {level:?} {result:?}");
            if let (Some(assembly), true) = (result.assembly(), level != Level::Syntax) {
                assert!(assembly.contains(&format!("\nf{n}:")), "{n}");
            }
        }
        let Compiled::Refused { messages } = &results[3] else { panic!("{:?}", results[3]) };
        assert_eq!(messages, "unit.c:3:22: error: use of undeclared identifier 'missing'\n");
        let Compiled::Refused { messages } = &results[30] else { panic!("{:?}", results[30]) };
        assert!(messages.contains("undeclared") && !messages.contains("missing"), "{messages}");
    }
}

#[test]
fn a_compiler_that_is_ended_costs_one_unit() {
    // Deeper than the compiler can go.
    let deep = format!("int f(int a) {{ return {}a; }}\n", "1 + a * ".repeat(150_000));
    let flags = ["-fbracket-depth=1000000".to_owned()];
    let clang = Clang::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
    let results = clang.compile(Language::C, Level::O0, &flags, &["int g;\n", &deep, "int h;\n"]).unwrap();
    assert!(results[0].accepted() && results[2].accepted(), "{results:?}");
    assert!(matches!(results[1], Compiled::Ended { .. }), "{:?}", results[1]);
}

#[test]
fn flags_of_which_clang_knows_nothing_are_a_refusal() {
    let flags = ["-fno-such-flag".to_owned()];
    let results = Clang::find(&estrange_sandbox::Workshop::temporary().unwrap())
        .unwrap()
        .compile(Language::C, Level::O0, &flags, &["int g;\n"])
        .unwrap();
    let Compiled::Refused { messages } = &results[0] else { panic!("{:?}", results[0]) };
    assert!(messages.contains("-fno-such-flag"), "{messages}");
}

#[test]
fn flags_change_what_a_unit_means() {
    let clang = Clang::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap();
    let unit = ["int f(char *c) { return *c; }\n"];
    let signed = clang.compile(Language::C, Level::O2, &[], &unit).unwrap();
    let unsigned = clang.compile(Language::C, Level::O2, &["-funsigned-char".to_owned()], &unit).unwrap();
    assert_ne!(signed, unsigned);
}

#[test]
fn more_units_than_one_process_takes() {
    let texts: Vec<String> = (0..600).map(|n| format!("int f{n}(void) {{ return {n}; }}\n")).collect();
    let units: Vec<&str> = texts.iter().map(String::as_str).collect();
    let results = Clang::find(&estrange_sandbox::Workshop::temporary().unwrap())
        .unwrap()
        .compile(Language::C, Level::O0, &[], &units)
        .unwrap();
    for (n, result) in results.iter().enumerate() {
        assert!(result.assembly().unwrap().contains(&format!("\nf{n}:")), "{n}");
    }
}
