//! The arguments of the commands around searching: queries, search, report.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use estrange_words::{Tier, Undefinedness};

use super::{PAGE, listing};

/// What can be shown of a variant, the strongest first.
fn tiers() -> PossibleValuesParser {
    Tier::ALL.iter().map(|tier| tier.as_str()).into()
}

/// What can be shown of the ways in which a variant is undefined.
fn undefinedness() -> PossibleValuesParser {
    Undefinedness::ALL.iter().map(|shown| shown.as_str()).into()
}

/// The line below which a page lists models.
const MODELS: &str = "A MODEL is one of:";

fn authors() -> String {
    listing::below(QUERIES_INTRODUCTION, MODELS)
}

fn models() -> String {
    listing::below(SEARCH_INTRODUCTION, MODELS)
}

const QUERIES_INTRODUCTION: &str = "
Gives the functions of a bench descriptions, by which they are searched for. A description never
names what it describes. Those that the bench had go.

A MODEL is one of:
  comment        the documentation comments that people wrote, cleaned of names
  file:FILE      your own: one JSON object a line, {\"function\": ..., \"text\": ...}
  local:FILE     a language model in GGUF format, on this machine
  openai:NAME    a model behind any server that speaks OpenAI's protocol; OPENAI_BASE_URL and
                 OPENAI_API_KEY say where it is and open it
";

const QUERIES_EXAMPLES: &str = "\
Examples:
  estrange queries BENCH                                    out of comments
  estrange queries BENCH --model file:mine.jsonl
  estrange queries BENCH --model local:SmolLM2-135M-Instruct.Q4_1.gguf --answer-tokens 256
  estrange queries BENCH --model openai:gpt-5 --dry-run     what it would cost
  OPENAI_BASE_URL=http://127.0.0.1:8080/v1 estrange queries BENCH --model openai:qwen

Answers are kept in the cache: nothing is paid for twice, and what was stopped goes on.
Exit codes: 0 the bench has queries, 1 it has not, 2 wrong usage.";

/// Describe the functions of a bench, so that they can be searched for
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = QUERIES_INTRODUCTION, after_help = QUERIES_EXAMPLES)]
pub struct Queries {
    /// The bench, a folder
    pub bench: PathBuf,
    /// Who describes them, as above
    #[arg(long, value_name = "MODEL", default_value = "comment", value_parser = listing::text(authors))]
    pub model: String,
    /// Only functions of these groups: 1, 2 or 3
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub group: Vec<String>,
    /// At most so many functions, the first ones
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// How often a model is asked for the same description, at most
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub attempts: u32,
    /// Leave descriptions in the model's own style
    #[arg(long)]
    pub no_align: bool,
    /// How long an answer may be, in the model's tokens
    #[arg(long, value_name = "N", default_value_t = 2048)]
    pub answer_tokens: u32,
    /// How freely a model chooses its words
    #[arg(long, value_name = "T", default_value_t = 0.0)]
    pub temperature: f64,
    #[command(flatten)]
    pub server: Server,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

const SEARCH_INTRODUCTION: &str = "
Has a model find each function by its description among all of its group, in every setting of the
bench: as it was written, with other names, as machine code. Scores are NDCG, MRR, MAP and recall;
documents with the same text count as one.

A MODEL is one of:
  bm25[:VARIANT,...]   by words that query and function share; bm25:atire,k1=1.5,stem=no
  local:DIR            a sentence-embedding model in Hugging Face layout, on this machine
  openai:NAME          vectors from any server that speaks OpenAI's protocol; OPENAI_BASE_URL and
                       OPENAI_API_KEY say where it is and open it
  precomputed:FILE     vectors or rankings that you made: .jsonl, .npy or a TREC run, with ids such as
                       group1-neutralized/ID; or a folder with a file for each corpus
";

const SEARCH_EXAMPLES: &str = "\
Examples:
  estrange search BENCH --model bm25
  estrange search BENCH --model local:all-MiniLM-L6-v2 --out runs/minilm
  estrange search BENCH --model bm25 --setting standard --setting neutralized --group 1
  estrange search BENCH --model openai:text-embedding-3-large --price 0.13 --dry-run
  estrange report runs/bm25 runs/minilm --out report.html

Vectors are kept in the cache: nothing is paid for twice, and what was stopped goes on.
Exit codes: 0 searched, 1 it could not be, 2 wrong usage.";

/// Have a model find functions by their descriptions, and score it
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = SEARCH_INTRODUCTION, after_help = SEARCH_EXAMPLES)]
pub struct Search {
    /// The bench, a folder
    pub bench: PathBuf,
    /// Who searches, as above
    #[arg(long, value_name = "MODEL", value_parser = listing::text(models))]
    pub model: String,
    /// Search in this setting; may be given several times [default: all that the bench has]
    #[arg(long, value_name = "SETTING")]
    pub setting: Vec<String>,
    /// Only functions of these groups: 1, 2 or 3
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub group: Vec<String>,
    /// Of group 3, functions alone (short) or with what they call (long) [default: both]
    #[arg(long, value_name = "VIEW", value_delimiter = ',')]
    pub view: Vec<String>,
    /// Only queries by this author, as `estrange show` names it; may be given several times
    #[arg(long, value_name = "AUTHOR")]
    pub author: Vec<String>,
    /// Only variants of which this was shown; what is no variant stays
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = tiers())]
    pub tier: Vec<String>,
    /// Only variants of which this was shown of the ways in which they are undefined; what is no variant stays
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = undefinedness())]
    pub undefinedness: Vec<String>,
    /// Only functions that all settings have, so that all have the same queries and documents
    #[arg(long)]
    pub common: bool,
    /// The folder for the run [default: runs/MODEL]; a run in it that has more, or something else, stays
    #[arg(long, short, value_name = "RUN")]
    pub out: Option<PathBuf>,
    /// Replace whatever run is in the folder
    #[arg(long)]
    pub replace: bool,
    /// How many documents of each ranking are kept
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    /// Score by this measure, such as ndcg@10 or recall@5; may be given several times [default: the paper's]
    #[arg(long, value_name = "MEASURE", value_delimiter = ',')]
    pub measure: Vec<String>,
    /// Score the rankings that the run has, without asking the model
    #[arg(long)]
    pub rescore: bool,
    /// Put this before each query
    #[arg(long, value_name = "TEXT")]
    pub query_prefix: Option<String>,
    /// Put this before each function
    #[arg(long, value_name = "TEXT")]
    pub document_prefix: Option<String>,
    /// Cut texts off after so many of the model's tokens [default: what the model says]
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<usize>,
    /// With a server: the model's tokenizer.json, to count its tokens by
    #[arg(long, value_name = "FILE")]
    pub tokenizer: Option<PathBuf>,
    /// With a server: cut texts off after so many characters
    #[arg(long, value_name = "N")]
    pub max_characters: Option<usize>,
    #[command(flatten)]
    pub server: Server,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

/// What a server may be asked for, and what that costs.
#[derive(Debug, Args)]
#[command(next_help_heading = "With a server")]
pub struct Server {
    /// Say what it would come to, and ask for nothing
    #[arg(long)]
    pub dry_run: bool,
    /// What a million tokens cost that are sent
    #[arg(long, value_name = "MONEY")]
    pub price: Option<f64>,
    /// What a million tokens cost that are answered
    #[arg(long, value_name = "MONEY")]
    pub answer_price: Option<f64>,
    /// The most money to spend
    #[arg(long, value_name = "MONEY")]
    pub budget: Option<f64>,
    /// The most tokens to send and receive
    #[arg(long, value_name = "N")]
    pub token_budget: Option<u64>,
    /// The most requests a minute
    #[arg(long, value_name = "N")]
    pub requests_per_minute: Option<u32>,
    /// How long a request may take, in seconds
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub timeout: u32,
    /// Put this JSON object into each request; null takes a part out, as in {\"temperature\": null}
    #[arg(long, value_name = "JSON")]
    pub request: Option<String>,
    /// Put this into each request, such as top_p=0.9 or reasoning_effort=low; the value is JSON, or else a text; may be
    /// given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub parameter: Vec<String>,
    /// Leave this out of each request, such as temperature; may be given several times
    #[arg(long, value_name = "NAME")]
    pub no_parameter: Vec<String>,
    /// How many requests are under way at once
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub at_once: u16,
}

const REPORT_INTRODUCTION: &str = "
Puts runs on the same bench side by side: the paper's tables with confidence intervals, how much
each model loses in each setting, tests between models, and every query with what was found. Runs
of detections have F1 by level and every pair with what was said of it; those of the probe stand
beside them with the share of right answers by level. Where a model has runs of several tasks, its
profile comes first: all of them on the same functions, how much went with the names, and the
functions on which they disagree.
The form goes by the name of the file: .html is a page of its own, .md and .tex are tables, .csv is
one table for programs with one row a value.
";

const REPORT_EXAMPLES: &str = "\
Examples:
  estrange report runs/bm25 runs/minilm --out report.html
  estrange report runs/* --out tables.tex
  estrange report runs/qwen-embedding runs/generate-qwen --as-one qwen --out profile.html

Exit codes: 0 written, 1 it could not be, 2 wrong usage.";

/// Put runs side by side, as a page or as tables
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = REPORT_INTRODUCTION, after_help = REPORT_EXAMPLES)]
pub struct Report {
    /// The runs, folders
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// The file to write: .html, .md, .tex or .csv
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// The bench that was searched [default: where it was then]
    #[arg(long, value_name = "BENCH")]
    pub bench: Option<PathBuf>,
    /// In the profile, take all runs for those of one model, such as an embedder and a writer of one family
    #[arg(long, value_name = "NAME")]
    pub as_one: Option<String>,
    /// What stands above it
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
}
