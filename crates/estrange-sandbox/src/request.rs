//! A command put into the kernel's terms, for the keeper.

use std::ffi::{CString, NulError, OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use crate::command::{Command, INPUT, SCRATCH};
use crate::verdict;
use crate::wire::{Furniture, Request, Role};

/// Where there are no walls: a folder of the host that stands for the guest's view, with `scratch` and `input` in it.
pub fn open_folder() -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("estrange-").tempdir()?;
    std::fs::create_dir_all(folder.path().join("scratch/.tmp"))?;
    std::fs::create_dir(folder.path().join("input"))?;
    Ok(folder)
}

/// The command in the kernel's terms; with a `folder`, the guest's paths are those below it.
pub fn translate(command: &Command, folder: Option<&Path>) -> Result<Request, String> {
    let place = |text: &OsStr| -> OsString {
        match folder {
            Some(folder) if Path::new(text).starts_with(SCRATCH) || Path::new(text).starts_with(INPUT) => {
                folder.join(text.to_string_lossy().trim_start_matches('/')).into_os_string()
            }
            _ => text.to_owned(),
        }
    };
    let string = |text: &OsStr| -> Result<CString, String> {
        CString::new(place(text).as_bytes())
            .map_err(|_: NulError| format!("{:?} has a zero byte in it", text.to_string_lossy()))
    };
    let strings = |texts: Vec<OsString>| texts.iter().map(|text| string(text)).collect::<Result<Vec<_>, _>>();
    let arguments = [vec![command.program.clone().into_os_string()], command.arguments.clone()].concat();
    let mut inputs = resolve_inputs(command)?;
    if let Some(folder) = folder {
        for (host, name) in inputs.drain(..) {
            let link = folder.join("input").join(OsStr::from_bytes(name.to_bytes()));
            std::os::unix::fs::symlink(OsStr::from_bytes(host.to_bytes()), link)
                .map_err(|error| format!("its input {} cannot be shown: {error}", name.to_string_lossy()))?;
        }
    }
    Ok(Request {
        programs: strings(candidates(&command.program))?,
        arguments: strings(arguments)?,
        environment: environment(command, &place)
            .into_iter()
            .map(|(name, value)| match name.is_empty() || name.as_bytes().contains(&b'=') {
                true => Err(format!("{:?} is no name for a variable", name.to_string_lossy())),
                false => string(&[name.as_os_str(), &value].join(OsStr::new("="))),
            })
            .collect::<Result<Vec<_>, _>>()?,
        directory: string(command.directory.as_os_str())?,
        scratch: string(OsStr::new(SCRATCH))?,
        furniture: Furniture { role: Role::Guest, inputs, places: Vec::new() },
        limits: command.limits,
        address_space: None,
        fixed_addresses: command.fixed_addresses,
        keep_scratch: command.keep_scratch,
    })
}

/// The folders in which a program given by name is looked for.
pub const PATH: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// Where a program may be.
pub fn candidates(program: &Path) -> Vec<OsString> {
    match program.components().count() {
        1 if program.is_relative() => PATH.iter().map(|folder| Path::new(folder).join(program).into()).collect(),
        _ => vec![program.into()],
    }
}

fn environment(command: &Command, place: &dyn Fn(&OsStr) -> OsString) -> Vec<(OsString, OsString)> {
    let mut all: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), PATH.join(":").into()),
        ("HOME".into(), place(OsStr::new(SCRATCH))),
        ("INPUT".into(), place(OsStr::new(INPUT))),
        ("TMPDIR".into(), place(&Path::new(SCRATCH).join(".tmp").into_os_string())),
        ("LC_ALL".into(), "C.UTF-8".into()),
    ];
    if command.sanitized {
        all.extend(verdict::environment().map(|(name, value)| (name.into(), value.into())));
    }
    for (name, value) in &command.environment {
        all.retain(|(preset, _)| preset != name);
        all.push((name.clone(), value.clone()));
    }
    all
}

fn resolve_inputs(command: &Command) -> Result<Vec<(CString, CString)>, String> {
    let mut resolved = Vec::new();
    for input in &command.inputs {
        let mut parts = Path::new(&input.name).components();
        if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) || input.name.contains('/') {
            return Err(format!("{:?} is no plain name for an input", input.name));
        }
        let host: PathBuf = std::fs::canonicalize(&input.host)
            .map_err(|error| format!("its input {} cannot be found: {error}", input.host.display()))?;
        let zero = |_: NulError| "an input's name has a zero byte in it".to_owned();
        let host = CString::new(host.into_os_string().as_bytes()).map_err(zero)?;
        resolved.push((host, CString::new(input.name.as_bytes()).map_err(zero)?));
    }
    Ok(resolved)
}
