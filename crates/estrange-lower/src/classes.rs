//! Classes of functions whose texts are the same, so that no reader of the texts could tell them apart.

use std::collections::HashMap;

/// The class of a text: a hash of it.
pub fn class(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// For each text, its class if another of `texts` is the same.
pub fn duplicate_classes(texts: &[&str]) -> Vec<Option<String>> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    texts.iter().map(|text| (counts[text] > 1).then(|| class(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_occurs_twice_has_a_class() {
        let classes = duplicate_classes(&["a", "b", "a", "c"]);
        assert_eq!(classes[0], classes[2]);
        assert_eq!(classes[0].as_deref(), Some(class("a").as_str()));
        assert_eq!((&classes[1], &classes[3]), (&None, &None));
        assert!(duplicate_classes(&[]).is_empty());
    }
}
