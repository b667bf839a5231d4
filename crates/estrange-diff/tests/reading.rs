//! Patches as people and programs write them, and those that are wrong.
#![allow(clippy::unwrap_used)]

use estrange_diff::{Change, Fault, FileDiff, Misfit, Patch, Span};
use estrange_words::Hint;

fn read(text: &str) -> Patch {
    Patch::read(text.as_bytes()).unwrap_or_else(|bad| panic!("{bad}\n{text}"))
}

fn fault(text: &str) -> (usize, Fault) {
    let bad = Patch::read(text.as_bytes()).map(|patch| patch.files).expect_err(text);
    (bad.line, bad.fault)
}

fn names(file: &FileDiff) -> (Option<&str>, Option<&str>, Change) {
    (file.old.as_deref(), file.new.as_deref(), file.change)
}

const ONE: &str = "@@ -1 +1 @@\n-a\n+b\n";

#[test]
fn a_patch_of_quilt_is_read() {
    let text = "Description: CVE-2020-1\n Too long.\nAuthor: A\n\nMore.\n---\n x.c | 2 +-\n\n\
                Index: x-1.0/src/x.c\n===================================================================\n\
                --- x-1.0.orig/src/x.c\t2020-01-01 10:00:00.000000000 +0100\n+++ x-1.0/src/x.c\t2020-01-02 10:00:00.000000000 +0100\n\
                @@ -3,4 +3,4 @@ int f(void)\n one\n-two\n+TWO\n+and more\n \n-four\n@@ -9,0 +10 @@\n+nine\n";
    let patch = read(text);
    assert_eq!(patch.description.title(), "CVE-2020-1");
    assert_eq!((patch.description.body.as_str(), patch.remarks.as_str()), ("More.", ""));
    let file = &patch.files[0];
    assert_eq!(names(file), (Some("x-1.0.orig/src/x.c"), Some("x-1.0/src/x.c"), Change::Modified));
    assert_eq!((file.new_path(1).as_deref(), file.line, file.hunks[0].line), (Some("src/x.c"), 11, 13));
    assert_eq!(file.hunks[0].section, "int f(void)");
    let touched: Vec<(Span, Span)> = file.touched().into_iter().map(|touch| (touch.old, touch.new)).collect();
    assert_eq!(
        touched,
        [
            (Span::Lines { first: 4, last: 4 }, Span::Lines { first: 4, last: 5 }),
            (Span::Lines { first: 6, last: 6 }, Span::Gap { after: 6 }),
            (Span::Gap { after: 9 }, Span::Lines { first: 10, last: 10 }),
        ]
    );
}

#[test]
fn mails_of_git_are_read_one_behind_the_other() {
    let mail = |subject: &str, diff: &str| {
        format!(
            "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: A <a@a.example>\nSubject: [PATCH] {subject}\n\nBody.\n---\n x.c | 2 +-\n\n{diff}-- \n2.39.2\n\n"
        )
    };
    let header = "diff --git a/x.c b/x.c\nindex 1234567..89abcde 100644\n--- a/x.c\n+++ b/x.c\n";
    let patch =
        read(&(mail("one", &format!("{header}{ONE}")) + &mail("CVE-1", &format!("{header}@@ -1 +1 @@\n-b\n+c\n"))));
    assert_eq!((patch.files.len(), patch.description.title()), (2, "one".to_owned()));
    assert!(patch.remarks.contains("CVE-1") && !patch.remarks.contains("-- "));
    let changed = patch.apply(1, |_| Some(b"a\n".to_vec())).unwrap();
    assert_eq!(changed[1].text, b"c\n");
    let back = patch.reversed().apply(1, |_| Some(b"c\n".to_vec())).unwrap();
    assert_eq!(back[1].text, b"a\n");
}

#[test]
fn files_come_go_and_get_other_names() {
    let text = format!(
        "diff --git a/new.c b/new.c\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/new.c\n@@ -0,0 +1,2 @@\n+a\n+b\n\
         diff --git a/old.c b/old.c\ndeleted file mode 100644\n--- a/old.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\
         diff --git a/empty.c b/empty.c\nnew file mode 100644\nindex 0..1\n\
         diff --git a/from here.c b/to there.c\nsimilarity index 90%\nrename from from here.c\nrename to to there.c\n\
         diff --git a/f.c b/t.c\nsimilarity index 90%\nrename from f.c\nrename to t.c\n--- a/f.c\n+++ b/t.c\n{ONE}\
         diff --git a/run b/run\nold mode 100644\nnew mode 100755\n\
         diff --git a/run2 b/run2\nold mode 100644\nnew mode 100755\n--- a/run2\n+++ b/run2\n{ONE}\
         diff --git a/x.png b/x.png\nnew file mode 100644\nindex 0..1\nGIT binary patch\nliteral 3\nKcmZQz\n\nliteral 0\nHcmV?d00001\n\n\
         diff --git a/y.png b/y.png\nindex 0..1\nBinary files a/y.png and b/y.png differ\n\
         Binary files x.orig/z.png and x/z.png differ\n\
         --- x/gone.c\t2020-01-01\n+++ x/gone.c\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-a\n\
         --- x/made.c\n+++ x/made.c\n@@ -0,0 +1 @@\n+a\n"
    );
    let patch = read(&text);
    let found: Vec<_> = patch.files.iter().map(names).collect();
    let expected = [
        (None, Some("b/new.c"), Change::Created),
        (Some("a/old.c"), None, Change::Deleted),
        (None, Some("b/empty.c"), Change::Created),
        (Some("a/from here.c"), Some("b/to there.c"), Change::Renamed),
        (Some("a/f.c"), Some("b/t.c"), Change::Renamed),
        (Some("a/run"), Some("b/run"), Change::Mode),
        (Some("a/run2"), Some("b/run2"), Change::Modified),
        (None, Some("b/x.png"), Change::Binary),
        (Some("a/y.png"), Some("b/y.png"), Change::Binary),
        (Some("x.orig/z.png"), Some("x/z.png"), Change::Binary),
        (Some("x/gone.c"), None, Change::Deleted),
        (Some("x/made.c"), Some("x/made.c"), Change::Modified),
    ];
    // A new binary file says so by its mode alone.
    let expected =
        expected.map(|(old, new, change)| (if new == Some("b/x.png") { Some("a/x.png") } else { old }, new, change));
    assert_eq!(found, expected);
    let there = |path: &str| match path {
        "made.c" | "new.c" | "empty.c" => None,
        _ => Some(b"a\n".to_vec()),
    };
    let changed = patch.apply(1, there).unwrap();
    let made = changed.iter().map(|file| (file.old_path.as_deref(), file.new_path.as_deref())).collect::<Vec<_>>();
    let expected = [
        (None, Some("new.c")),
        (Some("old.c"), None),
        (None, Some("empty.c")),
        (Some("from here.c"), Some("to there.c")),
        (Some("f.c"), Some("t.c")),
        (Some("run2"), Some("run2")),
        (Some("gone.c"), None),
        (None, Some("made.c")),
    ];
    assert_eq!(made, expected);
}

#[test]
fn carriage_returns_belong_to_the_lines_unless_the_headers_have_them() {
    let of_lines = read("--- a/x.c\n+++ b/x.c\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
    assert_eq!(of_lines.files[0].apply(b"a\r\nb\r\n").unwrap().text, b"a\r\nc\r\n");
    assert!(of_lines.files[0].apply(b"a\nb\n").is_err());
    let of_all = read("--- a/x.c\r\n+++ b/x.c\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n");
    assert_eq!(of_all.files[0].apply(b"a\nb\n").unwrap().text, b"a\nc\n");
}

#[test]
fn the_last_line_may_lack_its_newline() {
    let gains = read("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    assert_eq!(gains.files[0].apply(b"a").unwrap().text, b"a\n");
    assert!(gains.files[0].apply(b"a\n").is_err());
    assert_eq!(gains.files[0].reversed().apply(b"a\n").unwrap().text, b"a");
    let keeps = read("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n\\ No newline at end of file\n");
    assert_eq!(keeps.files[0].apply(b"a\nc").unwrap().text, b"b\nc");
    for text in [
        "@@ -1,2 +1,2 @@\n-a\n\\ No newline at end of file\n-b\n\\ No newline at end of file\n+c\n+d\n",
        "@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n",
        "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n\\ No newline at end of file\n",
        "@@ -1,2 +1,2 @@\n-a\n+b\n c\n\\ No newline\n@@ -9 +9 @@\n-a\n+b\n",
    ] {
        assert_eq!(fault(&format!("--- a/x\n+++ b/x\n{text}")).1, Fault::NoNewline, "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_by_its_line() {
    let with = |hunks: &str| fault(&format!("why\n--- a/x\n+++ b/x\n{hunks}"));
    assert_eq!(with("@@ -1,3 +1,3 @@\n a\n-b\n+c\n"), (8, Fault::HunkTooShort { missing: 1 }));
    assert_eq!(with("@@ -1 +1 @@\n-b\n+c\n d\n"), (7, Fault::HunkTooLong));
    assert_eq!(with("@@ -1 +1,2 @@\n-b\n-c\n"), (6, Fault::HunkTooLong));
    assert_eq!(with("@@ -1,2 +1,2 @@\n a\n*b\n"), (6, Fault::HunkLine));
    assert_eq!(with("@@ -1,x +1 @@\n-b\n"), (4, Fault::HunkHeader));
    assert_eq!(with("@@ -0,1 +1 @@\n-b\n+c\n"), (4, Fault::HunkHeader));
    assert_eq!(with("@@ -1 +1 @@\n-b\n+c\n@@ broken\n"), (7, Fault::HunkHeader));
    assert_eq!(with("@@ -9 +9 @@\n-b\n+c\n@@ -1 +1 @@\n-b\n+c\n"), (7, Fault::HunkOrder));
    assert_eq!(with("nothing\n"), (4, Fault::NoHunk));
    assert_eq!(fault("why\n@@ -1 +1 @@\n-b\n+c\n"), (2, Fault::StrayHunk));
    assert_eq!(fault("--- \n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n"), (1, Fault::Name));
    assert_eq!(fault("--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n"), (1, Fault::Contradiction));
    assert_eq!(fault("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-b\n+c\n"), (1, Fault::Contradiction));
    assert_eq!(fault("*** a/x\n--- b/x\n***************\n*** 1,2 ****\n"), (3, Fault::ContextDiff));
    let bad = Patch::read(b"*** a/x\n--- b/x\n***************\n*** 1,2 ****\n").unwrap_err();
    assert!(bad.hint().is_some() && bad.to_string().starts_with("line 3 of the patch"));
    assert_eq!(read("no diff at all\n--- a rule\n").files, []);
}

#[test]
fn what_does_not_fit_is_told_apart() {
    let patch = read(&format!("--- a/x\n+++ b/x\n{ONE}"));
    let lost = |found: Option<&[u8]>| patch.apply(1, |_| found.map(<[u8]>::to_vec)).unwrap_err().misfit;
    assert_eq!(lost(Some(b"c\n")), Misfit::NotFound { hunk: 1, line: 3 });
    assert_eq!(lost(None), Misfit::Missing);
    let made = read("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
    assert_eq!(made.files[0].apply(b"b\n").unwrap_err(), Misfit::AlreadyThere);
    assert_eq!(made.files[0].reversed().apply(b"a\nb\n").unwrap_err(), Misfit::SomethingLeft);
    for name in ["a/../../x", "/x", "x"] {
        let patch = read(&format!("--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+a\n"));
        assert_eq!(patch.apply(1, |_| None).unwrap_err().misfit, Misfit::Name, "{name}");
    }
}

#[test]
fn a_hunk_may_stand_elsewhere_and_later_ones_follow_it() {
    let text = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -5,3 +5,4 @@\n e\n-f\n+F\n+FF\n g\n";
    let applied = read(text).files[0].apply(b"0\n0\na\nb\nc\nd\ne\nf\ng\n").unwrap();
    assert_eq!(applied.text, b"0\n0\na\nB\nc\nd\ne\nF\nFF\ng\n");
    assert_eq!(applied.offsets, [2, 2]);
    assert_eq!(applied.touched[1].new, Span::Lines { first: 8, last: 9 });
    assert_eq!(applied.touched[1].old, Span::Lines { first: 8, last: 8 });
}
