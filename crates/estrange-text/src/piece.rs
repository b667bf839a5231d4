//! A text put together from words of its own and from parts of another text.

use std::ops::Range;

/// A piece of what is written beside a text. When the text gets new names, so does what is taken from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// As it stands here.
    Text(String),
    /// A part of the other text, with whatever names it has there.
    Own(Range<usize>),
}

/// What the pieces say with the names that the other text has now.
pub fn joined(text: &str, pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Own(range) => &text[range.clone()],
        })
        .collect()
}
