//! An archive as a source, from this machine or from the web: the file is kept by its digest and unpacked once.

use std::io::ErrorKind;
use std::path::Path;

use crate::cache::{Download, Key, Made, Tree};
use crate::digest::Sha256;
use crate::fetched::Fetched;
use crate::http;
use crate::job::Job;
use crate::loss::Loss;
use crate::spec::{Origin, Spec};
use crate::unpack::{self, VERSION, links};

/// Takes an archive of this machine.
pub(crate) fn fetch_file(job: &Job<'_>, spec: &Spec, path: &Path) -> Result<Fetched, Loss> {
    let unread = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Loss::NotFound { what: path.display().to_string() },
        _ => Loss::io("read", path)(error),
    };
    let metadata = path.metadata().map_err(unread)?;
    if metadata.is_dir() {
        return crate::directory::fetch(job, spec, path);
    }
    if !metadata.is_file() {
        return Err(Loss::Unsupported { what: path.display().to_string(), format: "what is no file".to_owned() });
    }
    let (sha256, bytes) = Sha256::of_file(path).map_err(unread)?;
    check(spec, sha256)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut download = Download { name, sha256, bytes };
    if job.cache.download(sha256)?.is_none() {
        job.cache.require_writable(&download.name)?;
        let key = Key::new("copy", [sha256.to_string().as_str()]);
        let _lock = job.cache.lock(&key, job.progress)?;
        download = job.cache.copy_download(path, &download.name, &key)?;
        // The file may have changed between the two readings.
        check(spec, download.sha256)?;
    }
    finish(job, spec, Origin::Archive(path.to_owned()), download)
}

/// Takes an archive from the web.
pub(crate) fn fetch_url(job: &Job<'_>, spec: &Spec, url: &str) -> Result<Fetched, Loss> {
    let download = http::fetch(job, url, spec.pin().sha256)?;
    check(spec, download.sha256)?;
    finish(job, spec, Origin::Url(url.to_owned()), download)
}

fn check(spec: &Spec, found: Sha256) -> Result<(), Loss> {
    match spec.pin().sha256 {
        Some(expected) if expected != found => {
            Err(Loss::HashMismatch { what: spec.name(), expected: expected.to_string(), found: found.to_string() })
        }
        _ => Ok(()),
    }
}

fn finish(job: &Job<'_>, spec: &Spec, origin: Origin, download: Download) -> Result<Fetched, Loss> {
    let tree = unpacked(job, &download, true)?;
    let version = format!("sha256:{:.12}", download.sha256.to_string());
    Fetched::new(spec, origin, version, vec![download], tree)
}

/// The tree in a kept archive. With `strip`, a lone folder at the top is taken away.
pub(crate) fn unpacked(job: &Job<'_>, download: &Download, strip: bool) -> Result<Tree, Loss> {
    let sha256 = download.sha256.to_string();
    let key = Key::new(if strip { "archive" } else { "whole-archive" }, [VERSION, &sha256]);
    job.cache.tree(&key, &download.name, job.progress, |work| {
        let gone = || Loss::Damaged { what: download.name.clone(), detail: "its kept copy is gone".to_owned() };
        let file = job.cache.download(download.sha256)?.ok_or_else(gone)?;
        let root = work.join("root");
        std::fs::create_dir(&root).map_err(Loss::io("make the folder", &root))?;
        let mut unpacked = unpack::unpack(&file, &download.name, &root, strip, job.cache.bounds())?;
        links::make(&root, &unpacked.links, &mut unpacked.omissions)?;
        Ok(Made { left_out: unpacked.omissions.into_list(), patches: Vec::new() })
    })
}
