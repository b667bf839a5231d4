//! A recipe: the rewrites that a text goes through, in their order.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A rewrite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rewrite {
    /// Names that say what a thing is: `func_0`, `var_1`.
    Neutralize,
    /// Names drawn at random.
    Randomize,
    /// Names of other words with the same meaning.
    Symbol,
    /// One layout for all texts.
    Layout,
}

/// Rewrites, in their order. Comments are no part of any result.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Recipe {
    rewrites: Vec<Rewrite>,
}

/// Why a text is no recipe.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoRecipe {
    /// There is no such rewrite.
    #[error("there is no rewrite `{0}`")]
    Unknown(String),
    /// Of two rewrites, the second undoes the first.
    #[error("`{0}` and `{1}` both choose names: a recipe has one of them")]
    Both(Rewrite, Rewrite),
}

impl Rewrite {
    /// All of them.
    pub const ALL: [Rewrite; 4] = [Rewrite::Neutralize, Rewrite::Randomize, Rewrite::Symbol, Rewrite::Layout];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rewrite::Neutralize => "neutralize",
            Rewrite::Randomize => "randomize",
            Rewrite::Symbol => "symbol",
            Rewrite::Layout => "layout",
        }
    }

    /// Whether it chooses names.
    fn renames(self) -> bool {
        !matches!(self, Rewrite::Layout)
    }
}

impl Recipe {
    /// Its rewrites, in their order.
    pub fn rewrites(&self) -> &[Rewrite] {
        &self.rewrites
    }

    /// The one that chooses names.
    pub fn naming(&self) -> Option<Rewrite> {
        self.rewrites.iter().copied().find(|rewrite| rewrite.renames())
    }

    /// Whether this rewrite is one of its own.
    pub fn has(&self, rewrite: Rewrite) -> bool {
        self.rewrites.contains(&rewrite)
    }
}

impl From<Rewrite> for Recipe {
    fn from(rewrite: Rewrite) -> Self {
        Self { rewrites: vec![rewrite] }
    }
}

impl FromStr for Recipe {
    type Err = NoRecipe;

    /// Reads the names of rewrites, with a comma or a plus between them.
    fn from_str(text: &str) -> Result<Self, NoRecipe> {
        let mut rewrites: Vec<Rewrite> = Vec::new();
        for word in text.split([',', '+']).map(str::trim) {
            let found = Rewrite::ALL.into_iter().find(|rewrite| rewrite.name() == word);
            let rewrite = found.ok_or_else(|| NoRecipe::Unknown(word.to_owned()))?;
            if let Some(before) = rewrites.iter().find(|before| before.renames() && rewrite.renames()) {
                return Err(NoRecipe::Both(*before, rewrite));
            }
            rewrites.push(rewrite);
        }
        Ok(Self { rewrites })
    }
}

impl fmt::Display for Rewrite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.rewrites.iter().map(|rewrite| rewrite.name()).collect();
        formatter.write_str(&names.join(","))
    }
}

impl From<Recipe> for String {
    fn from(recipe: Recipe) -> Self {
        recipe.to_string()
    }
}

impl TryFrom<String> for Recipe {
    type Error = NoRecipe;

    fn try_from(text: String) -> Result<Self, NoRecipe> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_is_what_it_says() {
        let recipe: Recipe = "neutralize, layout".parse().unwrap();
        assert_eq!(recipe.rewrites(), [Rewrite::Neutralize, Rewrite::Layout]);
        assert_eq!(recipe.to_string(), "neutralize,layout");
        assert_eq!(recipe.naming(), Some(Rewrite::Neutralize));
    }

    #[test]
    fn what_is_no_recipe_says_why() {
        assert_eq!("neutralise".parse::<Recipe>(), Err(NoRecipe::Unknown("neutralise".to_owned())));
        assert_eq!("".parse::<Recipe>(), Err(NoRecipe::Unknown(String::new())));
        let both = "neutralize,layout,randomize".parse::<Recipe>();
        assert_eq!(both, Err(NoRecipe::Both(Rewrite::Neutralize, Rewrite::Randomize)));
    }
}
