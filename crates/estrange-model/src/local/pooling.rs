//! How the vector of a text comes from those of its tokens.

use std::ops::Range;

use super::bert::Tokens;

/// How the vector of a text comes from those of its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// The first token's.
    First,
    /// The largest number in each dimension.
    Largest,
    /// The mean.
    Mean,
    /// The sum, divided by the square root of the number of tokens.
    MeanBySquareRoot,
    /// The mean with weights 1, 2, 3, …
    WeightedMean,
    /// The last token's.
    Last,
}

impl Pooling {
    /// What they are called in files, older and newer ones, in the order in which they come where there are several.
    pub const ALL: [(&str, Self); 9] = [
        ("cls_token", Self::First),
        ("cls", Self::First),
        ("max_tokens", Self::Largest),
        ("max", Self::Largest),
        ("mean_tokens", Self::Mean),
        ("mean", Self::Mean),
        ("mean_sqrt_len_tokens", Self::MeanBySquareRoot),
        ("weightedmean_tokens", Self::WeightedMean),
        ("lasttoken", Self::Last),
    ];

    /// The one that files call so.
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == "weightedmean" { "weightedmean_tokens" } else { name };
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, pooling)| pooling)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "cls",
            Self::Largest => "max",
            Self::Mean => "mean",
            Self::MeanBySquareRoot => "mean_sqrt_len_tokens",
            Self::WeightedMean => "weightedmean",
            Self::Last => "lasttoken",
        }
    }

    /// Adds its numbers for one text, which has at least one token, to a vector.
    pub fn apply(self, tokens: &Tokens<'_>, text: &Range<usize>, dimensions: usize, vector: &mut Vec<f32>) {
        let count = text.len() as f32;
        vector.extend((0..dimensions).map(|dimension| {
            let mut values = text.clone().map(|token| tokens.value(token, dimension));
            match self {
                Self::First => tokens.value(text.start, dimension),
                Self::Last => tokens.value(text.end - 1, dimension),
                Self::Largest => values.fold(f32::NEG_INFINITY, f32::max),
                Self::Mean => values.sum::<f32>() / count,
                Self::MeanBySquareRoot => values.sum::<f32>() / count.sqrt(),
                Self::WeightedMean => {
                    let weighted = (1_u16..).map(f32::from).zip(&mut values).map(|(weight, value)| weight * value);
                    weighted.sum::<f32>() / (count * (count + 1.0) / 2.0)
                }
            }
        }));
    }
}
