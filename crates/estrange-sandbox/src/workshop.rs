//! Where foreign text is worked on: confined tools and workers, and a folder for their files.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::Error;
use crate::launcher::Launcher;
use crate::sandbox::{Protection, Sandbox};
use crate::tool::Tool;
use crate::wire::Access;
use crate::worker::{Pool, Service, WorkerLimits};

/// Confined tools that see the same files of the host; cheap to clone, usable from many threads at once.
#[derive(Debug, Clone)]
pub struct Workshop {
    sandbox: Sandbox,
    folder: PathBuf,
    shown: Vec<PathBuf>,
    kept: Option<PathBuf>,
}

impl Workshop {
    /// A workshop whose folders are made inside of `folder`. Nothing of the host is shown but the system's own software.
    pub fn new(sandbox: Sandbox, folder: impl Into<PathBuf>) -> Self {
        Self { sandbox, folder: folder.into(), shown: Vec::new(), kept: None }
    }

    /// A workshop by itself, with a sandbox of its own that this program keeps, in the system's folder for temporary
    /// files.
    pub fn temporary() -> Result<Self, Error> {
        Ok(Self::new(Sandbox::start(&Launcher::this_program(), Protection::Required)?, std::env::temp_dir()))
    }

    /// The same, where every tool may also read these files and folders of the host.
    pub fn showing<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.shown.extend(paths.into_iter().map(Into::into));
        self
    }

    /// The same, where what is made of texts of our own may be kept for later, in this folder.
    pub fn keeping(mut self, folder: impl Into<PathBuf>) -> Self {
        self.kept = Some(folder.into());
        self
    }

    /// The folder in which what is made of texts of our own may be kept. No tool sees it.
    pub fn kept(&self) -> Option<&Path> {
        self.kept.as_deref()
    }

    /// What confines its tools.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// The folder that its folders are made in.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// A new folder, which goes with its handle. A tool is shown it by [`Tool::works_in`].
    pub fn folder(&self, prefix: &str) -> io::Result<TempDir> {
        tempfile::Builder::new().prefix(prefix).tempdir_in(&self.folder)
    }

    /// A run of a confined tool.
    pub fn tool(&self, program: impl Into<OsString>) -> Tool {
        self.shown.iter().fold(self.sandbox.tool(program), |tool, path| tool.reads(path))
    }

    /// At most `size` confined workers, which may write in `folder`, and load what is in `libraries`.
    pub fn pool(
        &self,
        service: &'static Service,
        limits: WorkerLimits,
        size: usize,
        folder: &Path,
        libraries: &[PathBuf],
    ) -> Pool {
        let shown = self.shown.iter().map(|path| (path.clone(), Access::Read));
        let libraries = libraries.iter().map(|path| (path.clone(), Access::Load));
        let places = shown.chain(libraries).chain([(folder.to_owned(), Access::Write)]).collect();
        let pool = Pool::new(self.sandbox.launcher(), service, limits, size);
        match self.sandbox.is_protected() {
            true => pool.confined(places),
            false => pool,
        }
    }
}
