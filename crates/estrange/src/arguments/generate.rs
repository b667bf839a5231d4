//! The arguments of `estrange generate`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use estrange_bench::{Group, Language, Split, Writing};
use estrange_problem::import::Layout;

use super::search::Server;
use super::{Changed, Interview, PAGE, listing};

/// What can be asked for.
fn writings() -> PossibleValuesParser {
    Writing::ALL.iter().map(|writing| writing.as_str()).into()
}

/// How much functions may depend on.
fn groups() -> PossibleValuesParser {
    Group::ALL.iter().map(|group| group.as_str()).into()
}

/// What sources may be for.
fn splits() -> PossibleValuesParser {
    Split::ALL.iter().map(|split| split.as_str()).into()
}

/// How files of problems are laid out.
fn layouts() -> PossibleValuesParser {
    Layout::ALL.iter().map(|layout| layout.as_str()).into()
}

/// The languages.
fn languages() -> PossibleValuesParser {
    Language::ALL.iter().map(|language| language.as_str()).into()
}

fn models() -> String {
    listing::below(GENERATE_INTRODUCTION, "A MODEL is one of:")
}

const GENERATE_INTRODUCTION: &str = "
Has a model write functions: it is given a description, the declaration (or a part of the body) and
what the file has besides, all in the names and shapes of a setting. What it writes is put in the
function's place, compiled, and run beside the function on inputs that reach its branches. No test
suite is needed. `estrange build` makes BENCH, `estrange queries` its descriptions.

With --project FILE it takes the function's place in its project, which is built, and whose own
tests decide (docs/projects.md). BENCH may also be a folder of standalone problems with tests of
their own, or a file that others made (docs/problems.md).

A MODEL is one of:
  openai:NAME        a model behind any server that speaks OpenAI's protocol; OPENAI_BASE_URL and
                     OPENAI_API_KEY say where it is and open it
  local:FILE         a language model in GGUF format, on this machine
  precomputed:FILE   replies that you have: .jsonl or .csv with item, setting, seed, text
  gold, empty, mutant:SEED
                     the function itself, an empty body, a small mistake: they grade the grader
";

const GENERATE_EXAMPLES: &str = "\
Examples:
  estrange generate BENCH --model gold --limit 50
  estrange generate BENCH --model openai:gpt-5 --setting standard,symbol,structure --limit 200 --dry-run
  estrange generate BENCH --model local:qwen.gguf --ask completion --samples 5 --out runs/qwen
  estrange generate BENCH --model local:qwen.gguf --out runs/qwen --regrade
  estrange generate BENCH --model gold --project projects/zlib.toml --limit 20
  estrange generate problems --model local:qwen.gguf --shots 0,3
  estrange generate BENCH --model openai:gpt-4o --changed-since 2023-10-02
  estrange report runs/qwen runs/gold --out report.html

Replies are kept in the cache: nothing is paid for twice, and what was stopped goes on.
Exit codes: 0 asked and graded, 1 it could not be, 2 wrong usage.";

/// Have a model write functions, and grade them by running them beside the originals
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = GENERATE_INTRODUCTION, after_help = GENERATE_EXAMPLES)]
pub struct Generate {
    /// The bench, a folder; or problems: a folder of them, or a file with one JSON object a line
    #[arg(value_name = "BENCH")]
    pub bench: PathBuf,
    /// Who is asked, as above
    #[arg(long, value_name = "MODEL", value_parser = listing::text(models))]
    pub model: String,
    /// What is to be written: the whole function, its end (completion), or its middle (infill)
    #[arg(long, value_name = "WHAT", default_value = "generation", value_parser = writings())]
    pub ask: String,
    /// Ask in this setting, such as symbol; may be given several times [default: all that the bench has]
    #[arg(long, value_name = "SETTING")]
    pub setting: Vec<String>,
    /// How many seeds of each setting
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub trials: u16,
    /// Ask for functions without a description, too: for these the declaration has to do
    #[arg(long)]
    pub undescribed: bool,
    /// At most so many functions, drawn by the seed
    #[arg(long, value_name = "N")]
    pub limit: Option<u32>,
    /// What functions, cuts and distractors are drawn by
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Functions of this group only; may be given several times
    #[arg(long, value_name = "GROUP", value_parser = groups())]
    pub group: Vec<String>,
    /// Functions of sources that are for this only
    #[arg(long, value_name = "SPLIT", value_parser = splits())]
    pub split: Option<String>,
    /// Functions under this class of licence only, such as permissive; may be given several times
    #[arg(long, value_name = "CLASS")]
    pub licence: Vec<String>,
    /// Functions in this language only
    #[arg(long, value_name = "LANGUAGE", value_parser = languages())]
    pub language: Option<String>,
    /// Functions of this source only, as it was asked for; may be given several times
    #[arg(long, value_name = "SOURCE")]
    pub source: Vec<String>,
    #[command(flatten)]
    pub changed: Changed,
    /// Grade by this project's own tests, as docs/projects.md describes it; may be given several times
    #[arg(long, value_name = "FILE")]
    pub project: Vec<PathBuf>,
    /// Problems: so many solved examples are shown; several numbers are several settings
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "0")]
    pub shots: Vec<u16>,
    /// Problems in a file: how it is laid out
    #[arg(long, value_name = "LAYOUT", default_value = "generic", value_parser = layouts())]
    pub layout: String,
    /// Problems in a file: the day on which those were published that do not say it
    #[arg(long, value_name = "DATE")]
    pub published: Option<String>,
    /// So many similar things that do not matter, for each thing that the function may use
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub distractors: u16,
    /// Show the bodies of the functions that it may use
    #[arg(long)]
    pub bodies: bool,
    /// The folder for the run [default: runs/generate-MODEL]; a run in it that has more, or something else, stays
    #[arg(long, short, value_name = "RUN")]
    pub out: Option<PathBuf>,
    /// Replace whatever run is in the folder
    #[arg(long)]
    pub replace: bool,
    /// Grade the replies that the run has again, without asking
    #[arg(long)]
    pub regrade: bool,
    #[command(flatten)]
    pub interview: Interview,
    /// How long a reply may be, in the model's tokens; models that think need more
    #[arg(long, value_name = "N", default_value_t = 2048)]
    pub answer_tokens: u32,
    #[command(flatten)]
    pub server: Server,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
}
