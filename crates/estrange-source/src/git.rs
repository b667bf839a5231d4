//! Git repositories, through git itself: a bare repository in the cache, and of it the archive of one commit.
//!
//! Git runs without anybody's configuration, hooks, prompts or credentials' helpers, and over known protocols only.
//! Submodules are not followed: those that are missing are told. The tree is the commit's as it is stored: attributes that change what an archive
//! holds are switched off.

mod history;
mod main_line;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::{Tool, ToolEnd, ToolOutput};

use crate::archive;
use crate::cache::{Key, Lock};
use crate::fetched::Fetched;
use crate::job::{Job, Parts};
use crate::loss::Loss;
use crate::progress::Step;
use crate::spec::{Origin, Spec};

pub(crate) use history::Commit;
pub use main_line::{Landed, Landing, Touched};

/// Switches off everything in a repository's attributes that would make an archive differ from what is stored.
const ATTRIBUTES: &str = "* -export-ignore -export-subst -text -eol -ident -filter -working-tree-encoding\n";

/// The commit that a revision means now; that of the default branch where none is named.
pub(crate) fn newest(job: &Job<'_>, url: &str, revision: Option<&str>) -> Result<String, Loss> {
    let named = revision.unwrap_or("HEAD");
    if is_commit(named) {
        return Ok(named.to_ascii_lowercase());
    }
    job.latest(&Key::new("git-revision", [url, named]), url, || resolve(job, url, named))
}

/// The address of the repository that git keeps in a folder.
pub(crate) fn address(path: &Path) -> Result<String, Loss> {
    let missing = || Loss::NotFound { what: format!("the repository {}", path.display()) };
    let whole = path.canonicalize().map_err(|_| missing())?;
    let is_bare = whole.join("HEAD").is_file() && whole.join("objects").is_dir();
    let text = whole.to_str().filter(|_| is_bare || whole.join(".git").exists()).ok_or_else(missing)?;
    Ok(format!("file://{text}"))
}

/// Has a commit of a repository.
pub(crate) fn fetch(job: &Job<'_>, spec: &Spec, url: &str, revision: Option<&str>) -> Result<Fetched, Loss> {
    let named = revision.unwrap_or("HEAD");
    let commit = newest(job, url, revision)?;
    let name = spec.name();
    let parts = job.parts(&Key::new("git-commit", [url, &commit]), &name, || {
        let repository = Repository::open(job, url)?;
        repository.have(&commit, named)?;
        repository.archive(&name, &commit)
    })?;
    let Some(download) = parts.downloads.first() else {
        return Err(Loss::Damaged { what: name, detail: "its record names no file".to_owned() });
    };
    let tree = archive::unpacked(job, download, false)?;
    let origin = Origin::Git { url: url.to_owned(), revision: Some(commit.clone()) };
    Fetched::new(spec, origin, commit, parts.downloads, tree)
}

/// Whether this is a whole commit hash.
fn is_commit(revision: &str) -> bool {
    matches!(revision.len(), 40 | 64) && revision.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The commit that a branch, a tag, `HEAD` or the beginning of a hash means now.
fn resolve(job: &Job<'_>, url: &str, named: &str) -> Result<String, Loss> {
    let step = Step::new(job.progress, &format!("asking {url} for {named}"), None);
    let output = git().arguments(["ls-remote", "--quiet", "--", url]).wall(Duration::from_secs(120)).run()?;
    drop(step);
    if !output.success() {
        return Err(refused(url, &output));
    }
    if let Some(commit) = pick(&output.text(), named) {
        return Ok(commit);
    }
    let missing = || Loss::RevisionNotFound { repository: url.to_owned(), revision: named.to_owned() };
    if named.len() < 7 || !named.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(missing());
    }
    // The beginning of a hash: only a repository with all commits can tell.
    job.cache.require_writable(url)?;
    let repository = Repository::open(job, url)?;
    repository.fetch(&["+refs/*:refs/*"], &[])?;
    repository.commit(named)?.ok_or_else(missing)
}

/// Picks the commit of a name out of what `ls-remote` lists. An annotated tag's commit stands under `TAG^{}`.
fn pick(listed: &str, named: &str) -> Option<String> {
    let candidates = [
        named.to_owned(),
        format!("refs/tags/{named}^{{}}"),
        format!("refs/tags/{named}"),
        format!("refs/heads/{named}"),
        format!("refs/{named}"),
    ];
    let find = |wanted: &String| {
        let mut lines = listed.lines().filter_map(|line| line.split_once('\t'));
        lines.find(|(commit, name)| name == wanted && is_commit(commit)).map(|(commit, _)| commit.to_owned())
    };
    candidates.iter().find_map(find)
}

/// A bare repository in the cache, with what was fetched from one address; nobody else uses it meanwhile.
pub(crate) struct Repository<'a> {
    job: &'a Job<'a>,
    url: &'a str,
    path: PathBuf,
    _lock: Lock,
}

impl<'a> Repository<'a> {
    fn open(job: &'a Job<'a>, url: &'a str) -> Result<Self, Loss> {
        let key = Key::new("git", [url]);
        let lock = job.cache.lock(&key, job.progress)?;
        let repository = Self { job, url, path: job.cache.folder("git").join(&key), _lock: lock };
        let attributes = repository.path.join("info/attributes");
        if !attributes.exists() {
            let path = &repository.path;
            fs::create_dir_all(path).map_err(Loss::io("make the folder", path))?;
            let made =
                git().arguments(["init", "--quiet", "--bare", "--template="]).argument("--").argument(path).run()?;
            if !made.success() {
                return Err(Loss::tool("git", &made));
            }
            let info = path.join("info");
            fs::create_dir_all(&info).map_err(Loss::io("make the folder", &info))?;
            // Written last: where it is, the repository is whole.
            fs::write(&attributes, ATTRIBUTES).map_err(Loss::io("write", &attributes))?;
        }
        Ok(repository)
    }

    /// Fetches the commit, if it is not there yet.
    fn have(&self, commit: &str, named: &str) -> Result<(), Loss> {
        if self.commit(commit)?.is_some() {
            return Ok(());
        }
        // Most servers give a single commit; from the others, everything has to come.
        let alone = self.fetch(&[commit], &["--depth=1"]);
        if alone.is_err() || self.commit(commit)?.is_none() {
            self.fetch(&["+refs/*:refs/*"], &[])?;
        }
        let missing = || Loss::RevisionNotFound { repository: self.url.to_owned(), revision: named.to_owned() };
        self.commit(commit)?.map(|_| ()).ok_or_else(missing)
    }

    /// The whole hash of a commit that is there.
    fn commit(&self, revision: &str) -> Result<Option<String>, Loss> {
        let wanted = format!("{revision}^{{commit}}");
        let output = self.git().arguments(["rev-parse", "--quiet", "--verify", "--end-of-options", &wanted]).run()?;
        let text = output.text();
        Ok(Some(text.trim().to_owned()).filter(|commit| output.success() && is_commit(commit)))
    }

    fn fetch(&self, references: &[&str], options: &[&str]) -> Result<(), Loss> {
        let _step = Step::new(self.job.progress, &format!("fetching {}", self.url), None);
        let fixed = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--force"];
        let tool = self.git().arguments(fixed).arguments(options.iter().copied());
        let tool = tool.argument("--").argument(self.url).arguments(references.iter().copied());
        let output = tool.wall(Duration::from_secs(1800)).run()?;
        if output.success() { Ok(()) } else { Err(refused(self.url, &output)) }
    }

    /// Keeps the commit's tree as a tar archive.
    fn archive(&self, name: &str, commit: &str) -> Result<Parts, Loss> {
        let work = self.job.cache.work(&Key::new("git-archive", [self.url, commit]))?;
        let file = work.path().join("archive.tar");
        let tool = self.git().arguments(["archive", "--format=tar"]).argument(output_to(&file)).argument(commit);
        let output = tool.wall(Duration::from_secs(1800)).run()?;
        if !output.success() {
            return Err(Loss::tool("git", &output));
        }
        let download = self.job.cache.keep_download(&file, &format!("{name}-{commit:.12}.tar"))?;
        Ok(Parts { downloads: vec![download] })
    }

    fn git(&self) -> Tool {
        let mut folder = std::ffi::OsString::from("--git-dir=");
        folder.push(&self.path);
        git().argument(folder)
    }
}

fn output_to(file: &Path) -> std::ffi::OsString {
    let mut option = std::ffi::OsString::from("--output=");
    option.push(file);
    option
}

/// Git, cut off from everything in the environment that could change what it does.
fn git() -> Tool {
    // `env` takes the variables away that a caller's git may have set, such as GIT_DIR.
    let mut tool = Tool::new("env");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            tool = tool.argument("-u").argument(name);
        }
    }
    let settings = [
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
        "protocol.ext.allow=never",
        "protocol.version=2",
        "credential.helper=",
        "gc.auto=0",
        "maintenance.auto=false",
    ];
    let variables = [
        "LC_ALL=C",
        "GIT_CONFIG_NOSYSTEM=1",
        "GIT_CONFIG_GLOBAL=/dev/null",
        "GIT_ATTR_NOSYSTEM=1",
        "GIT_TERMINAL_PROMPT=0",
        "GIT_ASKPASS=false",
        "SSH_ASKPASS=false",
        "GIT_SSH_COMMAND=ssh -oBatchMode=yes -oConnectTimeout=30",
        "GIT_ALLOW_PROTOCOL=https:http:git:ssh:file",
        "GIT_HTTP_LOW_SPEED_LIMIT=1",
        "GIT_HTTP_LOW_SPEED_TIME=60",
    ];
    tool = tool.arguments(variables).argument("git");
    settings.iter().fold(tool, |tool, setting| tool.argument("-c").argument(*setting))
}

/// Why git got nothing from an address.
fn refused(url: &str, output: &ToolOutput) -> Loss {
    if let Some(loss) = Loss::full_disk("git", output) {
        return loss;
    }
    let words = output.last_words(8);
    let lacking = ["repository corruption on the remote side", "did not send all necessary objects"];
    if lacking.iter().any(|sign| words.contains(sign)) {
        return Loss::Incomplete { repository: url.to_owned(), detail: Loss::words(output) };
    }
    let absent = ["does not exist", "not found", "not appear to be a git repository", "Not Found"];
    if absent.iter().any(|sign| words.contains(sign)) {
        return Loss::NotFound { what: format!("the repository {url}") };
    }
    let away = ["Could not resolve", "unable to access", "Connection", "timed out", "Could not connect", "early EOF"];
    if output.end == ToolEnd::TimedOut || away.iter().any(|sign| words.contains(sign)) {
        return Loss::Network { what: url.to_owned(), detail: Loss::words(output) };
    }
    Loss::tool("git", output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_up_as_a_tag_then_as_a_branch() {
        let commit = |digit: &str| digit.repeat(40);
        let lines = [
            ("1", "HEAD"),
            ("1", "refs/heads/main"),
            ("2", "refs/heads/v1"),
            ("3", "refs/tags/v1"),
            ("4", "refs/tags/v1^{}"),
            ("5", "refs/tags/v2"),
        ];
        let listed: String = lines.iter().map(|(digit, name)| format!("{}\t{name}\n", commit(digit))).collect();
        for (named, digit) in
            [("HEAD", "1"), ("main", "1"), ("v1", "4"), ("v2", "5"), ("heads/v1", "2"), ("refs/tags/v2", "5")]
        {
            assert_eq!(pick(&listed, named), Some(commit(digit)), "{named}");
        }
        assert_eq!(pick(&listed, "v3"), None);
    }
}
