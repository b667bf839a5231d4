//! What the tests of analysers share: one workshop, and asking an analyser about a text.

#![allow(dead_code, clippy::unwrap_used)]

use std::sync::OnceLock;

use estrange_analyser::{Analyser, BuiltIn, Choice, Finding, Loss, Unit};
use estrange_sandbox::Workshop;
use estrange_words::Language;

/// The workshop of all tests of a file.
pub fn workshop() -> &'static Workshop {
    static WORKSHOP: OnceLock<Workshop> = OnceLock::new();
    WORKSHOP.get_or_init(|| Workshop::temporary().unwrap())
}

/// An analyser by its word.
pub fn analyser(word: &str) -> Analyser {
    Analyser::find(&word.parse::<Choice>().unwrap(), workshop()).unwrap()
}

/// What a built-in analyser says of a text.
pub fn answer(which: BuiltIn, language: Language, text: &str) -> Result<Vec<Finding>, Loss> {
    ask(&analyser(which.as_str()), language, text)
}

/// What an analyser says of a text.
pub fn ask(analyser: &Analyser, language: Language, text: &str) -> Result<Vec<Finding>, Loss> {
    analyser.analyse(&Unit { text, language, flags: &[] }).unwrap()
}
