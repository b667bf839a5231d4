//! Debian source packages: found and downloaded through apt, unpacked and patched the way `dpkg-source` does it.

mod apt;
mod assemble;
mod control;
mod machine;
mod patches;
mod version;

use std::path::PathBuf;

use estrange_sandbox::Sandbox;
use serde::Serialize;

use crate::cache::{Cache, Key, Tree};
use crate::digest::TreeDigest;
use crate::fetched::Fetched;
use crate::http::Patience;
use crate::job::{Job, Parts};
use crate::loss::Loss;
use crate::progress::Progress;
use crate::spec::{Origin, Spec};
use crate::unpack::VERSION;
use apt::Apt;
use assemble::Until;

/// Has a source package.
pub(crate) fn fetch(job: &Job<'_>, spec: &Spec, name: &str, version: Option<&str>) -> Result<Fetched, Loss> {
    let version = match version {
        Some(version) => version.to_owned(),
        None => {
            let newest = Key::new("newest-debian", [name]);
            job.latest(&newest, name, || Ok(Apt::new(job)?.find(name, None)?.version))?
        }
    };
    let parts = parts(job, name, &version)?;
    let tree = tree(job, name, &parts, &Until::End)?;
    let origin = Origin::Debian { name: name.to_owned(), version: Some(version.clone()) };
    Fetched::new(spec, origin, version, parts.downloads, tree)
}

/// The files of a source package.
fn parts(job: &Job<'_>, name: &str, version: &str) -> Result<Parts, Loss> {
    let key = Key::new("debian", [name, version]);
    job.parts(&key, name, || {
        let apt = Apt::new(job)?;
        apt.download(name, &apt.find(name, Some(version))?, &key)
    })
}

/// The tree of a source package, with its patches up to some point.
fn tree(job: &Job<'_>, name: &str, parts: &Parts, until: &Until<'_>) -> Result<Tree, Loss> {
    let digests: Vec<String> = parts.downloads.iter().map(|download| download.sha256.to_string()).collect();
    let (what, mark) = match until {
        Until::End => (name.to_owned(), String::new()),
        Until::Before(patch) => (format!("{name} before {patch}"), format!("before {patch}")),
    };
    let key = Key::new("debian", [VERSION, &mark].into_iter().chain(digests.iter().map(String::as_str)));
    job.cache.tree(&key, &what, job.progress, |work| assemble::assemble(job, &parts.downloads, work, until))
}

/// A Debian source package in the state just before one of its patches.
#[derive(Debug, Clone, Serialize)]
pub struct BeforePatch {
    /// The patch that comes next.
    pub patch: String,
    /// The patches that were applied.
    pub applied: Vec<String>,
    /// The digest of the tree.
    pub tree: TreeDigest,
    /// Where the tree is. It belongs to the cache: copy it to change it.
    #[serde(skip)]
    pub root: PathBuf,
}

impl Fetched {
    /// The tree just before `patch`, one of [`Fetched::patches`], was applied: kept and verified like any other.
    pub fn before_patch(
        &self,
        patch: &str,
        cache: &Cache,
        sandbox: &Sandbox,
        progress: &dyn Progress,
    ) -> Result<BeforePatch, Loss> {
        let Origin::Debian { name, .. } = self.pinned.origin() else {
            return Err(Loss::NoSuchPatch { package: self.name.clone(), patch: patch.to_owned() });
        };
        if !self.patches.iter().any(|known| known == patch) {
            return Err(Loss::NoSuchPatch { package: name.clone(), patch: patch.to_owned() });
        }
        let job = Job { cache, sandbox, progress, patience: Patience::default() };
        let parts = parts(&job, name, &self.version)?;
        let tree = tree(&job, name, &parts, &Until::Before(patch))?;
        Ok(BeforePatch {
            patch: patch.to_owned(),
            applied: tree.made.patches,
            tree: tree.summary.digest,
            root: tree.root,
        })
    }
}

#[cfg(test)]
mod tests;
