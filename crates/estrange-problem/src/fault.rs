//! What gcc's sanitizers say on standard error, as a class.

use estrange_words::End;

/// The class of what a sanitizer said; nothing if none said anything. The last finding counts: an answer may print words like
/// these itself.
pub(crate) fn find(said: &str) -> Option<End> {
    let lines: Vec<&str> = said.lines().collect();
    (0..lines.len()).rev().find_map(|at| {
        let line = lines[at];
        if let Some((_, what)) = line.split_once("ERROR: AddressSanitizer: ") {
            return Some(address(what, &lines[at + 1..]));
        }
        line.split_once(": runtime error: ").map(|(_, what)| undefined(what))
    })
}

/// What was said, without what a sanitizer draws of the memory around.
pub(crate) fn without_map(said: &str) -> String {
    match said.split_once("\nSUMMARY: AddressSanitizer") {
        Some((before, _)) => format!("{before}\n"),
        None => said.to_owned(),
    }
}

/// What the address sanitizer found, from its first line and those behind it.
fn address(what: &str, rest: &[&str]) -> End {
    let has = |text: &str| rest.iter().any(|line| line.contains(text));
    let is_write = has("WRITE of size") || has("caused by a WRITE");
    let is_before = has("to the left of") || has("bytes before") || has("underflows this variable");
    let either = |read, write| if is_write { write } else { read };
    let name = what.split([' ', ':']).next().unwrap_or_default();
    match name {
        "heap-buffer-overflow" if is_before => either(End::HeapUnderflowRead, End::HeapUnderflowWrite),
        "heap-buffer-overflow" => either(End::HeapOverflowRead, End::HeapOverflowWrite),
        "stack-buffer-underflow" => either(End::StackUnderflowRead, End::StackUnderflowWrite),
        "stack-buffer-overflow" | "dynamic-stack-buffer-overflow" => {
            either(End::StackOverflowRead, End::StackOverflowWrite)
        }
        "global-buffer-overflow" => either(End::GlobalOverflowRead, End::GlobalOverflowWrite),
        "heap-use-after-free" => either(End::UseAfterFreeRead, End::UseAfterFreeWrite),
        "stack-use-after-return" => either(End::UseAfterReturnRead, End::UseAfterReturnWrite),
        "stack-use-after-scope" => either(End::UseAfterScopeRead, End::UseAfterScopeWrite),
        "container-overflow" => End::ContainerOverflow,
        "stack-overflow" => End::StackExhausted,
        "alloc-dealloc-mismatch" => End::MismatchedFree,
        "negative-size-param" => End::NegativeSize,
        "FPE" => End::DivisionByZero,
        "ILL" | "TRAP" => End::Unreachable,
        "ABRT" => End::Aborted,
        "SEGV" | "BUS" | "unknown-crash" | "wild-access" => {
            let at = what.split("address 0x").nth(1).and_then(|text| {
                let digits: String = text.chars().take_while(char::is_ascii_hexdigit).collect();
                u64::from_str_radix(&digits, 16).ok()
            });
            if at.is_some_and(|at| at < 4096) { End::NullPointer } else { either(End::WildRead, End::WildWrite) }
        }
        _ if what.contains("double-free") => End::DoubleFree,
        _ if what.contains("not malloc()-ed") || name == "bad-free" => End::InvalidFree,
        _ if name.ends_with("-param-overlap") => End::Overlap,
        _ => End::Died,
    }
}

/// What the sanitizer of undefined behaviour found.
fn undefined(what: &str) -> End {
    let has = |text: &str| what.contains(text);
    let table: &[(&[&str], End)] = &[
        (&["signed integer overflow", " + "], End::AddOverflow),
        (&["signed integer overflow", " * "], End::MultiplyOverflow),
        (&["signed integer overflow"], End::SubtractOverflow),
        (&["negation of"], End::NegateOverflow),
        (&["division by zero"], End::DivisionByZero),
        (&["division of"], End::DivisionOverflow),
        (&["shift exponent"], End::ShiftExponent),
        (&["left shift of"], End::ShiftBase),
        (&["out of bounds for type"], End::Index),
        (&["null pointer passed as argument"], End::NullArgument),
        (&["null pointer returned"], End::NullReturn),
        (&["applying", "offset", "null pointer"], End::NullPointer),
        (&["pointer index expression"], End::PointerOverflow),
        (&["addition of unsigned offset"], End::PointerOverflow),
        (&["subtraction of unsigned offset"], End::PointerOverflow),
        (&["null pointer"], End::NullPointer),
        (&["misaligned address"], End::Misaligned),
        (&["with insufficient space"], End::ObjectSize),
        (&["not a valid value for type 'bool'"], End::InvalidBool),
        (&["not a valid value for type '_Bool'"], End::InvalidBool),
        (&["not a valid value for type"], End::InvalidEnum),
        (&["variable length array bound"], End::ArrayLength),
        (&["without returning a value"], End::MissingReturn),
        (&["unreachable program point"], End::Unreachable),
        (&["passing zero to"], End::InvalidBuiltin),
        (&["outside the range of representable values"], End::FloatCast),
    ];
    let found = table.iter().find(|(words, _)| words.iter().all(|word| has(word)));
    found.map_or(End::Died, |(_, end)| *end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_classes() {
        let heap = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x1\nWRITE of size 4 at 0x602 thread T0\n\
                    0x602 is located 0 bytes to the right of 12-byte region";
        assert_eq!(find(heap), Some(End::HeapOverflowWrite));
        assert_eq!(find(&heap.replace("WRITE", "READ").replace("right", "left")), Some(End::HeapUnderflowRead));
        let null = "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008 (pc 0x1)";
        assert_eq!(find(null), Some(End::NullPointer));
        assert_eq!(find("==1==ERROR: AddressSanitizer: attempting double-free on 0x60"), Some(End::DoubleFree));
        let sum =
            "answer.c:1:2: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'";
        assert_eq!(find(sum), Some(End::AddOverflow));
        assert_eq!(find("answer.c:1:2: runtime error: load of null pointer of type 'int'"), Some(End::NullPointer));
        assert_eq!(find("nothing of that kind"), None);
    }
}
