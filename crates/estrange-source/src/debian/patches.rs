//! Applies a package's patches the way `dpkg-source` does, with GNU patch in the sandbox.
//!
//! Patches are foreign data, and `patch` is a parser of it: it sees copies of the files that the patches name, in a
//! scratch folder, and nothing else. All patches of a series are applied in one run. What comes back is taken over
//! file by file.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use estrange_sandbox::{Command, INPUT, Limits, Outcome};

use crate::cache::remove;
use crate::job::Job;
use crate::loss::Loss;
use crate::progress::Step;

/// One patch.
pub(super) struct Patch {
    /// Its name in the series.
    pub(super) name: String,
    pub(super) content: Vec<u8>,
    /// Whether a file that becomes empty stays.
    pub(super) keep_empty: bool,
}

const MIB: u64 = 1024 * 1024;
/// The largest list of patches, and the largest patch.
const LARGEST_SERIES: u64 = MIB;
const LARGEST_PATCH: u64 = 64 * MIB;
/// The most that patches and the files they name may take together: they are held in memory.
const LARGEST_RUN: u64 = 1024 * MIB;

/// The patches that the tree lists in `debian/patches/series`, in order.
///
/// As for `dpkg-source`, a series for Debian alone goes before the general one, and options behind a patch's name
/// are passed over: every patch is applied with `-p1`. The list and the patches may be links, which stay in the tree
/// like all that were made.
pub(super) fn series(root: &Path) -> Result<Vec<Patch>, Loss> {
    let list =
        ["debian/patches/debian.series", "debian/patches/series"].into_iter().find(|path| root.join(path).is_file());
    let Some(list) = list else { return Ok(Vec::new()) };
    let text =
        String::from_utf8(read(root, list, LARGEST_SERIES)?).map_err(|_| Loss::NotUtf8 { what: list.to_owned() })?;
    names(&text)
        .map(|name| {
            let unfit = |detail: &str| Loss::Patch { patch: name.to_owned(), detail: detail.to_owned() };
            if name.starts_with('/') || name.split('/').any(|part| part == "..") {
                return Err(unfit("its name leads out of the package"));
            }
            let path = format!("debian/patches/{name}");
            if !root.join(&path).is_file() {
                return Err(unfit("it is not in the package"));
            }
            let content = read(root, &path, LARGEST_PATCH)?;
            Ok(Patch { name: name.to_owned(), content, keep_empty: false })
        })
        .collect()
}

/// The names in a series file, without comments and options.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let first = line.split_whitespace().next()?;
        (!first.starts_with('#')).then_some(first)
    })
}

/// The content of a file of the tree, if it is not too large.
fn read(root: &Path, path: &str, most: u64) -> Result<Vec<u8>, Loss> {
    let place = root.join(path);
    if place.metadata().map_err(Loss::io("read", &place))?.len() > most {
        return Err(too_large(path, most));
    }
    fs::read(&place).map_err(Loss::io("read", &place))
}

fn too_large(what: &str, most: u64) -> Loss {
    Loss::TooLarge { what: what.to_owned(), bound: format!("more than {most} bytes"), entry: String::new() }
}

/// Whether `path` is a regular file of the tree that is not reached through a link.
fn is_file(root: &Path, path: &str) -> bool {
    !is_through_link(root, path) && root.join(path).symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}

fn is_through_link(root: &Path, path: &str) -> bool {
    let mut place = root.to_owned();
    path.split('/').any(|part| {
        place.push(part);
        place.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
    })
}

/// Applies the patches to the tree `root`; `work` is a folder for the files that go to and fro.
pub(super) fn apply(job: &Job<'_>, root: &Path, work: &Path, series: &[Patch]) -> Result<(), Loss> {
    if series.is_empty() {
        return Ok(());
    }
    let _step = Step::new(job.progress, &format!("applying {} patches", series.len()), None);
    let named: BTreeSet<String> = series.iter().flat_map(|patch| names_in(&patch.content)).collect();
    let present: BTreeSet<&str> = named.iter().map(String::as_str).filter(|path| is_file(root, path)).collect();
    let outcome = run(job, root, work, series, &named, &present)?;
    if !outcome.success() {
        return Err(failure(&outcome, series));
    }
    take_over(&outcome, root, work, &present)
}

/// Every path that a patch may mean, without its first part, as `-p1` has it. A line that only looks like a header
/// names a path too many, which does no harm: what does not exist is not copied.
fn names_in(content: &[u8]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut add = |name: &str| {
        let parts = || name.split('/').filter(|part| !part.is_empty() && *part != ".");
        let plain = name.len() <= 1024 && parts().count() > 0 && !parts().any(|part| part == "..");
        if plain && !name.starts_with('/') && !name.contains(char::is_control) {
            names.insert(parts().collect::<Vec<_>>().join("/"));
        }
    };
    for line in content.split(|&byte| byte == b'\n') {
        let Ok(line) = std::str::from_utf8(line) else { continue };
        let line = line.trim_end_matches('\r');
        let header = |prefix| line.strip_prefix(prefix);
        if let Some(rest) = header("--- ").or_else(|| header("+++ ")).or_else(|| header("Index: ")) {
            // A tab ends the name; where there is none, a blank may.
            for name in [rest.split('\t').next(), rest.split_whitespace().next()].into_iter().flatten() {
                if let Some((_, stripped)) = name.trim_start().split_once('/').filter(|_| name != "/dev/null") {
                    add(stripped.trim_start_matches('/'));
                }
            }
        } else if let Some(rest) = header("diff --git ") {
            rest.split(' ').filter_map(|name| name.split_once('/')).for_each(|(_, stripped)| add(stripped));
        } else if let Some(name) =
            ["rename from ", "rename to ", "copy from ", "copy to "].iter().find_map(|p| header(p))
        {
            add(name);
        }
    }
    names
}

/// Runs GNU patch over all patches, on copies of the files in `present`.
fn run(
    job: &Job<'_>,
    root: &Path,
    work: &Path,
    series: &[Patch],
    named: &BTreeSet<String>,
    present: &BTreeSet<&str>,
) -> Result<Outcome, Loss> {
    let inputs = work.join("patches");
    let write = |name: &str, content: &[u8]| {
        let path = inputs.join(name);
        fs::write(&path, content).map_err(Loss::io("write", &path))
    };
    fs::create_dir(&inputs).map_err(Loss::io("make the folder", &inputs))?;
    let folders: BTreeSet<&str> = named.iter().filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
    write("folders", &list(folders))?;
    write("files", &list(present.iter().copied()))?;
    let mut script = String::from(
        "set -eu\n\
         mkdir \"$HOME\"/tree\n\
         cd \"$HOME\"/tree\n\
         xargs -0 -r -a \"$INPUT\"/patches/folders mkdir -p --\n\
         (cd \"$INPUT\"/tree && xargs -0 -r -a \"$INPUT\"/patches/files cp -p --parents -t \"$HOME\"/tree --)\n",
    );
    for (number, patch) in series.iter().enumerate() {
        write(&format!("{number}.patch"), &patch.content)?;
        // The options are those of dpkg-source; a file that is left empty goes, except in the oldest format.
        let empty = if patch.keep_empty { "" } else { " -E" };
        script += &format!(
            "echo {number} > \"$HOME\"/current\n\
             patch -s -t -F 0 -N -p1 -u -V never{empty} --no-backup-if-mismatch --reject-file=- < \"$INPUT\"/patches/{number}.patch\n"
        );
    }
    script += "find . -type f -perm /100 -print0 > \"$HOME\"/programs\n";
    write("script", script.as_bytes())?;

    let size = |path: &&str| root.join(path).metadata().map_or(0, |metadata| metadata.len());
    let files: u64 = present.iter().map(size).sum();
    let patches: u64 = series.iter().map(|patch| patch.content.len() as u64).sum();
    if files + patches > LARGEST_RUN {
        return Err(too_large("what the patches change", LARGEST_RUN));
    }
    let limits = Limits {
        wall: Duration::from_secs(120 + series.len() as u64),
        memory: 1024 * MIB,
        processes: 64,
        output: 4 * MIB,
        disk: 64 * MIB + 3 * (files + patches),
        files: 4096 + 4 * named.len() as u64,
    };
    let command = Command::new("sh")
        .argument(format!("{INPUT}/patches/script"))
        .environment("PATCH_GET", "0")
        .input(root, "tree")
        .input(&inputs, "patches")
        .limits(limits)
        .keep_scratch();
    Ok(job.sandbox.run(&command)?)
}

/// Names, each ended by a NUL, as `xargs -0` reads them.
fn list<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<u8> {
    names.into_iter().flat_map(|name| name.bytes().chain([0])).collect()
}

/// Which patch it was, and what patch said.
fn failure(outcome: &Outcome, series: &[Patch]) -> Loss {
    let current = outcome.scratch.as_ref().and_then(|scratch| scratch.read("current", 32).ok());
    let number = current.and_then(|text| String::from_utf8_lossy(&text).trim().parse::<usize>().ok());
    let patch = number
        .and_then(|number| series.get(number))
        .map_or_else(|| "(before the first)".to_owned(), |patch| patch.name.clone());
    let said = [&outcome.stdout[..], &outcome.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines[lines.len().saturating_sub(4)..].join("; ");
    Loss::Patch { patch, detail: format!("patch {}: {last}", outcome.end) }
}

/// Takes over what the run left: changed and new files go into the tree, and those that are gone go from it.
fn take_over(outcome: &Outcome, root: &Path, work: &Path, present: &BTreeSet<&str>) -> Result<(), Loss> {
    let lost = |detail: String| Loss::Patch { patch: "(all)".to_owned(), detail };
    let scratch = outcome.scratch.as_ref().ok_or_else(|| lost("the sandbox kept nothing".to_owned()))?;
    let programs = scratch.read("programs", 16 * MIB).map_err(|error| lost(error.to_string()))?;
    let programs: BTreeSet<&[u8]> =
        programs.split(|&byte| byte == 0).map(|path| path.strip_prefix(b"./").unwrap_or(path)).collect();
    let patched = work.join("patched");
    scratch.copy_out("tree", &patched, |_, _| true).map_err(Loss::io("copy to", &patched))?;
    let mut left = BTreeSet::new();
    files(&patched, "", &mut left)?;
    for path in present.iter().filter(|path| !left.contains(**path)) {
        let place = root.join(path);
        remove(&place).map_err(Loss::io("remove", &place))?;
        // Like patch, go on with the folders that are empty now.
        let mut above = place.parent();
        while let Some(folder) = above.filter(|folder| *folder != root && fs::remove_dir(folder).is_ok()) {
            above = folder.parent();
        }
    }
    for path in &left {
        if is_through_link(root, path) {
            return Err(lost(format!("{path} would be changed through a link")));
        }
        let place = root.join(path);
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(Loss::io("make the folder", folder))?;
        }
        let mode = if programs.contains(path.as_bytes()) { 0o755 } else { 0o644 };
        let from = patched.join(path);
        fs::set_permissions(&from, fs::Permissions::from_mode(mode)).map_err(Loss::io("set permissions of", &from))?;
        fs::rename(&from, &place).map_err(Loss::io("rename to", &place))?;
    }
    Ok(())
}

/// The files in a folder, by their paths.
fn files(folder: &Path, at: &str, found: &mut BTreeSet<String>) -> Result<(), Loss> {
    for entry in fs::read_dir(folder).map_err(Loss::io("read", folder))? {
        let entry = entry.map_err(Loss::io("read", folder))?;
        let name =
            entry.file_name().into_string().map_err(|_| Loss::NotUtf8 { what: "a patched file's name".to_owned() })?;
        let path = format!("{at}{name}");
        if entry.file_type().map_err(Loss::io("read", folder))?.is_dir() {
            files(&entry.path(), &format!("{path}/"), found)?;
        } else {
            found.insert(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_is_read_without_comments_and_options() {
        let text = "# first\n\none.patch\n  two.patch -p1 # why\nsub/three.patch -p0\n #four\n";
        assert_eq!(names(text).collect::<Vec<_>>(), ["one.patch", "two.patch", "sub/three.patch"]);
    }

    #[test]
    fn every_path_a_patch_may_mean_is_named() {
        let patch = b"--- a/one.c\t2020-01-01 00:00:00\n+++ b/one.c\n@@ -1 +1 @@\n--- not/this\n+x\n\
            --- /dev/null\n+++ new/two words.c\t\n--- a//three.c 2020-01-01\n--- a/../../etc/passwd\n\
            diff --git a/four.c b/five.c\nrename from six.c\nrename to d/seven.c\r\n--- caf\xe9/x\n";
        let names: Vec<String> = names_in(patch).into_iter().collect();
        assert_eq!(
            names,
            [
                "d/seven.c",
                "five.c",
                "four.c",
                "one.c",
                "six.c",
                "this",
                "three.c",
                "three.c 2020-01-01",
                "two",
                "two words.c"
            ]
        );
    }
}
