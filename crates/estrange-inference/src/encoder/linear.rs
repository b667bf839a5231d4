//! Linear layers, and their products with the vectors of many tokens.
//!
//! The vectors of tokens lie in **panels**: as many tokens beside each other as two registers hold, one row for each
//! dimension. The output of a layer has the same shape again, so nothing is ever transposed, and texts follow one another
//! in a panel without padding.

use pulp::{Simd, WithSimd};

use crate::{
    aligned::Aligned,
    cpu::{Activation, Cpu, mul_add},
};

/// How many rows of a matrix are worked on together. Twice as many registers hold their sums; of the 32 that AVX-512
/// has, that leaves enough for the operands.
const TILE: usize = 12;

/// A matrix and a bias, packed for multiplication.
pub struct Linear {
    rows: usize,
    columns: usize,
    /// Tile by tile; in each, column by column; in each, the numbers of the tile's rows. The last tile is filled with
    /// rows of zeros.
    packed: Aligned,
    bias: Vec<f32>,
}

/// What is done with a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Epilogue {
    /// It is stored.
    Store,
    /// It is stored after this function.
    Activate(Activation),
    /// It is added to the output, which is the residual connection.
    Add,
}

impl Linear {
    /// Packs a matrix and a bias that are given number by number.
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

    /// The length of its output for each token.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Multiplies panels with as many rows as this has columns; the output is panels with as many rows as this.
    pub fn forward(&self, cpu: Cpu, input: &[f32], output: &mut [f32], epilogue: Epilogue) {
        cpu.run(Product { layer: self, input, output, epilogue });
    }
}

struct Product<'a> {
    layer: &'a Linear,
    input: &'a [f32],
    output: &'a mut [f32],
    epilogue: Epilogue,
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Linear { rows, columns, packed, bias } = self.layer;
        let (input, output) = (panels::<S>(self.input), panels_mut::<S>(self.output));
        let (weights, _) = packed.as_chunks::<TILE>();
        let (biases, _) = bias.as_chunks::<TILE>();
        // A tile of weights stays in the nearest cache while the panels pass by.
        for (number, (weights, bias)) in weights.chunks_exact(*columns).zip(biases).enumerate() {
            for (input, output) in input.chunks_exact(*columns).zip(output.chunks_exact_mut(*rows)) {
                let output = &mut output[number * TILE..(number * TILE + TILE).min(*rows)];
                if S::REGISTER_COUNT >= 32 {
                    tile::<S, TILE, 0>(simd, weights, bias, input, output, self.epilogue);
                } else {
                    let (first, second) = output.split_at_mut(output.len().min(TILE / 2));
                    tile::<S, { TILE / 2 }, 0>(simd, weights, bias, input, first, self.epilogue);
                    tile::<S, { TILE / 2 }, { TILE / 2 }>(simd, weights, bias, input, second, self.epilogue);
                }
            }
        }
    }
}

/// The products of some rows of a tile with one panel.
#[inline(always)]
fn tile<S: Simd, const ROWS: usize, const FIRST: usize>(
    simd: S,
    weights: &[[f32; TILE]],
    bias: &[f32; TILE],
    input: &[[S::f32s; 2]],
    output: &mut [[S::f32s; 2]],
    epilogue: Epilogue,
) {
    let mut sums = [[simd.splat_f32s(0.0); 2]; ROWS];
    for (weights, values) in weights.iter().zip(input) {
        for (row, sums) in sums.iter_mut().enumerate() {
            let weight = simd.splat_f32s(weights[FIRST + row]);
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum = mul_add(simd, weight, *value, *sum);
            }
        }
    }
    for (row, (output, sums)) in output.iter_mut().zip(sums).enumerate() {
        let bias = simd.splat_f32s(bias[FIRST + row]);
        for (output, sum) in output.iter_mut().zip(sums) {
            let sum = simd.add_f32s(sum, bias);
            *output = match epilogue {
                Epilogue::Store => sum,
                Epilogue::Activate(activation) => activation.apply(simd, sum),
                Epilogue::Add => simd.add_f32s(sum, *output),
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
