//! What running shows of the rewrites of a function.

use std::collections::BTreeMap;
use std::ops::Range;

use estrange_bench::evidence::{self, Ran, Share, Survivor};
use estrange_oracle::{
    self as oracle, Checked, Oracle, Reached, Record, Subject, Untestable, Variant, Verdict, renamed_function,
};
use estrange_words::Tier;

use crate::error::BuildError;
use crate::record::word;

/// What running shows of a rewrite, and what that is worth.
#[derive(Debug, Clone)]
pub struct Behaviour {
    /// Whether it did the same.
    pub verdict: Verdict,
    /// What the function's inputs reach and would have seen, where it can be run.
    pub record: Option<Record>,
    /// What they reach of the rewrite, where it did the same.
    pub reached: Option<Reached>,
}

/// A rewrite of a function: a text that defines all that it needs, and the names that are new in it; where several kinds
/// of things have a name, all but one with their kind before it.
pub(crate) struct Rewrite<'a> {
    pub(crate) text: &'a str,
    pub(crate) names: BTreeMap<String, String>,
    /// Where conditions and statements stand that decide always alike, as whoever made it knows.
    pub(crate) known: &'a [Range<usize>],
}

impl Behaviour {
    /// Of what cannot be run.
    pub(crate) fn untestable(reason: Untestable) -> Self {
        Self { verdict: Verdict::Untestable { reason }, record: None, reached: None }
    }

    /// Whether it did the same on all inputs.
    pub fn agrees(&self) -> bool {
        matches!(self.verdict, Verdict::Exhaustive | Verdict::Agrees | Verdict::AgreesWeakly)
    }

    /// Whether it did something else.
    pub fn differs(&self) -> bool {
        matches!(self.verdict, Verdict::Differs(_))
    }

    /// The verdict in one word.
    pub fn name(&self) -> &'static str {
        match self.verdict {
            Verdict::Exhaustive => "exhaustive",
            Verdict::Agrees => "agrees",
            Verdict::AgreesWeakly => "agrees-weakly",
            Verdict::Differs(_) => "differs",
            Verdict::Untestable { .. } => "untestable",
        }
    }

    /// The tier that it gives a variant; none, if it does something else.
    pub(crate) fn tier(&self) -> Option<Tier> {
        match self.verdict {
            Verdict::Exhaustive => Some(Tier::Exhaustive),
            Verdict::Agrees => Some(Tier::Agrees),
            Verdict::AgreesWeakly => Some(Tier::AgreesWeakly),
            Verdict::Differs(_) => None,
            Verdict::Untestable { .. } => Some(Tier::Untestable),
        }
    }

    /// What is told of it in a bench; nothing where the two behave differently: that is not published.
    pub(crate) fn evidence(&self) -> Option<evidence::Behaviour> {
        let verdict = self.tier()?;
        Some(match &self.verdict {
            Verdict::Untestable { reason } => {
                let (reason, detail) = (reason.reason(), reason.to_string());
                evidence::Behaviour::Untestable(evidence::Untestable { detail, reason, verdict })
            }
            _ => evidence::Behaviour::Ran(Box::new(ran(self.record.as_ref()?, self.reached.as_ref(), verdict))),
        })
    }
}

fn ran(record: &Record, reached: Option<&oracle::Reached>, verdict: Tier) -> Ran {
    let share = |share: oracle::Share| Share { all: share.all, of: share.of };
    let survivor = |survivor: &oracle::Survivor| Survivor {
        becomes: survivor.becomes.clone(),
        cause: word(&survivor.cause),
        line: survivor.line,
        operator: survivor.operator.clone(),
        was: survivor.was.clone(),
    };
    Ran {
        branches: share(record.branches),
        clean: record.clean,
        compiler: record.compiler.clone(),
        ends: record.ends.iter().map(|(end, count)| (word(end), *count)).collect(),
        equivalent: record.equivalent,
        held_out: share(record.held_out),
        kept: record.kept,
        lines: share(record.lines),
        mutants: share(record.mutants),
        not_repeatable: record.not_repeatable,
        reached: reached.map(|reached| evidence::Reached {
            all: reached.all,
            branches: share(reached.branches),
            found: reached.found,
            lines: share(reached.lines),
            open: reached.open,
            tried: reached.tried,
            watched: reached.is_known,
        }),
        sanitizers: record.sanitizers.clone(),
        seed: record.seed,
        survivors: record.survivors.iter().map(survivor).collect(),
        tried: record.tried,
        verdict,
    }
}

/// Runs a function and its rewrites on the same inputs.
pub(crate) fn behaviours(
    oracle: &Oracle,
    function: &Subject<'_>,
    rewrites: &[Rewrite<'_>],
) -> Result<Vec<Behaviour>, BuildError> {
    if rewrites.is_empty() {
        return Ok(Vec::new());
    }
    let prepared = match oracle.original(function)? {
        Ok(prepared) => prepared,
        Err(reason) => return Ok(rewrites.iter().map(|_| Behaviour::untestable(reason.clone())).collect()),
    };
    let variants: Vec<Variant<'_>> = rewrites
        .iter()
        .map(|Rewrite { text, names, known }| {
            let function = renamed_function(function.function, names);
            Variant { text, function, names, known }
        })
        .collect();
    let checked = prepared.check(&variants)?;
    let record = prepared.record();
    let shown = |Checked { verdict, reached }| Behaviour { verdict, record: Some(record.clone()), reached };
    Ok(checked.into_iter().map(shown).collect())
}
