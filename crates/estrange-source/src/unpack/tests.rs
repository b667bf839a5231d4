//! Hostile archives, built here byte by byte: each is refused or neutralised, and nothing lands outside.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tar::EntryType;
use tempfile::TempDir;

use super::*;

/// A tar archive under construction; names go in as they are, whatever they are.
#[derive(Default)]
struct Tar(Vec<u8>);

impl Tar {
    fn entry(mut self, kind: EntryType, name: &[u8], link: &[u8], content: &[u8]) -> Self {
        self.raw(kind, name, link, 0o644, content);
        self
    }

    fn file(self, name: &str, content: &str) -> Self {
        self.entry(EntryType::Regular, name.as_bytes(), b"", content.as_bytes())
    }

    fn folder(self, name: &str) -> Self {
        self.entry(EntryType::Directory, name.as_bytes(), b"", b"")
    }

    fn link(self, name: &str, target: &str) -> Self {
        self.entry(EntryType::Symlink, name.as_bytes(), target.as_bytes(), b"")
    }

    fn hard(self, name: &str, target: &str) -> Self {
        self.entry(EntryType::Link, name.as_bytes(), target.as_bytes(), b"")
    }

    fn mode(mut self, name: &str, mode: u32) -> Self {
        self.raw(EntryType::Regular, name.as_bytes(), b"", mode, b"x");
        self
    }

    /// An entry with a pax header before it.
    fn pax(mut self, records: &[(&str, &[u8])], kind: EntryType, name: &str, content: &[u8]) -> Self {
        let mut text = Vec::new();
        for (key, value) in records {
            let rest = key.len() + value.len() + 3;
            let mut length = rest + 1;
            while length != rest + length.to_string().len() {
                length = rest + length.to_string().len();
            }
            text.extend_from_slice(format!("{length} {key}=").as_bytes());
            text.extend_from_slice(value);
            text.push(b'\n');
        }
        self.raw(EntryType::XHeader, b"pax", b"", 0o644, &text);
        self.entry(kind, name.as_bytes(), b"", content)
    }

    fn raw(&mut self, kind: EntryType, name: &[u8], link: &[u8], mode: u32, content: &[u8]) {
        if name.len() > 100 {
            self.raw(EntryType::GNULongName, b"././@LongLink", b"", 0o644, &[name, b"\0"].concat());
        }
        if link.len() > 100 {
            self.raw(EntryType::GNULongLink, b"././@LongLink", b"", 0o644, &[link, b"\0"].concat());
        }
        let mut header = tar::Header::new_gnu();
        let copy = |field: &mut [u8], bytes: &[u8]| {
            let length = bytes.len().min(field.len());
            field[..length].copy_from_slice(&bytes[..length]);
        };
        copy(&mut header.as_old_mut().name, name);
        copy(&mut header.as_old_mut().linkname, link);
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(content.len() as u64);
        header.set_mtime(12345);
        header.set_cksum();
        self.0.extend_from_slice(header.as_bytes());
        self.0.extend_from_slice(content);
        self.0.resize(self.0.len().next_multiple_of(512), 0);
    }

    fn bytes(mut self) -> Vec<u8> {
        self.0.resize(self.0.len() + 1024, 0);
        self.0
    }
}

/// A folder whose `in` is unpacked into, beside a file that must not change.
struct Ground {
    folder: TempDir,
}

impl Ground {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("victim"), "untouched").unwrap();
        Self { folder }
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("in")
    }

    fn unpack_with(&self, archive: &[u8], strip: bool, bounds: Bounds) -> Result<Vec<LeftOut>, Loss> {
        let file = self.folder.path().join("archive");
        fs::write(&file, archive).unwrap();
        let _ = fs::remove_dir_all(self.root());
        fs::create_dir(self.root()).unwrap();
        let unpacked = unpack(&file, "archive", &self.root(), strip, bounds);
        let made = unpacked.and_then(|mut unpacked| {
            links::make(&self.root(), &unpacked.links, &mut unpacked.omissions)?;
            Ok(unpacked.omissions.into_list())
        });
        fs::remove_file(file).unwrap();
        assert_eq!(fs::read_to_string(self.folder.path().join("victim")).unwrap(), "untouched");
        let beside: Vec<_> =
            fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(beside.len(), 2, "something was written outside: {beside:?}");
        made
    }

    fn unpack(&self, archive: &[u8]) -> Result<Vec<LeftOut>, Loss> {
        self.unpack_with(archive, true, Bounds::default())
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn names(&self) -> Vec<String> {
        fn walk(root: &Path, at: &Path, names: &mut Vec<String>) {
            for entry in fs::read_dir(root.join(at)).unwrap() {
                let entry = entry.unwrap();
                let path = at.join(entry.file_name());
                names.push(path.to_str().unwrap().to_owned());
                if entry.file_type().unwrap().is_dir() {
                    walk(root, &path, names);
                }
            }
        }
        let mut names = Vec::new();
        walk(&self.root(), Path::new(""), &mut names);
        names.sort();
        names
    }
}

fn refused(tar: Tar) -> Rule {
    let ground = Ground::new();
    match ground.unpack(&tar.bytes()) {
        Err(Loss::Hostile { rule, .. }) => rule,
        other => panic!("it was not refused: {other:?}, {:?}", ground.names()),
    }
}

/// What was left out of an archive that has one honest file `ok` besides.
fn left_out(tar: Tar) -> Vec<(Omission, u64)> {
    let ground = Ground::new();
    let list = ground.unpack_with(&tar.file("ok", "ok").bytes(), false, Bounds::default()).unwrap();
    assert_eq!(ground.names(), ["ok"]);
    list.into_iter().map(|left| (left.reason, left.count)).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

#[test]
fn every_packing_gives_the_same_tree() {
    let tar = Tar::default()
        .folder("x-1.0/")
        .file("x-1.0/a.c", "int a;\n")
        .link("x-1.0/d/l", "../a.c")
        .mode("x-1.0/run", 0o755);
    let tar = tar.bytes();
    let (front, back) = tar.split_at(1000);
    let pieces = |pack: fn(&[u8]) -> Vec<u8>| [pack(front), pack(back)].concat();
    let whole = [tar.clone(), gzip(&tar), bzip2(&tar), xz(&tar), zstandard(&tar)];
    for packed in whole.into_iter().chain([pieces(gzip), pieces(bzip2), pieces(xz), pieces(zstandard)]) {
        let ground = Ground::new();
        assert_eq!(ground.unpack(&packed).unwrap(), []);
        assert_eq!(ground.names(), ["a.c", "d", "d/l", "run"]);
        assert_eq!(ground.read("d/l"), "int a;\n");
    }
}

#[test]
fn a_lone_folder_at_the_top_is_taken_away_only_when_asked_and_alone() {
    let ground = Ground::new();
    let lone = Tar::default().file("x/a", "a").bytes();
    ground.unpack_with(&lone, false, Bounds::default()).unwrap();
    assert_eq!(ground.names(), ["x", "x/a"]);
    ground.unpack(&Tar::default().file("x/a", "a").file("b", "b").bytes()).unwrap();
    assert_eq!(ground.names(), ["b", "x", "x/a"]);
    ground.unpack(&Tar::default().file("x/x/a", "a").bytes()).unwrap();
    assert_eq!(ground.names(), ["x", "x/a"]);
    // Once the folder is gone, this link would lead out.
    let list = ground.unpack(&Tar::default().file("x/a", "a").link("x/l", "../y").bytes()).unwrap();
    assert_eq!(ground.names(), ["a"]);
    assert_eq!(list[0].reason, Omission::LinkOutside);
}

#[test]
fn paths_that_leave_the_folder_are_refused() {
    assert_eq!(refused(Tar::default().file("../victim", "x")), Rule::ParentPath);
    assert_eq!(refused(Tar::default().file("a/../../victim", "x")), Rule::ParentPath);
    assert_eq!(refused(Tar::default().file("/tmp/victim", "x")), Rule::AbsolutePath);
    assert_eq!(refused(Tar::default().folder("../in2")), Rule::ParentPath);
    assert_eq!(refused(Tar::default().link("../l", "x")), Rule::ParentPath);
    let long = format!("{}../../victim", "a/".repeat(80));
    assert_eq!(refused(Tar::default().file(&long, "x")), Rule::ParentPath);
    let pax = Tar::default().pax(&[("path", b"../victim")], EntryType::Regular, "harmless", b"x");
    assert_eq!(refused(pax), Rule::ParentPath);
}

#[test]
fn nothing_is_written_through_a_link() {
    assert_eq!(refused(Tar::default().link("d", "..").file("d/victim", "x")), Rule::BeneathNonFolder);
    assert_eq!(refused(Tar::default().link("d", "e").folder("e").file("d/f", "x")), Rule::BeneathNonFolder);
    assert_eq!(refused(Tar::default().file("d", "x").file("d/f", "x")), Rule::BeneathNonFolder);
    assert_eq!(refused(Tar::default().link("d", "..").folder("d")), Rule::BeneathNonFolder);
    // The same name again is a new entry, not what the link points to.
    let ground = Ground::new();
    ground.unpack(&Tar::default().link("l", "../victim").file("l", "mine").file("o", "").bytes()).unwrap();
    assert_eq!(ground.read("l"), "mine");
}

#[test]
fn links_out_of_the_tree_are_left_out() {
    let links = Tar::default()
        .link("a", "/etc/passwd")
        .link("b", "../victim")
        .link("c", "x/../../victim")
        .entry(EntryType::Symlink, b"d", b"caf\xe9", b"")
        .link("e", "");
    assert_eq!(left_out(links), [(Omission::LinkOutside, 5)]);
    // Two links that only together lead out: `d/up` is the tree itself, and `d/up/..` is above it.
    let ground = Ground::new();
    let tar = Tar::default().file("d/f", "").link("d/up", "..").link("out", "d/up/../victim").bytes();
    ground.unpack_with(&tar, false, Bounds::default()).unwrap();
    assert_eq!(ground.names(), ["d", "d/f", "d/up"]);
}

#[test]
fn hard_links_are_copies_of_files_that_came_before() {
    let ground = Ground::new();
    ground.unpack(&Tar::default().mode("a", 0o755).hard("d/b", "a").hard("a", "a").file("c", "").bytes()).unwrap();
    assert_eq!(ground.read("d/b"), "x");
    assert_eq!(fs::metadata(ground.root().join("d/b")).unwrap().permissions().mode() & 0o777, 0o755);
    fs::write(ground.root().join("a"), "changed").unwrap();
    assert_eq!(ground.read("d/b"), "x", "it is a copy");
    let dangling = Tar::default().hard("a", "nothing").link("l", "/etc/passwd").hard("b", "l");
    assert_eq!(left_out(dangling), [(Omission::LinkOutside, 1), (Omission::LinkToNothing, 2)]);
    assert_eq!(refused(Tar::default().hard("a", "../victim")), Rule::ParentPath);
    assert_eq!(refused(Tar::default().hard("a", "/etc/passwd")), Rule::AbsolutePath);
}

#[test]
fn devices_pipes_and_unknown_kinds_are_left_out() {
    let tar = [EntryType::Block, EntryType::Char, EntryType::Fifo, EntryType::new(b'V')];
    let tar = tar.into_iter().fold(Tar::default(), |tar, kind| tar.entry(kind, b"device", b"", b""));
    assert_eq!(left_out(tar), [(Omission::NotAFile, 4)]);
}

#[test]
fn permissions_are_plain_whatever_the_archive_says() {
    let ground = Ground::new();
    let tar = Tar::default().mode("s", 0o6755).mode("w", 0o666).mode("n", 0o000).mode("x", 0o711).bytes();
    ground.unpack(&tar).unwrap();
    let mode = |name| fs::metadata(ground.root().join(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("s"), mode("w"), mode("n"), mode("x")), (0o755, 0o644, 0o644, 0o755));
}

#[test]
fn of_two_entries_the_last_counts_if_both_are_of_one_kind() {
    let ground = Ground::new();
    let tar = Tar::default().file("a", "a longer first").hard("h", "a").file("a", "last").link("l", "a").link("l", "h");
    ground.unpack(&tar.folder("d").folder("d").bytes()).unwrap();
    assert_eq!((ground.read("a").as_str(), ground.read("h").as_str()), ("last", "a longer first"));
    assert_eq!(fs::read_link(ground.root().join("l")).unwrap(), Path::new("h"));
    assert_eq!(refused(Tar::default().folder("a").file("a", "")), Rule::Conflict);
    assert_eq!(refused(Tar::default().file("a/b", "").link("a", "x")), Rule::Conflict);
    assert_eq!(refused(Tar::default().file("a", "").folder("a")), Rule::BeneathNonFolder);
}

#[test]
fn absurd_names_are_left_out_or_refused() {
    let deep = "d/".repeat(300) + "f";
    let long = "n".repeat(4000);
    let part = format!("{}/{}", "a", "b".repeat(256));
    let tar = Tar::default()
        .file("new\nline", "")
        .file("esc\x1b[31m", "")
        .entry(EntryType::Regular, b"latin\xe9", b"", b"")
        .file(&deep, "")
        .file(&long, "")
        .file(&part, "");
    let expected = [
        (Omission::NameNotUtf8, 1),
        (Omission::NameControl, 2),
        (Omission::NameTooLong, 2),
        (Omission::NameTooDeep, 1),
    ];
    assert_eq!(left_out(tar), expected);
    let nul = Tar::default().pax(&[("path", b"a\0b")], EntryType::Regular, "x", b"");
    assert_eq!(refused(nul), Rule::NulInName);
    let ground = Ground::new();
    let list = ground.unpack(&Tar::default().file("bad\n\x1b[2J", "").file("ok", "").bytes()).unwrap();
    assert!(!list[0].examples[0].contains(char::is_control), "what is shown is printable: {list:?}");
}

#[test]
fn names_that_are_merely_long_or_odd_are_kept() {
    let ground = Ground::new();
    let long = format!("{}/{}.c", "folder".repeat(20), "name".repeat(30));
    let odd = "a b'\"$(x)*?\\ü-";
    let tar =
        Tar::default().file(&long, "1").file(odd, "2").pax(&[("path", b"from/pax")], EntryType::Regular, "x", b"3");
    ground.unpack(&tar.file("-rf", "4").file("...", "5").bytes()).unwrap();
    assert_eq!((ground.read(&long), ground.read(odd), ground.read("from/pax")), ("1".into(), "2".into(), "3".into()));
    assert_eq!((ground.read("-rf"), ground.read("...")), ("4".into(), "5".into()));
}

#[test]
fn bombs_are_refused_in_every_packing() {
    let bounds = Bounds { free: 1024 * 1024, ratio: 50, ..Bounds::default() };
    let tar = Tar::default().file("zeros", &"\0".repeat(8 * 1024 * 1024)).bytes();
    for packed in [gzip(&tar), bzip2(&tar), xz(&tar), zstandard(&tar)] {
        let loss = Ground::new().unpack_with(&packed, true, bounds).unwrap_err();
        assert!(matches!(loss, Loss::Hostile { rule: Rule::Bomb, .. }), "{loss}");
    }
    // A thousand small members in a row are one stream.
    let member = gzip(&vec![0; 64 * 1024]);
    let mut members = gzip(&Tar::default().file("a", "").0);
    members.extend(member.iter().cycle().take(member.len() * 1000));
    let loss = Ground::new().unpack_with(&members, true, bounds).unwrap_err();
    assert!(matches!(loss, Loss::Hostile { rule: Rule::Bomb, .. }), "{loss}");
}

#[test]
fn sizes_and_counts_are_bounded() {
    let tar = Tar::default().file("a", "123456").file("b", "123456").file("c", "123456").bytes();
    let small = Bounds { bytes: 15, file: 10, entries: 3, ..Bounds::default() };
    for (bounds, what) in [
        (small, "15 bytes in all files"),
        (Bounds { bytes: 1000, file: 5, ..small }, "5 bytes in a file"),
        (Bounds { bytes: 1000, entries: 2, ..small }, "2 entries"),
    ] {
        let loss = Ground::new().unpack_with(&tar, true, bounds).unwrap_err();
        assert!(matches!(&loss, Loss::TooLarge { bound, .. } if bound.contains(what)), "{loss}");
    }
    Ground::new().unpack_with(&tar, true, Bounds { bytes: 18, ..small }).unwrap();
    // Copies count too, and so does what is left out.
    let copies = Tar::default().file("a", "123456").hard("b", "a").hard("c", "a").bytes();
    assert!(matches!(Ground::new().unpack_with(&copies, true, small), Err(Loss::TooLarge { .. })));
    let deep = Tar::default().file("a/b/c/d/e/f", "").file("1/2/3/4/5/6", "").bytes();
    let few = Bounds { entries: 10, ..Bounds::default() };
    assert!(matches!(Ground::new().unpack_with(&deep, true, few), Err(Loss::TooLarge { .. })));
    let devices = (0..5).fold(Tar::default(), |tar, _| tar.entry(EntryType::Char, b"d", b"", b""));
    assert!(matches!(Ground::new().unpack_with(&devices.bytes(), true, small), Err(Loss::TooLarge { .. })));
}

#[test]
fn metadata_that_lies_or_swells_is_refused() {
    let huge = vec![b'a'; 1024 * 1024];
    let name = Tar::default().entry(EntryType::GNULongName, b"x", b"", &huge).file("a", "");
    assert_eq!(refused(name), Rule::Metadata);
    let pax = Tar::default().entry(EntryType::XHeader, b"x", b"", &huge).file("a", "");
    assert_eq!(refused(pax), Rule::Metadata);
    let size = Tar::default().pax(&[("size", b"99999")], EntryType::Regular, "a", b"x");
    assert_eq!(refused(size), Rule::Contradiction);
    let sparse = Tar::default().pax(&[("GNU.sparse.major", b"1")], EntryType::Regular, "a", b"x").bytes();
    assert!(matches!(Ground::new().unpack(&sparse), Err(Loss::Unsupported { .. })));
    let old_sparse = Tar::default().entry(EntryType::GNUSparse, b"a", b"", b"").bytes();
    assert!(matches!(Ground::new().unpack(&old_sparse), Err(Loss::Unsupported { .. })));
}

#[test]
fn damage_is_noticed() {
    let tar = Tar::default().file("a", &"content ".repeat(1000)).bytes();
    let mut cases = vec![Vec::new(), b"not an archive at all".repeat(100), tar[..2000].to_vec()];
    for packed in [gzip(&tar), bzip2(&tar), xz(&tar), zstandard(&tar)] {
        cases.push(packed[..packed.len() / 2].to_vec());
        let mut flipped = packed.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 0x55;
        cases.push(flipped);
        // Only the sum at the end is wrong.
        let mut last = packed;
        let end = last.len() - 6;
        last[end] ^= 0x55;
        cases.push(last);
    }
    for (number, case) in cases.iter().enumerate() {
        let result = Ground::new().unpack(case);
        assert!(matches!(result, Err(Loss::Damaged { .. })), "case {number}: {result:?}");
    }
}

/// A zip archive; the mode's type bits say what an entry is.
fn zip(entries: &[(&str, u32, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, mode, content) in entries {
        let options = zip::write::SimpleFileOptions::default().unix_permissions(*mode);
        match mode & 0o170_000 {
            0o120_000 => {
                writer.add_symlink(*name, std::str::from_utf8(content).unwrap(), options).unwrap();
            }
            _ if name.ends_with('/') => writer.add_directory(*name, options).unwrap(),
            _ => {
                writer.start_file(*name, options).unwrap();
                writer.write_all(content).unwrap();
            }
        }
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn zip_archives_follow_the_same_rules() {
    let ground = Ground::new();
    let honest =
        zip(&[("x/", 0o755, b""), ("x/a.c", 0o644, b"int a;"), ("x/run", 0o755, b"#!"), ("x/l", 0o120_777, b"a.c")]);
    assert_eq!(ground.unpack(&honest).unwrap(), []);
    assert_eq!(ground.names(), ["a.c", "l", "run"]);
    assert_eq!(ground.read("l"), "int a;");
    let outside = zip(&[("l", 0o120_777, b"/etc/passwd"), ("m", 0o120_777, b"../victim"), ("a", 0o644, b"")]);
    assert_eq!(ground.unpack(&outside).unwrap()[0].count, 2);
    let through = zip(&[("l", 0o120_777, b".."), ("l/victim", 0o644, b"x")]);
    assert!(matches!(ground.unpack(&through), Err(Loss::Hostile { rule: Rule::BeneathNonFolder, .. })));
    let bounds = Bounds { free: 1024 * 1024, ratio: 50, ..Bounds::default() };
    let bomb = zip(&[("zeros", 0o644, &vec![0; 8 * 1024 * 1024])]);
    assert!(matches!(ground.unpack_with(&bomb, true, bounds), Err(Loss::Hostile { rule: Rule::Bomb, .. })));
    let few = Bounds { entries: 2, ..Bounds::default() };
    assert!(matches!(ground.unpack_with(&honest, true, few), Err(Loss::TooLarge { .. })));
    assert!(matches!(ground.unpack(&honest[..honest.len() - 30]), Err(Loss::Damaged { .. })));
}

#[test]
fn zip_paths_that_leave_the_folder_are_refused() {
    // The writer cleans names, so an honest archive's names are overwritten by hostile ones of the same length.
    for (honest, hostile, rule) in
        [("aabvictim", "../victim", Rule::ParentPath), ("aetc/cron", "/etc/cron", Rule::AbsolutePath)]
    {
        let mut archive = zip(&[(honest, 0o644, b"x")]);
        while let Some(at) = archive.windows(honest.len()).position(|window| window == honest.as_bytes()) {
            archive[at..at + honest.len()].copy_from_slice(hostile.as_bytes());
        }
        let loss = Ground::new().unpack(&archive).unwrap_err();
        assert!(matches!(loss, Loss::Hostile { rule: found, .. } if found == rule), "{loss}");
    }
}

#[test]
fn zip_entries_that_share_their_data_are_refused() {
    // The second entry's place in the central directory is turned to the first entry's data.
    let mut archive = zip(&[("a", 0o644, b"the same content"), ("b", 0o644, b"the same content")]);
    let headers: Vec<usize> =
        archive.windows(4).enumerate().filter(|(_, bytes)| *bytes == b"PK\x01\x02").map(|(at, _)| at).collect();
    let offset = headers[1] + 42;
    archive[offset..offset + 4].copy_from_slice(&[0; 4]);
    let result = Ground::new().unpack(&archive);
    assert!(matches!(result, Err(Loss::Hostile { rule: Rule::Overlap, .. })), "{result:?}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn no_damage_makes_it_panic_or_write_outside(
        flips in proptest::collection::vec((proptest::num::usize::ANY, proptest::num::u8::ANY), 1..12),
        cut in proptest::option::of(proptest::num::usize::ANY),
    ) {
        let tar = Tar::default().file("a/b", "content").link("l", "a").hard("h", "a/b").file("c", &"long ".repeat(300)).bytes();
        let zip = zip(&[("a/b", 0o644, b"content"), ("l", 0o120_777, b"a"), ("c", 0o755, &[b'x'; 2000])]);
        for mut archive in [gzip(&tar), bzip2(&tar), xz(&tar), zstandard(&tar), zip, tar] {
            for (at, byte) in &flips {
                // Half of the damage goes where headers are.
                let range = if at % 2 == 0 { archive.len() } else { archive.len().min(600) };
                archive[at / 2 % range] ^= byte;
            }
            if let Some(cut) = cut {
                archive.truncate(cut % archive.len());
            }
            let small = Bounds { bytes: 1024 * 1024, free: 1024 * 1024, ..Bounds::default() };
            let _ = Ground::new().unpack_with(&archive, true, small);
        }
    }
}
