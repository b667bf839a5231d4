//! Results on stdout and in files. A reader that has seen enough (`| head`) is not an error; a full disk is.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use estrange_report::Table;
use serde::Serialize;

use crate::voice::Failure;

/// Prints tables, one below the other.
pub fn print_tables(tables: &[Table]) -> Result<(), Failure> {
    print(&tables.iter().map(|table| table.to_text(None)).collect::<Vec<_>>().join("\n"))
}

/// Prints text that may carry colour; the colour is left out where it is not wanted.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    finish(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

/// Prints text byte for byte, whatever is in it, and ends its last line: for what is not a terminal.
pub fn print_plain(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    finish(
        stdout.write_all(text.as_bytes()).and_then(|()| stdout.write_all(end.as_bytes())).and_then(|()| stdout.flush()),
    )
}

/// A document that says which shape it has.
#[derive(Debug, Serialize)]
struct Numbered<'d, D: Serialize> {
    format: u32,
    #[serde(flatten)]
    document: &'d D,
}

/// Prints one JSON document, with the number of its shape before its own fields.
pub fn print_json(format: u32, document: &impl Serialize) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = serde_json::to_writer_pretty(&mut stdout, &Numbered { format, document }).map_err(io::Error::from);
    finish(written.and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush()))
}

fn finish(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new("the result could not be printed").because(&error))
        }
        _ => Ok(()),
    }
}

/// Writes a file so that it is whole, or stays as it was: beside its place first, and moved there when it is on the disk.
pub fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let written = match fs::metadata(path) {
        // A pipe or a device, such as /dev/stdout, is not to be replaced.
        Ok(there) if !there.is_file() => fs::write(path, text),
        there => replace(path, there.ok().map(|there| there.permissions()), text),
    };
    written.map_err(|error| {
        let failure = Failure::new(format!("{} cannot be written", path.display())).because(&error);
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                failure.hint("make room on the disk and run it again; what was there before is as it was")
            }
            _ => failure,
        }
    })
}

fn replace(path: &Path, permissions: Option<Permissions>, text: &str) -> io::Result<()> {
    // Of a link, what it leads to is replaced.
    let path = fs::canonicalize(path).or_else(|_| std::path::absolute(path))?;
    let folder = path.parent().ok_or(io::ErrorKind::IsADirectory)?;
    // What a new file may be used for is what the user's mask leaves of this.
    let permissions = permissions.unwrap_or_else(|| Permissions::from_mode(0o666));
    let mut file = tempfile::Builder::new().prefix(".estrange-").permissions(permissions).tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    fs::File::open(folder)?.sync_all()
}

/// Foreign text made fit for one line of a terminal: what could move the cursor or change its colours is escaped.
pub fn printable(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_cannot_speak_to_the_terminal() {
        assert_eq!(printable("a\x1b[31mb\nc\u{9b}é"), "a\\u{1b}[31mb\\nc\\u{9b}é");
    }
}
