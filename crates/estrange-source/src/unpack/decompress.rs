//! Recognises a compression by its first bytes, and meters what comes out of it.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::bounds::Bounds;
use super::left_out::printable;
use crate::loss::Loss;
use crate::rule::Rule;

/// How a file is packed, by its first bytes: names lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Gzip,
    Xz,
    Bzip2,
    Zstandard,
    Zip,
}

impl Packing {
    /// Looks at the file's beginning, and rewinds it.
    pub(super) fn of(file: &mut File) -> io::Result<Packing> {
        let mut head = Vec::new();
        file.take(6).read_to_end(&mut head)?;
        file.rewind()?;
        Ok(match head.as_slice() {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            [0xfd, b'7', b'z', b'X', b'Z', 0] => Packing::Xz,
            [b'B', b'Z', b'h', ..] => Packing::Bzip2,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstandard,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Packing::Zip,
            _ => Packing::Plain,
        })
    }
}

/// A file's content, decompressed; reading it fails with [`Passed`] where a bound is passed.
pub(super) fn open(file: File, packing: Packing, bounds: Bounds) -> io::Result<Metered> {
    let went_in = Arc::new(AtomicU64::new(0));
    let packed = BufReader::with_capacity(64 * 1024, Counted { inner: file, count: Arc::clone(&went_in) });
    let inner: Box<dyn Read> = match packing {
        Packing::Plain | Packing::Zip => Box::new(packed),
        Packing::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
        Packing::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(packed)),
        // The largest dictionary that xz's own presets ask for takes 64 MiB.
        Packing::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(packed, true, 256 * 1024)),
        Packing::Zstandard => Box::new(Frames { source: Some(packed), frame: None }),
    };
    Ok(Metered { inner, went_in, came_out: 0, bounds })
}

/// The content of all frames of a Zstandard file; its decoder reads one at a time.
struct Frames<R: BufRead> {
    /// What comes behind the frames read so far, while none is being read.
    source: Option<R>,
    frame: Option<StreamingDecoder<R, FrameDecoder>>,
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let count = frame.read(buffer)?;
                if count > 0 || buffer.is_empty() {
                    return Ok(count);
                }
                if let (Some(stated), Some(found)) =
                    (frame.decoder.get_checksum_from_data(), frame.decoder.get_calculated_checksum())
                    && stated != found
                {
                    return Err(io::Error::other("its checksum is wrong"));
                }
                self.source = self.frame.take().map(StreamingDecoder::into_inner);
            }
            let Some(mut source) = self.source.take() else { return Ok(0) };
            if source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.frame = Some(StreamingDecoder::new(source).map_err(io::Error::other)?);
        }
    }
}

/// Counts what is read through it.
struct Counted<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A decompressed stream that ends in an error where it passes a bound.
pub(super) struct Metered {
    inner: Box<dyn Read>,
    went_in: Arc<AtomicU64>,
    came_out: u64,
    bounds: Bounds,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.came_out += count as u64;
        // A tar's headers come on top of its files.
        let most = self.bounds.bytes.saturating_add(self.bounds.entries.saturating_mul(2048));
        if self.came_out > most {
            return Err(io::Error::other(Passed::Bytes(most)));
        }
        check_ratio(self.went_in.load(Ordering::Relaxed), self.came_out, self.bounds).map_err(io::Error::other)?;
        Ok(count)
    }
}

/// Whether so many bytes may come out of so few.
pub(super) fn check_ratio(went_in: u64, came_out: u64, bounds: Bounds) -> Result<(), Passed> {
    if came_out > bounds.free && came_out > went_in.saturating_mul(bounds.ratio) {
        return Err(Passed::Ratio);
    }
    Ok(())
}

/// A bound that was passed while decompressing.
#[derive(Debug, Clone, Copy)]
pub(super) enum Passed {
    Ratio,
    Bytes(u64),
}

impl fmt::Display for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Passed::Ratio => write!(f, "{}", Rule::Bomb),
            Passed::Bytes(bytes) => write!(f, "more than {bytes} bytes in all"),
        }
    }
}

impl std::error::Error for Passed {}

impl Passed {
    pub(super) fn into_loss(self, archive: &str, name: &[u8]) -> Loss {
        let entry = printable(name);
        match self {
            Passed::Ratio => Loss::Hostile { archive: archive.to_owned(), rule: Rule::Bomb, entry },
            Passed::Bytes(_) => Loss::TooLarge { what: archive.to_owned(), bound: self.to_string(), entry },
        }
    }
}
