//! The surface distance against the real Python's difflib, bit for bit, on some hundred pairs of texts of many kinds.

#[path = "similarity/python.rs"]
mod python;
#[path = "similarity/texts.rs"]
mod texts;

use estrange_text::similarity::{ratio, surface_distance};
use texts::{NAMINGS, Random};

/// From one letter only to many kinds of characters, some of them as numerous as others.
const ALPHABETS: [&str; 8] = [
    "a",
    "ab",
    "aaaaaaaaab",
    "abc \n",
    "eeeeeeettttaaaooiinnsshrrdlucmfwyp",
    "aäöüß\u{301}é",
    "日本語の文字a b\u{1f600}\u{10ffff}\0",
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_(){}[]<>;,.+-*/=&|!~^%?:'\"# ",
];

/// Lengths from nothing to 1,200, every third one near the length from which on characters can be popular.
fn length(random: &mut Random) -> usize {
    match random.below(6) {
        0 | 1 => 196 + random.below(8),
        2 => random.below(20),
        3 => 295 + random.below(10),
        4 => random.below(400),
        _ => random.below(1200),
    }
}

fn any_text(random: &mut Random, alphabet: &[char], length: usize) -> Vec<char> {
    (0..length).map(|_| alphabet[random.below(alphabet.len())]).collect()
}

/// The text after some changes: parts removed, put in, moved or repeated.
fn changed(random: &mut Random, text: &[char], alphabet: &[char]) -> Vec<char> {
    let mut text = text.to_vec();
    for _ in 0..random.below(20) {
        let start = random.below(text.len() + 1);
        let end = (start + random.below(15)).min(text.len());
        let to = random.below(text.len() - (end - start) + 1);
        match random.below(4) {
            0 => drop(text.drain(start..end)),
            1 => {
                let length = random.below(15);
                let put = any_text(random, alphabet, length);
                text.splice(start..end, put);
            }
            2 => {
                let moved: Vec<char> = text.drain(start..end).collect();
                text.splice(to..to, moved);
            }
            _ => {
                let repeated = text[start..end].to_vec();
                text.splice(to..to, repeated);
            }
        }
    }
    text
}

fn random_pairs(random: &mut Random) -> Vec<(String, String)> {
    let string = |text: &[char]| text.iter().collect::<String>();
    let mut pairs = Vec::new();
    for alphabet in ALPHABETS {
        let alphabet: Vec<char> = alphabet.chars().collect();
        for _ in 0..20 {
            let (one, two) = (length(random), length(random));
            let old = any_text(random, &alphabet, one);
            pairs.push((string(&old), string(&any_text(random, &alphabet, two))));
            let new = changed(random, &old, &alphabet);
            pairs.push((string(&old), string(&new)));
        }
    }
    pairs
}

/// Texts in which one character comes exactly as often as it may without being popular, or once more.
fn pairs_at_the_limit() -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for length in [199, 200, 201, 299, 300, 399, 1000] {
        for count in length / 100..=length / 100 + 3 {
            let others: String = ('\u{100}'..).take(length - count).collect();
            let popular = "a".repeat(count);
            pairs.push((format!("-{popular}\u{150}"), format!("{others}{popular}")));
            pairs.push((format!("{popular}-\u{120}"), format!("{popular}{others}")));
            pairs.push((format!("\u{140}{popular}"), format!("{others}{popular}")));
        }
    }
    pairs
}

fn extreme_pairs() -> Vec<(String, String)> {
    let steps = |between: char| ('\u{4e00}'..).take(300).flat_map(|step| [step, between]).collect::<String>();
    let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
    vec![
        pair("", ""),
        pair("", "x"),
        pair("x", ""),
        pair("é", ""),
        pair("", "\u{10ffff}"),
        (steps('a'), steps('b')),
        ("a".repeat(1200), "a".repeat(199)),
        ("a".repeat(1200), "a".repeat(200)),
        ("a".repeat(1200), format!("{}b", "a".repeat(1100))),
        ("ab".repeat(300), "ba".repeat(99)),
        ("ab".repeat(300), format!("{}c{}", "ba".repeat(80), "ab".repeat(80))),
        ("abcab".repeat(60), "abcba".repeat(39)),
    ]
}

fn renamed_functions(random: &mut Random) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for round in 0..40 {
        for naming in NAMINGS {
            let (old, new) = texts::renamed(random, 60 + round * 30, naming);
            // With a character that is not ASCII, the texts are read another way.
            pairs.push(if round % 4 == 0 { (old, format!("// ©\n{new}")) } else { (old, new) });
        }
    }
    pairs
}

#[test]
fn the_distance_is_that_of_python_to_the_last_bit() {
    let mut random = Random::new(4);
    let mut pairs = random_pairs(&mut random);
    pairs.extend(pairs_at_the_limit());
    pairs.extend(extreme_pairs());
    pairs.extend(renamed_functions(&mut random));
    let answers = python::answers(&pairs);
    for ((old, new), answer) in pairs.iter().zip(&answers) {
        assert_eq!(ratio(old, new).to_bits(), answer.ratio.to_bits(), "the ratio of {old:?} and {new:?}");
        assert_eq!(surface_distance(old, new).to_bits(), answer.distance.to_bits(), "{old:?} and {new:?}");
    }
    // Were they all alike or all different, little would have been shown.
    let between = answers.iter().filter(|answer| (0.05..0.95).contains(&answer.ratio)).count();
    assert!(between * 2 > answers.len(), "{between} of {} ratios say something", answers.len());
    assert!(answers.iter().any(|answer| !answer.time.is_zero()), "Python has worked for it");
}
