//! What `estrange stats` counted: the document that `--json` prints, and that every table is made from.
//!
//! Shares are between 0 and 1, and null where there is nothing to take them of. A function is *usable* if it was kept,
//! or left out only by choice: as a duplicate, or for balance.

use std::collections::{BTreeMap, HashSet};

use estrange_bench::funnel::{
    Class, Funnel, GroupTable, LoweredNumbers, SettingNumbers, Statistics, Summary, by_lowering, by_setting,
};
use estrange_bench::{
    Bench, BenchError, ByReason, Counts, FunctionFacts, LoweredFacts, Reason, RejectedFacts, Split, Stage,
    VariantFacts, Waiting,
};
use estrange_words::Word;
use serde::Serialize;

use crate::arguments;

/// The version of the document's shape.
pub const FORMAT: u32 = 1;

/// The whole document.
#[derive(Debug, Serialize)]
pub struct StatsJson {
    /// What was looked at.
    pub bench: Facts,
    /// Which of its functions were counted.
    pub cut: Cut,
    /// All of these.
    pub functions: Numbers,
    /// From functions found to functions kept, in order.
    pub stages: Vec<StageNumbers>,
    /// By language and kind: `c`, `c++-free`, `c++-method`, and `unknown` for what was lost too early to say.
    pub by_class: BTreeMap<Class, Numbers>,
    /// By source, in the order of the bench; then those of which nothing could be had.
    pub by_source: Vec<Source>,
    /// By what their file is to its project.
    pub by_role: BTreeMap<String, Numbers>,
    /// Why functions were not kept, the most frequent reason first.
    pub rejected: Vec<ReasonNumbers>,
    /// Why whole files and sources were lost, with how many of them.
    pub losses: Vec<ReasonNumbers>,
    /// Why kept functions are not linkable.
    pub unlinkable: Vec<ReasonNumbers>,
    /// The kept functions by group: what the paper's Table 1 has of source code.
    pub groups: GroupTable,
    /// The same for each split.
    pub groups_by_split: BTreeMap<Split, GroupTable>,
    /// How many functions and sources are for what.
    pub splits: BTreeMap<Split, SplitNumbers>,
    /// The kept functions by the class of their licence.
    pub licence_classes: BTreeMap<String, u64>,
    /// How many functions were left out as duplicates, by how alike they are.
    pub duplicates: BTreeMap<Reason, u64>,
    /// The variants by setting; empty where the bench has none.
    pub variants: BTreeMap<String, SettingNumbers>,
    /// The lowered functions by setting; empty where the bench has none.
    pub lowered: BTreeMap<String, LoweredNumbers>,
}

/// What the manifest says about the bench.
#[derive(Debug, Serialize)]
pub struct Facts {
    /// As it was named.
    pub folder: String,
    pub format_version: u32,
    /// The version of Estrange that made it.
    pub estrange: String,
    pub seed: u64,
    /// The programs that were used, with their versions.
    pub tools: BTreeMap<String, String>,
}

/// Which functions are counted; empty lists mean all of them.
#[derive(Debug, Clone, Serialize)]
pub struct Cut {
    pub roles: Vec<String>,
    pub sources: Vec<String>,
    pub without: Vec<String>,
}

/// What became of some functions, and what the kept ones are like.
#[derive(Debug, Default, Serialize)]
pub struct Numbers {
    pub found: u64,
    pub usable: u64,
    pub kept: u64,
    pub usable_share: Option<f64>,
    pub kept_share: Option<f64>,
    /// Those not kept, by stage and reason.
    pub rejected: ByReason,
    /// Whole files and sources lost, by stage and reason.
    pub losses: ByReason,
    /// What the kept ones are like.
    pub statistics: Summary,
}

/// How many functions a stage lost, and how many were left after it.
#[derive(Debug, Serialize)]
pub struct StageNumbers {
    pub stage: Stage,
    pub lost: u64,
    pub left: u64,
    /// The share of the functions found that was left.
    pub left_share: Option<f64>,
}

/// A source of the bench.
#[derive(Debug, Serialize)]
pub struct Source {
    pub source: String,
    /// Null where nothing could be had.
    pub version: Option<String>,
    pub split: Option<Split>,
    #[serde(flatten)]
    pub numbers: Numbers,
}

/// How often something was lost for a reason.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct ReasonNumbers {
    /// Null for what is no loss, such as not being linkable.
    pub stage: Option<Stage>,
    pub reason: Reason,
    pub count: u64,
    /// The reason in words, for people.
    pub meaning: String,
}

/// What is for training, or for evaluation.
#[derive(Debug, Default, Serialize)]
pub struct SplitNumbers {
    pub functions: u64,
    pub sources: u64,
}

impl Cut {
    pub fn new(arguments: &arguments::Stats) -> Self {
        Self { roles: arguments.role.clone(), sources: arguments.source.clone(), without: arguments.without.clone() }
    }

    /// Whether this belongs to it. What was lost before its role was known may be of any.
    fn has(&self, source: &str, role: Option<&str>) -> bool {
        let names = |list: &[String], name: &str| list.iter().any(|one| one == name);
        (self.sources.is_empty() || names(&self.sources, source))
            && !names(&self.without, source)
            && (self.roles.is_empty() || role.is_none_or(|role| names(&self.roles, role)))
    }

    /// Whether everything belongs to it.
    pub fn is_all(&self) -> bool {
        self.roles.is_empty() && self.sources.is_empty() && self.without.is_empty()
    }
}

impl StatsJson {
    /// Counts the functions of a bench that belong to a cut.
    pub fn new(bench: &Bench, folder: &str, cut: Cut) -> Result<Self, BenchError> {
        let mut functions: Vec<FunctionFacts> = bench.function_facts()?.collect::<Result<_, _>>()?;
        functions.retain(|function| cut.has(&function.source, Some(&function.role)));
        let mut rejected: Vec<RejectedFacts> = bench.rejected_facts()?.collect::<Result<_, _>>()?;
        rejected.retain(|rejected| cut.has(&rejected.source, rejected.role.as_deref()));

        let manifest = bench.manifest();
        let variants = variants(bench, &functions)?;
        let lowered = lowered(bench, &functions)?;
        let funnel = Funnel::count(&functions, &rejected);
        let mut statistics = Statistics::of(&functions);
        let mut roles: BTreeMap<&str, Vec<&FunctionFacts>> = BTreeMap::new();
        for function in &functions {
            roles.entry(&function.role).or_default().push(function);
        }
        let mut by_role = roles.into_iter().map(|(role, part)| (role.to_owned(), Summary::of(part))).collect();
        let mut splits: BTreeMap<Split, SplitNumbers> = BTreeMap::new();
        for (split, functions) in &funnel.kept_by_split {
            splits.entry(*split).or_default().functions = *functions;
        }
        for source in manifest.sources.iter().filter(|source| cut.has(&source.spec, None)) {
            splits.entry(source.split).or_default().sources += 1;
        }
        Ok(Self {
            bench: Facts {
                folder: folder.to_owned(),
                format_version: manifest.format_version,
                estrange: manifest.estrange.clone(),
                seed: manifest.seed,
                tools: manifest.tools.clone(),
            },
            stages: stages(&funnel.total),
            functions: Numbers::new(&funnel.total, statistics.all.total.clone()),
            by_class: cut_numbers(&funnel.by_class, &mut statistics.by_class),
            by_source: sources(bench, &cut, &funnel, &mut statistics),
            by_role: cut_numbers(&funnel.by_role, &mut by_role),
            rejected: reasons(&funnel.total.rejected),
            losses: reasons(&funnel.total.losses),
            unlinkable: sorted(statistics.all.total.unlinkable.iter().map(|(reason, count)| (None, *reason, *count))),
            groups: statistics.all,
            groups_by_split: statistics.by_split,
            splits,
            licence_classes: funnel.kept_by_licence_class,
            duplicates: funnel.total.rejected.get(&Stage::Duplicate).cloned().unwrap_or_default(),
            variants,
            lowered,
            cut,
        })
    }
}

/// The variants of these functions.
fn variants(bench: &Bench, functions: &[FunctionFacts]) -> Result<BTreeMap<String, SettingNumbers>, BenchError> {
    if !bench.has_variants() {
        return Ok(BTreeMap::new());
    }
    let ids: HashSet<&str> = functions.iter().map(|function| function.id.as_str()).collect();
    let mut variants: Vec<VariantFacts> = bench.variant_facts()?.collect::<Result<_, _>>()?;
    variants.retain(|variant| ids.contains(variant.function_id.as_str()));
    let mut waiting: Vec<Waiting> = bench.waiting()?.collect::<Result<_, _>>()?;
    waiting.retain(|waiting| ids.contains(waiting.function_id.as_str()));
    Ok(by_setting(functions.len() as u64, &variants, &waiting))
}

/// These functions, lowered.
fn lowered(bench: &Bench, functions: &[FunctionFacts]) -> Result<BTreeMap<String, LoweredNumbers>, BenchError> {
    if !bench.has_lowered() {
        return Ok(BTreeMap::new());
    }
    let ids: HashSet<&str> = functions.iter().map(|function| function.id.as_str()).collect();
    let mut lowered: Vec<LoweredFacts> = bench.lowered_facts()?.collect::<Result<_, _>>()?;
    lowered.retain(|one| ids.contains(one.function_id.as_str()));
    let mut waiting: Vec<Waiting> = bench.waiting()?.collect::<Result<_, _>>()?;
    waiting.retain(|waiting| ids.contains(waiting.function_id.as_str()));
    Ok(by_lowering(functions.len() as u64, &lowered, &waiting))
}

impl Numbers {
    fn new(counts: &Counts, statistics: Summary) -> Self {
        Self {
            found: counts.found,
            usable: counts.usable(),
            kept: counts.kept,
            usable_share: counts.usable_share(),
            kept_share: counts.kept_share(),
            rejected: counts.rejected.clone(),
            losses: counts.losses.clone(),
            statistics,
        }
    }
}

/// What was counted and what was summarised, brought together.
fn cut_numbers<K: Ord + Clone>(
    counts: &BTreeMap<K, Counts>,
    statistics: &mut BTreeMap<K, Summary>,
) -> BTreeMap<K, Numbers> {
    let mut numbers = BTreeMap::new();
    for (key, counts) in counts {
        numbers.insert(key.clone(), Numbers::new(counts, statistics.remove(key).unwrap_or_default()));
    }
    numbers
}

fn sources(bench: &Bench, cut: &Cut, funnel: &Funnel, statistics: &mut Statistics) -> Vec<Source> {
    let mut numbers = cut_numbers(&funnel.by_source, &mut statistics.by_source);
    let known = bench.manifest().sources.iter().filter(|source| cut.has(&source.spec, None));
    let mut sources: Vec<Source> = known
        .map(|source| Source {
            source: source.spec.clone(),
            version: Some(source.version.clone()),
            split: Some(source.split),
            numbers: numbers.remove(&source.spec).unwrap_or_default(),
        })
        .collect();
    sources.extend(numbers.into_iter().map(|(source, numbers)| Source { source, version: None, split: None, numbers }));
    sources
}

/// Each stage that lost something, in the order in which functions pass them.
fn stages(counts: &Counts) -> Vec<StageNumbers> {
    let mut left = counts.found;
    let numbers = |(stage, reasons): (&Stage, &BTreeMap<Reason, u64>)| {
        let lost = reasons.values().sum();
        left -= lost;
        let left_share = (counts.found > 0).then(|| left as f64 / counts.found as f64);
        StageNumbers { stage: *stage, lost, left, left_share }
    };
    counts.rejected.iter().map(numbers).collect()
}

fn reasons(counts: &ByReason) -> Vec<ReasonNumbers> {
    sorted(
        counts
            .iter()
            .flat_map(|(stage, reasons)| reasons.iter().map(move |(reason, count)| (Some(*stage), *reason, *count))),
    )
}

/// The most frequent first; the same bench always in the same order.
fn sorted(counts: impl Iterator<Item = (Option<Stage>, Reason, u64)>) -> Vec<ReasonNumbers> {
    let mut reasons: Vec<ReasonNumbers> =
        counts.map(|(stage, reason, count)| ReasonNumbers { stage, reason, count, meaning: reason.phrase() }).collect();
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
    reasons
}
