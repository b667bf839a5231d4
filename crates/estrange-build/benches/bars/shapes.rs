//! New shapes: how many functions get them with which evidence, how far they are from the old ones, and whether more inputs
//! would have said something else.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;
use std::iter::Sum;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use estrange_bench::evidence::{self, Behaviour, Ran};
use estrange_bench::{
    Bench, Function, FunctionFacts, Group, Language, Reason, Tier, Undefinedness, Variant, VariantFacts, Waiting,
};
use estrange_oracle::{self as oracle, Oracle, Settings};
use estrange_sandbox::Workshop;
use estrange_unit::Parser;
use rayon::prelude::*;
use serde_json::json;

use crate::estrange::Estrange;
use crate::report::Row;
use crate::sample::Chance;

/// The ladder, what else changes shapes, and one that only renames.
const SETTINGS: &str = "L1,L2,L3,L4,structure,semantic,inline,mangle";
/// At most so many functions of a source: about a thousand of C together.
const OF_A_SOURCE: &str = "250";
/// Settings that only give new names: whatever is said against them is a false alarm.
const RENAMES: [&str; 2] = ["L1", "mangle"];
/// Variants are run again with this many sets of inputs, each of another seed.
const AGAIN: u64 = 10;

/// Builds a bench with new shapes.
pub fn build(estrange: &Estrange, sources: &[&str]) -> Result<PathBuf, Box<dyn Error>> {
    let out = estrange.out("shapes")?;
    estrange.build_more(sources, &out, &["--settings", SETTINGS, "--max-per-source", OF_A_SOURCE])?;
    Ok(out)
}

/// What a bench has, of one language.
struct Numbers {
    language: Language,
    functions: BTreeMap<String, FunctionFacts>,
    variants: Vec<VariantFacts>,
    waiting: Vec<Waiting>,
}

/// Reads the numbers of a bench with new shapes.
pub fn shapes(bench: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let bench = Bench::open(bench)?;
    let mut rows = Vec::new();
    for language in [Language::C, Language::Cpp] {
        let mut functions = BTreeMap::new();
        for function in bench.function_facts()? {
            let function = function?;
            if function.language == language {
                functions.insert(function.id.clone(), function);
            }
        }
        let mut variants: Vec<VariantFacts> = bench.variant_facts()?.collect::<Result<_, _>>()?;
        variants.retain(|variant| functions.contains_key(&variant.function_id));
        let mut waiting: Vec<Waiting> = bench.waiting()?.collect::<Result<_, _>>()?;
        waiting.retain(|waiting| functions.contains_key(&waiting.function_id));
        if !functions.is_empty() {
            rows.extend(Numbers { language, functions, variants, waiting }.rows());
        }
    }
    Ok(rows)
}

impl Numbers {
    fn rows(&self) -> Vec<Row> {
        let linkable = self.functions.values().filter(|function| function.linkable).count();
        let is_linkable = |id: &str| self.functions.get(id).is_some_and(|function| function.linkable);
        // What is inlined must be there, as it is where all can be linked.
        let is_of_group_3 = |function: &&FunctionFacts| function.group == Group::Three && function.linkable;
        let in_group_3 = self.functions.values().filter(is_of_group_3).count();
        let ran = |wanted: &dyn Fn(&Ran) -> bool| {
            let those = self.variants.iter().filter(|variant| ran(variant).is_some_and(wanted));
            those.map(|variant| variant.function_id.as_str()).collect::<BTreeSet<_>>().len()
        };
        let mut rows = vec![
            self.row("functions that can be linked with repeatable inputs: at least 90%", {
                (ran(&|ran| ran.clean > 0), linkable, 0.9)
            }),
            self.row("functions that can be linked and reach the gate of `agrees`: at least 60%", {
                (ran(&|ran| matches!(ran.verdict, Tier::Exhaustive | Tier::Agrees)), linkable, 0.6)
            }),
        ];
        for setting in ["L1", "L2"] {
            let bar = format!("{setting} with `identical-code` or `agrees`: at least 90% of those that can be linked");
            rows.push(self.row(
                &bar,
                (
                    self.having(setting, &[Tier::IdenticalCode, Tier::Exhaustive, Tier::Agrees], &is_linkable),
                    linkable,
                    0.9,
                ),
            ));
        }
        for setting in ["L3", "L4"] {
            let tiers = [Tier::IdenticalCode, Tier::Exhaustive, Tier::Agrees, Tier::AgreesWeakly];
            let bar = format!("{setting} with `agrees` or `agrees-weakly`: at least 75% of those that can be linked");
            rows.push(self.row(&bar, (self.having(setting, &tiers, &is_linkable), linkable, 0.75)));
        }
        let every = [Tier::IdenticalCode, Tier::Exhaustive, Tier::Agrees, Tier::AgreesWeakly, Tier::Untestable];
        let all = self.functions.len();
        rows.push(
            self.row(
                "a semantic rewrite applies: at least 80%",
                (self.having("semantic", &every, &|_| true), all, 0.8),
            ),
        );
        let inlined = self.having("inline", &every, &is_linkable);
        let bar = "a helper is inlined in group 3: at least 70% of those that can be linked";
        rows.push(self.row(bar, (inlined, in_group_3, 0.7)));
        rows.push(self.row(
            &format!("all of L1 to L4: at least {}% of those that can be linked", self.either(95, 85)),
            (self.having("L4", &every, &is_linkable), linkable, self.either(0.95, 0.85)),
        ));
        rows.push(self.row(
            &format!(
                "calls are unfolded to the end in group 3: at least {}% of those that can be linked",
                self.either(75, 55)
            ),
            (self.having("structure", &every, &is_linkable), in_group_3, self.either(0.75, 0.55)),
        ));
        rows.push(self.undefined());
        rows.push(self.distances());
        rows.push(self.mistakes());
        rows.push(self.alarms());
        rows
    }

    fn row(&self, bar: &str, (count, of, least): (usize, usize, f64)) -> Row {
        let share = count as f64 / of.max(1) as f64;
        let name = self.language.as_str();
        Row::new(
            "shapes",
            format!("{name}: {bar}"),
            format!("{:.1}% ({count} of {of})", share * 100.0),
            share >= least,
            "`estrange stats BENCH --table variants --table waiting`",
            json!({ "language": name, "count": count, "of": of }),
        )
    }

    /// How many of some functions have a setting with one of these tiers.
    fn having(&self, setting: &str, tiers: &[Tier], is_counted: &dyn Fn(&str) -> bool) -> usize {
        let those = self.variants.iter().filter(|variant| is_counted(&variant.function_id));
        let those = those.filter(|variant| variant.setting == setting && tiers.contains(&variant.tier));
        those.map(|variant| variant.function_id.as_str()).collect::<BTreeSet<_>>().len()
    }

    /// The bar of the language: that of C or that of C++.
    fn either<T>(&self, c: T, cpp: T) -> T {
        if self.language == Language::C { c } else { cpp }
    }

    /// Variants that were shown to be undefined in the same ways as what they were made of.
    fn undefined(&self) -> Row {
        let is_shown = |variant: &&VariantFacts| variant.undefinedness != Undefinedness::NotShown;
        let shown = self.variants.iter().filter(is_shown).count();
        let bar = format!("variants shown to be undefined in the same ways: at least {}%", self.either(97, 85));
        self.row(&bar, (shown, self.variants.len(), self.either(0.97, 0.85)))
    }

    fn distances(&self) -> Row {
        let mean = |setting: &str, of: &dyn Fn(&VariantFacts) -> f64| {
            let values: Vec<f64> = self.variants.iter().filter(|one| one.setting == setting).map(of).collect();
            values.iter().sum::<f64>() / values.len().max(1) as f64
        };
        let levels = ["L1", "L2", "L3", "L4"];
        let distances = levels.map(|level| mean(level, &|variant| variant.surface_distance));
        let expansions = levels.map(|level| mean(level, &|variant| variant.expansion));
        let words = |values: [f64; 4]| values.map(|value| format!("{value:.3}")).join(", ");
        Row::new(
            "shapes",
            format!("{}: surface distance rises from L1 to L4, and expansion is at most 1.6", self.language.as_str()),
            format!("{}; {}", words(distances), words(expansions)),
            distances.is_sorted() && expansions.iter().all(|expansion| *expansion <= 1.6),
            "means of `variants.parquet`; published: 0.21, 0.41, 0.59, 0.66 at about 1.1",
            json!({ "distances": distances, "expansions": expansions }),
        )
    }

    /// Planted mistakes that the inputs show, over all functions that ran. The bar is one of 300 functions, which the benchmark
    /// of the oracle draws from whole sources.
    fn mistakes(&self) -> Row {
        let records: BTreeMap<&str, &Ran> =
            self.variants.iter().filter_map(|variant| Some((variant.function_id.as_str(), ran(variant)?))).collect();
        let all: Share = records.values().map(|record| record.mutants).sum();
        let held_out: Share = records.values().map(|record| record.held_out).sum();
        let equivalent: u32 = records.values().map(|record| record.equivalent).sum();
        let mut by_source: BTreeMap<&str, Vec<evidence::Share>> = BTreeMap::new();
        let mut causes: BTreeMap<&str, usize> = BTreeMap::new();
        for (id, record) in &records {
            by_source.entry(&self.functions[*id].source).or_default().push(record.mutants);
            record.survivors.iter().for_each(|survivor| *causes.entry(&survivor.cause).or_default() += 1);
        }
        let of_source = |(source, shares): (&str, Vec<_>)| format!("{source} {}", shares.into_iter().sum::<Share>());
        let sources: Vec<String> = by_source.into_iter().map(of_source).collect();
        Row::new(
            "shapes",
            format!("{}: planted mistakes that are refused, in this mix of sources", self.language.as_str()),
            format!(
                "{all}: {}; held out: {held_out}; not seen: {causes:?}; the same code, not counted: {equivalent}",
                sources.join(", ")
            ),
            None,
            format!("`mutants` in the evidence of `variants.parquet`, of {} functions that ran", records.len()),
            json!({ "killed": all.0.of, "all": all.0.all, "held_out": held_out.0, "causes": causes }),
        )
    }

    fn alarms(&self) -> Row {
        let differ: Vec<&Waiting> = self.waiting.iter().filter(|waiting| waiting.reason == Reason::Differs).collect();
        let is_rename = |setting: &str| RENAMES.contains(&setting);
        let alarms = differ.iter().filter(|waiting| is_rename(&waiting.setting)).count();
        let renames = self.variants.iter().filter(|variant| is_rename(&variant.setting)).count() + alarms;
        let mut others: BTreeMap<&str, usize> = BTreeMap::new();
        for waiting in differ.iter().filter(|waiting| !is_rename(&waiting.setting)) {
            *others.entry(&waiting.setting).or_default() += 1;
        }
        Row::new(
            "shapes",
            format!("{}: false alarms in correct renames: none", self.language.as_str()),
            format!("{alarms} in {renames}; rewrites that were refused since they do something else: {others:?}"),
            alarms == 0,
            "waiting for `differs`",
            json!({ "alarms": alarms, "renames": renames, "refused": others }),
        )
    }
}

/// What the inputs of a variant's function are worth, where it ran.
fn ran(variant: &VariantFacts) -> Option<&Ran> {
    variant.evidence.behaviour.as_ref().and_then(Behaviour::ran)
}

/// Shares of several functions, together.
struct Share(oracle::Share);

impl Sum<evidence::Share> for Share {
    fn sum<I: Iterator<Item = evidence::Share>>(shares: I) -> Self {
        let both =
            |sum: oracle::Share, one: evidence::Share| oracle::Share { of: sum.of + one.of, all: sum.all + one.all };
        Self(shares.fold(oracle::Share::default(), both))
    }
}

impl fmt::Display for Share {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:.1}% ({} of {})", self.0.value() * 100.0, self.0.of, self.0.all)
    }
}

/// Runs so many variants again that are said to agree, each with ten times the inputs, of other seeds.
pub fn again(bench: &Path, count: usize, seed: u64) -> Result<Vec<Row>, Box<dyn Error>> {
    let bench = Bench::open(bench)?;
    let mut by_function: BTreeMap<String, Vec<Variant>> = BTreeMap::new();
    for variant in bench.variants()? {
        let variant = variant?;
        if matches!(variant.tier, Tier::Exhaustive | Tier::Agrees | Tier::AgreesWeakly) {
            by_function.entry(variant.function_id.clone()).or_default().push(variant);
        }
    }
    let mut chance = Chance::new(seed);
    let mut chosen: Vec<Function> = Vec::new();
    for function in bench.functions()? {
        let function = function?;
        if function.linked_unit.is_some() && by_function.contains_key(&function.id) {
            chosen.push(function);
        }
    }
    let mean = by_function.values().map(Vec::len).sum::<usize>() / by_function.len().max(1);
    let chosen = chance.sample(chosen, count.div_ceil(mean.max(1)));
    let workshop = Workshop::temporary()?;
    let parser = Arc::new(Parser::new(rayon::current_num_threads(), &workshop)?);
    let oracle = Oracle::new(&workshop, parser, Settings::default())?;
    let checked: usize = chosen.iter().map(|function| by_function[&function.id].len()).sum();
    let runs: Vec<(&Function, u64)> = chosen
        .iter()
        .flat_map(|function| (1..=AGAIN).map(move |more| (function, seed.wrapping_add(1000 * more))))
        .collect();
    let found: Vec<(u32, Differences)> = runs
        .par_iter()
        .map(|(function, seed)| differing(&oracle, function, &by_function[&function.id], *seed))
        .collect::<Result<_, _>>()
        .map_err(|error: Box<dyn Error + Send + Sync>| -> Box<dyn Error> { error })?;
    let inputs: u32 = found.iter().map(|(inputs, _)| inputs).sum();
    let wrong: Differences = found.into_iter().flat_map(|(_, differing)| differing).collect();
    let names: Vec<&String> = wrong.keys().collect();
    Ok(vec![Row::new(
        "again",
        "variants that turn out wrong with ten times the inputs and other seeds: none",
        format!("{} of {checked} ({inputs} inputs on {} functions): {names:?}", wrong.len(), chosen.len()),
        wrong.is_empty(),
        format!("each run again with {AGAIN} sets of inputs"),
        json!({ "variants": checked, "functions": chosen.len(), "inputs": inputs, "wrong": wrong }),
    )])
}

/// The variants that do something else, by function and setting: with which seed, and what they do.
type Differences = BTreeMap<String, (u64, oracle::Difference)>;

/// How many inputs a seed gives for a function, and which of its variants do something else on them.
fn differing(
    oracle: &Oracle,
    function: &Function,
    variants: &[Variant],
    seed: u64,
) -> Result<(u32, Differences), Box<dyn Error + Send + Sync>> {
    let text = function.linked_unit.as_deref().unwrap_or_default();
    let subject = oracle::Subject {
        text,
        function: &function.name,
        at: function.in_linked_unit().map(|place| place.start),
        language: function.language,
        flags: &function.flags,
        seed,
    };
    let Ok(prepared) = oracle.original(&subject)? else { return Ok((0, Differences::new())) };
    let rewrites: Vec<oracle::Variant<'_>> = variants
        .iter()
        .map(|variant| oracle::Variant {
            text: &variant.unit,
            function: oracle::renamed_function(&function.name, &variant.rename_map),
            names: &variant.rename_map,
            known: &[],
        })
        .collect();
    let checked = prepared.check(&rewrites)?;
    let differing = variants.iter().zip(checked).filter_map(|(variant, checked)| match checked.verdict {
        oracle::Verdict::Differs(difference) => {
            Some((format!("{} {}", function.name, variant.setting), (seed, difference)))
        }
        _ => None,
    });
    Ok((prepared.record().kept, differing.collect()))
}
