//! Loading libclang, parsing, and what the parser complains about.

use std::ffi::{CStr, CString, NulError};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clang_sys as clang;
use serde::{Deserialize, Serialize};

use crate::cursor::owned;

/// libclang, loaded into this process.
pub struct Clang {
    index: clang::CXIndex,
    /// For texts that come after a precompiled header: what that declares is not walked, but what templates were made
    /// into is.
    local: clang::CXIndex,
}

/// Why libclang cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("libclang 19 cannot be loaded: {0}")]
pub struct LoadError(String);

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Severity {
    /// The text is wrong here.
    Error,
    /// The parser gave up here.
    Fatal,
}

/// An error that the parser found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// How bad it is.
    pub severity: Severity,
    /// In the parser's words.
    pub message: String,
    /// Where in the text; none if it is in a header.
    pub at: Option<u32>,
}

/// So many errors of one text are kept.
const MOST_TROUBLES: usize = 200;

/// The variable that says where libclang is: its folder, or the library itself.
pub const LIBRARY_PATH: &str = "LIBCLANG_PATH";

/// Where Debian keeps libclang 19.
const FOLDER: &str = "/usr/lib/llvm-19/lib";

/// Where libclang is to be loaded from: where [`LIBRARY_PATH`] says, or else from Debian's folder, if there is one. A
/// process that is to load it has this in its environment from its beginning: to set a variable later is not safe where
/// there are threads.
pub fn library_path() -> Option<PathBuf> {
    let debian = || Some(PathBuf::from(FOLDER)).filter(|folder| folder.is_dir());
    std::env::var_os(LIBRARY_PATH).map(PathBuf::from).or_else(debian)
}

impl Clang {
    /// Loads libclang: from where [`LIBRARY_PATH`] says, or else the newest that is found.
    ///
    /// # Errors
    /// When it is not installed.
    pub fn load() -> Result<Self, LoadError> {
        if !clang::is_loaded() {
            clang::load().map_err(LoadError)?;
        }
        // SAFETY: the library is loaded; both are disposed of in `drop`.
        let (index, local) = unsafe { (clang::clang_createIndex(0, 0), clang::clang_createIndex(1, 0)) };
        Ok(Self { index, local })
    }

    /// The errors in `text`, which is to be compiled with `arguments`; none means that it compiles.
    pub fn check(&self, text: &str, arguments: &[String]) -> Vec<Trouble> {
        match self.parse(text, arguments, clang::CXTranslationUnit_None) {
            Some(unit) => unit.troubles(),
            None => vec![gave_up()],
        }
    }

    /// Reads the header file at `header` once and for all: a later check with `-include-pch` and `out` begins after it.
    /// Says whether that worked.
    pub fn precompile(&self, header: &Path, arguments: &[String], out: &Path) -> bool {
        let (Ok(header), Ok(out)) = (c_path(header), c_path(out)) else { return false };
        let arguments: Vec<CString> = arguments.iter().filter_map(|word| CString::new(word.as_str()).ok()).collect();
        let pointers: Vec<_> = arguments.iter().map(|word| word.as_ptr()).collect();
        let options = clang::CXTranslationUnit_Incomplete | clang::CXTranslationUnit_ForSerialization;
        let mut unit = std::ptr::null_mut();
        // SAFETY: all pointers outlive the calls, and the unit is disposed of.
        unsafe {
            let code = clang::clang_parseTranslationUnit2(
                self.index,
                header.as_ptr(),
                pointers.as_ptr(),
                pointers.len() as i32,
                std::ptr::null_mut(),
                0,
                options,
                &mut unit,
            );
            if code != clang::CXError_Success || unit.is_null() {
                return false;
            }
            let saved = clang::clang_saveTranslationUnit(unit, out.as_ptr(), clang::CXSaveTranslationUnit_None);
            clang::clang_disposeTranslationUnit(unit);
            saved == clang::CXSaveError_None
        }
    }

    /// Parses `text`.
    pub(crate) fn parse(&self, text: &str, arguments: &[String], options: i32) -> Option<Unit> {
        parse(self.index, text, arguments, options)
    }

    /// Parses `text`, of which alone the declarations are walked.
    pub(crate) fn parse_local(&self, text: &str, arguments: &[String], options: i32) -> Option<Unit> {
        parse(self.local, text, arguments, options)
    }
}

fn parse(index: clang::CXIndex, text: &str, arguments: &[String], options: i32) -> Option<Unit> {
    let name = if arguments.iter().any(|argument| argument == "-xc++") { c"unit.cpp" } else { c"unit.c" };
    let arguments: Vec<CString> = arguments.iter().filter_map(|word| CString::new(word.as_str()).ok()).collect();
    let pointers: Vec<_> = arguments.iter().map(|word| word.as_ptr()).collect();
    let mut file =
        clang::CXUnsavedFile { Filename: name.as_ptr(), Contents: text.as_ptr().cast(), Length: text.len() as _ };
    let mut unit = std::ptr::null_mut();
    // SAFETY: all pointers outlive the call; libclang copies what it keeps.
    let code = unsafe {
        clang::clang_parseTranslationUnit2(
            index,
            name.as_ptr(),
            pointers.as_ptr(),
            pointers.len() as i32,
            &mut file,
            1,
            options,
            &mut unit,
        )
    };
    (code == clang::CXError_Success && !unit.is_null()).then(|| Unit::new(unit, name))
}

fn c_path(path: &Path) -> Result<CString, NulError> {
    CString::new(path.as_os_str().as_bytes())
}

pub(crate) fn gave_up() -> Trouble {
    Trouble { severity: Severity::Fatal, message: "the parser gave up".to_owned(), at: None }
}

impl Drop for Clang {
    fn drop(&mut self) {
        // SAFETY: made in `load`, and no unit outlives a call.
        unsafe {
            clang::clang_disposeIndex(self.index);
            clang::clang_disposeIndex(self.local);
        }
    }
}

/// A parsed unit.
pub(crate) struct Unit {
    pub(crate) raw: clang::CXTranslationUnit,
    pub(crate) file: clang::CXFile,
}

impl Unit {
    fn new(raw: clang::CXTranslationUnit, name: &CStr) -> Self {
        // SAFETY: `raw` is a unit that was just parsed from a file of this name.
        let file = unsafe { clang::clang_getFile(raw, name.as_ptr()) };
        Self { raw, file }
    }

    /// The errors found.
    pub(crate) fn troubles(&self) -> Vec<Trouble> {
        // SAFETY: the unit is alive, each diagnostic is disposed of.
        unsafe {
            let count = clang::clang_getNumDiagnostics(self.raw);
            let mut troubles = Vec::new();
            for number in 0..count {
                let diagnostic = clang::clang_getDiagnostic(self.raw, number);
                let severity = match clang::clang_getDiagnosticSeverity(diagnostic) {
                    clang::CXDiagnostic_Error => Some(Severity::Error),
                    clang::CXDiagnostic_Fatal => Some(Severity::Fatal),
                    _ => None,
                };
                // One is enough to know; those that end the reading all count.
                let counts = troubles.len() < MOST_TROUBLES || severity == Some(Severity::Fatal);
                if let Some(severity) = severity.filter(|_| counts) {
                    let message = owned(clang::clang_getDiagnosticSpelling(diagnostic));
                    let mut file = std::ptr::null_mut();
                    let mut at = 0;
                    let location = clang::clang_getDiagnosticLocation(diagnostic);
                    clang::clang_getFileLocation(
                        location,
                        &mut file,
                        std::ptr::null_mut(),
                        std::ptr::null_mut(),
                        &mut at,
                    );
                    let at = (file == self.file).then_some(at);
                    troubles.push(Trouble { severity, message, at });
                }
                clang::clang_disposeDiagnostic(diagnostic);
            }
            troubles
        }
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: the unit is ours, and nothing of it is kept.
        unsafe { clang::clang_disposeTranslationUnit(self.raw) };
    }
}
