//! What a language model is asked: a template with a place for the code.
//!
//! | place | what stands there |
//! |---|---|
//! | `{{code}}` | the code, each line behind its number and a bar; it must be there |
//! | `{{plain}}` | the code as it is; it may take the place of the other |
//! | `{{language}}` | `C` or `C++` |

use std::path::Path;

use estrange_bench::Language;

use crate::places::{CODE, LANGUAGE, NEEDS_CODE, PLAIN, TemplateError, filled, numbered, opened};

/// What is asked unless another file is named.
pub const DEFAULT_PROMPT: &str = include_str!("prompt.txt");

/// A prompt with a place for the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: String,
}

impl Default for Template {
    fn default() -> Self {
        Self { text: DEFAULT_PROMPT.to_owned() }
    }
}

impl Template {
    /// The template in a file.
    pub fn open(path: &Path) -> Result<Self, TemplateError> {
        opened(path, &[NEEDS_CODE]).map(|text| Self { text })
    }

    /// The template itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The prompt for some code. What is put in is not looked at again.
    pub fn filled(&self, code: &str, language: Language) -> String {
        let plain = code.trim_end().to_owned();
        filled(&self.text, &[(CODE, numbered(code)), (PLAIN, plain), (LANGUAGE, language.title().to_owned())])
    }
}

#[cfg(test)]
mod tests {
    use estrange_words::Hint;

    use super::*;

    #[test]
    fn the_default_has_places_for_all_and_what_is_put_in_is_not_looked_at() {
        let prompt = Template::default().filled("int f(void)\n{{code}}\n", Language::Cpp);
        assert!(prompt.contains("review C++ code"), "{prompt}");
        assert!(prompt.contains("   1 | int f(void)\n   2 | {{code}}\n```"), "{prompt}");
    }

    #[test]
    fn a_file_without_a_place_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("prompt.txt");
        std::fs::write(&path, "Is it safe?").unwrap();
        let error = Template::open(&path).unwrap_err();
        assert!(matches!(error, TemplateError::NoPlace { .. }) && error.hint().is_some());
        std::fs::write(&path, "{{unknown}} {{plain}}").unwrap();
        assert_eq!(Template::open(&path).unwrap().filled("x;\n", Language::C), "{{unknown}} x;");
        assert!(Template::open(&folder.path().join("nowhere")).is_err());
    }
}
