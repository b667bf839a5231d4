//! Whether two words are of one stem, so that one would give the other away.

/// Endings that make another word of the same stem, longer ones before those they end in.
const ENDINGS: [&str; 47] = [
    "ization", "isation", "ations", "ation", "ments", "ment", "ingly", "ness", "ities", "ity", "izer", "iser", "ized",
    "ised", "izing", "ising", "ize", "ise", "ically", "ical", "ally", "able", "ible", "ings", "ing", "ions", "ion",
    "ors", "or", "ers", "er", "ance", "ence", "ants", "ant", "ents", "ent", "ive", "ed", "es", "ly", "al", "ic", "est",
    "e", "y", "s",
];

/// Whether the words, small letters only, are of one stem. It is so when one's stem begins with the other's, and when
/// one ends in the other (`word`, `password`), as far as that has four letters. In doubt it says yes: it is for finding
/// other words, and those are many.
pub(super) fn same_stem(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let (one_stem, other_stem) = (stem(one), stem(other));
    let starts = |long: &str, short: &str| short.len() >= 2 && long.starts_with(short);
    one == other
        || short.len() >= 4 && long.ends_with(short)
        || starts(&one_stem, &other_stem)
        || starts(&other_stem, &one_stem)
}

/// The word without its endings. What is left has a vowel and at least three letters, unless the word has not.
fn stem(word: &str) -> String {
    let is_stem = |stem: &&str| stem.len() >= 3 && stem.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    let mut stem = word;
    while let Some(shorter) = ENDINGS.iter().find_map(|ending| stem.strip_suffix(ending).filter(is_stem)) {
        if stem.ends_with("ss") {
            break;
        }
        stem = shorter;
    }
    let without_last =
        stem.chars().next_back().and_then(|last| stem.strip_suffix(last).filter(|stem| stem.ends_with(last)));
    without_last.filter(|shorter| shorter.len() >= 3).unwrap_or(stem).to_owned()
}
