//! What runs both sides of a pair on its trigger without this program. Before a rung is written, both sides are run once
//! here, in the sandbox: what does not show the fault again is left out with the reason.

use estrange_bench::exchange::pair_set::{ExportedPair, ExportedRung, SideFacts};
use estrange_bench::exchange::reproducers::{LeftOut, Reproducer, Runner};
use estrange_bench::{End, Side};
use estrange_build::{BuildError, Compiler, ForeignOptions, Workbench};
use estrange_model::Watch;
use estrange_oracle::{Input, Oracle, Settings, Subject};
use rayon::prelude::*;

use crate::arguments::Shared;
use crate::prepare::{cache, sandbox};
use crate::voice::Failure;
use crate::watching::Watching;

/// So many other functions of a unit are tried where a trigger is no input of the function of the pair: it may be one of a
/// function that calls it.
const MOST_ENTRIES: usize = 12;

/// Compilers, and what runs functions.
pub struct Runners {
    workbench: Workbench,
    oracle: Oracle,
    jobs: usize,
}

/// A function of a unit: its name, and where it begins.
type Entry = (String, usize);

/// What was made, and what was not.
type Made<'p> = (Vec<Reproducer<'p>>, Vec<LeftOut>);

/// Why there is no program for a side.
type Why = String;

/// How a side is to end: with a fault of a class, or without one.
#[derive(Clone, Copy)]
struct Wanted {
    class: End,
    is_fault: bool,
}

impl Wanted {
    fn is(self, end: End) -> bool {
        if self.is_fault { end.is_like(self.class) } else { end.is_clean() }
    }
}

impl Runners {
    /// Finds the compilers.
    pub fn new(shared: &Shared) -> Result<Self, Failure> {
        let (cache, sandbox) = (cache(shared)?, sandbox(shared)?);
        let jobs = shared.jobs();
        let failure = |error: BuildError| Failure::of(&error);
        let workbench = Workbench::new(jobs, &[], &ForeignOptions::default(), &cache, &sandbox).map_err(failure)?;
        let oracle = workbench.oracle(Settings::default()).map_err(failure)?;
        Ok(Self { workbench, oracle, jobs })
    }

    /// What runs each rung of these pairs, in their order.
    pub fn all<'p>(&self, pairs: &'p [ExportedPair], watching: &Watching) -> Result<Made<'p>, Failure> {
        let rungs: Vec<(&ExportedPair, &ExportedRung)> =
            pairs.iter().flat_map(|pair| pair.rungs.iter().map(move |rung| (pair, rung))).collect();
        watching.begins("running both sides", Some(rungs.len()));
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.jobs).build();
        let threads = threads.map_err(|error| Failure::new("threads cannot be started").because(&error))?;
        let made: Result<Vec<_>, BuildError> = threads.install(|| {
            let one = |(pair, rung): &(&'p ExportedPair, &'p ExportedRung)| {
                if watching.should_stop() {
                    return Ok((*pair, *rung, Err("it was stopped".to_owned())));
                }
                let both = self.both(pair, rung)?;
                watching.done(1);
                Ok((*pair, *rung, both))
            };
            rungs.par_iter().map(one).collect()
        });
        let (mut reproducers, mut left_out) = (Vec::new(), Vec::new());
        for (pair, rung, both) in made.map_err(|error| Failure::of(&error))? {
            match both {
                Ok([vulnerable, patched]) => reproducers.push(Reproducer { pair, rung, vulnerable, patched }),
                Err(reason) => left_out.push(LeftOut {
                    pair: pair.pair.name.clone(),
                    setting: rung.rung.setting.clone(),
                    seed: rung.rung.seed,
                    reason,
                }),
            }
        }
        Ok((reproducers, left_out))
    }

    fn both(&self, pair: &ExportedPair, rung: &ExportedRung) -> Result<Result<[Runner; 2], Why>, BuildError> {
        let input = match Input::read(pair.pair.trigger.as_deref().unwrap_or_default()) {
            Ok(input) => input,
            Err(error) => return Ok(Err(format!("the trigger: {error}"))),
        };
        let Some(class) = pair.pair.class else { return Ok(Err("how it faults is not known".to_owned())) };
        let faults = Wanted { class, is_fault: true };
        let is_clean = Wanted { class, is_fault: false };
        let vulnerable = match self.side(&pair.vulnerable, (rung, Side::Vulnerable), &input, None, faults)? {
            Ok(vulnerable) => vulnerable,
            Err(why) => return Ok(Err(why)),
        };
        let (vulnerable, name) = vulnerable;
        let patched = self.side(&pair.patched, (rung, Side::Patched), &input, Some(&name), is_clean)?;
        Ok(patched.map(|(patched, _)| [vulnerable, patched]))
    }

    /// What runs a side, and the name of the function that it calls.
    fn side(
        &self,
        facts: &SideFacts,
        (rung, side): (&ExportedRung, Side),
        input: &Input,
        called: Option<&str>,
        wanted: Wanted,
    ) -> Result<Result<(Runner, String), Why>, BuildError> {
        let entries = match self.entries(facts, (rung, side), called) {
            Ok(entries) => entries,
            Err(why) => return Ok(Err(why)),
        };
        let mut first = None;
        for (function, at) in entries {
            let text = rung.unit(side);
            let (language, flags) = (facts.language, facts.flags.as_slice());
            let subject = Subject { text, function: &function, at: Some(at), language, flags, seed: 0 };
            match self.entry(&subject, input, wanted)? {
                Ok(runner) => return Ok(Ok((runner, function))),
                Err(why) => drop(first.get_or_insert(why)),
            }
        }
        Ok(Err(format!("{side}: {}", first.unwrap_or_else(|| "the function is not there".to_owned()))))
    }

    /// What runs a function, if it ends as it should.
    fn entry(&self, subject: &Subject<'_>, input: &Input, wanted: Wanted) -> Result<Result<Runner, Why>, BuildError> {
        let replay = match self.oracle.replay(subject)? {
            Ok(replay) => replay,
            Err(reason) => return Ok(Err(format!("it cannot be run: {reason}"))),
        };
        let fitted = match replay.fit(input) {
            Ok(fitted) => fitted,
            Err(error) => return Ok(Err(format!("the trigger does not fit: {error}"))),
        };
        let compiled = match replay.build(None, Compiler::Gcc)? {
            Ok(compiled) => compiled,
            Err(reason) => return Ok(Err(format!("it cannot be run: {reason}"))),
        };
        let ran = match compiled.run(&fitted)? {
            Ok(ran) => ran,
            Err(reason) => return Ok(Err(format!("it cannot be run: {reason}"))),
        };
        let end = match wanted.class {
            End::UninitialisedUse => match replay.watched(None, &fitted)? {
                Ok(watched) => watched.run()?.0,
                Err(why) => return Ok(Err(format!("the memory sanitizer cannot look: {why}"))),
            },
            _ => ran.end,
        };
        if !wanted.is(end) {
            return Ok(Err(format!("on the trigger it ends otherwise here: {end}")));
        }
        let alone = replay.standalone(&fitted, Some(&ran));
        Ok(alone.map(|alone| Runner { call: alone.call, input: alone.input }).map_err(|why| why.to_string()))
    }

    /// The functions that the trigger may be an input of: the one of the pair, then those that may call it.
    fn entries(
        &self,
        facts: &SideFacts,
        (rung, side): (&ExportedRung, Side),
        called: Option<&str>,
    ) -> Result<Vec<Entry>, Why> {
        let start = match side {
            Side::Vulnerable => rung.rung.vulnerable_start,
            Side::Patched => rung.rung.patched_start,
        };
        let tree = self.workbench.tree(rung.unit(side), facts.language, &facts.flags);
        let tree = tree.map_err(|loss| format!("it cannot be read: {loss}"))?;
        let bodies = tree.functions.iter().filter(|body| body.body.is_some());
        let mut entries: Vec<Entry> =
            bodies.map(|body| (tree.thing(body.thing).name.clone(), body.start as usize)).collect();
        // What calls another function mostly stands behind it.
        entries.reverse();
        let is_own = |at: usize| at.abs_diff(start as usize) <= 1;
        entries.sort_by_key(|(name, at)| (called.is_some_and(|called| called != name), !is_own(*at)));
        entries.truncate(MOST_ENTRIES);
        Ok(entries)
    }
}
