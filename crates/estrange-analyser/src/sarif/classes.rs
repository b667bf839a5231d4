//! The weaknesses that a document names for a result.
//!
//! There are four ways to say it, and this is the order in which they count: the result's own taxa; the relationships of its
//! rule; tags of the result and of the rule, such as `external/cwe/cwe-121` or `CWE-78: …`; and a property `cwe`.

use serde_json::Value;

use super::document::{Component, Outcome, Properties, Reference, Relationship, Rule, Run};
use super::rules::at;

/// What the taxonomy is called.
pub const CWE: &str = "CWE";

/// The weaknesses of a result, the most fitting one first, each once.
pub fn classes(run: &Run, rule: Option<&Rule>, result: &Outcome) -> Vec<u32> {
    let own = result.taxa.iter().filter_map(|taxon| class_of(run, taxon));
    let related = rule.map(|rule| related(run, &rule.relationships)).unwrap_or_default();
    let properties = [Some(&result.properties), rule.map(|rule| &rule.properties)];
    let tagged = properties.into_iter().flatten().flat_map(tagged);
    let mut classes = Vec::new();
    for class in own.chain(related).chain(tagged) {
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
    classes
}

/// The weaknesses that a rule is related to; last those that it cannot be compared with.
fn related(run: &Run, relationships: &[Relationship]) -> Vec<u32> {
    let is_near = |relationship: &&Relationship| !relationship.kinds.iter().any(|kind| kind == "incomparable");
    let (near, far): (Vec<_>, Vec<_>) = relationships.iter().partition(is_near);
    near.into_iter().chain(far).filter_map(|relationship| class_of(run, &relationship.target)).collect()
}

/// The weakness that a reference names, if it is one.
fn class_of(run: &Run, reference: &Reference) -> Option<u32> {
    let taxonomy = taxonomy(run, reference);
    let entry = || Some(at(&taxonomy?.taxa, reference.index)?.id.as_str());
    let id = reference.id.as_deref().or_else(entry)?;
    let name = reference.tool_component.name.as_deref().or(taxonomy.map(|taxonomy| taxonomy.name.as_str()));
    marked(id).or_else(|| name.filter(|name| name.eq_ignore_ascii_case(CWE)).and_then(|_| number(id)))
}

fn taxonomy<'d>(run: &'d Run, reference: &Reference) -> Option<&'d Component> {
    let said = &reference.tool_component;
    let by_guid = || run.taxonomies.iter().find(|each| said.guid.is_some() && said.guid == each.guid);
    let by_name = || run.taxonomies.iter().find(|each| said.name.as_ref() == Some(&each.name));
    at(&run.taxonomies, said.index).or_else(by_guid).or_else(by_name)
}

/// The weaknesses that tags and properties name.
fn tagged(properties: &Properties) -> Vec<u32> {
    let plain = texts(&properties.cwe).into_iter().filter_map(|text| marked(&text).or_else(|| number(&text)));
    texts(&properties.tags).iter().filter_map(|tag| marked(tag)).chain(plain).collect()
}

/// A text, a number, or a list of them, as texts.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The number in a text that says whose number it is: `CWE-121`, `cwe:121`, `external/cwe/cwe-121`, `CWE-78: …`.
fn marked(text: &str) -> Option<u32> {
    let text = text.trim();
    let last = text.rsplit_once("cwe/").map_or(text, |(_, last)| last);
    if !last.get(..CWE.len())?.eq_ignore_ascii_case(CWE) {
        return None;
    }
    let rest = last[CWE.len()..].trim_start_matches(['-', '_', ':', ' ']);
    let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let is_whole = !rest[digits..].starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    number(&rest[..digits]).filter(|_| is_whole)
}

fn number(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|&number| number > 0)
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn a_marked_number_is_read_and_nothing_else() {
        for text in
            ["CWE-121", "cwe-121", "external/cwe/cwe-121", "CWE-121: Stack-based Buffer Overflow", "CWE121", "cwe:121"]
        {
            assert_eq!(marked(text), Some(121), "{text}");
        }
        assert_eq!(marked("external/cwe/cwe-022"), Some(22));
        for text in
            ["", "121", "security", "CWE", "CWE-", "CWE-0", "CWE-12x", "cwé-1", "CWE-99999999999", "owasp-cwe-3"]
        {
            assert_eq!(marked(text), None, "{text}");
        }
    }
}
