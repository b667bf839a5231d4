//! C and C++ as text: what can be said of it without a parser or a compiler.
//!
//! Everything here is a pure function of its arguments (only the thesaurus is read from files), and none of it fails on
//! text that is not C: what cannot be understood is still cut into tokens, counted and compared.

pub mod balance;
pub mod comments;
pub mod duplicates;
pub mod facts;
pub mod feature_test;
pub mod identifier;
pub mod lexer;
pub mod outline;
pub mod piece;
pub mod rename_map;
pub mod similarity;
pub mod splice;
pub mod split;
pub mod thesaurus;
pub mod top_level;
