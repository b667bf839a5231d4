//! The same as GNU patch: made diffs are applied to texts that have moved, by both.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use common::script;
use estrange_diff::Patch;
use proptest::prelude::*;

/// What GNU patch makes of a text, if the patch fits.
fn gnu(folder: &Path, diff: &str, text: &str, reverse: bool) -> Option<String> {
    fs::write(folder.join("x.c"), text).unwrap();
    let mut command = Command::new("patch");
    command.args(["-s", "-F", "0", "-p1", "-u", "--no-backup-if-mismatch", "--reject-file=-", "--binary"]);
    // Without force, patch would apply it unreversed where that fits.
    command.args(if reverse { ["-R", "-f"] } else { ["-N", "-t"] }).current_dir(folder);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(diff.as_bytes()).unwrap();
    let fits = child.wait().unwrap().success();
    fits.then(|| fs::read_to_string(folder.join("x.c")).unwrap_or_default())
}

/// A text with lines added, removed and doubled somewhere.
fn moved(text: &str, at: usize, lines: &[String], drop: usize) -> String {
    let mut all: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = at.min(all.len());
    let end = (at + drop).min(all.len());
    all.splice(at..end, lines.iter().cloned());
    all.iter().map(|line| format!("{line}\n")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn a_moved_text_is_patched_as_gnu_patch_does_it(
        script in script(),
        context in 1_usize..4,
        at in 0_usize..40,
        lines in prop::collection::vec("[abc]{1,2}", 0..5),
        drop in 0_usize..3,
    ) {
        prop_assume!(script.changes() && script.ends && script.has_both());
        let folder = tempfile::tempdir().unwrap();
        let diff = script.diff(context);
        let patch = Patch::read(diff.as_bytes()).unwrap();
        let text = moved(&script.old(), at, &lines, drop);
        let ours = patch.files[0].apply(text.as_bytes()).ok().map(|applied| String::from_utf8(applied.text).unwrap());
        prop_assert_eq!(&ours, &gnu(folder.path(), &diff, &text, false), "{}\non\n{}", diff, text);
        let text = moved(&script.new_text(), at, &lines, drop);
        let ours = patch.files[0].reversed().apply(text.as_bytes()).ok();
        let ours = ours.map(|applied| String::from_utf8(applied.text).unwrap());
        prop_assert_eq!(&ours, &gnu(folder.path(), &diff, &text, true), "{}\nreversed on\n{}", diff, text);
    }
}
