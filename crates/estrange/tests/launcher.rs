//! The libraries inside another program: its own executable is neither keeper nor worker, the one that it names is.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use estrange_sandbox::{Command, End, Launcher, Protection, Sandbox, Workshop};
use estrange_unit::Parser;

#[test]
fn keeper_and_workers_are_the_executable_that_the_launcher_names() {
    let folder = tempfile::tempdir().unwrap();
    let (log, program) = (folder.path().join("log"), folder.path().join("program"));
    // It writes down as what it is started, and becomes the binary of Estrange.
    let script = format!(
        "#!/bin/sh\n\
         [ -n \"$ESTRANGE_SANDBOX_KEEPER\" ] && echo keeper >>'{log}'\n\
         [ -n \"$ESTRANGE_SANDBOX_WORKER\" ] && echo worker >>'{log}'\n\
         exec '{estrange}'\n",
        log = log.display(),
        estrange = env!("CARGO_BIN_EXE_estrange"),
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();

    let sandbox = Sandbox::start(&Launcher::program(&program), Protection::Required).unwrap();
    assert_eq!(fs::read_to_string(&log).unwrap(), "keeper\n");
    assert_eq!(sandbox.run(&Command::new("true")).unwrap().end, End::Exited(0));

    let parser = Parser::new(1, &Workshop::new(sandbox, folder.path())).unwrap();
    assert_eq!(parser.check("int twice(int n) { return 2 * n; }\n", &["-xc".to_owned()]), Ok(Vec::new()));
    assert_eq!(fs::read_to_string(&log).unwrap(), "keeper\nworker\n");
}
