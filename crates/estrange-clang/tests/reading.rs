//! What a reading says: declarations, containers, references with their needs, macros of headers, troubles.
//!
//! libclang is loaded into the test itself: the texts here are tame.

use estrange_clang::{Clang, ContainerKind, Declaration, DeclarationKind, Need, Reading, Severity, Target};

fn clang() -> Clang {
    Clang::load().expect("libclang 19 is installed")
}

fn arguments(language: &str) -> Vec<String> {
    vec![language.to_owned()]
}

fn read_c(text: &str) -> Reading {
    sound(clang().read(text, &arguments("-xc")))
}

fn read_cpp(text: &str) -> Reading {
    sound(clang().read(text, &arguments("-xc++")))
}

fn sound(reading: Reading) -> Reading {
    assert!(reading.troubles.is_empty(), "{:?}", reading.troubles);
    reading
}

fn named<'a>(reading: &'a Reading, name: &str) -> &'a Declaration {
    reading.declarations.iter().find(|declaration| declaration.name == name).expect(name)
}

/// The strongest need of `target` that is told of between two words of the text.
fn need(reading: &Reading, text: &str, within: &str, target: &str) -> Option<Need> {
    let start = text.find(within).expect("the stretch is there") as u32;
    let stretch = start..start + within.len() as u32;
    let target = Target::Here(text.find(target).expect("the target is there") as u32);
    let matching = reading.references.iter().filter(|one| stretch.contains(&one.at) && one.target == target);
    matching.map(|one| one.need).max()
}

#[test]
fn every_kind_of_declaration_is_told() {
    let text = "struct Record {};\nenum Enumeration { value };\ntypedef int Alias;\nint Variable;\n\
                void Function();\nnamespace n {}\nnamespace NamespaceAlias = n;\nusing namespace n;\n\
                struct Class { Class(); ~Class(); void method(); operator int(); };\n";
    let reading = read_cpp(text);
    use DeclarationKind::*;
    let kinds: Vec<DeclarationKind> = reading.declarations.iter().map(|declaration| declaration.kind).collect();
    let outer = [Record, Enumeration, Alias, Variable, Function, NamespaceAlias, Using, Record];
    let inner = [Constructor, Destructor, Method, Conversion];
    assert_eq!(kinds, outer.into_iter().chain(inner).collect::<Vec<_>>());
}

#[test]
fn places_are_bytes_of_the_text() {
    let text = "/* größer */ static int twice(int x) { return 2 * x; }\n";
    let reading = read_c(text);
    let twice = named(&reading, "twice");
    let part = |from: u32, to: u32| &text[from as usize..to as usize];
    assert_eq!(part(twice.start, twice.end), "static int twice(int x) { return 2 * x; }");
    assert!(text[twice.at as usize..].starts_with("twice("));
    let (start, end) = twice.body.expect("a body");
    assert_eq!(part(start, end), "{ return 2 * x; }");
    assert!(twice.is_definition && twice.is_internal && !twice.is_extern);
}

#[test]
fn declarations_of_one_entity_share_a_name_for_all_files() {
    let reading = read_cpp("namespace n { int f(int); int f(double); }\nint n::f(int x) { return x; }\n");
    let usrs: Vec<&str> = reading.declarations.iter().map(|declaration| declaration.usr.as_str()).collect();
    assert_eq!(usrs[0], usrs[2]);
    assert_ne!(usrs[0], usrs[1]);
    assert_eq!(reading.declarations[2].qualified_name, "n::f");
    assert_eq!(reading.declarations[2].symbol, "_ZN1n1fEi");
}

#[test]
fn containers_are_nested_and_named() {
    let text =
        "namespace a { inline namespace b { namespace { int x; } } }\nextern \"C\" { int y; }\nextern \"C\" int z;\n";
    let reading = read_cpp(text);
    let kinds: Vec<&ContainerKind> = reading.containers.iter().map(|container| &container.kind).collect();
    let space = |name: &str, inline| ContainerKind::Namespace { name: name.to_owned(), inline };
    assert_eq!(kinds, [&space("a", false), &space("b", true), &space("", false), &ContainerKind::CLinkage]);
    assert_eq!(reading.containers[2].parent, Some(1));
    assert_eq!(named(&reading, "x").container, Some(2));
    assert_eq!(named(&reading, "x").qualified_name, "a::x");
    assert_eq!(named(&reading, "y").container, Some(3));
    let z = named(&reading, "z");
    assert_eq!(z.container, None, "a single declaration keeps its `extern \"C\"`");
    assert!(text[z.start as usize..].starts_with("extern \"C\" int z"));
}

#[test]
fn a_type_is_needed_whole_only_where_it_is_used_itself() {
    let text = "struct it { int x; };\n\
                void pointed(struct it *a) { (void)a; }\n\
                int member(struct it *b) { return b->x; }\n\
                unsigned long size(void) { return sizeof(struct it); }\n\
                unsigned long pointer_size(void) { return sizeof(struct it *); }\n\
                struct it *step(struct it *c) { return c + 1; }\n\
                int compared(struct it *d, struct it *e) { return d == e; }\n\
                void taken(struct it f) { (void)f; }\n";
    let reading = read_c(text);
    let of = |function: &str| {
        let line = text.lines().find(|line| line.contains(&format!("{function}("))).expect(function);
        need(&reading, text, line, "it {")
    };
    for function in ["pointed", "pointer_size", "compared"] {
        assert_eq!(of(function), Some(Need::Declared), "{function}");
    }
    for function in ["size", "step", "taken"] {
        assert_eq!(of(function), Some(Need::Complete), "{function}");
    }
    assert_eq!(need(&reading, text, "b->x", "x; };"), Some(Need::Complete), "a member is referred to by itself");
}

#[test]
fn what_macros_make_stands_where_they_are_called() {
    let text = "#define MAKE(name) int name(void) { return 1; }\nMAKE(one)\nint two(void) { return one(); }\n";
    let reading = read_c(text);
    let one = named(&reading, "one");
    assert!(text[one.start as usize..].starts_with("MAKE(one)"));
    assert!(one.is_definition);
    assert_eq!(
        need(&reading, text, "one();", "one)\n"),
        Some(Need::Declared),
        "the call leads to the macro's argument"
    );
}

#[test]
fn what_headers_give_is_told_by_place() {
    let reading = read_c("#include <stdio.h>\nint f(void) { return puts(\"x\") == EOF; }\n");
    let puts = reading.references.iter().find_map(|one| match one.target {
        Target::Header(place) => Some(&reading.places[place as usize]),
        Target::Here(_) => None,
    });
    let place = puts.expect("a place in a header");
    assert!(place.file.ends_with("stdio.h") && place.line > 1, "{place:?}");
    let names: Vec<&str> = reading.header_macros.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["EOF"], "only macros whose names occur in the text");
    let provided = clang().provides("#include <stdio.h>\n", &arguments("-xc"));
    assert!(provided.has(place));
    assert!(reading.header_macros[0].1.iter().any(|place| provided.has(&reading.places[*place as usize])));
    assert!(!clang().provides("#include <stddef.h>\n", &arguments("-xc")).has(place));
}

#[test]
fn feature_macros_change_what_a_header_gives() {
    let plain = clang().provides("#include <string.h>\n", &arguments("-xc"));
    let featured = clang().provides("#define _GNU_SOURCE\n#include <string.h>\n", &arguments("-xc"));
    assert!(featured.size() > plain.size(), "{} against {}", featured.size(), plain.size());
    assert_eq!(clang().provides("#include <no/such.h>\n", &arguments("-xc")).size(), 0);
}

#[test]
fn variables_tell_what_their_declaration_needs() {
    let text = "static int table[] = { 1, 2, 3 };\nextern char *names[];\nint plain, grid[2][5];\nconst int one = 1;\n";
    let reading = read_c(text);
    let table = named(&reading, "table");
    assert_eq!((table.array_length, table.is_constant, table.is_internal), (Some(3), false, true));
    assert!(named(&reading, "one").is_constant);
    assert!(named(&reading, "names").is_extern);
    assert_eq!(named(&reading, "names").array_length, None);
    assert_eq!(named(&reading, "plain").array_length, None);
    assert_eq!(named(&reading, "grid").array_length, Some(2));
}

#[test]
fn templates_and_deduced_results_are_marked() {
    let text = "template <typename T> struct Box { T get() { return held; } T held; };\n\
                template <typename T> T same(T x) { return x; }\nauto deduced() { return 1; }\n\
                auto told() -> int { return 1; }\nint plain() { return 1; }\n";
    let reading = read_cpp(text);
    let marks = |name: &str| (named(&reading, name).is_template, named(&reading, name).is_deduced);
    assert_eq!(marks("get"), (true, false));
    assert_eq!(marks("same"), (true, false));
    assert_eq!(marks("deduced"), (false, true));
    assert_eq!(marks("told"), (false, false));
    assert_eq!(marks("plain"), (false, false));
    assert_eq!(named(&reading, "get").class, Some(0));
    assert_eq!(named(&reading, "same").symbol, "", "a template has no symbol");
}

#[test]
fn errors_are_told_with_their_place_and_warnings_are_not() {
    let text = "int f(void) { int unused; return undeclared; }\n";
    let troubles = clang().check(text, &["-xc".to_owned(), "-Wall".to_owned()]);
    assert_eq!(troubles.len(), 1, "{troubles:?}");
    assert_eq!(troubles[0].severity, Severity::Error);
    assert_eq!(troubles[0].at, text.find("undeclared").map(|at| at as u32));
    let missing = clang().check("#include <no/such.h>\n", &arguments("-xc"));
    assert_eq!(missing[0].severity, Severity::Fatal);
    assert!(clang().check("int x;\n", &arguments("-xc")).is_empty());
}

#[test]
fn a_precompiled_header_stands_for_its_includes() {
    let folder = std::env::temp_dir().join(format!("estrange-clang-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (header, out) = (folder.join("all.hpp"), folder.join("all.pch"));
    std::fs::write(&header, "#include <vector>\n").expect("a header");
    let clang = clang();
    assert!(clang.precompile(&header, &arguments("-xc++-header"), &out));
    let mut with = arguments("-xc++");
    with.extend(["-include-pch".to_owned(), out.display().to_string()]);
    let text = "std::vector<int> v;\n";
    assert!(clang.check(text, &with).is_empty());
    assert!(!clang.check(text, &arguments("-xc++")).is_empty());
    assert!(!clang.precompile(&folder.join("missing.hpp"), &arguments("-xc++-header"), &folder.join("other.pch")));
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn the_same_text_has_the_same_reading() {
    let text =
        "#include <stdlib.h>\nstruct a { struct a *next; };\nvoid f(struct a *a) { free(a->next); exit(EOF); }\n";
    let text = text.replace("EOF", "EXIT_FAILURE");
    assert_eq!(read_c(&text), read_c(&text));
}
