//! Real packages over the real network: Debian's archive against `dpkg-source`, and Cargo's registry.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use common::{Bench, listing};
use estrange_source::{Fetched, Fixes, Progress, Silent, Spec, Unfit, Wanted, fetch};
use estrange_words::{Hint, Reason};

/// Unpacks the files of a package with `dpkg-source`, and takes quilt's book-keeping away.
fn dpkg_source(bench: &Bench, fetched: &Fetched) -> std::path::PathBuf {
    let folder = bench.path(&format!("dpkg-{}", fetched.name));
    fs::create_dir(&folder).unwrap();
    let mut control = None;
    for download in &fetched.downloads {
        let kept = bench.cache.path().join("downloads").join(download.sha256.to_string());
        std::os::unix::fs::symlink(kept, folder.join(&download.name)).unwrap();
        if download.name.ends_with(".dsc") {
            control = Some(download.name.clone());
        }
    }
    let mut command = Command::new("dpkg-source");
    command.args(["--no-copy", "--no-check", "-x", &control.unwrap(), "tree"]).current_dir(&folder);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = folder.join("tree");
    if tree.join(".pc").exists() {
        fs::remove_dir_all(tree.join(".pc")).unwrap();
    }
    tree
}

fn assert_same(ours: &Path, theirs: &Path) {
    let (ours, theirs) = (listing(ours), listing(theirs));
    let names = |list: &[(String, String)]| list.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&ours), names(&theirs));
    let different: Vec<&String> = ours.iter().zip(&theirs).filter(|(a, b)| a != b).map(|(a, _)| &a.0).collect();
    assert!(different.is_empty(), "{different:?}");
}

/// One package of each format: patches; upstream components; a native one; the oldest, with and without a diff.
#[test]
fn debian_packages_unpack_as_dpkg_source_unpacks_them() {
    let bench = Bench::new();
    for (name, patched) in [("zlib", true), ("gflags", true), ("members", false), ("flex", true), ("tinycdb", false)] {
        let fetched = bench.get(&format!("deb:{name}"));
        assert_eq!(!fetched.patches.is_empty(), patched, "{name}");
        assert_same(&fetched.root, &dpkg_source(&bench, &fetched));
        assert_eq!(fetched.left_out, []);
        assert!(fetched.pinned.to_string().starts_with(&format!("deb:{name}={}#tree=", fetched.version)));
        let again = bench.get(&fetched.pinned.to_string());
        assert_eq!((again.tree, again.patches), (fetched.tree, fetched.patches));
    }
}

#[test]
fn packages_are_fetched_side_by_side() {
    let bench = Bench::new();
    std::thread::scope(|scope| {
        for spec in ["deb:zlib", "deb:utf8proc", "deb:libonig", "deb:zlib", "crate:lz4-sys", "crate:lz4-sys"] {
            let bench = &bench;
            scope.spawn(move || assert!(bench.get(spec).files > 0));
        }
    });
    assert_eq!((bench.count("trees"), bench.count("tmp"), bench.count("partial")), (4, 0, 0));
}

#[test]
fn the_state_before_each_patch_can_be_had() {
    let bench = Bench::new();
    let fetched = bench.get("deb:tiff");
    assert!(fetched.patches.len() > 5, "{:?}", fetched.patches);
    let before = |patch: &str| bench.get(&format!("deb:tiff={}#before={patch}", fetched.version));
    let last = fetched.patches.last().unwrap();
    let state = before(last);
    assert_eq!(state.patches, fetched.patches[..fetched.patches.len() - 1]);
    // Applying the patch to the state before it gives the whole tree.
    let copy = bench.path("copy");
    assert!(Command::new("cp").arg("-r").arg(&state.root).arg(&copy).status().unwrap().success());
    let patch = fs::File::open(fetched.root.join("debian/patches").join(last)).unwrap();
    let status = Command::new("patch").args(["-p1", "-s", "-E"]).current_dir(&copy).stdin(patch).status().unwrap();
    assert!(status.success());
    assert_same(&copy, &fetched.root);
    // The first state has no patch; a second look finds it kept.
    let first = before(&fetched.patches[0]);
    assert!(first.patches.is_empty());
    assert_eq!(bench.get(&first.pinned.to_string()).tree, first.tree);
    assert_eq!(bench.loss("deb:tiff#before=no-such.patch").reason(), Reason::NoSuchPatch);
}

/// Every patch is read, and applied in memory it gives what GNU patch gives.
#[test]
fn all_patches_of_real_packages_are_read_and_applied_as_gnu_patch_does_it() {
    let bench = Bench::new();
    for (name, least) in [("expat", 6), ("tiff", 16), ("libxml2", 30)] {
        let spec: Spec = format!("deb:{name}").parse().unwrap();
        let find = |wanted: &Wanted| Fixes::of(&spec, wanted, &bench.cache, &bench.sandbox, &Silent).unwrap();
        let all = Wanted { names: bench.get(&format!("deb:{name}")).patches, ..Wanted::default() };
        let all = find(&all);
        assert_eq!(all.seen, all.fixes.len() + all.losses.len());
        for passed in &all.losses {
            assert!(matches!(passed.unfit, Unfit::NoCode | Unfit::OnlyTests), "{}: {}", passed.name, passed.unfit);
        }
        let fixes = find(&Wanted::default());
        assert!(fixes.fixes.len() >= least && fixes.fixes.iter().all(|fix| !fix.cves.is_empty()), "{name}");
    }
}

#[test]
fn debian_packages_that_cannot_be_had_are_told_apart() {
    let bench = Bench::new();
    assert_eq!(bench.loss("deb:no-such-package-at-all").reason(), Reason::NotFound);
    let loss = bench.loss("deb:zlib=0.0.1-1");
    assert_eq!(loss.reason(), Reason::VersionNotFound);
    assert!(loss.hint().unwrap().starts_with("there is 1:1."), "{:?}", loss.hint());
}

/// Adds up what it hears.
#[derive(Default)]
struct Ledger(Mutex<(Vec<String>, u64, i64)>);

impl Progress for Ledger {
    fn started(&self, what: &str, _bytes: Option<u64>) {
        let mut ledger = self.0.lock().unwrap();
        ledger.0.push(what.to_owned());
        ledger.2 += 1;
    }

    fn advanced(&self, bytes: u64) {
        self.0.lock().unwrap().1 += bytes;
    }

    fn finished(&self) {
        self.0.lock().unwrap().2 -= 1;
    }
}

#[test]
fn a_download_is_heard_and_a_second_use_needs_none() {
    let bench = Bench::new();
    let spec: Spec = "deb:utf8proc".parse().unwrap();
    let first = Ledger::default();
    let fetched = fetch(&spec, &bench.cache, &bench.sandbox, &first).unwrap();
    let (steps, bytes, open) = first.0.into_inner().unwrap();
    assert_eq!(bytes, fetched.downloads.iter().map(|download| download.bytes).sum::<u64>(), "{steps:?}");
    assert_eq!(open, 0, "every step that starts finishes");
    let second = Ledger::default();
    fetch(&fetched.pinned, &bench.cache, &bench.sandbox, &second).unwrap();
    assert_eq!(second.0.into_inner().unwrap().0, ["verifying utf8proc"]);
    // A download that was damaged is had again.
    let kept = bench.cache.path().join("downloads").join(fetched.downloads[1].sha256.to_string());
    fs::write(kept, "damaged").unwrap();
    assert_eq!(bench.get(&fetched.pinned.to_string()).tree, fetched.tree);
}

#[test]
fn crates_are_had_through_cargo() {
    let bench = Bench::new();
    let fetched = bench.get("crate:libz-sys@1.1.20");
    assert!(fetched.root.join("src/zlib/deflate.c").is_file());
    assert_eq!(fetched.pinned.to_string(), format!("crate:libz-sys@1.1.20#tree={}", fetched.tree));
    assert_eq!(bench.get(&fetched.pinned.to_string()).tree, fetched.tree);
    // Build metadata may be left out, and `-` written for `_`; the pin has what the registry has.
    let spelled = bench.get("crate:zstd_sys@2.0.13");
    assert_eq!(spelled.version, "2.0.13+zstd.1.5.6");
    assert!(spelled.pinned.to_string().starts_with("crate:zstd-sys@2.0.13+zstd.1.5.6#tree="));
    assert!(!bench.get("crate:lz4-sys").version.is_empty());
    assert_eq!(bench.loss("crate:no-such-crate-at-all").reason(), Reason::NotFound);
    assert_eq!(bench.loss("crate:libz-sys@99.0.0").reason(), Reason::VersionNotFound);
    assert_eq!(bench.loss("crate:memchr@2.3.1").reason(), Reason::Withdrawn);
}
