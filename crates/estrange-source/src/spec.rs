//! How a person names a source, and what a fully pinned name looks like.
//!
//! | written | means |
//! |---|---|
//! | `DIR` | a folder |
//! | `FILE.tar`, `.tar.gz`, `.tgz`, `.tar.xz`, `.tar.bz2`, `.tar.zst`, `.zip`, `.crate` | an archive |
//! | `https://HOST/….tar.gz` and so on | an archive to download |
//! | `git+URL`, `URL.git`, `git://…`, `ssh://…`, `git@HOST:PATH`, each with `#REVISION` | a git repository |
//! | `deb:NAME[=VERSION]`, then `#before=PATCH` or `#after=PATCH` | a Debian source package, or its state at one of its patches |
//! | `crate:NAME[@VERSION]` | a package of Cargo's registry |
//!
//! Behind any of them, `#tree=HEX` pins the unpacked tree; behind an archive, `#sha256=HEX` pins the file.
//! What is parsed here is safe to hand to the tools: no name can be taken for an option or a path.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use estrange_words::Hint;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::digest::{Sha256, TreeDigest};

/// A source as a person names it. [`fmt::Display`] prints what [`FromStr`] reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spec {
    pub(crate) origin: Origin,
    pub(crate) pin: Pin,
}

/// Where a source comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A folder.
    Directory(PathBuf),
    /// An archive on this machine.
    Archive(PathBuf),
    /// An archive to download.
    Url(String),
    /// A git repository.
    Git {
        /// Its address, as git takes it.
        url: String,
        /// A branch, a tag or a commit; the remote's default branch if none is named.
        revision: Option<String>,
    },
    /// A Debian source package.
    Debian {
        /// The source package's name.
        name: String,
        /// The version; the newest in the archive if none is named.
        version: Option<String>,
        /// Where to stop applying its patches; all are applied if nothing is said.
        stop: Option<Stop>,
    },
    /// A package of Cargo's registry.
    Crate {
        /// The package's name.
        name: String,
        /// The version; the newest if none is named.
        version: Option<String>,
    },
}

/// Where to stop applying the patches of a package.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Stop {
    /// Before this patch.
    Before(String),
    /// Right after this patch.
    After(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(patch) => write!(f, "before={patch}"),
            Self::After(patch) => write!(f, "after={patch}"),
        }
    }
}

/// The digests a source has to have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Pin {
    /// Of the archive's file.
    pub sha256: Option<Sha256>,
    /// Of the unpacked and patched tree.
    pub tree: Option<TreeDigest>,
}

/// The text does not name a source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{spec:?} is not a source: {why}")]
pub struct BadSpec {
    spec: String,
    why: &'static str,
    hint: &'static str,
}

impl Hint for BadSpec {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some(self.hint.into())
    }
}

impl Spec {
    /// Where the source comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What it is pinned to.
    pub fn pin(&self) -> Pin {
        self.pin
    }

    /// A short name for people: the package, or the last part of the path, without what unpacking takes away.
    pub fn name(&self) -> String {
        let last = |text: &str| {
            let text = text.trim_end_matches('/');
            text.rsplit(['/', ':']).next().unwrap_or(text).to_owned()
        };
        match &self.origin {
            Origin::Debian { name, .. } | Origin::Crate { name, .. } => name.clone(),
            Origin::Git { url, .. } => last(url.trim_end_matches('/').trim_end_matches(".git")),
            Origin::Url(url) => last(without_archive_suffix(url.split(['?', '#']).next().unwrap_or(url))),
            Origin::Archive(path) => last(without_archive_suffix(&path.to_string_lossy())),
            Origin::Directory(path) => match path.file_name() {
                Some(name) => name.to_string_lossy().into_owned(),
                // `.` and `..` have no name of their own.
                None => {
                    let whole = path.canonicalize().unwrap_or_default();
                    whole.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned())
                }
            },
        }
    }
}

const SUFFIXES: [&str; 10] =
    [".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tar.zst", ".zip", ".crate"];

fn archive_suffix(text: &str) -> Option<&'static str> {
    SUFFIXES.into_iter().find(|suffix| text.len() > suffix.len() && text.ends_with(suffix))
}

fn without_archive_suffix(text: &str) -> &str {
    archive_suffix(text).map_or(text, |suffix| &text[..text.len() - suffix.len()])
}

const KINDS: &str = "write a folder, an archive, a git URL with #REVISION, deb:NAME[=VERSION] or crate:NAME[@VERSION]";
const DIGEST: &str = "a digest has 64 hexadecimal digits";

impl FromStr for Spec {
    type Err = BadSpec;

    fn from_str(text: &str) -> Result<Self, BadSpec> {
        let bad = |why, hint| BadSpec { spec: text.to_owned(), why, hint };
        if text.is_empty() || text.contains(char::is_control) {
            return Err(bad("it is empty or has control characters", KINDS));
        }
        let mut rest = text;
        let mut pin = Pin::default();
        while let Some((before, fragment)) = rest.rsplit_once('#') {
            if let Some(hex) = fragment.strip_prefix("tree=") {
                let digest = hex.parse().map_err(|_| bad("its tree digest is malformed", DIGEST))?;
                if pin.tree.replace(digest).is_some() {
                    return Err(bad("it has two tree digests", "leave one #tree= out"));
                }
            } else if let Some(hex) = fragment.strip_prefix("sha256=") {
                let digest = hex.parse().map_err(|_| bad("its SHA-256 is malformed", DIGEST))?;
                if pin.sha256.replace(digest).is_some() {
                    return Err(bad("it has two SHA-256 digests", "leave one #sha256= out"));
                }
            } else {
                break;
            }
            rest = before;
        }
        let origin = origin(rest).map_err(|(why, hint)| bad(why, hint))?;
        if pin.sha256.is_some() && !matches!(origin, Origin::Archive(_) | Origin::Url(_)) {
            return Err(bad("only an archive has a SHA-256", "pin anything else by #tree=HEX"));
        }
        Ok(Self { origin, pin })
    }
}

type Why = (&'static str, &'static str);

fn origin(text: &str) -> Result<Origin, Why> {
    if let Some(package) = text.strip_prefix("deb:") {
        return debian(package);
    }
    if let Some(package) = text.strip_prefix("crate:") {
        return krate(package);
    }
    if let Some(url) = text.strip_prefix("git+") {
        return git(url);
    }
    let (address, _) = split_revision(text);
    if ["git://", "ssh://", "file://"].iter().any(|scheme| text.starts_with(scheme)) || is_scp_like(address) {
        return git(text);
    }
    if text.starts_with("http://") || text.starts_with("https://") {
        if address.ends_with(".git") {
            return git(text);
        }
        // A query may follow the file's name.
        let path = text.split(['?', '#']).next().unwrap_or(text);
        if archive_suffix(path).is_none() {
            return Err(("its address ends like no archive", "for a git repository, write git+ before the address"));
        }
        return web_address(text).map(|()| Origin::Url(text.to_owned()));
    }
    // `word:…` would be some other kind of source; a path that really is so can be written with `./` before it.
    if text.split('/').next().is_some_and(|first| first.contains(':')) {
        return Err(("its kind is unknown", KINDS));
    }
    Ok(if archive_suffix(text).is_some() { Origin::Archive(text.into()) } else { Origin::Directory(text.into()) })
}

fn debian(text: &str) -> Result<Origin, Why> {
    const HINT: &str = "write deb:NAME or deb:NAME=VERSION with the name of a Debian source package";
    let (package, stop) = match text.split_once('#') {
        Some((package, fragment)) => (package, Some(stop(fragment)?)),
        None => (text, None),
    };
    let (name, version) = package.split_once('=').map_or((package, None), |(name, version)| (name, Some(version)));
    let starts_well = |text: &str| text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if name.len() < 2 || !starts_well(name) || !name.chars().all(|c| lower(c) || "+-.".contains(c)) {
        return Err(("this is no name of a Debian source package", HINT));
    }
    if let Some(version) = version
        && (!starts_well(version) || !version.chars().all(|c| c.is_ascii_alphanumeric() || "+-.~:".contains(c)))
    {
        return Err(("this is no Debian version", HINT));
    }
    Ok(Origin::Debian { name: name.to_owned(), version: version.map(str::to_owned), stop })
}

/// Where to stop: `before=PATCH` or `after=PATCH`.
fn stop(fragment: &str) -> Result<Stop, Why> {
    let (patch, stop) = match fragment.split_once('=') {
        Some(("before", patch)) => (patch, Stop::Before(patch.to_owned())),
        Some(("after", patch)) => (patch, Stop::After(patch.to_owned())),
        _ => {
            return Err((
                "a Debian package has no such part",
                "to stop at a patch, write #before=PATCH or #after=PATCH",
            ));
        }
    };
    if patch.is_empty() || patch.contains('#') {
        return Err(("this is no name of a patch", "name a patch as the package's debian/patches/series does"));
    }
    Ok(stop)
}

fn krate(package: &str) -> Result<Origin, Why> {
    const HINT: &str = "write crate:NAME or crate:NAME@VERSION, with a whole version such as 1.2.3";
    let (name, version) = package.split_once('@').map_or((package, None), |(name, version)| (name, Some(version)));
    let in_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || name.len() > 64 || !name.chars().all(in_name) {
        return Err(("this is no name of a crate", HINT));
    }
    if version.is_some_and(|version| !is_semantic_version(version)) {
        return Err(("this is no whole version", HINT));
    }
    Ok(Origin::Crate { name: name.to_owned(), version: version.map(str::to_owned) })
}

/// `1.2.3`, with an optional `-pre.release` and `+build`.
fn is_semantic_version(text: &str) -> bool {
    let (core, rest) = text.find(['-', '+']).map_or((text, ""), |index| text.split_at(index));
    let number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    core.split('.').count() == 3
        && core.split('.').all(number)
        && rest.len() != 1
        && rest.chars().all(|c| c.is_ascii_alphanumeric() || "-+.".contains(c))
}

fn git(text: &str) -> Result<Origin, Why> {
    const HINT: &str = "write git+https://HOST/PATH, git+ssh://…, git+file:///PATH or git@HOST:PATH, then #REVISION";
    let (url, revision) = split_revision(text);
    let url = if url.starts_with('/') { format!("file://{url}") } else { url.to_owned() };
    let known = ["https://", "http://", "git://", "ssh://", "file:///"].iter().any(|scheme| url.starts_with(scheme));
    if !known && !is_scp_like(&url) {
        return Err(("git is not asked over this protocol", HINT));
    }
    if !url.starts_with("file:///") && known {
        web_address(&url)?;
    }
    if url.contains(char::is_whitespace) || url.contains("::") {
        return Err(("its address is malformed", HINT));
    }
    let in_revision = |c: char| c.is_ascii_alphanumeric() || "._/-+@".contains(c);
    if let Some(revision) = revision
        && (revision.is_empty()
            || revision.starts_with(['-', '/', '.'])
            || revision.contains("..")
            || revision.contains("@{")
            || !revision.chars().all(in_revision))
    {
        return Err(("its revision is malformed", "name a branch, a tag or a commit"));
    }
    Ok(Origin::Git { url, revision: revision.map(str::to_owned) })
}

fn split_revision(text: &str) -> (&str, Option<&str>) {
    text.split_once('#').map_or((text, None), |(url, revision)| (url, Some(revision)))
}

/// `user@host:path`, the way ssh's users write it.
fn is_scp_like(text: &str) -> bool {
    let Some((account, path)) = text.split_once(':') else { return false };
    let Some((user, host)) = account.split_once('@') else { return false };
    let word = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
    };
    word(user) && word(host) && !path.is_empty() && !path.starts_with(['-', '/', ':'])
}

/// Checks the host of `scheme://[user@]host[:port]/path`: a host that starts with a dash could be taken for an option.
fn web_address(url: &str) -> Result<(), Why> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let well = |text: &str| text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[');
    if !well(host) || authority.starts_with('-') || url.contains(char::is_whitespace) {
        return Err(("its address is malformed", "write scheme://HOST/PATH"));
    }
    Ok(())
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Origin::Directory(path) | Origin::Archive(path) => write!(f, "{}", path.display())?,
            Origin::Url(url) => f.write_str(url)?,
            Origin::Git { url, revision } => {
                let plain = is_scp_like(url) || url.starts_with("git://") || url.starts_with("ssh://");
                write!(f, "{}{url}", if plain || url.ends_with(".git") { "" } else { "git+" })?;
                if let Some(revision) = revision {
                    write!(f, "#{revision}")?;
                }
            }
            Origin::Debian { name, version, stop } => {
                write!(f, "deb:{name}")?;
                version.iter().try_for_each(|version| write!(f, "={version}"))?;
                stop.iter().try_for_each(|stop| write!(f, "#{stop}"))?;
            }
            Origin::Crate { name, version: None } => write!(f, "crate:{name}")?,
            Origin::Crate { name, version: Some(version) } => write!(f, "crate:{name}@{version}")?,
        }
        if let Some(sha256) = self.pin.sha256 {
            write!(f, "#sha256={sha256}")?;
        }
        if let Some(tree) = self.pin.tree {
            write!(f, "#tree={tree}")?;
        }
        Ok(())
    }
}

impl Serialize for Spec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Spec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    fn spec(text: &str) -> Spec {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn each_kind_is_recognised_and_printed_back() {
        let some = |text: &str| Some(text.to_owned());
        let git = |url: &str, revision: Option<&str>| Origin::Git {
            url: url.to_owned(),
            revision: revision.map(str::to_owned),
        };
        for (text, origin) in [
            ("src/lib", Origin::Directory("src/lib".into())),
            ("./a:b", Origin::Directory("./a:b".into())),
            ("/tmp/x#y", Origin::Directory("/tmp/x#y".into())),
            ("x.tar.gz", Origin::Archive("x.tar.gz".into())),
            ("./dir/x-1.0.tar.zst", Origin::Archive("./dir/x-1.0.tar.zst".into())),
            ("https://a.example/x.tar.xz", Origin::Url("https://a.example/x.tar.xz".to_owned())),
            ("https://a.example/x.zip?raw=1", Origin::Url("https://a.example/x.zip?raw=1".to_owned())),
            ("https://a.example/x.git", git("https://a.example/x.git", None)),
            ("git+https://a.example/x#v1.0", git("https://a.example/x", Some("v1.0"))),
            ("git://a.example/x#a/b", git("git://a.example/x", Some("a/b"))),
            ("ssh://me@a.example:22/x", git("ssh://me@a.example:22/x", None)),
            ("git@a.example:x/y.git#main", git("git@a.example:x/y.git", Some("main"))),
            ("file:///tmp/x.git#main", git("file:///tmp/x.git", Some("main"))),
            ("git+file:///tmp/x", git("file:///tmp/x", None)),
            ("deb:zlib", Origin::Debian { name: "zlib".to_owned(), version: None, stop: None }),
            (
                "deb:g++-x=1:2.0~rc1-1+b2",
                Origin::Debian { name: "g++-x".to_owned(), version: some("1:2.0~rc1-1+b2"), stop: None },
            ),
            (
                "deb:tiff#before=CVE-1.patch",
                Origin::Debian {
                    name: "tiff".to_owned(),
                    version: None,
                    stop: Some(Stop::Before("CVE-1.patch".to_owned())),
                },
            ),
            (
                "deb:tiff=4-1#after=a/CVE-1.patch",
                Origin::Debian {
                    name: "tiff".to_owned(),
                    version: some("4-1"),
                    stop: Some(Stop::After("a/CVE-1.patch".to_owned())),
                },
            ),
            ("crate:a_b-c", Origin::Crate { name: "a_b-c".to_owned(), version: None }),
            ("crate:x@1.2.3-rc.1+b", Origin::Crate { name: "x".to_owned(), version: some("1.2.3-rc.1+b") }),
        ] {
            assert_eq!(*spec(text).origin(), origin, "{text}");
            assert_eq!(spec(text).to_string(), text);
            let pinned = format!("{text}#tree={DIGEST}");
            assert_eq!(spec(&pinned).to_string(), pinned);
            assert_eq!(spec(&pinned).pin().tree, DIGEST.parse().ok());
        }
        assert_eq!(spec("git+/tmp/x").to_string(), "git+file:///tmp/x");
        let both = format!("x.tar#tree={DIGEST}#sha256={DIGEST}");
        assert_eq!(spec(&both).to_string(), format!("x.tar#sha256={DIGEST}#tree={DIGEST}"));
    }

    #[test]
    fn what_could_become_an_option_a_path_or_a_command_is_refused() {
        for text in [
            "",
            "a\nb",
            "deb:",
            "deb:../x",
            "deb:-o",
            "deb:a b",
            "deb:Zlib",
            "deb:zlib=",
            "deb:zlib=-1",
            "deb:zlib=1/2",
            "deb:zlib#before=",
            "deb:zlib#after=x#before=y",
            "deb:zlib#during=x",
            "crate:-x",
            "crate:../x",
            "crate:x@",
            "crate:x@latest",
            "crate:x@1.2",
            "crate:x@--y",
            "git+ext::sh -c x",
            "ext::sh -c x",
            "git+--upload-pack=x",
            "git+https://-oProxyCommand=x/y",
            "ssh://-oProxyCommand=x/y",
            "git@-x:y",
            "git+file://relative",
            "git+https://a.example/x#",
            "git+https://a.example/x#--all",
            "git+https://a.example/x#a..b",
            "git+https://a.example/x#a b",
            "https://a.example/x",
            "https:///x.tar.gz",
            "npm:left-pad",
            "x.tar#sha256=12",
            "deb:zlib#tree=xyz",
        ] {
            let error = text.parse::<Spec>().expect_err(text);
            assert!(error.hint().is_some(), "{text}");
        }
        assert!(format!("deb:zlib#sha256={DIGEST}").parse::<Spec>().is_err());
        assert!(format!("x#tree={DIGEST}#tree={DIGEST}").parse::<Spec>().is_err());
    }

    #[test]
    fn names_are_short() {
        for (text, name) in [
            ("a/b/c", "c"),
            ("a/b/", "b"),
            ("x-1.0.tar.gz", "x-1.0"),
            ("https://a.example/y.zip?raw=1", "y"),
            ("git@a.example:x/y.git", "y"),
            ("git@a.example:y", "y"),
            ("deb:zlib=1", "zlib"),
        ] {
            assert_eq!(spec(text).name(), name, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_parser_panic_and_what_it_reads_it_prints(text in "(deb:|crate:|git\\+|https://|\\./)?[ -~]{0,40}") {
            if let Ok(spec) = text.parse::<Spec>() {
                proptest::prop_assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec));
            }
        }
    }
}
