//! A function that does nothing: its declaration with an empty body, for the gate that asks whether its tests would notice.

use estrange_text::lexer::{Kind, Token, lex};
use estrange_words::Language;

/// The texts of a definition without its work, likeliest first: it returns zero, or what is empty, or nothing. Which of them
/// compiles, a compiler must say. `definition` is the whole definition; there are none if it does not end with a body.
pub fn stubs(definition: &str, name: &str, language: Language) -> Vec<String> {
    let Some(parts) = Parts::of(definition, name) else { return Vec::new() };
    let bodies = if language.is_cpp() { parts.cpp_bodies() } else { parts.c_bodies(name) };
    bodies.into_iter().map(|body| format!("{}{body}", &definition[..parts.body])).collect()
}

/// What a definition consists of.
struct Parts<'a> {
    /// What stands before the name.
    returns: Vec<&'a str>,
    /// The names of the parameters.
    parameters: Vec<&'a str>,
    /// Where the body begins.
    body: usize,
}

impl<'a> Parts<'a> {
    fn of(definition: &'a str, name: &str) -> Option<Self> {
        let tokens: Vec<Token> = lex(definition)
            .into_iter()
            .filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive))
            .collect();
        let text = |at: usize| tokens.get(at).map_or("", |token| token.text(definition));
        let mut depth = 0;
        let body = (0..tokens.len()).rev().find(|&at| {
            depth += i32::from(text(at) == "}") - i32::from(text(at) == "{");
            depth == 0
        })?;
        if text(body) != "{" {
            return None;
        }
        let place = tokens[body].start as usize;
        let named = (0..body).find(|&at| text(at) == name && text(at + 1) == "(");
        let Some(named) = named else {
            // An operator, or a name that a macro makes.
            return Some(Self { returns: (0..body).map(text).collect(), parameters: Vec::new(), body: place });
        };
        let mut first = named;
        while first >= 2 && text(first - 1) == "::" {
            first -= 2;
        }
        if first >= 1 && text(first - 1) == "~" {
            first = 0;
        }
        let mut depth = 0;
        let close = (named + 1..body).find(|&at| {
            depth += i32::from(text(at) == "(") - i32::from(text(at) == ")");
            depth == 0
        })?;
        let words: Vec<&str> = (named + 2..close).map(text).collect();
        Some(Self { returns: (0..first).map(text).collect(), parameters: parameters(&words), body: place })
    }

    fn returns_nothing(&self) -> bool {
        self.returns.contains(&"void") && !self.returns.contains(&"*")
    }

    fn c_bodies(&self, name: &str) -> Vec<String> {
        let used: String = self.parameters.iter().map(|parameter| format!(" (void){parameter};")).collect();
        let nothing = format!("{{{used} }}");
        if self.returns_nothing() {
            return vec![nothing];
        }
        let call = format!("{name}({})", self.parameters.join(", "));
        vec![
            // Whatever the type is called.
            format!("{{ static __typeof__({call}) zero;{used} return zero; }}"),
            format!("{{{used} return 0; }}"),
            nothing,
        ]
    }

    fn cpp_bodies(&self) -> Vec<String> {
        let specifiers = ["static", "inline", "virtual", "constexpr", "explicit", "extern", "friend"];
        let words: Vec<&str> = self.returns.iter().copied().filter(|word| !specifiers.contains(word)).collect();
        if words.is_empty() || (words.contains(&"void") && !words.contains(&"*")) {
            return vec!["{ }".to_owned()];
        }
        if words.last() == Some(&"&") {
            let kind: Vec<&str> = words.iter().copied().filter(|word| *word != "&" && *word != "const").collect();
            let own = format!("{{ static {} zero{{}}; return zero; }}", kind.join(" "));
            return vec!["{ return *this; }".to_owned(), own];
        }
        ["{ return {}; }", "{ return 0; }", "{ }"].map(str::to_owned).to_vec()
    }
}

/// The names of parameters, from what stands between their parentheses.
fn parameters<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut depth = 0;
    let parts = words.split(|word| {
        depth += i32::from(["(", "["].contains(word)) - i32::from([")", "]"].contains(word));
        *word == "," && depth == 0
    });
    parts.filter_map(parameter).collect()
}

fn parameter<'a>(words: &[&'a str]) -> Option<&'a str> {
    let is_name = |word: &&&str| word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    // A pointer to a function has its name in the first parentheses.
    if let Some(at) = words.windows(2).position(|pair| pair == ["(", "*"]) {
        return words[at..].iter().find(is_name).copied();
    }
    let end = words.iter().position(|word| *word == "[").unwrap_or(words.len());
    let name = words[..end].iter().rev().find(is_name).copied()?;
    (name != "void").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(definition: &str, name: &str, language: Language) -> String {
        stubs(definition, name, language).first().cloned().unwrap_or_default()
    }

    #[test]
    fn c_functions_return_a_zero_of_their_type() {
        let c = |definition, name| first(definition, name, Language::C);
        assert_eq!(
            c(
                "static struct point *middle(const int xs[], int (*order)(int, int), size_t n)\n{ if (n) { } return 0; }",
                "middle"
            ),
            "static struct point *middle(const int xs[], int (*order)(int, int), size_t n)\n{ static __typeof__(middle(xs, order, \
             n)) zero; (void)xs; (void)order; (void)n; return zero; }"
        );
        assert_eq!(c("int f(a, b)\n    int a;\n    char *b;\n{ return 1; }", "f").matches("(void)").count(), 2);
        assert_eq!(c("PUBLIC(void) go(void) { x = \"}\"; }", "go"), "PUBLIC(void) go(void) { }");
        assert!(c("PUBLIC(item *) make(int n) { return 0; }", "make").contains("__typeof__(make(n))"));
        assert_eq!(c("int f(void);", "f"), "");
    }

    #[test]
    fn cpp_functions_return_what_is_empty() {
        let cpp = |definition, name| first(definition, name, Language::Cpp);
        assert_eq!(
            cpp("std::string Node::Tag() const { return tag; }", "Tag"),
            "std::string Node::Tag() const { return {}; }"
        );
        assert_eq!(cpp("Node::Node(int n) : a{n} { go(); }", "Node"), "Node::Node(int n) : a{n} { }");
        assert_eq!(cpp("Node::~Node() { go(); }", "Node"), "Node::~Node() { }");
        let references = stubs("const Mark& Node::Mark() { return mark; }", "Mark", Language::Cpp);
        assert_eq!(references[1], "const Mark& Node::Mark() { static Mark zero{}; return zero; }");
    }
}
