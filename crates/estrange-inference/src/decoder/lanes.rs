//! Registers with sixteen numbers of 32 bits, whatever the processor has: one of 512 bits, two of 256, or an array.
//!
//! All of them compute the same bits. Numbers are never fused into one rounding, since not every processor can.

use pulp::{Scalar256b, Simd, WithSimd};

use crate::cpu::Cpu;

/// The numbers of a register.
pub const LANES: usize = 16;

/// Two integers of 16 bits that are multiplied with two others, and both products added.
pub type Pair = [i16; 2];

/// What is computed with such registers.
pub trait Lanes: Copy {
    /// Integers of 32 bits, each of which is also a pair of 16 bits: the first in the lower half.
    type Integers: Copy;
    /// Numbers of single precision.
    type Floats: Copy;

    /// For how many tokens there is room beside a row of weights.
    const TOKENS: usize;

    /// Computes something in a function of its own that has these registers' instructions.
    fn enter(self, operation: impl WithSimd<Output = ()>);
    /// Little-endian integers.
    fn load(self, bytes: &[u8; 64]) -> Self::Integers;
    /// Bytes without a sign.
    fn bytes(self, bytes: &[u8; LANES]) -> Self::Integers;
    /// Bytes with a sign.
    fn signed_bytes(self, bytes: &[u8; LANES]) -> Self::Integers;
    /// Half-precision numbers.
    fn halves(self, bytes: &[u8; 32]) -> Self::Floats;
    /// Bits that stand for numbers of single precision.
    fn floats(self, bytes: &[u8; 64]) -> Self::Floats;
    /// A pair everywhere.
    fn pair(self, pair: Pair) -> Self::Integers;
    /// Some bits everywhere.
    fn splat(self, bits: u32) -> Self::Integers;
    /// A number everywhere.
    fn number(self, number: f32) -> Self::Floats;
    /// The numbers of a register.
    fn store(self, numbers: Self::Floats) -> [f32; LANES];

    /// The bits that are set in both.
    fn and(self, left: Self::Integers, right: Self::Integers) -> Self::Integers;
    /// The bits that are set in either.
    fn or(self, left: Self::Integers, right: Self::Integers) -> Self::Integers;
    /// The bits of each integer further up.
    fn up(self, bits: Self::Integers, by: u32) -> Self::Integers;
    /// The bits of each integer further down.
    fn down(self, bits: Self::Integers, by: u32) -> Self::Integers;
    /// The lower byte of each half, with its sign.
    fn low_bytes(self, bits: Self::Integers) -> Self::Integers;
    /// The upper byte of each half, with its sign.
    fn high_bytes(self, bits: Self::Integers) -> Self::Integers;
    /// The differences of the halves.
    fn sub_pairs(self, left: Self::Integers, right: Self::Integers) -> Self::Integers;
    /// The products of the halves, which must have room in them.
    fn mul_pairs(self, left: Self::Integers, right: Self::Integers) -> Self::Integers;
    /// For each integer, the product of the lower halves plus that of the upper ones.
    fn dot(self, left: Self::Integers, right: Self::Integers) -> Self::Integers;
    /// The sums of the integers.
    fn add(self, left: Self::Integers, right: Self::Integers) -> Self::Integers;
    /// The integers as numbers, rounded.
    fn to_floats(self, integers: Self::Integers) -> Self::Floats;
    /// The sums of the numbers.
    fn sum(self, left: Self::Floats, right: Self::Floats) -> Self::Floats;
    /// The products of the numbers.
    fn product(self, left: Self::Floats, right: Self::Floats) -> Self::Floats;
}

/// Something that is computed with registers of some kind.
pub trait WithLanes {
    /// Computes it. Whatever this calls must be inlined.
    fn with<L: Lanes>(self, lanes: L);
}

/// Computes something with the registers of a processor.
pub fn run(cpu: Cpu, operation: impl WithLanes) {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(lanes) = cpu.v4() {
            return Simd::vectorize(lanes, Chosen { lanes, operation });
        }
        if let Some(lanes) = cpu.v3() {
            return Simd::vectorize(lanes, Chosen { lanes, operation });
        }
    }
    cpu.run(Chosen { lanes: Portable, operation });
}

/// Something that is computed with these registers.
struct Chosen<L, O> {
    lanes: L,
    operation: O,
}

impl<L: Lanes, O: WithLanes> WithSimd for Chosen<L, O> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.operation.with(self.lanes);
    }
}

/// What any processor can do.
#[derive(Clone, Copy)]
pub struct Portable;

#[inline(always)]
fn each<T: Copy + Default>(value: impl Fn(usize) -> T) -> [T; LANES] {
    let mut values = [T::default(); LANES];
    for (lane, each) in values.iter_mut().enumerate() {
        *each = value(lane);
    }
    values
}

/// The halves of an integer.
#[inline(always)]
pub fn halves_of(bits: u32) -> Pair {
    [bits as i16, (bits >> 16) as i16]
}

#[inline(always)]
fn integer([low, high]: Pair) -> u32 {
    u32::from(low.cast_unsigned()) | u32::from(high.cast_unsigned()) << 16
}

/// A half-precision number.
#[inline(always)]
pub fn half(bits: u16) -> f32 {
    let bits = u32::from(bits);
    // As the bits of a single-precision number, its exponent is too small by the difference of both biases, which is 112.
    // The largest exponent stands for infinity and NaN.
    let magnitude = match bits >> 10 & 31 {
        31 => f32::from_bits((bits & 0x3ff) << 13 | 0x7f80_0000),
        _ => f32::from_bits((bits & 0x7fff) << 13) * f32::from_bits((127 + 112) << 23),
    };
    f32::from_bits(magnitude.to_bits() | (bits & 0x8000) << 16)
}

impl Lanes for Portable {
    type Integers = [u32; LANES];
    type Floats = [f32; LANES];

    const TOKENS: usize = 2;

    #[inline(always)]
    fn enter(self, operation: impl WithSimd<Output = ()>) {
        operation.with_simd(Scalar256b);
    }

    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> Self::Integers {
        let bytes = bytes.as_chunks().0;
        each(|lane| u32::from_le_bytes(bytes[lane]))
    }

    #[inline(always)]
    fn bytes(self, bytes: &[u8; LANES]) -> Self::Integers {
        each(|lane| bytes[lane].into())
    }

    #[inline(always)]
    fn signed_bytes(self, bytes: &[u8; LANES]) -> Self::Integers {
        each(|lane| i32::from(bytes[lane].cast_signed()).cast_unsigned())
    }

    #[inline(always)]
    fn halves(self, bytes: &[u8; 32]) -> Self::Floats {
        let bytes = bytes.as_chunks().0;
        each(|lane| half(u16::from_le_bytes(bytes[lane])))
    }

    #[inline(always)]
    fn floats(self, bytes: &[u8; 64]) -> Self::Floats {
        let bytes = bytes.as_chunks().0;
        each(|lane| f32::from_le_bytes(bytes[lane]))
    }

    #[inline(always)]
    fn pair(self, pair: Pair) -> Self::Integers {
        [integer(pair); LANES]
    }

    #[inline(always)]
    fn splat(self, bits: u32) -> Self::Integers {
        [bits; LANES]
    }

    #[inline(always)]
    fn number(self, number: f32) -> Self::Floats {
        [number; LANES]
    }

    #[inline(always)]
    fn store(self, numbers: Self::Floats) -> [f32; LANES] {
        numbers
    }

    #[inline(always)]
    fn and(self, left: Self::Integers, right: Self::Integers) -> Self::Integers {
        each(|lane| left[lane] & right[lane])
    }

    #[inline(always)]
    fn or(self, left: Self::Integers, right: Self::Integers) -> Self::Integers {
        each(|lane| left[lane] | right[lane])
    }

    #[inline(always)]
    fn up(self, bits: Self::Integers, by: u32) -> Self::Integers {
        each(|lane| bits[lane] << by)
    }

    #[inline(always)]
    fn down(self, bits: Self::Integers, by: u32) -> Self::Integers {
        each(|lane| bits[lane] >> by)
    }

    #[inline(always)]
    fn low_bytes(self, bits: Self::Integers) -> Self::Integers {
        each(|lane| integer(halves_of(bits[lane]).map(|half| half << 8 >> 8)))
    }

    #[inline(always)]
    fn high_bytes(self, bits: Self::Integers) -> Self::Integers {
        each(|lane| integer(halves_of(bits[lane]).map(|half| half >> 8)))
    }

    #[inline(always)]
    fn sub_pairs(self, left: Self::Integers, right: Self::Integers) -> Self::Integers {
        each(|lane| {
            let (left, right) = (halves_of(left[lane]), halves_of(right[lane]));
            integer([left[0].wrapping_sub(right[0]), left[1].wrapping_sub(right[1])])
        })
    }

    #[inline(always)]
    fn mul_pairs(self, left: Self::Integers, right: Self::Integers) -> Self::Integers {
        each(|lane| {
            let (left, right) = (halves_of(left[lane]), halves_of(right[lane]));
            integer([left[0].wrapping_mul(right[0]), left[1].wrapping_mul(right[1])])
        })
    }

    #[inline(always)]
    fn dot(self, left: Self::Integers, right: Self::Integers) -> Self::Integers {
        each(|lane| {
            let (left, right) = (halves_of(left[lane]), halves_of(right[lane]));
            let product = |half: usize| i32::from(left[half]) * i32::from(right[half]);
            product(0).wrapping_add(product(1)).cast_unsigned()
        })
    }

    #[inline(always)]
    fn add(self, left: Self::Integers, right: Self::Integers) -> Self::Integers {
        each(|lane| left[lane].wrapping_add(right[lane]))
    }

    #[inline(always)]
    fn to_floats(self, integers: Self::Integers) -> Self::Floats {
        each(|lane| integers[lane].cast_signed() as f32)
    }

    #[inline(always)]
    fn sum(self, left: Self::Floats, right: Self::Floats) -> Self::Floats {
        each(|lane| left[lane] + right[lane])
    }

    #[inline(always)]
    fn product(self, left: Self::Floats, right: Self::Floats) -> Self::Floats {
        each(|lane| left[lane] * right[lane])
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m128i, __m256, __m256i, __m512, __m512i};

    use pulp::{
        Simd, WithSimd,
        x86::{V3, V4},
    };

    use super::{LANES, Lanes, Pair, integer};

    impl Lanes for V4 {
        type Integers = __m512i;
        type Floats = __m512;

        const TOKENS: usize = 8;

        #[inline(always)]
        fn enter(self, operation: impl WithSimd<Output = ()>) {
            Simd::vectorize(self, operation);
        }

        #[inline(always)]
        fn load(self, bytes: &[u8; 64]) -> __m512i {
            pulp::cast(*bytes)
        }

        #[inline(always)]
        fn bytes(self, bytes: &[u8; LANES]) -> __m512i {
            self.avx512f._mm512_cvtepu8_epi32(pulp::cast(*bytes))
        }

        #[inline(always)]
        fn signed_bytes(self, bytes: &[u8; LANES]) -> __m512i {
            self.avx512f._mm512_cvtepi8_epi32(pulp::cast(*bytes))
        }

        #[inline(always)]
        fn halves(self, bytes: &[u8; 32]) -> __m512 {
            self.avx512f._mm512_cvtph_ps(pulp::cast(*bytes))
        }

        #[inline(always)]
        fn floats(self, bytes: &[u8; 64]) -> __m512 {
            pulp::cast(*bytes)
        }

        #[inline(always)]
        fn pair(self, pair: Pair) -> __m512i {
            self.avx512f._mm512_set1_epi32(pulp::cast(pair))
        }

        #[inline(always)]
        fn splat(self, bits: u32) -> __m512i {
            self.avx512f._mm512_set1_epi32(bits.cast_signed())
        }

        #[inline(always)]
        fn number(self, number: f32) -> __m512 {
            self.avx512f._mm512_set1_ps(number)
        }

        #[inline(always)]
        fn store(self, numbers: __m512) -> [f32; LANES] {
            pulp::cast(numbers)
        }

        #[inline(always)]
        fn and(self, left: __m512i, right: __m512i) -> __m512i {
            self.avx512f._mm512_and_si512(left, right)
        }

        #[inline(always)]
        fn or(self, left: __m512i, right: __m512i) -> __m512i {
            self.avx512f._mm512_or_si512(left, right)
        }

        #[inline(always)]
        fn up(self, bits: __m512i, by: u32) -> __m512i {
            self.avx512f._mm512_sll_epi32(bits, count(by))
        }

        #[inline(always)]
        fn down(self, bits: __m512i, by: u32) -> __m512i {
            self.avx512f._mm512_srl_epi32(bits, count(by))
        }

        #[inline(always)]
        fn low_bytes(self, bits: __m512i) -> __m512i {
            self.avx512bw._mm512_srai_epi16::<8>(self.avx512bw._mm512_slli_epi16::<8>(bits))
        }

        #[inline(always)]
        fn high_bytes(self, bits: __m512i) -> __m512i {
            self.avx512bw._mm512_srai_epi16::<8>(bits)
        }

        #[inline(always)]
        fn sub_pairs(self, left: __m512i, right: __m512i) -> __m512i {
            self.avx512bw._mm512_sub_epi16(left, right)
        }

        #[inline(always)]
        fn mul_pairs(self, left: __m512i, right: __m512i) -> __m512i {
            self.avx512bw._mm512_mullo_epi16(left, right)
        }

        #[inline(always)]
        fn dot(self, left: __m512i, right: __m512i) -> __m512i {
            self.avx512bw._mm512_madd_epi16(left, right)
        }

        #[inline(always)]
        fn add(self, left: __m512i, right: __m512i) -> __m512i {
            self.avx512f._mm512_add_epi32(left, right)
        }

        #[inline(always)]
        fn to_floats(self, integers: __m512i) -> __m512 {
            self.avx512f._mm512_cvtepi32_ps(integers)
        }

        #[inline(always)]
        fn sum(self, left: __m512, right: __m512) -> __m512 {
            self.avx512f._mm512_add_ps(left, right)
        }

        #[inline(always)]
        fn product(self, left: __m512, right: __m512) -> __m512 {
            self.avx512f._mm512_mul_ps(left, right)
        }
    }

    /// How far bits are shifted, as the instructions take it. It is known when this is compiled.
    #[inline(always)]
    fn count(by: u32) -> __m128i {
        pulp::cast([by, 0, 0, 0])
    }

    impl Lanes for V3 {
        type Integers = [__m256i; 2];
        type Floats = [__m256; 2];

        const TOKENS: usize = 2;

        #[inline(always)]
        fn enter(self, operation: impl WithSimd<Output = ()>) {
            Simd::vectorize(self, operation);
        }

        #[inline(always)]
        fn load(self, bytes: &[u8; 64]) -> [__m256i; 2] {
            pulp::cast(*bytes)
        }

        #[inline(always)]
        fn bytes(self, bytes: &[u8; LANES]) -> [__m256i; 2] {
            let [first, second] = eights(bytes);
            [self.avx2._mm256_cvtepu8_epi32(first), self.avx2._mm256_cvtepu8_epi32(second)]
        }

        #[inline(always)]
        fn signed_bytes(self, bytes: &[u8; LANES]) -> [__m256i; 2] {
            let [first, second] = eights(bytes);
            [self.avx2._mm256_cvtepi8_epi32(first), self.avx2._mm256_cvtepi8_epi32(second)]
        }

        #[inline(always)]
        fn halves(self, bytes: &[u8; 32]) -> [__m256; 2] {
            let halves: [__m128i; 2] = pulp::cast(*bytes);
            [half(self, halves[0]), half(self, halves[1])]
        }

        #[inline(always)]
        fn floats(self, bytes: &[u8; 64]) -> [__m256; 2] {
            pulp::cast(*bytes)
        }

        #[inline(always)]
        fn pair(self, pair: Pair) -> [__m256i; 2] {
            self.splat(integer(pair))
        }

        #[inline(always)]
        fn splat(self, bits: u32) -> [__m256i; 2] {
            [self.avx._mm256_set1_epi32(bits.cast_signed()); 2]
        }

        #[inline(always)]
        fn number(self, number: f32) -> [__m256; 2] {
            [self.avx._mm256_set1_ps(number); 2]
        }

        #[inline(always)]
        fn store(self, numbers: [__m256; 2]) -> [f32; LANES] {
            pulp::cast(numbers)
        }

        #[inline(always)]
        fn and(self, left: [__m256i; 2], right: [__m256i; 2]) -> [__m256i; 2] {
            [self.avx2._mm256_and_si256(left[0], right[0]), self.avx2._mm256_and_si256(left[1], right[1])]
        }

        #[inline(always)]
        fn or(self, left: [__m256i; 2], right: [__m256i; 2]) -> [__m256i; 2] {
            [self.avx2._mm256_or_si256(left[0], right[0]), self.avx2._mm256_or_si256(left[1], right[1])]
        }

        #[inline(always)]
        fn up(self, bits: [__m256i; 2], by: u32) -> [__m256i; 2] {
            [self.avx2._mm256_sll_epi32(bits[0], count(by)), self.avx2._mm256_sll_epi32(bits[1], count(by))]
        }

        #[inline(always)]
        fn down(self, bits: [__m256i; 2], by: u32) -> [__m256i; 2] {
            [self.avx2._mm256_srl_epi32(bits[0], count(by)), self.avx2._mm256_srl_epi32(bits[1], count(by))]
        }

        #[inline(always)]
        fn low_bytes(self, bits: [__m256i; 2]) -> [__m256i; 2] {
            self.high_bytes([self.avx2._mm256_slli_epi16::<8>(bits[0]), self.avx2._mm256_slli_epi16::<8>(bits[1])])
        }

        #[inline(always)]
        fn high_bytes(self, bits: [__m256i; 2]) -> [__m256i; 2] {
            [self.avx2._mm256_srai_epi16::<8>(bits[0]), self.avx2._mm256_srai_epi16::<8>(bits[1])]
        }

        #[inline(always)]
        fn sub_pairs(self, left: [__m256i; 2], right: [__m256i; 2]) -> [__m256i; 2] {
            [self.avx2._mm256_sub_epi16(left[0], right[0]), self.avx2._mm256_sub_epi16(left[1], right[1])]
        }

        #[inline(always)]
        fn mul_pairs(self, left: [__m256i; 2], right: [__m256i; 2]) -> [__m256i; 2] {
            [self.avx2._mm256_mullo_epi16(left[0], right[0]), self.avx2._mm256_mullo_epi16(left[1], right[1])]
        }

        #[inline(always)]
        fn dot(self, left: [__m256i; 2], right: [__m256i; 2]) -> [__m256i; 2] {
            [self.avx2._mm256_madd_epi16(left[0], right[0]), self.avx2._mm256_madd_epi16(left[1], right[1])]
        }

        #[inline(always)]
        fn add(self, left: [__m256i; 2], right: [__m256i; 2]) -> [__m256i; 2] {
            [self.avx2._mm256_add_epi32(left[0], right[0]), self.avx2._mm256_add_epi32(left[1], right[1])]
        }

        #[inline(always)]
        fn to_floats(self, integers: [__m256i; 2]) -> [__m256; 2] {
            [self.avx._mm256_cvtepi32_ps(integers[0]), self.avx._mm256_cvtepi32_ps(integers[1])]
        }

        #[inline(always)]
        fn sum(self, left: [__m256; 2], right: [__m256; 2]) -> [__m256; 2] {
            [self.avx._mm256_add_ps(left[0], right[0]), self.avx._mm256_add_ps(left[1], right[1])]
        }

        #[inline(always)]
        fn product(self, left: [__m256; 2], right: [__m256; 2]) -> [__m256; 2] {
            [self.avx._mm256_mul_ps(left[0], right[0]), self.avx._mm256_mul_ps(left[1], right[1])]
        }
    }

    /// Eight bytes each, at the beginning of a register.
    #[inline(always)]
    fn eights(bytes: &[u8; LANES]) -> [__m128i; 2] {
        let [first, second]: [u64; 2] = pulp::cast(*bytes);
        [pulp::cast([first, 0]), pulp::cast([second, 0])]
    }

    /// Half-precision numbers; see the function of the same name above.
    #[inline(always)]
    fn half(v3: V3, halves: __m128i) -> __m256 {
        // No closure here: it would be a function without these instructions, which keeps them from being inlined.
        let (avx, avx2) = (v3.avx, v3.avx2);
        let without_sign = avx._mm256_set1_epi32(0x7fff);
        let bits = avx2._mm256_cvtepu16_epi32(halves);
        let magnitude = avx2._mm256_and_si256(bits, without_sign);
        let shifted = avx2._mm256_sll_epi32(magnitude, count(13));
        let finite = avx._mm256_mul_ps(pulp::cast(shifted), avx._mm256_set1_ps(f32::from_bits((127 + 112) << 23)));
        let others = avx2._mm256_or_si256(shifted, avx._mm256_set1_epi32(0x7f80_0000));
        let which = avx2._mm256_cmpgt_epi32(magnitude, avx._mm256_set1_epi32(0x7bff));
        let value = avx2._mm256_blendv_epi8(pulp::cast(finite), others, which);
        let sign = avx2._mm256_sll_epi32(avx2._mm256_sub_epi16(bits, magnitude), count(16));
        pulp::cast(avx2._mm256_or_si256(value, sign))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::half::f16;

    fn every_half(lanes: impl Lanes) -> Vec<f32> {
        let bits: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
        bits.as_chunks().0.iter().flat_map(|bits| lanes.store(lanes.halves(bits))).collect()
    }

    #[test]
    fn every_half_precision_number_is_itself() {
        let mut all = vec![every_half(Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(pulp::x86::V3::try_new().map(every_half));
            all.extend(pulp::x86::V4::try_new().map(every_half));
        }
        for ours in all {
            assert_eq!(ours.len(), 1 << 16);
            for (bits, ours) in (0..=u16::MAX).zip(ours) {
                let expected = f16::from_bits(bits).to_f32();
                assert!(
                    ours.to_bits() == expected.to_bits() || ours.is_nan() && expected.is_nan(),
                    "{bits:#x}: {ours}"
                );
            }
        }
    }
}
