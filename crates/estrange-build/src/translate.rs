//! The translation units of a source: which there are, and each one flattened and read.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use estrange_project::SourceFile;
use estrange_project::files::Kind;
use estrange_project::flags::Flags;
use estrange_unit::{Found, ParserLoss, Translation, Undelivered};
use estrange_words::Reason;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::BuildError;
use crate::flat::{flattened, in_any_tree};
use crate::lost::{FileLoss, foreign_file, passed_over, trouble};
use crate::options::{Options, Progress};
use crate::origin::Origin;
use crate::store::{Keep, Store, key};
use crate::tools::Tools;
use crate::work::Work;

/// Raise it when the same text may be read differently.
const READING: &str = "reading 1";

/// What stands for the project's tree in whatever is kept: a cache can be moved.
pub(crate) const TREE: &str = "/tree";

/// A translation unit that was read.
pub(crate) struct Translated {
    /// Its file, relative to the project.
    pub(crate) path: PathBuf,
    /// How the project compiles it.
    pub(crate) flags: Flags,
    /// Stands for the standard headers that it reads, by their content.
    pub(crate) headers: String,
    pub(crate) translation: Translation,
    pub(crate) functions: Vec<Found>,
    pub(crate) undelivered: Vec<Undelivered>,
}

/// What became of a file in one step.
#[derive(Serialize, Deserialize)]
pub(crate) enum Kept<T> {
    Done(T),
    Lost { reason: Reason, detail: String },
}

/// What is known of a file that was read.
struct Read {
    translation: Translation,
    headers: String,
}

/// All translation units of a source, in order of their paths, and the files that were lost.
pub(crate) struct Translations {
    pub(crate) units: Vec<Translated>,
    pub(crate) losses: Vec<FileLoss>,
}

impl Translations {
    pub(crate) fn of(
        origin: &Origin,
        options: &Options,
        tools: &Tools,
        store: &Store,
        progress: &dyn Progress,
    ) -> Result<Self, BuildError> {
        let mut all = Self { units: Vec::new(), losses: passed_over(&origin.fetched, &origin.project) };
        let near = origin.near();
        let is_near = |number: &usize| near.as_ref().is_none_or(|near| near.contains(number));
        let files = &origin.project.files;
        let of_kind = |kind: Kind| {
            let numbers = (0..files.len()).filter(is_near);
            numbers
                .map(|number| &files[number])
                .filter(move |file| file.kind == kind && options.roles.contains(&file.role))
        };
        let mut units = Vec::new();
        for file in of_kind(Kind::Unit) {
            match &file.flags {
                Some(flags) if flags.is_elsewhere() => {}
                Some(flags) => units.push((file, in_tree(flags.clone(), origin))),
                None => all.lose(&file.path, Reason::NoFlags, "how to compile it is not known"),
            }
        }
        all.read(origin, &units, tools, store, progress)?;

        // A header that no translation unit includes is read by itself.
        let seen: HashSet<PathBuf> = all.units.iter().flat_map(|unit| unit.files(origin)).collect();
        let alone: Vec<(&SourceFile, Flags)> = of_kind(Kind::Header)
            .filter(|file| !seen.contains(&file.path) && origin.state.wanted.have(&file.path))
            .filter_map(|file| Some((file, header_flags(file, origin)?)))
            .collect();
        all.read(origin, &alone, tools, store, progress)?;
        Ok(all)
    }

    /// Some of a source's files, by their numbers, as far as they can be read.
    pub(crate) fn of_files(
        origin: &Origin,
        numbers: &BTreeSet<usize>,
        work: &Work<'_>,
    ) -> Result<Vec<Translated>, BuildError> {
        let files = numbers.iter().filter_map(|number| {
            let file = &origin.project.files[*number];
            let flags = file.flags.as_ref().filter(|flags| !flags.is_elsewhere())?;
            Some((file, in_tree(flags.clone(), origin)))
        });
        let files: Vec<(&SourceFile, Flags)> = files.collect();
        let mut all = Self { units: Vec::new(), losses: Vec::new() };
        all.read(origin, &files, work.tools, work.store, work.progress)?;
        Ok(all.units)
    }

    fn lose(&mut self, path: &Path, reason: Reason, detail: &str) {
        self.losses.push(FileLoss { path: path.to_owned(), reason, detail: detail.to_owned() });
    }

    fn read(
        &mut self,
        origin: &Origin,
        files: &[(&SourceFile, Flags)],
        tools: &Tools,
        store: &Store,
        progress: &dyn Progress,
    ) -> Result<(), BuildError> {
        if files.is_empty() {
            return Ok(());
        }
        progress.step("reading files");
        let done = std::sync::atomic::AtomicUsize::new(0);
        let kept: Vec<Result<Kept<Read>, BuildError>> = files
            .par_iter()
            .map(|(file, flags)| {
                if progress.is_cancelled() {
                    return Err(BuildError::Cancelled);
                }
                let kept = translate(origin, file, flags, tools, store);
                progress.count(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1, files.len());
                kept
            })
            .collect();
        for ((file, flags), kept) in files.iter().zip(kept) {
            match kept? {
                Kept::Done(Read { translation, headers }) => {
                    if let Some(named) = foreign_file(
                        &translation,
                        flags,
                        &origin.project.root,
                        store.cache(),
                        tools.folders(translation.language),
                    ) {
                        let named = without_root(named, &origin.project.root);
                        let detail = format!("it includes {named}, which is neither its project's nor the system's");
                        self.lose(&file.path, Reason::IncludesForeignFile, &detail);
                        continue;
                    }
                    let (functions, undelivered) = translation.all_functions();
                    if let Some((reason, detail)) = trouble(&translation, &functions) {
                        self.lose(&file.path, reason, detail);
                    }
                    let (path, flags) = (file.path.clone(), flags.clone());
                    self.units.push(Translated { path, flags, headers, translation, functions, undelivered });
                }
                Kept::Lost { reason, detail } => self.lose(&file.path, reason, &detail),
            }
        }
        Ok(())
    }
}

impl Translated {
    /// The files of the project that it is made of.
    fn files(&self, origin: &Origin) -> BTreeSet<PathBuf> {
        let files = self.translation.flat.files.iter();
        files.filter_map(|file| origin.file(file, &self.flags.directory)).map(|file| file.path.clone()).collect()
    }
}

/// A file, flattened and read. The text depends on the whole tree and on what is installed, what is in it on the text
/// alone: where a change elsewhere gives the same text, nothing is read again.
fn translate(
    origin: &Origin,
    file: &SourceFile,
    flags: &Flags,
    tools: &Tools,
    store: &Store,
) -> Result<Kept<Read>, BuildError> {
    let language = flags.language;
    let flat = match flattened(origin, file, flags, tools, store)? {
        Kept::Done(flat) => flat,
        Kept::Lost { reason, detail } => return Ok(Kept::Lost { reason, detail }),
    };
    let headers = tools.headers_read(flat.files.iter().filter(|file| tools.folders(language).may_hold(file)));
    let arguments = parser_arguments(flags);
    let read_as = key(
        READING,
        &[flat.text.as_bytes(), arguments.join("\n").as_bytes(), tools.key().as_bytes(), headers.as_bytes()],
    );
    let kept = store.get_or(&read_as, || match tools.parser.read(&flat, &arguments) {
        Ok(reading) => Ok((Kept::Done(reading), Keep::Yes)),
        Err(loss @ ParserLoss::Unavailable(_)) => Err(BuildError::Parser(loss)),
        Err(loss) => {
            // A slow or crowded machine may do better another time.
            let keep = if matches!(loss, ParserLoss::Crashed(_)) { Keep::Yes } else { Keep::No };
            Ok((Kept::Lost { reason: loss.reason(), detail: loss.to_string() }, keep))
        }
    })?;
    Ok(match kept {
        Kept::Lost { reason, detail } => Kept::Lost { reason, detail },
        Kept::Done(reading) => {
            let origins = format!("{:?} {:?}", in_any_tree(&flat, &origin.project.root).files, flat.runs);
            let key = key("translation", &[read_as.as_bytes(), origins.as_bytes()]);
            Kept::Done(Read { translation: Translation { key, language, flat, reading }, headers })
        }
    })
}

/// A name of a file that does not say where the project's tree lies.
pub(crate) fn in_tree_name(file: &str, root: &Path) -> String {
    match Path::new(file).strip_prefix(root) {
        Ok(inside) => Path::new(TREE).join(inside).to_string_lossy().into_owned(),
        Err(_) => file.to_owned(),
    }
}

/// No path of this machine goes into a bench.
pub(crate) fn without_root(text: &str, root: &Path) -> String {
    text.replace(&format!("{}/", root.display()), "")
}

/// What the parser is told about a flattened text: its macros and includes are decided.
pub(crate) fn parser_arguments(flags: &Flags) -> Vec<String> {
    let words = flags.command_line();
    let language = words.first().cloned();
    language.into_iter().chain(estrange_evidence::unit_flags(&words)).collect()
}

/// A build may have run in a folder of which nothing was worth keeping; its flags have absolute paths, so they mean the
/// same in the tree.
fn in_tree(mut flags: Flags, origin: &Origin) -> Flags {
    if !flags.directory.is_dir() || !flags.directory.starts_with(&origin.project.root) {
        flags.directory.clone_from(&origin.project.root);
    }
    flags
}

/// The flags for a header by itself: its own, or those of the nearest unit in its language.
fn header_flags(file: &SourceFile, origin: &Origin) -> Option<Flags> {
    if let Some(flags) = &file.flags {
        return Some(in_tree(flags.clone(), origin));
    }
    let common =
        |other: &SourceFile| file.path.components().zip(other.path.components()).take_while(|(a, b)| a == b).count();
    let units = origin.project.files.iter().filter(|other| other.kind == Kind::Unit && other.language == file.language);
    let compiled = units.filter_map(|other| Some((other, other.flags.as_ref().filter(|flags| !flags.is_elsewhere())?)));
    let nearest = compiled.max_by_key(|(other, _)| (common(other), std::cmp::Reverse(&other.path)));
    let mut flags = nearest.map(|(_, flags)| in_tree(flags.clone(), origin))?;
    flags.language = file.language;
    // It finds its neighbours as if it were included from its own folder and from the project's.
    for folder in [file.path.parent(), Some(Path::new("include")), Some(Path::new(""))].into_iter().flatten() {
        flags.arguments.push(format!("-I{}", origin.project.root.join(folder).display()));
    }
    Some(flags)
}
