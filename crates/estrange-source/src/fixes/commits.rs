//! The fixes among a repository's commits.

use std::collections::BTreeSet;

use estrange_diff::Patch;

use super::fix::{Fix, Fixes, Passed, Unfit, code_of, look};
use super::prose::Prose;
use super::wanted::{Sign, Wanted};
use crate::changed::ChangedFile;
use crate::git::{Commit, Repository, newest};
use crate::job::Job;
use crate::loss::Loss;
use crate::progress::Step;
use crate::spec::{Origin, Pin, Spec};

/// How many messages are held at once.
const AT_ONCE: usize = 1000;

/// The longest diff that is looked at.
const LONGEST_DIFF: usize = 16 * 1024 * 1024;

/// The fixes of a repository, up to a revision.
pub(super) fn find(job: &Job<'_>, url: &str, revision: Option<&str>, wanted: &Wanted) -> Result<Fixes, Loss> {
    let newest = newest(job, url, revision)?;
    let repository = Repository::whole(job, url, &newest)?;
    let mut work = Work { repository: &repository, url, fixes: Vec::new(), losses: Vec::new(), merges: Vec::new() };
    let named = once(work.named(&newest, wanted)?);
    let mut listed = once(work.listed(&newest, wanted)?);
    listed.retain(|commit| !named.contains(commit));
    let _step = Step::new(job.progress, &format!("looking for fixes in {} commits", named.len() + listed.len()), None);
    let by_sign = !wanted.signs.is_empty() || wanted.ranges.is_empty();
    work.take(&listed, |commit| !by_sign || wanted.takes(&prose(commit).signs, Sign::ALL))?;
    work.drop_merges()?;
    work.take(&named, |_| true)?;
    let source = work.at(&newest);
    Ok(Fixes { source, seen: named.len() + listed.len(), fixes: work.fixes, losses: work.losses })
}

/// The fixes of a repository as they are found.
struct Work<'a> {
    repository: &'a Repository<'a>,
    url: &'a str,
    fixes: Vec<Fix>,
    losses: Vec<Passed>,
    /// Merges among both, with their first parents.
    merges: Vec<(String, String)>,
}

impl Work<'_> {
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

    /// Takes those of the commits that are wanted.
    fn take(&mut self, commits: &[String], is_wanted: impl Fn(&Commit) -> bool) -> Result<(), Loss> {
        for part in commits.chunks(AT_ONCE) {
            for commit in self.repository.about(part)?.iter().filter(|commit| is_wanted(commit)) {
                self.commit(commit)?;
            }
        }
        Ok(())
    }

    /// Drops the merges that bring another fix, the inner ones first.
    fn drop_merges(&mut self) -> Result<(), Loss> {
        for (merge, parent) in std::mem::take(&mut self.merges) {
            let brought = self.repository.range(&parent, &merge)?;
            let is_fix = |commit: &String| *commit != merge && self.fixes.iter().any(|fix| fix.name == *commit);
            if brought.iter().any(is_fix) {
                self.fixes.retain(|fix| fix.name != merge);
                self.losses.retain(|passed| passed.name != merge);
            }
        }
        Ok(())
    }

    /// Takes a commit that is wanted.
    fn commit(&mut self, commit: &Commit) -> Result<(), Loss> {
        let prose = prose(commit);
        let Some(parent) = commit.parents.first() else {
            self.losses.push(Passed::new(&commit.hash, &prose, Unfit::NoParent));
            return Ok(());
        };
        if commit.parents.len() > 1 {
            self.merges.push((commit.hash.clone(), parent.clone()));
        }
        let diff = self.repository.diff(parent, &commit.hash)?;
        match files(&diff) {
            Ok(files) => self.fixes.push(self.fix(commit, prose, diff, files, parent)),
            Err(unfit) => self.losses.push(Passed::new(&commit.hash, &prose, unfit)),
        }
        Ok(())
    }

    fn fix(&self, commit: &Commit, prose: Prose, diff: Vec<u8>, files: Vec<ChangedFile>, parent: &str) -> Fix {
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

/// Each commit once, where it comes first: ranges may overlap, and one commit may have several names.
fn once(mut commits: Vec<String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    commits.retain(|commit| known.insert(commit.clone()));
    commits
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
fn files(diff: &[u8]) -> Result<Vec<ChangedFile>, Unfit> {
    if diff.len() > LONGEST_DIFF {
        return Err(Unfit::TooLarge { most: LONGEST_DIFF });
    }
    let patch = Patch::read(diff)?;
    look(&patch, 1)?;
    let files = code_of(patch.files.iter().map(ChangedFile::of));
    if files.is_empty() { Err(Unfit::NoCode) } else { Ok(files) }
}
