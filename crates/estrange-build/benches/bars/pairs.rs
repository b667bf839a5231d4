//! What a full pass over pairs costs: against the programs that it takes, compiled by plain `make`.

use std::error::Error;
use std::ffi::OsString;
use std::path::Path;

use estrange_bench::{Bench, Rung};
use serde_json::json;

use crate::estrange::Estrange;
use crate::measure::{Usage, run};
use crate::report::Row;

/// The pairs that were written for this project.
pub const FOLDER: &str = "pairs";
/// The ladder and what it stands on.
const SETTINGS: &str = "L0,L1,L2,L3,L4";

/// The processor time of `estrange pairs`, from nothing to the last rung, against that of compiling and linking each side of
/// each rung once by each compiler.
pub fn pairs(estrange: &Estrange, folders: &[&str]) -> Result<Vec<Row>, Box<dyn Error>> {
    estrange.forget()?;
    let (set, programs) = (estrange.out("pairs")?, estrange.out("pairs-programs")?);
    let pass = estrange.pairs(folders, &set)?;
    estrange.export_programs(&set, &programs, SETTINGS)?;
    let gcc = compiled(estrange, &programs, "gcc")?;
    let clang = compiled(estrange, &programs, "clang-19")?;
    let rungs = Bench::open(&set)?.rows::<Rung>()?.count();
    let floor = gcc.cpu + clang.cpu;
    let ratio = pass.cpu / floor;
    Ok(vec![Row::new(
        "pairs",
        "CPU time of a full pass over the own pairs: at most 2 times the compilations it needs",
        format!("{ratio:.2} times ({:.1} s against {floor:.1} s; {rungs} rungs with two sides)", pass.cpu),
        ratio <= 2.0,
        "`estrange pairs` with an empty cache against `make all` by gcc and by clang in what `estrange export --format folder` \
         writes of the same rungs: each side compiled and linked once with sanitizers, nothing run",
        json!({ "folders": folders, "pass": pass, "gcc": gcc, "clang": clang, "rungs": rungs, "ratio": ratio }),
    )])
}

fn compiled(estrange: &Estrange, programs: &Path, compiler: &str) -> Result<Usage, Box<dyn Error>> {
    let arguments = [OsString::from("-C"), programs.into(), format!("CC={compiler}").into(), "all".into()];
    let log = estrange.log(&format!("make-{compiler}"));
    let usage = run(Path::new("make"), &arguments, &log, None)?;
    if usage.code == Some(0) { Ok(usage) } else { Err(format!("make failed, see {}", log.display()).into()) }
}
