//! The settings: recipes that have a name of their own, and any other recipe.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::recipe::{NoRecipe, Recipe, Rewrite};

/// What a variant is called, and the rewrites that it has gone through.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Setting {
    name: String,
    recipe: Recipe,
}

/// The settings that have a name.
pub const NAMED: [(&str, Rewrite); 3] =
    [("neutralized", Rewrite::Neutralize), ("randomized", Rewrite::Randomize), ("symbol", Rewrite::Symbol)];

impl Setting {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rewrites that it consists of.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }
}

impl FromStr for Setting {
    type Err = NoRecipe;

    /// Reads the name of a setting, or a recipe; one that a named setting consists of is that setting.
    fn from_str(text: &str) -> Result<Self, NoRecipe> {
        let named = NAMED.into_iter().find(|(name, _)| *name == text);
        let recipe = named.map_or_else(|| text.parse(), |(_, rewrite)| Ok(Recipe::from(rewrite)))?;
        let name = NAMED.into_iter().find(|(_, rewrite)| recipe.rewrites() == [*rewrite]);
        // A list of settings has commas between them.
        let name = name.map_or_else(|| recipe.to_string().replace(',', "+"), |(name, _)| name.to_owned());
        Ok(Self { name, recipe })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

impl From<Setting> for String {
    fn from(setting: Setting) -> Self {
        setting.name
    }
}

impl TryFrom<String> for Setting {
    type Error = NoRecipe;

    fn try_from(text: String) -> Result<Self, NoRecipe> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_has_one_name() {
        for text in ["neutralized", "neutralize"] {
            let setting: Setting = text.parse().unwrap();
            assert_eq!((setting.name(), setting.recipe().to_string()), ("neutralized", "neutralize".to_owned()));
        }
        let other: Setting = "symbol+layout".parse().unwrap();
        assert_eq!((other.name(), other.recipe().to_string()), ("symbol+layout", "symbol,layout".to_owned()));
        assert!("neutralise".parse::<Setting>().is_err());
    }
}
