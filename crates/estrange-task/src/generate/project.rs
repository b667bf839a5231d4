//! Project mode: what is written takes the function's place in its project, which is built, and whose own tests decide.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use estrange_bench::{Function, Outcome};
use estrange_diagnosis::{diagnose, read};
use estrange_grade::{Answer, Graded};
use estrange_store::{Keep, Store, key};
use estrange_suite::{Coverage, Gated, Grade, Place, Runs, Shut, Suite, Tests, VERSION};
use estrange_words::NotAsked;
use rayon::prelude::*;

use super::entry::Entry;
use super::error::GenerateError;
use super::function::{answer_in, code, verdicts};
use super::judge::{Fit, Ground, Judge, Unfit, Verdict};
use super::records::Assignment;
use super::world::{Original, World};

/// How much of what a build or test printed is kept with an answer.
const SAID: usize = 8_000;

/// A project that is ready to grade.
#[derive(Debug)]
pub struct Project {
    /// The project, built and tested untouched.
    pub suite: Suite,
    /// Which tests execute which functions, where the project file goes by that.
    pub coverage: Option<Coverage>,
    /// Stands for all that its verdicts depend on: the tree, the project file, the compiler.
    pub key: String,
}

/// Where a function stands in its project, and which tests are its own.
#[derive(Debug, Clone)]
struct Seat {
    project: usize,
    place: Place,
    tests: Tests,
    text: String,
}

/// Grades by projects. What the gates say of a function is kept.
#[derive(Debug)]
pub struct Projects {
    projects: Vec<Project>,
    store: Store,
    seats: Mutex<HashMap<String, Seat>>,
}

impl Projects {
    /// Of these projects.
    pub fn new(projects: Vec<Project>, store: Store) -> Self {
        Self { projects, store, seats: Mutex::default() }
    }

    /// The sources of the projects, as benches name them.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.projects.iter().map(|project| project.suite.file().source.as_str())
    }

    fn seat(&self, item: &str) -> Option<Seat> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner).get(item).cloned()
    }

    /// Where a function stands, if it is in a project as the bench has it.
    fn seat_of(&self, function: &Function) -> Result<Seat, Unfit> {
        let is_its = |project: &Project| project.suite.file().source == function.source;
        let number = self.projects.iter().position(is_its).ok_or(NotAsked::OfNoProject.as_str())?;
        let Project { suite, coverage, .. } = &self.projects[number];
        let bytes = suite.original(&function.path).map_err(|_| NotAsked::NotInTheProject.as_str())?;
        let text = String::from_utf8(bytes).map_err(|_| NotAsked::NotInTheProject.as_str())?;
        let range = place_of(function, &text).ok_or(NotAsked::NotInTheProject.as_str())?;
        let place = Place {
            path: function.path.clone(),
            range: range.clone(),
            name: function.name.clone(),
            language: function.language,
        };
        let tests = suite.tests_of(&place.path, &place.name, function.line_end, coverage.as_ref());
        Ok(Seat { project: number, place, tests, text: text[range].to_owned() })
    }

    /// What the gates say of a function, now or in an earlier run.
    fn gated(&self, seat: &Seat) -> Result<Gated, GenerateError> {
        let Project { suite, .. } = &self.projects[seat.project];
        let gated = self.store.get_or(&self.key(seat, "gates", &seat.text), || {
            Ok::<_, GenerateError>((suite.gates(&seat.place, &seat.tests, Runs::GATE)?, Keep::Yes))
        })?;
        Ok(gated)
    }

    /// Whether a text that is known to be right passes in the function's place.
    fn passes(&self, seat: &Seat, text: &str) -> Result<bool, GenerateError> {
        let Project { suite, .. } = &self.projects[seat.project];
        self.store.get_or(&self.key(seat, "gold", text), || {
            let (shut, _) = suite.gold(&[seat.place.filled_with(text)], &seat.tests, Runs::GATE)?;
            Ok((shut.is_none(), Keep::Yes))
        })
    }

    fn key(&self, seat: &Seat, what: &str, text: &str) -> String {
        let tests = match &seat.tests {
            Tests::All => String::new(),
            Tests::Named(names) => names.iter().cloned().collect::<Vec<_>>().join("\n"),
        };
        let place = format!("{}:{}", seat.place.path, seat.place.range.start);
        let project = &self.projects[seat.project].key;
        let parts = [VERSION, what, project, &place, &tests, text];
        key("project", &parts.map(str::as_bytes))
    }

    fn graded(&self, seat: &Seat, text: &str) -> Result<Graded, GenerateError> {
        let Project { suite, .. } = &self.projects[seat.project];
        Ok(said(&suite.grade(&[seat.place.filled_with(text)], &seat.tests, Runs::default())?))
    }
}

/// Where a function stands in its file. In the bench it may lack what no compiler reads, such as the branch of an `#if` that is
/// not taken: then its lines tell.
fn place_of(function: &Function, file: &str) -> Option<Range<usize>> {
    let line = |number: u32| -> Option<Range<usize>> {
        let before = file.split_inclusive('\n').take(number.checked_sub(1)? as usize).map(str::len).sum::<usize>();
        let own = file.get(before..)?.split('\n').next()?;
        Some(before..before + own.len())
    };
    let (first, last) = (line(function.line_start)?, line(function.line_end)?);
    let word = function.text.split_whitespace().next()?;
    let start = first.start + file[first.clone()].find(word)?;
    if file[start..].starts_with(&function.text) {
        return Some(start..start + function.text.len());
    }
    let end = last.start + file[last].rfind('}')? + 1;
    (start < end).then_some(start..end)
}

impl Judge<World> for Projects {
    fn word(&self) -> &'static str {
        "project"
    }

    fn graded(&self, entry: &Entry<World>, replies: &[&str]) -> Result<Vec<Verdict>, GenerateError> {
        let read: Vec<Result<Answer, Outcome>> = replies.iter().map(|reply| answer_in(entry, reply)).collect();
        let Some(seat) = self.seat(&entry.assignment.item) else {
            let none = Graded::plain(Outcome::NotRun, None);
            return Ok(verdicts(read, vec![none; replies.len()]));
        };
        let answers: Vec<&Answer> = read.iter().filter_map(|read| read.as_ref().ok()).collect();
        let grade = |answer: &&Answer| self.graded(&seat, &entry.subject.back.text(&code(answer)));
        let graded = answers.par_iter().map(grade).collect::<Result<_, GenerateError>>()?;
        Ok(verdicts(read, graded))
    }
}

impl Ground for Projects {
    fn runs_units(&self) -> bool {
        false
    }

    fn fits(&self, function: &Function, _: &Original) -> Result<Result<Fit, Unfit>, GenerateError> {
        let seat = match self.seat_of(function) {
            Ok(seat) => seat,
            Err(why) => return Ok(Err(why)),
        };
        let gated = self.gated(&seat)?;
        if let Some(shut) = gated.shut {
            return Ok(Err(shut.as_str()));
        }
        let tests = match &seat.tests {
            Tests::All => self.projects[seat.project].suite.untouched().stable().count(),
            Tests::Named(names) => names.len(),
        };
        self.seats.lock().unwrap_or_else(PoisonError::into_inner).insert(function.id.clone(), seat);
        Ok(Ok(Fit { inputs: tests as u32, kill_rate: None, wrong: gated.stub.into_iter().collect() }))
    }

    fn fits_in(&self, assignment: &Assignment, world: &World) -> Result<Result<(), Unfit>, GenerateError> {
        let Some(seat) = self.seat(&assignment.item) else { return Ok(Err(NotAsked::NotInTheProject.as_str())) };
        let text = world.back.text(world.text());
        if text == seat.text || self.passes(&seat, &text)? {
            return Ok(Ok(()));
        }
        Ok(Err(Shut::GoldFails.as_str()))
    }
}

/// The same in the words that every way of grading shares.
fn said(graded: &estrange_suite::Graded) -> Graded {
    let outcome = match graded.grade {
        Grade::Passed => Outcome::Passed,
        Grade::Failed => Outcome::WrongResult,
        Grade::Crashed => Outcome::Fault,
        Grade::TimedOut => Outcome::Endless,
        Grade::Flaky => Outcome::Flaky,
        Grade::DoesNotCompile | Grade::BuildTimedOut => Outcome::DoesNotCompile,
        Grade::DoesNotLink => Outcome::DoesNotLink,
        Grade::NotBuilt => Outcome::NotRun,
        Grade::NotBelieved => Outcome::NotBelieved,
    };
    let mistake = (!outcome.is_built()).then(|| diagnose(&read(&graded.output)).map(|found| found.mistake)).flatten();
    Graded { mistakes: [mistake, None], ..Graded::plain(outcome, detail(graded, outcome)) }
}

/// What the build or the tests said of an answer that does not pass.
fn detail(graded: &estrange_suite::Graded, outcome: Outcome) -> Option<String> {
    if outcome == Outcome::Passed {
        return None;
    }
    let mut lines: Vec<String> = graded.doubts.iter().map(ToString::to_string).collect();
    if !graded.failed.is_empty() {
        lines.push(format!("fails: {}", graded.failed.iter().cloned().collect::<Vec<_>>().join(", ")));
    }
    let printed = graded.runs.first().map_or(&graded.output, |run| &run.output);
    let from = printed.len().saturating_sub(SAID);
    let from = (from..=printed.len()).find(|at| printed.is_char_boundary(*at)).unwrap_or(printed.len());
    lines.push(printed[from..].to_owned());
    Some(lines.join("\n"))
}
