//! The other side: what a rewrite's text has that the original's has not, and whether inputs reach it.
//!
//! What both have was searched when the original was prepared. What only the rewrite has is marked where it stands, so that
//! comparing the two tells how much of it the inputs reach, and what is worth a search of its own.

use std::collections::BTreeSet;
use std::ops::Range;

use estrange_clang::{Body, NodeKind, Tree};
use estrange_words::Language;

use crate::coverage::Coverage;
use crate::dictionary::Dictionary;
use crate::edits::edited;
use crate::keeping::keeps_nothing;
use crate::likeness::{Likeness, code_of};
use crate::plan::Plan;

/// What stands before a text with marks. Its lines keep their numbers.
const IN_C: &str = "void estrange_mark(int); int estrange_branch(int, int);\n#line 1\n";
const IN_CPP: &str = "extern \"C\" { void estrange_mark(int); int estrange_branch(int, int); }\n#line 1\n";

/// What of an original a rewrite may have as well.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shared {
    /// The code of its other functions.
    codes: BTreeSet<u64>,
    /// What decides its branches.
    all: BTreeSet<Likeness>,
    /// What decides those that no input takes, or of which that is not known.
    open: BTreeSet<Likeness>,
}

impl Shared {
    /// Of a function, with what its inputs reach; none of its marks, if it has none.
    pub(crate) fn of(tree: &Tree, text: &str, own: &Body, coverage: &Coverage, marks: &[u8]) -> Self {
        let mut shared = Self::default();
        for body in tree.functions.iter().filter(|body| body.start != own.start) {
            shared.codes.insert(code_of(text, body));
            shared.open.append(&mut Likeness::of_function(tree, text, body));
        }
        let nodes = || own.body.map(|block| tree.subtree(block)).into_iter().flatten();
        let own_likenesses = Likeness::of_function(tree, text, own);
        // Where a `switch` has no label for what no case fits, nothing tells whether that was reached.
        let is_default = |node: u32| tree.node(node).kind == NodeKind::Default;
        if own_likenesses.contains(&Likeness::Otherwise) && !nodes().any(is_default) {
            shared.open.insert(Likeness::Otherwise);
        }
        shared.open.extend(coverage.unreached(marks).map(|(_, likeness)| likeness.clone()));
        shared.all = own_likenesses.union(&shared.open).cloned().collect();
        shared
    }
}

/// A rewrite's text, ready to be compiled.
#[derive(Debug, Clone)]
pub(crate) struct Side {
    /// With its marks, if it has any.
    pub(crate) text: String,
    pub(crate) coverage: Coverage,
    /// Whether it may have branches that nobody watches.
    is_dark: bool,
    /// Numbers and texts that only this side has.
    pub(crate) hints: Dictionary,
    /// Whether it keeps nothing between calls, and asks nobody.
    pub(crate) keeps_nothing: bool,
}

impl Side {
    /// Of a text that the parser has read.
    pub(crate) fn of(
        tree: &Tree,
        text: &str,
        language: Language,
        known: &[Range<usize>],
        shared: &Shared,
        plan: &Plan,
    ) -> Self {
        let is_new = |body: &&Body| body.body.is_some() && !shared.codes.contains(&code_of(text, body));
        let (markable, dark): (Vec<&Body>, Vec<&Body>) =
            tree.functions.iter().filter(is_new).partition(|body| can_be_marked(text, body));
        // What stands in another function is marked with that.
        let is_within = |body: &Body, other: &Body| other.start < body.start && body.end <= other.end;
        let outer: Vec<&Body> =
            markable.iter().copied().filter(|body| !markable.iter().any(|other| is_within(body, other))).collect();
        let coverage = Coverage::of(tree, text, &outer, language, known);
        let prelude = if language == Language::Cpp { IN_CPP } else { IN_C };
        let marked = edited(text, 0, text.len() as u32, &coverage.edits);
        let has = |body: &Body| !Likeness::of_function(tree, text, body).is_subset(&shared.all);
        let hints = match outer.first() {
            Some(first) => plan.lacks(Dictionary::of(tree, text, first)),
            None => Dictionary::default(),
        };
        Self {
            text: if coverage.marks() > 0 { prelude.to_owned() + &marked } else { text.to_owned() },
            coverage,
            is_dark: dark.into_iter().any(has),
            hints,
            keeps_nothing: keeps_nothing(tree),
        }
    }

    /// Of a text that cannot be marked, or that the parser does not read: nothing is known of what inputs reach.
    pub(crate) fn dark(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            coverage: Coverage::default(),
            is_dark: true,
            hints: Dictionary::default(),
            keeps_nothing: false,
        }
    }

    /// The marks of branches that only this side has and that no input takes.
    pub(crate) fn open(&self, shared: &Shared, marks: &[u8]) -> Vec<u32> {
        let unreached = self.coverage.unreached(marks);
        unreached.filter(|(_, likeness)| !shared.open.contains(likeness)).map(|(number, _)| number).collect()
    }

    /// Whether nothing hides on this side, as far as that can be told.
    pub(crate) fn is_watched(&self) -> bool {
        !self.is_dark
    }
}

/// Whether a function can call others that tell what is reached.
fn can_be_marked(text: &str, body: &Body) -> bool {
    let head = text.get(body.start as usize..body.end as usize).and_then(|text| text.split('{').next());
    !head.is_some_and(|head| head.contains("constexpr") || head.contains("consteval"))
}
