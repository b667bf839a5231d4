//! The settings: recipes that have a name of their own, and any other recipe.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::recipe::{NoRecipe, Recipe};

/// What a variant is called, and the rewrites that it has gone through.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Setting {
    name: String,
    recipe: Recipe,
}

/// The settings that have a name, each with its recipe. Names are chosen last, so that what a rewrite of shape declares
/// gets one, too.
pub const NAMED: [(&str, &str); 14] = [
    ("neutralized", "neutralize"),
    ("randomized", "randomize"),
    ("symbol", "symbol"),
    ("structure", "structure"),
    ("restructure", "restructure"),
    ("semantic", "semantic*3"),
    ("distract", "distract"),
    ("symbol+structure", "structure,symbol"),
    ("symbol+semantic", "semantic*3,symbol"),
    ("L1", "locals"),
    ("L2", "encode,mangle"),
    ("L3", "encode,flatten,mangle"),
    ("L4", "encode,flatten,opaque,mangle"),
    ("L4-sparse", "encode,flatten,opaque-sparse,mangle"),
];

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
        let recipe_of = |name: &str| NAMED.into_iter().find(|named| named.0 == name).map(|(_, recipe)| recipe);
        let mut recipe: Recipe = recipe_of(text).unwrap_or(text).parse()?;
        let written = recipe.to_string();
        // A list of settings has commas between them.
        let name = NAMED.into_iter().find(|(_, recipe)| *recipe == written);
        let name = name.map_or_else(|| recipe.as_one_word(), |(name, _)| name.to_owned());
        // One name, one recipe: `symbol,structure` is the setting that is called so.
        if let Some(named) = recipe_of(&name) {
            recipe = named.parse()?;
        }
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
        let foreign: Setting = r#""external:sed 's/a,b/c/'",neutralize"#.parse().unwrap();
        assert_eq!(foreign.name(), r#""external:sed 's/a,b/c/'"+neutralize"#);
        assert_eq!(foreign.name().parse(), Ok(foreign.clone()));
        assert!("neutralise".parse::<Setting>().is_err());
    }

    #[test]
    fn every_setting_that_has_a_name_is_found_by_its_recipe() {
        for (name, recipe) in NAMED {
            let by_name: Setting = name.parse().unwrap();
            let by_recipe: Setting = recipe.parse().unwrap();
            assert_eq!((by_name.name(), by_name.recipe().to_string()), (name, recipe.to_owned()));
            assert_eq!(by_recipe, by_name);
        }
        assert_eq!("symbol,structure".parse::<Setting>(), "symbol+structure".parse::<Setting>());
    }
}
