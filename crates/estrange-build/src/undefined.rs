//! Whether a rewrite was shown to be undefined in the same ways: by what clang would check, or else by running both.

use std::collections::BTreeMap;

use estrange_bench::evidence;
use estrange_evidence::undefined::{Checks, Lapse, Subject};
use estrange_oracle::End;
use estrange_words::Undefinedness;

use crate::run::Behaviour;

/// What was shown of where two texts are undefined.
#[derive(Debug, Clone)]
pub struct Undefined {
    /// What clang would check in both.
    pub checks: Checks,
    /// What that and running both show.
    pub shown: Undefinedness,
}

impl Undefined {
    /// By what clang would check, and by what running showed, where they were run.
    pub(crate) fn new(checks: Checks, behaviour: Option<&Behaviour>) -> Self {
        let shown = match &checks {
            Checks::Same => Undefinedness::SameChecks,
            Checks::Different(lapses) if behaviour.is_some_and(|behaviour| runs_show(behaviour, lapses)) => {
                Undefinedness::SameRuns
            }
            Checks::Different(_) | Checks::Refused(_) => Undefinedness::NotShown,
        };
        Self { checks, shown }
    }

    /// What of it stands in the bench.
    pub(crate) fn evidence(&self) -> evidence::Undefined {
        let (lapses, refused) = match &self.checks {
            Checks::Same => (&[][..], None),
            Checks::Different(lapses) => (&lapses[..], None),
            Checks::Refused(message) => (&[][..], Some(message.clone())),
        };
        let lapse = |lapse: &Lapse| evidence::Lapse {
            new: lapse.new.clone(),
            old: lapse.old.clone(),
            subject: lapse.subject.name().to_owned(),
        };
        evidence::Undefined { lapses: lapses.iter().map(lapse).collect(), refused, shown: self.shown }
    }
}

/// Whether both did the same where all of this failed.
fn runs_show(behaviour: &Behaviour, lapses: &[Lapse]) -> bool {
    let ends = behaviour.record.as_ref().map(|record| &record.ends);
    behaviour.agrees()
        && ends.is_some_and(|ends| lapses.iter().all(|lapse| !lapse.is_exchange && has_failed(lapse.subject, ends)))
}

/// Whether a call ended as it does when this fails. What no sanitizer looks at has never failed.
fn has_failed(subject: Subject, ends: &BTreeMap<End, u32>) -> bool {
    ends.iter().any(|(end, count)| {
        let fits = match subject {
            Subject::Overflow => {
                matches!(end, End::AddOverflow | End::SubtractOverflow | End::MultiplyOverflow | End::NegateOverflow)
            }
            Subject::Shift => matches!(end, End::ShiftExponent | End::ShiftBase),
            Subject::Division => matches!(end, End::DivisionByZero | End::DivisionOverflow),
            Subject::Bounds => matches!(end, End::Index),
            Subject::Pointer => matches!(end, End::NullPointer | End::Misaligned | End::ObjectSize),
            Subject::NonNull => matches!(end, End::NullArgument | End::NullReturn),
            Subject::Value => matches!(end, End::InvalidBool | End::InvalidEnum),
            Subject::Length => matches!(end, End::ArrayLength),
            Subject::Unreachable => matches!(end, End::Unreachable | End::MissingReturn),
            Subject::FloatCast
            | Subject::PointerArithmetic
            | Subject::Access
            | Subject::Promise
            | Subject::Uninitialised
            | Subject::Other => false,
        };
        fits && *count > 0
    })
}
