//! Functions whose code differs because the compiler knows more in their project: definitions of variables, classes and
//! functions that a unit only declares. Their linked units have these, and are compared once there are any.

use std::collections::BTreeMap;

use estrange_evidence::{Evidence, SameCode};
use estrange_unit::{Linked, Unit};
use rayon::prelude::*;

use super::code::Asked;
use super::{Batch, Gate, Gated, Originals};
use crate::assign::Assigned;
use crate::error::BuildError;
use crate::linked::Link;
use crate::origin::Origin;
use crate::translate::Translations;
use crate::work::Work;

/// A function whose code in its unit is not that of its project, with the linked unit that may explain it.
struct Open<'a> {
    index: usize,
    function: &'a Assigned<'a>,
    unit: Unit,
    linked: Linked,
    /// Stands for both texts.
    texts: String,
}

/// The evidence of those functions that linked units have something to say about, by their numbers.
pub(crate) fn definitions(
    work: &Work<'_>,
    origin: &Origin,
    translations: &Translations,
    functions: &[&Assigned<'_>],
    gates: &[Gate],
    links: &[Option<Link>],
) -> Result<BTreeMap<usize, Evidence>, BuildError> {
    let mut by_text: BTreeMap<(usize, &[String]), Vec<Open<'_>>> = BTreeMap::new();
    for (index, ((function, gate), link)) in functions.iter().copied().zip(gates).zip(links).enumerate() {
        let (Some(flags), Some(Link::Linked(kept_as))) = (&gate.flags, link) else { continue };
        let Gated::Kept { unit, evidence: Some(evidence) } = work.store.entry(&gate.kept_as)? else { continue };
        if differs(&evidence) {
            let texts = format!("{} {kept_as}", gate.kept_as);
            let open = Open { index, function, unit, linked: work.store.entry(kept_as)?, texts };
            by_text.entry((function.unit, flags)).or_default().push(open);
        }
    }
    let groups: Vec<_> = by_text.into_iter().collect();
    let explained = groups.par_iter().map(|((number, flags), open)| {
        if work.progress.is_cancelled() {
            return Err(BuildError::Cancelled);
        }
        let originals = Originals::new(1);
        let batch = Batch { work, origin, translated: &translations.units[*number], originals: &originals };
        batch.explained(flags, open)
    });
    let explained: Vec<Vec<(usize, Evidence)>> = explained.collect::<Result<_, BuildError>>()?;
    Ok(explained.into_iter().flatten().collect())
}

/// Whether both sides have code, and it is not the same.
fn differs(evidence: &Evidence) -> bool {
    [&evidence.o0, &evidence.o2].iter().any(|level| matches!(level, Ok(SameCode::Different { .. })))
}

impl Batch<'_> {
    /// The evidence of units with their linked units beside them.
    fn explained(&self, flags: &[String], open: &[Open<'_>]) -> Result<Vec<(usize, Evidence)>, BuildError> {
        let store = self.work.store;
        let project = self.translated.translation.key.as_bytes();
        let mut explained = Vec::new();
        let mut asked = Vec::new();
        for open in open {
            let place = format!("{} {}", open.function.found.lines.0, self.file_name(open.function));
            let key =
                self.key("definitions", &[project, &self.compiled_with(), open.texts.as_bytes(), place.as_bytes()]);
            match store.get::<Evidence>(&key) {
                Some(evidence) => explained.push((open.index, evidence)),
                None => asked.push((key, open)),
            }
        }
        if asked.is_empty() {
            return Ok(explained);
        }
        let original = self.original();
        let questions: Vec<Asked<'_>> = asked
            .iter()
            .map(|(_, open)| Asked { function: open.function, unit: &open.unit, linked: Some(&open.linked) })
            .collect();
        for ((key, open), evidence) in asked.iter().zip(self.ask_gcc(&questions, flags, original.as_deref())?) {
            self.work.computed.add(&open.function.id, "definitions");
            if let Ok(Some(evidence)) = evidence {
                store.put(key, &evidence)?;
                explained.push((open.index, evidence));
            }
        }
        Ok(explained)
    }
}
