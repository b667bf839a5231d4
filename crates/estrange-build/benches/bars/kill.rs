//! Whether a bench comes out the same whatever happens on the way: killed, and with more or fewer jobs.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::estrange::Estrange;
use crate::report::Row;
use crate::sample::Chance;

/// Small ones, in both languages.
pub const SOURCES: [&str; 3] = ["deb:utf8proc", "deb:libsamplerate", "deb:double-conversion"];

/// The files of a folder, by name, with their hashes.
type Hashes = BTreeMap<String, String>;

/// Kills first builds at random moments, finishes each, and compares; then compares numbers of jobs.
pub fn kill(estrange: &Estrange, sources: &[&str], kills: usize, seed: u64) -> Result<Vec<Row>, Box<dyn Error>> {
    estrange.fetch(sources)?;
    estrange.forget()?;
    let out = estrange.out("kill")?;
    let undisturbed = estrange.build(sources, &out)?;
    let expected = hashes(&out)?;

    let mut chance = Chance::new(seed);
    let (mut moments, mut same, mut early, mut left, mut longest) = (Vec::new(), 0, 0, 0, 0.0_f64);
    let mut twice = 0.0;
    while moments.len() < kills {
        estrange.forget()?;
        let out = estrange.out("kill")?;
        let after = undisturbed.wall * chance.share();
        let killed = estrange.build_killed(sources, &out, Duration::from_secs_f64(after))?;
        left += killed.left_behind;
        longest = longest.max(killed.linger);
        if killed.code.is_some() {
            // It was quicker this time: no moment of it.
            early += 1;
            if early > kills {
                return Err("builds end before they can be killed".into());
            }
            continue;
        }
        moments.push(after);
        let resumed = estrange.build(sources, &out)?;
        twice += (killed.cpu + resumed.cpu) / undisturbed.cpu - 1.0;
        same += usize::from(hashes(&out)? == expected);
    }

    // The end of a build, in which the bench is written, is most of a second one.
    let out = estrange.out("kill")?;
    let warm = estrange.build(sources, &out)?;
    let (mut warm_kills, mut warm_same) = (0, 0);
    for _ in 0..kills {
        let out = estrange.out("kill")?;
        let after = Duration::from_secs_f64(warm.wall * chance.share());
        let killed = estrange.build_killed(sources, &out, after)?;
        left += killed.left_behind;
        if killed.code.is_none() {
            warm_kills += 1;
            estrange.build(sources, &out)?;
            warm_same += usize::from(hashes(&out)? == expected);
        }
    }

    let mut by_jobs = BTreeMap::new();
    for jobs in [1, 2] {
        estrange.forget()?;
        let out = estrange.out("kill")?;
        estrange.build_with(sources, &out, jobs)?;
        by_jobs.insert(jobs, hashes(&out)?);
    }
    let twice = twice / moments.len().max(1) as f64;
    let jobs_same = by_jobs.values().all(|hashes| *hashes == expected);
    Ok(vec![
        Row::new(
            "kill",
            format!("killed at {kills} random moments and run again, the bench is byte-identical"),
            format!(
                "{same} of {} identical; during a second build {warm_same} of {warm_kills}; {left} processes left running; \
                 {:.0}% of the work was done twice",
                moments.len(),
                twice * 100.0
            ),
            same == moments.len() && warm_same == warm_kills && left == 0,
            format!(
                "seed {seed}; SIGKILL to the process group, at moments spread evenly over a first build of {}; all files \
                 compared by hash with an undisturbed build",
                sources.join(" ")
            ),
            json!({ "wall": undisturbed.wall, "moments": moments, "identical": same, "done_twice": twice, "not_killed": early,
                "second": { "killed": warm_kills, "identical": warm_same }, "left_behind": left, "longest_linger": longest,
                "files": expected }),
        ),
        Row::new(
            "kill",
            "`--jobs 1` and `--jobs 2` give the same bytes",
            if jobs_same { "identical" } else { "different" },
            jobs_same,
            "first builds of the same sources; all files compared by hash",
            json!({ "files": by_jobs }),
        ),
    ])
}

/// The hashes of all files of a bench. What a build holds on to while it runs is no part of it.
fn hashes(folder: &Path) -> Result<Hashes, Box<dyn Error>> {
    let mut hashes = Hashes::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.ends_with("-lock") {
            hashes.insert(name, blake3::hash(&fs::read(entry.path())?).to_hex().to_string());
        }
    }
    Ok(hashes)
}
