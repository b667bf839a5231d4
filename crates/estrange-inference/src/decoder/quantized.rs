//! The element types of tensors in GGUF files, and how blocks of them are unpacked.
//!
//! Most types are **quantised**: the numbers of a block share a scale and perhaps a minimum, and each is a small integer
//! that counts steps of that scale. In the types whose names end in `K`, the scales are quantised as well. Whatever the
//! type, 32 numbers are unpacked to `scale · quant + min` with 16-bit integers `quant`, which is exact for quantised types
//! (a quantised scale is multiplied into the integers) and rounded to 15 bits for floating-point ones.

/// How many numbers are unpacked together.
pub const BLOCK: usize = 32;

/// The largest integer that floating-point numbers are rounded to. The sum of four products of such integers fits into 32
/// bits; so does that of four products with quantised weights, which are at most 32 · 128.
const STEPS: i16 = 16_383;

/// An element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dtype {
    /// Single precision.
    F32,
    /// Half precision.
    F16,
    /// Single precision without its lower half.
    Bf16,
    /// 4 bits and a scale for 32 numbers.
    Q4_0,
    /// 4 bits, a scale and a minimum for 32 numbers.
    Q4_1,
    /// 5 bits and a scale for 32 numbers.
    Q5_0,
    /// 5 bits, a scale and a minimum for 32 numbers.
    Q5_1,
    /// 8 bits and a scale for 32 numbers.
    Q8_0,
    /// 4 bits; of 256 numbers, each 32 have a scale and a minimum.
    Q4K,
    /// 5 bits; of 256 numbers, each 32 have a scale and a minimum.
    Q5K,
    /// 6 bits; of 256 numbers, each 16 have a scale.
    Q6K,
}

/// Every type that is read, with the format's number for it and its name there.
const DTYPES: [(u32, &str, Dtype); 11] = [
    (0, "F32", Dtype::F32),
    (1, "F16", Dtype::F16),
    (2, "Q4_0", Dtype::Q4_0),
    (3, "Q4_1", Dtype::Q4_1),
    (6, "Q5_0", Dtype::Q5_0),
    (7, "Q5_1", Dtype::Q5_1),
    (8, "Q8_0", Dtype::Q8_0),
    (12, "Q4_K", Dtype::Q4K),
    (13, "Q5_K", Dtype::Q5K),
    (14, "Q6_K", Dtype::Q6K),
    (30, "BF16", Dtype::Bf16),
];

/// Numbers by blocks: each is `scale · quant + min`. What is beyond the last number is 0.
#[derive(Default)]
pub struct Blocks {
    /// The integers.
    pub quants: Vec<[i16; BLOCK]>,
    /// The scale of each block.
    pub scales: Vec<f32>,
    /// The minimum of each block.
    pub mins: Vec<f32>,
}

/// A block: its integers, its scale and its minimum.
type Unpacked = ([i16; BLOCK], f32, f32);

impl Blocks {
    /// Scratch for so many numbers.
    pub fn zeros(count: usize) -> Self {
        let blocks = count.div_ceil(BLOCK);
        Self { quants: vec![[0; BLOCK]; blocks], scales: vec![0.0; blocks], mins: vec![0.0; blocks] }
    }

    /// The numbers themselves.
    pub fn values(&self) -> impl Iterator<Item = f32> {
        let blocks = self.quants.iter().zip(&self.scales).zip(&self.mins);
        blocks.flat_map(|((quants, scale), min)| quants.iter().map(move |quant| scale * f32::from(*quant) + min))
    }
}

impl Dtype {
    /// The type that has a number in the format, if it is read.
    pub fn of(number: u32) -> Option<Self> {
        DTYPES.iter().find(|dtype| dtype.0 == number).map(|dtype| dtype.2)
    }

    /// What the format calls the type of that number.
    pub fn name_of(number: u32) -> String {
        let known = DTYPES.iter().find(|dtype| dtype.0 == number);
        known.map_or_else(|| format!("numbers of the type {number}"), |dtype| dtype.1.to_owned())
    }

    /// What can be read, in words.
    pub fn known() -> String {
        DTYPES.map(|dtype| dtype.1).join(", ")
    }

    /// How many numbers the format puts into a block, and how many bytes that takes.
    const fn layout(self) -> (usize, usize) {
        match self {
            Self::F32 => (1, 4),
            Self::F16 | Self::Bf16 => (1, 2),
            Self::Q4_0 => (32, 18),
            Self::Q4_1 => (32, 20),
            Self::Q5_0 => (32, 22),
            Self::Q5_1 => (32, 24),
            Self::Q8_0 => (32, 34),
            Self::Q4K => (256, 144),
            Self::Q5K => (256, 176),
            Self::Q6K => (256, 210),
        }
    }

    /// How many bytes so many numbers take, if they make whole blocks.
    pub fn length(self, count: usize) -> Option<usize> {
        let (numbers, bytes) = self.layout();
        if count.is_multiple_of(numbers) { (count / numbers).checked_mul(bytes) } else { None }
    }

    /// Whether its blocks have minimums other than 0.
    pub fn has_min(self) -> bool {
        matches!(self, Self::Q4_1 | Self::Q5_1 | Self::Q4K | Self::Q5K)
    }

    /// Unpacks as many numbers as `blocks` has room for.
    #[inline(always)]
    pub fn unpack(self, bytes: &[u8], blocks: &mut Blocks) {
        match self {
            Self::F32 => floats(bytes, blocks, f32_le),
            Self::F16 => floats(bytes, blocks, f16_le),
            Self::Bf16 => floats(bytes, blocks, bf16_le),
            Self::Q4_0 => each(bytes, blocks, q4_0),
            Self::Q4_1 => each(bytes, blocks, q4_1),
            Self::Q5_0 => each(bytes, blocks, q5_0),
            Self::Q5_1 => each(bytes, blocks, q5_1),
            Self::Q8_0 => each(bytes, blocks, q8_0),
            Self::Q4K => super_blocks(bytes, blocks, q4_k),
            Self::Q5K => super_blocks(bytes, blocks, q5_k),
            Self::Q6K => super_blocks(bytes, blocks, q6_k),
        }
    }
}

/// Rounds up to 32 numbers to multiples of a scale; the rest is 0. The scale is returned: it is NaN if one of the numbers is not finite.
#[inline(always)]
pub fn round(values: &[f32], quants: &mut [i16; BLOCK]) -> f32 {
    let mut block = [0.0; BLOCK];
    block[..values.len()].copy_from_slice(values);
    let mut largest = [0.0_f32; 8];
    let mut poison = [0.0_f32; 8];
    for values in block.as_chunks::<8>().0 {
        for lane in 0..8 {
            largest[lane] = if values[lane].abs() > largest[lane] { values[lane].abs() } else { largest[lane] };
            poison[lane] += values[lane] * 0.0;
        }
    }
    let largest = largest.iter().fold(0.0_f32, |largest, value| largest.max(*value));
    let factor = if largest > 0.0 { f32::from(STEPS) / largest } else { 0.0 };
    // Adding 1.5 · 2^23 rounds to a whole number, which is then in the lowest bits.
    let rounded = |value: f32| (value * factor + 12_582_912.0).to_bits() as i16;
    quants.iter_mut().zip(block).for_each(|(quant, value)| *quant = rounded(value));
    largest / f32::from(STEPS) + poison.iter().sum::<f32>()
}

/// Unpacks blocks of 32 numbers in `N` bytes.
#[inline(always)]
fn each<const N: usize>(bytes: &[u8], blocks: &mut Blocks, unpack: impl Fn(&[u8; N]) -> Unpacked) {
    let Blocks { quants, scales, mins } = blocks;
    let blocks = quants.iter_mut().zip(scales).zip(mins);
    for (bytes, ((quants, scale), min)) in bytes.as_chunks::<N>().0.iter().zip(blocks) {
        (*quants, *scale, *min) = unpack(bytes);
    }
}

/// Unpacks blocks of 256 numbers in `N` bytes, part by part.
#[inline(always)]
fn super_blocks<const N: usize>(bytes: &[u8], blocks: &mut Blocks, unpack: impl Fn(&[u8; N], usize) -> Unpacked) {
    let Blocks { quants, scales, mins } = blocks;
    let blocks = quants.as_chunks_mut::<8>().0.iter_mut();
    let blocks = blocks.zip(scales.as_chunks_mut::<8>().0).zip(mins.as_chunks_mut::<8>().0);
    for (bytes, ((quants, scales), mins)) in bytes.as_chunks::<N>().0.iter().zip(blocks) {
        for part in 0..8 {
            (quants[part], scales[part], mins[part]) = unpack(bytes, part);
        }
    }
}

/// Rounds floating-point numbers of `N` bytes.
#[inline(always)]
fn floats<const N: usize>(bytes: &[u8], blocks: &mut Blocks, value: impl Fn(&[u8; N]) -> f32) {
    let Blocks { quants, scales, .. } = blocks;
    for (bytes, (quants, scale)) in bytes.as_chunks::<N>().0.chunks(BLOCK).zip(quants.iter_mut().zip(scales)) {
        let mut values = [0.0; BLOCK];
        values.iter_mut().zip(bytes).for_each(|(each, bytes)| *each = value(bytes));
        *scale = round(&values[..bytes.len()], quants);
    }
}

// Each type's blocks. All that is called here is inlined: what is not inlined is not compiled for this processor.

#[inline(always)]
fn f32_le(bytes: &[u8; 4]) -> f32 {
    f32::from_le_bytes(*bytes)
}

#[inline(always)]
fn f16_le(bytes: &[u8; 2]) -> f32 {
    half(bytes, 0)
}

#[inline(always)]
fn bf16_le(bytes: &[u8; 2]) -> f32 {
    f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16)
}

#[inline(always)]
fn q4_0(bytes: &[u8; 18]) -> Unpacked {
    (nibbles(array(bytes, 2), -8), half(bytes, 0), 0.0)
}

#[inline(always)]
fn q4_1(bytes: &[u8; 20]) -> Unpacked {
    (nibbles(array(bytes, 4), 0), half(bytes, 0), half(bytes, 2))
}

#[inline(always)]
fn q5_0(bytes: &[u8; 22]) -> Unpacked {
    (with_fifth_bits(nibbles(array(bytes, 6), -16), array(bytes, 2)), half(bytes, 0), 0.0)
}

#[inline(always)]
fn q5_1(bytes: &[u8; 24]) -> Unpacked {
    (with_fifth_bits(nibbles(array(bytes, 8), 0), array(bytes, 4)), half(bytes, 0), half(bytes, 2))
}

#[inline(always)]
fn q8_0(bytes: &[u8; 34]) -> Unpacked {
    let packed: &[u8; BLOCK] = array(bytes, 2);
    (each_of(|at| packed[at].cast_signed().into()), half(bytes, 0), 0.0)
}

#[inline(always)]
fn q4_k(bytes: &[u8; 144], part: usize) -> Unpacked {
    let (scale, min) = scale_and_min(array(bytes, 4), part);
    let low: &[u8; BLOCK] = array(bytes, 16 + part / 2 * 32);
    let quants = each_of(|at| scale * i16::from(low[at] >> (part % 2 * 4) & 15));
    (quants, half(bytes, 0), -half(bytes, 2) * min)
}

#[inline(always)]
fn q5_k(bytes: &[u8; 176], part: usize) -> Unpacked {
    let (scale, min) = scale_and_min(array(bytes, 4), part);
    let (low, high): (&[u8; BLOCK], &[u8; BLOCK]) = (array(bytes, 48 + part / 2 * 32), array(bytes, 16));
    let quant = |at: usize| low[at] >> (part % 2 * 4) & 15 | (high[at] >> part & 1) << 4;
    (each_of(|at| scale * i16::from(quant(at))), half(bytes, 0), -half(bytes, 2) * min)
}

#[inline(always)]
fn q6_k(bytes: &[u8; 210], part: usize) -> Unpacked {
    // Of each half, two parts are in the lower four bits and two in the upper ones.
    let (side, quarter) = (part / 4, part % 4);
    let low: &[u8; BLOCK] = array(bytes, side * 64 + quarter % 2 * 32);
    let high: &[u8; BLOCK] = array(bytes, 128 + side * 32);
    let scales: &[u8; 2] = array(bytes, 192 + part * 2);
    let scales = [i16::from(scales[0].cast_signed()), i16::from(scales[1].cast_signed())];
    let quant = |at: usize| low[at] >> (quarter / 2 * 4) & 15 | (high[at] >> (quarter * 2) & 3) << 4;
    (each_of(|at| scales[at / 16] * (i16::from(quant(at)) - 32)), half(bytes, 208), 0.0)
}

/// Some bytes of a block.
#[inline(always)]
fn array<const N: usize, const M: usize>(bytes: &[u8; N], at: usize) -> &[u8; M] {
    const { assert!(M <= N) };
    // Every caller's place is known when it is compiled, or one of eight.
    bytes[at..].first_chunk().unwrap_or(&[0; M])
}

/// The half-precision number somewhere in some bytes.
#[inline(always)]
fn half<const N: usize>(bytes: &[u8; N], at: usize) -> f32 {
    let bits = u32::from(u16::from_le_bytes(*array(bytes, at)));
    // As the bits of a single-precision number, its exponent is too small by the difference of both biases, which is 112.
    // The largest exponent stands for infinity and NaN.
    let magnitude = match bits >> 10 & 31 {
        31 => f32::from_bits((bits & 0x3ff) << 13 | 0x7f80_0000),
        _ => f32::from_bits((bits & 0x7fff) << 13) * f32::from_bits((127 + 112) << 23),
    };
    f32::from_bits(magnitude.to_bits() | (bits & 0x8000) << 16)
}

/// The numbers of a block, place by place. The functions of arrays themselves are not inlined.
#[inline(always)]
fn each_of(quant: impl Fn(usize) -> i16) -> [i16; BLOCK] {
    let mut quants = [0; BLOCK];
    for (at, each) in quants.iter_mut().enumerate() {
        *each = quant(at);
    }
    quants
}

/// Four bits each, plus an offset: the lower ones of 16 bytes come first, then the upper ones.
#[inline(always)]
fn nibbles(packed: &[u8; 16], offset: i16) -> [i16; BLOCK] {
    let mut quants = [0; BLOCK];
    for (quant, byte) in quants[..16].iter_mut().zip(packed) {
        *quant = i16::from(byte & 15) + offset;
    }
    for (quant, byte) in quants[16..].iter_mut().zip(packed) {
        *quant = i16::from(byte >> 4) + offset;
    }
    quants
}

/// Adds to each number its fifth bit.
#[inline(always)]
fn with_fifth_bits(quants: [i16; BLOCK], packed: &[u8; 4]) -> [i16; BLOCK] {
    let bits = u32::from_le_bytes(*packed);
    each_of(|at| quants[at] + ((bits >> at & 1) << 4) as i16)
}

/// The quantised scale and minimum of one of the eight parts of a block. Each has six bits: those of the first four parts
/// are whole; those of the others have their lower four bits together in one byte, and their upper two above those of the
/// first.
#[inline(always)]
fn scale_and_min(packed: &[u8; 12], part: usize) -> (i16, f32) {
    let (scale, min) = match part.checked_sub(4) {
        None => (packed[part] & 63, packed[part + 4] & 63),
        Some(part) => {
            (packed[part + 8] & 15 | packed[part] >> 6 << 4, packed[part + 8] >> 4 | packed[part + 4] >> 6 << 4)
        }
    };
    (scale.into(), min.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::half::{bf16, f16};

    fn values(dtype: Dtype, bytes: &[u8], count: usize) -> Vec<f32> {
        let mut blocks = Blocks::zeros(count);
        dtype.unpack(bytes, &mut blocks);
        blocks.values().take(count).collect()
    }

    /// The sum of what blocks of noise stand for, each number times its place, as the package `gguf` 0.19.0 computes it.
    /// All of it is exact.
    #[test]
    fn quantised_numbers_stand_for_what_others_say() {
        let cases = [
            (Dtype::Q4_0, &[0][..], -15.75),
            (Dtype::Q4_1, &[0, 2], 51.5),
            (Dtype::Q5_0, &[0], -101.0625),
            (Dtype::Q5_1, &[0, 2], 251.5),
            (Dtype::Q8_0, &[0], 203.375),
            (Dtype::Q4K, &[0, 2], 958_663.125),
            (Dtype::Q5K, &[0, 2], 907_946.25),
            (Dtype::Q6K, &[208], -166_413.875),
        ];
        for (dtype, halves, expected) in cases {
            let (count, length) = dtype.layout();
            let mut state = length as u32 + 4;
            let mut noise = || {
                state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
                (state >> 16) as u8
            };
            let mut block: Vec<u8> = (0..length).map(|_| noise()).collect();
            for (place, scale) in halves.iter().zip([0.0625, -0.375]) {
                block[*place..place + 2].copy_from_slice(&f16::from_f32(scale).to_le_bytes());
            }
            let values = values(dtype, &block, count);
            let sum: f64 = values.iter().zip(1..).map(|(value, place)| f64::from(*value) * f64::from(place)).sum();
            assert_eq!(sum, expected, "{dtype:?}");
            assert_eq!(dtype.has_min(), halves.len() == 2, "{dtype:?}");
        }
    }

    #[test]
    fn floating_point_numbers_keep_15_bits_and_nan_stays_nan() {
        let numbers = |of: fn(f32) -> Vec<u8>| -> Vec<u8> { (0..40).flat_map(|at| of(at as f32 - 20.5)).collect() };
        let cases = [
            (Dtype::F32, numbers(|value| value.to_le_bytes().to_vec())),
            (Dtype::F16, numbers(|value| f16::from_f32(value).to_le_bytes().to_vec())),
            (Dtype::Bf16, numbers(|value| bf16::from_f32(value).to_le_bytes().to_vec())),
        ];
        for (dtype, bytes) in cases {
            for (at, value) in values(dtype, &bytes, 40).into_iter().enumerate() {
                assert!((value - (at as f32 - 20.5)).abs() <= 20.5 / 32766.0, "{dtype:?}: {value} at {at}");
            }
        }
        for wrong in [f32::NAN, f32::INFINITY] {
            let bytes: Vec<u8> = [1.0, wrong].into_iter().flat_map(f32::to_le_bytes).collect();
            assert!(values(Dtype::F32, &bytes, 2)[0].is_nan());
        }
        assert_eq!(values(Dtype::F32, &[0; 8], 2), [0.0, 0.0]);
        assert_eq!(Dtype::Q4_1.length(64), Some(40));
        assert_eq!(Dtype::Q4_1.length(33), None);
        assert_eq!(Dtype::of(9), None);
        assert_eq!(Dtype::name_of(14), "Q6_K");
    }

    #[test]
    fn every_half_precision_number_is_itself() {
        for bits in 0..=u16::MAX {
            let (ours, expected) = (half(&bits.to_le_bytes(), 0), f16::from_bits(bits).to_f32());
            assert!(ours.to_bits() == expected.to_bits() || ours.is_nan() && expected.is_nan(), "{bits:#x}: {ours}");
        }
    }
}
