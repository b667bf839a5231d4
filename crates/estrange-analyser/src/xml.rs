//! As much of XML as cppcheck writes: elements and their attributes, without any text between them.

/// A tag that opens or closes an element.
#[derive(Debug, PartialEq, Eq)]
pub enum Tag {
    /// It opens one.
    Open {
        /// What the element is called.
        name: String,
        /// Its attributes, in order.
        attributes: Vec<(String, String)>,
    },
    /// It closes the one of this name.
    Close(String),
}

impl Tag {
    /// The value of an attribute, if this opens an element of this name.
    pub fn attribute(&self, wanted: &str) -> Option<&str> {
        let Self::Open { attributes, .. } = self else { return None };
        attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
    }

    /// Whether this opens an element of this name.
    pub fn opens(&self, wanted: &str) -> bool {
        matches!(self, Self::Open { name, .. } if name == wanted)
    }
}

/// The tags of a text, in order; none if it is not of this form. Text between tags and `<?…?>` are passed over.
pub fn tags(text: &str) -> Option<Vec<Tag>> {
    let mut tags = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if let Some(after) = rest.strip_prefix('?') {
            rest = after.split_once("?>")?.1;
        } else if let Some(after) = rest.strip_prefix('/') {
            let (name, after) = after.split_once('>')?;
            tags.push(Tag::Close(name.trim().to_owned()));
            rest = after;
        } else {
            rest = opened(rest, &mut tags)?;
        }
    }
    Some(tags)
}

/// Reads a tag that opens an element, and what closes it at once; what follows.
fn opened<'t>(text: &'t str, tags: &mut Vec<Tag>) -> Option<&'t str> {
    let end = text.find(|letter: char| letter.is_whitespace() || letter == '/' || letter == '>')?;
    let name = text[..end].to_owned();
    let mut attributes = Vec::new();
    let mut rest = text[end..].trim_start();
    loop {
        if let Some(after) = rest.strip_prefix("/>") {
            tags.extend([Tag::Open { name: name.clone(), attributes }, Tag::Close(name)]);
            return Some(after);
        }
        if let Some(after) = rest.strip_prefix('>') {
            tags.push(Tag::Open { name, attributes });
            return Some(after);
        }
        let (key, after) = rest.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        attributes.push((key.trim().to_owned(), decoded(value)?));
        rest = after.trim_start();
    }
}

/// A value with its entities replaced by what they stand for.
fn decoded(value: &str) -> Option<String> {
    let mut text = String::with_capacity(value.len());
    let mut parts = value.split('&');
    text.push_str(parts.next()?);
    for part in parts {
        let (entity, after) = part.split_once(';')?;
        text.push(letter(entity)?);
        text.push_str(after);
    }
    Some(text)
}

fn letter(entity: &str) -> Option<char> {
    Some(match entity {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        number => {
            let number = number.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Tag, tags};

    #[test]
    fn tags_and_attributes_are_read() {
        let text = "<?xml version=\"1.0\"?>\n<a>\n <b c=\"&apos;&lt;&#10;&#x41;&apos;\" d=\"\"/>\n</a>\n";
        let read = tags(text).unwrap();
        assert_eq!(read.len(), 4);
        assert!(read[0].opens("a") && read[1].opens("b") && !read[1].opens("a"));
        assert_eq!(read[1].attribute("c"), Some("'<\nA'"));
        assert_eq!(read[1].attribute("d"), Some(""));
        assert_eq!(read[1].attribute("e"), None);
        assert_eq!(read[2..], [Tag::Close("b".to_owned()), Tag::Close("a".to_owned())]);
    }

    #[test]
    fn what_is_cut_off_or_wrong_is_not_read() {
        for text in [
            "<",
            "<a",
            "<a b",
            "<a b=\"",
            "<a b=\"c\"",
            "</a",
            "<?xml",
            "<a b=\"&;\"/>",
            "<a b=\"&#xD800;\"/>",
            "<a b=\"&amp\"/>",
        ] {
            assert_eq!(tags(text), None, "{text}");
        }
        assert_eq!(tags("no tags at all"), Some(Vec::new()));
    }
}
