//! The work on all pairs, side by side; what became of one is kept.

use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_bench::{BugPair, Rung, Unpaired};
use estrange_build::{BuildError, Progress, Workbench};
use estrange_oracle::Settings;
use estrange_rewrite::Setting;
use estrange_source::Cache;
use estrange_store::{Keep, Store, key};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::controls::Outcome;
use crate::couple::Couple;
use crate::fault::Read;
use crate::options::Options;
use crate::pair::{Task, Work};

/// What became of a pair.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Done {
    pub(crate) pair: BugPair,
    pub(crate) rungs: Vec<Rung>,
    pub(crate) broken: Vec<Unpaired>,
    /// What became of it under each control.
    pub(crate) controls: Vec<(String, Outcome)>,
    /// Whether its patched side was taken for a bug, by what it was held against.
    pub(crate) shams: Vec<(String, bool)>,
}

impl Work<'_> {
    /// Labels a pair, and sends its rungs through the gate.
    fn of(&self, couple: &Couple<'_>) -> Result<Done, BuildError> {
        let function = &couple.vulnerable;
        let read = Read { workbench: self.workbench, language: function.language, flags: &function.flags };
        let task = Task { work: self, couple, sides: couple.sides(), read };
        let (confirmed, trigger) = match task.confirmed()? {
            Ok(confirmed) => {
                let trigger = confirmed.trigger.text();
                (Ok(confirmed), Some(trigger))
            }
            Err(lost) => (Err(lost), couple.candidate.written.as_ref().and_then(|written| written.trigger.clone())),
        };
        let pair = task.record(confirmed.as_ref(), trigger);
        let (mut rungs, mut broken) = (vec![task.as_written(confirmed.as_ref().ok())], Vec::new());
        let mut controls = Vec::new();
        if let Ok(confirmed) = &confirmed {
            task.climb(confirmed, &mut rungs, &mut broken)?;
            if self.controls {
                controls = task.controlled(confirmed)?;
            }
        }
        let shams = self.shams.map_or_else(|| Ok(Vec::new()), |seeker| task.shams(seeker))?;
        Ok(Done { pair, rungs, broken, controls, shams })
    }
}

/// Works on all pairs side by side. What became of one is kept.
pub(crate) fn work(
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
