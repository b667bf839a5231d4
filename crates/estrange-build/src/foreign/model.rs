//! A model as a step of a recipe: what it is asked, and which part of its answer is code.

use std::sync::Arc;

use estrange_model::openai::ServerError;
use estrange_model::{ModelError, OpenedWriter, Prompt, Silent};
use estrange_rewrite::{Given, Refusal};
use estrange_text::splice::splice;
use estrange_words::Reason;

use crate::error::BuildError;
use crate::not_foreign::NoPrompt;

/// What a model is asked where nobody says otherwise, and the prompts that have a name.
const PROMPTS: [(&str, &str); 2] = [("semantic", SEMANTIC), ("structure", STRUCTURE)];

const SEMANTIC: &str = "\
Rewrite the function `{name}` below so that its code looks different and it does exactly the same on every input, also on \
those on which it fails. Change how it is written: other kinds of loops and branches, other but equal expressions, steps in \
another order where that makes no difference. Keep its name, its parameters and their types, and what it returns. Do not \
change, add or leave out anything that others can see: calls of other functions, writes to memory, what is printed. Answer \
with the whole function and nothing else, in one block of code.

What it is compiled with, for you to understand it and not to be repeated:
```
{context}
```

The function:
```
{function}
```
";

const STRUCTURE: &str = "\
Rewrite the function `{name}` below so that it calls no function of its own project any more: put the body of each such \
function in the place of its call, and so on with the calls in that body, as far as their definitions are given. Give \
variables other names where two would be the same. It must do exactly the same on every input. Keep its name, its parameters \
and their types, and what it returns. Answer with the whole function and nothing else, in one block of code.

What it is compiled with, for you to understand it and not to be repeated:
```
{context}
```

The function:
```
{function}
```
";

/// How long an answer may be, in the model's tokens.
const ANSWER: u32 = 4096;
/// How freely the model chooses its words: little, so that trials differ and are still right.
const TEMPERATURE: f64 = 0.2;
/// What is left out of a context that is longer, in bytes.
const MOST_CONTEXT: usize = 24_000;

/// A model with what it is asked.
pub(super) struct Author {
    writer: Arc<OpenedWriter>,
    /// The prompt, with words in braces for what is different with each function.
    template: String,
}

impl Author {
    pub(super) fn new(writer: Arc<OpenedWriter>, prompt: Option<&str>) -> Result<Self, NoPrompt> {
        let name = prompt.unwrap_or(PROMPTS[0].0);
        let ours = PROMPTS.iter().find(|(word, _)| *word == name).map(|(_, text)| Ok((*text).to_owned()));
        let read =
            || std::fs::read_to_string(name).map_err(|source| NoPrompt::Unreadable { path: name.into(), source });
        let mut template = ours.unwrap_or_else(read)?;
        if !template.contains("{function}") {
            template += "\n```\n{function}\n```\n";
        }
        Ok(Self { writer, template })
    }

    /// Stands for all that its answers depend on, besides what is given.
    pub(super) fn stamp(&self) -> String {
        format!("{} {}", self.writer.writer().card(), blake3::hash(self.template.as_bytes()).to_hex())
    }

    /// What it is asked about a function.
    pub(super) fn prompt(&self, given: &Given<'_>) -> Prompt {
        let context = splice(given.text, &[(given.function.clone(), "")], &mut []);
        let context = context.trim();
        let end = (0..=context.len().min(MOST_CONTEXT)).rev().find(|end| context.is_char_boundary(*end));
        let values = [
            ("{name}", given.qualified_name),
            ("{function}", &given.text[given.function.clone()]),
            ("{context}", &context[..end.unwrap_or_default()]),
        ];
        Prompt {
            system: None,
            user: filled(&self.template, &values),
            begin: None,
            max_tokens: ANSWER,
            temperature: TEMPERATURE,
            seed: given.seed,
        }
    }

    /// The code that it writes.
    pub(super) fn write(&self, given: &Given<'_>) -> Result<Result<String, Refusal>, BuildError> {
        let written = match self.writer.writer().write(&self.prompt(given), &Silent) {
            Ok(written) => written,
            Err(error) => return refused(error).map(Err),
        };
        let none = || Refusal::NoCode("there is no code in the answer".to_owned());
        Ok(code(&written.text, given.name).map(str::to_owned).ok_or_else(none))
    }
}

/// A template with values in the place of words. What a value says is never read again.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        text += &rest[..at];
        rest = &rest[at..];
        match values.iter().find(|(word, _)| rest.starts_with(word)) {
            Some((word, value)) => {
                text += value;
                rest = &rest[word.len()..];
            }
            None => {
                text.push('{');
                rest = &rest[1..];
            }
        }
    }
    text + rest
}

/// A refusal of a server that is about one function; any other error ends the work.
fn refused(error: ModelError) -> Result<Refusal, BuildError> {
    let is_about_one = matches!(
        error,
        ModelError::TooLong { .. } | ModelError::Server(ServerError::Refused { status: 400 | 413 | 422, .. })
    );
    match is_about_one {
        true => Ok(Refusal::Foreign { reason: Reason::ModelRefuses, detail: error.to_string() }),
        false => Err(error.into()),
    }
}

/// The code in an answer: the last fenced block that has the function's name in it, or the last block; without blocks, the whole
/// answer, if it looks like code.
fn code<'t>(answer: &'t str, name: &str) -> Option<&'t str> {
    let mut blocks: Vec<&str> = Vec::new();
    let mut start: Option<usize> = None;
    let mut at = 0;
    for line in answer.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim_start().starts_with("```") {
            match start.take() {
                Some(start) => blocks.push(&answer[start..at]),
                None => start = Some(end),
            }
        }
        at = end;
    }
    // An answer that was cut off is no code, whatever it looks like.
    if start.is_some() {
        return None;
    }
    match blocks.is_empty() {
        true => Some(answer).filter(|answer| answer.contains(name) && answer.contains('{')),
        false => blocks.iter().rfind(|block| block.contains(name)).or(blocks.last()).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_found_in_an_answer() {
        let f = "int f(void) { return 1; }\n";
        assert_eq!(code(&format!("First:\n```c\nint g;\n```\nThen\n```cpp\n{f}```\nDone."), "f(").unwrap(), f);
        assert_eq!(code(f, "f"), Some(f));
        assert_eq!(code("```\nint g;\n```\n", "f").unwrap(), "int g;\n");
        assert_eq!(code("I cannot do that.", "f"), None);
        assert_eq!(code(&format!("```c\n{f}"), "f"), None);
        assert_eq!(code("", "f"), None);
    }

    #[test]
    fn a_value_is_not_read_again() {
        assert_eq!(filled("{a} {x} {b}{", &[("{a}", "{b}"), ("{b}", "2")]), "{b} {x} 2{");
    }
}
