//! From sources to a bench of pairs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_bench::{
    BenchError, BugPair, Function, Label, Lock, Part, PartBuild, Provenance, Rejected, Rung, Unpaired, put_pairs,
};
use estrange_build::{BuildError, Options as BuildOptions, Progress, Share, Workbench};
use estrange_oracle::Settings;
use estrange_project::role::Role;
use estrange_rewrite::Setting;
use estrange_sandbox::Sandbox;
use estrange_source::{Cache, Fixes, Origin, Spec, Wanted};
use estrange_store::{Keep, Store, key};
use estrange_words::{Hint, Stage};
use rayon::prelude::*;

use crate::candidate::{Candidates, unpaired};
use crate::controlled::{Tally, tallied};
use crate::couple::{Couple, Functions, couples};
use crate::error::PairError;
use crate::pair::{Done, WRITTEN, Work};
use crate::set::is_set;
use crate::sham::{Shams, summed};

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
    /// Whether it is tried if pairs without a bug would be confirmed.
    pub shams: bool,
}

/// What became of it.
#[derive(Debug, Default)]
pub struct Report {
    /// The pairs.
    pub pairs: Vec<BugPair>,
    /// How many rungs of confirmed pairs are there, by setting.
    pub rungs: Vec<RungCount>,
    /// What is not there.
    pub unpaired: Vec<Unpaired>,
    /// What became of negative controls, where they were tried.
    pub controls: BTreeMap<String, Tally>,
    /// What became of pairs without a bug, where they were tried, by what functions were held against.
    pub shams: BTreeMap<String, Shams>,
    /// How many sources could not be had; why, was told.
    pub lost_sources: usize,
}

/// How many rungs of confirmed pairs are there in a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RungCount {
    /// The setting.
    pub setting: String,
    /// Those that are there.
    pub there: usize,
    /// Those that were asked for: one a pair and seed.
    pub of: usize,
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
    // Nobody should wait for a folder that cannot be written to.
    let lock = Lock::acquire(&options.build.out).map_err(BuildError::from)?;
    let settings: Vec<Setting> = options.build.settings.iter().cloned().collect();
    let workbench = Workbench::new(options.build.jobs, &settings, &options.build.foreign, cache, sandbox)?;
    let trees = tempfile::tempdir_in(workbench.workshop().path())
        .map_err(|source| PairError::Folder { path: workbench.workshop().path().to_owned(), source })?;
    let mut candidates = Candidates::default();
    let mut lost_sources = 0;
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
                    progress.source_lost(&name, &loss.to_string(), loss.hint().as_deref());
                    candidates.lost.push(unpaired(&name, Stage::Source, loss.reason(), loss.to_string()));
                    lost_sources += 1;
                }
            },
        }
    }
    let Candidates { states, all, mut lost } = candidates;
    if all.is_empty() {
        return Err(PairError::Nothing);
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
    name_apart(&mut found);
    let done = work(&found, options, &workbench, cache, progress)?;
    let controls = tallied(done.iter().flat_map(|done| &done.controls));
    let shams = summed(done.iter().flat_map(|done| &done.shams));
    let (mut pairs, mut rungs) = (Vec::new(), Vec::new());
    for Done { pair, rungs: own, broken, .. } in done {
        pairs.push(pair);
        rungs.extend(own);
        lost.extend(broken);
    }
    let rungs_there = counted(&pairs, &rungs, &options.build.variants());
    let report = Report { rungs: rungs_there, pairs, unpaired: lost, controls, shams, lost_sources };
    progress.step("writing the bench");
    write_down(&lock, &part, &found, &report, rungs)?;
    Ok(report)
}

/// A bench of the sides of pairs, each once, with what is known of the pairs.
fn write_down(
    lock: &Lock,
    part: &Part,
    couples: &[Couple<'_>],
    report: &Report,
    rungs: Vec<Rung>,
) -> Result<(), BuildError> {
    let PartBuild { estrange, seed, config, tools, sources, .. } = part.manifest.build.clone();
    let provenance = Provenance { estrange, seed, config, tools, sources };
    let mut seen = HashSet::new();
    let sides = couples.iter().flat_map(|couple| [&couple.vulnerable, &couple.patched]);
    let functions = sides.filter(|function| seen.insert(function.id.clone())).cloned();
    let rejected: Vec<Rejected> = part.rejected()?.map(|row| Ok(row?.record)).collect::<Result<_, BenchError>>()?;
    estrange_bench::write(lock, provenance, functions, rejected)?;
    put_pairs(lock, report.pairs.iter().cloned(), rungs, report.unpaired.iter().cloned())?;
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
    let seeker = workbench.oracle(Settings { mutants: 0, ..Settings::default() })?;
    let seed = options.build.seed;
    let rungs: Vec<(Setting, u32)> = options.build.variants();
    let work = Work {
        workbench,
        oracle: &oracle,
        seeker: options.seek.then_some(&seeker),
        rungs: &rungs,
        seed,
        controls: options.controls,
        shams: options.shams.then_some(&seeker),
    };
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
    let extra = format!("{} {}", work.controls, work.shams.is_some());
    let parts = [&extra, &versions, &seeks, &rungs, &told, &places, &vulnerable.unit, &patched.unit]
        .map(|part| part.as_bytes());
    key("pair", &parts)
}

/// Gives each pair a name of its own: functions of one name, in several files or with other parameters, are numbered.
fn name_apart(couples: &mut [Couple<'_>]) {
    let mut taken: HashSet<String> = HashSet::new();
    for couple in couples {
        let plain = couple.name.clone();
        let mut number = 1;
        while !taken.insert(couple.name.clone()) {
            number += 1;
            couple.name = format!("{plain}-{number}");
        }
    }
}

fn counted(pairs: &[BugPair], rungs: &[Rung], asked: &[(Setting, u32)]) -> Vec<RungCount> {
    let is_confirmed = |pair: &&BugPair| pair.label == Label::CrashConfirmed;
    let confirmed: HashSet<&str> = pairs.iter().filter(is_confirmed).map(|pair| pair.name.as_str()).collect();
    let mut seeds: Vec<(String, usize)> = vec![(WRITTEN.to_owned(), 1)];
    for (setting, _) in asked {
        let setting = setting.to_string();
        match seeds.iter_mut().find(|(known, _)| *known == setting) {
            Some((_, count)) => *count += 1,
            None => seeds.push((setting, 1)),
        }
    }
    let is_there = |rung: &&Rung| confirmed.contains(rung.pair.as_str());
    let count = |(setting, seeds): (String, usize)| RungCount {
        there: rungs.iter().filter(is_there).filter(|rung| rung.setting == setting).count(),
        of: confirmed.len() * seeds,
        setting,
    };
    seeds.into_iter().map(count).collect()
}
