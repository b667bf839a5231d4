//! Under which licence each file is, as an SPDX expression, and of which class.

/// Whether a file's name is that of a licence text.
pub fn is_licence_file(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["license", "licence", "copying", "copyright", "unlicense"].iter().any(|start| name.starts_with(start))
}
