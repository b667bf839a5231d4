//! HTML out of texts that must not become tags: escaping, templates, tables.

mod tables;

pub(crate) use tables::tables;

/// The template with each `{{name}}` replaced once; what is put in is not looked at again.
pub(crate) fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page += before;
        let Some((name, behind)) = after.split_once("}}") else {
            page += "{{";
            rest = after;
            continue;
        };
        if let Some((_, text)) = parts.iter().find(|(each, _)| *each == name) {
            page += text;
        }
        rest = behind;
    }
    page + rest
}

/// Text that stays text, between tags and in quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => output += "&amp;",
            '<' => output += "&lt;",
            '>' => output += "&gt;",
            '"' => output += "&quot;",
            '\'' => output += "&#39;",
            other => output.push(other),
        }
    }
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "B".to_owned())];
        assert_eq!(fill("x {{a}} {{b}} {{unknown}} {{", &parts), "x {{b}} B  {{");
    }

    #[test]
    fn text_cannot_become_a_tag_or_leave_its_attribute() {
        assert_eq!(escape("<b title='\"'>&"), "&lt;b title=&#39;&quot;&#39;&gt;&amp;");
    }
}
