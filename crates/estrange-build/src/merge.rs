//! Parts put together to a bench: what needs the whole is done here, and all rows come in the order of their places.

use std::collections::{HashSet, VecDeque};
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use estrange_bench::{
    BenchError, Function, Lock, Manifest, Part, Placed, Provenance, Records, RowPlace, Rows, Staging, Waiting,
};

use crate::config::Config;
use crate::error::{BuildError, MergeError};
use crate::ladder::Ladder;
use crate::numbers::Numbered;
use crate::options::Progress;
use crate::select::{Fate, rejected, select};

/// Puts parts together, in whatever order they are named.
///
/// # Errors
/// When they are not all the parts of one build.
pub fn merge(parts: &[PathBuf], out: &Path, progress: &dyn Progress) -> Result<Manifest, BuildError> {
    let mut opened = Vec::with_capacity(parts.len());
    for folder in parts {
        progress.step("checking parts");
        opened.push(Part::open(folder)?);
    }
    check(&opened)?;
    opened.sort_by_key(|part| part.manifest.part);
    let build = &opened[0].manifest.build;
    let config = Config::of(build, opened[0].folder())?;
    let lock = Lock::acquire(out)?;
    let staging = Staging::new(&lock)?;
    progress.step("looking for duplicates");
    let fates = select(in_order(&opened, Part::candidates)?, config.rules(build.seed))?;
    put_together(&opened, &config, fates, staging, progress)
}

/// Writes the bench of some parts whose functions have these fates.
pub(crate) fn put_together(
    parts: &[Part],
    config: &Config,
    fates: Vec<Fate>,
    staging: Staging<'_>,
    progress: &dyn Progress,
) -> Result<Manifest, BuildError> {
    progress.step("writing the bench");
    let build = parts[0].manifest.build.clone();
    let mut writer = staging.writer()?;
    for row in in_order(parts, Part::rejected)? {
        writer.reject(row?.record)?;
    }
    let mut kept: HashSet<String> = HashSet::new();
    let mut fates = fates.into_iter();
    for row in in_order(parts, Part::functions)? {
        stop_if(progress)?;
        let function = row?.record.function;
        match fates.next().ok_or(BuildError::NoAnswer("the choice of functions"))? {
            Fate::Stays { duplicates } => {
                kept.insert(function.id.clone());
                writer.keep(Function { duplicates, ..function })?;
            }
            Fate::Goes { stage, reason, detail } => writer.reject(rejected(function, stage, reason, detail))?,
        }
    }
    let mut dropped: VecDeque<Placed<Waiting>> = VecDeque::new();
    if !config.settings.is_empty() {
        let ladder = Ladder::new(in_order(parts, Part::waiting)?)?;
        for row in in_order(parts, Part::variants)? {
            stop_if(progress)?;
            let Placed { place, record: variant } = row?;
            if !kept.contains(&variant.function_id) {
                continue;
            }
            match ladder.lacks(&variant) {
                Some(record) => dropped.push_back(Placed { place, record }),
                None => writer.add_variants([variant], [])?,
            }
        }
        writer.add_variants([], [])?;
    }
    if !config.lowerings.is_empty() {
        progress.step("numbering symbols");
        let numbered = Numbered::new(|| in_order(parts, Part::lowered), &kept)?;
        for lowered in numbered.all()? {
            stop_if(progress)?;
            writer.add_lowered([lowered?], [])?;
        }
        writer.add_lowered([], [])?;
    }
    for row in in_order(parts, Part::waiting)? {
        let Placed { place, record: waiting } = row?;
        while dropped.front().is_some_and(|dropped| dropped.place < place) {
            writer.add_waiting(dropped.pop_front().map(|earlier| earlier.record))?;
        }
        if kept.contains(&waiting.function_id) {
            writer.add_waiting([waiting])?;
        }
    }
    for last in dropped {
        writer.add_waiting([last.record])?;
    }
    progress.step("writing the bench");
    let (estrange, seed, config) = (build.estrange, build.seed, build.config);
    Ok(writer.finish(Provenance { estrange, seed, config, tools: build.tools, sources: build.sources })?)
}

fn stop_if(progress: &dyn Progress) -> Result<(), BuildError> {
    if progress.is_cancelled() { Err(BuildError::Cancelled) } else { Ok(()) }
}

/// The rows of one table of all parts, in order.
pub(crate) fn in_order<R: Rows>(
    parts: &[Part],
    table: impl Fn(&Part) -> Result<Records<Placed<R>>, BenchError>,
) -> Result<InOrder<R>, BenchError> {
    Ok(InOrder { parts: parts.iter().map(|part| Ok(table(part)?.peekable())).collect::<Result<_, BenchError>>()? })
}

/// Rows of several parts, each of which has its own in order.
pub(crate) struct InOrder<R: Rows> {
    parts: Vec<Peekable<Records<Placed<R>>>>,
}

impl<R: Rows> Iterator for InOrder<R> {
    type Item = Result<Placed<R>, BenchError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut first: Option<(Option<RowPlace>, usize)> = None;
        for (number, part) in self.parts.iter_mut().enumerate() {
            let Some(row) = part.peek() else { continue };
            // An error comes before all rows.
            let place = row.as_ref().ok().map(|row| row.place);
            if first.is_none_or(|(least, _)| place < least) {
                first = Some((place, number));
            }
        }
        self.parts[first?.1].next()
    }
}

/// Whether these are all parts of one build, each once.
fn check(parts: &[Part]) -> Result<(), MergeError> {
    let first = parts.first().ok_or(MergeError::NoPart)?;
    let of = first.manifest.of;
    for part in &parts[1..] {
        let (one, other) = (&first.manifest.build, &part.manifest.build);
        let option = || {
            let options = one.config.as_object().into_iter().flatten();
            options.filter(|(name, value)| other.config[name.as_str()] != **value).map(|(name, _)| name.clone()).next()
        };
        let what = if of != part.manifest.of {
            format!("number of parts ({of} and {})", part.manifest.of)
        } else if one.estrange != other.estrange {
            format!("version of Estrange ({} and {})", one.estrange, other.estrange)
        } else if one.seed != other.seed {
            format!("seed ({} and {})", one.seed, other.seed)
        } else if one.asked != other.asked {
            "sources".to_owned()
        } else if one.sources != other.sources {
            "versions of the sources, or which of them could be had".to_owned()
        } else if one.tools != other.tools {
            "versions of the compilers".to_owned()
        } else if one.config != other.config {
            format!("options ({})", option().unwrap_or_default())
        } else {
            continue;
        };
        return Err(MergeError::Different { what, first: first.folder().into(), second: part.folder().into() });
    }
    let mut numbers: Vec<u32> = parts.iter().map(|part| part.manifest.part).collect();
    numbers.sort_unstable();
    if let Some(twice) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(MergeError::Twice { part: twice[0], of });
    }
    let missing: Vec<u32> = (1..=of).filter(|part| numbers.binary_search(part).is_err()).collect();
    if missing.is_empty() { Ok(()) } else { Err(MergeError::Missing { parts: missing, of }) }
}
