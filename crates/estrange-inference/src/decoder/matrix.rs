//! Products of quantised matrices with the vectors of tokens, in integers.
//!
//! The vectors are rounded to 15 bits, by blocks of 32 with a scale each; the weights are unpacked to 16 bits row by row
//! and used for all tokens. So a product is a sum of exact integer dot products, one a block, times two scales. Every
//! processor gives the same bits: sums of floating-point numbers are over eight lanes everywhere.

use std::ops::Range;
use std::sync::Arc;

use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use super::quantized::{BLOCK, Blocks, Dtype, round};
use crate::cpu::Cpu;

/// Over how many lanes floating-point numbers are summed up.
const LANES: usize = 8;

/// How many tokens are multiplied with a row together: their sums do not wait for each other.
const AT_ONCE: usize = 4;

/// A product of so many numbers is worth the start of another thread.
const SHARE: usize = 1 << 18;

/// A matrix in a file that was read.
pub struct Matrix {
    /// The whole file.
    pub file: Arc<Vec<u8>>,
    /// Where in it the matrix is.
    pub range: Range<usize>,
    /// Its element type.
    pub dtype: Dtype,
    /// How many rows it has.
    pub rows: usize,
    /// How many columns it has.
    pub columns: usize,
}

/// The vectors of some tokens, rounded for multiplication.
pub struct Rounded {
    tokens: usize,
    blocks_per_token: usize,
    quants: Vec<[i16; BLOCK]>,
    scales: Vec<f32>,
    /// The sum of each block's numbers, for matrices whose blocks have minimums.
    sums: Vec<f32>,
}

impl Rounded {
    /// Rounds vectors of one length.
    pub fn new(vectors: &[f32], length: usize) -> Self {
        let tokens = vectors.len() / length;
        let blocks_per_token = length.div_ceil(BLOCK);
        let mut quants = vec![[0; BLOCK]; tokens * blocks_per_token];
        let blocks = vectors.chunks_exact(length).flat_map(|vector| vector.chunks(BLOCK));
        let scales: Vec<f32> = blocks.zip(&mut quants).map(|(block, quants)| round(block, quants)).collect();
        let sum = |(quants, scale): (&[i16; BLOCK], &f32)| {
            scale * quants.iter().map(|quant| i32::from(*quant)).sum::<i32>() as f32
        };
        let sums = quants.iter().zip(&scales).map(sum).collect();
        Self { tokens, blocks_per_token, quants, scales, sums }
    }
}

impl Matrix {
    /// The products with some vectors, one after the other.
    pub fn forward(&self, cpu: Cpu, vectors: &Rounded) -> Vec<f32> {
        let tokens = vectors.tokens;
        // Row by row of the matrix; in each, token by token.
        let mut products = vec![0.0; self.rows * tokens];
        let rows_at_once = SHARE.div_ceil(self.columns * tokens);
        products.par_chunks_mut(rows_at_once * tokens).enumerate().for_each(|(chunk, products)| {
            let first_row = chunk * rows_at_once;
            #[cfg(target_arch = "x86_64")]
            if let Some(kernel) = cpu.v3() {
                return Simd::vectorize(kernel, Rows { kernel, matrix: self, vectors, first_row, products });
            }
            cpu.run(Rows { kernel: Portable, matrix: self, vectors, first_row, products });
        });
        if tokens == 1 {
            return products;
        }
        let mut transposed = vec![0.0; products.len()];
        for (row, products) in products.chunks_exact(tokens).enumerate() {
            transposed[row..].iter_mut().step_by(self.rows).zip(products).for_each(|(to, from)| *to = *from);
        }
        transposed
    }

    /// One row's numbers.
    pub fn row(&self, row: usize) -> Vec<f32> {
        let mut blocks = Blocks::zeros(self.columns);
        self.dtype.unpack(self.row_bytes(row), &mut blocks);
        blocks.values().take(self.columns).collect()
    }

    fn row_bytes(&self, row: usize) -> &[u8] {
        let length = self.range.len() / self.rows;
        &self.file[self.range.clone()][row * length..][..length]
    }
}

/// The products of some rows, row by row; in each, token by token.
struct Rows<'a, K> {
    kernel: K,
    matrix: &'a Matrix,
    vectors: &'a Rounded,
    first_row: usize,
    products: &'a mut [f32],
}

impl<K: Kernel> WithSimd for Rows<'_, K> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { kernel, matrix, vectors, first_row, products } = self;
        let mut row = Blocks::zeros(matrix.columns);
        for (number, products) in products.chunks_exact_mut(vectors.tokens).enumerate() {
            matrix.dtype.unpack(matrix.row_bytes(first_row + number), &mut row);
            let (groups, rest) = products.as_chunks_mut::<AT_ONCE>();
            for (group, products) in groups.iter_mut().enumerate() {
                kernel.dots(&row, vectors, group * AT_ONCE, products);
            }
            for (token, product) in rest.iter_mut().enumerate() {
                kernel.dots(&row, vectors, groups.len() * AT_ONCE + token, std::array::from_mut(product));
            }
            if matrix.dtype.has_min() {
                for (sums, product) in vectors.sums.chunks_exact(vectors.blocks_per_token).zip(products) {
                    *product += dot(sums, &row.mins);
                }
            }
        }
    }
}

/// The dot product of two vectors of one length.
#[inline(always)]
pub fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let ((left, left_rest), (right, right_rest)) = (left.as_chunks::<LANES>(), right.as_chunks::<LANES>());
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    for (sum, (left, right)) in sums.iter_mut().zip(left_rest.iter().zip(right_rest)) {
        *sum += left * right;
    }
    sums.iter().sum()
}

/// The dot products of a row, but for its minimums, with the vectors of some tokens: for each block, each lane gets four
/// products.
trait Kernel {
    fn dots<const N: usize>(&self, row: &Blocks, vectors: &Rounded, first_token: usize, products: &mut [f32; N]);
}

/// What any processor can do.
struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn dots<const N: usize>(&self, row: &Blocks, vectors: &Rounded, first_token: usize, products: &mut [f32; N]) {
        for (token, result) in (first_token..).zip(products) {
            let mut sums = [0.0; LANES];
            for (block, (weights, weight_scale)) in row.quants.iter().zip(&row.scales).enumerate() {
                let place = token * vectors.blocks_per_token + block;
                let quants = &vectors.quants[place];
                let scale = weight_scale * vectors.scales[place];
                let product = |at: usize| i32::from(weights[at]) * i32::from(quants[at]);
                for (lane, sum) in sums.iter_mut().enumerate() {
                    let [first, second] = [2 * lane, BLOCK / 2 + 2 * lane].map(|at| product(at) + product(at + 1));
                    *sum += (first + second) as f32 * scale;
                }
            }
            *result = sums.iter().sum();
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Kernel for pulp::x86::V3 {
    #[inline(always)]
    fn dots<const N: usize>(&self, row: &Blocks, vectors: &Rounded, first_token: usize, products: &mut [f32; N]) {
        use std::arch::x86_64::__m256i;
        let (avx, avx2) = (self.avx, self.avx2);
        let mut sums = [avx._mm256_setzero_ps(); N];
        // No closure here: a function without these instructions in between would keep them from being inlined.
        for (block, (weights, weight_scale)) in row.quants.iter().zip(&row.scales).enumerate() {
            let weights: [__m256i; 2] = pulp::cast(*weights);
            for (token, sum) in sums.iter_mut().enumerate() {
                let place = (first_token + token) * vectors.blocks_per_token + block;
                let quants: [__m256i; 2] = pulp::cast(vectors.quants[place]);
                let first = avx2._mm256_madd_epi16(weights[0], quants[0]);
                let second = avx2._mm256_madd_epi16(weights[1], quants[1]);
                let pairs = avx._mm256_cvtepi32_ps(avx2._mm256_add_epi32(first, second));
                let scale = avx._mm256_set1_ps(weight_scale * vectors.scales[place]);
                *sum = avx._mm256_add_ps(*sum, avx._mm256_mul_ps(pairs, scale));
            }
        }
        for (product, sum) in products.iter_mut().zip(sums) {
            let lanes: [f32; LANES] = pulp::cast(sum);
            *product = lanes.iter().sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_processor_gives_the_same_bits() {
        let (rows, columns) = (3, 512);
        let noise = |at: usize| ((at * 2_654_435_761) >> 13) as u8 & 0x7b | 0x10;
        for dtype in [Dtype::Q4_0, Dtype::Q4_1, Dtype::Q5_0, Dtype::Q8_0, Dtype::Q4K, Dtype::Q5K, Dtype::Q6K] {
            let length = dtype.length(rows * columns).expect("whole blocks");
            let file = Arc::new((0..length).map(noise).collect::<Vec<u8>>());
            let matrix = Matrix { file, range: 0..length, dtype, rows, columns };
            let vectors: Vec<f32> = (0..7 * columns).map(|at| (at * 7919 % 1000) as f32 / 500.0 - 1.0).collect();
            let rounded = Rounded::new(&vectors, columns);
            let portable = matrix.forward(Cpu::plain(), &rounded);
            for cpu in Cpu::all() {
                assert_eq!(matrix.forward(cpu, &rounded), portable, "{dtype:?} on {cpu:?}");
            }
            // A token alone and among others has the same product.
            let alone = matrix.forward(Cpu::detect(), &Rounded::new(&vectors[..columns], columns));
            assert_eq!(alone, portable[..rows], "{dtype:?}");
        }
    }
}
