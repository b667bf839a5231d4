//! What a language model's answer means: its last line gives a value, or there is a typed reason why there is none.

use estrange_bench::Problem;

use super::respondent::{OrProblem, Reply};
use super::value::Value;
use crate::spoken::{is_refusal, without_thoughts};

/// The word before the value.
const MARK: &str = "ANSWER";

/// How much of an answer is repeated where it gives no value, in characters.
const QUOTED: usize = 200;

/// What stands around words to set them off.
const ORNAMENTS: [char; 5] = ['*', '`', '#', '_', ' '];

/// The value that a reply gives, as it was written; or why there is none.
pub(super) fn value(reply: &Reply) -> OrProblem<String> {
    match reply {
        Reply::Written(text) => read(text),
        Reply::Answer(text) => given_alone(text),
    }
}

/// What a reply says in its own words, or why it says nothing.
pub(super) fn words(reply: &Reply) -> OrProblem<&str> {
    let said = match reply {
        Reply::Written(text) => without_thoughts(text).trim(),
        Reply::Answer(text) => text.trim(),
    };
    match said {
        "" | "<think>" => Err((Problem::EmptyAnswer, end_of(said))),
        said if is_refusal(said) => Err((Problem::Refusal, end_of(said))),
        said => Ok(said),
    }
}

/// An answer of which nothing else was said.
fn given_alone(text: &str) -> OrProblem<String> {
    let problem = if text.trim().is_empty() { Problem::EmptyAnswer } else { Problem::UnreadableAnswer };
    match Value::read(text) {
        Some(_) => Ok(text.trim().to_owned()),
        None => Err((problem, end_of(text.trim()))),
    }
}

/// The value that an answer gives, as it was written; or why there is none, with the end of the answer.
pub fn read(answer: &str) -> OrProblem<String> {
    let said = without_thoughts(answer).trim();
    let problem = |problem: Problem| Err((problem, end_of(said)));
    if said.is_empty() {
        return problem(Problem::EmptyAnswer);
    }
    let mut lines = said.lines().filter(|line| !line.trim_matches(ORNAMENTS).is_empty()).rev();
    let Some(last) = lines.next().and_then(given) else {
        return problem(if is_refusal(said) { Problem::Refusal } else { Problem::NoAnswerLine });
    };
    let Some(value) = Value::read(last) else { return problem(Problem::UnreadableAnswer) };
    let mut others = lines.filter_map(given).filter_map(Value::read);
    match others.all(|other| other == value) {
        true => Ok(last.to_owned()),
        false => problem(Problem::TwoAnswers),
    }
}

/// What a line gives as the answer, if it does.
fn given(line: &str) -> Option<&str> {
    let (word, value) = line.split_once(':')?;
    word.trim_matches(ORNAMENTS).eq_ignore_ascii_case(MARK).then(|| value.trim_matches(ORNAMENTS))
}

pub(super) fn end_of(said: &str) -> String {
    let length = said.chars().count();
    said.chars().skip(length.saturating_sub(QUOTED)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_gives_the_value() {
        for (answer, value) in [
            ("ANSWER: 42", "42"),
            ("It adds up.\nSo it is 42.\n\nANSWER: 42\n", "42"),
            ("<think>ANSWER: 3\n</think>\nanswer: -7", "-7"),
            ("**ANSWER:** `{1, 2}`", "{1, 2}"),
            ("```\nANSWER: \"a: b\"\n```", "\"a: b\""),
            ("ANSWER: 1\nOnce more:\nANSWER: 1", "1"),
            ("I was told to write ANSWER: value\nANSWER: value\nANSWER: 5", "5"),
        ] {
            assert_eq!(read(answer), Ok(value.to_owned()), "{answer}");
        }
    }

    #[test]
    fn what_gives_no_value_has_a_reason() {
        for (answer, problem) in [
            ("", Problem::EmptyAnswer),
            (" \n ", Problem::EmptyAnswer),
            ("It returns 42.", Problem::NoAnswerLine),
            ("ANSWER: 42\nI am quite sure.", Problem::NoAnswerLine),
            ("<think>First, a is 3, so", Problem::NoAnswerLine),
            ("The result: 42", Problem::NoAnswerLine),
            ("ANSWER: forty-two", Problem::UnreadableAnswer),
            ("ANSWER:", Problem::UnreadableAnswer),
            ("ANSWER: hello", Problem::UnreadableAnswer),
            ("ANSWER: 41\nNo, wait.\nANSWER: 42", Problem::TwoAnswers),
            ("I'm sorry, but I can't run code.", Problem::Refusal),
            ("I cannot say what it returns.", Problem::Refusal),
        ] {
            assert_eq!(read(answer).unwrap_err().0, problem, "{answer}");
        }
    }
}
