//! What answers of language models have in common: thoughts before them, and refusals instead of them.

/// What is behind the thoughts that some models write down first. Thoughts without an end are all there is: the answer
/// was cut off.
pub(crate) fn without_thoughts(answer: &str) -> &str {
    match answer.rsplit_once("</think>") {
        Some((_, said)) => said,
        None if answer.trim_start().starts_with("<think>") => "<think>",
        None => answer,
    }
}

/// Whether words say that there will be no answer.
pub(crate) fn is_refusal(said: &str) -> bool {
    const BEGINNINGS: [&str; 10] = [
        "i can't",
        "i cannot",
        "i can not",
        "i won't",
        "i will not",
        "i'm sorry",
        "i am sorry",
        "sorry",
        "i'm unable",
        "i am unable",
    ];
    let plain = said.to_lowercase().replace('’', "'");
    let plain = plain.trim_start_matches(|letter: char| !letter.is_alphabetic());
    BEGINNINGS.iter().any(|beginning| plain.starts_with(beginning))
        || plain.starts_with("as an ai") && plain.contains("not")
}
