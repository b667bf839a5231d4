//! Fills in the templates of configuration headers (`config.h.in` and its kin) with facts about this system.
//!
//! Understood are autoheader's `#undef`, CMake's `#cmakedefine` and `#cmakedefine01`, Meson's `#mesondefine`, and
//! the substitutions `@NAME@` and `${NAME}`. What is not known is left undefined.

use super::facts::Facts;

/// The header that a template becomes.
pub(crate) fn evaluate(template: &str, facts: Facts<'_>) -> String {
    let mut out = String::with_capacity(template.len());
    for line in template.lines() {
        out.push_str(&evaluate_line(line, facts));
        out.push('\n');
    }
    out
}

fn evaluate_line(line: &str, facts: Facts<'_>) -> String {
    let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
        return substitute(line, facts);
    };
    let (keyword, rest) = directive.split_once(char::is_whitespace).unwrap_or((directive, ""));
    let rest = rest.trim();
    let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let known = facts.value(name);
    match keyword {
        "undef" | "mesondefine" if is_name(name) => define(name, known),
        "cmakedefine" if is_name(name) => {
            let wanted = known.filter(|value| value != "0");
            let asks_itself = value.contains(&format!("@{name}@")) || value.contains(&format!("${{{name}}}"));
            define(
                name,
                wanted.map(
                    |known| if asks_itself { value_in(value, name, &known, facts) } else { substitute(value, facts) },
                ),
            )
        }
        "cmakedefine01" if is_name(name) => {
            define(name, Some(if known.is_some_and(|value| value != "0") { "1" } else { "0" }.to_owned()))
        }
        _ => substitute(line, facts),
    }
}

/// A `#define` whose value quotes its own name, as in `#cmakedefine VERSION "@VERSION@"`.
fn value_in(text: &str, name: &str, known: &str, facts: Facts<'_>) -> String {
    let bare = if text.contains('"') { known.trim_matches('"') } else { known };
    substitute(&text.replace(&format!("@{name}@"), bare).replace(&format!("${{{name}}}"), bare), facts)
}

fn define(name: &str, value: Option<String>) -> String {
    match value {
        Some(value) => format!("#define {name} {value}").trim_end().to_owned(),
        None => format!("/* #undef {name} */"),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Puts values in the place of `@NAME@` and `${NAME}`.
fn substitute(line: &str, facts: Facts<'_>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['@', '$']) {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let (open, close) = if tail.starts_with('@') { ("@", '@') } else { ("${", '}') };
        let found = tail.strip_prefix(open).and_then(|inner| inner.split_once(close)).filter(|(name, _)| is_name(name));
        match found {
            Some((name, after)) => {
                let quoted = line[..line.len() - tail.len()].matches('"').count() % 2 == 1;
                out.push_str(&facts.substitution(name, quoted));
                rest = after;
            }
            None => {
                out.push_str(&tail[..1]);
                rest = &tail[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::super::build_files::Project;
    use super::super::system::System;
    use super::*;

    fn fill(template: &str) -> String {
        let system = System::probe();
        let mut project = Project::default();
        project.name = "toy".to_owned();
        project.version = "3.14.1".to_owned();
        evaluate(template, Facts { system: &system, project: &project })
    }

    #[test]
    fn autoheader_templates_are_filled_from_the_system() {
        let header = fill(
            "/* x */\n#undef HAVE_UNISTD_H\n#undef HAVE_SYS_TIME_H\n#undef HAVE_WINDOWS_H\n#undef HAVE_STRDUP\n# undef HAVE_NO_SUCH\n#undef SIZEOF_LONG\n#undef VERSION\n#undef inline",
        );
        assert_eq!(
            header,
            "/* x */\n#define HAVE_UNISTD_H 1\n#define HAVE_SYS_TIME_H 1\n/* #undef HAVE_WINDOWS_H */\n#define HAVE_STRDUP 1\n/* #undef HAVE_NO_SUCH */\n#define SIZEOF_LONG 8\n#define VERSION \"3.14.1\"\n/* #undef inline */\n"
        );
    }

    #[test]
    fn cmake_and_meson_templates_are_filled_from_the_system() {
        let header = fill(
            "#cmakedefine HAVE_STDINT_H\n#cmakedefine HAVE_X 1\n#cmakedefine01 TOY_HAVE_STRDUP\n#cmakedefine01 USE_X\n#mesondefine HAVE_FCNTL_H\n#define V \"@PROJECT_VERSION@\"\n#define M ${toy_VERSION_MAJOR}\n#if @USE_Y@\n#define T @TOY_UINT16_T@\na@b",
        );
        assert_eq!(
            header,
            "#define HAVE_STDINT_H\n/* #undef HAVE_X */\n#define TOY_HAVE_STRDUP 1\n#define USE_X 0\n#define HAVE_FCNTL_H 1\n#define V \"3.14.1\"\n#define M 3\n#if 0\n#define T uint16_t\na@b\n"
        );
    }
}
