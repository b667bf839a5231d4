//! The functions of a project that a function reaches by calls.

use std::collections::{HashSet, VecDeque};

use estrange_clang::{Declaration, Target};

use crate::emit::tidy;
use crate::link::index::Site;
use crate::link::{HelperText, Program};

/// As [`Program::helpers`].
pub(super) fn helpers(program: &Program<'_>, unit: u32, function: u32, depth: u32, lines: usize) -> Vec<HelperText> {
    let mut found = Vec::new();
    // What only one translation unit can see is told apart by it.
    let mut seen: HashSet<(Option<u32>, &str)> = HashSet::new();
    let mut left = lines;
    let mut queue = VecDeque::from([(Site { unit, declaration: function }, 0)]);
    let own = program.members.get(unit as usize).and_then(|member| member.reading.declarations.get(function as usize));
    let visible = |declaration: &Declaration, unit: u32| declaration.is_internal.then_some(unit);
    seen.extend(own.map(|declaration| (visible(declaration, unit), declaration.usr.as_str())));
    while let Some((site, steps)) = queue.pop_front() {
        let sheet = program.sheet(site.unit);
        let slices = &sheet.slices;
        if slices.chunk_of.get(site.declaration as usize).is_none_or(|chunk| *chunk == u32::MAX) {
            continue;
        }
        let (start, end) = slices.extent_of(site.declaration);
        if steps > 0 {
            let declaration = slices.declaration(site.declaration);
            let text = tidy(&slices.text()[start as usize..end as usize]);
            let length = text.lines().count();
            if length > left {
                break;
            }
            left -= length;
            found.push(HelperText {
                name: declaration.qualified_name.clone(),
                usr: declaration.usr.clone(),
                depth: steps,
                text,
            });
        }
        if steps == depth {
            continue;
        }
        for reference in slices.references(start, end) {
            let Target::Here(offset) = reference.target else { continue };
            let Some(declaration) = slices.declared_at(offset).map(|number| slices.declaration(number)) else {
                continue;
            };
            if !declaration.kind.is_function() || !seen.insert((visible(declaration, site.unit), &declaration.usr)) {
                continue;
            }
            let all = slices.by_usr.get(declaration.usr.as_str()).into_iter().flatten();
            let defined = all.copied().find(|number| slices.declaration(*number).body.is_some());
            let here = defined.map(|declaration| Site { unit: site.unit, declaration });
            let there = || program.index.definition(&declaration.usr, site.unit);
            if let Some(target) = here.or_else(there) {
                queue.push_back((target, steps + 1));
            }
        }
    }
    found
}
