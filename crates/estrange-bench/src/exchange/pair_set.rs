//! The pairs of a bench with what is known of their functions, and where the files of each rung stand in an export.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use estrange_words::{Language, Word};

use super::error::ExchangeError;
use crate::bench::Bench;
use crate::pairs::{BugPair, Rung};
use crate::rows::record;
use crate::tables::Table;
use crate::words::{Label, Side};

record! {
    /// A side of a pair, without its texts.
    pub struct SideFacts of Functions {
        /// Its id.
        pub id: String,
        /// Its source.
        pub source: String,
        /// The version of that.
        pub version: String,
        /// Its file there.
        pub path: String,
        /// Its plain name.
        pub name: String,
        /// Its name with namespaces and classes.
        pub qualified_name: String,
        /// Its language.
        pub language: Language,
        /// The licence of its file.
        pub licence: String,
        /// What its source is for.
        pub split: crate::words::Split,
        /// What a compiler must be told besides the language.
        pub flags: Vec<String>,
    }
}

/// Which rungs are wanted; all where nothing is said.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// These settings.
    pub settings: Vec<String>,
    /// Of settings that have several seeds, these.
    pub seeds: Vec<u32>,
}

/// A pair with its rungs.
#[derive(Debug, Clone)]
pub struct ExportedPair {
    /// The pair.
    pub pair: BugPair,
    /// The side with the bug.
    pub vulnerable: SideFacts,
    /// The side without it.
    pub patched: SideFacts,
    /// Its rungs that are wanted, in the order of the bench.
    pub rungs: Vec<ExportedRung>,
}

/// A rung, and where its files are.
#[derive(Debug, Clone)]
pub struct ExportedRung {
    /// The rung.
    pub rung: Rung,
    /// The folders that lead to its files, from the export's own: plain names of letters, digits, `.`, `_` and `-`.
    pub folder: [String; 3],
}

impl ExportedPair {
    /// Whether running showed the bug.
    pub fn is_confirmed(&self) -> bool {
        self.pair.label == Label::CrashConfirmed
    }

    /// The file that a side's unit is written to, in the folder of its rung.
    pub fn file(&self, side: Side) -> String {
        let ending = if self.vulnerable.language == Language::Cpp { "cpp" } else { "c" };
        format!("{side}.{ending}")
    }
}

impl ExportedRung {
    /// The path of a file of it, from the export's folder on, with slashes.
    pub fn path(&self, file: &str) -> String {
        format!("{}/{file}", self.folder.join("/"))
    }

    /// The function of a side within its unit.
    pub fn code(&self, side: Side) -> &str {
        let Rung { vulnerable_unit, vulnerable_start, vulnerable_end, .. } = &self.rung;
        let Rung { patched_unit, patched_start, patched_end, .. } = &self.rung;
        let (unit, start, end) = match side {
            Side::Vulnerable => (vulnerable_unit, vulnerable_start, vulnerable_end),
            Side::Patched => (patched_unit, patched_start, patched_end),
        };
        unit.get(*start as usize..*end as usize).unwrap_or(unit)
    }

    /// The unit of a side.
    pub fn unit(&self, side: Side) -> &str {
        match side {
            Side::Vulnerable => &self.rung.vulnerable_unit,
            Side::Patched => &self.rung.patched_unit,
        }
    }
}

/// The pairs of a bench, each with the rungs that are wanted. One without any is there, too.
pub fn exported_pairs(bench: &Bench, wanted: &Wanted) -> Result<Vec<ExportedPair>, ExchangeError> {
    if !bench.has(Table::Pairs) || !bench.has(Table::Rungs) {
        return Err(ExchangeError::NoPairs);
    }
    let mut sides: HashMap<String, SideFacts> = HashMap::new();
    for facts in bench.rows::<SideFacts>()? {
        let facts = facts?;
        sides.insert(facts.id.clone(), facts);
    }
    let mut rungs: HashMap<String, Vec<Rung>> = HashMap::new();
    let mut seeds: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for rung in bench.rows::<Rung>()? {
        let rung = rung?;
        seeds.entry(rung.setting.clone()).or_default().insert(rung.seed);
        rungs.entry(rung.pair.clone()).or_default().push(rung);
    }
    if let Some(setting) = wanted.settings.iter().find(|setting| !seeds.contains_key(*setting)) {
        let there = seeds.into_keys().collect();
        return Err(ExchangeError::NoSetting { setting: setting.clone(), there });
    }
    let several = |setting: &str| seeds.get(setting).is_some_and(|seeds| seeds.len() > 1);
    let is_wanted = |rung: &Rung| {
        let is_of = wanted.settings.is_empty() || wanted.settings.contains(&rung.setting);
        is_of && (wanted.seeds.is_empty() || !several(&rung.setting) || wanted.seeds.contains(&rung.seed))
    };
    let (mut exported, mut taken) = (Vec::new(), BTreeSet::new());
    for pair in bench.rows::<BugPair>()? {
        let pair = pair?;
        let side = |id: &String| {
            let none = || ExchangeError::NoFunction { pair: pair.name.clone(), id: id.clone() };
            sides.get(id).cloned().ok_or_else(none)
        };
        let (vulnerable, patched) = (side(&pair.vulnerable_id)?, side(&pair.patched_id)?);
        let folder = plain(&pair.name, &mut taken);
        let own = rungs.remove(&pair.name).unwrap_or_default();
        let mut levels = BTreeSet::new();
        let rungs = own.into_iter().filter_map(|rung| {
            let seed = if several(&rung.setting) { format!("-{}", rung.seed) } else { String::new() };
            // Every rung takes its name, so that names do not depend on what is wanted.
            let level = plain(&format!("{}{seed}", rung.setting), &mut levels);
            let folder = ["pairs".to_owned(), folder.clone(), level];
            is_wanted(&rung).then_some(ExportedRung { rung, folder })
        });
        let rungs = rungs.collect();
        exported.push(ExportedPair { pair, vulnerable, patched, rungs });
    }
    Ok(exported)
}

/// A name for a file or a folder that no other one has, out of one that may be anybody's.
fn plain(name: &str, taken: &mut BTreeSet<String>) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
    let plain: String = name.chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect();
    let plain = plain.trim_start_matches(['.', '-']);
    let plain = if plain.is_empty() { "pair" } else { plain };
    let names = std::iter::once(plain.to_owned()).chain((2..).map(|number: u64| format!("{plain}-{number}")));
    let mut free = names.skip_while(|name| taken.contains(&name.to_lowercase()));
    let free = free.next().unwrap_or_default();
    taken.insert(free.to_lowercase());
    free
}

/// How many rungs there are in each setting.
pub fn by_setting(pairs: &[ExportedPair]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for rung in pairs.iter().flat_map(|pair| &pair.rungs) {
        *counts.entry(rung.rung.setting.clone()).or_default() += 1;
    }
    counts
}

/// The word for how a pair faults; empty where it is not known.
pub(super) fn class_word(pair: &BugPair) -> &'static str {
    pair.class.map_or("", Word::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_pairs_become_plain_ones_that_differ() {
        let mut taken = BTreeSet::new();
        let names = ["acc", "a/b::c", "a/b--c", "../../etc", "ACC", "$(x)", ""].map(|name| plain(name, &mut taken));
        assert_eq!(names, ["acc", "a-b--c", "a-b--c-2", "etc", "ACC-2", "x-", "pair"]);
    }
}
