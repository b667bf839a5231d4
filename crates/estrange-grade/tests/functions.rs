//! Replies of models are read, put in the function's place, and held against the function.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use estrange_grade::answer::{Wanted, read};
use estrange_grade::placed::placed;
use estrange_grade::{Functions, Graded, Submission, Target};
use estrange_sandbox::Workshop;
use estrange_store::Store;
use estrange_words::{Language, Mistake, Outcome};

const UNIT: &str = r#"
#include <stddef.h>
struct node { int value; struct node *next; };
static int weight(const struct node *at) { return at->value > 9 ? 2 : 1; }
int total(const struct node *first, int most) {
    int sum = 0;
    for (const struct node *at = first; at && most > 0; at = at->next, most--)
        sum += weight(at);
    return sum;
}
"#;

fn target() -> Target<'static> {
    let start = UNIT.find("int total").unwrap();
    Target { unit: UNIT, name: "total", place: (start, UNIT.trim_end().len()), language: Language::C, flags: &[] }
}

fn grades(replies: &[&str]) -> Vec<Graded> {
    let workshop = Workshop::temporary().unwrap().keeping(concat!(env!("CARGO_TARGET_TMPDIR"), "/kept"));
    let store = tempfile::tempdir().unwrap();
    let functions = Functions::new(1, &workshop, Some(Store::open(store.path()).unwrap()), 1).unwrap();
    let kept = functions.prepared(target()).unwrap().unwrap();
    // The second time nothing is searched: it is the same, bit by bit.
    let again = functions.prepared(target()).unwrap().unwrap();
    assert_eq!(kept.record, again.record);
    let names = BTreeMap::new();
    let submission = |reply: &&str| {
        let answer = read(reply, Wanted { name: "total", unit: UNIT, given: None }).unwrap();
        Submission { text: placed(UNIT, &target().range(), &answer), name: "total", names: &names }
    };
    let submissions: Vec<Submission<'_>> = replies.iter().map(submission).collect();
    functions.graded(target(), &again, &submissions).unwrap()
}

#[test]
fn replies_are_graded_as_what_they_are() {
    let found = grades(&[
        "```c\nint total(const struct node *first, int most) {\n  if (!first || most <= 0) return 0;\n  return weight(first) + total(first->next, most - 1);\n}\n```",
        "```c\n#include <string.h>\nstruct node { int value; struct node *next; };\nstatic int one(const struct node *n) { return weight(n); }\nint total(const struct node *first, int most) {\n  int sum = 0;\n  while (first && most > 0) { sum += one(first); first = first->next; most--; }\n  return sum;\n}\nint main(void) { return total(NULL, 0); }\n```",
        "int total(const struct node *first, int most) { return most; }",
        "int total(const struct node *first, int most) { int sum = 0; while (most-- > 0) { sum += weight(first); first = first->next; } return sum; }",
        "int total(const struct node *first, int most) { return node_weight(first); }",
        "int total(const struct node *first, int most) { return first->weight; }",
        "int total(const struct node *first, int most) { __asm__(\".incbin \\\"/etc/passwd\\\"\"); return 0; }",
        "int total(const struct node *first, int most) { _Exit(0); }",
    ]);
    let outcomes: Vec<Outcome> = found.iter().map(|graded| graded.outcome).collect();
    assert_eq!(
        outcomes,
        [
            Outcome::Passed,
            Outcome::Passed,
            Outcome::WrongResult,
            Outcome::Fault,
            Outcome::DoesNotLink,
            Outcome::DoesNotCompile,
            outcomes[6],
            Outcome::EndedEarly,
        ],
        "{found:#?}"
    );
    assert!(found[2].detail.as_ref().unwrap().contains("by the function"), "{found:#?}");
    assert_eq!(found[4].mistakes, [Some(Mistake::ImplicitDeclaration); 2], "{found:#?}");
    assert_eq!(found[5].mistakes, [Some(Mistake::NonexistentMember); 2], "{found:#?}");
    // Whatever an assembler sees there is no code, and nobody is told of it.
    assert_ne!(outcomes[6], Outcome::Passed);
    assert!(!found[6].detail.as_ref().unwrap().contains("root:"), "{found:#?}");
}
