//! The arguments of `estrange probe`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use estrange_bench::Asks;
use estrange_task::seen::Seen;

use super::search::Server;
use super::{Interview, PAGE, listing};

/// What a model may be asked.
fn asks() -> PossibleValuesParser {
    Asks::ALL.iter().map(|asks| asks.as_str()).into()
}

/// What a model may see.
fn views() -> PossibleValuesParser {
    Seen::ALL.iter().map(|seen| seen.as_str()).into()
}

fn models() -> String {
    listing::below(PROBE_INTRODUCTION, "A MODEL is one of:")
}

const PROBE_INTRODUCTION: &str = "
Asks a model what functions do: what a call returns, or leaves in memory. The answers were found out
by running the patched sides of confirmed pairs, and count only where every level of the pair comes
to the same under gcc and clang. With --ask summary it is asked for a summary, which is right if
the function is found by it among those of the bench. So it is told apart whether code became harder
to read, or is no longer recognised, as `estrange detect` cannot tell. `estrange pairs` makes PAIRS.

A MODEL is one of:
  openai:NAME        a model behind any server that speaks OpenAI's protocol; OPENAI_BASE_URL and
                     OPENAI_API_KEY say where it is and open it
  local:FILE         a language model in GGUF format, on this machine
  precomputed:FILE   answers that you have: .jsonl or .csv with item, setting, seed, answer
  gold, empty, constant:VALUE
                     who knows all answers, says nothing, or always the same
";

const PROBE_EXAMPLES: &str = "\
Examples:
  estrange probe PAIRS --model openai:gpt-5 --price 1.25 --answer-price 10 --dry-run
  estrange probe PAIRS --model local:qwen.gguf --pairs 20 --setting L0,L4
  estrange probe PAIRS --model constant:0 --out runs/constant
  estrange probe PAIRS --model local:qwen.gguf --ask summary --ranker local:all-MiniLM-L6-v2
  estrange report runs/detect-qwen runs/probe-qwen --out report.html

Questions and answers are kept in the cache: nothing is run or paid for twice, and what was stopped
goes on.
Exit codes: 0 asked and scored, 1 it could not be, 2 wrong usage.";

/// Ask a model what functions do, and score its answers by running them
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = PROBE_INTRODUCTION, after_help = PROBE_EXAMPLES)]
pub struct Probe {
    /// The bench of pairs, a folder
    #[arg(value_name = "PAIRS")]
    pub bench: PathBuf,
    /// Who is asked, as above
    #[arg(long, value_name = "MODEL", value_parser = listing::text(models))]
    pub model: String,
    /// Ask in this setting, such as L0; may be given several times [default: all that the bench has]
    #[arg(long, value_name = "SETTING")]
    pub setting: Vec<String>,
    /// What is asked: what calls come to (call), or what a function does (summary)
    #[arg(long, value_name = "WHAT", default_value = "call", hide_possible_values = true, value_parser = asks())]
    pub ask: String,
    /// How many calls of a pair are asked about, at most [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub questions: Option<u16>,
    /// By what functions are found from their summaries: whatever `estrange search` has as a model [default: bm25]
    #[arg(long, value_name = "MODEL")]
    pub ranker: Option<String>,
    /// Ask about so many pairs at most, which the seed draws [default: all that are confirmed]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: Option<u32>,
    /// The seed of what inputs are drawn from
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// What is shown: function, unit, or linked-unit, which has the code of what is called
    #[arg(long, value_name = "VIEW", default_value = "linked-unit", hide_possible_values = true, value_parser = views())]
    pub view: String,
    /// The folder for the run [default: runs/probe-MODEL, or runs/summary-MODEL]; a run in it that has more, or something else, stays
    #[arg(long, short, value_name = "RUN")]
    pub out: Option<PathBuf>,
    /// Replace whatever run is in the folder
    #[arg(long)]
    pub replace: bool,
    /// Score the answers that the run has, without asking
    #[arg(long)]
    pub rescore: bool,
    #[command(flatten)]
    pub interview: Interview,
    /// How long an answer may be, in the model's tokens; models that think need more
    #[arg(long, value_name = "N", default_value_t = 2048)]
    pub answer_tokens: u32,
    #[command(flatten)]
    pub server: Server,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
}
