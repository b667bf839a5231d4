//! A small model with random weights, written as a file, and what it computes, in double precision and step by step.

use std::collections::BTreeMap;
use std::path::Path;

use tokenizers::pre_tokenizers::byte_level::ByteLevel;

use crate::decoder::gguf::Value;

pub const HIDDEN_SIZE: usize = 24;
pub const HEADS: usize = 4;
pub const KV_HEADS: usize = 2;
pub const HEAD_DIM: usize = 8;
const ROPE_DIM: usize = 6;
const INTERMEDIATE_SIZE: usize = 40;
const LAYERS: usize = 2;
const ROPE_BASE: f64 = 500.0;
const EPSILON: f64 = 1e-5;
pub const CONTEXT: usize = 700;
pub const TEMPLATE: &str =
    "{{ '<|im_start|>system\nYou help.<|im_end|>\n' }}{{ '<|im_start|>' + message['role'] + '\n' }}";

/// What a file says and holds. Anything may be changed before it is written.
pub struct Tiny {
    pub values: BTreeMap<String, Value>,
    /// Each with its shape, the outermost dimension first, and its numbers.
    pub tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
    /// What their element type is said to be.
    pub dtype: u32,
}

impl Tiny {
    pub fn new() -> Self {
        let text = |text: &str| Value::Text(text.to_owned());
        let mut alphabet: Vec<char> = ByteLevel::alphabet().into_iter().collect();
        alphabet.sort_unstable();
        let mut tokens: Vec<String> = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"].map(str::to_owned).into();
        let mut kinds = vec![Value::Whole(3); tokens.len()];
        tokens.extend(alphabet.into_iter().map(String::from));
        tokens.extend(["us", "er", "user"].map(str::to_owned));
        kinds.resize(tokens.len(), Value::Whole(1));
        let vocabulary = tokens.len();
        let list = |texts: Vec<String>| Value::List(texts.into_iter().map(Value::Text).collect());
        let count = |count: usize| Value::Whole(count as i64);
        let values = [
            ("general.architecture", text("llama")),
            ("general.name", text("Tiny")),
            ("llama.block_count", count(LAYERS)),
            ("llama.context_length", count(CONTEXT)),
            ("llama.embedding_length", count(HIDDEN_SIZE)),
            ("llama.feed_forward_length", count(INTERMEDIATE_SIZE)),
            ("llama.attention.head_count", count(HEADS)),
            ("llama.attention.head_count_kv", count(KV_HEADS)),
            ("llama.attention.key_length", count(HEAD_DIM)),
            ("llama.attention.layer_norm_rms_epsilon", Value::Real(EPSILON)),
            ("llama.rope.dimension_count", count(ROPE_DIM)),
            ("llama.rope.freq_base", Value::Real(ROPE_BASE)),
            ("tokenizer.ggml.model", text("gpt2")),
            ("tokenizer.ggml.pre", text("smollm")),
            ("tokenizer.ggml.tokens", list(tokens)),
            ("tokenizer.ggml.token_type", Value::List(kinds)),
            ("tokenizer.ggml.merges", list(["u s", "e r", "us er"].map(str::to_owned).into())),
            ("tokenizer.ggml.eos_token_id", count(2)),
            ("tokenizer.chat_template", text(TEMPLATE)),
        ];
        let values = values.map(|(key, value)| (key.to_owned(), value)).into();
        let mut shapes = vec![
            ("token_embd.weight".to_owned(), vec![vocabulary, HIDDEN_SIZE]),
            ("output_norm.weight".to_owned(), vec![HIDDEN_SIZE]),
        ];
        for layer in 0..LAYERS {
            let parts = [
                ("attn_norm", vec![HIDDEN_SIZE]),
                ("attn_q", vec![HEADS * HEAD_DIM, HIDDEN_SIZE]),
                ("attn_k", vec![KV_HEADS * HEAD_DIM, HIDDEN_SIZE]),
                ("attn_v", vec![KV_HEADS * HEAD_DIM, HIDDEN_SIZE]),
                ("attn_output", vec![HIDDEN_SIZE, HEADS * HEAD_DIM]),
                ("ffn_norm", vec![HIDDEN_SIZE]),
                ("ffn_gate", vec![INTERMEDIATE_SIZE, HIDDEN_SIZE]),
                ("ffn_up", vec![INTERMEDIATE_SIZE, HIDDEN_SIZE]),
                ("ffn_down", vec![HIDDEN_SIZE, INTERMEDIATE_SIZE]),
            ];
            shapes.extend(parts.map(|(name, shape)| (format!("blk.{layer}.{name}.weight"), shape)));
        }
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1_u32 << 24) as f32
        };
        let tensors = shapes.into_iter().map(|(name, shape)| {
            let spread = if shape.len() == 2 { 4.0 / (shape[1] as f32).sqrt() } else { 2.0 };
            let numbers = (0..shape.iter().product()).map(|_| (random() - 0.5) * spread).collect();
            (name, (shape, numbers))
        });
        Self { values, tensors: tensors.collect(), dtype: 0 }
    }

    /// The same, with something else under a key, or nothing.
    pub fn with(mut self, key: &str, value: Option<Value>) -> Self {
        match value {
            Some(value) => self.values.insert(key.to_owned(), value),
            None => self.values.remove(key),
        };
        self
    }

    pub fn write(&self, path: &Path) {
        std::fs::write(path, self.bytes()).expect("a file");
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"GGUF\x03\0\0\0".to_vec();
        bytes.extend((self.tensors.len() as u64).to_le_bytes());
        bytes.extend((self.values.len() as u64).to_le_bytes());
        for (key, value) in &self.values {
            put_text(&mut bytes, key);
            bytes.extend(kind_of(value).to_le_bytes());
            put(&mut bytes, value);
        }
        let mut data = Vec::new();
        for (name, (shape, numbers)) in &self.tensors {
            put_text(&mut bytes, name);
            bytes.extend((shape.len() as u32).to_le_bytes());
            shape.iter().rev().for_each(|size| bytes.extend((*size as u64).to_le_bytes()));
            bytes.extend(self.dtype.to_le_bytes());
            bytes.extend((data.len() as u64).to_le_bytes());
            data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            data.resize(data.len().next_multiple_of(32), 0);
        }
        bytes.resize(bytes.len().next_multiple_of(32), 0);
        bytes.extend(data);
        bytes
    }

    /// What is expected after each token of a text.
    pub fn compute(&self, tokens: &[u32]) -> Vec<Vec<f64>> {
        let mut values: Vec<Vec<f64>> = tokens.iter().map(|token| self.row("token_embd.weight", *token)).collect();
        for layer in 0..LAYERS {
            let name = |part: &str| format!("blk.{layer}.{part}.weight");
            let normed: Vec<Vec<f64>> = values.iter().map(|value| self.norm(&name("attn_norm"), value)).collect();
            let queries: Vec<Vec<f64>> = self.each(&name("attn_q"), &normed, true);
            let keys: Vec<Vec<f64>> = self.each(&name("attn_k"), &normed, true);
            let values_of: Vec<Vec<f64>> = self.each(&name("attn_v"), &normed, false);
            for (place, value) in values.iter_mut().enumerate() {
                let mut attended = Vec::new();
                for head in 0..HEADS {
                    let kv_head = head / (HEADS / KV_HEADS) * HEAD_DIM;
                    let query = &queries[place][head * HEAD_DIM..][..HEAD_DIM];
                    let score = |key: &Vec<f64>| dot(query, &key[kv_head..][..HEAD_DIM]) / (HEAD_DIM as f64).sqrt();
                    let weights: Vec<f64> = keys[..=place].iter().map(|key| score(key).exp()).collect();
                    let total: f64 = weights.iter().sum();
                    for dimension in kv_head..kv_head + HEAD_DIM {
                        let parts = weights.iter().zip(&values_of).map(|(weight, value)| weight * value[dimension]);
                        attended.push(parts.sum::<f64>() / total);
                    }
                }
                add(value, &self.product(&name("attn_output"), &attended));
                let normed = self.norm(&name("ffn_norm"), value);
                let (gate, up) = (self.product(&name("ffn_gate"), &normed), self.product(&name("ffn_up"), &normed));
                let hidden: Vec<f64> =
                    gate.iter().zip(up).map(|(gate, up)| gate / (1.0 + (-gate).exp()) * up).collect();
                add(value, &self.product(&name("ffn_down"), &hidden));
            }
        }
        let output = |value: &Vec<f64>| self.product("token_embd.weight", &self.norm("output_norm.weight", value));
        values.iter().map(output).collect()
    }

    /// Products with all tokens, rotated by their positions or not.
    fn each(&self, name: &str, values: &[Vec<f64>], rotated: bool) -> Vec<Vec<f64>> {
        let mut products: Vec<Vec<f64>> = values.iter().map(|value| self.product(name, value)).collect();
        for (position, product) in products.iter_mut().enumerate().filter(|_| rotated) {
            for head in product.chunks_exact_mut(HEAD_DIM) {
                for pair in 0..ROPE_DIM / 2 {
                    let angle = position as f64 * ROPE_BASE.powf(-2.0 * pair as f64 / ROPE_DIM as f64);
                    let (left, right) = (head[2 * pair], head[2 * pair + 1]);
                    head[2 * pair] = left * angle.cos() - right * angle.sin();
                    head[2 * pair + 1] = left * angle.sin() + right * angle.cos();
                }
            }
        }
        products
    }

    fn row(&self, name: &str, row: u32) -> Vec<f64> {
        let (shape, numbers) = &self.tensors[name];
        numbers[row as usize * shape[1]..][..shape[1]].iter().map(|number| f64::from(*number)).collect()
    }

    fn product(&self, name: &str, value: &[f64]) -> Vec<f64> {
        (0..self.tensors[name].0[0]).map(|row| dot(&self.row(name, row as u32), value)).collect()
    }

    fn norm(&self, name: &str, value: &[f64]) -> Vec<f64> {
        let root = (dot(value, value) / value.len() as f64 + EPSILON).sqrt();
        value.iter().zip(&self.tensors[name].1).map(|(value, scale)| value / root * f64::from(*scale)).collect()
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn add(value: &mut [f64], more: &[f64]) {
    value.iter_mut().zip(more).for_each(|(value, more)| *value += more);
}

fn kind_of(value: &Value) -> u32 {
    match value {
        Value::Whole(_) => 11,
        Value::Real(_) => 12,
        Value::Text(_) => 8,
        Value::List(_) => 9,
    }
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn put(bytes: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Whole(number) => bytes.extend(number.to_le_bytes()),
        Value::Real(number) => bytes.extend(number.to_le_bytes()),
        Value::Text(text) => put_text(bytes, text),
        Value::List(values) => {
            bytes.extend(values.first().map_or(0, kind_of).to_le_bytes());
            bytes.extend((values.len() as u64).to_le_bytes());
            values.iter().for_each(|value| put(bytes, value));
        }
    }
}
