//! Symbolic links: which may exist in a tree, and making them once everything else is in place.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::left_out::{Omission, Omissions};
use crate::loss::Loss;

/// Links to be made: path in the tree, target.
pub(crate) type Links = BTreeMap<String, String>;

/// Whether a link at `path` (relative to the tree, beneath real folders only) to `target` surely stays in the tree.
///
/// `..` is allowed at the front only, where it climbs real folders. Behind a name it would climb from wherever
/// another link leads, and two links that each look harmless could lead out together.
pub(crate) fn stays_inside(path: &str, target: &str) -> bool {
    if target.is_empty() || target.starts_with('/') || target.len() > 1024 || target.contains(char::is_control) {
        return false;
    }
    let depth = path.split('/').count() - 1;
    let mut parts = target.split('/').filter(|part| !part.is_empty() && *part != ".").peekable();
    let mut climbed = 0;
    while parts.next_if_eq(&"..").is_some() {
        climbed += 1;
    }
    climbed <= depth && parts.all(|part| part != "..")
}

/// Makes the links that stay inside the tree, and counts the others as left out.
pub(crate) fn make(tree: &Path, links: &Links, omissions: &mut Omissions) -> Result<(), Loss> {
    for (path, target) in links {
        if stays_inside(path, target) {
            let link = tree.join(path);
            symlink(target, &link).map_err(Loss::io("make the link", &link))?;
        } else {
            omissions.add(Omission::LinkOutside, path.as_bytes());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_that_surely_stay_inside_are_made() {
        for (path, target, inside) in [
            ("a", "b", true),
            ("a", "./b/c", true),
            ("d/a", "../b", true),
            ("d/e/a", "../../b/c", true),
            ("a", "../b", false),
            ("d/a", "../../b", false),
            ("a", "/etc/passwd", false),
            ("a", "", false),
            ("a", "d/x/../..", false),
            ("d/a", "../d/../b", false),
            ("a", "b\nc", false),
        ] {
            assert_eq!(stays_inside(path, target), inside, "{path} -> {target}");
        }
    }
}
