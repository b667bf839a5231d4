//! How things are put in words everywhere: numbers with their nouns, and paths in commands to be pasted.

use std::path::Path;

pub use estrange_words::{counted, noun};

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
