//! Neural models on this machine.
//!
//! Only the tokenizer lives here so far: it counts the tokens that a model would see.

pub mod tokenizer;
