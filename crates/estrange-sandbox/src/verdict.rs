//! What a sanitizer said on standard error before it ended the program.

use crate::outcome::{Sanitizer, Verdict};

/// The exit code that sanitizers are told to use, so that their end is not mistaken for the program's own.
pub const EXIT_CODE: i32 = 66;

/// The environment that makes every sanitizer end the program at its first finding, with [`EXIT_CODE`].
///
/// Leak detection needs to trace the program, which the sandbox forbids; symbols would need a second program.
pub fn environment() -> [(&'static str, String); 5] {
    let common = format!("exitcode={EXIT_CODE}:symbolize=0:allocator_may_return_null=1:handle_abort=0");
    [
        ("ASAN_OPTIONS", format!("{common}:detect_leaks=0")),
        ("UBSAN_OPTIONS", format!("{common}:halt_on_error=1:print_stacktrace=0")),
        ("MSAN_OPTIONS", common.clone()),
        ("TSAN_OPTIONS", format!("{common}:halt_on_error=1")),
        ("LSAN_OPTIONS", format!("{common}:detect_leaks=0")),
    ]
}

/// The finding that ended the program, by its own account on standard error.
///
/// The last one counts, and a sanitizer's banner more than a message: a program may print words like these itself.
pub fn find(stderr: &[u8]) -> Option<Verdict> {
    let text = String::from_utf8_lossy(stderr);
    text.lines().rev().find_map(in_banner).or_else(|| text.lines().rev().find_map(in_message))
}

/// "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address …"
fn in_banner(line: &str) -> Option<Verdict> {
    const NAMES: [(&str, Sanitizer); 5] = [
        ("AddressSanitizer: ", Sanitizer::Address),
        ("UndefinedBehaviorSanitizer: ", Sanitizer::UndefinedBehavior),
        ("LeakSanitizer: ", Sanitizer::Leak),
        ("MemorySanitizer: ", Sanitizer::Memory),
        ("ThreadSanitizer: ", Sanitizer::Thread),
    ];
    let (_, said) = line.split_once("ERROR: ").or_else(|| line.split_once("WARNING: "))?;
    let (said, sanitizer) = NAMES.iter().find_map(|(name, sanitizer)| Some((said.strip_prefix(name)?, *sanitizer)))?;
    Some(Verdict { sanitizer, fault: fault(said) })
}

/// "file.c:3:5: runtime error: signed integer overflow: 1 + 2 cannot be …"
fn in_message(line: &str) -> Option<Verdict> {
    let (place, said) = line.split_once(": runtime error: ")?;
    let is_place = place == "<unknown>" || place.rsplit(':').take(2).all(|part| part.parse::<u32>().is_ok());
    let fault = without_addresses(said.split(": ").next().unwrap_or(said));
    is_place.then_some(Verdict { sanitizer: Sanitizer::UndefinedBehavior, fault })
}

/// Addresses differ from run to run; what is left can be compared.
fn without_addresses(said: &str) -> String {
    said.split_whitespace().filter(|word| !word.starts_with("0x")).collect::<Vec<_>>().join(" ")
}

/// The name of the fault without the addresses that follow it.
fn fault(said: &str) -> String {
    let end = [" on ", " (pid", " in ", " at ", ": "].iter().filter_map(|stop| said.find(stop)).min();
    said[..end.unwrap_or(said.len())].trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(stderr: &str) -> (Sanitizer, String) {
        let verdict = find(stderr.as_bytes()).expect("a verdict");
        (verdict.sanitizer, verdict.fault)
    }

    #[test]
    fn names_the_fault_without_addresses() {
        let line = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x1 bp 0x2";
        assert_eq!(found(line), (Sanitizer::Address, "heap-buffer-overflow".into()));
        let line = "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000 (pc 0x1)";
        assert_eq!(found(line), (Sanitizer::Address, "SEGV".into()));
        let line = "WARNING: ThreadSanitizer: data race (pid=3)";
        assert_eq!(found(line), (Sanitizer::Thread, "data race".into()));
    }

    #[test]
    fn the_same_fault_reads_the_same_in_every_run() {
        let line = "a.c:9:1: runtime error: load of misaligned address 0x602000000011 for type 'int'";
        assert_eq!(found(line).1, "load of misaligned address for type 'int'");
    }

    #[test]
    fn the_last_finding_and_a_banner_above_all_is_the_one() {
        let text = "awk: runtime error: not ours\na.c:3:5: runtime error: signed integer overflow: 1 + 2\n";
        assert_eq!(found(text), (Sanitizer::UndefinedBehavior, "signed integer overflow".into()));
        let text = format!("{text}==3==ERROR: UndefinedBehaviorSanitizer: SEGV on unknown address 0x0\nnoise");
        assert_eq!(found(&text), (Sanitizer::UndefinedBehavior, "SEGV".into()));
    }

    #[test]
    fn says_nothing_of_ordinary_words() {
        assert_eq!(find(b"ERROR: no such file\n\xff\xfe"), None);
    }
}
