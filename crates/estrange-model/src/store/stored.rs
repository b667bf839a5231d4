//! A model whose answers are kept: it is asked only for what no run has asked it before.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::{Key, Store};
use crate::error::ModelError;
use crate::traits::{Embedder, Item, Role, Watch};
use crate::writer::{Prompt, Writer, Written};

const ONE_EACH: &str = "one vector for each text";

/// A model with the store of its answers. Several models may share a store.
#[derive(Debug)]
pub struct Stored<M> {
    model: M,
    store: Arc<Store>,
}

impl<M> Stored<M> {
    /// A model that is asked only for what the store lacks.
    pub fn new(model: M, store: Arc<Store>) -> Self {
        Self { model, store }
    }

    /// The model itself.
    pub fn model(&self) -> &M {
        &self.model
    }
}

/// What some texts come to in a store.
struct Sorted<'a> {
    /// The key of each text.
    keys: Vec<Key>,
    /// The texts that the store lacks, each once, and their keys.
    missing: Vec<Item<'a>>,
    missing_keys: Vec<Key>,
    /// Where each key is among the missing ones.
    places: HashMap<Key, usize>,
}

impl<E: Embedder> Stored<E> {
    /// Those of some texts that the model would have to be asked for, each once.
    pub fn missing<'a>(&self, texts: &[Item<'a>], role: Role) -> Vec<Item<'a>> {
        self.sort(texts, role).missing
    }

    fn sort<'a>(&self, texts: &[Item<'a>], role: Role) -> Sorted<'a> {
        let basis = self.model.basis(role).to_string();
        let role: &[u8] = match role {
            Role::Query => b"query",
            Role::Document => b"document",
        };
        let key = |text: &Item<'_>| Key::new(&[b"vector", basis.as_bytes(), role, text.text.as_bytes()]);
        let keys: Vec<Key> = texts.iter().map(key).collect();
        let mut sorted = Sorted { keys, missing: Vec::new(), missing_keys: Vec::new(), places: HashMap::new() };
        for (text, &key) in texts.iter().zip(&sorted.keys) {
            if !sorted.places.contains_key(&key) && !self.store.contains(key) {
                sorted.places.insert(key, sorted.missing.len());
                sorted.missing.push(*text);
                sorted.missing_keys.push(key);
            }
        }
        sorted
    }

    /// Asks for what the store lacks, and keeps each vector as it comes.
    fn ask(
        &self,
        sorted: &Sorted<'_>,
        role: Role,
        watch: &dyn Watch,
        receive: &mut dyn FnMut(usize, Vec<f32>),
    ) -> Result<(), ModelError> {
        if sorted.missing.is_empty() {
            return Ok(());
        }
        self.model.embed_each(&sorted.missing, role, watch, &mut |place, vector| {
            let key = sorted.missing_keys.get(place);
            let key = *key.ok_or_else(|| self.wrong("more vectors".to_owned(), ONE_EACH.to_owned()))?;
            self.store.put(key, &to_bytes(&vector))?;
            receive(place, vector);
            Ok(())
        })
    }

    fn wrong(&self, given: String, expected: String) -> ModelError {
        ModelError::wrong(&self.model.card(), given, expected)
    }
}

impl<E: Embedder> Embedder for Stored<E> {
    fn card(&self) -> Value {
        self.model.card()
    }

    fn basis(&self, role: Role) -> Value {
        self.model.basis(role)
    }

    fn prepare(&self, texts: &[Item<'_>], role: Role, watch: &dyn Watch) -> Result<(), ModelError> {
        let sorted = self.sort(texts, role);
        watch.done(texts.len() - sorted.missing.len());
        self.ask(&sorted, role, watch, &mut |_, _| ())
    }

    fn embed(&self, texts: &[Item<'_>], role: Role, watch: &dyn Watch) -> Result<Vec<Vec<f32>>, ModelError> {
        let sorted = self.sort(texts, role);
        watch.done(texts.len() - sorted.missing.len());
        let mut given: Vec<Option<Vec<f32>>> = vec![None; sorted.missing.len()];
        self.ask(&sorted, role, watch, &mut |place, vector| given[place] = Some(vector))?;

        let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        for key in sorted.keys {
            let vector = match sorted.places.get(&key) {
                Some(&place) => given[place].clone(),
                None => self.store.get(key).as_deref().map(from_bytes),
            };
            let Some(vector) = vector else {
                return Err(self.wrong("no vector for a text".to_owned(), ONE_EACH.to_owned()));
            };
            let expected = vectors.first().map_or(vector.len(), Vec::len);
            if vector.len() != expected {
                let values = |count: usize| format!("a vector of {count} values");
                return Err(self.wrong(values(vector.len()), values(expected)));
            }
            vectors.push(vector);
        }
        Ok(vectors)
    }
}

impl<W: Writer> Stored<W> {
    /// What the model answered to a prompt before.
    pub fn kept(&self, prompt: &Prompt) -> Result<Option<Written>, ModelError> {
        Ok(self.store.get(self.key(prompt)).and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    fn key(&self, prompt: &Prompt) -> Key {
        Key::new(&[b"text", self.model.basis(prompt).to_string().as_bytes()])
    }
}

impl<W: Writer> Writer for Stored<W> {
    fn card(&self) -> Value {
        self.model.card()
    }

    fn basis(&self, prompt: &Prompt) -> Value {
        self.model.basis(prompt)
    }

    fn write(&self, prompt: &Prompt, watch: &dyn Watch) -> Result<Written, ModelError> {
        if let Some(written) = self.kept(prompt)? {
            return Ok(written);
        }
        let written = self.model.write(prompt, watch)?;
        self.store.put(self.key(prompt), serde_json::json!(written).to_string().as_bytes())?;
        Ok(written)
    }
}

fn to_bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn from_bytes(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}
