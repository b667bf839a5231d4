//! What may be typed on the command line, and the help that teaches it.

mod build;
mod cache;
mod changed;
mod detect;
mod exchange;
mod explain;
mod generate;
mod interview;
pub mod listing;
mod pairs;
mod probe;
mod review;
mod search;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::lists;

pub use build::{Build, Configure, Merge};
pub use cache::{Cache, CacheKind, CacheWork, Completions, Prune};
pub use changed::Changed;
pub use detect::Detect;
pub use exchange::{Export, ExportFormat, Import, ImportFormat};
pub use explain::Explain;
pub use generate::Generate;
pub use interview::Interview;
pub use pairs::Pairs;
pub use probe::Probe;
pub use review::Review;
pub use search::{Queries, Report, Search, Server};

/// The order of a help page: what it is for, how it is called, what can be set, examples.
const PAGE: &str = "{about}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

const INTRODUCTION: &str = "
Estrange makes benches out of real sources: every function taken out with exactly what it needs,
compiled alone by gcc and clang, and shown to be the machine code it was; with other names, with the
same machine code; and as assembly and WebAssembly. Then models search for the functions.";

const EXAMPLES: &str = "\
Examples:
  estrange doctor                       what this machine lacks
  estrange build deb:zlib --out BENCH   make a bench out of a Debian source package
  estrange sources deb:zlib             fetch a Debian source package and show what is in it
  estrange sources --help               more about sources
  estrange stats BENCH                  what a bench holds, and what was lost on the way
  estrange show BENCH NAME              one function of it
  estrange queries BENCH                describe its functions, out of their comments
  estrange search BENCH --model bm25    have a model find them by that
  estrange report RUN... --out FILE     runs side by side: a page, or tables for a paper
  estrange import --help                CLARC's published data as a bench
  estrange export --help                a bench or a run for other programs: BEIR, MTEB, TREC
  estrange cache                        what is kept, and how large it is
  estrange explain WORD                 what a word means

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
                            #before=PATCH after it stops before one of them,
                            #after=PATCH right after it
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

const STATS_INTRODUCTION: &str = "
Counts from functions found to functions kept: by stage, source, language and kind, role, and
reason. Then what the kept ones are like: sizes, groups, linkable and same-code shares, and what
the CLARC paper's Table 1 has of source code. Usable is what was kept, or left out only as a
duplicate or for balance. LOC are lines with code on them, where the paper has all lines, and a
function of group 3 is counted without its helpers; descriptions and compiled texts are not in it.
";

const STATS_EXAMPLES: &str = "\
Tables: funnel, classes, sources, roles, reasons, losses, unlinkable, same-code, groups (as
Table 1), variants, waiting, outcomes, lowered (as Table 10), not-lowered.
The keys of --json: format, bench, cut, functions, stages, by_class, by_source, by_role, rejected,
losses, unlinkable, groups, groups_by_split, splits, licence_classes, duplicates, variants, lowered.
Shares are between 0 and 1.

Examples:
  estrange stats BENCH                                    everything, for reading
  estrange stats BENCH --role library --without deb:sqlite3
  estrange stats BENCH --format latex                     the funnel and the groups, for a paper
  estrange stats BENCH --table reasons --format csv
  estrange stats BENCH --json | jq '.by_class.c.usable_share'

Exit codes: 0 counted, 1 the bench cannot be used, 2 wrong usage.";

const SHOW_INTRODUCTION: &str = "
Shows what is known about a function, its documentation comment, and the unit in which it
compiles, with the function marked. Functions that were rejected are shown with the reason.

A FUNCTION is one of, in this order:
  ID            its id
  NAME          its name, with or without namespaces and classes
  PATH:LINE     a line of it; the first folders of the path may be left out
  ID...         the beginning of its id
";

const SHOW_EXAMPLES: &str = "\
Examples:
  estrange show BENCH inflate_fast
  estrange show BENCH inffast.c:60
  estrange show BENCH inflate_fast --setting neutralized
  estrange show BENCH 5e0c --unit | gcc -c -x c -o /dev/null -
  estrange show BENCH 5e0c --json | jq -r '.function.linked_unit'

Exit codes: 0 shown, 1 none or several such functions or the bench cannot be used, 2 wrong usage.";

const REWRITE_INTRODUCTION: &str = "
Gives what the file declares new names, or the function another shape, or both, and leaves out its
comments. What headers declare keeps its name. The new text goes to stdout.
";

const REWRITE_EXAMPLES: &str = "\
Names: neutralize (func_0, var_1), randomize (by the seed), symbol (synonyms).
Shapes: semantic (one that applies), structure, inline, flatten, and more; *3 does it three times.
Others: external:COMMAND is what a program of yours makes of the file, openai:NAME@PROMPT what a
model does; what they give is checked like ours. In double quotes, a comma or a plus is part of it.
Settings: L1 to L4 (a ladder from local names to opaque predicates), semantic, structure (all calls
unfolded), distract, symbol+semantic, symbol+structure. `estrange rewrite --recipe ?` lists all.
A function's NAME is as much of it as tells it from others: insert, List::insert, ::insert,
'list::insert(int, const char *)'.

Examples:
  estrange rewrite list.c --function insert --recipe neutralize
  estrange rewrite list.c --function insert --recipe semantic*3,inline,neutralize --check
  estrange rewrite list.c --function insert --recipe L4 --seed 3 --check
  estrange rewrite list.c --function insert --recipe randomize --seed 7 --check >list.new.c
  estrange rewrite list.c --function insert --recipe symbol --json | jq .rename_map
  estrange rewrite list.c --function insert --recipe L4 --check --input trigger.json >list.new.c
  estrange rewrite list.c --function insert --recipe 'external:./rewrite.py {file},neutralize' --check
  estrange rewrite list.c --function insert --recipe openai:gpt-4o@structure --check

Exit codes: 0 rewritten and, with --check, shown to be the same code or to do the same, and to be
undefined in the same ways; 1 not; 2 wrong usage.";

const CHECK_INTRODUCTION: &str = "
Compiles both files with gcc and clang, at -O0 and -O2, and compares their code. Where the two
differ in names only, these may differ in the code too; whatever else differs is shown. Then the
function is run in the sandbox, old and new, on the same inputs, and what they do is compared. That
is done even where the code is the same, for the same code may stand for what is undefined in C and
for what is not: a sum of signed numbers and one of unsigned ones. So what clang's sanitizer for
undefined behaviour would check is compared, too. `estrange explain same-checks` says what that shows.
";

const CHECK_EXAMPLES: &str = "\
A function's NAME is as much of it as tells it from others: insert, List::insert, ::insert,
'list::insert(int, const char *)'.

Examples:
  estrange check list.c list.new.c --function insert
  estrange check list.c list.new.c --function insert --new-function func_0
  estrange check list.c list.new.c --function insert --json | jq .verdict
  estrange check list.c list.new.c --function insert --save-input trigger.json
  estrange check list.c list.new.c --function insert --input trigger.json

Exit codes: 0 the same code, or both did the same, and both are shown to be undefined in the same
ways; 1 not or not shown; 2 wrong usage. Weak evidence that both do the same ends with 0 as well:
the first line and the verdict, `agrees-weakly`, tell it apart.";

const LOWER_INTRODUCTION: &str = "
Compiles the file and prints one function's code as text: branch targets are labels, calls and data
have neutral names, and the data that the code refers to follows it. No name of yours is left.
";

const LOWER_EXAMPLES: &str = "\
A function's NAME is as much of it as tells it from others: insert, List::insert, ::insert,
'list::insert(int, const char *)'.

Examples:
  estrange lower list.c --function insert --target x86_64
  estrange lower list.c --function insert --target wasm32 --opt O2
  estrange lower list.c --function insert --target x86_64 --style paper
  estrange lower list.c --function insert --target riscv64 --json | jq .statistics

Exit codes: 0 printed, 1 the target has no code for it, with the reason; 2 wrong usage.";

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
    Build(Build),
    Merge(Merge),
    Pairs(Pairs),
    Sources(Sources),
    Stats(Stats),
    Show(Show),
    Rewrite(Rewrite),
    Check(Check),
    Lower(Lower),
    Queries(Queries),
    Search(Box<Search>),
    Generate(Box<Generate>),
    Detect(Box<Detect>),
    Probe(Box<Probe>),
    Report(Report),
    Review(Review),
    Import(Import),
    Export(Export),
    Cache(Cache),
    Explain(Explain),
    Doctor(Doctor),
    Completions(Completions),
}

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Shared {
    // Not clap's `env`: with that, usage lines ask for the option whenever the variable is set.
    /// Where downloads and finished work are kept [default: $ESTRANGE_CACHE, or ~/.cache/estrange]
    #[arg(long, global = true, value_name = "DIR")]
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

/// Count what a bench holds: from functions found to functions kept, and what these are like
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = STATS_INTRODUCTION, after_help = STATS_EXAMPLES)]
pub struct Stats {
    /// The bench, a folder
    pub bench: PathBuf,
    /// Count only functions in files of this role, such as library or test; may be repeated
    #[arg(long, value_name = "ROLE", value_parser = listing::text(lists::roles))]
    pub role: Vec<String>,
    /// Count only functions of this source; may be repeated
    #[arg(long, value_name = "SOURCE")]
    pub source: Vec<String>,
    /// Leave out the functions of this source; may be repeated
    #[arg(long, value_name = "SOURCE")]
    pub without: Vec<String>,
    /// Print tables as markdown, latex or csv [default tables: funnel and groups]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, value_parser = listing::word::<Format>())]
    pub format: Option<Format>,
    /// Print only this table, named as below; may be repeated
    #[arg(long, value_name = "TABLE", hide_possible_values = true, value_parser = listing::word::<StatsTable>())]
    pub table: Vec<StatsTable>,
    /// Print one JSON document instead of text
    #[arg(long, conflicts_with_all = ["format", "table"])]
    pub json: bool,
}

/// What tables are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a page
    Markdown,
    /// For a paper
    Latex,
    /// For other programs
    Csv,
}

/// The tables of `estrange stats`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatsTable {
    /// From functions found to functions kept, by stage
    Funnel,
    /// By language and kind
    Classes,
    /// By source
    Sources,
    /// By what files are to their project
    Roles,
    /// Why functions were not kept
    Reasons,
    /// Files and sources that were lost
    Losses,
    /// Why functions have no linked unit
    Unlinkable,
    /// Whose machine code is the same as in its project
    SameCode,
    /// The kept functions by group, as in Table 1 of the CLARC paper, of source code only
    Groups,
    /// Variants by setting, and what was shown of them
    Variants,
    /// Why functions have no variant
    Waiting,
    /// What became of each rewrite that was asked for: which share is right, and what is wrong with the others
    Outcomes,
    /// Functions as what compilers make of them, as in Table 10 of the CLARC paper
    Lowered,
    /// Why functions could not be lowered
    NotLowered,
}

/// Show one function of a bench: what is known about it, and its code
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = SHOW_INTRODUCTION, after_help = SHOW_EXAMPLES)]
pub struct Show {
    /// The bench, a folder
    pub bench: PathBuf,
    /// The function, as above
    pub function: String,
    /// Show it in this setting of the bench, such as neutralized or x86_64, beside what it was
    #[arg(long, value_name = "SETTING", conflicts_with = "linked")]
    pub setting: Option<String>,
    /// Of several variants, the one with this seed
    #[arg(long, value_name = "N", requires = "setting")]
    pub seed: Option<u32>,
    /// Print only the unit, as it is
    #[arg(long)]
    pub unit: bool,
    /// Print only the linked unit, which has the definitions that the function needs to run
    #[arg(long, conflicts_with = "unit")]
    pub linked: bool,
    /// Print only the function itself
    #[arg(long, conflicts_with_all = ["unit", "linked"])]
    pub text: bool,
    /// Print one JSON document with everything instead of text
    #[arg(long)]
    pub json: bool,
}

/// Give a function new names or another shape
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = REWRITE_INTRODUCTION, after_help = REWRITE_EXAMPLES)]
pub struct Rewrite {
    /// The file, in C or C++
    pub file: PathBuf,
    /// The function that counts, as below: names are numbered from it on [default: the last one]
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// How: a setting such as symbol or L3, or rewrites with commas between them, such as semantic*3,inline,neutralize;
    /// `--recipe ?` lists all
    #[arg(long, value_name = "RECIPE", value_parser = listing::text(lists::recipes))]
    pub recipe: String,
    /// The seed of whatever is chosen at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Ask both compilers whether the code is still the same, and if it is not, run both on the same inputs
    #[arg(long)]
    pub check: bool,
    /// Run both on the input in this file only, by both compilers, with the sanitizers of each; see docs/inputs.md
    #[arg(long, value_name = "FILE", requires = "check")]
    pub input: Option<PathBuf>,
    /// What a compiler must be told, such as -Iinclude; may be repeated
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<String>,
    #[command(flatten)]
    pub foreign: Foreign,
    /// Print one JSON document: the text, the new names, the evidence
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: Server,
}

/// What commands and models may do that a recipe names
#[derive(Debug, Args)]
pub struct Foreign {
    /// Let commands of recipes (external:COMMAND) read this file or folder, as /input/NAME; may be repeated
    #[arg(long, value_name = "PATH")]
    pub external_reads: Vec<PathBuf>,
    /// How long a command of a recipe may take for one function, in seconds
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub external_timeout: u32,
}

/// Compare the code of two versions of a function's file
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = CHECK_INTRODUCTION, after_help = CHECK_EXAMPLES)]
pub struct Check {
    /// The old file
    pub old: PathBuf,
    /// The new file
    pub new: PathBuf,
    /// The function, by its name in the old file, as below [default: the last one]
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// What it is called in the new file [default: the same, or found by its place and its signature]
    #[arg(long, value_name = "NAME")]
    pub new_function: Option<String>,
    /// The seed of the inputs that both are run on
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Run both on the input in this file only, by both compilers, with the sanitizers of each; see docs/inputs.md
    #[arg(long, value_name = "FILE", conflicts_with = "save_input")]
    pub input: Option<PathBuf>,
    /// Write the input that shows a difference into this file, or else the first one on which a sanitizer finds something
    #[arg(long, value_name = "FILE")]
    pub save_input: Option<PathBuf>,
    /// What a compiler must be told, such as -Iinclude; may be repeated
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<String>,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

/// Print what a compiler makes of a function, without names
#[derive(Debug, Args)]
#[command(help_template = PAGE, before_help = LOWER_INTRODUCTION, after_help = LOWER_EXAMPLES)]
pub struct Lower {
    /// The file, in C or C++
    pub file: PathBuf,
    /// The function, as below [default: the last one]
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Another function of the file to print after it; may be repeated
    #[arg(long = "helper", value_name = "NAME")]
    pub helpers: Vec<String>,
    /// What to, such as x86_64 or wasm32; `--target ?` lists all
    #[arg(long, value_name = "TARGET", value_parser = listing::text(lists::targets))]
    pub target: String,
    /// How far to optimise: O0, O1, O2, O3 or Os
    #[arg(long, value_name = "LEVEL", default_value = "O0")]
    pub opt: String,
    /// Which compiler: gcc, clang, or g++ for C too; WebAssembly and LLVM's language are clang's [default: gcc, and g++
    /// for x86_64 in the paper's look]
    #[arg(long, value_name = "NAME")]
    pub compiler: Option<String>,
    /// How it looks: plain, or as in the CLARC paper (paper): objdump of stripped code, wasm2wat
    #[arg(long, value_name = "STYLE", default_value = "plain")]
    pub style: String,
    /// Leave the names of the standard library's functions
    #[arg(long)]
    pub keep_standard_names: bool,
    /// What a compiler must be told, such as -Iinclude; may be repeated
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<String>,
    /// Print one JSON document: the text and its statistics
    #[arg(long)]
    pub json: bool,
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
