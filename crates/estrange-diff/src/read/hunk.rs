//! Reads hunks: a header with numbers, and exactly as many lines as it says.

use super::Reader;
use crate::error::{BadPatch, Fault};
use crate::patch::{Hunk, Kind, Line, Range};

/// No file has more lines than this: larger numbers would only overflow.
const MOST_LINES: usize = 1 << 31;

/// The numbers of `@@ -1,2 +3,4 @@ section`, and the section.
pub(super) fn header(line: &[u8]) -> Option<(Range, Range, String)> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let end = line.windows(3).position(|three| three == b" @@")?;
    let numbers = std::str::from_utf8(line[..end].strip_prefix(b"@@ -")?).ok()?;
    let (old, new) = numbers.split_once(" +")?;
    let section = String::from_utf8_lossy(&line[end + 3..]).trim().to_owned();
    Some((range(old)?, range(new)?, section))
}

fn range(text: &str) -> Option<Range> {
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|&number| is_number && number <= MOST_LINES)
    };
    let (start, count) = text.split_once(',').map_or((text, "1"), |both| both);
    let range = Range { start: number(start)?, count: number(count)? };
    // Only nothing at all stands before the first line.
    (range.start > 0 || range.count == 0).then_some(range)
}

impl Reader<'_> {
    /// The hunks of one file. With `carriage`, every line loses its carriage return.
    pub(super) fn hunks(&mut self, carriage: bool) -> Result<Vec<Hunk>, BadPatch> {
        let mut hunks: Vec<Hunk> = Vec::new();
        while self.peek(0).is_some_and(|line| line.starts_with(b"@@")) {
            let before = hunks.last();
            let ended = before.is_some_and(|hunk| hunk.lines.iter().any(|line| !line.text.ends_with(b"\n")));
            let start = before.map_or(0, |hunk| hunk.old.first());
            if ended {
                return Err(self.bad(Fault::NoNewline));
            }
            let line = self.bad(Fault::HunkOrder);
            let hunk = self.hunk(carriage)?;
            if hunk.old.first() < start {
                return Err(line);
            }
            hunks.push(hunk);
        }
        Ok(hunks)
    }

    fn hunk(&mut self, carriage: bool) -> Result<Hunk, BadPatch> {
        let line = self.at + 1;
        let (old, new, section) = self.peek(0).and_then(header).ok_or_else(|| self.bad(Fault::HunkHeader))?;
        self.at += 1;
        let mut left = (old.count, new.count);
        let mut lines: Vec<Line> = Vec::new();
        while left != (0, 0) {
            if self.no_newline(&mut lines)? {
                continue;
            }
            let next = self.line(carriage, left)?;
            left.0 -= usize::from(next.kind.is_old());
            left.1 -= usize::from(next.kind.is_new());
            lines.push(next);
        }
        self.no_newline(&mut lines)?;
        self.end()?;
        Ok(Hunk { old, new, section, lines, line })
    }

    /// One line of a hunk of which so many old and new lines are left.
    fn line(&mut self, carriage: bool, left: (usize, usize)) -> Result<Line, BadPatch> {
        let missing = left.0.max(left.1);
        let line = self.peek(0).ok_or_else(|| self.bad(Fault::HunkTooShort { missing }))?;
        let line = line.strip_suffix(b"\r").filter(|_| carriage).unwrap_or(line);
        let (kind, text) = match line.split_first() {
            // Editors take the blank of an empty line away.
            None => (Kind::Context, line),
            Some((b' ', text)) => (Kind::Context, text),
            Some((b'-', text)) => (Kind::Removed, text),
            Some((b'+', text)) => (Kind::Added, text),
            Some(_) => return Err(self.bad(Fault::HunkLine)),
        };
        if (kind.is_old() && left.0 == 0) || (kind.is_new() && left.1 == 0) {
            return Err(self.bad(Fault::HunkTooLong));
        }
        self.at += 1;
        Ok(Line { kind, text: [text, b"\n"].concat() })
    }

    /// Takes the newline from the last line, where the patch says that it has none.
    fn no_newline(&mut self, lines: &mut [Line]) -> Result<bool, BadPatch> {
        let Some(said) = self.peek(0).filter(|line| line.starts_with(b"\\")) else { return Ok(false) };
        let bad = self.bad(Fault::NoNewline);
        let (last, before) = lines.split_last_mut().ok_or_else(|| bad.clone())?;
        let has_newline = last.text.pop() == Some(b'\n');
        let is_alone = before.iter().all(|line| line.text.ends_with(b"\n") || line.kind != last.kind);
        if !has_newline || !is_alone || !said.starts_with(b"\\ ") {
            return Err(bad);
        }
        self.at += 1;
        Ok(true)
    }

    /// Looks that a hunk ends where its header says.
    fn end(&self) -> Result<(), BadPatch> {
        let Some(line) = self.peek(0) else { return Ok(()) };
        if line.starts_with(b"\\ ") {
            return Err(self.bad(Fault::NoNewline));
        }
        let goes_on = line.starts_with(b"+") || line.starts_with(b"-") || line.starts_with(b" ");
        let is_blank = line.iter().all(u8::is_ascii_whitespace);
        // The end of a mail, and the next file.
        let is_signature = line == b"-- " || line == b"--" || line == b"-- \r";
        if goes_on && !is_blank && !is_signature && !self.is_names() {
            return Err(self.bad(Fault::HunkTooLong));
        }
        Ok(())
    }
}
