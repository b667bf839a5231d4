//! Pairs with their texts at each level, and what each detector said of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use estrange_bench::{Bench, BugPair, Run, Rung, Side};
use estrange_report::detect::{PairSheet, RungSheet, SaidSheet, SideSheet};

use super::Read;
use crate::detect::error::DetectError;
use crate::detect::judged::Judged;
use crate::detect::ladder::{item_name, side_of};
use crate::seen::{Seen, View};

/// What runs say of an item: by its name, setting and seed.
type Said<'j> = HashMap<(&'j str, &'j str, u32), Vec<(usize, &'j Judged)>>;

/// So many of the pairs that runs are about, at equal distances, with all their levels.
pub(super) fn pairs(
    bench: &Bench,
    read: &[Read<'_>],
    settings: &[String],
    most: usize,
) -> Result<Vec<PairSheet>, DetectError> {
    let names: BTreeSet<&str> = read.iter().flat_map(|read| &read.judged).map(|item| item.case.pair.as_str()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let wanted = most.min(names.len());
    let wanted: BTreeSet<&str> = (0..wanted).map(|place| names[place * names.len() / wanted]).collect();
    let mut sheets: BTreeMap<String, PairSheet> = BTreeMap::new();
    for pair in bench.rows::<BugPair>()? {
        let pair = pair?;
        if wanted.contains(pair.name.as_str()) {
            sheets.insert(pair.name.clone(), sheet(pair));
        }
    }
    let said = said(read);
    let sees: Vec<Seen> = read.iter().map(|read| seen(read.run)).collect();
    for rung in bench.rows::<Rung>()? {
        let rung = rung?;
        let Some(sheet) = sheets.get_mut(&rung.pair) else { continue };
        let Some(setting) = settings.iter().position(|setting| *setting == rung.setting) else { continue };
        let side = |side| side_sheet(&rung, side, &said, &sees);
        let (vulnerable, patched) = (side(Side::Vulnerable), side(Side::Patched));
        if !(vulnerable.said.is_empty() && patched.said.is_empty()) {
            sheet.rungs.push(RungSheet { setting, seed: rung.seed, vulnerable, patched });
        }
    }
    let mut sheets: Vec<PairSheet> = sheets.into_values().collect();
    sheets.iter_mut().for_each(|sheet| sheet.rungs.sort_by_key(|rung| (rung.setting, rung.seed)));
    Ok(sheets)
}

fn sheet(pair: BugPair) -> PairSheet {
    PairSheet {
        name: pair.name,
        label: pair.label.to_string(),
        class: pair.class.map(|class| class.to_string()).unwrap_or_default(),
        weakness: pair.cwe.map(|cwe| format!("CWE-{cwe}")).unwrap_or_default(),
        description: pair.description,
        rungs: Vec::new(),
    }
}

fn said<'j>(read: &'j [Read<'_>]) -> Said<'j> {
    let mut said: Said<'j> = HashMap::new();
    for (detector, read) in read.iter().enumerate() {
        for item in &read.judged {
            let key = (item.case.item.as_str(), item.case.setting.as_str(), item.case.seed);
            said.entry(key).or_default().push((detector, item));
        }
    }
    said
}

fn side_sheet(rung: &Rung, side: Side, said: &Said<'_>, sees: &[Seen]) -> SideSheet {
    let (unit, place) = side_of(rung, side);
    let views: HashMap<Seen, View<'_>> = [&[Seen::Function], sees]
        .concat()
        .into_iter()
        .filter_map(|seen| Some((seen, View::of(unit, place.clone(), seen)?)))
        .collect();
    let name = item_name(&rung.pair, side);
    let said = said.get(&(&*name, &*rung.setting, rung.seed)).map_or(&[][..], Vec::as_slice);
    let fault_line = rung.fault_line.filter(|_| side == Side::Vulnerable);
    let own = views.get(&Seen::Function);
    let sheet = |(detector, item): &(usize, &Judged)| SaidSheet {
        detector: *detector,
        verdict: item.verdict.map(|verdict| verdict.to_string()).unwrap_or_default(),
        is_right: item.is_correct(),
        detail: detail(item, |line| views.get(&sees[*detector])?.own_line(line)),
        reason: match (&item.reason, item.problems.first()) {
            (Some(reason), _) => reason.clone(),
            (None, Some(problem)) if item.verdict.is_none() => problem.to_string(),
            (None, _) => String::new(),
        },
    };
    SideSheet {
        fault_line: fault_line.and_then(|line| own.as_ref()?.line(line)),
        said: said.iter().map(sheet).collect(),
        text: own.as_ref().map(|own| own.text.to_string()).unwrap_or_default(),
    }
}

/// What a detector saw.
fn seen(run: &Run) -> Seen {
    run.facts().card["sees"].as_str().and_then(|sees| sees.parse().ok()).unwrap_or(Seen::Function)
}

/// The weakness and the line that were named, in words.
fn detail(item: &Judged, own: impl Fn(u32) -> Option<u32>) -> String {
    let weakness = item.cwe.map(|cwe| format!("CWE-{cwe}"));
    let line = item.line.map(|line| match own(line) {
        Some(own) => format!("line {own}"),
        None => format!("line {line} of what was shown"),
    });
    [weakness, line].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
