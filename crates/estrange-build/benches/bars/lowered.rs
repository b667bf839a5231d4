//! Down to the machine: how many functions have a text at each target, what is left of their names, how alike they are.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::path::{Path, PathBuf};

use estrange_bench::funnel::by_lowering;
use estrange_bench::{Bench, Function, FunctionFacts, Lowered, LoweredFacts, Waiting};
use estrange_text::facts::is_keyword;
use estrange_text::lexer::{Kind, lex};
use estrange_words::Language;
use serde_json::json;

use crate::disassembly::{Verdict, objdump_agrees, webassembly_agrees};
use crate::estrange::Estrange;
use crate::report::Row;
use crate::sample::Chance;

/// The targets, and what share of the functions is to have a text.
const TARGETS: [(&str, f64); 4] = [("x86_64", 0.995), ("aarch64", 0.97), ("riscv64", 0.97), ("wasm32", 0.95)];
/// So many texts are to be looked at for names.
const TEXTS: u64 = 5_000;

/// Builds a bench with all targets.
pub fn build(estrange: &Estrange, sources: &[&str]) -> Result<PathBuf, Box<dyn Error>> {
    let out = estrange.out("lowered")?;
    estrange.build_settings(sources, &out, &TARGETS.map(|(target, _)| target).join(","))?;
    Ok(out)
}

/// Reads the numbers of a bench with all targets; then takes so many texts and compares them with what other programs
/// say of the compilers' own output.
pub fn lowered(bench: &Path, texts: usize, seed: u64) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = numbers(bench)?;
    rows.push(agreement(bench, "x86_64", "`objdump` of what gcc writes, instruction by instruction", texts, seed)?);
    rows.push(agreement(bench, "wasm32", "what `emcc -c` writes, all functions kept, after `wat2wasm`", texts, seed)?);
    Ok(rows)
}

fn numbers(bench: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let bench = Bench::open(bench)?;
    let functions = bench.function_facts()?.collect::<Result<Vec<FunctionFacts>, _>>()?.len() as u64;
    let lowered: Vec<LoweredFacts> = bench.lowered_facts()?.collect::<Result<_, _>>()?;
    let waiting: Vec<Waiting> = bench.waiting()?.collect::<Result<_, _>>()?;
    let numbers = by_lowering(functions, &lowered, &waiting);
    let mut rows = Vec::new();
    for (target, bar) in TARGETS {
        let numbers = numbers.get(target).cloned().unwrap_or_default();
        let share = numbers.functions_share.unwrap_or_default();
        rows.push(Row::new(
            "lowered",
            format!("{target} without optimisation: at least {:.1}% of the functions", bar * 100.0),
            format!("{:.2}% ({} of {functions}), lost: {:?}", share * 100.0, numbers.functions, numbers.lost),
            share >= bar,
            "`estrange stats BENCH --table lowered`",
            json!(numbers),
        ));
    }
    let x86 = numbers.get("x86_64").cloned().unwrap_or_default();
    let differ = x86_of_other_sources(&bench)?;
    let share = differ as f64 / x86.functions.max(1) as f64;
    rows.push(Row::new(
        "lowered",
        "x86-64 texts that a function with another source has too: under 3%",
        format!(
            "{:.2}% ({differ}); with those whose sources differ in names only {:.2}% ({} in {} classes, all marked)",
            share * 100.0,
            x86.duplicates_share.unwrap_or_default() * 100.0,
            x86.duplicates,
            x86.duplicate_classes
        ),
        share < 0.03,
        "sources are the same if their tokens are, once names are numbered by first use",
        json!({ "share": share, "other_sources": differ, "all": x86.duplicates, "classes": x86.duplicate_classes }),
    ));
    let left: u64 = numbers.values().map(|numbers| numbers.surviving_names).sum();
    let texts: u64 = numbers.values().map(|numbers| numbers.functions).sum();
    rows.push(Row::new(
        "lowered",
        format!("no name of a project in {TEXTS} texts"),
        format!("{left} in {texts} texts"),
        left == 0 && texts >= TEXTS,
        "counted by a lexer that shares nothing with the printers",
        json!({ "left": left, "texts": texts }),
    ));
    Ok(rows)
}

/// How many functions have the same x86-64 text as one whose source is another, also with all names taken away.
fn x86_of_other_sources(bench: &Bench) -> Result<u64, Box<dyn Error>> {
    let mut sources: BTreeMap<String, String> = BTreeMap::new();
    for function in bench.functions()? {
        let function = function?;
        sources.insert(function.id, without_names(&function.text));
    }
    let mut classes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in bench.lowered_facts()? {
        let one = one?;
        if one.setting == "x86_64" {
            let source = sources.remove(&one.function_id).unwrap_or_default();
            classes.entry(one.duplicates).or_default().push(source);
        }
    }
    let differ = |class: &&Vec<String>| class.iter().any(|source| *source != class[0]);
    Ok(classes.values().filter(differ).map(|class| class.len() as u64).sum())
}

/// The tokens of a text with each name as a number by first use; words of the language stay.
fn without_names(text: &str) -> String {
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut words = Vec::new();
    for token in lex(text) {
        let word = token.text(text);
        let is_name = token.kind == Kind::Identifier && !is_keyword(word, Language::Cpp);
        match token.kind {
            Kind::Comment => {}
            _ if is_name => {
                let next = names.len();
                words.push(format!("name_{}", names.entry(word).or_insert(next)));
            }
            _ => words.push(word.to_owned()),
        }
    }
    words.join(" ")
}

/// Texts of a setting against what another program says of the compiler's own output.
fn agreement(bench: &Path, setting: &str, against: &str, texts: usize, seed: u64) -> Result<Row, Box<dyn Error>> {
    let bench = Bench::open(bench)?;
    let functions: BTreeMap<String, Function> = bench
        .functions()?
        .map(|function| function.map(|function| (function.id.clone(), function)))
        .collect::<Result<_, _>>()?;
    let lowered: Vec<Lowered> = bench
        .lowered()?
        .filter(|each| each.as_ref().is_ok_and(|each| each.setting == setting))
        .collect::<Result<_, _>>()?;
    let count = lowered.len();
    // In an order by chance, until there are enough: not every function has code in the compiler's own output.
    let order = shuffled(lowered, Chance::new(seed));
    let folder = tempfile::tempdir()?;
    let (mut compared, mut agreed, mut without_code) = (0, 0, 0);
    let mut differences = Vec::new();
    for each in order {
        let Some(function) = functions.get(&each.function_id) else { continue };
        // What is printed with what it calls comes from the linked unit, and so does what calls nothing of its project.
        let (text, unit) = match (&each.short_text, &function.linked_unit) {
            (Some(short), _) => (short, &function.unit),
            (None, Some(linked)) => (&each.text, linked),
            (None, None) => (&each.text, &function.unit),
        };
        let verdict = match setting {
            "wasm32" => webassembly_agrees(function, unit, text, folder.path())?,
            _ => objdump_agrees(function, unit, text, folder.path())?,
        };
        match verdict {
            Verdict::NoCode => without_code += 1,
            Verdict::Agrees => agreed += 1,
            Verdict::Differs(detail) => differences.push(format!("{}: {detail}", function.qualified_name)),
        }
        compared = agreed + differences.len();
        if compared == texts {
            break;
        }
    }
    for difference in &differences {
        eprintln!("{setting} {difference}");
    }
    Ok(Row::new(
        "lowered",
        format!("{texts} texts of {setting} agree with {against}"),
        format!("{agreed} of {compared}"),
        agreed == compared && compared >= texts.min(count.saturating_sub(without_code)),
        format!("a sample by chance; {without_code} drawn before have no code unless asked for"),
        json!({ "compared": compared, "agreed": agreed, "without_code": without_code, "differences": differences }),
    ))
}

/// The items in an order by chance.
fn shuffled<T>(mut items: Vec<T>, mut chance: Chance) -> Vec<T> {
    for left in (1..items.len()).rev() {
        items.swap(left, (chance.share() * (left + 1) as f64) as usize);
    }
    items
}
