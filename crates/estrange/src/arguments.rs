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
  estrange doctor                       what this machine lacks
  estrange sources deb:zlib             fetch a Debian source package and show what is in it
  estrange sources --help               more about sources

Exit codes: 0 done, 1 the work or a part of it failed, 2 wrong usage, 130 stopped by Ctrl-C.
Results go to stdout; progress, warnings and errors go to stderr.
RUST_LOG=debug shows what happens inside.";

const SOURCES_INTRODUCTION: &str = "
Each source is fetched into the cache, pinned by version and content hash, and verified on every
use. Its C and C++ files are told apart by language and role, and each gets its licence and its
compile flags. A source that cannot be had is shown as lost, while the rest goes on.

A SOURCE is one of:
  DIR                       a directory
  FILE.tar.gz, URL.tar.gz   an archive, here or to download (also .xz, .bz2, .zst, .zip)
  git+URL[#REVISION]        a git repository
  deb:NAME[=VERSION]        a Debian source package, with its patches;
                            #before=PATCH after it stops before one of them
  crate:NAME[@VERSION]      a package of crates.io
";

const SOURCES_EXAMPLES: &str = "\
Examples:
  estrange sources deb:zlib crate:zstd-sys          fetch two sources and show what is in them
  estrange sources --parse ./my-project             also parse each library file with its flags
  estrange sources --configure never deb:curl       run nothing of the source's own
  estrange sources --files deb:expat | grep test    one line for each file
  estrange sources --json deb:expat | jq '.sources[].survey.licences'

Exit codes: 0 every source was had, 1 one was lost (the others are shown all the same).";

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
    Sources(Sources),
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
    /// Show no progress; results, warnings and errors still come
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Whether to colour what is printed: auto, always or never
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

/// Fetch sources and show what is in them: files, licences, compile flags
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = SOURCES_INTRODUCTION, after_help = SOURCES_EXAMPLES)]
pub struct Sources {
    /// Where code comes from, as above
    #[arg(required = true, value_name = "SOURCE")]
    pub sources: Vec<String>,
    /// Whether a project's own configure step may run, in the sandbox, to find flags: auto or never
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub configure: Configure,
    /// Parse each library file with its flags, and show the share that parses
    #[arg(long)]
    pub parse: bool,
    /// List every file with its role, licence and flags
    #[arg(long)]
    pub files: bool,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

/// Whether a project's own configure step may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Configure {
    Auto,
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

impl Shared {
    /// How much to do at once.
    pub fn jobs(&self) -> usize {
        match self.jobs {
            Some(jobs) => jobs.into(),
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

impl Arguments {
    /// Reads the arguments of this process. A request for help or the version comes back as an error too.
    pub fn parse() -> Result<Self, clap::Error> {
        Self::try_parse()
    }
}
