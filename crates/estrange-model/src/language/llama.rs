//! The models of the Llama family: which token they expect after those that they were given.

use pulp::{Simd, WithSimd};

use super::attention::{Attention, Memory};
use super::weights::Weights;
use crate::local::{
    LocalError,
    aligned::Aligned,
    attention::GROUP,
    machine::{Activation, Machine, multiply_add},
    matrix::{Into, Matrix, panels, panels_mut},
};

/// So many tokens of a prompt are computed together: each weight that is fetched is used for all of them.
const PIECE: usize = 256;

/// How large a model is.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// How many tokens it has.
    pub vocabulary: usize,
    /// How many tokens a text may have.
    pub context: usize,
    /// How many numbers a token has.
    pub dimensions: usize,
    /// How many layers there are.
    pub layers: usize,
    /// How many heads ask.
    pub heads: usize,
    /// How many heads answer; each is asked by as many as there are for one.
    pub key_heads: usize,
    /// How many numbers a token has in a head.
    pub head: usize,
    /// How many of these are turned by the token's position.
    pub turned: usize,
    /// By what the slowest turns are slower than the fastest.
    pub base: f64,
    /// How many numbers a token has in the feed-forward part.
    pub hidden: usize,
    /// What is added to a mean square, so that it is never zero.
    pub epsilon: f32,
}

impl Shape {
    /// What is wrong with it, if something is.
    pub fn fault(&self) -> Option<&'static str> {
        /// What no size of a model comes near to; products of two such sizes can still be counted.
        const LIMIT: usize = 1 << 24;
        let Self { dimensions, layers, heads, key_heads, head, turned, hidden, context, .. } = *self;
        if [dimensions, layers, heads, key_heads, head, hidden, context].iter().any(|size| !(1..LIMIT).contains(size)) {
            return Some("a model of such a size");
        }
        if !heads.is_multiple_of(key_heads) || !head.is_multiple_of(GROUP) || turned > head || turned % 2 == 1 {
            return Some("heads of such a size");
        }
        None
    }
}

/// A model of the Llama family.
pub struct Llama {
    machine: Machine,
    shape: Shape,
    words: Vec<f32>,
    layers: Vec<Layer>,
    norm: Vec<f32>,
    output: Matrix,
}

struct Layer {
    norm: Vec<f32>,
    /// What tokens ask in all heads, then what they answer to, then what they give.
    asked: Matrix,
    attended: Matrix,
    hidden_norm: Vec<f32>,
    gate: Matrix,
    up: Matrix,
    down: Matrix,
}

/// A text that a model has read so far.
pub struct Text {
    tokens: usize,
    layers: Vec<Memory>,
    room: Room,
}

impl Text {
    /// Forgets all tokens but the first ones.
    pub fn keep(&mut self, tokens: usize) {
        self.tokens = self.tokens.min(tokens);
    }
}

/// What a model expects after each of some tokens.
pub struct Expected<'a> {
    panel: &'a [f32],
    width: usize,
}

impl Expected<'_> {
    /// How much each token of the vocabulary is expected after the token of that place.
    pub fn after(&self, place: usize) -> Vec<f32> {
        self.panel.iter().skip(place).step_by(self.width).copied().collect()
    }
}

/// Room that is used again from piece to piece.
#[derive(Default)]
struct Room {
    values: Aligned,
    normed: Aligned,
    turns: Aligned,
    asked: Aligned,
    taken: Aligned,
    hidden: Aligned,
    scores: Aligned,
    output: Aligned,
}

impl Llama {
    /// Takes the weights of a model.
    pub fn new(machine: Machine, shape: Shape, weights: &mut Weights<'_>) -> Result<Self, LocalError> {
        let Shape { vocabulary, dimensions, .. } = shape;
        let words = weights.matrix("token_embd.weight", vocabulary, dimensions)?;
        // Most small models say a token by what they know it by.
        let output = match weights.has("output.weight") {
            true => matrix(&weights.matrix("output.weight", vocabulary, dimensions)?, dimensions),
            false => matrix(&words, dimensions),
        };
        let norm = weights.vector("output_norm.weight", dimensions)?;
        let layers = (0..shape.layers).map(|number| Layer::new(&shape, number, weights)).collect::<Result<_, _>>()?;
        Ok(Self { machine, shape, words, layers, norm, output })
    }

    /// Lets it compute with other instructions.
    #[cfg(test)]
    pub fn set_machine(&mut self, machine: Machine) {
        self.machine = machine;
    }

    /// An empty text, with room for so many tokens.
    pub fn text(&self, tokens: usize) -> Text {
        let Shape { key_heads, head, layers, .. } = self.shape;
        let memory = || Memory::new(key_heads, head, tokens, self.machine.width().max(PIECE));
        Text { tokens: 0, layers: (0..layers).map(|_| memory()).collect(), room: Room::default() }
    }

    /// How many tokens cost no more to read than one: half of a panel.
    pub fn at_once(&self) -> usize {
        self.machine.width() / 2
    }

    /// Reads more tokens of a text.
    pub fn read(&self, tokens: &[u32], text: &mut Text) {
        tokens.chunks(PIECE).for_each(|piece| self.read_piece(piece, text));
    }

    /// Reads one to [`Self::at_once`] more tokens, and says what is expected after each.
    pub fn expect<'a>(&self, tokens: &[u32], text: &'a mut Text) -> Expected<'a> {
        self.read_piece(tokens, text);
        let Shape { vocabulary, dimensions, epsilon, .. } = self.shape;
        let (width, room) = (self.machine.width(), &mut text.room);
        let (values, normed) = (&room.values[..width * dimensions], room.normed.room(width * dimensions));
        self.machine.run(Normalise { scale: &self.norm, epsilon, values, normed });
        let output = room.output.room(vocabulary * width);
        self.output.multiply_few(self.machine, normed, output, Into::Place);
        Expected { panel: output, width }
    }

    fn read_piece(&self, tokens: &[u32], text: &mut Text) {
        let Shape { dimensions, heads, key_heads, head, turned, base, hidden, epsilon, .. } = self.shape;
        let (machine, width) = (self.machine, self.machine.width());
        let (first, room) = (text.tokens, &mut text.room);
        let count = tokens.len().next_multiple_of(width);
        let keys = key_heads * head;
        let rows = heads * head + 2 * keys;
        let values = room.values.room(count * dimensions);
        let normed = room.normed.room(count * dimensions);
        let asked = room.asked.room(count * rows);
        let taken = room.taken.room(count * heads * head);
        let gated = room.hidden.room(count * hidden);
        let scores = room.scores.room((first + count).next_multiple_of(GROUP) * width);
        let turns = room.turns.room(count * turned);

        let multiply = match tokens.len() <= self.at_once() {
            true => Matrix::multiply_few,
            false => Matrix::multiply,
        };

        self.look_up(tokens, values);
        for (number, turns) in turns.chunks_exact_mut(width * turned).enumerate() {
            turns_of(turns, first + number * width, turned, base);
        }
        for (layer, memory) in self.layers.iter().zip(&mut text.layers) {
            machine.run(Normalise { scale: &layer.norm, epsilon, values, normed });
            multiply(&layer.asked, machine, normed, asked, Into::Place);
            machine.run(Turn { values: asked, rows, heads: heads + key_heads, head, turns, turned });
            memory.remember(asked, rows, keys, width, first, tokens.len());
            for number in 0..heads {
                machine.run(Attention {
                    memory,
                    key_head: number / (heads / key_heads),
                    asked,
                    asked_rows: rows,
                    first_row: number * head,
                    first,
                    scores,
                    taken,
                    taken_rows: heads * head,
                });
            }
            multiply(&layer.attended, machine, taken, values, Into::Sum);
            machine.run(Normalise { scale: &layer.hidden_norm, epsilon, values, normed });
            multiply(&layer.gate, machine, normed, gated, Into::Activated(Activation::Silu));
            multiply(&layer.up, machine, normed, gated, Into::Product);
            multiply(&layer.down, machine, gated, values, Into::Sum);
        }
        text.tokens += tokens.len();
    }

    /// What each token is known by, as panels. What is beyond the last token is zero.
    fn look_up(&self, tokens: &[u32], values: &mut [f32]) {
        let (width, size) = (self.machine.width(), self.shape.dimensions);
        values.fill(0.0);
        for (place, token) in tokens.iter().enumerate() {
            let word = &self.words[*token as usize * size..][..size];
            let panel = &mut values[place / width * width * size..][..width * size];
            panel[place % width..].iter_mut().step_by(width).zip(word).for_each(|(value, word)| *value = *word);
        }
    }
}

impl Layer {
    fn new(shape: &Shape, number: usize, weights: &mut Weights<'_>) -> Result<Self, LocalError> {
        let Shape { dimensions, heads, key_heads, head, hidden, .. } = *shape;
        let name = |part: &str| format!("blk.{number}.{part}.weight");
        let mut asked = weights.matrix(&name("attn_q"), heads * head, dimensions)?;
        let scale = (head as f32).sqrt().recip();
        asked.iter_mut().for_each(|weight| *weight *= scale);
        asked.extend(weights.matrix(&name("attn_k"), key_heads * head, dimensions)?);
        asked.extend(weights.matrix(&name("attn_v"), key_heads * head, dimensions)?);
        Ok(Self {
            norm: weights.vector(&name("attn_norm"), dimensions)?,
            asked: matrix(&asked, dimensions),
            attended: matrix(&weights.matrix(&name("attn_output"), dimensions, heads * head)?, heads * head),
            hidden_norm: weights.vector(&name("ffn_norm"), dimensions)?,
            gate: matrix(&weights.matrix(&name("ffn_gate"), hidden, dimensions)?, dimensions),
            up: matrix(&weights.matrix(&name("ffn_up"), hidden, dimensions)?, dimensions),
            down: matrix(&weights.matrix(&name("ffn_down"), dimensions, hidden)?, hidden),
        })
    }
}

fn matrix(weights: &[f32], columns: usize) -> Matrix {
    Matrix::new(weights.len() / columns, columns, |row, column| weights[row * columns + column], |_| 0.0)
}

/// How tokens from a position on are turned, as a panel: for each pair of numbers, the cosine and the sine of its angle.
fn turns_of(turns: &mut [f32], first: usize, turned: usize, base: f64) {
    let width = turns.len() / turned;
    for (pair, turns) in turns.chunks_exact_mut(2 * width).enumerate() {
        let speed = base.powf(-((2 * pair) as f64) / turned as f64);
        let (cosines, sines) = turns.split_at_mut(width);
        for (lane, (cosine, sine)) in cosines.iter_mut().zip(sines).enumerate() {
            let (exact_sine, exact_cosine) = ((first + lane) as f64 * speed).sin_cos();
            (*cosine, *sine) = (exact_cosine as f32, exact_sine as f32);
        }
    }
}

/// Turns the first numbers of each head, pair by pair, by the tokens' positions.
struct Turn<'a> {
    /// Panels of `rows` rows, whose first ones are those of the heads.
    values: &'a mut [f32],
    rows: usize,
    heads: usize,
    head: usize,
    /// Panels of `turned` rows: see [`turns_of`].
    turns: &'a [f32],
    turned: usize,
}

impl WithSimd for Turn<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let panels_of_turns = panels::<S>(self.turns).chunks_exact(self.turned);
        for (values, turns) in panels_mut::<S>(self.values).chunks_exact_mut(self.rows).zip(panels_of_turns) {
            for head in values.chunks_exact_mut(self.head).take(self.heads) {
                for (pair, turn) in head.as_chunks_mut::<2>().0.iter_mut().zip(turns.as_chunks::<2>().0) {
                    for half in 0..2 {
                        let [cosine, sine] = [turn[0][half], turn[1][half]];
                        let [left, right] = [pair[0][half], pair[1][half]];
                        pair[0][half] = simd.sub_f32s(simd.mul_f32s(left, cosine), simd.mul_f32s(right, sine));
                        pair[1][half] = simd.add_f32s(simd.mul_f32s(left, sine), simd.mul_f32s(right, cosine));
                    }
                }
            }
        }
    }
}

/// Brings each token's numbers to the same mean square.
struct Normalise<'a> {
    /// What each dimension is then multiplied with.
    scale: &'a [f32],
    epsilon: f32,
    values: &'a [f32],
    normed: &'a mut [f32],
}

impl WithSimd for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let size = self.scale.len();
        let share = simd.splat_f32s(1.0 / size as f32);
        let epsilon = simd.splat_f32s(self.epsilon);
        let normed = panels_mut::<S>(self.normed).chunks_exact_mut(size);
        for (values, normed) in panels::<S>(self.values).chunks_exact(size).zip(normed) {
            for half in 0..2 {
                let mut squares = simd.splat_f32s(0.0);
                for row in values {
                    squares = multiply_add(simd, row[half], row[half], squares);
                }
                let root = simd.sqrt_f32s(multiply_add(simd, squares, share, epsilon));
                for ((row, value), scale) in normed.iter_mut().zip(values).zip(self.scale) {
                    let value = simd.mul_f32s(value[half], simd.splat_f32s(*scale));
                    row[half] = simd.div_f32s(value, root);
                }
            }
        }
    }
}
