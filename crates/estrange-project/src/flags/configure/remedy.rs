//! What to do differently when a configure step fails: mostly, to do without something this machine does not have.
//!
//! Nothing here knows any project. A failed step names what it missed, often with the option that does without it;
//! else the build system's own list of options tells which one speaks of the thing.

use serde_json::Value;

use super::step::{Step, StepRun};
use crate::flags::FlagOrigin;
use crate::flags::paths::{folder, join};
use crate::flags::words::listed;

/// Changes the step so that its next run may get further; says whether there was anything left to change.
pub(crate) fn improve(step: &mut Step, run: &StepRun) -> bool {
    let remedies = match step.origin {
        FlagOrigin::Cmake => cmake(run),
        FlagOrigin::Meson => meson(run),
        FlagOrigin::Autotools | FlagOrigin::Configure => configure(run),
        _ => Vec::new(),
    };
    let mut changed = false;
    for remedy in remedies {
        if step.remedies.insert(remedy.clone()) {
            step.options.push(remedy);
            changed = true;
        }
    }
    changed
}

/// The part of the output that tells why: from the first line that speaks of an error on.
fn complaint(output: &str) -> String {
    let mut lines = output.lines().skip_while(|line| !is_error(line)).take(40).peekable();
    if lines.peek().is_none() {
        let all: Vec<&str> = output.lines().collect();
        return all[all.len().saturating_sub(10)..].join("\n");
    }
    lines.collect::<Vec<_>>().join("\n")
}

fn is_error(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    lower.contains("error") && !lower.contains("error.h")
        || lower.contains("could not find") && !line.starts_with("-- ")
}

/// Switches off the cached options that the complaint names, that speak of what could not be found, or that bring in
/// the tests, examples or documents where it failed; and makes placeholders for files that the tree lacks.
fn cmake(run: &StepRun) -> Vec<String> {
    let complaint = complaint(&run.output);
    let mut subjects = missing(&complaint);
    subjects.extend(asides(&complaint));
    let on = run.options.lines().filter_map(|line| {
        let (name, value) = line.split_once(":BOOL=")?;
        matches!(value.to_ascii_uppercase().as_str(), "ON" | "1" | "TRUE" | "YES").then_some(name)
    });
    let about = |name: &&str| {
        let upper = name.to_ascii_uppercase();
        !upper.starts_with("CMAKE_")
            && (words(&complaint).any(|word| word == *name) || subjects.iter().any(|subject| upper.contains(subject)))
    };
    on.filter(about).map(|name| format!("-D{name}=OFF")).chain(placeholders(&complaint, &run.step.folder)).collect()
}

/// What kinds of side matter the failing build files belong to.
fn asides(complaint: &str) -> Vec<String> {
    let places = complaint.lines().filter_map(|line| {
        let (place, _) = line.strip_prefix("CMake Error at ").unwrap_or(line).split_once(':')?;
        (place.ends_with("meson.build") || line.starts_with("CMake Error at ")).then_some(place)
    });
    let folders = places.flat_map(|path| path.split('/').map(str::to_ascii_uppercase).collect::<Vec<_>>());
    let known = ["TEST", "EXAMPLE", "SAMPLE", "BENCH", "FUZZ", "DOC", "DEMO"];
    folders
        .filter_map(|folder| known.iter().find(|word| folder.starts_with(**word)).map(|word| (*word).to_owned()))
        .collect()
}

/// Files and folders that a build lists and the tree lacks: repackaged sources leave some out.
fn placeholders(complaint: &str, project: &str) -> Vec<String> {
    let root = format!("/scratch/tree/{project}");
    let mut found = Vec::new();
    for part in complaint.split("CMake Error at ").skip(1) {
        let here = part.split_once(':').map_or("", |(file, _)| folder(file));
        let text = part.split_whitespace().collect::<Vec<_>>().join(" ");
        let source = text.split_once("Cannot find source file: ").and_then(|(_, rest)| rest.split_whitespace().next());
        let subfolder =
            text.split_once("add_subdirectory given source \"").and_then(|(_, rest)| rest.split('"').next());
        for (path, end) in source.map(|path| (path, "")).into_iter().chain(subfolder.map(|path| (path, "/"))) {
            let inside = match path.strip_prefix(root.trim_end_matches('/')) {
                Some(inside) => Some(inside.trim_start_matches('/').to_owned()),
                None if path.starts_with('/') => None,
                None => join(here, path),
            };
            found.extend(inside.map(|path| format!("placeholder:{}{end}", path.trim_end_matches('/'))));
        }
    }
    found
}

/// Does without everything that is optional; then without what the options that speak of the complaint bring in.
fn meson(run: &StepRun) -> Vec<String> {
    const ALL: &str = "-Dauto_features=disabled";
    if !run.step.remedies.contains(ALL) {
        return vec![ALL.to_owned()];
    }
    let complaint = complaint(&run.output);
    let mut subjects = missing(&complaint);
    subjects.extend(asides(&complaint));
    let options: Vec<Value> = serde_json::from_str(&run.options).unwrap_or_default();
    let off = |option: &Value| {
        let name = option.get("name")?.as_str()?;
        let choices = option.get("choices").and_then(Value::as_array);
        let is_feature = choices.is_some_and(|choices| choices.iter().any(|choice| choice == "disabled"));
        let value = match option.get("value") {
            Some(Value::Bool(true)) => "false",
            Some(Value::String(value)) if is_feature && value != "disabled" => "disabled",
            _ => return None,
        };
        let upper = name.to_ascii_uppercase();
        subjects.iter().any(|subject| upper.contains(subject)).then(|| format!("-D{name}={value}"))
    };
    options.iter().filter_map(off).collect()
}

/// The switches that the complaint names, or those of the script's help that speak of what could not be found.
fn configure(run: &StepRun) -> Vec<String> {
    let complaint = complaint(&run.output);
    let named: Vec<String> = switches(&complaint)
        .filter(|switch| switch.starts_with("--without-") || switch.starts_with("--disable-"))
        .collect();
    if !named.is_empty() {
        return named;
    }
    let missing = missing(&complaint);
    let speaks = |switch: &String| {
        let upper = switch.to_ascii_uppercase();
        missing.iter().any(|missing| upper.ends_with(&format!("-{missing}")))
    };
    let negate = |switch: String| switch.replacen("--with-", "--without-", 1).replacen("--enable-", "--disable-", 1);
    let mut found: Vec<String> = switches(&run.options).filter(speaks).map(negate).collect();
    found.sort();
    found.dedup();
    found
}

/// The words of a text that are switches (`--disable-x`), without their values.
fn switches(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || "-_+.".contains(letter)))
        .filter(|word| word.starts_with("--") && word.len() > 6)
        .map(|word| word.trim_end_matches(['.', '-']).to_owned())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_' || letter == '-' || letter == '+'))
        .map(|word| word.strip_prefix("-D").unwrap_or(word))
}

/// What a complaint says could not be found, in capitals and without the word `LIB` in front.
fn missing(complaint: &str) -> Vec<String> {
    const MARKS: [&str; 12] = [
        "Dependency \"",
        "Program '",
        "Could NOT find ",
        "Could not find ",
        "could not find ",
        "provided by \"",
        "No package '",
        "find_package(",
        "Cannot find ",
        "cannot find ",
        "required package ",
        "Unable to find ",
    ];
    const EMPTY: &str = " A THE ANY PACKAGE LIBRARY HEADER FILE CONFIGURATION REQUIRED CMAKE FOLLOWING ";
    let mut found: Vec<String> = MARKS
        .iter()
        .flat_map(|mark| complaint.match_indices(mark).map(|(at, _)| &complaint[at + mark.len()..]))
        .filter_map(|rest| words(rest).find(|word| !word.is_empty()))
        .chain(
            complaint
                .lines()
                .filter_map(|line| line.split(" not found").next().filter(|before| before.len() < line.len()))
                .filter_map(|before| words(before).filter(|word| !word.is_empty()).last()),
        )
        .map(|word| word.to_ascii_uppercase())
        .map(|word| word.strip_prefix("LIB").filter(|rest| rest.len() > 1).map(str::to_owned).unwrap_or(word))
        .map(|word| word.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '-').to_owned())
        .filter(|word| word.len() > 1 && !listed(EMPTY, word))
        .collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_names_what_is_missing() {
        assert_eq!(missing("CMake Error: Could NOT find OpenSSL, try to set"), ["OPENSSL"]);
        assert_eq!(missing("Could not find a package configuration file provided by \"Foo\" with"), ["FOO"]);
        assert_eq!(missing("configure: error: libpsl not found"), ["PSL"]);
        assert_eq!(missing("meson.build:5:0: ERROR: Dependency \"gem-2.0\" not found, tried pkgconfig"), ["GEM"]);
        assert_eq!(asides("tests/unit/meson.build:5:0: ERROR: no"), ["TEST"]);
    }

    #[test]
    fn what_repackaged_sources_lack_gets_a_placeholder() {
        let text = "CMake Error at sub/CMakeLists.txt:8 (add_library):\n  Cannot find source file:\n\n    gen/a.cc\n\n  Tried\n\n\n\
                    CMake Error at CMakeLists.txt:3 (add_subdirectory):\n  add_subdirectory given source\n  \"deps/z\" which";
        assert_eq!(placeholders(text, ""), ["placeholder:sub/gen/a.cc", "placeholder:deps/z/"]);
        assert_eq!(
            placeholders("CMake Error at CMakeLists.txt:3 (x):\n  Cannot find source file: /etc/x.c", ""),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_complaint_names_the_switch_that_does_without() {
        let text = "configure: error: select TLS backend(s) or disable TLS with --without-ssl.";
        assert_eq!(switches(text).collect::<Vec<_>>(), ["--without-ssl"]);
    }
}
