//! How pairs are made.

use estrange_build::Options as BuildOptions;
use estrange_source::Wanted;

/// How pairs are made.
#[derive(Debug, Clone)]
pub struct Options {
    /// How functions are taken out: the folder, the jobs, the seed. Its settings are the rungs.
    pub build: BuildOptions,
    /// Which fixes of sources are wanted.
    pub wanted: Wanted,
    /// Whether triggers are looked for where none is known.
    pub seek: bool,
    /// Whether negative controls are tried on confirmed pairs.
    pub controls: bool,
    /// Whether it is tried if pairs without a bug would be confirmed.
    pub shams: bool,
}
