//! Whether an entry is what it was when it was kept, for those who look through a whole cache.

use std::fs;
use std::io;
use std::path::Path;

use super::trees::Beside;
use crate::digest::Sha256;
use crate::tree;

/// Whether a kept download has the content that its name says.
pub fn is_whole_download(path: &Path) -> io::Result<bool> {
    let (found, _) = Sha256::of_file(path)?;
    Ok(path.file_name().is_some_and(|name| name.to_str() == Some(&found.to_string())))
}

/// Whether a kept tree has the files that it was kept with.
pub fn is_whole_tree(path: &Path) -> io::Result<bool> {
    let beside: Option<Beside> =
        fs::read(path.join("tree.json")).ok().and_then(|text| serde_json::from_slice(&text).ok());
    let Some(beside) = beside else { return Ok(false) };
    match tree::summarize(&path.join("root")) {
        Ok(summary) => Ok(summary == beside.summary),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
