//! Bytes of data as lines of text.
//!
//! - what may be read as text is `.string "…"`, one for each zero at an end;
//! - what refers to code or data is `.quad NAME` or `.long NAME-NAME`;
//! - zeros are `.zero COUNT`;
//! - anything else is `.long` in words of four bytes, or `.byte` where it does not fit.
//!
//! Of long data the first [`SHOWN`] bytes are shown; what follows is told by its length and a hash, so that different data
//! stay different: `.rest COUNT HASH`.

use std::collections::BTreeMap;

use crate::names::Names;

/// So many bytes of a datum are shown.
pub const SHOWN: usize = 1024;

/// A place in data that refers to something: its size in bytes, and what it is written as.
pub(crate) type References = BTreeMap<usize, (usize, String)>;

/// The lines of a datum.
pub(crate) fn lines(bytes: &[u8], references: &References, names: &mut Names<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let shown = bytes.len().min(SHOWN);
    let mut at = 0;
    while at < shown {
        let next = references.range(at..).next();
        if let Some((&start, (size, text))) = next
            && start == at
        {
            lines.push(format!(".{} {text}", if *size == 8 { "quad" } else { "long" }));
            at += size;
            continue;
        }
        let end = next.map_or(shown, |(&start, _)| start.min(shown));
        plain(&bytes[at..end], names, &mut lines);
        at = end;
    }
    if at < bytes.len() {
        let hash = blake3::hash(&bytes[at..]).to_hex();
        lines.push(format!(".rest {} 0x{}", bytes.len() - at, &hash[..8]));
    }
    lines
}

/// Bytes that refer to nothing.
fn plain(bytes: &[u8], names: &mut Names<'_>, lines: &mut Vec<String>) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
        if zeros == rest.len() || zeros >= 16 {
            lines.push(format!(".zero {zeros}"));
            rest = &rest[zeros..];
        } else if let Some(text) = string(rest) {
            lines.push(format!(".string \"{}\"", names.cleaned(&escaped(text), true)));
            rest = &rest[text.len() + 1..];
        } else {
            // Until a longer run of zeros or the end.
            let length = run(rest);
            let (now, after) = rest.split_at(length);
            numbers(now, lines);
            rest = after;
        }
    }
}

/// How far there is no run of sixteen zeros.
fn run(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        if bytes.len() - at >= 16 && bytes[at..at + 16].iter().all(|&byte| byte == 0) {
            return at.max(1);
        }
        at += 4;
    }
    bytes.len()
}

/// The text at the start of these bytes, if it ends with a zero and everything after it is text or zeros too.
fn string(bytes: &[u8]) -> Option<&str> {
    let end = bytes.iter().position(|&byte| byte == 0)?;
    let readable = |bytes: &[u8]| {
        std::str::from_utf8(bytes)
            .is_ok_and(|text| text.chars().all(|each| !each.is_control() || "\t\n\r\x0b\x0c\x1b".contains(each)))
    };
    let all = bytes.split(|&byte| byte == 0).all(readable);
    // A number like 65 is no text.
    let long = end >= 4
        || (end >= 1 && bytes[end..].iter().all(|&byte| byte == 0) && bytes.len() - end <= 8 && !number(bytes, end));
    if all && (long || bytes.len() <= 2 || strings(bytes)) { std::str::from_utf8(&bytes[..end]).ok() } else { None }
}

/// Whether these bytes look like a small number in four or eight bytes.
fn number(bytes: &[u8], end: usize) -> bool {
    (bytes.len() == 4 || bytes.len() == 8) && end < 3
}

/// Whether these are strings behind each other, with one zero after each.
fn strings(bytes: &[u8]) -> bool {
    let Some((0, most)) = bytes.split_last().map(|(last, most)| (*last, most)) else { return false };
    most.split(|&byte| byte == 0).all(|part| part.len() >= 2)
}

fn numbers(bytes: &[u8], lines: &mut Vec<String>) {
    let (words, rest) = bytes.as_chunks::<4>();
    for chunk in words.chunks(8) {
        let words: Vec<String> = chunk.iter().map(|word| format!("0x{:x}", u32::from_le_bytes(*word))).collect();
        lines.push(format!(".long {}", words.join(", ")));
    }
    if !rest.is_empty() {
        let words: Vec<String> = rest.iter().map(|byte| format!("0x{byte:x}")).collect();
        lines.push(format!(".byte {}", words.join(", ")));
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            '\r' => escaped.push_str("\\r"),
            other if other.is_control() => escaped.push_str(&format!("\\{:03o}", u32::from(other))),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::names::Policy;

    fn shown(bytes: &[u8]) -> Vec<String> {
        let hidden = HashSet::new();
        lines(
            bytes,
            &References::new(),
            &mut Names::new(Policy { keep: &|_| false, hidden: &hidden, stringised: &hidden }),
        )
    }

    #[test]
    fn text_is_shown_as_text_and_numbers_as_numbers() {
        assert_eq!(shown(b"one\0"), [".string \"one\""]);
        assert_eq!(shown(b"a\0"), [".string \"a\""]);
        assert_eq!(shown(b"%s: \"x\"\n\0\0\0\0"), [".string \"%s: \\\"x\\\"\\n\"", ".zero 3"]);
        assert_eq!(shown(&[65, 0, 0, 0]), [".long 0x41"]);
        assert_eq!(shown(&[1, 0, 0, 0, 2, 0, 0, 0]), [".long 0x1, 0x2"]);
        assert_eq!(shown(&[0; 40]), [".zero 40"]);
        assert_eq!(shown(&[1, 2, 3]), [".byte 0x1, 0x2, 0x3"]);
    }

    #[test]
    fn long_data_that_differ_stay_different() {
        let mut bytes = vec![7; SHOWN + 100];
        let first = shown(&bytes);
        bytes[SHOWN + 50] = 8;
        assert_ne!(first, shown(&bytes));
        assert!(first.last().unwrap().starts_with(".rest 100 0x"), "{first:?}");
    }

    #[test]
    fn references_stand_in_their_places() {
        let hidden = HashSet::new();
        let mut names = Names::new(Policy { keep: &|_| false, hidden: &hidden, stringised: &hidden });
        let references = References::from([(8, (8, "data_2".to_owned()))]);
        let mut bytes = [0; 20];
        bytes[0] = 3;
        bytes[16] = 4;
        assert_eq!(lines(&bytes, &references, &mut names), [".long 0x3, 0x0", ".quad data_2", ".long 0x4"]);
    }
}
