//! A folder of pairs that somebody wrote; `pairs/README.md` says what is in one.

use std::fs;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use estrange_build::{BuildError, Lines, State, Workbench};
use estrange_clang::Defined;
use estrange_source::Spec;
use estrange_unit::{Language, ParserLoss};
use estrange_words::{Reason, Stage};
use serde::Deserialize;

use crate::candidate::{Candidate, Candidates, Written, unpaired};
use crate::diff::unified;
use crate::error::PairError;

/// What a pair's folder has.
const ABOUT: &str = "pair.toml";

/// What `pair.toml` says that counts here; the rest is for people and tests.
#[derive(Debug, Deserialize)]
struct About {
    function: String,
    language: String,
    cwe: Option<u32>,
    #[serde(default)]
    cve: Vec<String>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    licence: String,
}

/// Whether a folder holds such pairs, or is one.
pub(crate) fn is_set(folder: &Path) -> bool {
    folder.join(ABOUT).is_file() || folders(folder).is_ok_and(|folders| !folders.is_empty())
}

fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if folder.join(ABOUT).is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.join(ABOUT).is_file() {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// Two trees in which the sides of pairs are files.
struct Trees<'t> {
    folder: &'t Path,
    files: [Vec<(PathBuf, Vec<RangeInclusive<u32>>)>; 2],
}

const SIDES: [&str; 2] = ["vulnerable", "patched"];

impl Candidates {
    /// Those of a folder that somebody wrote. `asked` is what it is called, and `trees` an empty folder for files.
    pub(crate) fn add_set(
        &mut self,
        asked: &str,
        folder: &Path,
        trees: &Path,
        workbench: &Workbench,
    ) -> Result<(), PairError> {
        let unreadable = |source| PairError::Folder { path: folder.to_owned(), source };
        let names = SIDES.map(|side| format!("{asked}#{side}"));
        let mut written = Trees { folder: trees, files: Default::default() };
        for path in folders(folder).map_err(unreadable)? {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match written.add(&path, (asked, &name), workbench)? {
                Ok(candidate) => {
                    self.all.push(Candidate { before: names[0].clone(), after: names[1].clone(), ..candidate });
                }
                Err((reason, detail)) => {
                    self.lost.push(unpaired(&format!("{asked} {name}"), Stage::Source, reason, detail));
                }
            }
        }
        for ((side, name), files) in SIDES.iter().zip(names).zip(written.files) {
            let tree = trees.join(side);
            if !files.is_empty() {
                let wrong = |error| PairError::Folder { path: tree.clone(), source: io::Error::other(error) };
                let spec: Spec = tree.to_string_lossy().parse().map_err(wrong)?;
                self.states.push(State { spec, name: Some(name), wanted: Lines::of(files) });
            }
        }
        Ok(())
    }
}

/// Why a pair cannot be used.
type Lost = (Reason, String);

impl Trees<'_> {
    fn add(
        &mut self,
        path: &Path,
        (asked, name): (&str, &str),
        workbench: &Workbench,
    ) -> Result<Result<Candidate, Lost>, PairError> {
        let about = match about(path) {
            Ok(about) => about,
            Err(lost) => return Ok(Err(lost)),
        };
        let (language, extension) = match about.language.as_str() {
            "c" => (Language::C, "c"),
            "cpp" | "c++" => (Language::Cpp, "cpp"),
            other => return Ok(Err((Reason::Unreadable, format!("{ABOUT}: `{other}` is neither `c` nor `cpp`")))),
        };
        let mut texts = Vec::new();
        for side in SIDES {
            let file = path.join(format!("{side}.{extension}"));
            match fs::read_to_string(&file) {
                Ok(text) => texts.push(text),
                Err(error) => return Ok(Err((Reason::Unreadable, format!("{side}.{extension}: {error}")))),
            }
        }
        let trigger = match fs::read_to_string(path.join("trigger.json")) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Ok(Err((Reason::Unreadable, format!("trigger.json: {error}")))),
        };
        if texts[0] == texts[1] {
            return Ok(Err((Reason::SidesAlike, "its two files are the same".to_owned())));
        }
        let file = format!("{name}.{extension}");
        let wanted = match wanted(&texts, &about.function, language, workbench) {
            Ok(wanted) => wanted,
            Err(loss @ ParserLoss::Unavailable(_)) => return Err(BuildError::Parser(loss).into()),
            Err(loss) => return Ok(Err((loss.reason(), loss.to_string()))),
        };
        for (number, lines) in wanted.into_iter().enumerate() {
            let place = self.folder.join(SIDES[number]).join(&file);
            // On the first line, so that lines keep their numbers.
            let notice = format!("/* SPDX-License-Identifier: {} */ ", about.licence);
            let text = if about.licence.is_empty() { String::new() } else { notice } + &texts[number];
            let write = || {
                fs::create_dir_all(self.folder.join(SIDES[number]))?;
                fs::write(&place, text)
            };
            write().map_err(|source| PairError::Folder { path: place.clone(), source })?;
            self.files[number].push((PathBuf::from(&file), lines));
        }
        let mut texts = texts.into_iter();
        let (vulnerable, patched) = (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());
        Ok(Ok(Candidate {
            fix: format!("{asked} {name}"),
            prefix: name.to_owned(),
            before: String::new(),
            after: String::new(),
            patch: unified(&file, &vulnerable, &patched),
            paths: vec![(file.clone(), file)],
            description: about.description,
            cves: about.cve,
            cwe: about.cwe,
            written: Some(Written { vulnerable, patched, entry: about.function, trigger }),
        }))
    }
}

fn about(path: &Path) -> Result<About, Lost> {
    let unreadable = |detail: String| (Reason::Unreadable, format!("{ABOUT}: {detail}"));
    let text = fs::read_to_string(path.join(ABOUT)).map_err(|error| unreadable(error.to_string()))?;
    toml::from_str(&text).map_err(|error| unreadable(error.message().to_owned()))
}

/// The lines of the functions that are not the same on both sides, and of the one that is called, on each.
fn wanted(
    texts: &[String],
    called: &str,
    language: Language,
    workbench: &Workbench,
) -> Result<Vec<Vec<RangeInclusive<u32>>>, ParserLoss> {
    let mut functions = Vec::new();
    for text in texts {
        functions.push(workbench.names(text, language, &[])?.functions);
    }
    let line = |text: &str, at: u32| text.bytes().take(at as usize).filter(|byte| *byte == b'\n').count() as u32 + 1;
    let of = |side: usize, other: usize| {
        let text = |side: usize, function: &Defined| texts[side].get(function.start as usize..function.end as usize);
        let is_wanted = |function: &&Defined| {
            let own = text(side, function);
            function.name == called || !functions[other].iter().any(|there| text(other, there) == own)
        };
        let lines = |function: &Defined| line(&texts[side], function.start)..=line(&texts[side], function.end);
        functions[side].iter().filter(is_wanted).map(lines).collect()
    };
    Ok(vec![of(0, 1), of(1, 0)])
}
