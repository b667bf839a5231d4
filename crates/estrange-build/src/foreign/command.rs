//! A command as a step of a recipe: a program of the user's that gets a file and prints another.
//!
//! It runs as a guest. Of this machine it sees the system's software, the files that its own words name, and what it is
//! shown: each as `/input/NAME`. It has no network, and nothing that it writes stays.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_rewrite::{Given, Refusal};
use estrange_sandbox::{Command, End, INPUT, Limits, Outcome, SCRATCH, Sandbox, is_software};
use estrange_words::{Language, Reason};

use crate::error::BuildError;
use crate::not_foreign::NoCommand;

/// Where programs of the system are.
const PROGRAMS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];
/// The most that a command may write, and that is read of it.
const OUTPUT: u64 = 8 << 20;

/// A command that can be started.
pub(super) struct Program {
    /// Its words as the guest is to see them.
    words: Vec<String>,
    /// What it is shown: the path here, and its name there.
    inputs: Vec<(PathBuf, String)>,
    /// Stands for its words and for what it can read of the user's.
    pub(super) stamp: String,
}

impl Program {
    /// The program that a command names, with what it may read. Nothing is started yet.
    pub(super) fn find(command: &str, shown: &[PathBuf]) -> Result<Self, NoCommand> {
        let spelling = || NoCommand::Spelling(command.to_owned());
        let words = shlex::split(command).ok_or_else(spelling)?;
        let first = words.first().ok_or_else(spelling)?;
        let mut views = Views { command, inputs: Vec::new() };
        for path in shown {
            views.show(path)?;
        }
        let seen: Vec<String> = words.iter().map(|word| views.word(word)).collect::<Result<_, _>>()?;
        let program = match first.contains('/') {
            true => Some(PathBuf::from(first)),
            false => PROGRAMS.iter().map(|folder| Path::new(folder).join(first)).find(|program| program.is_file()),
        };
        let program = program.filter(|program| program.is_file()).ok_or_else(|| NoCommand::Program(first.clone()))?;
        let mut hasher = blake3::Hasher::new();
        let mut hash = |name: &str, path: &Path| -> Result<(), NoCommand> {
            hasher.update(format!("{} {name}\n", name.len()).as_bytes());
            hash_all(path, &mut hasher).map_err(|source| NoCommand::Unreadable { path: path.to_owned(), source })
        };
        hash(command, &program)?;
        for (path, name) in &views.inputs {
            hash(name, path)?;
        }
        Ok(Self { words: seen, inputs: views.inputs, stamp: hasher.finalize().to_hex().to_string() })
    }

    /// What it prints for a function, or writes where it was told to.
    pub(super) fn run(
        &self,
        given: &Given<'_>,
        sandbox: &Sandbox,
        patience: Duration,
    ) -> Result<Result<String, Refusal>, BuildError> {
        let name = if given.language == Language::C { "unit.c" } else { "unit.cpp" };
        let out = format!("out-{name}");
        let places = Places { file: format!("{INPUT}/{name}"), out: format!("{SCRATCH}/{out}") };
        let full = |source| BuildError::Cache { path: std::env::temp_dir(), source };
        let file = readable(given.text).map_err(full)?;
        let [program, arguments @ ..] = &self.words[..] else { return Ok(Err(Refusal::NobodyDoes)) };
        let arguments: Vec<String> = arguments.iter().map(|word| places.filled(word, given)).collect();
        let mut command =
            Command::new(program).arguments(arguments).stdin(given.text.as_bytes()).input(file.path(), name).limits(
                Limits { wall: patience, memory: 2 << 30, processes: 64, output: OUTPUT, disk: 256 << 20, files: 4096 },
            );
        for (path, name) in &self.inputs {
            command = command.input(path, name);
        }
        for (name, value) in places.environment(given) {
            command = command.environment(name, value);
        }
        let writes = self.words.iter().any(|word| word.contains("{out}"));
        let command = if writes { command.keep_scratch() } else { command };
        let outcome = sandbox.run(&command)?;
        if let Err(refusal) = ended(&outcome) {
            return Ok(Err(refusal));
        }
        let written = match (writes, &outcome.scratch) {
            (true, Some(scratch)) => {
                scratch.read(&out, OUTPUT).map_err(|error| format!("{{out}} cannot be read: {error}"))
            }
            (true, None) => Err("{out} is not there".to_owned()),
            (false, _) => Ok(outcome.stdout),
        };
        let text = written.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is no text in UTF-8".to_owned()));
        Ok(text.map_err(Refusal::NoCode))
    }
}

/// What a command is shown of this machine.
struct Views<'c> {
    command: &'c str,
    inputs: Vec<(PathBuf, String)>,
}

impl Views<'_> {
    /// Shows a file or folder; where the guest finds it.
    fn show(&mut self, path: &Path) -> Result<String, NoCommand> {
        let unreadable = |source| NoCommand::Unreadable { path: path.to_owned(), source };
        let host = fs::canonicalize(path).map_err(unreadable)?;
        let name = host.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match self.inputs.iter().find(|(_, known)| *known == name) {
            Some((known, _)) if *known == host => {}
            None if !name.is_empty() => self.inputs.push((host, name.clone())),
            _ => return Err(NoCommand::SameName { command: self.command.to_owned(), name }),
        }
        Ok(format!("{INPUT}/{name}"))
    }

    /// A word as the guest is to see it: where it is the path of a file of the user's, the place where that is shown.
    fn word(&mut self, word: &str) -> Result<String, NoCommand> {
        let path = Path::new(word);
        if !word.contains('/') || !path.is_file() {
            return Ok(word.to_owned());
        }
        let host = fs::canonicalize(path).map_err(|source| NoCommand::Unreadable { path: path.to_owned(), source })?;
        if is_software(&host) {
            return Ok(word.to_owned());
        }
        let within = self.inputs.iter().find_map(|(shown, name)| {
            let rest = host.strip_prefix(shown).ok().filter(|rest| !rest.as_os_str().is_empty())?;
            Some(format!("{INPUT}/{name}/{}", rest.display()))
        });
        within.map_or_else(|| self.show(path), Ok)
    }
}

/// Where a guest finds what it is given.
struct Places {
    file: String,
    out: String,
}

impl Places {
    /// A word of the command with what stands in it for the function.
    fn filled(&self, word: &str, given: &Given<'_>) -> String {
        let seed = given.seed.to_string();
        let values = [("{file}", &*self.file), ("{out}", &self.out), ("{function}", given.name), ("{seed}", &seed)];
        values.into_iter().fold(word.to_owned(), |word, (name, value)| word.replace(name, value))
    }

    /// What it is told by variables.
    fn environment(&self, given: &Given<'_>) -> [(&'static str, String); 9] {
        [
            ("ESTRANGE_FILE", self.file.clone()),
            ("ESTRANGE_FUNCTION", given.name.to_owned()),
            ("ESTRANGE_QUALIFIED_NAME", given.qualified_name.to_owned()),
            ("ESTRANGE_TYPE", given.type_.to_owned()),
            ("ESTRANGE_START", given.function.start.to_string()),
            ("ESTRANGE_END", given.function.end.to_string()),
            ("ESTRANGE_KEEP", given.outside.join(" ")),
            ("ESTRANGE_LANGUAGE", given.language.to_string()),
            ("ESTRANGE_SEED", given.seed.to_string()),
        ]
    }
}

/// A file with a text that others may read, as a guest is another user.
fn readable(text: &str) -> io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    Ok(file)
}

/// Why what a run printed is not looked at, if it ended badly.
fn ended(outcome: &Outcome) -> Result<(), Refusal> {
    let reason = match &outcome.end {
        End::Exited(0) if !outcome.scratch_full => return Ok(()),
        End::TimedOut | End::OverMemory | End::OverOutput | End::Exited(0) => Reason::CommandOverLimit,
        _ => Reason::CommandFailed,
    };
    let said = String::from_utf8_lossy(&outcome.stderr);
    let said = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    let full = if outcome.scratch_full { "its folder is full" } else { "" };
    let parts = [format!("the command {}", outcome.end), full.to_owned(), said.chars().take(200).collect()];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Err(Refusal::Foreign { reason, detail: parts.join(": ") })
}

/// Adds what a file says, or all files of a folder, with their names.
fn hash_all(path: &Path, hasher: &mut blake3::Hasher) -> io::Result<()> {
    if !path.is_dir() {
        hasher.update(blake3::hash(&fs::read(path)?).as_bytes());
        return Ok(());
    }
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(path)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type()?;
        hasher.update(entry.file_name().as_encoded_bytes()).update(&[0, u8::from(kind.is_dir())]);
        if kind.is_dir() || kind.is_file() {
            hash_all(&entry.path(), hasher)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_its_words_name_is_shown_and_counts() {
        let folder = tempfile::tempdir().unwrap();
        let tools = folder.path().join("tools");
        fs::create_dir(&tools).unwrap();
        let script = tools.join("x.py");
        fs::write(&script, "one").unwrap();
        let command = format!("python3 {} s/a/b/ {{file}}", script.display());
        let alone = Program::find(&command, &[]).unwrap();
        assert_eq!(alone.words, ["python3", "/input/x.py", "s/a/b/", "{file}"]);
        assert_eq!(Program::find(&command, std::slice::from_ref(&tools)).unwrap().words[1], "/input/tools/x.py");
        fs::write(&script, "two").unwrap();
        assert_ne!(Program::find(&command, &[]).unwrap().stamp, alone.stamp);
        fs::write(&script, "one").unwrap();
        assert_eq!(Program::find(&command, &[]).unwrap().stamp, alone.stamp);
        let with_more = |text: &str| {
            fs::write(tools.join("more"), text).unwrap();
            Program::find(&command, std::slice::from_ref(&tools)).unwrap().stamp
        };
        assert_ne!(with_more("1"), with_more("2"));
    }

    #[test]
    fn what_cannot_be_started_is_told_at_once() {
        let find = |command: &str, shown: &[PathBuf]| Program::find(command, shown).err().unwrap();
        assert!(matches!(find("sed 's/a/b/", &[]), NoCommand::Spelling(_)));
        assert!(matches!(find("./no/such.sh", &[]), NoCommand::Program(_)));
        assert!(matches!(find("no-such-program", &[]), NoCommand::Program(_)));
        assert!(matches!(find("cat", &["/no/such".into()]), NoCommand::Unreadable { .. }));
        let folder = tempfile::tempdir().unwrap();
        let same = ["one/data", "other/data"].map(|name| folder.path().join(name));
        same.iter().for_each(|path| std::fs::create_dir_all(path).unwrap());
        assert!(matches!(find("cat", &same), NoCommand::SameName { .. }));
    }
}
