//! Small models with random weights, written as files, and what they compute, in double precision and step by step.

use std::{collections::BTreeMap, path::Path};

use half::{bf16, f16};
use safetensors::{Dtype, tensor::TensorView};
use serde_json::{Value, json};

pub const DIMENSIONS: usize = 40;
pub const HEADS: usize = 5;
pub const HIDDEN: usize = 400;
pub const LAYERS: usize = 2;
pub const POSITIONS: usize = 80;
/// The model's own four, and a hundred words.
pub const VOCABULARY: usize = 104;
const EPSILON: f64 = 1e-12;

/// Numbers that look random and are always the same.
pub struct Random(pub u64);

impl Random {
    /// A number between 0 and 1.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A small model of a kind.
pub struct Tiny {
    pub kind: &'static str,
    pub activation: &'static str,
    pub numbers: Dtype,
    tensors: BTreeMap<String, (Vec<usize>, Vec<f64>)>,
}

impl Tiny {
    pub fn new(kind: &'static str, activation: &'static str, numbers: Dtype) -> Self {
        let mut shapes: Vec<(String, Vec<usize>)> = vec![
            ("embeddings.word_embeddings.weight".into(), vec![VOCABULARY, DIMENSIONS]),
            ("embeddings.position_embeddings.weight".into(), vec![POSITIONS, DIMENSIONS]),
            ("embeddings.LayerNorm.weight".into(), vec![DIMENSIONS]),
            ("embeddings.LayerNorm.bias".into(), vec![DIMENSIONS]),
        ];
        if kind != "distilbert" {
            shapes.push(("embeddings.token_type_embeddings.weight".into(), vec![2, DIMENSIONS]));
        }
        for layer in 0..LAYERS {
            for (name, rows, columns) in parts(kind) {
                let name = layer_name(kind, layer, name);
                match columns {
                    0 => shapes.push((format!("{name}.weight"), vec![rows])),
                    _ => shapes.push((format!("{name}.weight"), vec![rows, columns])),
                }
                shapes.push((format!("{name}.bias"), vec![rows]));
            }
        }
        let mut random = Random(7);
        let tensors = shapes.into_iter().map(|(name, shape)| {
            let spread = if shape.len() == 2 { 4.0 / (shape[1] as f64).sqrt() } else { 1.0 };
            let count = shape.iter().product();
            let values = (0..count).map(|_| round((random.next() - 0.5) * spread, numbers)).collect();
            (name, (shape, values))
        });
        Self { kind, activation, numbers, tensors: tensors.collect() }
    }

    /// Writes what every model has: configuration, weights and tokenizer.
    pub fn write(&self, folder: &Path) {
        let names = match self.kind {
            "distilbert" => ["dim", "n_heads", "n_layers", "hidden_dim", "activation"],
            _ => ["hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size", "hidden_act"],
        };
        let values = [json!(DIMENSIONS), json!(HEADS), json!(LAYERS), json!(HIDDEN), json!(self.activation)];
        let mut config = json!({
            "model_type": self.kind, "vocab_size": VOCABULARY, "max_position_embeddings": POSITIONS, "pad_token_id": 1,
        });
        names.into_iter().zip(values).for_each(|(name, value)| config[name] = value);
        write(folder, "config.json", &config);
        write(folder, "tokenizer.json", &tokenizer());
        self.write_weights(folder, "");
    }

    /// Writes the weights, with something before each name.
    pub fn write_weights(&self, folder: &Path, prefix: &str) {
        let bytes = |value: &f64| match self.numbers {
            Dtype::F16 => f16::from_f64(*value).to_le_bytes().to_vec(),
            Dtype::BF16 => bf16::from_f64(*value).to_le_bytes().to_vec(),
            _ => (*value as f32).to_le_bytes().to_vec(),
        };
        let named = self.tensors.iter().map(|(name, (shape, values))| {
            (format!("{prefix}{name}"), shape.clone(), values.iter().flat_map(bytes).collect::<Vec<u8>>())
        });
        let named: Vec<_> = named.collect();
        let views = named.iter().map(|(name, shape, bytes)| {
            (name.as_str(), TensorView::new(self.numbers, shape.clone(), bytes).expect("as many bytes as it says"))
        });
        let file = safetensors::serialize(views, None).expect("a file");
        std::fs::write(folder.join("model.safetensors"), file).expect("written");
    }

    /// A tensor, to be changed.
    pub fn remove(&mut self, name: &str) -> (Vec<usize>, Vec<f64>) {
        self.tensors.remove(name).expect("it is there")
    }

    pub fn insert(&mut self, name: &str, tensor: (Vec<usize>, Vec<f64>)) {
        self.tensors.insert(name.into(), tensor);
    }

    /// The vectors of a text's tokens.
    pub fn compute(&self, tokens: &[u32]) -> Vec<Vec<f64>> {
        let first = if self.kind == "roberta" { 2 } else { 0 };
        let row = |name: &str, at: usize| {
            let (_, values) = &self.tensors[name];
            values[at * DIMENSIONS..][..DIMENSIONS].to_vec()
        };
        let mut values: Vec<Vec<f64>> = Vec::new();
        for (position, token) in tokens.iter().enumerate() {
            let mut value = row("embeddings.word_embeddings.weight", *token as usize);
            value = add(&value, &row("embeddings.position_embeddings.weight", position + first));
            if self.kind != "distilbert" {
                value = add(&value, &row("embeddings.token_type_embeddings.weight", 0));
            }
            values.push(self.normalise("embeddings.LayerNorm", &value));
        }
        for layer in 0..LAYERS {
            let names: Vec<String> =
                parts(self.kind).into_iter().map(|(name, ..)| layer_name(self.kind, layer, name)).collect();
            let [query, key, given] = [0, 1, 2].map(|part: usize| -> Vec<Vec<f64>> {
                values.iter().map(|value| self.linear(&names[part], value)).collect()
            });
            let size = DIMENSIONS / HEADS;
            let mut next = Vec::new();
            for (token, value) in values.iter().enumerate() {
                let mut taken = vec![0.0; DIMENSIONS];
                for head in 0..HEADS {
                    let part = head * size..(head + 1) * size;
                    let scores = key.iter().map(|key| {
                        let product = query[token][part.clone()].iter().zip(&key[part.clone()]);
                        (product.map(|(query, key)| query * key).sum::<f64>() / (size as f64).sqrt()).exp()
                    });
                    let scores: Vec<f64> = scores.collect();
                    let sum: f64 = scores.iter().sum();
                    for (score, given) in scores.iter().zip(&given) {
                        for at in part.clone() {
                            taken[at] += score / sum * given[at];
                        }
                    }
                }
                let value = self.normalise(&names[4], &add(value, &self.linear(&names[3], &taken)));
                let hidden: Vec<f64> = self.linear(&names[5], &value).into_iter().map(|x| self.activate(x)).collect();
                next.push(self.normalise(&names[7], &add(&value, &self.linear(&names[6], &hidden))));
            }
            values = next;
        }
        values
    }

    fn activate(&self, x: f64) -> f64 {
        match self.activation {
            "gelu" => 0.5 * x * (1.0 + libm::erf(x / 2.0_f64.sqrt())),
            "gelu_new" => 0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x * x * x)).tanh()),
            _ => x.max(0.0),
        }
    }

    fn linear(&self, name: &str, value: &[f64]) -> Vec<f64> {
        let (_, weights) = &self.tensors[&format!("{name}.weight")];
        let (_, bias) = &self.tensors[&format!("{name}.bias")];
        let rows = weights.chunks_exact(value.len()).zip(bias);
        rows.map(|(row, bias)| row.iter().zip(value).map(|(weight, value)| weight * value).sum::<f64>() + bias)
            .collect()
    }

    fn normalise(&self, name: &str, value: &[f64]) -> Vec<f64> {
        let (_, scale) = &self.tensors[&format!("{name}.weight")];
        let (_, shift) = &self.tensors[&format!("{name}.bias")];
        let count = value.len() as f64;
        let mean = value.iter().sum::<f64>() / count;
        let variance = value.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
        let scaled = value.iter().zip(scale).zip(shift);
        scaled.map(|((x, scale), shift)| (x - mean) / (variance + EPSILON).sqrt() * scale + shift).collect()
    }
}

/// The weights of a layer, with their rows and columns.
fn parts(kind: &str) -> [(&'static str, usize, usize); 8] {
    let names = match kind {
        "distilbert" => [
            "attention.q_lin",
            "attention.k_lin",
            "attention.v_lin",
            "attention.out_lin",
            "sa_layer_norm",
            "ffn.lin1",
            "ffn.lin2",
            "output_layer_norm",
        ],
        _ => [
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
            "attention.output.LayerNorm",
            "intermediate.dense",
            "output.dense",
            "output.LayerNorm",
        ],
    };
    let square = (DIMENSIONS, DIMENSIONS);
    let norm = (DIMENSIONS, 0);
    let shapes = [square, square, square, square, norm, (HIDDEN, DIMENSIONS), (DIMENSIONS, HIDDEN), norm];
    std::array::from_fn(|part| (names[part], shapes[part].0, shapes[part].1))
}

fn layer_name(kind: &str, layer: usize, name: &str) -> String {
    let start = if kind == "distilbert" { "transformer" } else { "encoder" };
    format!("{start}.layer.{layer}.{name}")
}

fn round(value: f64, numbers: Dtype) -> f64 {
    match numbers {
        Dtype::F16 => f16::from_f64(value).to_f64(),
        Dtype::BF16 => bf16::from_f64(value).to_f64(),
        _ => f64::from(value as f32),
    }
}

fn add(left: &[f64], right: &[f64]) -> Vec<f64> {
    left.iter().zip(right).map(|(left, right)| left + right).collect()
}

/// Writes a file of a model.
pub fn write(folder: &Path, name: &str, value: &Value) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, value.to_string()).expect("written");
}

/// One token for each word, `w0` to `w99`; two of its own around them. It says that it cuts off and pads, which models
/// often do and which must not count.
fn tokenizer() -> Value {
    let own = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(str::to_owned);
    let words = own.into_iter().chain((0..VOCABULARY - 4).map(|word| format!("w{word}")));
    let vocabulary: BTreeMap<String, usize> = words.zip(0..).collect();
    let special = |token: &str| json!({ "SpecialToken": { "id": token, "type_id": 0 } });
    json!({
        "version": "1.0",
        "truncation": { "max_length": 9, "strategy": "LongestFirst", "stride": 0, "direction": "Right" },
        "padding": {
            "strategy": { "Fixed": 9 }, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0,
            "pad_token": "[PAD]",
        },
        "added_tokens": [],
        "normalizer": null,
        "pre_tokenizer": { "type": "WhitespaceSplit" },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [special("[CLS]"), { "Sequence": { "id": "A", "type_id": 0 } }, special("[SEP]")],
            "pair": [],
            "special_tokens": {
                "[CLS]": { "id": "[CLS]", "ids": [2], "tokens": ["[CLS]"] },
                "[SEP]": { "id": "[SEP]", "ids": [3], "tokens": ["[SEP]"] },
            },
        },
        "decoder": null,
        "model": { "type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]" },
    })
}
