//! What a worker and its caller say to each other: a kind, a length and that many bytes, over a stream.

use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::net::{RecvAncillaryBuffer, RecvFlags, SendAncillaryBuffer, SendFlags};

/// A kind and a length.
const HEADER: usize = 9;
/// How much is read at once, unless a long frame is under way.
const CHUNK: usize = 64 * 1024;

const NOTE: u8 = b'n';
const ANSWER: u8 = b'a';

/// A frame that has come in. A request has the form of an answer: the last frame of its direction.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    Note(Vec<u8>),
    Answer(Vec<u8>),
}

/// Whether there was something to read.
#[derive(Debug, PartialEq, Eq)]
pub enum Filled {
    Some,
    Nothing,
    End,
}

/// A frame on its way out.
pub struct Outbox<'a> {
    header: [u8; HEADER],
    body: &'a [u8],
    sent: usize,
}

impl<'a> Outbox<'a> {
    /// A request, or the answer to one.
    pub fn new(body: &'a [u8]) -> Self {
        Self::of(ANSWER, body)
    }

    pub fn note(body: &'a [u8]) -> Self {
        Self::of(NOTE, body)
    }

    /// Nothing that would have to be sent.
    pub fn empty() -> Self {
        Self { sent: HEADER, ..Self::of(NOTE, &[]) }
    }

    fn of(kind: u8, body: &'a [u8]) -> Self {
        let mut header = [kind; HEADER];
        header[1..].copy_from_slice(&(body.len() as u64).to_le_bytes());
        Self { header, body, sent: 0 }
    }

    pub fn is_sent(&self) -> bool {
        self.sent == HEADER + self.body.len()
    }

    /// Sends as much as the socket takes now; false if nobody is there to take it.
    pub fn send(&mut self, socket: impl AsFd) -> io::Result<bool> {
        self.send_with(socket, SendFlags::DONTWAIT)
    }

    /// Sends all of it; false if nobody is there to take it.
    pub fn send_all(&mut self, socket: impl AsFd) -> io::Result<bool> {
        self.send_with(socket, SendFlags::empty())
    }

    fn send_with(&mut self, socket: impl AsFd, flags: SendFlags) -> io::Result<bool> {
        while !self.is_sent() {
            let header = &self.header[self.sent.min(HEADER)..];
            let body = &self.body[self.sent.saturating_sub(HEADER)..];
            let slices = [IoSlice::new(header), IoSlice::new(body)];
            let mut nothing_more = SendAncillaryBuffer::default();
            match rustix::net::sendmsg(&socket, &slices, &mut nothing_more, flags | SendFlags::NOSIGNAL) {
                Ok(count) => self.sent += count,
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => break,
                Err(rustix::io::Errno::PIPE | rustix::io::Errno::CONNRESET) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }
}

/// Frames on their way in.
#[derive(Debug)]
pub struct Inbox {
    /// More bytes than a frame can have unless the other side has lost its mind.
    most: u64,
    chunk: Box<[u8]>,
    /// What of the chunk has not been looked at yet.
    start: usize,
    end: usize,
    /// A frame of which some is still to come: its kind, its bytes, how many of them are there.
    partial: Option<(u8, Vec<u8>, usize)>,
}

impl Inbox {
    pub fn new(most: u64) -> Self {
        Self { most, chunk: vec![0; CHUNK].into(), start: 0, end: 0, partial: None }
    }

    /// The next frame that is there as a whole.
    pub fn next(&mut self) -> io::Result<Option<Frame>> {
        if self.partial.is_none() {
            let Some((header, _)) = self.chunk[self.start..self.end].split_first_chunk::<HEADER>() else {
                return Ok(None);
            };
            let [kind, length @ ..] = *header;
            let length = u64::from_le_bytes(length);
            if !matches!(kind, NOTE | ANSWER) || length > self.most {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame that is none"));
            }
            self.start += HEADER;
            // Zeroes of this size cost nothing until they are touched.
            let length = usize::try_from(length).map_err(io::Error::other)?;
            self.partial = Some((kind, vec![0; length], 0));
        }
        let Some((_, body, there)) = &mut self.partial else { return Ok(None) };
        let count = (body.len() - *there).min(self.end - self.start);
        body[*there..*there + count].copy_from_slice(&self.chunk[self.start..self.start + count]);
        *there += count;
        self.start += count;
        Ok(self.partial.take_if(|(_, body, there)| *there == body.len()).map(|(kind, body, _)| match kind {
            NOTE => Frame::Note(body),
            _ => Frame::Answer(body),
        }))
    }

    /// Reads what is there now.
    pub fn fill(&mut self, socket: BorrowedFd<'_>) -> io::Result<Filled> {
        self.fill_with(socket, RecvFlags::DONTWAIT)
    }

    /// Waits for something to read.
    pub fn fill_patiently(&mut self, socket: BorrowedFd<'_>) -> io::Result<Filled> {
        self.fill_with(socket, RecvFlags::empty())
    }

    /// Reads the rest of a long frame to where it belongs, and anything behind it into the chunk.
    fn fill_with(&mut self, socket: BorrowedFd<'_>, flags: RecvFlags) -> io::Result<Filled> {
        self.chunk.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        let mut nowhere = [];
        let (rest, there) = match &mut self.partial {
            Some((_, body, there)) => (&mut body[*there..], Some(there)),
            None => (&mut nowhere[..], None),
        };
        let room = rest.len();
        let mut slices = [IoSliceMut::new(rest), IoSliceMut::new(&mut self.chunk[self.end..])];
        let count = loop {
            match rustix::net::recvmsg(socket, &mut slices, &mut RecvAncillaryBuffer::default(), flags) {
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => return Ok(Filled::Nothing),
                Err(rustix::io::Errno::CONNRESET) => return Ok(Filled::End),
                received => break received?.bytes,
            }
        };
        if count == 0 {
            return Ok(Filled::End);
        }
        if let Some(there) = there {
            *there += count.min(room);
        }
        self.end += count.saturating_sub(room);
        Ok(Filled::Some)
    }
}
