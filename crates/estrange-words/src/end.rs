//! How the call of a function ended: on its own, or by what a sanitizer found, as finely as sanitizers tell it.

use crate::words;

words! {
    /// How a call ended. What a sanitizer finds is a class, the same for gcc and clang, and not its words, which are others
    /// for each compiler. The order is that of the numbers that the harness tells.
    pub enum End {
        /// Was not called.
        Never = "never",
        /// Returned.
        Returned = "returned",
        /// Called `abort`, or an assertion failed.
        Aborted = "aborted",
        /// Called `exit`.
        Exited = "exited",
        /// Threw an exception.
        Threw = "threw",
        /// Read beyond the end of a block on the heap. Sanitizers call it heap-buffer-overflow.
        HeapOverflowRead = "heap-overflow-read",
        /// Wrote beyond the end of a block on the heap. Sanitizers call it heap-buffer-overflow.
        HeapOverflowWrite = "heap-overflow-write",
        /// Read before the start of a block on the heap. Sanitizers call it heap-buffer-overflow, too.
        HeapUnderflowRead = "heap-underflow-read",
        /// Wrote before the start of a block on the heap. Sanitizers call it heap-buffer-overflow, too.
        HeapUnderflowWrite = "heap-underflow-write",
        /// Read beyond the end of a variable on the stack. Sanitizers call it stack-buffer-overflow; it is not the stack
        /// that is exhausted.
        StackOverflowRead = "stack-overflow-read",
        /// Wrote beyond the end of a variable on the stack. Sanitizers call it stack-buffer-overflow; it is not the stack
        /// that is exhausted.
        StackOverflowWrite = "stack-overflow-write",
        /// Read before the start of a variable on the stack. Sanitizers call it stack-buffer-underflow.
        StackUnderflowRead = "stack-underflow-read",
        /// Wrote before the start of a variable on the stack. Sanitizers call it stack-buffer-underflow.
        StackUnderflowWrite = "stack-underflow-write",
        /// Read beyond a variable outside of functions, a static one or a constant. Sanitizers call it
        /// global-buffer-overflow.
        GlobalOverflowRead = "global-overflow-read",
        /// Wrote beyond a variable outside of functions, a static one or a constant. Sanitizers call it
        /// global-buffer-overflow.
        GlobalOverflowWrite = "global-overflow-write",
        /// Read where there is no memory at all. The system says so, with a signal.
        WildRead = "wild-read",
        /// Wrote where there is no memory, or none that may be written to. The system says so, with a signal.
        WildWrite = "wild-write",
        /// Touched the part of a container that holds no elements.
        ContainerOverflow = "container-overflow",
        /// Read memory that had been freed. Sanitizers call it heap-use-after-free.
        UseAfterFreeRead = "use-after-free-read",
        /// Wrote to memory that had been freed. Sanitizers call it heap-use-after-free.
        UseAfterFreeWrite = "use-after-free-write",
        /// Read a variable of a function that had returned. Sanitizers call it stack-use-after-return; they look for it only
        /// where one input is run again.
        UseAfterReturnRead = "use-after-return-read",
        /// Wrote to a variable of a function that had returned. Sanitizers call it stack-use-after-return; they look for it
        /// only where one input is run again.
        UseAfterReturnWrite = "use-after-return-write",
        /// Read a variable whose block had been left. Sanitizers call it stack-use-after-scope.
        UseAfterScopeRead = "use-after-scope-read",
        /// Wrote to a variable whose block had been left. Sanitizers call it stack-use-after-scope.
        UseAfterScopeWrite = "use-after-scope-write",
        /// Freed memory that had been freed already.
        DoubleFree = "double-free",
        /// Freed what was never allocated, or not from there on. Sanitizers call it bad-free.
        InvalidFree = "invalid-free",
        /// Freed memory in another way than it was allocated, as by `free` after `new`.
        MismatchedFree = "mismatched-free",
        /// Copied between two places that overlap, with a function that must not be used so.
        Overlap = "overlap",
        /// Handed over a negative number as a size.
        NegativeSize = "negative-size",
        /// Returned, and left memory behind that nothing leads to. It is looked for only where one input is run again.
        Leak = "leak",
        /// Followed a null pointer.
        NullPointer = "null-pointer",
        /// Handed a null pointer to a function that takes none.
        NullArgument = "null-argument",
        /// Returned a null pointer and had promised not to.
        NullReturn = "null-return",
        /// Used a misaligned address.
        Misaligned = "misaligned",
        /// Used an address where there is less room than its type takes.
        ObjectSize = "object-size",
        /// Computed an address that wraps around.
        PointerOverflow = "pointer-overflow",
        /// Took an element of an array by an index that it does not have.
        Index = "index-out-of-bounds",
        /// Overflowed a signed number by an addition.
        AddOverflow = "add-overflow",
        /// Overflowed a signed number by a subtraction.
        SubtractOverflow = "subtract-overflow",
        /// Overflowed a signed number by a multiplication.
        MultiplyOverflow = "multiply-overflow",
        /// Overflowed a signed number by changing its sign.
        NegateOverflow = "negate-overflow",
        /// Overflowed a signed number by a division: the smallest one by -1.
        DivisionOverflow = "division-overflow",
        /// Divided by zero.
        DivisionByZero = "division-by-zero",
        /// Shifted by a negative number, or by as many bits as there are.
        ShiftExponent = "shift-exponent",
        /// Shifted a negative number to the left, or a bit out of a signed one.
        ShiftBase = "shift-base",
        /// Made a whole number of a floating-point number that has no place in its type.
        FloatCast = "float-cast",
        /// Loaded a `bool` that is neither true nor false.
        InvalidBool = "invalid-bool",
        /// Loaded a value that its enumeration does not have.
        InvalidEnum = "invalid-enum",
        /// Declared an array whose length is not positive.
        ArrayLength = "array-length",
        /// Asked a builtin function for what it has no answer to, such as the leading zeros of 0.
        InvalidBuiltin = "invalid-builtin",
        /// Came to a place that the code says is never reached.
        Unreachable = "unreachable",
        /// Came to the end of a function that must return a value.
        MissingReturn = "missing-return",
        /// Decided something by a value that was never written, or handed it on. Only clang's memory sanitizer sees it, which
        /// is asked where one input is run again.
        UninitialisedUse = "uninitialised-use",
        /// Took too many steps.
        Endless = "endless",
        /// Took too much of the stack.
        StackExhausted = "stack-exhausted",
        /// Ended the process in another way.
        Died = "died",
    }
}

impl End {
    /// Whether the call did what is undefined, or left memory behind: something that a sanitizer finds.
    pub fn is_fault(self) -> bool {
        self > Self::Threw && self < Self::Endless || self == Self::StackExhausted
    }

    /// Whether it ended as it was meant to: no sanitizer found anything, and it did not run on and on.
    pub fn is_clean(self) -> bool {
        matches!(self, Self::Returned | Self::Aborted | Self::Exited | Self::Threw)
    }

    /// The numbers of the weaknesses (CWE) that it is an instance of, the most specific one first.
    pub fn weaknesses(self) -> &'static [u16] {
        match self {
            Self::Never | Self::Returned | Self::Exited | Self::Died => &[],
            Self::Aborted => &[617],
            Self::Threw => &[248],
            Self::HeapOverflowRead | Self::StackOverflowRead | Self::GlobalOverflowRead => &[126, 125],
            Self::HeapOverflowWrite => &[122, 787],
            Self::StackOverflowWrite => &[121, 787],
            Self::GlobalOverflowWrite | Self::ObjectSize => &[787],
            Self::HeapUnderflowRead | Self::StackUnderflowRead => &[127, 125],
            Self::HeapUnderflowWrite | Self::StackUnderflowWrite => &[124, 787],
            Self::WildRead => &[125],
            Self::WildWrite => &[787],
            Self::ContainerOverflow => &[119],
            Self::UseAfterFreeRead | Self::UseAfterFreeWrite => &[416, 825],
            Self::UseAfterReturnRead | Self::UseAfterReturnWrite => &[562, 825],
            Self::UseAfterScopeRead | Self::UseAfterScopeWrite => &[825],
            Self::DoubleFree => &[415],
            Self::InvalidFree => &[590, 763],
            Self::MismatchedFree => &[762, 763],
            Self::Overlap => &[475],
            Self::NegativeSize => &[195, 130],
            Self::Leak => &[401],
            Self::NullPointer | Self::NullArgument | Self::NullReturn => &[476],
            Self::Misaligned => &[188],
            Self::PointerOverflow => &[823, 190],
            Self::Index => &[129, 119],
            Self::AddOverflow | Self::MultiplyOverflow | Self::NegateOverflow | Self::DivisionOverflow => &[190],
            Self::SubtractOverflow => &[191, 190],
            Self::DivisionByZero => &[369],
            Self::ShiftExponent | Self::ShiftBase => &[1335],
            Self::FloatCast => &[681],
            Self::InvalidBool | Self::InvalidEnum => &[704],
            Self::ArrayLength => &[1284, 789],
            Self::InvalidBuiltin => &[475],
            Self::Unreachable | Self::MissingReturn => &[758],
            Self::UninitialisedUse => &[457, 908],
            Self::Endless => &[835, 400],
            Self::StackExhausted => &[674],
        }
    }

    /// Whether two ends count as the same where an old text is compared with a new one. How far a pointer that went astray
    /// was from something else depends on where the compiler puts variables, so that before and beyond are the same, and so
    /// is where there is no memory at all. What it went astray from, and whether it was read or written, is not.
    pub fn is_like(self, other: Self) -> bool {
        let astray = self.astray() & other.astray();
        self == other || astray & Self::ACCESS != 0 && astray & !Self::ACCESS != 0
    }

    /// The bits of [`Self::astray`] that say whether something was read or written; each of the others is a region.
    const ACCESS: u8 = 0b11;

    /// Of a pointer that went astray: whether it was read or written, and the regions that it may have gone astray from.
    /// Nothing for other ends.
    pub fn astray(self) -> u8 {
        const READ: u8 = 0b01;
        const WRITE: u8 = 0b10;
        const HEAP: u8 = 0b100;
        const STACK: u8 = 0b1000;
        const GLOBAL: u8 = 0b1_0000;
        match self {
            Self::HeapOverflowRead | Self::HeapUnderflowRead => HEAP | READ,
            Self::HeapOverflowWrite | Self::HeapUnderflowWrite => HEAP | WRITE,
            Self::StackOverflowRead | Self::StackUnderflowRead => STACK | READ,
            Self::StackOverflowWrite | Self::StackUnderflowWrite => STACK | WRITE,
            Self::GlobalOverflowRead => GLOBAL | READ,
            Self::GlobalOverflowWrite => GLOBAL | WRITE,
            Self::WildRead => HEAP | STACK | GLOBAL | READ,
            Self::WildWrite => HEAP | STACK | GLOBAL | WRITE,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::End;

    #[test]
    fn every_fault_has_a_weakness() {
        for end in End::ALL {
            assert!(!end.is_fault() || !end.weaknesses().is_empty(), "{end}");
        }
        assert!(End::Leak.is_fault() && End::StackExhausted.is_fault() && End::HeapOverflowRead.is_fault());
        assert!(!End::Returned.is_fault() && !End::Threw.is_fault() && !End::Endless.is_fault());
    }

    #[test]
    fn only_what_the_layout_decides_is_alike() {
        assert!(End::HeapOverflowRead.is_like(End::HeapUnderflowRead));
        assert!(End::StackOverflowWrite.is_like(End::WildWrite) && End::WildWrite.is_like(End::StackOverflowWrite));
        assert!(!End::StackOverflowWrite.is_like(End::GlobalOverflowWrite));
        assert!(!End::StackOverflowWrite.is_like(End::StackOverflowRead));
        assert!(!End::Index.is_like(End::StackOverflowRead) && !End::Returned.is_like(End::Threw));
        assert!(End::Leak.is_like(End::Leak));
    }
}
