//! The release binary, run as a user would, with a cache of its own in which nothing is downloaded again.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::measure::{Usage, run};

/// The folders of a cache that hold what was downloaded. Files are linked where they are only ever replaced as a
/// whole, and copied where they are not.
const LINKED: [&str; 2] = ["downloads", "records"];
const COPIED: [&str; 1] = ["apt"];

/// The binary and its cache.
pub struct Estrange {
    pub binary: PathBuf,
    pub scratch: PathBuf,
    pub jobs: usize,
}

impl Estrange {
    /// Makes the scratch folder ready, with what the user's own cache has downloaded.
    pub fn prepare(binary: PathBuf, scratch: PathBuf, jobs: usize) -> Result<Self, Box<dyn Error>> {
        let estrange = Self { binary, scratch, jobs };
        let cache = estrange.cache();
        if !cache.exists() {
            fs::create_dir_all(&cache)?;
            if let Some(from) = estrange_source::Cache::default_path() {
                for (folders, link) in [(&LINKED[..], true), (&COPIED[..], false)] {
                    for folder in folders.iter().filter(|folder| from.join(folder).is_dir()) {
                        copy(&from.join(folder), &cache.join(folder), link)?;
                    }
                }
            }
        }
        Ok(estrange)
    }

    pub fn cache(&self) -> PathBuf {
        self.scratch.join("cache")
    }

    /// A folder for a bench, which is not there yet.
    pub fn out(&self, name: &str) -> Result<PathBuf, Box<dyn Error>> {
        let folder = self.scratch.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        Ok(folder)
    }

    /// Fetches, surveys and configures sources, so that a build starts with them at hand.
    pub fn fetch(&self, sources: &[&str]) -> Result<(), Box<dyn Error>> {
        let mut arguments = vec![OsString::from("sources")];
        arguments.extend(sources.iter().map(OsString::from));
        let usage = self.run("sources", arguments, self.jobs, None)?;
        self.expect_success(&usage, "sources")
    }

    /// Removes what builds have kept: the next one is cold.
    pub fn forget(&self) -> io::Result<()> {
        match fs::remove_dir_all(self.cache().join("built")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Builds a bench.
    pub fn build(&self, sources: &[&str], out: &Path) -> Result<Usage, Box<dyn Error>> {
        self.build_with(sources, out, self.jobs)
    }

    /// Builds a bench with so many jobs.
    pub fn build_with(&self, sources: &[&str], out: &Path, jobs: usize) -> Result<Usage, Box<dyn Error>> {
        let usage = self.run("build", build_arguments(sources, out), jobs, None)?;
        self.expect_success(&usage, "build")?;
        Ok(usage)
    }

    /// Builds a bench with variants in these settings.
    pub fn build_settings(&self, sources: &[&str], out: &Path, settings: &str) -> Result<Usage, Box<dyn Error>> {
        self.build_more(sources, out, &["--settings", settings])
    }

    /// Builds a bench with more arguments.
    pub fn build_more(&self, sources: &[&str], out: &Path, more: &[&str]) -> Result<Usage, Box<dyn Error>> {
        let mut arguments = build_arguments(sources, out);
        arguments.extend(more.iter().map(OsString::from));
        let usage = self.run("build", arguments, self.jobs, None)?;
        self.expect_success(&usage, "build")?;
        Ok(usage)
    }

    /// Begins to build a bench, and kills that after some time, if it has not ended by then.
    pub fn build_killed(&self, sources: &[&str], out: &Path, after: Duration) -> Result<Usage, Box<dyn Error>> {
        self.run("killed", build_arguments(sources, out), self.jobs, Some(after))
    }

    /// Makes pairs, with all that is said of them.
    pub fn pairs(&self, sources: &[&str], out: &Path) -> Result<Usage, Box<dyn Error>> {
        let mut arguments = vec![OsString::from("pairs")];
        arguments.extend(sources.iter().map(OsString::from));
        arguments.extend([OsString::from("--out"), out.into()]);
        let usage = self.run("pairs", arguments, self.jobs, None)?;
        self.expect_success(&usage, "pairs")?;
        Ok(usage)
    }

    /// Writes pairs as programs that build.
    pub fn export_programs(&self, pairs: &Path, out: &Path, settings: &str) -> Result<(), Box<dyn Error>> {
        let mut arguments = vec![OsString::from("export"), pairs.into()];
        arguments.extend(["--format", "folder", "--setting", settings, "--out"].map(OsString::from));
        arguments.push(out.into());
        let usage = self.run("export", arguments, self.jobs, None)?;
        self.expect_success(&usage, "export")
    }

    fn run(
        &self,
        name: &str,
        mut arguments: Vec<OsString>,
        jobs: usize,
        kill_after: Option<Duration>,
    ) -> Result<Usage, Box<dyn Error>> {
        arguments.extend(["--jobs".into(), jobs.to_string().into()]);
        arguments.extend([OsString::from("--cache"), self.cache().into()]);
        let log = self.log(name);
        eprintln!("  `estrange {}`: how far it is stands in {}", arguments[0].display(), log.display());
        run(&self.binary, &arguments, &log, kill_after)
    }

    pub fn log(&self, name: &str) -> PathBuf {
        self.scratch.join(format!("{name}.log"))
    }

    fn expect_success(&self, usage: &Usage, name: &str) -> Result<(), Box<dyn Error>> {
        if usage.code == Some(0) {
            return Ok(());
        }
        let said = fs::read_to_string(self.log(name)).unwrap_or_default();
        Err(format!("`estrange {name}` failed: {said}").into())
    }
}

fn build_arguments(sources: &[&str], out: &Path) -> Vec<OsString> {
    let mut arguments = vec![OsString::from("build")];
    arguments.extend(sources.iter().map(OsString::from));
    arguments.extend([OsString::from("--out"), out.into()]);
    arguments
}

/// Copies a folder, or links its files. When a file changed stays known: apt goes by it.
fn copy(from: &Path, to: &Path, link: bool) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&path, &target, link)?;
        } else if kind.is_file() && !(link && fs::hard_link(&path, &target).is_ok()) {
            fs::copy(&path, &target)?;
            fs::File::options().write(true).open(&target)?.set_modified(entry.metadata()?.modified()?)?;
        }
    }
    Ok(())
}
