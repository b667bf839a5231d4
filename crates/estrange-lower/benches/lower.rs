//! What lowering costs, and how much of a folder of units is lowered at each target.
//!
//! `cargo bench -p estrange-lower --bench lower -- FOLDER [UNITS] [DRIVERS]` takes the files in a folder, each a unit of its
//! own: C, or C++ if its name says so. Of each unit its last function is lowered, without optimisation. It prints for each
//! target how many were, what was lost and why, how many texts are the same, and the columns of the paper's Table 10; then
//! the CPU time of lowering, against that of `gcc -c`, and of `emcc -c` and `wasm2wat`, called for each of the first DRIVERS
//! units.

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::path::Path;

use estrange_lower::{Compiler, Language, Lowerer, Options, Request, Style, Target, duplicate_classes, statistics};
use estrange_sandbox::Tool;

fn main() -> Result<(), Box<dyn Error>> {
    let hidden = HashSet::new();
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some(folder) = arguments.first() else {
        println!("name a folder of units");
        return Ok(());
    };
    let number = |at: usize, default| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let units = read(Path::new(folder), number(1, usize::MAX))?;
    let scratch = tempfile::tempdir()?;
    let lowerer = Lowerer::new(&estrange_sandbox::Workshop::temporary()?);
    println!("{} units", units.len());

    let functions = last_functions(&units, scratch.path())?;
    let requests: Vec<Request<'_>> = units
        .iter()
        .zip(&functions)
        .filter_map(|(unit, function)| {
            let function = function.as_deref()?;
            Some(Request {
                unit: &unit.text,
                language: unit.language,
                flags: &[],
                function,
                helpers: &[],
                hidden: &hidden,
            })
        })
        .collect();
    println!("{} have a function", requests.len());
    let mut costs = BTreeMap::new();
    for &target in Target::ALL {
        for &compiler in Compiler::ALL {
            let one_compiler = matches!(target, Target::Wasm32 | Target::LlvmIr);
            if one_compiler && compiler == Compiler::Gcc {
                continue;
            }
            let options = Options { target, compiler, ..Options::default() };
            // What is found once for all is no cost of a unit.
            lowerer.lower(&options, &requests[..requests.len().min(1)])?;
            let start = Cpu::now()?;
            let found = lowerer.lower(&options, &requests)?;
            let cost = Cpu::now()?.since(&start);
            let texts: Vec<&str> = found.iter().filter_map(|each| Some(each.as_ref().ok()?.text.as_str())).collect();
            let same = duplicate_classes(&texts).iter().flatten().count();
            let mut losses: BTreeMap<&str, usize> = BTreeMap::new();
            for loss in found.iter().filter_map(|each| each.as_ref().err()) {
                *losses.entry(loss.reason().as_str()).or_default() += 1;
                if std::env::var_os("LOSSES").is_some() {
                    println!("  {loss}");
                }
            }
            let all = texts.iter().map(|text| statistics(target, text)).fold([0; 3], |sums, each| {
                [sums[0] + each.lines, sums[1] + each.tokens, sums[2] + each.unique_instructions]
            });
            let [lines, tokens, unique] = all.map(|sum| sum as f64 / texts.len().max(1) as f64);
            println!(
                "{target} by {compiler}: {} lowered, {losses:?} lost, {same} of {} share a text; {lines:.1} lines, \
                 {tokens:.1} tokens, {unique:.1} different instructions; {}",
                texts.len(),
                texts.len(),
                cost.shown(requests.len())
            );
            let paper = Options { style: Style::Paper, ..options };
            if target == Target::X86_64 {
                let found = lowerer.lower(&paper, &requests)?;
                let texts: Vec<String> = found.into_iter().filter_map(|each| Some(each.ok()?.text)).collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                println!("  in the paper's style {} share a text", duplicate_classes(&texts).iter().flatten().count());
            }
            costs.insert((target, compiler), cost.total() / requests.len().max(1) as f64);
        }
    }
    let sample: Vec<&Unit> = units.iter().take(number(2, 100)).collect();
    let gcc = drivers(&sample, scratch.path(), &["gcc", "g++"], None)?;
    let emcc = drivers(&sample, scratch.path(), &["emcc", "em++"], Some("wasm2wat"))?;
    println!("gcc -c: {:.1} ms a unit; ratio {:.2}", gcc * 1e3, costs[&(Target::X86_64, Compiler::Gcc)] / gcc);
    println!(
        "emcc -c, wasm2wat: {:.1} ms a unit; ratio {:.2}",
        emcc * 1e3,
        costs[&(Target::Wasm32, Compiler::Clang)] / emcc
    );
    Ok(())
}

struct Unit {
    text: String,
    language: Language,
}

fn read(folder: &Path, most: usize) -> Result<Vec<Unit>, Box<dyn Error>> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    paths.sort();
    paths.truncate(most);
    let mut units = Vec::new();
    for path in paths {
        let language =
            if path.extension().is_some_and(|extension| extension == "c") { Language::C } else { Language::Cpp };
        units.push(Unit { text: std::fs::read_to_string(path)?, language });
    }
    Ok(units)
}

/// The function whose code the compiler writes last, by the linker's name.
fn last_functions(units: &[Unit], scratch: &Path) -> Result<Vec<Option<String>>, Box<dyn Error>> {
    let mut found = Vec::new();
    for unit in units {
        let (name, driver, keep) = match unit.language {
            Language::C => ("unit.c", "gcc", "-fkeep-inline-functions"),
            Language::Cpp => ("unit.cpp", "g++", "-w"),
        };
        std::fs::write(scratch.join(name), &unit.text)?;
        let call = Tool::new(driver).arguments(["-S", "-w", "-fkeep-static-functions", keep, "-o", "-", name]);
        let text = call.directory(scratch).run()?.text();
        let mut types =
            text.lines().filter_map(|line| line.trim().strip_prefix(".type\t")?.strip_suffix(", @function"));
        found.push(types.next_back().map(str::to_owned));
    }
    Ok(found)
}

/// The CPU seconds for a unit of calling a driver for each, and then a program that prints what it wrote.
fn drivers(units: &[&Unit], scratch: &Path, drivers: &[&str; 2], then: Option<&str>) -> Result<f64, Box<dyn Error>> {
    let start = Cpu::now()?;
    for unit in units {
        let (name, driver) = match unit.language {
            Language::C => ("unit.c", drivers[0]),
            Language::Cpp => ("unit.cpp", drivers[1]),
        };
        std::fs::write(scratch.join(name), &unit.text)?;
        let call = Tool::new(driver).arguments(["-w", "-O0", "-c", "-o", "unit.o", name]).directory(scratch).run()?;
        if let Some(printer) = then.filter(|_| call.success()) {
            Tool::new(printer).arguments(["--enable-all", "unit.o"]).directory(scratch).run()?;
        }
    }
    Ok(Cpu::now()?.since(&start).total() / units.len().max(1) as f64)
}

/// CPU seconds of this process and of those that it waited for.
struct Cpu {
    own: f64,
    others: f64,
}

impl Cpu {
    fn now() -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string("/proc/self/stat")?;
        let fields: Vec<f64> =
            text.rsplit(')').next().unwrap_or("").split_whitespace().filter_map(|word| word.parse().ok()).collect();
        // Behind the name and the state: user, system, and the same of those that ended, in hundredths.
        let at = |index: usize| fields.get(index).copied().unwrap_or(0.0) / 100.0;
        Ok(Self { own: at(10) + at(11), others: at(12) + at(13) })
    }

    fn since(&self, start: &Self) -> Self {
        Self { own: self.own - start.own, others: self.others - start.others }
    }

    fn total(&self) -> f64 {
        self.own + self.others
    }

    fn shown(&self, units: usize) -> String {
        let per = |seconds: f64| seconds * 1e3 / units.max(1) as f64;
        format!("{:.1} ms a unit, of it {:.1} here", per(self.total()), per(self.own))
    }
}
