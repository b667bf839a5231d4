//! The models of the BERT family: what they compute from tokens.

use std::ops::Range;

use super::{
    aligned::Aligned,
    attention::Attention,
    error::LocalError,
    family::Shape,
    machine::Machine,
    matrix::{Into, Matrix},
    norm::Norm,
    weights::Weights,
};

/// So many rows of the hidden layer are computed and used before the next: they stay in the cache.
const BLOCK: usize = 384;

/// A model of the BERT family.
pub struct Bert {
    machine: Machine,
    shape: Shape,
    /// A row for each token of the vocabulary.
    words: Vec<f32>,
    /// A row for each position, together with the kind of the first text of a pair, which all texts have here.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    /// For each head: what tokens ask, answer to and give.
    heads: Vec<Matrix>,
    attended: Matrix,
    attended_norm: Norm,
    /// The two products of the feed-forward part, block by block of the hidden layer.
    blocks: Vec<(Matrix, Matrix)>,
    norm: Norm,
}

/// Room that is used again from chunk to chunk.
#[derive(Default)]
pub struct Room {
    values: Aligned,
    asked: Aligned,
    taken: Aligned,
    hidden: Aligned,
    scores: Aligned,
}

/// What a model makes of the tokens of some texts.
pub struct Tokens<'a> {
    panels: &'a [f32],
    width: usize,
    dimensions: usize,
    /// Where each text's tokens are.
    pub texts: Vec<Range<usize>>,
}

impl Tokens<'_> {
    /// A token's number in a dimension.
    pub fn value(&self, token: usize, dimension: usize) -> f32 {
        self.panels[(token / self.width * self.dimensions + dimension) * self.width + token % self.width]
    }
}

impl Bert {
    /// Takes the weights of a model.
    pub fn new(machine: Machine, shape: Shape, weights: &Weights<'_>) -> Result<Self, LocalError> {
        let family = shape.family;
        let size = shape.dimensions;
        let words = weights.matrix(family.words(), shape.vocabulary, size)?;
        let mut positions = weights.matrix(family.positions(), shape.positions, size)?;
        positions.drain(..shape.first_position * size);
        if let Some(kinds) = family.kinds() {
            let kind = weights.matrix(kinds, shape.kinds, size)?;
            positions.chunks_exact_mut(size).for_each(|row| {
                row.iter_mut().zip(&kind).for_each(|(value, kind)| *value += kind);
            });
        }
        let norm = norm(weights, family.norm(), &shape)?;
        let layers = (0..shape.layers).map(|number| Layer::new(&shape, number, weights)).collect::<Result<_, _>>()?;
        Ok(Self { machine, shape, words, positions, norm, layers })
    }

    /// Lets it compute with other instructions.
    #[cfg(test)]
    pub fn set_machine(&mut self, machine: Machine) {
        self.machine = machine;
    }

    /// What the model makes of texts, each given by the numbers of its tokens. There is at least one token.
    pub fn compute<'a>(&self, texts: &[&[u32]], room: &'a mut Room) -> Tokens<'a> {
        let width = self.machine.width();
        let Shape { dimensions, head, hidden, .. } = self.shape;
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(texts.len());
        for text in texts {
            let start = ranges.last().map_or(0, |range| range.end);
            ranges.push(start..start + text.len());
        }
        let count = ranges.last().map_or(0, |range| range.end).next_multiple_of(width);
        let longest = ranges.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
        let mut values = room.values.room(count * dimensions);
        let asked = room.asked.room(count * 3 * head);
        // What is taken, and later the sum of what came into the feed-forward part and what came out of it.
        let mut other = room.taken.room(count * dimensions);
        let hidden = room.hidden.room(count * hidden.min(BLOCK));
        let scores = room.scores.room(longest * width);

        self.look_up(texts, &ranges, values);
        self.norm.apply(self.machine, values);
        for layer in &self.layers {
            for (number, matrix) in layer.heads.iter().enumerate() {
                matrix.multiply(self.machine, values, asked, Into::Place);
                let (first, rows) = (number * head, dimensions);
                Attention { size: head, asked, texts: &ranges, scores, taken: other, rows, first }.apply(self.machine);
            }
            layer.attended.multiply(self.machine, other, values, Into::Sum);
            layer.attended_norm.apply(self.machine, values);
            other.copy_from_slice(values);
            for (up, down) in &layer.blocks {
                let hidden = &mut hidden[..count * up.rows()];
                up.multiply(self.machine, values, hidden, Into::Activated(self.shape.activation));
                down.multiply(self.machine, hidden, other, Into::Sum);
            }
            layer.norm.apply(self.machine, other);
            std::mem::swap(&mut values, &mut other);
        }
        Tokens { panels: values, width, dimensions, texts: ranges }
    }

    /// Puts the vectors of tokens and positions into panels. Where there is no token there is zero.
    fn look_up(&self, texts: &[&[u32]], ranges: &[Range<usize>], values: &mut [f32]) {
        let width = self.machine.width();
        let size = self.shape.dimensions;
        values.fill(0.0);
        for (text, range) in texts.iter().zip(ranges) {
            for ((token, place), position) in text.iter().zip(range.clone()).zip(self.positions.chunks_exact(size)) {
                let word = &self.words[*token as usize * size..][..size];
                let panel = &mut values[place / width * width * size..][..width * size];
                let column = panel[place % width..].iter_mut().step_by(width);
                for ((value, word), position) in column.zip(word).zip(position) {
                    *value = word + position;
                }
            }
        }
    }
}

impl Layer {
    fn new(shape: &Shape, number: usize, weights: &Weights<'_>) -> Result<Self, LocalError> {
        let Shape { dimensions, head, hidden, .. } = *shape;
        let names = shape.family.layer(number);
        let linear = |name: &str, rows, columns| -> Result<(Vec<f32>, Vec<f32>), LocalError> {
            Ok((
                weights.matrix(&format!("{name}.weight"), rows, columns)?,
                weights.vector(&format!("{name}.bias"), rows)?,
            ))
        };
        let query = linear(&names.query, dimensions, dimensions)?;
        let key = linear(&names.key, dimensions, dimensions)?;
        let value = linear(&names.value, dimensions, dimensions)?;
        let parts = [(&query, (head as f32).sqrt().recip()), (&key, 1.0), (&value, 1.0)];
        let heads = (0..dimensions / head)
            .map(|number| {
                // Which of the three, its factor, and which of its rows.
                let row = |row: usize| (parts[row / head].0, parts[row / head].1, number * head + row % head);
                let weight = |at: usize, column: usize| {
                    let (part, factor, row) = row(at);
                    part.0[row * dimensions + column] * factor
                };
                let bias = |at: usize| {
                    let (part, factor, row) = row(at);
                    part.1[row] * factor
                };
                Matrix::new(3 * head, dimensions, weight, bias)
            })
            .collect();
        let (attended, attended_bias) = linear(&names.attended, dimensions, dimensions)?;
        let (up, up_bias) = linear(&names.up, hidden, dimensions)?;
        let (down, down_bias) = linear(&names.down, dimensions, hidden)?;
        let blocks = (0..hidden)
            .step_by(BLOCK)
            .map(|from| {
                let size = BLOCK.min(hidden - from);
                let first = Matrix::new(
                    size,
                    dimensions,
                    |row, at| up[(from + row) * dimensions + at],
                    |row| up_bias[from + row],
                );
                // What is added to the second product is added once.
                let bias = |row: usize| if from == 0 { down_bias[row] } else { 0.0 };
                (first, Matrix::new(dimensions, size, |row, at| down[row * hidden + from + at], bias))
            })
            .collect();
        Ok(Self {
            heads,
            attended: Matrix::new(
                dimensions,
                dimensions,
                |row, at| attended[row * dimensions + at],
                |row| attended_bias[row],
            ),
            attended_norm: norm(weights, &names.attended_norm, shape)?,
            blocks,
            norm: norm(weights, &names.norm, shape)?,
        })
    }
}

fn norm(weights: &Weights<'_>, name: &str, shape: &Shape) -> Result<Norm, LocalError> {
    Ok(Norm {
        scale: weights.vector(&format!("{name}.weight"), shape.dimensions)?,
        shift: weights.vector(&format!("{name}.bias"), shape.dimensions)?,
        epsilon: shape.epsilon,
    })
}
