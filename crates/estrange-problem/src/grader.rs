//! Grading answers: compiled, linked, run case by case, compared outside.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use estrange_sandbox::{Command, End as RunEnd, Limits, Outcome, Workshop};
use estrange_words::End;
use serde_json::{Value as Json, json};

use crate::build::{self, Answer, Builder, Built, Harness, TESTS, random_word};
use crate::error::GradeError;
use crate::fault;
use crate::graded::{Graded, GradedCase};
use crate::problem::{Case, Cases, Problem, Tests, outcome_json};
use crate::report::{self, How, Reached, TOKEN, Told};
use crate::wire::{self, Seen};
use crate::words::Verdict;

/// After so many time-outs, or processes that took what runs them with them, the other cases are not run.
const PATIENCE: usize = 2;
/// More than this is not taken from a case.
const MOST_TOLD: u64 = 4 << 20;
const MIB: u64 = 1 << 20;

/// What the sanitizer is told. What is freed is kept for a while, within bounds.
const ASAN_OPTIONS: &str = "exitcode=66:symbolize=0:allocator_may_return_null=1:handle_abort=0:detect_leaks=0:\
     detect_odr_violation=0:quarantine_size_mb=16:malloc_context_size=0:detect_stack_use_after_return=0";

/// Grades answers; usable from many threads at once. What calls a problem's function is compiled once a grader.
#[derive(Debug)]
pub struct Grader {
    builder: Builder,
    harnesses: Mutex<HashMap<String, Slot>>,
}

/// A harness, once somebody has made it.
type Slot = Arc<OnceLock<Result<Arc<Harness>, String>>>;

impl Grader {
    /// A grader whose compilers and programs run in this workshop.
    pub fn new(workshop: &Workshop) -> Result<Self, GradeError> {
        Ok(Self { builder: Builder::new(workshop)?, harnesses: Mutex::default() })
    }

    /// Grades an answer: the text of a file that defines the function.
    pub fn grade(&self, problem: &Problem, answer: &str) -> Result<Graded, GradeError> {
        let harness = self.harness(problem)?;
        let (answer, messages, is_by_itself) = match self.build(problem, &harness, answer)? {
            (Built::Linked(answer, messages), is_by_itself) => (answer, messages, is_by_itself),
            (Built::Refused(messages), is_by_itself) => {
                return Ok(Graded::refused(Verdict::DoesNotCompile, messages, is_by_itself));
            }
            (Built::NotLinked(messages), is_by_itself) => {
                return Ok(Graded::refused(Verdict::DoesNotLink, messages, is_by_itself));
            }
        };
        let cases = match &problem.tests {
            Tests::Cases(cases) => self.run_cases(problem, cases, &harness, &answer)?,
            Tests::Program(_) => vec![self.run_program(problem, &harness, &answer)?],
        };
        let failed = cases.iter().find(|case| case.verdict != Verdict::Passed);
        let verdict = failed.map_or(Verdict::Passed, |case| case.verdict);
        if verdict == Verdict::DoesNotLink {
            return Ok(Graded::refused(
                verdict,
                failed.map(|case| case.said.clone()).unwrap_or_default(),
                is_by_itself,
            ));
        }
        Ok(Graded { verdict, messages, is_by_itself, cases })
    }

    /// Grades many answers, so many at once; the same text for the same problem is graded once. The results are in the order of
    /// the answers.
    pub fn grade_all(&self, answers: &[(&Problem, &str)], threads: usize) -> Vec<Result<Graded, GradeError>> {
        let mut first: HashMap<(*const Problem, &str), usize> = HashMap::new();
        let same: Vec<usize> = answers
            .iter()
            .enumerate()
            .map(|(number, (problem, text))| *first.entry((std::ptr::from_ref(*problem), text)).or_insert(number))
            .collect();
        let (next, graded) = (AtomicUsize::new(0), Mutex::new(HashMap::new()));
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, answers.len().max(1)) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some((problem, text)) = answers.get(number) else { break };
                        if same[number] == number {
                            let result = self.grade(problem, text);
                            lock(&graded).insert(number, result);
                        }
                    }
                });
            }
        });
        let mut graded = lock(&graded);
        let mut all: Vec<Option<Result<Graded, GradeError>>> = (0..answers.len()).map(|_| None).collect();
        // From the end, so that what a later one is the same as is still there.
        for number in (0..answers.len()).rev() {
            all[number] = match same[number] == number {
                true => graded.remove(&number),
                false => match graded.get(&same[number]) {
                    Some(Ok(graded)) => Some(Ok(graded.clone())),
                    // What failed is tried again, to have an error of its own.
                    _ => Some(self.grade(answers[number].0, answers[number].1)),
                },
            };
        }
        all.into_iter().flatten().collect()
    }

    /// What calls the problem's function. Problems of the same name may differ, so what they ask for counts.
    fn harness(&self, problem: &Problem) -> Result<Arc<Harness>, GradeError> {
        let interface = match &problem.tests {
            Tests::Cases(cases) => format!("{:?}", cases.interface),
            Tests::Program(program) => format!("{program:?}"),
        };
        let key = format!("{}\0{}\0{}\0{interface}", problem.language, problem.context, problem.signature);
        let slot = lock(&self.harnesses).entry(key).or_default().clone();
        let mut failed = None;
        let made = slot.get_or_init(|| match self.builder.harness(problem) {
            Ok(harness) => Ok(Arc::new(harness)),
            Err(error) => {
                let why = error.to_string();
                failed = Some(error);
                Err(why)
            }
        });
        match (made, failed) {
            (Ok(harness), _) => Ok(harness.clone()),
            (Err(_), Some(error)) => Err(error),
            (Err(why), None) => Err(GradeError::Problem { problem: problem.name.clone(), why: why.clone() }),
        }
    }

    /// Compiles an answer behind what the problem declares. One that declares the same again is compiled by itself.
    fn build(&self, problem: &Problem, harness: &Harness, answer: &str) -> Result<(Built, bool), GradeError> {
        if answer.trim().is_empty() {
            return Ok((Built::NotLinked(build::missing(problem)), false));
        }
        let context = Some(problem.context.as_str()).filter(|context| !context.trim().is_empty());
        let built = self.builder.answer(problem, harness, context, answer)?;
        if let (Built::Refused(messages), Some(_)) = (&built, context)
            && messages.contains("redefinition of")
            && let by_itself @ (Built::Linked(..) | Built::NotLinked(_)) =
                self.builder.answer(problem, harness, None, answer)?
        {
            return Ok((by_itself, true));
        }
        Ok((built, false))
    }

    fn run_cases(
        &self,
        problem: &Problem,
        cases: &Cases,
        harness: &Harness,
        answer: &Answer,
    ) -> Result<Vec<GradedCase>, GradeError> {
        let inputs: Vec<Vec<u8>> = cases
            .cases
            .iter()
            .map(|case| wire::arguments(&cases.interface, &case.arguments, &case.wanted()))
            .collect::<Result<_, _>>()
            .map_err(|why| GradeError::Problem { problem: problem.name.clone(), why })?;
        let ends = self.run(problem, harness, answer, &inputs, &harness.symbols[0])?;
        Ok(cases.cases.iter().zip(ends).map(|(case, end)| judge_case(cases, case, end)).collect())
    }

    fn run_program(&self, problem: &Problem, harness: &Harness, answer: &Answer) -> Result<GradedCase, GradeError> {
        let ends = self.run(problem, harness, answer, &[Vec::new()], "-")?;
        let mut graded = blank(Json::Null, json!("the tests come to the end of main, and it returns 0"));
        match ends.into_iter().next() {
            Some(Ended::Reached(Reached::Returned(code), said)) => {
                let code = code.try_into().map(i64::from_le_bytes).unwrap_or(-1);
                graded.verdict = if code == 0 { Verdict::Passed } else { Verdict::WrongResult };
                graded.got = Some(json!(format!("main returned {code}")));
                graded.said = said;
            }
            Some(end) => judge_end(&mut graded, end),
            None => {}
        }
        Ok(graded)
    }

    /// Runs all cases, in as few runs of the sandbox as there have to be: one, unless a case ends what runs it.
    fn run(
        &self,
        problem: &Problem,
        harness: &Harness,
        answer: &Answer,
        inputs: &[Vec<u8>],
        target: &str,
    ) -> Result<Vec<Ended>, GradeError> {
        let (mut ends, mut trouble) = (Vec::new(), 0);
        while ends.len() < inputs.len() && trouble < PATIENCE {
            let first = ends.len();
            // Where the last one was trouble, the next one is run by itself, so that this can be counted.
            let until = if trouble > 0 { first + 1 } else { inputs.len() };
            let token = token();
            let outcome = self.run_once(problem, harness, answer, &inputs[first..until], target, (first, &token))?;
            let (told, is_all) = report::read(&outcome.stdout, &token);
            let in_order = told.into_iter().enumerate().take_while(|(at, told)| told.case == first + at);
            for (_, told) in in_order {
                trouble += usize::from(told.how == How::TimedOut);
                ends.push(Ended::of(told));
                if trouble >= PATIENCE {
                    break;
                }
            }
            if !is_all && ends.len() < until && trouble < PATIENCE {
                trouble += 1;
                ends.push(Ended::lost(outcome)?);
            }
        }
        ends.truncate(inputs.len());
        ends.resize_with(inputs.len(), || Ended::NotRun);
        Ok(ends)
    }

    fn run_once(
        &self,
        problem: &Problem,
        harness: &Harness,
        answer: &Answer,
        inputs: &[Vec<u8>],
        target: &str,
        (first, token): (usize, &[u8; TOKEN]),
    ) -> Result<Outcome, GradeError> {
        let seconds = problem.bounds.seconds.clamp(0.1, 3600.0);
        let wall = seconds * 4.0 + 5.0;
        let mut stdin = token.to_vec();
        let numbers = [(seconds * 1000.0) as u64, (wall * 1000.0) as u64, MOST_TOLD, inputs.len() as u64, first as u64];
        numbers.iter().for_each(|number| stdin.extend(number.to_le_bytes()));
        for input in inputs {
            stdin.extend((input.len() as u64).to_le_bytes());
            stdin.extend(input);
        }
        let limits = Limits {
            // Time-outs end the run before: only what stops what runs it takes so long.
            wall: Duration::from_secs_f64(20.0 + wall * (PATIENCE + 1) as f64 + seconds * inputs.len() as f64),
            memory: problem.bounds.mebibytes.saturating_mul(MIB),
            processes: 64,
            output: 256 * MIB,
            disk: 16 * MIB,
            files: 256,
        };
        let command = Command::new("/input/run")
            .input(self.builder.program(), "run")
            .input(&answer.library, "answer.so")
            .input(&harness.library, "harness.so")
            .arguments(["/input/answer.so", "/input/harness.so", &harness.entry, target])
            .stdin(stdin)
            .limits(limits)
            .fixed_addresses(true)
            .sanitized()
            .environment("ASAN_OPTIONS", ASAN_OPTIONS);
        let outcome = self.builder.workshop().sandbox().run(&command)?;
        match &outcome.end {
            RunEnd::CouldNotStart(why) => Err(GradeError::NotRun(why.clone())),
            _ => Ok(outcome),
        }
    }
}

/// How a case ended.
enum Ended {
    /// It got to its end, or said why it cannot begin. And what was said on standard error.
    Reached(Reached, String),
    /// It did not.
    Short(How, String),
    /// It took what runs it with it, or took too much for both.
    Over(Verdict, String),
    NotRun,
}

impl Ended {
    fn of(told: Told) -> Self {
        match (told.end, told.how) {
            (_, how @ (How::TimedOut | How::OverOutput)) => Self::Short(how, told.said),
            (Some(reached), How::Exited(0)) => Self::Reached(reached, told.said),
            (_, how) => Self::Short(how, told.said),
        }
    }

    /// The case in whose time the run itself ended.
    fn lost(outcome: Outcome) -> Result<Self, GradeError> {
        let verdict = match outcome.end {
            RunEnd::OverMemory => Verdict::OverMemory,
            RunEnd::OverOutput => Verdict::OverOutput,
            RunEnd::TimedOut => Verdict::TimedOut,
            // What runs answers says so where it cannot go on.
            RunEnd::Exited(code @ 91..=94) => {
                let said = String::from_utf8_lossy(&outcome.stderr);
                return Err(GradeError::NotRun(format!("it ended with code {code}: {said}")));
            }
            _ => Verdict::EndedEarly,
        };
        Ok(Self::Over(verdict, format!("what runs the answer {}", outcome.end)))
    }
}

fn blank(arguments: Json, expected: Json) -> GradedCase {
    GradedCase { verdict: Verdict::NotRun, arguments, expected, got: None, fault: None, said: String::new() }
}

fn judge_case(cases: &Cases, case: &Case, end: Ended) -> GradedCase {
    let interface = &cases.interface;
    let mut graded = blank(case.arguments_json(interface), case.expected_json(interface));
    let Ended::Reached(Reached::Returned(bytes), said) = end else {
        judge_end(&mut graded, end);
        return graded;
    };
    graded.said = said;
    match wire::seen(interface, &case.arguments, &case.wanted(), &bytes) {
        Ok(seen) => {
            let is_right = is_expected(cases, case, &seen);
            graded.verdict = if is_right { Verdict::Passed } else { Verdict::WrongResult };
            let result = seen.result.as_ref().filter(|_| case.result.is_some());
            graded.got = Some(outcome_json(interface, result, &seen.outputs));
        }
        Err(why) => {
            graded.verdict = Verdict::WrongResult;
            graded.said = why;
        }
    }
    graded
}

fn is_expected(cases: &Cases, case: &Case, seen: &Seen) -> bool {
    let (interface, compare) = (&cases.interface, cases.compare);
    let result = match (&case.result, &seen.result, interface.result_type()) {
        (Some(expected), Some(got), Some(of)) => got.is_as(expected, &of, compare),
        (expected, ..) => expected.is_none(),
    };
    result
        && case.outputs.iter().enumerate().all(|(number, expected)| match (expected, &seen.outputs[number]) {
            (Some(expected), Some(got)) => got.is_as(expected, &interface.value_type(number), compare),
            (expected, _) => expected.is_none(),
        })
}

/// What is to be said of a case that did not return.
fn judge_end(graded: &mut GradedCase, end: Ended) {
    const SIGABRT: i32 = 6;
    const SANITIZER: i32 = 66;
    let (verdict, fault, said) = match end {
        Ended::Reached(Reached::Threw(what), _) => (Verdict::Threw, Some(End::Threw), what),
        Ended::Reached(Reached::NotLoaded(why), _) => (Verdict::DoesNotLink, None, why),
        Ended::Reached(Reached::Returned(_), said) => (Verdict::EndedEarly, None, said),
        Ended::NotRun => (Verdict::NotRun, None, String::new()),
        Ended::Over(verdict, said) => (verdict, None, said),
        Ended::Short(How::TimedOut, said) => (Verdict::TimedOut, Some(End::Endless), said),
        Ended::Short(How::OverOutput, said) => (Verdict::OverOutput, None, said),
        Ended::Short(How::Signalled(SIGABRT), said)
            if said.contains(&format!("{TESTS}:")) && said.contains(": Assertion `") =>
        {
            (Verdict::WrongResult, None, said)
        }
        Ended::Short(How::Signalled(SIGABRT), said) if said.contains("terminate called after throwing") => {
            (Verdict::Threw, Some(End::Threw), said)
        }
        Ended::Short(How::Signalled(SIGABRT), said) => (Verdict::Crashed, Some(End::Aborted), said),
        Ended::Short(How::Signalled(signal), said) => {
            (Verdict::Crashed, Some(End::Died), format!("{said}the process was ended by signal {signal}"))
        }
        Ended::Short(How::Exited(SANITIZER), said) => match fault::find(&said) {
            _ if said.contains("AddressSanitizer: requested allocation size")
                || said.contains("AddressSanitizer: out of memory") =>
            {
                (Verdict::OverMemory, None, said)
            }
            Some(fault) => (Verdict::Crashed, Some(fault), fault::without_map(&said)),
            None => (Verdict::EndedEarly, Some(End::Exited), format!("{said}the process exited with code {SANITIZER}")),
        },
        Ended::Short(How::Exited(code), said) => {
            (Verdict::EndedEarly, Some(End::Exited), format!("{said}the process exited with code {code}"))
        }
    };
    (graded.verdict, graded.fault, graded.said) = (verdict, fault, said);
}

fn token() -> [u8; TOKEN] {
    let mut token = [0; TOKEN];
    token.copy_from_slice(&random_word().as_bytes()[..TOKEN]);
    token
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Whoever panicked while holding it had not begun to write.
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
