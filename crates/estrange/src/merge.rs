//! `estrange merge`: puts the parts of a build together.

use crate::arguments::{self, Shared};
use crate::build::{show_bench, watched};
use crate::interrupt::Interrupt;
use crate::voice::Failure;
use crate::{Ending, phrasing};

/// Runs the command.
pub fn run(arguments: &arguments::Merge, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let (parts, out) = (arguments.parts.clone(), arguments.out.clone());
    let names = vec![phrasing::quoted(&arguments.out)];
    let manifest =
        watched("benches", names, shared, interrupt, move |progress| estrange_build::merge(&parts, &out, progress))?;
    show_bench(&manifest, &arguments.out, arguments.json)?;
    Ok(Ending::Done)
}
