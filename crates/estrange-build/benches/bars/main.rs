//! `make bench`: measures what docs/benchmarks.md shows, on real sources, with the release binary.

#![allow(missing_docs, reason = "nobody but this binary uses its modules")]

mod compilers;
mod cost;
mod disassembly;
mod estrange;
mod floor;
mod keep;
mod kill;
mod lowered;
mod measure;
mod minimality;
mod names;
mod pairs;
mod removal;
mod report;
mod sample;
mod shapes;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use estrange::Estrange;
use report::{Row, table};

/// Measures Estrange on real sources
#[derive(Debug, Parser)]
#[command(name = "bench", max_term_width = 100)]
struct Arguments {
    /// What to measure [default: all of it]
    #[arg(value_name = "PART")]
    parts: Vec<Part>,
    /// The release binary
    #[arg(long, value_name = "FILE", default_value = "target/release/estrange")]
    estrange: PathBuf,
    /// Where to work; downloads of the user's own cache are used, the rest is made here
    #[arg(long, value_name = "DIR", default_value = "target/bench")]
    scratch: PathBuf,
    /// Take an existing bench for keep, minimality, names, lowered, shapes and again, instead of building one
    #[arg(long = "existing", value_name = "BENCH")]
    existing: Option<PathBuf>,
    /// Measure on these sources instead of each part's own, for a first look
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    sources: Vec<String>,
    /// How many units are sampled for minimality
    #[arg(long, value_name = "N", default_value_t = 200)]
    units: usize,
    /// How many units the cost of the bare compilers is measured on
    #[arg(long, value_name = "N", default_value_t = 300)]
    floor_units: usize,
    /// How many texts of a target are compared with what other programs say
    #[arg(long, value_name = "N", default_value_t = 500)]
    lowered_texts: usize,
    /// How many variants are run again
    #[arg(long, value_name = "N", default_value_t = 500)]
    again: usize,
    /// How often a build is killed
    #[arg(long, value_name = "N", default_value_t = 20)]
    kills: usize,
    /// The seed of whatever is chosen at random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How much to do at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Write the numbers to this file, too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// What cargo passes to every benchmark.
    #[arg(long = "bench", hide = true)]
    _bench: bool,
}

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Functions kept, linkable, the same code; sizes of units; reasons
    Keep,
    /// Whether anything can be taken away from a unit
    Minimality,
    /// CPU time of a first and a second build
    Cost,
    /// CPU time as sources are added
    Growth,
    /// Memory for one large file
    Memory,
    /// Functions with new names and the same code, and what is left of the old names
    Names,
    /// CPU time of randomized trials
    Trials,
    /// Functions as text of each target, and whether other programs agree with it
    Lowered,
    /// New shapes with their evidence, and false alarms
    Shapes,
    /// Variants of a bench with new shapes, run again with ten times the inputs
    Again,
    /// Builds that are killed, and numbers of jobs
    Kill,
    /// CPU time of a full pass over the own pairs
    Pairs,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if let Some(served) = measure::serve_if_wrapper() {
        return served.map(|()| ExitCode::SUCCESS);
    }
    // Cargo starts a benchmark in the folder of its package; paths are meant from the workspace's.
    if let Some(package) = std::env::var_os("CARGO_MANIFEST_DIR") {
        std::env::set_current_dir(PathBuf::from(package).join("../.."))?;
    }
    let arguments = Arguments::parse();
    let parts = if arguments.parts.is_empty() { Part::value_variants() } else { &arguments.parts };
    let binary = std::path::absolute(&arguments.estrange)?;
    let scratch = std::path::absolute(&arguments.scratch)?;
    let estrange = Estrange::prepare(binary, scratch, arguments.jobs)?;
    let given: Vec<&str> = arguments.sources.iter().map(String::as_str).collect();
    let or = |own: &'static [&'static str]| if given.is_empty() { own.to_vec() } else { given.clone() };
    let mut built = arguments.existing.clone();
    let mut reshaped = arguments.existing.clone();
    let mut rows: Vec<Row> = Vec::new();
    for part in parts {
        eprintln!("measuring {}", part.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned()));
        rows.extend(match part {
            Part::Keep => keep::keep(&bench(&estrange, &or(&keep::SOURCES), &mut built)?)?,
            Part::Minimality => {
                let bench = bench(&estrange, &or(&keep::SOURCES), &mut built)?;
                minimality::minimality(&bench, arguments.units, arguments.seed, arguments.jobs)?
            }
            Part::Cost => cost::cost(&estrange, &or(&cost::SOURCES), arguments.floor_units, arguments.seed)?,
            Part::Growth => cost::growth(&estrange, &or(&cost::SMALL_SOURCES))?,
            Part::Memory => cost::memory(&estrange, &or(&[keep::SQLITE]))?,
            Part::Names => match &arguments.existing {
                Some(bench) => names::numbers(bench)?,
                None => names::names(&estrange, &or(&keep::SOURCES))?,
            },
            Part::Trials => names::trials(&estrange, &or(&cost::SMALL_SOURCES), arguments.floor_units, arguments.seed)?,
            Part::Lowered => {
                let bench = match &arguments.existing {
                    Some(bench) => bench.clone(),
                    None => lowered::build(&estrange, &or(&keep::SOURCES))?,
                };
                lowered::lowered(&bench, arguments.lowered_texts, arguments.seed)?
            }
            Part::Shapes => shapes::shapes(&with_shapes(&estrange, &or(&keep::SOURCES), &mut reshaped)?)?,
            Part::Again => {
                let bench = with_shapes(&estrange, &or(&keep::SOURCES), &mut reshaped)?;
                shapes::again(&bench, arguments.again, arguments.seed)?
            }
            Part::Kill => kill::kill(&estrange, &or(&kill::SOURCES), arguments.kills, arguments.seed)?,
            Part::Pairs => pairs::pairs(&estrange, &or(&[pairs::FOLDER]))?,
        });
        // What a later part fails at does not take away what is known.
        if let Some(path) = &arguments.json {
            std::fs::write(path, serde_json::to_string_pretty(&rows)?)?;
        }
    }
    print!("{}", table(&rows));
    Ok(if rows.iter().any(|row| row.holds == Some(false)) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The bench that the parts about units read, built when the first of them asks for it.
fn bench(estrange: &Estrange, sources: &[&str], built: &mut Option<PathBuf>) -> Result<PathBuf, Box<dyn Error>> {
    if let Some(bench) = built {
        return Ok(bench.clone());
    }
    let out = estrange.out("keep")?;
    estrange.forget()?;
    estrange.build(sources, &out)?;
    Ok(built.insert(out).clone())
}

/// The bench with new shapes, built when the first part asks for it.
fn with_shapes(
    estrange: &Estrange,
    sources: &[&str],
    reshaped: &mut Option<PathBuf>,
) -> Result<PathBuf, Box<dyn Error>> {
    if let Some(bench) = reshaped {
        return Ok(bench.clone());
    }
    Ok(reshaped.insert(shapes::build(estrange, sources)?).clone())
}
