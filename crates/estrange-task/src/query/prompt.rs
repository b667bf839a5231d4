//! What a model is asked to describe a function.
//!
//! As in the paper there is one prompt for each group: the function alone, with the types that it needs, or with the
//! functions that it calls; and one that brings a description into the style of the examples. What is asked for is the
//! same: what the function does for somebody who cannot see into it, the types that go in and come out, and no names. The
//! wording and the examples are ours, and the style is shown by descriptions alone, where the paper shows pairs of a
//! function and its description. The model thinks first, and writes the description behind a marker.

use estrange_bench::{Function, Group};
use estrange_text::splice::splice;

/// What stands before a description in an answer.
pub const MARKER: &str = "SUMMARY:";

/// What is left out of a context that is longer.
const MOST_CONTEXT: usize = 24_000;

/// A function with a good description of it.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The function.
    pub function: &'static str,
    /// Its description.
    pub description: &'static str,
}

/// Written by hand, in the style that all descriptions are to have.
pub const EXAMPLES: [Example; 3] = [
    Example {
        function: "size_t count_upper(const char *s)\n{\n    size_t n = 0;\n    for (; *s; ++s)\n        n += *s >= 'A' && *s <= 'Z';\n    return n;\n}",
        description: "The function takes a constant character pointer to a string that ends with a zero byte. It \
                      counts how many of its characters are capital letters from A to Z, and returns that number as \
                      a size_t.",
    },
    Example {
        function: "bool Range::overlaps(const Range &other) const\n{\n    return first <= other.last && other.first <= last;\n}",
        description: "The method takes a constant reference to a second range. It checks whether the two ranges have \
                      any point in common, their ends included, and returns the answer as a bool without changing \
                      either of them.",
    },
    Example {
        function: "static void list_free(struct list *l)\n{\n    while (l) {\n        struct list *next = l->next;\n        item_release(l->item);\n        free(l);\n        l = next;\n    }\n}",
        description: "The function takes a pointer to the first node of a linked list, which may be null. It releases \
                      the item that each node holds and then the memory of the node itself until nothing is left of \
                      the list. It returns nothing.",
    },
];

/// What all prompts ask for.
const RULES: &str = "\
- Say what the function does, as somebody would who can only call it: not the algorithm, not the steps.
- Where that is too little to tell it from a similar function, say as much more as is needed.
- Say of which types the values are that go in and come out.
- Never write a name: not of the function, of a variable, a field, a macro or another function. Types may be named.
- Say nothing about where the function comes from or what else it might be for. No code, no lists, no examples.";

/// Asks for the description of a function.
pub fn describe(function: &Function) -> String {
    let task = match function.group {
        Group::One => "Describe the following C or C++ function.",
        Group::Two => "Describe the following C or C++ function. The types and constants that it uses come first.",
        Group::Three => {
            "Describe the C or C++ function below the line `Function to describe:`. What comes before it is there to \
             understand it, and is not to be described."
        }
    };
    let examples: String =
        EXAMPLES.iter().map(|example| format!("Example:\n{MARKER} {}\n\n", example.description)).collect();
    let context = context(function);
    let context = if context.is_empty() { context } else { format!("```\n{context}\n```\n\n") };
    format!(
        "{task}\n\n{RULES}\n\nRead the function step by step first. Then write the description, in one paragraph of \
         plain text, on a new line behind `{MARKER}`.\n\n{examples}{context}Function to describe:\n```\n{}\n```\n",
        function.text
    )
}

/// Asks for a description once more, because the last one had names.
pub fn without_names(function: &Function, description: &str, names: &[&str]) -> String {
    format!(
        "The description below must not have these names: {}. Write it again without them and without any other name of \
         the code, and keep what it says. Write it on a new line behind `{MARKER}`.\n\n{MARKER} {description}\n\nFor \
         reference, the function:\n```\n{}\n```\n",
        names.join(", "),
        function.text
    )
}

/// Asks for a description in the style of the examples.
pub fn aligned(function: &Function, description: &str) -> String {
    let examples: String = EXAMPLES
        .iter()
        .enumerate()
        .map(|(number, example)| format!("Example {}:\n{}\n\n", number + 1, example.description))
        .collect();
    format!(
        "Rewrite a description of a C or C++ function so that it reads like the examples: the same form, the same kind of \
         detail. Write no name of a function or variable. Answer with the new description alone, behind \
         `{MARKER}`.\n\n{examples}The description to rewrite:\n{MARKER} {description}\n\nFor reference, the \
         function:\n```\n{}\n```\n",
        function.text
    )
}

/// What a function is to be read with: its types and constants, and the functions that it calls.
fn context(function: &Function) -> String {
    let mut context = match function.group {
        Group::One => String::new(),
        Group::Two | Group::Three => match function.in_unit() {
            Some(own) => splice(&function.unit, &[(own, "")], &mut []).trim().to_owned(),
            None => function.unit.trim().to_owned(),
        },
    };
    if function.group == Group::Three {
        for helper in function.helpers.iter().filter(|helper| !helper.text.is_empty()) {
            if context.len() + helper.text.len() > MOST_CONTEXT {
                break;
            }
            context.push_str("\n\n");
            context.push_str(&helper.text);
        }
    }
    let mut end = context.len().min(MOST_CONTEXT);
    while !context.is_char_boundary(end) {
        end -= 1;
    }
    context.truncate(end);
    context
}

/// The description in an answer: what is behind the last marker, as one paragraph, without what models like to put
/// around it.
pub fn answer(text: &str) -> Option<String> {
    let (_, after) = text.rsplit_once(MARKER)?;
    let mut words: Vec<&str> = after.split_whitespace().collect();
    words.retain(|word| !word.trim_matches(['*', '#', '`', '_']).is_empty());
    let plain = words.join(" ");
    let plain = plain.trim_matches(['*', '"', '`', ' ']).to_owned();
    (!plain.is_empty()).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_description_is_taken_without_decoration() {
        assert_eq!(
            answer("First SUMMARY: wrong.\n\n**SUMMARY:** \n\"Adds two\n numbers.\"").as_deref(),
            Some("Adds two numbers.")
        );
        assert_eq!(answer("SUMMARY:\n ** "), None);
        assert_eq!(answer("Adds two numbers."), None);
    }
}
