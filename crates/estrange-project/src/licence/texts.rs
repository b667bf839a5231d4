//! The licence files of a tree, and the licence fields of its `Cargo.toml`s, folder by folder.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::detector::detect;
use super::expression::canonical;
use super::notice::{Said, join, passage, understand};
use super::{FoundBy, Licence};
use crate::files::Listing;

/// What the folders of a tree say about the files below them.
pub struct Texts {
    folders: BTreeMap<PathBuf, Vec<Text>>,
    /// Other texts that source files point to for their terms, such as a read-me.
    pointed_to: BTreeMap<PathBuf, Text>,
    manifests: BTreeMap<PathBuf, String>,
}

struct Text {
    path: PathBuf,
    /// The identifiers found in it; none if it was not understood.
    licences: Vec<String>,
}

/// Whether a file's name is that of a licence text: `LICENSE`, `COPYING.LIB`, `licence.txt`, `LICENSE-MIT`.
pub fn is_licence_file(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let starts =
        ["license", "licence", "copying", "copyright", "unlicense"].iter().any(|start| lower.starts_with(start));
    // Code about licences (`license.py`) is none.
    let is_text = match name.rsplit_once('.') {
        None => true,
        Some((_, ending)) => {
            ending.chars().any(|character| !character.is_ascii_lowercase())
                || ["txt", "md", "rst", "markdown", "adoc", "lib", "lesser", "text"].contains(&ending)
        }
    };
    starts && is_text
}

impl Texts {
    /// Reads them all, and the texts whose names are in `pointed_to`.
    pub fn read(root: &Path, listing: &Listing, pointed_to: &HashSet<&str>) -> Self {
        let name = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let wanted = |path: &&PathBuf| is_licence_file(&name(path)) || pointed_to.contains(name(path).as_str());
        let wanted: Vec<&PathBuf> = listing.others.iter().filter(wanted).collect();
        let understood: Vec<Text> = wanted
            .into_par_iter()
            .map(|path| Text { path: path.clone(), licences: licences_in(&read(&root.join(path))) })
            .collect();
        let mut texts = Self { folders: BTreeMap::new(), pointed_to: BTreeMap::new(), manifests: BTreeMap::new() };
        for text in understood {
            if is_licence_file(&name(&text.path)) {
                let folder = text.path.parent().unwrap_or(Path::new("")).to_owned();
                texts.folders.entry(folder).or_default().push(text);
            } else {
                texts.pointed_to.insert(text.path.clone(), text);
            }
        }
        for path in listing.others.iter().filter(|path| name(path) == "Cargo.toml") {
            if let (Some(folder), Some(stated)) = (path.parent(), cargo_licence(&read(&root.join(path)))) {
                texts.manifests.insert(folder.to_owned(), stated);
            }
        }
        texts
    }

    /// What the nearest folder with a licence file or a `Cargo.toml` says, files first. A licence file that is not
    /// understood ends the search: those further up would speak of something else.
    pub fn nearest(&self, path: &Path) -> Option<Licence> {
        for folder in path.ancestors().skip(1) {
            if let Some(texts) = self.folders.get(folder) {
                return combined(texts);
            }
            if let Some(expression) = self.manifests.get(folder) {
                return Some(Licence::new(expression.clone(), FoundBy::CargoManifest));
            }
        }
        None
    }

    /// What the nearest text of this name says, in the folder of `path` or above.
    pub fn named(&self, path: &Path, name: &str) -> Option<Licence> {
        let is_named = |text: &&Text| text.path.file_name().is_some_and(|found| found == name);
        let text = path.ancestors().skip(1).find_map(|folder| {
            let licences = self.folders.get(folder).and_then(|texts| texts.iter().find(is_named));
            licences.or_else(|| self.pointed_to.get(&folder.join(name)))
        });
        combined(std::slice::from_ref(text?))
    }

    /// The BSD licence that the nearest licence files hold, if any does.
    pub fn nearest_bsd(&self, path: &Path) -> Option<&str> {
        let texts = path.ancestors().skip(1).filter_map(|folder| self.folders.get(folder)).flatten();
        texts.flat_map(|text| &text.licences).map(String::as_str).find(|id| id.starts_with("BSD-"))
    }
}

/// What one folder's licence files say together. Files that differ by the licence in their names (`LICENSE-MIT` beside
/// `LICENSE-APACHE`) are a choice; otherwise all apply.
fn combined(texts: &[Text]) -> Option<Licence> {
    let mut all: Vec<String> = Vec::new();
    for id in texts.iter().flat_map(|text| &text.licences) {
        if !all.contains(id) {
            all.push(id.clone());
        }
    }
    // The lesser licence is written as an addition to the general one, whose text comes along.
    if all.iter().any(|id| id.starts_with("LGPL-")) {
        all.retain(|id| !id.starts_with("GPL-"));
    }
    let stems = |text: &Text| text.path.file_name().is_some_and(|name| name.as_encoded_bytes().contains(&b'-'));
    let choice = texts.len() > 1 && texts.iter().all(stems);
    let first = texts.iter().find(|text| !text.licences.is_empty())?;
    let expression = join(&all, if choice { " OR " } else { " AND " })?;
    Some(Licence::new(expression, FoundBy::LicenceFile(first.path.clone())))
}

/// The licences in a licence file. One that names several without their texts tells which parts are under which:
/// prose that is not understood.
fn licences_in(text: &str) -> Vec<String> {
    let found: Vec<String> = detect(text).licences.into_iter().map(str::to_owned).collect();
    if !found.is_empty() {
        return found;
    }
    match understand(&passage(text)) {
        Said::Text(expression) | Said::Name(expression) if !expression.contains(' ') => vec![expression],
        _ => Vec::new(),
    }
}

/// The `license` of a manifest's `[package]`. A line is enough: `cargo package` writes it so.
fn cargo_licence(manifest: &str) -> Option<String> {
    let package = manifest.split("[package]").nth(1)?;
    let package = package.split("\n[").next()?;
    let value = package.lines().find_map(|line| line.trim().strip_prefix("license")?.trim_start().strip_prefix('='))?;
    canonical(value.trim().trim_matches('"'))
}

/// The start of a text file, or nothing. A link is not followed.
pub fn read(path: &Path) -> String {
    const BOUND: u64 = 1024 * 1024;
    let mut bytes = Vec::new();
    if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
        && let Ok(file) = fs::File::open(path)
    {
        // What an unreadable file hid is simply not known.
        let _ = file.take(BOUND).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
