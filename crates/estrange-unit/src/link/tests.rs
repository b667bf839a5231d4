//! Small projects, flattened and read by the real tools, linked, and run.

use std::path::Path;

use estrange_clang::{Clang, Reading};
use estrange_sandbox::{Tool, Workshop};
use estrange_words::Language;

use crate::flat::Flat;
use crate::flatten::flatten;
use crate::link::{Bounds, LinkLoss, Linked, LinkedFunction, Member, Missed, Program};
use crate::standard::SystemFolders;

/// A project out of files: those that are no headers are its translation units, in order.
struct Project {
    language: Language,
    units: Vec<(Flat, Reading)>,
}

impl Project {
    fn new(language: Language, files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        let option = language.flag();
        let said = Tool::new("gcc").arguments(["-v", "-E", option, "/dev/null"]).run().expect("gcc").stderr;
        let folders = SystemFolders::from_compiler(&String::from_utf8_lossy(&said));
        let clang = Clang::load().expect("libclang");
        let workshop = Workshop::temporary().expect("a workshop").showing([folder.path()]);
        let sources = files.iter().filter(|(name, _)| !name.ends_with(".h"));
        let units = sources.map(|(name, _)| {
            let arguments = [option.to_owned()];
            let flat =
                flatten(&workshop, Path::new(name), &arguments, folder.path(), &folders).expect("it is flattened");
            let reading = clang.read(&flat.text, &arguments);
            assert!(reading.troubles.is_empty(), "{:?}", reading.troubles);
            (flat, reading)
        });
        Self { language, units: units.collect() }
    }

    fn program(&self) -> Program<'_> {
        let members = self.units.iter();
        Program::new(members.map(|(flat, reading)| Member { flat, reading, language: self.language }).collect())
    }

    /// Where a function is defined.
    fn find(&self, name: &str) -> (usize, u32) {
        let units = self.units.iter().enumerate();
        let mut all = units.flat_map(|(unit, (_, reading))| {
            let declarations = reading.declarations.iter().enumerate();
            declarations.map(move |(number, declaration)| (unit, number as u32, declaration))
        });
        let (unit, number, _) = all
            .find(|(_, _, declaration)| declaration.qualified_name == name && declaration.body.is_some())
            .expect("there is such a function");
        (unit, number)
    }

    fn linked(&self, name: &str, bounds: Bounds) -> Result<Linked, LinkLoss> {
        let (unit, number) = self.find(name);
        self.program().linked(unit, number, bounds)
    }

    /// Links a function, and tells what a `main` with this body, after it, exits with.
    fn run(&self, name: &str, body: &str) -> (String, String) {
        self.run_with(name, body, &[])
    }

    /// As [`Project::run`], after a compiler has missed these symbols.
    fn run_with(&self, name: &str, body: &str, symbols: &[&str]) -> (String, String) {
        let (unit, number) = self.find(name);
        let symbols = symbols.iter().map(|symbol| (*symbol).to_owned()).collect();
        let missed = Missed { symbols, ..Missed::default() };
        let linked = self.program().linked_with(unit, number, Bounds::default(), &missed).expect("it is linked");
        let plain = name.rsplit("::").next().unwrap_or(name);
        assert!(linked.text[linked.function.clone()].contains(plain), "{:?}\n{}", linked.function, linked.text);
        let ends_well = |one: &LinkedFunction| linked.text[one.range.clone()].ends_with(['}', ';', ')']);
        assert!(linked.functions.iter().all(ends_well), "{:?}\n{}", linked.functions, linked.text);
        assert!(linked.functions.iter().any(|one| one.range == linked.function), "{:?}", linked.functions);
        let folder = tempfile::tempdir().expect("a folder");
        let (compiler, file) = match self.language {
            Language::C => ("gcc", "unit.c"),
            Language::Cpp => ("g++", "unit.cpp"),
        };
        let text = format!("{}\n#include <stdio.h>\nint main(void) {{ {body} }}\n", linked.text);
        std::fs::write(folder.path().join(file), &text).expect("a file");
        let output = Tool::new(compiler)
            .arguments(["-Werror", "-Wno-unused", file, "-o", "program"])
            .directory(folder.path())
            .run()
            .expect("the compiler starts");
        assert!(output.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
        let output = Tool::new(folder.path().join("program")).run().expect("it starts");
        (String::from_utf8_lossy(&output.stdout).into_owned(), linked.text)
    }
}

fn times(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn statics_of_one_name_in_two_files_both_live() {
    let project = Project::new(
        Language::C,
        &[
            ("a.c", "int b(void); static int value(void) { return 1; }\nint a(void) { return value() * 10 + b(); }\n"),
            (
                "b.c",
                "struct box { int value; };\n#define CALL(x) (x + value())\n#define ASK value()\n\
                 static int value(void) { return 2; }\n\
                 int b(void) { struct box box = { .value = 3 }; return CALL(box.value) + ASK + value(); }\n",
            ),
        ],
    );
    let (said, text) = project.run("a", r#"printf("%d", a());"#);
    assert_eq!(said, "19");
    assert!(text.contains("static int value_2(void)"), "{text}");
    assert!(text.contains("int value;"), "{text}");
}

#[test]
fn types_and_values_of_one_name_in_two_files_both_live() {
    let project = Project::new(
        Language::C,
        &[
            (
                "a.c",
                "int b(void); enum { SIZE = 4 }; struct s { int x; };\n\
                     int a(void) { struct s s = { SIZE }; return s.x * 100 + b(); }\n",
            ),
            (
                "b.c",
                "enum { SIZE = 7 }; struct s { char c[SIZE]; };\nint b(void) { return sizeof(struct s) + SIZE; }\n",
            ),
        ],
    );
    assert_eq!(project.run("a", r#"printf("%d", a());"#).0, "414");
}

#[test]
fn each_file_keeps_its_own_macros() {
    let project = Project::new(
        Language::C,
        &[
            (
                "a.c",
                "int b(int LIMIT);\n#define LIMIT 10\n#define TWICE(x) ((x) * 2)\n\
                     int a(void) { return TWICE(LIMIT) + b(LIMIT); }\n",
            ),
            (
                "b.c",
                "#define LIMIT 3\n#define TWICE(x) ((x) + (x) + LIMIT)\n\
                     int c(int x);\nint b(int x) { return TWICE(x) + c(x); }\n",
            ),
            ("c.c", "int c(int TWICE) { int LIMIT = 1; return TWICE + LIMIT; }\n"),
        ],
    );
    assert_eq!(project.run("a", r#"printf("%d", a());"#).0, "54");
}

#[test]
fn a_shared_header_is_written_once() {
    let project = Project::new(
        Language::C,
        &[
            (
                "shared.h",
                "#include <stddef.h>\nstruct node { struct node *next; size_t size; };\n\
                          static inline size_t size(const struct node *node) { return node->size; }\n\
                          size_t total(const struct node *node);\nstruct opaque;\nint look(struct opaque *it);\n",
            ),
            (
                "a.c",
                "#include \"shared.h\"\nsize_t a(struct node *node) { return total(node) + size(node) + look(0); }\n",
            ),
            (
                "b.c",
                "#include \"shared.h\"\nsize_t total(const struct node *node) {\n\
                     size_t sum = 0; for (; node; node = node->next) sum += size(node); return sum; }\n\
                     struct opaque { int x; };\nint look(struct opaque *it) { return it ? it->x : 5; }\n",
            ),
        ],
    );
    let (said, text) = project.run("a", r#"struct node n = { 0, 3 }; printf("%zu", a(&n));"#);
    assert_eq!(said, "11");
    assert_eq!(times(&text, "struct node *next"), 1);
    assert_eq!(times(&text, "static inline size_t size("), 1);
    assert_eq!(times(&text, "#include <stddef.h>"), 1);
}

#[test]
fn variables_tables_and_cycles_are_followed() {
    let project = Project::new(
        Language::C,
        &[
            (
                "shared.h",
                "typedef int (*step)(int);\nextern const step steps[2];\nextern int counter;\nint odd(int n);\n",
            ),
            (
                "a.c",
                "#include \"shared.h\"\nint even(int n) { counter++; return n == 0 ? 1 : odd(n - 1); }\n\
                     int run(int n) { return steps[n % 2](n); }\n",
            ),
            (
                "b.c",
                "#include \"shared.h\"\nint even(int n);\nint counter;\n\
                     int odd(int n) { counter++; return n == 0 ? 0 : even(n - 1); }\n\
                     static int half(int n) { return n / 2; }\n\
                     static int more(int n) { return 3 * n + 1; }\n\
                     const step steps[2] = { half, more };\n",
            ),
        ],
    );
    assert_eq!(
        project.run("even", r#"printf("%d ", even(10)); printf("%d ", even(7)); printf("%d", counter);"#).0,
        "1 0 19"
    );
    assert_eq!(project.run("run", r#"printf("%d %d", run(10), run(7));"#).0, "5 22");
}

#[test]
fn what_is_missing_is_named() {
    let project = Project::new(
        Language::C,
        &[(
            "a.c",
            "int far(int);\nextern int x;\nint a(void) { return far(1); }\n\
                                                       int b(void) { return x + 1; }\nint c(void) { return 1; }\n",
        )],
    );
    assert_eq!(project.linked("a", Bounds::default()), Err(LinkLoss::DefinitionNotFound("far".to_owned())));
    assert_eq!(project.linked("b", Bounds::default()), Err(LinkLoss::DefinitionNotFound("x".to_owned())));
    assert!(project.linked("c", Bounds::default()).is_ok());
}

#[test]
fn bounds_of_lines_and_data_are_kept() {
    let table = "1,\n".repeat(200);
    let text = format!("static const int table[] = {{\n{table}}};\nint a(int n) {{ return table[n]; }}\n");
    let project = Project::new(Language::C, &[("a.c", &text)]);
    let bounds = |lines, data_share| Bounds { lines, data_share };
    assert!(project.linked("a", bounds(300, 1.0)).is_ok());
    assert_eq!(project.linked("a", bounds(150, 1.0)), Err(LinkLoss::TooManyLines(150)));
    assert!(matches!(project.linked("a", bounds(300, 0.5)), Err(LinkLoss::TooMuchData(90..))));
}

#[test]
fn the_nearest_definition_is_taken_and_only_one() {
    let project = Project::new(
        Language::C,
        &[
            ("a.c", "int pick(void); int b(void);\nint a(void) { return pick() + b(); }\n"),
            ("b.c", "int pick(void) { return 1; }\nint b(void) { return pick(); }\n"),
            ("c.c", "int pick(void) { return 5; }\n"),
        ],
    );
    assert_eq!(project.run("a", r#"printf("%d", a());"#).0, "2");
}

#[test]
fn names_that_macros_paste_together_are_found() {
    let project = Project::new(
        Language::C,
        &[(
            "a.c",
            "#define FLAG_ONE 1\n#define FLAG_TWO 2\n#define FLAG(x) (FLAG_##x)\n\
                   int a(void) { return FLAG(TWO); }\n",
        )],
    );
    let (said, text) = project.run("a", r#"printf("%d", a());"#);
    assert_eq!(said, "2");
    assert!(!text.contains("FLAG_ONE"), "{text}");
}

#[test]
fn symbols_that_were_missed_bring_what_is_called_without_a_word() {
    let project = Project::new(
        Language::Cpp,
        &[
            (
                "shape.h",
                "#pragma once\n#include <string>\nnamespace draw {\nclass Shape {\n public:\n  Shape() {}\n\
                         virtual ~Shape();\n  virtual int area() const = 0;\n  static int count;\n};\n\
                         class Square : public Shape {\n public:\n  explicit Square(int side);\n  ~Square();\n\
                         int area() const override;\n  std::string name() const { return prefix() + \"square\"; }\n\
                         static std::string prefix();\n private:\n  int side_;\n};\n}\n",
            ),
            (
                "a.cpp",
                "#include \"shape.h\"\nusing namespace draw;\nstatic int twice(int x) { return 2 * x; }\n\
                       int a(int side) { Square square(side); const Shape& shape = square;\n\
                       return twice(shape.area()) + int(square.name().size()) + Shape::count; }\n",
            ),
            (
                "shape.cpp",
                "#include \"shape.h\"\nnamespace draw {\nnamespace { int twice(int x) { return x + x; } }\n\
                           int Shape::count = 0;\nShape::~Shape() = default;\nSquare::Square(int side) : side_(side) { ++count; }\n\
                           Square::~Square() { count = twice(count); }\nint Square::area() const { return side_ * side_; }\n\
                           std::string Square::prefix() { return \"a \"; }\n}\n",
            ),
        ],
    );
    // What g++ does not find in the text without them: a table of virtual functions, variants of destructors.
    let missed = ["_ZTVN4draw6SquareE", "_ZN4draw6SquareD1Ev", "_ZN4draw5ShapeD2Ev"];
    let (said, text) = project.run_with("a", r#"printf("%d", a(3));"#, &missed);
    assert_eq!(said, "27");
    assert_eq!(times(&text, "class Square :"), 1);
}

#[test]
fn templates_bring_their_specialisations() {
    let project = Project::new(
        Language::Cpp,
        &[
            (
                "convert.h",
                "#pragma once\ntemplate <typename T> struct convert;\n\
                           template <> struct convert<int> { static int of(int x); };\n\
                           template <typename T> struct holder { T held; int get() const; };\n\
                           template <typename T> int holder<T>::get() const { return convert<T>::of(held); }\n",
            ),
            ("a.cpp", "#include \"convert.h\"\nint a(int x) { holder<int> it{x}; return it.get(); }\n"),
            ("b.cpp", "#include \"convert.h\"\nint convert<int>::of(int x) { return x + 1; }\n"),
        ],
    );
    assert_eq!(project.run("a", r#"printf("%d", a(3));"#).0, "4");
}

#[test]
fn helpers_come_nearest_first() {
    let project = Project::new(
        Language::C,
        &[
            ("a.c", "int c(void); static int b(void) { return c(); }\nint a(void) { return b() + a(); }\n"),
            ("c.c", "static int b(void) { return 3; }\nint c(void) { return b(); }\n"),
        ],
    );
    let (unit, number) = project.find("a");
    let program = project.program();
    let helpers = program.helpers(unit, number, 5, 100);
    let names: Vec<(&str, u32)> = helpers.iter().map(|helper| (helper.name.as_str(), helper.depth)).collect();
    assert_eq!(names, [("b", 1), ("c", 2), ("b", 3)]);
    assert_eq!(helpers[2].text, "static int b(void) { return 3; }");
    assert_eq!(program.helpers(unit, number, 1, 100).len(), 1);
    assert_eq!(program.helpers(unit, number, 5, 2).len(), 2);
}

#[test]
fn functions_that_read_the_same_stand_where_they_stand() {
    let same = "int size() const { return n; }";
    let project = Project::new(
        Language::Cpp,
        &[
            (
                "a.cpp",
                &format!(
                    "namespace one {{ struct s {{ int n = 1;\n\n\n    {same}   \n}}; }}\n\
                     namespace two {{ struct s {{ int n = 2;\n    {same}\n}}; }}\n\
                     int a() {{ return one::s().size() * 10 + two::s().size(); }}\n"
                ),
            ),
            ("b.cpp", "int b();\nint b() { return 1; }\n"),
        ],
    );
    assert_eq!(project.run("a", r#"printf("%d", a());"#).0, "12");
    for name in ["one", "two"] {
        let linked = project.linked(&format!("{name}::s::size"), Bounds::default()).expect("it is linked");
        assert_eq!(&linked.text[linked.function.clone()], same);
        let before = &linked.text[..linked.function.start];
        let around = before.rsplit("namespace ").next().unwrap_or_default();
        assert!(around.starts_with(name), "{:?}\n{}", linked.function, linked.text);
    }
    let linked = project.linked("a", Bounds::default()).expect("it is linked");
    let places: Vec<&str> = linked.functions.iter().map(|one| &linked.text[one.range.clone()]).collect();
    assert_eq!(places[..2], [same, same]);
    let origins: Vec<u32> = linked.functions.iter().map(|one| one.line).collect();
    assert_eq!(origins, [4, 7, 9]);
    assert_ne!(linked.functions[0].usr, linked.functions[1].usr);
}

#[test]
fn a_function_of_a_shared_header_stands_where_the_first_file_wrote_it() {
    let project = Project::new(
        Language::C,
        &[
            ("h.h", "static inline int twice(int x) { return 2 * x; }\nint other(void);\n"),
            ("a.c", "#include \"h.h\"\nint a(void) { return twice(other()); }\n"),
            ("b.c", "#include \"h.h\"\nint other(void) { return twice(2); }\n"),
        ],
    );
    let linked = project.linked("a", Bounds::default()).expect("it is linked");
    let names: Vec<&str> = linked.functions.iter().map(|one| one.usr.rsplit('@').next().unwrap_or_default()).collect();
    assert_eq!(names, ["twice", "other", "a"]);
    let linked = project.linked("twice", Bounds::default()).expect("it is linked");
    assert_eq!(&linked.text[linked.function.clone()], "static inline int twice(int x) { return 2 * x; }");
}

#[test]
fn an_inline_function_of_c_gets_the_code_that_another_file_of_its_project_makes() {
    let project = Project::new(
        Language::C,
        &[
            ("h.h", "#ifndef INLINE\n#define INLINE inline\n#endif\nINLINE int twice(int x) { return 2 * x; }\n"),
            ("a.c", "#include \"h.h\"\nint a(int x) { return twice(x) + 1; }\n"),
            ("b.c", "#define INLINE extern inline\n#include \"h.h\"\n"),
        ],
    );
    let (said, text) = project.run("a", r#"printf("%d", a(3));"#);
    assert_eq!(said, "7");
    assert_eq!(times(&text, "extern INLINE int twice(int x);"), 1, "{text}");
    let of_cpp = Project::new(Language::Cpp, &[("a.cpp", "inline int g() { return 1; }\nint f() { return g(); }\n")]);
    let (said, text) = of_cpp.run("f", r#"printf("%d", f());"#);
    assert!(said == "1" && !text.contains("extern"), "{text}");
}
