//! Parts of a text replaced, with places in it that are found again.

use std::ops::Range;

/// `text` with other texts instead of parts of it, which are in order and do not overlap. Each mark is an offset of the text
/// and becomes that of the same place in the result; one within a part that is replaced becomes the end of what is there now.
pub fn splice(text: &str, parts: &[(Range<usize>, &str)], marks: &mut [usize]) -> String {
    let mut spliced = String::with_capacity(text.len());
    let mut from = 0;
    let mut moved = marks.to_vec();
    for (part, instead) in parts {
        spliced.push_str(text.get(from..part.start).unwrap_or_default());
        spliced.push_str(instead);
        from = part.end;
        for (mark, moved) in marks.iter().zip(&mut moved).filter(|(mark, _)| **mark > part.start) {
            *moved = spliced.len() + mark.saturating_sub(part.end);
        }
    }
    spliced.push_str(text.get(from..).unwrap_or_default());
    marks.copy_from_slice(&moved);
    spliced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_again() {
        let mut marks = [0, 2, 3, 4, 5, 6, 8];
        let text = splice("ab cd ef", &[(0..2, "x"), (4..4, "--"), (6..8, "")], &mut marks);
        assert_eq!((text.as_str(), marks), ("x c--d ", [0, 1, 2, 3, 6, 7, 7]));
        assert_eq!(splice("ab", &[], &mut []), "ab");
    }
}
