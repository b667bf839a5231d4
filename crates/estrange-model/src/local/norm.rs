//! Layer normalisation: each token's numbers get the same mean and spread.

use pulp::{Simd, WithSimd};

use super::{
    machine::{Machine, multiply_add},
    matrix::panels_mut,
};

/// A layer normalisation.
pub struct Norm {
    /// What each dimension is multiplied with.
    pub scale: Vec<f32>,
    /// What is then added to it.
    pub shift: Vec<f32>,
    /// What is added to the variance, so that it is never zero.
    pub epsilon: f32,
}

impl Norm {
    /// Normalises every token of some panels.
    pub fn apply(&self, machine: Machine, values: &mut [f32]) {
        machine.run(Normalise { norm: self, values });
    }
}

struct Normalise<'a> {
    norm: &'a Norm,
    values: &'a mut [f32],
}

impl WithSimd for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Norm { scale, shift, epsilon } = self.norm;
        let share = simd.splat_f32s(1.0 / scale.len() as f32);
        for panel in panels_mut::<S>(self.values).chunks_exact_mut(scale.len()) {
            for half in 0..2 {
                let mut sum = simd.splat_f32s(0.0);
                for row in panel.iter() {
                    sum = simd.add_f32s(sum, row[half]);
                }
                let mean = simd.mul_f32s(sum, share);
                let mut squares = simd.splat_f32s(0.0);
                for row in panel.iter() {
                    let difference = simd.sub_f32s(row[half], mean);
                    squares = multiply_add(simd, difference, difference, squares);
                }
                let variance = multiply_add(simd, squares, share, simd.splat_f32s(*epsilon));
                let factor = simd.div_f32s(simd.splat_f32s(1.0), simd.sqrt_f32s(variance));
                for ((row, scale), shift) in panel.iter_mut().zip(scale).zip(shift) {
                    let value = simd.mul_f32s(simd.sub_f32s(row[half], mean), factor);
                    row[half] = multiply_add(simd, value, simd.splat_f32s(*scale), simd.splat_f32s(*shift));
                }
            }
        }
    }
}
