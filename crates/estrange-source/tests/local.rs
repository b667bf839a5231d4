//! Folders and archives of this machine, and what the cache promises about them.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use common::{Bench, listing, write_tar};
use estrange_source::{Bounds, Loss, Omission, Silent, fetch};
use estrange_words::{Hint, Reason};

fn archive(bench: &Bench) -> String {
    let path = bench.path("x-1.0.tar");
    write_tar(&path, &[("a.c", "int a;\n"), ("d/b.c", "int b;\n")]);
    path.to_str().unwrap().to_owned()
}

#[test]
fn an_archive_is_unpacked_pinned_and_described() {
    let bench = Bench::new();
    let spec = archive(&bench);
    let fetched = bench.get(&spec);
    let expected = [("a.c", "int a;\n"), ("d", "a folder"), ("d/b.c", "int b;\n")];
    assert_eq!(listing(&fetched.root), expected.map(|(name, what)| (name.to_owned(), what.to_owned())));
    assert_eq!((fetched.name.as_str(), fetched.files, fetched.bytes), ("x-1.0", 2, 14));
    assert_eq!(
        fetched.pinned.to_string(),
        format!("{spec}#sha256={}#tree={}", fetched.downloads[0].sha256, fetched.tree)
    );
    assert!(fetched.version.starts_with("sha256:"));
    assert_eq!(bench.get(&fetched.pinned.to_string()).tree, fetched.tree);
    let json = serde_json::to_value(&fetched).unwrap();
    assert_eq!(json["pinned"], fetched.pinned.to_string());
    assert!(json.get("root").is_none(), "a path of this machine is no part of the result");
    for (name, _) in expected {
        assert_eq!(fs::metadata(fetched.root.join(name)).unwrap().mtime(), 1_000_000_000, "{name}");
    }
}

#[test]
fn a_pin_that_does_not_match_is_a_loss() {
    let bench = Bench::new();
    let spec = archive(&bench);
    for kind in ["sha256", "tree"] {
        let loss = bench.loss(&format!("{spec}#{kind}={}", "0".repeat(64)));
        assert_eq!(loss.reason(), Reason::HashMismatch, "{loss}");
        assert!(loss.hint().is_some());
    }
}

#[test]
fn what_is_not_there_or_no_archive_is_a_loss() {
    let bench = Bench::new();
    assert_eq!(bench.loss("/nowhere/at/all").reason(), Reason::NotFound);
    assert_eq!(bench.loss("/nowhere/at/all.tar.gz").reason(), Reason::NotFound);
    assert_eq!(bench.loss("/dev/null.tar").reason(), Reason::NotFound);
    let text = bench.path("text.tar.gz");
    fs::write(&text, "This is no archive.\n".repeat(100)).unwrap();
    assert_eq!(bench.loss(text.to_str().unwrap()).reason(), Reason::DamagedArchive);
    fs::write(bench.path("a.c"), "int a;\n").unwrap();
    assert_eq!(bench.loss(bench.path("a.c").to_str().unwrap()).reason(), Reason::UnsupportedFormat);
    assert_eq!(bench.count("trees") + bench.count("tmp"), 0, "nothing of it stays");
}

#[test]
fn a_folder_is_a_snapshot_without_what_is_not_source() {
    let bench = Bench::new();
    let source = bench.path("project");
    for folder in ["src", ".git", "src/.svn"] {
        fs::create_dir_all(source.join(folder)).unwrap();
        fs::write(source.join(folder).join("file.c"), "int x;\n").unwrap();
    }
    symlink("src/file.c", source.join("inside")).unwrap();
    symlink("/etc/passwd", source.join("outside")).unwrap();
    symlink("../project", source.join("around")).unwrap();
    fs::write(source.join(std::ffi::OsStr::from_bytes(b"latin\xe9.c")), "").unwrap();
    fs::write(source.join("new\nline.c"), "").unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(source.join("socket")).unwrap();
    let spec = source.to_str().unwrap();
    let fetched = bench.get(spec);
    let expected = [("inside", "a link to src/file.c"), ("src", "a folder"), ("src/file.c", "int x;\n")];
    assert_eq!(listing(&fetched.root), expected.map(|(name, what)| (name.to_owned(), what.to_owned())));
    let left: Vec<(Omission, u64)> = fetched.left_out.iter().map(|left| (left.reason, left.count)).collect();
    assert_eq!(
        left,
        [
            (Omission::LinkOutside, 2),
            (Omission::NotAFile, 1),
            (Omission::NameNotUtf8, 1),
            (Omission::NameControl, 1),
            (Omission::VersionControl, 2)
        ]
    );
    // The snapshot stays as it was when the folder changes; the changed folder is another tree.
    fs::write(source.join("src/file.c"), "int y;\n").unwrap();
    let changed = bench.get(spec);
    assert_ne!(changed.tree, fetched.tree);
    assert_eq!(fs::read_to_string(fetched.root.join("src/file.c")).unwrap(), "int x;\n");
    assert_eq!(bench.loss(&fetched.pinned.to_string()).reason(), Reason::HashMismatch);
}

#[test]
fn a_folder_that_holds_the_cache_does_not_swallow_it() {
    let bench = Bench::new();
    fs::write(bench.path("a.c"), "int a;\n").unwrap();
    let spec = bench.folder.path().to_str().unwrap();
    let first = bench.get(spec);
    assert_eq!(first.files, 1);
    assert_eq!(bench.get(spec).tree, first.tree);
}

#[test]
fn folders_are_bounded_too() {
    let mut bench = Bench::new();
    let source = bench.path("project");
    fs::create_dir(&source).unwrap();
    for name in ["a", "b", "c"] {
        fs::write(source.join(name), "123456").unwrap();
    }
    for bounds in [
        Bounds { entries: 2, ..Bounds::default() },
        Bounds { file: 5, ..Bounds::default() },
        Bounds { bytes: 17, ..Bounds::default() },
    ] {
        bench.cache = bench.cache.with_bounds(bounds);
        assert_eq!(bench.loss(source.to_str().unwrap()).reason(), Reason::TooLarge);
    }
}

#[test]
fn the_same_tree_has_the_same_digest_however_it_came() {
    let bench = Bench::new();
    let fetched = bench.get(&archive(&bench));
    let copy = bench.path("copy");
    fs::create_dir_all(copy.join("d")).unwrap();
    fs::copy(fetched.root.join("a.c"), copy.join("a.c")).unwrap();
    fs::copy(fetched.root.join("d/b.c"), copy.join("d/b.c")).unwrap();
    assert_eq!(bench.get(copy.to_str().unwrap()).tree, fetched.tree);
}

#[test]
fn a_damaged_tree_is_noticed_and_made_anew() {
    let bench = Bench::new();
    let spec = archive(&bench);
    let fetched = bench.get(&spec);
    let damages: [&dyn Fn(&Path); 5] = [
        &|root| fs::write(root.join("a.c"), "int A;\n").unwrap(),
        &|root| fs::remove_file(root.join("a.c")).unwrap(),
        &|root| fs::write(root.join("more.c"), "").unwrap(),
        &|root| fs::remove_dir_all(root).unwrap(),
        &|root| fs::write(root.parent().unwrap().join("tree.json"), "{").unwrap(),
    ];
    for damage in damages {
        damage(&fetched.root);
        let again = bench.get(&spec);
        assert_eq!((again.tree, &again.root), (fetched.tree, &fetched.root));
        assert_eq!(fs::read_to_string(again.root.join("a.c")).unwrap(), "int a;\n");
        assert!(!again.root.join("more.c").exists());
        assert_eq!(bench.count("tmp"), 0);
    }
}

#[test]
fn a_damaged_download_is_noticed_and_replaced() {
    let bench = Bench::new();
    let spec = archive(&bench);
    let fetched = bench.get(&spec);
    let kept = bench.only("downloads");
    fs::write(&kept, "damaged").unwrap();
    fs::remove_dir_all(bench.only("trees")).unwrap();
    assert_eq!(bench.get(&spec).tree, fetched.tree);
    assert_ne!(fs::read(&kept).unwrap(), b"damaged");
}

#[test]
fn what_a_killed_process_left_is_cleared_away() {
    let bench = Bench::new();
    let spec = archive(&bench);
    let fetched = bench.get(&spec);
    // As after a kill in the middle of unpacking: a half-made tree under the same key, and no finished one.
    let key = bench.only("trees").file_name().unwrap().to_owned();
    fs::remove_dir_all(bench.only("trees")).unwrap();
    let half = bench.cache.path().join("tmp").join(key);
    fs::create_dir_all(half.join("root")).unwrap();
    fs::write(half.join("root/a.c"), "half").unwrap();
    fs::write(half.join("tree.json"), "{}").unwrap();
    assert_eq!(bench.get(&spec).tree, fetched.tree);
    assert_eq!(bench.count("tmp"), 0);
}

#[test]
fn many_threads_may_fetch_the_same_thing() {
    let bench = Bench::new();
    let spec = archive(&bench).parse().unwrap();
    let trees: Vec<_> = std::thread::scope(|scope| {
        let fetches: Vec<_> =
            (0..8).map(|_| scope.spawn(|| fetch(&spec, &bench.cache, &bench.sandbox, &Silent).unwrap().tree)).collect();
        fetches.into_iter().map(|fetch| fetch.join().unwrap()).collect()
    });
    assert!(trees.iter().all(|tree| *tree == trees[0]));
    assert_eq!((bench.count("trees"), bench.count("tmp")), (1, 0));
}

#[test]
fn a_cache_of_another_version_is_not_touched() {
    let bench = Bench::new();
    fs::write(bench.cache.path().join("format"), "99\n").unwrap();
    let loss = estrange_source::Cache::open(bench.cache.path()).unwrap_err();
    assert!(matches!(&loss, Loss::CacheFormat { found, .. } if found == "99"), "{loss}");
}
