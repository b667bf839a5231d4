//! What libclang is read as, on fixed texts: it changes only with the version.

#[path = "../../golden.rs"]
mod golden;

use std::path::Path;

use estrange_clang::{Clang, VERSION};

const C: &str = "typedef struct list { struct list *next; int length : 4; } list;\n\
    enum colour { RED, GREEN = 7 };\n\
    #define TWICE(x) ((x) + (x))\n\
    static int used;\n\
    int sum(const list *all, unsigned n) {\n\
        int s = 0;\n\
        for (unsigned i = 0; i < n && all; i++, all = all->next)\n\
            s += TWICE(all->length) ? RED : -1;\n\
        switch (s) { case GREEN: goto out; default: used = s; }\n\
    out:\n\
        return s;\n\
    }\n";

const CPP: &str = "namespace shapes {\n\
    template <class T, int N = 2> struct Ring { T items[N]; T &at(int i) const; virtual ~Ring(); };\n\
    template <class T, int N> T &Ring<T, N>::at(int i) const { return const_cast<T &>(items[i % N]); }\n\
    class Box : public Ring<int> { public: explicit Box(int n) : n(n) {} operator bool() const { return n; } int n; };\n\
    auto doubled = [](double x) noexcept { return 2 * x; };\n\
    int use(const Box &box) try { for (int i : {1, 2}) { if (box) return box.at(i); } return *new int(3); } catch (...) { throw; }\n\
    }\n";

#[test]
fn what_texts_are_read_as_changes_with_the_version_only() {
    let clang = Clang::load().expect("libclang 19 is installed");
    let mut outputs = Vec::new();
    for (name, language, text) in [("C", "-xc", C), ("C++", "-xc++", CPP)] {
        let arguments = [language.to_owned()];
        outputs.push((format!("{name}, reading"), format!("{:?}", clang.read(text, &arguments))));
        outputs.push((format!("{name}, names"), format!("{:?}", clang.names(text, &arguments))));
        outputs.push((format!("{name}, tree"), format!("{:?}", clang.tree(text, &arguments))));
    }
    let broken = [("missing brace", "int f( {"), ("unknown name", "int f(void) { return x; }")];
    for (name, text) in broken {
        outputs.push((name.to_owned(), format!("{:?}", clang.check(text, &["-xc".to_owned()]))));
    }
    golden::check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt"), VERSION, &outputs);
}
