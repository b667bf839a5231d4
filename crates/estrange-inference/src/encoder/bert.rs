//! The models of the BERT family: what they compute from tokens.

use std::ops::Range;

use super::{
    attention::Attention,
    family::Shape,
    layer_norm::LayerNorm,
    linear::{Epilogue, Linear},
    weights::Weights,
};
use crate::{aligned::Aligned, cpu::Cpu, error::LocalError};

/// So many rows of the feed-forward part are computed and used before the next, so that they stay in the cache.
const BLOCK: usize = 384;

/// A model of the BERT family.
pub struct Bert {
    cpu: Cpu,
    shape: Shape,
    /// A row for each token of the vocabulary.
    token_embeddings: Vec<f32>,
    /// A row for each position. The first token type, which all tokens have here, is added to it.
    position_embeddings: Vec<f32>,
    embeddings_norm: LayerNorm,
    layers: Vec<Layer>,
}

struct Layer {
    /// For each head: queries, keys and values.
    qkv: Vec<Linear>,
    attention_output: Linear,
    attention_norm: LayerNorm,
    /// The two products of the feed-forward part, by blocks of the intermediate vector.
    feed_forward: Vec<(Linear, Linear)>,
    output_norm: LayerNorm,
}

/// Buffers that are used again from batch to batch.
#[derive(Default)]
pub struct Scratch {
    hidden: Aligned,
    qkv: Aligned,
    other: Aligned,
    intermediate: Aligned,
    scores: Aligned,
}

/// The vectors of the tokens of some texts.
pub struct TokenVectors<'a> {
    panels: &'a [f32],
    width: usize,
    hidden_size: usize,
    /// Where each text's tokens are.
    pub texts: Vec<Range<usize>>,
}

impl TokenVectors<'_> {
    /// A token's number in a dimension.
    pub fn value(&self, token: usize, dimension: usize) -> f32 {
        self.panels[(token / self.width * self.hidden_size + dimension) * self.width + token % self.width]
    }
}

impl Bert {
    /// Takes the weights of a model.
    pub fn new(cpu: Cpu, shape: Shape, weights: &Weights<'_>) -> Result<Self, LocalError> {
        let Shape { family, hidden_size, .. } = shape;
        let token_embeddings = weights.matrix(family.token_embeddings(), shape.vocab_size, hidden_size)?;
        let mut position_embeddings = weights.matrix(family.position_embeddings(), shape.n_positions, hidden_size)?;
        position_embeddings.drain(..shape.first_position * hidden_size);
        if let Some(name) = family.token_type_embeddings() {
            let token_types = weights.matrix(name, shape.n_token_types, hidden_size)?;
            position_embeddings.chunks_exact_mut(hidden_size).for_each(|row| {
                row.iter_mut().zip(&token_types).for_each(|(value, token_type)| *value += token_type);
            });
        }
        let embeddings_norm = layer_norm(weights, family.embeddings_norm(), &shape)?;
        let layers = (0..shape.n_layers).map(|number| Layer::new(&shape, number, weights)).collect::<Result<_, _>>()?;
        Ok(Self { cpu, shape, token_embeddings, position_embeddings, embeddings_norm, layers })
    }

    /// Lets it compute with other instructions.
    #[cfg(test)]
    pub fn set_cpu(&mut self, cpu: Cpu) {
        self.cpu = cpu;
    }

    /// The vectors of the tokens of some texts, which have at least one token together.
    pub fn forward<'a>(&self, texts: &[&[u32]], scratch: &'a mut Scratch) -> TokenVectors<'a> {
        let (cpu, width) = (self.cpu, self.cpu.width());
        let Shape { hidden_size, head_dim, intermediate_size, .. } = self.shape;
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(texts.len());
        for text in texts {
            let start = ranges.last().map_or(0, |range| range.end);
            ranges.push(start..start + text.len());
        }
        let count = ranges.last().map_or(0, |range| range.end).next_multiple_of(width);
        let longest = ranges.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
        let mut hidden = scratch.hidden.scratch(count * hidden_size);
        let qkv = scratch.qkv.scratch(count * 3 * head_dim);
        // The output of the heads, and later the input of the feed-forward part with its output added to it.
        let mut other = scratch.other.scratch(count * hidden_size);
        let intermediate = scratch.intermediate.scratch(count * intermediate_size.min(BLOCK));
        let scores = scratch.scores.scratch(longest * width);

        self.embed(texts, &ranges, hidden);
        self.embeddings_norm.apply(cpu, hidden);
        for layer in &self.layers {
            for (number, projection) in layer.qkv.iter().enumerate() {
                projection.forward(cpu, hidden, qkv, Epilogue::Store);
                let (output_rows, first_row) = (hidden_size, number * head_dim);
                Attention { head_dim, qkv, texts: &ranges, scores, output: other, output_rows, first_row }.apply(cpu);
            }
            layer.attention_output.forward(cpu, other, hidden, Epilogue::Add);
            layer.attention_norm.apply(cpu, hidden);
            other.copy_from_slice(hidden);
            for (up, down) in &layer.feed_forward {
                let intermediate = &mut intermediate[..count * up.rows()];
                up.forward(cpu, hidden, intermediate, Epilogue::Activate(self.shape.activation));
                down.forward(cpu, intermediate, other, Epilogue::Add);
            }
            layer.output_norm.apply(cpu, other);
            std::mem::swap(&mut hidden, &mut other);
        }
        TokenVectors { panels: hidden, width, hidden_size, texts: ranges }
    }

    /// Writes the sums of token and position embeddings into panels. Lanes without a token are zero.
    fn embed(&self, texts: &[&[u32]], ranges: &[Range<usize>], hidden: &mut [f32]) {
        let width = self.cpu.width();
        let size = self.shape.hidden_size;
        hidden.fill(0.0);
        for (text, range) in texts.iter().zip(ranges) {
            let positions = self.position_embeddings.chunks_exact(size);
            for ((token, place), position) in text.iter().zip(range.clone()).zip(positions) {
                let token = &self.token_embeddings[*token as usize * size..][..size];
                let panel = &mut hidden[place / width * width * size..][..width * size];
                let column = panel[place % width..].iter_mut().step_by(width);
                for ((value, token), position) in column.zip(token).zip(position) {
                    *value = token + position;
                }
            }
        }
    }
}

impl Layer {
    fn new(shape: &Shape, number: usize, weights: &Weights<'_>) -> Result<Self, LocalError> {
        let Shape { hidden_size, head_dim, intermediate_size, .. } = *shape;
        let names = shape.family.layer(number);
        let linear = |name: &str, rows, columns| -> Result<(Vec<f32>, Vec<f32>), LocalError> {
            Ok((
                weights.matrix(&format!("{name}.weight"), rows, columns)?,
                weights.vector(&format!("{name}.bias"), rows)?,
            ))
        };
        let query = linear(&names.query, hidden_size, hidden_size)?;
        let key = linear(&names.key, hidden_size, hidden_size)?;
        let value = linear(&names.value, hidden_size, hidden_size)?;
        // The scale of the dot products is part of the queries.
        let parts = [(&query, (head_dim as f32).sqrt().recip()), (&key, 1.0), (&value, 1.0)];
        let qkv = (0..hidden_size / head_dim)
            .map(|head| {
                // Which of the three, its factor, and which of its rows.
                let row =
                    |row: usize| (parts[row / head_dim].0, parts[row / head_dim].1, head * head_dim + row % head_dim);
                let weight = |at: usize, column: usize| {
                    let (part, factor, row) = row(at);
                    part.0[row * hidden_size + column] * factor
                };
                let bias = |at: usize| {
                    let (part, factor, row) = row(at);
                    part.1[row] * factor
                };
                Linear::new(3 * head_dim, hidden_size, weight, bias)
            })
            .collect();
        let (output, output_bias) = linear(&names.attention_output, hidden_size, hidden_size)?;
        let attention_output =
            Linear::new(hidden_size, hidden_size, |row, at| output[row * hidden_size + at], |row| output_bias[row]);
        let (up, up_bias) = linear(&names.intermediate, intermediate_size, hidden_size)?;
        let (down, down_bias) = linear(&names.output, hidden_size, intermediate_size)?;
        let feed_forward = (0..intermediate_size)
            .step_by(BLOCK)
            .map(|from| {
                let size = BLOCK.min(intermediate_size - from);
                let weight = |row: usize, at: usize| up[(from + row) * hidden_size + at];
                let first = Linear::new(size, hidden_size, weight, |row| up_bias[from + row]);
                // The bias of the second product is added once.
                let bias = |row: usize| if from == 0 { down_bias[row] } else { 0.0 };
                (first, Linear::new(hidden_size, size, |row, at| down[row * intermediate_size + from + at], bias))
            })
            .collect();
        Ok(Self {
            qkv,
            attention_output,
            attention_norm: layer_norm(weights, &names.attention_norm, shape)?,
            feed_forward,
            output_norm: layer_norm(weights, &names.output_norm, shape)?,
        })
    }
}

fn layer_norm(weights: &Weights<'_>, name: &str, shape: &Shape) -> Result<LayerNorm, LocalError> {
    Ok(LayerNorm {
        weight: weights.vector(&format!("{name}.weight"), shape.hidden_size)?,
        bias: weights.vector(&format!("{name}.bias"), shape.hidden_size)?,
        epsilon: shape.epsilon,
    })
}
