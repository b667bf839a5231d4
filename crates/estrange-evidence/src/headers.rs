//! What the standard headers of a unit own: their macros, and every identifier in them.

mod vocabulary;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use estrange_sandbox::{ToolError, Workshop};
use estrange_text::feature_test::is_feature_test_macro;
use estrange_words::Language;

use vocabulary::Vocabulary;

/// So many sets of headers are remembered. Functions of one file mostly ask for the same few.
const MOST: usize = 128;

/// Why headers cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum HeadersError {
    /// gcc cannot be used.
    #[error(transparent)]
    Gcc(#[from] ToolError),
    /// The folder for its files cannot be used.
    #[error("the folder for compiling cannot be used: {0}")]
    Folder(#[from] std::io::Error),
}

/// The names of some headers.
#[derive(Debug)]
pub struct HeaderNames {
    /// Their macros, in order.
    pub macros: Box<[Arc<str>]>,
    vocabulary: Vocabulary,
    /// Every identifier, by its number in the vocabulary, in order.
    all: Box<[u32]>,
    /// The files that they are.
    files: Box<[PathBuf]>,
}

impl HeaderNames {
    /// Whether they have an identifier, for whatever.
    pub fn have(&self, name: &str) -> bool {
        self.vocabulary.number(name).is_some_and(|number| self.all.binary_search(&number).is_ok())
    }
}

/// What the preprocessor says of the headers that units include, asked once for each set.
#[derive(Debug, Default)]
pub struct Headers {
    vocabulary: Vocabulary,
    known: Mutex<HashMap<Asked, Arc<HeaderNames>>>,
    texts: Mutex<HashMap<PathBuf, Arc<[u8]>>>,
}

/// The language, the flags, and the includes with what they depend on.
type Asked = (Language, Vec<String>, String);

impl Headers {
    /// The names of the headers that `text` includes, and of the macros that the compiler defines by itself.
    ///
    /// # Errors
    /// When the preprocessor cannot be used.
    pub fn of(
        &self,
        text: &str,
        language: Language,
        flags: &[String],
        workshop: &Workshop,
    ) -> Result<Arc<HeaderNames>, HeadersError> {
        let includes: String = text.split_inclusive('\n').filter(|line| concerns_headers(line)).collect();
        let key = (language, flags.to_vec(), includes);
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(known));
        }
        let names = Arc::new(self.ask(&key.2, language, flags, workshop)?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, Arc::clone(&names));
        Ok(names)
    }

    fn ask(
        &self,
        includes: &str,
        language: Language,
        flags: &[String],
        workshop: &Workshop,
    ) -> Result<HeaderNames, HeadersError> {
        let file = tempfile::Builder::new().suffix(".h").tempfile_in(workshop.path())?;
        std::fs::write(file.path(), includes)?;
        let (mut macros, mut all, mut files) = (BTreeSet::new(), HashSet::new(), HashSet::new());
        for dump in ["-dD", "-dM"] {
            let said = workshop
                .tool("gcc")
                .reads(file.path())
                .arguments(["-E", dump, "-w"])
                .arguments(flags)
                .argument(language.flag())
                .argument(file.path())
                .environment("LC_ALL", "C")
                .run()?;
            for line in said.text().lines() {
                // Where the next lines come from.
                if let Some(place) = line.strip_prefix("# ") {
                    files.extend(place.split('"').nth(1).filter(|file| file.starts_with('/')).map(PathBuf::from));
                    continue;
                }
                let defined = line.strip_prefix("#define ").and_then(|rest| words(rest).next());
                macros.extend(defined.map(|name| self.vocabulary.intern(name).0));
                all.extend(words(line).map(|word| self.vocabulary.intern(word).1));
            }
        }
        files.remove(file.path());
        let mut all: Box<[u32]> = all.into_iter().collect();
        all.sort_unstable();
        let vocabulary = self.vocabulary.clone();
        Ok(HeaderNames { macros: macros.into_iter().collect(), vocabulary, all, files: files.into_iter().collect() })
    }

    /// Whether a word stands anywhere in the files of some headers, even where the preprocessor leaves it out.
    pub fn mention(&self, word: &str, headers: &HeaderNames) -> bool {
        headers.files.iter().any(|file| {
            let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            let text = match texts.get(file) {
                Some(text) => Arc::clone(text),
                None => {
                    // The compilers have read this file, so it can be read; if it is gone since, it does not mention the word.
                    let text: Arc<[u8]> = std::fs::read(file).unwrap_or_default().into();
                    texts.insert(file.clone(), Arc::clone(&text));
                    text
                }
            };
            drop(texts);
            memchr::memmem::find(&text, word.as_bytes()).is_some()
        })
    }
}

/// Whether a line includes a header of the standard library, or defines what such headers ask for: `_GNU_SOURCE`.
fn concerns_headers(line: &str) -> bool {
    let defined = line.strip_prefix("#define ").and_then(|rest| words(rest).next());
    line.starts_with("#include <") || defined.is_some_and(is_feature_test_macro)
}

/// The identifiers of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    parts.filter(|word| word.starts_with(|first: char| first.is_alphabetic() || first == '_'))
}
