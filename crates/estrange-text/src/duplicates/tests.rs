//! What counts as a duplicate, checked against comparing every pair.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

fn duplicate(of: usize, exact: bool) -> impl Fn(&Verdict) -> bool {
    move |verdict| matches!(verdict, Verdict::Duplicate { of: found, exact: is, .. } if (*found, *is) == (of, exact))
}

/// A function of `count` statements, of which the one at `changed` is another.
fn function(count: usize, changed: Option<usize>) -> String {
    let statement = |at: usize| match changed {
        Some(changed) if changed == at => "  other -= 7;\n".to_owned(),
        _ => format!("  total_{at} += table[{at}] * {};\n", at * 3),
    };
    format!("int sum(void) {{\n{}}}\n", (0..count).map(statement).collect::<String>())
}

#[test]
fn comments_and_space_make_no_difference() {
    let texts = ["int f() { return 1; }", "/* F. */ int f( )\n{ return 1; // one\n}", "int f() { return 2; }"];
    let verdicts = duplicates(&texts, Options::default());
    assert_eq!(verdicts[0], Verdict::Kept);
    assert_eq!(verdicts[1], Verdict::Duplicate { of: 0, similarity: 1.0, exact: true });
    assert_eq!(verdicts[2], Verdict::Kept);
    assert_eq!(fingerprint(texts[0]), fingerprint(texts[1]));
    assert_ne!(fingerprint("ab"), fingerprint("a b"));
    assert_ne!(fingerprint("#define A\nb"), fingerprint("#define A b"));
    assert_eq!(fingerprint("#define A /* a */ \\\n b"), fingerprint("# define A b"));
}

#[test]
fn a_small_change_in_a_long_function_is_a_near_duplicate() {
    let texts =
        [function(40, None), function(40, Some(20)), function(40, None), function(3, None), function(3, Some(1))];
    let verdicts = duplicates(&texts, Options::default());
    assert!(duplicate(0, false)(&verdicts[1]), "{verdicts:?}");
    assert!(duplicate(0, true)(&verdicts[2]), "{verdicts:?}");
    assert_eq!(verdicts[3..], [Verdict::Kept, Verdict::Kept]);
}

#[test]
fn an_exact_duplicate_of_a_near_duplicate_points_to_what_is_kept() {
    let texts = [function(40, None), function(40, Some(9)), function(40, Some(9))];
    let verdicts = duplicates(&texts, Options::default());
    assert!(duplicate(0, false)(&verdicts[1]) && verdicts[1] == verdicts[2], "{verdicts:?}");
}

#[test]
fn the_threshold_is_kept_to() {
    let texts = [function(40, None), function(40, Some(20))];
    let Verdict::Duplicate { similarity, .. } = duplicates(&texts, Options::default())[1] else { panic!("near") };
    assert!((0.9..1.0).contains(&similarity));
    let strict = Options { threshold: similarity + 1e-9, ..Options::default() };
    assert_eq!(duplicates(&texts, strict)[1], Verdict::Kept);
    let exact_only = Options { threshold: 2.0, ..Options::default() };
    assert_eq!(duplicates(&texts, exact_only)[1], Verdict::Kept);
}

#[test]
fn tiny_texts_have_exact_duplicates_only() {
    let verdicts = duplicates(&["", "a b", "a  b", "a c", "// x"], Options::default());
    assert!(duplicate(1, true)(&verdicts[2]) && duplicate(0, true)(&verdicts[4]));
    assert_eq!([verdicts[0], verdicts[1], verdicts[3]], [Verdict::Kept; 3]);
}

/// The shingles of a text, the plain way.
fn plain(text: &str) -> HashSet<Vec<&str>> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    tokens.windows(5).map(<[&str]>::to_vec).collect()
}

fn similarity(one: &str, two: &str) -> f64 {
    let (one, two) = (plain(one), plain(two));
    let shared = one.intersection(&two).count();
    shared as f64 / (one.len() + two.len() - shared).max(1) as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn verdicts_agree_with_comparing_all_pairs(
        long in proptest::collection::vec("[a-z]{1,2}", 60..160),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..12),
    ) {
        // A line of texts, each a small edit away from some earlier one.
        let mut texts = vec![long];
        for (from, place) in &edits {
            let mut text = texts[from.index(texts.len())].clone();
            let place = place.index(text.len());
            text[place] = format!("changed{}", texts.len());
            texts.push(text);
        }
        let texts: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
        let verdicts = duplicates(&texts, Options::default());
        for (index, verdict) in verdicts.iter().enumerate() {
            let kept_before = (0..index).filter(|&before| verdicts[before] == Verdict::Kept);
            let most = kept_before.map(|before| similarity(&texts[before], &texts[index])).fold(0.0, f64::max);
            match *verdict {
                // The bands may overlook a pair that is hardly similar enough.
                Verdict::Kept => prop_assert!(most < 0.92, "{index} is {most} like another"),
                Verdict::Duplicate { of, similarity: found, exact } => {
                    prop_assert_eq!(verdicts[of], Verdict::Kept);
                    prop_assert!(of < index && (exact || found >= 0.9));
                    prop_assert!((found - similarity(&texts[of], &texts[index])).abs() < 1e-9);
                }
            }
        }
        prop_assert_eq!(verdicts, duplicates(&texts, Options::default()));
    }
}

#[test]
fn versions_of_one_function_can_be_spared() {
    let texts = [function(40, None), function(40, Some(20)), function(40, None), function(40, Some(5))];
    let signatures: Vec<Signature> = texts.iter().map(|text| Signature::of(text, Options::default())).collect();
    let lineage = [1, 1, 1, 2];
    let found = verdicts(&signatures, Options::default(), |one, other| lineage[one] == lineage[other]);
    assert_eq!(found[1], Verdict::Kept);
    assert!(duplicate(0, true)(&found[2]), "the same text twice is no other version: {found:?}");
    assert!(matches!(found[3], Verdict::Duplicate { exact: false, .. }), "{found:?}");
}
