//! What is done to the vectors of tokens between products: normalisation, rotation, activation, sums.

use pulp::{Simd, WithSimd};

use super::lanes::LANES;
use crate::cpu::{Cpu, times_sigmoid};

/// Scales each token's vector to a mean square of 1, then by a weight for each dimension.
pub fn rms_norm(cpu: Cpu, vectors: &[f32], weight: &[f32], epsilon: f32, output: &mut [f32]) {
    cpu.run(RmsNorm { vectors, weight, epsilon, output });
}

struct RmsNorm<'a> {
    vectors: &'a [f32],
    weight: &'a [f32],
    epsilon: f32,
    output: &'a mut [f32],
}

impl WithSimd for RmsNorm<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { vectors, weight, epsilon, output } = self;
        let length = weight.len();
        for (vector, output) in vectors.chunks_exact(length).zip(output.chunks_exact_mut(length)) {
            // Over sixteen lanes on every processor, so that all give the same bits.
            let mut squares = [0.0_f32; LANES];
            for values in vector.chunks(LANES) {
                for (square, value) in squares.iter_mut().zip(values) {
                    *square += value * value;
                }
            }
            let root = (squares.iter().sum::<f32>() / length as f32 + epsilon).sqrt();
            for ((output, value), weight) in output.iter_mut().zip(vector).zip(weight) {
                *output = value / root * weight;
            }
        }
    }
}

/// Rotary position embedding: rotates the first pairs of numbers of each head by the tokens' positions.
pub fn rope(cpu: Cpu, heads: &mut [f32], n_heads: usize, head_dim: usize, rotations: &[(f32, f32)]) {
    cpu.run(Rope { heads, n_heads, head_dim, rotations });
}

struct Rope<'a> {
    heads: &'a mut [f32],
    n_heads: usize,
    head_dim: usize,
    /// For each token, cosine and sine of each pair.
    rotations: &'a [(f32, f32)],
}

impl WithSimd for Rope<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { heads, n_heads, head_dim, rotations } = self;
        let row = n_heads * head_dim;
        let pairs = rotations.len() / (heads.len() / row);
        for (number, token) in heads.chunks_exact_mut(row).enumerate() {
            let rotations = &rotations[number * pairs..][..pairs];
            for head in token.chunks_exact_mut(head_dim) {
                for ([left, right], (cosine, sine)) in head.as_chunks_mut::<2>().0.iter_mut().zip(rotations) {
                    (*left, *right) = (*left * cosine - *right * sine, *left * sine + *right * cosine);
                }
            }
        }
    }
}

/// `gate · sigmoid(gate) · up`, in place of the gate.
pub fn swiglu(cpu: Cpu, gate: &mut [f32], up: &[f32]) {
    cpu.run(Swiglu { gate, up });
}

struct Swiglu<'a> {
    gate: &'a mut [f32],
    up: &'a [f32],
}

impl WithSimd for Swiglu<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let ((gates, gate_rest), (ups, up_rest)) = (S::as_mut_simd_f32s(self.gate), S::as_simd_f32s(self.up));
        for (gate, up) in gates.iter_mut().zip(ups) {
            *gate = times_sigmoid(simd, simd.mul_f32s(*gate, *up), *gate);
        }
        let (gate, up) = (simd.partial_load_f32s(gate_rest), simd.partial_load_f32s(up_rest));
        simd.partial_store_f32s(gate_rest, times_sigmoid(simd, simd.mul_f32s(gate, up), gate));
    }
}

/// Adds some numbers to others.
pub fn add(cpu: Cpu, numbers: &mut [f32], more: &[f32]) {
    cpu.run(Add { numbers, more });
}

struct Add<'a> {
    numbers: &'a mut [f32],
    more: &'a [f32],
}

impl WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (number, more) in self.numbers.iter_mut().zip(self.more) {
            *number += more;
        }
    }
}
