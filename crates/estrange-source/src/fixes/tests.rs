//! The fixes of packages that are made here.

use std::fs;

use estrange_diff::{Span, Touch};
use estrange_words::Reason;

use super::*;
use crate::debian::tests::{Bench, Entry};
use crate::progress::Silent;

const UPSTREAM: [Entry<'static>; 4] = [
    ("x-1/src/a.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
    ("x-1/src/b.c", "1\n2\n3\n"),
    ("x-1/tests/t.c", "1\n2\n3\n"),
    ("x-1/README", "1\n2\n3\n"),
];

/// A patch of one file, under a head.
fn patch(head: &str, path: &str, hunks: &str) -> String {
    format!("{head}\n---\n--- a/{path}\n+++ b/{path}\n{hunks}")
}

const HUNK: &str = "@@ -1,3 +1,3 @@\n 1\n-2\n+TWO\n 3\n";

/// The fixes of a package with these patches.
fn find(bench: &Bench, patches: &[(&str, &str)], wanted: &Wanted) -> Fixes {
    bench.publish(&bench.patched(&UPSTREAM, patches));
    let fixes = Fixes::of(&"deb:xx=1-1".parse().unwrap(), wanted, &bench.cache, &bench.sandbox, &Silent).unwrap();
    assert_eq!(fixes.source.to_string(), "deb:xx=1-1");
    fixes
}

fn names(fixes: &Fixes) -> Vec<&str> {
    fixes.fixes.iter().map(|fix| fix.name.as_str()).collect()
}

fn lost(fixes: &Fixes) -> Vec<(&str, String)> {
    fixes.losses.iter().map(|passed| (passed.name.as_str(), passed.unfit.to_string())).collect()
}

#[test]
fn patches_that_name_a_vulnerability_are_fixes_and_both_states_can_be_had() {
    let bench = Bench::new();
    let longer = patch("Description: longer", "src/a.c", "@@ -1,4 +1,6 @@\n 1\n 2\n+more\n+lines\n 3\n 4\n");
    let head = "Description: Check the length (CWE-787)\n See CVE-2024-20000 and cve-2024-1000.\nOrigin: upstream";
    // Its header says where the lines stand without the patch before it.
    let length = patch(head, "src/a.c", "@@ -4,5 +4,5 @@\n 4\n 5\n-6\n 7\n 8\n+8.5\n");
    let length = length.replace(" 8\n+8.5\n", " 8\n+8.5\n 9\n").replace("@@ -4,5 +4,5 @@", "@@ -4,6 +4,6 @@");
    let named = patch("Author: A", "src/b.c", HUNK);
    let series = [("longer", &*longer), ("length.patch", &length), ("CVE-2025-1234.patch", &named)];
    let fixes = find(&bench, &series, &Wanted::default());
    assert_eq!((fixes.seen, names(&fixes), lost(&fixes)), (3, vec!["length.patch", "CVE-2025-1234.patch"], vec![]));
    let fix = &fixes.fixes[0];
    assert_eq!((fix.title.as_str(), &fix.signs[..]), ("Check the length (CWE-787)", &[Sign::Cve][..]));
    assert_eq!(
        (&fix.cves[..], &fix.cwes[..]),
        (&["CVE-2024-1000".into(), "CVE-2024-20000".into()][..], &["CWE-787".into()][..])
    );
    assert!(fix.description.contains("Origin: upstream") && fix.diff == length.as_bytes());
    let touched = [
        Touch { old: Span::Lines { first: 8, last: 8 }, new: Span::Gap { after: 7 } },
        Touch { old: Span::Gap { after: 10 }, new: Span::Lines { first: 10, last: 10 } },
    ];
    assert_eq!((fix.files[0].new_path.as_deref(), &fix.files[0].touched[..]), (Some("src/a.c"), &touched[..]));
    let text = |spec: &Spec| {
        let fetched = crate::fetch(spec, &bench.cache, &bench.sandbox, &Silent).unwrap();
        fs::read_to_string(fetched.root.join("src/a.c")).unwrap()
    };
    assert_eq!(fix.before.to_string(), "deb:xx=1-1#before=length.patch");
    assert_eq!(fix.after.to_string(), "deb:xx=1-1#after=length.patch");
    assert_eq!(text(&fix.before), "1\n2\nmore\nlines\n3\n4\n5\n6\n7\n8\n9\n");
    assert_eq!(text(&fix.after), "1\n2\nmore\nlines\n3\n4\n5\n7\n8\n8.5\n9\n");
}

#[test]
fn what_is_wanted_can_be_said() {
    let bench = Bench::new();
    let found = patch("Description: found by OSS-Fuzz, an UBSan report", "src/a.c", HUNK);
    let plain = patch("Description: tidy", "src/b.c", HUNK);
    let series = [("found", &*found), ("plain", &plain)];
    let wanted = |names: &[&str], signs: &[Sign]| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Wanted { names, signs: signs.to_vec(), ..Wanted::default() }
    };
    assert!(find(&bench, &series, &Wanted::default()).fixes.is_empty());
    assert_eq!(names(&find(&bench, &series, &wanted(&[], &[Sign::Fuzzer]))), ["found"]);
    let fixes = find(&bench, &series, &wanted(&["plain", "other"], &[]));
    assert_eq!(names(&fixes), ["plain"]);
    assert_eq!((fixes.losses[0].name.as_str(), fixes.losses[0].unfit.reason()), ("other", Reason::NotFound));
    assert_eq!(Wanted::names_in("# all\none two\n\n  three # four\n"), ["one", "three"]);
    assert_eq!(Wanted::range("v1..v2"), Some(("v1".to_owned(), "v2".to_owned())));
    assert_eq!((Wanted::range("v1...v2"), Wanted::range("v1.."), Wanted::range("v1")), (None, None, None));
}

#[test]
fn what_cannot_be_used_is_lost_with_the_reason() {
    let bench = Bench::new();
    let head = "Description: CVE-2020-1234";
    let test = patch(head, "tests/t.c", HUNK);
    let text = patch(head, "README", HUNK);
    let many: String = (0..41).map(|n| format!("--- /dev/null\n+++ b/src/n{n}.c\n@@ -0,0 +1 @@\n+x\n")).collect();
    let many = format!("{head}\n{many}");
    let series = [("test", &*test), ("text", &text), ("many", &many)];
    let fixes = find(&bench, &series, &Wanted::default());
    let reasons: Vec<_> = fixes.losses.iter().map(|passed| (passed.name.as_str(), passed.unfit.reason())).collect();
    assert_eq!(reasons, [("test", Reason::NoCode), ("text", Reason::NoCode), ("many", Reason::TooManyFiles)]);
    assert_eq!((fixes.losses[0].unfit.clone(), fixes.losses[1].unfit.clone()), (Unfit::OnlyTests, Unfit::NoCode));
    assert_eq!(fixes.losses[0].title, "CVE-2020-1234");
}

#[test]
fn a_patch_that_only_gnu_patch_reads_is_lost_and_those_behind_it_are_not() {
    let bench = Bench::new();
    let head = "Description: CVE-2020-1234";
    let first = patch(head, "src/b.c", HUNK);
    // Lines behind a hunk that its header does not count: GNU patch passes over them.
    let loose = patch(head, "src/a.c", &format!("{HUNK} 4\n"));
    let last = patch(head, "src/a.c", "@@ -1,3 +1,3 @@\n 1\n-TWO\n+2\n 3\n");
    let series = [("first", &*first), ("loose", &loose), ("last", &last)];
    let fixes = find(&bench, &series, &Wanted::default());
    assert_eq!(names(&fixes), ["first", "last"]);
    assert!(matches!(fixes.losses[0].unfit, Unfit::Malformed(_)), "{:?}", fixes.losses);
    assert_eq!(fixes.losses[0].unfit.reason(), Reason::PatchDoesNotApply);
}

#[test]
fn a_file_that_a_patch_changes_twice_is_one_file() {
    let bench = Bench::new();
    let again = "--- a/src/a.c\n+++ b/src/a.c\n@@ -1,4 +1,5 @@\n+0\n 1\n TWO\n 3\n 4\n";
    let both = patch("Description: CVE-2020-1234", "src/a.c", &format!("{HUNK}{again}"));
    let fixes = find(&bench, &[("both", &both)], &Wanted::default());
    let touched = [
        Touch { old: Span::Gap { after: 0 }, new: Span::Lines { first: 1, last: 1 } },
        Touch { old: Span::Lines { first: 2, last: 2 }, new: Span::Lines { first: 3, last: 3 } },
    ];
    assert_eq!(fixes.fixes[0].files.len(), 1);
    assert_eq!(fixes.fixes[0].files[0].touched, touched);
}

#[test]
fn what_has_no_history_has_no_fixes() {
    let bench = Bench::new();
    for spec in ["x.tar.gz", "crate:x@1.0.0", "https://a.example/x.zip", "/"] {
        let found = Fixes::of(&spec.parse().unwrap(), &Wanted::default(), &bench.cache, &bench.sandbox, &Silent);
        assert_eq!(found.unwrap_err().reason(), Reason::NotFound, "{spec}");
    }
}
