//! The arguments of `estrange detect`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use estrange_bench::Label;
use estrange_task::seen::Seen;

use super::search::Server;
use super::{Interview, PAGE, listing};

/// What can stand behind the word that a pair has a bug.
fn labels() -> PossibleValuesParser {
    Label::ALL.iter().map(|label| label.as_str()).into()
}

/// What a detector may see.
fn views() -> PossibleValuesParser {
    Seen::ALL.iter().map(|seen| seen.as_str()).into()
}

fn models() -> String {
    listing::below(DETECT_INTRODUCTION, "A MODEL is one of:")
}

const DETECT_INTRODUCTION: &str = "
Shows a detector functions with and without a bug, as they were written and after each level of
rewriting, and scores what it says: F1 by level, pairs of which both sides are right, verdicts that
flip, what is lost since L0. `estrange pairs` makes PAIRS.

A MODEL is one of:
  openai:NAME        a model behind any server that speaks OpenAI's protocol; OPENAI_BASE_URL and
                     OPENAI_API_KEY say where it is and open it
  local:FILE         a language model in GGUF format, on this machine
  cppcheck, flawfinder, clang-analyzer, gcc-fanalyzer
                     a static analyser, which always sees the linked unit
  sarif:COMMAND      any program that writes SARIF; {} in it is the file, or else the last word
  precomputed:FILE   verdicts that you have: .jsonl or .csv with item, setting, seed, verdict
  always, never, length, chance:SEED
                     what anything else has to be better than
";

const DETECT_EXAMPLES: &str = "\
Examples:
  estrange detect PAIRS --model cppcheck --out runs/cppcheck
  estrange detect PAIRS --model openai:gpt-5 --samples 5 --price 1.25 --answer-price 10 --dry-run
  estrange detect PAIRS --model local:qwen.gguf --setting L0,L4 --prompt mine.txt
  estrange report runs/cppcheck runs/qwen --out report.html

Answers are kept in the cache: nothing is paid for twice, and what was stopped goes on.
Exit codes: 0 asked and scored, 1 it could not be, 2 wrong usage.";

/// Have a detector tell functions with a bug from those without, and score it
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = DETECT_INTRODUCTION, after_help = DETECT_EXAMPLES)]
pub struct Detect {
    /// The bench of pairs, a folder
    #[arg(value_name = "PAIRS")]
    pub bench: PathBuf,
    /// Who is asked, as above
    #[arg(long, value_name = "MODEL", value_parser = listing::text(models))]
    pub model: String,
    /// Show this setting, such as L0; may be given several times [default: all that the bench has]
    #[arg(long, value_name = "SETTING")]
    pub setting: Vec<String>,
    /// Which pairs: crash-confirmed, or reasoned, which nothing was run of
    #[arg(long, value_name = "LABEL", default_value = "crash-confirmed", hide_possible_values = true, value_parser = labels())]
    pub label: String,
    /// What is shown: function; unit, with what it needs to compile; or linked-unit, with the code of what
    /// is called [default: function; linked-unit for analysers]
    #[arg(long, value_name = "VIEW", hide_possible_values = true, value_parser = views())]
    pub view: Option<String>,
    /// The folder for the run [default: runs/detect-MODEL]; a run in it that has more, or something else, stays
    #[arg(long, short, value_name = "RUN")]
    pub out: Option<PathBuf>,
    /// Replace whatever run is in the folder
    #[arg(long)]
    pub replace: bool,
    /// Score the verdicts that the run has, without asking
    #[arg(long)]
    pub rescore: bool,
    #[command(flatten)]
    pub interview: Interview,
    /// How long an answer may be, in the model's tokens; models that think need more
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub answer_tokens: u32,
    #[command(flatten)]
    pub server: Server,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
}
