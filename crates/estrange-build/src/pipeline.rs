//! The whole build, from sources to a bench on disk: see *The spine* in ARCHITECTURE.md.
//!
//! A part takes out the functions that fall to it, source by source, and then makes variants and lowered texts of them,
//! batch by batch. An undivided build is one part, merged.

use std::path::Path;

use arrow_array::{BooleanArray, RecordBatch};
use estrange_bench::{
    BenchError, Lock, Manifest, Part, PartBuild, PartStaging, PartWriter, Placed, Rejected, ReworkWriter, RowPlace,
    Staging,
};
use estrange_inference::tokenizer::Tokenizer;
use estrange_rewrite::Setting;
use estrange_sandbox::{Sandbox, Workshop};
use estrange_source::Cache;
use estrange_text::balance::{Bound, Impossible};

use crate::batches::Counter;
use crate::config::Config;
use crate::error::BuildError;
use crate::foreign::Contractors;
use crate::merge::put_together;
use crate::options::{Options, Progress, Share};
use crate::origin::Origin;
use crate::record::lost_source;
use crate::rework::Stages;
use crate::select::{Fate, select};
use crate::source::{Done, take_out};
use crate::state::State;
use crate::store::Store;
use crate::tools::Tools;
use crate::work::{Computed, Work};

/// So many functions are read at once. They are worked on in as many steps as fit into memory.
const FUNCTIONS_IN_A_BATCH: usize = 256;

/// What a build did.
#[derive(Debug)]
pub struct Report {
    /// The manifest of the bench.
    pub manifest: Manifest,
    /// The first file or source that was lost as a whole.
    pub first_loss: Option<Rejected>,
    /// For how many functions something had to be computed: everything else was in the cache.
    pub computed: usize,
}

/// What the making of a part did.
#[derive(Debug)]
pub struct PartReport {
    /// The part.
    pub part: Part,
    /// How many functions fell to it.
    pub found: usize,
    /// How many of them were taken out.
    pub taken: usize,
    /// As in [`Report`].
    pub computed: usize,
}

/// Builds a bench out of sources.
///
/// # Errors
/// When there can be no bench at all. What is lost of a source, a file or a function is in the bench.
pub fn build(
    sources: &[State],
    options: &Options,
    cache: &Cache,
    sandbox: &Sandbox,
    progress: &dyn Progress,
) -> Result<Report, BuildError> {
    let lock = Lock::acquire(&options.out)?;
    let staging = Staging::new(&lock)?;
    let machine = Machine::new(sources, options, cache, sandbox, progress)?;
    let made = machine.part(sources, Share::WHOLE, &staging.part_folder())?;
    let computed = machine.computed.count();
    // What it knows of headers and symbols is not needed any more.
    drop(machine);
    let manifest = put_together(&[made.part], &made.config, made.fates, staging, progress)?;
    Ok(Report { manifest, first_loss: made.first_loss, computed })
}

/// Does one part of a build: see [`crate::merge()`].
///
/// # Errors
/// As [`build`].
pub fn build_part(
    sources: &[State],
    share: Share,
    options: &Options,
    cache: &Cache,
    sandbox: &Sandbox,
    progress: &dyn Progress,
) -> Result<PartReport, BuildError> {
    let lock = Lock::acquire_for_part(&options.out)?;
    let staging = PartStaging::new(&lock)?;
    let machine = Machine::new(sources, options, cache, sandbox, progress)?;
    let made = machine.part(sources, share, staging.part_folder())?;
    let part = staging.publish(made.part)?;
    Ok(PartReport { part, found: made.found, taken: made.taken, computed: machine.computed.count() })
}

/// What a build needs of this machine.
struct Machine<'a> {
    options: &'a Options,
    cache: &'a Cache,
    sandbox: &'a Sandbox,
    progress: &'a dyn Progress,
    tokenizer: Option<Tokenizer>,
    store: Store,
    tools: Tools,
    threads: rayon::ThreadPool,
    computed: Computed,
    /// Stands for what carries out foreign steps.
    foreign: Option<String>,
}

/// A part, and what became of its functions as far as it can tell.
struct MadePart {
    part: Part,
    config: Config,
    fates: Vec<Fate>,
    first_loss: Option<Rejected>,
    found: usize,
    taken: usize,
}

/// What sources gave.
#[derive(Default)]
struct Harvest {
    sources: Vec<estrange_bench::Source>,
    first_loss: Option<Rejected>,
    found: usize,
    kept: usize,
}

impl<'a> Machine<'a> {
    fn new(
        sources: &[State],
        options: &'a Options,
        cache: &'a Cache,
        sandbox: &'a Sandbox,
        progress: &'a dyn Progress,
    ) -> Result<Self, BuildError> {
        if let Some(Bound::Share(share)) = options.max_per_source
            && share * (sources.len() as f64) < 1.0 - 1e-9
        {
            // Known now: nobody should wait for it.
            return Err(Impossible { share, sources: sources.len() }.into());
        }
        // So is what is wrong with a command.
        let recipes = options.settings.iter().map(Setting::recipe);
        let foreign = Contractors::new(recipes, &options.foreign, sandbox, None)?.stamp();
        let foreign = (!foreign.is_empty()).then(|| blake3::hash(foreign.as_bytes()).to_hex().to_string());
        let tokenizer = options.tokenizer.as_deref().map(Tokenizer::load).transpose()?;
        let store = Store::open(cache.path())?;
        let workshop = Workshop::new(sandbox.clone(), store.scratch()?).keeping(store.folder());
        let tools = Tools::find(options.jobs, &workshop)?;
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(options.jobs)
            .build()
            .map_err(|error| BuildError::Threads(error.to_string()))?;
        let computed = Computed::default();
        Ok(Self { options, cache, sandbox, progress, tokenizer, store, tools, threads, computed, foreign })
    }

    /// Makes a part in a folder of its own.
    fn part(&self, sources: &[State], share: Share, folder: &Path) -> Result<MadePart, BuildError> {
        let work = Work {
            options: self.options,
            share,
            tools: &self.tools,
            store: &self.store,
            tokenizer: self.tokenizer.as_ref(),
            progress: self.progress,
            computed: &self.computed,
        };
        let mut writer = PartWriter::new(folder)?;
        let harvest = self.take_out_all(sources, &work, &mut writer)?;
        let mut writer = writer.taken()?;
        self.progress.step("looking for duplicates");
        let config = Config::new(self.options, self.tokenizer.as_ref(), self.foreign.clone());
        let rules = config.rules(self.options.seed);
        let rules = if share == Share::WHOLE { Some(rules) } else { rules.of_a_part() };
        let fates = match rules {
            Some(rules) => select(writer.candidates()?, rules)?,
            None => (0..writer.count()).map(|_| Fate::Stays { duplicates: Vec::new() }).collect(),
        };
        self.rework(&work, &fates, &mut writer)?;
        let build = PartBuild {
            estrange: env!("CARGO_PKG_VERSION").to_owned(),
            seed: self.options.seed,
            config: config.recorded()?,
            tools: self.tools.versions.clone(),
            asked: sources.iter().map(State::name).collect(),
            sources: harvest.sources,
        };
        let part = writer.finish((share.part, share.of), build)?;
        let Harvest { first_loss, found, kept, .. } = harvest;
        Ok(MadePart { part, config, fates, first_loss, found, taken: kept })
    }

    /// Makes variants and lowered texts of the functions that stay, batch by batch.
    fn rework(&self, work: &Work<'_>, fates: &[Fate], writer: &mut ReworkWriter) -> Result<(), BuildError> {
        let stages = Stages::new(work)?;
        let passes = stages.passes();
        if passes == 0 {
            return Ok(());
        }
        work.progress.step("rewriting and lowering");
        let counter = Counter::new(work.progress, passes * fates.iter().filter(|fate| fate.stays()).count());
        let mut fates = fates.iter();
        for batch in writer.functions(FUNCTIONS_IN_A_BATCH)? {
            let batch = batch?;
            let stays: BooleanArray = fates.by_ref().take(batch.num_rows()).map(|fate| Some(fate.stays())).collect();
            for piece in stages.pieces(&only(&batch, &stays)?) {
                writer.add(self.threads.install(|| stages.rework(&piece, &counter))?)?;
            }
        }
        Ok(())
    }

    fn take_out_all(&self, sources: &[State], work: &Work<'_>, writer: &mut PartWriter) -> Result<Harvest, BuildError> {
        let mut harvest = Harvest::default();
        let mut last: Option<Origin> = None;
        for (number, state) in (0..).zip(sources) {
            if self.progress.is_cancelled() {
                return Err(BuildError::Cancelled);
            }
            let name = state.name();
            self.progress.source(&name);
            match Origin::get(state, last.as_ref(), self.options, self.cache, self.sandbox, self.progress) {
                Ok(origin) => {
                    let Done { source, found, kept, first_loss } =
                        self.threads.install(|| take_out(work, &origin, number, writer))?;
                    harvest.sources.push(source);
                    harvest.first_loss = harvest.first_loss.or(first_loss);
                    harvest.found += found;
                    harvest.kept += kept;
                    self.progress.source_done(&name, found, kept);
                    last = Some(origin);
                }
                Err(loss) => {
                    self.progress.source_lost(&name, &loss.detail, loss.hint.as_deref());
                    let record = lost_source(&name, loss.reason, &loss.detail);
                    harvest.first_loss.get_or_insert_with(|| record.clone());
                    if work.share.is_first() {
                        writer.reject(Placed { place: RowPlace { source: number, number: 0 }, record })?;
                    }
                }
            }
        }
        if harvest.sources.is_empty() { Err(BuildError::NoSource) } else { Ok(harvest) }
    }
}

/// The rows of a batch for which something holds.
fn only(batch: &RecordBatch, holds: &BooleanArray) -> Result<RecordBatch, BuildError> {
    let damaged = |error: arrow_schema::ArrowError| BenchError::from(estrange_bench::BatchError::Arrow(error));
    Ok(arrow_select::filter::filter_record_batch(batch, holds).map_err(damaged)?)
}
