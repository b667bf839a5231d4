//! What a node is.

use clang_sys as clang;
use serde::{Deserialize, Serialize};

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NodeKind {
    /// `{ … }`
    Block,
    /// A statement that declares: its children are what it declares.
    Declaration,
    /// A variable that is declared, or a parameter of something within; its last child is what it begins with.
    Variable,
    /// `if`
    If,
    /// `for` with three parts
    For,
    /// `for` over a range
    RangeFor,
    /// `while`
    While,
    /// `do … while`
    DoWhile,
    /// `switch`
    Switch,
    /// `case`: its value and the statement after it
    Case,
    /// `default`: the statement after it
    Default,
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return,
    /// `goto` a label
    Goto,
    /// `goto` an address
    ComputedGoto,
    /// A label and the statement after it
    Label,
    /// A `;` of its own
    Empty,
    /// Inline assembly
    Assembly,
    /// `try`, `catch` and what belongs to them
    Try,
    /// A call
    Call,
    /// A variable, function or enumerator by its name
    Name,
    /// A member of something
    Member,
    /// `a[i]`
    Subscript,
    /// Two operands and an operator between them
    Binary(Binary),
    /// One operand and an operator
    Unary(Unary),
    /// `a ? b : c`
    Conditional,
    /// A cast that is written
    Cast,
    /// A conversion that is not written, or something that the parser does not tell more about
    Implicit,
    /// `( … )`
    Parentheses,
    /// An integer
    Integer,
    /// A floating-point number
    Floating,
    /// A character
    Character,
    /// A string
    Text,
    /// `true`, `false`
    Boolean,
    /// `nullptr`, `__null`
    Null,
    /// `sizeof`, `alignof`
    Size,
    /// `{ … }` as a value
    List,
    /// `(type) { … }`
    Literal,
    /// A block as a value
    StatementExpression,
    /// The address of a label
    LabelAddress,
    /// A lambda
    Lambda,
    /// `this`
    This,
    /// `new`
    New,
    /// `delete`
    Delete,
    /// `throw`
    Throw,
    /// The name of a type, namespace, template or label
    TypeName,
    /// Something else
    Other,
}

/// An operator between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Binary {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Compare,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Assign,
    MultiplyAssign,
    DivideAssign,
    RemainderAssign,
    AddAssign,
    SubtractAssign,
    ShiftLeftAssign,
    ShiftRightAssign,
    AndAssign,
    XorAssign,
    OrAssign,
    Comma,
    Other,
}

/// An operator with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Unary {
    PostIncrement,
    PostDecrement,
    PreIncrement,
    PreDecrement,
    AddressOf,
    Dereference,
    Plus,
    Minus,
    BitNot,
    Not,
    Other,
}

impl Binary {
    /// How it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Remainder => "%",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::Compare => "<=>",
            Binary::Less => "<",
            Binary::Greater => ">",
            Binary::LessOrEqual => "<=",
            Binary::GreaterOrEqual => ">=",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
            Binary::BitAnd => "&",
            Binary::BitXor => "^",
            Binary::BitOr => "|",
            Binary::And => "&&",
            Binary::Or => "||",
            Binary::Assign => "=",
            Binary::MultiplyAssign => "*=",
            Binary::DivideAssign => "/=",
            Binary::RemainderAssign => "%=",
            Binary::AddAssign => "+=",
            Binary::SubtractAssign => "-=",
            Binary::ShiftLeftAssign => "<<=",
            Binary::ShiftRightAssign => ">>=",
            Binary::AndAssign => "&=",
            Binary::XorAssign => "^=",
            Binary::OrAssign => "|=",
            Binary::Comma => ",",
            Binary::Other => "",
        }
    }

    /// Whether it writes to its left operand.
    pub fn assigns(self) -> bool {
        matches!(
            self,
            Binary::Assign
                | Binary::MultiplyAssign
                | Binary::DivideAssign
                | Binary::RemainderAssign
                | Binary::AddAssign
                | Binary::SubtractAssign
                | Binary::ShiftLeftAssign
                | Binary::ShiftRightAssign
                | Binary::AndAssign
                | Binary::XorAssign
                | Binary::OrAssign
        )
    }

    pub(super) fn of(kind: clang::CXBinaryOperatorKind) -> Self {
        match kind {
            clang::CXBinaryOperator_Mul => Binary::Multiply,
            clang::CXBinaryOperator_Div => Binary::Divide,
            clang::CXBinaryOperator_Rem => Binary::Remainder,
            clang::CXBinaryOperator_Add => Binary::Add,
            clang::CXBinaryOperator_Sub => Binary::Subtract,
            clang::CXBinaryOperator_Shl => Binary::ShiftLeft,
            clang::CXBinaryOperator_Shr => Binary::ShiftRight,
            clang::CXBinaryOperator_Cmp => Binary::Compare,
            clang::CXBinaryOperator_LT => Binary::Less,
            clang::CXBinaryOperator_GT => Binary::Greater,
            clang::CXBinaryOperator_LE => Binary::LessOrEqual,
            clang::CXBinaryOperator_GE => Binary::GreaterOrEqual,
            clang::CXBinaryOperator_EQ => Binary::Equal,
            clang::CXBinaryOperator_NE => Binary::NotEqual,
            clang::CXBinaryOperator_And => Binary::BitAnd,
            clang::CXBinaryOperator_Xor => Binary::BitXor,
            clang::CXBinaryOperator_Or => Binary::BitOr,
            clang::CXBinaryOperator_LAnd => Binary::And,
            clang::CXBinaryOperator_LOr => Binary::Or,
            clang::CXBinaryOperator_Assign => Binary::Assign,
            clang::CXBinaryOperator_MulAssign => Binary::MultiplyAssign,
            clang::CXBinaryOperator_DivAssign => Binary::DivideAssign,
            clang::CXBinaryOperator_RemAssign => Binary::RemainderAssign,
            clang::CXBinaryOperator_AddAssign => Binary::AddAssign,
            clang::CXBinaryOperator_SubAssign => Binary::SubtractAssign,
            clang::CXBinaryOperator_ShlAssign => Binary::ShiftLeftAssign,
            clang::CXBinaryOperator_ShrAssign => Binary::ShiftRightAssign,
            clang::CXBinaryOperator_AndAssign => Binary::AndAssign,
            clang::CXBinaryOperator_XorAssign => Binary::XorAssign,
            clang::CXBinaryOperator_OrAssign => Binary::OrAssign,
            clang::CXBinaryOperator_Comma => Binary::Comma,
            _ => Binary::Other,
        }
    }
}

impl Unary {
    pub(super) fn of(kind: clang::CXUnaryOperatorKind) -> Self {
        match kind {
            clang::CXUnaryOperator_PostInc => Unary::PostIncrement,
            clang::CXUnaryOperator_PostDec => Unary::PostDecrement,
            clang::CXUnaryOperator_PreInc => Unary::PreIncrement,
            clang::CXUnaryOperator_PreDec => Unary::PreDecrement,
            clang::CXUnaryOperator_AddrOf => Unary::AddressOf,
            clang::CXUnaryOperator_Deref => Unary::Dereference,
            clang::CXUnaryOperator_Plus => Unary::Plus,
            clang::CXUnaryOperator_Minus => Unary::Minus,
            clang::CXUnaryOperator_Not => Unary::BitNot,
            clang::CXUnaryOperator_LNot => Unary::Not,
            _ => Unary::Other,
        }
    }

    /// Whether it writes to its operand.
    pub fn assigns(self) -> bool {
        matches!(self, Unary::PostIncrement | Unary::PostDecrement | Unary::PreIncrement | Unary::PreDecrement)
    }
}

/// The kind of a cursor that is a statement, an expression or a declaration in a function.
pub(super) fn kind_of(cursor: clang::CXCursor) -> NodeKind {
    match crate::cursor::kind(cursor) {
        clang::CXCursor_CompoundStmt => NodeKind::Block,
        clang::CXCursor_DeclStmt => NodeKind::Declaration,
        clang::CXCursor_VarDecl | clang::CXCursor_ParmDecl => NodeKind::Variable,
        clang::CXCursor_IfStmt => NodeKind::If,
        clang::CXCursor_ForStmt => NodeKind::For,
        clang::CXCursor_CXXForRangeStmt => NodeKind::RangeFor,
        clang::CXCursor_WhileStmt => NodeKind::While,
        clang::CXCursor_DoStmt => NodeKind::DoWhile,
        clang::CXCursor_SwitchStmt => NodeKind::Switch,
        clang::CXCursor_CaseStmt => NodeKind::Case,
        clang::CXCursor_DefaultStmt => NodeKind::Default,
        clang::CXCursor_BreakStmt => NodeKind::Break,
        clang::CXCursor_ContinueStmt => NodeKind::Continue,
        clang::CXCursor_ReturnStmt => NodeKind::Return,
        clang::CXCursor_GotoStmt => NodeKind::Goto,
        clang::CXCursor_IndirectGotoStmt => NodeKind::ComputedGoto,
        clang::CXCursor_LabelStmt => NodeKind::Label,
        clang::CXCursor_NullStmt => NodeKind::Empty,
        clang::CXCursor_AsmStmt | clang::CXCursor_MSAsmStmt => NodeKind::Assembly,
        clang::CXCursor_CXXTryStmt | clang::CXCursor_CXXCatchStmt => NodeKind::Try,
        clang::CXCursor_CallExpr => NodeKind::Call,
        clang::CXCursor_DeclRefExpr => NodeKind::Name,
        clang::CXCursor_MemberRefExpr => NodeKind::Member,
        clang::CXCursor_ArraySubscriptExpr => NodeKind::Subscript,
        clang::CXCursor_BinaryOperator | clang::CXCursor_CompoundAssignOperator => {
            // SAFETY: the cursor's unit is alive.
            NodeKind::Binary(Binary::of(unsafe { clang::clang_getCursorBinaryOperatorKind(cursor) }))
        }
        clang::CXCursor_UnaryOperator => {
            // SAFETY: the cursor's unit is alive.
            NodeKind::Unary(Unary::of(unsafe { clang::clang_getCursorUnaryOperatorKind(cursor) }))
        }
        clang::CXCursor_ConditionalOperator => NodeKind::Conditional,
        clang::CXCursor_CStyleCastExpr
        | clang::CXCursor_CXXStaticCastExpr
        | clang::CXCursor_CXXDynamicCastExpr
        | clang::CXCursor_CXXReinterpretCastExpr
        | clang::CXCursor_CXXConstCastExpr
        | clang::CXCursor_CXXFunctionalCastExpr => NodeKind::Cast,
        clang::CXCursor_UnexposedExpr => NodeKind::Implicit,
        clang::CXCursor_ParenExpr => NodeKind::Parentheses,
        clang::CXCursor_IntegerLiteral => NodeKind::Integer,
        clang::CXCursor_FloatingLiteral => NodeKind::Floating,
        clang::CXCursor_CharacterLiteral => NodeKind::Character,
        clang::CXCursor_StringLiteral => NodeKind::Text,
        clang::CXCursor_CXXBoolLiteralExpr => NodeKind::Boolean,
        clang::CXCursor_CXXNullPtrLiteralExpr | clang::CXCursor_GNUNullExpr => NodeKind::Null,
        clang::CXCursor_UnaryExpr => NodeKind::Size,
        clang::CXCursor_InitListExpr => NodeKind::List,
        clang::CXCursor_CompoundLiteralExpr => NodeKind::Literal,
        clang::CXCursor_StmtExpr => NodeKind::StatementExpression,
        clang::CXCursor_AddrLabelExpr => NodeKind::LabelAddress,
        clang::CXCursor_LambdaExpr => NodeKind::Lambda,
        clang::CXCursor_CXXThisExpr => NodeKind::This,
        clang::CXCursor_CXXNewExpr => NodeKind::New,
        clang::CXCursor_CXXDeleteExpr => NodeKind::Delete,
        clang::CXCursor_CXXThrowExpr => NodeKind::Throw,
        clang::CXCursor_TypeRef
        | clang::CXCursor_TemplateRef
        | clang::CXCursor_NamespaceRef
        | clang::CXCursor_LabelRef => NodeKind::TypeName,
        _ => NodeKind::Other,
    }
}
