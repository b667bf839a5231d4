//! How things are put in words everywhere: numbers with their nouns, and paths in commands to be pasted.

use std::fmt::Display;
use std::path::Path;

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

/// A path as a shell takes it for one word, and no option.
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if text.starts_with('-') { format!("./{text}").into() } else { text };
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,:+@%=".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one() {
        let counted = |thing| [0_usize, 1, 2].map(|number| super::counted(number, thing));
        assert_eq!(counted("function"), ["0 functions", "1 function", "2 functions"]);
        assert_eq!(counted("query"), ["0 queries", "1 query", "2 queries"]);
        assert_eq!(counted("corpus"), ["0 corpora", "1 corpus", "2 corpora"]);
        assert_eq!(super::counted(1_i64, "day") + &super::counted(2_u8, "day"), "1 day2 days");
    }

    #[test]
    fn a_shell_takes_a_path_for_one_word() {
        for (path, words) in [
            ("runs/all-MiniLM-L6-v2", "runs/all-MiniLM-L6-v2"),
            ("my bench", "'my bench'"),
            ("it's", r"'it'\''s'"),
            ("$(date)", "'$(date)'"),
            ("~", "'~'"),
            ("-rf", "./-rf"),
            ("- x", "'./- x'"),
            ("", "''"),
            ("é", "é"),
        ] {
            assert_eq!(quoted(Path::new(path)), words);
        }
    }
}
