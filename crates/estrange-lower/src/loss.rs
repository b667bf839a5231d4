//! Why a function has no text at a target.

use estrange_words::Reason;

/// Why a function could not be lowered. None of these is an error: the function is fine elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Loss {
    /// The target lacks a header that the unit includes.
    #[error("the target has no header {header}")]
    HeaderMissing {
        /// Its name.
        header: String,
    },
    /// Assembly inside of the unit that is another machine's.
    #[error("inline assembly that the target does not know: {message}")]
    InlineAssembly {
        /// The compiler's or the assembler's words.
        message: String,
    },
    /// A built-in function, type or register of another machine.
    #[error("a built-in that the target does not have: {message}")]
    TargetBuiltin {
        /// The compiler's words.
        message: String,
    },
    /// The target's compiler refuses the unit for another reason.
    #[error("it does not compile: {message}")]
    DoesNotCompile {
        /// The compiler's words.
        message: String,
    },
    /// The compiler crashed, or took too long or too much memory.
    #[error("{how}")]
    CompilerEnded {
        /// How it ended.
        how: String,
    },
    /// It compiles, and there is no code for the function: it is a template, or was inlined everywhere.
    #[error("there is no code for {function}")]
    NoCode {
        /// The function as it was asked for.
        function: String,
    },
    /// There are several functions of this name.
    #[error("{function} may be any of {count} functions")]
    Ambiguous {
        /// The function as it was asked for.
        function: String,
        /// How many have that name.
        count: usize,
    },
    /// What the compiler wrote could not be read.
    #[error("what the compiler wrote could not be read: {what}")]
    Unreadable {
        /// What was there.
        what: String,
    },
}

impl Loss {
    /// The typed reason.
    pub fn reason(&self) -> Reason {
        match self {
            Loss::HeaderMissing { .. } => Reason::HeaderMissing,
            Loss::InlineAssembly { .. } => Reason::InlineAssembly,
            Loss::TargetBuiltin { .. } => Reason::TargetBuiltin,
            Loss::DoesNotCompile { .. } => Reason::DoesNotCompile,
            Loss::CompilerEnded { .. } => Reason::CompilerEnded,
            Loss::NoCode { .. } => Reason::FunctionHasNoCode,
            Loss::Ambiguous { .. } => Reason::Ambiguous,
            Loss::Unreadable { .. } => Reason::OutputUnreadable,
        }
    }

    /// What a compiler's messages about a unit that it refuses mean.
    pub(crate) fn of_messages(messages: &str) -> Loss {
        let first =
            messages.lines().find(|line| line.contains("error:") || line.contains("Error:")).unwrap_or(messages);
        let message = first.split_once("rror:").map_or(first, |(_, rest)| rest).trim().to_owned();
        if let Some(header) = missing_header(&message) {
            return Loss::HeaderMissing { header };
        }
        let has = |words: &[&str]| words.iter().any(|word| message.contains(word));
        if has(ASSEMBLY) {
            Loss::InlineAssembly { message }
        } else if has(BUILTIN) {
            Loss::TargetBuiltin { message }
        } else {
            Loss::DoesNotCompile { message }
        }
    }
}

/// The header that a message says is missing.
fn missing_header(message: &str) -> Option<String> {
    let header = match message.split_once(": No such file or directory") {
        Some((header, _)) => header,
        None => message.split_once("' file not found")?.0.trim_start_matches('\''),
    };
    Some(header.trim_start_matches("fatal error: ").trim().to_owned())
}

/// What compilers say of assembly that they cannot use.
const ASSEMBLY: &[&str] = &[
    "in 'asm'",
    "in asm",
    "impossible constraint",
    "inconsistent operand constraints",
    "unknown register name",
    "inline assembly",
    "invalid instruction",
    "unrecognized instruction",
    "invalid operand for inline asm",
    "unknown token in expression",
    "asm-specifier",
    "invalid register name",
    "couldn't allocate",
    "'asm' operand",
    "asm constraint",
];

/// What compilers say of what another machine has.
const BUILTIN: &[&str] = &[
    "__builtin_ia32",
    "'__builtin_",
    "__m64",
    "__m128",
    "__m256",
    "__m512",
    "_mm_",
    "_mm256_",
    "__int128",
    "__float128",
    "_Float128",
    "__float80",
    "unknown target CPU",
    "target specific option",
    "attribute 'target'",
    "attribute(target",
    "attribute(\"target",
    "does not support",
    "not supported on this target",
    "not supported for this target",
    "is only meant to be used on",
    "needs target feature",
    "x86",
    "instruction set support not enabled",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_both_compilers_have_a_reason() {
        let reason = |messages: &str| Loss::of_messages(messages).reason();
        let gcc = "unit.c:1:10: fatal error: immintrin.h: No such file or directory\ncompilation terminated.\n";
        assert_eq!(Loss::of_messages(gcc), Loss::HeaderMissing { header: "immintrin.h".to_owned() });
        let clang = "unit.c:1:10: fatal error: 'sys/epoll.h' file not found\n";
        assert_eq!(Loss::of_messages(clang), Loss::HeaderMissing { header: "sys/epoll.h".to_owned() });
        assert_eq!(reason("unit.c:3:1: error: impossible constraint in 'asm'\n"), Reason::InlineAssembly);
        assert_eq!(reason("unit.c:3:1: error: unknown register name '%eax' in asm\n"), Reason::InlineAssembly);

        assert_eq!(
            reason("unit.c:3:1: error: implicit declaration of function '__builtin_ia32_pause'\n"),
            Reason::TargetBuiltin
        );
        assert_eq!(reason("unit.c:3:1: error: expected ';' before '}'\n"), Reason::DoesNotCompile);
    }
}
