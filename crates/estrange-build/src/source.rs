//! One source: its functions taken out, and written down as they are.

use std::collections::BTreeMap;

use estrange_bench::{PartWriter, Placed, Rejected, RowPlace, Source, Split, Taken};
use estrange_text::split::split;
use estrange_unit::Linked;
use estrange_words::Reason;

use crate::assign::{Assigned, assign};
use crate::companions::Companions;
use crate::error::BuildError;
use crate::gate::{Gated, definitions, gate};
use crate::helpers::Helpers;
use crate::linked::{Link, link};
use crate::lost::FileLoss;
use crate::options::Share;
use crate::origin::Origin;
use crate::record::Recorder;
use crate::store::key;
use crate::translate::Translations;
use crate::undelivered::undelivered;
use crate::work::Work;

/// What a source gave.
pub(crate) struct Done {
    /// The first file that was lost as a whole.
    pub(crate) first_loss: Option<Rejected>,
    pub(crate) source: Source,
    pub(crate) found: usize,
    pub(crate) kept: usize,
}

/// Takes the functions of a source out that fall to this part, and writes them down in the order of their places.
pub(crate) fn take_out(
    work: &Work<'_>,
    origin: &Origin,
    number: u32,
    writer: &mut PartWriter,
) -> Result<Done, BuildError> {
    let translations = Translations::of(origin, work.options, work.tools, work.store, work.progress)?;
    let all = assign(origin, &translations, work.options);
    let (places, mine): (Vec<u32>, Vec<&Assigned<'_>>) =
        (0..).zip(&all).filter(|(_, function)| is_wanted(origin, function) && work.share.has(&function.id)).unzip();
    let gates = gate(work, origin, &translations, &mine)?;
    let mut companions = Companions::without(&translations, origin);
    let mut links = link(work, &translations, &companions, &mine, &gates)?;
    while !origin.state.wanted.are_all() && companions.fetch(work, origin, &mine, &links)? {
        links = link(work, &translations, &companions, &mine, &gates)?;
    }
    let mut explained = definitions(work, origin, &translations, &mine, &gates, &links)?;
    let split = split(&origin.fetched.name, work.options.seed, work.options.eval_share);
    let helpers = Helpers::of(&all);
    let recorder = Recorder { origin, split, helpers, tokenizer: work.tokenizer, tools: work.tools };
    let place = |number_within: u32| RowPlace { source: number, number: number_within };
    let mut kept = 0;
    for (index, (((at, function), gate), link)) in places.iter().zip(&mine).zip(&gates).zip(links).enumerate() {
        let unit = &translations.units[function.unit];
        let language = unit.translation.language;
        match work.store.entry(&gate.kept_as)? {
            Gated::Kept { unit: own, evidence } => {
                kept += 1;
                let linked = match link {
                    Some(Link::Linked(kept_as)) => Ok(work.store.entry::<Linked>(&kept_as)?),
                    Some(Link::Not { reason, missing }) => Err((reason, missing)),
                    None => Err((Reason::NotTried, Vec::new())),
                };
                let evidence = explained.remove(&index).or(evidence);
                let function = recorder.function(function, own, evidence.as_ref(), linked, language)?;
                let headers = unit.headers.clone();
                writer.take(Placed { place: place(*at), record: Taken { headers, function } })?;
            }
            Gated::Lost { stage, reason, detail } => {
                let record = recorder.rejected(function, language, stage, reason, &detail);
                writer.reject(Placed { place: place(*at), record })?;
            }
        }
    }
    // What is about whole files falls to the first part.
    let undelivered = match work.share.is_first() {
        true => undelivered(origin, &translations, &all, work.options),
        false => Vec::new(),
    };
    let lost_files: Vec<&FileLoss> =
        translations.losses.iter().filter(|loss| origin.state.wanted.have(&loss.path)).collect();
    if work.share.is_first() {
        let of_functions = undelivered.iter().map(|lost| recorder.undelivered(lost));
        let of_files = lost_files.iter().map(|loss| recorder.lost_file(loss));
        for (at, record) in (all.len() as u32..).zip(of_functions.chain(of_files)) {
            writer.reject(Placed { place: place(at), record })?;
        }
    }
    let first_loss = lost_files.first().map(|loss| recorder.lost_file(loss));
    Ok(Done { first_loss, source: source_record(origin, split), found: mine.len() + undelivered.len(), kept })
}

/// Whether a function is among those that are wanted of its source.
fn is_wanted(origin: &Origin, function: &Assigned<'_>) -> bool {
    origin.state.wanted.meet(&function.file.path, function.found.lines)
}

fn source_record(origin: &Origin, split: Split) -> Source {
    let mut licences: BTreeMap<String, u64> = BTreeMap::new();
    for file in &origin.project.files {
        *licences.entry(file.licence.expression.clone().unwrap_or_default()).or_default() += 1;
    }
    Source {
        spec: origin.name(),
        pinned: origin.state.name.clone().unwrap_or_else(|| origin.fetched.pinned.to_string()),
        version: origin.fetched.version.clone(),
        tree: origin.fetched.tree.to_string(),
        licences,
        split,
        counts: Default::default(),
    }
}

impl Share {
    /// Whether a function falls to it.
    pub(crate) fn has(self, id: &str) -> bool {
        // Of the hash the first digits, which are as good as any.
        let digits = u64::from_str_radix(&key("share", &[id.as_bytes()])[..15], 16).unwrap_or_default();
        digits % u64::from(self.of) == u64::from(self.part - 1)
    }

    /// Whether what nobody else is asked for falls to it.
    pub(crate) fn is_first(self) -> bool {
        self.part == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_falls_to_one_part_and_parts_are_alike() {
        let mut counts = [0; 16];
        for id in (0..4000).map(|number| format!("{number:024x}")) {
            let having: Vec<u32> = (1..=16).filter(|part| Share { part: *part, of: 16 }.has(&id)).collect();
            assert_eq!(having.len(), 1);
            counts[having[0] as usize - 1] += 1;
        }
        assert!(counts.iter().all(|count| (200..300).contains(count)), "{counts:?}");
    }
}
