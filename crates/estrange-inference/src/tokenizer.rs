//! Counting the tokens a model would see, with any Hugging Face `tokenizer.json`.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use estrange_words::Hint;

/// The tokenizer of a model.
#[derive(Debug)]
pub struct Tokenizer {
    tokenizer: tokenizers::Tokenizer,
    hash: String,
}

/// Why tokens cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum TokenizerError {
    /// A folder was named, not a file.
    #[error("{} is a folder, not a tokenizer file", path.display())]
    Folder {
        /// What was named.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("cannot read the tokenizer file {}", path.display())]
    Unreadable {
        /// What was named.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{} is not a tokenizer.json: {detail}", path.display())]
    NotATokenizer {
        /// What was named.
        path: PathBuf,
        /// What was missing in it.
        detail: String,
    },
    /// The tokenizer refused a text.
    #[error("the tokenizer could not cut a text: {detail}")]
    Refused {
        /// In its own words.
        detail: String,
    },
}

impl Hint for TokenizerError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(match self {
            TokenizerError::Folder { .. } => "name the file tokenizer.json inside of the model's folder",
            TokenizerError::Unreadable { .. } => "name a tokenizer.json that can be read",
            TokenizerError::NotATokenizer { .. } => {
                "the file wanted is tokenizer.json as the library `tokenizers` saves it, not tokenizer_config.json, \
                 vocab.json or tokenizer.model"
            }
            TokenizerError::Refused { .. } => "the tokenizer may lack a token for unknown words; try another one",
        }))
    }
}

impl Tokenizer {
    /// Loads a `tokenizer.json`. Truncation and padding that it asks for are turned off, as texts are counted whole.
    pub fn load(path: &Path) -> Result<Self, TokenizerError> {
        if path.is_dir() {
            return Err(TokenizerError::Folder { path: path.to_owned() });
        }
        let content = fs::read(path).map_err(|source| TokenizerError::Unreadable { path: path.to_owned(), source })?;
        let mut tokenizer = tokenizers::Tokenizer::from_bytes(&content)
            .map_err(|error| TokenizerError::NotATokenizer { path: path.to_owned(), detail: error.to_string() })?;
        tokenizer.with_padding(None);
        // Turning it off cannot fail: only lengths are checked.
        let _ = tokenizer.with_truncation(None);
        Ok(Self { tokenizer, hash: blake3::hash(&content).to_hex().to_string() })
    }

    /// The BLAKE3 hash of the file: what the counts depend on.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// How many tokens `text` has. Those that a model wants around every text (`[CLS]`, …) are not counted.
    pub fn count(&self, text: &str) -> Result<usize, TokenizerError> {
        let encoding = self.tokenizer.encode_fast(text, false);
        encoding.map(|encoding| encoding.len()).map_err(|error| TokenizerError::Refused { detail: error.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tokenizer file around the given model and way to cut words.
    fn file(pre_tokenizer: &str, model: &str) -> tempfile::NamedTempFile {
        let truncation = r#"{"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}"#;
        let padding = r#"{"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0, "pad_token": "u"}"#;
        let text = format!(
            r#"{{"version": "1.0", "truncation": {truncation}, "padding": {padding}, "added_tokens": [], "normalizer": null,
            "pre_tokenizer": {pre_tokenizer}, "post_processor": null, "decoder": null, "model": {model}}}"#
        );
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(file.path(), text).expect("written");
        file
    }

    #[test]
    fn texts_are_counted_whole() {
        let model = r#"{"type": "WordLevel", "vocab": {"u": 0, "int": 1}, "unk_token": "u"}"#;
        let file = file(r#"{"type": "Whitespace"}"#, model);
        let tokenizer = Tokenizer::load(file.path()).expect("loads");
        assert_eq!(tokenizer.count("int f(void) { return 0; }").ok(), Some(10));
        assert_eq!(tokenizer.count("").ok(), Some(0));
        assert_eq!(tokenizer.hash().len(), 64);
    }

    #[test]
    fn patterns_that_look_ahead_work() {
        let split = r#"{"type": "Split", "pattern": {"Regex": "\\s+(?!\\S)|\\s*\\S+"}, "behavior": "Isolated", "invert": false}"#;
        let model = r#"{"type": "WordLevel", "vocab": {"u": 0}, "unk_token": "u"}"#;
        let file = file(split, model);
        let tokenizer = Tokenizer::load(file.path()).expect("loads");
        assert_eq!(tokenizer.count("a b  ").ok(), Some(3));
    }

    #[test]
    fn what_is_no_tokenizer_is_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(Tokenizer::load(folder.path()), Err(TokenizerError::Folder { .. })));
        let missing = folder.path().join("missing");
        assert!(matches!(Tokenizer::load(&missing), Err(TokenizerError::Unreadable { .. })));
        for content in ["", "{}", "[1", r#"{"model_max_length": 512}"#, "\u{1}\u{2}"] {
            let other = folder.path().join("other");
            fs::write(&other, content).expect("written");
            let error = Tokenizer::load(&other).expect_err("refused");
            assert!(matches!(error, TokenizerError::NotATokenizer { .. }), "{content}: {error}");
            assert!(error.hint().unwrap().contains("tokenizer.json"));
        }
    }

    #[test]
    fn a_text_the_tokenizer_has_no_word_for_is_an_error() {
        let file = file(r#"{"type": "Whitespace"}"#, r#"{"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "u"}"#);
        let tokenizer = Tokenizer::load(file.path()).expect("loads");
        assert!(matches!(tokenizer.count("b"), Err(TokenizerError::Refused { .. })));
    }
}
