//! The tensors of a language model, out of its file.

use std::collections::BTreeSet;
use std::path::Path;

use super::gguf::{Gguf, Tensor, TensorError};
use super::matrix::Matrix;
use super::quantized::Dtype;
use crate::error::LocalError;

/// The tensors of a file, and which of them were taken.
pub struct Tensors<'a> {
    path: &'a Path,
    file: &'a Gguf,
    left: BTreeSet<&'a str>,
}

impl<'a> Tensors<'a> {
    /// All tensors of a file, which is named in errors.
    pub fn new(path: &'a Path, file: &'a Gguf) -> Self {
        Self { path, file, left: file.names().collect() }
    }

    /// Whether there is a tensor of that name.
    pub fn has(&self, name: &str) -> bool {
        self.file.names().any(|each| each == name)
    }

    /// A tensor of two dimensions, as it is in the file.
    pub fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> Result<Matrix, LocalError> {
        let Tensor { dtype, range, .. } = self.take(name, &[rows, columns])?;
        Ok(Matrix::new(dtype, rows, columns, &self.file.bytes()[range]))
    }

    /// A tensor of one dimension.
    pub fn vector(&mut self, name: &str, length: usize) -> Result<Vec<f32>, LocalError> {
        let Tensor { dtype, range, .. } = self.take(name, &[length])?;
        let bytes = &self.file.bytes()[range];
        match dtype {
            Dtype::F32 => Ok(bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()),
            _ => Err(LocalError::Unsupported {
                model: self.path.into(),
                what: format!("the tensor {name} in another type than F32"),
            }),
        }
    }

    /// That nothing is left: a model that has more than is computed would say something else than its maker meant.
    pub fn all_taken(&self) -> Result<(), LocalError> {
        match self.left.first() {
            Some(name) => Err(LocalError::Unsupported { model: self.path.into(), what: format!("the tensor {name}") }),
            None => Ok(()),
        }
    }

    fn take(&mut self, name: &str, shape: &[usize]) -> Result<Tensor<'a>, LocalError> {
        let wrong = |error| match error {
            TensorError::Missing => LocalError::NoTensor { name: name.to_owned() },
            TensorError::Dtype(number) => {
                LocalError::Dtype { name: name.to_owned(), found: Dtype::name_of(number), known: Dtype::known() }
            }
            TensorError::Outside => LocalError::Malformed {
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
        Ok(tensor)
    }
}
