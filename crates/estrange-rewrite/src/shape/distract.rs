//! What has nothing to do with the rest: `distract`.
//!
//! Between the function's statements stand others that compute something of their own: a sum in a loop, the length of a
//! string, a comparison of two, a message that goes nowhere. Each ends in a check that never fires, since everything in it is
//! known. They call only what a header of the text declares (`<string.h>` is included where that is safe), read and write only
//! variables of their own, and nothing in them can be undefined.
//!
//! Left alone: functions that a compiler may have to evaluate (`constexpr`), and places between the labels of a `switch`.

mod matter;

use estrange_clang::NodeKind;
use estrange_text::lexer::{Kind, Token, lex};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::view::View;
use matter::{Header, Matter};

/// The most places of a function where something is added.
const MOST: usize = 3;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    if let Some(word) = ["constexpr", "consteval"].into_iter().find(|word| view.function_has(&[word])) {
        return Err(Refusal::Uses(word.to_owned()));
    }
    let mut places: Vec<u32> = view.all().filter(|node| can_have_before(view, *node)).collect();
    if places.is_empty() {
        return Err(Refusal::NoPlace);
    }
    draw.shuffle(&mut places);
    places.truncate(1 + draw.below(MOST));
    places.sort_unstable();
    let mut edits = Edits::default();
    let mut headers = included(view);
    if !headers.contains(&Header::String)
        && let Some((at, line)) = inclusion(view)
    {
        edits.insert(at, line);
        headers.push(Header::String);
    }
    // In C++ nothing may jump over a variable that has a value.
    let is_apart = view.language.is_cpp() && view.all().any(|node| view.kind(node) == NodeKind::Label);
    let mut names = Vec::new();
    for place in places {
        let start = view.span(place).start;
        let gap = view.line_break(start);
        let Matter { lines, check } = matter::drawn(view, &headers, &mut names, draw);
        let text = lines.iter().chain([&check]).fold(String::new(), |text, line| text + line + &gap);
        let text = if is_apart { format!("{{ {}{gap}}}{gap}", text.trim_end()) } else { text };
        edits.insert(start, text);
        edits.known(check);
    }
    Ok(edits)
}

/// Whether statements may stand before this one.
fn can_have_before(view: &View<'_>, node: u32) -> bool {
    let Some(block) = view.node(node).parent.filter(|parent| view.kind(*parent) == NodeKind::Block) else {
        return false;
    };
    let is_label = |node: u32| matches!(view.kind(node), NodeKind::Case | NodeKind::Default);
    let is_in_lambda = view.ancestors(node).any(|around| view.kind(around) == NodeKind::Lambda);
    !is_in_lambda
        && !matches!(view.kind(node), NodeKind::Empty | NodeKind::Other)
        && !view.children(block).into_iter().any(is_label)
        && view.is_whole_statement(node)
        && !view.is_in_call(view.span(node).start)
}

/// The headers that the text includes, of those that something is known of.
fn included(view: &View<'_>) -> Vec<Header> {
    let directives = lex(&view.text[..view.place().start]).into_iter().filter(|token| token.kind == Kind::Directive);
    let text = view.text;
    let words: Vec<&str> = directives.map(|token| token.text(text)).filter(|line| line.contains("include")).collect();
    Header::ALL.into_iter().filter(|header| words.iter().any(|line| line.contains(header.name()))).collect()
}

/// Where `<string.h>` can be included, and the line that does it; nothing where the text has some of its names for itself.
fn inclusion(view: &View<'_>) -> Option<(usize, String)> {
    if Header::String.functions().iter().any(|name| view.has_word(name)) {
        return None;
    }
    let before = &view.text[..view.place().start];
    let is_include = |token: &Token| token.kind == Kind::Directive && token.text(before).contains("include");
    let last = lex(before).into_iter().rfind(is_include);
    Some(match last {
        Some(last) => (last.end as usize, "\n#include <string.h>".to_owned()),
        // What stands at the very beginning would be a part of the function.
        None if view.place().start == 0 => return None,
        None => (0, "#include <string.h>\n".to_owned()),
    })
}
