//! The examples on the pages of the rewrites: a text, and what becomes of it or why it is refused.

/// All pages, one after the other. `build.rs` puts them together.
const PAGES: &str = include_str!(concat!(env!("OUT_DIR"), "/pages.md"));

/// What a rewrite does with a text, by its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The text.
    pub before: &'static str,
    /// What it becomes, or why it stays as it is.
    pub after: &'static str,
}

/// The first text that a recipe changes, if the pages have one.
pub fn done(recipes: &[&str]) -> Option<Example> {
    find(|words| matches!(words, ["c" | "cpp", recipe] if recipes.contains(recipe)))
}

/// The first text that it refuses.
pub fn refused(recipes: &[&str]) -> Option<Example> {
    find(|words| matches!(words, ["text", recipe, "refused"] if recipes.contains(recipe)))
}

/// The first block whose mark is wanted, with the last block before it that is only a text.
fn find(is_wanted: impl Fn(&[&str]) -> bool) -> Option<Example> {
    let mut before = None;
    // Between two fences is a block, or what is said about it.
    for block in PAGES.split("```").skip(1).step_by(2) {
        let (mark, text) = block.split_once('\n')?;
        let words: Vec<&str> = mark.split_whitespace().collect();
        match (words.as_slice(), before) {
            (["c" | "cpp"], _) => before = Some(text),
            (words, Some(before)) if is_wanted(words) => return Some(Example { before, after: text }),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_those_of_the_page() {
        let Example { before, after } = done(&["ternary-to-if"]).expect("an example");
        assert!(before.contains("a > b ? a : b") && after.contains("if (a > b)"), "{before}{after}");
        assert!(refused(&["reverse-loop"]).is_some_and(|example| !example.after.is_empty()));
        assert_eq!(done(&["make-coffee"]), None);
    }
}
