//! Other text in the place of parts of a tree's files.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::error::GradeError;

/// Text that takes the place of bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    /// The file's path in the tree.
    pub path: String,
    /// The bytes of the original file.
    pub range: Range<usize>,
    /// What stands there instead.
    pub text: String,
}

/// The files with their replacements, each of which counts bytes of the original. `original` gives a file's bytes.
pub fn apply(
    replacements: &[Replacement],
    mut original: impl FnMut(&str) -> Result<Vec<u8>, GradeError>,
) -> Result<BTreeMap<&str, Vec<u8>>, GradeError> {
    let mut by_file: BTreeMap<&str, Vec<&Replacement>> = BTreeMap::new();
    for replacement in replacements {
        by_file.entry(&replacement.path).or_default().push(replacement);
    }
    let mut edited = BTreeMap::new();
    for (path, mut replacements) in by_file {
        let bytes = original(path)?;
        replacements.sort_by_key(|replacement| (replacement.range.start, replacement.range.end));
        let (mut text, mut reached) = (Vec::with_capacity(bytes.len()), 0);
        for Replacement { range, text: instead, .. } in replacements {
            if range.start > range.end || range.end > bytes.len() {
                return Err(GradeError::NoRange { path: path.to_owned(), range: range.clone() });
            }
            if range.start < reached {
                return Err(GradeError::Overlap { path: path.to_owned() });
            }
            text.extend_from_slice(&bytes[reached..range.start]);
            text.extend_from_slice(instead.as_bytes());
            reached = range.end;
        }
        text.extend_from_slice(&bytes[reached..]);
        edited.insert(path, text);
    }
    Ok(edited)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replace(ranges: &[(Range<usize>, &str)]) -> Result<String, GradeError> {
        let replacements: Vec<Replacement> = ranges
            .iter()
            .map(|(range, text)| Replacement { path: "a".into(), range: range.clone(), text: (*text).into() })
            .collect();
        let edited = apply(&replacements, |_| Ok(b"0123456789".to_vec()))?;
        Ok(String::from_utf8(edited["a"].clone()).unwrap())
    }

    #[test]
    fn ranges_count_bytes_of_the_original() {
        assert_eq!(replace(&[(6..8, "b"), (1..3, "aaaa")]).unwrap(), "0aaaa345b89");
        assert_eq!(replace(&[(10..10, "end"), (0..0, "start ")]).unwrap(), "start 0123456789end");
        assert!(matches!(replace(&[(1..4, ""), (3..5, "")]), Err(GradeError::Overlap { .. })));
        assert!(matches!(replace(&[(8..11, "")]), Err(GradeError::NoRange { .. })));
    }
}
