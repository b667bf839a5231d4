//! What is analysed.

use estrange_words::Language;

/// A text to be analysed: one file that needs no other of its project.
#[derive(Debug, Clone, Copy)]
pub struct Unit<'a> {
    /// The whole text.
    pub text: &'a str,
    /// What it is written in.
    pub language: Language,
    /// The flags it compiles with, besides the language. Those about warnings are left out; of the others cppcheck takes
    /// macros and the standard, flawfinder and commands take none.
    pub flags: &'a [String],
}

impl Unit<'_> {
    /// What the file with the text is called.
    pub(crate) fn file_name(&self) -> String {
        format!("unit.{}", self.language.ending())
    }
}
