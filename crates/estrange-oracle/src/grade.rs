//! Grades: what somebody wrote in a function's place is held against the function, on inputs that were found before.
//!
//! A rewrite has to do the same, whatever is done to it. Whoever writes a function anew has to do what it is for: only
//! inputs count on which the function returns, throws or exits, and does so each time, and on which it gets the memory that it
//! asks for. How robust an answer is (whether it survives where memory is short), what it leaves allocated, and how many steps
//! it takes, is told beside the grade. Room at the end of a block that was never written to makes no difference.

use std::path::{Path, PathBuf};

use estrange_words::{End, Language};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::callee::Callee;
use crate::execution::State;
use crate::harness::Harness;
use crate::oracle::{
    Aim, COMPARED, FILLS, FIRST, FUEL, MORE_FUEL, Made, Oracle, OracleError, Prepared, Subject, Variant, again,
    compare, program_of, right,
};
use crate::plan::{Job, Plan, What};
use crate::record::{Difference, Record, Untestable};
use crate::seen;

/// What is kept of a prepared function: with it, answers are graded and nothing is searched.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kept {
    /// What the inputs are worth.
    pub record: Record,
    /// The function with a small mistake each, of which no input was made to show it: a grader should refuse most of them.
    pub wrong: Vec<String>,
    made: Made,
    /// The function's object file.
    object: Vec<u8>,
    /// The inputs on which it ends well, as they were drawn: first those on which it gets all memory.
    inputs: Vec<Vec<u64>>,
    /// How many these are.
    plain: u32,
    /// What it did on each, and how many bytes it left in use.
    results: Vec<[u64; 2]>,
    in_use: Vec<u32>,
}

impl Kept {
    /// How many inputs decide about an answer.
    pub fn inputs(&self) -> u32 {
        self.plain
    }
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Grade {
    /// It does the same on all inputs.
    Same(Quality),
    /// It does something else.
    Differs(Box<Difference>),
    /// It does not compile.
    Refused(String),
    /// It cannot be linked.
    Unlinked(String),
    /// It cannot be run, for another reason.
    Untestable(Untestable),
}

/// What can be said of an answer that does the same.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Quality {
    /// The steps that it takes on all inputs together, for each step of the function: basic blocks, as compiled without
    /// optimisation.
    pub steps: f64,
    /// The most bytes that it leaves in use beyond those that the function does, on any input.
    pub left: u32,
    /// How it ends where memory is short and the function ends well, if that is a fault, or no end at all.
    pub short_of_memory: Option<End>,
}

/// A function that answers are held against.
#[derive(Debug)]
pub struct Reference<'o> {
    oracle: &'o Oracle,
    /// The function's object file.
    object: Vec<u8>,
    plan: Plan,
    harness: Harness,
    language: Language,
    flags: Vec<String>,
    seed: u64,
    /// The inputs, and what the function does.
    state: State,
    in_use: Vec<u32>,
    /// How many of the inputs decide.
    plain: u32,
}

const OBJECT: &str = "function.o";

impl Prepared<'_> {
    /// What is to be kept of it, so that answers can be graded later.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn keep(&self) -> Result<Result<Kept, Untestable>, OracleError> {
        let folder = self.oracle.builder.folder()?;
        let flags = self.oracle.flags(self.language, &self.flags, &[]);
        let texts = [self.original.as_str()];
        match program_of(self.oracle, self.language, &flags, &texts, folder.path())? {
            Ok(each) => {
                if let Some(Err(reason)) = each.into_iter().next() {
                    return Ok(Err(reason));
                }
            }
            Err(reason) => return Ok(Err(reason)),
        }
        let program = folder.path().join("program");
        let jobs: Vec<Job> = FILLS.map(|fill| right(fill, 0)).into();
        let start = self.state.at_job(0, 0, 0);
        let state = match graded(self.oracle, &program, &self.plan, &jobs, (start, self.seed))? {
            Ok(state) => state,
            Err(reason) => return Ok(Err(reason)),
        };
        let is_repeated = |input: &u32| {
            let first = state.seen(FIRST, *input);
            let ends_well = matches!(first.end, End::Returned | End::Threw | End::Exited);
            ends_well && (FIRST..COMPARED).all(|row| state.seen(row, *input).is_like(first))
        };
        let (mut inputs, short): (Vec<u32>, Vec<u32>) =
            (0..state.kept()).filter(is_repeated).partition(|input| !state.is_memory_short(FIRST, *input));
        let plain = inputs.len() as u32;
        inputs.extend(short);
        Ok(Ok(Kept {
            record: self.record.clone(),
            wrong: self.wrong.clone(),
            made: self.made.clone(),
            object: std::fs::read(folder.path().join("unit-0.o"))?,
            results: inputs.iter().map(|input| state.result(FIRST, *input)).collect(),
            in_use: inputs.iter().map(|input| state.in_use(FIRST, *input)).collect(),
            inputs: inputs.iter().map(|input| trimmed(state.input(*input))).collect(),
            plain,
        }))
    }
}

/// The words of an input up to the last that is not zero.
fn trimmed(mut words: Vec<u64>) -> Vec<u64> {
    let length = words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
    words.truncate(length);
    words
}

/// Runs jobs where what is left in use is noted beside what is seen.
fn graded(
    oracle: &Oracle,
    program: &Path,
    plan: &Plan,
    jobs: &[Job],
    (start, seed): (State, u64),
) -> Result<Result<State, Untestable>, OracleError> {
    let aim = Aim { seed, is_graded: true, ..Aim::default() };
    Ok(oracle.execute(program, plan, jobs, aim, Some(start))?.map(|finished| finished.state))
}

impl Oracle {
    /// A function that was prepared before, to hold answers against.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn reference(
        &self,
        subject: &Subject<'_>,
        kept: &Kept,
    ) -> Result<Result<Reference<'_>, Untestable>, OracleError> {
        let (plan, harness) = match self.harness_again(subject, &kept.made)? {
            Ok(both) => both,
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(Ok(Reference {
            oracle: self,
            object: kept.object.clone(),
            plan,
            harness,
            language: subject.language,
            flags: subject.flags.to_vec(),
            seed: subject.seed,
            state: State::of_known(&kept.inputs, &kept.results, COMPARED),
            in_use: kept.in_use.clone(),
            plain: kept.plain,
        }))
    }
}

impl Reference<'_> {
    /// Grades answers; what became of them stands in the same order.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn grade(&self, answers: &[Variant<'_>]) -> Result<Vec<Grade>, OracleError> {
        let texts: Vec<String> = answers
            .iter()
            .map(|answer| {
                let function = Callee::Itself(answer.function.to_owned());
                answer.text.to_owned() + &self.harness.text(&[function], answer.names)
            })
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let flags = self.oracle.flags(self.language, &self.flags, &[]);
        let compiled = self.oracle.builder.compile(self.language, &flags, &texts)?;
        let folder = self.oracle.builder.folder()?;
        std::fs::write(folder.path().join(OBJECT), &self.object)?;
        let mut grades: Vec<Option<Grade>> = Vec::new();
        let mut objects = Vec::new();
        for (number, assembly) in compiled.into_iter().enumerate() {
            let object = folder.path().join(format!("unit-{number}.o"));
            let built = match assembly {
                Ok(assembly) => self.oracle.builder.assemble(&assembly, &object)?,
                Err(messages) => Err(messages),
            };
            grades.push(built.as_ref().err().map(|messages| Grade::Refused(messages.clone())));
            objects.extend(built.is_ok().then_some((number, object)));
        }
        let built: Vec<usize> = objects.iter().map(|(number, _)| *number).collect();
        for (number, grade) in built.iter().zip(self.of_objects(&objects, &folder)?) {
            grades[*number] = Some(grade);
        }
        let missing = || Grade::Untestable(Untestable::Missing);
        Ok(grades.into_iter().map(|grade| grade.unwrap_or_else(missing)).collect())
    }

    /// The grades of answers that compile; those that spoil the link of the others are linked by themselves.
    fn of_objects(&self, objects: &[(usize, PathBuf)], folder: &TempDir) -> Result<Vec<Grade>, OracleError> {
        if objects.is_empty() {
            return Ok(Vec::new());
        }
        // The function stands behind the answers.
        let mut linked: Vec<PathBuf> = objects.iter().map(|(_, object)| object.clone()).collect();
        linked.push(folder.path().join(OBJECT));
        let program = folder.path().join("program");
        if let Err(messages) = self.oracle.builder.link(self.language, &linked, &program)? {
            if let [_] = objects {
                return Ok(vec![Grade::Unlinked(messages)]);
            }
            let alone = objects.iter().map(|object| self.of_objects(std::slice::from_ref(object), folder));
            return Ok(alone.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect());
        }
        let compared = (0..objects.len() as u64).map(|function| compare(function, 0));
        let start = self.state.at_job(COMPARED, COMPARED, 0).with_inputs(self.plain);
        let state = match self.run(&program, &again(compared), start)? {
            Ok(state) => state,
            Err(reason) => return Ok(vec![Grade::Untestable(reason); objects.len()]),
        };
        let places = 0..objects.len() as u64;
        places.map(|place| self.graded(&program, &state, (place, objects.len() as u64))).collect()
    }

    fn run(&self, program: &Path, jobs: &[Job], start: State) -> Result<Result<State, Untestable>, OracleError> {
        graded(self.oracle, program, &self.plan, jobs, (start, self.seed))
    }

    /// The grade of the answer at a place of the program, which was run on all inputs until one showed a difference.
    fn graded(&self, program: &Path, state: &State, places: (u64, u64)) -> Result<Grade, OracleError> {
        let (mut state, mut row, mut from) = (state.clone(), COMPARED + places.0 as usize, 0);
        let mut quality = Sums::default();
        loop {
            let differs = |input: &u32| {
                let seen = state.seen(row, *input);
                seen.end != End::Never && !seen.is_like(self.state.seen(FIRST, *input))
            };
            let different = (from..self.plain).find(differs);
            for input in from..different.unwrap_or(self.plain) {
                let own = self.in_use.get(input as usize).copied().unwrap_or_default();
                quality.left = quality.left.max(state.in_use(row, input).saturating_sub(own));
                quality.steps += state.steps(row, input);
                quality.own_steps += self.state.steps(FIRST, input);
            }
            let Some(input) = different else {
                let short_of_memory = self.short_of_memory(program, places.0)?;
                return Ok(Grade::Same(Quality { short_of_memory, ..quality.quality() }));
            };
            if let Some(difference) = self.difference(program, places, input, state.seen(row, input).end)? {
                return Ok(Grade::Differs(Box::new(difference)));
            }
            (from, row) = (input + 1, COMPARED);
            let start = self.state.at_job(COMPARED, COMPARED, from).with_inputs(self.plain);
            state = match self.run(program, &again([compare(places.0, from)]), start)? {
                Ok(state) => state,
                Err(reason) => return Ok(Grade::Untestable(reason)),
            };
        }
    }

    /// How an answer ends where memory is short, if that is no good end.
    fn short_of_memory(&self, program: &Path, place: u64) -> Result<Option<End>, OracleError> {
        if self.plain == self.state.kept() {
            return Ok(None);
        }
        let alone = Job { function: place, ..right(FILLS[0], 0) };
        let start = self.state.at_job(COMPARED, COMPARED, self.plain);
        let state = match self.run(program, &again([alone]), start)? {
            Ok(state) => state,
            Err(_) => return Ok(None),
        };
        let ends = (self.plain..self.state.kept()).map(|input| state.seen(COMPARED, input).end);
        Ok(ends.into_iter().find(|end| end.is_fault()))
    }

    /// What differs, readable; none if running both again shows the same.
    fn difference(
        &self,
        program: &Path,
        (answer, function): (u64, u64),
        input: u32,
        new_end: End,
    ) -> Result<Option<Difference>, OracleError> {
        let tell = |function: u64| {
            let fuel = FUEL * MORE_FUEL;
            let job = Job { function, fill: FILLS[0], what: What::Tell, fuel, input: u64::from(input) };
            let aim = Aim { seed: self.seed, is_graded: true, ..Aim::default() };
            let told = self.oracle.execute(program, &self.plan, &[job], aim, Some(self.state.at_job(0, 0, 0)))?;
            Ok::<String, OracleError>(told.map(|told| told.said).unwrap_or_default())
        };
        let (own, new) = (tell(function)?, tell(answer)?);
        let (given, old) = own.split_once("\n== after").unwrap_or((&own, ""));
        let new = new.split_once("\n== after").map_or("", |(_, after)| after);
        if old == new && !old.is_empty() {
            return Ok(None);
        }
        let ends = (self.state.seen(FIRST, input).end, new_end);
        Ok(Some(seen::difference(&self.plan, input, ends, seen::Told { given, old, new })))
    }
}

#[derive(Default)]
struct Sums {
    steps: u64,
    own_steps: u64,
    left: u32,
}

impl Sums {
    fn quality(&self) -> Quality {
        Quality { steps: self.steps as f64 / self.own_steps.max(1) as f64, left: self.left, short_of_memory: None }
    }
}
