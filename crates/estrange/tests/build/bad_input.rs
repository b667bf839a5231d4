//! Sources that are not what they should be: each is a typed loss, or no loss at all.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;
use std::time::{Duration, Instant};

use estrange_bench::evidence::SameCode;

use crate::place::{Playground, assert_whole};
use crate::support::whole;

/// A line that no compiler reads as anything.
const NONSENSE: &str = "%%%% this is @@ no C {{{{ at all ))) ;;\n";

#[test]
fn odd_files_cost_themselves_and_nothing_else() {
    let place = Playground::new();
    let write = |name: &str, content: &[u8]| place.write(&format!("odd/{name}"), content);
    write("good.c", b"int good(int a) { return a + 1; }\n");
    write(
        "latin.c",
        b"/* caf\xe9 */\nint ascii(int a) { return a + 2; }\nconst char *latin(void) { return \"caf\xe9\"; }\n",
    );
    write("errors.c", NONSENSE.repeat(50).as_bytes());
    write("loop.h", b"#include \"loop.h\"\nint looped(void);\n");
    write("loop.c", b"#include \"loop.h\"\nint looped(void) { return 3; }\n");
    write("guarded.h", b"#ifndef G\n#define G\n#include \"guarded.h\"\nint guarded(int);\n#endif\n");
    write("guarded.c", b"#include \"guarded.h\"\nint guarded(int a) { return a * 4; }\n");
    write("nul.c", b"int nul(int a) { return a \0 + 5; }\n");
    write("endless.c", b"#include \"/dev/full\"\nint endless(void) { return 6; }\n");
    write("host.c", b"#include \"/etc/passwd\"\nint host(void) { return 7; }\n");
    write("missing.c", b"#include \"nowhere/missing.h\"\nint missing(void) { return 8; }\n");
    write("empty.c", b"");
    let nested = format!("int deep(int a) {{ {}a++;{} return a; }}\n", "{".repeat(5000), "}".repeat(5000));
    write("deep.c", nested.as_bytes());
    let long = format!("int wide(int a) {{ return a{}; }}\n", " + 9".repeat(1000));
    write("wide.c", long.as_bytes());
    let text = format!("int wordy(int a) {{ return \"{}\"[a]; }}\n", "x".repeat(1_000_000));
    write("wordy.c", text.as_bytes());

    let started = Instant::now();
    let built = place.build(&["odd", "--out", "B"]);
    assert!(started.elapsed() < Duration::from_secs(120), "{:?}", started.elapsed());
    assert_eq!(built.kept(), ["good", "guarded", "ascii", "wide", "wordy"]);
    insta::assert_snapshot!("odd_losses", built.losses().join("\n"));
    let details: String = built.rejected.iter().map(|lost| lost.detail.as_str()).collect();
    assert!(!details.contains(place.path("").to_str().unwrap()), "no path of this machine: {details}");
    let bytes: Vec<u8> = built.bytes().into_iter().flat_map(|(_, bytes)| bytes).collect();
    assert!(!bytes.windows(9).any(|window| window == b"root:x:0:"), "no file of this machine");
}

#[test]
fn line_ends_marks_and_foreign_letters_are_no_trouble() {
    let place = Playground::new();
    place.write("odd/crlf.c", "struct point {\r\n  int x;\r\n};\r\n#define TWICE(a) \\\r\n  ((a) * 2)\r\n\r\nint crlf(struct point *p)\r\n{\r\n  return TWICE(p->x);\r\n}\r\n");
    place.write("odd/mark.c", "\u{feff}#include \"mark.h\"\nint mark(int a)\n{\n  return a - marked;\n}\n");
    place.write("odd/mark.h", "\u{feff}extern int marked;\n");
    place.write("odd/names.c", "int caf\\u00e9(int a) { return a + 1; }\nint bär(int a) { return café(a) * 2; }\n");
    place.write("odd/no_end.c", "int no_end(int a) { return a / 3; }");
    let built = place.build(&["odd", "--out", "B"]);
    assert_eq!(built.losses(), [""; 0]);
    assert_eq!(built.kept(), ["crlf", "mark", "café", "bär", "no_end"]);
    assert!(!built.function("crlf").unit.contains('\r'));
    assert!(!built.function("mark").unit.contains('\u{feff}'));
    for function in &built.functions {
        assert!(function.linkable || function.name == "mark", "{}: {:?}", function.name, function.unlinkable_reason);
        let o0 = function.evidence.verdicts().find(|(level, _)| *level == "o0");
        assert_eq!(o0, Some(("o0", SameCode::Same)), "{}: {:?}", function.name, function.evidence);
    }
}

#[test]
fn links_pipes_and_what_may_not_be_read_are_passed_over_in_words() {
    let place = Playground::new();
    place.write("odd/good.c", "int good(int a) { return a + 1; }\n");
    place.write("odd/secret.c", "int secret(int a) { return a + 2; }\n");
    symlink("one.c", place.path("odd/other.c")).unwrap();
    symlink("other.c", place.path("odd/one.c")).unwrap();
    symlink(".", place.path("odd/self")).unwrap();
    symlink("/etc/passwd", place.path("odd/outside.c")).unwrap();
    assert!(Command::new("mkfifo").arg(place.path("odd/pipe.c")).status().unwrap().success());
    fs::set_permissions(place.path("odd/secret.c"), fs::Permissions::from_mode(0o000)).unwrap();
    let built = place.build(&["odd", "--out", "B"]);
    if rustix::process::geteuid().is_root() {
        eprintln!("root may read everything: a file that may not be read is not tried");
        assert_eq!((built.kept(), built.losses()), (vec!["good", "secret"], vec![]));
    } else {
        assert_eq!((built.kept(), built.losses()), (vec!["good"], vec!["secret.c unreadable".to_owned()]));
    }
}

#[test]
fn a_folder_without_code_is_a_lost_source() {
    let place = Playground::new();
    fs::create_dir(place.path("empty")).unwrap();
    place.write("prose/README", "Nothing to compile.\n");
    let output = place.run(&["empty", "prose", "--out", "B"]);
    assert_whole("nothing_at_all", &place, &output);
    assert!(!place.path("B").exists());

    let output = place.run(&["empty", "adder", "--out", "B"]);
    assert_whole("one_source_lost", &place, &output);
    place.write("only_tests/tests/test_a.c", "int main(void) { return 0; }\n");
    assert_whole("no_function", &place, &place.run(&["only_tests", "--out", "C"]));
}

#[test]
fn a_pipe_that_a_source_includes_is_not_waited_for_beyond_the_time() {
    if std::env::var_os("ESTRANGE_SLOW_TESTS").is_none() {
        eprintln!("takes a minute: set ESTRANGE_SLOW_TESTS to run it");
        return;
    }
    let place = Playground::new();
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    place.write(
        "odd/pipe.c",
        format!("#include \"{}\"\nint piped(void) {{ return 1; }}\n", place.path("pipe").display()),
    );
    place.write("odd/good.c", "int good(int a) { return a + 1; }\n");
    let built = place.build(&["odd", "--out", "B"]);
    assert_eq!((built.kept(), built.losses()), (vec!["good"], vec!["pipe.c preprocessor-timed-out".to_owned()]));
}

/// So many functions, each in its own words, and a comment before each.
fn functions(count: usize, comment: &str) -> String {
    let one = |number: usize| {
        let (first, second) = (number.wrapping_mul(2_654_435_761) % 1_000_003, number * number % 65_521);
        format!("/* {comment} */\nint f{number}(int a, int b) {{ return a * {first} + (b ^ {second}) - {number}; }}\n")
    };
    (0..count).map(one).collect()
}

#[test]
fn a_file_of_fifty_megabytes_is_a_typed_loss_in_bounded_time_and_memory() {
    let place = Playground::new();
    // Within the bound on a file, with what it includes beyond the bound on a text; and beyond the first.
    place.write(
        "large/table.h",
        format!("static const int table[] = {{\n{}}};\n", "1234567, 7654321,\n".repeat(1_500_000)),
    );
    place.write("large/included.c", format!("#include \"table.h\"\n{}", functions(100, &"comment ".repeat(32_000))));
    place.write("large/generated.c", functions(200, &"comment ".repeat(32_000)));
    place.write("large/good.c", "int good(int a) { return a + 1; }\n");
    assert!(fs::metadata(place.path("large/generated.c")).unwrap().len() > 50_000_000);
    let mut command = Command::new("/usr/bin/env");
    let started = Instant::now();
    let built = place.command(&["large", "--out", "B"]);
    command.args(["sh", "-c", "ulimit -v 6000000; exec \"$0\" \"$@\""]).arg(built.get_program()).args(built.get_args());
    command.current_dir(place.path("")).env("ESTRANGE_CACHE", place.path("cache"));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    assert!(started.elapsed() < Duration::from_secs(180), "{:?}", started.elapsed());
    let built = crate::place::Built::open(&place.path("B"));
    assert_eq!(built.kept(), ["good"]);
    assert_eq!(built.losses(), ["generated.c file-too-large", "included.c file-too-large"]);
}
