//! What has to stay when somebody else rewrites a function: its name, its type, and all that it shares with its surroundings.

use std::collections::BTreeSet;

use estrange_clang::{Body, Field, Names, ThingKind, Tree};

use crate::refusal::Refusal;

/// The function of another text that is called like one of a text, and has its type.
pub(super) fn counterpart(old: &Tree, number: usize, new: &Tree) -> Result<usize, Refusal> {
    let wanted = &old.functions[number];
    let name = &old.thing(wanted.thing).qualified_name;
    let is_called_so = |body: &Body| new.thing(body.thing).qualified_name == *name && body.kind == wanted.kind;
    let mut namesakes = new.functions.iter().enumerate().filter(|(_, body)| is_called_so(body)).peekable();
    if namesakes.peek().is_none() {
        return Err(Refusal::NameNotKept { name: name.clone(), why: "it is gone".to_owned() });
    }
    let face = face(old, wanted);
    let same = namesakes.find(|(_, body)| self::face(new, body) == face);
    let changed = || Refusal::NameNotKept { name: name.clone(), why: format!("it is no longer `{}`", face.0) };
    same.map(|(number, _)| number).ok_or_else(changed)
}

/// What others see of a function: its type, and who may call it how.
fn face<'t>(tree: &'t Tree, body: &Body) -> (&'t str, bool, bool, bool) {
    let thing = tree.thing(body.thing);
    let type_ = thing.type_.map_or("", |type_| &tree.type_(type_).canonical);
    (type_, thing.is_static, body.is_static_method, body.is_const_method)
}

/// Whether the structs, unions, classes and enumerations that both texts use have the same members in both.
pub(super) fn same_records(old: &Tree, new: &Tree) -> Result<(), Refusal> {
    let changed = |name: &str| Err(Refusal::OutsideChanged(format!("the type `{name}` is another")));
    for record in old.records.iter().filter(|record| record.is_ours && !record.name.is_empty()) {
        let namesakes = new
            .records
            .iter()
            .filter(|other| (other.is_ours || other.is_complete) && other.qualified_name == record.qualified_name);
        // A template has a record for each of its instances: one of them is this one.
        let mut namesakes = namesakes.peekable();
        if namesakes.peek().is_some()
            && !namesakes.any(|other| members(new, &other.fields) == members(old, &record.fields))
        {
            return changed(&record.qualified_name);
        }
    }
    for enumeration in old.enumerations.iter().filter(|enumeration| !enumeration.name.is_empty()) {
        let other = new.enumerations.iter().find(|other| other.name == enumeration.name);
        if other.is_some_and(|other| other.values != enumeration.values) {
            return changed(&enumeration.name);
        }
    }
    Ok(())
}

/// The names, types and places of members.
fn members<'t>(tree: &'t Tree, fields: &'t [Field]) -> Vec<(&'t str, &'t str, Option<u16>, Option<u64>)> {
    let type_ = |field: &Field| tree.type_(field.type_).canonical.as_str();
    fields.iter().map(|field| (field.name.as_str(), type_(field), field.bits, field.offset)).collect()
}

/// The functions and variables of a project that a text names and does not define.
pub(super) struct Outside(BTreeSet<String>);

impl Outside {
    pub(super) fn of(names: &Names, is_standard: &dyn Fn(&str) -> bool) -> Self {
        let outside = names.things.iter().filter(|thing| thing.is_ours && thing.is_undefined);
        Self(outside.map(|thing| thing.name.clone()).filter(|name| !is_standard(name)).collect())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether all of it belongs to what was needed before, and is used as what it was.
    pub(super) fn is_within(&self, before: &Self, old: &Tree, new: &Tree) -> Result<(), Refusal> {
        if let Some(name) = self.0.difference(&before.0).next() {
            return Err(Refusal::OutsideChanged(format!("it needs `{name}` from outside")));
        }
        let types = |tree: &Tree, name: &str| -> BTreeSet<String> {
            let is_it = |kind: ThingKind| matches!(kind, ThingKind::Function | ThingKind::Global);
            let things = tree.things.iter().filter(|thing| thing.name == name && is_it(thing.kind));
            things.filter_map(|thing| Some(tree.type_(thing.type_?).canonical.clone())).collect()
        };
        let other = |name: &&String| {
            let (was, is) = (types(old, name), types(new, name));
            !was.is_empty() && !is.is_subset(&was)
        };
        match self.0.iter().find(other) {
            Some(name) => Err(Refusal::OutsideChanged(format!("`{name}` has another type"))),
            None => Ok(()),
        }
    }
}
