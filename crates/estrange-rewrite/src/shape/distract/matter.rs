//! Statements that compute something of their own, in which a sanitizer has nothing to check: nothing signed is computed, no
//! element is read, and no function is called that says what its arguments must be.

use crate::shape::draw::Draw;
use crate::shape::view::View;

/// A header whose functions are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Header {
    String,
    Standard,
    Output,
    Characters,
}

/// Some statements, and the check that ends them and never fires.
pub(super) struct Matter {
    pub(super) lines: Vec<String>,
    pub(super) check: String,
}

impl Header {
    pub(super) const ALL: [Self; 4] = [Self::String, Self::Standard, Self::Output, Self::Characters];

    /// How it is included; C++ may leave out the `.h`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::String => "<string.h>",
            Self::Standard => "<stdlib.h>",
            Self::Output => "<stdio.h>",
            Self::Characters => "<ctype.h>",
        }
    }

    /// Names of its functions.
    pub(super) fn functions(self) -> &'static [&'static str] {
        match self {
            Self::String => &[
                "strlen", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "strcpy", "strncpy", "strcat", "strncat",
                "strdup", "strtok", "strspn", "strcspn", "strpbrk", "strcoll", "strerror", "memcpy", "memmove",
                "memset", "memcmp", "memchr", "size_t", "bcopy", "index", "rindex", "basename",
            ],
            Self::Standard => &["abs", "labs"],
            Self::Output => &["snprintf"],
            Self::Characters => &["toupper", "tolower"],
        }
    }
}

/// Words that a program may have as texts.
const TEXTS: [&str; 16] = [
    "ready", "default", "buffer", "pending", "version", "main", "session", "unknown", "index", "primary", "status",
    "cache", "config", "header", "payload", "retry",
];

/// Names of variables.
const NAMES: [&str; 16] = [
    "total", "level", "width", "attempts", "amount", "position", "score", "weight", "padding", "quota", "margin",
    "budget", "interval", "depth", "rank", "limit",
];

/// Statements drawn from what can be had with some headers; `names` are those that others have taken.
pub(super) fn drawn(view: &View<'_>, headers: &[Header], names: &mut Vec<String>, draw: &mut Draw) -> Matter {
    let mut fresh = |wanted: &str| {
        let name = view.fresh_beside(wanted, names);
        names.push(name.clone());
        name
    };
    // What the text uses as a name, a macro may mean otherwise.
    let has = |header: &Header| headers.contains(header) && !header.functions().iter().any(|name| is_own(view, name));
    let mut sources = vec![None, None];
    sources.extend(headers.iter().filter(|header| has(header)).map(Some));
    let source = draw.one(&sources).copied().flatten();
    let name = fresh(NAMES[draw.below(NAMES.len())]);
    let word = TEXTS[draw.below(TEXTS.len())];
    let number = 3 + draw.below(60);
    match (source, draw.below(2)) {
        (None, 0) => sum(&name, &fresh("step"), draw),
        (None, _) => mixture(&name, &fresh("seed"), draw),
        (Some(Header::String), 0) => Matter {
            lines: vec![format!("unsigned long {name} = strlen(\"{word}\");")],
            check: format!("if ({name} > {}) {name} = 0;", word.len() + number),
        },
        (Some(Header::String), _) => {
            let other =
                TEXTS.iter().copied().filter(|other| *other != word).nth(draw.below(TEXTS.len() - 1)).unwrap_or("");
            Matter {
                lines: vec![format!("unsigned long {name} = strlen(\"{word}\") + strlen(\"{other}\");")],
                check: format!("if ({name} < {}) {name} = {number};", word.len().max(other.len())),
            }
        }
        (Some(Header::Standard), 0) => Matter {
            lines: vec![format!("int {name} = abs(-{number});")],
            check: format!("if ({name} < {number}) {name} = {number};"),
        },
        (Some(Header::Standard), _) => Matter {
            lines: vec![format!("long {name} = labs(-{number}L);")],
            check: format!("if ({name} != {number}) {name} = 0;"),
        },
        (Some(Header::Output), _) => {
            let message = fresh("message");
            Matter {
                lines: vec![
                    format!("char {message}[{}];", 40 + 8 * draw.below(4)),
                    format!("int {name} = snprintf({message}, sizeof {message}, \"{word} %d\", {number});"),
                ],
                check: format!("if ({name} < 0) {name} = {number};"),
            }
        }
        (Some(Header::Characters), which) => {
            let letter = char::from(b'a' + draw.below(26) as u8);
            let (function, letter) =
                if which == 0 { ("toupper", letter) } else { ("tolower", letter.to_ascii_uppercase()) };
            Matter {
                lines: vec![format!("int {name} = {function}('{letter}');")],
                check: format!("if ({name} == '{letter}') {name} = {number};"),
            }
        }
    }
}

/// Whether the text itself declares or defines a name.
fn is_own(view: &View<'_>, name: &str) -> bool {
    view.tree.things.iter().any(|thing| thing.name == name && thing.at.is_some())
        || view.text.contains(&format!("define {name}"))
}

/// A sum over some rounds.
fn sum(name: &str, step: &str, draw: &mut Draw) -> Matter {
    let (first, factor, term, rounds) = (1 + draw.below(40), 2 + draw.below(29), 1 + draw.below(9), 2 + draw.below(5));
    let mut value = first as u32;
    for _ in 0..rounds {
        value = value.wrapping_mul(factor as u32).wrapping_add(term as u32);
    }
    Matter {
        lines: vec![
            format!("unsigned {name} = {first};"),
            format!("unsigned {step};"),
            format!("for ({step} = 0; {step} < {rounds}; {step}++) {name} = {name} * {factor} + {term};"),
        ],
        check: format!("if ({name} == {}u) {name} = {first};", value ^ 1),
    }
}

/// A number mixed out of another one.
fn mixture(name: &str, seed: &str, draw: &mut Draw) -> Matter {
    let (first, factor, mask) = (1 + draw.below(90), 3 + draw.below(60), 1 + draw.below(200));
    let value = ((first * factor) ^ mask) & 255;
    Matter {
        lines: vec![
            format!("unsigned {seed} = {first};"),
            format!("unsigned {name} = ({seed} * {factor}u ^ {mask}u) & 255u;"),
        ],
        check: format!("if ({name} == {}u) {name} = {seed};", value ^ 1),
    }
}
