//! The tools for texts that compile by themselves: they are rewritten here, and made ready to be run.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use estrange_clang::{Names, Tree};
use estrange_oracle::{Oracle, Settings};
use estrange_rewrite::{Rewrite, Setting};
use estrange_sandbox::{Sandbox, Workshop};
use estrange_source::Cache;
use estrange_text::thesaurus::Thesaurus;
use estrange_unit::{Language, ParserLoss};
use estrange_words::Reason;

use crate::error::BuildError;
use crate::foreign::{Contractors, ForeignOptions};
use crate::store::Store;
use crate::tools::Tools;
use crate::variants::{Known, RewriteSubject, Rewriter};

/// A function in a text that compiles.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// Stands for the function: other functions have other random names.
    pub id: &'a str,
    /// The whole text.
    pub unit: &'a str,
    /// Where the function stands in it.
    pub function: &'a Range<usize>,
    /// Its language.
    pub language: Language,
    /// What compilers are told besides the language.
    pub flags: &'a [String],
}

/// A text after a recipe.
#[derive(Debug, Clone)]
pub struct RewrittenText {
    /// The whole text.
    pub unit: String,
    /// Where the function stands in it.
    pub function: Range<usize>,
    /// Old names and new ones; where several kinds of things have a name, it says which of them is meant.
    pub names: BTreeMap<String, String>,
}

/// Why there is no text: the reason and its detail.
pub type NotRewritten = (Reason, String);

/// Compilers, the parser and the rewrites, found once.
pub struct Workbench {
    tools: Tools,
    thesaurus: Option<Thesaurus>,
    contractors: Contractors,
}

impl Workbench {
    /// Finds the tools; for so many things side by side, and with what the settings need.
    ///
    /// # Errors
    /// When a tool is missing, or a foreign step cannot be carried out.
    pub fn new(
        jobs: usize,
        settings: &[Setting],
        foreign: &ForeignOptions,
        cache: &Cache,
        sandbox: &Sandbox,
    ) -> Result<Self, BuildError> {
        let store = Store::open(cache.path())?;
        let workshop = Workshop::new(sandbox.clone(), store.scratch()?).keeping(store.folder());
        let recipes = settings.iter().map(Setting::recipe);
        let needs_words = recipes.clone().any(|recipe| recipe.naming() == Some(Rewrite::Symbol));
        Ok(Self {
            tools: Tools::find(jobs, &workshop)?,
            thesaurus: needs_words.then(|| Thesaurus::load(Path::new(Thesaurus::FOLDER))).transpose()?,
            contractors: Contractors::new(recipes, foreign, sandbox, Some(&store))?,
        })
    }

    /// A text after each of some settings and seeds, in their order, or why there is none.
    ///
    /// # Errors
    /// When a tool cannot be used.
    pub fn rewrite(
        &self,
        text: Text<'_>,
        asked: &[(Setting, u32)],
    ) -> Result<Vec<Result<RewrittenText, NotRewritten>>, BuildError> {
        let rewriter =
            Rewriter { tools: &self.tools, thesaurus: self.thesaurus.as_ref(), contractors: &self.contractors };
        let Text { id, unit, function, language, flags } = text;
        let subject = RewriteSubject { id, unit, function: Some(function), helpers: &[], language, flags };
        let all = rewriter.all(subject, &Known::default(), asked)?;
        let text = |rewritten: crate::variants::Rewritten| RewrittenText {
            unit: rewritten.unit,
            function: rewritten.function,
            names: rewritten.map,
        };
        Ok(all.into_iter().map(|rewritten| rewritten.map(text)).collect())
    }

    /// Who runs functions.
    ///
    /// # Errors
    /// When a tool cannot be used.
    pub fn oracle(&self, settings: Settings) -> Result<Oracle, BuildError> {
        self.tools.oracle_with(settings)
    }

    /// The statements and expressions of a text.
    ///
    /// # Errors
    /// When the parser cannot be used, or what it cannot read.
    pub fn tree(&self, unit: &str, language: Language, flags: &[String]) -> Result<Tree, ParserLoss> {
        self.tools.parser.tree(unit, &arguments(language, flags))
    }

    /// The functions and names of a text.
    ///
    /// # Errors
    /// When the parser cannot be used, or what it cannot read.
    pub fn names(&self, unit: &str, language: Language, flags: &[String]) -> Result<Names, ParserLoss> {
        self.tools.parser.names(unit, &arguments(language, flags))
    }

    /// Stands for the versions of all tools.
    pub fn key(&self) -> String {
        self.tools.key()
    }

    /// What confines them.
    pub fn workshop(&self) -> &Workshop {
        &self.tools.workshop
    }
}

fn arguments(language: Language, flags: &[String]) -> Vec<String> {
    [language.flag().to_owned()].into_iter().chain(flags.iter().cloned()).collect()
}
