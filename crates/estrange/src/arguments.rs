//! What may be typed on the command line, and the help that teaches it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// The order of a help page: what it is for, how it is called, what can be set, examples.
const PAGE: &str = "{about}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

const INTRODUCTION: &str = "
Today Estrange fetches real sources and surveys them: which files are library code, under which
licence, and with which flags they compile.";

const EXAMPLES: &str = "\
Examples:
  estrange doctor                            what is missing on this machine
  estrange sources deb:zlib                  fetch a Debian source package and show what is in it

Exit codes: 0 done, 1 the work or a part of it failed, 2 wrong usage, 130 stopped by Ctrl-C.
Results go to stdout; progress, warnings and errors go to stderr.
RUST_LOG=debug shows what happens inside.";

const DOCTOR_INTRODUCTION: &str = "
Checks whether each tool Estrange uses is there and new enough, and what the kernel offers to
confine foreign code.";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  estrange doctor
  estrange doctor --json | jq -r '.mend[]'   only the commands that mend

Exit codes: 0 nothing needed is missing, 1 something is.";

/// Makes real C and C++ code strange, proves what survived, and measures which models still understand
#[derive(Debug, Parser)]
#[command(name = "estrange", version, max_term_width = 100)]
#[command(help_template = PAGE, before_help = INTRODUCTION, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub shared: Shared,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Doctor(Doctor),
}

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Shared {
    /// Where downloads are kept [default: $ESTRANGE_CACHE, or ~/.cache/estrange]
    #[arg(long, global = true, value_name = "DIR", env = "ESTRANGE_CACHE", hide_env = true)]
    pub cache: Option<PathBuf>,
    /// How much to do at once [default: one job a core]
    #[arg(long, short, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Show no progress and no warnings; results and errors still come
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Whether to colour what is printed
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub color: Color,
    /// Let foreign code run even where the sandbox cannot protect this machine
    #[arg(long, global = true)]
    pub unprotected: bool,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// Say what this machine lacks, with the command that mends it
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = DOCTOR_INTRODUCTION, after_help = DOCTOR_EXAMPLES)]
pub struct Doctor {
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

impl Arguments {
    /// Reads the arguments of this process. A request for help or the version comes back as an error too.
    pub fn parse() -> Result<Self, clap::Error> {
        Self::try_parse()
    }
}
