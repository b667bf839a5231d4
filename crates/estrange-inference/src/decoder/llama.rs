//! The models of the Llama family: the logits of the token that follows a text.

use super::{
    attention::{Attention, KvCache},
    gguf::Gguf,
    matrix::{Matrix, Rounded},
    tensors::Tensors,
};
use crate::{cpu::Cpu, error::LocalError};

/// So many tokens of a prompt are best computed together: each weight that is unpacked is used for all of them.
pub const BATCH: usize = 128;

/// The dimensions of a head must be a multiple of this.
const LANES: usize = 8;

/// The sizes of a model, and what else its file says about it.
#[derive(Debug, Clone, Copy)]
pub struct Config {
    /// How many tokens there are.
    pub vocab_size: usize,
    /// How many tokens a text may have.
    pub context_length: usize,
    /// The length of a token's vector.
    pub hidden_size: usize,
    /// How many layers there are.
    pub n_layers: usize,
    /// How many heads of queries there are.
    pub n_heads: usize,
    /// How many heads of keys and values there are; each serves as many heads of queries as there are for one.
    pub n_kv_heads: usize,
    /// The dimensions of a head.
    pub head_dim: usize,
    /// How many of these are rotated by the token's position.
    pub rope_dim: usize,
    /// The base of the rotations' frequencies.
    pub rope_base: f64,
    /// The length of the vector inside of the feed-forward part.
    pub intermediate_size: usize,
    /// What RMS normalisation adds to a mean square.
    pub epsilon: f32,
}

impl Config {
    /// Reads it; what is missing or not supported is told in words.
    pub fn read(file: &Gguf, vocab_size: usize) -> Result<Self, ConfigError> {
        let key = |name: &str| format!("llama.{name}");
        let count = |name: &str| file.count(&key(name)).ok_or_else(|| ConfigError::Missing(key(name)));
        let (hidden_size, n_heads) = (count("embedding_length")?, count("attention.head_count")?);
        let head_dim = file.count(&key("attention.key_length")).unwrap_or(hidden_size / n_heads.max(1));
        let config = Self {
            vocab_size,
            context_length: count("context_length")?,
            hidden_size,
            n_layers: count("block_count")?,
            n_heads,
            n_kv_heads: file.count(&key("attention.head_count_kv")).unwrap_or(n_heads),
            head_dim,
            rope_dim: file.count(&key("rope.dimension_count")).unwrap_or(head_dim),
            rope_base: file.number(&key("rope.freq_base")).unwrap_or(10_000.0),
            intermediate_size: count("feed_forward_length")?,
            epsilon: file.number(&key("attention.layer_norm_rms_epsilon")).unwrap_or(1e-5) as f32,
        };
        let scaling = file.text(&key("rope.scaling.type")).filter(|kind| *kind != "none");
        let scaling = scaling.map(|kind| format!("positions that are scaled as {kind}"));
        match config.fault().map(str::to_owned).or(scaling) {
            Some(what) => Err(ConfigError::Unsupported(what)),
            None => Ok(config),
        }
    }

    /// What is wrong with the sizes, if something is.
    fn fault(&self) -> Option<&'static str> {
        /// What no size of a model comes near to; products of two such sizes can still be counted.
        const LIMIT: usize = 1 << 24;
        let Self { hidden_size, n_layers, n_heads, n_kv_heads, head_dim, intermediate_size, context_length, .. } =
            *self;
        let sizes = [hidden_size, n_layers, n_heads, n_kv_heads, head_dim, intermediate_size, context_length];
        if sizes.iter().any(|size| !(1..LIMIT).contains(size)) {
            return Some("a model of such a size");
        }
        if !n_heads.is_multiple_of(n_kv_heads)
            || !head_dim.is_multiple_of(LANES)
            || self.rope_dim > head_dim
            || self.rope_dim % 2 == 1
        {
            return Some("heads of such a size");
        }
        None
    }
}

/// Why a file's sizes cannot be used.
pub enum ConfigError {
    /// It does not say something.
    Missing(String),
    /// It says something that is not supported.
    Unsupported(String),
}

/// A model of the Llama family.
pub struct Llama {
    cpu: Cpu,
    config: Config,
    token_embeddings: Matrix,
    layers: Vec<Layer>,
    output_norm: Vec<f32>,
    /// Nothing where the token embeddings are used for the output as well, as in most small models.
    output: Option<Matrix>,
}

struct Layer {
    attention_norm: Vec<f32>,
    query: Matrix,
    key: Matrix,
    value: Matrix,
    attention_output: Matrix,
    feed_forward_norm: Vec<f32>,
    gate: Matrix,
    up: Matrix,
    down: Matrix,
}

/// What a model remembers of the tokens that it has read.
pub struct State {
    length: usize,
    layers: Vec<KvCache>,
    /// The vector of the last token.
    last: Vec<f32>,
}

impl Llama {
    /// Takes the weights of a model.
    pub fn new(cpu: Cpu, config: Config, tensors: &mut Tensors<'_>) -> Result<Self, LocalError> {
        let Config { vocab_size, hidden_size, .. } = config;
        let output = tensors.has("output.weight").then(|| tensors.matrix("output.weight", vocab_size, hidden_size));
        Ok(Self {
            cpu,
            config,
            token_embeddings: tensors.matrix("token_embd.weight", vocab_size, hidden_size)?,
            output_norm: tensors.vector("output_norm.weight", hidden_size)?,
            output: output.transpose()?,
            layers: (0..config.n_layers).map(|layer| Layer::new(&config, layer, tensors)).collect::<Result<_, _>>()?,
        })
    }

    /// Lets it compute with other instructions.
    #[cfg(test)]
    pub fn set_cpu(&mut self, cpu: Cpu) {
        self.cpu = cpu;
    }

    /// What it remembers before the first token.
    pub fn state(&self) -> State {
        let layers = (0..self.config.n_layers).map(|_| KvCache::default()).collect();
        State { length: 0, layers, last: vec![0.0; self.config.hidden_size] }
    }

    /// The logits of the token that follows those that were read.
    pub fn logits(&self, state: &State) -> Vec<f32> {
        let normed = self.rms_norm(&state.last, &self.output_norm);
        self.output.as_ref().unwrap_or(&self.token_embeddings).forward(self.cpu, &normed)
    }

    /// Reads more tokens, at least one and [`BATCH`] at most.
    pub fn read(&self, tokens: &[u32], state: &mut State) {
        let Config { hidden_size, n_heads, n_kv_heads, head_dim, .. } = self.config;
        let cpu = self.cpu;
        let mut hidden: Vec<f32> = tokens.iter().flat_map(|token| self.token_embeddings.row(*token as usize)).collect();
        let rotations = self.rotations(state.length, tokens.len());
        for (layer, cache) in self.layers.iter().zip(&mut state.layers) {
            let normed = self.rms_norm(&hidden, &layer.attention_norm);
            let mut query = layer.query.forward(cpu, &normed);
            let mut key = layer.key.forward(cpu, &normed);
            self.rope(&mut query, n_heads, &rotations);
            self.rope(&mut key, n_kv_heads, &rotations);
            let scale = (head_dim as f32).sqrt().recip();
            query.iter_mut().for_each(|value| *value *= scale);
            cache.keys.extend(key);
            cache.values.extend(layer.value.forward(cpu, &normed));
            let mut attended = vec![0.0; query.len()];
            let row = n_heads * head_dim;
            for (token, (query, output)) in query.chunks_exact(row).zip(attended.chunks_exact_mut(row)).enumerate() {
                let (length, group) = (state.length + token + 1, n_heads / n_kv_heads);
                cpu.run(Attention { query, cache, length, head_dim, group, output });
            }
            add(&mut hidden, &layer.attention_output.forward(cpu, &Rounded::new(&attended, row)));

            let normed = self.rms_norm(&hidden, &layer.feed_forward_norm);
            let mut gate = layer.gate.forward(cpu, &normed);
            let up = layer.up.forward(cpu, &normed);
            gate.iter_mut().zip(up).for_each(|(gate, up)| *gate = silu(*gate) * up);
            add(&mut hidden, &layer.down.forward(cpu, &Rounded::new(&gate, self.config.intermediate_size)));
        }
        state.length += tokens.len();
        state.last.copy_from_slice(&hidden[(tokens.len() - 1) * hidden_size..]);
    }

    /// Scales each token's vector to a mean square of 1, then by a weight for each dimension.
    fn rms_norm(&self, hidden: &[f32], weight: &[f32]) -> Rounded {
        let mut normed = hidden.to_vec();
        for vector in normed.chunks_exact_mut(weight.len()) {
            let squares: f32 = vector.iter().map(|value| value * value).sum();
            let root = (squares / weight.len() as f32 + self.config.epsilon).sqrt();
            vector.iter_mut().zip(weight).for_each(|(value, weight)| *value = *value / root * weight);
        }
        Rounded::new(&normed, weight.len())
    }

    /// The cosines and sines of the rotations of some tokens from a position on: for each token, pair by pair.
    fn rotations(&self, position: usize, tokens: usize) -> Vec<Vec<(f32, f32)>> {
        let Config { rope_dim, rope_base, .. } = self.config;
        let frequency = |pair: usize| rope_base.powf(-((2 * pair) as f64) / rope_dim as f64);
        let frequencies: Vec<f64> = (0..rope_dim / 2).map(frequency).collect();
        let rotation = |position: usize, frequency: &f64| {
            let (sine, cosine) = (position as f64 * frequency).sin_cos();
            (cosine as f32, sine as f32)
        };
        let of_token = |position| frequencies.iter().map(|frequency| rotation(position, frequency)).collect();
        (position..position + tokens).map(of_token).collect()
    }

    /// Rotary position embedding: rotates the first pairs of numbers of each head by the tokens' positions.
    fn rope(&self, heads: &mut [f32], n_heads: usize, rotations: &[Vec<(f32, f32)>]) {
        let head_dim = self.config.head_dim;
        for (token, rotations) in heads.chunks_exact_mut(n_heads * head_dim).zip(rotations) {
            for head in token.chunks_exact_mut(head_dim) {
                for ([left, right], (cosine, sine)) in head.as_chunks_mut::<2>().0.iter_mut().zip(rotations) {
                    (*left, *right) = (*left * cosine - *right * sine, *left * sine + *right * cosine);
                }
            }
        }
    }
}

impl Layer {
    fn new(config: &Config, number: usize, tensors: &mut Tensors<'_>) -> Result<Self, LocalError> {
        let Config { hidden_size, n_heads, n_kv_heads, head_dim, intermediate_size, .. } = *config;
        let name = |part: &str| format!("blk.{number}.{part}.weight");
        Ok(Self {
            attention_norm: tensors.vector(&name("attn_norm"), hidden_size)?,
            query: tensors.matrix(&name("attn_q"), n_heads * head_dim, hidden_size)?,
            key: tensors.matrix(&name("attn_k"), n_kv_heads * head_dim, hidden_size)?,
            value: tensors.matrix(&name("attn_v"), n_kv_heads * head_dim, hidden_size)?,
            attention_output: tensors.matrix(&name("attn_output"), hidden_size, n_heads * head_dim)?,
            feed_forward_norm: tensors.vector(&name("ffn_norm"), hidden_size)?,
            gate: tensors.matrix(&name("ffn_gate"), intermediate_size, hidden_size)?,
            up: tensors.matrix(&name("ffn_up"), intermediate_size, hidden_size)?,
            down: tensors.matrix(&name("ffn_down"), hidden_size, intermediate_size)?,
        })
    }
}

fn silu(x: f32) -> f32 {
    x / (1.0 + (-x).exp())
}

fn add(hidden: &mut [f32], more: &[f32]) {
    hidden.iter_mut().zip(more).for_each(|(value, more)| *value += more);
}
