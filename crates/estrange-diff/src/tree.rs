//! Applies a whole patch to texts that the caller has by their paths.

use std::collections::BTreeMap;

use crate::error::{Misfit, Unapplied};
use crate::patch::{Change, FileDiff, Patch};
use crate::touched::Touch;

/// What one diff of a patch made of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The path before; none where the file is new.
    pub old_path: Option<String>,
    /// The path after; none where the file is gone.
    pub new_path: Option<String>,
    /// The text after; empty where the file is gone.
    pub text: Vec<u8>,
    /// The lines that changed.
    pub touched: Vec<Touch>,
}

/// Texts by their paths, where the caller's are overlaid with what the patch made so far.
struct Texts<R> {
    read: R,
    made: BTreeMap<String, Option<Vec<u8>>>,
}

impl<R: FnMut(&str) -> Option<Vec<u8>>> Texts<R> {
    fn get(&mut self, path: &str) -> Option<Vec<u8>> {
        self.made.get(path).cloned().unwrap_or_else(|| (self.read)(path))
    }
}

impl Patch {
    /// Applies all diffs in order, with names that lose their first `strip` folders, to the texts that `read` gives.
    ///
    /// A file may come several times: a later diff finds what an earlier one made. Diffs of modes and of binary
    /// content change nothing here.
    pub fn apply(&self, strip: usize, read: impl FnMut(&str) -> Option<Vec<u8>>) -> Result<Vec<Changed>, Unapplied> {
        let mut texts = Texts { read, made: BTreeMap::new() };
        let files = self.files.iter().filter(|file| !matches!(file.change, Change::Mode | Change::Binary));
        let apply = |file: &FileDiff| {
            let changed = one(file, strip, &mut texts);
            changed.map_err(|misfit| Unapplied { path: file.name().to_owned(), misfit })
        };
        files.map(apply).collect()
    }
}

fn one<R: FnMut(&str) -> Option<Vec<u8>>>(
    file: &FileDiff,
    strip: usize,
    texts: &mut Texts<R>,
) -> Result<Changed, Misfit> {
    let (old_path, new_path) = paths(file, strip, texts)?;
    let old = match (&old_path, &new_path) {
        (Some(path), _) => texts.get(path).ok_or(Misfit::Missing)?,
        // An empty file may be there already.
        (None, Some(path)) => texts.get(path).unwrap_or_default(),
        (None, None) => return Err(Misfit::Name),
    };
    let applied = file.apply(&old)?;
    if let Some(path) = old_path.iter().find(|_| file.change != Change::Copied) {
        texts.made.insert(path.clone(), None);
    }
    if let Some(path) = &new_path {
        texts.made.insert(path.clone(), Some(applied.text.clone()));
    }
    Ok(Changed { old_path, new_path, text: applied.text, touched: applied.touched })
}

type Paths = (Option<String>, Option<String>);

/// The path that is read, and the path that is written.
fn paths<R: FnMut(&str) -> Option<Vec<u8>>>(
    file: &FileDiff,
    strip: usize,
    texts: &mut Texts<R>,
) -> Result<Paths, Misfit> {
    let (old, new) = (file.old_path(strip), file.new_path(strip));
    match file.change {
        Change::Created => Ok((None, Some(new.ok_or(Misfit::Name)?))),
        Change::Deleted => Ok((Some(old.ok_or(Misfit::Name)?), None)),
        Change::Renamed | Change::Copied => Ok((Some(old.ok_or(Misfit::Name)?), Some(new.ok_or(Misfit::Name)?))),
        _ => modified(file, old, new, texts),
    }
}

/// A file that keeps its name may have another one on one side, such as `x.c.orig`: the one that is there counts.
fn modified<R: FnMut(&str) -> Option<Vec<u8>>>(
    file: &FileDiff,
    old: Option<String>,
    new: Option<String>,
    texts: &mut Texts<R>,
) -> Result<Paths, Misfit> {
    let there = [&new, &old].into_iter().flatten().find(|path| texts.get(path).is_some()).cloned();
    if let Some(path) = there {
        return Ok((Some(path.clone()), Some(path)));
    }
    // Without a word about it, a file is new that has no lines before.
    let is_new = file.hunks.iter().all(|hunk| hunk.old.count == 0);
    match new.or(old) {
        None => Err(Misfit::Name),
        path if is_new => Ok((None, path)),
        _ => Err(Misfit::Missing),
    }
}
