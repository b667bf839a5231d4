//! Both compilers, and why one of them cannot be used.

use crate::clang::{Clang, ClangError};
use crate::gcc::{Gcc, GccError};

/// Both compilers.
#[derive(Clone, Copy)]
pub struct Compilers<'a> {
    /// gcc.
    pub gcc: &'a Gcc,
    /// clang.
    pub clang: &'a Clang,
}

/// Why a compiler cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CompilerError {
    /// gcc cannot be used.
    #[error(transparent)]
    Gcc(#[from] GccError),
    /// clang cannot be used.
    #[error(transparent)]
    Clang(#[from] ClangError),
}
