//! From sources to a bench of pairs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_bench::{
    BenchError, BugPair, Function, Label, Lock, Part, PartBuild, Provenance, Rejected, Rung, Unpaired, put_pairs,
};
use estrange_build::{BuildError, Options as BuildOptions, Progress, Share, Workbench};
use estrange_oracle::Settings;
use estrange_project::role::Role;
use estrange_rewrite::Setting;
use estrange_sandbox::Sandbox;
use estrange_source::{Cache, Fixes, Loss, Origin, Spec, Wanted};
use estrange_store::{Keep, Store, key};
use estrange_words::Stage;
use rayon::prelude::*;

use crate::candidate::{Candidates, unpaired};
use crate::controls::{Tally, tallied};
use crate::couple::{Couple, Functions, couples};
use crate::error::PairError;
use crate::pair::{Done, Work};
use crate::set::is_set;

/// A fix says by itself which code counts.
const EVERY_ROLE: [Role; 7] =
    [Role::Library, Role::Program, Role::Test, Role::Example, Role::Vendored, Role::Generated, Role::Platform];

/// How pairs are made.
#[derive(Debug, Clone)]
pub struct Options {
    /// How functions are taken out: the folder, the jobs, the seed. Its settings are the rungs.
    pub build: BuildOptions,
    /// Which fixes of sources are wanted.
    pub wanted: Wanted,
    /// Whether triggers are looked for where none is known.
    pub seek: bool,
    /// Whether negative controls are tried on confirmed pairs.
    pub controls: bool,
}

/// What became of it.
#[derive(Debug, Default)]
pub struct Report {
    /// The pairs.
    pub pairs: Vec<BugPair>,
    /// The rungs that are there, by setting, in the order of the settings.
    pub rungs: Vec<(String, usize)>,
    /// What is not there.
    pub unpaired: Vec<Unpaired>,
    /// What became of negative controls, where they were tried.
    pub controls: BTreeMap<String, Tally>,
    /// The sources that could not be had.
    pub losses: Vec<(String, Loss)>,
}

impl Report {
    /// How many pairs are confirmed.
    pub fn confirmed(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.label == Label::CrashConfirmed).count()
    }
}

/// Makes a bench of pairs out of sources.
///
/// # Errors
/// When there can be no pairs at all. What is lost of a source, a fix or a pair is in the bench.
pub fn make(
    sources: &[Spec],
    options: &Options,
    cache: &Cache,
    sandbox: &Sandbox,
    progress: &dyn Progress,
) -> Result<Report, PairError> {
    let settings: Vec<Setting> = options.build.settings.iter().cloned().collect();
    let workbench = Workbench::new(options.build.jobs, &settings, &options.build.foreign, cache, sandbox)?;
    let trees = tempfile::tempdir_in(workbench.workshop().path())
        .map_err(|source| PairError::Folder { path: workbench.workshop().path().to_owned(), source })?;
    let mut candidates = Candidates::default();
    let mut losses = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let name = source.to_string();
        progress.source(&name);
        match source.origin() {
            Origin::Directory(folder) if is_set(folder) => {
                candidates.add_set(&name, folder, &trees.path().join(number.to_string()), &workbench)?;
            }
            _ => match Fixes::of(source, &options.wanted, cache, sandbox, progress.fetching()) {
                Ok(fixes) => candidates.add_fixes(source, fixes),
                Err(loss) => {
                    candidates.lost.push(unpaired(&name, Stage::Source, loss.reason(), loss.to_string()));
                    losses.push((name, loss));
                }
            },
        }
    }
    let Candidates { states, all, mut lost } = candidates;
    if all.is_empty() {
        return Err(PairError::Nothing { losses });
    }
    // All functions of all states: one that two fixes change is the same between them, and belongs to both.
    let build = BuildOptions {
        out: trees.path().join("part"),
        roles: EVERY_ROLE.into(),
        settings: BTreeSet::new(),
        lowerings: BTreeSet::new(),
        ..options.build.clone()
    };
    let part = estrange_build::build_part(&states, Share::WHOLE, &build, cache, sandbox, progress)?.part;
    let taken = part.functions().map_err(BuildError::from)?;
    let taken: Result<Vec<Function>, _> = taken.map(|row| Ok(row?.record.function)).collect();
    let functions = Functions::new(taken.map_err(|error: BenchError| BuildError::from(error))?);
    let mut found: Vec<Couple<'_>> = Vec::new();
    for candidate in &all {
        match couples(candidate, &functions) {
            Ok(couples) => found.extend(couples),
            Err(none) => lost.push(none),
        }
    }
    let done = work(&found, options, &workbench, cache, progress)?;
    let controls = tallied(done.iter().flat_map(|done| &done.controls));
    let (mut pairs, mut rungs) = (Vec::new(), Vec::new());
    for Done { pair, rungs: own, broken, .. } in done {
        pairs.push(pair);
        rungs.extend(own);
        lost.extend(broken);
    }
    let report = Report { rungs: counted(&rungs, &settings), pairs, unpaired: lost, controls, losses };
    progress.step("writing the bench");
    write_down(&options.build.out, &part, &found, &report, rungs)?;
    Ok(report)
}

/// A bench of the sides of pairs, each once, with what is known of the pairs.
fn write_down(
    out: &Path,
    part: &Part,
    couples: &[Couple<'_>],
    report: &Report,
    rungs: Vec<Rung>,
) -> Result<(), BuildError> {
    let lock = Lock::acquire(out)?;
    let PartBuild { estrange, seed, config, tools, sources, .. } = part.manifest.build.clone();
    let provenance = Provenance { estrange, seed, config, tools, sources };
    let mut seen = HashSet::new();
    let sides = couples.iter().flat_map(|couple| [&couple.vulnerable, &couple.patched]);
    let functions = sides.filter(|function| seen.insert(function.id.clone())).cloned();
    let rejected: Vec<Rejected> = part.rejected()?.map(|row| Ok(row?.record)).collect::<Result<_, BenchError>>()?;
    estrange_bench::write(&lock, provenance, functions, rejected)?;
    put_pairs(&lock, report.pairs.iter().cloned(), rungs, report.unpaired.iter().cloned())?;
    Ok(())
}

/// Works on all pairs side by side. What became of one is kept.
fn work(
    couples: &[Couple<'_>],
    options: &Options,
    workbench: &Workbench,
    cache: &Cache,
    progress: &dyn Progress,
) -> Result<Vec<Done>, BuildError> {
    let store = Store::open(cache.path().join("built"))?;
    let oracle = workbench.oracle(Settings::default())?;
    let seeker = options.seek.then(|| workbench.oracle(Settings { mutants: 0, ..Settings::default() })).transpose()?;
    let seed = options.build.seed;
    let rungs: Vec<(Setting, u32)> = options.build.variants();
    let work =
        Work { workbench, oracle: &oracle, seeker: seeker.as_ref(), rungs: &rungs, seed, controls: options.controls };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(options.build.jobs).build();
    let threads = threads.map_err(|error| BuildError::Threads(error.to_string()))?;
    progress.step("confirming");
    let done = AtomicUsize::new(0);
    let one = |couple: &Couple<'_>| {
        if progress.is_cancelled() {
            return Err(BuildError::Cancelled);
        }
        let kept = store.get_or(&kept_as(couple, &work), || Ok::<_, BuildError>((work.of(couple)?, Keep::Yes)));
        progress.count(done.fetch_add(1, Ordering::Relaxed) + 1, couples.len());
        kept
    };
    threads.install(|| couples.par_iter().map(one).collect())
}

/// Stands for all that what is found of a pair depends on.
fn kept_as(couple: &Couple<'_>, work: &Work<'_>) -> String {
    let [vulnerable, patched] = couple.sides();
    let rungs: String = work.rungs.iter().map(|(setting, seed)| format!("{} {seed}\n", setting.recipe())).collect();
    let Couple { name, candidate, changed, vulnerable: function, patched: other } = couple;
    let versions =
        [crate::VERSION, estrange_oracle::VERSION, estrange_rewrite::VERSION, &work.workbench.key()].join(" ");
    let seeks = work.seeker.map_or(String::new(), |_| format!("seeks {}", work.seed));
    let told = format!("{name} {candidate:?} {changed} {} {} {:?}", function.id, other.id, function.flags);
    let places = format!("{:?} {:?} {:?}", vulnerable.function, patched.function, vulnerable.entry);
    let controls = if work.controls { "controls".to_owned() } else { String::new() };
    let parts = [&controls, &versions, &seeks, &rungs, &told, &places, &vulnerable.unit, &patched.unit]
        .map(|part| part.as_bytes());
    key("pair", &parts)
}

fn counted(rungs: &[Rung], settings: &[Setting]) -> Vec<(String, usize)> {
    let names = [crate::pair::WRITTEN.to_owned()].into_iter().chain(settings.iter().map(Setting::to_string));
    let count = |name: &String| rungs.iter().filter(|rung| rung.setting == *name).count();
    names.map(|name| (name.clone(), count(&name))).collect()
}
