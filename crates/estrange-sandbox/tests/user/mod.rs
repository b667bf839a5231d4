//! Running a test as an ordinary user, too.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command as Process;

pub fn is_root() -> bool {
    fs::metadata("/proc/self").map(|found| std::os::unix::fs::MetadataExt::uid(&found) == 0).unwrap_or(false)
}

/// Runs one test of this very program again, as a user without any privilege. (Changing the user from root also
/// leaves all other groups.)
pub fn run_this_test_as_an_ordinary_user(test: &str) {
    const ORDINARY: u32 = 4242;
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("a folder for anyone");
    let program = folder.path().join("test");
    // By another process: a file that is open for writing in one of ours, if only between fork and exec, is not run.
    let copied = Process::new("cp").arg(std::env::current_exe().expect("this program")).arg(&program).status();
    assert!(copied.expect("cp").success(), "a copy that the user may run");
    let output = Process::new(&program)
        .args(["--exact", test, "--nocapture"])
        .uid(ORDINARY)
        .gid(ORDINARY)
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .env("TMPDIR", folder.path())
        .output()
        .expect("a run");
    std::io::stdout().write_all(&output.stdout).expect("standard output");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the test did not run");
}
