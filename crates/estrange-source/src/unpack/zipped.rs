//! Reads zip archives.

use std::fs::File;
use std::io::{self, BufReader, Read};

use zip::result::ZipError;

use super::bounds::Bounds;
use super::decompress::check_ratio;
use super::left_out::Omission;
use super::plot::Plot;
use crate::loss::Loss;
use crate::rule::Rule;

/// The longest link target worth reading.
const LONGEST_LINK: u64 = 4096;

pub(super) fn unpack(file: File, archive: &str, bounds: Bounds, plot: &mut Plot<'_>) -> Result<(), Loss> {
    let broken = |error: ZipError| match error {
        ZipError::Io(error) => Loss::Damaged { what: archive.to_owned(), detail: error.to_string() },
        ZipError::UnsupportedArchive(what) => Loss::Unsupported { what: archive.to_owned(), format: what.to_string() },
        other => Loss::Damaged { what: archive.to_owned(), detail: other.to_string() },
    };
    let mut zip = zip::ZipArchive::new(BufReader::new(file)).map_err(broken)?;
    if zip.len() as u64 > bounds.entries {
        return Err(plot.too_large(format!("more than {} entries", bounds.entries), b""));
    }
    if zip.has_overlapping_files().map_err(broken)? {
        return Err(plot.hostile(Rule::Overlap, b""));
    }
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).map_err(broken)?;
        let name = entry.name_raw().to_vec();
        let mode = entry.unix_mode().unwrap_or(0o644);
        let packed = entry.compressed_size();
        let kind = mode & 0o170_000;
        if entry.is_dir() {
            plot.folder(&name)?;
        } else if entry.is_symlink() {
            let mut target = Vec::new();
            let read = (&mut entry).take(LONGEST_LINK + 1).read_to_end(&mut target);
            read.map_err(|error| plot.unreadable(error, &name))?;
            plot.symbolic_link(&name, &target)?;
        } else if kind != 0 && kind != 0o100_000 {
            plot.leave_out(&name, Omission::NotAFile)?;
        } else {
            let mut metered = Metered { inner: entry, packed, came_out: 0, bounds };
            plot.file(&name, mode & 0o100 != 0, &mut metered)?;
        }
    }
    Ok(())
}

/// One entry's content, which ends in an error where it is a bomb.
struct Metered<R> {
    inner: R,
    packed: u64,
    came_out: u64,
    bounds: Bounds,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.came_out += count as u64;
        check_ratio(self.packed, self.came_out, self.bounds).map_err(io::Error::other)?;
        Ok(count)
    }
}
