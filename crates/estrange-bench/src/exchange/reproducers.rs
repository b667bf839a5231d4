//! Folders that build: of each confirmed pair both sides, what runs them on the trigger, and a Makefile that compiles them
//! with sanitizers and says whether the vulnerable side faults and the patched one does not. They take make, a shell and gcc
//! or clang, and nothing of this program.

use std::fmt::Write as _;
use std::path::Path;

use estrange_words::{End, Language, Word};

use super::card::Card;
use super::error::ExchangeError;
use super::file::write;
use super::pair_set::{ExportedPair, ExportedRung};
use super::reports::{ANY, report_of};
use crate::words::Side;

/// What runs a side on the trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runner {
    /// Lines behind its unit that call the function.
    pub call: String,
    /// A file in C that makes the input and has `main`.
    pub input: String,
}

/// A rung with what runs it.
#[derive(Debug, Clone)]
pub struct Reproducer<'a> {
    /// The pair.
    pub pair: &'a ExportedPair,
    /// The rung.
    pub rung: &'a ExportedRung,
    /// What runs the vulnerable side.
    pub vulnerable: Runner,
    /// What runs the patched side.
    pub patched: Runner,
}

/// A rung that has no such folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The pair.
    pub pair: String,
    /// The setting.
    pub setting: String,
    /// Its seed.
    pub seed: u32,
    /// Why.
    pub reason: String,
}

/// Writes a folder for each rung, and one Makefile for all.
pub fn write_reproducers(
    folder: &Path,
    reproducers: &[Reproducer<'_>],
    left_out: &[LeftOut],
    card: &Card,
) -> Result<(), ExchangeError> {
    for reproducer in reproducers {
        write_one(folder, reproducer)?;
    }
    text(folder, &["Makefile"], include_str!("reproducers/all.mk"))?;
    text(folder, &["README.md"], &read_me(reproducers, left_out, card))
}

/// Writes the units of a rung, as they stand in every export that has them.
pub fn write_sides(folder: &Path, pair: &ExportedPair, rung: &ExportedRung) -> Result<(), ExchangeError> {
    Side::ALL.iter().try_for_each(|side| own(folder, rung, &pair.file(*side), rung.unit(*side)))
}

fn write_one(folder: &Path, reproducer: &Reproducer<'_>) -> Result<(), ExchangeError> {
    let Reproducer { pair, rung, vulnerable, patched } = reproducer;
    write_sides(folder, pair, rung)?;
    let trigger = pair.pair.trigger.as_deref().unwrap_or_default();
    own(folder, rung, "trigger.json", trigger)?;
    for (side, runner) in [(Side::Vulnerable, vulnerable), (Side::Patched, patched)] {
        let file = pair.file(side);
        let call = format!("#include \"{file}\"\n#line 1 \"{}\"\n{}", calling(pair, side), runner.call);
        own(folder, rung, &calling(pair, side), &call)?;
    }
    let is_one = vulnerable.input == patched.input;
    match is_one {
        true => own(folder, rung, "input.c", &vulnerable.input)?,
        false => {
            own(folder, rung, "vulnerable-input.c", &vulnerable.input)?;
            own(folder, rung, "patched-input.c", &patched.input)?;
        }
    }
    own(folder, rung, "Makefile", &makefile(pair, is_one))?;
    own(folder, rung, "reproduce.sh", &script(pair))
}

/// The file that has a side and the lines that call it.
fn calling(pair: &ExportedPair, side: Side) -> String {
    format!("{side}-call.{}", if pair.vulnerable.language == Language::Cpp { "cpp" } else { "c" })
}

fn text(folder: &Path, names: &[&str], text: &str) -> Result<(), ExchangeError> {
    write(folder, names, |file| file.write_all(text.as_bytes()))
}

/// A file in the folder of a rung.
fn own(folder: &Path, rung: &ExportedRung, name: &str, content: &str) -> Result<(), ExchangeError> {
    let [above, pair, level] = rung.folder.each_ref().map(String::as_str);
    text(folder, &[above, pair, level, name], content)
}

/// What differs from pair to pair, before what is the same for all.
fn makefile(pair: &ExportedPair, is_one: bool) -> String {
    let (compiler, ending) = match pair.vulnerable.language {
        Language::C => ("CC", "c"),
        Language::Cpp => ("CXX", "cpp"),
    };
    let more = match pair.vulnerable.language {
        Language::C => "",
        Language::Cpp => "-fno-access-control -fno-sanitize=vptr",
    };
    // Nothing else sees the use of what was never written.
    let memory = if pair.pair.class == Some(End::UninitialisedUse) { "yes" } else { "" };
    let inputs = match is_one {
        true => ["input.c"; 2],
        false => ["vulnerable-input.c", "patched-input.c"],
    };
    let flags = |flags: &[String]| flags.iter().map(|flag| escaped(flag)).collect::<Vec<_>>().join(" ");
    format!(
        "COMPILER = $({compiler})\nENDING := {ending}\nMEMORY := {memory}\nLANGUAGE_FLAGS := {more}\nvulnerable_FLAGS := {}\n\
         patched_FLAGS := {}\nvulnerable_INPUT := {}\npatched_INPUT := {}\n\n{}",
        flags(&pair.vulnerable.flags),
        flags(&pair.patched.flags),
        inputs[0],
        inputs[1],
        include_str!("reproducers/pair.mk"),
    )
}

/// A flag that neither make nor the shell reads otherwise. What a build found is kept; what could be a command is not.
fn escaped(flag: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=+./,:".contains(letter);
    flag.chars().filter(|letter| is_plain(*letter)).collect()
}

/// The script that runs both sides.
fn script(pair: &ExportedPair) -> String {
    let class = pair.pair.class.unwrap_or(End::Died);
    let [fault, access] = report_of(class).map(|pattern| pattern.replace('\'', "."));
    // How the input was made is not the function's to know, unless that is the fault.
    let mismatch = u8::from(class == End::MismatchedFree);
    let leaks = u8::from(class == End::Leak);
    include_str!("reproducers/reproduce.sh")
        .replace("@CLASS@", class.as_str())
        .replace("@FAULT@", &fault)
        .replace("@ACCESS@", access.as_str())
        .replace("@ANY@", ANY)
        .replace("@LEAKS@", &leaks.to_string())
        .replace("@MISMATCH@", &mismatch.to_string())
}

fn read_me(reproducers: &[Reproducer<'_>], left_out: &[LeftOut], card: &Card) -> String {
    let mut text = format!("# {}: bugs to be run\n\n{USE}\n## What is here\n\n", card.name());
    text += "| folder | language | class | CWE | line | fix | licence |\n|---|---|---|---|---|---|---|\n";
    for Reproducer { pair, rung, .. } in reproducers {
        let cell = super::card::cell;
        let number = |number: Option<u32>| number.map_or(String::new(), |number| number.to_string());
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} | {} |",
            rung.folder.join("/"),
            pair.vulnerable.language,
            pair.pair.class.map_or("", Word::as_str),
            number(pair.pair.cwe),
            number(rung.rung.fault_line),
            cell(&pair.pair.fix),
            cell(&pair.vulnerable.licence),
        );
    }
    if !left_out.is_empty() {
        text += "\n## What is not here\n\n| pair | setting | seed | why |\n|---|---|---|---|\n";
        for LeftOut { pair, setting, seed, reason } in left_out {
            let [pair, setting, reason] = [pair, setting, reason].map(|cell| super::card::cell(cell));
            let _ = writeln!(text, "| {pair} | {setting} | {seed} | {reason} |");
        }
    }
    text + &card.provenance()
}

const USE: &str = "Each folder below `pairs` is a function with a bug and the same function without it, at one level of rewriting (`L0` is as
it was written), with an input on which the first faults and the second does not.

```
make                      # compiles everything with gcc, -fsanitize=address,undefined
make reproduce            # runs both sides of every pair; fails unless one faults as it should and the other is clean
make CC=clang reproduce   # the same with clang; CC=clang-19, CC=gcc-12 and the like will do, too
make -k -j4 reproduce     # four at a time, all of them, whatever fails
make clean
```

The same works within the folder of one pair: `make -C pairs/NAME/L0 reproduce`. It takes make, a POSIX shell and gcc or
clang with their sanitizers on Linux for x86-64; what is used and was never written, only clang sees. **This runs code with bugs**: it is small and was run before, and a container
is the right place all the same.

| file | what it is |
|---|---|
| `vulnerable.c`, `patched.c` (or `.cpp`) | both sides: whole files that compile by themselves |
| `vulnerable-call.c`, `patched-call.c` | these with the lines that call the function |
| `input.c` | makes the input in memory and calls the function; the call stands there as code, too |
| `trigger.json` | the same input as values by position, for `estrange check --input` |
| `reproduce.sh` | runs both sides and reads the sanitizers' reports, which it leaves in `build-*/*.err` |
";
