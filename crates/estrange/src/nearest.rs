//! Which words are most like one that was typed.

/// How many are proposed.
const PROPOSED: usize = 5;

/// How alike a word has to be to what was typed, between 0 and 1, to be proposed.
const ALIKE: f64 = 0.8;

/// Those that are most like what was typed, the likeliest first.
pub fn nearest<'w>(words: impl IntoIterator<Item = &'w str>, typed: &str) -> Vec<&'w str> {
    let typed = typed.to_lowercase();
    let likeness = |word: &str| {
        let word = word.to_lowercase();
        // The name without its classes is what people remember.
        let last = word.rsplit("::").next().unwrap_or(&word);
        if word == typed { 2.0 } else { strsim::jaro_winkler(last, &typed).max(strsim::jaro_winkler(&word, &typed)) }
    };
    let mut alike: Vec<(f64, &str)> = words.into_iter().map(|word| (likeness(word), word)).collect();
    alike.retain(|(likeness, _)| *likeness >= ALIKE);
    alike.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    alike.into_iter().take(PROPOSED).map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_proposed() {
        let words = ["inner", "stack::push", "neutralize", "randomize"];
        assert_eq!(nearest(words, "innner"), ["inner"]);
        assert_eq!(nearest(words, "Stack::Push"), ["stack::push"]);
        assert_eq!(nearest(words, "neutralise"), ["neutralize"]);
        assert!(nearest(words, "0123456789").is_empty());
    }
}
