//! Functions with few possible inputs, which see nothing else: those are run on all of them.

use std::path::Path;

use estrange_words::End;
use tempfile::TempDir;

use crate::execution::State;
use crate::oracle::{Aim, Compared, Exhausted, FILLS, FUEL, OracleError, Prepared};
use crate::plan::{BOOLEAN, ENUMERATION, FLOATING, INTEGER, Job, Plan, RECORD, What};

/// The most inputs that are all tried, as a power of two; and the most bits of one of their numbers.
const MOST_BITS: u32 = 20;
const WIDEST: u64 = 16;

/// Whether a function has so few inputs that all of them can be tried: numbers of few bits, and structs of such.
pub(crate) fn has_few_inputs(plan: &Plan) -> bool {
    let sees_nothing = plan.globals.is_empty() && plan.functions.is_empty() && plan.makers.is_empty();
    let bits: Option<u32> = plan.parameters.iter().map(|number| bits_of(plan, *number)).sum();
    let result = plan.types.get(plan.result as usize);
    let returns_value = result.is_some_and(|result| matches!(result.kind, BOOLEAN | INTEGER | ENUMERATION | FLOATING));
    sees_nothing && !plan.ends_object && returns_value && bits.is_some_and(|bits| bits <= MOST_BITS)
}

/// How many bits the values of a type take; none, if they are too many, or more than numbers.
fn bits_of(plan: &Plan, number: u64) -> Option<u32> {
    let described = plan.types.get(number as usize)?;
    let [first, count, is_other] = described.more;
    match described.kind {
        BOOLEAN => Some(1),
        INTEGER if first <= WIDEST => Some(first as u32),
        ENUMERATION => {
            let values = plan.values.get(first as usize..(first + count) as usize)?;
            let own = |value: &u64| if (*value as i64) < 0 { !*value } else { *value };
            let bits = values.iter().map(|value| (64 - own(value).leading_zeros()).max(1)).max().unwrap_or(1);
            let is_signed = values.iter().any(|value| (*value as i64) < 0);
            Some(bits + u32::from(is_signed)).filter(|bits| u64::from(*bits) <= WIDEST)
        }
        RECORD if is_other == 0 && described.made == 0 => {
            let fields = plan.fields.get(first as usize..(first + count) as usize)?;
            let of = fields.iter().map(|[_, type_, bits, is_used]| match (is_used, bits) {
                (0, _) => None,
                (_, 0) => bits_of(plan, *type_),
                (_, bits) => u32::try_from(*bits).ok().filter(|_| *bits <= WIDEST),
            });
            of.sum()
        }
        _ => None,
    }
}

impl Prepared<'_> {
    /// Runs a rewrite and the original, which stand at these places of one program, on all inputs.
    pub(crate) fn exhausted(
        &self,
        program: &Path,
        (place, original): (u64, u64),
        moved: &mut Option<TempDir>,
    ) -> Result<Exhausted, OracleError> {
        let job = Job { function: place, fill: FILLS[0], what: What::Exhaust, fuel: FUEL, input: original };
        let aim = Aim { seed: self.seed, ..Aim::default() };
        let finished = self.oracle.execute(program, &self.plan, &[job], aim, Some(self.state.at_job(0, 0, 0)))?;
        let Ok(state) = finished.map(|finished| finished.state) else { return Ok(Exhausted::Unknown) };
        if let Some(all) = state.exhausted() {
            return Ok(Exhausted::Same(all));
        }
        let Some(found) = self.with_originals(&state)? else { return Ok(Exhausted::Unknown) };
        Ok(match self.compared_more(program, &found, place, moved)? {
            Compared::Same { .. } => Exhausted::Unknown,
            other => Exhausted::Other(other),
        })
    }
}

impl State {
    /// How many inputs there are, if the first job found both to be the same on all.
    fn exhausted(&self) -> Option<u32> {
        let all = self.seen(0, 0);
        (all.end == End::Returned).then(|| u32::try_from(all.hash).ok()).flatten()
    }
}
