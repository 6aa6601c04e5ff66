//! What the scanners of the languages find: one asm statement with its template and operands.

use super::map::Mapped;
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::spec::Type;
use std::cell::Cell;
use std::sync::Arc;

/// Stands for text of one word that is known to the host's compiler only.
pub const HOLE: char = '\u{fffc}';
/// Stands for text that may hold newlines, declarations and labels.
pub const WIDE_HOLE: char = '\u{fffb}';
/// A line that stands where lines begin or end that are there once, several times or not at all.
pub const SEVERAL: &str = "\u{fffc}\u{fffc}";

/// How much text macros and names may still make of a file. A file of n lines that uses a macro of n lines n times would
/// otherwise become n² lines; beyond the bound, macros and names are holes.
#[derive(Debug)]
pub struct Expansion {
    left: Cell<usize>,
}

impl Expansion {
    /// For templates of that many bytes altogether, per byte of the file, and at least.
    const PER_BYTE: usize = 4;
    const LEAST: usize = 1 << 19;

    /// The bound for a file.
    #[must_use]
    pub const fn of(text: &str) -> Self {
        Self { left: Cell::new(text.len() * Self::PER_BYTE + Self::LEAST) }
    }

    /// Whether nothing more is expanded.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.left.get() == 0
    }

    /// Counts a template.
    pub fn spend(&self, template: &Mapped) {
        self.spend_steps(template.text.len());
    }

    /// Counts what is read of names that may become nothing.
    pub fn spend_steps(&self, n: usize) {
        self.left.set(self.left.get().saturating_sub(n));
    }
}

/// How operands and special characters are written in a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Escapes {
    /// C with a colon after the template: `%0 %[name] %% %=`.
    Extended,
    /// C without any colon: nothing is replaced.
    Basic,
    /// LLVM IR and what becomes LLVM IR: `$0 ${:uid}`.
    Dollar,
}

/// The type of an operand's expression in the host.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum HostType {
    /// It is not known.
    #[default]
    Open,
    /// A scalar or vector.
    Value {
        /// The type that the compiler declares the variable with; signs are lost.
        element: Type,
        /// Components of a vector, 1 for a scalar.
        n_components: u32,
        /// Whether the host's type has no sign.
        is_unsigned: bool,
    },
    /// A vector of the vector backend: one variable, whatever the sub-group.
    Simd {
        /// The type that the compiler declares the variable with; signs are lost.
        element: Type,
        /// Its elements.
        n_elements: u32,
    },
    /// A pointer.
    Pointer {
        /// What it points to.
        target: Box<HostType>,
        /// Whether it points to local memory, where pointers have 32 bits.
        is_local: bool,
    },
    /// An array.
    Array {
        /// What it holds.
        target: Box<HostType>,
        /// Whether it stands in local memory.
        is_local: bool,
    },
    /// A structure: its number among those of the file.
    Struct(u32),
}

impl HostType {
    /// A scalar.
    #[must_use]
    pub const fn scalar(element: Type, is_unsigned: bool) -> Self {
        Self::Value { element, n_components: 1, is_unsigned }
    }

    /// A pointer with 64 bits.
    #[must_use]
    pub fn pointer() -> Self {
        Self::Pointer { target: Box::new(Self::Open), is_local: false }
    }

    /// The element type and number of components of the variable that an operand of this type becomes.
    #[must_use]
    pub const fn variable(&self) -> Option<(Type, u32)> {
        match self {
            Self::Value { element, n_components, .. } => Some((*element, *n_components)),
            Self::Simd { element, n_elements } => Some((*element, *n_elements)),
            Self::Pointer { is_local: true, .. } => Some((Type::UD, 1)),
            Self::Pointer { is_local: false, .. } => Some((Type::UQ, 1)),
            Self::Open | Self::Array { .. } | Self::Struct(_) => None,
        }
    }
}

/// What a host says of the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Value {
    /// Nothing is known.
    #[default]
    Open,
    /// A constant that is written there.
    Constant(i64),
    /// A constant with a fraction: the bits of a number of 64 bits.
    Real(u64),
    /// It cannot be a constant.
    Varying,
}

/// An operand as it is written.
#[derive(Clone, Debug, Default)]
pub struct RawOperand {
    /// The name in brackets.
    pub name: Option<String>,
    /// The constraint as text; nothing if it is not a literal.
    pub constraint: Option<String>,
    /// The place of the constraint.
    pub constraint_span: Span,
    /// The place of the expression; empty if there is none.
    pub expression: Span,
    /// Whether it stands among the outputs.
    pub is_output: bool,
    /// The type of the expression.
    pub host_type: HostType,
    /// Its value.
    pub value: Value,
    /// Whether the value differs from lane to lane for certain, as the number of a lane does.
    pub is_per_lane: bool,
}

/// An asm statement as a scanner finds it.
#[derive(Clone, Debug)]
pub struct RawStatement {
    /// From the keyword to the closing parenthesis.
    pub span: Span,
    /// The template with the escapes of the string taken out; unknown text is a hole.
    pub template: Mapped,
    /// How its operands are written.
    pub escapes: Escapes,
    /// Whether the text is a kernel of its own, which no compiler pastes anywhere.
    pub is_kernel: bool,
    /// The operands in order; nothing if they cannot be told.
    pub operands: Option<Vec<RawOperand>>,
    /// The function that it stands in: a number that is its own.
    pub function: u32,
    /// The function's name; may be empty.
    pub function_name: String,
    /// Lanes of a sub-group, if the source says it.
    pub sub_group: Option<u32>,
    /// Under which conditions of the preprocessor it stands: number of the condition and of the branch.
    pub conditions: Vec<(u32, u32)>,
    /// Whether it is read by the vector backend (CM, ESIMD), or may be.
    pub is_vector: bool,
    /// Whether the text is pasted more than once, as far as the source shows: a loop, a macro, a helper function.
    pub is_repeated: bool,
    /// Whether it stands inside an `if` or a loop.
    pub is_conditional: bool,
    /// Whether it stands inside an `if`.
    pub is_branched: bool,
    /// Whether the host's compiler may leave it out: it stands in a branch of an `if constexpr`.
    pub is_optional: bool,
    /// Whether it is the use of a macro that holds the statement.
    pub is_use: bool,
    /// Whether it stands in a macro whose uses are read, too.
    pub has_uses: bool,
    /// Whether it stands in a source that is a string of another source: its text is escaped twice.
    pub is_nested: bool,
    /// Whether it is a text that nothing is known to take, and a scope of its own: what it names is declared in it.
    pub is_scope: bool,
    /// Whether its text is that of LLVM IR itself, where a newline is `\0A`.
    pub is_ir: bool,
    /// Where holes begin that stand for a number, in order.
    pub numbers: Arc<[u32]>,
    /// What the host hands over to the constraints and takes from them, if they are one list.
    pub handed_over: Option<HandedOver>,
}

/// How many values a statement is given, and how many it returns.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandedOver {
    /// The place of the list of constraints.
    pub list: Span,
    /// The results, if their number is known.
    pub n_results: Option<usize>,
    /// The values, if their number is known.
    pub n_values: Option<usize>,
}

impl RawStatement {
    /// A statement with nothing but its place and template.
    #[must_use]
    pub fn new(span: Span, template: Mapped, escapes: Escapes) -> Self {
        Self {
            span,
            template,
            escapes,
            is_kernel: false,
            operands: None,
            function: 0,
            function_name: String::new(),
            sub_group: None,
            conditions: Vec::new(),
            is_vector: false,
            is_repeated: false,
            is_conditional: false,
            is_branched: false,
            is_optional: false,
            is_use: false,
            has_uses: false,
            is_nested: false,
            is_scope: false,
            is_ir: false,
            numbers: Arc::default(),
            handed_over: None,
        }
    }

    /// Adds to a finding in the definition of a macro where the statement uses the macro; `text` is the text with the fault.
    #[must_use]
    pub(super) fn with_use(&self, text: &Mapped, diagnostic: Diagnostic) -> Diagnostic {
        let place = diagnostic.primary.span;
        let is_elsewhere = !self.span.contains(place.start);
        let used = || text.use_of(place).or_else(|| Some(self.span).filter(|_| self.is_use));
        match is_elsewhere.then(used).flatten() {
            Some(used) => diagnostic.used_at(used),
            None => diagnostic,
        }
    }
}

/// Operands that elements are packed to, at most.
pub const MOST_PACKED: u32 = 64;

/// The operands that `pack` elements of a tensor become: elements below 32 bits come several to an operand.
#[must_use]
pub fn elementwise(element: HostType, pack: u32) -> Vec<HostType> {
    let HostType::Value { element: of, n_components: 1, is_unsigned } = element else {
        return vec![element; pack.clamp(1, MOST_PACKED) as usize];
    };
    let n_components = (4 / of.bytes().min(4)).min(pack).max(1);
    let operand = HostType::Value { element: of, n_components, is_unsigned };
    vec![operand; (pack / n_components).clamp(1, MOST_PACKED) as usize]
}

/// The statements of a source that is read in parts.
#[derive(Default)]
pub struct Parts {
    /// The statements, part after part.
    pub statements: Vec<RawStatement>,
    /// The greatest numbers that were used so far.
    last_function: u32,
    last_condition: u32,
}

impl Parts {
    /// Appends the statements of another part: its functions and conditions are others.
    pub fn append(&mut self, more: Vec<RawStatement>) {
        let (before, conditions_before) = (self.last_function, self.last_condition);
        for mut statement in more {
            if statement.function != 0 {
                statement.function += before;
                self.last_function = self.last_function.max(statement.function);
            }
            for (id, _) in &mut statement.conditions {
                *id += conditions_before;
                self.last_condition = self.last_condition.max(*id);
            }
            self.statements.push(statement);
        }
    }

    /// The statements in the order of the text.
    #[must_use]
    pub fn sorted(mut self) -> Vec<RawStatement> {
        self.statements.sort_by_key(|s| s.span.start);
        self.statements
    }
}
