//! From sources to a bench of pairs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use estrange_bench::{
    BenchError, BugPair, Label, Lock, Part, PartBuild, Provenance, Rejected, Rung, Unpaired, put_pairs,
};
use estrange_build::{BuildError, Options as BuildOptions, Progress, Share, State, Workbench};
use estrange_project::role::Role;
use estrange_rewrite::Setting;
use estrange_sandbox::Sandbox;
use estrange_source::{Cache, Fixes, Origin, Spec};
use estrange_words::{Hint, Stage};

use crate::candidate::{Candidate, Candidates, unpaired};
use crate::controlled::{Tally, tallied};
use crate::couple::{Couple, Functions, couples};
use crate::error::PairError;
use crate::options::Options;
use crate::pair::WRITTEN;
use crate::set::is_set;
use crate::sham::{Shams, summed};
use crate::work::{Done, work};

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
    let with = With { options, workbench: &workbench, trees: trees.path(), cache, sandbox, progress };
    let (candidates, lost_sources) = with.collected(sources)?;
    let (part, functions) = with.taken_out(&candidates.states)?;
    let Candidates { all, mut lost, .. } = candidates;
    let found = coupled(&all, &functions, &mut lost);
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

/// What the first steps work with.
struct With<'w> {
    options: &'w Options,
    workbench: &'w Workbench,
    /// An empty folder for files.
    trees: &'w Path,
    cache: &'w Cache,
    sandbox: &'w Sandbox,
    progress: &'w dyn Progress,
}

impl With<'_> {
    /// What may become pairs, and how many sources could not be had.
    fn collected(&self, sources: &[Spec]) -> Result<(Candidates, usize), PairError> {
        let mut candidates = Candidates::default();
        let mut lost_sources = 0;
        for (number, source) in sources.iter().enumerate() {
            let name = source.to_string();
            self.progress.source(&name);
            if let Origin::Directory(folder) = source.origin()
                && is_set(folder)
            {
                candidates.add_set(&name, folder, &self.trees.join(number.to_string()), self.workbench)?;
                continue;
            }
            match Fixes::of(source, &self.options.wanted, self.cache, self.sandbox, self.progress.fetching()) {
                Ok(fixes) => candidates.add_fixes(source, fixes),
                Err(loss) => {
                    self.progress.source_lost(&name, &loss.to_string(), loss.hint().as_deref());
                    candidates.lost.push(unpaired(&name, Stage::Source, loss.reason(), loss.to_string()));
                    lost_sources += 1;
                }
            }
        }
        if candidates.all.is_empty() { Err(PairError::Nothing) } else { Ok((candidates, lost_sources)) }
    }

    /// All functions of all states: one that two fixes change is the same between them, and belongs to both.
    fn taken_out(&self, states: &[State]) -> Result<(Part, Functions), BuildError> {
        let build = BuildOptions {
            out: self.trees.join("part"),
            // A fix says by itself which code counts.
            roles: Role::ALL.into_iter().collect(),
            settings: BTreeSet::new(),
            lowerings: BTreeSet::new(),
            ..self.options.build.clone()
        };
        let built = estrange_build::build_part(states, Share::WHOLE, &build, self.cache, self.sandbox, self.progress)?;
        let all: Result<Vec<_>, BenchError> = built.part.functions()?.map(|row| Ok(row?.record.function)).collect();
        Ok((built.part, Functions::new(all?)))
    }
}

/// The pairs of all candidates, each with a name of its own.
fn coupled<'c>(all: &'c [Candidate], functions: &Functions, lost: &mut Vec<Unpaired>) -> Vec<Couple<'c>> {
    let mut found = Vec::new();
    for candidate in all {
        match couples(candidate, functions) {
            Ok(couples) => found.extend(couples),
            Err(none) => lost.push(none),
        }
    }
    name_apart(&mut found);
    found
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
