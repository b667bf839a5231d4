//! What is rewritten at once: a function in its unit, or with its helpers in all that it needs to run.

use estrange_bench::{Function, Group};

use crate::helpers::in_merged;

/// A text that compiles, and what of it is shown.
pub(super) struct Whole<'a> {
    pub(super) function: &'a Function,
    pub(super) unit: &'a str,
    /// The texts of the helpers that are shown before the function, the deepest first.
    pub(super) helpers: Vec<&'a str>,
}

impl<'a> Whole<'a> {
    /// A function alone.
    pub(super) fn alone(function: &'a Function) -> Self {
        Self { function, unit: &function.unit, helpers: Vec::new() }
    }

    /// A function of group 3 with its helpers, where they can be had.
    pub(super) fn with_helpers(function: &'a Function) -> Option<Self> {
        let unit = function.linked_unit.as_deref().filter(|_| function.group == Group::Three)?;
        let helpers = in_merged(&function.text, &function.helpers);
        let helpers: Vec<&str> = helpers.iter().rev().map(|helper| helper.text.as_str()).collect();
        (!helpers.is_empty()).then_some(Self { function, unit, helpers })
    }
}
