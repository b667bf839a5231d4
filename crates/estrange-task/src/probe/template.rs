//! What a language model is asked: a template with places for the code, the call and the question.
//!
//! | place | what stands there |
//! |---|---|
//! | `{{code}}`, `{{plain}}` | the code with numbered lines, or as it is; one of them must be there |
//! | `{{call}}` | the call with all that it is given; it must be there, unless a summary is asked for |
//! | `{{question}}` | what is asked; it must be there |
//! | `{{language}}` | `C` or `C++` |

use std::path::Path;

use estrange_bench::Asks;

use super::respondent::Shown;
use crate::places::{CODE, LANGUAGE, NEEDS_CODE, Needed, PLAIN, TemplateError, filled, numbered, opened};

/// What is asked unless another file is named.
const PROMPT: &str = include_str!("prompt.txt");
const SUMMARY_PROMPT: &str = include_str!("summary.txt");

const CALL: &str = "{{call}}";
const QUESTION: &str = "{{question}}";

const NEEDS_CALL: Needed = Needed {
    what: "the call",
    places: &[CALL],
    hint: "write {{call}} where it is to stand, with all that it is given",
};
const NEEDS_SUMMARY: Needed = Needed {
    what: "the question",
    places: &[QUESTION],
    hint: "write {{question}} where it is to stand: it names the function; all of the answer is the summary",
};
const NEEDS_QUESTION: Needed = Needed {
    what: "the question",
    places: &[QUESTION],
    hint: "write {{question}} where it is to stand; the answer is to end with a line `ANSWER: value`",
};

/// A prompt with places for the code, the call and the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: String,
}

impl Template {
    /// The one that is used unless a file is named.
    pub fn of(asks: Asks) -> Self {
        let text = match asks {
            Asks::Call => PROMPT,
            Asks::Summary => SUMMARY_PROMPT,
        };
        Self { text: text.to_owned() }
    }

    /// The template in a file.
    pub fn open(path: &Path, asks: Asks) -> Result<Self, TemplateError> {
        let needs: &[Needed] = match asks {
            Asks::Call => &[NEEDS_CODE, NEEDS_CALL, NEEDS_QUESTION],
            Asks::Summary => &[NEEDS_CODE, NEEDS_SUMMARY],
        };
        opened(path, needs).map(|text| Self { text })
    }

    /// The template itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The prompt for a question. What is put in is not looked at again.
    pub fn filled(&self, shown: &Shown<'_>) -> String {
        let Shown { question, text, .. } = shown;
        let places = [
            (CODE, numbered(text)),
            (PLAIN, text.trim_end().to_owned()),
            (CALL, question.call.clone()),
            (QUESTION, question.asked.clone()),
            (LANGUAGE, question.language.title().to_owned()),
        ];
        filled(&self.text, &places)
    }
}

#[cfg(test)]
mod tests {
    use estrange_words::Hint;

    use super::*;

    #[test]
    fn a_file_without_a_place_is_refused_and_told_which() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("prompt.txt");
        for (text, missing) in [
            ("{{call}} {{question}}", "the code"),
            ("{{plain}} {{question}}", "the call"),
            ("{{code}} {{call}}", "the question"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = Template::open(&path, Asks::Call).unwrap_err();
            assert!(error.to_string().ends_with(&format!("has no place for {missing}")), "{error}");
            assert!(error.hint().is_some());
        }
        for asks in Asks::ALL {
            std::fs::write(&path, Template::of(*asks).text()).unwrap();
            assert_eq!(Template::open(&path, *asks).unwrap(), Template::of(*asks));
        }
    }
}
