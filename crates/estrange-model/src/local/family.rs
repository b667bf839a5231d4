//! The members of the BERT family: the same computation, with other names for its weights.

use super::machine::Activation;

/// A member of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// BERT itself.
    Bert,
    /// Positions begin after that of padding. XLM-RoBERTa and CamemBERT are the same.
    Roberta,
    /// No pairs of texts, and names of its own.
    DistilBert,
}

/// The numbers that a model is described by.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Which member of the family it is.
    pub family: Family,
    /// The numbers of a token's vector.
    pub dimensions: usize,
    /// The numbers that one head works on.
    pub head: usize,
    /// The numbers between the two products of a feed-forward layer.
    pub hidden: usize,
    /// How many layers there are.
    pub layers: usize,
    /// How many tokens there are.
    pub vocabulary: usize,
    /// How many positions there are.
    pub positions: usize,
    /// The position of a text's first token.
    pub first_position: usize,
    /// How many texts of a pair are told apart.
    pub kinds: usize,
    /// What is done between the two products.
    pub activation: Activation,
    /// What is added to a variance.
    pub epsilon: f32,
}

/// What the weights of a layer are called.
pub struct LayerNames {
    /// What tokens ask.
    pub query: String,
    /// What they answer to.
    pub key: String,
    /// What they give.
    pub value: String,
    /// The product after attention.
    pub attended: String,
    /// The normalisation after attention.
    pub attended_norm: String,
    /// The first product of the feed-forward part.
    pub up: String,
    /// Its second product.
    pub down: String,
    /// The normalisation at the end.
    pub norm: String,
}

impl Family {
    /// What `model_type` says in the configurations of models that can be used.
    pub const KNOWN: [(&str, Self); 5] = [
        ("bert", Self::Bert),
        ("roberta", Self::Roberta),
        ("xlm-roberta", Self::Roberta),
        ("camembert", Self::Roberta),
        ("distilbert", Self::DistilBert),
    ];

    /// What may stand before all names.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Bert => "bert.",
            Self::Roberta => "roberta.",
            Self::DistilBert => "distilbert.",
        }
    }

    /// The vectors of tokens.
    pub fn words(self) -> &'static str {
        "embeddings.word_embeddings.weight"
    }

    /// The vectors of positions.
    pub fn positions(self) -> &'static str {
        "embeddings.position_embeddings.weight"
    }

    /// The vectors of the texts of a pair.
    pub fn kinds(self) -> Option<&'static str> {
        (self != Self::DistilBert).then_some("embeddings.token_type_embeddings.weight")
    }

    /// The normalisation before the first layer.
    pub fn norm(self) -> &'static str {
        "embeddings.LayerNorm"
    }

    /// The weights of a layer.
    pub fn layer(self, number: usize) -> LayerNames {
        let (start, names) = match self {
            Self::Bert | Self::Roberta => (
                "encoder.layer",
                [
                    "attention.self.query",
                    "attention.self.key",
                    "attention.self.value",
                    "attention.output.dense",
                    "attention.output.LayerNorm",
                    "intermediate.dense",
                    "output.dense",
                    "output.LayerNorm",
                ],
            ),
            Self::DistilBert => (
                "transformer.layer",
                [
                    "attention.q_lin",
                    "attention.k_lin",
                    "attention.v_lin",
                    "attention.out_lin",
                    "sa_layer_norm",
                    "ffn.lin1",
                    "ffn.lin2",
                    "output_layer_norm",
                ],
            ),
        };
        let [query, key, value, attended, attended_norm, up, down, norm] =
            names.map(|name| format!("{start}.{number}.{name}"));
        LayerNames { query, key, value, attended, attended_norm, up, down, norm }
    }
}
