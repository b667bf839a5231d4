//! The oracle on small functions of C++: right rewrites agree, also under other names, and wrong ones do not.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use estrange_evidence::Language;
use estrange_oracle::{End, Record, Subject, Untestable, Variant, Verdict};
use support::{ORACLE, expect, verdicts};

/// A text with other names.
struct Renamed<'a>(&'a str, &'a [(&'a str, &'a str)]);

fn subject<'a>(text: &'a str, function: &'a str) -> Subject<'a> {
    Subject { text, function, at: None, language: Language::Cpp, flags: &[], seed: 1 }
}

#[track_caller]
fn agrees(text: &str, function: &str, right: &[Renamed<'_>], wrong: &[&str]) -> Record {
    let prepared = match ORACLE.original(&subject(text, function)).unwrap() {
        Ok(prepared) => prepared,
        Err(reason) => panic!("{reason}"),
    };
    let right: Vec<(&str, BTreeMap<String, String>)> = [Renamed(text, &[])]
        .iter()
        .chain(right)
        .map(|Renamed(text, names)| {
            (*text, names.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect())
        })
        .collect();
    let none = BTreeMap::new();
    let last = function.rsplit("::").next().unwrap();
    let variants: Vec<Variant<'_>> = right
        .iter()
        .map(|(text, names)| Variant {
            text,
            function: names.get(last).map_or(last, String::as_str),
            names,
            known: &[],
        })
        .chain(wrong.iter().map(|text| Variant { text, function: last, names: &none, known: &[] }))
        .collect();
    let record = prepared.record().clone();
    expect(&record, &verdicts(&prepared, &variants), right.len());
    record
}

/// The function agrees with itself, but nothing is known of what its inputs would show; a wrong one does something else.
#[track_caller]
fn agrees_weakly(text: &str, function: &str, wrong: &str) {
    let prepared = ORACLE.original(&subject(text, function)).unwrap().unwrap();
    let names = BTreeMap::new();
    let found = verdicts(&prepared, &[text, wrong].map(|text| Variant { text, function, names: &names, known: &[] }));
    assert_eq!(found[0], Verdict::AgreesWeakly);
    assert!(matches!(found[1], Verdict::Differs(_)), "{found:#?}");
}

#[test]
fn strings_come_in_and_go_out() {
    let record = agrees(
        "#include <string>\nnamespace words { std::string f(const std::string &text, char from) { std::string all; for (char c : text) { if (c == from) all += '_'; else all += c; } return all; } }",
        "f",
        &[Renamed(
            "#include <string>\nnamespace a1 { std::string b2(const std::string &x, char y) { std::string z(x); for (auto i = z.begin(); i != z.end(); ++i) if (*i == y) *i = '_'; return z; } }",
            &[("words", "a1"), ("f", "b2")],
        )],
        &[
            "#include <string>\nnamespace words { std::string f(const std::string &text, char from) { std::string all; for (char c : text) { if (c == from) all += '-'; else all += c; } return all; } }",
            "#include <string>\nnamespace words { std::string f(const std::string &text, char from) { std::string all; for (char c : text) { if (c == from) break; else all += c; } return all; } }",
        ],
    );
    assert!(record.mutants.all > 0 && record.branches.value() == 1.0, "{record:#?}");
}

#[test]
fn vectors_are_changed_in_place() {
    agrees(
        "#include <vector>\nint f(std::vector<int> &all, int most) { int gone = 0; for (auto at = all.begin(); at != all.end();) { if (*at > most) { at = all.erase(at); gone++; } else ++at; } all.push_back(gone); return gone; }",
        "f",
        &[Renamed(
            "#include <vector>\n#include <algorithm>\nint f(std::vector<int> &all, int most) { auto last = std::remove_if(all.begin(), all.end(), [=](int one) { return one > most; }); int gone = int(all.end() - last); all.erase(last, all.end()); all.reserve(100); all.push_back(gone); return gone; }",
            &[],
        )],
        &[
            "#include <vector>\nint f(std::vector<int> &all, int most) { int gone = 0; for (auto at = all.begin(); at != all.end();) { if (*at >= most) { at = all.erase(at); gone++; } else ++at; } all.push_back(gone); return gone; }",
            "#include <vector>\nint f(std::vector<int> &all, int most) { int gone = 0; for (auto at = all.begin(); at != all.end();) { if (*at > most) { at = all.erase(at); gone++; } else ++at; } return gone; }",
        ],
    );
}

#[test]
fn methods_change_their_object() {
    let head = "class Counter { public: void f(int by); private: int count_ = 0; bool high_ = false; };\n";
    let text = format!(
        "{head}void Counter::f(int by) {{ count_ += by & 15; if (count_ > 20) {{ count_ = 0; high_ = true; }} }}"
    );
    let renamed = "class A { public: void b(int c); private: int d = 0; bool e = false; };\nvoid A::b(int c) { d = d + (c & 15); if (!(d > 20)) return; e = true; d = 0; }";
    let wrong = format!("{head}void Counter::f(int by) {{ count_ += by & 15; if (count_ > 20) {{ count_ = 0; }} }}");
    let other = format!(
        "{head}void Counter::f(int by) {{ count_ += by & 15; if (count_ > 21) {{ count_ = 0; high_ = true; }} }}"
    );
    let names = [("Counter", "A"), ("f", "b"), ("count_", "d"), ("high_", "e")];
    let record = agrees(&text, "Counter::f", &[Renamed(renamed, &names)], &[&wrong, &other]);
    assert!(record.mutants.all > 2 && record.mutants.value() > 0.8, "{record:#?}");
}

#[test]
fn what_is_thrown_is_an_end() {
    let head = "#include <stdexcept>\n#include <string>\nstruct Bad : std::runtime_error { using std::runtime_error::runtime_error; };\n";
    let text = format!(
        "{head}int f(int a) {{ if (a < 0) throw Bad(\"negative\"); if (a > 1000) throw std::out_of_range(\"large\"); return a * 2; }}"
    );
    let renamed = "#include <stdexcept>\n#include <string>\nstruct X : std::runtime_error { using std::runtime_error::runtime_error; };\nint f(int a) { if (a >= 0) { if (a <= 1000) return a + a; throw std::out_of_range(\"large\"); } throw X(\"negative\"); }";
    let silent = format!(
        "{head}int f(int a) {{ if (a < 0) return 0; if (a > 1000) throw std::out_of_range(\"large\"); return a * 2; }}"
    );
    let other = format!(
        "{head}int f(int a) {{ if (a < 0) throw Bad(\"negative\"); if (a > 1000) throw std::length_error(\"large\"); return a * 2; }}"
    );
    let record = agrees(&text, "f", &[Renamed(renamed, &[("Bad", "X")])], &[&silent, &other]);
    assert!(record.ends.contains_key(&End::Threw), "{record:#?}");
}

#[test]
fn of_overloaded_functions_one_is_meant() {
    let text = "#include <string>\nint f(int a) { return a & 7; }\nint f(const std::string &a) { return (int)a.size() & 3; }\nint f(double a) { return a > 2; }";
    let at = text.find("int f(const std::string");
    let prepared = ORACLE.original(&Subject { at, ..subject(text, "f") }).unwrap().unwrap();
    let names = BTreeMap::new();
    let wrong = text.replace("a.size() & 3", "a.size() & 1");
    let beside = text.replace("a & 7", "a & 6").replace("a > 2", "a > 3");
    let variants = [text, &beside, &wrong].map(|text| Variant { text, function: "f", names: &names, known: &[] });
    let found = verdicts(&prepared, &variants);
    assert_eq!((&found[0], &found[1]), (&Verdict::Agrees, &Verdict::Agrees));
    assert!(matches!(found[2], Verdict::Differs(_)), "{found:#?}");
}

#[test]
fn a_name_that_a_header_has_too_is_told_by_its_arguments() {
    let text = "#include <cctype>\n#include <string>\nnamespace { std::string tolower(const std::string &text) { std::string all; for (char c : text) all += 'A' <= c && c <= 'Z' ? c + 32 : c; return all; } }";
    agrees(text, "tolower", &[], &[&text.replace("c <= 'Z'", "c < 'Z'")]);
}

#[test]
fn a_wrong_edit_that_does_not_link_is_left_out() {
    // What it returns is made by a constructor that nobody defines.
    let text = "struct Some { Some(); explicit Some(int a) : kept(a) {} int kept; };\nconst Some &f(int n) { static const Some even(2), odd(3); if (n & 1) return odd; return even; }";
    agrees(text, "f", &[], &[&text.replace("n & 1", "n & 2")]);
}

#[test]
fn objects_are_made_by_their_constructors() {
    let head = "#include <map>\n#include <string>\nenum class Colour { Red, Green, Blue };\nclass Shelf { public: explicit Shelf(std::string name) : name_(name) { if (name.size() > 30) throw 1; all_[name] = Colour::Green; } virtual ~Shelf() {} int f(const std::string &key, Colour wanted) const; private: std::map<std::string, Colour> all_; std::string name_; };\n";
    let body = "int Shelf::f(const std::string &key, Colour wanted) const { auto at = all_.find(key); if (at == all_.end()) return (int)name_.size(); return at->second == wanted ? -1 : -2; }";
    let text = format!("{head}{body}");
    let right = format!(
        "{head}int Shelf::f(const std::string &key, Colour wanted) const {{ if (all_.count(key)) {{ if (all_.at(key) == wanted) return -1; return -2; }} return (int)name_.length(); }}"
    );
    let wrong = text.replace("? -1 : -2", "? -1 : -3");
    agrees(&text, "Shelf::f", &[Renamed(&right, &[])], &[&wrong]);
}

#[test]
fn constructors_destructors_and_operators_are_functions() {
    let text = "#include <string>\n#include <vector>\nstruct Range { int from, to; Range(int a, int b) : from(a), to(b) { if (a > b) { from = b; to = a; } } };";
    let wrong = text.replace("a > b", "a < b");
    let renamed = "struct R { int p, q; R(int a, int b) : p(a < b ? a : b), q(a < b ? b : a) {} };";
    agrees(text, "Range", &[Renamed(renamed, &[("Range", "R"), ("from", "p"), ("to", "q")])], &[&wrong]);
    let text = "struct Pair { int a, b, c; Pair(int n) : a(n & 7), b(0) {} };";
    agrees(text, "Pair", &[], &[&text.replace(", b(0)", "")]);
    let text = "struct Point { int x, y; bool operator<(const Point &other) const { return x < other.x || (x == other.x && y < other.y); } };";
    agrees(text, "operator<", &[], &[&text.replace("y < other.y", "y <= other.y")]);
    let text = "#include <cstdio>\nstruct Log { int level; ~Log() { if (level > 2) puts(\"end\"); } };";
    agrees_weakly(text, "~Log", &text.replace("level > 2", "level > 3"));
}

#[test]
fn streams_are_written_to_and_read_from() {
    agrees(
        "#include <iostream>\n#include <string>\nvoid f(std::istream &from, std::ostream &to) { std::string word; int count = 0; while (from >> word) { if (count++) to << ' '; to << word; } to << count; }",
        "f",
        &[Renamed(
            "#include <iostream>\n#include <string>\nvoid f(std::istream &from, std::ostream &to) { int n = 0; for (std::string w; from >> w; ++n) { if (n > 0) to << \" \"; to << w; } to << n; }",
            &[],
        )],
        &[
            "#include <iostream>\n#include <string>\nvoid f(std::istream &from, std::ostream &to) { std::string word; int count = 0; while (from >> word) { if (count++) to << ' '; to << word; } to << count + 1; }",
        ],
    );
}

#[test]
fn what_no_harness_can_make_has_a_reason() {
    let untestable = |text: &str| match ORACLE.original(&subject(text, "f")).unwrap() {
        Err(reason) => reason,
        Ok(prepared) => panic!("{:#?}", prepared.record()),
    };
    let template = "template <template <class> class T> int f(T<int> a) { return a.first + 1; }";
    assert_eq!(untestable(template), Untestable::Template);
    let text = "struct Top { int a; }; struct One : virtual Top { One(); }; int f(One &one) { return one.a; }";
    assert!(matches!(untestable(text), Untestable::Type(_)));
    assert_eq!(untestable("int f(int a, ...) { return a; }"), Untestable::Varargs);
}

#[test]
fn what_a_template_owns_is_made_and_seen() {
    let text = "#include <memory>\n#include <vector>\ntemplate <typename T> class Owners { public: void f(std::unique_ptr<T> &&one) { all_.push_back(std::move(one)); } private: std::vector<std::unique_ptr<T>> all_; };";
    let wrong = text.replace("all_.push_back(std::move(one))", "all_.insert(all_.begin(), std::move(one))");
    agrees(text, "f", &[], &[&wrong]);
}

#[test]
fn what_was_made_before_main_is_set_back() {
    agrees(
        "#include <map>\n#include <string>\nstatic std::map<std::string, int> known = {{\"one\", 1}, {\"two\", 2}};\nint f(const std::string &name, int value) { known[name] += value & 7; int all = 0; for (auto &each : known) all += each.second; return all; }",
        "f",
        &[],
        &[
            "#include <map>\n#include <string>\nstatic std::map<std::string, int> known = {{\"one\", 1}, {\"two\", 3}};\nint f(const std::string &name, int value) { known[name] += value & 7; int all = 0; for (auto &each : known) all += each.second; return all; }",
        ],
    );
}

#[test]
fn methods_that_nobody_defines_are_handed_in() {
    let head = "#include <string>\nstruct Any { virtual ~Any() {} virtual int get(int a, const std::string &b) = 0; virtual void put(int a) = 0; };\n";
    let text = format!(
        "{head}int f(Any &any, int n) {{ int all = 0; for (int i = 0; i < (n & 3); i++) {{ all += any.get(i, \"key\") > 0; any.put(all); }} return all; }}"
    );
    let right = format!(
        "{head}int f(Any &any, int n) {{ int all = 0, i = 0; while (i != (n & 3)) {{ if (any.get(i++, \"key\") > 0) ++all; any.put(all); }} return all; }}"
    );
    let wrong = text.replace("\"key\"", "\"kay\"");
    let other = text.replace("any.put(all)", "any.put(i)");
    agrees(&text, "f", &[Renamed(&right, &[])], &[&wrong, &other]);
}

#[test]
fn templates_are_run_for_plain_types() {
    let text = "namespace n { template <typename T> class Some { public: Some(T *a, int b) : first(a), count(b < 0 ? 0 : b) {} int f(const T &wanted) const; private: T *first; int count; };\n\
                template <typename T> int Some<T>::f(const T &wanted) const { int all = 0; for (int i = 0; i < count; i++) if (first[i] == wanted) all++; return all; } }";
    let renamed = text.replace("Some", "S").replace("wanted", "w").replace("int f(", "int g(").replace("::f(", "::g(");
    let wrong = text.replace("i = 0;", "i = 1;");
    let record = agrees(text, "f", &[Renamed(&renamed, &[("Some", "S"), ("f", "g"), ("wanted", "w")])], &[&wrong]);
    assert!(record.mutants.all > 3, "{record:#?}");
    // What is defined for one type is run for that.
    let text = "struct A { template <typename T> T f(int a) const; };\ntemplate <> short A::f<short>(int a) const { return (short)(a & 255); }";
    agrees_weakly(text, "f", &text.replace("255", "127"));
}

#[test]
fn what_is_within_itself_is_seen_whole() {
    let text = "#include <string>\n#include <vector>\nclass Tree { public: Tree(char a) : name(a) {} Tree(const std::string &all) : name('*') { for (char each : all) below.push_back(Tree(each)); } char name; std::vector<Tree> below; };\n\
                const Tree &f() { static const Tree all(\"abc\"); return all; }";
    let wrong = text.replace("\"abc\"", "\"abd\"");
    agrees(text, "f", &[], &[&wrong]);
}

#[test]
fn callables_call_what_is_handed_in() {
    let text = "#include <functional>\nint f(const std::function<int(int, const char *)> &ask, int n) { int all = 0; for (int i = 0; i < (n & 3); i++) if (ask && ask(i, \"key\") > 0) all++; return all; }";
    let wrong = text.replace("\"key\"", "\"kay\"");
    let other = text.replace("ask(i,", "ask(i + 1,");
    let third = text.replace("> 0", ">= 0");
    agrees(text, "f", &[], &[&wrong, &other, &third]);
}

#[test]
fn vectors_of_bits_are_filled_and_seen() {
    let text = "#include <vector>\nint f(std::vector<bool> &all, unsigned at) { int n = 0; for (bool one : all) n += one; if (at < all.size()) all[at] = !all[at]; return n; }";
    let wrong = text.replace("= !all[at]", "= true");
    let other = text.replace("n += one", "n += !one");
    agrees(text, "f", &[], &[&wrong, &other]);
}

#[test]
fn projects_without_exceptions_and_types_at_run_time() {
    let flags = ["-fno-exceptions", "-fno-rtti"].map(str::to_owned);
    let (text, wrong) = ("int next(int number) { return number > 9 ? 0 : number + 1; }\n", "number + 2");
    let subject = Subject { flags: &flags, ..subject(text, "next") };
    let prepared = ORACLE.original(&subject).unwrap().unwrap();
    let (names, wrong) = (BTreeMap::new(), text.replace("number + 1", wrong));
    let variants = [text, &wrong].map(|text| Variant { text, function: "next", names: &names, known: &[] });
    let found = verdicts(&prepared, &variants);
    assert!(matches!(found[..], [Verdict::Agrees | Verdict::Exhaustive, Verdict::Differs(_)]), "{found:#?}");
}
