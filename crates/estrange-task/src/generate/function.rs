//! Function mode: what is written is run beside the function, on inputs that were found before.

use estrange_bench::{Function, Outcome};
use estrange_grade::answer::{self, Answer, Given};
use estrange_grade::{Functions, Gates, Graded, Submission};
use estrange_words::NotAsked;

use super::entry::Entry;
use super::error::GenerateError;
use super::judge::{Fit, Ground, Judge, Unfit, Verdict};
use super::world::{Original, World};

impl Judge<World> for Functions {
    fn word(&self) -> &'static str {
        "function"
    }

    fn graded(&self, entry: &Entry<World>, replies: &[&str]) -> Result<Vec<Verdict>, GenerateError> {
        let target = entry.subject.original.target();
        let read: Vec<Result<Answer, Outcome>> = replies.iter().map(|reply| answer_in(entry, reply)).collect();
        let submissions: Vec<Submission<'_>> =
            read.iter().filter_map(|read| read.as_ref().ok()).map(|answer| entry.subject.submission(answer)).collect();
        let graded = match self.prepared(target)? {
            Ok(kept) => Functions::graded(self, target, &kept, &submissions)?,
            Err(reason) => vec![Graded::plain(Outcome::NotRun, Some(reason.to_string())); submissions.len()],
        };
        Ok(verdicts(read, graded))
    }
}

impl Ground for Functions {
    fn runs_units(&self) -> bool {
        true
    }

    fn fits(&self, _: &Function, original: &Original) -> Result<Result<Fit, Unfit>, GenerateError> {
        Ok(match self.prepared(original.target())? {
            Ok(kept) if Gates::default().pass(&kept.record) && kept.inputs() > 0 => {
                Ok(Fit { inputs: kept.inputs(), kill_rate: Some(kept.record.held_out.value()), wrong: kept.wrong })
            }
            Ok(_) => Err(NotAsked::WeakInputs.as_str()),
            Err(_) => Err(NotAsked::CannotBeRun.as_str()),
        })
    }
}

/// The answer in a reply.
pub(super) fn answer_in(entry: &Entry<World>, reply: &str) -> Result<Answer, Outcome> {
    let world = &entry.subject;
    let given = entry.cut.as_ref().map(|cut| Given { before: &cut.before, after: &cut.after });
    // What stands in the function's own place goes with it.
    let rest = [&world.unit[..world.place.start], &world.unit[world.place.end..]].concat();
    let wanted = answer::Wanted { name: plain(world.name()), unit: &rest, given };
    answer::read(reply, wanted).map_err(|none| none.outcome())
}

/// What becomes of replies, of which those with code were graded, in their order.
pub(super) fn verdicts(read: Vec<Result<Answer, Outcome>>, graded: Vec<Graded>) -> Vec<Verdict> {
    let mut graded = graded.into_iter();
    let verdict = |read| match read {
        Ok(answer) => {
            let graded = graded.next().unwrap_or_else(|| Graded::plain(Outcome::NotRun, None));
            Verdict { code: Some(code(&answer)), graded }
        }
        Err(outcome) => Verdict { code: None, graded: Graded::plain(outcome, None) },
    };
    read.into_iter().map(verdict).collect()
}

/// The code of an answer, as people read it.
pub(super) fn code(answer: &Answer) -> String {
    [&answer.includes[..], &answer.helpers, std::slice::from_ref(&answer.function)].concat().join("\n")
}

/// A name without what qualifies it.
fn plain(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}
