//! What `estrange pairs` is told.

use std::path::PathBuf;

use clap::Args;
use estrange_build::Trials;

use super::{PAGE, listing};

const INTRODUCTION: &str = "
Makes pairs: a function with a bug and the same function without it. From Debian packages it takes
the patches that name a CVE, from git repositories the commits that name one, a sanitizer's finding
or a fuzzer, and from a folder the pairs that somebody wrote.

A pair is crash-confirmed if there is an input, its trigger, on which the vulnerable side faults
under the sanitizers of gcc and of clang, in the same class, five times of five, and the patched
side never does. Where no trigger is given one is looked for. The others are reasoned: kept, and
never counted with the confirmed ones.

Both sides of confirmed pairs then go through a ladder of rewrites with the same seed. A rung
counts only if the trigger still faults in the same class, by the same operation on the same types,
in the same function, and the patched side is still clean.
";

const EXAMPLES: &str = "\
Examples:
  estrange pairs deb:expat --out pairs                   all security patches of a package
  estrange pairs ./pairs --out own                       the pairs in a folder; pairs/README.md says how they look
  estrange pairs ./my-repository --out mine --range v1.0..v1.1
  estrange pairs git+URL --out mine --fix 3f1c2ab --fix 77d0e21
  estrange pairs deb:expat --out pairs --settings L2,semantic --trials semantic:3
  estrange pairs deb:expat --out pairs --no-seek         take the patches' word, run nothing
  estrange pairs ./pairs --out own --controls            does the gate refuse what takes bugs away?
  estrange pairs ./pairs --out own --shams               is anything taken for a bug where there is none?
  estrange detect pairs --model cppcheck                 what a detector makes of them

Exit codes: 0 the pairs are there, 1 they are not or a source was lost.";

/// Make pairs of functions with a bug and without it, and rewrites of both that leave the bug
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = INTRODUCTION, after_help = EXAMPLES)]
pub struct Pairs {
    /// Where fixes come from: Debian packages, git repositories, folders of pairs
    #[arg(required = true, value_name = "SOURCE")]
    pub sources: Vec<String>,
    /// The folder to write the pairs to: a bench
    #[arg(long, short, value_name = "PAIRS")]
    pub out: PathBuf,
    /// The rungs: settings or recipes, as `build --settings` has them
    #[arg(long, value_name = "LIST", default_value = "L1,L2,L3,L4", value_parser = listing::text(crate::lists::settings))]
    pub settings: Vec<String>,
    /// How many rungs of a setting there are, each with a seed of its own: 5 for all, semantic:3 for single ones
    #[arg(long, value_name = "LIST")]
    pub trials: Option<Trials>,
    /// The most lines that a linked unit may have
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub max_unit_lines: usize,
    /// The seed of whatever is chosen at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Take this patch or commit; may be repeated
    #[arg(long, value_name = "NAME")]
    pub fix: Vec<String>,
    /// Take the patches or commits that a file names, one a line
    #[arg(long, value_name = "FILE")]
    pub fixes: Option<PathBuf>,
    /// Take commits from behind A up to B; may be repeated
    #[arg(long, value_name = "A..B")]
    pub range: Vec<String>,
    /// What a fix must name: cve, sanitizer or fuzzer [default: cve for packages, any for repositories]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = listing::text(crate::lists::signs))]
    pub sign: Vec<String>,
    /// Look for no triggers
    #[arg(long)]
    pub no_seek: bool,
    /// Try rewrites that may take a bug away on the confirmed pairs, and say how often each would have lied
    #[arg(long)]
    pub controls: bool,
    /// Hold each patched function against itself and its own rewrites, and say how often a bug would have been confirmed
    #[arg(long)]
    pub shams: bool,
    /// Print what was made as JSON
    #[arg(long)]
    pub json: bool,
}
