//! Hashes that are the same on every machine and in every release.

/// Mixes 64 bits thoroughly (the finaliser of SplitMix64).
pub(super) const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// The hash of a sequence, given that of all but its last member.
pub(super) fn chain(hash: u64, value: u64) -> u64 {
    mix(hash.rotate_left(5) ^ value.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// The hash of bytes (FNV-1a, mixed).
pub(super) fn bytes(bytes: &[u8]) -> u64 {
    let hash = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    mix(bytes.iter().fold(0xcbf2_9ce4_8422_2325, hash))
}
