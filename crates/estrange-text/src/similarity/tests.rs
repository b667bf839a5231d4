//! The ratio against its definition, done the plain way; `tests/similarity.rs` checks it against Python itself.

use std::collections::HashMap;

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;

/// The ratio by its definition: every pair of positions is looked at again for every block.
fn plain(old: &str, new: &str) -> f64 {
    let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let mut found: HashMap<char, usize> = HashMap::new();
    for &character in &new {
        *found.entry(character).or_default() += 1;
    }
    let is_rare = |character: char| new.len() < 200 || found[&character] <= 1 + new.len() / 100;
    let mut matched = 0;
    let mut open = vec![(0..old.len(), 0..new.len())];
    while let Some((olds, news)) = open.pop() {
        let (mut from, mut to, mut most) = (olds.start, news.start, 0);
        for i in olds.clone() {
            for j in news.clone() {
                let pairs = old[i..olds.end].iter().zip(&new[j..news.end]);
                let length = pairs.take_while(|(old, new)| old == new && is_rare(**new)).count();
                if length > most {
                    (from, to, most) = (i, j, length);
                }
            }
        }
        while from > olds.start && to > news.start && old[from - 1] == new[to - 1] {
            (from, to, most) = (from - 1, to - 1, most + 1);
        }
        while from + most < olds.end && to + most < news.end && old[from + most] == new[to + most] {
            most += 1;
        }
        if most > 0 {
            matched += most;
            open.push((olds.start..from, news.start..to));
            open.push((from + most..olds.end, to + most..news.end));
        }
    }
    if old.is_empty() && new.is_empty() { 1.0 } else { 2.0 * matched as f64 / (old.len() + new.len()) as f64 }
}

/// Checks a pair of texts, whether many runs may be held or few.
fn check(old: &str, new: &str) {
    let wanted = plain(old, new);
    assert_eq!(ratio(old, new), wanted, "{old:?} {new:?}");
    assert_eq!(surface_distance(old, new), 1.0 - wanted);
    for most in [0, 1, 2, 7, 100] {
        assert_eq!(ratio_within(old, new, most), wanted, "with {most} runs at a time: {old:?} {new:?}");
    }
}

#[test]
fn the_ends_of_the_scale() {
    assert_eq!(ratio("", ""), 1.0);
    assert_eq!(ratio("", "x"), 0.0);
    assert_eq!(ratio("é", ""), 0.0);
    assert_eq!(ratio("int f(void);", "int f(void);"), 1.0);
    assert_eq!(surface_distance("abc", "xyz"), 1.0);
    assert_eq!(surface_distance("abcd", "bcde"), 0.25);
}

#[test]
fn a_character_is_a_code_point() {
    assert_eq!(ratio("é", "è"), 0.0);
    assert_eq!(ratio("a\u{10ffff}", "\u{10ffff}b"), 0.5);
    assert_eq!(ratio("naïve", "naive"), 0.8);
}

#[test]
fn the_longest_comes_first_then_the_earliest() {
    // "ab" goes to the second "ab"; what is before it is lost for it.
    check("ab", "acab");
    assert_eq!(ratio("ab", "acab"), 2.0 * 2.0 / 6.0);
    // Both "xy" and "zw" would be a block; the earliest in the old text wins, and the other is out of reach.
    assert_eq!(ratio("xyzw", "zwxy"), 0.5);
    check("xy1zw2q", "zw3xyq4");
    // Which text is the old one matters.
    check("tide", "diet");
    check("diet", "tide");
    assert_ne!(ratio("tide", "diet"), ratio("diet", "tide"));
}

#[test]
fn popular_characters_match_only_beside_others() {
    let one = |tail: &str| format!("{}{tail}", "a".repeat(199));
    // At 200 characters `a` is popular, at 199 it is not; the start is matched even so, the end is not.
    check(&format!("x{}", one("")), &format!("y{}", one("")));
    check(&format!("x{}", "a".repeat(198)), &format!("y{}", "a".repeat(198)));
    assert_eq!(ratio(&format!("x{}", one("")), &format!("y{}", one(""))), 0.0);
    assert_eq!(ratio(&format!("x{}", "a".repeat(198)), &format!("y{}", "a".repeat(198))), 2.0 * 198.0 / 398.0);
    assert_eq!(ratio(&one("x"), &one("y")), 2.0 * 199.0 / 400.0);
    // One rare character carries all of its surroundings with it.
    assert_eq!(ratio(&format!("1{}2", one("x")), &format!("3{}4", one("x"))), 2.0 * 200.0 / 404.0);
}

#[test]
fn a_character_is_popular_above_one_in_a_hundred_and_one() {
    let filler: String = ('\u{4e00}'..).take(294).collect();
    for count in 2..=6 {
        let new = format!("{filler}{}", "a".repeat(count));
        check(&format!("-{}", "a".repeat(count)), &new);
        let is_matched = ratio(&format!("-{}", "a".repeat(count)), &new) > 0.0;
        assert_eq!(is_matched, count <= 1 + (294 + count) / 100, "{count} times");
    }
}

#[test]
fn a_staircase_of_thousands_of_blocks_needs_no_deep_stack() {
    // Each pair is a block of its own, in fields that each lie within the one before.
    let steps = || ('\u{4e00}'..).take(4000);
    let old: String = steps().flat_map(|step| [step, 'a']).collect();
    let new: String = steps().flat_map(|step| [step, 'b']).collect();
    assert_eq!(ratio(&old, &new), 0.5);
    assert_eq!(ratio_within(&old[..1200], &new[..1200], 1), 0.5);
}

#[test]
fn long_runs_of_one_character_are_no_trouble() {
    let long = "a".repeat(20_000);
    assert_eq!(ratio(&long, &"a".repeat(199)), 2.0 * 199.0 / 20_199.0);
    assert_eq!(ratio(&long, &long), 1.0);
    let (old, new) = ("ab".repeat(3000), format!("{}c", "ba".repeat(99)));
    assert_eq!(ratio(&old, &new), 2.0 * 198.0 / 6199.0);
}

/// A text of up to `most` characters from a small set.
fn text(most: usize) -> impl Strategy<Value = String> {
    select(vec!["ab", "abc", "aaaaaaab", "abcdefgh", "aé\u{1f600}b"]).prop_flat_map(move |set| {
        let characters: Vec<char> = set.chars().collect();
        proptest::collection::vec(select(characters), 0..most).prop_map(|characters| characters.into_iter().collect())
    })
}

/// A text of 200 characters and more in which some are popular and some are not.
fn long_text() -> impl Strategy<Value = Vec<char>> {
    let character = prop_oneof![4 => select(vec![' ', 'e', 't', '(']), 3 => proptest::char::range('a', 'z'), 2 => proptest::char::range('\u{c0}', '\u{17f}')];
    proptest::collection::vec(character, 195..320)
}

/// A text after some changes, each at a place and of a few characters.
fn changed(text: &[char], changes: &[(Index, usize, String)]) -> String {
    let mut text = text.to_vec();
    for (index, removed, put) in changes {
        let at = index.index(text.len() + 1);
        let end = (at + removed).min(text.len());
        text.splice(at..end, put.chars());
    }
    text.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn short_texts_are_matched_by_the_definition(old in text(60), new in text(60)) {
        check(&old, &new);
    }

    #[test]
    fn changed_texts_are_matched_by_the_definition(
        old in long_text(),
        changes in proptest::collection::vec((any::<Index>(), 0..12_usize, "[a-z_]{0,9}"), 0..12),
    ) {
        let new = changed(&old, &changes);
        check(&old.into_iter().collect::<String>(), &new);
    }

    #[test]
    fn any_texts_have_a_ratio(old in ".{0,40}", new in ".{0,40}") {
        check(&old, &new);
        prop_assert_eq!(ratio(&old, &old), 1.0);
        prop_assert!((0.0..=1.0).contains(&ratio(&old, &new)));
    }
}
