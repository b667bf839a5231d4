//! Which functions a program calls, and the table by which the runtime finds them.

use std::fmt::Write as _;

/// Which of the functions of a text a harness calls.
#[derive(Debug, Clone)]
pub(crate) enum Callee {
    /// The function itself, by its name.
    Itself(String),
    /// A copy of it.
    Copy(usize),
}

/// The table by which the runtime finds functions: each with its call, its variables, where its code is, and what makes
/// objects.
pub(crate) fn entries(codes: &[String], makers: &str) -> String {
    let mut text = String::from(
        "struct estrange_function { void (*call)(void **, void *); void *const *globals; void *code; \
         const void *makers; } __attribute__((__aligned__(16)));\n\
         static struct estrange_function estrange_entries[] \
         __attribute__((__section__(\"estrange_functions\"), __used__)) = {\n",
    );
    for (number, code) in codes.iter().enumerate() {
        let _ = writeln!(text, "{{estrange_call_{number}, estrange_globals, (void *)({code}), {makers}}},");
    }
    text + "};\n"
}
