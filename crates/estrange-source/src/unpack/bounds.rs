//! How large an unpacked tree may get.

/// What one archive or folder may hold. The defaults fit the largest honest source packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of all files together.
    pub bytes: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Files, folders and links, with those left out.
    pub entries: u64,
    /// How many bytes a compressed byte may become, once [`Bounds::free`] bytes have come out.
    pub ratio: u64,
    /// How many bytes may come out before the ratio is looked at.
    pub free: u64,
}

const MIB: u64 = 1024 * 1024;

impl Default for Bounds {
    fn default() -> Self {
        Self { bytes: 6 * 1024 * MIB, file: 1024 * MIB, entries: 500_000, ratio: 150, free: 64 * MIB }
    }
}
