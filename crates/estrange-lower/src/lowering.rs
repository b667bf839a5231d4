//! A way to lower functions, as one word: the target, and the compiler and the optimisation where they are not the usual ones.

use std::fmt;
use std::str::FromStr;

use estrange_words::{Target, UnknownWord};
use serde::{Deserialize, Serialize};

use crate::form::Form;
use crate::how::{Compiler, Opt};

/// What to, by what, and how far optimised: `x86_64`, `aarch64:clang:O2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lowering {
    /// What to.
    pub target: Target,
    /// By what.
    pub compiler: Compiler,
    /// How far it is optimised.
    pub opt: Opt,
}

impl From<Target> for Lowering {
    fn from(target: Target) -> Self {
        let compiler = if Form::of(target).is_clangs() { Compiler::Clang } else { Compiler::default() };
        Self { target, compiler, opt: Opt::default() }
    }
}

impl FromStr for Lowering {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let mut words = text.split(':');
        let mut lowering = Self::from(words.next().unwrap_or_default().parse::<Target>()?);
        for word in words {
            match word.parse::<Opt>() {
                Ok(opt) => lowering.opt = opt,
                Err(_) => lowering.compiler = word.parse()?,
            }
        }
        Ok(lowering)
    }
}

impl fmt::Display for Lowering {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::from(self.target);
        formatter.write_str(self.target.as_str())?;
        if self.compiler != usual.compiler {
            write!(formatter, ":{}", self.compiler)?;
        }
        if self.opt != usual.opt {
            write!(formatter, ":{}", self.opt)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lowering_is_read_back() {
        for text in ["x86_64", "wasm32", "aarch64:clang", "riscv64:O2", "x86_64:clang:Os", "llvm-ir:O2"] {
            assert_eq!(text.parse::<Lowering>().unwrap().to_string(), text);
        }
        assert_eq!("x86_64:O0:gcc".parse::<Lowering>().unwrap().to_string(), "x86_64");
        assert!("x86".parse::<Lowering>().is_err());
        assert!("x86_64:icc".parse::<Lowering>().is_err());
    }
}
