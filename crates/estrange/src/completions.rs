//! `estrange completions`: a script with which a shell completes commands.

use clap::CommandFactory;

use crate::arguments::{self, Arguments};
use crate::voice::Failure;
use crate::{Ending, output};

/// Runs the command.
pub fn run(arguments: &arguments::Completions) -> Result<Ending, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "estrange", &mut script);
    output::print_plain(&String::from_utf8_lossy(&script))?;
    Ok(Ending::Done)
}
