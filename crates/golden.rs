//! Golden outputs: what a crate computes on fixed inputs may change only together with the version that it exports.
//!
//! Caches keep results under that version. A change of the code that changes results and not the version would mix old
//! results with new ones. So each crate has a file with its version and the hash of each output. After a change on purpose,
//! raise `VERSION` in the crate's `lib.rs` and run its test `golden` with `ESTRANGE_GOLDEN=update`.
//!
//! An output that is new needs no other version, for nobody has kept anything of it, and no line until the file is written
//! the next time.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The variable that has files written anew.
const UPDATE: &str = "ESTRANGE_GOLDEN";

/// What a file says.
#[derive(Debug, Default)]
struct Golden {
    version: String,
    hashes: BTreeMap<String, String>,
}

/// Compares outputs, by the names of their inputs, with the file of a crate.
pub fn check(file: &Path, version: &str, outputs: &[(String, String)]) {
    let hash = |output: &str| blake3::hash(output.as_bytes()).to_hex()[..16].to_owned();
    let hashes: BTreeMap<String, String> =
        outputs.iter().map(|(name, output)| (name.replace('\n', " "), hash(output))).collect();
    assert_eq!(hashes.len(), outputs.len(), "two inputs have one name");
    let known = fs::read_to_string(file).map(|text| read(&text)).unwrap_or_default();
    let changed: Vec<&String> = known
        .hashes
        .iter()
        .filter(|(name, old)| hashes.get(*name).is_some_and(|new| new != *old))
        .map(|(name, _)| name)
        .collect();
    assert!(
        changed.is_empty() || known.version != version,
        "the outputs of {changed:#?} are others than those of version {version}: if that is on purpose, raise VERSION in \
         lib.rs, so that no cache mixes them, and run this test with {UPDATE}=update"
    );
    if std::env::var_os(UPDATE).is_some() {
        fs::write(file, written(version, &hashes)).expect("the file is written");
        return;
    }
    assert_eq!(known.version, version, "{} is of another version: run this test with {UPDATE}=update", file.display());
    let gone: Vec<&String> = known.hashes.keys().filter(|name| !hashes.contains_key(*name)).collect();
    assert!(gone.is_empty(), "{gone:#?} are not computed any more: run this test with {UPDATE}=update");
}

fn read(text: &str) -> Golden {
    let mut golden = Golden::default();
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("version", version)) => golden.version = version.to_owned(),
            Some((hash, name)) => {
                golden.hashes.insert(name.to_owned(), hash.to_owned());
            }
            None => {}
        }
    }
    golden
}

fn written(version: &str, hashes: &BTreeMap<String, String>) -> String {
    let mut text = format!("version {version}\n");
    for (name, hash) in hashes {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{hash} {name}");
    }
    text
}
