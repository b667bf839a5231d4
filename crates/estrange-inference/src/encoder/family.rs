//! The members of the BERT family: the same computation, with other names for its weights.

use crate::cpu::Activation;

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

/// The sizes of a model.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Which member of the family it is.
    pub family: Family,
    /// The length of a token's vector.
    pub hidden_size: usize,
    /// The part of it that one attention head works on.
    pub head_dim: usize,
    /// The length of the vector between the two products of the feed-forward part.
    pub intermediate_size: usize,
    /// How many layers there are.
    pub n_layers: usize,
    /// How many tokens there are.
    pub vocab_size: usize,
    /// How many positions there are.
    pub n_positions: usize,
    /// The position of a text's first token.
    pub first_position: usize,
    /// How many token types there are: they tell the texts of a pair apart.
    pub n_token_types: usize,
    /// The activation of the feed-forward part.
    pub activation: Activation,
    /// What layer normalisation adds to a variance.
    pub epsilon: f32,
}

/// What the weights of a layer are called.
pub struct LayerNames {
    /// The projection of queries.
    pub query: String,
    /// The projection of keys.
    pub key: String,
    /// The projection of values.
    pub value: String,
    /// The projection after attention.
    pub attention_output: String,
    /// The normalisation after attention.
    pub attention_norm: String,
    /// The first product of the feed-forward part.
    pub intermediate: String,
    /// Its second product.
    pub output: String,
    /// The normalisation after the feed-forward part.
    pub output_norm: String,
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
    pub fn token_embeddings(self) -> &'static str {
        "embeddings.word_embeddings.weight"
    }

    /// The vectors of positions.
    pub fn position_embeddings(self) -> &'static str {
        "embeddings.position_embeddings.weight"
    }

    /// The vectors of token types.
    pub fn token_type_embeddings(self) -> Option<&'static str> {
        (self != Self::DistilBert).then_some("embeddings.token_type_embeddings.weight")
    }

    /// The normalisation before the first layer.
    pub fn embeddings_norm(self) -> &'static str {
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
        let [query, key, value, attention_output, attention_norm, intermediate, output, output_norm] =
            names.map(|name| format!("{start}.{number}.{name}"));
        LayerNames { query, key, value, attention_output, attention_norm, intermediate, output, output_norm }
    }
}
