//! `estrange cache`: what is kept, whether it is whole, and room.

mod entries;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::ValueEnum;
use estrange_source::Cache;
use indicatif::HumanBytes;
use rayon::prelude::*;
use serde::Serialize;

use crate::arguments::{self, CacheKind, CacheWork, Prune, Shared};
use crate::phrasing::counted;
use crate::table::{Align, Table};
use crate::voice::Failure;
use crate::{Ending, output, prepare};
use entries::Entry;

/// The version of the documents' shapes.
const FORMAT: u32 = 1;

const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What goes only if it is named: it may have been paid for.
const PRECIOUS: [CacheKind; 2] = [CacheKind::Vectors, CacheKind::Answers];

/// How much there is of a kind.
#[derive(Debug, Default, Serialize)]
struct Amount {
    entries: usize,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct Contents {
    folder: PathBuf,
    kinds: BTreeMap<String, Amount>,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct Verified {
    folder: PathBuf,
    checked: usize,
    damaged: Vec<PathBuf>,
}

#[derive(Debug, Serialize)]
struct Pruned {
    folder: PathBuf,
    dry_run: bool,
    removed: Amount,
}

/// Runs the command.
pub fn run(arguments: &arguments::Cache, shared: &Shared) -> Result<Ending, Failure> {
    match &arguments.work {
        None => show(arguments.json, &prepare::cache(shared)?),
        Some(CacheWork::Verify) => verify(arguments.json, &prepare::cache(shared)?),
        Some(CacheWork::Prune(prune)) => remove(arguments.json, prune, shared),
    }
}

fn read(cache: &Cache) -> Result<Vec<Entry>, Failure> {
    entries::read(cache.path()).map_err(|error| unreadable(cache.path(), &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{} cannot be read", path.display())).because(error)
}

fn show(json: bool, cache: &Cache) -> Result<Ending, Failure> {
    let mut contents = Contents { folder: cache.path().to_owned(), kinds: BTreeMap::new(), bytes: 0 };
    let entries = read(cache)?;
    let mut table = Table::new([Align::Left, Align::Right, Align::Right]);
    for kind in CacheKind::value_variants() {
        let mut amount = Amount::default();
        for entry in entries.iter().filter(|entry| entry.kind == *kind) {
            amount.entries += 1;
            amount.bytes += entry.bytes;
        }
        contents.bytes += amount.bytes;
        table.row([word(*kind).into(), amount.entries.to_string().into(), bytes(amount.bytes).into()]);
        contents.kinds.insert(word(*kind), amount);
    }
    table.row(["together".into(), entries.len().to_string().into(), bytes(contents.bytes).into()]);
    match json {
        true => output::print_json(FORMAT, &contents)?,
        false => output::print(&format!("{}\n{}", contents.folder.display(), table.render("  ")))?,
    }
    Ok(Ending::Done)
}

fn verify(json: bool, cache: &Cache) -> Result<Ending, Failure> {
    let entries = read(cache)?;
    let looked: Vec<(&Entry, Option<bool>)> = entries
        .par_iter()
        .filter_map(|entry| match entry.is_whole() {
            // It went meanwhile.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => Some(Err(unreadable(&entry.path, &error))),
            Ok(is_whole) => Some(Ok((entry, is_whole))),
        })
        .collect::<Result<_, Failure>>()?;
    let damaged: Vec<PathBuf> =
        looked.iter().filter(|(_, whole)| *whole == Some(false)).map(|(entry, _)| entry.path.clone()).collect();
    let checked = looked.iter().filter(|(_, whole)| whole.is_some()).count();
    let verified = Verified { folder: cache.path().to_owned(), checked, damaged };
    let Verified { folder, damaged, .. } = &verified;
    if json {
        output::print_json(FORMAT, &verified)?;
    } else if damaged.is_empty() {
        output::print(&format!("{}: {} whole\n", folder.display(), counted(checked, "entry")))?;
    } else {
        let names: String = damaged.iter().map(|path| output::printable(&path.to_string_lossy()) + "\n").collect();
        output::print(&names)?;
    }
    match damaged.len() {
        0 => Ok(Ending::Done),
        number => Err(Failure::new(format!("{number} of {} damaged", counted(checked, "entry")))
            .hint("remove them; what is needed again is made again")),
    }
}

fn remove(json: bool, prune: &Prune, shared: &Shared) -> Result<Ending, Failure> {
    let path = prepare::cache_path(shared)?;
    let cache = Cache::open_alone(&path).map_err(|loss| prepare::unusable_cache(&path, &loss))?;
    let cache = cache.ok_or_else(|| {
        Failure::new(format!("another command uses the cache {}", path.display())).hint("wait for it to end")
    })?;
    let now = SystemTime::now();
    let is_asked = |kind: CacheKind| match prune.kind.is_empty() {
        true => !PRECIOUS.contains(&kind),
        false => prune.kind.contains(&kind),
    };
    // What a command has begun and not ended is of no use to any other.
    let is_old = |entry: &Entry| {
        entry.kind == CacheKind::Leftovers || now.duration_since(entry.used).unwrap_or_default() >= A_DAY * prune.unused
    };
    let mut removed = Amount::default();
    for entry in read(&cache)?.iter().filter(|entry| is_asked(entry.kind) && is_old(entry)) {
        if !prune.dry_run {
            let cannot = |error| Failure::new(format!("{} cannot be removed", entry.path.display())).because(&error);
            entry.remove(cache.path()).map_err(cannot)?;
        }
        removed.entries += 1;
        removed.bytes += entry.bytes;
    }
    let pruned = Pruned { folder: cache.path().to_owned(), dry_run: prune.dry_run, removed };
    if json {
        output::print_json(FORMAT, &pruned)?;
    } else {
        let Amount { entries, bytes: size } = &pruned.removed;
        let verb = match (prune.dry_run, *entries) {
            (true, _) => "would go",
            (false, 1) => "is gone",
            (false, _) => "are gone",
        };
        output::print(&format!("{}, {}, {verb}\n", counted(*entries, "entry"), bytes(*size)))?;
    }
    Ok(Ending::Done)
}

/// A kind as it is typed.
fn word(kind: CacheKind) -> String {
    kind.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn bytes(number: u64) -> String {
    HumanBytes(number).to_string()
}
