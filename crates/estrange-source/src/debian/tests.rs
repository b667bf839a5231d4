//! Source packages made here: how they are put together and patched, and what hostile ones get to do.

use std::fs;
use std::path::Path;

use estrange_sandbox::{Launcher, Protection, Sandbox};
use estrange_words::Reason;

use super::*;
use crate::cache::Cache;
use crate::cache::Download;
use crate::patience::Patience;
use crate::progress::Silent;
use crate::unpack::Omission;

/// A cache of its own, and a sandbox.
pub(crate) struct Bench {
    folder: tempfile::TempDir,
    pub(crate) cache: Cache,
    pub(crate) sandbox: Sandbox,
}

/// An entry of an archive: a path and a content; `-> TARGET` is a link.
pub(crate) type Entry<'a> = (&'a str, &'a str);

impl Bench {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path().join("cache")).unwrap();
        Self { folder, cache, sandbox: Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap() }
    }

    fn keep(&self, name: &str, content: &[u8]) -> Download {
        let path = self.folder.path().join("file");
        fs::write(&path, content).unwrap();
        self.cache.keep_download(&path, name).unwrap()
    }

    fn archive(&self, name: &str, entries: &[Entry<'_>]) -> Download {
        let mut builder = tar::Builder::new(Vec::new());
        for (path, content) in entries {
            let mut header = tar::Header::new_gnu();
            header.set_mode(0o644);
            if let Some(target) = content.strip_prefix("-> ") {
                header.set_entry_type(tar::EntryType::Symlink);
                header.set_size(0);
                builder.append_link(&mut header, path, target).unwrap();
            } else {
                header.set_size(content.len() as u64);
                builder.append_data(&mut header, path, content.as_bytes()).unwrap();
            }
        }
        self.keep(name, &builder.into_inner().unwrap())
    }

    /// The control file of these files, in front of them.
    fn package(&self, format: &str, files: Vec<Download>) -> Parts {
        let list: String =
            files.iter().map(|file| format!(" {} {} {}\n", file.sha256, file.bytes, file.name)).collect();
        let text = format!("Format: {format}\nSource: x\nVersion: 1-1\nChecksums-Sha256:\n{list}");
        let mut downloads = vec![self.keep("x_1-1.dsc", text.as_bytes())];
        downloads.extend(files);
        Parts { downloads }
    }

    fn tree(&self, parts: &Parts, stop: Option<&Stop>) -> Result<Tree, Loss> {
        let job = Job { cache: &self.cache, sandbox: &self.sandbox, progress: &Silent, patience: Patience::default() };
        tree(&job, "x", parts, stop)
    }

    /// A package of an upstream archive and patches, each a name and a content.
    pub(crate) fn patched(&self, upstream: &[Entry<'_>], patches: &[Entry<'_>]) -> Parts {
        let series: String = patches.iter().map(|(name, _)| format!("{name}\n")).collect();
        let names: Vec<String> = patches.iter().map(|(name, _)| format!("debian/patches/{name}")).collect();
        let mut debian: Vec<Entry<'_>> = vec![("debian/patches/series", &series), ("debian/rules", "#!/bin/sh\n")];
        debian.extend(names.iter().zip(patches).map(|(path, (_, content))| (path.as_str(), *content)));
        let files = vec![self.archive("x_1.orig.tar.gz", upstream), self.archive("x_1-1.debian.tar.xz", &debian)];
        self.package("3.0 (quilt)", files)
    }

    /// Keeps a package as if it were fetched: as `deb:xx=1-1`.
    pub(crate) fn publish(&self, parts: &Parts) {
        self.cache.keep_record(&Key::new("debian", ["xx", "1-1"]), parts).unwrap();
    }

    fn loss(&self, upstream: &[Entry<'_>], patch: &str) -> Loss {
        let loss = self.tree(&self.patched(upstream, &[("p", patch)]), None).map(|tree| tree.root).unwrap_err();
        assert_eq!(fs::read_dir(self.cache.folder("tmp")).unwrap().count(), 0, "nothing of it stays");
        loss
    }
}

fn before(patch: &str) -> Stop {
    Stop::Before(patch.to_owned())
}

fn after(patch: &str) -> Stop {
    Stop::After(patch.to_owned())
}

fn read(root: &Path, path: &str) -> Option<String> {
    fs::read_to_string(root.join(path)).ok()
}

fn is_program(root: &Path, path: &str) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(root.join(path)).unwrap().permissions().mode() & 0o100 != 0
}

const CHANGE: &str = "--- a/a.c\n+++ b/a.c\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n";
const REMOVE: &str = "--- a/d/e/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n";
const ADD: &str = "diff --git a/new/run.sh b/new/run.sh\nnew file mode 100755\n--- /dev/null\n+++ b/new/run.sh\n@@ -0,0 +1 @@\n+#!/bin/sh\n";
const AGAIN: &str = "Description: behind the first\n--- x.orig/a.c\t2020-01-01\n+++ x/a.c\t2020-01-02\n@@ -1,3 +1,4 @@\n one\n TWO\n+and a half\n three\n";
const UPSTREAM: [Entry<'static>; 3] =
    [("x-1/a.c", "one\ntwo\nthree\n"), ("x-1/d/e/gone.c", "gone\n"), ("x-1/d/stays.c", "")];

#[test]
fn patches_are_applied_in_order_and_each_state_can_be_had() {
    let bench = Bench::new();
    let parts =
        bench.patched(&UPSTREAM, &[("one.patch", CHANGE), ("sub/two.patch", REMOVE), ("three", ADD), ("four", AGAIN)]);
    let tree = bench.tree(&parts, None).unwrap();
    let names = ["one.patch", "sub/two.patch", "three", "four"];
    assert_eq!(tree.made.patches, names);
    assert_eq!(read(&tree.root, "a.c").as_deref(), Some("one\nTWO\nand a half\nthree\n"));
    assert!(!tree.root.join("d/e").exists() && tree.root.join("d/stays.c").exists());
    assert!(is_program(&tree.root, "new/run.sh") && is_program(&tree.root, "debian/rules"));
    assert_eq!(read(&tree.root, "debian/source/format").as_deref(), Some("3.0 (quilt)\n"));
    assert!(!tree.root.join(".pc").exists());
    let mut digests = vec![tree.summary.digest];
    for (count, name) in names.iter().enumerate() {
        let before = bench.tree(&parts, Some(&before(name))).unwrap();
        assert_eq!(before.made.patches, names[..count]);
        assert_eq!(before.root.join("d/e/gone.c").exists(), count < 2);
        assert!(!digests.contains(&before.summary.digest), "{name}");
        digests.push(before.summary.digest);
    }
    assert_eq!(bench.tree(&parts, Some(&before("five"))).unwrap_err().reason(), Reason::NoSuchPatch);
}

/// Whether all patches were applied before or not: the state after one is the state before the next.
#[test]
fn the_state_right_after_a_patch_can_be_had_and_is_kept_once() {
    for is_known in [false, true] {
        let bench = Bench::new();
        let parts = bench.patched(&UPSTREAM, &[("one.patch", CHANGE), ("sub/two.patch", REMOVE), ("three", ADD)]);
        let whole = is_known.then(|| bench.tree(&parts, None).unwrap());
        let first = bench.tree(&parts, Some(&after("one.patch"))).unwrap();
        assert_eq!(first.made.patches, ["one.patch"]);
        assert_eq!(read(&first.root, "a.c").as_deref(), Some("one\nTWO\nthree\n"));
        assert!(first.root.join("d/e/gone.c").exists());
        let next = bench.tree(&parts, Some(&before("sub/two.patch"))).unwrap();
        assert_eq!((next.summary.digest, next.root == first.root), (first.summary.digest, is_known));
        let last = bench.tree(&parts, Some(&after("three"))).unwrap();
        let whole = whole.unwrap_or_else(|| bench.tree(&parts, None).unwrap());
        assert_eq!((last.summary.digest, last.root == whole.root), (whole.summary.digest, is_known));
        assert_eq!(bench.tree(&parts, Some(&after("four"))).unwrap_err().reason(), Reason::NoSuchPatch);
    }
}

#[test]
fn patches_and_their_list_may_be_links() {
    let bench = Bench::new();
    let debian = [
        ("debian/patches/series", "-> list"),
        ("debian/patches/list", "one\n"),
        ("debian/patches/one", "-> ../real.patch"),
        ("debian/real.patch", CHANGE),
    ];
    let files = vec![bench.archive("x_1.orig.tar.gz", &UPSTREAM), bench.archive("x_1-1.debian.tar.xz", &debian)];
    let tree = bench.tree(&bench.package("3.0 (quilt)", files), None).unwrap();
    assert_eq!(tree.made.patches, ["one"]);
    assert_eq!(read(&tree.root, "a.c").as_deref(), Some("one\nTWO\nthree\n"));
}

#[test]
fn parts_take_each_others_places_as_in_dpkg() {
    let bench = Bench::new();
    let orig = bench.archive(
        "x_1.orig.tar.gz",
        &[
            ("x-1/a.c", "a"),
            ("x-1/debian/old", ""),
            ("x-1/.pc/evil", ""),
            ("x-1/part/old", ""),
            ("x-1/link", "-> part/b.c"),
            ("x-1/part/l", "-> old"),
        ],
    );
    let part = bench.archive(
        "x_1.orig-part.tar.bz2",
        &[("part-2/b.c", "b"), ("part-2/up", "-> ../a.c"), ("part-2/out", "-> ../../y")],
    );
    let debian = bench.archive(
        "x_1-1.debian.tar.xz",
        &[
            ("debian/patches/series", "no such file"),
            ("debian/patches/debian.series", "# none\n"),
            ("debian/rules", ""),
        ],
    );
    let tree = bench.tree(&bench.package("3.0 (quilt)", vec![orig, part, debian]), None).unwrap();
    assert_eq!((read(&tree.root, "link").as_deref(), read(&tree.root, "part/up").as_deref()), (Some("b"), Some("a")));
    for gone in ["debian/old", ".pc", "part/old", "part/l", "part/out"] {
        assert!(tree.root.join(gone).symlink_metadata().is_err(), "{gone}");
    }
    assert!(tree.made.patches.is_empty());
    assert_eq!(tree.made.left_out.len(), 1);
    assert_eq!((tree.made.left_out[0].reason, tree.made.left_out[0].count), (Omission::LinkOutside, 1));
}

#[test]
fn the_older_formats_are_understood() {
    let bench = Bench::new();
    let native =
        bench.package("3.0 (native)", vec![bench.archive("x_1.tar.xz", &[("x/a.c", "a"), ("x/debian/rules", "")])]);
    let tree = bench.tree(&native, None).unwrap();
    assert!(is_program(&tree.root, "debian/rules"));
    let orig = bench.archive("x_1.orig.tar.gz", &UPSTREAM);
    let diff =
        bench.keep("x_1-1.diff.gz", format!("{CHANGE}{}", REMOVE.replace("/dev/null", "b/d/e/gone.c")).as_bytes());
    let oldest = bench.package("1.0", vec![orig, diff]);
    let tree = bench.tree(&oldest, None).unwrap();
    assert_eq!(tree.made.patches, ["x_1-1.diff.gz"]);
    assert_eq!(read(&tree.root, "a.c").as_deref(), Some("one\nTWO\nthree\n"));
    assert_eq!(read(&tree.root, "d/e/gone.c").as_deref(), Some(""), "the oldest format keeps what becomes empty");
    let before = bench.tree(&oldest, Some(&before("x_1-1.diff.gz"))).unwrap();
    assert_eq!(read(&before.root, "a.c").as_deref(), Some("one\ntwo\nthree\n"));
}

#[test]
fn a_patch_that_does_not_fit_is_a_loss_that_names_it() {
    let bench = Bench::new();
    let fuzz = CHANGE.replace(" three", " 3");
    let parts = bench.patched(&UPSTREAM, &[("good", CHANGE), ("bad", &fuzz)]);
    let loss = bench.tree(&parts, None).unwrap_err();
    assert!(matches!(&loss, Loss::Patch { patch, .. } if patch == "bad"), "{loss}");
    // The state before it is still to be had.
    assert_eq!(bench.tree(&parts, Some(&before("bad"))).unwrap().made.patches, ["good"]);
    assert_eq!(bench.loss(&UPSTREAM, &fuzz).reason(), Reason::PatchDoesNotApply, "no fuzz is allowed");
    assert_eq!(bench.loss(&UPSTREAM, CHANGE.split("+TWO").next().unwrap()).reason(), Reason::PatchDoesNotApply);
    assert_eq!(bench.loss(&UPSTREAM, &CHANGE.replace("a.c", "nowhere.c")).reason(), Reason::PatchDoesNotApply);
}

#[test]
fn hostile_patches_reach_nothing() {
    let bench = Bench::new();
    let victim = bench.folder.path().join("victim");
    fs::write(&victim, "one\ntwo\nthree\n").unwrap();
    let new = |path: &str| format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n");
    let absolute = new(victim.to_str().unwrap());
    let climbing = CHANGE.replace("a/a.c", "a/../../../victim").replace("b/a.c", "b/../../../victim");
    for patch in [&absolute, &climbing, &new("../../evil.c"), &new("debian/../../evil.c")] {
        // Refused, or turned into a harmless file inside the tree: both are fine.
        let _ = bench.tree(&bench.patched(&UPSTREAM, &[("p", patch)]), None);
        assert_eq!(fs::read_to_string(&victim).unwrap(), "one\ntwo\nthree\n", "{patch}");
        assert!(!bench.cache.path().join("evil.c").exists() && !bench.cache.folder("tmp").join("evil.c").exists());
    }
    // Through a link, even one that stays inside, nothing is changed.
    let linked = [
        ("x-1/a.c", "one\ntwo\nthree\n"),
        ("x-1/real/f", "one\ntwo\nthree\n"),
        ("x-1/l", "-> real"),
        ("x-1/m", "-> a.c"),
    ];
    assert_eq!(bench.loss(&linked, &new("l/new.c")).reason(), Reason::PatchDoesNotApply);
    assert_eq!(bench.loss(&linked, &CHANGE.replace("a.c", "l/f")).reason(), Reason::PatchDoesNotApply);
    assert_eq!(
        bench.loss(&linked, &CHANGE.replace("a/a.c", "a/m").replace("b/a.c", "b/m")).reason(),
        Reason::PatchDoesNotApply
    );
    // A link that a patch makes is not taken over.
    let link = "diff --git a/evil b/evil\nnew file mode 120000\n--- /dev/null\n+++ b/evil\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n";
    if let Ok(tree) = bench.tree(&bench.patched(&UPSTREAM, &[("p", link)]), None) {
        assert!(!tree.root.join("evil").is_symlink());
    }
    // Commands in a patch are not run.
    let _ = bench.tree(&bench.patched(&UPSTREAM, &[("p", "--- a/a.c\n+++ b/a.c\n1!touch evil\nw\nq\n")]), None);
}

#[test]
fn a_series_that_leads_out_or_nowhere_is_refused() {
    let bench = Bench::new();
    for name in ["../../victim", "/etc/passwd", "a/../../b", "missing.patch"] {
        let debian = [("debian/patches/series", name)];
        let files = vec![bench.archive("x_1.orig.tar.gz", &UPSTREAM), bench.archive("x_1-1.debian.tar.xz", &debian)];
        let loss = bench.tree(&bench.package("3.0 (quilt)", files), None).unwrap_err();
        assert!(matches!(&loss, Loss::Patch { patch, .. } if patch == name), "{loss}");
    }
}

#[test]
fn packages_that_contradict_themselves_are_refused() {
    let bench = Bench::new();
    let orig = || bench.archive("x_1.orig.tar.gz", &UPSTREAM);
    let reason = |parts: &Parts| bench.tree(parts, None).unwrap_err().reason();
    assert_eq!(reason(&bench.package("3.0 (git)", vec![orig()])), Reason::UnsupportedFormat);
    assert_eq!(reason(&bench.package("3.0 (quilt)", vec![orig()])), Reason::DamagedArchive);
    assert_eq!(reason(&bench.package("1.0", Vec::new())), Reason::DamagedArchive);
    assert_eq!(reason(&Parts { downloads: vec![orig()] }), Reason::DamagedArchive);
    let mut other = bench.package("1.0", vec![orig()]);
    other.downloads[1] = bench.archive("x_1.orig.tar.gz", &[("x/b.c", "")]);
    assert_eq!(reason(&other), Reason::HashMismatch);
    let latin = bench.keep("x_1-1.dsc", b"Format: caf\xe9\n");
    assert_eq!(reason(&Parts { downloads: vec![latin] }), Reason::NotUtf8);
}
