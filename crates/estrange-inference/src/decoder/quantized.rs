//! The element types of tensors in GGUF files, and what their blocks hold.
//!
//! Most types are **quantised**: the numbers of a block share a scale and perhaps a minimum, and each is a small integer, its
//! **code**, that counts steps of that scale. In the types whose names end in `K`, eight blocks make a group, and their scales
//! are quantised as well. Floating-point numbers are rounded to 15 bits by blocks.

use super::lanes::half;

/// How many numbers are in a block, of any type.
pub const BLOCK: usize = 32;

/// The largest integer that floating-point numbers are rounded to.
pub const STEPS: i16 = 16_383;

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

    /// The scale that a group begins with or ends with, and the minimum beside it, both in half precision.
    pub fn halves(self, group: &[u8]) -> ([u8; 2], [u8; 2]) {
        match self {
            Self::Q6K => (array(group, 208), [0; 2]),
            _ => (array(group, 0), array(group, 2)),
        }
    }

    /// The codes of a block of a group.
    pub fn codes(self, group: &[u8], block: usize) -> [u8; BLOCK] {
        match self {
            Self::Q4_0 => nibbles(&array(group, 2)),
            Self::Q4_1 => nibbles(&array(group, 4)),
            Self::Q5_0 => with_fifth_bits(nibbles(&array(group, 6)), array(group, 2)),
            Self::Q5_1 => with_fifth_bits(nibbles(&array(group, 8)), array(group, 4)),
            Self::Q8_0 => array(group, 2),
            Self::Q4K => {
                let low: [u8; BLOCK] = array(group, 16 + block / 2 * 32);
                low.map(|bits| bits >> (block % 2 * 4) & 15)
            }
            Self::Q5K => {
                let (low, high): ([u8; BLOCK], [u8; BLOCK]) = (array(group, 48 + block / 2 * 32), array(group, 16));
                each(|at| low[at] >> (block % 2 * 4) & 15 | (high[at] >> block & 1) << 4)
            }
            Self::Q6K => {
                // Of each half, two blocks are in the lower four bits and two in the upper ones.
                let (side, quarter) = (block / 4, block % 4);
                let low: [u8; BLOCK] = array(group, side * 64 + quarter % 2 * 32);
                let high: [u8; BLOCK] = array(group, 128 + side * 32);
                each(|at| low[at] >> (quarter / 2 * 4) & 15 | (high[at] >> (quarter * 2) & 3) << 4)
            }
            Self::F32 | Self::F16 | Self::Bf16 => [0; BLOCK],
        }
    }

    /// The two bytes that a block of a group has besides its codes: a scale and a minimum, or two scales.
    pub fn own(self, group: &[u8], block: usize) -> [u8; 2] {
        match self {
            Self::Q4K | Self::Q5K => scale_and_min(&array(group, 4), block),
            Self::Q6K => array(group, 192 + block * 2),
            _ => [0; 2],
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

/// A number of single precision.
#[inline(always)]
pub fn f32_le(bytes: &[u8; 4]) -> f32 {
    f32::from_le_bytes(*bytes)
}

/// A number of half precision.
#[inline(always)]
pub fn f16_le(bytes: &[u8; 2]) -> f32 {
    half(u16::from_le_bytes(*bytes))
}

/// A number of single precision without its lower half.
#[inline(always)]
pub fn bf16_le(bytes: &[u8; 2]) -> f32 {
    f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16)
}

/// Some bytes of a group.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    // Groups have the length that their type says, and every place is within it.
    bytes[at..].first_chunk().copied().unwrap_or([0; N])
}

/// The codes of a block, place by place.
fn each(code: impl Fn(usize) -> u8) -> [u8; BLOCK] {
    std::array::from_fn(code)
}

/// Four bits each: the lower ones of 16 bytes come first, then the upper ones.
fn nibbles(packed: &[u8; 16]) -> [u8; BLOCK] {
    each(|at| if at < 16 { packed[at] & 15 } else { packed[at - 16] >> 4 })
}

/// Adds to each code its fifth bit.
fn with_fifth_bits(codes: [u8; BLOCK], packed: [u8; 4]) -> [u8; BLOCK] {
    let bits = u32::from_le_bytes(packed);
    each(|at| codes[at] | ((bits >> at & 1) << 4) as u8)
}

/// The quantised scale and minimum of one of the eight blocks of a group. Each has six bits: those of the first four blocks
/// are whole; those of the others have their lower four bits together in one byte, and their upper two above those of the
/// first.
fn scale_and_min(packed: &[u8; 12], block: usize) -> [u8; 2] {
    match block.checked_sub(4) {
        None => [packed[block] & 63, packed[block + 4] & 63],
        Some(block) => {
            [packed[block + 8] & 15 | packed[block] >> 6 << 4, packed[block + 8] >> 4 | packed[block + 4] >> 6 << 4]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decoder::matrix::Matrix;
    use ::half::{bf16, f16};

    fn values(dtype: Dtype, bytes: &[u8], count: usize) -> Vec<f32> {
        Matrix::new(dtype, 1, count, bytes).row(0)
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
}
