//! Diffs of made texts: applied they give the new text, reversed the old one, and nothing makes the reader panic.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Edit, Script, script};
use estrange_diff::{Patch, Span, Touch};
use proptest::prelude::*;

/// The touched lines, as the edits have them.
fn expected(edits: &[Edit]) -> Vec<Touch> {
    let (mut old, mut new) = (0, 0);
    let mut found = Vec::new();
    let is_kept = |edit: &Edit| matches!(edit, Edit::Keep(_));
    for run in edits.chunk_by(|a, b| is_kept(a) == is_kept(b)) {
        let removed = run.iter().filter(|edit| matches!(edit, Edit::Remove(_))).count();
        let added = run.iter().filter(|edit| matches!(edit, Edit::Add(_))).count();
        let span = |before: usize, count: usize| match count {
            0 => Span::Gap { after: before },
            _ => Span::Lines { first: before + 1, last: before + count },
        };
        if is_kept(&run[0]) {
            old += run.len();
            new += run.len();
        } else {
            found.push(Touch { old: span(old, removed), new: span(new, added) });
            old += removed;
            new += added;
        }
    }
    found
}

/// The lines of a text outside of some places, with a mark for each place.
fn outside(text: &str, places: impl Iterator<Item = Span>) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut at, mut found) = (0, String::new());
    for place in places {
        let (from, to) = match place {
            Span::Lines { first, last } => (first - 1, last),
            Span::Gap { after } => (after, after),
        };
        found += &lines[at..from].concat();
        found += "(changed)\n";
        at = to;
    }
    found + &lines[at..].concat()
}

/// Some lines of a text removed and others put there.
fn edited(text: &str, keep: &[bool], add: &[Option<String>]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (number, line) in text.lines().enumerate() {
        edits.extend(add.get(number).cloned().flatten().map(Edit::Add));
        let is_kept = keep.get(number).copied().unwrap_or(true);
        edits.push(if is_kept { Edit::Keep(line.to_owned()) } else { Edit::Remove(line.to_owned()) });
    }
    edits
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn applied_it_gives_the_new_text_and_reversed_the_old(script in script(), context in 0_usize..4) {
        prop_assume!(script.changes() && script.can_be_said());
        let diff = script.diff(context);
        let patch = Patch::read(diff.as_bytes()).unwrap();
        let file = &patch.files[0];
        prop_assert_eq!(&file.touched(), &expected(&script.edits));
        let applied = file.apply(script.old().as_bytes()).unwrap();
        prop_assert_eq!(String::from_utf8(applied.text.clone()).unwrap(), script.new_text(), "{}", diff);
        prop_assert_eq!(&applied.touched, &file.touched());
        let back = file.reversed().apply(&applied.text).unwrap();
        prop_assert_eq!(String::from_utf8(back.text).unwrap(), script.old(), "{}", diff);
        let turned: Vec<Touch> = applied.touched.iter().map(|at| Touch { old: at.new, new: at.old }).collect();
        prop_assert_eq!(back.touched, turned);
    }

    #[test]
    fn two_changes_one_behind_the_other_touch_what_they_touch_together(
        first in script(),
        keep in prop::collection::vec(prop::bool::weighted(0.8), 60),
        add in prop::collection::vec(prop::option::weighted(0.2, "[xy]"), 60),
    ) {
        let first = Script { ends: true, ..first };
        let second = Script { edits: edited(&first.new_text(), &keep, &add), ends: true };
        let together = Touch::together(&expected(&first.edits), &expected(&second.edits));
        let old = outside(&first.old(), together.iter().map(|touch| touch.old));
        prop_assert_eq!(old, outside(&second.new_text(), together.iter().map(|touch| touch.new)));
        prop_assert!(together.is_sorted());
        prop_assert_eq!(together.is_empty(), !first.changes() && !second.changes());
    }

    #[test]
    fn a_patch_that_is_changed_anywhere_never_panics(
        script in script(),
        at in 0.0_f64..1.0,
        cut in 0_usize..12,
        instead in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let mut diff = format!("diff --git a/x.c b/x.c\nindex 1..2\n{}-- \n2.39\n", script.diff(3)).into_bytes();
        let start = (at * diff.len() as f64) as usize;
        let end = (start + cut).min(diff.len());
        diff.splice(start..end, instead);
        if let Ok(patch) = Patch::read(&diff) {
            for file in &patch.files {
                let _ = (file.apply(script.old().as_bytes()), file.reversed().apply(b"a\nb"), file.touched());
            }
            let _ = patch.reversed().apply(1, |_| Some(script.new_text().into_bytes()));
        }
    }

    #[test]
    fn numbers_of_any_size_never_panic(old in any::<u64>(), new in 0_u64..5_000_000_000, count in 0_usize..3) {
        let lines = " a\n".repeat(count);
        let diff = format!("--- a/x\n+++ b/x\n@@ -{old},{count} +{new},{} @@\n{lines}+b\n", count + 1);
        if let Ok(patch) = Patch::read(diff.as_bytes()) {
            let _ = (patch.files[0].touched(), patch.files[0].apply(b"a\na\na\n"), patch.files[0].reversed().apply(b"a\nb\n"));
        }
    }
}
