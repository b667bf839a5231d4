//! What the oracle reaches on real functions, and what it costs.
//!
//! `cargo bench -p estrange-oracle --bench oracle -- BENCH [FUNCTIONS] [SEED] [LANGUAGE] [NAMES]` draws functions of a
//! language, `c` or `c++`, that can be linked from a bench. It prints how many have a harness with repeatable inputs,
//! how many reach the gate of `agrees`, the share of wrong edits that was refused, how often a function does not agree
//! with itself, and CPU times: of preparing and of checking four texts against that of compiling five with the
//! sanitizers. With a file name in `ORACLE_ROWS`, one line per function goes there. With a number in `ORACLE_CHECKS`,
//! so many texts are checked instead of four, and none is compiled beside them. With `ORACLE_FAMILIES`, mistakes of each
//! family are planted as rewrites, and what becomes of them is printed; one line for each that was missed goes to the rows.
//! With `ORACLE_GRADES`, functions that reach the gate are graded as answers, against compiling each once with the sanitizers:
//! the function itself, alone; and its wrong edits for which no input was searched.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use estrange_bench::{Bench, Function};
use estrange_evidence::Language;
use estrange_oracle::{
    Cause, Family, Fate, Gates, Grade, Oracle, Prepared, Record, Settings, Share, Subject, Variant, Verdict,
};
use estrange_sandbox::{Tool, Workshop};
use estrange_unit::Parser;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some(folder) = arguments.first() else {
        println!("name a bench");
        return Ok(());
    };
    let number = |at: usize, default: u64| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, seed) = (number(1, 100) as usize, number(2, 1));
    let is_cpp = arguments.get(3).is_some_and(|language| language == "c++");
    let language = if is_cpp { Language::Cpp } else { Language::C };
    let mut functions = sample(folder, count, seed, is_cpp)?;
    if let Some(filter) = arguments.get(4) {
        functions.retain(|function| filter.split(',').any(|name| function.name == name));
    }
    let scratch = tempfile::tempdir()?;
    let workshop = Workshop::temporary()?;
    let parser = Arc::new(Parser::new(1, &workshop)?);
    let oracle = Oracle::new(&workshop, Arc::clone(&parser), Settings::default())?;
    let checks = std::env::var("ORACLE_CHECKS").ok().and_then(|text| text.parse::<usize>().ok());
    let measures_grades = std::env::var_os("ORACLE_GRADES").is_some();
    let measures_families = std::env::var_os("ORACLE_FAMILIES").is_some();
    let mut rows = std::env::var_os("ORACLE_ROWS").map(std::fs::File::create).transpose()?;

    let mut tally = Tally::default();
    for function in &functions {
        let Some(text) = &function.linked_unit else { continue };
        let at = text.rfind(&function.text);
        let subject = Subject { text, function: &function.name, at, language, flags: &function.flags, seed };
        let start = (cpu(&parser, &oracle), oracle.cpu());
        let prepared = oracle.original(&subject)?;
        let prepared_in = cpu(&parser, &oracle) - start.0;
        tally.preparing += prepared_in;
        tally.running += oracle.cpu() - start.1;
        let line = match prepared {
            Err(reason) => {
                *tally.untestable.entry(reason.reason().as_str()).or_default() += 1;
                format!("{}\t{}\tuntestable\t{reason}", function.source, function.name)
            }
            Ok(prepared) => {
                let names = BTreeMap::new();
                let same = Variant { text, function: &function.name, names: &names, known: &[] };
                let start = cpu(&parser, &oracle);
                let checked = prepared.check(&vec![same; checks.unwrap_or(4)])?;
                let verdicts: Vec<Verdict> = checked.into_iter().map(|checked| checked.verdict).collect();
                let checked_in = cpu(&parser, &oracle) - start;
                let compiling = match checks {
                    Some(_) => Duration::ZERO,
                    None => compile(5, text, language, &function.flags, scratch.path())?,
                };
                let record = prepared.record();
                tally.add(record, &verdicts);
                if measures_grades && Gates::default().pass(record) {
                    let compiling = compile(1, text, language, &function.flags, scratch.path())?;
                    tally.grades.add((&oracle, &parser), (&subject, function.text.len()), &prepared, compiling)?;
                }
                if measures_families {
                    for (family, fate, what) in prepared.measured(&subject)? {
                        *tally.families.entry(family).or_default().entry(fate).or_default() += 1;
                        if let Some(rows) = rows.as_mut().filter(|_| fate != Fate::Refused) {
                            writeln!(rows, "{}\t{}\t{family:?}\t{fate:?}\t{what:?}", function.source, function.name)?;
                        }
                    }
                }
                tally.checking += checked_in;
                tally.compiling += compiling;
                let worst =
                    verdicts.iter().find(|verdict| matches!(verdict, Verdict::Differs(_))).unwrap_or(&verdicts[0]);
                let tier = match worst {
                    Verdict::Exhaustive => "exhaustive".to_owned(),
                    Verdict::Agrees => "agrees".to_owned(),
                    Verdict::AgreesWeakly => "weakly".to_owned(),
                    other => format!("{other:?}").replace('\n', " "),
                };
                format!(
                    "{}\t{}\t{tier}\t{}\t{}ms {}ms {}ms",
                    function.source,
                    function.name,
                    serde_json::to_string(record)?,
                    prepared_in.as_millis(),
                    checked_in.as_millis(),
                    compiling.as_millis()
                )
            }
        };
        if let Some(rows) = &mut rows {
            writeln!(rows, "{line}")?;
        }
    }
    tally.print(functions.len());
    Ok(())
}

/// Functions that can be linked, drawn by the seed.
fn sample(folder: &str, count: usize, seed: u64, is_cpp: bool) -> Result<Vec<Function>, Box<dyn Error>> {
    let mut all = Vec::new();
    for function in Bench::open(folder)?.functions()? {
        let function = function?;
        if (function.language != Language::C) == is_cpp && function.linked_unit.is_some() {
            all.push(function);
        }
    }
    let mut random = seed;
    let mut drawn = Vec::new();
    while drawn.len() < count && !all.is_empty() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        drawn.push(all.swap_remove((random >> 33) as usize % all.len()));
    }
    Ok(drawn)
}

#[derive(Default)]
struct Tally {
    untestable: BTreeMap<&'static str, u32>,
    repeatable: u32,
    agrees: u32,
    false_alarms: u32,
    failing: BTreeMap<&'static str, u32>,
    mutants: Share,
    held_out: Share,
    survivors: BTreeMap<String, u32>,
    causes: BTreeMap<Cause, u32>,
    equivalent: u32,
    families: BTreeMap<Family, BTreeMap<Fate, u32>>,
    preparing: Duration,
    /// That part of preparing which is spent in the sandbox.
    running: Duration,
    checking: Duration,
    compiling: Duration,
    grades: Grades,
}

/// What grading answers shows and costs.
#[derive(Default)]
struct Grades {
    functions: u32,
    right: u32,
    wrong: Share,
    grading: Duration,
    compiling: Duration,
}

impl Grades {
    fn add(
        &mut self,
        (oracle, parser): (&Oracle, &Parser),
        (subject, length): (&Subject<'_>, usize),
        prepared: &Prepared<'_>,
        compiling: Duration,
    ) -> Result<(), Box<dyn Error>> {
        let Ok(kept) = prepared.keep()? else { return Ok(()) };
        let names = BTreeMap::new();
        let answer = |text| Variant { text, function: subject.function, names: &names, known: &[] };
        let start = cpu(parser, oracle);
        let Ok(reference) = oracle.reference(subject, &kept)? else { return Ok(()) };
        let same = reference.grade(&[answer(subject.text)])?;
        self.grading += cpu(parser, oracle) - start;
        self.compiling += compiling;
        self.functions += 1;
        self.right += same.iter().filter(|grade| matches!(grade, Grade::Same(_))).count() as u32;
        let Some(at) = subject.at else { return Ok(()) };
        let texts: Vec<String> = kept
            .wrong
            .iter()
            .map(|wrong| format!("{}{wrong}{}", &subject.text[..at], &subject.text[at + length..]))
            .collect();
        let wrong: Vec<Variant<'_>> = texts.iter().map(|text| answer(text.as_str())).collect();
        for grade in reference.grade(&wrong)? {
            self.wrong.all += 1;
            self.wrong.of += u32::from(!matches!(grade, Grade::Same(_)));
        }
        Ok(())
    }

    fn print(&self) {
        println!(
            "graded by itself: {} of {} functions pass; of wrong edits for which nothing was searched, {} of {} are refused",
            self.right, self.functions, self.wrong.of, self.wrong.all
        );
        println!(
            "grading an answer costs {:.2} times compiling it once ({:.0} ms against {:.0} ms)",
            self.grading.as_secs_f64() / self.compiling.as_secs_f64(),
            1000.0 * self.grading.as_secs_f64() / f64::from(self.functions.max(1)),
            1000.0 * self.compiling.as_secs_f64() / f64::from(self.functions.max(1)),
        );
    }
}

impl Tally {
    fn add(&mut self, record: &Record, verdicts: &[Verdict]) {
        self.repeatable += u32::from(record.clean > 0);
        self.agrees +=
            u32::from(verdicts.iter().all(|verdict| matches!(verdict, Verdict::Exhaustive | Verdict::Agrees)));
        self.false_alarms += verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Differs(_))).count() as u32;
        for (all, more) in [(&mut self.mutants, record.mutants), (&mut self.held_out, record.held_out)] {
            all.of += more.of;
            all.all += more.all;
        }
        for survivor in &record.survivors {
            *self.survivors.entry(survivor.operator.clone()).or_default() += 1;
            *self.causes.entry(survivor.cause).or_default() += 1;
        }
        self.equivalent += record.equivalent;
        let gates = Gates::default();
        let checks = [
            ("inputs", record.clean >= gates.clean),
            ("lines", record.lines.value() >= gates.lines),
            ("branches", record.branches.value() >= gates.branches),
            ("kill rate", record.held_out.value() >= gates.kill_rate),
        ];
        for (gate, _) in checks.iter().filter(|(_, passes)| !passes) {
            *self.failing.entry(gate).or_default() += 1;
        }
    }

    fn print(&self, all: usize) {
        let share = |count: u32, of: f64| format!("{count} ({:.1}%)", 100.0 * f64::from(count) / of);
        let of = all as f64;
        println!("{all} functions");
        println!("harness with repeatable inputs: {}", share(self.repeatable, of));
        println!("reach the gate of `agrees`: {}", share(self.agrees, of));
        println!("fail a gate: {:?}; untestable: {:?}", self.failing, self.untestable);
        let refused = |share: Share| format!("{} of {} ({:.1}%)", share.of, share.all, 100.0 * share.value());
        println!("wrong edits refused: {}; held out: {}", refused(self.mutants), refused(self.held_out));
        println!("survivors: {:?}", self.survivors);
        println!("by cause: {:?}, and {} that are equivalent and do not count", self.causes, self.equivalent);
        for (family, fates) in &self.families {
            let all: u32 = fates.values().sum();
            let count = |fate| fates.get(&fate).copied().unwrap_or_default();
            println!(
                "{family:?}: {} of {all} refused; of the others {} weak, {} missed",
                share(count(Fate::Refused), f64::from(all)),
                count(Fate::Weak),
                count(Fate::Missed)
            );
        }
        println!("false alarms: {}", self.false_alarms);
        if self.grades.functions > 0 {
            self.grades.print();
        }
        let each = |time: Duration| format!("{:.0} ms", 1000.0 * time.as_secs_f64() / of);
        println!(
            "CPU per function: preparing {} ({} of it running), checking four {}, compiling five {}",
            each(self.preparing),
            each(self.running),
            each(self.checking),
            each(self.compiling)
        );
        if !self.compiling.is_zero() {
            let times = |time: Duration| time.as_secs_f64() / self.compiling.as_secs_f64();
            println!(
                "checking four costs {:.2} times compiling five; with the search for inputs and all wrong edits {:.2} times",
                times(self.checking),
                times(self.checking + self.preparing)
            );
        }
    }
}

/// The CPU time of compiling a text so many times, once per call.
fn compile(
    times: u32,
    text: &str,
    language: Language,
    flags: &[String],
    folder: &std::path::Path,
) -> Result<Duration, Box<dyn Error>> {
    let (compiler, file) = if language == Language::C { ("gcc", "five.c") } else { ("g++", "five.cpp") };
    let file = folder.join(file);
    std::fs::write(&file, text)?;
    let start = children();
    for _ in 0..times {
        Tool::new(compiler)
            .arguments(["-w", "-c", "-fsanitize=address,undefined", "-o", "/dev/null"])
            .arguments(flags)
            .argument(&file)
            .run()?;
    }
    Ok(children() - start)
}

/// CPU time of this process and all that it has waited for, of the parser's workers, and of what the sandbox ran.
fn cpu(parser: &Parser, oracle: &Oracle) -> Duration {
    let fields = times();
    Duration::from_millis((fields[0] + fields[1]) * 10) + children() + parser.usage().cpu + oracle.cpu()
}

/// CPU time of all that this process has waited for.
fn children() -> Duration {
    let fields = times();
    Duration::from_millis((fields[2] + fields[3]) * 10)
}

/// User and system time of this process, and of those that it waited for, in hundredths of a second.
fn times() -> [u64; 4] {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let mut fields = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11);
    std::array::from_fn(|_| fields.next().and_then(|field| field.parse().ok()).unwrap_or(0))
}
