//! Long texts, buffers, arrays and lists: what keeps a length in too narrow a type is refused, at a bounded cost.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use estrange_evidence::Language;
use estrange_oracle::{End, Subject, Variant, Verdict};
use support::ORACLE;

#[track_caller]
fn differs_in(language: Language, text: &str, wrong: &[String]) {
    let names = BTreeMap::new();
    let subject = Subject { text, function: "f", at: None, language, flags: &[], seed: 1 };
    let prepared = ORACLE.original(&subject).unwrap().unwrap();
    let all = [text].into_iter().chain(wrong.iter().map(String::as_str));
    let variants: Vec<Variant<'_>> =
        all.map(|text| Variant { text, function: "f", names: &names, known: &[] }).collect();
    let found = support::verdicts(&prepared, &variants);
    assert_eq!(found[0], Verdict::Agrees, "{:#?}", prepared.record());
    for (found, text) in found[1..].iter().zip(wrong) {
        assert!(matches!(found, Verdict::Differs(_)), "{text}: {found:?} {:#?}", prepared.record());
    }
}

/// The function agrees with itself, and differs where its length is of another type.
#[track_caller]
fn narrowed(text: &str, of: &str, narrow: &[&str]) {
    differs_in(Language::C, text, &narrow.iter().map(|narrow| text.replacen(of, narrow, 1)).collect::<Vec<_>>());
}

const NARROW: [&str; 4] = ["unsigned char n", "unsigned short n", "short n", "signed char n"];

#[test]
fn texts_are_long_now_and_then() {
    let text = "#include <stddef.h>\nsize_t f(const char *s) { size_t n = 0; while (s[n]) n++; return n; }";
    narrowed(text, "size_t n", &NARROW);
    let text =
        "#include <string.h>\nlong f(const char *s, int c) { long n = strlen(s); return n > 3 ? n + (s[0] == c) : n; }";
    narrowed(text, "long n", &NARROW);
    let text = "#include <string.h>\n#include <stdlib.h>\n
        char *f(const char *s) { size_t n = strlen(s) + 1; char *copy = malloc(n); if (copy) memcpy(copy, s, n); return copy; }";
    narrowed(text, "size_t n", &["unsigned char n", "unsigned short n"]);
}

#[test]
fn buffers_are_as_long_as_is_said_beside_them() {
    let text = "#include <stddef.h>\nunsigned f(const unsigned char *p, size_t count) {
            unsigned sum = 0; for (size_t n = 0; n < count; n++) sum = sum * 31 + p[n]; return sum; }";
    narrowed(text, "size_t n", &["unsigned char n", "unsigned short n"]);
    narrowed(text, "size_t count", &["unsigned char count", "unsigned short count"]);
    let text = "void f(int *p, unsigned count) { for (unsigned n = 0; n < count; n++) p[n] = (int)n; }";
    narrowed(text, "unsigned n", &["unsigned char n", "unsigned short n", "short n"]);
    let text = "struct pair { int a, b; }; struct text { struct pair *at; unsigned count; };
        int f(const struct text *text) { int sum = 0; for (unsigned n = 0; n < text->count; n++) sum ^= text->at[n].b + (int)n; return sum; }";
    narrowed(text, "unsigned n", &["unsigned char n"]);
}

#[test]
fn lists_are_long_now_and_then() {
    let text = "struct node { int value; struct node *next; };
        int f(const struct node *list) { int n = 0; for (; list; list = list->next) n++; return n; }";
    narrowed(text, "int n", &NARROW[..1]);
    let text = "struct node { struct node *next, *before; unsigned char kind; };
        int f(const struct node *list) { int n = 0; for (; list && n < 100000; list = list->next) n += list->kind > 9 ? 2 : 1; return n; }";
    differs_in(Language::C, text, &[text.replace("n < 100000", "n < 30")]);
}

#[test]
fn strings_and_vectors_are_long() {
    let text = "#include <string>\n#include <vector>\n
        unsigned long f(const std::string &text, const std::vector<int> &all) { unsigned long n = text.size(); return n * 3 + all.size(); }";
    differs_in(
        Language::Cpp,
        text,
        &[text.replace("unsigned long n", "unsigned char n"), text.replace("all.size()", "(unsigned short)all.size()")],
    );
}

/// What is found stands at the end of what is long: a place in a narrower type is another one.
#[test]
fn places_at_the_end_of_what_is_long_are_told_apart() {
    let largest = "int f(const int *all, int count) { int at = 0; for (int n = 1; n < count; n++) if (all[n] > all[at]) at = n; return at; }";
    narrowed(largest, "int at", &["signed char at", "unsigned char at", "short at"]);
    let smallest = "#include <stddef.h>\nsize_t f(const double *all, size_t count) { size_t at = 0;
        for (size_t n = 1; n < count; n++) if (all[n] < all[at]) at = n; return at; }";
    narrowed(smallest, "size_t at", &["unsigned char at", "signed char at"]);
    let member = "struct score { const char *name; int value; }; struct table { struct score *at; unsigned count; };
        int f(const struct table *table) { int best = -1; for (unsigned n = 0; n < table->count; n++)
            if (best < 0 || table->at[n].value > table->at[best].value) best = (int)n; return best; }";
    narrowed(member, "int best", &["signed char best", "short best"]);
    let search = "#include <string>\nlong f(const std::string &text, char wanted) { long at = (long)text.find(wanted); return at; }";
    differs_in(
        Language::Cpp,
        search,
        &[search.replace("long at", "signed char at"), search.replace("long at", "short at")],
    );
    let own =
        "int f(const char *text) { int at = 0; while (text[at] && text[at] != '=') at++; return text[at] ? at : -1; }";
    differs_in(Language::C, own, &[own.replace("int at = 0", "unsigned char at = 0")]);
}

/// References may lead to one and the same number.
#[test]
fn references_meet() {
    let text = "void f(int &to, const int &from) { to += from; to += from; }";
    differs_in(
        Language::Cpp,
        text,
        &["void f(int &to, const int &from) { int once = from; to += once; to += once; }".to_owned()],
    );
}

/// What asks for much, again and again, ends within its limits and does the same each time.
#[test]
fn many_large_allocations_are_bounded() {
    let text = "#include <stdlib.h>
        int f(unsigned seed) {
            int lost = 0;
            for (unsigned i = 0; i < 65536; i++) {
                int *p = malloc(65536 * sizeof *p);
                if (!p) { lost++; continue; }
                p[seed % 65536] = (int)i;
                lost += p[seed % 65536] & 1;
                free(p);
            }
            return lost;
        }";
    let subject = Subject { text, function: "f", at: None, language: Language::C, flags: &[], seed: 1 };
    let started = std::time::Instant::now();
    match ORACLE.original(&subject).unwrap() {
        Ok(prepared) => {
            let names = BTreeMap::new();
            let same = Variant { text, function: "f", names: &names, known: &[] };
            let found = support::verdicts(&prepared, &[same]);
            assert!(!matches!(found[0], Verdict::Differs(_)), "{found:#?}");
            assert!(prepared.record().ends.keys().all(|end| *end != End::Died), "{:#?}", prepared.record());
        }
        Err(reason) => assert_eq!(reason, estrange_oracle::Untestable::NeverReturns),
    }
    assert!(started.elapsed().as_secs() < 300, "{:?}", started.elapsed());
}
