//! A small reader of XML: elements and attributes. Text, comments and declarations are passed over.

/// What stands in a text, in order.
pub enum Event<'a> {
    /// An element begins.
    Open {
        /// Its name.
        name: &'a str,
        /// Its attributes, with their entities replaced.
        attributes: Vec<(String, String)>,
        /// Whether it ends at once.
        closed: bool,
    },
    /// An element ends.
    Close {
        /// Its name.
        name: &'a str,
    },
}

/// A text under reading.
pub struct Xml<'a> {
    rest: &'a str,
}

impl<'a> Xml<'a> {
    /// Reads from the start.
    pub fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// Passes over what begins here and goes up to `end`.
    fn skip(&mut self, end: &str) -> Result<(), String> {
        let at = self.rest.find(end).ok_or_else(|| format!("`{end}` is missing"))?;
        self.rest = &self.rest[at + end.len()..];
        Ok(())
    }

    fn next_event(&mut self) -> Result<Option<Event<'a>>, String> {
        loop {
            let Some(at) = self.rest.find('<') else { return Ok(None) };
            self.rest = &self.rest[at..];
            let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
            if let Some((_, end)) = skipped.iter().find(|(begin, _)| self.rest.starts_with(begin)) {
                self.skip(end)?;
                continue;
            }
            return if self.rest.starts_with("</") { self.close() } else { self.open() }.map(Some);
        }
    }

    fn close(&mut self) -> Result<Event<'a>, String> {
        let end = self.rest.find('>').ok_or("a tag is not closed")?;
        let name = self.rest[2..end].trim();
        self.rest = &self.rest[end + 1..];
        Ok(Event::Close { name })
    }

    fn open(&mut self) -> Result<Event<'a>, String> {
        let length = self.rest[1..].find([' ', '\t', '\r', '\n', '/', '>']).ok_or("a tag is not closed")?;
        let name = &self.rest[1..=length];
        self.rest = &self.rest[1 + length..];
        let mut attributes = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix("/>") {
                self.rest = rest;
                return Ok(Event::Open { name, attributes, closed: true });
            }
            if let Some(rest) = self.rest.strip_prefix('>') {
                self.rest = rest;
                return Ok(Event::Open { name, attributes, closed: false });
            }
            let (key, rest) = self.rest.split_once('=').ok_or("an attribute has no value")?;
            let rest = rest.trim_start();
            let quote =
                rest.chars().next().filter(|letter| ['"', '\''].contains(letter)).ok_or("a value has no quotes")?;
            let (value, rest) = rest[1..].split_once(quote).ok_or("a value has no end")?;
            attributes.push((key.trim().to_owned(), unescape(value)));
            self.rest = rest;
        }
    }
}

impl<'a> Iterator for Xml<'a> {
    type Item = Result<Event<'a>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let event = self.next_event();
        if event.is_err() {
            self.rest = "";
        }
        event.transpose()
    }
}

fn unescape(text: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    entities.iter().fold(text.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
}
