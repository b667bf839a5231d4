//! The units of functions, built by the parser out of their translation unit.

use estrange_evidence::unit_flags;
use estrange_unit::{Tried, Unit, UnitLoss, Wanted};
use serde::{Deserialize, Serialize};

use super::{Batch, is_by_chance};
use crate::assign::Assigned;
use crate::error::BuildError;

/// What is kept of a unit under its draft.
#[derive(Serialize, Deserialize)]
enum OfDraft {
    /// The draft is the unit.
    Whole(Unit),
    /// Something was missing in it: the rest of the translation unit had a say.
    Mended,
}

impl Batch<'_> {
    /// The units of functions: their drafts, where the parser accepts these.
    pub(super) fn first_units(&self, functions: &[&Assigned<'_>]) -> Result<Vec<Result<Unit, UnitLoss>>, BuildError> {
        let alternatives = self.alternatives();
        let translation = &self.translated.translation;
        let declarations: Vec<u32> = functions.iter().map(|function| function.found.declaration).collect();
        // Where the parser does not survive it, the functions are asked for one by one.
        let drafts = match self.work.tools.parser.drafts(translation, &alternatives[0], &declarations) {
            Ok(drafts) => drafts,
            Err(_) => {
                let all: Vec<Wanted> = functions.iter().map(|function| wanted(function, Vec::new())).collect();
                return self.units(functions, &all);
            }
        };
        let told = format!("{alternatives:?}");
        let keys: Vec<String> = drafts
            .iter()
            .map(|draft| self.key("unit", &[draft.text.as_bytes(), draft.headers.as_bytes(), told.as_bytes()]))
            .collect();
        let mut units: Vec<Option<Result<Unit, UnitLoss>>> = vec![None; functions.len()];
        let mut open = Vec::new();
        for (index, key) in keys.iter().enumerate() {
            match self.work.store.get(key) {
                Some(OfDraft::Whole(unit)) => units[index] = Some(Ok(unit)),
                Some(OfDraft::Mended) | None => open.push(index),
            }
        }
        let members: Vec<&Assigned<'_>> = open.iter().map(|index| functions[*index]).collect();
        let all: Vec<Wanted> = members.iter().map(|function| wanted(function, Vec::new())).collect();
        let plain: Vec<String> = alternatives[0].iter().filter(|word| !word.starts_with("-x")).cloned().collect();
        for (index, unit) in open.into_iter().zip(self.units(&members, &all)?) {
            let kept = match &unit {
                Ok(unit) if unit.repairs == 0 && unit.flags == plain => OfDraft::Whole(unit.clone()),
                _ => OfDraft::Mended,
            };
            self.work.store.put(&keys[index], &kept)?;
            units[index] = Some(unit);
        }
        // Each was filled just above, if not before.
        Ok(units.into_iter().flatten().collect())
    }

    /// A unit is compiled in the compilers' own default dialect if it can be, else in its project's.
    fn alternatives(&self) -> Vec<Vec<String>> {
        let words = self.translated.flags.command_line();
        let language: Vec<String> = words.first().cloned().into_iter().collect();
        let meaning = unit_flags(&words);
        let is_standard = |word: &String| word.starts_with("-std=") || word == "-ansi";
        let plain: Vec<String> =
            language.iter().cloned().chain(meaning.iter().filter(|word| !is_standard(word)).cloned()).collect();
        let mut alternatives = vec![plain];
        if meaning.iter().any(is_standard) {
            alternatives.push(language.into_iter().chain(meaning).collect());
        }
        alternatives
    }

    /// Units out of the whole translation unit. Where that has changed elsewhere, what the parser said of the texts on the
    /// way to a unit still holds, and it is only asked about others.
    pub(super) fn units(
        &self,
        functions: &[&Assigned<'_>],
        wanted: &[Wanted],
    ) -> Result<Vec<Result<Unit, UnitLoss>>, BuildError> {
        let alternatives = self.alternatives();
        let translation = &self.translated.translation;
        let store = self.work.store;
        let key = |wanted: &Wanted| {
            let told = format!("{alternatives:?} {} {:?}", wanted.declaration, wanted.missed);
            self.key("unit out of translation", &[translation.key.as_bytes(), told.as_bytes()])
        };
        let key_of_checks = |function: &Assigned<'_>, wanted: &Wanted| {
            let told = format!("{alternatives:?} {} {:?}", function.found.symbol, wanted.missed);
            self.key("checks on the way to a unit", &[function.found.text.as_bytes(), told.as_bytes()])
        };
        let mut units: Vec<Option<Result<Unit, UnitLoss>>> =
            wanted.iter().map(|wanted| store.get(&key(wanted))).collect();
        let open: Vec<usize> = (0..wanted.len()).filter(|index| units[*index].is_none()).collect();
        let ask = |index: &usize| {
            let checked = store.get(&key_of_checks(functions[*index], &wanted[*index])).unwrap_or_default();
            Wanted { checked, ..wanted[*index].clone() }
        };
        let asked: Vec<Wanted> = open.iter().map(ask).collect();
        if !asked.is_empty() {
            let made = self.work.tools.parser.units(translation, &alternatives, &asked).map_err(BuildError::Parser)?;
            for (index, Tried { unit, checked, is_new }) in open.into_iter().zip(made) {
                let (function, wanted) = (functions[index], &wanted[index]);
                if is_new {
                    self.work.computed.add(&function.id, "unit");
                }
                // Where the parser has nothing against the draft, the unit itself is kept under it.
                let is_mended = checked.iter().any(|checked| !checked.troubles.is_empty());
                if is_new && (is_mended || !wanted.missed.is_empty()) {
                    store.put(&key_of_checks(function, wanted), &checked)?;
                }
                if !matches!(&unit, Err(loss) if is_by_chance(loss.reason)) {
                    store.put(&key(wanted), &unit)?;
                }
                units[index] = Some(unit);
            }
        }
        Ok(units.into_iter().flatten().collect())
    }
}

pub(super) fn wanted(function: &Assigned<'_>, missed: Vec<String>) -> Wanted {
    Wanted { declaration: function.found.declaration, missed, checked: Vec::new() }
}
