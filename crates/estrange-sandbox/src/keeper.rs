//! The keeper: a copy of this executable that puts up the walls once and then forks a warden for each run.
//!
//! It is small and has one thread, so its forks are cheap and safe however large and busy the caller is. It ends when
//! its caller does, and every run with it.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use crate::sys::{self, Close, Fork};
use crate::walls::Walls;
use crate::wire::{self, Descriptors, Ready, Report};
use crate::{filter, warden};

/// The variable that makes a copy of this executable a keeper. Its value says whether walls are wanted.
pub const MARK: &str = "ESTRANGE_SANDBOX_KEEPER";
/// The value that asks for walls.
pub const WALLED: &str = "walled";
/// The value that asks for none.
pub const OPEN: &str = "open";

/// Runs before `main` in every program that contains this crate: a copy that is marked as a keeper becomes one, and
/// never gets as far as `main`. So any program and any test can start a sandbox, without a second executable.
#[allow(unsafe_code, reason = "the linker section in which start-up functions are listed")]
#[used]
// SAFETY: the section holds function pointers of this very type, which the C library calls once before main.
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn keep_if_marked() {
        if let Some(value) = std::env::var_os(MARK) {
            keep(&value);
            sys::exit_now(0);
        }
    }
    keep_if_marked
};

/// Serves requests that come in on standard input until the caller is gone.
fn keep(wanted: &OsString) {
    let Ok(socket) = take_standard_input() else { return };
    sys::set_umask(0o022);
    sys::default_signals();
    sys::unblock_signals();
    let (mut confinement, failure) = match wanted == OPEN {
        true => (Confinement::none(), None),
        false => match Confinement::build() {
            Ok(confinement) => (confinement, None),
            Err(failure) => (Confinement::none(), Some(failure)),
        },
    };
    let refused = failure.is_some();
    if wire::send(&socket, &Ready { failure }, &[]).is_err() || refused {
        return;
    }
    sys::ignore_children(true);
    while let Ok(Some(((), received))) = wire::receive(&socket) {
        let Some(descriptors) = Descriptors::from_received(received) else { continue };
        confinement.walls = confinement.walls.next();
        match sys::fork(confinement.walls.namespaces()) {
            Ok(Fork::Child) => {
                // The caller must see the keeper's end even while wardens live.
                drop(socket);
                warden::serve(&confinement, descriptors)
            }
            Ok(Fork::Parent(_)) => {}
            Err(error) => {
                let report = Report::not_started(format!("the sandbox could not make a process: {error}"));
                let _ = wire::send(&descriptors.report, &report, &[]);
            }
        }
    }
}

/// What keeps a guest in.
pub struct Confinement {
    pub walls: Walls,
    pub filter: Vec<libc::sock_filter>,
}

impl Confinement {
    fn none() -> Self {
        Self { walls: Walls::None, filter: filter::program() }
    }

    fn build() -> Result<Self, String> {
        let walls = Walls::raise()?;
        walls.build_view()?;
        walls.rehearse()?;
        Ok(Self { walls, filter: filter::program() })
    }
}

/// Moves the socket away from standard input, and gives all three standard streams to nobody.
fn take_standard_input() -> std::io::Result<OwnedFd> {
    // Whatever our caller had open without saying that it is not for us.
    sys::close_from(3, Close::Now)?;
    let socket = std::io::stdin().as_fd().try_clone_to_owned()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    for number in 0..3 {
        sys::place_descriptor(nothing.as_raw_fd(), number)?;
    }
    Ok(socket)
}
