//! What makes a function's code the same in its project and in its unit, and what does not.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use estrange_evidence::{
    Assembly, Compiled, FileLine, Gcc, Language, Level, Original, Question, SameCode, Text, Why, same_code,
};
use estrange_sandbox::Workshop;

/// A workshop that shows a project's tree.
fn shown(tree: &Path) -> Workshop {
    Workshop::temporary().unwrap().showing([tree])
}

fn assembly(level: Level, flags: &[&str], text: &str) -> Assembly {
    let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
    match Gcc::find(&Workshop::temporary().unwrap())
        .unwrap()
        .compile(Language::C, level, &flags, &[text])
        .unwrap()
        .remove(0)
    {
        Compiled::Accepted { assembly } => Assembly::parse(assembly),
        refused => panic!("{refused:?}\n{text}"),
    }
}

fn is_same(level: Level, flags: &[&str], original: &str, unit: &str) -> bool {
    same_code(&assembly(level, flags, original), &assembly(level, flags, unit), "f") == SameCode::Same
}

/// The function is the same code in both texts, and is not with `flag`, which undoes one of ours.
fn needs(level: Level, flag: &str, original: &str, unit: &str) {
    assert!(is_same(level, &[], original, unit), "differs with all flags");
    assert!(!is_same(level, &[flag], original, unit), "is the same with {flag}: ours is not needed");
}

#[test]
fn no_inlining() {
    let (body, prototype) = ("static int h(int a) { return a + 1; }", "static int h(int a);");
    let f = "int f(int a) { return h(a) * 2; }";
    needs(Level::O2, "-finline", &format!("{body}{f}"), &format!("{prototype}{f}"));
}

#[test]
fn no_register_allocation_by_callee() {
    let (body, prototype) = ("static int h(int a) { return a + 1; }", "static int h(int a);");
    let f = "int f(int a, int b) { return h(a) + b; }";
    needs(Level::O2, "-fipa-ra", &format!("{body}{f}"), &format!("{prototype}{f}"));
}

#[test]
fn no_discovery_of_pure_functions() {
    let (body, prototype) = ("static int h(int a) { return a * a * a; }", "static int h(int a);");
    let f = "int f(int a) { return h(a) + h(a); }";
    needs(Level::O2, "-fipa-pure-const", &format!("{body}{f}"), &format!("{prototype}{f}"));
}

#[test]
fn no_discovery_of_functions_that_do_not_return() {
    let body = "void x(int); static void h(int a) { x(a); for (;;); }";
    let f = "int f(int a) { if (a) h(a); return 1; }";
    needs(Level::O2, "-fipa-pure-const", &format!("{body}{f}"), &format!("static void h(int a);{f}"));
}

#[test]
fn no_discovery_of_functions_that_allocate() {
    let body = "void *malloc(unsigned long); static int *h(int a) { return malloc(a); }";
    let f = "int f(int *q) { int *p = h(8); *q = 1; *p = 2; return *q; }";
    needs(Level::O2, "-fipa-pure-const", &format!("{body}{f}"), &format!("static int *h(int a);{f}"));
}

#[test]
fn no_discovery_of_what_a_callee_writes() {
    let body = "int *p; void h(int *q) { *q = 1; }";
    let f = "int f(int *a) { int l = 0; h(&l); *a = 3; int z = *p; h(&l); return l + z + *p; }";
    needs(Level::O2, "-fipa-modref", &format!("{body}{f}"), &format!("int *p; void h(int *q);{f}"));
}

#[test]
fn no_stack_alignment_by_callee_even_without_optimisation() {
    let f = "int f(int a) { h(&a); return a; }";
    for level in [Level::O0, Level::O2] {
        let original = format!("void h(int *a) {{ *a = 1; }}{f}");
        needs(level, "-fipa-stack-alignment", &original, &format!("void h(int *a);{f}"));
    }
}

#[test]
fn no_merging_of_functions() {
    let f = "int f(int a) { return a * 77 + a / 3; }";
    needs(Level::O2, "-fipa-icf", &format!("int g(int a) {{ return a * 77 + a / 3; }}{f}"), f);
}

#[test]
fn no_conclusions_from_who_writes_a_static_variable() {
    let f = "static int v; int f(void) { return v; }";
    needs(Level::O2, "-fipa-reference-addressable", &format!("{f} void w(int a) {{ v = a; }}"), f);
    let f = "static int v; void f(int a) { v = a; }";
    needs(Level::O2, "-fipa-reference-addressable", &format!("{f} int w(void) {{ return v; }}"), f);
}

#[test]
fn no_conclusions_from_which_static_variables_a_callee_uses() {
    let body = "static int v; static void h(int *p) { *p = 3; }";
    let f = "int f(int *q) { int a = v; h(q); return a + v; } ";
    let original = format!("{body}{f} void w(void) {{ v++; }}");
    needs(Level::O2, "-fipa-reference", &original, &format!("static int v; static void h(int *p);{f}"));
}

#[test]
fn static_functions_are_kept() {
    let f = "static int f(int a, int b) { return a * b + b / a; }";
    needs(Level::O2, "-fno-keep-static-functions", &format!("{f} int g(int a) {{ return f(a, 7); }}"), f);
}

#[test]
fn inline_functions_are_kept() {
    let f = "static inline int f(int a) { return a * 3; }";
    assert!(is_same(Level::O0, &[], f, &format!("{f} int g;")));
    let dropped = assembly(Level::O0, &["-fno-keep-inline-functions", "-fno-keep-static-functions"], f);
    assert!(!dropped.has("f"));
}

#[test]
fn code_is_not_position_independent_so_that_linkage_does_not_matter() {
    let f = "int f(int i) { return t[i]; }";
    needs(
        Level::O2,
        "-fPIC",
        &format!("static int t[9]; {f} void w(void) {{ t[1] = 3; }}"),
        &format!("extern int t[9]; {f}"),
    );
}

#[test]
fn different_code_differs() {
    let differ = |a: &str, b: &str| {
        for level in [Level::O0, Level::O2] {
            assert!(!is_same(level, &[], a, b), "{a} / {b}");
        }
    };
    differ("int f(int a) { return a + 1; }", "int f(int a) { return a + 2; }");
    differ("const char *f(void) { return \"a\"; }", "const char *f(void) { return \"b\"; }");
    differ("double f(double a) { return a * 1.5; }", "double f(double a) { return a * 2.5; }");
    differ("int g(int); int f(int a) { return g(a); }", "int h(int); int f(int a) { return h(a); }");
    differ("extern int u, v; int f(void) { return u; }", "extern int u, v; int f(void) { return v; }");
    differ(
        "int f(int i) { static const int t[] = {1, 2}; return t[i]; }",
        "int f(int i) { static const int t[] = {1, 3}; return t[i]; }",
    );
    differ("int f(void) { static int n = 1; return n++; }", "int f(void) { static int n = 2; return n++; }");
    differ(
        "int f(int i) { static const char *const t[] = {\"a\", \"b\"}; return t[i][0]; }",
        "int f(int i) { static const char *const t[] = {\"a\", \"c\"}; return t[i][0]; }",
    );
    let table = |last: &str| {
        format!(
            "void a(void), b(void), c(void), d(void), e(void); void f(int i) {{ switch (i) {{ case 0: a(); break; \
             case 1: b(); break; case 2: c(); break; case 3: d(); break; case 4: e(); break; case {last}: a(); }} }}"
        )
    };
    differ(&table("5"), &table("7"));
    assert!(is_same(Level::O2, &[], &table("5"), &table("5")));
}

#[test]
fn a_constant_that_another_function_shares_is_the_same() {
    let pair = "struct S { int a, b, c, d; }; void f(struct S *s) { s->a = -1; s->b = -2; }";
    let other = "void g(struct S *s) { s->a = -1; s->b = -2; s->c = 7; s->d = 0; }";
    let original = assembly(Level::O2, &[], &format!("{pair}{other}"));
    assert_eq!(same_code(&original, &assembly(Level::O2, &[], pair), "f"), SameCode::Same);
    let changed = pair.replace("-2", "-3");
    assert_ne!(same_code(&original, &assembly(Level::O2, &[], &changed), "f"), SameCode::Same);
}

#[test]
fn what_stands_before_a_function_does_not_matter() {
    let f = "int f(int i) { static int n; if (i > 3) n += i; for (int k = 0; k < i; k++) n += \"abc\"[k]; return n * 1.5; }";
    let before = "int g(int i) { static int n; if (i) n++; return n * 2.5; } const char *s = \"xyz\";";
    for level in [Level::O0, Level::O2] {
        assert!(is_same(level, &[], &format!("{before}{f}"), f));
    }
}

/// Compiles `original` as a project's file, and asks about `f` in `unit`.
fn evidence(
    original: &str,
    unit: Text<'_>,
    linked: Option<Text<'_>>,
    line: Option<usize>,
) -> [Result<SameCode, String>; 2] {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file.c"), original).unwrap();
    let flags =
        ["-O3", "-g", "-fPIC", "-Wall", "-flto", "-D_FORTIFY_SOURCE=2", "-fstack-protector-all"].map(str::to_owned);
    let original = Original::compile(
        &shown(folder.path()),
        Path::new("file.c"),
        &flags,
        folder.path(),
        Language::C,
        (folder.path(), "/tree"),
    )
    .unwrap();
    let place = line.map(|line| FileLine { file: "file.c", line });
    let question = Question { symbol: "f", unit, used: None, linked, place };
    let found = Gcc::find(&Workshop::temporary().unwrap())
        .unwrap()
        .evidence(Language::C, &[], &original, &[question])
        .unwrap()
        .remove(0);
    [found.o0, found.o2]
}

#[test]
fn a_line_number_is_explained_only_where_it_is_the_reason() {
    let original = "\n\nint g;\n\nint f(const char **s) {\n  *s = __FILE__;\n  return __LINE__;\n}\n";
    let unit = Text { text: "int f(const char **s) {\n  *s = __FILE__;\n  return __LINE__;\n}\n", line: 1 };
    let explained = Ok(SameCode::Explained { why: vec![Why::Place] });
    assert_eq!(evidence(original, unit, None, Some(5)), [explained.clone(), explained]);
    let is_different = |found: &Result<SameCode, String>| matches!(found, Ok(SameCode::Different { .. }));
    assert!(evidence(original, unit, None, None).iter().all(is_different));
    assert!(evidence(original, unit, None, Some(6)).iter().all(is_different));
    let wrong = Text { text: "int f(const char **s) {\n  *s = __FILE__;\n  return __LINE__ + 1;\n}\n", line: 1 };
    assert!(evidence(original, wrong, None, Some(5)).iter().all(is_different));
}

#[test]
fn an_address_taken_elsewhere_is_explained() {
    let unit = "static int v; int f(int *q) { int a = v; *q = 3; return a + v; }\n";
    let original = format!("{unit} void w(int a) {{ v = a; }} int *p(void) {{ return &v; }}");
    let [o0, o2] = evidence(&original, Text { text: unit, line: 1 }, None, None);
    assert_eq!((o0, o2), (Ok(SameCode::Same), Ok(SameCode::Explained { why: vec![Why::AddressTaken] })));
}

#[test]
fn what_definitions_tell_is_explained_by_the_linked_unit() {
    let original = "static const int t[3] = {5, 6, 7}; int f(void) { return t[1]; }\n";
    let unit = Text { text: "extern const int t[3]; int f(void) { return t[1]; }\n", line: 1 };
    let linked = Text { text: original, line: 1 };
    let explained = Ok(SameCode::Explained { why: vec![Why::Definitions] });
    assert_eq!(evidence(original, unit, Some(linked), None), [explained.clone(), explained]);
    let [o0, o2] = evidence(original, unit, None, None);
    assert!(matches!(o0, Ok(SameCode::Different { .. })) && matches!(o2, Ok(SameCode::Different { .. })));
}

#[test]
fn a_unit_that_does_not_compile_has_the_messages() {
    let [o0, o2] =
        evidence("int f(void) { return 1; }", Text { text: "int f(void) { return x; }", line: 1 }, None, None);
    assert!(o0.unwrap_err().contains("'x' undeclared") && o2.is_err());
}

#[test]
fn a_function_that_is_not_there_is_absent() {
    let (with, without) = ("int f(void) { return 1; }", "int g(void) { return 1; }");
    let absent = |found: [Result<SameCode, String>; 2]| found[0].clone().unwrap();
    let text = |text| Text { text, line: 1 };
    assert_eq!(absent(evidence(with, text(without), None, None)), SameCode::Absent { in_original: false });
    assert_eq!(absent(evidence(without, text(with), None, None)), SameCode::Absent { in_original: true });
}

#[test]
fn a_file_that_does_not_compile_is_a_loss() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file.c"), "int f(void) { return x; }").unwrap();
    let loss = Original::compile(
        &shown(folder.path()),
        Path::new("file.c"),
        &[],
        folder.path(),
        Language::C,
        (folder.path(), "/tree"),
    )
    .unwrap_err();
    assert!(loss.to_string().contains("'x' undeclared"), "{loss}");
}

#[test]
fn static_variables_inside_cpp_functions_belong_to_them() {
    let gcc = Gcc::find(&Workshop::temporary().unwrap()).unwrap();
    let text = |last: &str| format!("int f(int i) {{ static int t[] = {{1, {last}}}; return t[i]++; }}\n");
    let (one, two) = (text("2"), text("3"));
    let found = gcc.compile(Language::Cpp, Level::O2, &[], &[&one, &two, &one]).unwrap();
    let of = |index: usize| Assembly::parse(found[index].assembly().unwrap());
    assert_eq!(same_code(&of(0), &of(2), "_Z1fi"), SameCode::Same);
    assert!(matches!(same_code(&of(0), &of(1), "_Z1fi"), SameCode::Different { .. }));
}

#[test]
fn exceptions_are_part_of_cpp_code() {
    let gcc = Gcc::find(&Workshop::temporary().unwrap()).unwrap();
    let text =
        |caught: &str| format!("void g(); int f() {{ try {{ g(); }} catch ({caught}) {{ return 1; }} return 2; }}\n");
    let before = format!("int h() {{ try {{ return 3; }} catch (char) {{ return 4; }} }} {}", text("int"));
    let found = gcc.compile(Language::Cpp, Level::O2, &[], &[&before, &text("int"), &text("long")]).unwrap();
    let of = |index: usize| Assembly::parse(found[index].assembly().unwrap());
    assert_eq!(same_code(&of(0), &of(1), "_Z1fv"), SameCode::Same);
    assert!(matches!(same_code(&of(0), &of(2), "_Z1fv"), SameCode::Different { .. }));
}

#[test]
fn what_nothing_calls_has_code_on_both_sides() {
    let original = "namespace n { static int twice(int a) { return a + a; }\nstruct Box { int size; int grown(int by) const { return twice(size) + by; } };\n\
                    static int idle(int a) { return a - 3; } }\nint other(const n::Box &box) { return box.size; }\n";
    let unit = "namespace n { int twice(int a);\nstruct Box { int size; int grown(int by) const { return twice(size) + by; } }; }\n";
    let idle = "namespace n { static int idle(int a) { return a - 3; } }\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file.cpp"), original).unwrap();
    let original = Original::compile(
        &shown(folder.path()),
        Path::new("file.cpp"),
        &[],
        folder.path(),
        Language::Cpp,
        (folder.path(), "/tree"),
    )
    .unwrap();
    let marked = |unit: &str, function: &str| unit.replace(function, &format!("__attribute__((used)) {function}"));
    let used = [marked(unit, "int grown"), marked(idle, "static int idle")];
    let question =
        |symbol, text, used| Question { symbol, unit: Text { text, line: 1 }, used, linked: None, place: None };
    let questions = [
        question("_ZNK1n3Box5grownEi", unit, Some(used[0].as_str())),
        question("_ZN1nL4idleEi", idle, Some(used[1].as_str())),
        question("_ZNK1n3Box5grownEi", unit, None),
    ];
    let gcc = Gcc::find(&Workshop::temporary().unwrap()).unwrap();
    let found = gcc.evidence(Language::Cpp, &[], &original, &questions).unwrap();
    assert!(found[0].holds() && found[1].holds(), "{found:#?}");
    assert_eq!(found[2].o0, Ok(SameCode::Absent { in_original: false }));
}
