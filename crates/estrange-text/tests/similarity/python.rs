//! Asks the real Python for the ratios of its difflib, in one process for many pairs of texts.

use std::fmt::Write as _;
use std::time::Duration;

use estrange_sandbox::Tool;

/// What Python says of a pair of texts.
pub struct Answer {
    /// The ratio.
    pub ratio: f64,
    /// One minus the ratio.
    pub distance: f64,
    /// The CPU time that it took.
    pub time: Duration,
}

/// Reads texts, a line of hexadecimal digits each, and answers each pair with the bits of two numbers and the
/// nanoseconds of CPU time.
const SCRIPT: &str = "
import difflib, struct, sys, time
texts = [bytes.fromhex(line).decode() for line in open(sys.argv[1])]
for old, new in zip(texts[::2], texts[1::2]):
    started = time.process_time_ns()
    ratio = difflib.SequenceMatcher(None, old, new).ratio()
    spent = time.process_time_ns() - started
    print(struct.pack('>d', ratio).hex(), struct.pack('>d', 1 - ratio).hex(), spent)
";

/// Python's answer to each pair of an old and a new text.
pub fn answers(pairs: &[(String, String)]) -> Vec<Answer> {
    let mut lines = String::new();
    for text in pairs.iter().flat_map(|(old, new)| [old, new]) {
        for byte in text.bytes() {
            write!(lines, "{byte:02x}").expect("a string takes all");
        }
        lines.push('\n');
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("texts");
    std::fs::write(&path, lines).expect("a file in it");
    let output = Tool::new("python3").arguments(["-c", SCRIPT]).argument(path).run().expect("python3 runs");
    assert!(output.success(), "{}", output.last_words(20));
    let answers: Vec<Answer> = output.text().lines().map(answer).collect();
    assert_eq!(answers.len(), pairs.len());
    answers
}

fn answer(line: &str) -> Answer {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |word: &str| f64::from_bits(u64::from_str_radix(word, 16).expect("bits"));
    let time = Duration::from_nanos(words[2].parse().expect("nanoseconds"));
    Answer { ratio: number(words[0]), distance: number(words[1]), time }
}
