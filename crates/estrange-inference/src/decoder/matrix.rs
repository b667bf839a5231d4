//! Products of quantised matrices with the vectors of tokens, in integers.
//!
//! The vectors are rounded to 15 bits, by blocks of 32 with a scale each. A product is a sum of exact integer dot products,
//! one a block, times two scales. Each lane of a register belongs to a row of the matrix and lanes are never added up, so
//! every processor gives the same bits, and a token alone the same as among others.

use std::marker::PhantomData;

use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use super::lanes::{self, LANES, Lanes, Pair, Portable, WithLanes, halves_of};
use super::packed::{self, Block, PAIRS, Packing, WithPacking, with_packing};
use super::quantized::{BLOCK, Dtype, round};
use crate::cpu::Cpu;

/// A product of so many numbers is worth the start of another thread.
const SHARE: usize = 1 << 17;

/// A matrix, packed for multiplication.
pub struct Matrix {
    dtype: Dtype,
    rows: usize,
    columns: usize,
    /// Tile by tile. The last tile is filled with rows of zeros.
    tiles: Vec<u8>,
    tile_length: usize,
}

/// The vectors of some tokens, rounded for multiplication.
///
/// Those of eight tokens lie beside each other, pair by pair, unless there is only one: then it has all the room.
#[derive(Default)]
pub struct Rounded {
    tokens: usize,
    blocks_per_token: usize,
    quants: Vec<Pair>,
    scales: Vec<f32>,
    /// The sum of each block's numbers, for matrices whose blocks have minimums.
    sums: Vec<f32>,
}

/// How many tokens' vectors lie beside each other.
const BESIDE: usize = 8;

impl Rounded {
    /// Rounds vectors of one length, in place of those that were here.
    pub fn set(&mut self, cpu: Cpu, vectors: &[f32], length: usize) {
        self.tokens = vectors.len() / length;
        self.blocks_per_token = length.div_ceil(BLOCK);
        // What is there of tokens that are not is never looked at.
        let room = if self.tokens == 1 { 1 } else { self.tokens.next_multiple_of(BESIDE) };
        self.quants.resize(room * self.blocks_per_token * PAIRS, [0; 2]);
        self.scales.resize(room * self.blocks_per_token, 0.0);
        self.sums.resize(room * self.blocks_per_token, 0.0);
        cpu.run(Rounding { vectors, length, rounded: self });
    }
}

struct Rounding<'a> {
    vectors: &'a [f32],
    length: usize,
    rounded: &'a mut Rounded,
}

impl WithSimd for Rounding<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Rounded { tokens, blocks_per_token, quants, scales, sums } = self.rounded;
        let beside = if *tokens == 1 { 1 } else { BESIDE };
        for (token, vector) in self.vectors.chunks_exact(self.length).enumerate() {
            let first = token / beside * *blocks_per_token;
            for (block, values) in (first..).zip(vector.chunks(BLOCK)) {
                let mut rounded = [0; BLOCK];
                let place = block * beside + token % beside;
                let scale = round(values, &mut rounded);
                let mut total = 0;
                for quant in rounded {
                    total += i32::from(quant);
                }
                scales[place] = scale;
                sums[place] = scale * total as f32;
                let quants = &mut quants[block * PAIRS * beside..][..PAIRS * beside];
                for (quants, pair) in quants.chunks_exact_mut(beside).zip(rounded.as_chunks().0) {
                    quants[token % beside] = *pair;
                }
            }
        }
    }
}

impl Matrix {
    /// Packs a matrix that lies row by row in a file.
    pub fn new(dtype: Dtype, rows: usize, columns: usize, bytes: &[u8]) -> Self {
        let tile_length = packed::tile_length(dtype, columns);
        let mut tiles = vec![0; rows.div_ceil(LANES) * tile_length];
        let sixteen = bytes.len() / rows * LANES;
        tiles
            .par_chunks_exact_mut(tile_length)
            .zip(bytes.par_chunks(sixteen))
            .for_each(|(tile, rows)| packed::pack(dtype, columns, rows, tile));
        Self { dtype, rows, columns, tiles, tile_length }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The products of the vectors with rows of it, from one on, which begins a tile: as many rows as the output has room for.
    pub fn forward(&self, cpu: Cpu, vectors: &Rounded, first_row: usize, output: &mut [f32]) {
        with_packing(self.dtype, Product { cpu, matrix: self, vectors, first_row, output });
    }

    /// The products of one token's vector with all rows, by several threads.
    pub fn forward_in_parallel(&self, cpu: Cpu, vector: &Rounded, first_row: usize, output: &mut [f32]) {
        let tiles = output.len().div_ceil(LANES);
        if tiles < 2 || output.len() * self.columns < SHARE {
            return self.forward(cpu, vector, first_row, output);
        }
        let middle = tiles / 2 * LANES;
        let (first, second) = output.split_at_mut(middle);
        rayon::join(
            || self.forward_in_parallel(cpu, vector, first_row, first),
            || self.forward_in_parallel(cpu, vector, first_row + middle, second),
        );
    }

    /// One row's numbers.
    pub fn row(&self, row: usize) -> Vec<f32> {
        let mut numbers = vec![0.0; self.columns];
        with_packing(self.dtype, Row { matrix: self, row, numbers: &mut numbers });
        numbers
    }

    fn tiles(&self, first_row: usize) -> impl Iterator<Item = &[u8]> {
        self.tiles.chunks_exact(self.tile_length).skip(first_row / LANES)
    }
}

struct Row<'a> {
    matrix: &'a Matrix,
    row: usize,
    numbers: &'a mut [f32],
}

impl WithPacking for Row<'_> {
    type Output = ();

    fn with<P: Packing>(self) {
        let Row { matrix, row, numbers } = self;
        let tile = &matrix.tiles[row / LANES * matrix.tile_length..][..matrix.tile_length];
        for (place, numbers) in numbers.chunks_mut(BLOCK).enumerate() {
            let group = &tile[place / P::BLOCKS * P::GROUP..][..P::GROUP];
            let mut block = Block::zeros(Portable);
            block.unpack::<P>(Portable, group, place % P::BLOCKS);
            let (scale, min) = (block.scale[row % LANES], block.min[row % LANES]);
            for (numbers, quants) in numbers.chunks_mut(2).zip(block.quants) {
                let quants = halves_of(quants[row % LANES]);
                numbers.iter_mut().zip(quants).for_each(|(number, quant)| *number = f32::from(quant) * scale + min);
            }
        }
    }
}

struct Product<'a> {
    cpu: Cpu,
    matrix: &'a Matrix,
    vectors: &'a Rounded,
    first_row: usize,
    /// Token by token; in each, row by row.
    output: &'a mut [f32],
}

impl WithPacking for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with<P: Packing>(self) {
        lanes::run(self.cpu, OfPacking::<P> { product: self, packing: PhantomData });
    }
}

/// A product with the packing of its matrix.
struct OfPacking<'a, P> {
    product: Product<'a>,
    packing: PhantomData<P>,
}

impl<P: Packing> WithLanes for OfPacking<'_, P> {
    #[inline(always)]
    fn with<L: Lanes>(self, lanes: L) {
        let Product { matrix, vectors, first_row, output, .. } = self.product;
        if vectors.tokens == 1 {
            for (tile, output) in matrix.tiles(first_row).zip(output.chunks_mut(LANES)) {
                let products = lanes.store(of_one::<L, P>(lanes, tile, vectors));
                output.copy_from_slice(&products[..output.len()]);
            }
            return;
        }
        let width = output.len() / vectors.tokens;
        // What is unpacked is used for all tokens.
        let mut blocks = vec![Block::zeros(lanes); vectors.blocks_per_token.next_multiple_of(P::BLOCKS)];
        for (number, tile) in matrix.tiles(first_row).take(width.div_ceil(LANES)).enumerate() {
            for (group, blocks) in tile.chunks_exact(P::GROUP).zip(blocks.chunks_exact_mut(P::BLOCKS)) {
                for (number, block) in blocks.iter_mut().enumerate() {
                    block.unpack::<P>(lanes, group, number);
                }
            }
            let (blocks, place) = (&blocks[..], number * LANES);
            if P::BITS == 16 {
                lanes.enter(Tile::<L, false, true> { lanes, blocks, vectors, width, place, output });
            } else if P::HAS_MIN {
                lanes.enter(Tile::<L, true, false> { lanes, blocks, vectors, width, place, output });
            } else {
                lanes.enter(Tile::<L, false, false> { lanes, blocks, vectors, width, place, output });
            }
        }
    }
}

/// The products of all tokens' vectors with a tile that was unpacked.
struct Tile<'a, L: Lanes, const HAS_MIN: bool, const LONG: bool> {
    lanes: L,
    blocks: &'a [Block<L>],
    vectors: &'a Rounded,
    width: usize,
    /// Where the tile's products belong in a token's.
    place: usize,
    output: &'a mut [f32],
}

impl<L: Lanes, const HAS_MIN: bool, const LONG: bool> Tile<'_, L, HAS_MIN, LONG> {
    /// The products of `N` tokens from one of those beside each other on.
    #[inline(always)]
    fn some<const N: usize>(&mut self, group: usize, first: usize) {
        let Self { lanes, blocks, vectors, width, place, output } = self;
        let lanes = *lanes;
        let count = vectors.blocks_per_token;
        let quants = vectors.quants.as_chunks::<BESIDE>().0.as_chunks::<PAIRS>().0;
        let scales = vectors.scales.as_chunks::<BESIDE>().0;
        let sums = vectors.sums.as_chunks::<BESIDE>().0;
        let vectors = quants[group * count..][..count].iter().zip(&scales[group * count..]).zip(&sums[group * count..]);
        let mut totals = [lanes.number(0.0); N];
        for (block, ((quants, scales), sums)) in blocks.iter().zip(vectors) {
            add::<L, N, BESIDE>(lanes, block, (quants, scales, sums), first, (HAS_MIN, LONG), &mut totals);
        }
        let token = group * BESIDE + first;
        for (products, output) in totals.into_iter().zip(output[token * *width..].chunks_exact_mut(*width)) {
            let output = &mut output[*place..(*width).min(*place + LANES)];
            output.copy_from_slice(&lanes.store(products)[..output.len()]);
        }
    }
}

impl<L: Lanes, const HAS_MIN: bool, const LONG: bool> WithSimd for Tile<'_, L, HAS_MIN, LONG> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let tokens = self.vectors.tokens;
        for group in 0..tokens.div_ceil(BESIDE) {
            if L::TOKENS == BESIDE {
                self.some::<BESIDE>(group, 0);
            } else {
                for first in (0..BESIDE.min(tokens - group * BESIDE)).step_by(2) {
                    self.some::<2>(group, first);
                }
            }
        }
    }
}

/// The products of one token's vector with a tile.
#[inline(always)]
fn of_one<L: Lanes, P: Packing>(lanes: L, tile: &[u8], vector: &Rounded) -> L::Floats {
    let Rounded { quants, scales, sums, .. } = vector;
    let quants = quants.as_chunks::<1>().0.as_chunks::<PAIRS>().0.chunks_exact(P::BLOCKS);
    let scales = scales.as_chunks::<1>().0.chunks_exact(P::BLOCKS);
    let sums = sums.as_chunks::<1>().0.chunks_exact(P::BLOCKS);
    let mut totals = [lanes.number(0.0)];
    for (group, ((quants, scales), sums)) in tile.chunks_exact(P::GROUP).zip(quants.zip(scales).zip(sums)) {
        for number in 0..P::BLOCKS {
            let mut block = Block::zeros(lanes);
            block.unpack::<P>(lanes, group, number);
            let vector = (&quants[number], &scales[number], &sums[number]);
            add::<L, 1, 1>(lanes, &block, vector, 0, (P::HAS_MIN, P::BITS == 16), &mut totals);
        }
    }
    totals[0]
}

/// Adds the products of a block with the vectors of some tokens, from one of those beside each other on: their quants, scales
/// and sums. The block may have minimums, and quants of 16 bits.
#[inline(always)]
fn add<L: Lanes, const N: usize, const M: usize>(
    lanes: L,
    block: &Block<L>,
    (quants, scales, sums): (&[[Pair; M]; PAIRS], &[f32; M], &[f32; M]),
    first: usize,
    (has_min, long): (bool, bool),
    totals: &mut [L::Floats; N],
) {
    // No closures here: functions without these instructions in between would keep them from being inlined.
    // The products of four pairs of 15 bits have room in 32 bits; those of all pairs, if quants are at most 128 · 32.
    let at_once = if long { 4 } else { PAIRS };
    for (weights, quants) in block.quants.chunks_exact(at_once).zip(quants.chunks_exact(at_once)) {
        let mut products = [lanes.splat(0); N];
        for (weights, quants) in weights.iter().zip(quants) {
            for (product, pairs) in products.iter_mut().zip(&quants[first..]) {
                *product = lanes.add(*product, lanes.dot(*weights, lanes.pair(*pairs)));
            }
        }
        for ((total, product), scale) in totals.iter_mut().zip(products).zip(&scales[first..]) {
            let scale = lanes.product(block.scale, lanes.number(*scale));
            *total = lanes.sum(*total, lanes.product(lanes.to_floats(product), scale));
        }
    }
    if has_min {
        for (total, sum) in totals.iter_mut().zip(&sums[first..]) {
            *total = lanes.sum(*total, lanes.product(block.min, lanes.number(*sum)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_processor_gives_the_same_bits_and_they_are_right() {
        let (rows, columns, tokens) = (37, 512, 15);
        let noise = |at: usize| ((at * 2_654_435_761) >> 13) as u8 & 0x7b | 0x10;
        let dtypes = [
            Dtype::F16,
            Dtype::Bf16,
            Dtype::Q4_0,
            Dtype::Q4_1,
            Dtype::Q5_0,
            Dtype::Q5_1,
            Dtype::Q8_0,
            Dtype::Q4K,
            Dtype::Q5K,
            Dtype::Q6K,
        ];
        for dtype in dtypes {
            let length = dtype.length(rows * columns).expect("whole blocks");
            let matrix = Matrix::new(dtype, rows, columns, &(0..length).map(noise).collect::<Vec<u8>>());
            let vectors: Vec<f32> = (0..tokens * columns).map(|at| (at * 7919 % 1000) as f32 / 500.0 - 1.0).collect();
            let forward = |cpu, tokens| {
                let mut rounded = Rounded::default();
                rounded.set(cpu, &vectors[..tokens * columns], columns);
                let mut output = vec![0.0; tokens * rows];
                matrix.forward(cpu, &rounded, 0, &mut output);
                output
            };
            let portable = forward(Cpu::plain(), tokens);
            for cpu in Cpu::all() {
                assert_eq!(forward(cpu, tokens), portable, "{dtype:?} on {cpu:?}");
                // A token alone and among others has the same product.
                assert_eq!(forward(cpu, 1), portable[..rows], "{dtype:?}");
            }
            let numbers: Vec<Vec<f32>> = (0..rows).map(|row| matrix.row(row)).collect();
            for (products, vector) in portable.chunks_exact(rows).zip(vectors.chunks_exact(columns)) {
                for (product, row) in products.iter().zip(&numbers) {
                    let each = || row.iter().zip(vector).map(|(left, right)| f64::from(*left) * f64::from(*right));
                    let size: f64 = each().map(f64::abs).sum();
                    assert!((f64::from(*product) - each().sum::<f64>()).abs() < 1e-4 * size, "{dtype:?}");
                }
            }
        }
    }
}
