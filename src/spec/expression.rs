//! Formulas of the tables: constant trees, and one evaluation over any domain.

/// A variable of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable {
    /// Execution size in lanes.
    ExecSize,
    /// Bytes of one register.
    GrfBytes,
    /// Enabled channels.
    NChannels,
    /// Index of the channel in question (R = 0).
    Channel,
    /// Its index among those enabled.
    ChannelPosition,
    /// The lane in question.
    Lane,
    /// The block in question.
    Block,
    /// Bytes of the operand's own element type.
    TypeBytes,
    /// The number of the modifier in that slot.
    Modifier(u8),
    /// The scalar value of the operand in that slot.
    Operand(u8),
}

/// An operator of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounded down
    Divide,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `max(a, b)`
    Max,
    /// `min(a, b)`
    Min,
    /// `round_up(a, multiple)`
    RoundUp,
}

/// A formula.
#[derive(Debug)]
pub enum Expression {
    /// A number.
    Number(i64),
    /// A name.
    Variable(Variable),
    /// `operand[index]`: an element of the operand in that slot.
    Element(u8, &'static Expression),
    /// Two operands.
    Binary(Operator, &'static Expression, &'static Expression),
    /// `choose(condition, a, b)`
    Choose(&'static Expression, &'static Expression, &'static Expression),
}

/// The values that formulas are evaluated over: numbers, intervals, forms.
pub trait Domain {
    /// A value.
    type Value;
    /// A number as a value.
    fn number(&mut self, number: i64) -> Self::Value;
    /// The value of a name; nothing if it is not known.
    fn variable(&mut self, variable: Variable) -> Option<Self::Value>;
    /// The element of an operand.
    fn element(&mut self, operand: u8, index: Self::Value) -> Option<Self::Value>;
    /// Two operands.
    fn binary(&mut self, operator: Operator, a: Self::Value, b: Self::Value) -> Option<Self::Value>;
    /// Whether a condition holds; nothing if it is not known.
    fn truth(&mut self, condition: Self::Value) -> Option<bool>;
}

impl Expression {
    /// Whether `holds` is true of it or of a part of it.
    pub fn any(&self, holds: &dyn Fn(&Self) -> bool) -> bool {
        holds(self)
            || match self {
                Self::Number(_) | Self::Variable(_) => false,
                Self::Element(_, index) => index.any(holds),
                Self::Binary(_, a, b) => a.any(holds) || b.any(holds),
                Self::Choose(condition, a, b) => condition.any(holds) || a.any(holds) || b.any(holds),
            }
    }

    /// Its value in `domain`; nothing if something in it is not known.
    pub fn evaluate<D: Domain>(&self, domain: &mut D) -> Option<D::Value> {
        match self {
            Self::Number(n) => Some(domain.number(*n)),
            Self::Variable(v) => domain.variable(*v),
            Self::Element(operand, index) => {
                let index = index.evaluate(domain)?;
                domain.element(*operand, index)
            }
            Self::Binary(operator, a, b) => {
                let a = a.evaluate(domain)?;
                let b = b.evaluate(domain)?;
                domain.binary(*operator, a, b)
            }
            Self::Choose(condition, a, b) => {
                let condition = condition.evaluate(domain)?;
                if domain.truth(condition)? { a.evaluate(domain) } else { b.evaluate(domain) }
            }
        }
    }
}

impl Operator {
    /// On plain numbers; nothing when dividing by zero or overflowing.
    #[must_use]
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        Some(match self {
            Self::Add => a.checked_add(b)?,
            Self::Subtract => a.checked_sub(b)?,
            Self::Multiply => a.checked_mul(b)?,
            Self::Divide => a.checked_div_euclid(b)?,
            Self::Equal => i64::from(a == b),
            Self::NotEqual => i64::from(a != b),
            Self::Less => i64::from(a < b),
            Self::LessEqual => i64::from(a <= b),
            Self::Greater => i64::from(a > b),
            Self::GreaterEqual => i64::from(a >= b),
            Self::Max => a.max(b),
            Self::Min => a.min(b),
            Self::RoundUp => a.checked_add(b.checked_sub(1)?)?.checked_div_euclid(b)?.checked_mul(b)?,
        })
    }
}

/// Plain numbers, with a closure that knows the names.
pub struct Numbers<F>(pub F);

impl<F: FnMut(Variable) -> Option<i64>> Domain for Numbers<F> {
    type Value = i64;
    fn number(&mut self, number: i64) -> i64 {
        number
    }
    fn variable(&mut self, variable: Variable) -> Option<i64> {
        (self.0)(variable)
    }
    fn element(&mut self, _operand: u8, _index: i64) -> Option<i64> {
        None
    }
    fn binary(&mut self, operator: Operator, a: i64, b: i64) -> Option<i64> {
        operator.apply(a, b)
    }
    fn truth(&mut self, condition: i64) -> Option<bool> {
        Some(condition != 0)
    }
}
