//! Matrices of weights, and their products with the values of many tokens.
//!
//! The values of tokens lie in **panels**: as many tokens beside each other as two registers hold, one row for each
//! dimension. A product with a matrix has the same shape again, so nothing is ever put into another order, and where one
//! text ends and the next begins makes no difference to it: no token is wasted on padding.

use pulp::{Simd, WithSimd};

use super::{
    aligned::Aligned,
    machine::{Activation, Machine, multiply_add},
};

/// How many rows of a matrix are worked on together. Twice as many registers hold their sums; of the 32 that AVX-512
/// has, that leaves enough for what goes into them.
const TILE: usize = 12;

/// A matrix with what is added to each row's product, packed for multiplication.
pub struct Matrix {
    rows: usize,
    columns: usize,
    /// Tile by tile; in each, column by column; in each, the numbers of the tile's rows. The last tile is filled with
    /// rows of zeros.
    packed: Aligned,
    bias: Vec<f32>,
}

/// What becomes of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Into {
    /// It replaces what was there.
    Place,
    /// It replaces what was there, after this function.
    Activated(Activation),
    /// It is added to what was there.
    Sum,
    /// It is multiplied with what was there.
    Product,
}

impl Matrix {
    /// Packs a matrix that is given by its numbers.
    pub fn new(rows: usize, columns: usize, weight: impl Fn(usize, usize) -> f32, bias: impl Fn(usize) -> f32) -> Self {
        let tiles = rows.div_ceil(TILE);
        let mut packed = Aligned::zeros(tiles * TILE * columns);
        let mut biases = vec![0.0; tiles * TILE];
        for row in 0..rows {
            biases[row] = bias(row);
            let tile = &mut packed[row / TILE * TILE * columns..][..TILE * columns];
            for column in 0..columns {
                tile[column * TILE + row % TILE] = weight(row, column);
            }
        }
        Self { rows, columns, packed, bias: biases }
    }

    /// The numbers in each token's product.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Multiplies panels with as many rows as this has columns; the result is panels with as many rows as this.
    pub fn multiply(&self, machine: Machine, input: &[f32], output: &mut [f32], into: Into) {
        machine.run(Product { matrix: self, input, output, into, few: false });
    }

    /// As [`Self::multiply`], where only the first half of each panel's tokens counts. The others' products are anything.
    pub fn multiply_few(&self, machine: Machine, input: &[f32], output: &mut [f32], into: Into) {
        machine.run(Product { matrix: self, input, output, into, few: true });
    }
}

struct Product<'a> {
    matrix: &'a Matrix,
    input: &'a [f32],
    output: &'a mut [f32],
    into: Into,
    few: bool,
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Matrix { rows, columns, packed, bias } = self.matrix;
        let (input, output) = (panels::<S>(self.input), panels_mut::<S>(self.output));
        let (weights, _) = packed.as_chunks::<TILE>();
        let (biases, _) = bias.as_chunks::<TILE>();
        // A tile of weights stays in the nearest cache while the panels pass by.
        for (number, (weights, bias)) in weights.chunks_exact(*columns).zip(biases).enumerate() {
            for (input, output) in input.chunks_exact(*columns).zip(output.chunks_exact_mut(*rows)) {
                let output = &mut output[number * TILE..(number * TILE + TILE).min(*rows)];
                if self.few {
                    tile::<S, TILE, 0, 1>(simd, weights, bias, input, output, self.into);
                } else if S::REGISTER_COUNT >= 32 {
                    tile::<S, TILE, 0, 2>(simd, weights, bias, input, output, self.into);
                } else {
                    let (first, second) = output.split_at_mut(output.len().min(TILE / 2));
                    tile::<S, { TILE / 2 }, 0, 2>(simd, weights, bias, input, first, self.into);
                    tile::<S, { TILE / 2 }, { TILE / 2 }, 2>(simd, weights, bias, input, second, self.into);
                }
            }
        }
    }
}

/// The products of some rows of a tile with one panel, or with its first half.
#[inline(always)]
fn tile<S: Simd, const ROWS: usize, const FIRST: usize, const HALVES: usize>(
    simd: S,
    weights: &[[f32; TILE]],
    bias: &[f32; TILE],
    input: &[[S::f32s; 2]],
    output: &mut [[S::f32s; 2]],
    into: Into,
) {
    let mut sums = [[simd.splat_f32s(0.0); HALVES]; ROWS];
    for (weights, values) in weights.iter().zip(input) {
        for (row, sums) in sums.iter_mut().enumerate() {
            let weight = simd.splat_f32s(weights[FIRST + row]);
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum = multiply_add(simd, weight, *value, *sum);
            }
        }
    }
    for (row, (output, sums)) in output.iter_mut().zip(sums).enumerate() {
        let bias = simd.splat_f32s(bias[FIRST + row]);
        for (output, sum) in output.iter_mut().zip(sums) {
            let sum = simd.add_f32s(sum, bias);
            *output = match into {
                Into::Place => sum,
                Into::Activated(activation) => activation.of(simd, sum),
                Into::Sum => simd.add_f32s(sum, *output),
                Into::Product => simd.mul_f32s(sum, *output),
            };
        }
    }
}

/// Panels' rows as registers.
#[inline(always)]
pub fn panels<S: Simd>(values: &[f32]) -> &[[S::f32s; 2]] {
    S::as_simd_f32s(values).0.as_chunks().0
}

/// Panels' rows as registers that can be written.
#[inline(always)]
pub fn panels_mut<S: Simd>(values: &mut [f32]) -> &mut [[S::f32s; 2]] {
    S::as_mut_simd_f32s(values).0.as_chunks_mut().0
}
