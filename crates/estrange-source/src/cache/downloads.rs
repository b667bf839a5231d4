//! Downloaded files, kept by their SHA-256.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Cache, Key};
use crate::digest::Sha256;
use crate::loss::Loss;

/// A file that a source was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Download {
    /// The name it was offered under.
    pub name: String,
    /// Its digest.
    pub sha256: Sha256,
    /// Its length.
    pub bytes: u64,
}

impl Cache {
    /// The kept file of this digest, hashed again just now. A damaged one is thrown away.
    pub(crate) fn download(&self, sha256: Sha256) -> Result<Option<PathBuf>, Loss> {
        let path = self.folder("downloads").join(sha256.to_string());
        match Sha256::of_file(&path) {
            Ok((found, _)) if found == sha256 => Ok(Some(path)),
            Ok((found, _)) => {
                tracing::warn!(%sha256, %found, "a kept download is damaged");
                if self.writable {
                    super::remove(&path).map_err(Loss::io("remove", &path))?;
                }
                Ok(None)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Loss::io("read", &path)(error)),
        }
    }

    /// Takes a finished file out of a folder of this cache and keeps it by its digest.
    pub(crate) fn keep_download(&self, file: &Path, name: &str) -> Result<Download, Loss> {
        let (sha256, bytes) = Sha256::of_file(file).map_err(Loss::io("read", file))?;
        let path = self.folder("downloads").join(sha256.to_string());
        fs::set_permissions(file, fs::Permissions::from_mode(0o644)).map_err(Loss::io("set permissions of", file))?;
        fs::rename(file, &path).map_err(Loss::io("rename to", &path))?;
        Ok(Download { name: name.to_owned(), sha256, bytes })
    }

    /// Copies a file from elsewhere into the cache. `key` names the copy while it is under way.
    pub(crate) fn copy_download(&self, file: &Path, name: &str, key: &Key) -> Result<Download, Loss> {
        let work = self.work(key)?;
        let copy = work.path().join("file");
        copy_file(file, &copy).map_err(Loss::io("copy", file))?;
        self.keep_download(&copy, name)
    }
}

/// Copies the content only, so that neither times nor permissions come along.
fn copy_file(from: &Path, to: &Path) -> io::Result<u64> {
    io::copy(&mut File::open(from)?, &mut File::create(to)?)
}
