//! Packages of Cargo's registry, through cargo's own client: it knows the registry, its mirrors and its proxies.
//!
//! `cargo info` downloads a package into cargo's home as a `.crate` file; from there it is copied into our cache,
//! after its digest was compared with the one in cargo's copy of the registry's index.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::{Tool, ToolOutput};
use serde::Deserialize;

use crate::archive;
use crate::cache::Key;
use crate::digest::Sha256;
use crate::fetched::Fetched;
use crate::job::{Job, Parts};
use crate::loss::Loss;
use crate::progress::Step;
use crate::spec::{Origin, Spec};

/// A package whose version is known in full.
struct Package {
    name: String,
    version: String,
}

/// Has a package of the registry.
pub(crate) fn fetch(job: &Job<'_>, spec: &Spec, name: &str, version: Option<&str>) -> Result<Fetched, Loss> {
    let home = CargoHome::find();
    let wanted = match version {
        Some(version) => version.to_owned(),
        None => job.latest(&Key::new("newest-crate", [name]), name, || Ok(ask(job, &home, name, None)?.version))?,
    };
    let key = Key::new("crate", [name, &wanted]);
    let parts = job.parts(&key, name, || get(job, &home, name, &wanted, &key))?;
    let Some(download) = parts.downloads.first().cloned() else {
        return Err(Loss::Damaged { what: name.to_owned(), detail: "its record names no file".to_owned() });
    };
    let tree = archive::unpacked(job, &download, true)?;
    // The file is `NAME-VERSION.crate`, with the name and the version as the registry spells them: `_` may have been
    // written `-`, and build metadata may have been left out.
    let spelled = download.name.trim_end_matches(".crate");
    let version = spelled.get(name.len() + 1..).unwrap_or(&wanted).to_owned();
    let name = spelled.get(..name.len()).unwrap_or(name).to_owned();
    let origin = Origin::Crate { name, version: Some(version.clone()) };
    Fetched::new(spec, origin, version, parts.downloads, tree)
}

/// Copies a package into our cache: from cargo's home, and there through cargo where it is not there yet.
fn get(job: &Job<'_>, home: &CargoHome, name: &str, version: &str, key: &Key) -> Result<Parts, Loss> {
    let found = match home.package(name, version) {
        Some(found) => found,
        None => {
            let package = ask(job, home, name, Some(version))?;
            home.package(&package.name, &package.version).ok_or_else(|| Loss::ToolFailed {
                program: "cargo".to_owned(),
                detail: format!("it left no file of {name} {version} with a known digest in {}", home.0.display()),
            })?
        }
    };
    let file_name = found.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let download = job.cache.copy_download(&found.file, &file_name, key)?;
    if download.sha256 != found.sha256 {
        return Err(Loss::HashMismatch {
            what: file_name,
            expected: found.sha256.to_string(),
            found: download.sha256.to_string(),
        });
    }
    Ok(Parts { downloads: vec![download] })
}

/// Asks cargo for a package, which downloads it; without a network, for what cargo has.
fn ask(job: &Job<'_>, home: &CargoHome, name: &str, version: Option<&str>) -> Result<Package, Loss> {
    let _step = Step::new(job.progress, &format!("asking cargo for {name}"), None);
    let online = info(name, version, false)?;
    if online.success() {
        return read_info(&online);
    }
    let words = online.last_words(8);
    if words.contains("could not find") {
        return Err(home.missing(name, version));
    }
    if let Some(loss) = Loss::full_disk("cargo", &online) {
        return Err(loss);
    }
    let offline = info(name, version, true)?;
    if offline.success() {
        return read_info(&offline);
    }
    let signs = ["download", "network", "resolve host", "timed out", "timeout", "connect"];
    if signs.iter().any(|sign| words.contains(sign)) {
        return Err(Loss::Network { what: format!("the registry, for {name}"), detail: Loss::words(&online) });
    }
    Err(Loss::tool("cargo", &online))
}

fn info(name: &str, version: Option<&str>, offline: bool) -> Result<ToolOutput, Loss> {
    let package = version.map_or_else(|| name.to_owned(), |version| format!("{name}@{version}"));
    let mut tool = Tool::new("cargo").arguments(["info", "--quiet", "--color=never"]);
    if offline {
        tool = tool.argument("--offline");
    }
    // At the root of the file system, no workspace's lock file has a say in the version.
    Ok(tool.argument("--").argument(package).directory("/").wall(Duration::from_secs(300)).run()?)
}

/// Reads what `cargo info` prints: the name first, and `version: VERSION` on a line of its own.
fn read_info(output: &ToolOutput) -> Result<Package, Loss> {
    let text = output.text();
    let name = text.split_whitespace().next().map(str::to_owned);
    let version = text.lines().find_map(|line| line.strip_prefix("version: ")?.split_whitespace().next());
    match (name, version) {
        (Some(name), Some(version)) => Ok(Package { name, version: version.to_owned() }),
        _ => Err(Loss::ToolFailed { program: "cargo".to_owned(), detail: "it named no version".to_owned() }),
    }
}

/// Cargo's home folder, in which it keeps packages and its copy of the index.
struct CargoHome(PathBuf);

/// A package in cargo's home, with the digest that the index gives for it.
struct Found {
    file: PathBuf,
    sha256: Sha256,
}

/// One version in the registry's index.
#[derive(Debug, Deserialize)]
struct Release {
    name: String,
    vers: String,
    cksum: Sha256,
    #[serde(default)]
    yanked: bool,
}

impl CargoHome {
    fn find() -> Self {
        let set = std::env::var_os("CARGO_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
        let usual = || std::env::home_dir().unwrap_or_else(|| PathBuf::from("/")).join(".cargo");
        Self(set.unwrap_or_else(usual))
    }

    /// The file of a release that is there and not withdrawn.
    fn package(&self, name: &str, version: &str) -> Option<Found> {
        self.registries().into_iter().find_map(|registry| {
            let releases = self.releases(&registry, name);
            let release = releases.into_iter().find(|release| !release.yanked && is_version(&release.vers, version))?;
            let file_name = format!("{}-{}.crate", release.name, release.vers);
            let file = self.0.join("registry/cache").join(&registry).join(file_name);
            file.is_file().then_some(Found { file, sha256: release.cksum })
        })
    }

    /// Why cargo did not find it, by what its index says.
    fn missing(&self, name: &str, version: Option<&str>) -> Loss {
        let mut releases: Vec<Release> =
            self.registries().iter().flat_map(|registry| self.releases(registry, name)).collect();
        // The index lists versions in the order of their publication.
        releases.reverse();
        match version {
            Some(version) if !releases.is_empty() => {
                if releases.iter().any(|release| release.yanked && is_version(&release.vers, version)) {
                    return Loss::Withdrawn { name: name.to_owned(), version: version.to_owned() };
                }
                let known = releases.into_iter().filter(|release| !release.yanked).map(|release| release.vers);
                Loss::VersionNotFound { name: name.to_owned(), version: version.to_owned(), known: known.collect() }
            }
            _ => Loss::NotFound { what: format!("the crate {name}") },
        }
    }

    /// The registries that cargo has an index of, as cargo names their folders.
    fn registries(&self) -> Vec<PathBuf> {
        let listed = fs::read_dir(self.0.join("registry/index")).into_iter().flatten();
        let mut names: Vec<PathBuf> = listed.flatten().map(|entry| entry.file_name().into()).collect();
        names.sort();
        names
    }

    /// All releases of a package in cargo's copy of a registry's index.
    fn releases(&self, registry: &Path, name: &str) -> Vec<Release> {
        let index = self.0.join("registry/index").join(registry).join(".cache");
        [name.to_owned(), name.replace('-', "_"), name.replace('_', "-")]
            .iter()
            .find_map(|name| fs::read(index.join(index_path(name))).ok())
            .map(|content| read_index(&content))
            .unwrap_or_default()
    }
}

/// Build metadata (`+…`) may be left out of the version that is asked for.
fn is_version(release: &str, asked: &str) -> bool {
    release == asked || release.split_once('+').is_some_and(|(release, _)| release == asked)
}

/// Where the index keeps a package: by the length and the first letters of its name.
fn index_path(name: &str) -> PathBuf {
    let name = name.to_lowercase();
    // A crate's name is ASCII, so that any index is at a letter's edge.
    match name.len() {
        0 => PathBuf::new(),
        length @ 1..=2 => [&length.to_string(), &name].iter().collect(),
        3 => ["3", &name[..1], &name].iter().collect(),
        _ => [&name[..2], &name[2..4], &name].iter().collect(),
    }
}

/// Reads a file of cargo's index cache: a short header, then versions and their JSON in turn, each ended by a NUL.
fn read_index(content: &[u8]) -> Vec<Release> {
    let records = content.split(|&byte| byte == 0).filter(|record| record.first() == Some(&b'{'));
    records.filter_map(|record| serde_json::from_slice(record).ok()).collect()
}

#[cfg(test)]
mod tests {
    use estrange_words::Reason;

    use super::*;

    const DIGEST: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    fn home() -> (tempfile::TempDir, CargoHome) {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("registry/index/here-1/.cache/so/me");
        let cache = folder.path().join("registry/cache/here-1");
        fs::create_dir_all(&index).unwrap();
        fs::create_dir_all(&cache).unwrap();
        let mut content = b"\x03\x02\0\0\0etag\0".to_vec();
        for (version, yanked) in [("1.0.0", false), ("1.0.1", true), ("1.1.0+c.2", false)] {
            let name = "some_name";
            content.extend_from_slice(version.as_bytes());
            content.push(0);
            let record = format!(r#"{{"name":"{name}","vers":"{version}","cksum":"{DIGEST}","yanked":{yanked}}}"#);
            content.extend_from_slice(record.as_bytes());
            content.push(0);
        }
        fs::write(index.join("some_name"), content).unwrap();
        fs::write(cache.join("some_name-1.1.0+c.2.crate"), "").unwrap();
        let home = CargoHome(folder.path().to_owned());
        (folder, home)
    }

    #[test]
    fn a_package_is_found_in_cargos_home_by_any_spelling() {
        let (_folder, home) = home();
        for (name, version) in [("some_name", "1.1.0+c.2"), ("some-name", "1.1.0"), ("Some_Name", "1.1.0")] {
            let found = home.package(name, version).unwrap_or_else(|| panic!("{name} {version}"));
            assert_eq!(found.sha256.to_string(), DIGEST);
        }
        assert!(home.package("some_name", "1.0.0").is_none(), "it is in the index only");
        assert!(home.package("some_name", "1.0.1").is_none(), "it is withdrawn");
    }

    #[test]
    fn what_is_missing_is_told_apart() {
        let (_folder, home) = home();
        assert_eq!(home.missing("some_name", Some("1.0.1")).reason(), Reason::Withdrawn);
        assert_eq!(home.missing("nothing", Some("1.0.1")).reason(), Reason::NotFound);
        let Loss::VersionNotFound { known, .. } = home.missing("some_name", Some("9.9.9")) else { panic!() };
        assert_eq!(known, ["1.1.0+c.2", "1.0.0"]);
    }

    #[test]
    fn the_index_files_names_by_their_first_letters() {
        for (name, path) in [("a", "1/a"), ("ab", "2/ab"), ("abc", "3/a/abc"), ("aBcd-e", "ab/cd/abcd-e")] {
            assert_eq!(index_path(name), Path::new(path));
        }
    }
}
