//! Who is asked to write: an author.

use std::path::Path;

use estrange_bench::Problem;
use estrange_model::openai::Estimate;
use estrange_model::{OpenedWriter, Watch};
use serde::Deserialize;
use serde_json::{Value, json};

use super::cut::Cut;
use super::error::GenerateError;
use super::records::Assignment;
use crate::given::{Form, Given, Key, PrecomputedError};
use crate::interview::{AskedOptions, Interview, Spoken, Traced};
use crate::spoken::{is_refusal, without_thoughts};

/// What an author is given.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// What it is about. Whoever writes by what is asked must not look at its text.
    pub assignment: &'a Assignment,
    /// What is asked.
    pub prompt: &'a str,
    /// What of the function is given, where it is to be completed.
    pub cut: Option<&'a Cut>,
    /// The function with a small mistake each, in the names of this setting.
    pub wrong: &'a [String],
}

/// A reply: its text, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Wrote {
    /// What was written.
    pub text: Result<String, (Problem, String)>,
    /// How it came about.
    pub traced: Traced,
}

impl Wrote {
    /// A text that nobody was asked for.
    pub fn plain(text: String) -> Self {
        let traced = Traced { text: Some(text.clone()), ..Traced::default() };
        Self { text: Ok(text), traced }
    }
}

/// Who writes functions.
pub trait Author: Sync {
    /// What a run records of it: its name and everything that its answers depend on besides what is asked.
    fn card(&self) -> Value;

    /// Its replies to each, in their order: one, or as many as it was told to give. An error means that nothing more can be
    /// asked; whatever is about one function alone is a problem in its reply.
    fn write(&self, wanted: &[Wanted<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Wrote>>, GenerateError>;

    /// What a server will have to be asked, less what was answered before; nothing where nothing is paid for.
    fn estimate(&self, _: &[Wanted<'_>]) -> Result<Option<Estimate>, GenerateError> {
        Ok(None)
    }
}

/// A language model.
pub struct Asked {
    interview: Interview,
    template: String,
}

impl Asked {
    /// The model as an author. The template's text is part of its card.
    pub fn new(model: OpenedWriter, template: &str, options: AskedOptions) -> Self {
        Self { interview: Interview::new(model, options, None), template: template.to_owned() }
    }
}

/// What a model said.
fn wrote(said: Spoken<'_>, traced: Traced) -> Wrote {
    let text = said.and_then(|said| {
        let said = without_thoughts(said);
        match (said.trim().is_empty(), is_refusal(said) && !said.contains('{')) {
            (true, _) => Err((Problem::EmptyAnswer, String::new())),
            (_, true) => Err((Problem::Refusal, said.to_owned())),
            _ => Ok(said.to_owned()),
        }
    });
    Wrote { text, traced }
}

impl Author for Asked {
    fn card(&self) -> Value {
        self.interview.card(&self.template)
    }

    fn write(&self, wanted: &[Wanted<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Wrote>>, GenerateError> {
        Ok(self.interview.answers(wanted, watch, |one| one.prompt.to_owned(), wrote)?)
    }

    fn estimate(&self, wanted: &[Wanted<'_>]) -> Result<Option<Estimate>, GenerateError> {
        // Some forty lines are what functions have.
        let stand_in = "    statement = of(the, function);\n".repeat(40);
        Ok(self.interview.estimate(wanted, &stand_in, |one| one.prompt.to_owned())?)
    }
}

/// What a file of replies has.
const FORM: Form = Form {
    noun: "reply",
    one: "a reply",
    line: "{\"item\": \"FUNCTION ID\", \"setting\": \"neutralized\", \"seed\": 0, \"text\": \"int f(void) { … }\"}",
    numbers: &["seed"],
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    item: String,
    setting: String,
    #[serde(default)]
    seed: u32,
    text: String,
}

/// Replies out of a file: `precomputed:FILE`.
#[derive(Debug)]
pub struct Precomputed(Given<String>);

impl Precomputed {
    /// Reads a file, and refuses what it says of items that are not asked.
    pub fn open(path: &Path, asked: &[Key]) -> Result<Self, PrecomputedError> {
        let given = Given::open(
            path,
            FORM,
            |key| asked.contains(key),
            |row: Row| Ok(((row.item, row.setting, row.seed), row.text)),
        )?;
        given.says_of(asked.iter().cloned(), path, FORM).map(Self)
    }
}

impl Author for Precomputed {
    fn card(&self) -> Value {
        json!({ "model": format!("precomputed:{}", self.0.name), "hash": self.0.hash })
    }

    fn write(&self, wanted: &[Wanted<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Wrote>>, GenerateError> {
        watch.done(wanted.len());
        let reply = |wanted: &Wanted<'_>| match self.0.said.get(&key_of(wanted.assignment)) {
            Some(text) => Wrote::plain(text.clone()),
            None => Wrote { text: Err((Problem::NotInFile, String::new())), traced: Traced::default() },
        };
        Ok(wanted.iter().map(|wanted| vec![reply(wanted)]).collect())
    }
}

pub(super) fn key_of(assignment: &Assignment) -> Key {
    (assignment.item.clone(), assignment.setting.clone(), assignment.seed)
}
