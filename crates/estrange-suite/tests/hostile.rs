//! Answers that want to be graded as what they are not, and projects that do what they may not.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;

use common::{CTESTED, MADE, SANDBOX, folder, grade};
use estrange_suite::{Doubt, Grade, Graded, ProjectFile, Suite, SuiteError};

/// A text in the place of `tally_sum` of the project that reports in TAP.
fn made(text: &str) -> Graded {
    grade(&MADE, "made", "tally.c", "tally_sum", text)
}

/// A text in the place of `tally_sum` of the project that CTest tests.
fn ctested(text: &str) -> Graded {
    grade(&CTESTED, "ctested", "tally.c", "tally_sum", text)
}

/// A body of `tally_sum`, after these lines.
fn sum(before: &str, body: &str) -> String {
    format!("{before}\nint tally_sum(const int *n, size_t c)\n{{\n    {body}\n}}")
}

const FORGED: &str = "puts(\"ok 1 - sum\\nok 2 - range\\nok 3 - word\\nok 4 - clear\"); fflush(stdout);";

#[test]
fn an_early_exit_is_no_pass() {
    for end in ["exit(0);", "_exit(0);", "_Exit(0);", "quick_exit(0);", "syscall(SYS_exit_group, 0);"] {
        let headers = "#include <stdlib.h>\n#include <unistd.h>\n#include <sys/syscall.h>";
        let text = sum(headers, &format!("{end} return 0;"));
        // The report breaks off where it is the test's own.
        assert_eq!(made(&text).grade, Grade::NotBelieved, "{end}");
        // Where only the exit code is seen, the place gives it away.
        let graded = ctested(&text);
        assert_eq!(graded.grade, Grade::NotBelieved, "{end}");
        assert!(matches!(&graded.doubts[..], [Doubt::Deed(deed)] if deed.place == "tally_sum"), "{:?}", graded.doubts);
    }
}

#[test]
fn an_exit_by_the_kernel_itself_is_no_pass() {
    let raw = "__asm__ volatile(\"syscall\" :: \"a\"(231L), \"D\"(0L)); return 0;";
    let graded = ctested(&sum("", raw));
    assert_eq!(graded.grade, Grade::NotBelieved);
    assert!(graded.doubts.iter().any(|doubt| doubt.to_string().contains("vanished")), "{:?}", graded.doubts);
    let replaced = "char *words[] = {\"true\", 0}; execv(\"/bin/true\", words); return 0;";
    assert_eq!(ctested(&sum("#include <unistd.h>", replaced)).grade, Grade::NotBelieved);
}

#[test]
fn a_forged_report_is_no_pass() {
    let headers = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <fcntl.h>";
    // It prints what is expected and ends; it goes on, and the tests report a second time; it hides what they report.
    let ends = made(&sum(headers, &format!("{FORGED} exit(0);")));
    assert_eq!(ends.grade, Grade::NotBelieved, "{ends:?}");
    assert!(matches!(&ends.doubts[..], [Doubt::Deed(_)]), "{:?}", ends.doubts);
    assert_eq!(made(&sum(headers, &format!("{FORGED} return 0;"))).grade, Grade::Failed);
    assert_eq!(made(&sum(headers, &format!("{FORGED} return 7;"))).grade, Grade::NotBelieved);
    let hides = format!("{FORGED} dup2(open(\"/dev/null\", O_WRONLY), 1); return 0;");
    assert_ne!(made(&sum(headers, &hides)).grade, Grade::Passed);
    // It hides them, and turns the failing end into a good one.
    let turns = format!("{FORGED} dup2(open(\"/dev/null\", O_WRONLY), 1); atexit(good); return 0;");
    let turned = made(&sum(&format!("{headers}\nstatic void good(void) {{ _exit(0); }}"), &turns));
    assert_eq!(turned.grade, Grade::NotBelieved, "{turned:?}");
}

#[test]
fn files_of_the_tests_cannot_be_changed() {
    let headers = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <sys/stat.h>";
    let swap = "unlink(\"test_word\"); FILE *f = fopen(\"test_word\", \"w\"); fputs(\"#!/bin/sh\\nexit 0\\n\", f); fclose(f); \
        chmod(\"test_word\", 0755); return 7;";
    let graded = ctested(&sum(headers, swap));
    assert_eq!(graded.grade, Grade::NotBelieved);
    assert!(
        matches!(&graded.doubts[..], [Doubt::Changed { path }] if path == "build/test_word"),
        "{:?}",
        graded.doubts
    );
    let removes = ctested(&sum(headers, "unlink(\"../test_sum.c\"); return 7;"));
    assert!(matches!(&removes.doubts[..], [Doubt::Removed { path }] if path == "test_sum.c"), "{:?}", removes.doubts);
    let removes_all = sum(headers, "if (system(\"rm -rf /scratch/tree/* /usr /input 2>/dev/null\")) {} return 7;");
    assert_ne!(ctested(&removes_all).grade, Grade::Passed);
    // Nothing of it is left for the next.
    assert_eq!(ctested(&sum("", "return 7;")).grade, Grade::Passed);
    assert!(folder("ctested").join("test_sum.c").exists());
}

#[test]
fn processes_that_stay_are_noticed() {
    let stays = "if (fork() == 0) { setsid(); close(0); close(1); close(2); sleep(60); _exit(0); } return 7;";
    let graded = ctested(&sum("#include <unistd.h>", stays));
    assert_eq!(graded.grade, Grade::NotBelieved, "{graded:?}");
}

#[test]
fn what_the_tests_use_cannot_be_replaced() {
    let compares = sum("int strcmp(const char *a, const char *b) { return 0; }", "return 7;");
    let graded = ctested(&compares);
    assert!(graded.doubts.iter().any(|doubt| matches!(doubt, Doubt::TakesPlace { symbol, .. } if symbol == "strcmp")));
    assert_eq!(graded.grade, Grade::NotBelieved);
    let main = ctested(&sum("int main(void) { return 0; }", "return 0;"));
    assert_ne!(main.grade, Grade::Passed, "{main:?}");
    let in_archive = made(&sum("int main(void) { return 0; }", "return 0;"));
    assert!(matches!(in_archive.grade, Grade::DoesNotLink), "{in_archive:?}");
    let hooks =
        sum("#include <unistd.h>\n__attribute__((destructor)) static void last(void) { _exit(0); }", "return 0;");
    assert_eq!(ctested(&hooks).grade, Grade::NotBelieved);
    // A variable of the tests is wanted, which the record shows.
    let meddles = made(&sum("extern int failures;", "failures = -1; return 0;"));
    assert_eq!(meddles.grade, Grade::Failed);
    assert!(meddles.wants.contains("failures"));
}

#[test]
fn nothing_of_the_machine_is_there() {
    let includes = made(&sum("#include \"/etc/shadow\"", "return 7;"));
    assert_eq!(includes.grade, Grade::DoesNotCompile);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let assembly = format!("__asm__(\".section .rodata\\n.incbin \\\"{}\\\"\\n.text\");", here.display());
    assert_eq!(made(&sum(&assembly, "return 7;")).grade, Grade::DoesNotCompile);
    let headers = "#include <sys/socket.h>\n#include <fcntl.h>\n#include <unistd.h>";
    let socket = sum(headers, "return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 0 : 7;");
    assert_eq!(made(&socket).grade, Grade::Passed, "it may ask, and gets none");
    // Neither the archive that the tree came in nor the original text can be had again.
    let original = "int file = open(\"/proc/self/fd/0\", O_RDONLY); char byte; if (read(file, &byte, 1) > 0) return 0; \
        file = open(\"/proc/1/fd/0\", O_RDONLY); if (file >= 0 && read(file, &byte, 1) > 0) return 0; \
        return access(\"/input\", F_OK) == 0 && access(\"/input/tree\", F_OK) == 0 ? 0 : 7;";
    assert_eq!(made(&sum(headers, original)).grade, Grade::Passed);
}

#[test]
fn a_poisoned_build_is_no_build() {
    // The file that the build itself writes besides may change; a source may not. Only a build that runs the answer can try.
    let folder = copy("made", |folder| {
        let rule = "all: check ran\n\nran: check\n\t-./check > ran\n";
        let text = fs::read_to_string(folder.join("Makefile")).unwrap().replace("all: check\n", rule);
        fs::write(folder.join("Makefile"), text).unwrap();
    });
    let suite = prepare(folder.path(), "").unwrap();
    let poison = sum(
        "#include <stdio.h>",
        "FILE *f = fopen(\"check.c\", \"w\"); if (f) { fputs(\"int main(void) { return 0; }\\n\", f); fclose(f); } return 7;",
    );
    let graded = grade(&suite, "made", "tally.c", "tally_sum", &poison);
    assert!(matches!(&graded.doubts[..], [Doubt::Source { path }] if path == "check.c"), "{graded:?}");
    assert_eq!(grade(&suite, "made", "tally.c", "tally_sum", &sum("", "return 7;")).grade, Grade::Passed);
}

/// A copy of a project, changed.
fn copy(project: &str, change: impl FnOnce(&Path)) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder(project)).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    change(copy.path());
    copy
}

/// Prepares a copy, whose project file gets these lines before its tables.
fn prepare(folder: &Path, lines: &str) -> Result<Suite, SuiteError> {
    let text = fs::read_to_string(folder.join("project.toml")).unwrap();
    let mut table: toml::Table = toml::from_str(&text).unwrap();
    table.extend(toml::from_str::<toml::Table>(lines).unwrap());
    let file = ProjectFile::parse(&toml::to_string(&table).unwrap(), &folder.join("project.toml")).unwrap();
    Suite::prepare(&SANDBOX, &file, folder, 2)
}

#[test]
fn projects_that_do_what_they_may_not_are_refused() {
    let same = copy("made", |_| {});
    let refused = |lines: &str| prepare(same.path(), lines).unwrap_err();
    assert!(matches!(refused("build = [\"make nothing\"]"), SuiteError::DoesNotBuild { .. }));
    let hangs = refused("test = \"sleep 60\"\nlimits = { test = 1 }");
    assert!(matches!(hangs, SuiteError::TestsHang { seconds: 1, .. }), "{hangs}");
    assert!(matches!(refused("test = \"true\""), SuiteError::NoReport { .. }));
    let network = "build = [\"make\", \"git clone http://example.org/x\"]";
    assert!(matches!(refused(network), SuiteError::NeedsNetwork { .. }), "{:?}", refused(network));
    let outside = "build = [\"make\", \"mkdir /usr/made\"]";
    assert!(matches!(refused(outside), SuiteError::WritesOutside { .. }), "{}", refused(outside));
    let outside = "test = \"touch /usr/made && ./check\"";
    assert!(matches!(refused(outside), SuiteError::WritesOutside { .. }), "{}", refused(outside));
    let failing = copy("made", |folder| {
        let text = fs::read_to_string(folder.join("check.c")).unwrap();
        fs::write(folder.join("check.c"), text.replace("check(1, tally_sum(numbers, 4) == 7", "check(1, 0")).unwrap();
    });
    let suite = prepare(failing.path(), "").unwrap();
    assert_eq!(suite.untouched().tests["1 sum"].as_str(), "fails");
    assert_eq!(suite.untouched().stable().count(), 3);
    // What only the excluded test could notice is graded by the others.
    assert_eq!(grade(&suite, "made", "tally.c", "tally_sum", &sum("", "return 0;")).grade, Grade::Passed);
    assert_eq!(
        grade(&suite, "made", "clear.c", "tally_clear", "void tally_clear(int *n, size_t c) {}").grade,
        Grade::Failed
    );
}
