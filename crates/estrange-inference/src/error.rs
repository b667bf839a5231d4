//! Why a folder or a file holds no model that can be used.

use std::borrow::Cow;
use std::path::PathBuf;

use estrange_words::Hint;

/// Why a folder or a file holds no model that can be used.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The folder is not there, or is no model's.
    #[error("{folder} is not a model's folder: there is no {missing} in it")]
    NoModel {
        /// The folder.
        folder: PathBuf,
        /// The file that is missing.
        missing: &'static str,
    },
    /// The weights are in a format that is not read.
    #[error("{folder} has its weights as {found}, which is not read")]
    Format {
        /// The folder.
        folder: PathBuf,
        /// What was found instead.
        found: String,
    },
    /// The weights are quantised for other processors than this one.
    #[error("{folder} is quantised by {method}, which needs a GPU")]
    Quantised {
        /// The folder.
        folder: PathBuf,
        /// How it was quantised.
        method: String,
    },
    /// The model is of another kind.
    #[error("{model} is a model of the kind {found}; known are {known}")]
    Architecture {
        /// The folder or file.
        model: PathBuf,
        /// Its kind.
        found: String,
        /// The kinds that can be used.
        known: String,
    },
    /// The model is of a known kind but asks for something that is not there.
    #[error("{model} asks for {what}, which is not supported")]
    Unsupported {
        /// The folder or file.
        model: PathBuf,
        /// What it asks for.
        what: String,
    },
    /// There is no tensor of that name.
    #[error("the weights have no tensor {name}")]
    NoTensor {
        /// Its name.
        name: String,
    },
    /// There are tensors that the model's configuration does not speak of.
    #[error("the weights have {count} tensors that the configuration does not speak of, such as {name}")]
    Unused {
        /// The first one's name.
        name: String,
        /// How many.
        count: usize,
    },
    /// A tensor has another shape than the model's configuration says.
    #[error("the tensor {name} has the shape {found:?} where {expected:?} is expected")]
    Shape {
        /// The tensor's name.
        name: String,
        /// Its shape.
        found: Vec<usize>,
        /// The shape it should have.
        expected: Vec<usize>,
    },
    /// A tensor has an element type that is not read.
    #[error("the tensor {name} holds {found}, and only {known} are read")]
    Dtype {
        /// The tensor's name.
        name: String,
        /// Its type.
        found: String,
        /// The types that are read.
        known: String,
    },
    /// There is no such file.
    #[error("there is no file {path}")]
    NoFile {
        /// The file.
        path: PathBuf,
    },
    /// The file is in another format.
    #[error("{path} is not a file in GGUF format")]
    NotGguf {
        /// The file.
        path: PathBuf,
    },
    /// The file has no tokenizer.
    #[error("{path} has no tokenizer in it")]
    NoTokenizer {
        /// The file.
        path: PathBuf,
    },
    /// The file says nothing about conversations.
    #[error("{path} is not made to be asked: there is no form of conversations in it")]
    NoChat {
        /// The file.
        path: PathBuf,
    },
    /// A file is not what it should be.
    #[error("{path} cannot be understood: {reason}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A file cannot be read.
    #[error("{path} cannot be read: {error}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// No text fits into so few tokens.
    #[error("at most {asked} tokens leave no room for a text: this model's own take {own}")]
    TooFewTokens {
        /// What was asked for.
        asked: usize,
        /// The tokens that the model adds to each text.
        own: usize,
    },
    /// The threads cannot be started.
    #[error("{threads} threads cannot be started: {reason}")]
    Threads {
        /// How many.
        threads: usize,
        /// Why.
        reason: String,
    },
    /// The tokenizer refuses a text.
    #[error("the tokenizer failed: {reason}")]
    Tokenizer {
        /// Why.
        reason: String,
    },
}

/// Why a model that was opened gave no result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The tokenizer refused a text.
    #[error(transparent)]
    Local(#[from] LocalError),
    /// The model computed a NaN or an infinity.
    #[error("the model computed {value}")]
    NotFinite {
        /// What it computed.
        value: f32,
    },
    /// A prompt and its answer do not fit into the context.
    #[error("the prompt has {prompt} tokens and its answer may have {answer}; the context has {context}")]
    TooLong {
        /// The prompt's tokens.
        prompt: usize,
        /// How many tokens the answer may have.
        answer: usize,
        /// How many tokens both may have.
        context: usize,
    },
    /// The caller asked for an end.
    #[error("stopped")]
    Stopped,
}

impl Hint for LocalError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(match self {
            Self::NoModel { .. } => {
                "name a folder in Hugging Face layout: config.json, tokenizer.json, model.safetensors"
            }
            Self::Format { .. } => "save the model with its weights in one file, model.safetensors",
            Self::Quantised { .. } => "use the model as it was before it was quantised",
            Self::Architecture { .. } | Self::Unsupported { .. } => {
                "run this model behind a server that speaks OpenAI's protocol, and name it as openai:NAME"
            }
            Self::NoTensor { .. }
            | Self::Unused { .. }
            | Self::Shape { .. }
            | Self::Dtype { .. }
            | Self::Malformed { .. } => "fetch the model again: its files do not fit together",
            Self::NoFile { .. } | Self::NotGguf { .. } => {
                "name the file of a language model, such as `local:models/SmolLM2-135M-Instruct.Q8_0.gguf`"
            }
            Self::NoTokenizer { .. } => {
                "convert the model again, by a program that writes its tokenizer beside its weights"
            }
            Self::NoChat { .. } => "take the variant of the model that was taught to follow instructions",
            Self::Unreadable { .. } => "see to it that the file can be read",
            Self::TooFewTokens { .. } => "allow more tokens",
            Self::Threads { .. } => "ask for fewer threads",
            Self::Tokenizer { .. } => "fetch the model again: its tokenizer does not fit its weights",
        }))
    }
}
