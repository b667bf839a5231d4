//! A prepared project as it is kept, so that the next run need not build and test it first.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use estrange_sandbox::{Sandbox, Usage};
use serde::{Deserialize, Serialize};

use crate::archive::Image;
use crate::error::SuiteError;
use crate::project_file::ProjectFile;
use crate::suite::{Suite, wanted};
use crate::untouched::Untouched;

/// All that was found out about a project.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kept {
    image: Vec<u8>,
    source: BTreeMap<String, [u8; 32]>,
    untouched: Untouched,
    wall: Duration,
    cpu: Duration,
    peak_memory: u64,
}

impl Suite {
    /// What is kept of it.
    pub fn kept(&self) -> Kept {
        let Usage { wall, cpu, peak_memory } = self.built;
        let source = self.source.iter().map(|(path, digest)| (path.clone(), *digest.as_bytes())).collect();
        Kept { image: self.image.bytes().to_vec(), source, untouched: self.untouched.clone(), wall, cpu, peak_memory }
    }

    /// The project that was kept, of this file and tree.
    ///
    /// # Errors
    /// When the sandbox does not protect, as in [`Suite::prepare`], or what was kept is no archive.
    pub fn of_kept(kept: Kept, sandbox: &Sandbox, file: &ProjectFile, tree: &Path) -> Result<Self, SuiteError> {
        if !sandbox.is_protected() {
            return Err(SuiteError::Unprotected);
        }
        let image = Image::read(kept.image).map_err(|error| SuiteError::Guest { why: error.to_string() })?;
        Ok(Self {
            sandbox: sandbox.clone(),
            file: file.clone(),
            tree: tree.to_owned(),
            source: kept.source.into_iter().map(|(path, digest)| (path, digest.into())).collect(),
            wanted: wanted(&image),
            untouched: kept.untouched,
            built: Usage { wall: kept.wall, cpu: kept.cpu, peak_memory: kept.peak_memory },
            image,
        })
    }
}
