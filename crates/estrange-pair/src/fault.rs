//! A fault that was confirmed, and whether a rewrite has it still.

use std::collections::BTreeMap;

use estrange_build::Workbench;
use estrange_oracle::{Place, renamed_function};
use estrange_unit::Language;
use estrange_words::{End, Reason};

use crate::operation::Operation;
use crate::runner::{EndedBy, Ends, Lost};

/// What happens on the trigger.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) class: End,
    pub(crate) place: Option<Place>,
    /// What faults there, where that can be told.
    pub(crate) operation: Option<Operation>,
}

/// A text, and how it is read.
#[derive(Clone, Copy)]
pub(crate) struct Read<'a> {
    pub(crate) workbench: &'a Workbench,
    pub(crate) language: Language,
    pub(crate) flags: &'a [String],
}

impl Read<'_> {
    fn operation(&self, text: &str, place: Option<&Place>) -> Option<Operation> {
        let place = place?;
        let tree = self.workbench.tree(text, self.language, self.flags).ok()?;
        Operation::at(text, &tree, place.line, place.column?)
    }
}

impl Fault {
    /// What the vulnerable side did, if it is a fault, and the patched one did nothing wrong.
    pub(crate) fn confirmed(vulnerable: &Ends, patched: &Ends, unit: &str, read: Read<'_>) -> Result<Self, Lost> {
        let EndedBy { end, place, .. } = vulnerable.fault()?;
        if !patched.are_clean() {
            return Err((Reason::PatchedFaults, patched.told()));
        }
        let operation = read.operation(unit, place.as_ref());
        Ok(Self { class: *end, place: place.clone(), operation })
    }

    /// Whether a rewrite of the vulnerable side faults in the same way: in the same class, by the same operation, in the
    /// same function under its new name, unless `moves` says that code may have gone to another one.
    pub(crate) fn is_still(&self, new: &Self, names: &BTreeMap<String, String>, moves: bool) -> Result<(), Lost> {
        let other = |detail: String| Err((Reason::AnotherFault, detail));
        if !self.class.is_like(new.class) {
            return other(format!("{} became {}", self.class, new.class));
        }
        if let (Some(old), Some(at)) = (&self.place, &new.place) {
            let wanted = renamed_function(plain(&old.function), names);
            if !moves && plain(&at.function) != wanted {
                return other(format!("it faults in `{}`, not in `{wanted}`", at.function));
            }
        }
        match (&self.operation, &new.operation) {
            (Some(old), Some(new)) if old.renamed(names) != *new => other(format!("{old} became {new}")),
            (Some(old), None) => other(format!("{old} is not where it faults")),
            _ => Ok(()),
        }
    }
}

/// A function's name without its scopes and parameters.
fn plain(name: &str) -> &str {
    let bare = name.split('(').next().unwrap_or(name);
    bare.rsplit("::").next().unwrap_or(bare).trim()
}
