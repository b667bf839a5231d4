//! Members with and without `this`: `add-this`, `remove-this`.
//!
//! In a method `count` becomes `this->count` and `find(x)` becomes `this->find(x)`, and the other way round, where nothing
//! that the method declares has the same name.
//!
//! Left alone: names with a class before them, static members, what stands in a class that the method declares, and
//! `this->` in templates, where it decides when a name is looked up.

use estrange_clang::{FunctionKind, NodeKind, ThingKind};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

pub(super) fn add(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    if !has_object(view) {
        return Err(Refusal::NoPlace);
    }
    let sites = view.all().filter(|node| view.is_of_own_object(*node)).filter_map(|node| {
        let range = view.range(node);
        let is_free = !view.is_in_call(range.start) && !view.is_unevaluated(node) && !view.is_in_local_class(node);
        is_free.then(|| Site::replace(range.clone(), format!("this->{}", view.cut(range))))
    });
    choose(sites.collect(), draw)
}

pub(super) fn remove(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    if !has_object(view) || view.function.is_template {
        return Err(Refusal::NoPlace);
    }
    let sites = view.all().filter_map(|node| {
        let thing = view.node(node).thing.filter(|_| view.kind(node) == NodeKind::Member)?;
        let object = view.only_child(node).filter(|object| view.kind(*object) == NodeKind::This)?;
        let (range, name) = (view.range(node), view.tree.thing(thing).name.as_str());
        let tokens = view.tokens_in(range.clone());
        let words: Vec<&str> = tokens.iter().map(|token| token.text(view.text)).collect();
        let is_written = view.node(node).is_written && view.node(object).is_written && !view.is_in_call(range.start);
        if !is_written || words != ["this", "->", name] || view.is_in_local_class(node) || is_hidden(view, thing) {
            return None;
        }
        Some(Site::replace(range, name.to_owned()))
    });
    choose(sites.collect(), draw)
}

/// Whether the function is called with an object.
fn has_object(view: &View<'_>) -> bool {
    view.function.kind != FunctionKind::Free && !view.function.is_static_method && !view.function.is_friend
}

/// Whether something that the function declares or names has the name of a member.
fn is_hidden(view: &View<'_>, member: u32) -> bool {
    let name = &view.tree.thing(member).name;
    let is_other = |thing: &u32| *thing != member && view.tree.thing(*thing).name == *name;
    let mut named = view.all().filter_map(|node| view.node(node).thing).chain(view.function.parameters.iter().copied());
    named.any(|thing| is_other(&thing))
}

impl View<'_> {
    /// Whether a node is a member of the function's own object, by its name alone.
    pub(crate) fn is_of_own_object(&self, node: u32) -> bool {
        let Some(thing) = self.node(node).thing.filter(|_| self.kind(node) == NodeKind::Member) else { return false };
        let thing = self.tree.thing(thing);
        let is_member = matches!(thing.kind, ThingKind::Field | ThingKind::Method) && !thing.is_static;
        // Of a union without a name the member has the object before it, and it stands nowhere.
        let has_no_object = self
            .tree
            .children(node)
            .all(|child| self.kind(child) == NodeKind::This && self.range(child) == self.range(node));
        is_member && has_no_object && self.node(node).is_written && self.cut(self.range(node)) == thing.name
    }

    /// Whether a node is an operand that is only looked at for its type.
    pub(crate) fn is_unevaluated(&self, node: u32) -> bool {
        self.ancestors(node).any(|around| self.kind(around) == NodeKind::Size)
    }

    /// Whether a node stands in a class that the function declares.
    pub(crate) fn is_in_local_class(&self, node: u32) -> bool {
        self.ancestors(node).any(|around| {
            let first = self.word(self.token_at(self.range(around).start));
            self.kind(around) == NodeKind::Other && matches!(first, "struct" | "class" | "union")
        })
    }
}
