//! Debian's archive, through apt's own client with a configuration of our own: it verifies signatures and digests,
//! resumes downloads, and knows the machine's mirrors and proxies.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use estrange_sandbox::{Tool, ToolOutput};

use super::control::Stanza;
use super::machine;
use super::version;
use crate::cache::{Key, Lock};
use crate::digest::Sha256;
use crate::job::{Job, Parts};
use crate::loss::Loss;
use crate::progress::Step;

/// How long the list of packages is taken for fresh.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);
/// How long no second look is taken, even for what is not in the list.
const JUST_NOW: Duration = Duration::from_secs(5 * 60);

/// The room that a refreshed list takes, with what apt needs on the way.
const LIST_ROOM: u64 = 192 * 1024 * 1024;

/// What apt must not do on our behalf: run the machine's hooks. They are for the machine's own package lists.
const CONFIGURATION: &str = "\
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Invoke;
#clear DPkg::Post-Invoke;
APT::Sandbox::User \"root\";
APT::Get::Only-Source \"true\";
Dir::Cache::pkgcache \"\";
Dir::Cache::srcpkgcache \"\";
Acquire::Languages \"none\";
Acquire::Retries \"3\";
Acquire::http::Timeout \"30\";
Acquire::https::Timeout \"30\";
";

/// A source package as the archive's signed index describes it.
#[derive(Debug, Clone)]
pub(super) struct Package {
    pub(super) version: String,
    files: Vec<Listed>,
}

/// A file that the index lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) sha256: Sha256,
    pub(super) bytes: u64,
}

/// apt, with a configuration in our cache.
pub(super) struct Apt<'a> {
    job: &'a Job<'a>,
    /// Named after the source list: a machine set up otherwise has another.
    folder: PathBuf,
    key: Key,
}

impl<'a> Apt<'a> {
    pub(super) fn new(job: &'a Job<'a>) -> Result<Self, Loss> {
        job.cache.require_writable("the list of Debian's packages")?;
        let list = machine::source_list();
        if list.is_empty() {
            return Err(Loss::NoDebianArchive);
        }
        let key = Key::new("apt", [list.as_str(), CONFIGURATION]);
        let folder = job.cache.folder("apt").join(&key);
        let apt = Self { job, folder, key };
        if !apt.path("estrange.conf").exists() {
            let _lock = apt.lock()?;
            for folder in ["lists/partial", "cache/archives/partial"] {
                fs::create_dir_all(apt.path(folder)).map_err(Loss::io("make the folder", apt.path(folder)))?;
            }
            // The configuration comes last: where it is, the rest is too.
            for (name, text) in [("estrange.sources", list.as_str()), ("estrange.conf", CONFIGURATION)] {
                let fresh = apt.path("fresh");
                fs::write(&fresh, text).map_err(Loss::io("write", &fresh))?;
                fs::rename(&fresh, apt.path(name)).map_err(Loss::io("rename to", apt.path(name)))?;
            }
        }
        Ok(apt)
    }

    /// A package in this version, or in its newest. The list is refreshed when it is a day old, and once more when
    /// it does not have what is asked for.
    pub(super) fn find(&self, name: &str, wanted: Option<&str>) -> Result<Package, Loss> {
        self.refresh(FRESH)?;
        let found = self.look_up(name, wanted);
        if matches!(found, Err(Loss::NotFound { .. } | Loss::VersionNotFound { .. })) && self.refresh(JUST_NOW)? {
            return self.look_up(name, wanted);
        }
        found
    }

    fn look_up(&self, name: &str, wanted: Option<&str>) -> Result<Package, Loss> {
        let output = self.tool("apt-cache").arguments(["showsrc", "--only-source", name]).run()?;
        let mut packages: Vec<Package> = Stanza::read_all(&output.text())
            .iter()
            .filter(|stanza| stanza.get("Package") == Some(name))
            .filter_map(|stanza| Some(Package { version: stanza.get("Version")?.to_owned(), files: listed(stanza) }))
            .collect();
        packages.sort_by(|a, b| version::compare(&b.version, &a.version));
        let known: Vec<String> = packages.iter().map(|package| package.version.clone()).collect();
        let found = packages.into_iter().find(|package| wanted.is_none_or(|wanted| wanted == package.version));
        match (found, wanted) {
            (Some(package), _) => Ok(package),
            (None, Some(wanted)) if !known.is_empty() => {
                Err(Loss::VersionNotFound { name: name.to_owned(), version: wanted.to_owned(), known })
            }
            _ if output.success() || output.last_words(8).contains("Unable to locate") => {
                Err(Loss::NotFound { what: format!("the Debian source package {name}") })
            }
            _ => Err(Loss::tool("apt-cache", &output)),
        }
    }

    /// Downloads a package's files and keeps them, each verified against the index.
    pub(super) fn download(&self, name: &str, package: &Package, key: &Key) -> Result<Parts, Loss> {
        let folder = self.job.cache.partial(key)?;
        let total: u64 = package.files.iter().map(|file| file.bytes).sum();
        self.job.cache.require_room(total + 16 * 1024 * 1024)?;
        let step = Step::new(self.job.progress, &format!("downloading {name} {}", package.version), Some(total));
        let wanted = format!("{name}={}", package.version);
        let tool = self
            .tool("apt-get")
            .arguments(["source", "--download-only", "-q", &wanted])
            .directory(&folder)
            // Ten minutes, and more where there is more than a slow line brings in that time.
            .wall(Duration::from_secs(600 + total / 50_000));
        let output = watched(&folder, package, &step, || tool.run())?;
        if !output.success() {
            return Err(refused(&wanted, &output));
        }
        let mut downloads = Vec::new();
        for file in &package.files {
            let path = folder.join(&file.name);
            let (found, _) = Sha256::of_file(&path).map_err(Loss::io("read", &path))?;
            if found != file.sha256 {
                crate::cache::remove(&path).map_err(Loss::io("remove", &path))?;
                return Err(Loss::HashMismatch {
                    what: file.name.clone(),
                    expected: file.sha256.to_string(),
                    found: found.to_string(),
                });
            }
            downloads.push(self.job.cache.keep_download(&path, &file.name)?);
        }
        crate::cache::remove(&folder).map_err(Loss::io("remove", &folder))?;
        Ok(Parts { downloads })
    }

    /// Refreshes the list if it is older than `age`; whether it was. Without a network an old list will do, and so will
    /// a part of it where only some of the archives can be reached.
    fn refresh(&self, age: Duration) -> Result<bool, Loss> {
        if self.is_newer(age) {
            return Ok(false);
        }
        let _lock = self.lock()?;
        // Another process may have refreshed it while this one waited.
        if self.is_newer(age) {
            return Ok(true);
        }
        // On a full disk, apt's downloads stall for good instead of failing.
        self.job.cache.require_room(LIST_ROOM)?;
        let step = Step::new(self.job.progress, "refreshing the list of Debian's packages", None);
        let output = self.tool("apt-get").arguments(["update", "-q"]).wall(Duration::from_secs(600)).run()?;
        drop(step);
        let stamp = self.path("updated");
        // apt counts an archive that it cannot reach as a warning.
        let whole = output.success() && !String::from_utf8_lossy(&output.stderr).contains("Failed to fetch");
        if whole {
            fs::write(&stamp, "").map_err(Loss::io("write", &stamp))?;
            return Ok(true);
        }
        if let Some(loss) = Loss::full_disk("apt-get", &output) {
            return Err(loss);
        }
        if self.has_lists() {
            self.job.progress.message("not all of Debian's archive is reachable; going on with the lists at hand");
            return Ok(false);
        }
        Err(Loss::Network { what: "Debian's archive".to_owned(), detail: Loss::words(&output) })
    }

    /// Whether there is a list of any archive's source packages.
    fn has_lists(&self) -> bool {
        let entries = fs::read_dir(self.path("lists")).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.file_name().to_string_lossy().contains("_Sources"))
    }

    fn is_newer(&self, age: Duration) -> bool {
        let updated = fs::metadata(self.path("updated")).and_then(|metadata| metadata.modified());
        // A stamp from the future says nothing.
        updated.is_ok_and(|updated| SystemTime::now().duration_since(updated).is_ok_and(|past| past < age))
    }

    fn lock(&self) -> Result<Lock, Loss> {
        self.job.cache.lock(&self.key, self.job.progress)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A program of apt's, set up to touch nothing of the machine's.
    fn tool(&self, program: &str) -> Tool {
        let mut tool =
            Tool::new(program).environment("LC_ALL", "C").argument("-c").argument(self.path("estrange.conf"));
        let folders = [
            ("Dir::State::Lists", "lists"),
            ("Dir::Cache", "cache"),
            ("Dir::Etc::SourceList", "estrange.sources"),
            ("Dir::Etc::SourceParts", "none"),
        ];
        for (option, name) in folders {
            let mut setting = std::ffi::OsString::from(format!("{option}="));
            setting.push(self.path(name));
            tool = tool.argument("-o").argument(setting);
        }
        tool
    }
}

/// The files that a stanza lists with their SHA-256.
pub(super) fn listed(stanza: &Stanza) -> Vec<Listed> {
    let lines = stanza.get("Checksums-Sha256").unwrap_or_default().lines();
    lines
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (sha256, bytes, name) = (words.next()?, words.next()?, words.next()?);
            let plain = !name.contains('/') && !name.starts_with('.') && !name.is_empty();
            let (sha256, bytes) = (sha256.parse().ok()?, bytes.parse().ok()?);
            plain.then(|| Listed { name: name.to_owned(), sha256, bytes })
        })
        .collect()
}

/// Runs `action` while the growth of the files is reported.
fn watched<T: Send>(folder: &Path, package: &Package, step: &Step<'_>, action: impl FnOnce() -> T + Send) -> T {
    let over = AtomicBool::new(false);
    let size = || -> u64 {
        let length = |file: &Listed| fs::metadata(folder.join(&file.name)).map_or(0, |metadata| metadata.len());
        package.files.iter().map(length).sum()
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut seen = 0;
            while !over.load(Ordering::Relaxed) {
                let now = size();
                step.advanced(now.saturating_sub(seen));
                seen = seen.max(now);
                thread::sleep(Duration::from_millis(50));
            }
            step.advanced(size().saturating_sub(seen));
        });
        let result = action();
        over.store(true, Ordering::Relaxed);
        result
    })
}

/// Why apt did not download a package.
fn refused(wanted: &str, output: &ToolOutput) -> Loss {
    if let Some(loss) = Loss::full_disk("apt-get", output) {
        return loss;
    }
    let words = output.last_words(6);
    if words.contains("404  Not Found") {
        return Loss::NotOnMirror { package: wanted.to_owned() };
    }
    let signs = ["Failed to fetch", "Could not", "Temporary failure", "Connection", "timed out"];
    if signs.iter().any(|sign| words.contains(sign)) {
        return Loss::Network { what: format!("Debian's archive, for {wanted}"), detail: Loss::words(output) };
    }
    Loss::tool("apt-get", output)
}
