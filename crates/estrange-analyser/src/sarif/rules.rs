//! The rule of a result, wherever a document says it, and what follows from the rule.

use super::document::{Component, Message, Outcome, Reference, Rule, Run};

/// The entry at a place, which is -1 where it is not said.
pub fn at<T>(list: &[T], index: Option<i64>) -> Option<&T> {
    list.get(usize::try_from(index?).ok()?)
}

/// The rule of a result, if the document describes it.
pub fn rule_of<'d>(run: &'d Run, result: &Outcome) -> Option<&'d Rule> {
    let rules = &component(run, &result.rule).rules;
    let by_index = at(rules, result.rule.index).or_else(|| at(rules, result.rule_index));
    by_index.or_else(|| {
        let id = given_id(result)?;
        // What stands behind a slash makes a rule finer, and may not be described by itself.
        let whole = rules.iter().find(|rule| rule.id == id);
        whole.or_else(|| rules.iter().find(|rule| id.strip_prefix(&rule.id).is_some_and(|rest| rest.starts_with('/'))))
    })
}

/// The part of the tool that has a rule: the tool itself, unless it says another one.
fn component<'d>(run: &'d Run, rule: &Reference) -> &'d Component {
    let said = &rule.tool_component;
    let extensions = &run.tool.extensions;
    let by_name = || extensions.iter().find(|each| said.name.as_ref() == Some(&each.name));
    let by_guid = || extensions.iter().find(|each| said.guid.is_some() && said.guid == each.guid);
    at(extensions, said.index).or_else(by_name).or_else(by_guid).unwrap_or(&run.tool.driver)
}

fn given_id(result: &Outcome) -> Option<&str> {
    result.rule_id.as_deref().or(result.rule.id.as_deref())
}

/// What the rule of a result is called; empty where nothing says it.
pub fn id_of(rule: Option<&Rule>, result: &Outcome) -> String {
    given_id(result).or(rule.map(|rule| rule.id.as_str())).unwrap_or_default().to_owned()
}

/// What a message says, with its arguments in it; empty where nothing says it.
pub fn text_of(rule: Option<&Rule>, message: &Message) -> String {
    let of_rule = || rule?.message_strings.get(message.id.as_ref()?)?.text.as_deref();
    let text = message.text.as_deref().or_else(of_rule).unwrap_or_default();
    match message.arguments.is_empty() {
        true => text.to_owned(),
        false => filled(text, &message.arguments),
    }
}

/// A text with `{0}`, `{1}`, … replaced; a doubled brace is a brace.
fn filled(text: &str, arguments: &[String]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['{', '}']) {
        let (before, brace) = rest.split_at(start);
        filled.push_str(before);
        let number = brace[1..].split_once('}').filter(|_| brace.starts_with('{'));
        let argument = number.and_then(|(number, after)| Some((arguments.get(number.parse::<usize>().ok()?)?, after)));
        if let Some((argument, after)) = argument {
            filled.push_str(argument);
            rest = after;
        } else {
            filled.push_str(&brace[..1]);
            let doubled = brace[1..].starts_with(&brace[..1]);
            rest = &brace[1 + usize::from(doubled)..];
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn arguments_stand_in_their_places() {
        let arguments = ["p".to_owned(), "{0}".to_owned()];
        assert_eq!(filled("'{0}' and {1}, {{0}} {2} {x} {", &arguments), "'p' and {0}, {0} {2} {x} {");
    }
}
