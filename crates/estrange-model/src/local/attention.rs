//! Attention: each token takes from all tokens of its text what it asks for.
//!
//! Tokens that ask lie beside each other in registers, as everywhere; those that are asked come one after the other. So
//! the largest score of a token, the sum of its weights and what it takes are all found without any token's numbers
//! meeting another's. A panel in which two texts meet is worked on for each of them, and each time only its tokens are
//! kept.

use std::ops::Range;

use pulp::{Simd, WithSimd, bytemuck::cast_slice};

use super::{
    machine::{Machine, exponential, multiply_add},
    matrix::{panels, panels_mut},
};

/// How many keys, or dimensions, are worked on together.
pub const GROUP: usize = 8;

/// One head's attention in all texts of a chunk.
pub struct Attention<'a> {
    /// The head's dimensions: a multiple of [`GROUP`].
    pub size: usize,
    /// Panels of three times `size` rows: what tokens ask, what they answer to, what they give. The first are scaled.
    pub asked: &'a [f32],
    /// Where each text's tokens are.
    pub texts: &'a [Range<usize>],
    /// Room for as many rows of a panel as the longest text has tokens.
    pub scores: &'a mut [f32],
    /// Panels of `rows` rows, into which what was taken goes.
    pub taken: &'a mut [f32],
    /// How many rows they have.
    pub rows: usize,
    /// The first row of this head.
    pub first: usize,
}

impl Attention<'_> {
    /// Computes it.
    pub fn apply(self, machine: Machine) {
        machine.run(self);
    }
}

impl WithSimd for Attention<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { size, asked, texts, scores, taken, rows, first } = self;
        let width = 2 * S::F32_LANES;
        let scores = panels_mut::<S>(scores);
        for text in texts {
            for panel in text.start / width..text.end.div_ceil(width) {
                let queries = &panels::<S>(asked)[panel * 3 * size..][..size];
                score(simd, queries, asked, size, text, scores);
                let total = weigh(simd, &mut scores[..text.len()]);
                let lanes = inside(text, panel, width);
                for dimension in (0..size).step_by(GROUP) {
                    let group = take(simd, &scores[..text.len()], asked, size, dimension, text);
                    for (row, sums) in group.iter().enumerate() {
                        let values = [simd.div_f32s(sums[0], total[0]), simd.div_f32s(sums[1], total[1])];
                        let values: &[f32] = cast_slice(&values);
                        let place = &mut taken[((panel * rows) + first + dimension + row) * width..][..width];
                        place[lanes.clone()].copy_from_slice(&values[lanes.clone()]);
                    }
                }
            }
        }
    }
}

/// Which tokens of a panel belong to a text.
#[inline(always)]
fn inside(text: &Range<usize>, panel: usize, width: usize) -> Range<usize> {
    let first = panel * width;
    text.start.max(first) - first..text.end.min(first + width) - first
}

/// How much each token of a panel wants of each token of a text.
#[inline(always)]
fn score<S: Simd>(
    simd: S,
    queries: &[[S::f32s; 2]],
    asked: &[f32],
    size: usize,
    text: &Range<usize>,
    scores: &mut [[S::f32s; 2]],
) {
    let width = 2 * S::F32_LANES;
    for panel in text.start / width..text.end.div_ceil(width) {
        let keys = &asked[(panel * 3 + 1) * size * width..][..size * width];
        let lanes = inside(text, panel, width);
        for from in (lanes.start / GROUP * GROUP..lanes.end).step_by(GROUP) {
            let mut sums = [[simd.splat_f32s(0.0); 2]; GROUP];
            for (query, keys) in queries.iter().zip(keys.chunks_exact(width)) {
                for (sums, key) in sums.iter_mut().zip(&keys[from..from + GROUP]) {
                    let key = simd.splat_f32s(*key);
                    sums[0] = multiply_add(simd, key, query[0], sums[0]);
                    sums[1] = multiply_add(simd, key, query[1], sums[1]);
                }
            }
            for (lane, sums) in (from..).zip(sums) {
                if lanes.contains(&lane) {
                    scores[panel * width + lane - text.start] = sums;
                }
            }
        }
    }
}

/// Makes weights of scores, up to a factor, which is the sum that is returned.
#[inline(always)]
pub fn weigh<S: Simd>(simd: S, scores: &mut [[S::f32s; 2]]) -> [S::f32s; 2] {
    let mut most = [simd.splat_f32s(f32::NEG_INFINITY); 2];
    for score in scores.iter() {
        most[0] = simd.max_f32s(most[0], score[0]);
        most[1] = simd.max_f32s(most[1], score[1]);
    }
    let mut sum = [simd.splat_f32s(0.0); 2];
    for score in scores {
        for half in 0..2 {
            score[half] = exponential(simd, simd.sub_f32s(score[half], most[half]));
            sum[half] = simd.add_f32s(sum[half], score[half]);
        }
    }
    sum
}

/// What the tokens of a panel get, by their weights, in some dimensions.
#[inline(always)]
fn take<S: Simd>(
    simd: S,
    weights: &[[S::f32s; 2]],
    asked: &[f32],
    size: usize,
    dimension: usize,
    text: &Range<usize>,
) -> [[S::f32s; 2]; GROUP] {
    let width = 2 * S::F32_LANES;
    let mut sums = [[simd.splat_f32s(0.0); 2]; GROUP];
    for panel in text.start / width..text.end.div_ceil(width) {
        let given = &asked[((panel * 3 + 2) * size + dimension) * width..][..GROUP * width];
        let lanes = inside(text, panel, width);
        let weights = &weights[panel * width + lanes.start - text.start..][..lanes.len()];
        for (weight, lane) in weights.iter().zip(lanes) {
            for (row, sums) in sums.iter_mut().enumerate() {
                let value = simd.splat_f32s(given[row * width + lane]);
                sums[0] = multiply_add(simd, value, weight[0], sums[0]);
                sums[1] = multiply_add(simd, value, weight[1], sums[1]);
            }
        }
    }
    sums
}
