//! CLARC's data as a bench.
//!
//! The texts and the ids are CLARC's own. What the data does not say is empty: where a function comes from, its unit, its
//! licence. Nothing was checked, and the evidence says so. A function that a setting lacks waits there.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use estrange_text::similarity::surface_distance;
use estrange_words::{Reason, Stage};
use serde_json::json;

use super::rows::{Found, Rows, malformed, read};
use super::{Part, Row, target};
use crate::add::put_queries;
use crate::evidence::{UnitEvidence, VariantEvidence};
use crate::exchange::error::ExchangeError;
use crate::folder::Lock;
use crate::json::Json;
use crate::manifest::{Manifest, Provenance, Source};
use crate::record::{Function, Helper, Judgement, Lowered, Query, Variant, Waiting};
use crate::words::{Group, Kind, Split, Tier, Undefinedness, View, WrittenBy};
use crate::write::Writer;

mod settings;
mod text;

use settings::Texts;

/// What the source of the functions is called.
const SOURCE: &str = "clarc";

/// What was imported.
#[derive(Debug)]
pub struct Imported {
    /// The manifest of the bench.
    pub manifest: Manifest,
    /// How many queries it has.
    pub queries: usize,
    /// The groups and settings that were read, each with the number of its rows.
    pub settings: Vec<(Group, String, usize)>,
    /// Files beside them that no bench can hold.
    pub passed_over: Vec<String>,
}

/// The records of a bench.
#[derive(Default)]
struct Records {
    functions: Vec<Function>,
    variants: Vec<Variant>,
    lowered: Vec<Lowered>,
    waiting_variants: Vec<Waiting>,
    waiting_lowered: Vec<Waiting>,
    queries: Vec<Query>,
    judgements: Vec<Judgement>,
}

/// Reads CLARC's files in a folder and writes them as a bench into a locked one.
pub fn import(folder: &Path, lock: &Lock) -> Result<Imported, ExchangeError> {
    let found = read(folder)?;
    let mut records = Records::default();
    for group in Group::ALL {
        let files: Vec<&Rows> = found.files.iter().filter(|file| file.part.group == *group).collect();
        if !files.is_empty() {
            records.add_group(*group, &files)?;
        }
    }
    records.add_settings(&found.files)?;
    let settings: HashSet<&str> = found.files.iter().map(|file| file.part.setting.as_str()).collect();
    let mut writer = Writer::new(lock)?;
    records.functions.into_iter().try_for_each(|function| writer.keep(function))?;
    if settings.iter().any(|setting| *setting != "standard" && target(setting).is_none()) {
        writer.add_variants(records.variants, records.waiting_variants)?;
    }
    if settings.iter().any(|setting| target(setting).is_some()) {
        writer.add_lowered(records.lowered, records.waiting_lowered)?;
    }
    writer.finish(provenance(&found))?;
    let queries = records.queries.len();
    let manifest = put_queries(lock, records.queries, records.judgements)?;
    let settings =
        found.files.iter().map(|file| (file.part.group, file.part.setting.clone(), file.rows.len())).collect();
    Ok(Imported { manifest, queries, settings, passed_over: found.passed_over })
}

impl Records {
    fn add_group(&mut self, group: Group, files: &[&Rows]) -> Result<(), ExchangeError> {
        let of = |setting: &str, view: View| {
            files.iter().copied().find(|file| file.part.setting == setting && file.part.view == view)
        };
        let (short, long) = (of("standard", View::Short), of("standard", View::Long));
        let Some(standard) = short.or(long) else {
            let path = &files[0].path;
            return Err(malformed(path, format!("there is no group{group}_standard.json beside it")));
        };
        let first = self.functions.len();
        self.add_functions(group, standard)?;
        self.add_queries(standard)?;
        let targets: HashMap<&str, &str> = targets(standard);
        if let (Some(_), Some(long)) = (short, long) {
            self.add_long(first, long, &targets)?;
        }
        Ok(())
    }

    /// Every code of the standard setting is a function, helpers too, for they are documents in every setting.
    fn add_functions(&mut self, group: Group, standard: &Rows) -> Result<(), ExchangeError> {
        let elsewhere: HashMap<String, String> =
            self.functions.iter().map(|function| (function.id.clone(), function.text.clone())).collect();
        let first = self.functions.len();
        let targets = targets(standard);
        let mut here: HashMap<&str, usize> = HashMap::new();
        for row in &standard.rows {
            if here.contains_key(row.code_id.as_str()) {
                continue;
            }
            if let Some(text) = elsewhere.get(&row.code_id) {
                // A helper may be a function of another group; what a query is for may not.
                if targets.get(row.query_id.as_str()) == Some(&row.code_id.as_str()) || *text != row.code_text {
                    return Err(malformed(
                        &standard.path,
                        format!("another group has the code_id {} too", row.code_id),
                    ));
                }
                continue;
            }
            here.insert(&row.code_id, self.functions.len());
            self.functions.push(function(group, row));
        }
        for row in standard.rows.iter().filter(|row| targets.get(row.query_id.as_str()) != Some(&row.code_id.as_str()))
        {
            let target = targets.get(row.query_id.as_str()).and_then(|target| here.get(target));
            let Some(function) = target.and_then(|at| self.functions.get_mut(*at)) else { continue };
            if function.helpers.iter().all(|helper| helper.id.as_deref() != Some(&row.code_id)) {
                let (name, id, text) = (row.code_id.clone(), Some(row.code_id.clone()), row.code_text.clone());
                let helper = Helper { name, id, depth: 1, text, linked_start: None, linked_end: None };
                function.helpers.push(helper);
            }
        }
        if standard.part.view == View::Long {
            for function in &mut self.functions[first..] {
                set_long_text(function, function.text.clone());
            }
        }
        Ok(())
    }

    fn add_queries(&mut self, standard: &Rows) -> Result<(), ExchangeError> {
        let mut known: HashSet<String> = self.queries.iter().map(|query| query.id.clone()).collect();
        let before: HashSet<String> = known.clone();
        let targets = targets(standard);
        for row in &standard.rows {
            if before.contains(&row.query_id) {
                return Err(malformed(&standard.path, format!("another group has the query_id {} too", row.query_id)));
            }
            self.judge(row, standard.part.view, &row.code_id, row.relevance);
            if known.insert(row.query_id.clone()) {
                let target = targets.get(row.query_id.as_str()).copied().unwrap_or(&row.code_id);
                self.queries.push(query(row, target));
            }
        }
        Ok(())
    }

    fn judge(&mut self, row: &Row, view: View, document: &str, grade: u32) {
        let (query_id, document_id) = (row.query_id.clone(), document.to_owned());
        self.judgements.push(Judgement { query_id, view, document_id, grade });
    }

    /// The long view of group 3 is another text of the function that the short view's query is for.
    fn add_long(&mut self, first: usize, long: &Rows, targets: &HashMap<&str, &str>) -> Result<(), ExchangeError> {
        let places: HashMap<String, usize> =
            self.functions.iter().enumerate().skip(first).map(|(at, function)| (function.id.clone(), at)).collect();
        for row in &long.rows {
            let target = targets.get(row.query_id.as_str()).ok_or_else(|| unknown(long, row))?;
            if let Some(at) = places.get(*target) {
                set_long_text(&mut self.functions[*at], row.code_text.clone());
            }
            self.judge(row, View::Long, target, row.relevance);
        }
        Ok(())
    }

    /// Every other setting: what there is of a function, and whether it waits.
    fn add_settings(&mut self, files: &[Rows]) -> Result<(), ExchangeError> {
        let texts = settings::texts(files, &self.functions)?;
        for group in Group::ALL {
            for ((setting, seed), texts) in &texts {
                let is_of = |part: &&Part| (part.group, part.setting.as_str(), part.seed) == (*group, *setting, *seed);
                let mut parts: Vec<&Part> = files.iter().map(|file| &file.part).filter(is_of).collect();
                parts.sort_by_key(|part| part.view);
                for function in self.functions.iter().filter(|function| function.group == *group) {
                    match (texts.get(function.id.as_str()), parts.first(), target(setting).is_some()) {
                        (Some(texts), _, true) => self.lowered.extend(lowered(&function.id, setting, texts)),
                        (Some(texts), _, false) => self.variants.extend(variant(function, setting, *seed, texts)),
                        (None, Some(part), true) => self.waiting_lowered.push(waiting(&function.id, part)),
                        (None, Some(part), false) => self.waiting_variants.push(waiting(&function.id, part)),
                        (None, None, _) => (),
                    }
                }
            }
        }
        Ok(())
    }
}

/// The function that each query of a file is for.
fn targets(file: &Rows) -> HashMap<&str, &str> {
    let mut best: HashMap<&str, &Row> = HashMap::new();
    for row in &file.rows {
        let known = best.entry(&row.query_id).or_insert(row);
        if row.relevance > known.relevance {
            *known = row;
        }
    }
    best.into_iter().map(|(query, row)| (query, row.code_id.as_str())).collect()
}

fn unknown(file: &Rows, row: &Row) -> ExchangeError {
    let Row { query_id, code_id, .. } = row;
    malformed(&file.path, format!("the standard setting does not have its query {query_id} or its code {code_id}"))
}

fn function(group: Group, row: &Row) -> Function {
    let language = text::language(&row.code_text);
    let facts = text::facts(&row.code_text, language);
    let whole = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Function {
        id: row.code_id.clone(),
        lineage: row.code_id.clone(),
        source: SOURCE.to_owned(),
        version: String::new(),
        path: String::new(),
        line_start: 0,
        line_end: 0,
        name: row.code_id.clone(),
        qualified_name: row.code_id.clone(),
        kind: Kind::Function,
        language,
        role: "unknown".to_owned(),
        licence: String::new(),
        licence_class: "unknown".to_owned(),
        group,
        split: Split::Eval,
        text: row.code_text.clone(),
        unit: String::new(),
        unit_start: None,
        unit_end: None,
        linked_unit: None,
        linked_start: None,
        linked_end: None,
        linkable: false,
        unlinkable_reason: Some(Reason::NotInTheData),
        flags: Vec::new(),
        helpers: Vec::new(),
        long_text: None,
        long_start: None,
        types: Vec::new(),
        includes: Vec::new(),
        comment: None,
        loc: whole(facts.code_lines),
        cyclomatic_complexity: whole(facts.complexity),
        tokens: whole(facts.tokens),
        model_tokens: None,
        unique_keywords: whole(facts.unique_keywords),
        unit_lines: 0,
        linked_lines: None,
        evidence: Json(UnitEvidence {
            checked: Some(NOTHING.to_owned()),
            imported: Some(SOURCE.to_owned()),
            ..UnitEvidence::default()
        }),
        duplicates: Vec::new(),
    }
}

/// Gives a function its long text. The data does not say where the function stands in it: that is known where it stands
/// there once.
fn set_long_text(function: &mut Function, long: String) {
    let mut places = long.match_indices(&function.text).map(|(at, _)| at);
    function.long_start = match (places.next(), places.next()) {
        (Some(at), None) => u32::try_from(at).ok(),
        _ => None,
    };
    function.long_text = Some(long);
}

/// What was checked of what is imported.
const NOTHING: &str = "nothing";

fn variant(function: &Function, setting: &str, seed: u32, texts: &Texts<'_>) -> Option<Variant> {
    let text = texts.short.or(texts.long)?;
    let renamed = text::renamed(&function.text, text);
    let facts = text::facts(text, function.language);
    let whole = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Some(Variant {
        function_id: function.id.clone(),
        setting: setting.to_owned(),
        recipe: SOURCE.to_owned(),
        seed,
        text: text.to_owned(),
        long_text: texts.long.map(str::to_owned),
        unit: String::new(),
        unit_start: None,
        unit_end: None,
        rename_map: Json(renamed.names),
        tier: Tier::Untestable,
        undefinedness: Undefinedness::NotShown,
        evidence: Json(VariantEvidence {
            checked: Some(NOTHING.to_owned()),
            imported: Some(SOURCE.to_owned()),
            ..VariantEvidence::default()
        }),
        loc: whole(facts.code_lines),
        cyclomatic_complexity: whole(facts.complexity),
        tokens: whole(facts.tokens),
        surface_distance: surface_distance(&function.text, text),
        expansion: text.chars().count() as f64 / function.text.chars().count().max(1) as f64,
        perturbation_fraction: renamed.share,
        surviving_names: 0,
        surviving_comments: 0,
    })
}

/// Where there are both texts, the short one stands beside the longer one.
fn lowered(function: &str, setting: &str, texts: &Texts<'_>) -> Option<Lowered> {
    let text = texts.long.or(texts.short)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    Some(Lowered {
        function_id: function.to_owned(),
        setting: setting.to_owned(),
        target: target(setting).map_or(setting, |target| target.as_str()).to_owned(),
        compiler: String::new(),
        opt: String::new(),
        text: text.to_owned(),
        short_text: texts.short.filter(|_| texts.long.is_some()).map(str::to_owned),
        lines: u32::try_from(lines).unwrap_or(u32::MAX),
        tokens: 0,
        unique_instructions: 0,
        duplicates: blake3::hash(text.as_bytes()).to_hex()[..16].to_owned(),
        surviving_names: 0,
    })
}

fn waiting(function: &str, part: &Part) -> Waiting {
    Waiting {
        function_id: function.to_owned(),
        setting: part.setting.clone(),
        seed: part.seed,
        stage: Stage::Import,
        reason: Reason::NotInTheData,
        detail: format!("{} does not have it", part.file_name()),
    }
}

fn query(row: &Row, target: &str) -> Query {
    Query {
        id: row.query_id.clone(),
        function_id: target.to_owned(),
        text: text::without_marker(&row.query_text).to_owned(),
        author: SOURCE.to_owned(),
        written_by: WrittenBy::Model,
        prompt_hash: None,
        prompt_tokens: None,
        answer_tokens: None,
        cost: None,
    }
}

fn provenance(found: &Found) -> Provenance {
    let mut tree = blake3::Hasher::new();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for file in &found.files {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        tree.update(name.as_bytes()).update(file.blake3.as_bytes());
        files.insert(name, file.blake3.to_hex().to_string());
    }
    let source = Source {
        spec: SOURCE.to_owned(),
        pinned: SOURCE.to_owned(),
        version: String::new(),
        tree: tree.finalize().to_hex().to_string(),
        licences: BTreeMap::new(),
        split: Split::Eval,
        counts: crate::counts::Counts::default(),
    };
    Provenance {
        estrange: env!("CARGO_PKG_VERSION").to_owned(),
        seed: 0,
        config: json!({ "imported": SOURCE, "files": files, "passed_over": found.passed_over }),
        tools: BTreeMap::new(),
        sources: vec![source],
    }
}
