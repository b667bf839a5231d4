//! Why code does not compile: the mistakes that compilers' errors stand for.
//!
//! The five categories, their order and the mistakes in them are those of table VI of *ObfusEval*, which sorts by them what
//! language models write. [`Mistake::is_in_table`] says which mistakes are the table's; the others are ours. They are what people
//! want to see apart, and the table has them in its last row: [`Mistake::row`] folds them into it.

use crate::words;

words! {
    /// What a mistake has to do with: the five categories of the table, and one of our own behind them.
    pub enum MistakeCategory {
        /// Function and type declaration errors.
        Declaration = "declaration",
        /// Data structure and member access errors.
        MemberAccess = "member-access",
        /// Type conversion and assignment errors.
        Conversion = "conversion",
        /// Scope and definition errors.
        Scope = "scope",
        /// Other syntax errors.
        Syntax = "syntax",
        /// What the table counts among other syntax errors, told apart. This category is ours.
        ToldApart = "told-apart",
    }
}

words! {
    /// Why code does not compile. Each mistake belongs to one [`MistakeCategory`].
    pub enum Mistake {
        /// A function is called that nothing declares before the call.
        ImplicitDeclaration = "implicit-declaration",
        /// A function, variable or type is declared in another way than before. So is one that overrides or defines what its
        /// class declares, with another type.
        TypeConflict = "type-conflict",
        /// A function, constructor, macro or template is given too few or too many arguments.
        ParameterCount = "parameter-count",
        /// A type is used that nothing declares, or that is declared and not defined where its size is needed.
        UndeclaredType = "undeclared-type",
        /// A structure, union, class or enumeration has no member of this name.
        NonexistentMember = "nonexistent-member",
        /// A structure is taken for a pointer to it, or the pointer for the structure: `.` stands where `->` belongs, or the other way round.
        MisusedStructurePointer = "misused-structure-pointer",
        /// The arrow is used on a number, such as a member that is an integer.
        ArrowOnInteger = "arrow-on-integer",
        /// An integer becomes a pointer without a cast.
        IntegerToPointer = "integer-to-pointer",
        /// A pointer becomes one of another type without a cast, or loses a `const`.
        IncompatiblePointer = "incompatible-pointer",
        /// A value is assigned, passed or returned where its type does not fit, and these are not both pointers.
        IncompatibleAssignment = "incompatible-assignment",
        /// Something is defined a second time. So is what the linker finds in two files.
        Redefinition = "redefinition",
        /// Something is declared once with `static` and once without it.
        StaticConflict = "static-conflict",
        /// A member is accessed that cannot be: of what is no structure or union, of a type that is not defined there, without an
        /// object, or where it is private.
        MemberAccess = "incorrect-member-access",
        /// Something is assigned to, changed or bound that is no place in memory, such as what a function returns.
        LvalueRequired = "lvalue-required",
        /// What is no array, pointer or vector is used as one, or an array is declared or initialised in a way that is not there.
        ArrayMisuse = "array-misuse",
        /// An array is assigned to as a whole.
        ArrayAssignment = "array-assignment",
        /// A parenthesis is missing, or there is one too many.
        Parentheses = "parentheses",
        /// An operator does not take operands of these types.
        InvalidOperands = "invalid-operands",
        /// Something else stands where an expression belongs.
        ExpectedExpression = "expected-expression",
        /// An array is subscripted with what is no integer.
        SubscriptNotInteger = "subscript-not-integer",
        /// A function is subscripted.
        SubscriptedFunction = "subscripted-function",
        /// Any other mistake.
        Other = "other-mistake",
        /// A variable, constant or label is used that nothing declares. This and the following are told apart by us.
        UndeclaredIdentifier = "undeclared-identifier",
        /// A header is included that is not there.
        MissingHeader = "missing-header",
        /// A semicolon, comma, colon or brace is missing, or there is one too many.
        Punctuation = "punctuation",
        /// Something is opened and never closed: a function, a comment, a text in quotes, a conditional. Often the answer was cut
        /// off.
        Unclosed = "unclosed",
        /// What is constant is changed, or used by what might change it.
        ReadOnly = "read-only",
        /// It compiles and does not link: nothing defines what is used.
        LinkError = "link-error",
        /// The compiler failed, and not because of a mistake that it names.
        CompilerFailure = "compiler-failure",
    }
}

impl Mistake {
    /// The category it belongs to.
    pub const fn category(self) -> MistakeCategory {
        match self {
            Self::ImplicitDeclaration | Self::TypeConflict | Self::ParameterCount | Self::UndeclaredType => {
                MistakeCategory::Declaration
            }
            Self::NonexistentMember | Self::MisusedStructurePointer | Self::ArrowOnInteger => {
                MistakeCategory::MemberAccess
            }
            Self::IntegerToPointer | Self::IncompatiblePointer | Self::IncompatibleAssignment | Self::Redefinition => {
                MistakeCategory::Conversion
            }
            Self::StaticConflict | Self::MemberAccess => MistakeCategory::Scope,
            Self::LvalueRequired
            | Self::ArrayMisuse
            | Self::ArrayAssignment
            | Self::Parentheses
            | Self::InvalidOperands
            | Self::ExpectedExpression
            | Self::SubscriptNotInteger
            | Self::SubscriptedFunction
            | Self::Other => MistakeCategory::Syntax,
            Self::UndeclaredIdentifier
            | Self::MissingHeader
            | Self::Punctuation
            | Self::Unclosed
            | Self::ReadOnly
            | Self::LinkError
            | Self::CompilerFailure => MistakeCategory::ToldApart,
        }
    }

    /// Whether the table has a row for it.
    pub const fn is_in_table(self) -> bool {
        !matches!(self.category(), MistakeCategory::ToldApart)
    }

    /// The row of the table that it is counted in.
    pub const fn row(self) -> Self {
        if self.is_in_table() { self } else { Self::Other }
    }
}

impl MistakeCategory {
    /// The mistakes that belong to it, in the table's order.
    pub fn mistakes(self) -> impl Iterator<Item = Mistake> {
        Mistake::ALL.iter().copied().filter(move |mistake| mistake.category() == self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_five_categories_and_twenty_two_rows() {
        let rows = MistakeCategory::ALL.iter().map(|category| category.mistakes().count());
        assert_eq!(rows.collect::<Vec<_>>(), [4, 3, 4, 2, 9, 7]);
        let in_order: Vec<Mistake> = MistakeCategory::ALL.iter().flat_map(|category| category.mistakes()).collect();
        assert_eq!(in_order, Mistake::ALL);
        assert!(Mistake::ALL.iter().all(|mistake| mistake.row().is_in_table()));
    }
}
