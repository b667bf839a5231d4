//! Causal attention with a KV cache.
//!
//! Keys lie in panels of sixteen tokens, dimension by dimension, so that the scores of a panel are computed beside each other;
//! values lie token by token. So nothing is added up across lanes but the weights, always over sixteen, and every processor
//! gives the same bits. Some queries are worked on together, and each key and value that is loaded is used for all of them.

use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use super::lanes::LANES;
use crate::cpu::{Cpu, exp, mul_add};

/// How many queries are worked on together.
const TOGETHER: usize = 8;

/// So many products are worth the start of another thread.
const SHARE: usize = 1 << 16;

/// The keys and values of all tokens of one layer.
pub struct KvCache {
    head_dim: usize,
    length: usize,
    heads: Vec<KvHead>,
}

/// Those of one head.
#[derive(Default)]
struct KvHead {
    /// Panel by panel; in each, dimension by dimension; in each, the keys of its tokens.
    keys: Vec<f32>,
    /// Token by token, filled up with zeros to a multiple of sixteen.
    values: Vec<f32>,
}

impl KvCache {
    /// Nothing yet.
    pub fn new(n_kv_heads: usize, head_dim: usize) -> Self {
        Self { head_dim, length: 0, heads: (0..n_kv_heads).map(|_| KvHead::default()).collect() }
    }

    /// Adds the keys and values of some tokens, token by token; in each, head by head.
    pub fn extend(&mut self, keys: &[f32], values: &[f32]) {
        let row = self.heads.len() * self.head_dim;
        for (keys, values) in keys.chunks_exact(row).zip(values.chunks_exact(row)) {
            let heads = keys.chunks_exact(self.head_dim).zip(values.chunks_exact(self.head_dim));
            let lane = self.length % LANES;
            for (head, (key, value)) in self.heads.iter_mut().zip(heads) {
                if lane == 0 {
                    head.keys.resize(head.keys.len() + self.head_dim * LANES, 0.0);
                }
                let panel = head.keys.len() - self.head_dim * LANES;
                for (place, number) in head.keys[panel..].chunks_exact_mut(LANES).zip(key) {
                    place[lane] = *number;
                }
                head.values.extend_from_slice(value);
                head.values.resize(head.values.len().next_multiple_of(LANES), 0.0);
            }
            self.length += 1;
        }
    }
}

/// The attention of some tokens that follow one another, in all heads.
pub struct Attention<'a> {
    /// The keys and values of these tokens and those before them.
    pub cache: &'a KvCache,
    /// How many tokens are before the first of these.
    pub before: usize,
    /// How many heads of queries share a head of keys and values.
    pub group: usize,
    /// The queries, token by token; in each, head by head; scaled.
    pub queries: &'a [f32],
    /// Where the result goes, in the same order.
    pub output: &'a mut [f32],
}

impl Attention<'_> {
    /// Computes it, by several threads if there is only one token.
    pub fn compute(self, cpu: Cpu, scratch: &mut Vec<Scratch>) {
        let Self { cache, before, group, queries, output } = self;
        scratch.resize_with(cache.heads.len(), Scratch::default);
        let (columns, width) = (group * cache.head_dim, cache.heads.len() * group * cache.head_dim);
        if queries.len() == width {
            let heads = cache.heads.par_iter().zip(scratch).zip(output.par_chunks_exact_mut(columns));
            let heads = heads.zip(queries.par_chunks_exact(columns));
            let at_once = SHARE.div_ceil(before * columns + 1);
            heads.with_min_len(at_once).for_each(|(((head, scratch), output), queries)| {
                cpu.run(OneHead {
                    head,
                    head_dim: cache.head_dim,
                    before,
                    group,
                    queries,
                    width: columns,
                    output,
                    scratch,
                });
            });
            return;
        }
        for (number, (head, scratch)) in cache.heads.iter().zip(scratch).enumerate() {
            let (queries, output) = (&queries[number * columns..], &mut output[number * columns..]);
            cpu.run(OneHead { head, head_dim: cache.head_dim, before, group, queries, width, output, scratch });
        }
    }
}

/// What is computed in between.
#[derive(Default)]
pub struct Scratch {
    /// The queries that are worked on: for each dimension, those of all of them.
    queries: Vec<f32>,
    /// Their weights, query by query.
    weights: Vec<f32>,
    /// The same, token by token.
    beside: Vec<f32>,
}

/// The attention of some tokens in one head of keys and values.
struct OneHead<'a> {
    head: &'a KvHead,
    head_dim: usize,
    before: usize,
    group: usize,
    queries: &'a [f32],
    /// How far a token's queries are from those of the next one.
    width: usize,
    output: &'a mut [f32],
    scratch: &'a mut Scratch,
}

impl WithSimd for OneHead<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let tokens = self.queries.len().div_ceil(self.width);
        let count = tokens * self.group;
        let mut first = 0;
        while first < count {
            if count - first == 1 {
                self.some::<S, 1>(simd, first);
                first += 1;
            } else if S::REGISTER_COUNT >= 32 && count - first > TOGETHER / 2 {
                self.some::<S, TOGETHER>(simd, first);
                first += TOGETHER;
            } else {
                self.some::<S, { TOGETHER / 2 }>(simd, first);
                first += TOGETHER / 2;
            }
        }
    }
}

impl OneHead<'_> {
    /// Computes it for `N` queries from one on, or those that there are: token by token, and in each, head by head.
    #[inline(always)]
    fn some<S: Simd, const N: usize>(&mut self, simd: S, first: usize) {
        let Self { head, head_dim, before, group, queries, width, ref mut output, ref mut scratch } = *self;
        let count = (queries.len().div_ceil(width) * group - first).min(N);
        let tokens = before + (first + count - 1) / group + 1;
        let panels = tokens.div_ceil(LANES);
        let Scratch { queries: together, weights, beside } = &mut **scratch;
        together.resize(head_dim * N, 0.0);
        weights.resize(N * panels * LANES, 0.0);
        for (number, query) in (first..first + count).enumerate() {
            let query = &queries[query / group * width + query % group * head_dim..][..head_dim];
            for (place, value) in together.chunks_exact_mut(N).zip(query) {
                place[number] = *value;
            }
        }
        let dimensions = together.as_chunks::<N>().0;
        for (panel, keys) in head.keys.chunks_exact(head_dim * LANES).take(panels).enumerate() {
            scores::<S, N>(simd, dimensions, keys, weights, panels * LANES, panel * LANES);
        }
        let mut sums = [1.0; N];
        for (number, (weights, sum)) in weights.chunks_exact_mut(panels * LANES).zip(&mut sums).take(count).enumerate()
        {
            *sum = softmax(simd, weights, before + (first + number) / group + 1);
        }
        beside.resize(tokens * N, 0.0);
        let beside = beside.as_chunks_mut::<N>().0;
        for (number, weights) in weights.chunks_exact(panels * LANES).enumerate() {
            for (beside, weight) in beside.iter_mut().zip(weights) {
                beside[number] = *weight;
            }
        }
        let row = head_dim.next_multiple_of(LANES);
        let values = S::as_simd_f32s(&head.values[..tokens * row]).0;
        let registers = row / S::F32_LANES;
        let mut place = 0;
        while place < head_dim {
            let register = place / S::F32_LANES;
            let mut totals = [[0.0; 2 * LANES]; N];
            if register + 2 <= registers {
                keep::<S, N, 2>(simd, mix(simd, beside, values, registers, register), sums, &mut totals);
            } else {
                keep::<S, N, 1>(simd, mix(simd, beside, values, registers, register), sums, &mut totals);
            }
            let end = head_dim.min(place + 2 * S::F32_LANES);
            for (number, totals) in totals.iter().take(count).enumerate() {
                let query = first + number;
                let output = &mut output[query / group * width + query % group * head_dim..][place..end];
                output.copy_from_slice(&totals[..end - place]);
            }
            place = end;
        }
    }
}

/// Divides each sum and stores it.
#[inline(always)]
fn keep<S: Simd, const N: usize, const R: usize>(
    simd: S,
    totals: [[S::f32s; R]; N],
    divisors: [f32; N],
    stored: &mut [[f32; 2 * LANES]; N],
) {
    for ((totals, divisor), stored) in totals.into_iter().zip(divisors).zip(stored) {
        for (total, stored) in totals.into_iter().zip(S::as_mut_simd_f32s(stored).0) {
            *stored = simd.div_f32s(total, simd.splat_f32s(divisor));
        }
    }
}

/// The scores of a panel's tokens for some queries.
#[inline(always)]
fn scores<S: Simd, const N: usize>(
    simd: S,
    dimensions: &[[f32; N]],
    keys: &[f32],
    weights: &mut [f32],
    row: usize,
    place: usize,
) {
    let registers = LANES / S::F32_LANES;
    let keys = S::as_simd_f32s(keys).0;
    for register in 0..registers {
        let mut sums = [simd.splat_f32s(0.0); N];
        for (queries, keys) in dimensions.iter().zip(keys.chunks_exact(registers)) {
            let keys = keys[register];
            for (sum, query) in sums.iter_mut().zip(queries) {
                *sum = mul_add(simd, simd.splat_f32s(*query), keys, *sum);
            }
        }
        for (weights, sum) in weights.chunks_exact_mut(row).zip(sums) {
            S::as_mut_simd_f32s(&mut weights[place + register * S::F32_LANES..]).0[0] = sum;
        }
    }
}

/// The sums of the values of all tokens, each with its weights, in `R` registers from one on.
#[inline(always)]
fn mix<S: Simd, const N: usize, const R: usize>(
    simd: S,
    weights: &[[f32; N]],
    values: &[S::f32s],
    registers: usize,
    register: usize,
) -> [[S::f32s; R]; N] {
    let mut totals = [[simd.splat_f32s(0.0); R]; N];
    for (weights, values) in weights.iter().zip(values.chunks_exact(registers)) {
        let values = &values[register..][..R];
        for (totals, weight) in totals.iter_mut().zip(weights) {
            let weight = simd.splat_f32s(*weight);
            for (total, value) in totals.iter_mut().zip(values) {
                *total = mul_add(simd, weight, *value, *total);
            }
        }
    }
    totals
}

/// Makes softmax weights of the first scores and nothing of the others, up to a divisor, which is returned.
#[inline(always)]
fn softmax<S: Simd>(simd: S, scores: &mut [f32], length: usize) -> f32 {
    let mut largest = [f32::NEG_INFINITY; LANES];
    let (sixteens, rest) = scores[..length].as_chunks::<LANES>();
    for scores in sixteens {
        for (largest, score) in largest.iter_mut().zip(scores) {
            *largest = if *score > *largest { *score } else { *largest };
        }
    }
    for (largest, score) in largest.iter_mut().zip(rest) {
        *largest = if *score > *largest { *score } else { *largest };
    }
    let mut max = f32::NEG_INFINITY;
    for largest in largest {
        max = if largest > max { largest } else { max };
    }
    for scores in S::as_mut_simd_f32s(scores).0 {
        *scores = exp(simd, simd.sub_f32s(*scores, simd.splat_f32s(max)));
    }
    scores[length..].fill(0.0);
    let mut sums = [0.0; LANES];
    for scores in scores.as_chunks::<LANES>().0 {
        for (sum, score) in sums.iter_mut().zip(scores) {
            *sum += score;
        }
    }
    let mut total = 0.0;
    for sum in sums {
        total += sum;
    }
    total
}
