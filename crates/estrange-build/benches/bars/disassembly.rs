//! What other programs say of the code that the compilers themselves write: `objdump`, and wabt's tools.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use estrange_bench::{Function, Language};

/// What became of a comparison.
pub enum Verdict {
    /// The compiler, left alone, writes no code for the function: it is static, inline or a template.
    NoCode,
    /// All instructions are the same.
    Agrees,
    /// Where they are not.
    Differs(String),
}

/// Compares a text of x86-64 with what `objdump` says of gcc's own object file.
pub fn objdump_agrees(function: &Function, unit: &str, text: &str, folder: &Path) -> Result<Verdict, Box<dyn Error>> {
    let driver = if function.language == Language::C { "gcc" } else { "g++" };
    let keep = ["-fkeep-static-functions", "-fkeep-inline-functions"];
    if !compiles(driver, &keep, function, unit, folder)? {
        return Ok(Verdict::NoCode);
    }
    let said = run(folder, "objdump", &["-d", "-C", "--no-show-raw-insn", "unit.o"])?;
    let Some(lines) = section(&said, &|name| is_called(name, &function.qualified_name)) else {
        return Ok(Verdict::NoCode);
    };
    let theirs = lines.into_iter().filter_map(|line| line.split_once(":\t").map(|(_, rest)| instruction(rest)));
    let own = text.lines().skip(1).take_while(|line| line.starts_with(['\t', '.']));
    let ours = own.filter_map(|line| line.strip_prefix('\t')).filter(|line| !line.starts_with('.')).map(instruction);
    // What the linker fills in, and where code lies, is a name here and a number there.
    let names = ["fn_", "data_", "ext_", "var_", ".L"];
    Ok(compare(ours, theirs, &|_, line| names.iter().any(|name| line.contains(name))))
}

/// Compares a text of WebAssembly, assembled by `wat2wasm`, with what `emcc` writes.
pub fn webassembly_agrees(
    function: &Function,
    unit: &str,
    text: &str,
    folder: &Path,
) -> Result<Verdict, Box<dyn Error>> {
    let driver = if function.language == Language::C { "emcc" } else { "em++" };
    // Functions that nothing calls have code, too.
    if !compiles(driver, &["-Xclang", "-femit-all-decls"], function, unit, folder)? {
        return Ok(Verdict::NoCode);
    }
    let theirs = run(folder, "wasm-objdump", &["-d", "-r", "unit.o"])?;
    fs::write(folder.join("theirs.txt"), theirs)?;
    let theirs = Command::new("c++filt").stdin(fs::File::open(folder.join("theirs.txt"))?).output()?;
    let theirs = String::from_utf8_lossy(&theirs.stdout);
    let Some(theirs) = section(&theirs, &|name| is_called(name, &function.qualified_name)) else {
        return Ok(Verdict::NoCode);
    };
    fs::write(folder.join("ours.wat"), text)?;
    run(folder, "wat2wasm", &["--enable-all", "--debug-names", "ours.wat", "-o", "ours.wasm"])?;
    let ours = run(folder, "wasm-objdump", &["-d", "ours.wasm"])?;
    let ours = section(&ours, &|name| name == "fn_1").ok_or("wat2wasm's module has no fn_1")?;
    // A relocation follows the instruction that the linker fills in.
    let is_relocation = |line: &&str| line.contains("R_WASM_");
    let is_filled_in: Vec<bool> = (0..theirs.len())
        .filter(|at| !is_relocation(&theirs[*at]))
        .map(|at| theirs.get(at + 1).is_some_and(is_relocation))
        .collect();
    let shown = |line: &str| line.split_once("| ").map(|(_, rest)| without_place(&instruction(rest)));
    let theirs = theirs.iter().filter(|line| !is_relocation(line)).filter_map(|line| shown(line));
    Ok(compare(ours.into_iter().filter_map(shown), theirs, &|at, _| is_filled_in[at]))
}

fn compiles(
    driver: &str,
    more: &[&str],
    function: &Function,
    unit: &str,
    folder: &Path,
) -> Result<bool, Box<dyn Error>> {
    let extension = if function.language == Language::C { "c" } else { "cc" };
    let file = folder.join("unit").with_extension(extension);
    fs::write(&file, unit)?;
    let mut command = Command::new(driver);
    command.args(["-c", "-w", "-O0"]).args(more).args(&function.flags).arg(&file).arg("-o").arg(folder.join("unit.o"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(command.status()?.success())
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new(program).args(arguments).current_dir(folder).stdin(Stdio::null()).output()?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// The lines below the only heading `<name>:` that is meant.
fn section<'t>(said: &'t str, is_meant: &dyn Fn(&str) -> bool) -> Option<Vec<&'t str>> {
    let name = |line: &'t str| line.strip_suffix(">:")?.split_once('<').map(|(_, name)| name);
    let mut found = said.lines().enumerate().filter(|(_, line)| name(line).is_some_and(is_meant)).map(|(at, _)| at);
    let start = found.next()?;
    if found.next().is_some() {
        return None;
    }
    Some(said.lines().skip(start + 1).take_while(|line| !line.is_empty() && name(line).is_none()).collect())
}

/// Whether a symbol, which in C++ has its parameters behind it, is a function's.
fn is_called(symbol: &str, qualified_name: &str) -> bool {
    symbol.strip_prefix(qualified_name).is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
}

/// An instruction without comments and names, with one space where there are several.
fn instruction(line: &str) -> String {
    let end = line.find(['#', '<']).unwrap_or(line.len());
    line[..end].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The declaration of locals by how many there are: of a module with imports, wasm-objdump counts them from a wrong place.
fn without_place(line: &str) -> String {
    let Some((range, rest)) = line.strip_prefix("local[").and_then(|rest| rest.split_once(']')) else {
        return line.to_owned();
    };
    let number = |text: &str| text.parse::<u32>().unwrap_or_default();
    let count = range.split_once("..").map_or(1, |(first, last)| number(last) + 1 - number(first));
    format!("local[{count}]{rest}")
}

/// Compares instructions one by one; of those that are somewhere filled in, only what they are called.
fn compare(
    ours: impl Iterator<Item = String>,
    theirs: impl Iterator<Item = String>,
    is_filled_in: &dyn Fn(usize, &str) -> bool,
) -> Verdict {
    let (ours, theirs): (Vec<String>, Vec<String>) = (ours.collect(), theirs.collect());
    if ours.len() != theirs.len() {
        return Verdict::Differs(format!("{} instructions, not {}", ours.len(), theirs.len()));
    }
    let differs = ours.iter().zip(&theirs).enumerate().position(|(at, (ours, theirs))| {
        let name = |line: &str| line.split(' ').next().map(str::to_owned);
        ours != theirs && !(is_filled_in(at, ours) && name(ours) == name(theirs))
    });
    match differs {
        None => Verdict::Agrees,
        Some(at) => Verdict::Differs(format!("instruction {at} is `{}`, not `{}`", ours[at], theirs[at])),
    }
}
