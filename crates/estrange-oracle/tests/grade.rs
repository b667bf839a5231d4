//! Answers are graded on inputs that were found before, in a process that searches nothing.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use estrange_evidence::Language;
use estrange_oracle::{End, Grade, Kept, Subject, Variant};
use support::ORACLE;

const TEXT: &str = r"
#include <stdlib.h>
#include <string.h>
#include <errno.h>

/* The first of some bytes, doubled, or null. */
char *f(const char *from, int count) {
    if (!from || count < 0) { errno = EINVAL; return NULL; }
    size_t length = strlen(from);
    if ((size_t)count > length) count = (int)length;
    char *made = malloc((size_t)count * 2 + 1);
    if (!made) return NULL;
    for (int at = 0; at < count; at++) made[at * 2] = made[at * 2 + 1] = from[at];
    made[count * 2] = 0;
    return made;
}
";

fn grades(answers: &[&str]) -> Vec<Grade> {
    let subject = Subject { text: TEXT, function: "f", at: None, language: Language::C, flags: &[], seed: 1 };
    let prepared = ORACLE.original(&subject).unwrap().unwrap();
    let kept = prepared.keep().unwrap().unwrap();
    assert!(kept.inputs() >= 50, "{}", kept.inputs());
    // What is kept goes through a file.
    let kept: Kept = postcard::from_bytes(&postcard::to_stdvec(&kept).unwrap()).unwrap();
    let reference = ORACLE.reference(&subject, &kept).unwrap().unwrap();
    let start = TEXT.find("char *f(").unwrap();
    let texts: Vec<String> = answers.iter().map(|answer| TEXT[..start].to_owned() + answer).collect();
    let names = BTreeMap::new();
    let variant = |text| Variant { text, function: "f", names: &names, known: &[] };
    let variants: Vec<Variant<'_>> = texts.iter().map(|text| variant(text.as_str())).collect();
    reference.grade(&variants).unwrap()
}

#[test]
fn what_is_written_otherwise_passes_and_what_is_wrong_does_not() {
    let gold = &TEXT[TEXT.find("char *f(").unwrap()..];
    let found = grades(&[
        gold,
        // Another way, with more room than is needed, and more steps.
        "char *f(const char *from, int count) {
            if (!from || count < 0) { errno = EINVAL; return 0; }
            int length = 0;
            while (from[length] && length < count) length++;
            char *made = malloc((size_t)length * 2 + 64), *to = made;
            if (!made) return 0;
            while (length-- > 0) { *to++ = *from; *to++ = *from++; }
            *to = 0;
            return made;
        }",
        // It leaves a block that nobody asked for.
        &gold.replace(
            "made[count * 2] = 0;",
            "made[count * 2] = 0; volatile char *kept = malloc(48); if (kept) *kept = 1;",
        ),
        "",
        "char *f(const char *from, int count) { return NULL; }",
        "char *f(const char *from, int count) { exit(0); }",
        "char *f(const char *from, int count) { for (;;) ; }",
        &gold.replace("count * 2 + 1)", "count * 2)"),
        &gold.replace("made[count * 2] = 0;", ""),
        &gold.replace("    if (!made) return NULL;\n", ""),
        &gold.replace("errno = EINVAL; ", ""),
        "char *f(const char *from, int count) { return double_text(from, count); }",
        "char *f(const char *from, int count) { return from[count; }",
        "int main(void) { return 0; }\nchar *f(const char *from, int count) { abort(); }",
    ]);
    let Grade::Same(quality) = &found[0] else { panic!("{found:#?}") };
    assert_eq!((quality.steps, quality.left), (1.0, 0));
    let Grade::Same(quality) = &found[1] else { panic!("{found:#?}") };
    assert!(quality.steps > 1.0 && (63..=63 * 4).contains(&quality.left), "{quality:?}");
    assert_eq!(quality.short_of_memory, None);
    let Grade::Same(quality) = &found[2] else { panic!("{found:#?}") };
    // Some inputs have it called four times.
    assert!(quality.left >= 48 && quality.left % 48 == 0, "{quality:?}");
    let ends: Vec<Option<End>> = found
        .iter()
        .map(|grade| if let Grade::Differs(difference) = grade { Some(difference.new_end) } else { None })
        .collect();
    assert!(matches!(found[3], Grade::Refused(_) | Grade::Unlinked(_)), "{:?}", found[3]);
    assert_eq!(ends[4], Some(End::Returned));
    assert_eq!(ends[5], Some(End::Exited));
    assert_eq!(ends[6], Some(End::Endless));
    assert_eq!(ends[7], Some(End::HeapOverflowWrite));
    assert_eq!(ends[8], Some(End::Returned));
    // Nobody asks what comes back where it got all memory: this is no mistake that a test would find.
    let Grade::Same(quality) = &found[9] else { panic!("{found:#?}") };
    assert!(matches!(quality.short_of_memory, Some(End::NullPointer | End::WildWrite)), "{quality:?}");
    assert_eq!(ends[10], Some(End::Returned));
    // A function that is nowhere shows when it is linked.
    assert!(matches!(&found[11], Grade::Unlinked(words) if words.contains("double_text")), "{:?}", found[11]);
    assert!(matches!(&found[12], Grade::Refused(words) if words.contains("expected")), "{:?}", found[12]);
    assert_eq!(ends[13], Some(End::Aborted));
}

#[test]
fn an_answer_that_is_right_where_the_function_faults_is_right() {
    let text = "int f(const int *values, int count) {
        int sum = 0;
        for (int at = 0; at < count; at++) sum += values[at];
        return sum;
    }";
    let subject = Subject { text, function: "f", at: None, language: Language::C, flags: &[], seed: 1 };
    let kept = ORACLE.original(&subject).unwrap().unwrap().keep().unwrap().unwrap();
    let reference = ORACLE.reference(&subject, &kept).unwrap().unwrap();
    // A sum that cannot overflow, and no read of null.
    let careful = "int f(const int *values, int count) {
        long sum = 0;
        for (int at = 0; values && at < count; at++) sum += values[at];
        return (int)sum;
    }";
    let names = BTreeMap::new();
    let grades = reference.grade(&[Variant { text: careful, function: "f", names: &names, known: &[] }]).unwrap();
    assert!(matches!(grades[0], Grade::Same(_)), "{grades:?}");
}
