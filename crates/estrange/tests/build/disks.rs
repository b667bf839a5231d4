//! Disks that are full.

use std::process::{Command, Output};

use crate::place::{Built, Playground, assert_whole};
use crate::support::whole;

/// Runs a build with a small disk at `disk`, then a script there. Nothing, where no disk can be made.
fn on_a_small_disk(place: &Playground, size: &str, arguments: &[&str], then: &str) -> Option<Output> {
    let disk = place.path("disk");
    std::fs::create_dir_all(&disk).unwrap();
    let script = "mount -t tmpfs -o size=\"$1\" none \"$2\" || exit 77; then=$3; shift 3; \"$@\"; code=$?; eval \"$then\"; exit $code";
    let build = place.command(arguments);
    let mut command = Command::new("unshare");
    if !rustix::process::geteuid().is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    command.args(["--mount", "sh", "-c", script, "sh", size]).arg(&disk).arg(then);
    command.arg(build.get_program()).args(build.get_args()).current_dir(place.path(""));
    let output = command.env("ESTRANGE_CACHE", place.path("cache")).output().unwrap();
    if output.status.code() == Some(77) || String::from_utf8_lossy(&output.stderr).contains("unshare failed") {
        eprintln!("no disk can be made here: {}", whole(&output));
        return None;
    }
    Some(output)
}

/// A source whose bench is larger than the disks here: its text does not compress.
fn write_large(place: &Playground) {
    let word = |n: u64| {
        (0..400).fold((n, String::new()), |(seed, word), _| {
            let seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed, format!("{word}{:x}", seed >> 40))
        })
    };
    let functions: String =
        (0..40).map(|n| format!("const char *word{n}(void) {{ return \"{}\"; }}\n", word(n).1)).collect();
    place.write("large/a.c", functions);
}

#[test]
fn a_full_disk_for_the_bench_leaves_none_or_the_old_one() {
    let place = Playground::new();
    write_large(&place);
    let look = "ls -A disk >&2";
    let Some(output) = on_a_small_disk(&place, "96k", &["large", "--out", "disk/B"], look) else { return };
    assert_whole("disk_full_for_the_bench", &place, &output);

    // An old bench is still there, and whole.
    let both = "\"$1\" build --configure never large --out disk/B; echo \"then $?\"; \"$1\" show disk/B add --text";
    let Some(output) = on_a_small_disk(&place, "96k", &["adder", "--out", "disk/B"], both) else { return };
    assert_whole("disk_full_and_an_old_bench", &place, &output);

    // With room, the same command goes on.
    assert_eq!(place.build(&["large", "--out", "B"]).functions.len(), 40);
}

#[test]
fn a_full_disk_for_the_cache_is_told_and_nothing_is_lost_for_it() {
    let place = Playground::new();
    write_large(&place);
    let arguments = ["large", "--cache", "disk/cache", "--out", "B"];
    let whole_bench = place.build(&["large", "--out", "W"]);
    for size in ["32k", "160k", "300k", "800k"] {
        let Some(output) = on_a_small_disk(&place, size, &arguments, ":") else { return };
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) => crate::place::assert_same(&whole_bench, &Built::open(&place.path("B"))),
            Some(1) => {
                assert!(words.contains("no room left") || words.contains("No space left on device"), "{size}: {words}");
                assert!(words.contains("hint: "), "{size}: {words}")
            }
            _ => panic!("{size}: {}", whole(&output)),
        }
        if size == "32k" {
            assert_eq!(output.status.code(), Some(1));
            assert!(!place.path("B").exists());
        }
    }
}
