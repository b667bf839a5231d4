//! Places in prompts: what is put there, and code with numbered lines.

/// A text with something in its places. What is put in is not looked at again.
pub(crate) fn filled(text: &str, places: &[(&str, String)]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        filled += &rest[..at];
        rest = &rest[at..];
        let (place, put) = match places.iter().find(|(place, _)| rest.starts_with(place)) {
            Some((place, put)) => (*place, put.as_str()),
            None => ("{{", "{{"),
        };
        filled += put;
        rest = &rest[place.len()..];
    }
    filled + rest
}

/// A text with each line behind its number.
pub(crate) fn numbered(code: &str) -> String {
    let lines = code.lines().enumerate().map(|(place, line)| format!("{:>4} | {line}", place + 1));
    lines.collect::<Vec<_>>().join("\n")
}
