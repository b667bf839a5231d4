//! What several commands need before they begin: sources read, the cache opened, the sandbox started.

use std::path::{Path, PathBuf};

use estrange_build::Host;
use estrange_sandbox::{Launcher, Protection, Sandbox};
use estrange_source::{Cache, Loss, Spec};

use crate::arguments::Shared;
use crate::voice::{self, Failure};

/// A source as it was typed.
pub fn spec(text: &str) -> Result<Spec, Failure> {
    text.parse().map_err(|bad: estrange_source::BadSpec| Failure::of(&bad).usage())
}

/// The cache, opened.
pub fn cache(shared: &Shared) -> Result<Cache, Failure> {
    let path = cache_path(shared)?;
    Cache::open(&path).map_err(|loss| unusable_cache(&path, &loss))
}

/// What serves a user's files. A cache that cannot be used is done without.
pub fn host(shared: &Shared) -> Result<Host, Failure> {
    let cache = cache_path(shared).ok().and_then(|path| Cache::open(path).ok());
    Ok(Host { sandbox: sandbox(shared)?, cache })
}

/// Where the cache is.
pub fn cache_path(shared: &Shared) -> Result<PathBuf, Failure> {
    let path = shared.cache.clone().or_else(Cache::default_path);
    path.ok_or_else(|| Failure::new("there is no place for the cache").hint("name one with --cache DIR"))
}

/// The words for a cache that cannot be used.
pub fn unusable_cache(path: &Path, loss: &Loss) -> Failure {
    let failure = Failure::new(format!("the cache cannot be used: {}", path.display())).because(loss);
    failure.hint(voice::hint_for(loss).unwrap_or("name another folder with --cache DIR".into()))
}

/// The sandbox, started.
pub fn sandbox(shared: &Shared) -> Result<Sandbox, Failure> {
    let protection = if shared.unprotected { Protection::Waived } else { Protection::Required };
    let sandbox = Sandbox::start(&Launcher::this_program(), protection).map_err(|error| {
        Failure::new("foreign code will not be run on this machine")
            .because(&error)
            .hint("`estrange doctor` says what would change that")
            .hint("--unprotected runs it all the same, at your own risk")
    })?;
    if !sandbox.is_protected() {
        voice::warning(
            "foreign code runs WITHOUT PROTECTION: it can read and change whatever you can\n\
             because --unprotected was given and this machine cannot confine it",
        );
    }
    Ok(sandbox)
}
