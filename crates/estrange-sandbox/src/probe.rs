//! What this kernel offers to keep guests in, found out by trying.

use crate::command::Command;
use crate::error::hint;
use crate::launcher::Launcher;
use crate::outcome::End;
use crate::sandbox::{Protection, Sandbox};

/// What the sandbox can do on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Whether foreign code can be confined.
    pub protected: bool,
    /// What was found, in words: how guests are confined, or what is missing.
    pub detail: String,
    /// What would mend it, if it is not protected.
    pub hint: Option<String>,
}

/// Starts a sandbox and runs a trivial program in it.
pub fn probe(launcher: &Launcher) -> Probe {
    let sandbox = match Sandbox::start(launcher, Protection::Required) {
        Ok(sandbox) => sandbox,
        Err(error) => return Probe { protected: false, detail: error.to_string(), hint: Some(hint()) },
    };
    match sandbox.run(&Command::new("true")) {
        Ok(outcome) if outcome.end == End::Exited(0) => Probe { protected: true, detail: how().to_owned(), hint: None },
        Ok(outcome) => {
            Probe { protected: false, detail: format!("a trivial program {}", outcome.end), hint: Some(hint()) }
        }
        Err(error) => Probe { protected: false, detail: error.to_string(), hint: Some(hint()) },
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn how() -> &'static str {
    match is_root() {
        true => "namespaces made by root, each guest a user of its own; system-call filter; limits",
        false => "namespaces made by an ordinary user; system-call filter; limits",
    }
}
