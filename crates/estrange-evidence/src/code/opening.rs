//! The opening of a text with its `#include`s first, so that texts which include the same begin alike, whatever their
//! macros are called: what compilers wrote down of the headers then serves all of them.

/// A text that begins with macros before an `#include`.
pub struct Opening<'t> {
    includes: Vec<&'t str>,
    others: Vec<&'t str>,
    rest: &'t str,
}

impl<'t> Opening<'t> {
    /// The opening of a text, if it has macros before an `#include`, and nothing else.
    pub fn of(text: &'t str) -> Option<Self> {
        let mut opening = Self { includes: Vec::new(), others: Vec::new(), rest: text };
        // What stands behind the last `#include`.
        let mut behind = Vec::new();
        let mut length = 0;
        for line in text.split_inclusive('\n') {
            length += line.len();
            let bare = line.trim();
            let is_whole = line.ends_with('\n') && !bare.ends_with('\\') && !bare.contains("/*");
            match directive(bare) {
                _ if !is_whole => break,
                Some("include") => {
                    opening.others.append(&mut behind);
                    opening.includes.push(line);
                    opening.rest = &text[length..];
                }
                Some("define") => behind.push(line),
                None if bare.is_empty() => behind.push(line),
                _ => break,
            }
        }
        let has_macros = opening.macros().next().is_some();
        has_macros.then_some(opening)
    }

    /// The macros that stand before an `#include`: if a header knows one of them, the order counts.
    pub fn macros(&self) -> impl Iterator<Item = &'t str> {
        let name = |line: &'t str| {
            let rest = line.split_once("define")?.1.trim_start();
            rest.split(|letter: char| letter != '_' && !letter.is_alphanumeric()).next()
        };
        self.others.iter().copied().filter_map(name)
    }

    /// The text with its `#include`s first.
    pub fn includes_first(&self) -> String {
        self.includes.iter().chain(&self.others).copied().chain([self.rest]).collect()
    }
}

/// The name of the directive that a line is.
fn directive(line: &str) -> Option<&str> {
    line.strip_prefix('#')?.trim_start().split(|letter: char| !letter.is_alphabetic()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_come_before_macros() {
        let text = "#include <list>\n#define API(x) x\n# include <set>\n#define N 3\nint f();\n#include <x>\n";
        let opening = Opening::of(text).unwrap();
        assert_eq!(opening.macros().collect::<Vec<_>>(), ["API"]);
        let wanted = "#include <list>\n# include <set>\n#define API(x) x\n#define N 3\nint f();\n#include <x>\n";
        assert_eq!(opening.includes_first(), wanted);
    }

    #[test]
    fn what_is_not_plain_ends_it() {
        let text = "#define A 1\n#include <list>\n#define B \\\n2\n#include <set>\n";
        let wanted = "#include <list>\n#define A 1\n#define B \\\n2\n#include <set>\n";
        assert_eq!(Opening::of(text).unwrap().includes_first(), wanted);
        for text in ["#include <list>\n#define N 3\n", "int f();\n", "", "#if X\n#define A\n#include <list>\n#endif\n"]
        {
            assert!(Opening::of(text).is_none(), "{text}");
        }
    }
}
