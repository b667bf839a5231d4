//! The arguments of `estrange review`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::PAGE;

const REVIEW_INTRODUCTION: &str = "
Has people review what a model wrote. --sample draws answers of a run of `estrange generate` into a
file for any spreadsheet: in proportion from each setting and outcome, as many as the margin of
error asks for. Whoever reviews fills in the column reviewed_outcome with one of our words, and
reviewed_mistake where an answer does not compile. --reviewed reads such a file back, and says how
far these labels agree with ours: the share that is the same, and Cohen's kappa.
";

const REVIEW_EXAMPLES: &str = "\
Examples:
  estrange review runs/qwen --sample review.csv                    95% sure, give or take 5%
  estrange review runs/qwen --sample review.csv --margin 10 --seed 2
  estrange review runs/qwen --reviewed review.csv

Exit codes: 0 done, 1 it could not be, 2 wrong usage.";

/// Draw a sample of what was written for people to review, and say how far they agree
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = REVIEW_INTRODUCTION, after_help = REVIEW_EXAMPLES)]
#[command(group(ArgGroup::new("what").required(true).args(["sample", "reviewed"])))]
pub struct Review {
    /// The run, a folder
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Draw a sample of its answers, and write it to this file; what is in the file goes
    #[arg(long, value_name = "FILE.csv")]
    pub sample: Option<PathBuf>,
    /// Read this file, and say how far its labels agree with ours
    #[arg(long, value_name = "FILE.csv")]
    pub reviewed: Option<PathBuf>,
    /// How sure to be, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 95.0, conflicts_with = "reviewed")]
    pub confidence: f64,
    /// How far a share may be off, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, conflicts_with = "reviewed")]
    pub margin: f64,
    /// What answers are drawn by
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "reviewed")]
    pub seed: u64,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
}
