//! Which function stands at a place of a text.

use estrange_clang::Body;
use estrange_unit::ParserLoss;
use estrange_words::Language;

use crate::oracle::{Oracle, OracleError};

impl Oracle {
    /// The name of the function whose definition stands at a place of a text, as [`Subject`](crate::Subject) wants it; none
    /// where there is no such function, or the parser does not read the text.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn name_at(
        &self,
        text: &str,
        at: usize,
        language: Language,
        flags: &[String],
    ) -> Result<Option<String>, OracleError> {
        let arguments: Vec<String> = [language.flag().to_owned()].into_iter().chain(flags.iter().cloned()).collect();
        let tree = match self.parser.tree(text, &arguments) {
            Ok(tree) => tree,
            Err(loss @ ParserLoss::Unavailable(_)) => return Err(loss.into()),
            Err(_) => return Ok(None),
        };
        let is_there = |body: &&Body| body.start as usize <= at + 1 && at < body.end as usize;
        let found = tree.functions.iter().rfind(is_there);
        Ok(found.map(|body| tree.thing(body.thing).qualified_name.clone()))
    }
}
