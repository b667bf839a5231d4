//! `estrange lower`: what a compiler makes of a function, as clean text.

use estrange_build::{LowerRequest, Lowering, LoweringStyle, lower_file};
use serde::Serialize;

use crate::files::{failure, request};
use crate::nearest::nearest;
use crate::prepare::host;
use crate::voice::Failure;
use crate::{Ending, arguments, output};

#[derive(Debug, Serialize)]
struct LowerJson<'a> {
    function: Option<&'a str>,
    target: &'a str,
    compiler: &'a str,
    opt: &'a str,
    style: &'a str,
    text: &'a str,
    /// The helpers that have no code of their own.
    absent: &'a [String],
    statistics: estrange_build::LoweredStatistics,
}

/// Runs the command.
pub fn run(arguments: &arguments::Lower, shared: &arguments::Shared) -> Result<Ending, Failure> {
    let wrong = |error: estrange_build::UnknownWord| {
        let near = nearest(error.known.iter().copied(), &error.found).join(", ");
        let failure = Failure::new(error.to_string()).usage();
        if near.is_empty() { failure } else { failure.hint(format!("there is {near}")) }
    };
    let style: LoweringStyle = arguments.style.parse().map_err(wrong)?;
    let mut lowering = Lowering::usual(arguments.target.parse().map_err(wrong)?, style);
    lowering.opt = arguments.opt.parse().map_err(wrong)?;
    if let Some(compiler) = &arguments.compiler {
        lowering.compiler = compiler.parse().map_err(wrong)?;
    }
    let request = LowerRequest {
        file: request(&arguments.file, arguments.function.as_deref(), &arguments.flags)?,
        helpers: arguments.helpers.clone(),
        lowering,
        keep_standard_names: arguments.keep_standard_names,
    };
    let lowered = lower_file(&request, &host(shared)?).map_err(failure)?;
    if arguments.json {
        output::print_json(
            1,
            &LowerJson {
                function: arguments.function.as_deref(),
                target: lowering.target.as_str(),
                compiler: lowering.compiler.as_str(),
                opt: lowering.opt.as_str(),
                style: style.as_str(),
                text: &lowered.text,
                absent: &lowered.absent,
                statistics: estrange_build::lowered_statistics(lowering.target, &lowered.text),
            },
        )?;
    } else {
        output::print(&lowered.text)?;
    }
    Ok(Ending::Done)
}
