//! Assembly, WebAssembly and LLVM's language as clean text: what a compiler makes of one function of a unit.
//!
//! [`Lowerer::lower`] takes units and functions, compiles many units at once, and gives each function's [text](Lowered) or
//! why there is none ([`Loss`]). Without options it is x86-64 by gcc, without optimisation, in a look of our own; the paper's
//! is [`Style::Paper`], by [`Compiler::Gxx`].
//!
//! A text has the function first, then those of its helpers that were asked for, then the data that these refer to:
//!
//! | target | made from | form |
//! |---|---|---|
//! | x86-64 | the object file | `objdump`'s spelling, with labels `.L1` for addresses in the code |
//! | AArch64, RISC-V | the compiler's assembly | its own spelling, without directives that say nothing |
//! | WebAssembly | emscripten's object file | a whole module, which assembles; what is not printed is imported |
//! | LLVM's language | clang's text | a whole module, without attributes and metadata |
//!
//! **Names.** No name of the unit is in a text: functions are `fn_1`, `fn_2`, …, data `data_1`, …, types `type_1`, …, in
//! the order of first use; `fn_1` is the function itself. The names of the standard library go too, as in the paper, unless
//! [`Options::keep`] lets them stay. Strings of the program are data, and stay; `__func__` becomes `"fn_1"`, the names of C++
//! types in run-time type information `"type_1"`. Other names that come into strings, by `assert` or `#x`, are in the texts
//! unless [`Request::hidden`] lists them, or the unit was renamed before.
//!
//! **Data.** What the code refers to is shown behind it, so that functions that differ in a string, a constant or a table differ
//! in their texts: see [`data`] for the form. What a unit declares only has a name and no content.
//!
//! **Which function.** It is called by the linker's name, or by its own with as many scopes as one likes. A linker's name of
//! x86-64 is good for every target.
//!
//! This crate must not know rewrites or the bench. It starts compilers and assemblers only.

mod assembly;
mod classes;
pub mod data;
mod elf;
mod emscripten;
mod form;
mod gas;
mod how;
mod ir;
mod loss;
mod lowered;
mod lowerer;
mod lowering;
mod names;
mod operands;
pub mod statistics;
mod stringised;
mod symbol;
mod wasm;
mod wasm_object;
mod x86;

/// The version of what this crate computes, for the keys of caches: raise it whenever which texts functions are lowered to changes.
/// The test `golden` notices if that is forgotten.
pub const VERSION: &str = "1";

pub use classes::{class, duplicate_classes};
pub use estrange_words::Target;
pub use estrange_words::{Language, UnknownWord};
pub use how::{Compiler, Opt, Style};
pub use loss::Loss;
pub use lowered::Lowered;
pub use lowerer::{LowerError, Lowerer, Options, Request};
pub use lowering::Lowering;
pub use statistics::{Statistics, mnemonic, statistics};
