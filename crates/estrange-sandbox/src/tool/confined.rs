//! A tool of ours that reads foreign text, run behind the same walls as foreign code.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use super::{OUTPUT, Tool, ToolEnd, ToolError, ToolOutput};
use crate::command::{Limits, SCRATCH};
use crate::places::{absolute, places, string};
use crate::request::{self, PATH};
use crate::sandbox::Sandbox;
use crate::wire::{Furniture, RawEnd, Request, Role};

/// What all processes of a tool may hold together: what the largest file of a real project takes, several times over.
const MEMORY: u64 = 8 << 30;
/// What it may write, as a file or into its folder for temporary files.
const DISK: u64 = 1 << 30;

/// Runs it to its end.
pub fn run(tool: &Tool, sandbox: &Sandbox) -> Result<ToolOutput, ToolError> {
    let start = |source: io::Error| ToolError::Start { program: tool.name(), source };
    let confine = |source| ToolError::Confine { program: tool.name(), source };
    let request = request(tool).map_err(start)?;
    let gathered = sandbox.begin(&[], &request).map_err(confine)?.gather(2 * OUTPUT as u64).map_err(confine)?;
    let end = match gathered.report.end {
        _ if gathered.over_output => ToolEnd::OverOutput,
        RawEnd::Exited(code) => ToolEnd::Exited(code),
        RawEnd::Signalled(signal) => ToolEnd::Signalled(signal),
        RawEnd::TimedOut => ToolEnd::TimedOut,
        RawEnd::OverMemory => ToolEnd::OverMemory,
        RawEnd::CouldNotStart(_) if !is_there(tool) => return Err(ToolError::Missing { program: tool.name() }),
        RawEnd::CouldNotStart(why) => return Err(start(io::Error::other(why))),
        RawEnd::Cancelled => return Err(start(io::ErrorKind::Interrupted.into())),
    };
    Ok(ToolOutput { end, stdout: gathered.stdout, stderr: gathered.stderr })
}

fn is_there(tool: &Tool) -> bool {
    request::candidates(Path::new(&tool.program)).iter().any(|program| Path::new(program).exists())
}

fn request(tool: &Tool) -> io::Result<Request> {
    let strings = |texts: Vec<OsString>| texts.iter().map(|text| string(text)).collect::<io::Result<Vec<_>>>();
    let directory = tool.directory.as_deref().unwrap_or(Path::new(SCRATCH));
    let mut environment: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), PATH.join(":").into()),
        ("HOME".into(), SCRATCH.into()),
        ("TMPDIR".into(), Path::new(SCRATCH).join(".tmp").into()),
    ];
    for (name, value) in &tool.environment {
        environment.retain(|(preset, _)| preset != name);
        environment.push((name.clone(), value.clone()));
    }
    Ok(Request {
        programs: strings(request::candidates(Path::new(&tool.program)))?,
        arguments: strings([vec![tool.program.clone()], tool.arguments.clone()].concat())?,
        environment: strings(
            environment.into_iter().map(|(name, value)| [name.as_os_str(), &value].join(OsStr::new("="))).collect(),
        )?,
        directory: string(absolute(directory)?.as_os_str())?,
        scratch: string(OsStr::new(SCRATCH))?,
        furniture: Furniture { role: Role::Tool, inputs: Vec::new(), places: places(&tool.places)? },
        limits: Limits { wall: tool.wall, memory: MEMORY, disk: DISK, processes: 1024, ..Limits::build() },
        address_space: tool.memory,
        fixed_addresses: false,
        keep_scratch: false,
    })
}
