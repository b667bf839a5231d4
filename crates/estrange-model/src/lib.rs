//! Models: what ranks documents for a query, turns a text into a vector, or writes a text.
//!
//! Nothing here knows what a function or a setting is: texts come in, with names that only the caller understands, and
//! rankings, vectors and answers go out. Whatever a model costs is paid once: vectors and answers are kept in a
//! [`store`](mod@store) by content, and what is there is not asked for again.
//!
//! | what | where |
//! |---|---|
//! | the order of documents by words that they share with the query | [`bm25`] |
//! | a sentence-embedding model in Hugging Face layout, on this machine | [`local`] |
//! | a language model in GGUF format, on this machine | [`language`] |
//! | any server that speaks OpenAI's protocol | [`openai`] |
//! | vectors that somebody made before, and rankings | [`precomputed`] |
//! | rankings by the likeness of vectors | [`dense`] |

pub mod bm25;
pub mod dense;
mod error;
pub mod language;
pub mod local;
mod open;
pub mod openai;
pub mod precomputed;
mod request;
mod spec;
pub mod store;
mod traits;
mod writer;

pub use error::ModelError;
pub use estrange_inference::tokenizer;
pub use open::{OpenError, OpenedRanker, OpenedWriter, RankerOptions, ServerOptions};
pub use request::{Changes, NoChange};
pub use spec::{ModelSpec, SpecError};
pub use traits::{Embedder, Event, Item, Ranker, Role, Scored, Silent, Watch};
pub use writer::{Prompt, Writer, Written};
