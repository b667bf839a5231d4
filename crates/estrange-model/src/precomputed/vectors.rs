//! Vectors by id.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;

use super::error::{PrecomputedError, malformed};
use super::once::Once;
use super::{Source, card, files, plain, read, text};
use crate::error::ModelError;
use crate::traits::{Embedder, Item, Role, Watch};

/// Vectors from a file, looked up by the ids of texts.
#[derive(Debug)]
pub struct Vectors {
    path: PathBuf,
    hash: blake3::Hash,
    vectors: FxHashMap<String, Vec<f32>>,
    once: Once,
}

impl Vectors {
    /// Reads a `.jsonl` or `.npy` file, or a folder of them. All vectors are checked: one length, numbers only, not all of
    /// them zero, no id twice.
    pub fn open(path: &Path) -> Result<Self, PrecomputedError> {
        let mut hasher = blake3::Hasher::new();
        let mut made = Made { length: None, vectors: FxHashMap::default() };
        for source in files(path)? {
            hasher.update(source.before.as_bytes());
            made.read(&source, &mut hasher)?;
        }
        Ok(Self { path: path.to_owned(), hash: hasher.finalize(), vectors: made.vectors, once: Once::default() })
    }

    /// The vector of a text: by its id, or by its id without the collection, if it stands for this text alone.
    fn of(&self, text: &Item<'_>) -> Result<Option<&Vec<f32>>, PrecomputedError> {
        let found = [Some(text.id), plain(text.id)].into_iter().flatten().find_map(|id| self.vectors.get_key_value(id));
        let Some((id, vector)) = found else { return Ok(None) };
        self.once.take(&self.path, id, text.text)?;
        Ok(Some(vector))
    }
}

impl Made {
    fn read(&mut self, source: &Source, hasher: &mut blake3::Hasher) -> Result<(), PrecomputedError> {
        let Source { path, before } = source;
        let bytes = read(path)?;
        hasher.update(&bytes);
        if path.extension().is_some_and(|extension| extension == "npy") {
            let ids = path.with_extension("ids.txt");
            let ids_bytes = read(&ids)?;
            hasher.update(&ids_bytes);
            let ids: Vec<&str> = text(&ids, &ids_bytes)?.lines().collect();
            let array = Array::read(path, &bytes)?;
            if array.rows != ids.len() {
                return Err(malformed(path, 0, format!("it has {} rows for {} ids", array.rows, ids.len())));
            }
            for (row, id) in ids.into_iter().enumerate() {
                self.add(path, 0, format!("{before}{id}"), array.row(row))?;
            }
        } else {
            for (line, text) in text(path, &bytes)?.lines().enumerate() {
                if text.trim().is_empty() {
                    continue;
                }
                let line = line + 1;
                let read: Line =
                    serde_json::from_str(text).map_err(|error| malformed(path, line, error.to_string()))?;
                let vector = read.embedding.into_iter().map(|value| value.unwrap_or(f32::NAN)).collect();
                self.add(path, line, format!("{before}{}", read.id), vector)?;
            }
        }
        Ok(())
    }
}

impl Embedder for Vectors {
    fn card(&self) -> Value {
        card(&self.path, &self.hash)
    }

    fn embed(&self, texts: &[Item<'_>], _: Role, watch: &dyn Watch) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut found: Vec<Option<&Vec<f32>>> = texts.iter().map(|text| self.of(text)).collect::<Result<_, _>>()?;
        // Exports have texts that are the same once.
        let same: FxHashMap<&str, &Vec<f32>> =
            texts.iter().zip(&found).filter_map(|(text, vector)| Some((text.text, (*vector)?))).collect();
        for (text, vector) in texts.iter().zip(&mut found).filter(|(text, _)| !text.text.is_empty()) {
            *vector = vector.or_else(|| same.get(text.text).copied());
        }
        let mut missing = texts.iter().zip(&found).filter(|(_, vector)| vector.is_none());
        if let Some((first, _)) = missing.next() {
            return Err(ModelError::Precomputed(PrecomputedError::Missing {
                path: self.path.clone(),
                what: "a vector",
                id: first.id.to_owned(),
                missing: 1 + missing.count(),
                all: texts.len(),
            }));
        }
        watch.done(texts.len());
        Ok(found.into_iter().flatten().cloned().collect())
    }
}

/// A line of a `.jsonl` file.
#[derive(Deserialize)]
struct Line {
    id: String,
    /// NaN and infinities are `null` there.
    embedding: Vec<Option<f32>>,
}

/// Vectors that are being read.
struct Made {
    length: Option<usize>,
    vectors: FxHashMap<String, Vec<f32>>,
}

impl Made {
    fn add(&mut self, path: &Path, line: usize, id: String, vector: Vec<f32>) -> Result<(), PrecomputedError> {
        let wrong = |detail| Err(malformed(path, line, detail));
        let length = *self.length.get_or_insert(vector.len());
        if vector.is_empty() {
            return wrong(format!("the vector of `{id}` is empty"));
        }
        if vector.len() != length {
            return wrong(format!("the vector of `{id}` has {} values, the first one has {length}", vector.len()));
        }
        if let Some(place) = vector.iter().position(|value| !value.is_finite()) {
            return wrong(format!("value {place} of the vector of `{id}` is not a finite number"));
        }
        if vector.iter().all(|value| *value == 0.0) {
            return wrong(format!("the vector of `{id}` is zero, and points nowhere"));
        }
        if self.vectors.contains_key(&id) {
            return wrong(format!("`{id}` has two vectors"));
        }
        self.vectors.insert(id, vector);
        Ok(())
    }
}

/// A two-dimensional array as NumPy saves it: `\x93NUMPY`, the version, the length of the header, the header as a Python
/// dictionary, the values.
struct Array<'a> {
    rows: usize,
    columns: usize,
    /// Bytes of a value: 4 or 8.
    size: usize,
    values: &'a [u8],
}

impl<'a> Array<'a> {
    fn read(path: &Path, bytes: &'a [u8]) -> Result<Self, PrecomputedError> {
        let wrong = |detail: String| malformed(path, 0, detail);
        let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or_else(|| wrong("it is not a .npy file".to_owned()))?;
        let cut_off = || wrong("it is cut off".to_owned());
        let (length, rest) = match rest {
            [1, _, a, b, rest @ ..] => (usize::from(u16::from_le_bytes([*a, *b])), rest),
            [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
            _ => return Err(cut_off()),
        };
        let (header, values) = rest.split_at_checked(length).ok_or_else(cut_off)?;
        let header = String::from_utf8_lossy(header);
        // The value of a key, up to the end of the dictionary.
        let value = |key: &str| header.split_once(&format!("'{key}':")).map_or("", |(_, rest)| rest.trim_start());
        let size = match value("descr").get(1..4) {
            Some("<f4") => 4,
            Some("<f8") => 8,
            _ => return Err(wrong("its values are not of float32 or float64".to_owned())),
        };
        if !value("fortran_order").starts_with("False") {
            return Err(wrong("its rows are not in one piece: save it in C order".to_owned()));
        }
        let shape = value("shape").trim_start_matches('(').split(')').next().unwrap_or_default();
        let shape: Vec<usize> = shape.split(',').filter_map(|number| number.trim().parse().ok()).collect();
        let &[rows, columns] = shape.as_slice() else {
            return Err(wrong(format!("it has {} dimensions, not two", shape.len())));
        };
        let expected = rows.checked_mul(columns).and_then(|count| count.checked_mul(size));
        if expected != Some(values.len()) {
            return Err(wrong(format!("{} bytes of values are not {rows} rows of {columns}", values.len())));
        }
        Ok(Self { rows, columns, size, values })
    }

    fn row(&self, row: usize) -> Vec<f32> {
        let width = self.columns * self.size;
        let bytes = &self.values[row * width..(row + 1) * width];
        match self.size {
            4 => bytes.as_chunks().0.iter().map(|&value| f32::from_le_bytes(value)).collect(),
            _ => bytes.as_chunks().0.iter().map(|&value| f64::from_le_bytes(value) as f32).collect(),
        }
    }
}
