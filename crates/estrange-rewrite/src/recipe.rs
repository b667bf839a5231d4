//! A recipe: the rewrites that a text goes through, in their order.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::foreign::Foreign;
use crate::refusal::Refusal;
use crate::shape::{Draw, Edited, Group, Reshape, Subject};
use crate::spelling::{outside_of_quotes, quoted, split, unquoted};

/// A rewrite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rewrite {
    /// Names that say what a thing is: `func_0`, `var_1`.
    Neutralize,
    /// Names drawn at random.
    Randomize,
    /// Names of other words with the same meaning.
    Symbol,
    /// Neutral names for what the function itself declares.
    Locals,
    /// Neutral names for that and for the function.
    Mangle,
    /// One layout for all texts.
    Layout,
    /// One of the semantic rewrites of shape that applies.
    Semantic,
    /// The bodies of the functions that it calls instead of their calls, and of those that these call.
    Structure,
    /// One of the structural rewrites of shape that applies, but for inlining.
    Restructure,
    /// A rewrite of shape.
    Shape(Reshape),
    /// What somebody else makes of it: see [`Foreign`]. Who that is, the recipe knows.
    External,
}

/// Rewrites, in their order. Comments are no part of any result.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Recipe {
    rewrites: Vec<Rewrite>,
    /// Who carries out each of those that are [`Rewrite::External`], in their order.
    foreign: Vec<Foreign>,
}

/// What stands between the rewrites of a recipe.
const BETWEEN: [char; 2] = [',', '+'];

/// Why a text is no recipe.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoRecipe {
    /// There is no such rewrite.
    #[error("there is no rewrite `{0}`")]
    Unknown(String),
    /// The number of repetitions is not between 1 and 99.
    #[error("`{0}` does not say how often: `name*3` does")]
    HowOften(String),
    /// A foreign step names no command or model.
    #[error("`{0}` does not say what is to be done: `external:COMMAND`, `openai:NAME` or `openai:NAME@PROMPT` does")]
    Nothing(String),
    /// Of two rewrites, the second undoes the first.
    #[error("`{0}` and `{1}` both choose names: a recipe has one of them")]
    Both(Rewrite, Rewrite),
}

impl Rewrite {
    /// All that have a name.
    pub fn all() -> impl Iterator<Item = Rewrite> {
        const OTHERS: [Rewrite; 9] = [
            Rewrite::Neutralize,
            Rewrite::Randomize,
            Rewrite::Symbol,
            Rewrite::Locals,
            Rewrite::Mangle,
            Rewrite::Layout,
            Rewrite::Semantic,
            Rewrite::Structure,
            Rewrite::Restructure,
        ];
        OTHERS.into_iter().chain(Reshape::ALL.iter().copied().map(Rewrite::Shape))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rewrite::Neutralize => "neutralize",
            Rewrite::Randomize => "randomize",
            Rewrite::Symbol => "symbol",
            Rewrite::Locals => "locals",
            Rewrite::Mangle => "mangle",
            Rewrite::Layout => "layout",
            Rewrite::Semantic => "semantic",
            Rewrite::Structure => "structure",
            Rewrite::Restructure => "restructure",
            Rewrite::Shape(reshape) => reshape.name(),
            Rewrite::External => "external",
        }
    }

    /// What it does, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Rewrite::Neutralize => "Names that say what a thing is: `func_0`, `var_1`.",
            Rewrite::Randomize => "Names drawn at random, by the seed.",
            Rewrite::Symbol => "Names of other words with the same meaning.",
            Rewrite::Locals => "Neutral names for what the function itself declares.",
            Rewrite::Mangle => "Neutral names for that and for the function.",
            Rewrite::Layout => "One layout for all texts.",
            Rewrite::Semantic => "One of the semantic rewrites of shape that applies.",
            Rewrite::Structure => {
                "The bodies of all functions that it calls instead of their calls, as far as that goes."
            }
            Rewrite::Restructure => "One of the structural rewrites of shape that applies, but for inlining.",
            Rewrite::Shape(reshape) => reshape.about(),
            Rewrite::External => {
                "What somebody else makes of it: `external:COMMAND` a program, `openai:NAME@PROMPT` a model."
            }
        }
    }

    /// What a function must have for it, where that is one thing.
    pub fn needs(self) -> Option<&'static str> {
        match self {
            Rewrite::Shape(reshape) => Some(reshape.needs()),
            Rewrite::Structure => Some(Reshape::Inline.needs()),
            _ => None,
        }
    }

    /// The group of rewrites of shape that it belongs to.
    pub fn group(self) -> Option<Group> {
        match self {
            Rewrite::Shape(reshape) => Some(reshape.group()),
            _ => None,
        }
    }

    /// Whether it chooses names.
    pub fn renames(self) -> bool {
        matches!(self, Rewrite::Neutralize | Rewrite::Randomize | Rewrite::Symbol | Rewrite::Locals | Rewrite::Mangle)
    }

    /// Whether the seed has a say in what it does.
    pub fn draws(self) -> bool {
        !matches!(self, Rewrite::Neutralize | Rewrite::Locals | Rewrite::Mangle | Rewrite::Layout | Rewrite::Structure)
    }

    /// Whether it changes the shape of the function.
    pub fn reshapes(self) -> bool {
        use Rewrite::{External, Restructure, Semantic, Shape, Structure};
        matches!(self, Semantic | Structure | Restructure | Shape(_) | External)
    }

    /// Whether a recipe goes on without it after this refusal: a function without numbers has none to encode, and one that
    /// has been given some rewrites may have no place for more.
    pub fn can_be_left_out(self, done: &[Reshape], refusal: &Refusal) -> bool {
        match self {
            Rewrite::Shape(Reshape::Encode) => *refusal == Refusal::NoPlace,
            Rewrite::Semantic => done.iter().any(|reshape| reshape.group() == Group::Semantic),
            _ => false,
        }
    }

    /// The text after this rewrite, and which rewrite of shape it was; `done` are those that have been, which are
    /// neither chosen again nor undone. Nothing happens to a text by rewrites that do not change shapes, nor by unfolding, which
    /// takes several rounds.
    ///
    /// # Errors
    /// When none applies.
    pub fn reshape(
        self,
        subject: &Subject<'_>,
        done: &[Reshape],
        draw: &mut Draw,
    ) -> Result<(Reshape, Edited), Refusal> {
        let mut candidates: Vec<Reshape> = match self {
            Rewrite::Shape(reshape) => return Ok((reshape, reshape.apply(subject, draw)?)),
            Rewrite::Semantic => {
                let is_new = |new: &Reshape| !done.iter().any(|old| old == new || new.undoes(*old));
                Reshape::of(Group::Semantic).filter(is_new).collect()
            }
            Rewrite::Restructure => {
                Reshape::of(Group::Structure).filter(|reshape| *reshape != Reshape::Inline).collect()
            }
            _ => Vec::new(),
        };
        draw.shuffle(&mut candidates);
        let mut reason = Refusal::NoPlace;
        for reshape in candidates {
            match reshape.apply(subject, draw) {
                Ok(edited) => return Ok((reshape, edited)),
                // That a rewrite is for C only says nothing of the function.
                Err(refusal) if reason == Refusal::NoPlace && refusal != Refusal::only_c() => reason = refusal,
                Err(_) => {}
            }
        }
        Err(reason)
    }
}

impl Recipe {
    /// Its rewrites, in their order.
    pub fn rewrites(&self) -> &[Rewrite] {
        &self.rewrites
    }

    /// Who carries out a step, if it is none of ours.
    pub(crate) fn foreign_at(&self, step: usize) -> Option<&Foreign> {
        let is_foreign = |rewrite: &&Rewrite| **rewrite == Rewrite::External;
        self.rewrites.get(step).filter(is_foreign)?;
        self.foreign.get(self.rewrites[..step].iter().filter(is_foreign).count())
    }

    /// The steps that are not ours, in their order.
    pub fn foreign(&self) -> &[Foreign] {
        &self.foreign
    }

    /// The words of its steps: a rewrite, or a foreign step in quotes where it needs them.
    fn words(&self) -> Vec<String> {
        let word = |step: usize| match self.foreign_at(step) {
            Some(foreign) => quoted(&foreign.to_string(), &[',', '+', '*']),
            None => self.rewrites[step].name().to_owned(),
        };
        let words: Vec<String> = (0..self.rewrites.len()).map(word).collect();
        let repeated = words.chunk_by(|one, next| one == next).map(|same| match same {
            [one] => one.clone(),
            several => format!("{}*{}", several[0], several.len()),
        });
        repeated.collect()
    }

    /// The same with a plus between its steps, so that it is one word of a list.
    pub(crate) fn as_one_word(&self) -> String {
        self.words().join("+")
    }

    /// The one that chooses names.
    pub fn naming(&self) -> Option<Rewrite> {
        self.rewrites.iter().copied().find(|rewrite| rewrite.renames())
    }

    /// Whether it changes the shape of the function.
    pub fn reshapes(&self) -> bool {
        self.rewrites.iter().any(|rewrite| rewrite.reshapes())
    }

    /// Whether the seed has a say in what comes out.
    pub fn draws(&self) -> bool {
        self.rewrites.iter().any(|rewrite| rewrite.draws())
    }

    /// Whether it changes more than the names of everything: shapes, or what one function declares.
    pub fn is_of_one_function(&self) -> bool {
        self.reshapes() || matches!(self.naming(), Some(Rewrite::Locals | Rewrite::Mangle))
    }

    /// Whether this rewrite is one of its own.
    pub fn has(&self, rewrite: Rewrite) -> bool {
        self.rewrites.contains(&rewrite)
    }
}

impl From<Rewrite> for Recipe {
    fn from(rewrite: Rewrite) -> Self {
        Self { rewrites: vec![rewrite], foreign: Vec::new() }
    }
}

impl FromStr for Recipe {
    type Err = NoRecipe;

    /// Reads the names of rewrites, with a comma or a plus between them; `name*3` is a rewrite done three times. Foreign
    /// steps are `external:COMMAND`, `openai:NAME@PROMPT`, `local:FILE@PROMPT`; a word that has a comma, a plus or an
    /// asterisk in it stands in double quotes.
    fn from_str(text: &str) -> Result<Self, NoRecipe> {
        let mut rewrites: Vec<Rewrite> = Vec::new();
        let mut foreign: Vec<Foreign> = Vec::new();
        for word in split(text, &BETWEEN) {
            let (name, times) = repeated(word)?;
            let said = unquoted(name);
            let name = said.as_deref().unwrap_or(name);
            if let Some(step) = Foreign::of(name) {
                if !step.is_whole() {
                    return Err(NoRecipe::Nothing(word.to_owned()));
                }
                rewrites.extend(std::iter::repeat_n(Rewrite::External, times));
                foreign.extend(std::iter::repeat_n(step, times));
                continue;
            }
            let rewrite = Rewrite::all().find(|rewrite| rewrite.name() == name);
            let rewrite = rewrite.ok_or_else(|| NoRecipe::Unknown(name.to_owned()))?;
            if let Some(before) = rewrites.iter().find(|before| before.renames() && rewrite.renames()) {
                return Err(NoRecipe::Both(*before, rewrite));
            }
            if rewrite.renames() && times > 1 {
                return Err(NoRecipe::Both(rewrite, rewrite));
            }
            rewrites.extend(std::iter::repeat_n(rewrite, times));
        }
        Ok(Self { rewrites, foreign })
    }
}

/// A word of a recipe without `*N`, and how often it is meant.
fn repeated(word: &str) -> Result<(&str, usize), NoRecipe> {
    let Some((at, _)) = outside_of_quotes(word).find(|(_, character)| *character == '*') else { return Ok((word, 1)) };
    let times = word[at + 1..].trim().parse().ok().filter(|times| (1..100).contains(times));
    Ok((word[..at].trim(), times.ok_or_else(|| NoRecipe::HowOften(word.to_owned()))?))
}

impl fmt::Display for Rewrite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.words().join(","))
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
    fn a_rewrite_can_be_done_several_times() {
        let recipe: Recipe = "semantic*3,inline,neutralize".parse().unwrap();
        assert_eq!(recipe.rewrites().len(), 5);
        assert_eq!(recipe.to_string(), "semantic*3,inline,neutralize");
        assert!(recipe.reshapes() && recipe.has(Rewrite::Shape(Reshape::Inline)));
        assert_eq!("semantic*0".parse::<Recipe>(), Err(NoRecipe::HowOften("semantic*0".to_owned())));
        assert_eq!("symbol*2".parse::<Recipe>(), Err(NoRecipe::Both(Rewrite::Symbol, Rewrite::Symbol)));
    }

    #[test]
    fn every_rewrite_has_a_name_of_its_own() {
        let mut names: Vec<&str> = Rewrite::all().map(Rewrite::name).collect();
        for rewrite in Rewrite::all() {
            assert_eq!(rewrite.name().parse(), Ok(Recipe::from(rewrite)));
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Rewrite::all().count());
    }

    #[test]
    fn foreign_steps_survive_their_spelling() {
        let foreign = |text: &str| text.parse::<Recipe>().unwrap().foreign().to_vec();
        let command = |command: &str| Foreign::Command(command.to_owned());
        assert_eq!(foreign("external:./x.sh,neutralize"), [command("./x.sh")]);
        assert_eq!(foreign("semantic,external:sed 's/a,b+c/d*/',symbol"), [command("sed 's/a,b+c/d*/'")]);
        assert_eq!(foreign(r#""external:awk \"{ print $1, $2 }\"""#), [command(r#"awk "{ print $1, $2 }""#)]);
        assert_eq!(foreign("external:./x.sh -n 3*2").len(), 2);
        let model = |model: &str, prompt: Option<&str>| Foreign::Model {
            model: model.to_owned(),
            prompt: prompt.map(str::to_owned),
        };
        assert_eq!(foreign("openai:gpt-4o"), [model("openai:gpt-4o", None)]);
        assert_eq!(foreign("openai:a/b:7b@my prompt.txt"), [model("openai:a/b:7b", Some("my prompt.txt"))]);
        assert_eq!(foreign("local:m.gguf@structure+layout"), [model("local:m.gguf", Some("structure"))]);
        for text in [
            "external:./x.sh,neutralize",
            r#""external:sed 's/a,b+c/d*/'",symbol"#,
            r#"semantic,"external:a \"b\" \\c",external:./y"#,
            "external:./x*2,openai:gpt-4o@p.txt",
        ] {
            let recipe: Recipe = text.parse().unwrap();
            assert_eq!(recipe.to_string(), text);
            assert_eq!(recipe.as_one_word().parse(), Ok(recipe.clone()));
            assert!(recipe.reshapes() && recipe.draws());
        }
        for text in ["external:", "external: ,symbol", "openai:", "openai:gpt@", "openai:@p"] {
            assert!(matches!(text.parse::<Recipe>(), Err(NoRecipe::Nothing(_))), "{text}");
        }
        assert!(matches!("external".parse::<Recipe>(), Err(NoRecipe::Unknown(_))));
    }

    #[test]
    fn what_is_no_recipe_says_why() {
        assert_eq!("neutralise".parse::<Recipe>(), Err(NoRecipe::Unknown("neutralise".to_owned())));
        assert_eq!("".parse::<Recipe>(), Err(NoRecipe::Unknown(String::new())));
        let both = "neutralize,layout,randomize".parse::<Recipe>();
        assert_eq!(both, Err(NoRecipe::Both(Rewrite::Neutralize, Rewrite::Randomize)));
    }
}
