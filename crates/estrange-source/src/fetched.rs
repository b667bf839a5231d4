//! What a fetch hands back: the tree, and everything needed to have it again.

use std::path::PathBuf;

use serde::Serialize;

use crate::cache::{Download, Tree};
use crate::digest::TreeDigest;
use crate::loss::Loss;
use crate::spec::{Origin, Pin, Spec};
use crate::submodules::missing_submodules;
use crate::unpack::LeftOut;

/// A source that was had: pinned, verified, unpacked.
#[derive(Debug, Clone, Serialize)]
pub struct Fetched {
    /// The source as it was asked for.
    pub spec: Spec,
    /// The same source with its version and its digests: it gives this tree, or a loss.
    pub pinned: Spec,
    /// A short name for people.
    pub name: String,
    /// The version: the package's own, a commit, or `sha256:…` and `tree:…` where there is no better.
    pub version: String,
    /// The digest of the tree.
    pub tree: TreeDigest,
    /// Where the tree is. It belongs to the cache: copy it to change it.
    #[serde(skip)]
    pub root: PathBuf,
    /// How many files the tree has.
    pub files: u64,
    /// How many bytes they have together.
    pub bytes: u64,
    /// The files it was made of.
    pub downloads: Vec<Download>,
    /// The patches that were applied, in order. `#before=PATCH` or `#after=PATCH` in a [`Spec`] stops at one of them.
    pub patches: Vec<String>,
    /// What was left out of the tree.
    pub left_out: Vec<LeftOut>,
}

impl Fetched {
    /// `origin` is where it came from, with its version filled in.
    pub(crate) fn new(
        spec: &Spec,
        origin: Origin,
        version: String,
        downloads: Vec<Download>,
        tree: Tree,
    ) -> Result<Self, Loss> {
        let found = tree.summary.digest;
        if let Some(expected) = spec.pin().tree.filter(|&expected| expected != found) {
            return Err(Loss::HashMismatch {
                what: format!("the tree of {}", spec.name()),
                expected: expected.to_string(),
                found: found.to_string(),
            });
        }
        let mut left_out = tree.made.left_out;
        left_out.extend(missing_submodules(&tree.root));
        let is_archive = matches!(origin, Origin::Archive(_) | Origin::Url(_));
        let sha256 = downloads.first().filter(|_| is_archive).map(|download| download.sha256);
        Ok(Self {
            spec: spec.clone(),
            pinned: Spec { origin, pin: Pin { sha256, tree: Some(found) } },
            name: spec.name(),
            version,
            tree: found,
            root: tree.root,
            files: tree.summary.files,
            bytes: tree.summary.bytes,
            downloads,
            patches: tree.made.patches,
            left_out,
        })
    }
}
