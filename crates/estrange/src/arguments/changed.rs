//! The arguments that choose functions by when they changed.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use estrange_history::{Day, With};

/// What changes may have to touch besides.
fn withs() -> PossibleValuesParser {
    With::ALL.iter().map(|with| with.as_str()).into()
}

/// Which functions by their changes, and what a model may know of them.
#[derive(Debug, Args)]
#[command(next_help_heading = "When functions changed")]
pub struct Changed {
    /// Functions only that changed on this day or later, such as 2024-05-31; their sources have a git history
    #[arg(long, value_name = "DATE")]
    pub changed_since: Option<Day>,
    /// Which changes count: those that touch tests, too, or any
    #[arg(long, value_name = "WHICH", default_value = "tests", requires = "changed_since", value_parser = withs())]
    pub changed_with: String,
    /// The last day that the model was trained on [default: what is known of it; see docs/generation.md]
    #[arg(long, value_name = "DATE")]
    pub cutoff: Option<Day>,
    /// A file with the last days of more models
    #[arg(long, value_name = "FILE")]
    pub cutoffs: Option<PathBuf>,
    /// When to find out on which days functions last changed; auto: with --changed-since, and where a cut-off is known
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = ["auto", "always", "never"])]
    pub dates: String,
}
