//! Assembly, WebAssembly and LLVM's language as clean text: what a compiler makes of one function of a unit.
//!
//! This crate must not know rewrites or the bench. It starts compilers and assemblers only.

mod assembly;
mod classes;
pub mod data;
mod elf;
mod emscripten;
mod gas;
mod ir;
mod loss;
mod lowered;
mod lowerer;
mod lowering;
mod names;
mod operands;
mod statistics;
mod symbol;
mod target;
mod wasm;
mod wasm_object;
mod x86;

pub use classes::{class, duplicate_classes};
pub use estrange_evidence::Language;
pub use loss::Loss;
pub use lowered::Lowered;
pub use lowerer::{LowerError, Lowerer, Options, Request};
pub use lowering::Lowering;
pub use statistics::{Statistics, mnemonic, statistics};
pub use target::{Compiler, Opt, Style, Target, UnknownWord};
