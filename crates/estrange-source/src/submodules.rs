//! The submodules that a tree names and does not hold: git keeps only their commits, and an archive nothing of them.

use std::fs;
use std::path::{Component, Path};

use crate::unpack::{LeftOut, Omission, printable};

/// A list longer than this is not a list of submodules.
const LONGEST: u64 = 1 << 20;

/// The submodules whose folders are empty or not there, all of them named.
pub(crate) fn missing_submodules(root: &Path) -> Option<LeftOut> {
    let list = root.join(".gitmodules");
    let is_list = fs::symlink_metadata(&list).is_ok_and(|found| found.is_file() && found.len() <= LONGEST);
    let text = fs::read(&list).ok().filter(|_| is_list)?;
    let text = String::from_utf8_lossy(&text);
    let paths = text.lines().filter_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "path").then(|| value.trim().trim_matches('"'))
    });
    let is_inside = |path: &&str| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let is_missing = |path: &&str| fs::read_dir(root.join(path)).map_or(true, |mut folder| folder.next().is_none());
    let examples: Vec<String> =
        paths.filter(is_inside).filter(is_missing).map(|path| printable(path.as_bytes())).collect();
    let count = examples.len() as u64;
    (count > 0).then_some(LeftOut { reason: Omission::Submodule, count, examples })
}
