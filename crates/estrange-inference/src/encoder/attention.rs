//! Scaled dot-product attention of one head, for several texts at once.
//!
//! Queries of different tokens lie in the lanes of registers; keys and values are broadcast one after the other. So the
//! maximum and the sum of the softmax and the weighted values are found without adding up the lanes of a register. A
//! panel in which two texts meet is worked on for each of them, and only that text's lanes are stored.

use std::ops::Range;

use pulp::{Simd, WithSimd, bytemuck::cast_slice};

use super::linear::{panels, panels_mut};
use crate::cpu::{Cpu, exp, mul_add};

/// How many keys, or dimensions, are worked on together.
pub const GROUP: usize = 8;

/// One head's attention in all texts of a batch.
pub struct Attention<'a> {
    /// The head's dimensions: a multiple of [`GROUP`].
    pub head_dim: usize,
    /// Panels of `3 * head_dim` rows: queries, which are scaled already, then keys, then values.
    pub qkv: &'a [f32],
    /// Where each text's tokens are.
    pub texts: &'a [Range<usize>],
    /// Scratch for as many rows of a panel as the longest text has tokens.
    pub scores: &'a mut [f32],
    /// Panels of `output_rows` rows, into which the result goes.
    pub output: &'a mut [f32],
    /// How many rows they have.
    pub output_rows: usize,
    /// The first row of this head there.
    pub first_row: usize,
}

impl Attention<'_> {
    /// Computes it.
    pub fn apply(self, cpu: Cpu) {
        cpu.run(self);
    }
}

impl WithSimd for Attention<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { head_dim, qkv, texts, scores, output, output_rows, first_row } = self;
        let width = 2 * S::F32_LANES;
        let scores = panels_mut::<S>(scores);
        for text in texts {
            for panel in text.start / width..text.end.div_ceil(width) {
                let queries = &panels::<S>(qkv)[panel * 3 * head_dim..][..head_dim];
                dot_products(simd, queries, qkv, head_dim, text, scores);
                let total = softmax(simd, &mut scores[..text.len()]);
                let lanes = lanes_of(text, panel, width);
                for dimension in (0..head_dim).step_by(GROUP) {
                    let group = weighted_values(simd, &scores[..text.len()], qkv, head_dim, dimension, text);
                    for (row, sums) in group.iter().enumerate() {
                        let values = [simd.div_f32s(sums[0], total[0]), simd.div_f32s(sums[1], total[1])];
                        let values: &[f32] = cast_slice(&values);
                        let place =
                            &mut output[((panel * output_rows) + first_row + dimension + row) * width..][..width];
                        place[lanes.clone()].copy_from_slice(&values[lanes.clone()]);
                    }
                }
            }
        }
    }
}

/// Which lanes of a panel belong to a text.
#[inline(always)]
fn lanes_of(text: &Range<usize>, panel: usize, width: usize) -> Range<usize> {
    let first = panel * width;
    text.start.max(first) - first..text.end.min(first + width) - first
}

/// The products of a panel's queries with each key of a text.
#[inline(always)]
fn dot_products<S: Simd>(
    simd: S,
    queries: &[[S::f32s; 2]],
    qkv: &[f32],
    head_dim: usize,
    text: &Range<usize>,
    scores: &mut [[S::f32s; 2]],
) {
    let width = 2 * S::F32_LANES;
    for panel in text.start / width..text.end.div_ceil(width) {
        let keys = &qkv[(panel * 3 + 1) * head_dim * width..][..head_dim * width];
        let lanes = lanes_of(text, panel, width);
        for from in (lanes.start / GROUP * GROUP..lanes.end).step_by(GROUP) {
            let mut sums = [[simd.splat_f32s(0.0); 2]; GROUP];
            for (query, keys) in queries.iter().zip(keys.chunks_exact(width)) {
                for (sums, key) in sums.iter_mut().zip(&keys[from..from + GROUP]) {
                    let key = simd.splat_f32s(*key);
                    sums[0] = mul_add(simd, key, query[0], sums[0]);
                    sums[1] = mul_add(simd, key, query[1], sums[1]);
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

/// Makes softmax weights of scores, up to a divisor, which is returned.
#[inline(always)]
fn softmax<S: Simd>(simd: S, scores: &mut [[S::f32s; 2]]) -> [S::f32s; 2] {
    let mut max = [simd.splat_f32s(f32::NEG_INFINITY); 2];
    for score in scores.iter() {
        max[0] = simd.max_f32s(max[0], score[0]);
        max[1] = simd.max_f32s(max[1], score[1]);
    }
    let mut sum = [simd.splat_f32s(0.0); 2];
    for score in scores {
        for half in 0..2 {
            score[half] = exp(simd, simd.sub_f32s(score[half], max[half]));
            sum[half] = simd.add_f32s(sum[half], score[half]);
        }
    }
    sum
}

/// The sums of a text's values by the softmax weights of a panel's queries, in [`GROUP`] dimensions.
#[inline(always)]
fn weighted_values<S: Simd>(
    simd: S,
    weights: &[[S::f32s; 2]],
    qkv: &[f32],
    head_dim: usize,
    dimension: usize,
    text: &Range<usize>,
) -> [[S::f32s; 2]; GROUP] {
    let width = 2 * S::F32_LANES;
    let mut sums = [[simd.splat_f32s(0.0); 2]; GROUP];
    for panel in text.start / width..text.end.div_ceil(width) {
        let values = &qkv[((panel * 3 + 2) * head_dim + dimension) * width..][..GROUP * width];
        let lanes = lanes_of(text, panel, width);
        let weights = &weights[panel * width + lanes.start - text.start..][..lanes.len()];
        for (weight, lane) in weights.iter().zip(lanes) {
            for (row, sums) in sums.iter_mut().enumerate() {
                let value = simd.splat_f32s(values[row * width + lane]);
                sums[0] = mul_add(simd, value, weight[0], sums[0]);
                sums[1] = mul_add(simd, value, weight[1], sums[1]);
            }
        }
    }
    sums
}
