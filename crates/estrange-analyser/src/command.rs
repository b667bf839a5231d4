//! A command of the user's that writes SARIF.
//!
//! It is shown the unit's folder, the system's software, and the files that its own words name. It has no network.

use std::fs;
use std::path::{Path, PathBuf};

use estrange_sandbox::{ToolError, ToolOutput, is_software};

use crate::call::Call;
use crate::error::AnalyserError;
use crate::finding::Finding;
use crate::loss::Loss;
use crate::sarif::Sarif;

/// Where programs of the system are.
const PROGRAMS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];
/// What stands for the path of the unit's file.
const PLACE: &str = "{}";

/// A command that can be started.
#[derive(Debug, Clone)]
pub struct Command {
    words: Vec<String>,
    /// Files of the user's that it may read and execute.
    shown: Vec<PathBuf>,
    /// Stands for its words, for its program, and for the files that they name.
    pub stamp: String,
}

impl Command {
    /// The command that a text spells. Nothing is started yet.
    pub fn find(text: &str) -> Result<Self, AnalyserError> {
        let spelling = || AnalyserError::Spelling(text.to_owned());
        let mut words = shlex::split(text).ok_or_else(spelling)?;
        let program = program(words.first().ok_or_else(spelling)?)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(text.as_bytes()).update(hash_of(&program)?.as_bytes());
        let mut shown = Vec::new();
        for word in &mut words {
            if let Some(path) = file_of(word) {
                hasher.update(hash_of(&path)?.as_bytes());
                *word = path.display().to_string();
                shown.push(path);
            }
        }
        Ok(Self { words, shown, stamp: hasher.finalize().to_hex()[..32].to_owned() })
    }

    /// The same, which may also read and execute what is at these paths.
    pub fn showing(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        self.shown.extend(paths);
    }

    /// What it finds in a unit. It may exit with any code where it found something, as many such programs do.
    pub fn analyse(&self, call: &Call) -> Result<Result<Vec<Finding>, Loss>, AnalyserError> {
        let output = self.run(call)?;
        Ok(Loss::code_of(&output).and_then(|code| read(code, &output, call)))
    }

    fn run(&self, call: &Call) -> Result<ToolOutput, ToolError> {
        let path = call.path().display().to_string();
        let mut words = self.words.iter().map(|word| word.replace(PLACE, &path));
        let tool = call.tool(&words.next().unwrap_or_default()).arguments(words);
        let tool = if self.words.iter().any(|word| word.contains(PLACE)) { tool } else { tool.argument(&path) };
        self.shown.iter().fold(tool, |tool, path| tool.loads(path)).run()
    }
}

/// The findings of a run. One that failed and found nothing says nothing.
fn read(code: i32, output: &ToolOutput, call: &Call) -> Result<Vec<Finding>, Loss> {
    let findings = Sarif::read(&output.stdout).and_then(|sarif| sarif.findings(&|file| call.is_unit(file)));
    match findings {
        Ok(findings) if code == 0 || !findings.is_empty() => Ok(findings),
        Err(error) if code == 0 => Err(error.into()),
        _ => Err(Loss::failed(code, output)),
    }
}

/// The file of a program.
fn program(word: &str) -> Result<PathBuf, AnalyserError> {
    let found = match word.contains('/') {
        true => Some(PathBuf::from(word)),
        false => PROGRAMS.iter().map(|folder| Path::new(folder).join(word)).find(|program| program.is_file()),
    };
    found.filter(|program| program.is_file()).ok_or_else(|| AnalyserError::NoProgram(word.to_owned()))
}

/// The file of the user's that a word names, from the root on.
fn file_of(word: &str) -> Option<PathBuf> {
    let path = Path::new(word);
    let path = path.is_file().then(|| fs::canonicalize(path).ok()).flatten()?;
    (word.contains('/') && !is_software(&path)).then_some(path)
}

fn hash_of(path: &Path) -> Result<blake3::Hash, AnalyserError> {
    let unreadable = |source| AnalyserError::Unreadable { path: path.to_owned(), source };
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs::File::open(path).map_err(unreadable)?).map_err(unreadable)?;
    Ok(hasher.finalize())
}
