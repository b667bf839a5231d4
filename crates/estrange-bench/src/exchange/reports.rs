//! What sanitizers report for each way in which a call ends, in words of gcc's and clang's alike.

use estrange_words::End;

/// Whatever a sanitizer reports, and hardly what a program says itself.
pub(super) const ANY: &str =
    "ERROR: (Address|Leak|Undefined)[A-Za-z]*Sanitizer|MemorySanitizer: |:[0-9]+: runtime error: ";

/// What a report of an end has in it: two extended regular expressions, each of which a line matches.
pub(super) fn report_of(end: End) -> [String; 2] {
    let access = match end {
        _ if has(end, READ) => "(READ of size|caused by a (READ|UNKNOWN))",
        _ if has(end, WRITE) => "(WRITE of size|caused by a (WRITE|UNKNOWN))",
        _ => ".",
    };
    [what(end), access.to_owned()]
}

/// The bits of [`End::astray`], and whether an end that has none of them reads or writes.
const READ: u8 = 0b01;
const WRITE: u8 = 0b10;

fn has(end: End, access: u8) -> bool {
    let of_others = match end {
        End::UseAfterFreeRead | End::UseAfterReturnRead | End::UseAfterScopeRead => READ,
        End::UseAfterFreeWrite | End::UseAfterReturnWrite | End::UseAfterScopeWrite => WRITE,
        _ => 0,
    };
    (end.astray() | of_others) & access != 0
}

/// What it is called. Where memory is missed altogether depends on where a compiler puts variables.
fn what(end: End) -> String {
    const ASTRAY: [(End, &str); 3] = [
        (End::HeapOverflowRead, "heap-buffer-overflow"),
        (End::StackOverflowRead, "stack-buffer-(over|under)flow"),
        (End::GlobalOverflowRead, "global-buffer-overflow"),
    ];
    if end.astray() != 0 {
        let regions = !(READ | WRITE);
        let is_from = |of: &&(End, &str)| of.0.astray() & end.astray() & regions != 0;
        let words: Vec<&str> = ASTRAY.iter().filter(is_from).map(|(_, words)| *words).collect();
        return format!("AddressSanitizer: (dynamic-)?({}|SEGV|BUS|unknown-crash)", words.join("|"));
    }
    let words = match end {
        End::ContainerOverflow => "AddressSanitizer: container-overflow",
        End::UseAfterFreeRead | End::UseAfterFreeWrite => "AddressSanitizer: heap-use-after-free",
        End::UseAfterReturnRead | End::UseAfterReturnWrite => "AddressSanitizer: stack-use-after-return",
        End::UseAfterScopeRead | End::UseAfterScopeWrite => "AddressSanitizer: stack-use-after-scope",
        End::DoubleFree => "AddressSanitizer: attempting double-free",
        End::InvalidFree => "AddressSanitizer: attempting free on address which was not malloc",
        End::MismatchedFree => "AddressSanitizer: alloc-dealloc-mismatch",
        End::Overlap => "AddressSanitizer: .*-param-overlap",
        End::NegativeSize => "AddressSanitizer: negative-size-param",
        End::Leak => "LeakSanitizer: detected memory leaks",
        End::NullPointer => "null pointer|AddressSanitizer: SEGV on unknown address 0x0000000",
        End::NullArgument => "runtime error: null pointer passed as argument",
        End::NullReturn => "runtime error: null pointer returned from function",
        End::Misaligned => "runtime error: .*misaligned address",
        End::ObjectSize => "runtime error: .*insufficient space",
        End::PointerOverflow => "runtime error: .*(pointer index expression|pointer|offset).*(overflowed|applying)",
        End::Index => "runtime error: index .* out of bounds",
        End::AddOverflow => "runtime error: signed integer overflow: .* \\+ ",
        End::SubtractOverflow => "runtime error: signed integer overflow: .* - ",
        End::MultiplyOverflow => "runtime error: signed integer overflow: .* \\* ",
        End::NegateOverflow => "runtime error: negation of",
        End::DivisionOverflow => "runtime error: division of .* by -1|AddressSanitizer: FPE",
        End::DivisionByZero => "runtime error: division by zero|AddressSanitizer: FPE",
        End::ShiftExponent => "runtime error: shift exponent",
        End::ShiftBase => "runtime error: left shift of",
        End::FloatCast => "runtime error: .*outside the range of representable values",
        End::InvalidBool => "runtime error: load of value .*'(_Bool|bool|BOOL)'",
        End::InvalidEnum => "runtime error: load of value",
        End::ArrayLength => "runtime error: variable length array bound",
        End::InvalidBuiltin => "runtime error: passing zero to",
        End::Unreachable => "runtime error: execution reached an unreachable",
        End::MissingReturn => "runtime error: execution reached the end of a value-returning function",
        End::UninitialisedUse => "MemorySanitizer: use-of-uninitialized-value",
        End::StackExhausted => "AddressSanitizer: stack-overflow",
        _ => ANY,
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_its_report_and_no_quotes_are_needed_but_single_ones() {
        for end in End::ALL.iter().filter(|end| end.is_fault()) {
            let [what, access] = report_of(*end);
            assert!(what != ANY && !access.is_empty(), "{end}");
        }
        assert!(report_of(End::WildRead)[0].contains("heap-buffer-overflow|stack-buffer"));
        assert!(!report_of(End::StackOverflowWrite)[0].contains("heap"));
        assert!(report_of(End::StackOverflowWrite)[1].starts_with("(WRITE"));
        assert_eq!(report_of(End::AddOverflow)[1], ".");
    }
}
