//! Gets source trees: directories, archives, git, Debian and crates.io packages, pinned and verified.
//!
//! ```no_run
//! use estrange_sandbox::{Launcher, Protection, Sandbox};
//! use estrange_source::{Cache, Silent, Spec, fetch};
//!
//! let cache = Cache::open("/var/tmp/estrange")?;
//! let sandbox = Sandbox::start(&Launcher::this_program(), Protection::Required)?;
//! let spec: Spec = "deb:zlib".parse()?;
//! let fetched = fetch(&spec, &cache, &sandbox, &Silent)?;
//! println!("{} is in {}", fetched.pinned, fetched.root.display());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Spec`] is how a person names a source; [`fetch`] has it in the [`Cache`] and hands back a [`Fetched`]: a tree
//! that is there, is what its digest says, and stays so. A source that cannot be had is a [`Loss`] with a reason.
//!
//! Archives are untrusted: see [`Rule`] for what refuses one and [`Omission`] for what is left out. Patches are
//! foreign data too, and are applied in the sandbox. Downloading is left to the clients that know how to verify what
//! they get: apt, cargo, git; only plain web addresses are downloaded here.
//!
//! [`Fixes::of`] finds the patches of a package and the commits of a repository that mend something, with the states
//! before and after each. [`follow()`] goes back over what landed on the main line of a repository.
//!
//! This crate must not know what the trees are for, nor C, but for the names of its files.

mod archive;
mod cache;
mod changed;
mod debian;
mod digest;
mod directory;
mod fetched;
mod fixes;
mod git;
mod http;
mod job;
mod landed;
mod loss;
mod patience;
mod progress;
mod registry;
mod rule;
mod spec;
mod submodules;
mod tree;
mod unpack;

pub use cache::{Cache, Download, is_whole_download, is_whole_tree};
pub use changed::ChangedFile;
pub use digest::{NotADigest, Sha256, TreeDigest};
pub use fetched::Fetched;
pub use fixes::{Fix, Fixes, Passed, Sign, Unfit, Wanted};
pub use git::{Landed, Landing, Touched};
pub use landed::{Follow, follow};
pub use loss::Loss;
pub use progress::{Progress, Silent};
pub use spec::{BadSpec, Origin, Pin, Spec, Stop};
pub use unpack::{Bounds, LeftOut, Omission, Rule};

use estrange_sandbox::Sandbox;

use job::Job;
use patience::Patience;

/// Has a source: from the cache if it is there and whole, from where it comes from otherwise.
///
/// Blocks; call it from several threads to fetch several sources side by side, each with a `progress` of its own.
pub fn fetch(spec: &Spec, cache: &Cache, sandbox: &Sandbox, progress: &dyn Progress) -> Result<Fetched, Loss> {
    let job = Job { cache, sandbox, progress, patience: Patience::default() };
    job.fetch(spec)
}

impl Job<'_> {
    fn fetch(&self, spec: &Spec) -> Result<Fetched, Loss> {
        match spec.origin() {
            Origin::Directory(path) => directory::fetch(self, spec, path),
            Origin::Archive(path) => archive::fetch_file(self, spec, path),
            Origin::Url(url) => archive::fetch_url(self, spec, url),
            Origin::Git { url, revision } => git::fetch(self, spec, url, revision.as_deref()),
            Origin::Debian { name, version, stop } => {
                debian::fetch(self, spec, name, version.as_deref(), stop.as_ref())
            }
            Origin::Crate { name, version } => registry::fetch(self, spec, name, version.as_deref()),
        }
    }
}
