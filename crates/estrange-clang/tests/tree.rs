//! Functions as trees: statements, expressions, what they name, their types, and what comes out of macros.

use estrange_clang::{Binary, Clang, FunctionKind, NodeKind, Shape, ThingKind, Tree, Unary};

fn tree(text: &str, language: &str) -> Tree {
    let tree = Clang::load().expect("libclang 19 is installed").tree(text, &[language.to_owned()]);
    assert!(tree.troubles.is_empty(), "{:?}", tree.troubles);
    tree
}

/// The node of this kind that is written so.
fn find<'t>(tree: &'t Tree, text: &str, kind: NodeKind, written: &str) -> &'t estrange_clang::Node {
    let is_it = |node: &&estrange_clang::Node| {
        node.kind == kind && text.get(node.start as usize..node.end as usize) == Some(written)
    };
    tree.nodes.iter().find(is_it).unwrap_or_else(|| panic!("no {kind:?} `{written}` in {:#?}", tree.nodes))
}

#[test]
fn a_function_is_a_tree_of_statements_and_expressions() {
    let text = "static int used;\n\
                int sum(const int *list, unsigned n) {\n\
                    int s = 0;\n\
                    for (unsigned i = 0; i < n; i++)\n\
                        s += list[i] * 2;\n\
                    used = 1;\n\
                    return s;\n\
                }\n";
    let tree = tree(text, "-xc");
    let [function] = tree.functions.as_slice() else { panic!("{:?}", tree.functions) };
    assert_eq!(tree.thing(function.thing).name, "sum");
    let parameters: Vec<&str> = function.parameters.iter().map(|each| tree.thing(*each).name.as_str()).collect();
    assert_eq!(parameters, ["list", "n"]);
    let body = function.body.unwrap();
    let statements: Vec<NodeKind> = tree.children(body).map(|child| tree.node(child).kind).collect();
    use NodeKind::{Declaration, For, Return};
    assert_eq!(statements, [Declaration, For, NodeKind::Binary(Binary::Assign), Return]);
    let condition = find(&tree, text, NodeKind::Binary(Binary::Less), "i < n");
    assert_eq!(tree.type_(condition.type_.unwrap()).spelling, "int");
    let step = find(&tree, text, NodeKind::Unary(Unary::PostIncrement), "i++");
    assert!(matches!(
        tree.type_(step.type_.unwrap()).shape,
        Shape::Integer { bits: 32, is_signed: false, is_character: false }
    ));
    assert_eq!(find(&tree, text, NodeKind::Integer, "2").value, Some(2));
    let global = tree.thing(find(&tree, text, NodeKind::Name, "used").thing.unwrap());
    assert_eq!((global.kind, global.is_static, global.is_defined), (ThingKind::Global, true, true));
    let local = tree.thing(find(&tree, text, NodeKind::Name, "s").thing.unwrap());
    assert_eq!((local.kind, local.is_static), (ThingKind::Local, false));
}

#[test]
fn what_comes_out_of_a_macro_is_not_written() {
    let text = "#define TWICE(x) ((x) + (x))\n\
                int f(int a) { if (TWICE(a + 1) > 3) return TWICE(a); return a - 1; }\n";
    let tree = tree(text, "-xc");
    assert!(find(&tree, text, NodeKind::Binary(Binary::Greater), "TWICE(a + 1) > 3").is_written);
    assert!(find(&tree, text, NodeKind::Binary(Binary::Subtract), "a - 1").is_written);
    // An argument may stand for several.
    assert!(!find(&tree, text, NodeKind::Binary(Binary::Add), "a + 1").is_written);
    let calls: Vec<&str> = tree.expansions.iter().map(|(start, end)| &text[*start as usize..*end as usize]).collect();
    assert_eq!(calls, ["TWICE(a + 1)", "TWICE(a)"]);
    // The call as a whole is one expression, its parts are not.
    let whole = tree.nodes.iter().filter(|node| (node.start, node.end) == tree.expansions[1] && node.is_written);
    assert_eq!(whole.count(), 1);
}

#[test]
fn types_tell_what_they_consist_of() {
    let text = "typedef unsigned char byte;\n\
                enum colour { RED, GREEN = 5 };\n\
                struct list { struct list *next; byte name[8]; enum colour colour : 4; int (*compare)(int, ...); };\n\
                int f(struct list *all) { return all->name[0]; }\n";
    let tree = tree(text, "-xc");
    let parameter = tree.thing(tree.functions[0].parameters[0]);
    let Shape::Pointer { to } = tree.type_(parameter.type_.unwrap()).shape else { panic!() };
    let Shape::Record(record) = tree.type_(to).shape else { panic!() };
    let record = &tree.records[record as usize];
    assert_eq!((record.name.as_str(), record.is_complete, record.is_ours), ("list", true, true));
    let names: Vec<&str> = record.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["next", "name", "colour", "compare"]);
    assert_eq!(record.fields[2].bits, Some(4));
    let offsets: Vec<Option<u64>> = record.fields.iter().map(|field| field.offset).collect();
    assert_eq!(offsets, [Some(0), Some(64), Some(128), Some(192)]);
    assert_eq!(record.fields[1].at, text.find("name[8]").map(|at| at as u32));
    let Shape::Array { of, length } = tree.type_(record.fields[1].type_).shape else { panic!() };
    assert_eq!((tree.type_(of).spelling.as_str(), length), ("byte", Some(8)));
    let Shape::Enumeration(colour) = tree.type_(record.fields[2].type_).shape else { panic!() };
    let values = [("RED".to_owned(), 0), ("GREEN".to_owned(), 5)];
    assert_eq!(tree.enumerations[colour as usize].values, values);
    let Shape::Pointer { to } = tree.type_(record.fields[3].type_).shape else { panic!() };
    assert!(matches!(&tree.type_(to).shape, Shape::Function { is_variadic: true, .. }));
}

#[test]
fn a_struct_without_a_name_begins_where_its_members_do() {
    let text = "struct outer { int first; union { double second; char third; }; };\n\
                int f(struct outer *it) { return it->third; }\n";
    let tree = tree(text, "-xc");
    let outer = tree.records.iter().find(|record| record.name == "outer").unwrap();
    let members: Vec<(&str, Option<u64>)> =
        outer.fields.iter().map(|field| (field.name.as_str(), field.offset)).collect();
    assert_eq!(members, [("first", Some(0)), ("", Some(64))]);
}

#[test]
fn a_function_of_the_compiler_itself_has_no_type_where_it_is_called() {
    let text = "unsigned f(unsigned a) { return __builtin_bswap32(a); }\n";
    let tree = tree(text, "-xc");
    assert_eq!(find(&tree, text, NodeKind::Name, "__builtin_bswap32").type_, None);
}

#[test]
fn a_method_knows_its_class() {
    let text = "namespace deep { class Point { public: Point(int x) : x_(x) {} int twice() const; private: int x_; }; \
                int Point::twice() const { return x_ * 2; } }\n";
    let tree = tree(text, "-xc++");
    let method = tree.functions.iter().find(|function| tree.thing(function.thing).name == "twice").unwrap();
    let class = &tree.records[method.of.unwrap() as usize];
    assert_eq!(class.qualified_name, "deep::Point");
    assert_eq!((class.fields[0].name.as_str(), class.fields[0].is_public), ("x_", false));
    let [constructor] = class.constructors.as_slice() else { panic!("{:?}", class.constructors) };
    assert!(constructor.is_public && constructor.is_defined && constructor.parameters.len() == 1);
}

#[test]
fn functions_of_the_compiler_have_no_type_and_do_no_harm() {
    let text = "#include <stdarg.h>\n\
                int f(int n, ...) { va_list all; va_start(all, n); n = va_arg(all, int); va_end(all); return n; }\n";
    let tree = tree(text, "-xc");
    assert!(tree.things.iter().any(|thing| thing.name == "__builtin_va_start"));
    assert!(tree.types.iter().all(|each| !each.spelling.starts_with("<builtin")));
}

#[test]
fn classes_tell_what_an_object_needs() {
    let text = "#include <vector>\n\
                template <typename T> class Some { T *first; int count; };\n\
                struct Base { virtual ~Base(); int a; };\n\
                class Derived : public Base { public: explicit Derived(int b); int get() const; private: int b; };\n\
                Derived::Derived(int b) : b(b + 2) {}\n\
                int Derived::get() const { return b; }\n\
                int f(const std::vector<short> &all, Some<char> some) { return 0; }\n";
    let tree = tree(text, "-xc++");
    let record = |name: &str| tree.records.iter().find(|record| record.qualified_name == name).unwrap();
    let derived = record("Derived");
    assert!(derived.is_dynamic && !record("Some").is_dynamic);
    assert_eq!((derived.bases.len(), derived.constructors.len()), (1, 1));
    assert_eq!((record("Base").virtuals.len(), derived.virtuals.len()), (2, 0));
    let vector = record("std::vector");
    let short = vector.arguments[0].unwrap();
    assert_eq!(tree.type_(short).shape, Shape::Integer { bits: 16, is_signed: true, is_character: false });
    let offsets: Vec<_> = record("Some").fields.iter().map(|field| field.offset).collect();
    assert_eq!(offsets, [Some(0), Some(64)]);
    let [constructor, get, free] = tree.functions.as_slice() else { panic!("{:#?}", tree.functions) };
    assert_eq!(
        (constructor.kind, get.kind, free.kind),
        (FunctionKind::Constructor, FunctionKind::Method, FunctionKind::Free)
    );
    let [begins] = constructor.initializers[..] else { panic!("{constructor:#?}") };
    assert_eq!(tree.node(begins).kind, NodeKind::Binary(Binary::Add));
    assert!(get.is_const_method && free.declared.is_none());
    assert!(text[get.name as usize..].starts_with("get() const { return b; }"));
    let declared = get.declared.unwrap();
    assert_eq!(&text[declared.start as usize..declared.end as usize], "int get() const");
}

#[test]
fn templates_tell_what_they_take() {
    let text = "template <typename T, int N> struct A { template <class U> T get(U u) { return T(u); } int n() { return N; } };\n";
    let tree = tree(text, "-xc++");
    let [get, n] = tree.functions.as_slice() else { panic!("{:#?}", tree.functions) };
    let told: Vec<(&str, bool)> = n.class_parameters.iter().map(|each| (each.name.as_str(), each.is_type)).collect();
    assert_eq!(told, [("T", true), ("N", false)]);
    assert_eq!(get.class_parameters, n.class_parameters);
    assert_eq!(get.template_parameters[0].name, "U");
    assert!(n.is_template && n.template_parameters.is_empty());
}
