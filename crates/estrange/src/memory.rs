//! How memory goes back to the system.

#![allow(unsafe_code, reason = "glibc's allocator is told by calls of C")]

use std::thread;
use std::time::Duration;

/// Blocks of so many bytes are taken from the system one by one, and go back when they are freed.
#[cfg(target_env = "gnu")]
const LARGE: libc::c_int = 256 << 10;
/// Threads share so many heaps.
#[cfg(target_env = "gnu")]
const HEAPS: libc::c_int = 2;

/// How often what was freed goes back to the system.
#[cfg(target_env = "gnu")]
const OFTEN: Duration = Duration::from_secs(1);

/// Keeps the long texts of a build out of the heaps, where they leave holes behind. By default glibc takes blocks from the heaps
/// as soon as one of their size was freed, up to 32 MiB, and threads have up to eight heaps for each processor. What was
/// freed below what is still used it keeps for good, unless it is told to give it back.
pub fn give_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: both only set a number, and no other thread is there yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_ARENA_MAX, HEAPS);
    }
    #[cfg(target_env = "gnu")]
    thread::spawn(|| {
        loop {
            thread::sleep(OFTEN);
            // SAFETY: it may be called at any time, by any thread.
            unsafe { libc::malloc_trim(0) };
        }
    });
}
