//! A model's folder in Hugging Face layout: what its files say about it.
//!
//! | file | says | without it |
//! |---|---|---|
//! | `config.json` | the model's kind and size | an error |
//! | `modules.json` | what comes after the model, and in which folders | the mean of all tokens, not normalised |
//! | `1_Pooling/config.json` | how a text's vector comes from those of its tokens | the mean of all tokens |
//! | `sentence_bert_config.json` | how many tokens a text may have, and whether its letters are made small | see below |
//! | `tokenizer_config.json` | how many tokens a text may have | as many as there are positions |
//! | `config_sentence_transformers.json` | what is put before queries and documents | nothing |

use std::{
    collections::BTreeMap,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    attention::GROUP,
    family::{Family, Shape},
    pooling::Pooling,
};
use crate::{cpu::Activation, error::LocalError};

/// What a model's files say about it.
pub struct Layout {
    /// The folder of the transformer itself: weights, configuration and tokenizer.
    pub transformer: PathBuf,
    /// The model's kind, as its configuration calls it.
    pub kind: String,
    /// Its sizes.
    pub shape: Shape,
    /// How a text's vector comes from those of its tokens.
    pub pooling: Vec<Pooling>,
    /// Whether vectors are scaled to length 1.
    pub normalize: bool,
    /// How many tokens a text may have; the rest is cut off.
    pub max_tokens: usize,
    /// Whether letters are made small before anything else.
    pub lower_case: bool,
    /// What is put before queries.
    pub query_prefix: String,
    /// What is put before documents.
    pub document_prefix: String,
}

#[derive(Deserialize)]
struct Config {
    model_type: Option<String>,
    quantization_config: Option<Value>,
}

#[derive(Deserialize)]
struct Size {
    #[serde(alias = "dim")]
    hidden_size: usize,
    #[serde(alias = "n_heads")]
    num_attention_heads: usize,
    #[serde(alias = "n_layers")]
    num_hidden_layers: usize,
    #[serde(alias = "hidden_dim")]
    intermediate_size: usize,
    max_position_embeddings: usize,
    vocab_size: usize,
    #[serde(default = "Size::token_types")]
    type_vocab_size: usize,
    #[serde(alias = "activation", default = "Size::activation")]
    hidden_act: String,
    #[serde(default = "Size::epsilon")]
    layer_norm_eps: f32,
    pad_token_id: Option<usize>,
    position_embedding_type: Option<String>,
    #[serde(default)]
    is_decoder: bool,
}

// What the transformers package takes where a configuration is silent.
impl Size {
    fn token_types() -> usize {
        2
    }

    fn activation() -> String {
        "gelu".into()
    }

    fn epsilon() -> f32 {
        1e-12
    }
}

#[derive(Deserialize)]
struct Module {
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize, Default)]
struct Sentence {
    max_seq_length: Option<usize>,
    #[serde(default)]
    do_lower_case: bool,
}

#[derive(Deserialize, Default)]
struct TokenizerConfig {
    // Some files have 1e30 here, to say that there is no limit.
    model_max_length: Option<f64>,
}

#[derive(Deserialize, Default)]
struct Prompts {
    #[serde(default)]
    prompts: BTreeMap<String, Option<String>>,
    default_prompt_name: Option<String>,
}

impl Prompts {
    /// The first prompt with one of the names, or else the one for all texts, or nothing.
    fn prompt(&self, names: &[&str]) -> String {
        let named = names.iter().copied().chain(self.default_prompt_name.as_deref());
        named.filter_map(|name| self.prompts.get(name).cloned().flatten()).next().unwrap_or_default()
    }
}

impl Layout {
    /// Reads what a folder says.
    pub fn read(folder: &Path) -> Result<Self, LocalError> {
        let mut transformer = folder.to_path_buf();
        let mut pooling = vec![Pooling::Mean];
        let mut normalize = false;
        for module in optional::<Vec<Module>>(&folder.join("modules.json"))?.unwrap_or_default() {
            match module.kind.rsplit('.').next().unwrap_or_default() {
                "Transformer" => transformer = folder.join(&module.path),
                "Pooling" => pooling = read_pooling(folder, &folder.join(&module.path).join("config.json"))?,
                "Normalize" => normalize = true,
                // It does nothing but in training.
                "Dropout" => {}
                _ => return Err(unsupported(folder, format!("a module {}", module.kind))),
            }
        }

        let path = transformer.join("config.json");
        let Some(config) = optional::<Value>(&path)? else { return Err(missing(transformer, "config.json")) };
        let (kind, shape) = read_shape(folder, &path, config)?;
        let sentence: Sentence = optional(&transformer.join("sentence_bert_config.json"))?.unwrap_or_default();
        let tokenizer: TokenizerConfig = optional(&transformer.join("tokenizer_config.json"))?.unwrap_or_default();
        let positions = shape.n_positions - shape.first_position;
        let max_tokens =
            sentence.max_seq_length.or(tokenizer.model_max_length.map(|length| length as usize)).unwrap_or(positions);
        let prompts: Prompts = optional(&folder.join("config_sentence_transformers.json"))?.unwrap_or_default();
        Ok(Self {
            transformer,
            kind,
            shape,
            pooling,
            normalize,
            max_tokens: max_tokens.min(positions),
            lower_case: sentence.do_lower_case,
            query_prefix: prompts.prompt(&["query"]),
            document_prefix: prompts.prompt(&["document", "passage", "corpus"]),
        })
    }

    /// The weights' file.
    pub fn weights(&self) -> Result<PathBuf, LocalError> {
        let path = self.transformer.join("model.safetensors");
        if path.exists() {
            return Ok(path);
        }
        Err(missing(self.transformer.clone(), "model.safetensors"))
    }
}

fn read_shape(folder: &Path, path: &Path, config: Value) -> Result<(String, Shape), LocalError> {
    let Config { model_type, quantization_config } = parse(path, config.clone())?;
    if let Some(quantisation) = quantization_config.filter(|value| !value.is_null()) {
        let method = quantisation["quant_method"].as_str().unwrap_or("an unnamed method").to_owned();
        return Err(LocalError::Quantised { folder: folder.into(), method });
    }
    let kind = model_type.unwrap_or_else(|| "unknown".into());
    let Some((_, family)) = Family::KNOWN.into_iter().find(|(name, _)| *name == kind) else {
        let known = Family::KNOWN.map(|(name, _)| name).join(", ");
        return Err(LocalError::Architecture { model: folder.into(), found: kind, known });
    };
    let size: Size = parse(path, config)?;
    if let Some(positions) = size.position_embedding_type.filter(|positions| positions != "absolute") {
        return Err(unsupported(folder, format!("positions of the type {positions}")));
    }
    if size.is_decoder {
        return Err(unsupported(folder, "causal attention".into()));
    }
    let activation = match size.hidden_act.as_str() {
        "gelu" => Activation::Gelu,
        "gelu_new" | "gelu_pytorch_tanh" | "gelu_fast" => Activation::GeluTanh,
        "relu" => Activation::Relu,
        other => return Err(unsupported(folder, format!("the activation {other}"))),
    };
    let head_dim = size.hidden_size.checked_div(size.num_attention_heads).unwrap_or(0);
    if head_dim == 0 || head_dim * size.num_attention_heads != size.hidden_size || !head_dim.is_multiple_of(GROUP) {
        let (dimensions, heads) = (size.hidden_size, size.num_attention_heads);
        return Err(unsupported(
            folder,
            format!("{heads} heads for {dimensions} dimensions: each must have a multiple of {GROUP}"),
        ));
    }
    let first_position = match family {
        Family::Roberta => size.pad_token_id.unwrap_or(1) + 1,
        Family::Bert | Family::DistilBert => 0,
    };
    if first_position >= size.max_position_embeddings {
        return Err(unsupported(folder, format!("{} positions", size.max_position_embeddings)));
    }
    let shape = Shape {
        family,
        hidden_size: size.hidden_size,
        head_dim,
        intermediate_size: size.intermediate_size,
        n_layers: size.num_hidden_layers,
        vocab_size: size.vocab_size,
        n_positions: size.max_position_embeddings,
        first_position,
        n_token_types: size.type_vocab_size,
        activation,
        epsilon: size.layer_norm_eps,
    };
    Ok((kind, shape))
}

/// How texts' vectors are made, in both forms in which that is written: one entry with names, or one entry for each.
fn read_pooling(folder: &Path, path: &Path) -> Result<Vec<Pooling>, LocalError> {
    let config: BTreeMap<String, Value> = optional(path)?.unwrap_or_default();
    if config.get("include_prompt") == Some(&Value::Bool(false)) {
        return Err(unsupported(folder, "vectors without what is put before texts (include_prompt)".into()));
    }
    let names: Vec<String> = match config.get("pooling_mode") {
        Some(Value::String(name)) => vec![name.clone()],
        Some(names) => parse(path, names.clone())?,
        None => {
            let known = Pooling::ALL.into_iter().map(|(name, _)| name);
            let chosen = known.filter(|name| config.get(&format!("pooling_mode_{name}")) == Some(&Value::Bool(true)));
            chosen.map(str::to_owned).collect()
        }
    };
    let pooling = names
        .iter()
        .map(|name| Pooling::named(name).ok_or_else(|| unsupported(folder, format!("vectors of texts by {name}"))));
    let pooling: Vec<Pooling> = pooling.collect::<Result<_, _>>()?;
    Ok(if pooling.is_empty() { vec![Pooling::Mean] } else { pooling })
}

fn unsupported(folder: &Path, what: String) -> LocalError {
    LocalError::Unsupported { model: folder.into(), what }
}

/// What a file's absence means: weights in another format, or no model at all.
fn missing(folder: PathBuf, missing: &'static str) -> LocalError {
    let foreign = |name: &String| {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ["bin", "gguf", "h5", "msgpack", "onnx", "pt", "pth", "safetensors"].contains(&ending)
            && name != "model.safetensors"
    };
    let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    match files.filter_map(|file| file.file_name().into_string().ok()).filter(foreign).min() {
        Some(found) => LocalError::Format { folder, found },
        None => LocalError::NoModel { folder, missing },
    }
}

/// What is in a file, if there is one.
fn optional<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, LocalError> {
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| malformed(path, &error)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(LocalError::Unreadable { path: path.into(), error }),
    }
}

fn parse<T: DeserializeOwned>(path: &Path, value: Value) -> Result<T, LocalError> {
    serde_json::from_value(value).map_err(|error| malformed(path, &error))
}

fn malformed(path: &Path, error: &serde_json::Error) -> LocalError {
    LocalError::Malformed { path: path.into(), reason: error.to_string() }
}
