//! Where this machine gets Debian's sources from: derived from its own apt configuration.
//!
//! No address is written in our code. Every entry of the main archive that the machine is set up for is turned into
//! one for source packages; security suites and other vendors' archives are left out.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::control::Stanza;

/// An entry of an apt source list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    address: String,
    suite: String,
    components: Vec<String>,
    /// The key ring that must have signed it.
    keys: Option<String>,
}

const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// A source list of this machine's Debian archives, in apt's newer format; empty if there are none.
pub(super) fn source_list() -> String {
    let mut entries = BTreeSet::new();
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let codename = codename(&release);
    let mut read = |path: &Path| {
        let Ok(text) = fs::read_to_string(path) else { return };
        let found = match path.extension().and_then(|extension| extension.to_str()) {
            Some("list") => one_line(&text),
            Some("sources") => stanzas(&text),
            _ => Vec::new(),
        };
        entries.extend(found.into_iter().filter(|entry| is_main_archive(entry, codename)));
    };
    read(Path::new("/etc/apt/sources.list"));
    for entry in fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten() {
        read(&entry.path());
    }
    print(&entries, Path::new(KEYS).exists().then_some(KEYS))
}

/// The name of the installed release.
fn codename(release: &str) -> &str {
    let line = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    line.map(|name| name.trim_matches('"')).unwrap_or_default()
}

/// Reads `deb [option=value …] ADDRESS SUITE COMPONENT…` lines.
fn one_line(text: &str) -> Vec<Entry> {
    text.lines().filter_map(|line| read_line(line.split('#').next().unwrap_or_default())).collect()
}

fn read_line(line: &str) -> Option<Entry> {
    let line = line.trim();
    let rest = line.strip_prefix("deb-src").or_else(|| line.strip_prefix("deb"))?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let (options, rest) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => ("", rest),
    };
    let keys = options.split_whitespace().find_map(|option| option.strip_prefix("signed-by="));
    let mut words = rest.split_whitespace().map(str::to_owned);
    Some(Entry {
        address: words.next()?,
        suite: words.next()?,
        components: words.collect(),
        keys: keys.map(str::to_owned),
    })
}

/// Reads the stanzas of a `.sources` file.
fn stanzas(text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    for stanza in Stanza::read_all(text) {
        if stanza.get("Enabled").is_some_and(|enabled| ["no", "false", "off", "0"].contains(&enabled)) {
            continue;
        }
        for address in stanza.words("URIs") {
            for suite in stanza.words("Suites") {
                entries.push(Entry {
                    address: address.to_owned(),
                    suite: suite.to_owned(),
                    components: stanza.words("Components").into_iter().map(str::to_owned).collect(),
                    keys: stanza.get("Signed-By").map(|keys| keys.trim().to_owned()),
                });
            }
        }
    }
    entries
}

/// Whether an entry is of Debian's main archive, and not of its security archive or of another vendor.
fn is_main_archive(entry: &Entry, codename: &str) -> bool {
    let suite = entry.suite.as_str();
    if entry.components.is_empty() || suite.ends_with("-security") || suite.contains('/') {
        return false;
    }
    if entry.address.starts_with("cdrom:") || entry.address.contains(char::is_control) {
        return false;
    }
    match &entry.keys {
        // Keys written into the entry itself are some other vendor's: Debian's are installed.
        Some(keys) => keys.split([',', ' ']).filter(|key| !key.is_empty()).all(|key| {
            key.starts_with('/') && key.rsplit('/').next().is_some_and(|name| name.starts_with("debian-archive-"))
        }),
        // Any trusted key may have signed it; the name of the suite has to do.
        None => {
            let base = suite.split('-').next().unwrap_or(suite);
            let standing = ["stable", "oldstable", "testing", "unstable", "sid", "experimental"];
            standing.contains(&base) || (!codename.is_empty() && base == codename)
        }
    }
}

fn print(entries: &BTreeSet<Entry>, keys: Option<&str>) -> String {
    let mut text = String::new();
    for entry in entries {
        let components = entry.components.join(" ");
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "Types: deb-src\nURIs: {}\nSuites: {}\nComponents: {components}",
            entry.address, entry.suite
        );
        if let Some(keys) = entry.keys.as_deref().or(keys) {
            let _ = writeln!(text, "Signed-By: {keys}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_archive_is_found_in_both_formats_and_nothing_else() {
        let lines = "# deb http://a.example/debian comment main\n\
            deb http://a.example/debian stone main contrib # note\n\
            deb-src http://a.example/debian stone main contrib\n\
            deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://b.example/debian old main\n\
            deb http://a.example/debian-security stone-security main\n\
            deb http://a.example/debian-security stone/updates main\n\
            deb http://vendor.example/apt vendor-stone main\n\
            deb [signed-by=/usr/share/keyrings/vendor.gpg] http://vendor.example/apt stone main\n\
            deb http://flat.example/apt ./\n\
            deb cdrom:[Debian]/ stone main\n\
            debris here is not\n";
        let stanza = "Types: deb\n# note\nURIs: http://c.example/debian\nSuites: stone stone-updates stone-security\n\
            Components: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n\
            Types: deb\nEnabled: no\nURIs: http://d.example/debian\nSuites: stone\nComponents: main\n\n\
            Types: deb\nURIs: http://e.example/x\nSuites: stone\nComponents: main\nSigned-By:\n -----BEGIN PGP\n xyz\n";
        let entries: BTreeSet<Entry> = one_line(lines)
            .into_iter()
            .chain(stanzas(stanza))
            .filter(|entry| is_main_archive(entry, codename("ID=debian\nVERSION_CODENAME=\"stone\"\n")))
            .collect();
        let found: Vec<String> = entries
            .iter()
            .map(|entry| format!("{} {} {}", entry.address, entry.suite, entry.components.join("+")))
            .collect();
        assert_eq!(
            found,
            [
                "http://a.example/debian stone main+contrib",
                "http://b.example/debian old main",
                "http://c.example/debian stone main",
                "http://c.example/debian stone-updates main",
            ]
        );
        let printed = print(&entries, Some("/keys.gpg"));
        assert_eq!(printed.matches("Types: deb-src\n").count(), 4);
        assert_eq!(printed.matches("Signed-By: /keys.gpg\n").count(), 1, "{printed}");
    }
}
