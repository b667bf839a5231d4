//! Executables that are no keepers and no workers, and ones of another version: each is told as what it is.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use estrange_sandbox::{Error, Launcher, Protection, Sandbox, Worker, WorkerEnd, WorkerLimits};
use tempfile::TempDir;

estrange_sandbox::service!(static ECHO = echo);

fn echo(request: &[u8], _: &mut dyn FnMut(&[u8])) -> Vec<u8> {
    request.to_vec()
}

/// A program that is a script of these lines. It lives as long as its folder.
fn script(lines: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program");
    fs::write(&program, format!("#!/bin/sh\n{lines}\n")).expect("a script");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
    (folder, program)
}

#[test]
fn an_executable_that_is_none_of_ours_is_no_keeper() {
    let error = Sandbox::start(&Launcher::program("/bin/true"), Protection::Required).expect_err("it keeps nothing");
    assert_eq!(error.to_string(), "the sandbox's keeper is not there: /bin/true is no keeper: it ended without a word");
    let missing = Sandbox::start(&Launcher::program("/nowhere"), Protection::Waived).expect_err("there is none");
    assert!(matches!(missing, Error::Keeper(_)), "{missing}");
}

#[test]
fn an_executable_that_is_none_of_ours_is_no_worker() {
    let launcher = Launcher::program("/bin/true");
    let end = Worker::start(&launcher, &ECHO, WorkerLimits::default()).expect_err("it answers nothing");
    assert_eq!(end, WorkerEnd::CouldNotStart("the worker exited with code 0".to_owned()));
}

#[test]
fn an_executable_of_another_version_is_refused() {
    let own = std::env::current_exe().expect("this program");
    let (_folder, program) = script(&format!("ESTRANGE_SANDBOX_KEEPER='walled 0.0.0' exec '{}'", own.display()));
    let error = Sandbox::start(&Launcher::program(&program), Protection::Waived).expect_err("it is another version");
    assert!(matches!(&error, Error::OtherVersion { program: named, .. } if *named == program), "{error}");

    let mark = "ESTRANGE_SANDBOX_WORKER=\"0.0.0 ${ESTRANGE_SANDBOX_WORKER#* }\"";
    let (_folder, program) = script(&format!("{mark} exec '{}'", own.display()));
    let end = Worker::start(&Launcher::program(program), &ECHO, WorkerLimits::default());
    let end = end.expect_err("it is another version").to_string();
    assert!(end.contains("its caller is version 0.0.0: they do not work together"), "{end}");
}
