//! What a model can be asked.

use std::cmp::Ordering;
use std::time::Duration;

pub use estrange_inference::encoder::Role;
use serde_json::Value;

use crate::error::ModelError;

/// A text with the name that its owner gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'a> {
    /// What its owner calls it; a model that looks up answers goes by it.
    pub id: &'a str,
    /// The text.
    pub text: &'a str,
}

/// A document of a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// Which document, counted from 0.
    pub document: u32,
    /// How well it fits: more is better.
    pub score: f32,
}

impl Scored {
    /// The better one first; of those with the same score, the last in the list.
    pub(crate) fn order(left: &Self, right: &Self) -> Ordering {
        right.score.total_cmp(&left.score).then(right.document.cmp(&left.document))
    }
}

/// What happens between us and a server while there is nothing to show for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event<'a> {
    /// A request is on its way.
    Asked,
    /// It is not any more: answered, refused or given up.
    Returned,
    /// It failed for a reason that may pass, and is made again.
    Again {
        /// How it failed.
        detail: &'a str,
        /// Which attempt that was, counted from 1.
        attempt: u32,
        /// After how long.
        pause: Duration,
    },
    /// The server does not want this part of our requests, which go on without it.
    Unwanted {
        /// What the part is called.
        parameter: &'a str,
        /// What it is called from now on, where it only has another name.
        instead: Option<&'a str>,
    },
    /// The server refused one question; the others are asked.
    Refused {
        /// In its words.
        detail: &'a str,
    },
}

/// Somebody who wants to know how far the work is, and may end it.
pub trait Watch: Sync {
    /// Told after each batch of texts.
    fn done(&self, texts: usize);

    /// Asked before each batch of texts; work that is to stop ends with [`ModelError::Stopped`], and what is done is kept.
    fn should_stop(&self) -> bool {
        false
    }

    /// Told what happens between us and a server.
    fn happened(&self, _: Event<'_>) {}
}

/// Nobody who watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Watch for Silent {
    fn done(&self, _: usize) {}
}

/// What brings documents into an order for each query.
pub trait Ranker: Sync {
    /// What a run records of it: its name and everything that its rankings depend on.
    fn card(&self) -> Value;

    /// Told beforehand all that it will be asked to rank, by a caller that ranks it in parts: whoever has to ask for it
    /// elsewhere asks for everything at once.
    fn prepare(&self, _queries: &[Item<'_>], _documents: &[Item<'_>], _: &dyn Watch) -> Result<(), ModelError> {
        Ok(())
    }

    /// For each query the best `depth` documents, best first; of those with the same score, the last in the list first.
    fn rank(
        &self,
        queries: &[Item<'_>],
        documents: &[Item<'_>],
        depth: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<Vec<Scored>>, ModelError>;

    /// What it goes by, if it goes by the likeness of vectors.
    fn embedder(&self) -> Option<&dyn Embedder> {
        None
    }
}

/// What turns texts into vectors of one length.
pub trait Embedder: Sync {
    /// What a run records of it: its name and everything that its vectors depend on.
    fn card(&self) -> Value;

    /// What its vectors for texts of one role depend on: the card, without what concerns the other role only.
    fn basis(&self, _: Role) -> Value {
        self.card()
    }

    /// Told beforehand all texts that it will be given in parts. An embedder that keeps its vectors gets them here.
    fn prepare(&self, _texts: &[Item<'_>], _: Role, _: &dyn Watch) -> Result<(), ModelError> {
        Ok(())
    }

    /// A vector for each text, in their order.
    fn embed(&self, texts: &[Item<'_>], role: Role, watch: &dyn Watch) -> Result<Vec<Vec<f32>>, ModelError>;

    /// As [`embed`](Self::embed), but hands over each vector with its text's place as soon as it is there, in any order:
    /// what was handed over is not lost where a later text fails.
    fn embed_each(
        &self,
        texts: &[Item<'_>],
        role: Role,
        watch: &dyn Watch,
        receive: &mut dyn FnMut(usize, Vec<f32>) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        const AT_ONCE: usize = 256;
        for (batch, texts) in texts.chunks(AT_ONCE).enumerate() {
            let vectors = self.embed(texts, role, watch)?;
            if vectors.len() != texts.len() {
                let count = |count: usize| format!("{count} vectors");
                return Err(ModelError::wrong(&self.card(), count(vectors.len()), count(texts.len())));
            }
            for (place, vector) in vectors.into_iter().enumerate() {
                receive(batch * AT_ONCE + place, vector)?;
            }
        }
        Ok(())
    }
}
