//! Rankings with many ties, made at random, and what pytrec_eval and ranx, the real packages, say of them.

#![allow(dead_code, reason = "the test asks one package, the benchmark wants to know what it costs too")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::Tool;
use estrange_stats::retrieval::{Judgements, Measure, Names, Run};

/// A Python package that scores rankings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Package {
    /// trec_eval's own code.
    PytrecEval,
    /// A package of its own, compiled by numba.
    Ranx,
}

/// What a package says.
pub struct Answer {
    /// One measure after the other: a value for each query.
    pub values: Vec<f64>,
    /// The CPU time that scoring took.
    pub time: Duration,
}

/// Judgements and results, as they are handed to everyone.
pub struct Case {
    /// The documents.
    pub names: Names,
    /// Each query's documents with their grades.
    pub judgements: Vec<Vec<(u32, u32)>>,
    /// Each query's documents with their scores, in no order.
    pub results: Vec<Vec<(u32, f64)>>,
}

impl Case {
    /// The judgements, as ours.
    pub fn judged(&self) -> Judgements {
        let mut judgements = Judgements::new(self.names.len());
        self.judgements.iter().for_each(|graded| judgements.push(graded).expect("documents that exist"));
        judgements
    }

    /// The rankings, as ours.
    pub fn ranked(&self) -> Run {
        let mut run = Run::new(self.names.len());
        for results in &self.results {
            let results: Vec<(u32, f32)> = results.iter().map(|&(document, score)| (document, score as f32)).collect();
            run.push(&results).expect("documents that exist");
        }
        run
    }

    /// Asks a package.
    pub fn ask(&self, package: Package, measures: &[Measure]) -> Answer {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, bytes: Vec<u8>| std::fs::write(folder.path().join(name), bytes).expect("a file in it");
        let names = 0..u32::try_from(self.names.len()).expect("few");
        let names: Vec<&str> = names.map(|number| self.names.name(number).expect("numbered")).collect();
        write("names", names.join("\n").into_bytes());
        let measures: Vec<String> = measures.iter().map(Measure::to_string).collect();
        write("measures", measures.join("\n").into_bytes());
        let ends = |lengths: &mut dyn Iterator<Item = usize>| {
            let mut end = 0_u64;
            lengths
                .flat_map(|length| {
                    end += length as u64;
                    end.to_le_bytes()
                })
                .collect()
        };
        write("judgements.ends", ends(&mut self.judgements.iter().map(Vec::len)));
        write("judgements.documents", self.judgements.iter().flatten().flat_map(|each| each.0.to_le_bytes()).collect());
        write("judgements.values", self.judgements.iter().flatten().flat_map(|each| each.1.to_le_bytes()).collect());
        write("run.ends", ends(&mut self.results.iter().map(Vec::len)));
        write("run.documents", self.results.iter().flatten().flat_map(|each| each.0.to_le_bytes()).collect());
        write("run.values", self.results.iter().flatten().flat_map(|each| each.1.to_le_bytes()).collect());

        let (environment, name) = match package {
            Package::PytrecEval => ("metrics", "pytrec_eval"),
            Package::Ranx => ("peers", "ranx"),
        };
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/metrics.py");
        let output = Tool::new(interpreter(environment)).argument(script).argument(folder.path()).argument(name);
        let output = output.wall(Duration::from_secs(1800)).run().expect("Python runs");
        assert!(output.success(), "{}", output.last_words(20));
        let bytes = std::fs::read(folder.path().join("answers")).expect("answers");
        let values: Vec<f64> =
            bytes.chunks_exact(8).map(|each| f64::from_le_bytes(each.try_into().expect("eight"))).collect();
        assert_eq!(values.len(), measures.len() * self.results.len());
        Answer { values, time: Duration::from_secs_f64(output.text().trim().parse().expect("seconds")) }
    }
}

/// The Python that has the packages of an environment, which are installed if they are not there.
fn interpreter(environment: &str) -> PathBuf {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools");
    let output = Tool::new(tools.join("python-environment")).argument(environment).run().expect("the script runs");
    assert!(output.success(), "{}", output.last_words(20));
    PathBuf::from(output.text().trim())
}

/// Numbers that look random and are always the same.
pub struct Random(u64);

impl Random {
    /// Those of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }

    /// Some different documents.
    pub fn documents(&mut self, documents: usize, count: usize) -> Vec<u32> {
        let mut chosen: Vec<u32> = Vec::with_capacity(count);
        while chosen.len() < count.min(documents) {
            let document = u32::try_from(self.below(documents)).expect("few");
            if !chosen.contains(&document) {
                chosen.push(document);
            }
        }
        chosen
    }
}
