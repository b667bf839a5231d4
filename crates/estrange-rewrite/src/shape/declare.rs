//! Declarations of variables, taken apart.

use std::ops::Range;

use estrange_clang::{NodeKind, Shape, Type, Unary};

use crate::refusal::Refusal;
use crate::shape::view::View;

/// A variable as a declaration declares it.
#[derive(Debug, Clone)]
pub(crate) struct Declarator {
    pub(crate) thing: u32,
    /// Where its name stands.
    pub(crate) name: Range<usize>,
    /// From the `=` to the end of its first value, if it has one.
    pub(crate) value: Option<Range<usize>>,
}

impl Declarator {
    /// Its first value, without the `=`.
    pub(crate) fn value_text<'a>(&self, view: &View<'a>) -> Option<&'a str> {
        let value = self.value.clone()?;
        Some(view.cut(value.start + 1..value.end).trim())
    }
}

impl View<'_> {
    /// The variables of a declaration, in order.
    pub(crate) fn declarators(&self, declaration: u32) -> Result<Vec<Declarator>, Refusal> {
        let range = self.range(declaration);
        let refuse = |why: &str| {
            let name = self.cut(range.clone()).lines().next().unwrap_or_default().trim().to_owned();
            Err(Refusal::Declaration { name, why: why.to_owned() })
        };
        if !self.node(declaration).is_written {
            return refuse("it comes out of a macro");
        }
        let mut declarators: Vec<Declarator> = Vec::new();
        for variable in self.tree.children(declaration) {
            let node = self.node(variable);
            let thing = match (node.kind, node.thing) {
                (NodeKind::Variable, Some(thing)) => thing,
                _ => return refuse("it declares more than variables"),
            };
            let declared = self.tree.thing(thing);
            let at = declared.at.map(|at| at as usize).filter(|at| range.contains(at));
            let Some(at) = at.filter(|at| !self.is_in_call(*at)) else {
                return refuse("its name comes out of a macro");
            };
            let first = self.token_at(at);
            if self.word(first) != declared.name {
                return refuse("its name is not written");
            }
            if self.language.is_cpp() && self.word(first + 1) == "(" {
                return refuse("its first value has no `=`");
            }
            let mut token = first + 1;
            let mut value = None;
            loop {
                let start = match self.tokens.get(token) {
                    Some(token) if (token.start as usize) < range.end => token.start as usize,
                    _ => return refuse("it does not end"),
                };
                match self.word(token) {
                    "," | ";" => {
                        let end = self.tokens[token - 1].end as usize;
                        let value = value.map(|from| from..end);
                        declarators.push(Declarator { thing, name: at..at + declared.name.len(), value });
                        break;
                    }
                    "=" if value.is_none() => value = Some(start),
                    // A value, or the arguments of a constructor.
                    "{" if value.is_none() => return refuse("its first value has no `=`"),
                    ":" if value.is_none() => return refuse("it is bound by pieces"),
                    "(" | "[" | "{" => match self.closing(token) {
                        Some(close) => token = close,
                        None => return refuse("it does not end"),
                    },
                    _ => {}
                }
                token += 1;
            }
        }
        match declarators.is_empty() {
            true => refuse("it declares no variables"),
            false => Ok(declarators),
        }
    }

    /// Where in a declaration a variable is declared.
    pub(crate) fn variable_node(&self, declaration: u32, thing: u32) -> Option<u32> {
        let is_it = |node: &u32| self.kind(*node) == NodeKind::Variable && self.node(*node).thing == Some(thing);
        self.tree.subtree(declaration).find(is_it)
    }

    /// The words of a declaration before its first declarator's name.
    pub(crate) fn specifiers(&self, declaration: u32, first: &Declarator) -> Vec<&str> {
        let range = self.range(declaration).start..first.name.start;
        self.tokens_in(range).iter().map(|token| token.text(self.text)).collect()
    }

    /// A type as a cast writes it; nothing if it has no name.
    pub(crate) fn type_name(&self, of: &Type) -> Option<String> {
        let name = &of.spelling;
        let has_none = ["unnamed", "anonymous", "lambda", "auto", "typeof"].iter().any(|word| name.contains(word));
        (!has_none).then(|| name.clone())
    }

    /// A variable of a type, as a declaration writes it: `char *name`, `int (*name)(void)`.
    pub(crate) fn declaration_of(&self, of: &Type, name: &str) -> Option<String> {
        let spelled = self.type_name(of)?;
        if let Some(at) = spelled.find("(*)") {
            return Some(format!("{}(*{name}){}", &spelled[..at], &spelled[at + 3..]));
        }
        if spelled.contains('(') {
            return None;
        }
        if let Some(at) = spelled.find('[') {
            return Some(format!("{} {name}{}", spelled[..at].trim_end(), &spelled[at..]));
        }
        let gap = if spelled.ends_with('*') || spelled.ends_with('&') { "" } else { " " };
        Some(format!("{spelled}{gap}{name}"))
    }

    /// A type's spelling without `const` for the value itself, as a declaration of `name` writes it.
    pub(crate) fn writable_declaration(&self, of: &Type, name: &str) -> Option<String> {
        let mut plain = of.clone();
        if of.is_const {
            let spelling = of.spelling.as_str();
            plain.spelling = match spelling.strip_suffix("const") {
                Some(pointer) => pointer.trim_end().to_owned(),
                None if !spelling.contains('*') => spelling.strip_prefix("const ")?.to_owned(),
                None => return None,
            };
        }
        self.declaration_of(&plain, name)
    }

    /// Whether a value of a type can be assigned: nothing in it is `const`, and copying its bytes copies it.
    pub(crate) fn is_assignable(&self, of: &Type) -> bool {
        match &of.shape {
            Shape::Record(record) => {
                let record = &self.tree.records[*record as usize];
                let is_free = |type_: u32| {
                    let of = self.tree.type_(type_);
                    !of.is_const && self.is_assignable(of)
                };
                of.is_plain && record.is_complete && record.fields.iter().all(|field| is_free(field.type_))
            }
            Shape::Array { of, length } => {
                let of = self.tree.type_(*of);
                length.is_some() && !of.is_const && self.is_assignable(of)
            }
            shape => crate::shape::effects::is_scalar(shape),
        }
    }

    /// Whether the length of an array that a type speaks of is known only when the program runs.
    pub(crate) fn has_open_length(&self, of: &Type) -> bool {
        match of.shape {
            Shape::Array { length: None, .. } => true,
            Shape::Array { of: inner, .. } | Shape::Pointer { to: inner } | Shape::Reference { to: inner, .. } => {
                self.has_open_length(self.tree.type_(inner))
            }
            _ => false,
        }
    }

    /// Whether a part holds a literal whose address may be known: it is there until the block around it ends.
    pub(crate) fn lends_literals(&self, node: u32) -> bool {
        self.tree.subtree(node).filter(|below| self.kind(*below) == NodeKind::Literal).any(|literal| {
            let is_value = self.type_of(literal).is_some_and(|of| !matches!(of.shape, Shape::Array { .. }));
            let around = self.ancestors(literal).find(|around| self.kind(*around) != NodeKind::Parentheses);
            let is_copied = around.is_none_or(|around| {
                let names_part = matches!(
                    self.kind(around),
                    NodeKind::Unary(Unary::AddressOf) | NodeKind::Member | NodeKind::Subscript
                );
                !names_part
            });
            !is_value || !is_copied
        })
    }
}
