//! Formulas: a parser by precedence climbing.

use super::words::suggest;

/// An operator of two operands; its name is the variant of `Operator` in `src/spec/expression.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Max,
    Min,
    RoundUp,
}

/// A formula over names of type `N`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression<N> {
    /// A number.
    Number(i64),
    /// A name.
    Variable(N),
    /// `name[index]`
    Element(N, Box<Expression<N>>),
    /// Two operands.
    Binary(Operator, Box<Expression<N>>, Box<Expression<N>>),
    /// `choose(condition, a, b)`
    Choose(Box<Expression<N>>, Box<Expression<N>>, Box<Expression<N>>),
}

impl<N> Expression<N> {
    /// The same formula over other names. `resolve` is told whether the name is indexed; nothing if it knows none.
    /// It is asked about every name even if it does not know some, so that it can report them all.
    pub fn resolve<M>(&self, resolve: &mut impl FnMut(&N, bool) -> Option<M>) -> Option<Expression<M>> {
        let boxed = |e: &Self, resolve: &mut _| e.resolve(resolve).map(Box::new);
        Some(match self {
            Self::Number(number) => Expression::Number(*number),
            Self::Variable(name) => Expression::Variable(resolve(name, false)?),
            Self::Element(name, index) => {
                let (name, index) = (resolve(name, true), boxed(index, resolve));
                Expression::Element(name?, index?)
            }
            Self::Binary(operator, a, b) => {
                let (a, b) = (boxed(a, resolve), boxed(b, resolve));
                Expression::Binary(*operator, a?, b?)
            }
            Self::Choose(condition, a, b) => {
                let (condition, a, b) = (boxed(condition, resolve), boxed(a, resolve), boxed(b, resolve));
                Expression::Choose(condition?, a?, b?)
            }
        })
    }
}

/// Parses a formula.
pub fn parse(text: &str) -> Result<Expression<String>, String> {
    let mut parser = Parser { tokens: tokens(text)?, place: 0 };
    let expression = parser.comparison()?;
    match parser.next() {
        None => Ok(expression),
        Some(token) => Err(format!("{} after the end of the formula", token.describe())),
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Number(i64),
    Name(String),
    Symbol(&'static str),
}

impl Token {
    fn describe(&self) -> String {
        match self {
            Self::Number(number) => format!("`{number}`"),
            Self::Name(name) => format!("`{name}`"),
            Self::Symbol(symbol) => format!("`{symbol}`"),
        }
    }
}

/// Longer symbols stand before their beginnings.
const SYMBOLS: [&str; 15] = ["==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "(", ")", "[", "]", ","];

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if is_word(first) {
            let word = rest.split(|c| !is_word(c)).next().unwrap_or_default();
            tokens.push(if first.is_ascii_digit() { number(word)? } else { Token::Name(word.to_owned()) });
            word.len()
        } else {
            let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol));
            let symbol = symbol.ok_or_else(|| format!("`{first}` has no meaning in a formula"))?;
            tokens.push(Token::Symbol(symbol));
            symbol.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

fn number(word: &str) -> Result<Token, String> {
    let parsed = match word.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => word.parse(),
    };
    parsed.map(Token::Number).map_err(|_| format!("`{word}` is not a number"))
}

struct Parser {
    tokens: Vec<Token>,
    place: usize,
}

type Parsed = Result<Expression<String>, String>;

impl Parser {
    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.place).cloned();
        self.place += 1;
        token
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let is_there = matches!(self.tokens.get(self.place), Some(Token::Symbol(s)) if *s == symbol);
        self.place += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, symbol: &str) -> Result<(), String> {
        if self.eat(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    fn expected(&self, what: &str) -> String {
        match self.tokens.get(self.place) {
            Some(token) => format!("expected {what} before {}", token.describe()),
            None => format!("expected {what} at the end of the formula"),
        }
    }

    /// Comparisons do not chain: `a < b < c` is an error.
    fn comparison(&mut self) -> Parsed {
        let left = self.sum()?;
        let Some(operator) = self.operator(&COMPARISONS) else { return Ok(left) };
        Ok(binary(operator, left, self.sum()?))
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        while let Some(operator) = self.operator(&SUMS) {
            left = binary(operator, left, self.product()?);
        }
        Ok(left)
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.atom()?;
        while let Some(operator) = self.operator(&PRODUCTS) {
            left = binary(operator, left, self.atom()?);
        }
        Ok(left)
    }

    fn operator(&mut self, known: &[(&str, Operator)]) -> Option<Operator> {
        known.iter().find(|(symbol, _)| self.eat(symbol)).map(|(_, operator)| *operator)
    }

    fn atom(&mut self) -> Parsed {
        if self.eat("(") {
            let inner = self.comparison()?;
            self.expect(")")?;
            return Ok(inner);
        }
        match self.tokens.get(self.place).cloned() {
            Some(Token::Number(number)) => {
                self.place += 1;
                Ok(Expression::Number(number))
            }
            Some(Token::Name(name)) => {
                self.place += 1;
                self.after_name(name)
            }
            _ => Err(self.expected("a number, a name or `(`")),
        }
    }

    /// A name is a function if `(` follows, an operand if `[` follows.
    fn after_name(&mut self, name: String) -> Parsed {
        if self.eat("(") {
            let arguments = self.arguments()?;
            return call(&name, arguments);
        }
        if self.eat("[") {
            let index = self.comparison()?;
            self.expect("]")?;
            return Ok(Expression::Element(name, Box::new(index)));
        }
        Ok(Expression::Variable(name))
    }

    fn arguments(&mut self) -> Result<Vec<Expression<String>>, String> {
        let mut arguments = vec![self.comparison()?];
        while self.eat(",") {
            arguments.push(self.comparison()?);
        }
        self.expect(")")?;
        Ok(arguments)
    }
}

const COMPARISONS: [(&str, Operator); 6] = [
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<", Operator::Less),
    ("<=", Operator::LessEqual),
    (">", Operator::Greater),
    (">=", Operator::GreaterEqual),
];
const SUMS: [(&str, Operator); 2] = [("+", Operator::Add), ("-", Operator::Subtract)];
const PRODUCTS: [(&str, Operator); 2] = [("*", Operator::Multiply), ("/", Operator::Divide)];
const FUNCTIONS: [(&str, Operator); 3] =
    [("max", Operator::Max), ("min", Operator::Min), ("round_up", Operator::RoundUp)];

fn binary(operator: Operator, a: Expression<String>, b: Expression<String>) -> Expression<String> {
    Expression::Binary(operator, Box::new(a), Box::new(b))
}

fn call(name: &str, arguments: Vec<Expression<String>>) -> Parsed {
    let count = arguments.len();
    let mut arguments = arguments.into_iter();
    let (a, b, c) = (arguments.next(), arguments.next(), arguments.next());
    if name == "choose" {
        return match (a, b, c, count) {
            (Some(condition), Some(a), Some(b), 3) => {
                Ok(Expression::Choose(Box::new(condition), Box::new(a), Box::new(b)))
            }
            _ => Err(format!("`choose` takes 3 arguments, not {count}")),
        };
    }
    let Some((_, operator)) = FUNCTIONS.iter().find(|(function, _)| *function == name) else {
        let known = FUNCTIONS.iter().map(|(function, _)| *function).chain(["choose"]);
        return Err(format!("unknown function `{name}`{}", suggest(name, known)));
    };
    match (a, b, count) {
        (Some(a), Some(b), 2) => Ok(binary(*operator, a, b)),
        _ => Err(format!("`{name}` takes 2 arguments, not {count}")),
    }
}
