//! Unpacks archives nobody vouches for.
//!
//! What an archive may do is decided here, once for every format. An entry that only a dishonest archive has (a path
//! out of its folder, a file beneath a link, a bomb) refuses the whole archive: [`Rule`]. An entry that is merely of
//! no use (a device, a link out of the tree, a name that is not text) is left out and counted: [`Omission`].
//! Everything else is written by [`plot::Plot`]. Links are made last, so that no write can go through one.

mod bounds;
mod decompress;
pub(crate) mod left_out;
pub(crate) mod links;
mod name;
mod plot;
mod tarball;
#[cfg(test)]
mod tests;
mod zipped;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use crate::rule::Rule;
pub use bounds::Bounds;
pub(crate) use left_out::printable;
pub use left_out::{LeftOut, Omission};

use crate::loss::Loss;
use decompress::Packing;
use plot::Plot;
pub(crate) use plot::Unpacked;

/// Counts up whenever the same archive would unpack to something else: kept trees are made anew then.
pub(crate) const VERSION: &str = "1";

/// Unpacks the archive `file`, which people know as `archive`, into the empty folder `into`; its links are returned,
/// not made. With `strip`, a lone folder at the top is taken away.
pub(crate) fn unpack(file: &Path, archive: &str, into: &Path, strip: bool, bounds: Bounds) -> Result<Unpacked, Loss> {
    let mut opened = File::open(file).map_err(Loss::io("open", file))?;
    if opened.metadata().is_ok_and(|metadata| metadata.len() == 0) {
        return Err(Loss::Damaged { what: archive.to_owned(), detail: "it is empty".to_owned() });
    }
    let packing = Packing::of(&mut opened).map_err(Loss::io("read", file))?;
    let mut plot = Plot::new(archive, into, bounds)?;
    if packing == Packing::Zip {
        zipped::unpack(opened, archive, bounds, &mut plot)?;
    } else {
        let stream = decompress::open(opened, packing, bounds).map_err(|error| plot.unreadable(error, b""))?;
        tarball::unpack(stream, &mut plot)?;
    }
    plot.finish(strip)
}

/// The decompressed content of a file that holds no archive, such as a `.diff.gz`; at most `most` bytes.
pub(crate) fn decompress(file: &Path, name: &str, most: u64, bounds: Bounds) -> Result<Vec<u8>, Loss> {
    let damaged = |error: std::io::Error| match error.downcast::<decompress::Passed>() {
        Ok(passed) => passed.into_loss(name, b""),
        Err(error) => Loss::Damaged { what: name.to_owned(), detail: error.to_string() },
    };
    let mut opened = File::open(file).map_err(Loss::io("open", file))?;
    let packing = Packing::of(&mut opened).map_err(Loss::io("read", file))?;
    let mut content = Vec::new();
    let stream = decompress::open(opened, packing, bounds).map_err(damaged)?;
    stream.take(most + 1).read_to_end(&mut content).map_err(damaged)?;
    if content.len() as u64 > most {
        return Err(Loss::TooLarge {
            what: name.to_owned(),
            bound: format!("more than {most} bytes"),
            entry: String::new(),
        });
    }
    Ok(content)
}
