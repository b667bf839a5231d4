//! What a detector's answers to an item come to: one verdict, or none.

use std::collections::HashMap;
use std::hash::Hash;

use estrange_bench::{BenchError, Problem, RunTables, Side, Verdict};

use super::records::{Case, Opinion};

/// How far a line that is named may be from the one on which the fault is, to be right. A statement may take two lines, and
/// whoever counts may begin with the next one.
pub const NEAR: u32 = 1;

/// An item, and what all answers to it come to.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The item.
    pub case: Case,
    /// What most of the answers say that have a verdict; none where as many say one as the other, or none has one.
    pub verdict: Option<Verdict>,
    /// The weakness that most of those answers name that give this verdict; of several, the first one's.
    pub cwe: Option<u32>,
    /// The line, in the same way.
    pub line: Option<u32>,
    /// What the first of them says.
    pub reason: Option<String>,
    /// The share of all answers that give this verdict; none where there was one answer.
    pub agreement: Option<f64>,
    /// Why answers have no verdict.
    pub problems: Vec<Problem>,
}

impl Judged {
    /// What all answers to an item come to.
    pub fn of(case: Case, opinions: &[Opinion]) -> Self {
        let say = |word: Verdict| opinions.iter().filter(|opinion| opinion.verdict == Some(word)).count();
        let verdict = match say(Verdict::Vulnerable).cmp(&say(Verdict::Safe)) {
            std::cmp::Ordering::Greater => Some(Verdict::Vulnerable),
            std::cmp::Ordering::Less => Some(Verdict::Safe),
            std::cmp::Ordering::Equal => None,
        };
        let with: Vec<&Opinion> = opinions.iter().filter(|each| verdict.is_some() && each.verdict == verdict).collect();
        let share = with.len() as f64 / opinions.len().max(1) as f64;
        Self {
            case,
            verdict,
            cwe: most(with.iter().filter_map(|opinion| opinion.cwe)),
            line: most(with.iter().filter_map(|opinion| opinion.line)),
            reason: with.first().and_then(|opinion| opinion.reason.clone()),
            agreement: (opinions.len() > 1).then_some(share),
            problems: opinions.iter().filter_map(|opinion| opinion.problem).collect(),
        }
    }

    /// Whether it is the side with the bug.
    pub fn is_vulnerable(&self) -> bool {
        self.case.side == Side::Vulnerable
    }

    /// Whether it was said to have a bug.
    pub fn is_flagged(&self) -> bool {
        self.verdict == Some(Verdict::Vulnerable)
    }

    /// Whether the verdict is right. Where there is none, it is not.
    pub fn is_correct(&self) -> bool {
        self.verdict.is_some() && self.is_flagged() == self.is_vulnerable()
    }

    /// Whether the line that was named is the one of the fault, give or take [`NEAR`]: of vulnerable sides that were
    /// flagged, whose fault is in what was shown, and of which a line was named.
    pub fn is_located(&self) -> Option<bool> {
        let (line, fault) = (self.line.filter(|_| self.is_vulnerable() && self.is_flagged())?, self.case.fault_line?);
        Some(line.abs_diff(fault) <= NEAR)
    }
}

/// What comes most often; of several, what comes first.
fn most<T: Copy + Eq + Hash>(values: impl Iterator<Item = T>) -> Option<T> {
    let values: Vec<T> = values.collect();
    let count = |value: &T| values.iter().filter(|other| *other == value).count();
    let highest = values.iter().map(count).max()?;
    values.iter().copied().find(|value| count(value) == highest)
}

/// What a run's tables say of each of its items, in their order. What has no opinion at all has no verdict.
pub fn judged(tables: &RunTables) -> Result<Vec<Judged>, BenchError> {
    let mut opinions: HashMap<(String, String, u32), Vec<Opinion>> = HashMap::new();
    for opinion in tables.rows::<Opinion>()? {
        let opinion = opinion?;
        let key = (opinion.item.clone(), opinion.setting.clone(), opinion.seed);
        opinions.entry(key).or_default().push(opinion);
    }
    let judge = |case: Result<Case, BenchError>| {
        let case = case?;
        let own = opinions.get(&(case.item.clone(), case.setting.clone(), case.seed));
        Ok(Judged::of(case, own.map_or(&[][..], Vec::as_slice)))
    };
    tables.rows::<Case>()?.map(judge).collect()
}
