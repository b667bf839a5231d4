//! Attention in a text that grows: each token takes from itself and from the tokens before it what it asks for.
//!
//! As in [`crate::local`], tokens that ask lie beside each other in registers, and those that are asked come one after
//! the other. What these answer to and give is remembered from one piece of the text to the next.

use pulp::{Simd, WithSimd, bytemuck::cast_slice_mut};

use crate::local::{
    attention::{GROUP, weigh},
    machine::multiply_add,
    matrix::{panels, panels_mut},
};

/// What the tokens of a text answer to and give in one layer.
pub struct Memory {
    /// How many numbers a token has in a head: a multiple of [`GROUP`].
    size: usize,
    /// How many tokens there is room for: a multiple of [`GROUP`].
    room: usize,
    /// What tokens answer to, head by head; in each, [`GROUP`] by group; in each, the group's numbers of a dimension beside
    /// each other.
    keys: Vec<f32>,
    /// What tokens give, head by head; in each, token by token.
    given: Vec<f32>,
}

impl Memory {
    /// Room for so many tokens, and for as many more as a panel may have beyond the last.
    pub fn new(heads: usize, size: usize, tokens: usize, width: usize) -> Self {
        let room = (tokens + width).next_multiple_of(GROUP);
        Self { size, room, keys: vec![0.0; heads * size * room], given: vec![0.0; heads * size * room] }
    }

    /// Remembers the tokens of some panels, which have `rows` rows each: first what tokens ask, then `keys` rows of what
    /// they answer to, then as many of what they give.
    pub fn remember(&mut self, asked: &[f32], rows: usize, keys: usize, width: usize, first: usize, tokens: usize) {
        let start = rows - 2 * keys;
        for token in 0..tokens {
            let column = token / width * rows * width + token % width;
            let position = first + token;
            for row in 0..keys {
                let (head, dimension) = (row / self.size * self.room * self.size, row % self.size);
                let key = head + (position / GROUP * self.size + dimension) * GROUP + position % GROUP;
                self.keys[key] = asked[column + (start + row) * width];
                self.given[head + position * self.size + dimension] = asked[column + (start + keys + row) * width];
            }
        }
    }
}

/// One head's attention.
pub struct Attention<'a> {
    /// All tokens so far, those that ask among them.
    pub memory: &'a Memory,
    /// Whose keys are asked.
    pub key_head: usize,
    /// Panels of `asked_rows` rows with what tokens ask, scaled, from row `first_row` on.
    pub asked: &'a [f32],
    /// How many rows they have.
    pub asked_rows: usize,
    /// The head's first row, there and in what is taken.
    pub first_row: usize,
    /// The position of the first token that asks.
    pub first: usize,
    /// Room for as many rows of a panel as there is room for tokens.
    pub scores: &'a mut [f32],
    /// Panels into which what was taken goes.
    pub taken: &'a mut [f32],
    /// How many rows they have.
    pub taken_rows: usize,
}

impl WithSimd for Attention<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { memory, key_head, asked, asked_rows, first_row, first, scores, taken, taken_rows } = self;
        let Memory { size, room, .. } = *memory;
        let width = 2 * S::F32_LANES;
        let keys = &memory.keys[key_head * room * size..][..room * size];
        let given = &memory.given[key_head * room * size..][..room * size];
        let panels = panels::<S>(asked).chunks_exact(asked_rows);
        let taken = panels_mut::<S>(taken).chunks_exact_mut(taken_rows);
        for (number, (asked, taken)) in panels.zip(taken).enumerate() {
            let position = first + number * width;
            let count = (position + width).next_multiple_of(GROUP).min(room);
            let scores = &mut panels_mut::<S>(scores)[..count];
            score(simd, &asked[first_row..first_row + size], &keys[..count * size], scores);
            for (ahead, score) in scores[position..].iter_mut().enumerate() {
                let lanes: &mut [f32] = cast_slice_mut(score);
                lanes[..ahead.min(width)].fill(f32::NEG_INFINITY);
            }
            let total = weigh(simd, scores);
            for dimension in (0..size).step_by(GROUP) {
                let sums = take(simd, scores, &given[..count * size], size, dimension);
                for (taken, sums) in taken[first_row + dimension..].iter_mut().zip(sums) {
                    *taken = [simd.div_f32s(sums[0], total[0]), simd.div_f32s(sums[1], total[1])];
                }
            }
        }
    }
}

/// How much each token of a panel wants of each token of the text.
#[inline(always)]
fn score<S: Simd>(simd: S, queries: &[[S::f32s; 2]], keys: &[f32], scores: &mut [[S::f32s; 2]]) {
    let size = queries.len();
    for (keys, scores) in keys.chunks_exact(GROUP * size).zip(scores.chunks_exact_mut(GROUP)) {
        let mut sums = [[simd.splat_f32s(0.0); 2]; GROUP];
        for (query, keys) in queries.iter().zip(keys.as_chunks::<GROUP>().0) {
            for (key, sums) in keys.iter().zip(&mut sums) {
                let key = simd.splat_f32s(*key);
                sums[0] = multiply_add(simd, key, query[0], sums[0]);
                sums[1] = multiply_add(simd, key, query[1], sums[1]);
            }
        }
        scores.copy_from_slice(&sums);
    }
}

/// What the tokens of a panel get, by their weights, in some dimensions.
#[inline(always)]
fn take<S: Simd>(
    simd: S,
    weights: &[[S::f32s; 2]],
    given: &[f32],
    size: usize,
    dimension: usize,
) -> [[S::f32s; 2]; GROUP] {
    let mut sums = [[simd.splat_f32s(0.0); 2]; GROUP];
    let given = given.as_chunks::<GROUP>().0.iter().skip(dimension / GROUP).step_by(size / GROUP);
    for (weight, given) in weights.iter().zip(given) {
        for (sums, value) in sums.iter_mut().zip(given) {
            let value = simd.splat_f32s(*value);
            sums[0] = multiply_add(simd, value, weight[0], sums[0]);
            sums[1] = multiply_add(simd, value, weight[1], sums[1]);
        }
    }
    sums
}
