//! Debian's control format: stanzas of `Field: value`, continued by lines that start with a blank.

/// One stanza; field names are compared without regard to case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stanza(Vec<(String, String)>);

impl Stanza {
    /// All stanzas of a text. Lines that fit nowhere are passed over.
    pub(super) fn read_all(text: &str) -> Vec<Stanza> {
        let mut stanzas = vec![Stanza::default()];
        for line in text.lines() {
            if line.starts_with('#') {
                continue;
            }
            // There is always one: the first.
            let Some(Stanza(fields)) = stanzas.last_mut() else { break };
            if line.trim().is_empty() {
                stanzas.push(Stanza::default());
            } else if line.starts_with([' ', '\t']) {
                if let Some((_, value)) = fields.last_mut() {
                    value.push('\n');
                    value.push_str(line.trim());
                }
            } else if let Some((name, value)) = line.split_once(':') {
                fields.push((name.to_owned(), value.trim().to_owned()));
            }
        }
        stanzas.retain(|Stanza(fields)| !fields.is_empty());
        stanzas
    }

    /// The value of a field; continued lines follow each other, trimmed.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The words of a field.
    pub(super) fn words(&self, name: &str) -> Vec<&str> {
        self.get(name).map(|value| value.split_whitespace().collect()).unwrap_or_default()
    }
}

/// The text inside a clear-signed message, or the text itself if it is none. The signature is not looked at.
pub(super) fn without_signature(text: &str) -> String {
    if !text.trim_start().starts_with("-----BEGIN PGP SIGNED MESSAGE-----") {
        return text.to_owned();
    }
    let signed = text
        .trim_start()
        .lines()
        .skip_while(|line| !line.trim().is_empty())
        .skip(1)
        .take_while(|line| !line.starts_with("-----BEGIN PGP SIGNATURE-----"))
        .map(|line| line.strip_prefix("- ").unwrap_or(line));
    signed.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stanzas_are_read_with_comments_and_continuations() {
        let text = "# note\nTypes: deb\n# inside\nURIs: a b\n\n\nFiles:\n one 1\n\ttwo 2\nlost\nEmpty:\n";
        let stanzas = Stanza::read_all(text);
        assert_eq!(stanzas.len(), 2);
        assert_eq!(stanzas[0].get("types"), Some("deb"));
        assert_eq!(stanzas[0].words("uris"), ["a", "b"]);
        assert_eq!(stanzas[1].get("Files"), Some("\none 1\ntwo 2"));
        assert_eq!(stanzas[1].get("Empty"), Some(""));
        assert_eq!(stanzas[1].get("Other"), None);
    }

    #[test]
    fn a_signature_is_taken_off() {
        let text = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nSource: x\n- - y\n\n\
                    -----BEGIN PGP SIGNATURE-----\nSource: z\n-----END PGP SIGNATURE-----\n";
        assert_eq!(without_signature(text), "Source: x\n- y\n");
        assert_eq!(without_signature("Source: x\n"), "Source: x\n");
    }
}
