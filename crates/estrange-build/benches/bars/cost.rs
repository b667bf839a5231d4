//! What a build costs in processor time and memory: against the bare compilers, again, and as it grows.

use std::error::Error;

use estrange_bench::{Bench, Function};
use serde_json::{Value, json};

use crate::estrange::Estrange;
use crate::floor::Floor;
use crate::keep::SQLITE;
use crate::measure::{Usage, check};
use crate::report::Row;

/// The sources that are written in C.
pub const SOURCES: [&str; 6] = ["deb:utf8proc", "deb:libsamplerate", "deb:zlib", "deb:expat", "deb:libonig", SQLITE];
/// Those of them that are many files.
pub const SMALL_SOURCES: [&str; 5] = ["deb:utf8proc", "deb:libsamplerate", "deb:zlib", "deb:expat", "deb:libonig"];

/// The cost of a first build of the C sources against its floor, and of a second one.
pub fn cost(estrange: &Estrange, sources: &[&str], units: usize, seed: u64) -> Result<Vec<Row>, Box<dyn Error>> {
    let (counted, burnt) = check(&estrange.scratch)?;
    if counted < burnt * 0.9 {
        return Err(format!("of {burnt:.1} s of CPU time only {counted:.1} s are counted on this machine").into());
    }
    estrange.fetch(sources)?;
    estrange.forget()?;
    let out = estrange.out("cost")?;
    let first = estrange.build(sources, &out)?;
    let second = estrange.build(sources, &out)?;
    let bench = Bench::open(&out)?;
    let found = bench.manifest().counts.found;
    let functions: Vec<Function> = bench.functions()?.collect::<Result<_, _>>()?;
    let floor = Floor::measure(functions, &[&[]], units, seed)?;

    let ratio = first.cpu / floor.cpu();
    let error = ratio * floor.relative_error();
    let again = second.cpu / first.cpu;
    Ok(vec![
        Row::new(
            "cost",
            "CPU time of a first build of the C sources: at most 1.5 times `gcc -c` and `clang-19 -c` once on every kept unit",
            format!(
                "{ratio:.2} ± {error:.2} times ({:.1} s against {:.1} s; {found} found, {} kept)",
                first.cpu,
                floor.cpu(),
                floor.kept
            ),
            ratio <= 1.5,
            format!(
                "user and system time of all processes; sources fetched and configured before; the floor on {} random \
                 units, scaled; {} processes escaped the count, and of {burnt:.0} s burnt to check it {counted:.1} s \
                 were counted",
                floor.seconds.len(),
                first.uncounted
            ),
            json!({ "sources": sources, "first": first, "found": found, "kept": floor.kept, "floor": floor.cpu(),
                "floor_gcc": floor.of(|pair| pair.0), "floor_clang": floor.of(|pair| pair.1),
                "sampled": floor.seconds.len(), "ratio": ratio, "standard_error": error,
                "check": { "counted": counted, "burnt": burnt } }),
        ),
        Row::new(
            "cost",
            "a second, unchanged build: under 3% of the first",
            format!("{:.2}% ({:.2} s)", again * 100.0, second.cpu),
            again < 0.03,
            "the same command again, CPU time",
            json!({ "second": second, "share": again }),
        ),
    ])
}

/// How the cost grows with the sources: each alone, and more and more of them together.
pub fn growth(estrange: &Estrange, sources: &[&str]) -> Result<Vec<Row>, Box<dyn Error>> {
    estrange.fetch(sources)?;
    let cold = |sources: &[&str]| -> Result<(Usage, u64), Box<dyn Error>> {
        estrange.forget()?;
        let out = estrange.out("growth")?;
        let usage = estrange.build(sources, &out)?;
        Ok((usage, Bench::open(&out)?.manifest().counts.found))
    };
    let mut lines: Vec<Value> = Vec::new();
    let mut words = Vec::new();
    let (mut alone, mut worst) = (0.0, 0.0_f64);
    for count in 1..=sources.len() {
        let single = cold(&sources[count - 1..count])?;
        alone += single.0.cpu;
        let (together, found) = if count == 1 { single } else { cold(&sources[..count])? };
        let ratio = together.cpu / alone;
        worst = worst.max(ratio);
        let each = together.cpu / found.max(1) as f64 * 1000.0;
        words.push(format!("{found} functions {:.1} s, {each:.1} ms each", together.cpu));
        lines.push(json!({ "sources": sources[..count], "found": found, "cpu": together.cpu, "alone": alone,
            "ms_each": each, "ratio": ratio }));
    }
    Ok(vec![Row::new(
        "growth",
        "cost grows linearly with the number of functions",
        format!("{}; together at most {worst:.2} times the sum of each alone", words.join("; ")),
        worst <= 1.1,
        format!("first builds of {}, one more each time, and of each alone; CPU time", sources.join(" ")),
        Value::Array(lines),
    )])
}

/// The memory that the build of one large file takes.
pub fn memory(estrange: &Estrange, sources: &[&str]) -> Result<Vec<Row>, Box<dyn Error>> {
    estrange.fetch(sources)?;
    estrange.forget()?;
    let out = estrange.out("memory")?;
    let usage = estrange.build(sources, &out)?;
    let found = Bench::open(&out)?.manifest().counts.found;
    let mib = |bytes: u64| bytes / (1024 * 1024);
    Ok(vec![Row::new(
        "memory",
        "peak memory on the SQLite amalgamation: under 2 GiB",
        format!(
            "largest process {} MiB; all at once {} MiB, {} MiB with shared pages counted once ({found} functions)",
            mib(usage.largest),
            mib(usage.together),
            mib(usage.together_shared_once)
        ),
        usage.together < 2 << 30,
        format!(
            "first build with {} jobs; the kernel's peak of each process, and the sum over living processes every 40 ms \
             (shared pages once: every 200 ms)",
            estrange.jobs
        ),
        json!({ "usage": usage, "found": found, "ms_each": usage.cpu / found.max(1) as f64 * 1000.0 }),
    )])
}
