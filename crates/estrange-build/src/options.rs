//! How to build, and how to be told about it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::str::FromStr;

use estrange_lower::Lowering;
use estrange_project::flags::Configure;
use estrange_project::role::Role;
use estrange_rewrite::Setting;
use estrange_text::balance::Bound;

use crate::foreign::ForeignOptions;
use crate::trials::Trials;

/// How to build.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder to write the bench to.
    pub out: PathBuf,
    /// The seed of whatever is chosen at random.
    pub seed: u64,
    /// How many things are done side by side.
    pub jobs: usize,
    /// The roles whose files' functions are taken.
    pub roles: BTreeSet<Role>,
    /// Whether projects may be configured.
    pub configure: Configure,
    /// The most lines that a linked unit may have.
    pub max_unit_lines: usize,
    /// The largest share of a linked unit's text that may be values of variables.
    pub max_data_share: f64,
    /// The most of the bench that may come from one source.
    pub max_per_source: Option<Bound>,
    /// The share of the sources that are for evaluation.
    pub eval_share: f64,
    /// The similarity from which on two functions are duplicates.
    pub duplicate_threshold: f64,
    /// A model's tokenizer, to count tokens by.
    pub tokenizer: Option<PathBuf>,
    /// Whether versions of one function may stay though they are nearly the same.
    pub keep_versions: bool,
    /// The settings besides `standard` that functions are wanted in.
    pub settings: BTreeSet<Setting>,
    /// What functions are lowered to.
    pub lowerings: BTreeSet<Lowering>,
    /// How many variants each function has in a setting.
    pub trials: Trials,
    /// What foreign steps of recipes have at their disposal.
    pub foreign: ForeignOptions,
}

impl Options {
    /// The options that `estrange build` has unless told otherwise.
    pub fn new(out: PathBuf) -> Self {
        Self {
            out,
            seed: 0,
            jobs: 1,
            roles: [Role::Library, Role::Program].into(),
            configure: Configure::Auto,
            max_unit_lines: estrange_unit::Bounds::default().lines,
            max_data_share: estrange_unit::Bounds::default().data_share,
            max_per_source: None,
            eval_share: 1.0,
            duplicate_threshold: estrange_text::duplicates::Options::default().threshold,
            tokenizer: None,
            keep_versions: false,
            settings: BTreeSet::new(),
            lowerings: BTreeSet::new(),
            trials: Trials::default(),
            foreign: ForeignOptions::default(),
        }
    }
}

impl Options {
    /// The settings and seeds of the variants that are wanted of each function.
    pub fn variants(&self) -> Vec<(Setting, u32)> {
        let seed = self.seed as u32;
        let seeds = |setting| (0..self.trials.of(setting)).map(move |trial| seed.wrapping_add(trial));
        self.settings.iter().flat_map(|setting| seeds(setting).map(|seed| (setting.clone(), seed))).collect()
    }
}

/// Which part of a build is done, by one of several processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Which, from 1.
    pub part: u32,
    /// Of how many.
    pub of: u32,
}

impl Share {
    /// Everything.
    pub const WHOLE: Self = Self { part: 1, of: 1 };
}

/// Why a text names no part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no part of a build: it is written K/N, such as 3/16, with K from 1 to N")]
pub struct NotAShare(String);

impl FromStr for Share {
    type Err = NotAShare;

    fn from_str(text: &str) -> Result<Self, NotAShare> {
        let read = || {
            let (part, of) = text.split_once('/')?;
            Some(Self { part: part.parse().ok()?, of: of.parse().ok()? })
        };
        read().filter(|share| (1..=share.of).contains(&share.part)).ok_or_else(|| NotAShare(text.to_owned()))
    }
}

/// Who is told how the work goes on. Calls come from several threads.
pub trait Progress: Sync {
    /// Work on a source begins.
    fn source(&self, name: &str);
    /// What is being done for the present source, in words.
    fn step(&self, what: &str);
    /// So many of so many functions or files of the present step are done.
    fn count(&self, done: usize, of: usize);
    /// The present source is done: functions found and kept.
    fn source_done(&self, name: &str, found: usize, kept: usize);
    /// A source was lost: why, and what to do about it.
    fn source_lost(&self, name: &str, why: &str, hint: Option<&str>);
    /// What a fetch says.
    fn fetching(&self) -> &dyn estrange_source::Progress;
    /// Whether to stop at the next good moment.
    fn is_cancelled(&self) -> bool;
}
