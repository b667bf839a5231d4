//! An answer in the place of the function in its unit.

use std::ops::Range;

use crate::answer::Answer;

/// The unit with an answer in the function's place: its headers first, what it brings along right before it.
pub fn placed(unit: &str, function: &Range<usize>, answer: &Answer) -> String {
    let mut text = String::with_capacity(unit.len() + answer.function.len());
    for include in &answer.includes {
        text.push_str(include);
        text.push('\n');
    }
    text.push_str(&unit[..function.start]);
    for helper in &answer.helpers {
        text.push_str(helper);
        text.push('\n');
    }
    text.push_str(&answer.function);
    text.push_str(&unit[function.end..]);
    text
}
