//! What is rewritten at once: a function in its unit, or with its helpers in what they need.

use std::borrow::Cow;
use std::ops::Range;

use estrange_bench::{Function, Group};
use estrange_clang::Defined;
use estrange_evidence::code::compiled_with;
use estrange_unit::reduced;

use crate::helpers::in_merged;

/// What of a function's project is rewritten with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// What it needs to compile.
    Alone,
    /// Its helpers, too, which are shown before it.
    WithHelpers,
    /// What it needs to run, where that can be had.
    Running,
}

/// A text that compiles, and what of it is shown.
#[derive(Clone)]
pub(super) struct Whole<'a> {
    pub(super) view: View,
    pub(super) function: &'a Function,
    pub(super) unit: Cow<'a, str>,
    /// The texts of the helpers that are shown before the function, the deepest first.
    pub(super) helpers: Vec<&'a str>,
}

impl<'a> Whole<'a> {
    /// A function alone.
    pub(super) fn alone(function: &'a Function) -> Self {
        Self { view: View::Alone, function, unit: Cow::Borrowed(&function.unit), helpers: Vec::new() }
    }

    /// A function of group 3 with its helpers, where they can be had.
    pub(super) fn with_helpers(function: &'a Function) -> Option<Self> {
        let unit = function.linked_unit.as_deref().filter(|_| function.group == Group::Three)?;
        let helpers = shown_before(function);
        let unit = Cow::Borrowed(unit);
        (!helpers.is_empty()).then_some(Self { view: View::WithHelpers, function, unit, helpers })
    }

    /// A function with all that it needs to run, or else to compile.
    pub(super) fn running(function: &'a Function) -> Self {
        let unit = function.linked_unit.as_ref().unwrap_or(&function.unit);
        let is_shown_with_helpers = function.linked_unit.is_some() && function.group == Group::Three;
        let mut helpers = if is_shown_with_helpers { shown_before(function) } else { Vec::new() };
        // One whose name another file has, too, stands there under another.
        if helpers.iter().any(|helper| !unit.contains(helper)) {
            helpers.clear();
        }
        Self { view: View::Running, function, unit: Cow::Borrowed(unit), helpers }
    }

    /// What it has in common with those that are compiled together with it.
    pub(super) fn compiled_with(&self) -> Vec<&str> {
        let Function { language, flags, .. } = self.function;
        compiled_with(*language, flags, &self.unit)
    }

    /// The same without the bodies of functions that are not shown: what runs needs them, what compiles does not. The
    /// functions are those that the unit defines, in C.
    pub(super) fn reduced(&self, functions: &[Defined]) -> Self {
        let texts = self.helpers.iter().copied().chain([self.function.text.as_str()]);
        let places = texts.filter_map(|text| self.unit.rfind(text).map(|at| at..at + text.len()));
        let shown: Vec<Range<usize>> = places.collect();
        Self { unit: Cow::Owned(reduced(&self.unit, &shown, functions)), ..self.clone() }
    }
}

/// The texts of a function's helpers, the deepest first.
fn shown_before(function: &Function) -> Vec<&str> {
    in_merged(&function.text, &function.helpers).iter().rev().map(|helper| helper.text.as_str()).collect()
}
