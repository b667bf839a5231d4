//! The fixes among a repository's commits.

use std::collections::BTreeSet;
use std::path::Path;

use estrange_diff::{FileDiff, Patch};

use super::fix::{Fix, FixedFile, Fixes, Passed, Unfit, code_of, look};
use super::prose::Prose;
use super::wanted::{Sign, Wanted};
use crate::git::{Commit, Repository, newest};
use crate::job::Job;
use crate::loss::Loss;
use crate::progress::Step;
use crate::spec::{Origin, Pin, Spec};

/// How many messages are held at once.
const AT_ONCE: usize = 1000;

/// The longest diff that is looked at.
const LONGEST_DIFF: usize = 16 * 1024 * 1024;

/// The address of the repository that git keeps in a folder.
pub(super) fn address(path: &Path) -> Result<String, Loss> {
    let missing = || Loss::NotFound { what: format!("the repository {}", path.display()) };
    let whole = path.canonicalize().map_err(|_| missing())?;
    let is_bare = whole.join("HEAD").is_file() && whole.join("objects").is_dir();
    let text = whole.to_str().filter(|_| is_bare || whole.join(".git").exists()).ok_or_else(missing)?;
    Ok(format!("file://{text}"))
}

/// The fixes of a repository, up to a revision.
pub(super) fn find(job: &Job<'_>, url: &str, revision: Option<&str>, wanted: &Wanted) -> Result<Fixes, Loss> {
    let newest = newest(job, url, revision)?;
    let repository = Repository::whole(job, url, &newest)?;
    let mut work = Work { repository: &repository, url, fixes: Vec::new(), losses: Vec::new() };
    let commits = work.commits(&newest, wanted)?;
    let _step = Step::new(job.progress, &format!("reading {} commits", commits.taken.len()), None);
    for commit in &commits.taken {
        work.commit(commit)?;
    }
    let source = work.at(&newest);
    Ok(Fixes { source, seen: commits.seen, fixes: work.fixes, losses: work.losses })
}

/// The fixes of a repository as they are found.
struct Work<'a> {
    repository: &'a Repository<'a>,
    url: &'a str,
    fixes: Vec<Fix>,
    losses: Vec<Passed>,
}

/// The commits that are wanted, and how many were looked at.
struct Commits {
    taken: Vec<Commit>,
    seen: usize,
}

impl Work<'_> {
    /// The commits that are wanted, each once: the oldest first, then those that are named.
    fn commits(&mut self, newest: &str, wanted: &Wanted) -> Result<Commits, Loss> {
        let (named, listed) = (self.named(newest, wanted)?, self.listed(newest, wanted)?);
        let seen = named.iter().chain(&listed).collect::<BTreeSet<_>>().len();
        let by_sign = !wanted.signs.is_empty() || wanted.ranges.is_empty();
        let mut taken = Vec::new();
        for part in listed.chunks(AT_ONCE) {
            let mut commits = self.repository.about(part)?;
            commits.retain(|commit| !by_sign || wanted.takes(&prose(commit).signs, Sign::ALL));
            taken.extend(commits);
        }
        self.drop_merges(&mut taken)?;
        for part in named.chunks(AT_ONCE) {
            taken.extend(self.repository.about(part)?);
        }
        let mut known = BTreeSet::new();
        taken.retain(|commit| known.insert(commit.hash.clone()));
        Ok(Commits { taken, seen })
    }

    /// The commits that are asked for by name; what is not there is lost.
    fn named(&mut self, newest: &str, wanted: &Wanted) -> Result<Vec<String>, Loss> {
        let mut named = Vec::new();
        for name in &wanted.names {
            match self.repository.revision(&at_head(name, newest))? {
                Some(commit) => named.push(commit),
                None => self.losses.push(Passed::new(name, &Prose::default(), Unfit::NotThere)),
            }
        }
        Ok(named)
    }

    /// The commits of the ranges, or all where nothing is asked for, the oldest first.
    fn listed(&self, newest: &str, wanted: &Wanted) -> Result<Vec<String>, Loss> {
        if wanted.names.is_empty() && wanted.ranges.is_empty() {
            return self.repository.history(newest);
        }
        let mut listed = Vec::new();
        for (from, to) in &wanted.ranges {
            listed.extend(self.repository.range(&at_head(from, newest), &at_head(to, newest))?);
        }
        Ok(listed)
    }

    /// Drops the merges that bring commits which are taken themselves.
    fn drop_merges(&self, taken: &mut Vec<Commit>) -> Result<(), Loss> {
        let single: BTreeSet<String> =
            taken.iter().filter(|commit| commit.parents.len() == 1).map(|commit| commit.hash.clone()).collect();
        let mut kept = Vec::new();
        for commit in taken.drain(..) {
            let brings_taken = match commit.parents.first().filter(|_| commit.parents.len() > 1) {
                Some(parent) => {
                    self.repository.range(parent, &commit.hash)?.iter().any(|brought| single.contains(brought))
                }
                None => false,
            };
            kept.extend((!brings_taken).then_some(commit));
        }
        *taken = kept;
        Ok(())
    }

    /// Takes a commit that is wanted.
    fn commit(&mut self, commit: &Commit) -> Result<(), Loss> {
        let prose = prose(commit);
        let Some(parent) = commit.parents.first() else {
            self.losses.push(Passed::new(&commit.hash, &prose, Unfit::NoParent));
            return Ok(());
        };
        let diff = self.repository.diff(parent, &commit.hash)?;
        match files(&diff) {
            Ok(files) => self.fixes.push(self.fix(commit, prose, diff, files, parent)),
            Err(unfit) => self.losses.push(Passed::new(&commit.hash, &prose, unfit)),
        }
        Ok(())
    }

    fn fix(&self, commit: &Commit, prose: Prose, diff: Vec<u8>, files: Vec<FixedFile>, parent: &str) -> Fix {
        Fix {
            name: commit.hash.clone(),
            title: prose.title,
            description: prose.description,
            cves: prose.cves,
            cwes: prose.cwes,
            signs: prose.signs.into_iter().collect(),
            diff,
            files,
            before: self.at(parent),
            after: self.at(&commit.hash),
        }
    }

    /// The repository at a commit.
    fn at(&self, commit: &str) -> Spec {
        let origin = Origin::Git { url: self.url.to_owned(), revision: Some(commit.to_owned()) };
        Spec { origin, pin: Pin::default() }
    }
}

/// A revision, where `HEAD` stands for the newest commit of the source: the copy in the cache has none of its own.
fn at_head(revision: &str, newest: &str) -> String {
    let rest = revision.strip_prefix("HEAD").filter(|rest| rest.is_empty() || rest.starts_with(['~', '^']));
    rest.map_or_else(|| revision.to_owned(), |rest| format!("{newest}{rest}"))
}

fn prose(commit: &Commit) -> Prose {
    let title = commit.message.lines().next().unwrap_or_default().trim().to_owned();
    Prose::read("", title, &commit.message)
}

/// The code that a diff of git's changes.
fn files(diff: &[u8]) -> Result<Vec<FixedFile>, Unfit> {
    if diff.len() > LONGEST_DIFF {
        return Err(Unfit::TooLarge { most: LONGEST_DIFF });
    }
    let patch = Patch::read(diff)?;
    look(&patch, 1)?;
    let files = code_of(patch.files.iter().map(fixed));
    if files.is_empty() { Err(Unfit::NoCode) } else { Ok(files) }
}

fn fixed(file: &FileDiff) -> FixedFile {
    FixedFile { old_path: file.old_path(1), new_path: file.new_path(1), touched: file.touched() }
}
