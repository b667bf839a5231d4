//! Right renamings leave the code as it is, and wrong ones are found out, with real compilers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::path::Path;

use estrange_evidence::{
    Clang, Compiler, CompilerError, Explanation, Gcc, Identical, IdenticalCode, LEVELS, Language, Level, NameIn, Pair,
    Refusal, Renames, Side, identical, identical_code,
};
use estrange_sandbox::Tool;
use estrange_text::lexer::{Kind, lex, lex_body};

thread_local! {
    /// The compilers of one test, whose files go with it.
    static COMPILERS: (Gcc, Clang) = (Gcc::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap(), Clang::find(&estrange_sandbox::Workshop::temporary().unwrap()).unwrap());
}

type Found = Result<IdenticalCode, Refusal>;

/// What a test takes for the standard library.
fn is_standard(symbol: &str) -> bool {
    ["strlen", "strcmp", "puts", "printf", "putchar", "__assert_fail", "stdout", "stderr", "malloc"].contains(&symbol)
}

fn all_found(
    language: Language,
    flags: &[String],
    pairs: &[Pair<'_>],
    standard: &dyn Fn(&str) -> bool,
) -> Result<Vec<Found>, CompilerError> {
    COMPILERS.with(|(gcc, clang)| identical_code(gcc, clang, language, flags, &LEVELS, pairs, standard))
}

fn found(language: Language, old: &str, new: &str, pairs: &[(&str, &str)]) -> Found {
    let renames = Renames::new(pairs.iter().copied());
    let pair = Pair { old, new, renames: &renames };
    all_found(language, &[], &[pair], &is_standard).unwrap().remove(0)
}

/// The text with every identifier renamed wherever it stands, macros included, literals not.
fn renamed(text: &str, pairs: &[(&str, &str)]) -> String {
    let new: HashMap<&str, &str> = pairs.iter().copied().collect();
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let tokens = if line.contains("#include") { Vec::new() } else { lex_body(line) };
        let mut at = 0;
        for token in tokens.iter().filter(|token| token.kind == Kind::Identifier) {
            if let Some(name) = new.get(token.text(line)) {
                out.push_str(&line[at..token.start as usize]);
                out.push_str(name);
                at = token.end as usize;
            }
        }
        out.push_str(&line[at..]);
    }
    assert!(pairs.iter().all(|(old, _)| !lex(&out).iter().any(|token| token.text(&out) == *old)), "{out}");
    out
}

/// The renaming is right, and leaves nothing in the data.
fn is_identical(language: Language, text: &str, pairs: &[(&str, &str)]) {
    let found = found(language, text, &renamed(text, pairs), pairs).unwrap();
    assert!(found.holds() && found.explanations().is_empty(), "{found:#?}");
}

/// The renaming is right, and leaves these names in the data.
fn is_explained(language: Language, text: &str, pairs: &[(&str, &str)], names: &[(NameIn, &str)]) {
    let found = found(language, text, &renamed(text, pairs), pairs).unwrap();
    assert!(found.holds(), "{found:#?}");
    let new: HashMap<&str, &str> = pairs.iter().copied().collect();
    let explanations: Vec<Explanation> = found.explanations().into_iter().cloned().collect();
    let one = |&(what, old): &(NameIn, &str)| Explanation { what, old: old.to_owned(), new: new[old].to_owned() };
    let mut expected: Vec<Explanation> = names.iter().map(one).collect();
    expected.sort();
    assert_eq!(explanations, expected);
}

/// The code differs, for both compilers at both levels.
fn is_different(language: Language, old: &str, new: &str, pairs: &[(&str, &str)]) {
    let found = found(language, old, new, pairs).unwrap();
    for (compiler, level, verdict) in found.verdicts() {
        assert!(matches!(verdict, Identical::Different { .. }), "{compiler:?} {level:?} {verdict:?}");
    }
    assert!(!found.holds());
}

const LIST: &str = "#include <stdio.h>\n#include <string.h>\n#define LIMIT(x) ((x) < 100 ? (x) : 100)\n\
    enum kind { KIND_LEAF, KIND_TREE };\ntypedef unsigned long size;\n\
    struct node { int key; enum kind kind; struct node *next; const char *name; };\n\
    extern int lookup(const char *name);\nextern struct node *root;\nint counter = 3;\nstatic double scale = 1.5;\n\
    static struct node first = { .key = 7, .kind = KIND_TREE, .name = \"counter\" };\n\
    static int compare(const struct node *a, const struct node *b) { return strcmp(a->name, b->name) * scale; }\n\
    int find(struct node *head, int key) {\n    static int calls;\n    static size hits = 4;\n    int total = 0;\n\
        for (struct node *at = head ? head : root; at; at = at->next) {\n        static int calls = 9;\n\
            calls++;\n        if (compare(at, &first) > 0 && at->key == key) goto done;\n\
            switch (at->kind + key) {\n            case 0: total += lookup(at->name); break;\n\
            case 1: total -= 5; break;\n            case 2: total *= 3; break;\n            case 3: hits++; break;\n\
            case 4: puts(\"head\"); break;\n            case 5: total += LIMIT(key); break;\n            default: break;\n\
            }\n    }\n    calls++;\ndone:\n    printf(\"%d %lu\\n\", calls, hits);\n    return total + counter;\n}\n";

const LIST_NAMES: &[(&str, &str)] = &[
    ("LIMIT", "MACRO_0"),
    ("x", "p0"),
    ("kind", "enum_0"),
    ("KIND_LEAF", "E0"),
    ("KIND_TREE", "E1"),
    ("size", "typedef_0"),
    ("node", "struct_0"),
    ("key", "field_0"),
    ("next", "field_1"),
    ("name", "a_rather_long_name_for_a_field"),
    ("lookup", "func_1"),
    ("root", "var_0"),
    ("counter", "var_1"),
    ("scale", "z"),
    ("first", "an_even_longer_name_for_a_variable_that_was_called_first"),
    ("compare", "func_2"),
    ("a", "q1"),
    ("b", "q2"),
    ("find", "func_0"),
    ("head", "q3"),
    ("calls", "q4"),
    ("hits", "q5"),
    ("total", "q6"),
    ("at", "q7"),
    ("done", "q8"),
];

#[test]
fn every_kind_of_name_in_c() {
    is_identical(Language::C, LIST, LIST_NAMES);
}

#[test]
fn a_name_has_a_new_one_for_each_of_its_roles() {
    let old = "struct node { int node; };\nstatic int node(struct node *n) { return n->node; }\n\
               int f(struct node *node) { static int other; { static int other = 1; other++; } return node->node + other; }\n\
               int g(struct node *n) { return node(n); }\n";
    let new = "struct a { int b; };\nstatic int c(struct a *e) { return e->b; }\n\
               int h(struct a *d) { static int s; { static int t = 1; t++; } return d->b + s; }\n\
               int i(struct a *e) { return c(e); }\n";
    let pairs = [("node", "a"), ("node", "b"), ("node", "c"), ("node", "d"), ("n", "e"), ("f", "h"), ("g", "i")];
    let pairs = [&pairs[..], &[("other", "s"), ("other", "t")]].concat();
    let found = found(Language::C, old, new, &pairs).unwrap();
    assert!(found.holds() && found.explanations().is_empty(), "{found:#?}");
}

#[test]
fn names_in_the_data_of_c() {
    let text = "#include <assert.h>\n#include <stdio.h>\n#define SHOW(x) printf(\"%s = %d\\n\", #x, (x))\n\
                #define TEXT(x) #x\nstruct node { int key; };\nchar fixed[2][40] = { TEXT(node), \"ab\" };\nchar open[] = TEXT(key);\n\
                static const char *table[] = { \"one\", TEXT(find), \"find\" };\n\
                int find(struct node *node, int key) {\n    assert(node != NULL && key > 0);\n    SHOW(node->key + key);\n\
                    return puts(__func__) + puts(table[key]) + fixed[0][key] + open[key];\n}\n";
    let pairs = [
        ("node", "a_structure_with_a_name_that_is_aligned"),
        ("key", "k"),
        ("find", "function_with_a_name_that_is_aligned"),
        ("table", "t"),
        ("fixed", "x1"),
        ("open", "x2"),
    ];
    let names = [
        (NameIn::FunctionName, "find"),
        // clang's assert knows the types, too.
        (NameIn::FunctionName, "node"),
        (NameIn::Text, "find"),
        (NameIn::Text, "key"),
        (NameIn::Text, "node"),
    ];
    is_explained(Language::C, text, &pairs, &names);
}

#[test]
fn texts_that_were_one_may_part() {
    let text = "#include <stdio.h>\n#define TEXT(x) #x\nint count;\n\
                int f(void) { return puts(\"count\") + puts(TEXT(count)) + puts(\"other\") + puts(\"count\"); }\n";
    is_explained(Language::C, text, &[("count", "c")], &[(NameIn::Text, "count")]);
}

const CLASSES: &str = "#include <cstdio>\n#include <typeinfo>\n#include <vector>\n\
    namespace graph { struct node { int key; static int count; node(int k) : key(k) {} virtual ~node();\n\
        virtual int get(int) const; int get(double) const; node operator+(const node &other) const; };\n\
    int node::count = 3;\nnode::~node() {}\n\
    int node::get(int a) const { static int calls; static node inner(4); return key + a + calls++ + inner.key; }\n\
    int node::get(double a) const { return key + a; }\n\
    node node::operator+(const node &other) const { return node(key + other.key); } }\n\
    namespace { struct hidden : graph::node { hidden() : node(1) {} int get(int a) const override { return a; } }; }\n\
    static graph::node first(2);\nstatic hidden second;\n\
    int over(int a) { return a; }\nint over(double b) { return b; }\nint over(graph::node *n) { return n->key; }\n\
    template <class T, int N> T twice(T t) { return t + t + N; }\n\
    int use(graph::node *n, std::vector<graph::node> &all) {\n    auto f = [n](int b) { return n->get(b); };\n\
        all.push_back(*n);\n    try { throw graph::node(5); } catch (graph::node &caught) { return caught.key; }\n\
        return twice<int, 3>(f(3)) + over(2.0) + over(n) + second.get(1) + first.get(1.0) + graph::node::count;\n}\n\
    const char *name(graph::node &n) { return typeid(n).name(); }\n";

#[test]
fn every_kind_of_name_in_cpp() {
    let pairs = [
        ("graph", "ns0"),
        ("node", "class_with_quite_a_long_name_so_that_it_is_aligned"),
        ("key", "f0"),
        ("count", "f1"),
        ("get", "method_0"),
        ("calls", "v0"),
        ("inner", "v1"),
        ("hidden", "c1"),
        ("first", "v2"),
        ("second", "v3"),
        ("over", "fn0"),
        ("twice", "fn1"),
        ("use", "fn2"),
        ("name_", "fn3"),
        ("other", "p0"),
        ("caught", "p1"),
        ("all", "p2"),
        ("T", "T0"),
        ("N", "N0"),
        ("k", "p3"),
    ];
    let text = CLASSES.replace("*name(graph", "*name_(graph");
    is_explained(
        Language::Cpp,
        &text,
        &pairs,
        &[(NameIn::TypeName, "graph"), (NameIn::TypeName, "node"), (NameIn::TypeName, "hidden")],
    );
}

#[test]
fn names_in_the_data_of_cpp() {
    let text = "#include <cassert>\n#include <cstdio>\nstruct node { int key; template <class T> int get(T t) const; };\n\
                template <class T> int node::get(T t) const { assert(key > t); puts(__func__); return puts(__PRETTY_FUNCTION__); }\n\
                int f(node *n) { return n->get(3) + n->get('a'); }\n";
    let pairs = [("node", "some_class"), ("key", "k"), ("get", "fetch"), ("T", "Type"), ("t", "x"), ("f", "g")];
    let renamed = renamed(text, &pairs);
    let found = found(Language::Cpp, text, &renamed, &pairs).unwrap();
    assert!(found.holds(), "{found:#?}");
    let old: Vec<&str> = found.explanations().iter().map(|one| one.old.as_str()).collect();
    assert!(["node", "key", "get", "T", "t"].iter().all(|name| old.contains(name)), "{found:#?}");
}

#[test]
fn a_captured_variable() {
    let old = "int level = 3;\nint f(int depth) { int sum = level; return sum + depth * level; }\n";
    let pairs = [("level", "x"), ("depth", "y"), ("sum", "z"), ("f", "g")];
    is_different(Language::C, old, "int x = 3;\nint g(int x) { int z = x; return z + x * x; }\n", &pairs);
    let claimed = [&pairs[..], &[("depth", "x")]].concat();
    is_different(Language::C, old, "int x = 3;\nint g(int x) { int z = x; return z + x * x; }\n", &claimed);
    is_identical(Language::C, old, &pairs);
}

#[test]
fn fields_swapped_where_they_are_used() {
    let old = "struct s { int first; int second; };\nint f(struct s *p) { return p->first * 3 + p->second; }\n";
    let pairs = [("first", "a"), ("second", "b"), ("s", "t")];
    let new = "struct t { int a; int b; };\nint f(struct t *p) { return p->b * 3 + p->a; }\n";
    is_different(Language::C, old, new, &pairs);
}

#[test]
fn a_function_of_the_standard_library_for_another() {
    let old = "#include <string.h>\nunsigned long f(const char *s) { return strlen(s) + 1; }\n";
    let new = "unsigned long strcmp(const char *s);\nunsigned long f(const char *s) { return strcmp(s) + 1; }\n";
    let old_alike = "unsigned long strlen(const char *s);\nunsigned long f(const char *s) { return strlen(s) + 1; }\n";
    // As functions of their own, so that the compilers know nothing of them.
    let flags = ["-fno-builtin".to_owned()];
    for (old, pairs) in [
        (old, vec![]),
        (old, vec![("strlen", "strcmp")]),
        (old_alike, vec![]),
        (old_alike, vec![("strlen", "strcmp")]),
        (old_alike, vec![("strlen", "strcmp"), ("strcmp", "strlen")]),
    ] {
        let renames = Renames::new(pairs);
        let pair = Pair { old, new, renames: &renames };
        for found in all_found(Language::C, &flags, &[pair], &is_standard).unwrap() {
            let found = found.unwrap();
            for (compiler, level, verdict) in found.verdicts() {
                assert!(matches!(verdict, Identical::Different { .. }), "{compiler:?} {level:?} {verdict:?}");
            }
        }
    }
    // The same with names that no standard library has is right.
    let other = |text: &str| text.replace("strlen", "length_of").replace("strcmp", "func_0");
    let found = found(Language::C, &other(old_alike), &other(new), &[("length_of", "func_0")]).unwrap();
    assert!(found.holds(), "{found:#?}");
}

#[test]
fn a_macro_of_the_standard_library() {
    let old = "#include <stdio.h>\nint f(int c) { return c == EOF; }\n";
    let new = "#include <stdio.h>\nint f(int c) { return c == MACRO_0; }\n";
    let refusal = found(Language::C, old, new, &[("EOF", "MACRO_0")]).unwrap_err();
    assert_eq!((refusal.side, refusal.compiler, refusal.level), (Side::New, Compiler::Gcc, Level::O0));
    assert!(refusal.message.contains("MACRO_0"), "{refusal}");
    let new = "#include <stdio.h>\n#define MACRO_0 0\nint f(int c) { return c == MACRO_0; }\n";
    is_different(Language::C, old, new, &[("EOF", "MACRO_0")]);
}

#[test]
fn texts_and_numbers_that_change() {
    let old = "#include <stdio.h>\nint total;\nint f(void) { total = 7; return puts(\"total is\"); }\n";
    let pairs = [("total", "x")];
    let new = renamed(old, &pairs);
    assert!(found(Language::C, old, &new, &pairs).unwrap().holds());
    is_different(Language::C, old, &new.replace("total is", "total as"), &pairs);
    is_different(Language::C, old, &new.replace("= 7", "= 8"), &pairs);
    // By the names alone, this one could have come from an identifier.
    is_different(Language::C, old, &new.replace("total is", "x is"), &pairs);
    let data = "int table[] = { 1, 2, 3 };\nchar text[] = \"abc\";\nchar letter = 'a';\n";
    is_different(Language::C, data, &data.replace("2, 3", "3, 2"), &[]);
    is_different(Language::C, data, &data.replace("abc", "abd"), &[]);
    is_different(Language::C, data, &data.replace("'a'", "'b'"), &[("a", "b")]);
    is_different(Language::C, data, &data.replace("\"abc\"", "\"x\""), &[("abc", "x")]);
    let text = "double f(double x) { return x * 1.5; }\n";
    is_different(Language::C, text, &text.replace("1.5", "1.25"), &[]);
}

#[test]
fn functions_and_variables_swapped() {
    let old = "int a(int x) { return x + 1; }\nint b(int x) { return x + 2; }\nint f(int x) { return a(x) - b(x); }\n";
    let pairs = [("a", "c"), ("b", "d")];
    // In their order, in their bodies, where they are called.
    let order =
        "int d(int x) { return x + 2; }\nint c(int x) { return x + 1; }\nint f(int x) { return c(x) - d(x); }\n";
    let bodies =
        "int c(int x) { return x + 2; }\nint d(int x) { return x + 1; }\nint f(int x) { return c(x) - d(x); }\n";
    let calls =
        "int c(int x) { return x + 1; }\nint d(int x) { return x + 2; }\nint f(int x) { return d(x) - c(x); }\n";
    for new in [order, bodies, calls] {
        is_different(Language::C, old, new, &pairs);
    }
    let old = "int a, b;\nextern int p, q;\nint f(void) { return a - b; }\nint g(void) { return p - q; }\n";
    let pairs = [("a", "c"), ("b", "d"), ("p", "r"), ("q", "s")];
    let uses = "int c, d;\nextern int r, s;\nint f(void) { return d - c; }\nint g(void) { return r - s; }\n";
    let elsewhere = "int c, d;\nextern int r, s;\nint f(void) { return c - d; }\nint g(void) { return s - r; }\n";
    for new in [uses, elsewhere] {
        is_different(Language::C, old, new, &pairs);
    }
    // Two that become one.
    let one = "int c;\nextern int r, s;\nint f(void) { return c - c; }\nint g(void) { return r - s; }\n";
    is_different(Language::C, old, one, &[("a", "c"), ("b", "c"), ("p", "r"), ("q", "s")]);
    let old = "extern int p, q;\nint g(void) { return p - q; }\n";
    let new = "extern int r;\nint g(void) { return r - r; }\n";
    is_different(Language::C, old, new, &[("p", "r"), ("q", "r")]);
    // What renames say nothing of.
    is_different(Language::C, "int f(void) { return 1; }\n", "int g(void) { return 1; }\n", &[]);
}

#[test]
fn methods_swapped() {
    let old = "struct s { virtual int a(); virtual int b(); };\nint s::a() { return 1; }\nint s::b() { return 2; }\n\
               int f(s *p) { return p->a(); }\n";
    let pairs = [("a", "c"), ("b", "d")];
    let found_right = found(Language::Cpp, old, &renamed(old, &pairs), &pairs).unwrap();
    assert!(found_right.holds(), "{found_right:#?}");
    is_different(Language::Cpp, old, &renamed(old, &pairs).replace("p->c", "p->d"), &pairs);
    is_different(
        Language::Cpp,
        old,
        &renamed(old, &pairs).replace("c(); virtual int d()", "d(); virtual int c()"),
        &pairs,
    );
}

#[test]
fn a_unit_without_code_shows_nothing() {
    let old = "#include <stdlib.h>\nextern int a;\nstruct s { int b; };\nint f(struct s *);\n";
    let found = found(Language::C, old, old, &[]).unwrap();
    assert!(found.verdicts().all(|(_, _, verdict)| *verdict == Identical::NoCode), "{found:?}");
    assert!(!found.holds());
}

#[test]
fn functions_that_nothing_calls_are_compared() {
    let old = "static int f(int a) { return a + 1; }\nstatic inline int g(int a) { return a + 2; }\n";
    let pairs = [("f", "h"), ("g", "i")];
    is_identical(Language::C, old, &pairs);
    is_different(Language::C, old, &renamed(old, &pairs).replace("+ 1", "+ 3"), &pairs);
    is_different(Language::C, old, &renamed(old, &pairs).replace("+ 2", "+ 3"), &pairs);
}

#[test]
fn functions_of_cpp_that_nothing_calls_are_compared_if_they_are_marked_as_used() {
    let functions = [
        "struct s { int x; USED int get(int a) const { return x + a; } };\n",
        "struct s { int x; USED explicit s(int a) : x(a) {} };\n",
        "struct s { int x; s(int); private: USED static int get(int a) { return a + 5; } };\n",
        "struct s { int x; USED operator int() const { return x; } };\n",
        "namespace s { namespace { USED int x(int a) { return a + 1; } } }\n",
        "struct s; USED static int x(s *a) { return a != nullptr; }\n",
        "struct s; USED inline int x(s *a) { return a != nullptr; }\n",
        "struct s; USED constexpr int x(s *a) { return a != nullptr; }\n",
        "struct s { int x; ~s(); };\nUSED inline s::~s() { x = 0; }\n",
    ];
    let pairs = [("s", "c"), ("x", "y"), ("get", "m")];
    let renames = Renames::new(pairs);
    for (attribute, is_compared) in [("__attribute__((used))", true), ("", false)] {
        let texts: Vec<(String, String)> = functions
            .iter()
            .map(|text| text.replace("USED", attribute))
            .map(|old| {
                (
                    old.clone(),
                    renamed(
                        &old,
                        &pairs
                            .iter()
                            .copied()
                            .filter(|(name, _)| lex(&old).iter().any(|token| token.text(&old) == *name))
                            .collect::<Vec<_>>(),
                    ),
                )
            })
            .collect();
        let pairs: Vec<Pair<'_>> = texts.iter().map(|(old, new)| Pair { old, new, renames: &renames }).collect();
        let found = all_found(Language::Cpp, &[], &pairs, &is_standard).unwrap();
        for ((old, _), found) in texts.iter().zip(found) {
            let found = found.unwrap();
            assert_eq!(found.holds(), is_compared, "{old} {found:?}");
        }
    }
}

#[test]
fn identifiers_beyond_ascii() {
    let old =
        "int n\u{e9}e; static int \\u00fcber(int a) { return n\u{e9}e + a; }\nint f(int a) { return \\u00fcber(a); }\n";
    let new = "int x; static int y(int a) { return x + a; }\nint f(int a) { return y(a); }\n";
    let found = found(Language::C, old, new, &[("n\u{e9}e", "x"), ("\\u00fcber", "y")]).unwrap();
    assert!(found.holds(), "{found:#?}");
}

#[test]
fn a_refusal_names_the_compiler_and_the_text() {
    let right = "int f(void) { return 1; }\n";
    let wrong = "int f(void) { return missing; }\n";
    let refusal = found(Language::C, wrong, right, &[]).unwrap_err();
    assert_eq!((refusal.side, refusal.compiler), (Side::Old, Compiler::Gcc));
    assert!(
        refusal.to_string().starts_with("gcc refuses the unit: ") && refusal.message.contains("missing"),
        "{refusal}"
    );
    // gcc takes this one: functions within functions.
    let nested = "int f(void) { int g(void) { return 1; } return g(); }\n";
    let refusal = found(Language::C, right, nested, &[]).unwrap_err();
    assert_eq!((refusal.side, refusal.compiler, refusal.level), (Side::New, Compiler::Clang, Level::O0));
}

#[test]
fn many_pairs_in_one_call_each_have_their_own_verdict() {
    let old =
        |n: usize| format!("static int f{n}(int a) {{ return a * {n} + 1; }}\nint g{n}(int a) {{ return f{n}(a); }}\n");
    let mut texts = Vec::new();
    for n in 0..60 {
        for trial in 0..3 {
            let name = format!("v{trial}x{n}");
            let mut new = old(n).replace(&format!("f{n}"), &name);
            if n % 7 == 3 && trial == 1 {
                new = new.replace("+ 1", "+ 2");
            }
            if n == 20 && trial == 2 {
                new.push_str("int wrong = missing;\n");
            }
            texts.push((n, trial, old(n), new, Renames::new([(format!("f{n}"), name)])));
        }
    }
    let pairs: Vec<Pair<'_>> = texts.iter().map(|(_, _, old, new, renames)| Pair { old, new, renames }).collect();
    let found = all_found(Language::C, &[], &pairs, &is_standard).unwrap();
    for ((n, trial, ..), found) in texts.iter().zip(&found) {
        match found {
            Err(refusal) => assert!((*n, *trial) == (20, 2) && refusal.side == Side::New, "{n} {trial}"),
            Ok(code) => assert_eq!(code.holds(), !(n % 7 == 3 && *trial == 1), "{n} {trial} {code:?}"),
        }
    }
    assert_eq!(found.iter().filter(|found| found.is_err()).count(), 1);
}

/// Sections with their bytes, and relocations by what they point to, as the assembler makes them of a text.
fn object(assembly: &str, folder: &Path, new: &HashMap<&str, &str>) -> (Vec<String>, Vec<String>) {
    std::fs::write(folder.join("unit.s"), assembly).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let output = Tool::new(program).arguments(arguments.iter().copied()).directory(folder).run().unwrap();
        assert!(output.success(), "{}", output.last_words(5));
        output.text()
    };
    run("as", &["-o", "unit.o", "unit.s"]);
    let sections = run("objdump", &["-s", "unit.o"]);
    let name = |line: &str| {
        let words = line.split_inclusive(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let split = |word: &'_ str| {
            word.len()
                - word
                    .chars()
                    .next_back()
                    .map_or(0, |c| if c.is_ascii_alphanumeric() || c == '_' { 0 } else { c.len_utf8() })
        };
        words
            .map(|word| {
                let (word, rest) = word.split_at(split(word));
                format!("{}{rest}", new.get(word).copied().unwrap_or(word))
            })
            .collect::<String>()
    };
    let relocations = run("objdump", &["-r", "unit.o"]);
    (sections.lines().skip(1).map(str::to_owned).collect(), relocations.lines().map(name).collect())
}

#[test]
fn what_is_identical_as_text_is_identical_for_the_assembler() {
    let new: HashMap<&str, &str> = LIST_NAMES.iter().copied().collect();
    let (renames, text) = (Renames::new(LIST_NAMES.iter().copied()), renamed(LIST, LIST_NAMES));
    let wrong = text.replace("total -= 5", "total -= 6").replace("q6 -= 5", "q6 -= 6");
    let folder = tempfile::tempdir().unwrap();
    for level in [Level::O0, Level::O2] {
        let units = [LIST, &text, &wrong];
        let by_gcc = COMPILERS.with(|(gcc, _)| gcc.compile(Language::C, level, &[], &units).unwrap());
        let by_clang = COMPILERS.with(|(_, clang)| clang.compile(Language::C, level, &[], &units).unwrap());
        for compiled in [by_gcc, by_clang] {
            let [old, right, wrong] = [0, 1, 2].map(|at| compiled[at].assembly().unwrap());
            assert_eq!(identical(old, right, &renames, &is_standard), Identical::Identical);
            assert!(matches!(identical(old, wrong, &renames, &is_standard), Identical::Different { .. }));
            let (sections, relocations) = object(old, folder.path(), &new);
            assert!(sections.len() > 10 && relocations.len() > 10);
            assert_eq!(
                (&sections, &relocations),
                (&object(right, folder.path(), &HashMap::new()).0, &object(right, folder.path(), &HashMap::new()).1)
            );
            assert_ne!(sections, object(wrong, folder.path(), &HashMap::new()).0);
        }
    }
}

/// The assertion's text is the other text before, and one of its own after: it stands in another section, and gcc counts the
/// constants and the labels of cold code (`.LCOLDB4`) on from there.
#[test]
fn a_text_that_is_no_longer_shared_changes_only_numbers() {
    let old = "#include <cassert>\n#include <cstdlib>\nint say(const char *text);\n\
        struct Box { int size; int peek(int n) { if (n > size) abort(); return say(\"n\") + n; } int use(int a); };\n\
        static int helper(int n) { assert(n); if (n > 7) abort(); return n; }\n\
        int Box::use(int a) { if (a > 9) abort(); return peek(a) + helper(a); }\n";
    let pairs = [("n", "var_0"), ("helper", "func_0"), ("peek", "func_1")];
    let new = renamed(old, &pairs);
    let found = found(Language::Cpp, old, &new, &pairs).unwrap();
    assert!(found.holds(), "{:?}", found.first_difference());
    // A text that is another one is still found.
    let other = new.replace("say(\"n\")", "say(\"m\")");
    assert!(!self::found(Language::Cpp, old, &other, &pairs).unwrap().holds());
}
