//! The arguments of the commands around the program itself: cache, completions.

use clap::{Args, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::PAGE;

const INTRODUCTION: &str = "
Shows what is in the cache and how large it is. `verify` reads all of it and names what is damaged;
that is made again when it is needed. `prune` removes what was not used for a while. Nothing is
removed while another command has the cache open.

Kinds: downloads, trees (unpacked sources), repositories (of git and apt), flags (how files
compile), results (finished steps of builds), vectors and answers (of models, which may have been
paid for: they go only if they are named), leftovers (of commands that were killed).
";

const EXAMPLES: &str = "\
Examples:
  estrange cache
  estrange cache verify
  estrange cache prune --dry-run                     what was not used for 30 days
  estrange cache prune --unused 0 --kind trees,results

Exit codes: 0 done, 1 something is damaged or the cache is in use, 2 wrong usage.";

/// Show what is in the cache, verify it, or make room
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = INTRODUCTION, after_help = EXAMPLES)]
pub struct Cache {
    #[command(subcommand)]
    pub work: Option<CacheWork>,
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub json: bool,
}

/// What is to be done with the cache.
#[derive(Debug, Subcommand)]
pub enum CacheWork {
    /// Read everything, and name what is damaged
    Verify,
    /// Remove what was not used for a while
    Prune(Prune),
}

/// What is removed.
#[derive(Debug, Args)]
pub struct Prune {
    /// What was not used for so many days
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    pub unused: u32,
    /// Only these kinds [default: all but vectors and answers]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub kind: Vec<CacheKind>,
    /// Say what would go, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What an entry of the cache is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum CacheKind {
    Downloads,
    Trees,
    Repositories,
    Flags,
    Results,
    Vectors,
    Answers,
    Leftovers,
}

const COMPLETIONS_INTRODUCTION: &str = "
Prints a script with which a shell completes commands and options when Tab is pressed.
";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  estrange completions bash >~/.local/share/bash-completion/completions/estrange
  estrange completions zsh >~/.zfunc/_estrange
  estrange completions fish >~/.config/fish/completions/estrange.fish";

/// Print a script that completes commands in a shell
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = COMPLETIONS_INTRODUCTION, after_help = COMPLETIONS_EXAMPLES)]
pub struct Completions {
    /// The shell: bash, zsh or fish, and also elvish or powershell
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    pub shell: Shell,
}
