//! A log of confirmed faults beside the files that it names. Whoever knows the log's format writes it; here it gets its place.

use std::path::Path;

use super::card::Card;
use super::error::ExchangeError;
use super::file::write;
use super::pair_card;
use super::pair_set::ExportedPair;
use super::reproducers::write_sides;

/// The name of the log.
const LOG: &str = "faults.sarif";

/// Writes the log, the units of both sides of every rung at the paths that it names, and a card.
pub fn write_log(folder: &Path, pairs: &[ExportedPair], log: &str, card: &Card) -> Result<(), ExchangeError> {
    write(folder, &[LOG], |file| file.write_all(log.as_bytes()))?;
    for pair in pairs {
        pair.rungs.iter().try_for_each(|rung| write_sides(folder, pair, rung))?;
    }
    let text = pair_card::text(card, pairs) + USE;
    write(folder, &["README.md"], |file| file.write_all(text.as_bytes()))
}

const USE: &str = "
## Use

`faults.sarif` is a log of SARIF 2.1.0 with a result for each fault, on the vulnerable side; its paths are relative to this
folder, and the same in what `--format folder` writes. There is no result for a patched side. A detector that finds exactly
these, and nothing in the patched files, is right everywhere.
";
