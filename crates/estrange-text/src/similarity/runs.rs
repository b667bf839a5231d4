//! Runs of rare characters that two texts share, and the order in which they are preferred.

use std::cmp::Ordering;

use super::alphabet::{NONE, Texts};
use super::field::Field;
use super::sieve::Sieve;

/// Characters that both texts have in a row. The greater run is the preferred one: the longer, then the earlier in the
/// old text, then the earlier in the new text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Run {
    /// How many characters.
    pub length: u32,
    /// Where it starts in the old text.
    pub old: u32,
    /// Where it starts in the new text.
    pub new: u32,
}

impl Ord for Run {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = self.length.cmp(&other.length);
        by_length.then(other.old.cmp(&self.old)).then(other.new.cmp(&self.new))
    }
}

impl PartialOrd for Run {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The most preferred runs of the open fields, of two characters and more.
pub struct Gathered {
    /// Where runs start in the old and in the new text, before it is known how long they are.
    starts: Sieve<(u32, u32)>,
    /// The others; of equal length, they are in order.
    runs: Vec<Run>,
    /// How many are kept where there are too many.
    most: usize,
    /// The last run in order, where there were too many: those before it are all here, and those after it are not.
    last: Option<Run>,
}

impl Gathered {
    /// Gathers the maximal runs within each field, of which the earlier ones come first. Where there are very many, only
    /// the most preferred are kept: at least `most`, and at least one.
    pub fn from(texts: &Texts, fields: &[Field], most: usize) -> Self {
        let mut gathered = Self { starts: Sieve::default(), runs: Vec::new(), most: most.max(1), last: None };
        for field in fields {
            gathered.gather(texts, field);
        }
        gathered.runs = sorted(&gathered.runs);
        gathered
    }

    /// Whether these are all runs that there are.
    pub fn is_complete(&self) -> bool {
        self.last.is_none()
    }

    /// Whether all runs are here that are preferred to this one.
    pub fn reaches(&self, run: Run) -> bool {
        self.last.is_none_or(|last| last <= run)
    }

    /// The runs in order.
    pub fn in_order(&self) -> &[Run] {
        &self.runs
    }

    fn gather(&mut self, texts: &Texts, field: &Field) {
        let (rare, new) = (&texts.rare[field.olds()], &texts.new[field.news()]);
        for &row in texts.rows(field) {
            let at = (row - field.old_start) as usize;
            let before = rare.get(at.wrapping_sub(1)).copied().unwrap_or(NONE);
            let after = rare.get(at + 1).copied().unwrap_or(NONE);
            if after == NONE {
                continue;
            }
            let positions = texts.positions(rare[at], field);
            self.starts.make_room(positions.len());
            for &position in positions {
                let at = (position - field.new_start) as usize;
                // A run that includes the characters before these has been found with its start.
                let is_start = new.get(at.wrapping_sub(1)).is_none_or(|&number| number != before);
                let goes_on = new.get(at + 1).is_some_and(|&number| number == after);
                self.starts.offer((row, position), is_start & goes_on);
            }
            if self.starts.kept().len() + self.runs.len() >= 2 * self.most {
                self.measure(rare, new, field);
                self.shed();
            }
        }
        self.measure(rare, new, field);
    }

    /// Finds out how long the runs are that start in this field, of which these are the texts.
    fn measure(&mut self, rare: &[u32], new: &[u32], field: &Field) {
        for &(old_start, new_start) in self.starts.kept() {
            let old = &rare[(old_start - field.old_start) as usize + 2..];
            let new = &new[(new_start - field.new_start) as usize + 2..];
            let length = 2 + common(old, new);
            // Of equal length, what comes later is preferred less.
            if self.last.is_none_or(|last| length > last.length) {
                self.runs.push(Run { length, old: old_start, new: new_start });
            }
        }
        self.starts.clear();
    }

    /// Drops all but the most preferred runs, if there are too many.
    fn shed(&mut self) {
        if self.runs.len() > self.most {
            self.runs = sorted(&self.runs);
            self.runs.truncate(self.most);
            self.last = self.runs.last().copied();
        }
    }
}

/// Runs sorted by their length, the longest first; those of equal length stay in their order.
fn sorted(runs: &[Run]) -> Vec<Run> {
    let longest = runs.iter().map(|run| run.length).max().unwrap_or_default();
    // Where the next run of each length goes, from the longest on.
    let mut places = vec![0; longest as usize + 2];
    for run in runs {
        places[(longest - run.length) as usize + 1] += 1;
    }
    let mut total = 0;
    for place in &mut places {
        total += *place;
        *place = total;
    }
    let mut sorted = vec![Run::default(); runs.len()];
    for run in runs {
        let place = &mut places[(longest - run.length) as usize];
        sorted[*place] = *run;
        *place += 1;
    }
    sorted
}

/// How many characters two texts have in common at their start.
pub fn common(one: &[u32], two: &[u32]) -> u32 {
    one.iter().zip(two).take_while(|(one, two)| one == two).count() as u32
}
