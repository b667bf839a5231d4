//! What caller, keeper and warden say to each other: one message each way, with the descriptors it is about.

use std::ffi::CString;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, SocketFlags, SocketType,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::command::Limits;

/// The keeper's first word. After all but the first of them it ends.
#[derive(Debug, Serialize, Deserialize)]
pub enum Ready {
    /// It is there.
    Here,
    /// It could not build the walls.
    Unprotected {
        /// What is missing, in words.
        missing: String,
    },
    /// It is of another version than its caller.
    OtherVersion {
        /// Its own.
        version: String,
    },
}

/// A run, with every string as the kernel takes it. Travels in a sealed memory file, however long it is.
#[derive(Debug, Serialize, Deserialize)]
pub struct Request {
    /// Where the program may be; the first that exists is run.
    pub programs: Vec<CString>,
    pub arguments: Vec<CString>,
    pub environment: Vec<CString>,
    pub directory: CString,
    /// Where the scratch folder is.
    pub scratch: CString,
    pub furniture: Furniture,
    pub limits: Limits,
    /// The most address space that each process may have.
    pub address_space: Option<u64>,
    pub fixed_addresses: bool,
    pub keep_scratch: bool,
}

/// What a run sees beyond the system's own software and its scratch folder.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Furniture {
    pub role: Role,
    /// Pairs of a path on the host and a name below `/input`.
    pub inputs: Vec<(CString, CString)>,
    pub places: Vec<Mount>,
}

/// Who runs.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Foreign code: it is another user, where there can be one.
    #[default]
    Guest,
    /// A program of ours that reads foreign text: the same user as we are, with no privilege, that sees no processes.
    Tool,
}

/// A file or folder of the host that is shown under its own name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mount {
    /// Where it is on the host, without links.
    pub host: CString,
    /// Where it is shown.
    pub shown: CString,
    pub access: Access,
}

/// What may be done with a place. Nothing in it can be run, unless that is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Access {
    Read,
    /// Read, and loaded as code.
    Load,
    Write,
}

/// The descriptors that travel with a request, in this order.
pub struct Descriptors {
    pub request: OwnedFd,
    pub stdin: OwnedFd,
    pub stdout: OwnedFd,
    pub stderr: OwnedFd,
    /// The warden's end of the socket on which it reports; if the caller closes its end, the run is cancelled.
    pub report: OwnedFd,
}

/// The warden's report, with the scratch folder's descriptor if it was asked for.
#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    pub end: RawEnd,
    pub wall: Duration,
    pub cpu: Duration,
    pub peak_memory: u64,
    pub left_behind: u32,
    pub scratch_full: bool,
}

impl Report {
    /// The report of a run that never began.
    pub fn not_started(why: String) -> Self {
        let (wall, cpu) = (Duration::ZERO, Duration::ZERO);
        let end = RawEnd::CouldNotStart(why);
        Self { end, wall, cpu, peak_memory: 0, left_behind: 0, scratch_full: false }
    }
}

/// How a run ended as far as the warden can know: it sees no output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RawEnd {
    Exited(i32),
    Signalled(i32),
    TimedOut,
    OverMemory,
    /// The caller closed its end.
    Cancelled,
    CouldNotStart(String),
}

/// More descriptors than any message carries.
const MOST_DESCRIPTORS: usize = 8;
/// More bytes than any message has: strings of unbounded length travel in memory files.
const MOST_BYTES: usize = 8 * 1024;

/// A connection for such messages.
pub fn connection() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

/// Sends one message.
pub fn send(socket: impl AsFd, message: &impl Serialize, descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let bytes = serde_json::to_vec(message)?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    loop {
        match rustix::net::sendmsg(&socket, &[IoSlice::new(&bytes)], &mut control, SendFlags::NOSIGNAL) {
            Err(rustix::io::Errno::INTR) => {}
            // More descriptors of this user are on their way than one may have; they arrive presently.
            Err(rustix::io::Errno::TOOMANYREFS) => std::thread::sleep(Duration::from_millis(1)),
            sent => return Ok(sent.map(drop)?),
        }
    }
}

/// Takes one message; `None` if the other side is gone.
pub fn receive<T: DeserializeOwned>(socket: impl AsFd) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut bytes = [0; MOST_BYTES];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        let mut slices = [IoSliceMut::new(&mut bytes)];
        match rustix::net::recvmsg(&socket, &mut slices, &mut control, RecvFlags::CMSG_CLOEXEC) {
            Err(rustix::io::Errno::INTR) => {}
            received => break received?.bytes,
        }
    };
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    if received == 0 {
        return Ok(None);
    }
    Ok(Some((serde_json::from_slice(&bytes[..received])?, descriptors)))
}

impl Descriptors {
    pub fn as_array(&self) -> [BorrowedFd<'_>; 5] {
        [&self.request, &self.stdin, &self.stdout, &self.stderr, &self.report].map(AsFd::as_fd)
    }

    pub fn from_received(received: Vec<OwnedFd>) -> Option<Self> {
        let [request, stdin, stdout, stderr, report] = <[OwnedFd; 5]>::try_from(received).ok()?;
        Some(Self { request, stdin, stdout, stderr, report })
    }
}
