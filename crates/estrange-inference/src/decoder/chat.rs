//! A language model's tokenizer and chat template.
//!
//! The template is ChatML: each message stands between a token that begins it, with the role of its author, and one that
//! ends it. The text of a message is never read as such tokens, whatever is in it.

use std::collections::BTreeSet;
use std::path::Path;

use tokenizers::models::bpe::{BPE, Vocab};
use tokenizers::pre_tokenizers::{byte_level::ByteLevel, digits::Digits, sequence::Sequence};
use tokenizers::{PreTokenizerWrapper, Tokenizer};

use super::gguf::{Gguf, Value};
use crate::error::LocalError;

const BEGIN: &str = "<|im_start|>";
const END: &str = "<|im_end|>";
/// What ends a text outside of conversations.
const END_OF_TEXT: &str = "<|endoftext|>";
/// The kinds of tokens that stand for no text: unknown ones, those that steer, and unused ones.
const NO_TEXT: [Value; 3] = [Value::Whole(2), Value::Whole(3), Value::Whole(5)];

/// A tokenizer and a chat template.
pub struct Chat {
    tokenizer: Tokenizer,
    begin: u32,
    end: u32,
    /// The tokens that end an answer.
    ends: BTreeSet<u32>,
    /// The tokens that stand for no text.
    without_text: BTreeSet<u32>,
    /// The system message where a prompt has none.
    system: Option<String>,
    /// How many tokens there are.
    pub vocab_size: usize,
}

impl Chat {
    /// Reads them from a model's file.
    pub fn read(path: &Path, file: &Gguf) -> Result<Self, LocalError> {
        let unsupported = |what: String| LocalError::Unsupported { model: path.into(), what };
        let malformed = |reason: String| LocalError::Malformed { path: path.into(), reason };
        let no_tokenizer = || LocalError::NoTokenizer { path: path.into() };
        let kind = file.text("tokenizer.ggml.model").ok_or_else(no_tokenizer)?;
        if kind != "gpt2" {
            return Err(unsupported(format!("a tokenizer of the kind {kind}")));
        }
        let tokens = file.texts("tokenizer.ggml.tokens").ok_or_else(no_tokenizer)?;
        let merges = file.texts("tokenizer.ggml.merges").ok_or_else(no_tokenizer)?;
        let bytes = || PreTokenizerWrapper::from(ByteLevel::new(false, true, true));
        let words = match file.text("tokenizer.ggml.pre") {
            None | Some("default" | "gpt-2") => bytes(),
            Some("smollm") => Sequence::new(vec![Digits::new(true).into(), bytes()]).into(),
            Some(words) => return Err(unsupported(format!("a tokenizer that finds words as {words} does"))),
        };
        let pair = |merge: &&str| merge.split_once(' ').map(|(left, right)| (left.to_owned(), right.to_owned()));
        let merges = merges.iter().map(pair).collect::<Option<Vec<_>>>();
        let merges = merges.ok_or_else(|| malformed("a merge of its tokenizer has one part".to_owned()))?;
        let vocabulary: Vocab = (0..).zip(&tokens).map(|(number, token)| ((*token).to_owned(), number)).collect();
        let number = |token: &str| vocabulary.get(token).copied();
        let template = file.text("tokenizer.chat_template").ok_or_else(|| LocalError::NoChat { path: path.into() })?;
        let (Some(begin), Some(end), true) = (number(BEGIN), number(END), template.contains(BEGIN)) else {
            return Err(unsupported("another form of conversations than ChatML".to_owned()));
        };
        let last = file.count("tokenizer.ggml.eos_token_id").and_then(|number| u32::try_from(number).ok());
        let ends = [Some(end), number(END_OF_TEXT), last].into_iter().flatten().collect();
        let kinds = match file.value("tokenizer.ggml.token_type") {
            Some(Value::List(kinds)) => kinds.as_slice(),
            _ => &[],
        };
        let without_text = (0..).zip(kinds).filter(|(_, kind)| NO_TEXT.contains(kind)).map(|(number, _)| number);
        let without_text = without_text.collect();

        let model = BPE::builder().vocab_and_merges(vocabulary, merges).build();
        let model = model.map_err(|error| malformed(format!("its tokenizer cannot be used: {error}")))?;
        let mut tokenizer = Tokenizer::new(model);
        tokenizer.with_pre_tokenizer(Some(words)).with_decoder(Some(ByteLevel::default()));
        Ok(Self {
            tokenizer,
            begin,
            end,
            ends,
            without_text,
            system: default_system(template).map(str::to_owned),
            vocab_size: tokens.len(),
        })
    }

    /// The tokens of a conversation in which it is the model's turn, which has begun its answer already where `begin` says so.
    pub fn prompt(&self, system: Option<&str>, user: &str, begin: Option<&str>) -> Result<Vec<u32>, LocalError> {
        let mut tokens = Vec::new();
        let system = system.or(self.system.as_deref());
        for (role, message) in system.map(|message| ("system", message)).into_iter().chain([("user", user)]) {
            tokens.push(self.begin);
            tokens.extend(self.tokens(&format!("{role}\n{message}"))?);
            tokens.push(self.end);
            tokens.extend(self.tokens("\n")?);
        }
        tokens.push(self.begin);
        tokens.extend(self.tokens("assistant\n")?);
        if let Some(begin) = begin {
            tokens.extend(self.tokens(begin)?);
        }
        Ok(tokens)
    }

    /// Whether a token ends an answer.
    pub fn ends(&self, token: u32) -> bool {
        self.ends.contains(&token)
    }

    /// The text of an answer.
    pub fn text(&self, tokens: &[u32]) -> Result<String, LocalError> {
        let tokens: Vec<u32> = tokens.iter().copied().filter(|token| !self.without_text.contains(token)).collect();
        self.tokenizer.decode(&tokens, false).map_err(|error| LocalError::Tokenizer { reason: error.to_string() })
    }

    fn tokens(&self, text: &str) -> Result<Vec<u32>, LocalError> {
        let encoding = self.tokenizer.encode_fast(text, false);
        let encoding = encoding.map_err(|error| LocalError::Tokenizer { reason: error.to_string() })?;
        Ok(encoding.get_ids().to_vec())
    }
}

/// The system message that a template has of its own, for prompts without one.
fn default_system(template: &str) -> Option<&str> {
    let (_, message) = template.split_once("<|im_start|>system")?;
    let (message, _) = message.split_once(END)?;
    // A template may write the end of a line as such, or escaped.
    let message = message.strip_prefix('\n').or(message.strip_prefix("\\n"))?;
    (!message.contains(['{', '}', '\'', '"'])).then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_templates_own_system_message_is_taken() {
        let own = "{{ '<|im_start|>system\\nYou help.<|im_end|>\\n' }}{{ '<|im_start|>' + message['role'] }}";
        assert_eq!(default_system(own), Some("You help."));
        assert_eq!(default_system(&own.replace("\\n", "\n")), Some("You help."));
        let others = "{{ '<|im_start|>system\n' + messages[0]['content'] + '<|im_end|>' }}";
        assert_eq!(default_system(others), None);
        assert_eq!(default_system("{{ '<|im_start|>' + message['role'] + '\n' }}"), None);
    }
}
