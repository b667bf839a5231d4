//! Why none of several functions can be called: what the notes say of each of them.

use estrange_words::Mistake;

use crate::clean::resolved;
use crate::diagnostic::Diagnostic;
use crate::pattern::fits;

/// How a message begins that has such notes.
const MESSAGES: &[&str] = &[
    "no matching function for call to",
    "no matching member function for call to",
    "no matching constructor for initialization of",
    "no matching function for call to object",
    "no match for call to",
];

/// What a note says of a candidate, in the order in which it counts.
const REASONS: &[(&str, Mistake)] = &[
    ("{}expects an lvalue", Mistake::LvalueRequired),
    ("{}passing '{name}' as 'this' argument discards qualifiers", Mistake::ReadOnly),
    ("{}'this' argument has type 'const ", Mistake::ReadOnly),
    ("{}for implicit 'this' parameter from 'const ", Mistake::ReadOnly),
    ("{}argument ('{pointer}') would lose const", Mistake::IncompatiblePointer),
    ("{}would lose const", Mistake::ReadOnly),
    ("{}no known conversion {}from '{integer}' to '{pointer}'", Mistake::IntegerToPointer),
    ("{}no known conversion {}from '{pointer}' to '{pointer}'", Mistake::IncompatiblePointer),
    ("{}no known conversion {}from ", Mistake::IncompatibleAssignment),
    ("{}deduced conflicting types for parameter", Mistake::IncompatibleAssignment),
    ("{}mismatched types ", Mistake::IncompatibleAssignment),
    ("{}could not match '", Mistake::IncompatibleAssignment),
];

/// What a note says of a candidate that takes another number of arguments.
const COUNTS: &[&str] = &[
    "{}candidate expects ",
    "{}candidate {}not viable: requires ",
    "{}candidate {}not viable: allows ",
    "{}wrong number of template arguments",
];

/// What the notes of a call come to: the mistake of the best candidate.
pub fn of_candidates(diagnostic: &Diagnostic) -> Option<Mistake> {
    if !MESSAGES.iter().any(|message| fits(message, &diagnostic.message)) {
        return None;
    }
    let notes: Vec<String> = diagnostic.notes.iter().map(|note| resolved(&note.message)).collect();
    // That the object is no copy of itself is true and says nothing.
    let mut is_copying = false;
    let mut counts = false;
    let mut best = None;
    for note in &notes {
        if note.starts_with("candidate: ") || note.starts_with("candidate constructor") {
            is_copying = is_copy(note);
        }
        counts |= COUNTS.iter().any(|pattern| fits(pattern, note));
        let reason = REASONS.iter().position(|(pattern, _)| fits(pattern, note)).filter(|_| !is_copying);
        best = [best, reason].into_iter().flatten().min();
    }
    match best {
        Some(best) => Some(REASONS[best].1),
        None if counts => Some(Mistake::ParameterCount),
        None => Some(Mistake::IncompatibleAssignment),
    }
}

/// Whether a candidate is a constructor that copies or moves.
fn is_copy(note: &str) -> bool {
    if note.contains("(the implicit ") {
        return true;
    }
    // `candidate: 'constexpr a::B::B(const a::B&)'`
    let Some(signature) = note.strip_prefix("candidate: '").and_then(|rest| rest.split('\'').next()) else {
        return false;
    };
    let Some((name, parameters)) = signature.split_once('(') else { return false };
    let class = name.rsplit(' ').next().and_then(|name| name.rsplit_once("::")).map_or("", |(class, _)| class);
    let parameter = parameters.trim_end_matches(')').trim_end_matches('&').trim_start_matches("const ");
    !class.is_empty() && parameter.trim() == class
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn of(notes: &[&str]) -> Option<Mistake> {
        let notes: Vec<String> = notes.iter().map(|note| format!("a.cpp:1:1: note: {note}\n")).collect();
        let text = format!("a.cpp:9:9: error: no matching function for call to 'a::B::B(int)'\n{}", notes.concat());
        of_candidates(&read(&text)[0])
    }

    #[test]
    fn a_copy_is_no_candidate() {
        let copy = [
            "candidate: 'constexpr a::B::B(const a::B&)'",
            "  no known conversion for argument 1 from 'int' to 'const a::B&'",
        ];
        let count = ["candidate: 'a::B::B(int, int)'", "  candidate expects 2 arguments, 1 provided"];
        assert_eq!(of(&[count, copy].concat()), Some(Mistake::ParameterCount));
        let pointer = ["candidate: 'a::B::B(char*)'", "  no known conversion for argument 1 from 'int' to 'char*'"];
        assert_eq!(of(&[pointer, copy].concat()), Some(Mistake::IntegerToPointer));
    }
}
