//! The arguments of the commands that exchange benches with others: import, export.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{PAGE, listing};

const IMPORT_INTRODUCTION: &str = "
Makes a bench out of data that others published, to search it with any model. Texts and ids stay
as they are. What the data does not say is empty, and the evidence says that nothing was checked.

Formats:
  clarc    a folder with CLARC's files: group1_standard.json, group2_neutralized.json, ...
";

const IMPORT_EXAMPLES: &str = "\
Examples:
  estrange import clarc CLARC/ --out bench
  estrange search bench --model bm25 --setting standard

Exit codes: 0 the bench is there, 1 it is not, 2 wrong usage.";

/// Make a bench out of data that others published
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = IMPORT_INTRODUCTION, after_help = IMPORT_EXAMPLES)]
pub struct Import {
    /// What the data is: clarc
    #[arg(value_name = "FORMAT", hide_possible_values = true, value_parser = listing::word::<ImportFormat>())]
    pub format: ImportFormat,
    /// Where it is
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The folder of the bench
    #[arg(long, short, value_name = "BENCH")]
    pub out: PathBuf,
    /// Print the bench's manifest as JSON
    #[arg(long)]
    pub json: bool,
}

/// What can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImportFormat {
    /// CLARC's published data
    Clarc,
}

const EXPORT_INTRODUCTION: &str = "
Writes the corpora of a bench, one for each group, view, setting and seed, so that other programs
can search and score them; or the rankings of a run. A data card (README.md) says where the
functions come from and what was checked.

Formats:
  beir        a folder for each corpus: corpus.jsonl, queries.jsonl, qrels/test.tsv
  mteb        Parquet files with a README for Hugging Face's hub; one corpus has the configurations
              corpus, queries and qrels, several have NAME-corpus, NAME-queries and NAME-qrels
  clarc       CLARC's own files, which `estrange import clarc` reads
  trec        qrels; of a run its rankings too
  croissant   the bench itself, with metadata that machines read, to be published
Of a bench with pairs:
  hf          Parquet files that `datasets` of Hugging Face loads: a row for each side and level,
              what is crash-confirmed and what is reasoned apart
  sarif       faults.sarif, where each confirmed fault is, with the files that it names
  folder      folders that build: both sides, the trigger, and a Makefile whose `make reproduce`
              shows the fault and that the patch mends it, by gcc or clang alone

Documents with the same text are one, as in `estrange search`; in CLARC's files they stay apart.
";

const EXPORT_EXAMPLES: &str = "\
Examples:
  estrange export BENCH --format beir --out beir
  estrange export BENCH --format mteb --group 1 --setting standard --out hub
  estrange export BENCH --format clarc --out clarc
  estrange export RUN --format trec --out trec       then: trec_eval trec/NAME.qrels trec/NAME.run
  estrange export PAIRS --format folder --setting L0,L4 --out bugs      then: make -C bugs reproduce

Exit codes: 0 written, 1 it could not be, 2 wrong usage. A folder that is not empty is left as it is.";

/// Write a bench or a run in a format that other programs read
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = EXPORT_INTRODUCTION, after_help = EXPORT_EXAMPLES)]
pub struct Export {
    /// The bench or the run, a folder
    #[arg(value_name = "BENCH|RUN")]
    pub folder: PathBuf,
    /// The format, as above
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, value_parser = listing::word::<ExportFormat>())]
    pub format: ExportFormat,
    /// The folder to write, which is new or empty
    #[arg(long, short, value_name = "DIR")]
    pub out: PathBuf,
    /// Only these settings, such as neutralized or L2; may be repeated [folder: L0, unless told]
    #[arg(long, value_name = "LIST")]
    pub setting: Vec<String>,
    /// Only these groups: 1, 2 or 3
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub group: Vec<String>,
    /// Only these views: short or long
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub view: Vec<String>,
    /// Of settings that have several seeds, only these
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub seed: Vec<u32>,
    /// Only queries by these authors
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub author: Vec<String>,
    /// Leave documents with the same text apart, only the function's own being right
    #[arg(long)]
    pub keep_duplicates: bool,
    /// Of a run: the bench that was searched [default: where it was then]
    #[arg(long, value_name = "BENCH")]
    pub bench: Option<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

/// What can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A folder for each corpus: corpus.jsonl, queries.jsonl, qrels/test.tsv
    Beir,
    /// Parquet files with a README for Hugging Face's hub
    Mteb,
    /// CLARC's own files, which `estrange import clarc` reads
    Clarc,
    /// Qrels; of a run its rankings too
    Trec,
    /// The bench itself, with metadata that machines read, to be published
    Croissant,
    /// Of pairs: Parquet files that `datasets` of Hugging Face loads
    Hf,
    /// Of pairs: a log of where each confirmed fault is, with the files that it names
    Sarif,
    /// Of pairs: folders that build, and show the fault and that the patch mends it
    Folder,
}
