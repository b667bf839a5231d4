//! What a function may use, by kind: what its unit has besides it.

use std::collections::HashSet;
use std::ops::Range;

use estrange_text::comments::strip;
use estrange_text::lexer::{Kind, lex};
use estrange_text::splice::splice;
use estrange_text::top_level::{Chunk, What, chunks};

use super::cut::body;
use crate::seen::{Seen, View};

/// What something is that a function may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Use {
    /// A header of the system.
    Header,
    /// A function.
    Function,
    /// A struct, a class, another name for a type.
    Type,
    /// A macro.
    Macro,
    /// A variable outside of functions.
    Variable,
}

impl Use {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Header, Self::Function, Self::Type, Self::Macro, Self::Variable];

    /// What stands above them.
    pub fn title(self) -> &'static str {
        match self {
            Self::Header => "Headers that are included",
            Self::Function => "Functions that may be used",
            Self::Type => "Types that may be used",
            Self::Macro => "Macros that may be used",
            Self::Variable => "Global variables that may be used",
        }
    }
}

/// Something that a function may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thing {
    /// What it is.
    pub what: Use,
    /// Its name, where it has a plain one.
    pub name: Option<String>,
    /// Its text, without comments.
    pub text: String,
}

/// All that a unit has for a function, in the order of the unit. Other functions are declared only, unless their bodies are
/// asked for.
pub fn things(unit: &str, function: &Range<usize>, with_bodies: bool) -> Option<Vec<Thing>> {
    let seen = if with_bodies { Seen::LinkedUnit } else { Seen::Unit };
    let view = View::of(unit, function.clone(), seen)?;
    let (text, place) = (view.text.as_ref(), view.function.clone());
    let mut things = Vec::new();
    for chunk in chunks(text) {
        if place.start <= chunk.place.start && chunk.place.end <= place.end {
            continue;
        }
        things.extend(thing(text, &chunk, &place));
    }
    let mut known = HashSet::new();
    things.retain(|thing| known.insert(thing.text.clone()));
    // A function that is defined need not be declared, too.
    let defined: HashSet<String> =
        things.iter().filter(|thing| thing.text.ends_with('}')).filter_map(|thing| thing.name.clone()).collect();
    things.retain(|thing| {
        thing.what != Use::Function
            || thing.text.ends_with('}')
            || !thing.name.as_ref().is_some_and(|name| defined.contains(name))
    });
    Some(things)
}

fn thing(text: &str, chunk: &Chunk, function: &Range<usize>) -> Option<Thing> {
    let what = match chunk.what {
        What::Include => Use::Header,
        What::Macro => Use::Macro,
        What::Function | What::Prototype => Use::Function,
        What::Type => Use::Type,
        What::Variable => Use::Variable,
        What::Directive => return None,
    };
    let own = &text[chunk.place.clone()];
    // A method that is written in its class must not be shown with it.
    let own = match chunk.place.start <= function.start && function.end <= chunk.place.end {
        true => {
            let inner = &text[function.clone()];
            let hidden = body(inner)?;
            let from = function.start - chunk.place.start;
            let head = inner[..hidden.start].trim_end().len();
            splice(own, &[(from + head..from + hidden.end, ";")], &mut [])
        }
        false => own.to_owned(),
    };
    let text = strip(&own).trim().to_owned();
    (!text.is_empty()).then(|| Thing { what, name: chunk.name.clone(), text })
}

/// The identifiers of a text, those in directives included.
pub fn identifiers(text: &str) -> HashSet<&str> {
    let mut all = HashSet::new();
    for token in lex(text) {
        match token.kind {
            Kind::Identifier => {
                all.insert(token.text(text));
            }
            Kind::Directive => all.extend(
                token
                    .text(text)
                    .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                    .filter(|word| !word.is_empty()),
            ),
            _ => {}
        }
    }
    all
}

/// What may be used, as it stands in a prompt: a heading for each kind that there is.
pub fn written(things: &[Thing]) -> String {
    let mut text = String::new();
    for what in Use::ALL {
        let own: Vec<&str> =
            things.iter().filter(|thing| thing.what == what).map(|thing| thing.text.as_str()).collect();
        if own.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("// {}:\n", what.title()));
        let gap = if what == Use::Type || own.iter().any(|thing| thing.contains('\n')) { "\n\n" } else { "\n" };
        text.push_str(&own.join(gap));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_given_what_it_may_use_and_never_itself() {
        let unit = "#include <stdio.h>\n#define MOST 3 /* a */\nstruct node { int a; };\nstatic int help(int a) { return a; }\n\
                    extern int table[];\n// the answer\nint f(int a)\n{\n    return help(a) + MOST;\n}\n";
        let start = unit.find("int f").unwrap();
        let place = start..unit.trim_end().len();
        let things = super::things(unit, &place, false).unwrap();
        assert_eq!(
            written(&things),
            "// Headers that are included:\n#include <stdio.h>\n\n// Functions that may be used:\nstatic int help(int a);\n\n\
             // Types that may be used:\nstruct node { int a; };\n\n// Macros that may be used:\n#define MOST 3\n\n\
             // Global variables that may be used:\nextern int table[];\n"
        );
        let with_bodies = super::things(unit, &place, true).unwrap();
        assert!(written(&with_bodies).contains("static int help(int a) { return a; }"));
    }

    #[test]
    fn a_method_that_is_written_in_its_class_is_declared_there() {
        let unit = "class A {\n  int x;\n  int get() const { return x; }\n  int twice() const { return 2 * x; }\n};\n";
        let start = unit.find("int twice").unwrap();
        let end = unit.find(" }\n};").unwrap() + 2;
        let text = written(&super::things(unit, &(start..end), false).unwrap());
        assert!(text.contains("int twice() const;"), "{text}");
        assert!(!text.contains("2 * x"), "{text}");
    }
}
