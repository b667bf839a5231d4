//! Functions followed back through a history, by their lines.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use estrange_diff::Touch;
use estrange_project::role::is_test_path;
use estrange_source::{Follow, Landed, Touched};

use crate::asked::{Asked, With};
use crate::day::Day;
use crate::step::{Of, Step};

/// Where a function stands at the revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its file.
    pub path: String,
    /// Its first line, counted from 1.
    pub first: usize,
    /// Its last line.
    pub last: usize,
    /// Whether the day of its last change is wanted, however long ago that is.
    pub is_dated: bool,
}

/// What is found out of a function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Found {
    /// The day of its last change.
    day: Option<String>,
    /// Whether one of the changes that are asked for touches it.
    is_chosen: bool,
}

/// Where a function is while its history is read.
struct Track {
    function: usize,
    first: usize,
    last: usize,
}

/// Functions that are followed back.
pub struct Tracks<'a> {
    asked: &'a Asked,
    /// Where they are now: none of those that were not there yet.
    tracks: HashMap<String, Vec<Track>>,
    found: Vec<Found>,
    /// How many of those whose day is wanted have none yet, and are there.
    undated: usize,
    is_dated: Vec<bool>,
    landed: usize,
    since: BTreeMap<&'static str, u64>,
    with_tests: BTreeMap<&'static str, u64>,
    without_tests: u64,
    /// How many changes are asked about that were not looked at yet.
    waiting: u64,
    /// How many files' diffs could not be read.
    unread: usize,
}

impl<'a> Tracks<'a> {
    /// Of functions at these places.
    pub fn new(places: &[Place], asked: &'a Asked) -> Self {
        let mut tracks: HashMap<String, Vec<Track>> = HashMap::new();
        for (function, Place { path, first, last, .. }) in places.iter().enumerate() {
            tracks.entry(path.clone()).or_default().push(Track { function, first: *first, last: *last });
        }
        Self {
            asked,
            tracks,
            found: vec![Found::default(); places.len()],
            undated: places.iter().filter(|place| place.is_dated).count(),
            is_dated: places.iter().map(|place| place.is_dated).collect(),
            landed: 0,
            since: BTreeMap::new(),
            with_tests: BTreeMap::new(),
            without_tests: 0,
            waiting: 0,
            unread: 0,
        }
    }

    /// The day on which a function last changed, where that was found out.
    pub fn day(&self, function: usize) -> Option<&str> {
        self.found[function].day.as_deref()
    }

    /// Whether one of the changes that are asked for touches a function.
    pub fn is_chosen(&self, function: usize) -> bool {
        self.found[function].is_chosen
    }

    /// How many files' diffs could not be read.
    pub fn unread(&self) -> usize {
        self.unread
    }

    /// The changes, step by step; none where no changes are asked for.
    pub fn steps(&self) -> Vec<Step> {
        if self.asked.since.is_none() {
            return Vec::new();
        }
        let step = |name, kinds: &BTreeMap<&'static str, u64>| {
            Step::new(name, Of::Changes, kinds.values().sum()).told_apart(kinds.clone())
        };
        let since = step("since", &self.since);
        let before = self.landed as u64 - self.waiting - since.left;
        let mut steps = vec![
            Step::new("landed", Of::Changes, self.landed as u64),
            since.losing("before", before).losing("not-read", self.waiting),
        ];
        if self.asked.with == With::Tests {
            steps.push(step("with-tests", &self.with_tests).losing("no-tests", self.without_tests));
        }
        steps
    }

    fn is_since(&self, landed: &Landed) -> bool {
        self.asked.since.as_ref().map(Day::as_str).is_some_and(|since| landed.day.as_str() >= since)
    }

    fn date(&mut self, function: usize, landed: &Landed, is_chosen: bool) {
        let found = &mut self.found[function];
        found.is_chosen |= is_chosen;
        if found.day.is_none() {
            found.day = Some(landed.day.clone());
            self.undated -= usize::from(self.is_dated[function]);
        }
    }
}

impl Follow for Tracks<'_> {
    fn begins(&mut self, landed: &[Landed]) {
        self.landed = landed.len();
        self.waiting = landed.iter().filter(|each| self.is_since(each)).count() as u64;
    }

    fn goes_on(&self, _: &Landed) -> bool {
        self.waiting > 0 || self.undated > 0
    }

    fn touched(&mut self, landed: &Landed, touched: &Touched) {
        self.unread += touched.unread;
        let is_since = self.is_since(landed);
        let paths = || touched.files.iter().flat_map(|file| file.paths());
        let has_tests = paths().any(|path| is_test_path(Path::new(path)));
        if is_since {
            self.waiting -= 1;
            *self.since.entry(landed.landing.as_str()).or_default() += 1;
            match has_tests {
                true => *self.with_tests.entry(landed.landing.as_str()).or_default() += 1,
                false => self.without_tests += 1,
            }
        }
        let is_chosen = is_since && (has_tests || self.asked.with == With::Any);
        // What two files exchange their names for is taken away first, and put back under the older names.
        let mut moved: Vec<(String, Vec<Track>)> = Vec::new();
        for file in &touched.files {
            let Some(tracks) = file.new_path.as_ref().and_then(|path| self.tracks.remove(path)) else { continue };
            let mut there = Vec::new();
            for Track { function, first, last } in tracks {
                if file.touched.iter().any(|touch| touch.new.touches(first, last)) {
                    self.date(function, landed, is_chosen);
                }
                if let Some((first, last)) = Touch::back(&file.touched, first, last) {
                    there.push(Track { function, first, last });
                }
            }
            moved.extend(file.old_path.clone().map(|path| (path, there)));
        }
        for (path, tracks) in moved {
            self.tracks.entry(path).or_default().extend(tracks);
        }
    }
}
