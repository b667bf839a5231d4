//! How memory goes back to the system.

#![allow(unsafe_code, reason = "the settings of glibc's allocator are set by a call of C")]

/// Blocks of so many bytes are taken from the system one by one, and go back when they are freed.
#[cfg(target_env = "gnu")]
const LARGE: libc::c_int = 256 << 10;
/// Threads share so many heaps.
#[cfg(target_env = "gnu")]
const HEAPS: libc::c_int = 2;

/// Keeps the long texts of a build out of the heaps, where they leave holes behind. By default glibc takes blocks from the heaps
/// as soon as one of their size was freed, up to 32 MiB, and threads have up to eight heaps for each processor.
pub fn give_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: both only set a number, and no other thread is there yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_ARENA_MAX, HEAPS);
    }
}
