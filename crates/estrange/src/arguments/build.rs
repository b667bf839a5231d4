//! What `estrange build` and `estrange merge` are told.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use estrange_build::{Share, Trials};
use estrange_text::balance::Bound;

use super::{Foreign, PAGE, Server, listing};
use crate::lists;

const BUILD_INTRODUCTION: &str = "
Finds every function of the sources, carries each one out with exactly what it needs, shows with
gcc and clang that it compiles alone and with gcc that its machine code is what it was, and writes
a bench: a folder of Parquet files. What is not kept is there too, with the reason.

What was done is kept in the cache: a build that was stopped goes on where it was, and the same
build again takes seconds. For what a SOURCE may be, see `estrange sources --help`.
";

const BUILD_EXAMPLES: &str = "\
Examples:
  estrange build deb:zlib deb:expat --out bench           all library and program code of two packages
  estrange build ./my-project --out bench --include-tests also tests, examples and bundled code
  estrange build deb:zlib deb:wolfssl --out bench --max-per-source 60%
  estrange build deb:zlib --out bench --settings standard,neutralized,randomized,symbol
  estrange build deb:zlib --out bench --settings symbol,semantic --trials symbol:5,semantic:3
  estrange build deb:zlib --out bench --settings 'external:./rewrite.py {file},openai:gpt-4o'
  estrange build deb:zlib --out part-2 --part 2/8         one of eight parts; `estrange merge` joins them
  estrange stats bench                                    what was found, kept and lost

Exit codes: 0 the bench is there, 1 it is not or a source was lost.";

const MERGE_INTRODUCTION: &str = "
Puts together what `estrange build --part K/N` made, on this machine or on others. All N parts are
needed, each made from the same sources with the same options, tools and version of Estrange. The
bench is the one that an undivided build gives, byte for byte.
";

const MERGE_EXAMPLES: &str = "\
Examples:
  estrange build deb:zlib --out part-1 --part 1/2
  estrange build deb:zlib --out bench --settings symbol,semantic --trials symbol:5,semantic:3
  estrange build deb:zlib --out part-2 --part 2/2
  estrange merge part-1 part-2 --out bench

Exit codes: 0 the bench is there, 1 it is not.";

/// Make a bench: every function of the sources, with a unit in which it compiles alone
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = BUILD_INTRODUCTION, after_help = BUILD_EXAMPLES)]
pub struct Build {
    /// Where code comes from
    #[arg(required = true, value_name = "SOURCE")]
    pub sources: Vec<String>,
    /// The folder to write the bench to, or a part of it
    #[arg(long, short, value_name = "BENCH")]
    pub out: PathBuf,
    /// The seed of whatever is chosen at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Take functions from tests, examples, bundled and generated code too
    #[arg(long)]
    pub include_tests: bool,
    /// Take functions from files of these roles only [default: library,program]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = listing::text(lists::roles))]
    pub roles: Vec<String>,
    /// The most lines that a linked unit may have
    #[arg(long, value_name = "N", default_value_t = 5000)]
    pub max_unit_lines: usize,
    /// The most of the bench that may come from one source: a share such as 30%, or a count
    #[arg(long, value_name = "BOUND")]
    pub max_per_source: Option<Bound>,
    /// How similar two functions are, from 0 to 1, of which only the first stays; 2 leaves out the same text only
    #[arg(long, value_name = "SIMILARITY", default_value_t = 0.9)]
    pub duplicate_threshold: f64,
    /// Let versions of one function stay though they are nearly the same: before and after a patch, two releases
    #[arg(long)]
    pub keep_versions: bool,
    /// Do the K-th of N parts of the work; `estrange merge` puts the parts together
    #[arg(long, value_name = "K/N")]
    pub part: Option<Share>,
    /// The share of the sources that are for evaluation; the others are for training
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    pub eval_share: f64,
    /// A model's tokenizer.json to count tokens by
    #[arg(long, value_name = "FILE")]
    pub tokenizer: Option<PathBuf>,
    /// Make variants of the functions too: standard, neutralized, randomized, symbol, L1 to L4, a recipe such as
    /// neutralize+layout, x86_64, wasm32, x86_64:clang:O2, or x86_64/paper; `--settings ?` lists all [default: standard]
    #[arg(long, value_name = "LIST", value_parser = listing::text(lists::settings))]
    pub settings: Vec<String>,
    /// How many variants, each with a seed of its own, a function has in settings that draw by the seed: 5 for all of
    /// them, symbol:5,semantic:3 for single ones [default: 10 with random names, else 1]
    #[arg(long, value_name = "LIST")]
    pub trials: Option<Trials>,
    #[command(flatten)]
    pub foreign: Foreign,
    /// Whether a project's own configure step may run, in the sandbox, to find flags: auto or never
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub configure: Configure,
    /// Print the bench's manifest as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: Server,
}

/// Put the parts of a build together: the bench is the one that an undivided build gives, byte for byte
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = MERGE_INTRODUCTION, after_help = MERGE_EXAMPLES)]
pub struct Merge {
    /// The parts, each a folder that was given to `estrange build --part` as --out
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,
    /// The folder to write the bench to
    #[arg(long, short, value_name = "BENCH")]
    pub out: PathBuf,
    /// Print the bench's manifest as JSON
    #[arg(long)]
    pub json: bool,
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("a share lies between 0 and 1".to_owned()) }
}

/// Whether a project's own configure step may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Configure {
    Auto,
    Never,
}
