//! Preparing a function: its program is built, inputs are searched, and what they are worth is measured by wrong edits.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use estrange_clang::{Body, NodeKind, Tree};
use estrange_evidence::Language;
use estrange_unit::ParserLoss;
use tempfile::TempDir;

use crate::copies;
use crate::coverage::Coverage;
use crate::edits::Edit;
use crate::execution::State;
use crate::harness::{Callee, Harness};
use crate::instance::{Instance, TYPES};
use crate::kills::{self, Chosen};
use crate::oracle::{COMPARED, FILLS, FIRST, FUEL, MUTANT_FUEL, Oracle, OracleError, Prepared, Subject, program_of};
use crate::plan::{Job, Making, Plan, What};
use crate::program::{COMPARISONS, SANITIZERS};
use crate::record::{Cause, End, Record, Share, Untestable};
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
    chosen: Chosen,
    /// How many wrong edits there would be if the function could be copied.
    unjudged: u32,
}

/// What became of a program's text.
struct Built {
    outcome: Result<(), Untestable>,
    /// The lines of each copy.
    lines: Vec<Range<usize>>,
}

/// What became of the wrong edits, in their order.
struct Fates {
    is_killed: Vec<bool>,
    /// Whether it was seen before inputs were searched for it.
    was_killed: Vec<bool>,
    /// Whether a compiler writes the same code for it as for the function.
    is_same: Vec<bool>,
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

/// Finds a function in its text, makes a harness, finds inputs, and measures what they are worth.
pub(crate) fn prepared<'o>(oracle: &'o Oracle, subject: &Subject<'_>) -> Tried<Prepared<'o>> {
    let mut arguments = vec![if subject.language == Language::C { "-xc" } else { "-xc++" }.to_owned()];
    arguments.extend(subject.flags.iter().cloned());
    let tree = match oracle.parser.tree(subject.text, &arguments) {
        Ok(tree) => tree,
        Err(loss @ ParserLoss::Unavailable(_)) => return Err(loss.into()),
        Err(loss) => return Ok(Err(Untestable::Refused(loss.to_string()))),
    };
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
    let Some((body, _)) = there.or_else(|| bodies().next()) else { return Ok(Err(Untestable::Missing)) };
    if !tree.functions[body].is_template {
        return Preparation { oracle, subject, tree, body, instance: None }.prepare();
    }
    // The first type with which it compiles. What is private is ours, too.
    arguments.push("-fno-access-control".to_owned());
    for type_ in TYPES {
        let Some(lines) = Instance::lines(&tree, &tree.functions[body], type_) else { break };
        let with_lines = oracle.parser.tree(&format!("{}{lines}", subject.text), &arguments);
        let Some(tree) = with_lines.ok().filter(|tree| tree.troubles.is_empty()) else { continue };
        let there = tree.functions.get(body);
        let Some(instance) = there.and_then(|body| Instance::find(&tree, body, type_)) else { continue };
        match (Preparation { oracle, subject, tree, body, instance: Some(instance) }).prepare()? {
            Err(Untestable::Refused(_)) => {}
            prepared => return Ok(prepared),
        }
    }
    Ok(Err(Untestable::Template))
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
        let program = or_reason!(self.program(making));
        let (state, fates) = or_reason!(self.inputs(&program));
        let record = self.record(&program, &state, &fates);
        if record.not_repeatable == record.kept {
            return Ok(Err(Untestable::NotRepeatable));
        }
        Ok(Ok(Prepared {
            oracle: self.oracle,
            folder: program.folder,
            plan: program.plan,
            harness: program.harness,
            language: self.subject.language,
            flags: self.subject.flags.to_vec(),
            seed: self.subject.seed,
            state,
            record,
        }))
    }

    /// Builds the program, without those copies that do not compile.
    fn program(&self, making: Making) -> Tried<Program> {
        let Subject { text, language, .. } = *self.subject;
        let usage = Usage::of(&self.tree);
        let instance = self.instance.as_ref();
        let plan = match Plan::of(&self.tree, text, self.body(), &usage, language, making, instance) {
            Ok(plan) => plan,
            Err(reason) => return Ok(Err(reason)),
        };
        let harness = Harness::of(&self.tree, text, self.body(), &plan, language, instance);
        let coverage = Coverage::of(&self.tree, text, self.body(), language);
        let chosen = Chosen::draw(self.oracle, self.subject, &self.tree, self.body());
        let has_marks = coverage.marks() > 0;
        let folder = self.oracle.builder.folder()?;
        let drawn = chosen.mutants.len() as u32;
        let mut program = Program { folder, plan, harness, coverage, has_marks, chosen, unjudged: 0 };
        if copies::with_copies(&self.tree, text, self.body(), language, &[&[]]).is_none() {
            (program.chosen, program.has_marks) = (Chosen::default(), false);
        }
        loop {
            let Built { outcome, lines } = self.build(&program)?;
            let Err(reason) = outcome else {
                // In C++ a function may be such that no copy of it compiles.
                if program.chosen.mutants.is_empty() && language == Language::Cpp {
                    program.unjudged = drawn;
                }
                return Ok(Ok(program));
            };
            // The compiler tells all that is wrong at once.
            let lines = lines.get(usize::from(program.has_marks)..).unwrap_or_default();
            if let Untestable::Refused(messages) = &reason
                && program.chosen.without_refused(messages, lines)
            {
                continue;
            }
            // Marks that do not compile are left out: then nothing is known of what inputs reach.
            if !program.has_marks || !matches!(reason, Untestable::Refused(_)) {
                return Ok(Err(reason));
            }
            program.has_marks = false;
        }
    }

    /// Builds the program as it is now; tells the lines of its copies.
    fn build(&self, program: &Program) -> Result<Built, OracleError> {
        let Subject { text, language, flags, .. } = *self.subject;
        let marked = program.has_marks.then_some(&program.coverage.edits[..]);
        let wrong = program.chosen.mutants.iter().map(|mutant| &mutant.edits[..]);
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
        let finished = self.oracle.execute(path, &program.plan, jobs, (self.subject.seed, marks), state)?;
        Ok(finished.map(|finished| finished.state))
    }

    /// Searches inputs; tells what became of the wrong edits on them.
    fn inputs(&self, program: &Program) -> Tried<(State, Fates)> {
        let chosen = &program.chosen;
        let explore =
            Job { function: u64::from(program.has_marks), fill: FILLS[0], what: What::Explore, fuel: FUEL, input: 0 };
        let mut state = or_reason!(self.run(program, &[explore], None));
        if state.kept() == 0 {
            return Ok(Err(Untestable::NeverReturns));
        }
        let everyone: Vec<usize> = (0..chosen.mutants.len()).collect();
        let none = vec![false; everyone.len()];
        let mut fates = Fates { is_killed: none.clone(), was_killed: none.clone(), is_same: none };
        state = or_reason!(self.judge(program, state, &everyone, &mut fates));
        // Only what was not seen can have the same code.
        let mut unseen = fates.unseen();
        let same = self.have_same_code(program, &unseen)?;
        for (number, is_same) in unseen.iter().zip(same) {
            fates.is_same[*number] = is_same;
        }
        unseen = fates.unseen();
        let guides: Vec<usize> = unseen.iter().copied().filter(|number| !chosen.is_judge(*number)).collect();
        state = or_reason!(self.hunt(program, state, &guides, &unseen, &mut fates));
        fates.was_killed = fates.is_killed.clone();
        let judges = fates.unseen().into_iter().filter(|number| chosen.is_judge(*number)).collect::<Vec<_>>();
        state = or_reason!(self.hunt(program, state, &judges, &fates.unseen(), &mut fates));
        Ok(Ok((state, fates)))
    }

    fn have_same_code(&self, program: &Program, edits: &[usize]) -> Result<Vec<bool>, OracleError> {
        let mutants: Vec<_> = edits.iter().map(|number| &program.chosen.mutants[*number]).collect();
        kills::have_same_code(self.oracle, self.subject, &self.tree, self.body(), &program.harness, &mutants)
    }

    /// Searches inputs that show wrong edits, and looks which of those that were not seen are seen now.
    fn hunt(
        &self,
        program: &Program,
        state: State,
        edits: &[usize],
        unseen: &[usize],
        fates: &mut Fates,
    ) -> Tried<State> {
        if edits.is_empty() {
            return Ok(Ok(state));
        }
        let hunts = edits.iter().map(|number| wrong(program, *number, What::Hunt, FUEL));
        let jobs: Vec<Job> = [right(FILLS[0])].into_iter().chain(hunts).collect();
        // Without it the inputs are those that were found before.
        match self.run(program, &jobs, Some(state.at_job(0, 0, 0)))? {
            Ok(hunted) if hunted.kept() > state.kept() => self.judge(program, hunted, unseen, fates),
            _ => Ok(Ok(state)),
        }
    }

    /// Runs the original and some wrong edits on all inputs; notes which of these are seen.
    fn judge(&self, program: &Program, state: State, edits: &[usize], fates: &mut Fates) -> Tried<State> {
        let compared = edits.iter().map(|number| wrong(program, *number, What::Compare, MUTANT_FUEL));
        // The rows of the original come first.
        let jobs: Vec<Job> = FILLS.map(right).into_iter().chain(compared).collect();
        let state = or_reason!(self.run(program, &jobs, Some(state.at_job(0, 0, 0))));
        for (row, number) in edits.iter().enumerate() {
            fates.is_killed[*number] = (0..state.kept()).any(|input| {
                let seen = state.seen(COMPARED + row, input);
                seen.end != End::Never && seen != state.seen(FIRST, input)
            });
        }
        Ok(Ok(state))
    }

    fn record(&self, program: &Program, state: &State, fates: &Fates) -> Record {
        let Program { coverage, chosen, .. } = program;
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
            if (FIRST..COMPARED).any(|row| state.seen(row, input) != first) {
                record.not_repeatable += 1;
            } else if matches!(first.end, End::Returned | End::Threw) {
                record.clean += 1;
            }
        }
        (record.lines, record.branches) = match program.has_marks || coverage.marks() == 0 {
            true => coverage.shares(state.marks()),
            false => (Share { of: 0, all: 1 }, Share { of: 0, all: 1 }),
        };
        for (number, mutant) in chosen.mutants.iter().enumerate().filter(|(number, _)| !fates.is_same[*number]) {
            record.mutants.count(fates.is_killed[number]);
            if chosen.is_judge(number) {
                record.held_out.count(fates.was_killed[number]);
            }
            if !fates.is_killed[number] {
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
        record.equivalent = fates.is_same.iter().filter(|is_same| **is_same).count() as u32;
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

impl Fates {
    /// Those that are wrong and were not seen.
    fn unseen(&self) -> Vec<usize> {
        (0..self.is_killed.len()).filter(|number| !self.is_killed[*number] && !self.is_same[*number]).collect()
    }
}

/// The original, with memory that holds something.
fn right(fill: u8) -> Job {
    Job { function: 0, fill, what: What::Run, fuel: FUEL, input: 0 }
}

/// A wrong edit: the copies stand behind the original, and the one with marks comes first.
fn wrong(program: &Program, number: usize, what: What, fuel: u64) -> Job {
    Job { function: number as u64 + 1 + u64::from(program.has_marks), fill: FILLS[0], what, fuel, input: 0 }
}
