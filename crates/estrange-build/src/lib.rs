//! From sources to a bench: every function found is taken out, checked and recorded, or rejected with a reason.
//!
//! [`build`] goes through the sources one after the other (`source`): fetched and surveyed, translation units flattened
//! and read, each function given to one translation unit, its unit built by the parser and compiled by gcc beside the
//! project's own file, its linked unit put together, and all of it written down. Then the functions come back in batches
//! and are rewritten and lowered (`rework`). At the end stands what needs the whole: duplicates, balance, the numbers of
//! symbols (`merge`). [`build_part`] does a part of the work and [`merge()`] puts parts together. Every step that costs is
//! kept by content (`store`), so that a build that was killed goes on.
//!
//! This crate knows the order of the work. How each step is done, and how it is shown, it must not know.

mod assign;
mod batches;
mod companions;
mod config;
mod desk;
mod error;
mod flat;
mod foreign;
mod gate;
mod helpers;
mod ladder;
mod linked;
mod lost;
mod lower;
mod merge;
mod named;
mod not_foreign;
mod numbers;
mod options;
mod origin;
mod pipeline;
mod record;
mod replay;
mod rework;
mod run;
mod select;
mod single;
mod source;
mod state;
mod store;
mod tools;
mod translate;
mod trials;
mod undefined;
mod undelivered;
mod variants;
mod work;
mod workbench;

pub use desk::Host;
pub use error::{BuildError, MergeError};
pub use estrange_evidence::undefined::{Checks, Lapse};
pub use estrange_evidence::unlike::Unlike;
pub use estrange_evidence::{Compiler, Explanation, Identical, IdenticalCode, Level, Refusal};
pub use estrange_lower::{
    Lowering, Statistics as LoweredStatistics, Style as LoweringStyle, Target as LoweringTarget, UnknownWord,
    statistics as lowered_statistics,
};
pub use estrange_oracle::{
    Difference, End, Input, InputError, Place, Reached, Record as Inputs, Seen, Untestable, Verdict as Agreement,
};
pub use estrange_rewrite::{Foreign, Group, NAMED as NAMED_SETTINGS, NoRecipe, Recipe, Rewrite, Setting, split_list};
pub use estrange_store::is_whole as is_whole_result;
pub use foreign::ForeignOptions;
pub use ladder::lowest_missing;
pub use merge::merge;
pub use named::Choice;
pub use not_foreign::{NoCommand, NoPrompt, NotForeign};
pub use options::{NotAShare, Options, Progress, Share};
pub use pipeline::{PartReport, Report, build, build_part};
pub use replay::{Ending, Replayed, ReplayedFiles, find_input, replay_files};
pub use run::Behaviour;
pub use single::{
    Check, CheckedFile, FileError, FileRequest, LowerRequest, RewrittenFile, Verdict, check_files, lower_file,
    rewrite_file,
};
pub use state::{Lines, State};
pub use trials::{NoTrials, Trials};
pub use undefined::Undefined;
pub use workbench::{NotRewritten, RewrittenText, Text, Workbench};
