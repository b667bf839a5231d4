//! How runs end: every kind of end, told apart.

use std::time::Duration;

use estrange_sandbox::{Command, End, Launcher, Limits, Outcome, Protection, Sandbox};

fn run(command: &Command) -> Outcome {
    let sandbox =
        Sandbox::start(&Launcher::this_program(), Protection::Required).expect("this machine can protect itself");
    sandbox.run(command).expect("a run")
}

fn shell(script: &str) -> Command {
    Command::new("sh").argument("-c").argument(script)
}

#[test]
fn an_exit_code_is_told() {
    assert_eq!(run(&Command::new("true")).end, End::Exited(0));
    assert_eq!(run(&shell("exit 3")).end, End::Exited(3));
}

#[test]
fn output_and_input_pass() {
    let outcome = run(&Command::new("cat").stdin("hello"));
    assert_eq!((outcome.stdout.as_slice(), outcome.stderr.as_slice()), (&b"hello"[..], &b""[..]));
    assert_eq!(run(&shell("echo oops >&2")).stderr, b"oops\n");
}

#[test]
fn addresses_are_drawn_by_chance_unless_told() {
    let maps = |fixed| run(&Command::new("cat").argument("/proc/self/maps").fixed_addresses(fixed)).stdout;
    assert_ne!(maps(false), maps(false));
    assert!(!maps(true).is_empty());
    assert_eq!(maps(true), maps(true));
}

#[test]
fn a_signal_is_told() {
    assert_eq!(run(&shell("kill -SEGV $$")).end, End::Signalled(11));
    assert_eq!(run(&shell("kill -KILL $$")).end, End::Signalled(9));
}

#[test]
fn time_is_bounded() {
    let limits = Limits { wall: Duration::from_millis(200), ..Limits::default() };
    let outcome = run(&shell("sleep 60").limits(limits));
    assert_eq!(outcome.end, End::TimedOut);
    assert!(outcome.usage.wall < Duration::from_secs(5));
}

#[test]
fn output_is_bounded() {
    let limits = Limits { output: 1000, ..Limits::default() };
    let outcome = run(&Command::new("yes").limits(limits));
    assert_eq!((outcome.end, outcome.stdout.len()), (End::OverOutput, 1000));
}

#[test]
fn a_missing_program_could_not_start() {
    let outcome = run(&Command::new("/usr/bin/no-such-program"));
    let End::CouldNotStart(why) = outcome.end else { panic!("{:?}", outcome.end) };
    assert!(why.contains("No such file"), "{why}");
    assert!(matches!(run(&Command::new("no-such-program")).end, End::CouldNotStart(_)));
}

#[test]
fn processes_that_stay_are_counted_and_ended() {
    let outcome = run(&shell("sleep 60 & sleep 60 & exit 5"));
    assert_eq!((outcome.end, outcome.left_behind), (End::Exited(5), 2));
}

#[test]
fn inputs_must_exist_and_have_plain_names() {
    for (host, name) in [("/no/such/file", "x"), ("/usr", "../x"), ("/usr", ""), ("/usr", "a/b"), ("/usr", "..")] {
        let outcome = run(&Command::new("true").input(host, name));
        assert!(matches!(outcome.end, End::CouldNotStart(_)), "{host} as {name:?}: {:?}", outcome.end);
    }
    let outcome =
        run(&shell("cat /input/here/ends.rs | head -c 3").input(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"), "here"));
    assert_eq!(outcome.stdout, b"//!");
}

#[test]
fn strings_may_be_long_and_not_text_but_hold_no_zero() {
    use std::os::unix::ffi::OsStringExt;
    let odd = std::ffi::OsString::from_vec(vec![0xff, 0xfe, b'!']);
    assert_eq!(run(&Command::new("printf").argument("%s").argument(odd)).stdout, [0xff, 0xfe, b'!']);
    let long = "x".repeat(100_000);
    assert_eq!(run(&Command::new("printf").argument("%s").argument(&long)).stdout.len(), 100_000);
    assert!(matches!(run(&Command::new("printf").argument("a\0b")).end, End::CouldNotStart(_)));
}

#[test]
fn limits_may_be_as_large_or_small_as_numbers_get() {
    let most = Limits {
        wall: Duration::MAX,
        memory: u64::MAX,
        processes: u32::MAX,
        output: u64::MAX,
        disk: u64::MAX,
        files: u64::MAX,
    };
    assert_eq!(run(&shell("echo hi > file && cat file").limits(most)).stdout, b"hi\n");
    let least = Limits { wall: Duration::ZERO, memory: 0, processes: 0, output: 0, disk: 0, files: 0 };
    // Several limits are passed at once; any of them may be seen first.
    let end = run(&shell("echo hi").limits(least)).end;
    assert!(matches!(end, End::TimedOut | End::OverMemory | End::OverOutput), "{end}");
    let silent = Limits { output: 0, ..Limits::default() };
    assert_eq!(run(&shell("true").limits(silent)).end, End::Exited(0));
    assert_eq!(run(&shell("echo hi").limits(silent)).end, End::OverOutput);
}

#[test]
fn what_is_too_deep_is_left_behind() {
    let dig = "i=0; while [ $i -lt 200 ]; do mkdir d && cd d || exit 1; i=$((i+1)); done; echo deep > file; echo top > /scratch/top";
    let outcome = run(&shell(dig).keep_scratch());
    let folder = tempfile::tempdir().expect("a folder");
    let copied = outcome.scratch.expect("it was asked for").copy_out("", folder.path(), |_, _| true).expect("a copy");
    assert_eq!((copied.files, copied.skipped.len()), (1, 1), "{copied:?}");
}

#[test]
fn output_can_be_opened_by_name() {
    let outcome = run(&shell("echo out > /dev/stdout; echo err > /dev/stderr; whoami; id -u"));
    let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
    assert!(said.starts_with("out\nguest\n"), "{said:?} {outcome:?}");
    assert_eq!(outcome.stderr, b"err\n");
}

#[test]
fn no_more_is_copied_out_than_the_scratch_folder_could_hold() {
    let limits = Limits { disk: 1 << 20, ..Limits::default() };
    let make = "truncate -s 900K a; ln a b; truncate -s 1M c";
    let outcome = run(&shell(make).limits(limits).keep_scratch());
    let folder = tempfile::tempdir().expect("a folder");
    let copied = outcome.scratch.expect("it was asked for").copy_out("", folder.path(), |_, _| true).expect("a copy");
    assert!(copied.bytes <= 1 << 20 && copied.files == 1, "{copied:?}");
    assert_eq!(copied.skipped.len(), 2);
}

#[test]
fn variables_have_names() {
    for name in ["", "A=B"] {
        assert!(matches!(run(&Command::new("true").environment(name, "x")).end, End::CouldNotStart(_)), "{name:?}");
    }
}

#[test]
fn an_input_that_the_guest_could_not_read_is_refused_with_the_reason() {
    use std::os::unix::fs::PermissionsExt;
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o600)).expect("its mode");
    let outcome = run(&Command::new("cat").argument("/input/private").input(file.path(), "private"));
    match outcome.end {
        // As root the guest is somebody else; as an ordinary user it is the file's owner.
        End::CouldNotStart(why) => assert!(why.contains("private"), "{why}"),
        end => assert_eq!(end, End::Exited(0)),
    }
}
