//! The fixes that a source has: patches of a Debian package and commits of a repository that mend something.

mod code;
mod commits;
mod fix;
mod patches;
mod prose;
mod texts;
mod wanted;

use estrange_sandbox::Sandbox;

pub use fix::{Fix, Fixes, Passed, Unfit};
pub use wanted::{Sign, Wanted};

use crate::cache::Cache;
use crate::git::address;
use crate::job::Job;
use crate::loss::Loss;
use crate::patience::Patience;
use crate::progress::Progress;
use crate::spec::{Origin, Pin, Spec};

impl Fixes {
    /// The fixes of a source, with the states before and after each.
    ///
    /// Of a Debian package these are patches, in the order of its series: those that name a CVE, unless something else is
    /// [`Wanted`]. Of a repository these are commits, the oldest first: those whose messages name a CVE, what a sanitizer
    /// found, or a fuzzer. A folder is a repository if git keeps one in it. What is wanted and cannot be used is among the
    /// losses, with the reason.
    pub fn of(
        spec: &Spec,
        wanted: &Wanted,
        cache: &Cache,
        sandbox: &Sandbox,
        progress: &dyn Progress,
    ) -> Result<Self, Loss> {
        let job = Job { cache, sandbox, progress, patience: Patience::default() };
        // What is pinned is verified; the history of a repository alone would not show that another tree was meant.
        if spec.pin() != Pin::default() {
            job.fetch(spec)?;
        }
        match spec.origin() {
            Origin::Debian { .. } => patches::find(&job, spec, wanted),
            Origin::Git { url, revision } => commits::find(&job, url, revision.as_deref(), wanted),
            Origin::Directory(path) => commits::find(&job, &address(path)?, None, wanted),
            Origin::Archive(_) | Origin::Url(_) | Origin::Crate { .. } => {
                Err(Loss::NotFound { what: format!("the history of {spec}") })
            }
        }
    }
}

#[cfg(test)]
mod tests;
