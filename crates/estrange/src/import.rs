//! `estrange import`: a bench out of data that others published.

use estrange_bench::Lock;
use estrange_bench::exchange::clarc;

use crate::arguments::{self, ImportFormat};
use crate::phrasing::counted;
use crate::voice::{self, Failure};
use crate::{Ending, bench, output};

/// Runs the command.
pub fn run(arguments: &arguments::Import) -> Result<Ending, Failure> {
    let lock = Lock::acquire(&arguments.out).map_err(|error| bench::unusable(&error))?;
    let imported = match arguments.format {
        ImportFormat::Clarc => clarc::import(&arguments.folder, &lock).map_err(|error| bench::not_exchanged(&error))?,
    };
    if !imported.passed_over.is_empty() {
        voice::note(&format!("passed over: {}", imported.passed_over.join(", ")));
    }
    if arguments.json {
        bench::print_manifest(imported.manifest.format_version, &imported.manifest)?;
        return Ok(Ending::Done);
    }
    let (kept, queries) = (imported.manifest.counts.kept, imported.queries);
    let mut text =
        format!("{} has {} and {}\n", arguments.out.display(), counted(kept, "function"), counted(queries, "query"));
    for (group, setting, rows) in &imported.settings {
        let setting = output::printable(setting);
        text += &format!("  group {group}  {setting:<12}  {rows:>6}\n");
    }
    output::print(&text)?;
    Ok(Ending::Done)
}
