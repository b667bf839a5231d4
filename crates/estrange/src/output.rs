//! Results on stdout. A reader that has seen enough (`| head`) is not an error; a full disk is.

use std::io::{self, Write};

use crate::voice::Failure;

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

/// Prints one JSON document.
pub fn print_json(document: &impl serde::Serialize) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = serde_json::to_writer_pretty(&mut stdout, document).map_err(io::Error::from);
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
