//! What may become pairs: a fix with the states before and after it.

use std::path::PathBuf;

use estrange_bench::Unpaired;
use estrange_build::{Lines, State};
use estrange_diff::{Span, Touch};
use estrange_source::{ChangedFile, Fix, Fixes, Passed, Spec};
use estrange_words::{Reason, Stage};

/// A fix, or a pair that somebody wrote.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    /// What it is called.
    pub(crate) fix: String,
    /// What the pairs that it gives are called, before the name of their function.
    pub(crate) prefix: String,
    /// The names of the states before and after it.
    pub(crate) before: String,
    pub(crate) after: String,
    /// The files that it changes, with their paths before and after.
    pub(crate) paths: Vec<(String, String)>,
    pub(crate) patch: String,
    pub(crate) description: String,
    pub(crate) cves: Vec<String>,
    pub(crate) cwe: Option<u32>,
    /// What is known of a pair that somebody wrote.
    pub(crate) written: Option<Written>,
}

/// A pair that somebody wrote: two files that compile by themselves.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) vulnerable: String,
    pub(crate) patched: String,
    /// The function that the trigger is an input of.
    pub(crate) entry: String,
    pub(crate) trigger: Option<String>,
}

/// Candidates with the states that they need.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) states: Vec<State>,
    pub(crate) all: Vec<Candidate>,
    pub(crate) lost: Vec<Unpaired>,
}

impl Candidates {
    /// Those that the fixes of a source are.
    pub(crate) fn add_fixes(&mut self, source: &Spec, fixes: Fixes) {
        let Fixes { fixes, losses, .. } = fixes;
        self.lost.extend(losses.iter().map(|passed| lost(source, passed)));
        for fix in fixes {
            self.states.push(state(&fix.before, &fix.files, |file| file.old_path.as_deref(), |touch| touch.old));
            self.states.push(state(&fix.after, &fix.files, |file| file.new_path.as_deref(), |touch| touch.new));
            self.all.push(of_fix(source, fix));
        }
    }
}

fn of_fix(source: &Spec, fix: Fix) -> Candidate {
    let number = |cwe: &String| cwe.strip_prefix("CWE-").and_then(|number| number.parse().ok());
    let both = |file: &ChangedFile| Some((file.old_path.clone()?, file.new_path.clone()?));
    Candidate {
        prefix: format!("{}/{}", short_name(source), fix.name),
        before: fix.before.to_string(),
        after: fix.after.to_string(),
        paths: fix.files.iter().filter_map(both).collect(),
        patch: String::from_utf8_lossy(&fix.diff).into_owned(),
        cwe: fix.cwes.iter().find_map(number),
        fix: format!("{source} {}", fix.name),
        description: fix.description,
        cves: fix.cves,
        written: None,
    }
}

/// A source's name without what comes before and behind it.
fn short_name(source: &Spec) -> String {
    let whole = source.to_string();
    let bare = whole.split(['=', '#']).next().unwrap_or(&whole).trim_end_matches('/').trim_end_matches(".git");
    bare.rsplit(['/', ':']).next().unwrap_or(bare).to_owned()
}

fn state(
    spec: &Spec,
    files: &[ChangedFile],
    path: impl Fn(&ChangedFile) -> Option<&str>,
    span: impl Fn(&Touch) -> Span,
) -> State {
    let lines = |touch: &Touch| match span(touch) {
        Span::Lines { first, last } => first as u32..=last as u32,
        // What is between two lines belongs to both.
        Span::Gap { after } => after as u32..=after as u32 + 1,
    };
    let wanted =
        files.iter().filter_map(|file| Some((PathBuf::from(path(file)?), file.touched.iter().map(lines).collect())));
    State { spec: spec.clone(), name: None, wanted: Lines::of(wanted) }
}

fn lost(source: &Spec, passed: &Passed) -> Unpaired {
    unpaired(&format!("{source} {}", passed.name), Stage::Source, passed.unfit.reason(), passed.unfit.to_string())
}

/// Something that was lost before there was a pair.
pub(crate) fn unpaired(fix: &str, stage: Stage, reason: Reason, detail: String) -> Unpaired {
    Unpaired { fix: fix.to_owned(), pair: None, setting: None, seed: None, side: None, stage, reason, detail }
}
