//! Functions that the text has and the parser did not deliver.
//!
//! The parser is asked for every function; this looks at the text's tokens alone, which is independent of it. Whatever
//! form of function the parser does not know, or did not get to because it gave up before, is told here.

use estrange_clang::{Severity, Trouble};
use estrange_text::outline::{Definition, Form, definitions};
use estrange_words::Reason;
use serde::{Deserialize, Serialize};

use crate::found::Found;
use crate::slices::Slices;

/// A function that the parser did not deliver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undelivered {
    /// Its name as spelled.
    pub name: String,
    /// The file it stands in.
    pub file: String,
    /// Its first and last line there.
    pub lines: (u32, u32),
    /// Its text.
    pub text: String,
    /// Why.
    pub reason: UndeliveredReason,
}

/// Why a function was not delivered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum UndeliveredReason {
    /// It has no name of its own and stands in no function.
    #[error("a function without name, outside of all functions")]
    Lambda,
    /// The parser complained, or gave none for it.
    #[error("the parser did not deliver it{}", .0.as_ref().map(|said| format!(": {said}")).unwrap_or_default())]
    NotParsed(Option<String>),
}

impl UndeliveredReason {
    /// The typed reason.
    pub fn reason(&self) -> Reason {
        match self {
            UndeliveredReason::Lambda => Reason::LambdaOutsideFunction,
            UndeliveredReason::NotParsed(_) => Reason::NotParsed,
        }
    }
}

impl Slices<'_> {
    /// The functions of the text that are not among those that were `found`.
    pub(crate) fn undelivered(&self, found: &[Found]) -> Vec<Undelivered> {
        let mut delivered: Vec<(u32, u32)> = found.iter().map(|found| self.extent_of(found.declaration)).collect();
        delivered.sort_unstable();
        // Of those that start before a place, how far the farthest goes.
        let mut farthest = 0;
        for (_, end) in &mut delivered {
            farthest = farthest.max(*end);
            *end = farthest;
        }
        let is_delivered = |definition: &Definition| {
            let before = delivered.partition_point(|(start, _)| *start <= definition.body);
            before.checked_sub(1).is_some_and(|last| delivered[last].1 > definition.body)
        };
        let all = definitions(self.text(), &self.tokens);
        all.iter().filter(|definition| !is_delivered(definition)).filter_map(|one| self.missing(one)).collect()
    }

    fn missing(&self, definition: &Definition) -> Option<Undelivered> {
        let (file, first) = self.flat.origin(definition.start)?;
        let (last_file, last) = self.flat.origin(definition.end.saturating_sub(1))?;
        let text = self.text().get(definition.start as usize..definition.end as usize)?;
        let reason = match definition.form {
            Form::Lambda => UndeliveredReason::Lambda,
            Form::Function => UndeliveredReason::NotParsed(self.complaint(definition)),
        };
        Some(Undelivered {
            name: definition.name(self.text()).to_owned(),
            file: file.to_string_lossy().into_owned(),
            lines: (first, if last_file == file { last } else { first }),
            text: crate::emit::tidy(text),
            reason,
        })
    }

    /// What the parser said of a function, or why it gave up before.
    fn complaint(&self, definition: &Definition) -> Option<String> {
        let troubles = &self.reading.troubles;
        let within = |trouble: &&Trouble| trouble.at.is_some_and(|at| (definition.start..definition.end).contains(&at));
        let fatal = |trouble: &&Trouble| trouble.severity == Severity::Fatal;
        let said = troubles.iter().find(within).or_else(|| troubles.iter().find(fatal));
        said.map(|trouble| trouble.message.clone())
    }
}
