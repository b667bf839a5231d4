//! Families of mistakes that rewrites make: each is planted where a function has a place for it, and is refused.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use estrange_evidence::Language;
use estrange_oracle::{Family, Fate, Subject};
use support::ORACLE;

#[test]
fn mistakes_of_all_families_are_refused() {
    let texts = [
        "int f(int a, int b, unsigned short c) { int sum = a & 15; unsigned top = c; sum += (int)top; sum -= (short)(b + 1) & 7; return sum / 2; }",
        "double f(double a, double b, double c) { double least = a < b ? a : b; return -(least + b + c) / 3; }",
        "long f(const char *s, unsigned n) { unsigned long hash = 5; for (unsigned i = 0; i < n && s[i]; i++) hash = hash * 33 + (unsigned char)s[i]; return (long)(hash % 65521); }",
        "int f(int *p, int *q, int n) { *p = n; n = *q & 255; q[0] = n; return n + *p % 16; }",
    ];
    let mut seen: BTreeMap<Family, BTreeMap<Fate, Vec<String>>> = BTreeMap::new();
    for text in texts {
        let subject = Subject { text, function: "f", at: None, language: Language::C, flags: &[], seed: 1 };
        let prepared = ORACLE.original(&subject).unwrap().unwrap();
        for (family, fate, what) in prepared.measured(&subject).unwrap() {
            seen.entry(family).or_default().entry(fate).or_default().push(what);
        }
    }
    let families: BTreeSet<Family> = seen.keys().copied().collect();
    let all = [Family::Branch, Family::Floating, Family::Narrowed, Family::Signedness, Family::Cast, Family::Alias];
    assert_eq!(families, BTreeSet::from(all), "{seen:#?}");
    for (family, fates) in &seen {
        let count = |fate| fates.get(&fate).map_or(0, Vec::len);
        let refused = count(Fate::Refused);
        let others = count(Fate::Weak) + count(Fate::Missed);
        assert!(refused > 0 && refused >= others, "{family:?}: {seen:#?}");
    }
}
