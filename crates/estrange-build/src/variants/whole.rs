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
    /// Where the function stands in the unit; nothing if it is spelled otherwise there.
    pub(super) place: Option<Range<usize>>,
    /// Where the helpers stand that are shown before it, the deepest first; nothing for one that is spelled otherwise there.
    pub(super) helpers: Vec<Option<Range<usize>>>,
}

impl<'a> Whole<'a> {
    /// A function alone.
    pub(super) fn alone(function: &'a Function) -> Self {
        let place = function.in_unit();
        Self { view: View::Alone, function, unit: Cow::Borrowed(&function.unit), place, helpers: Vec::new() }
    }

    /// A function of group 3 with its helpers, where they can be had.
    pub(super) fn with_helpers(function: &'a Function) -> Option<Self> {
        let unit = function.linked_unit.as_deref().filter(|_| function.group == Group::Three)?;
        let (place, helpers) = (function.in_linked_unit(), shown_before(function, unit));
        let unit = Cow::Borrowed(unit);
        (!helpers.is_empty()).then_some(Self { view: View::WithHelpers, function, unit, place, helpers })
    }

    /// A function with all that it needs to run, or else to compile.
    pub(super) fn running(function: &'a Function) -> Self {
        let Some(unit) = function.linked_unit.as_deref() else {
            return Self { view: View::Running, ..Self::alone(function) };
        };
        let mut helpers = if function.group == Group::Three { shown_before(function, unit) } else { Vec::new() };
        // One whose name another file has, too, stands there under another.
        if helpers.iter().any(Option::is_none) {
            helpers.clear();
        }
        let place = function.in_linked_unit();
        Self { view: View::Running, function, unit: Cow::Borrowed(unit), place, helpers }
    }

    /// What it has in common with those that are compiled together with it.
    pub(super) fn compiled_with(&self) -> Vec<&str> {
        let Function { language, flags, .. } = self.function;
        compiled_with(*language, flags, &self.unit)
    }

    /// The same without the bodies of functions that are not shown: what runs needs them, what compiles does not. The
    /// functions are those that the unit defines, in C.
    pub(super) fn reduced(&self, functions: &[Defined]) -> Self {
        let places = self.helpers.iter().chain([&self.place]);
        let mut shown: Vec<Range<usize>> = places.flatten().cloned().collect();
        let unit = Cow::Owned(reduced(&self.unit, &mut shown, functions));
        let mut shown = shown.into_iter();
        let mut again = |place: &Option<Range<usize>>| place.as_ref().and_then(|_| shown.next());
        let helpers = self.helpers.iter().map(&mut again).collect();
        let place = again(&self.place);
        Self { unit, place, helpers, ..self.clone() }
    }
}

/// Where a function's helpers stand in its linked unit, the deepest first.
fn shown_before(function: &Function, unit: &str) -> Vec<Option<Range<usize>>> {
    in_merged(&function.text, &function.helpers).iter().rev().map(|helper| helper.in_linked_unit(unit)).collect()
}
