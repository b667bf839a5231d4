//! The history of a repository: which commits there are, what their messages say, and what they change.

use std::time::Duration;

use super::{Repository, is_commit, refused};
use crate::job::Job;
use crate::loss::Loss;

/// A commit.
pub(crate) struct Commit {
    pub(crate) hash: String,
    pub(crate) parents: Vec<String>,
    pub(crate) message: String,
}

/// Attributes of the tree have no say: one of them declares text to be binary.
pub(super) const QUIET: [&str; 4] =
    ["-c", "attr.tree=4b825dc642cb6eb9a060e54bf8d69288fbee4904", "-c", "core.quotePath=true"];

/// What a diff is like, whoever's configuration there is.
pub(super) const FORM: [&str; 14] = [
    "-p",
    "-r",
    "-M",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--full-index",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--no-relative",
    "--ignore-submodules=none",
    "--submodule=short",
];

const HOUR: Duration = Duration::from_secs(3600);

impl<'a> Repository<'a> {
    /// A repository with all that leads to a commit.
    pub(crate) fn whole(job: &'a Job<'a>, url: &'a str, commit: &str) -> Result<Self, Loss> {
        job.cache.require_writable(url)?;
        let repository = Self::open(job, url)?;
        if repository.commit(commit)?.is_none() {
            repository.fetch(&["+refs/*:refs/*"], &["--update-shallow"])?;
        }
        // What was fetched alone has no history yet. A copy that is not whole itself gives what it has.
        if repository.is_shallow()? {
            repository.fetch(&["+refs/*:refs/*"], &["--unshallow", "--update-shallow"])?;
        }
        let missing = || Loss::RevisionNotFound { repository: url.to_owned(), revision: commit.to_owned() };
        repository.commit(commit)?.ok_or_else(missing)?;
        Ok(repository)
    }

    pub(super) fn is_shallow(&self) -> Result<bool, Loss> {
        Ok(self.ask(&["rev-parse", "--is-shallow-repository"])?.trim_ascii() == b"true")
    }

    /// The commit of a name; what is not known is fetched first.
    pub(crate) fn revision(&self, name: &str) -> Result<Option<String>, Loss> {
        let names = [name.to_owned(), format!("refs/tags/{name}"), format!("refs/heads/{name}")];
        for name in &names {
            if let Some(commit) = self.commit(name)? {
                return Ok(Some(commit));
            }
        }
        self.fetch(&["+refs/*:refs/*"], &[])?;
        self.commit(name)
    }

    /// All commits that lead to one, the oldest first.
    pub(crate) fn history(&self, newest: &str) -> Result<Vec<String>, Loss> {
        self.listed(&["--end-of-options", newest])
    }

    /// The commits that lead to one and not to another, the oldest first.
    pub(crate) fn range(&self, from: &str, to: &str) -> Result<Vec<String>, Loss> {
        let missing =
            |name: &str| Loss::RevisionNotFound { repository: self.url.to_owned(), revision: name.to_owned() };
        let from = self.revision(from)?.ok_or_else(|| missing(from))?;
        let to = self.revision(to)?.ok_or_else(|| missing(to))?;
        self.listed(&["--end-of-options", &to, &format!("^{from}")])
    }

    fn listed(&self, what: &[&str]) -> Result<Vec<String>, Loss> {
        let output = self.ask(&[&["rev-list", "--topo-order", "--reverse"], what].concat())?;
        let commits: Vec<String> = String::from_utf8_lossy(&output).lines().map(str::to_owned).collect();
        if commits.iter().all(|commit| is_commit(commit)) { Ok(commits) } else { Err(self.too_long("more commits")) }
    }

    /// What is known of these commits, in their order. Their hashes are arguments: a thousand are not too many.
    pub(crate) fn about(&self, commits: &[String]) -> Result<Vec<Commit>, Loss> {
        let fixed =
            ["log", "--no-walk=unsorted", "--encoding=UTF-8", "--no-show-signature", "--no-decorate", "--no-notes"];
        let hashes: Vec<&str> = commits.iter().map(String::as_str).collect();
        let output = self.ask(&[&fixed[..], &["--format=%H%x00%P%x00%B%x00", "--end-of-options"], &hashes].concat())?;
        let found = read(&String::from_utf8_lossy(&output));
        if found.len() == commits.len() { Ok(found) } else { Err(self.too_long("longer messages")) }
    }

    /// What git printed was cut: it is not taken for all.
    pub(super) fn too_long(&self, what: &str) -> Loss {
        Loss::TooLarge { what: self.url.to_owned(), bound: format!("{what} than are read"), entry: String::new() }
    }

    /// What changes from one commit to another, with names that lose a folder.
    pub(crate) fn diff(&self, from: &str, to: &str) -> Result<Vec<u8>, Loss> {
        self.ask(&[&QUIET[..], &["diff-tree", "-U3"], &FORM, &["--end-of-options", from, to]].concat())
    }

    /// Asks git something about the repository.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<Vec<u8>, Loss> {
        let output = self.git().arguments(arguments.iter().copied()).wall(HOUR).run()?;
        if output.success() { Ok(output.stdout) } else { Err(refused(self.url, &output)) }
    }
}

/// Reads triples of hash, parents and message, each ended by a NUL.
fn read(text: &str) -> Vec<Commit> {
    let parts: Vec<&str> = text.split('\0').collect();
    let commits = parts.chunks_exact(3).map(|part| Commit {
        hash: part[0].trim().to_owned(),
        parents: part[1].split_whitespace().map(str::to_owned).collect(),
        message: part[2].to_owned(),
    });
    commits.collect()
}
