//! Causal attention with a KV cache.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::matrix::dot;
use crate::cpu::exp;

/// The keys and values of all tokens of one layer.
#[derive(Default)]
pub struct KvCache {
    /// Token by token; in each, head by head.
    pub keys: Vec<f32>,
    /// In the same order.
    pub values: Vec<f32>,
}

/// The attention of one token in all heads.
pub struct Attention<'a> {
    /// The token's query in each head, scaled.
    pub query: &'a [f32],
    /// The tokens that it attends to, itself included.
    pub cache: &'a KvCache,
    /// How many of them.
    pub length: usize,
    /// The dimensions of a head.
    pub head_dim: usize,
    /// How many heads of queries share a head of keys and values.
    pub group: usize,
    /// Where the result goes, head by head.
    pub output: &'a mut [f32],
}

impl WithSimd for Attention<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { query, cache, length, head_dim, group, output } = self;
        let row = query.len() / group;
        let mut scores = vec![0.0; length.next_multiple_of(S::F32_LANES)];
        let heads = query.chunks_exact(head_dim).zip(output.chunks_exact_mut(head_dim));
        for (head, (query, output)) in heads.enumerate() {
            let kv_head: Range<usize> = head / group * head_dim..(head / group + 1) * head_dim;
            for (score, key) in scores.iter_mut().zip(cache.keys.chunks_exact(row)).take(length) {
                *score = dot(query, &key[kv_head.clone()]);
            }
            let sum = softmax(simd, &mut scores, length);
            output.fill(0.0);
            for (weight, value) in scores.iter().zip(cache.values.chunks_exact(row)).take(length) {
                output.iter_mut().zip(&value[kv_head.clone()]).for_each(|(sum, value)| *sum += weight * value);
            }
            output.iter_mut().for_each(|value| *value /= sum);
        }
    }
}

/// Makes softmax weights of the first scores, up to a divisor, which is returned.
#[inline(always)]
fn softmax<S: Simd>(simd: S, scores: &mut [f32], length: usize) -> f32 {
    let max = scores[..length].iter().fold(f32::NEG_INFINITY, |max, score| max.max(*score));
    scores[length..].fill(f32::NEG_INFINITY);
    for scores in S::as_mut_simd_f32s(scores).0 {
        *scores = exp(simd, simd.sub_f32s(*scores, simd.splat_f32s(max)));
    }
    scores[..length].iter().sum()
}
