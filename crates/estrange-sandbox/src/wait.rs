//! Waiting for the first of several descriptors to have something to say.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};

/// Which of the descriptors have something to say, an end included; waits for the first, at most for `time`.
pub fn first_of<const N: usize>(descriptors: [Option<BorrowedFd<'_>>; N], time: Duration) -> io::Result<[bool; N]> {
    let mut polled: Vec<PollFd<'_>> = descriptors
        .iter()
        .flatten()
        .map(|&descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN | PollFlags::RDHUP))
        .collect();
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    let time = rustix::time::Timespec { tv_sec: seconds, tv_nsec: time.subsec_nanos().into() };
    match rustix::event::poll(&mut polled, Some(&time)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let mut answers = polled.iter().map(|one| !one.revents().is_empty());
    Ok(descriptors.map(|asked| asked.is_some() && answers.next().unwrap_or(false)))
}
