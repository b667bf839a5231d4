//! The pairs of the folder `pairs`: the vulnerable side faults on its trigger with the class and at the line that the pair
//! says, under gcc's and clang's sanitizers, five times of five; the patched side never does; and on harmless inputs both do
//! the same.

#![allow(clippy::unwrap_used)]

#[path = "pairs/confirm.rs"]
mod confirm;
#[path = "pairs/layout.rs"]
mod layout;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use confirm::problems;
use estrange_sandbox::Workshop;
use layout::{Pair, pairs};

#[test]
fn every_pair_is_confirmed_by_both_compilers() {
    let workshop = Workshop::temporary().unwrap();
    let (pairs, next, found) = (pairs(), AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(pair) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let problems = problems(&workshop, pair);
                    if !problems.is_empty() {
                        found.lock().unwrap().insert(pair.name.clone(), problems);
                    }
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "{found:#?}");
}

/// What confirms pairs does not confirm just anything.
#[test]
fn what_is_no_pair_is_not_confirmed() {
    let workshop = Workshop::temporary().unwrap();
    let pair = || pairs().into_iter().find(|pair| pair.name == "off-by-one").unwrap();
    assert_eq!(problems(&workshop, &pair()), Vec::<String>::new());
    let none = Pair { vulnerable: pair().patched, ..pair() };
    let both = Pair { patched: pair().vulnerable, ..pair() };
    let other = Pair { vulnerable: pair().vulnerable.replace("sum +=", "sum -="), ..pair() };
    let mut class = pair();
    class.about.class = "heap-overflow-write".to_owned();
    let mut line = pair();
    line.about.line = layout::Line::Number(1);
    for (pair, said) in [
        (none, "vulnerable: exited with code 0"),
        (both, "patched: was ended by"),
        (other, "harmless inputs"),
        (class, "not heap-overflow-write"),
        (line, "not line 1"),
    ] {
        let problems = problems(&workshop, &pair);
        assert!(problems.iter().any(|problem| problem.contains(said)), "{said}: {problems:#?}");
    }
}

#[test]
fn the_set_is_as_wide_as_its_page_says() {
    let pairs = pairs();
    let share = |has: &dyn Fn(&Pair) -> bool| pairs.iter().filter(|pair| has(pair)).count();
    assert!(pairs.len() >= 60, "{} pairs", pairs.len());
    assert!(share(&|pair| pair.about.language == "cpp") * 4 >= pairs.len());
    assert!(share(&|pair| pair.about.has_helper) >= 10);
    let classes: BTreeSet<&str> = pairs.iter().map(|pair| pair.about.class.as_str()).collect();
    let known: BTreeSet<&str> = confirm::CLASSES.iter().map(|(_, class)| *class).collect();
    assert_eq!(classes, known, "each class has pairs, and each pair a class");
    for pair in &pairs {
        let length = pair.vulnerable.lines().count().max(pair.patched.lines().count());
        assert!(length <= 120, "{}: {length} lines", pair.name);
        assert!(pair.vulnerable != pair.patched, "{}: the sides do not differ", pair.name);
        assert!(pair.vulnerable.contains(&format!("{}(", pair.about.function)), "{}: no such function", pair.name);
        assert_eq!(pair.about.licence, "MIT OR Apache-2.0", "{}", pair.name);
        assert!(pair.about.benign.len() >= 2 && pair.about.cwe > 0, "{}", pair.name);
        assert!(pair.about.description.ends_with('.'), "{}", pair.name);
        let values: serde_json::Value = serde_json::from_str(&pair.values).unwrap();
        let arguments = values["arguments"].as_array().map_or(0, Vec::len);
        assert!(values["estrange-input"] == 1 && arguments > 0, "{}", pair.name);
    }
}
