//! Reads tar archives: old, ustar, GNU and pax, with names and metadata bounded.
//!
//! The entries come raw from the `tar` crate; the extension entries that rename the next one are read here, because
//! their size has to be bounded before they are taken into memory.

use std::io::{self, Read};

use tar::EntryType;

use super::left_out::Omission;
use super::plot::Plot;
use crate::loss::Loss;
use crate::rule::Rule;

/// The most that one extension entry may hold: far more than any path.
const LARGEST_EXTENSION: u64 = 256 * 1024;

/// What extension entries said about the next entry.
#[derive(Default)]
struct Extension {
    name: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
    size: Option<u64>,
    sparse: bool,
}

/// Unpacks a tar stream, and reads it to its end so that the decompressor checks its own sums.
pub(super) fn unpack(mut stream: impl Read, plot: &mut Plot<'_>) -> Result<(), Loss> {
    let mut archive = tar::Archive::new(&mut stream);
    let entries = archive.entries().map_err(|error| plot.unreadable(error, b""))?.raw(true);
    let mut extension = Extension::default();
    for entry in entries {
        let mut entry = entry.map_err(|error| plot.unreadable(error, b""))?;
        let kind = entry.header().entry_type();
        match kind {
            EntryType::GNULongName => extension.name = Some(text(&mut entry, plot)?),
            EntryType::GNULongLink => extension.link = Some(text(&mut entry, plot)?),
            EntryType::XHeader => pax(&whole(&mut entry, plot)?, &mut extension, plot)?,
            // A comment for the whole archive, such as the commit it was made from.
            EntryType::XGlobalHeader => (),
            _ => one(&mut entry, std::mem::take(&mut extension), plot)?,
        }
    }
    io::copy(&mut stream, &mut io::sink()).map_err(|error| plot.unreadable(error, b""))?;
    Ok(())
}

fn one<R: Read>(entry: &mut tar::Entry<'_, R>, extension: Extension, plot: &mut Plot<'_>) -> Result<(), Loss> {
    let header = entry.header();
    let kind = header.entry_type();
    let name = extension.name.unwrap_or_else(|| header.path_bytes().into_owned());
    let link = extension.link.or_else(|| header.link_name_bytes().map(|link| link.into_owned())).unwrap_or_default();
    let executable = header.mode().is_ok_and(|mode| mode & 0o100 != 0);
    let size = entry.size();
    if extension.size.is_some_and(|stated| stated != size) {
        return Err(plot.hostile(Rule::Contradiction, &name));
    }
    if extension.sparse || kind.is_gnu_sparse() {
        return Err(Loss::Unsupported {
            what: super::left_out::printable(&name),
            format: "a sparse file in a tar archive".to_owned(),
        });
    }
    match kind {
        EntryType::Directory => plot.folder(&name),
        // Before ustar, a folder was a file whose name ends in a slash.
        EntryType::Regular if name.ends_with(b"/") => plot.folder(&name),
        EntryType::Regular | EntryType::Continuous => {
            plot.file(&name, executable, &mut Whole { inner: entry, left: size })
        }
        EntryType::Symlink => plot.symbolic_link(&name, &link),
        EntryType::Link => plot.hard_link(&name, &link),
        _ => plot.leave_out(&name, Omission::NotAFile),
    }
}

/// Fails where the stream ends before the entry does; the `tar` crate takes that for a short file.
struct Whole<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        if count == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left = self.left.saturating_sub(count as u64);
        Ok(count)
    }
}

fn whole<R: Read>(entry: &mut tar::Entry<'_, R>, plot: &Plot<'_>) -> Result<Vec<u8>, Loss> {
    if entry.size() > LARGEST_EXTENSION {
        return Err(plot.hostile(Rule::Metadata, b""));
    }
    let left = entry.size();
    let mut bytes = Vec::new();
    Whole { inner: entry, left }.read_to_end(&mut bytes).map_err(|error| plot.unreadable(error, b""))?;
    Ok(bytes)
}

/// A long name: it ends at its first NUL.
fn text<R: Read>(entry: &mut tar::Entry<'_, R>, plot: &Plot<'_>) -> Result<Vec<u8>, Loss> {
    let mut bytes = whole(entry, plot)?;
    if let Some(end) = bytes.iter().position(|&byte| byte == 0) {
        bytes.truncate(end);
    }
    Ok(bytes)
}

/// Reads pax records: `LENGTH KEY=VALUE\n`, where the length counts the whole record, so a value may hold newlines.
fn pax(mut bytes: &[u8], extension: &mut Extension, plot: &Plot<'_>) -> Result<(), Loss> {
    let malformed = || Loss::Damaged { what: "a pax header".to_owned(), detail: "it is malformed".to_owned() };
    while !bytes.is_empty() && bytes[0] != 0 {
        let space = bytes.iter().take(20).position(|&byte| byte == b' ').ok_or_else(malformed)?;
        let length = std::str::from_utf8(&bytes[..space]).ok().and_then(|digits| digits.parse::<usize>().ok());
        let length = length.filter(|&length| length > space + 1 && length <= bytes.len()).ok_or_else(malformed)?;
        let (record, rest) = bytes.split_at(length);
        bytes = rest;
        let record = record[space + 1..].strip_suffix(b"\n").ok_or_else(malformed)?;
        let equals = record.iter().position(|&byte| byte == b'=').ok_or_else(malformed)?;
        let (key, value) = (&record[..equals], &record[equals + 1..]);
        match key {
            b"path" => extension.name = Some(value.to_vec()),
            b"linkpath" => extension.link = Some(value.to_vec()),
            b"size" => {
                let size = std::str::from_utf8(value).ok().and_then(|digits| digits.parse().ok());
                extension.size = Some(size.ok_or_else(|| plot.hostile(Rule::Contradiction, value))?);
            }
            _ if key.starts_with(b"GNU.sparse.") => extension.sparse = true,
            _ => (),
        }
    }
    Ok(())
}
