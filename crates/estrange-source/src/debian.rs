//! Debian source packages: found and downloaded through apt, unpacked and patched the way `dpkg-source` does it.

mod apt;
mod assemble;
mod control;
mod machine;
mod patches;
mod version;

use std::path::Path;

use crate::cache::{Key, Tree};
use crate::fetched::Fetched;
use crate::job::{Job, Parts};
use crate::loss::Loss;
use crate::spec::{Origin, Spec, Stop};
use crate::unpack::VERSION;
use apt::Apt;
use assemble::{end_of, no_such_patch};

/// Has a source package with all of its patches, or in the state where they `stop`.
pub(crate) fn fetch(
    job: &Job<'_>,
    spec: &Spec,
    name: &str,
    version: Option<&str>,
    stop: Option<&Stop>,
) -> Result<Fetched, Loss> {
    let version = match version {
        Some(version) => version.to_owned(),
        None => {
            let newest = Key::new("newest-debian", [name]);
            job.latest(&newest, name, || Ok(Apt::new(job)?.find(name, None)?.version))?
        }
    };
    let parts = parts(job, name, &version)?;
    let tree = tree(job, name, &parts, stop)?;
    let origin = Origin::Debian { name: name.to_owned(), version: Some(version.clone()), stop: stop.cloned() };
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
fn tree(job: &Job<'_>, name: &str, parts: &Parts, stop: Option<&Stop>) -> Result<Tree, Loss> {
    let digests: Vec<String> = parts.downloads.iter().map(|download| download.sha256.to_string()).collect();
    let key =
        |kind: &str, first: &[&str]| Key::new(kind, first.iter().copied().chain(digests.iter().map(String::as_str)));
    let series = key("debian-series", &[]);
    let stop = same_state(name, job.cache.record(&series), stop)?;
    let (what, mark) = match &stop {
        None => (name.to_owned(), String::new()),
        Some(Stop::Before(patch)) => (format!("{name} before {patch}"), format!("before {patch}")),
        Some(Stop::After(patch)) => (format!("{name} after {patch}"), format!("after {patch}")),
    };
    let make = |work: &Path| assemble::assemble(job, &parts.downloads, work, stop.as_ref());
    let tree = job.cache.tree(&key("debian", &[VERSION, &mark]), &what, job.progress, make)?;
    if stop.is_none() && job.cache.is_writable() && job.cache.record(&series).as_ref() != Some(&tree.made.patches) {
        let _lock = job.cache.lock(&series, job.progress)?;
        job.cache.keep_record(&series, &tree.made.patches)?;
    }
    Ok(tree)
}

/// The state right after a patch is the one before the next, or the last: it is kept once. That takes the package's
/// `series` of patches, which is known where all of them were applied once.
fn same_state(name: &str, series: Option<Vec<String>>, stop: Option<&Stop>) -> Result<Option<Stop>, Loss> {
    let (Some(mut series), Some(stop @ Stop::After(_))) = (series, stop) else { return Ok(stop.cloned()) };
    let end = end_of(series.iter().map(String::as_str), stop).ok_or_else(|| no_such_patch(name, stop))?;
    Ok((end < series.len()).then(|| Stop::Before(series.swap_remove(end))))
}

/// The patches of a tree's series, in order: names and contents.
pub(crate) fn patches_of(root: &Path) -> Result<Vec<(String, Vec<u8>)>, Loss> {
    Ok(patches::series(root)?.into_iter().map(|patch| (patch.name, patch.content)).collect())
}

#[cfg(test)]
pub(crate) mod tests;
