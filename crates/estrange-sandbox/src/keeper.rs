//! The keeper: a copy of our executable that puts up the walls once and then forks a warden for each run.
//!
//! It is small and has one thread, so its forks are cheap and safe however large and busy the caller is. It ends when
//! its caller does, and every run with it.

use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use crate::confinement::Confinement;
use crate::launcher::VERSION;
use crate::sys::{self, Close, Fork};
use crate::warden;
use crate::wire::{self, Descriptors, Ready, Report};

/// The variable that makes an executable a keeper. Its value is what [`mark`] gives.
pub const MARK: &str = "ESTRANGE_SANDBOX_KEEPER";
/// The word that asks for walls.
const WALLED: &str = "walled";
/// The word that asks for none.
const OPEN: &str = "open";

/// The mark of a keeper: whether walls are wanted, and who asks.
pub fn mark(walled: bool) -> String {
    format!("{} {VERSION}", if walled { WALLED } else { OPEN })
}

/// Runs before `main` in every program that contains this crate: a copy that is marked as a keeper becomes one, and
/// never gets as far as `main`. So any program and any test can start a sandbox, without a second executable.
#[allow(unsafe_code, reason = "the linker section in which start-up functions are listed")]
#[used]
// SAFETY: the section holds function pointers of this very type, which the C library calls once before main.
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn keep_if_marked() {
        if let Ok(mark) = std::env::var(MARK) {
            keep(&mark);
            sys::exit_now(0);
        }
    }
    keep_if_marked
};

/// Serves requests that come in on standard input until the caller is gone.
fn keep(mark: &str) {
    let Ok(socket) = take_standard_input() else { return };
    sys::set_umask(0o022);
    sys::default_signals();
    sys::unblock_signals();
    let (wanted, version) = mark.split_once(' ').unwrap_or((mark, ""));
    let confinement = match wanted {
        _ if version != VERSION => Err(Ready::OtherVersion { version: VERSION.to_owned() }),
        OPEN => Ok(Confinement::none()),
        _ => Confinement::build().map_err(|missing| Ready::Unprotected { missing }),
    };
    let word = confinement.as_ref().err().unwrap_or(&Ready::Here);
    let is_said = wire::send(&socket, word, &[]).is_ok();
    let (Ok(mut confinement), true) = (confinement, is_said) else { return };
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
