//! Numbers with their nouns: `1 function`, `2 functions`.

use std::fmt::Display;

/// So many things: `1 function`, `2 functions`, `0 queries`.
pub fn counted(number: impl TryInto<u64> + Display + Copy, thing: &str) -> String {
    format!("{number} {}", noun(number, thing))
}

/// The noun for so many things.
pub fn noun(number: impl TryInto<u64>, thing: &str) -> String {
    if matches!(number.try_into(), Ok(1)) {
        return thing.to_owned();
    }
    match thing.strip_suffix('y') {
        _ if thing == "corpus" => "corpora".to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{thing}s"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_is_one() {
        let counted = |thing| [0_usize, 1, 2].map(|number| super::counted(number, thing));
        assert_eq!(counted("function"), ["0 functions", "1 function", "2 functions"]);
        assert_eq!(counted("query"), ["0 queries", "1 query", "2 queries"]);
        assert_eq!(counted("corpus"), ["0 corpora", "1 corpus", "2 corpora"]);
        assert_eq!(super::counted(1_i64, "day") + &super::counted(2_u8, "day"), "1 day2 days");
    }
}
