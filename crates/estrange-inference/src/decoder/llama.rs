//! The models of the Llama family: the logits of the token that follows a text.

use rayon::prelude::*;

use super::{
    attention::{Attention, KvCache, Scratch},
    elementwise::{add, rms_norm, rope, swiglu},
    gguf::Gguf,
    matrix::{Matrix, Rounded},
    tensors::Tensors,
};
use crate::{cpu::Cpu, error::LocalError};

/// So many tokens of a prompt are best computed together: each weight that is unpacked is used for all of a thread's.
pub const BATCH: usize = 128;

/// A thread is worth its start for so many tokens of a prompt.
const SHARE: usize = 8;

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
    /// The frequencies of the rotations, in radians a token, pair by pair.
    frequencies: Vec<f64>,
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
    /// For each thread that reads, what it computes.
    work: Vec<Work>,
}

/// What a thread computes for some tokens that follow one another. The buffers stay for the next ones.
#[derive(Default)]
struct Work {
    /// How many tokens are before the first of these.
    before: usize,
    hidden: Vec<f32>,
    /// The vectors that are multiplied next.
    normed: Vec<f32>,
    rounded: Rounded,
    query: Vec<f32>,
    key: Vec<f32>,
    value: Vec<f32>,
    gate: Vec<f32>,
    up: Vec<f32>,
    /// The cosines and sines of the tokens' rotations, token by token; in each, pair by pair.
    rotations: Vec<(f32, f32)>,
    scratch: Vec<Scratch>,
}

impl Llama {
    /// Takes the weights of a model.
    pub fn new(cpu: Cpu, config: Config, tensors: &mut Tensors<'_>) -> Result<Self, LocalError> {
        let Config { vocab_size, hidden_size, rope_dim, rope_base, .. } = config;
        let output = tensors.has("output.weight").then(|| tensors.matrix("output.weight", vocab_size, hidden_size));
        let frequency = |pair: usize| rope_base.powf(-((2 * pair) as f64) / rope_dim as f64);
        Ok(Self {
            cpu,
            config,
            frequencies: (0..rope_dim / 2).map(frequency).collect(),
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
        let Config { n_layers, n_kv_heads, head_dim, hidden_size, .. } = self.config;
        let layers = (0..n_layers).map(|_| KvCache::new(n_kv_heads, head_dim)).collect();
        State { length: 0, layers, last: vec![0.0; hidden_size], work: Vec::new() }
    }

    /// The logits of the token that follows those that were read.
    pub fn logits(&self, state: &State) -> Vec<f32> {
        let mut normed = vec![0.0; state.last.len()];
        rms_norm(self.cpu, &state.last, &self.output_norm, self.config.epsilon, &mut normed);
        let mut rounded = Rounded::default();
        rounded.set(self.cpu, &normed, normed.len());
        let output = self.output.as_ref().unwrap_or(&self.token_embeddings);
        let mut logits = vec![0.0; output.rows()];
        output.forward_in_parallel(self.cpu, &rounded, 0, &mut logits);
        logits
    }

    /// Reads more tokens, at least one and [`BATCH`] at most.
    pub fn read(&self, tokens: &[u32], state: &mut State) {
        // Within the threads' own pool, a thread that needs others does not fall asleep.
        rayon::scope(|_| self.read_in_pool(tokens, state));
    }

    /// Several threads share the tokens of a prompt; of a single token, they share its parts.
    fn read_in_pool(&self, tokens: &[u32], state: &mut State) {
        let share = tokens.len().div_ceil(rayon::current_num_threads()).max(SHARE);
        let State { length, layers, last, work } = state;
        work.resize_with(tokens.len().div_ceil(share), Work::default);
        for (number, (work, tokens)) in work.iter_mut().zip(tokens.chunks(share)).enumerate() {
            self.begin(work, *length + number * share, tokens);
        }
        for (layer, cache) in self.layers.iter().zip(layers) {
            work.par_iter_mut().for_each(|work| self.before_attention(layer, work));
            work.iter().for_each(|work| cache.extend(&work.key, &work.value));
            work.par_iter_mut().for_each(|work| self.attention_and_after(layer, cache, work));
        }
        *length += tokens.len();
        if let Some(work) = work.last() {
            let start = work.hidden.len() - last.len();
            last.copy_from_slice(&work.hidden[start..]);
        }
    }

    /// Makes the buffers ready for some tokens.
    fn begin(&self, work: &mut Work, before: usize, tokens: &[u32]) {
        let Config { n_heads, n_kv_heads, head_dim, hidden_size, intermediate_size, .. } = self.config;
        work.before = before;
        work.hidden.clear();
        for token in tokens {
            work.hidden.extend(self.token_embeddings.row(*token as usize));
        }
        let longest = hidden_size.max(n_heads * head_dim);
        work.normed.resize(tokens.len() * longest, 0.0);
        work.query.resize(tokens.len() * n_heads * head_dim, 0.0);
        for kv in [&mut work.key, &mut work.value] {
            kv.resize(tokens.len() * n_kv_heads * head_dim, 0.0);
        }
        for wide in [&mut work.gate, &mut work.up] {
            wide.resize(tokens.len() * intermediate_size, 0.0);
        }
        work.rotations.clear();
        for position in before..before + tokens.len() {
            let rotation = |frequency: &f64| {
                let (sine, cosine) = (position as f64 * frequency).sin_cos();
                (cosine as f32, sine as f32)
            };
            work.rotations.extend(self.frequencies.iter().map(rotation));
        }
    }

    /// Computes the queries, keys and values of some tokens.
    fn before_attention(&self, layer: &Layer, work: &mut Work) {
        let cpu = self.cpu;
        let Config { head_dim, n_heads, n_kv_heads, hidden_size, epsilon, .. } = self.config;
        let Work { hidden, normed, rounded, query, key, value, rotations, .. } = work;
        let normed = &mut normed[..hidden.len()];
        rms_norm(cpu, hidden, &layer.attention_norm, epsilon, normed);
        rounded.set(cpu, normed, hidden_size);
        if hidden.len() == hidden_size {
            let (query, key, value) = (&mut query[..], &mut key[..], &mut value[..]);
            let forward = |matrix: &Matrix, output: &mut [f32]| matrix.forward_in_parallel(cpu, rounded, 0, output);
            rayon::join(
                || forward(&layer.query, query),
                || rayon::join(|| forward(&layer.key, key), || forward(&layer.value, value)),
            );
        } else {
            layer.query.forward(cpu, rounded, 0, query);
            layer.key.forward(cpu, rounded, 0, key);
            layer.value.forward(cpu, rounded, 0, value);
        }
        rope(cpu, query, n_heads, head_dim, rotations);
        rope(cpu, key, n_kv_heads, head_dim, rotations);
        let scale = (head_dim as f32).sqrt().recip();
        query.iter_mut().for_each(|value| *value *= scale);
    }

    /// Computes the attention of some tokens, whose keys and values are in the cache, and the feed-forward part.
    fn attention_and_after(&self, layer: &Layer, cache: &KvCache, work: &mut Work) {
        let cpu = self.cpu;
        let Config { head_dim, n_heads, n_kv_heads, hidden_size, intermediate_size, epsilon, .. } = self.config;
        let Work { before, hidden, normed, rounded, query, gate, up, scratch, .. } = work;
        let alone = hidden.len() == hidden_size;
        let product = |matrix: &Matrix, rounded: &Rounded, output: &mut [f32]| {
            if alone {
                matrix.forward_in_parallel(cpu, rounded, 0, output);
            } else {
                matrix.forward(cpu, rounded, 0, output);
            }
        };
        let attended = &mut normed[..query.len()];
        let attention =
            Attention { cache, before: *before, group: n_heads / n_kv_heads, queries: query, output: attended };
        attention.compute(cpu, scratch);
        rounded.set(cpu, attended, n_heads * head_dim);
        let normed = &mut normed[..hidden.len()];
        product(&layer.attention_output, rounded, normed);
        add(cpu, hidden, normed);

        rms_norm(cpu, hidden, &layer.feed_forward_norm, epsilon, normed);
        rounded.set(cpu, normed, hidden_size);
        if alone {
            rayon::join(|| product(&layer.gate, rounded, gate), || product(&layer.up, rounded, up));
        } else {
            product(&layer.gate, rounded, gate);
            product(&layer.up, rounded, up);
        }
        swiglu(cpu, gate, up);
        rounded.set(cpu, gate, intermediate_size);
        product(&layer.down, rounded, normed);
        add(cpu, hidden, normed);
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
