//! The arguments of `estrange explain`.

use clap::Args;

use super::PAGE;

const INTRODUCTION: &str = "
Says what a word means that Estrange uses: a rewrite, a setting, a target, a tier, a stage, a reason,
how a call ended, or a measure; with an example, and what a rewrite needs and refuses. Without a word, lists them all.
";

const EXAMPLES: &str = "\
Examples:
  estrange explain                       every word, with what it means
  estrange explain reverse-loop          what a rewrite does, and what it refuses
  estrange explain static-collision      why a function has no linked unit
  estrange explain heap-overflow         what a sanitizer found, and its numbers among weaknesses (CWE)
  estrange explain agrees-weakly --json

Exit codes: 0 explained, 2 there is no such word.";

/// Say what a word means: a rewrite, a setting, a tier, a reason, an end, a measure
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = INTRODUCTION, after_help = EXAMPLES)]
pub struct Explain {
    /// The word; without one, all are listed
    #[arg(value_name = "WORD")]
    pub word: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
