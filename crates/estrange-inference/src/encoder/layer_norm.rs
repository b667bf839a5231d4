//! Layer normalisation: each token's vector gets mean 0 and variance 1, then a scale and a shift per dimension.

use pulp::{Simd, WithSimd};

use crate::cpu::{Cpu, mul_add};

use super::linear::panels_mut;

/// A layer normalisation.
pub struct LayerNorm {
    /// The scale of each dimension.
    pub weight: Vec<f32>,
    /// The shift of each dimension.
    pub bias: Vec<f32>,
    /// What is added to the variance, so that it is never zero.
    pub epsilon: f32,
}

impl LayerNorm {
    /// Normalises every token of some panels.
    pub fn apply(&self, cpu: Cpu, values: &mut [f32]) {
        cpu.run(Operation { norm: self, values });
    }
}

struct Operation<'a> {
    norm: &'a LayerNorm,
    values: &'a mut [f32],
}

impl WithSimd for Operation<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let LayerNorm { weight, bias, epsilon } = self.norm;
        let share = simd.splat_f32s(1.0 / weight.len() as f32);
        for panel in panels_mut::<S>(self.values).chunks_exact_mut(weight.len()) {
            for half in 0..2 {
                let mut sum = simd.splat_f32s(0.0);
                for row in panel.iter() {
                    sum = simd.add_f32s(sum, row[half]);
                }
                let mean = simd.mul_f32s(sum, share);
                let mut squares = simd.splat_f32s(0.0);
                for row in panel.iter() {
                    let difference = simd.sub_f32s(row[half], mean);
                    squares = mul_add(simd, difference, difference, squares);
                }
                let variance = mul_add(simd, squares, share, simd.splat_f32s(*epsilon));
                let inverse_deviation = simd.div_f32s(simd.splat_f32s(1.0), simd.sqrt_f32s(variance));
                for ((row, weight), bias) in panel.iter_mut().zip(weight).zip(bias) {
                    let value = simd.mul_f32s(simd.sub_f32s(row[half], mean), inverse_deviation);
                    row[half] = mul_add(simd, value, simd.splat_f32s(*weight), simd.splat_f32s(*bias));
                }
            }
        }
    }
}
