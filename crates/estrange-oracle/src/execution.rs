//! Running a program of the harness in the sandbox, again and again until all its jobs are done.

use std::fs;
use std::path::Path;
use std::time::Duration;

use estrange_sandbox::{Command, Limits, Sandbox, Usage};
use estrange_words::End;

use crate::plan::{Job, What};

/// The layout of `struct state` in `runtime/state.c`.
const JOB: usize = 1;
const INPUT: usize = 2;
const TRIES: usize = 3;
const KEPT: usize = 4;
const DONE: usize = 6;
const COST: usize = 7;
const RETURNED: usize = 8;
const HEADER: usize = 14 * 8;
pub(crate) const MARKS: usize = 4096;
const RELATIONS: usize = 4 * 8192 + 2 * 8192;
const MOST_INPUTS: usize = 640;
const MEMORY_IS_SHORT: u32 = 1 << 31;
const INPUT_SIZE: usize = 8 * (3 + 3 * 24);
const INPUTS: usize = HEADER + MARKS + RELATIONS;
const RESULTS: usize = INPUTS + (MOST_INPUTS + 1) * INPUT_SIZE;
const RESULT_SIZE: usize = 16;
const ROW: usize = MOST_INPUTS * RESULT_SIZE + MARKS;

/// The most that a program tells.
const MOST_SAID: u64 = 32 << 20;

/// The most times that a program is started for one set of jobs.
const MOST_STARTS: u32 = 40;

/// What the harness has done so far.
#[derive(Debug, Clone)]
pub(crate) struct State {
    bytes: Vec<u8>,
}

/// What one call did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Stands for all that was observed.
    pub(crate) hash: u64,
    /// How it ended.
    pub(crate) end: End,
}

impl Seen {
    /// Whether it counts as the same as another.
    pub(crate) fn is_like(self, other: Self) -> bool {
        self.hash == other.hash && self.end.is_like(other.end)
    }
}

/// Why a program did not come to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExecutionError {
    #[error(transparent)]
    Sandbox(#[from] estrange_sandbox::Error),
    #[error("files for the sandbox: {0}")]
    Folder(#[from] std::io::Error),
    #[error("{0}")]
    Harness(String),
}

impl State {
    fn word(&self, at: usize) -> u64 {
        let bytes = self.bytes.get(at * 8..at * 8 + 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u64::from_le_bytes)
    }

    fn set(&mut self, at: usize, value: u64) {
        if let Some(bytes) = self.bytes.get_mut(at * 8..at * 8 + 8) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// One input, as the harness has it.
    pub(crate) fn of_input(words: &[u64]) -> Self {
        let mut state = Self { bytes: vec![0; RESULTS] };
        for (index, word) in words.iter().take(INPUT_SIZE / 8).enumerate() {
            state.set(INPUTS / 8 + index, *word);
        }
        state.set(KEPT, 1);
        state
    }

    /// An input, as the harness has it.
    pub(crate) fn input(&self, number: u32) -> Vec<u64> {
        let from = (INPUTS + number as usize * INPUT_SIZE) / 8;
        (from..from + INPUT_SIZE / 8).map(|word| self.word(word)).collect()
    }

    /// Inputs, and what a function did on each: the same in as many rows as that is compared with.
    pub(crate) fn of_known(inputs: &[Vec<u64>], results: &[[u64; 2]], rows: usize) -> Self {
        let mut state = Self { bytes: vec![0; RESULTS + rows * ROW] };
        for (number, (input, result)) in inputs.iter().zip(results).take(MOST_INPUTS).enumerate() {
            for (index, word) in input.iter().take(INPUT_SIZE / 8).enumerate() {
                state.set((INPUTS + number * INPUT_SIZE) / 8 + index, *word);
            }
            for row in 0..rows {
                let at = (RESULTS + row * ROW + number * RESULT_SIZE) / 8;
                state.set(at, result[0]);
                state.set(at + 1, result[1]);
            }
        }
        state.set(KEPT, inputs.len().min(MOST_INPUTS) as u64);
        state
    }

    /// What a job noted of an input, as the harness has it: what it saw, how it ended, and its steps.
    pub(crate) fn result(&self, job: usize, input: u32) -> [u64; 2] {
        let at = (RESULTS + job * ROW + input as usize * RESULT_SIZE) / 8;
        [self.word(at), self.word(at + 1)]
    }

    /// How many steps a job took on an input.
    pub(crate) fn steps(&self, job: usize, input: u32) -> u64 {
        self.result(job, input)[1] >> 32
    }

    /// How many bytes were in use after a job was done with an input, where it was for grades.
    pub(crate) fn in_use(&self, job: usize, input: u32) -> u32 {
        self.graded(job, input) & !MEMORY_IS_SHORT
    }

    /// Whether an input may take memory away, where a job was for grades.
    pub(crate) fn is_memory_short(&self, job: usize, input: u32) -> bool {
        self.graded(job, input) & MEMORY_IS_SHORT != 0
    }

    fn graded(&self, job: usize, input: u32) -> u32 {
        let bytes = self.marks_of(job).get(input as usize * 4..).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    /// So many of the inputs, from the first on.
    pub(crate) fn with_inputs(mut self, count: u32) -> Self {
        self.set(KEPT, u64::from(count));
        self
    }

    /// How many inputs were tried.
    pub(crate) fn tries(&self) -> u32 {
        self.word(TRIES) as u32
    }

    /// How many inputs were kept.
    pub(crate) fn kept(&self) -> u32 {
        self.word(KEPT) as u32
    }

    /// The marks that were reached.
    pub(crate) fn marks(&self) -> &[u8] {
        self.bytes.get(HEADER..HEADER + MARKS).unwrap_or_default()
    }

    /// The marks that a job reached.
    pub(crate) fn marks_of(&self, job: usize) -> &[u8] {
        let at = RESULTS + job * ROW + MOST_INPUTS * RESULT_SIZE;
        self.bytes.get(at..at + MARKS).unwrap_or_default()
    }

    /// The same results, with the inputs of another.
    pub(crate) fn with_inputs_of(mut self, other: &Self) -> Self {
        let inputs = HEADER + MARKS + RELATIONS..RESULTS;
        if let (Some(own), Some(theirs)) = (self.bytes.get_mut(inputs.clone()), other.bytes.get(inputs)) {
            own.copy_from_slice(theirs);
        }
        self.set(KEPT, other.word(KEPT));
        self
    }

    /// The same inputs, for a search of so many marks: of what was reached these marks are known, and all that is not
    /// wanted counts as reached.
    pub(crate) fn for_search(&self, all: u32, marks: &[u8], wanted: &[u32]) -> Self {
        let mut state = self.at_job(0, 0, 0);
        let searched = HEADER..HEADER + MARKS + RELATIONS;
        state.bytes[searched].fill(0);
        for number in 0..MARKS {
            let is_wanted = wanted.contains(&(number as u32));
            state.bytes[HEADER + number] = if is_wanted { marks.get(number).copied().unwrap_or(0) } else { 3 };
        }
        state.set(RETURNED, u64::from(all).saturating_sub(wanted.len() as u64));
        state.set(TRIES, 0);
        state.set(COST, 0);
        state
    }

    /// What a job saw of an input.
    pub(crate) fn seen(&self, job: usize, input: u32) -> Seen {
        let at = RESULTS + job * ROW + input as usize * RESULT_SIZE;
        let end = self.bytes.get(at + 8..at + 12).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
        Seen { hash: self.word(at / 8), end: End::ALL.get(end as usize).copied().unwrap_or(End::Died) }
    }

    /// Notes that a call ended the process.
    fn set_died(&mut self, job: usize, input: u32) {
        let at = RESULTS + job * ROW + input as usize * RESULT_SIZE;
        self.set(at / 8, 0);
        if let Some(bytes) = self.bytes.get_mut(at + 8..at + 12) {
            bytes.copy_from_slice(&(End::Died as u32).to_le_bytes());
        }
    }

    /// The same inputs and results of the first jobs, with the work going on at another job and input.
    pub(crate) fn at_job(&self, jobs_kept: usize, job: usize, input: u32) -> Self {
        let length = (RESULTS + jobs_kept * ROW).min(self.bytes.len());
        let mut state = Self { bytes: self.bytes[..length].to_vec() };
        state.set(JOB, job as u64);
        state.set(INPUT, u64::from(input));
        state.set(DONE, 0);
        state
    }
}

/// What a finished program left.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) state: State,
    /// What it was to tell, if it was.
    pub(crate) said: String,
    /// Processor time.
    pub(crate) usage: Usage,
}

/// Runs all jobs of a plan. A call that ends the process is noted as such, and the next process goes on behind it.
pub(crate) fn execute(
    sandbox: &Sandbox,
    program: &Path,
    plan: &[u8],
    state: Option<State>,
    jobs: &[Job],
) -> Result<Finished, ExecutionError> {
    let folder = program.parent().unwrap_or(Path::new("."));
    let plan_file = folder.join("plan");
    let state_file = folder.join("state");
    fs::write(&plan_file, plan)?;
    let limits =
        Limits { wall: Duration::from_secs(60), memory: 1 << 30, output: 1 << 20, processes: 16, ..Limits::default() };
    // A search comes upon the same inputs every time. What is compared must not depend on addresses: they are others then.
    let is_search = jobs.iter().any(|job| matches!(job.what, What::Explore | What::Hunt | What::Seek | What::Mend));
    let mut state = state;
    let mut usage = Usage::default();
    let mut said = String::new();
    for starts in 0..MOST_STARTS {
        let mut command = Command::new("/input/program")
            .input(program, "program")
            .input(&plan_file, "plan")
            .argument("/input/plan")
            .limits(limits)
            .sanitized()
            .fixed_addresses(is_search)
            .keep_scratch();
        if let Some(state) = &state {
            fs::write(&state_file, &state.bytes)?;
            command = command.input(&state_file, "state").argument("/input/state");
        }
        let outcome = sandbox.run(&command)?;
        usage.cpu += outcome.usage.cpu;
        usage.wall += outcome.usage.wall;
        let scratch = outcome.scratch.as_ref();
        let bytes = scratch.and_then(|scratch| scratch.read("state", 64 << 20).ok()).unwrap_or_default();
        if bytes.len() < RESULTS {
            let words = String::from_utf8_lossy(&outcome.stderr).into_owned();
            return Err(ExecutionError::Harness(format!("{}: {words}", outcome.end)));
        }
        let mut after = State { bytes };
        // What a call told that ended the process counts, too.
        if let Some(bytes) = scratch.and_then(|scratch| scratch.read("said", MOST_SAID).ok()) {
            said = String::from_utf8_lossy(&bytes).into_owned();
        }
        if after.word(DONE) != 0 {
            return Ok(Finished { state: after, said, usage });
        }
        let (job, input) = (after.word(JOB) as usize, after.word(INPUT) as u32);
        tracing::debug!(job, input, end = %outcome.end, said = %String::from_utf8_lossy(&outcome.stderr), "the harness died");
        match jobs.get(job).map_or(What::Run, |job| job.what) {
            // The search goes on with the next input by itself, or is content with what it has.
            What::Explore if starts > MOST_STARTS / 2 && after.kept() > 0 => {
                return Ok(Finished { state: after, said: String::new(), usage });
            }
            What::Explore => {}
            What::Run => {
                after.set_died(job, input);
                after.set(INPUT, u64::from(input) + 1);
            }
            What::Hunt | What::Seek | What::Exhaust | What::Mend => {
                after.set(JOB, job as u64 + 1);
                after.set(INPUT, 0);
            }
            What::Compare | What::Tell | What::Save => {
                after.set_died(job, input);
                after.set(JOB, job as u64 + 1);
                after.set(INPUT, 0);
            }
        }
        state = Some(after);
    }
    Err(ExecutionError::Harness(format!("it had to be started more than {MOST_STARTS} times")))
}
