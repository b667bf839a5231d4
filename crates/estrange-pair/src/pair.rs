//! One pair worked on: its label, and its rungs through the gate.

use std::collections::BTreeMap;

use estrange_bench::{BugPair, Ended, Function, Json, Label, Rung, RungEnds, RungEvidence, Side as Which, Unpaired};
use estrange_build::{BuildError, RewrittenText, Text, Workbench, lowest_missing};
use estrange_oracle::{Input, Oracle};
use estrange_rewrite::{Reshape, Rewrite, Setting, expansion};
use estrange_text::similarity::surface_distance;
use estrange_words::{Reason, Stage, Word};

use crate::couple::{Couple, Side};
use crate::fault::{Fault, Read};
use crate::runner::{Built, EndedBy, Ends, Lost, Ready, Rewritten, TIMES, ready};
use crate::seek::Sought;

/// What is as it was written.
pub(crate) const WRITTEN: &str = "L0";

/// So many simpler triggers are tried.
const STEPS: usize = 64;

/// What is done with pairs.
pub(crate) struct Work<'w> {
    pub(crate) workbench: &'w Workbench,
    /// Runs sides on triggers.
    pub(crate) oracle: &'w Oracle,
    /// Looks for triggers; nothing where none are to be looked for.
    pub(crate) seeker: Option<&'w Oracle>,
    pub(crate) rungs: &'w [(Setting, u32)],
    pub(crate) seed: u64,
    /// Whether negative controls are tried.
    pub(crate) controls: bool,
    /// Looks for bugs where there is none; nothing where that is not to be tried.
    pub(crate) shams: Option<&'w Oracle>,
}

/// A pair with all that running it takes.
pub(crate) struct Task<'t, 'w> {
    pub(crate) work: &'t Work<'w>,
    pub(crate) couple: &'t Couple<'t>,
    pub(crate) sides: [Side; 2],
    pub(crate) read: Read<'t>,
}

/// A pair that was confirmed, ready for its rungs.
pub(crate) struct Confirmed<'w> {
    pub(crate) fault: Fault,
    pub(crate) trigger: Input,
    pub(crate) ready: [Ready<'w>; 2],
    pub(crate) ends: [Ends; 2],
}

impl<'w> Task<'_, 'w> {
    fn functions(&self) -> [&Function; 2] {
        [&self.couple.vulnerable, &self.couple.patched]
    }

    /// The pair, if the trigger that came with it or one that is found confirms it.
    pub(crate) fn confirmed(&self) -> Result<Result<Confirmed<'w>, Lost>, BuildError> {
        if self.couple.candidate.written.is_none() {
            let is_unlinked = |function: &&Function| function.linked_unit.is_none();
            if let Some(function) = self.functions().into_iter().find(is_unlinked) {
                let reason = function.unlinkable_reason.unwrap_or(Reason::Unlinked);
                let missing = function.evidence.0.missing.as_ref().map(|names| format!(": {}", names.join(", ")));
                let detail = format!("it cannot be run: {}{}", reason.phrase(), missing.unwrap_or_default());
                return Ok(Err((reason, detail)));
            }
        }
        let of = |number: usize| {
            let (side, function) = (&self.sides[number], self.functions()[number]);
            ready(self.work.oracle, side, &function.name, function.language, &function.flags)
        };
        let ready = match (of(0)?, of(1)?) {
            (Ok(vulnerable), Ok(patched)) => [vulnerable, patched],
            (Err(lost), _) | (_, Err(lost)) => return Ok(Err(lost)),
        };
        let given = self.couple.candidate.written.as_ref().and_then(|written| written.trigger.as_deref());
        let (triggers, mut why) = match given {
            Some(text) => match Input::read(text) {
                Ok(input) => (vec![input], None),
                Err(error) => return Ok(Err((Reason::TriggerDoesNotFit, format!("the trigger: {error}")))),
            },
            None => match self.work.seeker {
                Some(oracle) => match self.sought(oracle)? {
                    Ok(found) => (found, None),
                    Err(lost) => return Ok(Err(lost)),
                },
                None => (Vec::new(), None),
            },
        };
        let mut found = None;
        if !triggers.is_empty() {
            let (vulnerable, patched) = match (ready[0].build(None)?, ready[1].build(None)?) {
                (Ok(vulnerable), Ok(patched)) => (vulnerable, patched),
                (Err(lost), _) | (_, Err(lost)) => return Ok(Err(lost)),
            };
            for trigger in triggers {
                match self.fault_on([&vulnerable, &patched], &trigger, &self.sides[0].unit)? {
                    Ok((fault, ends)) => {
                        let simplest = match given {
                            Some(_) => None,
                            None => self.simplest([&vulnerable, &patched], &trigger, &fault)?,
                        };
                        found = Some(simplest.unwrap_or((fault, ends, trigger)));
                        break;
                    }
                    Err(lost) => why = why.or(Some(lost)),
                }
            }
        }
        let none = || (Reason::NoTrigger, "no input is known on which only the vulnerable side faults".to_owned());
        Ok(match found {
            Some((fault, ends, trigger)) => Ok(Confirmed { fault, trigger, ready, ends }),
            None => Err(why.unwrap_or_else(none)),
        })
    }

    /// Inputs on which only the vulnerable side faults, as far as one compiler tells.
    fn sought(&self, oracle: &Oracle) -> Result<Result<Vec<Input>, Lost>, BuildError> {
        let [vulnerable, patched] = &self.sides;
        match Sought::of(oracle, vulnerable, &self.couple.vulnerable, self.work.seed)? {
            Ok(sought) => sought.faults_unlike(Rewritten { unit: &patched.unit, names: &BTreeMap::new() }),
            Err(lost) => Ok(Err(lost)),
        }
    }

    /// A trigger made simpler, step by step, as long as the same happens at the same place; nothing if it is as simple as
    /// can be.
    fn simplest(
        &self,
        built: [&Built<'_>; 2],
        trigger: &Input,
        fault: &Fault,
    ) -> Result<Option<(Fault, [Ends; 2], Input)>, BuildError> {
        let mut simplest = trigger.clone();
        let mut tries = 0;
        let mut candidates = simplest.simpler().into_iter();
        while let Some(candidate) = candidates.next().filter(|_| tries < STEPS) {
            tries += 1;
            let is_same = |ended: EndedBy| ended.end == fault.class && ended.place == fault.place;
            let faults = built[0].once(&candidate)?.is_some_and(is_same);
            if faults && built[1].once(&candidate)?.is_some_and(|ended| ended.end.is_clean()) {
                candidates = candidate.simpler().into_iter();
                simplest = candidate;
            }
        }
        if simplest == *trigger {
            return Ok(None);
        }
        let fault = self.fault_on(built, &simplest, &self.sides[0].unit)?;
        Ok(fault.ok().map(|(fault, ends)| (fault, ends, simplest)))
    }

    /// What happens on a trigger, if only the vulnerable side, whose text this is, faults.
    pub(crate) fn fault_on(
        &self,
        [vulnerable, patched]: [&Built<'_>; 2],
        trigger: &Input,
        unit: &str,
    ) -> Result<Result<(Fault, [Ends; 2]), Lost>, BuildError> {
        let mut ends = match (vulnerable.run(trigger)?, patched.run(trigger)?) {
            (Ok(vulnerable), Ok(patched)) => [vulnerable, patched],
            (Err(lost), _) | (_, Err(lost)) => return Ok(Err(lost)),
        };
        // What no sanitizer of both compilers sees may be the use of what was never written.
        if ends.iter().all(Ends::are_clean) {
            for (built, ends) in [vulnerable, patched].into_iter().zip(&mut ends) {
                match built.watched(trigger)? {
                    Ok(ended) => ends.0.push(ended),
                    Err((_, why)) => return Ok(Err((Reason::FaultGone, format!("{}; {why}", ends.told())))),
                }
            }
        }
        let fault = Fault::confirmed(&ends[0], &ends[1], unit, self.read);
        Ok(fault.map(|fault| (fault, ends)))
    }

    pub(crate) fn record(&self, confirmed: Result<&Confirmed<'_>, &Lost>, trigger: Option<String>) -> BugPair {
        let Couple { name, candidate, changed, vulnerable, patched } = self.couple;
        let fault = confirmed.ok().map(|confirmed| &confirmed.fault);
        let place = fault.and_then(|fault| fault.place.as_ref());
        let line = place.map(|place| place.line);
        let text = line.and_then(|line| self.sides[0].unit.lines().nth((line as usize).checked_sub(1)?));
        let known = fault.and_then(|fault| fault.class.weaknesses().first()).map(|number| u32::from(*number));
        BugPair {
            name: name.clone(),
            lineage: vulnerable.lineage.clone(),
            vulnerable_id: vulnerable.id.clone(),
            patched_id: patched.id.clone(),
            fix: candidate.fix.clone(),
            changed_functions: *changed,
            patch: candidate.patch.clone(),
            description: candidate.description.clone(),
            cves: candidate.cves.clone(),
            cwe: candidate.cwe.or(known),
            label: if fault.is_some() { Label::CrashConfirmed } else { Label::Reasoned },
            reason: confirmed.err().map(|(reason, _)| *reason),
            detail: confirmed.err().map(|(_, detail)| detail.clone()),
            trigger,
            class: fault.map(|fault| fault.class),
            fault_function: place.map(|place| place.function.clone()),
            fault_line: line,
            fault_text: text.map(|text| text.trim().to_owned()),
        }
    }

    /// Both sides as they were written.
    pub(crate) fn as_written(&self, confirmed: Option<&Confirmed<'_>>) -> Rung {
        let [vulnerable, patched] = &self.sides;
        let at = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        Rung {
            pair: self.couple.name.clone(),
            setting: WRITTEN.to_owned(),
            seed: 0,
            vulnerable_unit: vulnerable.unit.clone(),
            vulnerable_start: at(vulnerable.function.start),
            vulnerable_end: at(vulnerable.function.end),
            fault_line: confirmed.and_then(|confirmed| Some(confirmed.fault.place.as_ref()?.line)),
            patched_unit: patched.unit.clone(),
            patched_start: at(patched.function.start),
            patched_end: at(patched.function.end),
            surface_distance: 0.0,
            expansion: 1.0,
            evidence: confirmed.map_or_else(Json::default, |confirmed| {
                Json(evidence(&confirmed.ends[0], &confirmed.ends[1], &confirmed.fault))
            }),
        }
    }

    /// Every rung that leaves the bug where it was, and those that do not.
    pub(crate) fn climb(
        &self,
        confirmed: &Confirmed<'_>,
        rungs: &mut Vec<Rung>,
        broken: &mut Vec<Unpaired>,
    ) -> Result<(), BuildError> {
        let mut rewritten = Vec::new();
        for (side, function) in self.sides.iter().zip(self.functions()) {
            // The same id for both sides: the same names are drawn.
            let id = &self.couple.vulnerable.lineage;
            let (language, flags) = (function.language, function.flags.as_slice());
            let text = Text { id, unit: &side.unit, function: &side.function, language, flags };
            rewritten.push(self.work.workbench.rewrite(text, self.work.rungs)?);
        }
        let patched = rewritten.pop().unwrap_or_default();
        let vulnerable = rewritten.pop().unwrap_or_default();
        for (((setting, seed), vulnerable), patched) in self.work.rungs.iter().zip(vulnerable).zip(patched) {
            let name = setting.to_string();
            let missing: Vec<(&str, u32)> =
                broken.iter().filter_map(|lost| Some((lost.setting.as_deref()?, lost.seed?))).collect();
            let lost = match lowest_missing((&name, *seed), &missing) {
                Some(lower) => {
                    Err((None, Stage::Rewrite, (Reason::LowerLevelMissing, format!("there is no {lower} of it"))))
                }
                None => self.rung(confirmed, (setting, *seed), vulnerable, patched)?,
            };
            match lost {
                Ok(rung) => rungs.push(*rung),
                Err((side, stage, (reason, detail))) => broken.push(Unpaired {
                    fix: self.couple.candidate.fix.clone(),
                    pair: Some(self.couple.name.clone()),
                    setting: Some(name),
                    seed: Some(*seed),
                    side,
                    stage,
                    reason,
                    detail,
                }),
            }
        }
        Ok(())
    }

    fn rung(
        &self,
        confirmed: &Confirmed<'_>,
        (setting, seed): (&Setting, u32),
        vulnerable: Result<RewrittenText, Lost>,
        patched: Result<RewrittenText, Lost>,
    ) -> Result<Result<Box<Rung>, Broken>, BuildError> {
        let not_made = |side: Which| move |lost: Lost| (Some(side), Stage::Rewrite, lost);
        let both = vulnerable
            .map_err(not_made(Which::Vulnerable))
            .and_then(|vulnerable| Ok((vulnerable, patched.map_err(not_made(Which::Patched))?)));
        let (vulnerable, patched) = match both {
            Ok(both) => both,
            Err(broken) => return Ok(Err(broken)),
        };
        let mut ends = Vec::new();
        for ((ready, text), side) in
            confirmed.ready.iter().zip([&vulnerable, &patched]).zip([Which::Vulnerable, Which::Patched])
        {
            let rewritten = Rewritten { unit: &text.unit, names: &text.names };
            let ran = match ready.build(Some(rewritten))? {
                Ok(built) => built.run_for(confirmed.fault.class, &confirmed.trigger)?,
                Err(lost) => Err(lost),
            };
            match ran {
                Ok(ended) => ends.push(ended),
                Err(lost) => return Ok(Err((Some(side), Stage::Evidence, lost))),
            }
        }
        let (Some(patched_ends), Some(vulnerable_ends)) = (ends.pop(), ends.pop()) else {
            return Err(BuildError::NoAnswer("a side"));
        };
        let fault = match Fault::confirmed(&vulnerable_ends, &patched_ends, &vulnerable.unit, self.read) {
            Ok(fault) => fault,
            Err(lost) => {
                let side = if lost.0 == Reason::PatchedFaults { Which::Patched } else { Which::Vulnerable };
                return Ok(Err((Some(side), Stage::Evidence, lost)));
            }
        };
        if let Err(lost) = confirmed.fault.is_still(&fault, &vulnerable.names, moves(setting)) {
            return Ok(Err((Some(Which::Vulnerable), Stage::Evidence, lost)));
        }
        let at = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let old = &self.couple.vulnerable.text;
        let new = vulnerable.unit.get(vulnerable.function.clone()).unwrap_or_default();
        Ok(Ok(Box::new(Rung {
            pair: self.couple.name.clone(),
            setting: setting.to_string(),
            seed,
            surface_distance: surface_distance(old, new),
            expansion: expansion(old, new),
            fault_line: fault.place.as_ref().map(|place| place.line),
            evidence: Json(evidence(&vulnerable_ends, &patched_ends, &fault)),
            vulnerable_start: at(vulnerable.function.start),
            vulnerable_end: at(vulnerable.function.end),
            vulnerable_unit: vulnerable.unit,
            patched_start: at(patched.function.start),
            patched_end: at(patched.function.end),
            patched_unit: patched.unit,
        })))
    }
}

/// Why a rung is not there: about which side, where on the way, and why.
type Broken = (Option<Which>, Stage, Lost);

/// Whether a setting moves code from one function to another.
fn moves(setting: &Setting) -> bool {
    let moving = |rewrite: &Rewrite| {
        matches!(
            rewrite,
            Rewrite::Structure
                | Rewrite::Restructure
                | Rewrite::External
                | Rewrite::Shape(Reshape::Inline | Reshape::Outline)
        )
    };
    setting.recipe().rewrites().iter().any(moving)
}

fn evidence(vulnerable: &Ends, patched: &Ends, fault: &Fault) -> RungEvidence {
    let patched: BTreeMap<&str, Ended> = patched.recorded().collect();
    let by = vulnerable.recorded().filter_map(|(compiler, vulnerable)| {
        let patched = patched.get(compiler)?.clone();
        Some(RungEnds { compiler: compiler.to_owned(), vulnerable, patched })
    });
    RungEvidence { by: by.collect(), times: Some(TIMES), operation: fault.operation.as_ref().map(ToString::to_string) }
}
