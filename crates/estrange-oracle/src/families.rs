//! Families of mistakes that rewrites make and small edits do not: what the oracle says of them is measured, and is no part
//! of what it says of a function.

use std::collections::BTreeMap;

use estrange_clang::{Binary, Body, NodeKind, Shape, Tree, Unary};

use crate::edits::{Edit, edited, statement_end};
use crate::mutants::{Mutant, Operator};
use crate::oracle::{OracleError, Prepared, Subject, Variant};
use crate::preparation::function_of;
use crate::record::Verdict;
use crate::same_code::{Around, have_same_code};

/// A family of mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// An added branch: on a number, on a text, on two arguments that are equal.
    Branch,
    /// Floating point: a comparison turned round, another order, the sign of zero.
    Floating,
    /// A length or an index in too narrow a type.
    Narrowed,
    /// A variable with a sign, or without.
    Signedness,
    /// A cast that is gone, or elsewhere.
    Cast,
    /// What was read before another place was written to, which may be the same.
    Alias,
}

/// What became of a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// It was seen.
    Refused,
    /// It was not seen, and the evidence is said to be weak.
    Weak,
    /// It was not seen, and taken for the same.
    Missed,
}

/// The most mistakes of a family in a function.
const MOST: usize = 4;

impl Prepared<'_> {
    /// What becomes of mistakes of each family in the function that was prepared, without those that do not compile or for
    /// which a compiler writes the same code.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn measured(&self, subject: &Subject<'_>) -> Result<Vec<(Family, Fate, String)>, OracleError> {
        let arguments: Vec<String> =
            [self.language.flag().to_owned()].into_iter().chain(self.flags.iter().cloned()).collect();
        let tree = self.oracle.parser.tree(subject.text, &arguments)?;
        let Some(number) = function_of(&tree, subject) else { return Ok(Vec::new()) };
        let body = &tree.functions[number];
        let mistakes = mistakes(&tree, subject.text, body);
        let whole = |edits: &[Edit]| edited(subject.text, 0, subject.text.len() as u32, edits);
        let texts: Vec<String> = mistakes.iter().map(|(_, edits)| whole(edits)).collect();
        let names = BTreeMap::new();
        let variants: Vec<Variant<'_>> =
            texts.iter().map(|text| Variant { text, function: subject.function, names: &names, known: &[] }).collect();
        let mut checked = Vec::new();
        for some in variants.chunks(8) {
            checked.extend(self.check(some)?);
        }
        let mutants: Vec<Mutant> =
            mistakes.iter().map(|(_, edits)| Mutant { operator: Operator::Type, edits: edits.clone() }).collect();
        let unseen: Vec<usize> = (0..mutants.len()).filter(|at| agrees(&checked[*at].verdict)).collect();
        let asked: Vec<&Mutant> = unseen.iter().map(|at| &mutants[*at]).collect();
        let same = have_same_code(self.oracle, subject, &tree, body, &self.harness, &asked, Around::All)?;
        let is_same = |at: &usize| unseen.iter().position(|one| one == at).is_some_and(|place| same[place]);
        let rows = mistakes.into_iter().zip(&checked).enumerate().filter(|(at, _)| !is_same(at));
        Ok(rows
            .filter_map(|(_, ((family, edits), checked))| {
                let fate = match checked.verdict {
                    Verdict::Differs(_) => Fate::Refused,
                    Verdict::AgreesWeakly => Fate::Weak,
                    Verdict::Agrees | Verdict::Exhaustive => Fate::Missed,
                    Verdict::Untestable { .. } => return None,
                };
                let said = edits.iter().map(|edit| {
                    let was = subject.text.get(edit.start as usize..edit.end as usize).unwrap_or_default();
                    format!("`{was}` became `{}`", edit.text)
                });
                Some((family, fate, said.collect::<Vec<_>>().join("; ")))
            })
            .collect())
    }
}

fn agrees(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Agrees | Verdict::AgreesWeakly | Verdict::Exhaustive)
}

/// Mistakes of all families in a function: of each some, all over the function.
fn mistakes(tree: &Tree, text: &str, body: &Body) -> Vec<(Family, Vec<Edit>)> {
    let mut all = Vec::new();
    let Some(block) = body.body else { return all };
    let maker = Maker { tree, text };
    maker.branches(body, block, &mut all);
    for node in tree.subtree(block).filter(|node| tree.node(*node).is_written) {
        maker.floating(node, &mut all);
        maker.declared(node, &mut all);
        maker.index(node, &mut all);
        maker.cast(node, &mut all);
        maker.alias(node, &mut all);
    }
    let mut by_family: BTreeMap<Family, Vec<Vec<Edit>>> = BTreeMap::new();
    all.into_iter().for_each(|(family, edits)| by_family.entry(family).or_default().push(edits));
    let spread = |(family, edits): (Family, Vec<Vec<Edit>>)| {
        let step = edits.len().div_ceil(MOST).max(1);
        edits.into_iter().step_by(step).map(move |edits| (family, edits))
    };
    by_family.into_iter().flat_map(spread).collect()
}

struct Maker<'t> {
    tree: &'t Tree,
    text: &'t str,
}

type Made = Vec<(Family, Vec<Edit>)>;

impl Maker<'_> {
    fn written(&self, node: u32) -> &str {
        let this = self.tree.node(node);
        self.text.get(this.start as usize..this.end as usize).unwrap_or_default()
    }

    fn shape(&self, node: u32) -> Option<&Shape> {
        self.tree.node(node).type_.map(|type_| &self.tree.type_(type_).shape)
    }

    fn is_real(&self, node: u32) -> bool {
        matches!(self.shape(node), Some(Shape::Floating { .. }))
    }

    fn instead(&self, family: Family, node: u32, text: String, made: &mut Made) {
        let this = self.tree.node(node);
        made.push((family, vec![Edit::new(this.start, this.end, text)]));
    }

    /// Branches that come first.
    fn branches(&self, body: &Body, block: u32, made: &mut Made) {
        let result = match self.tree.thing(body.thing).type_.map(|type_| &self.tree.type_(type_).shape) {
            Some(Shape::Function { result, .. }) => &self.tree.type_(*result).shape,
            _ => return,
        };
        let leaves = match result {
            Shape::Void => "return;",
            Shape::Integer { .. } | Shape::Floating { .. } => "return 113;",
            Shape::Pointer { .. } => "return 0;",
            _ => return,
        };
        let mut conditions = Vec::new();
        let mut numbers: Vec<(&str, String)> = Vec::new();
        for parameter in &body.parameters {
            let thing = self.tree.thing(*parameter);
            let Some(type_) = thing.type_.filter(|_| !thing.name.is_empty()) else { continue };
            let name = &thing.name;
            match &self.tree.type_(type_).shape {
                Shape::Integer { bits, .. } => {
                    let number = match bits {
                        8 => "117",
                        16 => "12345",
                        _ => "0x5eadbee",
                    };
                    conditions.push(format!("{name} == {number}"));
                    let spelling = &self.tree.type_(type_).canonical;
                    if let Some((other, _)) = numbers.iter().find(|(_, of)| of == spelling) {
                        conditions.push(format!("{name} == {other} && {name} == 77"));
                    }
                    numbers.push((name, spelling.clone()));
                }
                Shape::Floating { .. } => conditions.push(format!("{name} == 3.71875")),
                Shape::Pointer { to } => {
                    if matches!(self.tree.type_(*to).shape, Shape::Integer { bits: 8, .. }) {
                        conditions.push(format!("{name} && {name}[0] == 'm' && {name}[1] == 'a' && {name}[2] == 'g'"));
                    }
                }
                _ => {}
            }
        }
        let at = self.tree.node(block).start + 1;
        for condition in conditions {
            made.push((Family::Branch, vec![Edit::new(at, at, format!(" if ({condition}) {leaves}"))]));
        }
    }

    fn floating(&self, node: u32, made: &mut Made) {
        let children: Vec<u32> = self.tree.children(node).collect();
        match (self.tree.node(node).kind, &children[..]) {
            (NodeKind::Binary(operator), [left, right]) if self.is_real(*left) => {
                let (a, b) = (self.written(*left), self.written(*right));
                let turned = match operator {
                    Binary::Less => ">=",
                    Binary::LessOrEqual => ">",
                    Binary::Greater => "<=",
                    Binary::GreaterOrEqual => "<",
                    Binary::Divide => {
                        return self.instead(Family::Floating, node, format!("({a} * (1 / ({b})))"), made);
                    }
                    Binary::Add | Binary::Multiply => {
                        let inner: Vec<u32> = self.tree.children(*left).collect();
                        if let (true, [x, y]) = (self.tree.node(*left).kind == NodeKind::Binary(operator), &inner[..]) {
                            let (x, y, sign) = (self.written(*x), self.written(*y), operator.sign());
                            self.instead(Family::Floating, node, format!("({x} {sign} ({y} {sign} {b}))"), made);
                        }
                        return;
                    }
                    _ => return,
                };
                self.instead(Family::Floating, node, format!("!({a} {turned} {b})"), made);
            }
            (NodeKind::Unary(Unary::Minus), [operand]) if self.is_real(*operand) => {
                self.instead(Family::Floating, node, format!("(0 - {})", self.written(*operand)), made);
            }
            (NodeKind::Return, [value]) if self.is_real(*value) && self.tree.node(*value).is_written => {
                self.instead(Family::Floating, *value, format!("({}) + 0.0f", self.written(*value)), made);
            }
            _ => {}
        }
    }

    /// A variable of another type.
    fn declared(&self, node: u32, made: &mut Made) {
        let children: Vec<u32> = self.tree.children(node).collect();
        let (NodeKind::Declaration, [variable]) = (self.tree.node(node).kind, &children[..]) else { return };
        let Some(thing) = self.tree.node(*variable).thing.map(|thing| self.tree.thing(thing)) else { return };
        let Some(Shape::Integer { bits, is_signed, is_character }) =
            thing.type_.map(|type_| &self.tree.type_(type_).shape)
        else {
            return;
        };
        let (written, start) = (self.written(node), self.tree.node(node).start);
        let Some(before) = written.find(thing.name.as_str()).filter(|at| {
            let is_plain = |letter: char| letter.is_alphanumeric() || letter == '_' || letter.is_whitespace();
            *at > 0 && written[..*at].chars().all(is_plain) && !written[..*at].contains("static")
        }) else {
            return;
        };
        let end = start + before as u32;
        if *bits >= 32 && !is_character {
            for narrow in ["unsigned char ", "short "] {
                made.push((Family::Narrowed, vec![Edit::new(start, end, narrow)]));
            }
        }
        let other = match (bits, is_signed) {
            (8, true) => "unsigned char ",
            (8, false) => "signed char ",
            (16, true) => "unsigned short ",
            (16, false) => "short ",
            (32, true) => "unsigned ",
            (32, false) => "int ",
            (64, true) => "unsigned long ",
            (64, false) => "long ",
            _ => return,
        };
        made.push((Family::Signedness, vec![Edit::new(start, end, other)]));
    }

    fn index(&self, node: u32, made: &mut Made) {
        let children: Vec<u32> = self.tree.children(node).collect();
        let (NodeKind::Subscript, [_, index]) = (self.tree.node(node).kind, &children[..]) else { return };
        let this = self.tree.node(*index);
        let is_wide = matches!(self.shape(*index), Some(Shape::Integer { bits: 32 | 64, .. }));
        if is_wide && this.is_written && this.value.is_none() && this.kind != NodeKind::Integer {
            self.instead(Family::Narrowed, *index, format!("(unsigned char)({})", self.written(*index)), made);
        }
    }

    fn cast(&self, node: u32, made: &mut Made) {
        if self.tree.node(node).kind != NodeKind::Cast || !self.written(node).starts_with('(') {
            return;
        }
        let Some(operand) = self.tree.children(node).last() else { return };
        let type_ = self.text.get(self.tree.node(node).start as usize..self.tree.node(operand).start as usize);
        let Some(type_) = type_ else { return };
        self.instead(Family::Cast, node, format!("({})", self.written(operand)), made);
        let mut inner = operand;
        while matches!(self.tree.node(inner).kind, NodeKind::Parentheses | NodeKind::Implicit) {
            let Some(child) = self.tree.children(inner).last() else { return };
            inner = child;
        }
        let children: Vec<u32> = self.tree.children(inner).collect();
        if let (NodeKind::Binary(operator), [left, right]) = (self.tree.node(inner).kind, &children[..]) {
            let moved = format!("({type_}({}) {} {})", self.written(*left), operator.sign(), self.written(*right));
            self.instead(Family::Cast, node, moved, made);
        }
    }

    /// A place that is read before the statement that writes to another, instead of after it.
    fn alias(&self, node: u32, made: &mut Made) {
        if self.tree.node(node).kind != NodeKind::Block {
            return;
        }
        let statements: Vec<u32> = self.tree.children(node).collect();
        for pair in statements.windows(2) {
            let (first, second) = (pair[0], pair[1]);
            let is_plain =
                |node: u32| self.tree.node(node).is_written && statement_end(self.tree, self.text, node).is_some();
            let NodeKind::Binary(operator) = self.tree.node(first).kind else { continue };
            let Some(target) = self.tree.children(first).next().filter(|_| operator.assigns()) else { continue };
            if !self.is_behind_pointer(target) || !is_plain(first) {
                continue;
            }
            let own = self.written(target);
            let read = self.tree.subtree(second).find(|each| {
                let is_target = self.tree.node(*each).parent.is_some_and(|parent| {
                    let assigns = matches!(self.tree.node(parent).kind, NodeKind::Binary(operator) if operator.assigns())
                        || matches!(self.tree.node(parent).kind, NodeKind::Unary(_));
                    assigns && self.tree.children(parent).next() == Some(*each)
                });
                let is_number = matches!(self.shape(*each), Some(Shape::Integer { .. } | Shape::Floating { .. }));
                is_number && !is_target && self.tree.node(*each).is_written && self.is_behind_pointer(*each)
                    && self.shape(*each) == self.shape(target) && self.written(*each) != own
            });
            let Some(read) = read else { continue };
            let place = self.written(read);
            // What the first statement changes must not be needed to find the place.
            let (at, this) = (self.tree.node(first).start, self.tree.node(read));
            made.push((
                Family::Alias,
                vec![
                    Edit::new(at, at, format!("__typeof__({place}) estrange_kept_{at} = {place}; ")),
                    Edit::new(this.start, this.end, format!("estrange_kept_{at}")),
                ],
            ));
        }
    }

    fn is_behind_pointer(&self, node: u32) -> bool {
        match self.tree.node(node).kind {
            NodeKind::Subscript | NodeKind::Unary(Unary::Dereference) => true,
            NodeKind::Member => self.written(node).contains("->"),
            _ => false,
        }
    }
}
