//! Reads what the tracing compiler noted: each call as a count, the folder it ran in, and its words, NUL after each.

use super::normalise::Call;

/// The calls in a trace. One that was cut short, by the end of a killed build, is left out.
pub(crate) fn parse(trace: &[u8]) -> Vec<Call> {
    let mut words = trace.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let mut calls = Vec::new();
    while let Some(count) = words.next().and_then(|count| count.parse::<usize>().ok()) {
        let Some(directory) = words.next() else { break };
        let call: Vec<String> = words.by_ref().take(count).collect();
        if call.len() < count {
            break;
        }
        calls.push(Call { directory: directory.into(), words: call, file: None });
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_up_to_where_the_trace_breaks_off() {
        let trace = b"3\0/w\0cc\0-c\0a.c\0\x32\0/w/s\0g++\0b.cc\x00999\0/w\0cc\0-c";
        let calls = parse(trace);
        assert_eq!(calls.len(), 2);
        assert_eq!(
            calls[0],
            Call { directory: "/w".into(), words: vec!["cc".into(), "-c".into(), "a.c".into()], file: None }
        );
        assert_eq!(calls[1].words, ["g++", "b.cc"]);
        assert_eq!(parse(b"\xff\xfe garbage"), []);
    }
}
