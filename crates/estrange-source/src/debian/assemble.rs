//! Puts a source package together from its files, the way `dpkg-source -x` does: the upstream archive, further
//! upstream components, Debian's own folder, then the patches. Only quilt's book-keeping (`.pc`) is left away.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::apt::{Listed, listed};
use super::control::{Stanza, without_signature};
use super::patches::{self, Patch};
use crate::cache::{Download, Made, remove};
use crate::job::Job;
use crate::loss::Loss;
use crate::spec::Stop;
use crate::unpack::left_out::Omissions;
use crate::unpack::links::{self, Links};
use crate::unpack::{self};

/// The largest control file and the largest Debian diff that are read.
const LARGEST_CONTROL: u64 = 1024 * 1024;
const LARGEST_DIFF: u64 = 256 * 1024 * 1024;

/// What the files of a package are for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Roles {
    /// The upstream archive, or the whole of a native package.
    main: Option<String>,
    /// Further upstream archives, by the folder they belong in.
    components: Vec<(String, String)>,
    debian: Option<String>,
    diff: Option<String>,
}

/// Makes the tree in `work/root`, with all patches or those up to a stop.
pub(super) fn assemble(job: &Job<'_>, downloads: &[Download], work: &Path, stop: Option<&Stop>) -> Result<Made, Loss> {
    let control = control(job, downloads)?;
    let format = control.get("Format").unwrap_or("1.0").to_owned();
    let roles = roles(&listed(&control));
    let mut package = Assembly {
        job,
        downloads,
        work,
        root: work.join("root"),
        links: Links::new(),
        omissions: Omissions::default(),
    };
    let missing =
        |what: &str| Loss::Damaged { what: "the source package".to_owned(), detail: format!("it has no {what}") };
    package.main(roles.main.as_deref().ok_or_else(|| missing("upstream archive"))?)?;
    let mut series = match format.as_str() {
        "3.0 (quilt)" => {
            for (folder, file) in &roles.components {
                package.component(folder, file)?;
            }
            package.debian(roles.debian.as_deref().ok_or_else(|| missing("debian archive"))?)?;
            package.make_links()?;
            patches::series(&package.root)?
        }
        "3.0 (native)" => package.make_links().map(|()| Vec::new())?,
        "1.0" => {
            package.make_links()?;
            package.diff(roles.diff.as_deref())?
        }
        _ => {
            return Err(Loss::Unsupported {
                what: "the source package".to_owned(),
                format: format!("its format {format}"),
            });
        }
    };
    if let Some(stop) = stop {
        let end = end_of(series.iter().map(|patch| patch.name.as_str()), stop);
        series.truncate(end.ok_or_else(|| no_such_patch(control.get("Source").unwrap_or("the package"), stop))?);
    }
    patches::apply(job, &package.root, work, &series)?;
    package.finish(&format)?;
    Ok(Made { left_out: package.omissions.into_list(), patches: series.into_iter().map(|patch| patch.name).collect() })
}

/// How many patches of a series are applied up to a stop.
pub(super) fn end_of<'n>(mut series: impl Iterator<Item = &'n str>, stop: &Stop) -> Option<usize> {
    match stop {
        Stop::Before(patch) => series.position(|name| name == patch),
        Stop::After(patch) => series.position(|name| name == patch).map(|at| at + 1),
    }
}

pub(super) fn no_such_patch(package: &str, stop: &Stop) -> Loss {
    let (Stop::Before(patch) | Stop::After(patch)) = stop;
    Loss::NoSuchPatch { package: package.to_owned(), patch: patch.clone() }
}

/// The control file, after a look that it lists exactly the digests of what was downloaded.
fn control(job: &Job<'_>, downloads: &[Download]) -> Result<Stanza, Loss> {
    let dsc = downloads.iter().find(|download| download.name.ends_with(".dsc"));
    let dsc = dsc
        .ok_or_else(|| Loss::Damaged { what: "the source package".to_owned(), detail: "it has no .dsc".to_owned() })?;
    let content = unpack::decompress(&kept(job, dsc)?, &dsc.name, LARGEST_CONTROL, job.cache.bounds())?;
    let text = String::from_utf8(content).map_err(|_| Loss::NotUtf8 { what: dsc.name.clone() })?;
    let control = Stanza::read_all(&without_signature(&text)).into_iter().next().unwrap_or_default();
    for file in listed(&control) {
        let download = downloads.iter().find(|download| download.name == file.name);
        let found = download.map_or_else(|| "none".to_owned(), |download| download.sha256.to_string());
        if found != file.sha256.to_string() {
            return Err(Loss::HashMismatch { what: file.name, expected: file.sha256.to_string(), found });
        }
    }
    Ok(control)
}

fn kept(job: &Job<'_>, download: &Download) -> Result<PathBuf, Loss> {
    job.cache
        .download(download.sha256)?
        .ok_or_else(|| Loss::Damaged { what: download.name.clone(), detail: "its kept copy is gone".to_owned() })
}

/// Tells the files apart by their names: `NAME_VERSION.orig.tar.EXT` and so on.
fn roles(files: &[Listed]) -> Roles {
    let mut roles = Roles::default();
    for Listed { name, .. } in files {
        // Signatures of upstream lie beside what they sign.
        if name.ends_with(".asc") {
            continue;
        }
        if name.ends_with(".diff.gz") {
            roles.diff = Some(name.clone());
        } else if let Some((stem, extension)) = name.rsplit_once(".tar.")
            && !extension.contains('.')
        {
            if stem.ends_with(".debian") {
                roles.debian = Some(name.clone());
            } else if let Some((_, folder)) = stem.rsplit_once(".orig-")
                && folder.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            {
                roles.components.push((folder.to_owned(), name.clone()));
            } else {
                roles.main = Some(name.clone());
            }
        }
    }
    roles.components.sort();
    roles
}

/// A package while it is put together.
struct Assembly<'a> {
    job: &'a Job<'a>,
    downloads: &'a [Download],
    work: &'a Path,
    root: PathBuf,
    /// Links of all archives, made when all are unpacked.
    links: Links,
    omissions: Omissions,
}

impl Assembly<'_> {
    fn main(&mut self, file: &str) -> Result<(), Loss> {
        let root = self.root.clone();
        self.unpack(file, &root, "", true)?;
        // Quilt would take what it finds here for its own.
        self.forget(".pc")
    }

    fn component(&mut self, folder: &str, file: &str) -> Result<(), Loss> {
        self.forget(folder)?;
        let place = self.root.join(folder);
        self.unpack(file, &place, &format!("{folder}/"), true)
    }

    fn debian(&mut self, file: &str) -> Result<(), Loss> {
        self.forget("debian")?;
        let aside = self.work.join("debian");
        let before = std::mem::take(&mut self.links);
        self.unpack(file, &aside, "", false)?;
        let added = std::mem::replace(&mut self.links, before);
        self.merge(&aside, "")?;
        for (path, target) in added {
            self.forget(&path)?;
            self.links.insert(path, target);
        }
        Ok(())
    }

    /// Unpacks an archive into a new folder; its links are noted as lying beneath `prefix`.
    fn unpack(&mut self, file: &str, into: &Path, prefix: &str, strip: bool) -> Result<(), Loss> {
        let found = self.downloads.iter().find(|download| download.name == file);
        let download = found.ok_or_else(|| Loss::NotFound { what: file.to_owned() })?;
        fs::create_dir(into).map_err(Loss::io("make the folder", into))?;
        let unpacked = unpack::unpack(&kept(self.job, download)?, file, into, strip, self.job.cache.bounds())?;
        self.links.extend(unpacked.links.into_iter().map(|(path, target)| (format!("{prefix}{path}"), target)));
        self.omissions.merge(unpacked.omissions);
        Ok(())
    }

    /// Moves everything in `from` into the folder `at` of the tree; what is in the way there goes.
    fn merge(&mut self, from: &Path, at: &str) -> Result<(), Loss> {
        for entry in fs::read_dir(from).map_err(Loss::io("read", from))? {
            let entry = entry.map_err(Loss::io("read", from))?;
            // Names were checked when they were unpacked.
            let path = format!("{at}{}", entry.file_name().to_string_lossy());
            let place = self.root.join(&path);
            if entry.path().is_dir() && place.is_dir() {
                self.merge(&entry.path(), &format!("{path}/"))?;
            } else {
                self.forget(&path)?;
                fs::rename(entry.path(), &place).map_err(Loss::io("rename to", &place))?;
            }
        }
        Ok(())
    }

    /// Takes something out of the tree, with the links in it.
    fn forget(&mut self, path: &str) -> Result<(), Loss> {
        let within = format!("{path}/");
        self.links.retain(|link, _| link != path && !link.starts_with(&within));
        let place = self.root.join(path);
        remove(&place).map_err(Loss::io("remove", &place))
    }

    fn make_links(&mut self) -> Result<(), Loss> {
        links::make(&self.root, &self.links, &mut self.omissions)
    }

    /// The one patch of the oldest format, unpacked.
    fn diff(&self, file: Option<&str>) -> Result<Vec<Patch>, Loss> {
        let Some(file) = file else { return Ok(Vec::new()) };
        let found = self.downloads.iter().find(|download| download.name == file);
        let download = found.ok_or_else(|| Loss::NotFound { what: file.to_owned() })?;
        let content = unpack::decompress(&kept(self.job, download)?, file, LARGEST_DIFF, self.job.cache.bounds())?;
        Ok(vec![Patch { name: file.to_owned(), content, keep_empty: true }])
    }

    /// The last touches that `dpkg-source` gives to a tree.
    fn finish(&self, format: &str) -> Result<(), Loss> {
        let rules = self.root.join("debian/rules");
        if rules.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
            fs::set_permissions(&rules, fs::Permissions::from_mode(0o755))
                .map_err(Loss::io("make executable", &rules))?;
        }
        let debian = self.root.join("debian");
        let stated = debian.join("source/format");
        let is_folder = |path: &Path| path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        if format != "1.0" && is_folder(&debian) && stated.symlink_metadata().is_err() {
            let source = debian.join("source");
            if source.symlink_metadata().is_err() {
                fs::create_dir(&source).map_err(Loss::io("make the folder", &source))?;
            }
            if is_folder(&source) {
                fs::write(&stated, format!("{format}\n")).map_err(Loss::io("write", &stated))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Sha256;

    #[test]
    fn files_are_told_apart_by_their_names() {
        let files: Vec<Listed> = [
            "x_1.0.orig.tar.xz",
            "x_1.0.orig.tar.xz.asc",
            "x_1.0.orig-b-2.tar.gz",
            "x_1.0.orig-a.tar.bz2",
            "x_1.0-1.debian.tar.xz",
        ]
        .iter()
        .map(|name| Listed { name: (*name).to_owned(), sha256: Sha256([0; 32]), bytes: 0 })
        .collect();
        let name = |text: &str| Some(text.to_owned());
        let component = |folder: &str, file: &str| (folder.to_owned(), file.to_owned());
        assert_eq!(
            roles(&files),
            Roles {
                main: name("x_1.0.orig.tar.xz"),
                components: vec![component("a", "x_1.0.orig-a.tar.bz2"), component("b-2", "x_1.0.orig-b-2.tar.gz")],
                debian: name("x_1.0-1.debian.tar.xz"),
                diff: None,
            }
        );
    }
}
