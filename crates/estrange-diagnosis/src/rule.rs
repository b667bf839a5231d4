//! A rule: a pattern of messages, and the mistake that they stand for.

use estrange_words::Mistake;

use crate::excerpt::Use;

/// Whose messages a rule is about. It says where a pattern comes from; every rule is tried on every message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compiler {
    /// gcc and g++.
    Gcc,
    /// clang.
    Clang,
    /// gcc and clang, which say the same.
    Both,
    /// A linker or an assembler.
    Tool,
}

/// What else must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum When {
    /// Nothing.
    Always,
    /// The line that is shown uses the name, the first hole of the pattern, in this way.
    Used(Use),
    /// The line that is shown opens more parentheses than it closes.
    Opens,
    /// The same, and it points at a semicolon.
    OpensAtEnd,
    /// The line that is shown closes more parentheses than it opens.
    Closes,
    /// It points behind the end of a line.
    AtEnd,
    /// It points at what looks like a macro, behind a text in quotes: such as `PRIu64` where its header is missing.
    MacroInText,
    /// A line is shown, and it points neither at `.` nor at `->`, nor behind one.
    NoAccess,
    /// A note is as this pattern says.
    Noted(&'static str),
}

/// One line of what is known of messages. The first rule that fits counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Whose messages these are.
    pub compiler: Compiler,
    /// How they begin: plain text, in which `{}` stands for anything, `{name}` for anything without a quote, and `{pointer}`,
    /// `{integer}`, `{array}`, `{function}` and `{other}` for a type of that kind, or for one that is neither a pointer nor an integer, and `{namespace}` for a name
    /// that has only small letters, as few classes have.
    pub pattern: &'static str,
    /// What else must hold.
    pub when: When,
    /// What they stand for.
    pub mistake: Mistake,
}

impl Rule {
    /// The same rule, where something else must hold besides.
    pub(crate) const fn when(self, when: When) -> Self {
        Self { when, ..self }
    }
}

pub(crate) const fn gcc(pattern: &'static str, mistake: Mistake) -> Rule {
    Rule { compiler: Compiler::Gcc, pattern, when: When::Always, mistake }
}

pub(crate) const fn clang(pattern: &'static str, mistake: Mistake) -> Rule {
    Rule { compiler: Compiler::Clang, pattern, when: When::Always, mistake }
}

pub(crate) const fn both(pattern: &'static str, mistake: Mistake) -> Rule {
    Rule { compiler: Compiler::Both, pattern, when: When::Always, mistake }
}

pub(crate) const fn tool(pattern: &'static str, mistake: Mistake) -> Rule {
    Rule { compiler: Compiler::Tool, pattern, when: When::Always, mistake }
}
