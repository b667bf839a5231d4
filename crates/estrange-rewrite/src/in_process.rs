//! A reader that asks libclang in the same process: for texts that are known not to crash it.

use std::convert::Infallible;

use estrange_clang::{Clang, Tree};

use crate::interpret::{NamesRead, Reader};

/// libclang, with what it is told of each text. It does not know what headers have.
pub struct InProcess<'a> {
    /// The library.
    pub clang: &'a Clang,
    /// The language and flags, as for a compiler.
    pub arguments: &'a [String],
}

impl Reader for InProcess<'_> {
    type Error = Infallible;

    fn names(&self, text: &str) -> Result<NamesRead, Infallible> {
        Ok(NamesRead { names: self.clang.names(text, self.arguments), in_headers: Box::new(|_| false) })
    }

    fn tree(&self, text: &str) -> Result<Tree, Infallible> {
        Ok(self.clang.tree(text, self.arguments))
    }
}
