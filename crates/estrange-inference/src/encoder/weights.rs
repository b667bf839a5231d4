//! The numbers of a model, out of a safetensors file.

use std::cell::RefCell;
use std::collections::BTreeSet;

use half::{bf16, f16};
use safetensors::{Dtype, SafeTensors};

use crate::error::LocalError;

/// The tensors of a file.
pub struct Weights<'a> {
    tensors: SafeTensors<'a>,
    /// What some models put before the name of every tensor.
    prefix: &'static str,
    /// The names of those that nobody has asked for.
    left: RefCell<BTreeSet<String>>,
}

/// What a model may have beside what its vectors are computed from: what was made for other tasks, and numbers that only
/// count up.
const BESIDE: [&str; 9] = [
    "pooler.",
    "cls.",
    "lm_head.",
    "classifier.",
    "qa_outputs.",
    "vocab_",
    "pre_classifier.",
    "embeddings.position_ids",
    "embeddings.token_type_ids",
];

impl<'a> Weights<'a> {
    /// Reads what is in a file, whose tensors may all have the prefix; the reason if it is none.
    pub fn new(file: &'a [u8], prefix: &'static str) -> Result<Self, String> {
        let tensors = SafeTensors::deserialize(file).map_err(|error| error.to_string())?;
        let prefixed = tensors.names().iter().any(|name| name.starts_with(prefix));
        let left = RefCell::new(tensors.names().into_iter().map(str::to_owned).collect());
        Ok(Self { tensors, prefix: if prefixed { prefix } else { "" }, left })
    }

    /// That nothing is left that vectors should be computed from: a configuration that speaks of fewer layers than there
    /// are would give other vectors than the model's maker meant.
    pub fn all_taken(&self) -> Result<(), LocalError> {
        let left = self.left.borrow();
        let is_beside = |name: &str| {
            let own = name.strip_prefix(self.prefix).unwrap_or(name);
            BESIDE.iter().any(|beside| own.starts_with(beside))
        };
        let mut unused = left.iter().filter(|name| !is_beside(name));
        match unused.next() {
            None => Ok(()),
            Some(name) => Err(LocalError::Unused { name: name.clone(), count: 1 + unused.count() }),
        }
    }

    /// A tensor of two dimensions, row by row.
    pub fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Vec<f32>, LocalError> {
        self.tensor(name, &[rows, columns])
    }

    /// A tensor of one dimension.
    pub fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, LocalError> {
        self.tensor(name, &[length])
    }

    fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, LocalError> {
        let name = format!("{}{name}", self.prefix);
        let Ok(tensor) = self.tensors.tensor(&name) else { return Err(LocalError::NoTensor { name }) };
        if tensor.shape() != shape {
            return Err(LocalError::Shape { name, found: tensor.shape().to_vec(), expected: shape.to_vec() });
        }
        self.left.borrow_mut().remove(&name);
        let (bytes, halves) = (tensor.data(), tensor.data().as_chunks().0.iter());
        Ok(match tensor.dtype() {
            Dtype::F32 => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Dtype::F16 => halves.map(|bytes| f16::from_le_bytes(*bytes).to_f32()).collect(),
            Dtype::BF16 => halves.map(|bytes| bf16::from_le_bytes(*bytes).to_f32()).collect(),
            found => {
                return Err(LocalError::Dtype {
                    name,
                    found: format!("{found:?}"),
                    known: "F32, F16, BF16".to_owned(),
                });
            }
        })
    }
}
