//! What a model is asked to write: a template with places for what it is given.
//!
//! | place | what stands there |
//! |---|---|
//! | `{{description}}` | what the function does |
//! | `{{declaration}}` | its declaration; for generation it must be there |
//! | `{{before}}`, `{{after}}` | the function up to what is missing, and what comes behind it; for completion they must be there |
//! | `{{context}}` | what it may use, by kind |
//! | `{{language}}` | `C` or `C++` |

use std::path::Path;

use estrange_bench::{Language, Writing};

use super::cut::Cut;
use crate::places::{LANGUAGE, Needed, TemplateError, filled, opened};

/// What is asked for a whole function unless another file is named.
pub const GENERATION_PROMPT: &str = include_str!("generation.txt");
/// What is asked for a part of one.
pub const COMPLETION_PROMPT: &str = include_str!("completion.txt");

const DESCRIPTION: &str = "{{description}}";
const DECLARATION: &str = "{{declaration}}";
const BEFORE: &str = "{{before}}";
const AFTER: &str = "{{after}}";
const CONTEXT: &str = "{{context}}";

const NEEDS_DECLARATION: Needed = Needed {
    what: "the declaration",
    places: &[DECLARATION],
    hint: "write {{declaration}} where the function's declaration is to stand",
};
const NEEDS_BEFORE: Needed = Needed {
    what: "the part of the function that is given",
    places: &[BEFORE],
    hint: "write {{before}} where the function up to what is missing is to stand, and {{after}} for what comes behind it",
};

/// A prompt with places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: String,
}

/// What stands in the places of a prompt.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// What the function does.
    pub description: &'a str,
    /// Its declaration.
    pub declaration: &'a str,
    /// What of it is given, where it is to be completed.
    pub cut: Option<&'a Cut>,
    /// What it may use.
    pub context: &'a str,
    /// Its language.
    pub language: Language,
}

impl Template {
    /// What is asked unless another file is named.
    pub fn of(asks: Writing) -> Self {
        let text = if asks == Writing::Generation { GENERATION_PROMPT } else { COMPLETION_PROMPT };
        Self { text: text.to_owned() }
    }

    /// The template in a file.
    pub fn open(path: &Path, asks: Writing) -> Result<Self, TemplateError> {
        let needed = if asks == Writing::Generation { NEEDS_DECLARATION } else { NEEDS_BEFORE };
        opened(path, &[needed]).map(|text| Self { text })
    }

    /// The template itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The prompt. What is put in is not looked at again.
    pub fn filled(&self, given: &Given<'_>) -> String {
        let (before, after) = given.cut.map_or(("", ""), |cut| (cut.before.as_str(), cut.after.as_str()));
        let places = [
            (DESCRIPTION, given.description.trim().to_owned()),
            (DECLARATION, given.declaration.to_owned()),
            (BEFORE, before.trim_end().to_owned()),
            (AFTER, after.trim_start_matches('\n').to_owned()),
            (CONTEXT, given.context.trim_end().to_owned()),
            (LANGUAGE, given.language.title().to_owned()),
        ];
        filled(&self.text, &places)
    }
}
