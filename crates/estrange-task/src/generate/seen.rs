//! What a model may have seen beside what it cannot have seen: functions by whether they changed after its training ended.

use estrange_report::generate::{GapSheet, SeenSheet, SideSheet};
use estrange_stats::StatisticsError;
use estrange_stats::bootstrap::Bootstrap;
use estrange_stats::paired::Alternative;
use estrange_stats::unpaired::{difference, permutation_test};

use super::judged::Judged;
use super::sums::{Drawn, by_function, level};
use super::tally::Tally;
use crate::sheets::shown;

/// Both sides of a day, of the items of one setting. None where of no item it is known when its function changed.
pub(super) fn seen(
    items: &[&Judged],
    until: &str,
    drawn: Drawn,
    (bootstrap, rounds): (Bootstrap, usize),
) -> Result<Option<SeenSheet>, StatisticsError> {
    let is_after = |item: &Judged| item.assignment.date.as_deref().map(|date| date > until);
    let those = |wanted: Option<bool>| -> Vec<&Judged> {
        items.iter().copied().filter(|item| is_after(item) == wanted).collect()
    };
    let (before, after, undated) = (those(Some(false)), those(Some(true)), those(None));
    if before.is_empty() && after.is_empty() {
        return Ok(None);
    }
    let side = |items: &[&Judged]| -> Result<Option<SideSheet>, StatisticsError> {
        if items.is_empty() {
            return Ok(None);
        }
        let (all, cpr, tpr) = level(items, drawn, &bootstrap)?;
        let functions = by_function(items.iter().copied()).len();
        Ok(Some(SideSheet { functions, answers: all.answers, cpr: shown(cpr), tpr: shown(tpr) }))
    };
    let gap = |rate: fn(&Tally) -> f64| -> Result<Option<GapSheet>, StatisticsError> {
        // What could not be graded has no rate.
        let rates = |items: &[&Judged]| -> Vec<f64> {
            by_function(items.iter().copied()).values().filter(|tally| tally.answers > 0).map(rate).collect()
        };
        let (before, after) = (rates(&before), rates(&after));
        if before.is_empty() || after.is_empty() {
            return Ok(None);
        }
        let test = permutation_test(&before, &after, Alternative::TwoSided, rounds, bootstrap.seed)?;
        Ok(Some(GapSheet { lost: shown(difference(&before, &after, &bootstrap)?), p_value: test.p_value }))
    };
    Ok(Some(SeenSheet {
        before: side(&before)?,
        after: side(&after)?,
        undated: by_function(undated.iter().copied()).len(),
        cpr: gap(Tally::cpr)?,
        tpr: gap(Tally::tpr)?,
    }))
}

#[cfg(test)]
mod tests {
    use estrange_bench::{Group, Language, Outcome, Split, Writing};

    use super::super::records::{Assignment, Mark};
    use super::*;

    fn judged(item: &str, date: Option<&str>, outcomes: &[Outcome]) -> Judged {
        let assignment = Assignment {
            item: item.to_owned(),
            setting: "standard".to_owned(),
            seed: 0,
            asks: Writing::Generation,
            name: item.to_owned(),
            source: "x".to_owned(),
            path: "x.c".to_owned(),
            language: Language::C,
            group: Group::ALL[0],
            split: Split::ALL[0],
            licence_class: "permissive".to_owned(),
            loc: 1,
            surface_distance: 0.0,
            inputs: 1,
            kill_rate: Some(1.0),
            date: date.map(str::to_owned),
            text: String::new(),
        };
        let mark = |outcome: &Outcome| Mark {
            item: item.to_owned(),
            setting: "standard".to_owned(),
            seed: 0,
            sample: 0,
            outcome: *outcome,
            problem: None,
            end: None,
            gcc_mistake: None,
            clang_mistake: None,
            code: None,
            detail: None,
            steps: None,
            left: None,
            short_of_memory: None,
        };
        Judged { assignment, marks: outcomes.iter().map(mark).collect() }
    }

    fn of(items: &[Judged], until: &str) -> Option<SeenSheet> {
        let items: Vec<&Judged> = items.iter().collect();
        seen(&items, until, Drawn::Functions, (Bootstrap { resamples: 200, ..Bootstrap::seeded(1) }, 1_000)).unwrap()
    }

    #[test]
    fn functions_stand_on_the_side_of_their_day_and_those_without_one_on_neither() {
        use Outcome::{DoesNotCompile, NotRun, Passed, WrongResult};
        let items = [
            judged("a", Some("2023-12-31"), &[Passed, Passed]),
            judged("b", Some("2020-01-01"), &[Passed, WrongResult]),
            judged("c", Some("2019-01-01"), &[Passed]),
            judged("d", Some("2024-01-01"), &[DoesNotCompile]),
            judged("e", Some("2024-02-01"), &[WrongResult]),
            judged("f", Some("2025-01-01"), &[NotRun]),
            judged("g", None, &[Passed]),
            judged("h", None, &[Passed]),
        ];
        let found = of(&items, "2023-12-31").unwrap();
        let (before, after) = (found.before.unwrap(), found.after.unwrap());
        assert_eq!((before.functions, before.answers, after.functions, after.answers, found.undated), (3, 5, 3, 2, 2));
        assert_eq!((before.tpr.value, before.cpr.value, after.tpr.value, after.cpr.value), (0.8, 1.0, 0.0, 0.5));
        let tpr = found.tpr.unwrap();
        // Of each function the share that passes: 1, ½ and 1 before, 0 and 0 after; what could not be graded is not there.
        assert!((tpr.lost.value - 2.5 / 3.0).abs() < 1e-12, "{tpr:?}");
        assert!((tpr.p_value - 0.2).abs() < 1e-12, "these hands, or both ones in the smaller: {tpr:?}");
        assert!((found.cpr.unwrap().lost.value - 0.5).abs() < 1e-12);
    }

    #[test]
    fn without_two_sides_nothing_is_compared() {
        let items = [judged("a", Some("2020-01-01"), &[Outcome::Passed]), judged("b", None, &[Outcome::Passed])];
        let found = of(&items, "2023-12-31").unwrap();
        assert_eq!((found.after, found.tpr, found.cpr, found.undated), (None, None, None, 1));
        assert_eq!(of(&items[1..], "2023-12-31"), None);
    }
}
