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
        ("ASAN_OPTIONS", format!("{common}:detect_leaks=0:detect_stack_use_after_return=0")),
        ("UBSAN_OPTIONS", format!("{common}:halt_on_error=1:print_stacktrace=0")),
        ("MSAN_OPTIONS", common.clone()),
        ("TSAN_OPTIONS", format!("{common}:halt_on_error=1")),
        ("LSAN_OPTIONS", common),
    ]
}

/// The first finding that standard error tells of.
pub fn find(stderr: &[u8]) -> Option<Verdict> {
    String::from_utf8_lossy(stderr).lines().find_map(in_line)
}

fn in_line(line: &str) -> Option<Verdict> {
    const NAMED: [(&str, Sanitizer); 4] = [
        ("AddressSanitizer: ", Sanitizer::Address),
        ("LeakSanitizer: ", Sanitizer::Leak),
        ("MemorySanitizer: ", Sanitizer::Memory),
        ("ThreadSanitizer: ", Sanitizer::Thread),
    ];
    if line.contains("ERROR: ") || line.contains("WARNING: ") {
        for (name, sanitizer) in NAMED {
            if let Some((_, said)) = line.split_once(name) {
                return Some(Verdict { sanitizer, fault: fault(said) });
            }
        }
    }
    // "file.c:3:5: runtime error: signed integer overflow: 1 + 2 cannot be …"
    let (_, said) = line.split_once(": runtime error: ")?;
    let fault = without_addresses(said.split(": ").next().unwrap_or(said));
    Some(Verdict { sanitizer: Sanitizer::UndefinedBehavior, fault })
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
    fn takes_the_first_finding() {
        let text = "hello\na.c:3:5: runtime error: signed integer overflow: 1 + 2\nb.c:1:1: runtime error: shift";
        assert_eq!(found(text), (Sanitizer::UndefinedBehavior, "signed integer overflow".into()));
    }

    #[test]
    fn says_nothing_of_ordinary_words() {
        assert_eq!(find(b"ERROR: no such file\n\xff\xfe"), None);
    }
}
