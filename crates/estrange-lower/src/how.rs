//! How a function is lowered: the compiler, the optimisation, and how the text looks.

use estrange_words::words;

words! {
    /// The compiler of the assembly targets. WebAssembly and LLVM's language are clang's alone.
    #[derive(Default)]
    pub enum Compiler {
        /// gcc: for C as C, and for C++ as C++.
        #[default]
        Gcc = "gcc",
        /// g++, for C too, as in the paper. C that is no C++ has no text.
        Gxx = "g++",
        /// clang.
        Clang = "clang",
    }
}

words! {
    /// How far code is optimised.
    #[derive(Default)]
    pub enum Opt {
        /// Not at all, as in the paper.
        #[default]
        O0 = "O0",
        /// Somewhat.
        O1 = "O1",
        /// As distributions do.
        O2 = "O2",
        /// As far as it goes.
        O3 = "O3",
        /// For size.
        Os = "Os",
    }
}

impl Opt {
    /// The compilers' flag.
    pub fn flag(self) -> String {
        format!("-{self}")
    }
}

words! {
    /// How the text looks.
    #[derive(Default)]
    pub enum Style {
        /// With labels, neutral names, and the data that the code refers to.
        #[default]
        Plain = "plain",
        /// As in the paper: what `objdump` prints of stripped x86-64 code, by g++ unless told, and what `wasm2wat` prints of a
        /// function. What was relocated is zero, so that different functions may have one text. Of the other targets, the
        /// code without its data.
        Paper = "paper",
    }
}
