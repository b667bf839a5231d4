//! The top-level declarations of a unit, and the unit without one of them.

use std::ops::Range;

use estrange_unit::Reading;

/// Something at file or namespace level that can be taken away by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removable {
    /// Its text, with the semicolon.
    pub range: Range<usize>,
    /// What kinds of declarations it is made of, such as `Alias+Record`.
    pub kind: String,
    /// The first name that it declares.
    pub name: String,
    /// Whether all of it only declares.
    pub only_declares: bool,
}

/// The top-level declarations of a text that was read, also those inside namespaces and linkage blocks. Declarators
/// that share a text, such as those of `typedef struct {…} a, *b;`, are one.
pub fn removables(text: &str, reading: &Reading) -> Vec<Removable> {
    let mut removables: Vec<Removable> = Vec::new();
    let mut declarations: Vec<_> = reading.declarations.iter().collect();
    declarations.sort_by_key(|each| (each.start, each.at));
    for declaration in declarations {
        let (start, end) = (declaration.start as usize, declaration.end as usize);
        let kind = format!("{:?}", declaration.kind);
        match removables.last_mut() {
            Some(last) if start < last.range.end => {
                last.range.end = last.range.end.max(end);
                if last.name.is_empty() {
                    last.name.clone_from(&declaration.name);
                }
                // What stands inside of a class says nothing about the class.
                if declaration.class.is_none() {
                    last.only_declares &= !declaration.is_definition;
                    if !last.kind.split('+').any(|each| each == kind) {
                        last.kind = format!("{}+{kind}", last.kind);
                    }
                }
            }
            _ => {
                // `extern "C"` without braces goes with what it stands before.
                let container = declaration.container.and_then(|index| reading.containers.get(index as usize));
                let opening = container.map_or(start, |container| container.start as usize);
                let bare = text.get(opening..start).is_some_and(|opening| !opening.contains('{'));
                removables.push(Removable {
                    range: if bare { opening } else { start }..end,
                    kind,
                    name: declaration.name.clone(),
                    only_declares: !declaration.is_definition,
                });
            }
        }
    }
    let starts: Vec<usize> = removables.iter().map(|each| each.range.start).collect();
    for (index, removable) in removables.iter_mut().enumerate() {
        let bound = starts.get(index + 1).copied().unwrap_or(text.len());
        if text.get(removable.range.clone()).is_some_and(|own| !own.ends_with(';'))
            && let Some(rest) = text.get(removable.range.end..bound)
            && let Some(length) = up_to_semicolon(rest)
        {
            removable.range.end += length;
        }
    }
    removables.retain(|each| text.get(each.range.clone()).is_some());
    removables
}

/// The length of `rest` up to its first semicolon outside of parentheses, if nothing but attributes stands before it.
fn up_to_semicolon(rest: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, character) in rest.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            ';' if depth == 0 => return Some(at + 1),
            // A directive, or something else's braces.
            '{' | '}' | '#' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The text without this part; lines stay where they are.
pub fn without(text: &str, range: &Range<usize>) -> String {
    let gap: String = text[range.clone()].chars().filter(|&character| character == '\n').collect();
    [&text[..range.start], gap.as_str(), &text[range.end..]].concat()
}
