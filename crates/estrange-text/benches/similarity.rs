//! What the ratio of two texts costs here and in Python's difflib: CPU time, on the same texts, with the same values.
//!
//! `cargo bench -p estrange-text --bench similarity` makes functions that look like C, of 200 to 5,000 characters, each
//! with the same function under other names. `cargo bench -p estrange-text --bench similarity -- OLD NEW [OLD NEW]…` takes
//! the texts from files instead. Every value is compared bit for bit, and a difference ends the run.

#[path = "../tests/similarity/python.rs"]
mod python;
#[path = "../tests/similarity/texts.rs"]
mod texts;

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use estrange_text::similarity::{ratio, surface_distance};
use rustix::time::{ClockId, clock_gettime};
use texts::{NAMINGS, Random};

/// The texts are shown by how long the old one is: up to so many bytes, and more.
const LENGTHS: [usize; 6] = [200, 500, 1000, 2000, 3500, 5000];
/// How many functions are made for each length and way of naming.
const FUNCTIONS: usize = 40;
/// Ours runs again and again for this long, so that the clock can tell.
const LONG_ENOUGH: Duration = Duration::from_millis(300);

fn main() {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).filter(|each| each != "--bench").map(PathBuf::from).collect();
    assert!(files.len().is_multiple_of(2), "files come in pairs: OLD NEW");
    let pairs = if files.is_empty() { made() } else { read(&files) };
    let answers = python::answers(&pairs);
    let started = now();
    let distances: Vec<f64> = pairs.iter().map(|(old, new)| surface_distance(old, new)).collect();
    let first_time = (now() - started).as_secs_f64();
    for (((old, new), answer), distance) in pairs.iter().zip(&answers).zip(distances) {
        let ours = [ratio(old, new), distance].map(f64::to_bits);
        assert_eq!(ours, [answer.ratio, answer.distance].map(f64::to_bits), "{old:?} and {new:?}");
    }
    println!("{} pairs of texts, all with Python's values", pairs.len());
    println!("{:>14} {:>6} {:>14} {:>14} {:>8}", "bytes", "pairs", "Python µs/pair", "ours µs/pair", "ratio");
    let mut shown: Vec<(String, Vec<usize>)> = Vec::new();
    let mut start = 0;
    for end in LENGTHS.into_iter().chain([usize::MAX]) {
        let within = (0..pairs.len()).filter(|&pair| (start..end).contains(&pairs[pair].0.len())).collect();
        let name = if end == usize::MAX { format!("{start}…") } else { format!("{start}…{}", end - 1) };
        shown.push((name, within));
        start = end;
    }
    shown.push(("all".to_owned(), (0..pairs.len()).collect()));
    let show = |name: &str, within: &[usize], ours: f64| {
        let theirs = within.iter().map(|&pair| answers[pair].time).sum::<Duration>().as_secs_f64();
        let each = |seconds: f64| seconds * 1e6 / within.len() as f64;
        println!("{name:>14} {:>6} {:>14.1} {:>14.2} {:>8.0}", within.len(), each(theirs), each(ours), theirs / ours);
    };
    for (name, within) in shown.iter().filter(|(_, within)| !within.is_empty()) {
        show(name, within, time_of_ours(within.iter().map(|&pair| &pairs[pair])));
    }
    // As Python did it too: once, with nothing learnt from the texts before.
    show("all, once", &(0..pairs.len()).collect::<Vec<usize>>(), first_time);
}

/// Renamed functions of each length.
fn made() -> Vec<(String, String)> {
    let mut random = Random::new(1);
    let mut pairs = Vec::new();
    for bounds in LENGTHS.windows(2) {
        for naming in NAMINGS {
            for _ in 0..FUNCTIONS {
                let pair = loop {
                    let length = bounds[0] + random.below(bounds[1] - bounds[0]);
                    let pair = texts::renamed(&mut random, length, naming);
                    if (bounds[0]..bounds[1]).contains(&pair.0.len()) {
                        break pair;
                    }
                };
                pairs.push(pair);
            }
        }
    }
    pairs
}

fn read(files: &[PathBuf]) -> Vec<(String, String)> {
    let text = |path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        String::from_utf8_lossy(&bytes).into_owned()
    };
    files.chunks(2).map(|pair| (text(&pair[0]), text(&pair[1]))).collect()
}

/// The CPU time that this thread has used.
fn now() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a time since the start")
}

/// Seconds of CPU time for all these pairs once.
fn time_of_ours<'a>(pairs: impl Iterator<Item = &'a (String, String)> + Clone) -> f64 {
    let started = now();
    let mut times = 0;
    loop {
        for (old, new) in pairs.clone() {
            black_box(ratio(black_box(old), black_box(new)));
        }
        times += 1;
        let spent = now() - started;
        if spent >= LONG_ENOUGH {
            return spent.as_secs_f64() / f64::from(times);
        }
    }
}
