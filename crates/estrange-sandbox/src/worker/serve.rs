//! The worker's side: becoming one before `main`, and answering until the caller is gone.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use super::frame::{Filled, Frame, Inbox, Outbox};
use super::{Answer, Service};
use crate::command::Limits;
use crate::launcher::VERSION;
use crate::processes::Processes;
use crate::sys::{self, Close};
use crate::walls::Walls;
use crate::wire::Furniture;
use crate::{filter, view};

/// The variable that makes an executable a worker. Its value is what [`mark`] gives.
pub const MARK: &str = "ESTRANGE_SANDBOX_WORKER";

/// The variable that has a worker go behind walls. Its value is what it is shown there.
pub const WALLS: &str = "ESTRANGE_SANDBOX_WALLS";

/// Deep recursion is what parsers of foreign files do.
const STACK: usize = 64 << 20;

/// The exit code after a panic, as Rust's own.
const PANICKED: i32 = 101;

/// The mark of a worker for this service, with this much address space.
pub fn mark(service: &Service, address_space: u64) -> String {
    format!("{VERSION} {address_space} {}", service.name)
}

/// Runs before `main` in every program that contains a service: a copy that is marked as its worker becomes one, and
/// never gets as far as `main`.
#[doc(hidden)]
pub fn serve_if_marked(service: &'static Service) {
    let Ok(mark) = std::env::var(MARK) else { return };
    let mut words = mark.splitn(3, ' ');
    let (Some(version), Some(address_space), Some(name)) = (words.next(), words.next(), words.next()) else { return };
    if name != service.name {
        return;
    }
    if version != VERSION {
        eprintln!("it is version {VERSION}, and its caller is version {version}: they do not work together");
        sys::exit_now(1);
    }
    let socket = prepare(address_space);
    let served = socket.as_ref().map_err(|error| error.to_string());
    let code = served.and_then(|socket| serve(service.answer, socket).map_err(|error| error.to_string()));
    // This is the stream of which our caller keeps the end.
    let code = code.unwrap_or_else(|error| {
        eprintln!("{error}");
        1
    });
    // The socket closes with the process and not before: our caller takes that for our end, whose cause is known.
    sys::exit_now(code);
}

/// Sets the process up, and takes the socket from where the caller put it.
fn prepare(address_space: &str) -> io::Result<OwnedFd> {
    // Whatever our caller had open without saying that it is not for us.
    sys::close_from(3, Close::Now)?;
    if let Ok(furniture) = std::env::var(WALLS) {
        go_behind_walls(&serde_json::from_str(&furniture)?)?;
    }
    // The thread that started us is one that lives as long as its process. If that is gone already, so is the socket.
    sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong)?;
    sys::default_signals();
    sys::unblock_signals();
    // Ctrl-C is for our caller, who decides what becomes of us.
    sys::ignore_signal(libc::SIGINT);
    sys::ignore_signal(libc::SIGPIPE);
    // With 1, not even a program that the kernel would hand the dump to is started.
    sys::lower_limit(libc::RLIMIT_CORE, 1)?;
    sys::lower_limit(libc::RLIMIT_AS, address_space.parse().map_err(io::Error::other)?)?;
    let socket = io::stdin().as_fd().try_clone_to_owned()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    for number in 0..2 {
        sys::place_descriptor(nothing.as_raw_fd(), number)?;
    }
    Ok(socket)
}

/// Shows this process nothing of the host but the system's own software and what it is given, and no way back.
fn go_behind_walls(furniture: &Furniture) -> io::Result<()> {
    let processes = Processes::of_this_machine()?;
    let walls = Walls::raise().map_err(io::Error::other)?;
    walls.build_view().map_err(io::Error::other)?;
    view::furnish(furniture, &Limits::default(), walls.user(furniture.role))?;
    walls.drop_privileges(furniture.role, &processes)?;
    sys::prctl(libc::PR_SET_NO_NEW_PRIVS, 1)?;
    sys::install_filter(&filter::program())
}

/// Answers on a thread with a large stack, for the first thread's is as large as the user's limits made it.
///
/// The run-time's handler for stack overflow is not there before `main`: an overflow is a plain `SIGSEGV`.
fn serve(answer: Answer, socket: &OwnedFd) -> io::Result<i32> {
    // Where and what, and nothing that differs from one run to the next.
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    let thread = std::thread::Builder::new().name("worker".to_owned()).stack_size(STACK);
    std::thread::scope(|scope| match thread.spawn_scoped(scope, || answer_all(answer, socket))?.join() {
        Ok(served) => served.map(|()| 0),
        Err(_panic) => Ok(PANICKED),
    })
}

fn answer_all(answer: Answer, socket: &OwnedFd) -> io::Result<()> {
    let mut inbox = Inbox::new(u64::MAX);
    // The first answer is to the unasked question whether we are there.
    let mut listening = Outbox::new(&[]).send_all(socket)?;
    while listening {
        match inbox.next()? {
            None => listening = inbox.fill_patiently(socket.as_fd())? != Filled::End,
            Some(Frame::Note(_)) => {}
            Some(Frame::Answer(request)) => {
                let mut note = |text: &[u8]| {
                    // A caller that is gone is seen when the answer is sent, and by the kernel before.
                    let _ = Outbox::note(text).send_all(socket);
                };
                let answer = answer(&request, &mut note);
                drop(request);
                listening = Outbox::new(&answer).send_all(socket)?;
            }
        }
    }
    Ok(())
}
