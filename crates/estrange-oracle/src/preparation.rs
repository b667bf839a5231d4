//! Preparing a function: its program is built, inputs are searched, and what they are worth is measured by wrong edits.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use estrange_clang::{Body, NodeKind, Tree};
use estrange_evidence::Compiler;
use estrange_unit::ParserLoss;
use estrange_words::{End, Language};
use tempfile::TempDir;

use crate::callee::Callee;
use crate::copies;
use crate::coverage::Coverage;
use crate::edits::{Edit, edited};
use crate::execution::State;
use crate::exhaustive::has_few_inputs;
use crate::harness::Harness;
use crate::instance::{Instance, TYPES};
use crate::keeping::keeps_nothing;
use crate::kills::{self, Planted};
use crate::mutants::Mutant;
use crate::oracle::{
    Aim, COMPARED, FILLS, FIRST, FUEL, MUTANT_FUEL, Made, Oracle, OracleError, Prepared, Subject, program_of, right,
};
use crate::plan::{Job, Plan, What};
use crate::planner::{self, Making};
use crate::program::{COMPARISONS, SANITIZERS};
use crate::record::{Cause, Record, Share, Untestable};
use crate::replay::Replay;
use crate::same_code::{Around, have_same_code};
use crate::side::Shared;
use crate::usage::{Usage, named};

/// A function on its way to be prepared.
struct Preparation<'o, 's> {
    oracle: &'o Oracle,
    subject: &'s Subject<'s>,
    tree: Tree,
    body: usize,
    /// What of a template is run.
    instance: Option<Instance>,
}

/// The program of the original, with its copies.
struct Program {
    folder: TempDir,
    plan: Plan,
    harness: Harness,
    coverage: Coverage,
    /// Whether there is a copy that tells what is reached.
    has_marks: bool,
    planted: Vec<Planted>,
    /// How many wrong edits there would be if the function could be copied.
    unjudged: u32,
}

/// What became of a program's text.
struct Built {
    outcome: Result<(), Untestable>,
    /// The lines of each copy.
    lines: Vec<Range<usize>>,
}

type Tried<T> = Result<Result<T, Untestable>, OracleError>;

/// The value; a reason why the function cannot be run is the result.
macro_rules! or_reason {
    ($tried:expr) => {
        match $tried? {
            Ok(value) => value,
            Err(reason) => return Ok(Err(reason)),
        }
    };
}

impl Oracle {
    /// Makes a harness for a function, finds inputs, and measures what they are worth.
    ///
    /// # Errors
    /// When the oracle itself cannot work. What is wrong with the function is a value.
    pub fn original(&self, subject: &Subject<'_>) -> Result<Result<Prepared<'_>, Untestable>, OracleError> {
        found(self, subject, &TYPES, |preparation| preparation.prepare())
    }

    /// Makes a harness for a function that is to be run on given inputs, and looks for none.
    ///
    /// # Errors
    /// When the oracle itself cannot work. What is wrong with the function is a value.
    pub fn replay(&self, subject: &Subject<'_>) -> Result<Result<Replay<'_>, Untestable>, OracleError> {
        found(self, subject, &TYPES, |preparation| preparation.replay())
    }

    /// The harness of a function that was prepared before.
    pub(crate) fn harness_again(
        &self,
        subject: &Subject<'_>,
        made: &Made,
    ) -> Result<Result<(Plan, Harness), Untestable>, OracleError> {
        let types: Vec<&str> = made.type_.iter().map(String::as_str).collect();
        found(self, subject, &types, |preparation| Ok(preparation.harness(made.making)))
    }
}

/// What the harness of C++ needs and some projects do without. Their own code does the same with it.
const HARNESS_NEEDS: [&str; 2] = ["-fno-exceptions", "-fno-rtti"];

/// Finds a function in its text, and does something with it; with a template, for the first of some types for which that can
/// be done.
fn found<'o, T>(
    oracle: &'o Oracle,
    subject: &Subject<'_>,
    types: &[&str],
    work: impl Fn(&Preparation<'o, '_>) -> Tried<T>,
) -> Tried<T> {
    let flags: Vec<String> =
        subject.flags.iter().filter(|flag| !HARNESS_NEEDS.contains(&flag.as_str())).cloned().collect();
    let subject = &Subject { flags: &flags, ..*subject };
    let mut arguments = vec![subject.language.flag().to_owned()];
    arguments.extend(subject.flags.iter().cloned());
    let tree = match oracle.parser.tree(subject.text, &arguments) {
        Ok(tree) => tree,
        Err(loss @ ParserLoss::Unavailable(_)) => return Err(loss.into()),
        Err(loss) => return Ok(Err(Untestable::Refused(loss.to_string()))),
    };
    let Some(body) = function_of(&tree, subject) else { return Ok(Err(Untestable::Missing)) };
    if !tree.functions[body].is_template {
        return work(&Preparation { oracle, subject, tree, body, instance: None });
    }
    // The first type with which it compiles. What is private is ours, too.
    arguments.push("-fno-access-control".to_owned());
    for type_ in types {
        let Some(lines) = Instance::lines(&tree, &tree.functions[body], type_) else { break };
        let with_lines = oracle.parser.tree(&format!("{}{lines}", subject.text), &arguments);
        let Some(tree) = with_lines.ok().filter(|tree| tree.troubles.is_empty()) else { continue };
        let there = tree.functions.get(body);
        let Some(instance) = there.and_then(|body| Instance::find(&tree, body, type_)) else { continue };
        match work(&Preparation { oracle, subject, tree, body, instance: Some(instance) })? {
            Err(Untestable::Refused(_)) => {}
            prepared => return Ok(prepared),
        }
    }
    Ok(Err(Untestable::Template))
}

/// Which function of a tree is meant.
pub(crate) fn function_of(tree: &Tree, subject: &Subject<'_>) -> Option<usize> {
    let wanted = without_arguments(subject.function);
    let is_it = |body: &Body| {
        let thing = tree.thing(body.thing);
        let names = [&thing.name, &thing.qualified_name].map(|name| without_arguments(name));
        // What a class makes by itself has no body.
        (body.body.is_some() || subject.language == Language::Cpp) && names.contains(&wanted)
    };
    let is_there = |body: &Body| subject.at.is_some_and(|at| body.start as usize <= at + 1 && at < body.end as usize);
    let bodies = || tree.functions.iter().enumerate().filter(|(_, body)| is_it(body));
    let there = bodies().rfind(|(_, body)| is_there(body));
    there.or_else(|| bodies().next()).map(|(body, _)| body)
}

/// The name of a constructor without what its template takes, which parsers write in several ways.
fn without_arguments(name: &str) -> &str {
    let is_operator = name.rsplit("::").next().is_some_and(|last| last.starts_with("operator"));
    name.split('<').next().filter(|_| !is_operator).unwrap_or(name)
}

impl<'o> Preparation<'o, '_> {
    fn body(&self) -> &Body {
        &self.tree.functions[self.body]
    }

    /// Prepares the function with objects by their constructors, or else by their members.
    fn prepare(&self) -> Tried<Prepared<'o>> {
        let by_code = self.prepare_with(Making::Constructors)?;
        match by_code {
            Err(Untestable::Unlinked(_) | Untestable::Refused(_) | Untestable::Type(_))
                if self.subject.language == Language::Cpp =>
            {
                Ok(self.prepare_with(Making::Members)?.or(by_code))
            }
            by_code => Ok(by_code),
        }
    }

    fn prepare_with(&self, making: Making) -> Tried<Prepared<'o>> {
        let mut program = or_reason!(self.program(making));
        let state = or_reason!(self.inputs(&mut program));
        let record = self.record(&program, &state);
        if record.not_repeatable == record.kept {
            return Ok(Err(Untestable::NotRepeatable));
        }
        let shared = Shared::of(&self.tree, self.subject.text, self.body(), &program.coverage, state.marks());
        let is_small = has_few_inputs(&program.plan);
        let itself = Callee::Itself(self.tree.thing(self.body().thing).name.clone());
        let is_wrong = |planted: &&Planted| planted.is_judge && !planted.is_same;
        let wrong = program.planted.iter().filter(is_wrong);
        let wrong =
            wrong.map(|planted| edited(self.subject.text, self.body().start, self.body().end, &planted.mutant.edits));
        let wrong = wrong.collect();
        let original = self.subject.text.to_owned() + &program.harness.text(&[itself], &BTreeMap::new());
        Ok(Ok(Prepared {
            oracle: self.oracle,
            folder: program.folder,
            plan: program.plan,
            harness: program.harness,
            original,
            language: self.subject.language,
            flags: self.subject.flags.to_vec(),
            seed: self.subject.seed,
            state,
            record,
            shared,
            is_small: is_small && keeps_nothing(&self.tree),
            wrong,
            made: Made { making, type_: self.instance.as_ref().map(|instance| instance.given.clone()) },
        }))
    }

    /// The harness of the function alone, with objects by their constructors, or else by their members.
    fn replay(&self) -> Tried<Replay<'o>> {
        let by_code = self.replay_with(Making::Constructors)?;
        match by_code {
            Err(_) if self.subject.language == Language::Cpp => Ok(self.replay_with(Making::Members)?.or(by_code)),
            by_code => Ok(by_code),
        }
    }

    fn replay_with(&self, making: Making) -> Tried<Replay<'o>> {
        let (plan, harness) = match self.harness(making) {
            Ok(both) => both,
            Err(reason) => return Ok(Err(reason)),
        };
        let replay = Replay {
            oracle: self.oracle,
            plan,
            harness,
            text: self.subject.text.to_owned(),
            function: self.tree.thing(self.body().thing).name.clone(),
            language: self.subject.language,
            flags: self.subject.flags.to_vec(),
        };
        // Objects are made in another way if this one does not compile.
        let built = replay.build(None, Compiler::Gcc)?.map(|_| ());
        Ok(built.map(|()| replay))
    }

    /// What is to be known of the function, and the lines that call it.
    fn harness(&self, making: Making) -> Result<(Plan, Harness), Untestable> {
        let Subject { text, language, .. } = *self.subject;
        let (usage, instance) = (Usage::of(&self.tree), self.instance.as_ref());
        let plan = planner::plan(&self.tree, text, self.body(), &usage, language, making, instance)?;
        let harness = Harness::of(&self.tree, text, self.body(), &plan, language, instance);
        Ok((plan, harness))
    }

    /// Builds the program, without those copies that do not compile.
    fn program(&self, making: Making) -> Tried<Program> {
        let Subject { text, language, .. } = *self.subject;
        let (plan, harness) = match self.harness(making) {
            Ok(both) => both,
            Err(reason) => return Ok(Err(reason)),
        };
        let coverage = Coverage::of(&self.tree, text, &[self.body()], language, &[]);
        let planted = kills::draw(self.oracle, self.subject, &self.tree, self.body());
        let has_marks = coverage.marks() > 0;
        let folder = self.oracle.builder.folder()?;
        let drawn = planted.len() as u32;
        let mut program = Program { folder, plan, harness, coverage, has_marks, planted, unjudged: 0 };
        if copies::with_copies(&self.tree, text, self.body(), language, &[&[]]).is_none() {
            (program.planted, program.has_marks) = (Vec::new(), false);
        }
        loop {
            let Built { outcome, lines } = self.build(&program)?;
            let Err(reason) = outcome else {
                // In C++ a function may be such that no copy of it compiles.
                if program.planted.is_empty() && language == Language::Cpp {
                    program.unjudged = drawn;
                }
                return Ok(Ok(program));
            };
            // The compiler tells all that is wrong at once.
            let marks = usize::from(program.has_marks);
            let is_less = match &reason {
                Untestable::Refused(messages) => {
                    let lines = lines.get(marks..).unwrap_or_default();
                    kills::leave_out_refused(&mut program.planted, messages, lines)
                }
                Untestable::Unlinked(messages) => {
                    let symbols: Vec<String> =
                        (0..program.planted.len()).map(|number| self.symbol(number + marks)).collect();
                    kills::leave_out_unlinked(&mut program.planted, messages, &symbols)
                }
                _ => false,
            };
            if is_less {
                continue;
            }
            // Marks that do not compile are left out: then nothing is known of what inputs reach.
            if !program.has_marks || !matches!(reason, Untestable::Refused(_)) {
                return Ok(Err(reason));
            }
            program.has_marks = false;
        }
    }

    /// What the symbols of a copy have in their names.
    fn symbol(&self, number: usize) -> String {
        let body = self.body();
        copies::symbol(body.kind, self.subject.language, &self.tree.thing(body.thing).name, number)
    }

    /// Builds the program as it is now; tells the lines of its copies.
    fn build(&self, program: &Program) -> Result<Built, OracleError> {
        let Subject { text, language, flags, .. } = *self.subject;
        let marked = program.has_marks.then_some(&program.coverage.edits[..]);
        let wrong = program.planted.iter().map(|planted| &planted.mutant.edits[..]);
        let all: Vec<&[Edit]> = marked.into_iter().chain(wrong).collect();
        let copied = copies::with_copies(&self.tree, text, self.body(), language, &all);
        let (mut text, lines) = match copied {
            Some(copied) => (copied.text, copied.lines),
            None if all.is_empty() => (text.to_owned(), Vec::new()),
            None => {
                let reason = Untestable::Refused("it cannot be copied".to_owned());
                return Ok(Built { outcome: Err(reason), lines: Vec::new() });
            }
        };
        let name = self.tree.thing(self.body().thing).name.clone();
        let functions: Vec<Callee> =
            [Callee::Itself(name)].into_iter().chain((0..all.len()).map(Callee::Copy)).collect();
        text.push_str(&program.harness.text(&functions, &BTreeMap::new()));
        let flags = self.oracle.flags(language, flags, &[COMPARISONS]);
        let built = program_of(self.oracle, language, &flags, &[&text], program.folder.path())?;
        let outcome = built.and_then(|each| each.into_iter().next().unwrap_or(Ok(())));
        Ok(Built { outcome, lines })
    }

    /// Runs jobs from a state on.
    fn run(&self, program: &Program, jobs: &[Job], state: Option<State>) -> Tried<State> {
        let marks = if program.has_marks { program.coverage.marks() } else { 0 };
        let path: &Path = &program.folder.path().join("program");
        let aim = Aim { seed: self.subject.seed, marks, ..Aim::default() };
        let finished = self.oracle.execute(path, &program.plan, jobs, aim, state)?;
        Ok(finished.map(|finished| finished.state))
    }

    /// Searches inputs, and notes what becomes of the wrong edits on them.
    fn inputs(&self, program: &mut Program) -> Tried<State> {
        let explore =
            Job { function: u64::from(program.has_marks), fill: FILLS[0], what: What::Explore, fuel: FUEL, input: 0 };
        let mut state = or_reason!(self.run(program, &[explore], None));
        if state.kept() == 0 {
            return Ok(Err(Untestable::NeverReturns));
        }
        state = or_reason!(self.judge(program, state));
        let around = Around::first(self.subject.language, &self.tree, self.body());
        self.leave_out_same_code(program, around)?;
        state = or_reason!(self.hunt(program, state, |planted| !planted.is_judge));
        program.planted.iter_mut().for_each(|planted| planted.was_killed = planted.is_killed);
        state = or_reason!(self.hunt(program, state, |planted| planted.is_judge));
        if around == Around::Near {
            self.leave_out_same_code(program, Around::All)?;
        }
        Ok(Ok(state))
    }

    /// Finds out which edits are not wrong. Only those that were not seen can have the same code.
    fn leave_out_same_code(&self, program: &mut Program, around: Around) -> Result<(), OracleError> {
        let unseen = || program.planted.iter().filter(|planted| planted.is_unseen());
        let mutants: Vec<&Mutant> = unseen().map(|planted| &planted.mutant).collect();
        let (tree, body) = (&self.tree, self.body());
        let same = have_same_code(self.oracle, self.subject, tree, body, &program.harness, &mutants, around)?;
        let unseen = program.planted.iter_mut().filter(|planted| planted.is_unseen());
        unseen.zip(same).for_each(|(planted, is_same)| planted.is_same = is_same);
        Ok(())
    }

    /// Searches inputs that show some of the wrong edits that were not seen, and looks which of these are seen now.
    fn hunt(&self, program: &mut Program, state: State, is_hunted: impl Fn(&Planted) -> bool) -> Tried<State> {
        let hunted = program.planted.iter().enumerate();
        let hunted = hunted.filter(|(_, planted)| planted.is_unseen() && is_hunted(planted));
        let hunts: Vec<Job> = hunted.map(|(number, _)| wrong(program, number, What::Hunt, FUEL)).collect();
        if hunts.is_empty() {
            return Ok(Ok(state));
        }
        let jobs: Vec<Job> = [right(FILLS[0], 0)].into_iter().chain(hunts).collect();
        // Without it the inputs are those that were found before.
        match self.run(program, &jobs, Some(state.at_job(0, 0, 0)))? {
            Ok(hunted) if hunted.kept() > state.kept() => self.judge(program, hunted),
            _ => Ok(Ok(state)),
        }
    }

    /// Runs the original and the wrong edits that were not seen on all inputs; notes which of these are seen.
    fn judge(&self, program: &mut Program, state: State) -> Tried<State> {
        let unseen: Vec<usize> = (0..program.planted.len()).filter(|each| program.planted[*each].is_unseen()).collect();
        let compared = unseen.iter().map(|number| wrong(program, *number, What::Compare, MUTANT_FUEL));
        // The rows of the original come first.
        let jobs: Vec<Job> = FILLS.map(|fill| right(fill, 0)).into_iter().chain(compared).collect();
        let state = or_reason!(self.run(program, &jobs, Some(state.at_job(0, 0, 0))));
        for (row, number) in unseen.into_iter().enumerate() {
            program.planted[number].is_killed = (0..state.kept()).any(|input| {
                let seen = state.seen(COMPARED + row, input);
                seen.end != End::Never && !seen.is_like(state.seen(FIRST, input))
            });
        }
        Ok(Ok(state))
    }

    fn record(&self, program: &Program, state: &State) -> Record {
        let Program { coverage, planted, .. } = program;
        let mut record = Record {
            seed: self.subject.seed,
            compiler: self.oracle.builder.gcc().version().to_owned(),
            sanitizers: SANITIZERS.iter().map(|name| (*name).to_owned()).collect(),
            tried: state.tries(),
            kept: state.kept(),
            ..Record::default()
        };
        for input in 0..state.kept() {
            let first = state.seen(FIRST, input);
            *record.ends.entry(first.end).or_default() += 1;
            if (FIRST..COMPARED).any(|row| !state.seen(row, input).is_like(first)) {
                record.not_repeatable += 1;
            } else if matches!(first.end, End::Returned | End::Threw) {
                record.clean += 1;
            }
        }
        (record.lines, record.branches) = match program.has_marks || coverage.marks() == 0 {
            true => coverage.shares(state.marks()),
            false => (Share { of: 0, all: 1 }, Share { of: 0, all: 1 }),
        };
        for Planted { mutant, is_judge, is_killed, was_killed, .. } in planted.iter().filter(|each| !each.is_same) {
            record.mutants.count(*is_killed);
            if *is_judge {
                record.held_out.count(*was_killed);
            }
            if !is_killed {
                let cause = match mutant.place() {
                    Some(at) if !coverage.is_reached(at, state.marks()) => Cause::Input,
                    Some(at) if self.is_handed_out(at) => Cause::Environment,
                    _ => Cause::Unobserved,
                };
                record.survivors.extend(mutant.survivor(self.subject.text, self.body(), cause));
            }
        }
        record.mutants.all += program.unjudged;
        record.held_out.all += program.unjudged;
        record.equivalent = planted.iter().filter(|each| each.is_same).count() as u32;
        record
    }

    /// Whether a place is within the call of a function that the unit does not define.
    fn is_handed_out(&self, at: u32) -> bool {
        let nodes = self.body().body.map(|block| self.tree.subtree(block)).unwrap_or_default();
        let calls = nodes.filter(|number| {
            let node = self.tree.node(*number);
            node.kind == NodeKind::Call && (node.start..node.end).contains(&at)
        });
        let mut called = calls.filter_map(|call| named(&self.tree, self.tree.children(call).next()?));
        called.any(|thing| !self.tree.thing(thing).is_defined)
    }
}

/// A wrong edit: the copies stand behind the original, and the one with marks comes first.
fn wrong(program: &Program, number: usize, what: What, fuel: u64) -> Job {
    Job { function: number as u64 + 1 + u64::from(program.has_marks), fill: FILLS[0], what, fuel, input: 0 }
}
