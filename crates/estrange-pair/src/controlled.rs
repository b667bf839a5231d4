//! What becomes of pairs under negative controls: each is run on its trigger, and goes through the same gate as rungs.

use std::collections::BTreeMap;

use estrange_build::BuildError;

use crate::controls::{Control, Controlled, Outcome};
use crate::fault::Fault;
use crate::operation::node_at;
use crate::pair::{Confirmed, Task};
use crate::runner::{Ends, Lost, Ready, Rewritten, ready};

/// How often each control could be tried, took the bug away, and got through the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Pairs that it was tried on.
    pub tried: usize,
    /// Of these, where the bug was gone.
    pub gone: usize,
    /// Of these, where the gate refused it.
    pub refused: usize,
    /// Where the bug was gone and the gate let it through: none, or the gate is wrong.
    pub lied: usize,
}

impl Task<'_, '_> {
    /// The vulnerable side under each control that has something to change, through the same gate as rungs.
    pub(crate) fn controlled(&self, confirmed: &Confirmed<'_>) -> Result<Vec<(String, Outcome)>, BuildError> {
        let [side, _] = &self.sides;
        let function = &self.couple.vulnerable;
        let Ok(tree) = self.work.workbench.tree(&side.unit, function.language, &function.flags) else {
            return Ok(Vec::new());
        };
        let place = confirmed.fault.place.as_ref();
        let node = place.and_then(|place| node_at(&side.unit, &tree, place.line, place.column?));
        let mut outcomes = Vec::new();
        for control in Control::ALL {
            let Some(controlled) = control.apply(&side.unit, &tree, confirmed.fault.class, node) else { continue };
            outcomes.push((control.as_str().to_owned(), self.outcome(confirmed, &controlled)?));
        }
        Ok(outcomes)
    }

    fn outcome(&self, confirmed: &Confirmed<'_>, controlled: &Controlled) -> Result<Outcome, BuildError> {
        let ([side, _], function) = (&self.sides, &self.couple.vulnerable);
        let none = BTreeMap::new();
        let (unit, ran) = match controlled {
            Controlled::Text(text) => {
                let rewritten = Rewritten { unit: text, names: &none };
                (text, run(&confirmed.ready[0], Some(rewritten), confirmed)?)
            }
            Controlled::Flag(flag) => {
                let flags: Vec<String> = function.flags.iter().cloned().chain([(*flag).to_owned()]).collect();
                match ready(self.work.oracle, side, &function.name, function.language, &flags)? {
                    Ok(ready) => (&side.unit, run(&ready, None, confirmed)?),
                    Err(_) => return Ok(Outcome::default()),
                }
            }
        };
        let Ok(ends) = ran else { return Ok(Outcome::default()) };
        let gone = !ends.0.iter().any(|by| by.end.is_fault());
        let fault = Fault::confirmed(&ends, &confirmed.ends[1], unit, self.read);
        let passed = fault.is_ok_and(|fault| confirmed.fault.is_still(&fault, &none, false).is_ok());
        Ok(Outcome { ran: true, gone, passed })
    }
}

/// How a side, or a rewrite of it, ends on its trigger.
fn run(
    ready: &Ready<'_>,
    rewritten: Option<Rewritten<'_>>,
    confirmed: &Confirmed<'_>,
) -> Result<Result<Ends, Lost>, BuildError> {
    match ready.build(rewritten)? {
        Ok(built) => built.run_for(confirmed.fault.class, &confirmed.trigger),
        Err(lost) => Ok(Err(lost)),
    }
}

/// The sums of all pairs.
pub(crate) fn tallied<'o>(outcomes: impl Iterator<Item = &'o (String, Outcome)>) -> BTreeMap<String, Tally> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (control, outcome) in outcomes.filter(|(_, outcome)| outcome.ran) {
        let tally = tallies.entry(control.clone()).or_default();
        tally.tried += 1;
        tally.gone += usize::from(outcome.gone);
        tally.refused += usize::from(!outcome.passed);
        tally.lied += usize::from(outcome.gone && outcome.passed);
    }
    tallies
}
