//! Debian source packages: found and downloaded through apt, unpacked and patched the way `dpkg-source` does it.

mod apt;
mod assemble;
mod control;
mod machine;
mod patches;
mod version;

use crate::cache::{Key, Tree};
use crate::fetched::Fetched;
use crate::job::{Job, Parts};
use crate::loss::Loss;
use crate::spec::{Origin, Spec};
use crate::unpack::VERSION;
use apt::Apt;
use assemble::Until;

/// Has a source package with all of its patches, or in the state just `before` one of them.
pub(crate) fn fetch(
    job: &Job<'_>,
    spec: &Spec,
    name: &str,
    version: Option<&str>,
    before: Option<&str>,
) -> Result<Fetched, Loss> {
    let version = match version {
        Some(version) => version.to_owned(),
        None => {
            let newest = Key::new("newest-debian", [name]);
            job.latest(&newest, name, || Ok(Apt::new(job)?.find(name, None)?.version))?
        }
    };
    let parts = parts(job, name, &version)?;
    let tree = tree(job, name, &parts, &before.map_or(Until::End, Until::Before))?;
    let origin =
        Origin::Debian { name: name.to_owned(), version: Some(version.clone()), before: before.map(str::to_owned) };
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

#[cfg(test)]
mod tests;
