//! Both compilers, and why one of them cannot be used.

use std::borrow::Cow;

use estrange_words::Hint;

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

impl Hint for CompilerError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Gcc(error) => error.hint(),
            Self::Clang(error) => error.hint(),
        }
    }
}
