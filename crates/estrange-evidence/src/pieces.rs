//! What the directives of a datum make: texts, zeros, and the rest as it is written.

use crate::listing::{first_word, is_text, quoted_bytes};

/// A part of a datum.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Bytes of a text, none of them zero.
    Text(Vec<u8>),
    /// So many zeros.
    Zeros(usize),
    /// Another directive.
    Line(&'a str),
}

/// The parts of what these directives make.
pub(crate) fn pieces<'a>(lines: &[&'a str]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    for line in lines {
        let (word, operands) = first_word(line);
        if word == ".zero"
            && let Ok(count) = operands.parse()
        {
            push_zeros(&mut pieces, count);
        } else if is_text(word)
            && let Some(bytes) = quoted_bytes(word, operands)
        {
            for run in bytes.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
                match (run, pieces.last_mut()) {
                    ([0, ..], _) => push_zeros(&mut pieces, run.len()),
                    (_, Some(Piece::Text(text))) => text.extend_from_slice(run),
                    _ => pieces.push(Piece::Text(run.to_vec())),
                }
            }
        } else {
            pieces.push(Piece::Line(line));
        }
    }
    pieces
}

fn push_zeros(pieces: &mut Vec<Piece<'_>>, count: usize) {
    match pieces.last_mut() {
        Some(Piece::Zeros(known)) => *known = known.saturating_add(count),
        _ => pieces.push(Piece::Zeros(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_zeros_are_told_apart_however_they_are_written() {
        let text = |text: &str| Piece::Text(text.as_bytes().to_vec());
        let whole = [text("node"), Piece::Zeros(4), text("ab"), Piece::Zeros(6), Piece::Line(".long\t5")];
        assert_eq!(pieces(&[".string\t\"node\"", ".zero\t3", ".string\t\"ab\"", ".zero\t5", ".long\t5"]), whole);
        assert_eq!(
            pieces(&[r#".asciz	"node\000\000\000""#, r#".ascii	"a""#, r#".asciz	"b\0\0\0\0\0""#, ".long\t5"]),
            whole
        );
        assert_eq!(pieces(&[".zero\t1, 2", ".string\t5"]), [Piece::Line(".zero\t1, 2"), Piece::Line(".string\t5")]);
    }
}
