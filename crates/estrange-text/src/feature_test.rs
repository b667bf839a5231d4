//! The macros that a program defines before it includes headers, so that they offer more or less: `_GNU_SOURCE`.

/// Whether the C library asks for this macro, as feature_test_macros(7) lists them. `NDEBUG` is one, too.
pub fn is_feature_test_macro(word: &str) -> bool {
    const FEATURES: &str = " NDEBUG _ATFILE_SOURCE _BSD_SOURCE _DEFAULT_SOURCE _DYNAMIC_STACK_SIZE_SOURCE \
        _FILE_OFFSET_BITS _FORTIFY_SOURCE _GNU_SOURCE _ISOC11_SOURCE _ISOC2X_SOURCE _ISOC95_SOURCE _ISOC99_SOURCE \
        _LARGEFILE64_SOURCE _LARGEFILE_SOURCE _POSIX_C_SOURCE _POSIX_SOURCE _REENTRANT _SVID_SOURCE _THREAD_SAFE \
        _TIME_BITS _XOPEN_SOURCE _XOPEN_SOURCE_EXTENDED ";
    FEATURES.contains(&format!(" {word} "))
}
