//! The kinds of numbers that a model's tensors are made of, and what they stand for.
//!
//! Most are **quantised**: a block of numbers shares a scale and perhaps a least value, and each number is a few bits
//! that count in steps of that scale. In the kinds whose names end in `K`, the scales themselves are quantised as well.

use half::{bf16, f16};

/// A kind of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Single precision.
    F32,
    /// Half precision.
    F16,
    /// Single precision without its lower half.
    Bf16,
    /// 4 bits and a scale for 32 numbers.
    Q4_0,
    /// 4 bits, a scale and a least value for 32 numbers.
    Q4_1,
    /// 5 bits and a scale for 32 numbers.
    Q5_0,
    /// 5 bits, a scale and a least value for 32 numbers.
    Q5_1,
    /// 8 bits and a scale for 32 numbers.
    Q8_0,
    /// 4 bits; of 256 numbers, each 32 have a scale and a least value.
    Q4K,
    /// 5 bits; of 256 numbers, each 32 have a scale and a least value.
    Q5K,
    /// 6 bits; of 256 numbers, each 16 have a scale.
    Q6K,
}

/// Every kind that is read, with the format's number for it and its name there.
const KINDS: [(u32, &str, Numbers); 11] = [
    (0, "F32", Numbers::F32),
    (1, "F16", Numbers::F16),
    (2, "Q4_0", Numbers::Q4_0),
    (3, "Q4_1", Numbers::Q4_1),
    (6, "Q5_0", Numbers::Q5_0),
    (7, "Q5_1", Numbers::Q5_1),
    (8, "Q8_0", Numbers::Q8_0),
    (12, "Q4_K", Numbers::Q4K),
    (13, "Q5_K", Numbers::Q5K),
    (14, "Q6_K", Numbers::Q6K),
    (30, "BF16", Numbers::Bf16),
];

impl Numbers {
    /// The kind that has a number in the format, if it is read.
    pub fn of(number: u32) -> Option<Self> {
        KINDS.iter().find(|kind| kind.0 == number).map(|kind| kind.2)
    }

    /// What the format calls the kind of that number.
    pub fn name_of(number: u32) -> String {
        let known = KINDS.iter().find(|kind| kind.0 == number);
        known.map_or_else(|| format!("numbers of the kind {number}"), |kind| kind.1.to_owned())
    }

    /// What can be read, in words.
    pub fn known() -> String {
        KINDS.map(|kind| kind.1).join(", ")
    }

    /// How many numbers a block has, and how many bytes it takes.
    fn block(self) -> (usize, usize) {
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
        let (numbers, bytes) = self.block();
        if count.is_multiple_of(numbers) { (count / numbers).checked_mul(bytes) } else { None }
    }

    /// What the numbers of whole blocks stand for.
    pub fn values(self, bytes: &[u8]) -> Vec<f32> {
        let (numbers, length) = self.block();
        let mut values = vec![0.0; bytes.len() / length * numbers];
        for (block, values) in bytes.chunks_exact(length).zip(values.chunks_exact_mut(numbers)) {
            self.unpack(block, values);
        }
        values
    }

    fn unpack(self, block: &[u8], values: &mut [f32]) {
        match self {
            Self::F32 => values[0] = f32::from_le_bytes([block[0], block[1], block[2], block[3]]),
            Self::F16 => values[0] = half_at(block, 0),
            Self::Bf16 => values[0] = bf16::from_le_bytes([block[0], block[1]]).to_f32(),
            Self::Q4_0 => {
                let scale = half_at(block, 0);
                fill(values, |at| scale * (f32::from(nibble(&block[2..], at)) - 8.0));
            }
            Self::Q4_1 => {
                let (scale, least) = (half_at(block, 0), half_at(block, 2));
                fill(values, |at| scale * f32::from(nibble(&block[4..], at)) + least);
            }
            Self::Q5_0 => {
                let scale = half_at(block, 0);
                fill(values, |at| {
                    let number = nibble(&block[6..], at) | bit(&block[2..6], at) << 4;
                    scale * (f32::from(number) - 16.0)
                });
            }
            Self::Q5_1 => {
                let (scale, least) = (half_at(block, 0), half_at(block, 2));
                fill(values, |at| {
                    let number = nibble(&block[8..], at) | bit(&block[4..8], at) << 4;
                    scale * f32::from(number) + least
                });
            }
            Self::Q8_0 => {
                let scale = half_at(block, 0);
                fill(values, |at| scale * f32::from(block[2 + at].cast_signed()));
            }
            Self::Q4K => {
                let steps = Steps::of(block);
                for (part, values) in values.chunks_exact_mut(32).enumerate() {
                    let (scale, least) = steps.of_part(part);
                    fill(values, |at| scale * f32::from(pair_of_parts(&block[16..], part, at)) - least);
                }
            }
            Self::Q5K => {
                let steps = Steps::of(block);
                for (part, values) in values.chunks_exact_mut(32).enumerate() {
                    let (scale, least) = steps.of_part(part);
                    fill(values, |at| {
                        let number = pair_of_parts(&block[48..], part, at) | (block[16 + at] >> part & 1) << 4;
                        scale * f32::from(number) - least
                    });
                }
            }
            Self::Q6K => {
                let scale = half_at(block, 208);
                let (low, high, scales) = (&block[..128], &block[128..192], &block[192..208]);
                for (part, values) in values.chunks_exact_mut(32).enumerate() {
                    // Of each half of the block, two parts are in the lower four bits and two in the upper ones.
                    let (half, quarter) = (part / 4, part % 4);
                    fill(values, |at| {
                        let low = low[half * 64 + quarter % 2 * 32 + at] >> (quarter / 2 * 4) & 15;
                        let high = high[half * 32 + at] >> (quarter * 2) & 3;
                        let step = scale * f32::from(scales[part * 2 + at / 16].cast_signed());
                        step * (f32::from(low | high << 4) - 32.0)
                    });
                }
            }
        }
    }
}

fn fill(values: &mut [f32], value: impl Fn(usize) -> f32) {
    values.iter_mut().enumerate().for_each(|(at, each)| *each = value(at));
}

fn half_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

/// Four bits of a block of 32: the lower ones of 16 bytes come first, then the upper ones.
fn nibble(bytes: &[u8], at: usize) -> u8 {
    bytes[at % 16] >> (at / 16 * 4) & 15
}

/// One bit of some bytes.
fn bit(bytes: &[u8], at: usize) -> u8 {
    bytes[at / 8] >> (at % 8) & 1
}

/// Four bits of a part of 32: two parts share 32 bytes, the first has the lower bits.
fn pair_of_parts(bytes: &[u8], part: usize, at: usize) -> u8 {
    bytes[part / 2 * 32 + at] >> (part % 2 * 4) & 15
}

/// The quantised scales and least values of the eight parts of a block.
struct Steps<'a> {
    scale: f32,
    least: f32,
    packed: &'a [u8],
}

impl<'a> Steps<'a> {
    fn of(block: &'a [u8]) -> Self {
        Self { scale: half_at(block, 0), least: half_at(block, 2), packed: &block[4..16] }
    }

    /// Each has six bits. Those of the first four parts are whole; those of the others have their lower four bits
    /// together in one byte, and their upper two above those of the first.
    fn of_part(&self, part: usize) -> (f32, f32) {
        let packed = self.packed;
        let (scale, least) = match part.checked_sub(4) {
            None => (packed[part] & 63, packed[part + 4] & 63),
            Some(part) => {
                (packed[part + 8] & 15 | packed[part] >> 6 << 4, packed[part + 8] >> 4 | packed[part + 4] >> 6 << 4)
            }
        };
        (self.scale * f32::from(scale), self.least * f32::from(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of what blocks of noise stand for, each number times its place, as the package `gguf` 0.19.0 computes it.
    /// All of it is exact.
    #[test]
    fn quantised_numbers_stand_for_what_others_say() {
        let cases = [
            (Numbers::Q4_0, &[0][..], -15.75),
            (Numbers::Q4_1, &[0, 2], 51.5),
            (Numbers::Q5_0, &[0], -101.0625),
            (Numbers::Q5_1, &[0, 2], 251.5),
            (Numbers::Q8_0, &[0], 203.375),
            (Numbers::Q4K, &[0, 2], 958_663.125),
            (Numbers::Q5K, &[0, 2], 907_946.25),
            (Numbers::Q6K, &[208], -166_413.875),
        ];
        for (kind, halves, expected) in cases {
            let length = kind.block().1;
            let mut state = length as u32 + 4;
            let mut noise = || {
                state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
                (state >> 16) as u8
            };
            let mut block: Vec<u8> = (0..length).map(|_| noise()).collect();
            for (place, scale) in halves.iter().zip([0.0625, -0.375]) {
                block[*place..place + 2].copy_from_slice(&f16::from_f32(scale).to_le_bytes());
            }
            let values = kind.values(&block);
            assert_eq!(values.len(), kind.block().0);
            let sum: f64 = values.iter().zip(1..).map(|(value, place)| f64::from(*value) * f64::from(place)).sum();
            assert_eq!(sum, expected, "{kind:?}");
        }
    }

    #[test]
    fn whole_numbers_are_themselves_and_broken_blocks_are_refused() {
        assert_eq!(Numbers::F32.values(&1.5_f32.to_le_bytes()), [1.5]);
        assert_eq!(Numbers::F16.values(&f16::from_f32(-0.25).to_le_bytes()), [-0.25]);
        assert_eq!(Numbers::Bf16.values(&bf16::from_f32(3.0).to_le_bytes()), [3.0]);
        assert_eq!(Numbers::Q4_1.length(64), Some(40));
        assert_eq!(Numbers::Q4_1.length(33), None);
        assert_eq!(Numbers::of(9), None);
        assert_eq!(Numbers::name_of(14), "Q6_K");
    }
}
