//! What a function is lowered to: the target, the compiler, the optimisation, and how the text looks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A word that is none of those that are known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is none of {known}")]
pub struct UnknownWord {
    /// The word.
    pub word: String,
    /// Those that are known.
    pub known: String,
}

/// An enum whose values have names.
macro_rules! words {
    ($name:ident: $($value:ident = $word:literal),+ $(,)?) => {
        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [$name] = &[$($name::$value),+];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$value => $word),+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(self.name())
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|each| each.name() == word).ok_or_else(|| UnknownWord {
                    word: word.to_owned(),
                    known: Self::ALL.iter().map(|each| each.name()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}

/// The machine, or the language, that a function is lowered to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Target {
    /// x86-64 assembly.
    #[serde(rename = "x86_64")]
    X86_64,
    /// AArch64 assembly.
    #[serde(rename = "aarch64")]
    Aarch64,
    /// RISC-V assembly, with 64 bits.
    #[serde(rename = "riscv64")]
    Riscv64,
    /// WebAssembly text.
    #[serde(rename = "wasm32")]
    Wasm32,
    /// LLVM's own language, for x86-64.
    #[serde(rename = "llvm-ir")]
    LlvmIr,
}

words!(Target: X86_64 = "x86_64", Aarch64 = "aarch64", Riscv64 = "riscv64", Wasm32 = "wasm32", LlvmIr = "llvm-ir");

/// The compiler of the assembly targets. WebAssembly and LLVM's language are clang's alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compiler {
    /// gcc, as in the paper.
    #[default]
    Gcc,
    /// clang.
    Clang,
}

words!(Compiler: Gcc = "gcc", Clang = "clang");

/// How far code is optimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Opt {
    /// Not at all, as in the paper.
    #[default]
    O0,
    /// Somewhat.
    O1,
    /// As distributions do.
    O2,
    /// As far as it goes.
    O3,
    /// For size.
    Os,
}

words!(Opt: O0 = "O0", O1 = "O1", O2 = "O2", O3 = "O3", Os = "Os");

impl Opt {
    /// The compilers' flag.
    pub fn flag(self) -> String {
        format!("-{self}")
    }
}

/// How the text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// With labels, neutral names, and the data that the code refers to.
    #[default]
    Plain,
    /// As in the paper: what `objdump` prints of stripped x86-64 code, and what `wasm2wat` prints of a function. What was
    /// relocated is zero, so that different functions may have one text. Of the other targets, the code without its data.
    Paper,
}

words!(Style: Plain = "plain", Paper = "paper");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back() {
        for &target in Target::ALL {
            assert_eq!(target.to_string().parse(), Ok(target));
            assert_eq!(serde_name(&target), target.name());
        }
        for &opt in Opt::ALL {
            assert_eq!(opt.to_string().parse(), Ok(opt));
        }
        assert_eq!("gcc".parse(), Ok(Compiler::Gcc));
        assert_eq!("paper".parse(), Ok(Style::Paper));
        let error = "arm".parse::<Target>().unwrap_err();
        assert_eq!(error.to_string(), "`arm` is none of x86_64, aarch64, riscv64, wasm32, llvm-ir");
    }

    fn serde_name(target: &Target) -> String {
        serde_json::to_value(target).unwrap().as_str().unwrap().to_owned()
    }
}
