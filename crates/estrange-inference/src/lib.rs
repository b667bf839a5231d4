//! Neural models on this machine: tokenizers, encoders that embed, decoders that write.
//!
//! | what | where |
//! |---|---|
//! | how many tokens a text has | [`tokenizer`] |
//! | sentence-embedding models of the BERT family | [`encoder`] |
//! | quantised language models of the Llama family | [`decoder`] |
//! | the processor's vector instructions | `cpu` |
//!
//! Nothing here knows what is asked, of whom, or why: texts go in, vectors and texts come out.

mod aligned;
mod cpu;
pub mod decoder;
pub mod encoder;
mod error;
mod progress;
pub mod tokenizer;

pub use error::{LocalError, RunError};
pub use progress::Progress;
