//! Small wrong edits: what the oracle must refuse. The share that it does refuse is its kill rate.

use estrange_clang::{Binary, Body, NodeKind, Shape, Tree, Unary};

use crate::conditions::conditions;
use crate::edits::{Edit, lines};
use crate::record::{Cause, Survivor};

/// A wrong edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// What kind of edit it is.
    pub operator: Operator,
    pub(crate) edits: Vec<Edit>,
}

impl Mutant {
    /// Where it begins.
    pub(crate) fn place(&self) -> Option<u32> {
        self.edits.iter().map(|edit| edit.start).min()
    }

    /// How it is told of when it was not seen in a function of a text.
    pub(crate) fn survivor(&self, text: &str, body: &Body, cause: Cause) -> Option<Survivor> {
        const MOST: usize = 80;
        let before = text.get(body.start as usize..self.place()? as usize)?;
        let old = |edit: &Edit| text.get(edit.start as usize..edit.end as usize).unwrap_or_default().to_owned();
        let joined = |parts: Vec<String>| parts.join(" … ").chars().take(MOST).collect();
        Some(Survivor {
            operator: self.operator.name().to_owned(),
            cause,
            line: lines(before) as u32 + 1,
            was: joined(self.edits.iter().map(old).collect()),
            becomes: joined(self.edits.iter().map(|edit| edit.text.clone()).collect()),
        })
    }
}

/// The kinds of wrong edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// Another operator.
    Sign,
    /// A bound that is one off: `<` for `<=`.
    Bound,
    /// Another number.
    Constant,
    /// Another character.
    Character,
    /// Another text.
    Text,
    /// A statement that is missing.
    Dropped,
    /// Two operands the other way round.
    Swapped,
    /// A condition that says the opposite.
    Negated,
    /// Another result.
    Return,
    /// Another type.
    Type,
}

impl Operator {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Sign => "sign",
            Operator::Bound => "bound",
            Operator::Constant => "constant",
            Operator::Character => "character",
            Operator::Text => "text",
            Operator::Dropped => "dropped",
            Operator::Swapped => "swapped",
            Operator::Negated => "negated",
            Operator::Return => "return",
            Operator::Type => "type",
        }
    }
}

/// All wrong edits of a function that are known, in the order of the text.
pub fn mutants(tree: &Tree, text: &str, body: &Body) -> Vec<Mutant> {
    let mut maker = Maker { tree, text, made: Vec::new() };
    for node in body.initializers.iter().chain(&body.body).flat_map(|root| tree.subtree(*root)) {
        let this = tree.node(node);
        for condition in conditions(tree, text, node) {
            maker.negate(condition);
        }
        if this.is_written {
            maker.edit(node);
        }
    }
    maker.made
}

struct Maker<'t> {
    tree: &'t Tree,
    text: &'t str,
    made: Vec<Mutant>,
}

impl Maker<'_> {
    fn add(&mut self, operator: Operator, edits: Vec<Edit>) {
        self.made.push(Mutant { operator, edits });
    }

    fn replace(&mut self, operator: Operator, node: u32, text: impl Into<String>) {
        let this = self.tree.node(node);
        self.add(operator, vec![Edit::new(this.start, this.end, text)]);
    }

    fn written(&self, node: u32) -> Option<&str> {
        let this = self.tree.node(node);
        self.text.get(this.start as usize..this.end as usize)
    }

    fn negate(&mut self, condition: u32) {
        if !self.tree.node(condition).is_written {
            return;
        }
        if let Some(written) = self.written(condition) {
            let text = format!("!({written})");
            self.replace(Operator::Negated, condition, text);
        }
    }

    fn edit(&mut self, node: u32) {
        let this = self.tree.node(node);
        let Some(written) = self.written(node).map(str::to_owned) else { return };
        self.drop_statement(node);
        match this.kind {
            NodeKind::Binary(operator) => self.binary(node, operator),
            NodeKind::Unary(operator) => self.unary(node, operator, &written),
            NodeKind::Integer => {
                self.replace(Operator::Constant, node, format!("({written}+1)"));
                if this.value != Some(0) {
                    self.replace(Operator::Constant, node, format!("({written}-1)"));
                }
            }
            NodeKind::Floating => self.replace(Operator::Constant, node, format!("({written}*1.5+1)")),
            NodeKind::Character => self.replace(Operator::Character, node, format!("({written}+1)")),
            NodeKind::Text => self.string(node, &written),
            NodeKind::Return => self.result(node),
            NodeKind::Cast => {
                if let Some(operand) = self.tree.children(node).last().and_then(|child| self.written(child)) {
                    let operand = operand.to_owned();
                    self.replace(Operator::Type, node, operand);
                }
            }
            NodeKind::Declaration => self.declaration(node, &written),
            _ => {}
        }
    }

    fn binary(&mut self, node: u32, operator: Binary) {
        let children: Vec<u32> = self.tree.children(node).collect();
        let [left, right] = children[..] else { return };
        let (a, b) = (self.tree.node(left), self.tree.node(right));
        let Some(between) = self.text.get(a.end as usize..b.start as usize) else { return };
        let Some(at) = between.find(operator.sign()).filter(|_| !operator.sign().is_empty()) else { return };
        let start = a.end + at as u32;
        let end = start + operator.sign().len() as u32;
        for (kind, sign) in others(operator) {
            self.add(*kind, vec![Edit::new(start, end, *sign)]);
        }
        let can_swap = matches!(
            operator,
            Binary::Subtract
                | Binary::Divide
                | Binary::Remainder
                | Binary::ShiftLeft
                | Binary::ShiftRight
                | Binary::Less
                | Binary::Greater
                | Binary::LessOrEqual
                | Binary::GreaterOrEqual
        );
        if let (true, true, true, Some(left_text), Some(right_text)) =
            (can_swap, a.is_written, b.is_written, self.written(left), self.written(right))
        {
            let edits = vec![
                Edit::new(a.start, a.end, format!("({right_text})")),
                Edit::new(b.start, b.end, format!("({left_text})")),
            ];
            self.add(Operator::Swapped, edits);
        }
    }

    fn unary(&mut self, node: u32, operator: Unary, written: &str) {
        let other = match operator {
            Unary::PostIncrement | Unary::PreIncrement => written.replacen("++", "--", 1),
            Unary::PostDecrement | Unary::PreDecrement => written.replacen("--", "++", 1),
            Unary::Minus | Unary::BitNot | Unary::Not => written.get(1..).unwrap_or_default().to_owned(),
            _ => return,
        };
        self.replace(Operator::Sign, node, other);
    }

    fn string(&mut self, node: u32, written: &str) {
        let inner = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let Some(inner) = inner.filter(|inner| !inner.is_empty() && !inner.contains(['\\', '"'])) else { return };
        let mut shorter = inner.to_owned();
        shorter.pop();
        self.replace(Operator::Text, node, format!("\"{shorter}\""));
        let first = if inner.starts_with('x') { 'y' } else { 'x' };
        let rest: String = inner.chars().skip(1).collect();
        self.replace(Operator::Text, node, format!("\"{first}{rest}\""));
    }

    fn result(&mut self, node: u32) {
        let Some(value) = self.tree.children(node).next() else { return };
        let this = self.tree.node(value);
        let (Some(type_), Some(written), true) = (this.type_, self.written(value), this.is_written) else { return };
        let text = match self.tree.type_(type_).shape {
            Shape::Pointer { .. } => "0".to_owned(),
            Shape::Boolean => format!("!({written})"),
            Shape::Integer { .. } | Shape::Floating { .. } => format!("({written})+1"),
            Shape::Enumeration(_) => format!("(__typeof__({written}))((int)({written})+1)"),
            Shape::Record(_) if !self.tree.type_(type_).is_plain => "{}".to_owned(),
            _ => return,
        };
        self.replace(Operator::Return, value, text);
    }

    /// A statement that does something, gone.
    fn drop_statement(&mut self, node: u32) {
        let this = self.tree.node(node);
        let Some(parent) = this.parent else { return };
        let above = self.tree.node(parent).kind;
        let is_last = self.tree.children(parent).last() == Some(node);
        let is_statement = match above {
            NodeKind::Block => true,
            NodeKind::If => self.tree.children(parent).next() != Some(node),
            NodeKind::For | NodeKind::While | NodeKind::Case | NodeKind::Default | NodeKind::Label => is_last,
            _ => false,
        };
        let does = match this.kind {
            NodeKind::Binary(operator) => operator.assigns(),
            NodeKind::Unary(operator) => operator.assigns(),
            NodeKind::Call | NodeKind::Break | NodeKind::Continue => true,
            _ => false,
        };
        if is_statement && does {
            self.replace(Operator::Dropped, node, "");
        }
    }

    /// A variable of another type.
    fn declaration(&mut self, node: u32, written: &str) {
        const OTHERS: &[(&str, &str)] = &[
            ("unsigned int ", "short "),
            ("unsigned ", "signed "),
            ("int ", "signed char "),
            ("long ", "short "),
            ("size_t ", "unsigned char "),
            ("char ", "_Bool "),
            ("double ", "float "),
            ("u32 ", "unsigned char "),
            ("u8 ", "_Bool "),
        ];
        let found = OTHERS.iter().find(|(old, _)| written.starts_with(old));
        let Some((old, new)) = found.filter(|_| !written.contains('*')) else { return };
        let start = self.tree.node(node).start;
        self.add(Operator::Type, vec![Edit::new(start, start + old.len() as u32, *new)]);
    }
}

/// What an operator is mistaken for.
fn others(operator: Binary) -> &'static [(Operator, &'static str)] {
    use Operator::{Bound, Sign};
    match operator {
        Binary::Add => &[(Sign, "-")],
        Binary::Subtract => &[(Sign, "+")],
        Binary::Multiply => &[(Sign, "+")],
        Binary::Divide => &[(Sign, "*")],
        Binary::Remainder => &[(Sign, "*")],
        Binary::ShiftLeft => &[(Sign, ">>")],
        Binary::ShiftRight => &[(Sign, "<<")],
        Binary::Less => &[(Bound, "<="), (Sign, ">")],
        Binary::LessOrEqual => &[(Bound, "<"), (Sign, ">=")],
        Binary::Greater => &[(Bound, ">="), (Sign, "<")],
        Binary::GreaterOrEqual => &[(Bound, ">"), (Sign, "<=")],
        Binary::Equal => &[(Sign, "!=")],
        Binary::NotEqual => &[(Sign, "==")],
        Binary::BitAnd => &[(Sign, "|")],
        Binary::BitOr => &[(Sign, "&")],
        Binary::BitXor => &[(Sign, "&")],
        Binary::And => &[(Sign, "||")],
        Binary::Or => &[(Sign, "&&")],
        Binary::MultiplyAssign => &[(Sign, "+=")],
        Binary::DivideAssign => &[(Sign, "*=")],
        Binary::RemainderAssign => &[(Sign, "*=")],
        Binary::AddAssign => &[(Sign, "-=")],
        Binary::SubtractAssign => &[(Sign, "+=")],
        Binary::ShiftLeftAssign => &[(Sign, ">>=")],
        Binary::ShiftRightAssign => &[(Sign, "<<=")],
        Binary::AndAssign => &[(Sign, "|=")],
        Binary::OrAssign => &[(Sign, "&=")],
        Binary::XorAssign => &[(Sign, "|=")],
        _ => &[],
    }
}
