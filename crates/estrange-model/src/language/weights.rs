//! The numbers of a language model, out of its file.

use std::collections::BTreeSet;
use std::path::Path;

use super::gguf::{Gguf, Wrong};
use super::numbers::Numbers;
use crate::local::LocalError;

/// The tensors of a file, and which of them were taken.
pub struct Weights<'a> {
    path: &'a Path,
    file: &'a Gguf,
    left: BTreeSet<&'a str>,
}

impl<'a> Weights<'a> {
    /// All tensors of a file, which is named in errors.
    pub fn new(path: &'a Path, file: &'a Gguf) -> Self {
        Self { path, file, left: file.names().collect() }
    }

    /// Whether there is a tensor of that name.
    pub fn has(&self, name: &str) -> bool {
        self.file.names().any(|each| each == name)
    }

    /// A tensor of two dimensions, row by row.
    pub fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> Result<Vec<f32>, LocalError> {
        self.tensor(name, &[rows, columns])
    }

    /// A tensor of one dimension.
    pub fn vector(&mut self, name: &str, length: usize) -> Result<Vec<f32>, LocalError> {
        self.tensor(name, &[length])
    }

    /// That nothing is left: a model that has more than is computed would say something else than its maker meant.
    pub fn all_taken(&self) -> Result<(), LocalError> {
        match self.left.first() {
            Some(name) => Err(LocalError::Unsupported { model: self.path.into(), what: format!("the tensor {name}") }),
            None => Ok(()),
        }
    }

    fn tensor(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, LocalError> {
        let wrong = |wrong| match wrong {
            Wrong::Missing => LocalError::NoTensor { name: name.to_owned() },
            Wrong::Kind(kind) => {
                LocalError::Numbers { name: name.to_owned(), found: Numbers::name_of(kind), known: Numbers::known() }
            }
            Wrong::Outside => LocalError::Malformed {
                path: self.path.into(),
                reason: format!("the tensor {name} does not lie within it"),
            },
        };
        let tensor = self.file.tensor(name).map_err(wrong)?;
        if tensor.shape != shape {
            let (found, expected) = (tensor.shape.to_vec(), shape.to_vec());
            return Err(LocalError::Shape { name: name.to_owned(), found, expected });
        }
        self.left.remove(name);
        Ok(tensor.numbers.values(tensor.bytes))
    }
}
