//! The options that have an influence on the records, as a bench and its parts remember them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use estrange_bench::{BenchError, PartBuild};
use estrange_inference::tokenizer::Tokenizer;
use estrange_project::flags::Configure;
use estrange_project::role::Role;
use estrange_text::balance::Bound;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::BuildError;
use crate::options::Options;
use crate::select::Rules;

/// See the fields of the same names in [`Options`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Config {
    roles: BTreeSet<Role>,
    configure: Configure,
    max_unit_lines: usize,
    max_data_share: f64,
    max_per_source: Option<PerSource>,
    eval_share: f64,
    duplicate_threshold: f64,
    keep_versions: bool,
    /// The hash of the tokenizer.
    tokenizer: Option<String>,
    pub(crate) settings: Vec<String>,
    pub(crate) lowerings: Vec<String>,
    /// How many trials each setting has in which the seed has a say.
    trials: BTreeMap<String, u32>,
    /// Stands for the commands and models of foreign steps, where there are some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    foreign: Option<String>,
}

/// How much one source may have.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PerSource {
    Share(f64),
    Count(usize),
}

impl Config {
    pub(crate) fn new(options: &Options, tokenizer: Option<&Tokenizer>, foreign: Option<String>) -> Self {
        let drawn = options.settings.iter().filter(|setting| setting.recipe().draws());
        Self {
            roles: options.roles.clone(),
            configure: options.configure,
            max_unit_lines: options.max_unit_lines,
            max_data_share: options.max_data_share,
            max_per_source: options.max_per_source.map(|bound| match bound {
                Bound::Share(share) => PerSource::Share(share),
                Bound::Count(count) => PerSource::Count(count),
            }),
            eval_share: options.eval_share,
            duplicate_threshold: options.duplicate_threshold,
            keep_versions: options.keep_versions,
            tokenizer: tokenizer.map(|tokenizer| tokenizer.hash().to_owned()),
            settings: options.settings.iter().map(|setting| setting.name().to_owned()).collect(),
            lowerings: options.lowerings.iter().map(ToString::to_string).collect(),
            trials: drawn.map(|setting| (setting.name().to_owned(), options.trials.of(setting))).collect(),
            foreign,
        }
    }

    /// What a part and a bench remember.
    pub(crate) fn recorded(&self) -> Result<Value, BuildError> {
        serde_json::to_value(self).map_err(|error| BuildError::Options(error.to_string()))
    }

    /// What a part says.
    pub(crate) fn of(build: &PartBuild, folder: &Path) -> Result<Self, BenchError> {
        let damaged = |error: serde_json::Error| BenchError::Damaged {
            path: folder.to_owned(),
            detail: format!("its options cannot be read: {error}"),
        };
        serde_json::from_value(build.config.clone()).map_err(damaged)
    }

    /// How functions are chosen.
    pub(crate) fn rules(&self, seed: u64) -> Rules {
        Rules {
            threshold: self.duplicate_threshold,
            keep_versions: self.keep_versions,
            max_per_source: self.max_per_source.map(|bound| match bound {
                PerSource::Share(share) => Bound::Share(share),
                PerSource::Count(count) => Bound::Count(count),
            }),
            seed,
        }
    }
}
