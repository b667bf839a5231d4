//! Labels of bodies that stand in another function, where each label has a name of its own.

use std::ops::Range;

use estrange_clang::NodeKind;

use crate::refusal::Refusal;
use crate::shape::view::View;

/// The labels that were made for a function and that its text does not have yet.
#[derive(Debug, Default)]
pub(super) struct Labels {
    made: Vec<String>,
}

impl Labels {
    /// A label that neither the text nor another body has.
    pub(super) fn fresh(&mut self, view: &View<'_>, wanted: &str) -> String {
        let name = view.fresh_beside(wanted, &self.made);
        self.made.push(name.clone());
        name
    }

    /// Other names for the labels of a body that the caller has, too: what is replaced, and by what.
    pub(super) fn apart(&mut self, caller: &View<'_>, body: &View<'_>) -> Result<Vec<(Range<usize>, String)>, Refusal> {
        let mut edits = Vec::new();
        for label in body.all().filter(|node| body.kind(*node) == NodeKind::Label) {
            let Some(thing) = body.node(label).thing else { continue };
            let name = body.tree.thing(thing).name.as_str();
            if !caller.function_has(&[name]) && !self.made.iter().any(|made| made == name) {
                self.made.push(name.to_owned());
                continue;
            }
            let gotos =
                body.all().filter(|node| body.kind(*node) == NodeKind::Goto && body.target(*node) == Some(thing));
            let after = |goto: u32| body.tokens.get(body.token_at(body.range(goto).start) + 1);
            let places = gotos.map(|goto| after(goto).map(|token| token.start as usize));
            let new = self.fresh(caller, name);
            for place in places.chain([Some(body.range(label).start)]) {
                let place = place.map(|start| start..start + name.len());
                let place = place.filter(|place| !body.is_in_call(place.start) && body.cut(place.clone()) == name);
                edits.push((place.ok_or_else(|| Refusal::FromMacro("a label".to_owned()))?, new.clone()));
            }
        }
        Ok(edits)
    }
}
