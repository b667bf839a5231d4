//! Which weakness a finding of clang's analyser is: clang does not say it, so a table of ours does.
//!
//! One checker finds several things, and its message tells which: `unix.Malloc` finds leaks, double frees and uses after
//! free. A row holds the beginning of a checker's name, what its message has in it, and the number in the Common Weakness
//! Enumeration. The first row that fits counts. A checker that is in no row has no class: most of these are about style.

/// The beginning of a checker's name, a part of its message, and the class.
const CLASSES: &[(&str, &str, u32)] = &[
    // A value read from outside of an array is garbage to clang, and the message says why.
    ("core.", "due to array index out of bounds", 125),
    ("core.NullDereference", "undefined pointer value", 457),
    ("core.NullDereference", "address of a label", 119),
    ("core.NullDereference", "", 476),
    ("core.NonNullParamChecker", "", 476),
    ("core.CallAndMessage", "null", 476),
    ("core.CallAndMessage", "uninitialized", 457),
    ("core.DivideZero", "", 369),
    ("core.BitwiseShift", "", 1335),
    ("core.StackAddressEscape", "", 562),
    ("core.UndefinedBinaryOperatorResult", "", 457),
    ("core.uninitialized.", "", 457),
    ("unix.MallocSizeof", "", 131),
    ("unix.MismatchedDeallocator", "", 762),
    ("unix.Malloc", "leak", 401),
    ("unix.Malloc", "Attempt to free released", 415),
    ("unix.Malloc", "after it is freed", 416),
    ("unix.Malloc", "freed", 416),
    ("unix.Malloc", "offset by", 761),
    ("unix.Malloc", "not memory allocated", 590),
    ("unix.Malloc", "Argument to", 590),
    ("unix.cstring.NullArg", "", 476),
    ("unix.cstring.BadSizeArg", "", 131),
    ("unix.Stream", "never closed", 775),
    ("unix.Stream", "might be NULL", 476),
    ("unix.Stream", "already closed", 672),
    ("unix.StdCLibraryFunctions", "NULL", 476),
    ("unix.StdCLibraryFunctions", "", 628),
    ("unix.Vfork", "", 758),
    ("cplusplus.NewDeleteLeaks", "", 401),
    ("cplusplus.NewDelete", "Attempt to free released", 415),
    ("cplusplus.NewDelete", "Attempt to delete released", 415),
    ("cplusplus.NewDelete", "after it is freed", 416),
    ("cplusplus.NewDelete", "offset by", 761),
    ("cplusplus.NewDelete", "Argument to", 590),
    ("cplusplus.InnerPointer", "", 416),
    ("cplusplus.StringChecker", "", 476),
    ("cplusplus.PlacementNew", "", 131),
    ("cplusplus.Move", "null", 476),
    ("cplusplus.Move", "", 672),
    ("security.insecureAPI.gets", "", 242),
    ("security.insecureAPI.mktemp", "", 377),
    ("security.insecureAPI.mkstemp", "", 377),
    ("security.insecureAPI.UncheckedReturn", "", 252),
    ("valist.Uninitialized", "", 457),
    ("deadcode.DeadStores", "", 563),
];

/// The class of a finding of a checker, by its message.
pub fn class(checker: &str, message: &str) -> Option<u32> {
    let fits = |&&(start, part, _): &&(&str, &str, u32)| checker.starts_with(start) && message.contains(part);
    CLASSES.iter().find(fits).map(|&(_, _, class)| class)
}

#[cfg(test)]
mod tests {
    use super::class;

    #[test]
    fn the_message_tells_what_a_checker_found() {
        for (checker, message, expected) in [
            ("unix.Malloc", "Potential leak of memory pointed to by 'p'", Some(401)),
            ("unix.Malloc", "Attempt to free released memory", Some(415)),
            ("unix.Malloc", "Use of memory after it is freed", Some(416)),
            (
                "unix.Malloc",
                "Argument to free() is offset by 1 byte from the start of memory allocated by malloc()",
                Some(761),
            ),
            ("unix.MallocSizeof", "Result of 'malloc' is converted to a pointer of type 'int'", Some(131)),
            ("cplusplus.NewDeleteLeaks", "Potential leak of memory pointed to by 'p'", Some(401)),
            ("core.NullDereference", "Dereference of undefined pointer value", Some(457)),
            ("core.UndefinedBinaryOperatorResult", "The left operand of '+' is a garbage value", Some(457)),
            (
                "core.UndefinedBinaryOperatorResult",
                "The left operand of '+' is a garbage value due to array index out of bounds",
                Some(125),
            ),
            ("optin.performance.Padding", "Excessive padding", None),
        ] {
            assert_eq!(class(checker, message), expected, "{checker}: {message}");
        }
    }
}
