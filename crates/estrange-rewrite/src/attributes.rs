//! Attributes: `__attribute__((name(argument)))` and `[[name]]`, whose names are the compiler's.

/// Follows tokens, and knows which identifiers are an attribute's own words.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    state: State,
    /// The attribute whose arguments are being read.
    name: String,
}

#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
enum State {
    #[default]
    Outside,
    /// After `__attribute__`, with so many parentheses open.
    Gnu(u32),
    /// After `[`, perhaps the first of two.
    Bracket,
    /// Inside of `[[`, with so many parentheses open.
    Standard(u32),
}

impl Attributes {
    /// Whether the identifier that comes next is an attribute's own: its name, or a word among its arguments that is
    /// no name of the program. The function that `cleanup` takes is one of the program.
    pub(crate) fn owns_next(&self) -> bool {
        match self.state {
            State::Outside | State::Bracket => false,
            State::Gnu(depth) if depth >= 3 => !self.takes_a_name(),
            State::Gnu(_) => true,
            State::Standard(depth) if depth >= 1 => !self.takes_a_name(),
            State::Standard(_) => true,
        }
    }

    fn takes_a_name(&self) -> bool {
        let name = self.name.trim_matches('_');
        !matches!(
            name,
            "format" | "format_arg" | "mode" | "visibility" | "tls_model" | "target" | "optimize" | "section"
        )
    }

    /// Goes past a token.
    pub(crate) fn pass(&mut self, token: &str) {
        self.state = match (self.state, token) {
            (State::Outside | State::Bracket, "__attribute__" | "__attribute") => State::Gnu(0),
            (State::Outside, "[") => State::Bracket,
            (State::Bracket, "[") => State::Standard(0),
            (State::Bracket | State::Outside, _) => State::Outside,
            (State::Gnu(depth), "(") => State::Gnu(depth + 1),
            (State::Gnu(depth), ")") if depth <= 1 => State::Outside,
            (State::Gnu(depth), ")") => State::Gnu(depth - 1),
            // Not an attribute after all.
            (State::Gnu(0), _) => State::Outside,
            (State::Gnu(2), name) => {
                name.clone_into(&mut self.name);
                State::Gnu(2)
            }
            (State::Standard(depth), "(") => State::Standard(depth + 1),
            (State::Standard(depth), ")") => State::Standard(depth.saturating_sub(1)),
            (State::Standard(0), "]") => State::Outside,
            (State::Standard(0), name) => {
                name.clone_into(&mut self.name);
                State::Standard(0)
            }
            (state, _) => state,
        };
    }
}
