//! The fixes among a Debian package's patches.
//!
//! All patches are applied in memory, one after the other, to the tree without any of them: so it is known which lines each
//! touches in the state before it. What comes out in the end has to be what the package has.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use estrange_diff::{Changed, Patch};

use super::fix::{Fix, Fixes, Passed, Unfit, code_of, look};
use super::prose::Prose;
use super::texts::Texts;
use super::wanted::{Sign, Wanted};
use crate::changed::ChangedFile;
use crate::debian::patches_of;
use crate::fetched::Fetched;
use crate::job::Job;
use crate::loss::Loss;
use crate::spec::{Origin, Pin, Spec, Stop};

/// The fixes of a package.
pub(super) fn find(job: &Job<'_>, spec: &Spec, wanted: &Wanted) -> Result<Fixes, Loss> {
    let whole = job.fetch(spec)?;
    let applied: BTreeSet<&String> = whole.patches.iter().collect();
    let mut series = patches_of(&whole.root)?;
    series.retain(|(name, _)| applied.contains(name));
    let mut work = Work { job, whole: &whole, texts: None, fixes: Vec::new(), losses: Vec::new() };
    for (name, content) in series {
        work.patch(&name, content, wanted)?;
    }
    work.compare(&whole.root);
    let missing = wanted.names.iter().filter(|name| !whole.patches.contains(name));
    let not_there = |name: &String| Passed::new(name, &Prose::default(), Unfit::NotThere);
    work.losses.extend(missing.map(not_there));
    let source = Spec { origin: whole.pinned.origin().clone(), pin: Pin::default() };
    Ok(Fixes { source, seen: whole.patches.len(), fixes: work.fixes, losses: work.losses })
}

/// The fixes of a package as they are found.
struct Work<'a> {
    job: &'a Job<'a>,
    whole: &'a Fetched,
    /// The state that was reached in memory; none where it has to be had anew.
    texts: Option<Texts>,
    fixes: Vec<Fix>,
    losses: Vec<Passed>,
}

impl Work<'_> {
    /// Applies a patch, and takes it if it is wanted.
    fn patch(&mut self, name: &str, content: Vec<u8>, wanted: &Wanted) -> Result<(), Loss> {
        let read = Patch::read(&content);
        let prose = prose(name, read.as_ref().ok(), &content);
        let before = self.at(Stop::Before(name.to_owned()));
        if self.texts.is_none() {
            self.texts = Some(Texts::new(&self.tree(&before)?));
        }
        let files = read.map_err(Unfit::from).and_then(|patch| self.apply(&patch));
        if let Err(Unfit::Malformed(_) | Unfit::DoesNotApply(_)) = files {
            // GNU patch has applied it all the same: those behind it are applied to what that gave.
            self.compare(&self.tree(&before)?);
            self.texts = None;
        }
        if is_wanted(wanted, name, &prose) {
            match files {
                Ok(files) => self.fixes.push(self.fix(name, content, prose, files, before)),
                Err(unfit) => self.losses.push(Passed::new(name, &prose, unfit)),
            }
        }
        Ok(())
    }

    /// The code that a patch changes.
    fn apply(&mut self, patch: &Patch) -> Result<Vec<ChangedFile>, Unfit> {
        let changed = self.texts.as_mut().map_or(Ok(Vec::new()), |texts| texts.apply(patch))?;
        look(patch, 1)?;
        let files = code_of(changed.into_iter().map(fixed));
        if files.is_empty() { Err(Unfit::NoCode) } else { Ok(files) }
    }

    fn fix(&self, name: &str, diff: Vec<u8>, prose: Prose, files: Vec<ChangedFile>, before: Spec) -> Fix {
        Fix {
            name: name.to_owned(),
            title: prose.title,
            description: prose.description,
            cves: prose.cves,
            cwes: prose.cwes,
            signs: prose.signs.into_iter().collect(),
            diff,
            files,
            before,
            after: self.at(Stop::After(name.to_owned())),
        }
    }

    /// Takes the fixes back that touch files of which something else came out than a tree of the package has.
    fn compare(&mut self, root: &Path) {
        let Some(texts) = &self.texts else { return };
        for path in texts.differing(root) {
            let touches = |fix: &mut Fix| fix.files.iter().any(|file| file.paths().any(|other| other == path));
            let taken = self.fixes.extract_if(.., touches).map(|fix| Passed {
                unfit: Unfit::OtherText { path: path.to_owned() },
                name: fix.name,
                title: fix.title,
            });
            self.losses.extend(taken);
        }
    }

    /// The package at one of its patches.
    fn at(&self, stop: Stop) -> Spec {
        let Origin::Debian { name, version, .. } = self.whole.pinned.origin().clone() else {
            return self.whole.pinned.clone();
        };
        Spec { origin: Origin::Debian { name, version, stop: Some(stop) }, pin: Pin::default() }
    }

    fn tree(&self, spec: &Spec) -> Result<PathBuf, Loss> {
        Ok(self.job.fetch(spec)?.root)
    }
}

fn is_wanted(wanted: &Wanted, name: &str, prose: &Prose) -> bool {
    match wanted.names.as_slice() {
        [] => wanted.takes(&prose.signs, &[Sign::Cve]),
        names => names.iter().any(|wanted| wanted == name),
    }
}

/// What is written about a patch: its name and all prose in it, or the whole text of what is no sound patch.
fn prose(name: &str, patch: Option<&Patch>, content: &[u8]) -> Prose {
    match patch {
        Some(patch) => {
            let text = format!("{}{}", patch.description.text, patch.remarks);
            Prose::read(name, patch.description.title(), &text)
        }
        None => Prose::read(name, String::new(), &String::from_utf8_lossy(content)),
    }
}

fn fixed(file: Changed) -> ChangedFile {
    ChangedFile { old_path: file.old_path, new_path: file.new_path, touched: file.touched }
}
