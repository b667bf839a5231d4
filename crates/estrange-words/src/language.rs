//! The languages that Estrange reads.

use crate::words;

words! {
    /// The language that a function, a file or a unit is written in.
    pub enum Language {
        /// C.
        C = "c",
        /// C++.
        Cpp = "c++",
    }
}

impl Language {
    /// What tells gcc and clang that a text is in this language, whatever its file is called.
    pub const fn flag(self) -> &'static str {
        match self {
            Self::C => "-xc",
            Self::Cpp => "-xc++",
        }
    }

    /// The language that arguments of gcc or clang name with [`Language::flag`]: C++ or, where it is not named, C.
    pub fn of_arguments(arguments: &[String]) -> Self {
        if arguments.iter().any(|argument| argument == Self::Cpp.flag()) { Self::Cpp } else { Self::C }
    }

    /// What people call it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::C => "C",
            Self::Cpp => "C++",
        }
    }

    /// gcc's driver for it.
    pub const fn gcc(self) -> &'static str {
        match self {
            Self::C => "gcc",
            Self::Cpp => "g++",
        }
    }

    /// How the name of a file in this language ends.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cpp => "cpp",
        }
    }

    /// Whether it is C++.
    pub const fn is_cpp(self) -> bool {
        matches!(self, Self::Cpp)
    }
}
