//! The tools of a build, found once, with their versions.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use estrange_clang::Defined;
use estrange_evidence::code::Instances;
use estrange_evidence::headers::{HeaderNames, Headers, HeadersError};
use estrange_evidence::symbols::standard_symbols;
use estrange_evidence::undefined::{Checks, same_checks};
use estrange_evidence::unlike::{Unlike, unlike};
use estrange_evidence::{
    Alive, Clang, CompilerError, Compilers, Gcc, GccError, IdenticalCode, Level, Pair, Proof, Refusal, identical_code,
};
use estrange_oracle::{Oracle, Settings, Verdict};
use estrange_rewrite::Piece;
use estrange_sandbox::{Tool, Workshop};
use estrange_unit::{Language, Parser, SystemFolders};

use crate::error::BuildError;
use crate::run::Behaviour;

/// The compilers and the parser.
pub(crate) struct Tools {
    pub(crate) gcc: Gcc,
    pub(crate) clang: Clang,
    /// Who proves that functions do the same, if that is installed.
    pub(crate) alive: Option<Alive>,
    pub(crate) parser: Arc<Parser>,
    c_folders: SystemFolders,
    cpp_folders: SystemFolders,
    /// The symbols of the standard libraries.
    pub(crate) standard_symbols: HashSet<String>,
    /// The names that headers own.
    pub(crate) headers: Headers,
    /// What templates are instantiated with.
    instances: Instances,
    pub(crate) workshop: Workshop,
    /// The content of files of the system, by their hashes.
    contents: Mutex<HashMap<PathBuf, blake3::Hash>>,
    /// Their versions, by name.
    pub(crate) versions: BTreeMap<String, String>,
}

impl Tools {
    pub(crate) fn find(jobs: usize, workshop: &Workshop) -> Result<Self, BuildError> {
        let scratch = workshop.path();
        let gcc = Gcc::find(workshop).map_err(|error| gcc_failed(error, scratch))?;
        let folders = |language: Language| -> Result<SystemFolders, BuildError> {
            let output = Tool::new("gcc")
                .arguments(["-v", "-E", language.flag(), "/dev/null"])
                .environment("LC_ALL", "C")
                .run()?;
            Ok(SystemFolders::from_compiler(&String::from_utf8_lossy(&output.stderr)))
        };
        let clang = Clang::find(workshop)?;
        let alive = Alive::find();
        let mut versions = BTreeMap::from([
            ("gcc".to_owned(), gcc.version().to_owned()),
            ("clang".to_owned(), clang.version().to_owned()),
        ]);
        versions.extend(alive.as_ref().map(|alive| ("alive-tv".to_owned(), alive.version().to_owned())));
        let (c_folders, cpp_folders) = (folders(Language::C)?, folders(Language::Cpp)?);
        let parser =
            Parser::new(jobs, workshop).map_err(|source| BuildError::Cache { path: scratch.to_owned(), source })?;
        let standard_symbols = standard_symbols().map_err(|error| gcc_failed(error, scratch))?;
        Ok(Self {
            standard_symbols,
            headers: Headers::default(),
            instances: Instances::default(),
            clang,
            alive,
            gcc,
            parser: Arc::new(parser),
            c_folders,
            cpp_folders,
            workshop: workshop.clone(),
            contents: Mutex::default(),
            versions,
        })
    }

    pub(crate) fn folders(&self, language: Language) -> &SystemFolders {
        match language {
            Language::C => &self.c_folders,
            Language::Cpp => &self.cpp_folders,
        }
    }

    /// Why gcc could not be used, as an error of the build.
    pub(crate) fn gcc_failed(&self, error: GccError) -> BuildError {
        gcc_failed(error, self.workshop.path())
    }

    /// The names that the headers own which a text includes.
    pub(crate) fn headers_of(
        &self,
        text: &str,
        language: Language,
        flags: &[String],
    ) -> Result<Arc<HeaderNames>, BuildError> {
        self.headers.of(text, language, flags, &self.workshop).map_err(|error| match error {
            HeadersError::Folder(source) => BuildError::Cache { path: self.workshop.path().to_owned(), source },
            HeadersError::Gcc(error) => BuildError::Tool(error),
        })
    }

    /// A use of a function's template that makes both compilers write code for it, if there is one.
    pub(crate) fn instance(
        &self,
        unit: &str,
        function: &Defined,
        flags: &[String],
        compiled: &dyn Fn(&str) -> String,
    ) -> Result<Option<Vec<Piece>>, BuildError> {
        let compilers = Compilers { gcc: &self.gcc, clang: &self.clang };
        self.instances.find(compilers, unit, function, flags, compiled).map_err(|error| match error {
            CompilerError::Gcc(error) => self.gcc_failed(error),
            CompilerError::Clang(error) => BuildError::Clang(error),
        })
    }

    /// What both compilers say of units and the same units with new names.
    pub(crate) fn identical_code(
        &self,
        language: Language,
        flags: &[String],
        levels: &[Level],
        pairs: &[Pair<'_>],
    ) -> Result<Vec<Result<IdenticalCode, Refusal>>, BuildError> {
        let standard = |symbol: &str| self.standard_symbols.contains(symbol);
        Ok(identical_code(&self.gcc, &self.clang, language, flags, levels, pairs, &standard)?)
    }

    /// What only one of two texts does that did the same on all inputs. If there is such a thing, that is weak evidence from here on.
    pub(crate) fn weighed(
        &self,
        language: Language,
        flags: &[String],
        pair: &Pair<'_>,
        behaviour: &mut Behaviour,
    ) -> Result<Vec<Unlike>, BuildError> {
        if !matches!(behaviour.verdict, Verdict::Agrees | Verdict::AgreesWeakly) {
            return Ok(Vec::new());
        }
        let unlike = unlike(&self.clang, language, flags, pair)?;
        if !unlike.is_empty() {
            behaviour.verdict = Verdict::AgreesWeakly;
        }
        Ok(unlike)
    }

    /// What clang's sanitizer would check in units and in the same units rewritten.
    pub(crate) fn same_checks(
        &self,
        language: Language,
        flags: &[String],
        pairs: &[Pair<'_>],
    ) -> Result<Vec<Checks>, BuildError> {
        Ok(same_checks(&self.clang, language, flags, pairs)?)
    }

    /// What `alive-tv`, if it is installed, proves of a function of C and its rewrite.
    pub(crate) fn proof(
        &self,
        flags: &[String],
        texts: (&str, &str),
        function: &str,
        names: &BTreeMap<String, String>,
    ) -> Result<Option<Proof>, BuildError> {
        let Some(alive) = &self.alive else { return Ok(None) };
        alive.proves(&self.clang, &self.workshop, flags, texts, function, names).map_err(BuildError::Alive)
    }

    /// Who runs functions and their rewrites.
    pub(crate) fn oracle(&self) -> Result<Oracle, BuildError> {
        self.oracle_with(Settings::default())
    }

    pub(crate) fn oracle_with(&self, settings: Settings) -> Result<Oracle, BuildError> {
        Ok(Oracle::new(&self.workshop, Arc::clone(&self.parser), settings)?)
    }

    /// Stands for what some files of the system say, by their content.
    pub(crate) fn headers_read<'f>(&self, files: impl Iterator<Item = &'f PathBuf>) -> String {
        let mut known = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        let mut hasher = blake3::Hasher::new();
        for file in files {
            // One that is gone again since it was read says nothing.
            let hash =
                known.entry(file.clone()).or_insert_with(|| blake3::hash(&std::fs::read(file).unwrap_or_default()));
            hasher.update(file.as_os_str().as_encoded_bytes()).update(hash.as_bytes());
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// Stands for the versions of all tools, and of the crates that every result depends on.
    pub(crate) fn key(&self) -> String {
        let own = [
            ("estrange-clang", estrange_clang::VERSION),
            ("estrange-unit", estrange_unit::VERSION),
            ("estrange-evidence", estrange_evidence::VERSION),
        ];
        let tools = self.versions.iter().map(|(name, version)| (name.as_str(), version.as_str()));
        tools.chain(own).map(|(name, version)| format!("{name} {version}\n")).collect()
    }
}

/// A folder that is full is not the compiler's fault.
fn gcc_failed(error: GccError, scratch: &Path) -> BuildError {
    match error {
        GccError::Folder(source) => BuildError::Cache { path: scratch.to_owned(), source },
        error => BuildError::Gcc(error),
    }
}
