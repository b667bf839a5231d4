//! A way to lower functions, as one word: the target, and the compiler, the optimisation and the look where they are not the
//! usual ones.

use std::fmt;
use std::str::FromStr;

use estrange_words::{Target, UnknownWord};
use serde::{Deserialize, Serialize};

use crate::form::Form;
use crate::how::{Compiler, Opt, Style};

/// What to, by what, how far optimised, and how it looks: `x86_64`, `aarch64:clang:O2`, `x86_64/paper`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lowering {
    /// What to.
    pub target: Target,
    /// By what.
    pub compiler: Compiler,
    /// How far it is optimised.
    pub opt: Opt,
    /// How the text looks.
    pub style: Style,
}

impl Lowering {
    /// By the usual compiler, not optimised. In the paper's look that is the paper's compiler.
    pub fn usual(target: Target, style: Style) -> Self {
        let compiler = match (Form::of(target), style) {
            (form, _) if form.is_clangs() => Compiler::Clang,
            (Form::Object, Style::Paper) => Compiler::Gxx,
            _ => Compiler::default(),
        };
        Self { target, compiler, opt: Opt::default(), style }
    }
}

impl FromStr for Lowering {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let (text, style) = match text.split_once('/') {
            Some((text, style)) => (text, style.parse()?),
            None => (text, Style::default()),
        };
        let mut words = text.split(':');
        let mut lowering = Self::usual(words.next().unwrap_or_default().parse()?, style);
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
        let usual = Self::usual(self.target, self.style);
        formatter.write_str(self.target.as_str())?;
        if self.compiler != usual.compiler {
            write!(formatter, ":{}", self.compiler)?;
        }
        if self.opt != usual.opt {
            write!(formatter, ":{}", self.opt)?;
        }
        if self.style != Style::default() {
            write!(formatter, "/{}", self.style)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lowering_is_read_back() {
        for text in ["x86_64", "wasm32", "aarch64:clang", "riscv64:O2", "x86_64:clang:Os", "llvm-ir:O2", "wasm32/paper"]
        {
            assert_eq!(text.parse::<Lowering>().unwrap().to_string(), text);
        }
        assert_eq!("x86_64:O0:gcc".parse::<Lowering>().unwrap().to_string(), "x86_64");
        for text in ["x86_64/paper", "x86_64:gcc:O2/paper", "aarch64:g++", "x86_64:g++"] {
            assert_eq!(text.parse::<Lowering>().unwrap().to_string(), text);
        }
        let paper: Lowering = "x86_64/paper".parse().unwrap();
        assert_eq!((paper.compiler, paper.style), (Compiler::Gxx, Style::Paper));
        assert_eq!("x86_64:g++/paper".parse(), Ok(paper));
        assert_eq!("x86_64/plain".parse::<Lowering>().unwrap().to_string(), "x86_64");
        assert!("x86_64/".parse::<Lowering>().is_err() && "x86_64/paper:O2".parse::<Lowering>().is_err());
        assert!("x86".parse::<Lowering>().is_err());
        assert!("x86_64:icc".parse::<Lowering>().is_err());
    }
}
