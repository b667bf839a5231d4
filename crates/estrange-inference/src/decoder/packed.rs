//! Quantised matrices in memory: sixteen rows beside each other, in as many bits as in their file.
//!
//! A **tile** holds sixteen rows. In it follow, column by column, groups of one block or eight; a block is 32 columns.
//!
//! ```text
//! group  scales of the rows, minimums of the rows (half precision; or scales in single precision), blocks
//! block  quants, small scales and minimums (bytes, one or two for each row)
//! quants the lower 4 bits, 4 rows of registers; the others, 1 or 2; or 8 for bytes, 16 for integers of 16 bits
//! ```
//!
//! Each lane of a register belongs to a row, and what is unpacked are sixteen registers of pairs: those of the columns 0 and
//! 1, 2 and 3, and so on. See [`Packing`] for what varies.

use super::lanes::{LANES, Lanes};
use super::quantized::{BLOCK, Dtype, STEPS, bf16_le, f16_le, f32_le, round};

/// How many registers of pairs a block has.
pub const PAIRS: usize = BLOCK / 2;

/// The bytes of a register.
const REGISTER: usize = 64;

/// What the blocks of a group share.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shared {
    /// A scale in single precision.
    Single,
    /// A scale in half precision.
    Half,
    /// A scale and a minimum in half precision.
    HalfAndMin,
}

/// What a block has besides its quants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// Nothing.
    Nothing,
    /// A byte that the group's scale is multiplied with, and one for the minimum, which is subtracted.
    ScaleAndMin,
    /// A signed byte for each half of the block, which the quants are multiplied with.
    Scales,
}

/// How matrices of an element type are packed.
pub trait Packing {
    /// The bits of a quant: 4, 5, 6, 8 or 16. The latter two have a sign.
    const BITS: usize;
    /// What is subtracted from each quant.
    const OFFSET: i16;
    /// How many blocks make a group.
    const BLOCKS: usize;
    /// What they share.
    const SHARED: Shared;
    /// What they have of their own.
    const OWN: Own;

    /// Whether there are minimums.
    const HAS_MIN: bool = matches!(Self::SHARED, Shared::HalfAndMin);
    /// The bytes of what the blocks of a group share.
    const HEAD: usize = if matches!(Self::SHARED, Shared::Half) { REGISTER / 2 } else { REGISTER };
    /// The bytes of a block.
    const BODY: usize = Self::BITS * REGISTER + if matches!(Self::OWN, Own::Nothing) { 0 } else { 2 * LANES };
    /// The bytes of a group.
    const GROUP: usize = Self::HEAD + Self::BLOCKS * Self::BODY;
}

/// Something that depends on how a matrix is packed.
pub trait WithPacking {
    /// What it gives.
    type Output;
    /// Does it.
    fn with<P: Packing>(self) -> Self::Output;
}

macro_rules! packings {
    ($($name:ident $bits:literal $offset:literal $blocks:literal $shared:ident $own:ident, $($dtype:ident)|+;)*) => {
        $(
            struct $name;
            impl Packing for $name {
                const BITS: usize = $bits;
                const OFFSET: i16 = $offset;
                const BLOCKS: usize = $blocks;
                const SHARED: Shared = Shared::$shared;
                const OWN: Own = Own::$own;
            }
        )*

        /// Does something with the packing of an element type.
        #[inline(always)]
        pub fn with_packing<W: WithPacking>(dtype: Dtype, what: W) -> W::Output {
            match dtype {
                $($(Dtype::$dtype)|+ => what.with::<$name>(),)*
            }
        }
    };
}

packings! {
    Floats 16 0 1 Single Nothing, F32 | F16 | Bf16;
    Q40 4 8 1 Half Nothing, Q4_0;
    Q41 4 0 1 HalfAndMin Nothing, Q4_1;
    Q50 5 16 1 Half Nothing, Q5_0;
    Q51 5 0 1 HalfAndMin Nothing, Q5_1;
    Q80 8 0 1 Half Nothing, Q8_0;
    Q4K 4 0 8 HalfAndMin ScaleAndMin, Q4K;
    Q5K 5 0 8 HalfAndMin ScaleAndMin, Q5K;
    Q6K 6 32 8 Half Scales, Q6K;
}

/// A block that was unpacked: of each row, 32 numbers `scale · quant + min`.
#[derive(Clone, Copy)]
pub struct Block<L: Lanes> {
    /// The quants, two columns in each register.
    pub quants: [L::Integers; PAIRS],
    /// The scales.
    pub scale: L::Floats,
    /// The minimums.
    pub min: L::Floats,
}

impl<L: Lanes> Block<L> {
    /// Nothing but zeros.
    #[inline(always)]
    pub fn zeros(lanes: L) -> Self {
        Self { quants: [lanes.splat(0); PAIRS], scale: lanes.number(0.0), min: lanes.number(0.0) }
    }

    /// Unpacks one of the blocks of a group, in place of what was here.
    #[inline(always)]
    pub fn unpack<P: Packing>(&mut self, lanes: L, group: &[u8], number: usize) {
        let (head, body) = (&group[..P::HEAD], &group[P::HEAD + number * P::BODY..][..P::BODY]);
        let Self { quants, scale, min } = self;
        match P::BITS {
            8 => {
                for register in 0..8 {
                    let bits = lanes.load(array(body, register * REGISTER));
                    quants[2 * register] = lanes.low_bytes(bits);
                    quants[2 * register + 1] = lanes.high_bytes(bits);
                }
            }
            16 => {
                for (register, quants) in quants.iter_mut().enumerate() {
                    *quants = lanes.load(array(body, register * REGISTER));
                }
            }
            _ => {
                let low = lanes.splat(0x000f_000f);
                for register in 0..4 {
                    let bits = lanes.load(array(body, register * REGISTER));
                    for part in 0..4 {
                        quants[4 * register + part] = lanes.and(lanes.down(bits, 4 * part as u32), low);
                    }
                }
            }
        }
        if P::BITS == 5 {
            let fifth = lanes.splat(0x0010_0010);
            let bits = lanes.load(array(body, 4 * REGISTER));
            for (pair, quants) in quants.iter_mut().enumerate() {
                *quants = lanes.or(*quants, lanes.and(moved(lanes, bits, pair as u32), fifth));
            }
        }
        if P::BITS == 6 {
            let upper = lanes.splat(0x0030_0030);
            for (pair, quants) in quants.iter_mut().enumerate() {
                let bits = lanes.load(array(body, (4 + pair / 8) * REGISTER));
                *quants = lanes.or(*quants, lanes.and(moved(lanes, bits, (pair % 8 * 2) as u32), upper));
            }
        }
        if P::OFFSET != 0 {
            let offset = lanes.pair([P::OFFSET; 2]);
            for quants in quants.iter_mut() {
                *quants = lanes.sub_pairs(*quants, offset);
            }
        }
        *scale = match P::SHARED {
            Shared::Single => lanes.floats(array(head, 0)),
            Shared::Half | Shared::HalfAndMin => lanes.halves(array(head, 0)),
        };
        *min = if P::HAS_MIN { lanes.halves(array(head, REGISTER / 2)) } else { lanes.number(0.0) };
        match P::OWN {
            Own::Nothing => {}
            Own::ScaleAndMin => {
                let scales = lanes.bytes(array(body, P::BITS * REGISTER));
                let mins = lanes.bytes(array(body, P::BITS * REGISTER + LANES));
                *scale = lanes.product(*scale, lanes.to_floats(scales));
                *min = lanes.product(lanes.product(*min, lanes.to_floats(mins)), lanes.number(-1.0));
            }
            Own::Scales => {
                for half in 0..2 {
                    let scales = lanes.signed_bytes(array(body, P::BITS * REGISTER + half * LANES));
                    let scales = lanes.or(lanes.and(scales, lanes.splat(0xffff)), lanes.up(scales, 16));
                    for quants in &mut quants[half * PAIRS / 2..][..PAIRS / 2] {
                        *quants = lanes.mul_pairs(*quants, scales);
                    }
                }
            }
        }
    }
}

/// Moves bits to the fifth place from `from` places above the first.
#[inline(always)]
fn moved<L: Lanes>(lanes: L, bits: L::Integers, from: u32) -> L::Integers {
    if from <= 4 { lanes.up(bits, 4 - from) } else { lanes.down(bits, from - 4) }
}

/// Some bytes out of others.
#[inline(always)]
fn array<const N: usize>(bytes: &[u8], at: usize) -> &[u8; N] {
    // Every place is known when this is compiled, and within what was cut out for it.
    bytes[at..].first_chunk().unwrap_or(&[0; N])
}

/// Packs the rows of a matrix, at most sixteen, that lie one after the other in a file.
pub fn pack(dtype: Dtype, columns: usize, rows: &[u8], tile: &mut [u8]) {
    with_packing(dtype, Pack { dtype, columns, rows, tile });
}

/// The bytes of a tile.
pub fn tile_length(dtype: Dtype, columns: usize) -> usize {
    struct Length(usize);
    impl WithPacking for Length {
        type Output = usize;
        fn with<P: Packing>(self) -> usize {
            self.0.div_ceil(P::BLOCKS * BLOCK) * P::GROUP
        }
    }
    with_packing(dtype, Length(columns))
}

struct Pack<'a> {
    dtype: Dtype,
    columns: usize,
    rows: &'a [u8],
    tile: &'a mut [u8],
}

impl WithPacking for Pack<'_> {
    type Output = ();

    fn with<P: Packing>(self) {
        let Self { dtype, columns, rows, tile } = self;
        // Every matrix that was found in a file has whole blocks.
        let length = dtype.length(columns).unwrap_or(0);
        for (lane, row) in rows.chunks_exact(length.max(1)).enumerate() {
            match dtype {
                Dtype::F32 => floats(row.as_chunks().0, lane, tile, f32_le),
                Dtype::F16 => floats(row.as_chunks().0, lane, tile, f16_le),
                Dtype::Bf16 => floats(row.as_chunks().0, lane, tile, bf16_le),
                _ => {
                    let groups = row.chunks_exact(length / (columns / (P::BLOCKS * BLOCK)));
                    for (from, to) in groups.zip(tile.chunks_exact_mut(P::GROUP)) {
                        group::<P>(dtype, from, lane, to);
                    }
                }
            }
        }
    }
}

/// Packs floating-point numbers of one row.
fn floats<const N: usize>(row: &[[u8; N]], lane: usize, tile: &mut [u8], value: impl Fn(&[u8; N]) -> f32) {
    for (numbers, group) in row.chunks(BLOCK).zip(tile.chunks_exact_mut(<Floats as Packing>::GROUP)) {
        let mut values = [0.0; BLOCK];
        values.iter_mut().zip(numbers).for_each(|(each, bytes)| *each = value(bytes));
        let mut quants = [0; BLOCK];
        let scale = round(&values, &mut quants);
        let (head, body) = group.split_at_mut(REGISTER);
        put(head, lane, scale.to_bits());
        for (pair, register) in quants.as_chunks::<2>().0.iter().zip(body.chunks_exact_mut(REGISTER)) {
            put(register, lane, u32::from(pair[0].cast_unsigned()) | u32::from(pair[1].cast_unsigned()) << 16);
        }
    }
}

/// Packs a group of one row.
fn group<P: Packing>(dtype: Dtype, from: &[u8], lane: usize, to: &mut [u8]) {
    let (head, bodies) = to.split_at_mut(P::HEAD);
    let (scale, min) = dtype.halves(from);
    head[2 * lane..][..2].copy_from_slice(&scale);
    if P::HAS_MIN {
        head[REGISTER / 2 + 2 * lane..][..2].copy_from_slice(&min);
    }
    for (number, body) in bodies.chunks_exact_mut(P::BODY).enumerate() {
        let codes = dtype.codes(from, number);
        let (quants, own) = body.split_at_mut(P::BITS * REGISTER);
        let registers = quants.chunks_exact_mut(REGISTER).enumerate();
        if P::BITS == 8 {
            for (register, bytes) in registers {
                let [a, b, c, d] = [0, 1, 2, 3].map(|at| codes[4 * register + at]);
                put(bytes, lane, u32::from_le_bytes([a, c, b, d]));
            }
        } else {
            for (register, bytes) in registers {
                let (first, each, bits, shift) = match register {
                    0..4 => (4 * register, 4, 4, 0),
                    _ if P::BITS == 5 => (0, 16, 1, 4),
                    _ => (8 * (register - 4), 8, 2, 4),
                };
                let mut all = 0;
                for (at, pair) in codes.as_chunks::<2>().0[first..first + each].iter().enumerate() {
                    let [low, high] = pair.map(|code| u32::from(code >> shift) & ((1 << bits) - 1));
                    all |= (low | high << 16) << (at * bits);
                }
                put(bytes, lane, all);
            }
        }
        if !matches!(P::OWN, Own::Nothing) {
            let [first, second] = dtype.own(from, number);
            (own[lane], own[LANES + lane]) = (first, second);
        }
    }
}

/// Puts 32 bits into a lane of a register.
fn put(register: &mut [u8], lane: usize, bits: u32) {
    register[4 * lane..][..4].copy_from_slice(&bits.to_le_bytes());
}

const _: () =
    assert!(STEPS as i64 * STEPS as i64 * 8 <= i32::MAX as i64 && STEPS as i64 * 4096 * 32 <= i32::MAX as i64);
