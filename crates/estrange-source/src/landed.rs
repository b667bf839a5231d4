//! Going back over the main line of a source's history, the newest change first.

use estrange_sandbox::Sandbox;

use crate::cache::Cache;
use crate::git::{Landed, Repository, Touched, address, newest};
use crate::job::Job;
use crate::loss::Loss;
use crate::patience::Patience;
use crate::progress::{Progress, Step};
use crate::spec::{Origin, Pin, Spec};

/// Who goes back over a main line.
pub trait Follow {
    /// All that landed, the newest first. This comes before anything else.
    fn begins(&mut self, landed: &[Landed]);

    /// Whether what this change and all older ones touch is to be read.
    fn goes_on(&self, next: &Landed) -> bool;

    /// What a change touches: of all that are read, one after the other, none left out. What touches more than can be read is
    /// the end of it.
    fn touched(&mut self, landed: &Landed, touched: &Touched);
}

/// So many changes are read at once: one call of git, and one question whether to go on.
const AT_ONCE: usize = 64;

/// Goes back over the main line of a source, from its revision. Hands back the revision, as a source of its own.
///
/// A folder is a repository if git keeps one in it; its revision is the commit that is checked out, which need not be all that
/// stands in the folder. Where a copy of a repository does not have its whole history, the oldest commit is never handed over: what it
/// touches was not written then.
pub fn follow(
    spec: &Spec,
    cache: &Cache,
    sandbox: &Sandbox,
    progress: &dyn Progress,
    follower: &mut dyn Follow,
) -> Result<Spec, Loss> {
    let job = Job { cache, sandbox, progress, patience: Patience::default() };
    let (url, revision) = match spec.origin() {
        Origin::Git { url, revision } => (url.clone(), revision.as_deref()),
        Origin::Directory(path) => (address(path)?, None),
        Origin::Debian { .. } | Origin::Archive(_) | Origin::Url(_) | Origin::Crate { .. } => {
            return Err(Loss::NotFound { what: format!("the history of {spec}") });
        }
    };
    let newest = newest(&job, &url, revision)?;
    let repository = Repository::whole(&job, &url, &newest)?;
    let (line, has_beginning) = repository.main_line(&newest)?;
    let _step = Step::new(progress, &format!("reading what landed in {}", spec.name()), None);
    follower.begins(&line);
    let known = if has_beginning { &line[..] } else { &line[..line.len() - 1] };
    for part in known.chunks(AT_ONCE) {
        if !part.first().is_some_and(|next| follower.goes_on(next)) {
            break;
        }
        if !read(&repository, part, follower)? {
            break;
        }
    }
    Ok(Spec { origin: Origin::Git { url, revision: Some(newest) }, pin: Pin::default() })
}

/// Reads some changes; where git would print too much for all of them, half of them at once. Whether it could read them all.
fn read(repository: &Repository<'_>, part: &[Landed], follower: &mut dyn Follow) -> Result<bool, Loss> {
    let commits: Vec<&str> = part.iter().map(|landed| landed.commit.as_str()).collect();
    match repository.touched(&commits)? {
        Some(all) => {
            part.iter().zip(&all).for_each(|(landed, touched)| follower.touched(landed, touched));
            Ok(true)
        }
        None if part.len() > 1 => {
            let (newer, older) = part.split_at(part.len() / 2);
            Ok(read(repository, newer, follower)? && read(repository, older, follower)?)
        }
        None => Ok(false),
    }
}
