//! What answers come to, over samples, questions, pairs and settings.

use estrange_bench::{Asks, Language, Problem, Question};
use estrange_stats::bootstrap::Bootstrap;

use super::sums::{Tally, by_pair, fall, level};
use super::{Judged, Response};

fn question(item: &str, setting: &str, answer: &str) -> Question {
    Question {
        item: item.to_owned(),
        setting: setting.to_owned(),
        seed: 0,
        pair: item.split('/').next().unwrap().to_owned(),
        function_id: "f".to_owned(),
        language: Language::C,
        asks: Asks::Call,
        call: "f(3);".to_owned(),
        asked: "What does this call return?".to_owned(),
        answer: answer.to_owned(),
        bits: Some(32),
    }
}

fn response(sample: u32, value: Option<&str>) -> Response {
    Response {
        item: String::new(),
        setting: String::new(),
        seed: 0,
        sample,
        value: value.map(str::to_owned),
        problem: value.is_none().then_some(Problem::NoAnswerLine),
        detail: None,
        rank: None,
    }
}

fn judged(answer: &str, values: &[Option<&str>]) -> Judged {
    let responses: Vec<Response> = values.iter().zip(0..).map(|(value, sample)| response(sample, *value)).collect();
    Judged::of(question("p/1", "L0", answer), &responses)
}

#[test]
fn of_several_samples_most_decide_and_a_tie_is_none() {
    let most = judged("-1", &[Some("-1"), Some("0xffffffff"), Some("3"), None]);
    assert_eq!((most.value.as_deref(), most.is_right, most.agreement), (Some("-1"), true, Some(0.5)));
    assert_eq!(most.problems, [Problem::NoAnswerLine]);
    let tie = judged("3", &[Some("3"), Some("4")]);
    assert_eq!((tie.value, tie.is_right, tie.agreement), (None, false, Some(0.0)));
    let wrong = judged("3", &[Some("\"3\"")]);
    assert_eq!((wrong.value.as_deref(), wrong.is_right, wrong.agreement), (Some("\"3\""), false, None));
    let none = judged("3", &[]);
    assert_eq!((none.value, none.is_right, none.agreement), (None, false, None));
}

#[test]
fn an_answer_that_is_no_value_is_never_right() {
    assert!(!judged("what?", &[Some("3")]).is_right);
    assert!(!judged("3", &[Some("what?")]).is_right);
}

/// Items of so many pairs, two questions each, of which so many are right.
fn items(setting: &str, pairs: usize, right: impl Fn(usize) -> usize) -> Vec<Judged> {
    let of = |pair: usize| (0..2).map(move |number| (pair, number));
    let item = |(pair, number): (usize, usize)| {
        let value = if number < right(pair) { "1" } else { "2" };
        Judged::of(question(&format!("p{pair}/{number}"), setting, "1"), &[response(0, Some(value))])
    };
    (0..pairs).flat_map(of).map(item).collect()
}

#[test]
fn pairs_are_drawn_and_the_fall_is_on_those_that_both_have() {
    let bootstrap = Bootstrap { resamples: 500, ..Bootstrap::seeded(1) };
    let (before, after) = (items("L0", 8, |_| 2), items("L4", 6, |pair| usize::from(pair < 3)));
    let (before, after) = (by_pair(&before), by_pair(&after));
    let (all, accuracy) = level(&after, &bootstrap).unwrap();
    assert_eq!((all, accuracy.value), (Tally { asked: 12, answered: 12, right: 3 }, 0.25));
    assert!(accuracy.interval.low >= 0.0 && accuracy.interval.high <= 0.5, "{accuracy:?}");
    let fall = fall(&before, &after, &bootstrap, 10_000).unwrap().unwrap();
    assert_eq!((fall.pairs, fall.before, fall.after, fall.lost.value), (6, 1.0, 0.25, 0.75));
    assert_eq!(fall.p_value, 2.0 / 64.0, "of 64 ways to swap six pairs two are as large");
    assert!(super::sums::fall(&by_pair(&items("L0", 0, |_| 0)), &after, &bootstrap, 100).unwrap().is_none());
}
