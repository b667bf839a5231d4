//! Hostile programs against the sandbox, as root and as an ordinary user: none gets through, nothing stays behind.
//!
//! The attacks are in `hostile.c`; what each must come to is the table here. To show that the attacks have teeth, those
//! that do no harm are first run without the sandbox, where they must succeed.

#[path = "../user/mod.rs"]
mod user;
mod world;

use std::time::Duration;

use estrange_sandbox::{Command, End, Launcher, Limits, Outcome, Protection, Sandbox, Verdict};

use world::World;

const MIB: u64 = 1024 * 1024;

/// What an attack must come to.
#[derive(Debug, Clone, Copy)]
enum Expected {
    /// The program ends by itself, refused.
    Refused,
    TimedOut,
    OverMemory,
    OverOutput,
    /// Refused, with the scratch folder full.
    ScratchFull,
    Signalled(i32),
}

use Expected::{OverMemory, OverOutput, Refused, ScratchFull, Signalled, TimedOut};

/// Each attack, what it must come to, and whether it can be shown to succeed without the sandbox.
const ATTACKS: &[(&str, Expected, bool)] = &[
    ("fork_bomb", TimedOut, false),
    ("thread_bomb", TimedOut, false),
    ("memory_bomb", OverMemory, false),
    ("memory_bomb_in_many", OverMemory, false),
    ("memory_bomb_populated", OverMemory, false),
    ("shared_memory", Refused, true),
    ("shared_zero_device", Refused, true),
    ("system_v_memory", Refused, false),
    ("memory_file", Refused, true),
    ("large_pipes", Refused, true),
    ("socket_buffers", Refused, true),
    ("disk_filler", ScratchFull, false),
    ("inode_filler", ScratchFull, false),
    ("huge_sparse_file", Refused, false),
    ("output_flood", OverOutput, false),
    ("error_flood", OverOutput, false),
    ("endless_loop", TimedOut, false),
    ("deaf_to_signals", TimedOut, false),
    ("raise_limits", Refused, false),
    ("raise_priority", Refused, false),
    ("new_session", Refused, false),
    ("double_fork", Refused, false),
    ("daemon_swarm", Refused, false),
    ("read_secret", Refused, true),
    ("write_secret", Refused, true),
    ("read_system_secrets", Refused, true),
    ("list_homes", Refused, true),
    ("read_environment", Refused, true),
    ("symlink_games", Refused, true),
    ("traps_in_scratch", Refused, false),
    ("write_system", Refused, false),
    ("write_input", Refused, false),
    ("devices", Refused, true),
    ("make_devices", Refused, false),
    ("kernel_settings", Refused, false),
    ("file_handles", Refused, false),
    ("inherited_descriptors", Refused, false),
    ("kill_others", Refused, false),
    ("trace_others", Refused, false),
    ("warden_memory", Refused, false),
    ("warden_descriptors", Refused, false),
    ("see_others", Refused, true),
    ("internet", Refused, true),
    ("internet_6", Refused, true),
    ("unix_socket", Refused, true),
    ("abstract_socket", Refused, true),
    ("other_sockets", Refused, true),
    ("io_uring", Refused, false),
    ("become_root", Refused, true),
    ("setuid_programs", Refused, false),
    ("namespaces", Refused, false),
    ("mounts", Refused, false),
    ("chroot_out", Refused, false),
    ("kernel_doors", Refused, false),
    ("other_architectures", Refused, false),
    ("core_dump", Signalled(6), false),
    ("memory_bomb_without_a_leader", OverMemory, false),
    ("page_tables", OverMemory, false),
    ("pages_in_pipes", Refused, true),
    ("attributes", Refused, false),
    ("watches", Refused, true),
    ("asynchronous_io", Refused, true),
    ("rule_sets", Refused, false),
    ("blind_the_warden", Refused, false),
    ("lease", Refused, true),
    ("flush_the_machine", Refused, true),
    ("name_of_the_host", Refused, true),
    ("places_of_the_host", Refused, true),
];

fn limits() -> Limits {
    Limits {
        wall: Duration::from_millis(1500),
        memory: 256 * MIB,
        processes: 24,
        output: MIB,
        disk: 16 * MIB,
        files: 500,
    }
}

/// The name that is used by the copy of this test which runs as an ordinary user.
const AS_ORDINARY_USER: &str = "battery_as_an_ordinary_user";

#[test]
fn battery_as_root() {
    if !user::is_root() {
        println!("not root: only the ordinary user's battery runs");
        return;
    }
    battery();
}

#[test]
fn battery_as_an_ordinary_user() {
    if user::is_root() {
        user::run_this_test_as_an_ordinary_user(AS_ORDINARY_USER);
    } else {
        battery();
    }
}

#[test]
fn attacks_have_teeth() {
    let world = World::new();
    for &(attack, _, _) in ATTACKS.iter().filter(|(_, _, harmless)| *harmless) {
        let output = world.run_bare(attack);
        assert_eq!(output.status.code(), Some(42), "{attack} has no teeth: it fails even without the sandbox");
    }
}

fn battery() {
    let world = World::new();
    let sandbox =
        Sandbox::start(&Launcher::this_program(), Protection::Required).expect("this machine can protect itself");
    let failures: Vec<String> =
        ATTACKS.iter().filter_map(|&(attack, expected, _)| fight(&sandbox, &world, attack, expected).err()).collect();
    assert!(failures.is_empty(), "{} of {} attacks:\n{}", failures.len(), ATTACKS.len(), failures.join("\n"));
    memory_bomb_with_a_sanitizer(&sandbox, &world);
    faults_are_told_with_a_sanitizer(&sandbox, &world);
    scratch_traps_do_not_reach_out(&sandbox, &world);
    the_machine_stays_usable(&sandbox, &world);
    world.check("the whole battery").expect("the world as it was");
}

/// Runs one attack and compares how it ended, and the world after it, with what must be.
fn fight(sandbox: &Sandbox, world: &World, attack: &str, expected: Expected) -> Result<(), String> {
    let outcome = sandbox.run(&world.command(attack).limits(limits())).map_err(|error| format!("{attack}: {error}"))?;
    let as_expected = match (&outcome.end, expected) {
        (End::Exited(0), Refused) => true,
        (End::Exited(0), ScratchFull) => outcome.scratch_full,
        (End::TimedOut, TimedOut) | (End::OverMemory, OverMemory) | (End::OverOutput, OverOutput) => true,
        (End::Signalled(signal), Signalled(wanted)) => *signal == wanted,
        _ => false,
    };
    if !as_expected {
        let said = String::from_utf8_lossy(&outcome.stdout[..outcome.stdout.len().min(200)]).into_owned();
        return Err(format!("{attack}: {:?}, not {expected:?}; {said}", outcome.end));
    }
    world.check(attack)
}

fn memory_bomb_with_a_sanitizer(sandbox: &Sandbox, world: &World) {
    let outcome = run(sandbox, &world.sanitized_command("memory_bomb").limits(limits()));
    assert_eq!(outcome.end, End::OverMemory);
}

fn faults_are_told_with_a_sanitizer(sandbox: &Sandbox, world: &World) {
    for (fault, wanted) in [("overflow", "heap-buffer-overflow"), ("shift", "shift exponent 40 is too large")] {
        let outcome = run(sandbox, &world.faulty_command(fault));
        let End::Sanitizer(Verdict { fault, .. }) = &outcome.end else { panic!("{outcome:?}") };
        assert!(fault.starts_with(wanted), "{fault}, not {wanted}");
    }
    assert_eq!(run(sandbox, &world.faulty_command("none")).end, End::Exited(0));
}

fn scratch_traps_do_not_reach_out(sandbox: &Sandbox, world: &World) {
    let outcome = run(sandbox, &world.command("traps_in_scratch").keep_scratch());
    let scratch = outcome.scratch.expect("it was asked for");
    for trap in ["stolen", "root/etc/passwd", "fifo", "folder/stolen", "../etc/passwd", "/etc/passwd"] {
        assert!(scratch.read(trap, 100).is_err(), "{trap} was read");
    }
    assert_eq!(scratch.read("honest", 100).expect("an honest file"), b"honest");
    let folder = tempfile::tempdir().expect("a folder");
    let copied = scratch.copy_out("", folder.path(), |_, _| true).expect("a copy");
    assert_eq!((copied.files, copied.bytes), (1, 6), "{copied:?}");
}

/// While a fork bomb burns in one thread, ordinary runs go on in another.
fn the_machine_stays_usable(sandbox: &Sandbox, world: &World) {
    std::thread::scope(|scope| {
        let bomb = scope.spawn(|| run(sandbox, &world.command("fork_bomb").limits(limits())));
        for _ in 0..20 {
            assert!(run(sandbox, &Command::new("true")).success());
        }
        assert_eq!(bomb.join().expect("no panic").end, End::TimedOut);
    });
}

fn run(sandbox: &Sandbox, command: &Command) -> Outcome {
    sandbox.run(command).expect("a run")
}
