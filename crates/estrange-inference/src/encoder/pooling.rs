//! How the vector of a text comes from those of its tokens.

use std::ops::Range;

use super::bert::TokenVectors;

/// How the vector of a text comes from those of its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// The first token's, which is `[CLS]`.
    Cls,
    /// The largest number in each dimension.
    Max,
    /// The mean.
    Mean,
    /// The sum, divided by the square root of the number of tokens.
    MeanSqrtLen,
    /// The mean with weights 1, 2, 3, …
    WeightedMean,
    /// The last token's.
    LastToken,
}

impl Pooling {
    /// What they are called in files, older and newer ones, in the order in which they come where there are several.
    pub const ALL: [(&str, Self); 9] = [
        ("cls_token", Self::Cls),
        ("cls", Self::Cls),
        ("max_tokens", Self::Max),
        ("max", Self::Max),
        ("mean_tokens", Self::Mean),
        ("mean", Self::Mean),
        ("mean_sqrt_len_tokens", Self::MeanSqrtLen),
        ("weightedmean_tokens", Self::WeightedMean),
        ("lasttoken", Self::LastToken),
    ];

    /// The one that files call so.
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == "weightedmean" { "weightedmean_tokens" } else { name };
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, pooling)| pooling)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cls => "cls",
            Self::Max => "max",
            Self::Mean => "mean",
            Self::MeanSqrtLen => "mean_sqrt_len_tokens",
            Self::WeightedMean => "weightedmean",
            Self::LastToken => "lasttoken",
        }
    }

    /// Adds its numbers for one text, which has at least one token, to a vector.
    pub fn apply(self, tokens: &TokenVectors<'_>, text: &Range<usize>, hidden_size: usize, vector: &mut Vec<f32>) {
        let count = text.len() as f32;
        vector.extend((0..hidden_size).map(|dimension| {
            let mut values = text.clone().map(|token| tokens.value(token, dimension));
            match self {
                Self::Cls => tokens.value(text.start, dimension),
                Self::LastToken => tokens.value(text.end - 1, dimension),
                Self::Max => values.fold(f32::NEG_INFINITY, f32::max),
                Self::Mean => values.sum::<f32>() / count,
                Self::MeanSqrtLen => values.sum::<f32>() / count.sqrt(),
                Self::WeightedMean => {
                    let weighted = (1_u16..).map(f32::from).zip(&mut values).map(|(weight, value)| weight * value);
                    weighted.sum::<f32>() / (count * (count + 1.0) / 2.0)
                }
            }
        }));
    }
}
