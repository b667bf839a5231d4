//! What stands before the diffs of a patch: fields as DEP-3 or a mail has them, and free text.

/// The prose of a patch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Description {
    /// The fields, in order: `Description`, `Origin`, `Bug-Debian`, `From`, `Subject` and so on. The lines of a value
    /// are separated by newlines, without the blank that continues them.
    pub fields: Vec<(String, String)>,
    /// What is no field, up to a line of three dashes.
    pub body: String,
    /// All of it, as it stands.
    pub text: String,
}

impl Description {
    /// Reads prose. Nothing is too strange for it: what is no field is free text.
    pub fn read(text: &str) -> Self {
        let mut description = Self { text: text.to_owned(), ..Self::default() };
        let lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches('\r')).collect();
        let end = lines.iter().position(|line| line.trim_end() == "---").unwrap_or(lines.len());
        let mut body: Vec<&str> = Vec::new();
        let paragraphs = lines[..end].split(|line| line.trim().is_empty()).filter(|lines| !lines.is_empty());
        for (number, paragraph) in paragraphs.enumerate() {
            let rest = description.paragraph(paragraph, number == 0);
            if !rest.is_empty() {
                body.extend((!body.is_empty()).then_some(""));
                body.extend(rest);
            }
        }
        description.body = body.join("\n");
        description
    }

    /// Takes the fields of a paragraph, and gives back the lines that are none. A later paragraph has to be fields
    /// altogether, since prose may have a colon in its first line.
    fn paragraph<'l>(&mut self, lines: &'l [&'l str], is_first: bool) -> &'l [&'l str] {
        let fits = |line: &&str| field(line).is_some() || line.starts_with([' ', '\t', '#']) || is_mail(line);
        let end = lines.iter().position(|line| !fits(line)).unwrap_or(lines.len());
        let begins = lines.iter().find(|line| !is_mail(line) && !line.starts_with('#'));
        let is_header = begins.is_some_and(|line| field(line).is_some()) && (is_first || end == lines.len());
        if !is_header {
            return lines;
        }
        let start = self.fields.len();
        for line in &lines[..end] {
            if let Some((name, value)) = field(line) {
                self.fields.push((name.to_owned(), value.to_owned()));
            } else if let Some((_, value)) = self.fields[start..].last_mut().filter(|_| !line.starts_with('#')) {
                // A lone dot stands for an empty line.
                let line = line.strip_prefix([' ', '\t']).unwrap_or(line);
                value.push('\n');
                value.push_str(if line == "." { "" } else { line });
            }
        }
        &lines[end..]
    }

    /// The first field of this name, in whatever case.
    pub fn get(&self, name: &str) -> Option<&str> {
        let is = |field: &&(String, String)| field.0.eq_ignore_ascii_case(name);
        self.fields.iter().find(is).map(|(_, value)| value.as_str())
    }

    /// What the patch is about, in one line; empty where it does not say.
    pub fn title(&self) -> String {
        let stated = self.get("Description").map(str::trim).filter(|text| !text.is_empty());
        if let Some(subject) = self.get("Subject").filter(|_| stated.is_none()) {
            // A mail may break its subject where it likes; git writes something in brackets before it.
            let subject = subject.replace('\n', " ");
            let short = subject.split_once(']').filter(|_| subject.starts_with("[PATCH"));
            return short.map_or(subject.trim(), |(_, title)| title.trim()).to_owned();
        }
        let text = stated.unwrap_or(self.body.trim());
        text.lines().next().unwrap_or_default().trim().to_owned()
    }
}

/// The line that begins a mail of git's, or what `git show` prints of a commit.
fn is_mail(line: &str) -> bool {
    let hash = line.strip_prefix("From ").or_else(|| line.strip_prefix("commit ")).unwrap_or_default();
    hash.len() >= 40 && hash.bytes().take(40).all(|byte| byte.is_ascii_hexdigit())
}

/// A line such as `Name: value`.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    // `http://…` is no field.
    (is_name(name) && !value.starts_with("//")).then(|| (name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_text_are_told_apart() {
        let text = "Description: Fix a bug\n in two lines\n .\n and a third\nOrigin: upstream, https://a.example/x\n\
                    bug-debian: https://b.example/1\n\nFree text: with\na colon.\n\nLast-Update: 2020-01-01\n---\n x.c | 1 +\n";
        let description = Description::read(text);
        assert_eq!(description.get("Description"), Some("Fix a bug\nin two lines\n\nand a third"));
        assert_eq!(description.get("Bug-Debian"), Some("https://b.example/1"));
        assert_eq!(description.get("Last-Update"), Some("2020-01-01"));
        assert_eq!(description.body, "Free text: with\na colon.");
        assert_eq!((description.title().as_str(), description.text.as_str()), ("Fix a bug", text));
    }

    #[test]
    fn mails_are_read() {
        let text = "Backport of:\n\nFrom 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: A <a@a.example>\nSubject: [PATCH 2/3] Check the\n length\n\nBody.\n";
        let description = Description::read(text);
        assert_eq!(description.get("From"), Some("A <a@a.example>"));
        assert_eq!(description.get("Subject"), Some("[PATCH 2/3] Check the\nlength"));
        assert_eq!(
            (description.title().as_str(), description.body.as_str()),
            ("Check the length", "Backport of:\n\nBody.")
        );
        let shown = Description::read(
            "commit 0123456789012345678901234567890123456789\nAuthor: A\nDate:   now\n\n    Title\n\n    Body\n",
        );
        assert_eq!((shown.get("Author"), shown.title().as_str()), (Some("A"), "Title"));
        let plain = Description::read("\n# quilt\nSee https://a.example\nmore\n");
        assert_eq!((plain.fields.len(), plain.title().as_str()), (0, "# quilt"));
        assert_eq!(Description::read("").title(), "");
    }
}
