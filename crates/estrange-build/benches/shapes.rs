//! How far each rewrite of shape and each setting reaches on the functions of a bench.
//!
//! `cargo bench -p estrange-build --bench shapes -- BENCH [FUNCTIONS] [SEED] [LANGUAGE] [SETTING …]` samples functions of a
//! bench by the seed and prints for each rewrite of shape, and for each setting that has one, the share of functions that it
//! applies to, the share of those that gcc accepts, their mean surface distance and expansion, and why it does not apply.
//! Where a function has a linked unit, that is rewritten, so that helpers can be inlined.

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::path::Path;

use estrange_bench::{Bench, Function, Language};
use estrange_clang::Clang;
use estrange_rewrite::{Applied, Choices, Declined, Draw, InProcess, Interpreter, NAMED, Reshape, Setting, expansion};
use estrange_sandbox::Tool;
use estrange_text::similarity::surface_distance;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let Some(folder) = arguments.first() else {
        println!("name a bench");
        return Ok(());
    };
    let number = |at: usize, default| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, seed) = (number(1, 200), number(2, 1) as u64);
    let language = if arguments.get(3).is_some_and(|word| word == "c++") { Language::Cpp } else { Language::C };
    let mut functions = Vec::new();
    for function in Bench::open(folder)?.functions()? {
        let function = function?;
        if function.language == language {
            functions.push(function);
        }
    }
    Draw::new("sample", seed, 0).shuffle(&mut functions);
    functions.truncate(count);
    println!("{} functions", functions.len());
    let clang = Clang::load()?;
    let scratch = tempfile::tempdir()?;
    let asked: Vec<String> = match arguments.get(4..).filter(|asked| !asked.is_empty()) {
        Some(asked) => asked.to_vec(),
        None => {
            let named = NAMED.iter().map(|(name, _)| (*name).to_owned());
            let chosen = named
                .filter(|name| !matches!(name.as_str(), "neutralized" | "randomized") && !name.starts_with("symbol"));
            chosen.chain(Reshape::ALL.iter().map(|reshape| reshape.name().to_owned())).collect()
        }
    };
    for asked in asked {
        let setting: Setting = asked.parse()?;
        let mut row = Row::default();
        for function in &functions {
            match variant(&clang, function, &setting, seed) {
                Ok(variant) => {
                    row.applied += 1;
                    row.distance += surface_distance(&variant.old, &variant.new);
                    row.expansion += expansion(&variant.old, &variant.new);
                    match accepts(function, &variant.unit, scratch.path())? {
                        None => row.compiles += 1,
                        Some(complaint) => row.complaints.push(format!("{}: {complaint}", function.name)),
                    }
                }
                Err(reason) => *row.reasons.entry(reason).or_default() += 1,
            }
        }
        row.print(&asked, functions.len());
    }
    Ok(())
}

#[derive(Default)]
struct Row {
    applied: usize,
    compiles: usize,
    distance: f64,
    expansion: f64,
    reasons: BTreeMap<String, usize>,
    complaints: Vec<String>,
}

impl Row {
    fn print(&self, name: &str, all: usize) {
        let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
        let mean = |sum: f64| sum / self.applied.max(1) as f64;
        println!(
            "{name}: {:.1}% applied, {:.1}% of them compile, distance {:.3}, expansion {:.3}, {:?}",
            share(self.applied, all),
            share(self.compiles, self.applied),
            mean(self.distance),
            mean(self.expansion),
            self.reasons
        );
        for complaint in &self.complaints {
            println!("  {complaint}");
        }
    }
}

struct Variant {
    old: String,
    new: String,
    unit: String,
}

fn arguments_of(function: &Function) -> Vec<String> {
    let word = function.language.flag();
    [word.to_owned()].into_iter().chain(function.flags.iter().cloned()).collect()
}

/// A function after the rewrites of a setting; or the reason why there is none.
fn variant(clang: &Clang, function: &Function, setting: &Setting, seed: u64) -> Result<Variant, String> {
    let (unit, place) = match &function.linked_unit {
        Some(unit) => (unit, function.in_linked_unit()),
        None => (&function.unit, function.in_unit()),
    };
    let place = place.ok_or("text-not-in-unit")?;
    let (arguments, nothing) = (arguments_of(function), HashSet::new());
    let interpreter = Interpreter {
        reader: &InProcess { clang, arguments: &arguments },
        language: function.language,
        is_standard: &|_| false,
        keep: &nothing,
        theirs: Some(&nothing),
        thesaurus: None,
        contractor: None,
    };
    let applied = interpreter.rewritten(unit, place, setting.recipe(), Choices { id: &function.id, seed });
    let Applied { old, new, .. } = applied.map_err(|stopped| Declined::from(stopped).reason().to_string())?;
    let (old, shown) = (old.function_text().to_owned(), new.function_text().to_owned());
    Ok(Variant { old, new: shown, unit: new.text })
}

/// What gcc complains about first; nothing if it accepts the text.
fn accepts(function: &Function, text: &str, scratch: &Path) -> Result<Option<String>, Box<dyn Error>> {
    let (name, compiler) = if function.language == Language::C { ("unit.c", "gcc") } else { ("unit.cpp", "g++") };
    std::fs::write(scratch.join(name), text)?;
    let call = Tool::new(compiler).arguments(["-w", "-fsyntax-only"]).arguments(function.flags.iter()).argument(name);
    let output = call.directory(scratch).run()?;
    Ok((!output.success()).then(|| output.last_words(4).lines().next().unwrap_or_default().to_owned()))
}
