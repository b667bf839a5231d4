//! What is shown to a detector: both sides of each pair, at each level of the ladder.

use std::collections::{BTreeSet, HashMap, HashSet};

use estrange_bench::{Bench, BugPair, Label, Language, Rung, Side, Table, record};
use estrange_text::lexer::lex;

use super::error::DetectError;
use super::records::Case;
use super::{STANDARD, detector::Shown};
use crate::given::Key;
use crate::seen::{Seen, View};

record! {
    /// What is read of a function.
    pub struct FunctionView of Functions {
        /// As in the bench; so with the others.
        pub id: String,
        /// Its language.
        pub language: Language,
        /// What a compiler needs to be told.
        pub flags: Vec<String>,
    }
}

/// Which rungs are shown, and what of them.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The settings; all that the bench has where none is named.
    pub settings: Vec<String>,
    /// One label: numbers of both are never mixed.
    pub label: Label,
    /// What the detector sees.
    pub seen: Seen,
}

/// An item with what is shown.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub case: Case,
    pub function_id: String,
    pub text: String,
    pub flags: Vec<String>,
}

impl Entry {
    pub fn shown(&self) -> Shown<'_> {
        Shown { case: &self.case, text: &self.text, flags: &self.flags }
    }
}

/// What is shown, and what is known of all that could be.
#[derive(Debug)]
pub struct Ladder {
    /// By setting and seed, then by item.
    pub(super) entries: Vec<Entry>,
    /// Every item of the bench, shown or not.
    known: HashSet<Key>,
    /// The lengths in tokens at the standard setting.
    standard: Vec<u32>,
    /// The pairs that are left out because both sides look the same.
    alike: BTreeSet<String>,
    chosen: Chosen,
}

impl Ladder {
    /// Reads what was chosen from a bench.
    pub fn read(bench: &Bench, chosen: &Chosen) -> Result<Self, DetectError> {
        if !bench.has(Table::Pairs) || !bench.has(Table::Rungs) {
            return Err(DetectError::NoPairs);
        }
        let pairs: HashMap<String, BugPair> = bench
            .rows::<BugPair>()?
            .map(|pair| pair.map(|pair| (pair.name.clone(), pair)))
            .collect::<Result<_, _>>()?;
        if pairs.is_empty() {
            return Err(DetectError::NoPairs);
        }
        if pairs.values().all(|pair| pair.label != chosen.label) {
            return Err(DetectError::NoLabel { label: chosen.label, pairs: pairs.len() });
        }
        let functions: HashMap<String, FunctionView> = bench
            .rows::<FunctionView>()?
            .map(|view| view.map(|view| (view.id.clone(), view)))
            .collect::<Result<_, _>>()?;
        let mut reading = Reading::default();
        for rung in bench.rows::<Rung>()? {
            let rung = rung?;
            let pair = pairs.get(&rung.pair).ok_or_else(|| wrong(&rung, "the bench has no such pair"))?;
            reading.add(&rung, pair, &functions, chosen)?;
        }
        reading.done(chosen)
    }

    /// What was chosen.
    pub fn chosen(&self) -> &Chosen {
        &self.chosen
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none, which cannot be: what has none is an error.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The items as a detector sees them.
    pub fn shown(&self) -> impl Iterator<Item = Shown<'_>> {
        self.entries.iter().map(Entry::shown)
    }

    /// The pairs that are left out because their two sides look the same: what mends them is not in what is shown.
    pub fn alike(&self) -> &BTreeSet<String> {
        &self.alike
    }

    /// Whether the bench has an item of this name, setting and seed, shown or not.
    pub(super) fn knows(&self, key: &Key) -> bool {
        self.known.contains(key)
    }

    /// The median of the lengths at the standard setting, in tokens.
    pub(super) fn median_length(&self) -> Option<f64> {
        let mut lengths = self.standard.clone();
        lengths.sort_unstable();
        let middle = lengths.len() / 2;
        match (lengths.len() % 2, lengths.get(middle)) {
            (_, None) => None,
            (0, Some(upper)) => Some(f64::from(lengths[middle - 1] + upper) / 2.0),
            (_, Some(length)) => Some(f64::from(*length)),
        }
    }
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    entries: Vec<Entry>,
    known: HashSet<Key>,
    settings: BTreeSet<String>,
    /// Lengths at the standard setting, each with its pair.
    standard: Vec<(String, u32)>,
    alike: BTreeSet<String>,
}

impl Reading {
    fn add(
        &mut self,
        rung: &Rung,
        pair: &BugPair,
        functions: &HashMap<String, FunctionView>,
        chosen: &Chosen,
    ) -> Result<(), DetectError> {
        for side in Side::ALL {
            if !self.known.insert((item_name(&rung.pair, *side), rung.setting.clone(), rung.seed)) {
                return Err(wrong(rung, "it is there twice"));
            }
        }
        if pair.label != chosen.label {
            return Ok(());
        }
        self.settings.insert(rung.setting.clone());
        let sides = [Side::Vulnerable, Side::Patched].map(|side| entry(rung, pair, side, functions, chosen.seen));
        let [vulnerable, patched] = sides;
        let (vulnerable, patched) = (vulnerable?, patched?);
        if vulnerable.text == patched.text {
            self.alike.insert(pair.name.clone());
        }
        if rung.setting == STANDARD {
            self.standard.extend([&vulnerable, &patched].map(|entry| (pair.name.clone(), entry.case.tokens)));
        }
        if chosen.settings.is_empty() || chosen.settings.contains(&rung.setting) {
            self.entries.extend([vulnerable, patched]);
        }
        Ok(())
    }

    fn done(self, chosen: &Chosen) -> Result<Ladder, DetectError> {
        let Self { mut entries, known, settings, mut standard, alike } = self;
        let missing = chosen.settings.iter().find(|setting| !settings.contains(*setting));
        if let Some(setting) = missing.cloned().or_else(|| entries.is_empty().then(|| STANDARD.to_owned())) {
            let known = settings.into_iter().collect();
            return Err(DetectError::NoRungs { setting, label: chosen.label, known });
        }
        // In all settings or in none, so that these have the same pairs.
        entries.retain(|entry| !alike.contains(&entry.case.pair));
        standard.retain(|(pair, _)| !alike.contains(pair));
        if entries.is_empty() {
            return Err(DetectError::AllAlike { pairs: alike.len() });
        }
        entries.sort_by(|one, other| key(&one.case).cmp(&key(&other.case)));
        let standard = standard.into_iter().map(|(_, tokens)| tokens).collect();
        Ok(Ladder { entries, known, standard, alike, chosen: chosen.clone() })
    }
}

fn key(case: &Case) -> (&str, u32, &str) {
    (&case.setting, case.seed, &case.item)
}

/// What a side of a pair is called as an item: the same in every setting.
pub(super) fn item_name(pair: &str, side: Side) -> String {
    format!("{pair}/{side}")
}

fn wrong(rung: &Rung, detail: &str) -> DetectError {
    DetectError::Rung {
        pair: rung.pair.clone(),
        setting: rung.setting.clone(),
        seed: rung.seed,
        detail: detail.to_owned(),
    }
}

/// A side of a rung: its unit, and where its function is there.
pub(super) fn side_of(rung: &Rung, side: Side) -> (&str, std::ops::Range<usize>) {
    match side {
        Side::Vulnerable => (&rung.vulnerable_unit, rung.vulnerable_start as usize..rung.vulnerable_end as usize),
        Side::Patched => (&rung.patched_unit, rung.patched_start as usize..rung.patched_end as usize),
    }
}

fn entry(
    rung: &Rung,
    pair: &BugPair,
    side: Side,
    functions: &HashMap<String, FunctionView>,
    seen: Seen,
) -> Result<Entry, DetectError> {
    let id = if side == Side::Vulnerable { &pair.vulnerable_id } else { &pair.patched_id };
    let function = functions.get(id).or_else(|| functions.get(&pair.vulnerable_id));
    let function = function.ok_or_else(|| wrong(rung, "the bench does not have its functions"))?;
    let (unit, place) = side_of(rung, side);
    let view = View::of(unit, place, seen).ok_or_else(|| wrong(rung, "its function is not where it says"))?;
    let fault = rung.fault_line.filter(|_| side == Side::Vulnerable);
    let case = Case {
        item: item_name(&pair.name, side),
        setting: rung.setting.clone(),
        seed: rung.seed,
        pair: pair.name.clone(),
        side,
        label: pair.label,
        class: pair.class,
        cwe: pair.cwe,
        fault_line: fault.and_then(|line| view.line(line)),
        language: function.language,
        fix: pair.fix.clone(),
        changed_functions: pair.changed_functions,
        tokens: u32::try_from(lex(&view.text).len()).unwrap_or(u32::MAX),
        surface_distance: rung.surface_distance,
    };
    Ok(Entry { case, function_id: id.clone(), text: view.text.into_owned(), flags: function.flags.clone() })
}
