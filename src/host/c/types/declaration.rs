//! What functions and classes declare: types, and what is known of values.

use super::super::brackets::{angle, closing, ends_operand, expression_end, is_label, span_of, split};
use super::super::lexer::{Kind, Token};
use super::Names;
use super::name::builtin;
use super::words::{PER_LANE, QUALIFIERS};
use crate::host::statement::HostType;
use rustc_hash::FxHashMap;

/// What a function declares, in order: the place of the name, and its type. A name may be declared several times.
#[derive(Default)]
pub(in super::super) struct Declarations<'a> {
    pub(super) by_name: FxHashMap<&'a str, Vec<(u32, HostType, Origin)>>,
    /// Where the body of a kernel begins.
    kernel_body: Option<u32>,
    /// Braces around the place that is being read, and around the last declaration of each name.
    depth: i32,
    depths: FxHashMap<&'a str, i32>,
    /// What the names meant that were declared last.
    hidden: Vec<Hidden<'a>>,
    /// Whether a name means what it was declared as last, wherever that stands: the tokens that a macro becomes are in another
    /// order than the text.
    is_unordered: bool,
}

/// What a name meant before another declaration of it.
type Hidden<'a> = (&'a str, HostType, Origin);

/// The scopes around a place: what the names meant outside of each that are declared in it.
#[derive(Default)]
struct Scopes<'a> {
    blocks: Vec<Vec<Hidden<'a>>>,
    /// What is declared in parentheses, up to the end of the block or statement behind them.
    head: Vec<Hidden<'a>>,
    n_open: u32,
}

impl<'a> Scopes<'a> {
    /// Takes over what was declared at a place.
    fn declare(&mut self, hidden: Vec<Hidden<'a>>) {
        if self.n_open > 0 {
            self.head.extend(hidden);
        } else if let Some(block) = self.blocks.last_mut() {
            block.extend(hidden);
        }
    }

    /// Reads a token; returns what names mean again behind it, the last declared first.
    fn read(&mut self, token: Token) -> Vec<Hidden<'a>> {
        match token.kind {
            Kind::Open => self.n_open += 1,
            Kind::Close => self.n_open = self.n_open.saturating_sub(1),
            Kind::BraceOpen => self.blocks.push(std::mem::take(&mut self.head)),
            Kind::BraceClose => return self.blocks.pop().unwrap_or_default(),
            Kind::Semicolon if self.n_open == 0 => return std::mem::take(&mut self.head),
            _ => {}
        }
        Vec::new()
    }
}

/// Declarations that are read up to one place after another.
pub(in super::super) struct Reading<'a> {
    pub(in super::super) found: Declarations<'a>,
    scopes: Scopes<'a>,
    /// Whether a declaration may begin at the next token.
    begins: bool,
    /// The next token.
    at: usize,
}

impl Reading<'_> {
    fn of(found: Declarations) -> Reading {
        Reading { found, scopes: Scopes::default(), begins: true, at: 0 }
    }

    /// Of the tokens that a macro becomes.
    pub(in super::super) fn of_macro() -> Self {
        Self {
            found: Declarations { is_unordered: true, ..Declarations::default() },
            ..Reading::of(Declarations::default())
        }
    }
}

/// What is known of a variable's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// A parameter, or something that is set at run time.
    Varying,
    /// A constant that is written at its declaration.
    Constant(i64),
    /// The same with a fraction: the bits of a number of 64 bits.
    Real(u64),
    /// The number of a lane or work-item.
    PerLane,
    Open,
}

/// How the constraints of outputs begin.
const OUTPUT: [&str; 2] = ["\"=", "\"+"];

impl<'a> Names<'a> {
    /// The declarations among the tokens of a function, from its parameters on. What a kernel, whose body begins at
    /// `kernel_body`, declares before it are its arguments.
    pub fn declarations(&self, tokens: &[Token], kernel_body: Option<u32>) -> Declarations<'a> {
        let mut reading = Reading::of(Declarations { kernel_body, ..Declarations::default() });
        self.read_declarations(&mut reading, tokens);
        reading.found
    }

    /// Goes on reading the declarations among some tokens, up to the end of these.
    pub fn read_declarations(&self, reading: &mut Reading<'a>, tokens: &[Token]) {
        let Reading { found, scopes, begins, at } = reading;
        while *at < tokens.len() {
            let token = tokens[*at];
            scopes.declare(std::mem::take(&mut found.hidden));
            for (name, declared, origin) in scopes.read(token).into_iter().rev() {
                found.by_name.entry(name).or_default().push((token.start, declared, origin));
            }
            if token.kind == Kind::Word
                && self.word(token) == "template"
                && let Some(n) = angle(&tokens[*at + 1..])
            {
                self.template_parameters(&tokens[*at + 2..*at + n], found);
                *at += 1 + n;
                *begins = true;
                continue;
            }
            if *begins && let Some(n) = self.declaration(&tokens[*at..], found) {
                *at += n;
                *begins = false;
                continue;
            }
            if token.kind == Kind::Word {
                self.assignment(tokens, *at, found);
            }
            found.depth += i32::from(token.kind == Kind::BraceOpen) - i32::from(token.kind == Kind::BraceClose);
            // Behind `public:` and labels, too.
            *begins = matches!(
                token.kind,
                Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose | Kind::Open | Kind::Comma | Kind::Close
            ) || token.kind == Kind::Colon && is_label(tokens, *at);
            *at += 1;
        }
    }

    /// Notes what the word at `at` holds behind `NAME = value`, `NAME += value` or `&NAME`. What a branch or a loop assigns is
    /// not known.
    fn assignment(&self, tokens: &[Token], at: usize, found: &mut Declarations<'a>) {
        let name = self.word(tokens[at]);
        let Some((_, declared, origin)) = found.find(name, tokens[at].start) else { return };
        let (declared, before) = (declared.clone(), *origin);
        let kind = |n: usize| tokens.get(n).map(|t| t.kind);
        let is_address = at > 0 && kind(at - 1) == Some(Kind::Ampersand) && (at < 2 || !ends_operand(tokens[at - 2]));
        let is_output = at > 1
            && kind(at - 1) == Some(Kind::Open)
            && OUTPUT.iter().any(|o| self.word(tokens[at - 2]).starts_with(o));
        let equal = (at + 1..at + 4).find(|n| kind(*n) == Some(Kind::Equal));
        let operator = |equal: usize| span_of(&tokens[at + 1..equal]).of(self.text);
        let origin = match equal {
            _ if is_address || is_output => Origin::Open,
            Some(equal) if kind(equal + 1) != Some(Kind::Equal) => {
                let value = &tokens[equal + 1..expression_end(tokens, equal + 1)];
                let is_sure = found.depths.get(name) == Some(&found.depth)
                    && (at == 0 || matches!(kind(at - 1), Some(Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose)));
                let value = self.origin(value, false, found);
                match operator(equal) {
                    "" if is_sure => value,
                    "+" | "-" if is_sure && before != Origin::PerLane && value == Origin::PerLane => value,
                    "+" | "-" | "*" | "<<" if value != Origin::PerLane => return,
                    "" | "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" => Origin::Open,
                    _ => return,
                }
            }
            _ => return,
        };
        if origin != before {
            found.by_name.entry(name).or_default().push((tokens[at].start, declared, origin));
        }
    }

    /// The values that `template <int N, class T>` takes; what they are is not known.
    fn template_parameters(&self, tokens: &[Token], found: &mut Declarations<'a>) {
        for parameter in split(tokens) {
            let head = parameter.split(|t| t.kind == Kind::Equal).next().unwrap_or_default();
            if let [.., name] = head
                && let Some((read, n)) = self.read_type(head)
                && n + 1 == head.len()
            {
                let value = self.bound.numbers.get(self.word(*name));
                let origin = value.map_or(Origin::Open, |number| Origin::Constant(*number));
                found.add(self.word(*name), name.start, read, origin);
            }
        }
    }

    /// What a class declares; `own` are the tokens between its braces, without what inner parentheses and braces hold. A member
    /// may stand behind the function that uses it.
    pub fn members(&self, own: &[Token]) -> Declarations<'a> {
        let mut found = self.declarations(own, None);
        for (at, ..) in found.by_name.values_mut().flatten() {
            *at = 0;
        }
        found
    }

    /// A declaration at the beginning of `tokens`: records its names, and returns how many tokens were read.
    fn declaration(&self, tokens: &[Token], found: &mut Declarations<'a>) -> Option<usize> {
        let is_constant = tokens.iter().take(3).any(|t| matches!(self.word(*t), "const" | "constexpr"));
        // `a * b` and `a && b` of variables are no declarations.
        if found.find(self.word(tokens[0]), tokens[0].start).is_some() {
            return None;
        }
        let (read, mut at) = self.type_of_expression(tokens, found).or_else(|| self.read_type(tokens))?;
        let is_auto = self.word(tokens[at - 1]) == "auto" || tokens.iter().take(at).any(|t| self.word(*t) == "auto");
        if is_auto && tokens.get(at).is_some_and(|t| t.kind == Kind::BracketOpen) {
            return self.bindings(tokens, at, found);
        }
        let base = match &read {
            HostType::Pointer { .. } => strip_pointers(&read),
            other => other.clone(),
        };
        let is_local = matches!(read, HostType::Pointer { is_local: true, .. });
        let stands_local = tokens[..at].iter().any(|t| matches!(self.word(*t), "local" | "__local"));
        // `sycl::item<1>` is the number of the work-item.
        let is_item = tokens[..at]
            .windows(3)
            .any(|w| (self.word(w[0]), w[1].kind, self.word(w[2])) == ("sycl", Kind::Scope, "item"));
        let mut read = read;
        loop {
            let is_reference = Self::is_array_reference(&tokens[at..]);
            at += if is_reference { 2 } else { 0 };
            let name = *tokens.get(at).filter(|t| t.kind == Kind::Word)?;
            if QUALIFIERS.contains(self.word(name)) {
                return None;
            }
            at += if is_reference { 2 } else { 1 };
            let mut declared = read.clone();
            let n;
            // Of what is no known type, it may be a product as well.
            let is_product = base == HostType::Open && matches!(tokens[1].kind, Kind::Star | Kind::Ampersand);
            if is_product && found.find(self.word(name), name.start).is_some() {
                declared = HostType::Open;
            }
            (declared, n) = self.behind_name(declared, &tokens[at..], stands_local)?;
            at += n;
            let next = tokens.get(at)?;
            let mut origin = if is_item { Origin::PerLane } else { Origin::Open };
            match next.kind {
                // What a lambda declares is read behind its bracket.
                Kind::Equal if tokens.get(at + 1).is_some_and(|t| t.kind == Kind::BracketOpen) => {
                    found.add(self.word(name), name.start, HostType::Open, origin);
                    return Some(at + 1);
                }
                Kind::Equal => {
                    let end = expression_end(tokens, at + 1);
                    let value = &tokens[at + 1..end];
                    if is_auto {
                        declared = self.type_of(value, found);
                    }
                    origin = self.origin(value, is_constant, found);
                    found.add(self.word(name), name.start, declared, origin);
                    at = end;
                }
                Kind::Semicolon | Kind::Comma | Kind::Colon => {
                    // `for (auto &one : all)`
                    if is_auto && next.kind == Kind::Colon {
                        let all = &tokens[at + 1..expression_end(tokens, at + 1)];
                        declared = match self.type_of(all, found) {
                            HostType::Array { target, .. } => *target,
                            _ => HostType::Open,
                        };
                    }
                    found.add(self.word(name), name.start, declared, origin);
                }
                // The last parameter.
                Kind::Close => {
                    found.add(self.word(name), name.start, declared, origin);
                    return Some(at);
                }
                Kind::BraceOpen | Kind::Open if !self.word(name).is_empty() => {
                    // `int x{0}`, `float4 v(0)`; a function is no harm.
                    found.add(self.word(name), name.start, declared, origin);
                    let close = closing(tokens, at)?;
                    if tokens.get(close + 1).is_none_or(|t| t.kind != Kind::Comma) {
                        return Some(at);
                    }
                    at = close + 1;
                }
                _ => return None,
            }
            if tokens.get(at).is_none_or(|t| t.kind != Kind::Comma) {
                return Some(at);
            }
            // A parameter list, or a list of declarators?
            let rest = &tokens[at + 1..];
            let mut stars = 0;
            while rest.get(stars).is_some_and(|t| t.kind == Kind::Star) {
                stars += 1;
            }
            let follows = rest.get(stars + 1).map(|t| t.kind);
            let is_declarator = rest.get(stars).is_some_and(|t| t.kind == Kind::Word)
                && matches!(follows, Some(Kind::Equal | Kind::Semicolon | Kind::Comma | Kind::BracketOpen))
                && !rest
                    .get(stars)
                    .is_some_and(|t| QUALIFIERS.contains(self.word(*t)) || builtin(self.word(*t)).is_some());
            if !is_declarator {
                return Some(at);
            }
            read = base.clone();
            for _ in 0..stars {
                read = HostType::Pointer { target: Box::new(read), is_local };
            }
            at += 1 + stars;
        }
    }

    /// Reads `decltype(*p) &` and its like at the beginning of `tokens`; returns the type with the number of tokens.
    fn type_of_expression(&self, tokens: &[Token], found: &Declarations<'a>) -> Option<(HostType, usize)> {
        let is_qualifier = |t: &Token| QUALIFIERS.contains(self.word(*t));
        let open = tokens.iter().take_while(|t| is_qualifier(t)).count() + 1;
        let word = self.word(*tokens.get(open - 1)?);
        let is_asked = matches!(word, "decltype" | "typeof" | "__typeof" | "__typeof__");
        tokens.get(open).filter(|t| is_asked && t.kind == Kind::Open)?;
        let close = closing(tokens, open)?;
        let inside = &tokens[open + 1..close];
        let mut read = match self.read_type(inside) {
            Some((read, n)) if n == inside.len() && self.is_type(inside) => read,
            _ => self.type_of(inside, found),
        };
        let mut at = close + 1;
        while let Some(token) = tokens.get(at) {
            match token.kind {
                Kind::Star => read = HostType::Pointer { target: Box::new(read), is_local: false },
                Kind::Ampersand => {}
                Kind::Word if is_qualifier(token) => {}
                _ => break,
            }
            at += 1;
        }
        Some((read, at))
    }

    /// The type of what is declared by what stands behind its name: brackets of arrays, and an attribute that makes a vector.
    /// Also returns how many tokens they are.
    fn behind_name(&self, mut declared: HostType, tokens: &[Token], is_local: bool) -> Option<(HostType, usize)> {
        let mut at = 0;
        while tokens.get(at).is_some_and(|t| t.kind == Kind::BracketOpen) {
            let close = tokens[at..].iter().take(64).position(|t| t.kind == Kind::BracketClose)?;
            declared = HostType::Array { target: Box::new(declared), is_local };
            at += close + 1;
        }
        // `float v __attribute__((ext_vector_type(4)));`
        Some(match self.vector_attribute(&declared, &tokens[at..]) {
            Some((vector, n)) => (vector, at + n),
            None => (declared, at),
        })
    }

    /// `auto [one, two] = value;`, whose names stand in the bracket at `open`: members of a structure in their order, or
    /// elements. Returns how many tokens were read.
    fn bindings(&self, tokens: &[Token], open: usize, found: &mut Declarations<'a>) -> Option<usize> {
        let close = closing(tokens, open)?;
        let from = close + 2;
        let is_loop = tokens.get(close + 1)?.kind == Kind::Colon;
        if !is_loop && tokens[close + 1].kind != Kind::Equal {
            return None;
        }
        let end = expression_end(tokens, from);
        let mut value = self.type_of(tokens.get(from..end)?, found);
        if is_loop {
            value = if let HostType::Array { target, .. } = value { *target } else { HostType::Open };
        }
        for (index, name) in split(&tokens[open + 1..close]).into_iter().enumerate() {
            let [name] = name else { return None };
            let declared = match &value {
                HostType::Struct(structure) => self.member_at(*structure, index),
                HostType::Array { target, .. } => (**target).clone(),
                _ => HostType::Open,
            };
            found.add(self.word(*name), name.start, declared, Origin::Open);
        }
        Some(end)
    }

    /// `(&NAME)[N]`
    fn is_array_reference(tokens: &[Token]) -> bool {
        let kinds = [Kind::Open, Kind::Ampersand, Kind::Word, Kind::Close, Kind::BracketOpen];
        tokens.len() > kinds.len() && tokens.iter().zip(kinds).all(|(t, kind)| t.kind == kind)
    }

    /// Whether a name is an argument of the kernel.
    fn kernel_body_reads(&self, name: Token, found: &Declarations<'a>) -> bool {
        name.kind == Kind::Word && found.origin(self.word(name), self.place(name)) == Origin::Varying
    }

    fn origin(&self, value: &[Token], is_constant: bool, found: &Declarations<'a>) -> Origin {
        if is_constant && let Some(number) = self.number(value) {
            return Origin::Constant(number);
        }
        if is_constant && let Some(number) = self.real_of(value, &[found]) {
            return Origin::Real(number.to_bits());
        }
        if self.is_per_lane(value, found) {
            return Origin::PerLane;
        }
        // What a call or an operator makes of the number of a lane is no constant, either.
        let is_named = |name: &[&str]| value.iter().any(|t| t.kind == Kind::Word && name.contains(&self.word(*t)));
        if is_named(&PER_LANE) && !is_named(&["sizeof", "alignof", "decltype"]) {
            return Origin::Varying;
        }
        // What is read from an array or computed is no constant that a compiler must find; a copy is what it copies.
        match value {
            [token] if token.kind == Kind::Word => found.origin(self.word(*token), self.place(*token)),
            [name, open, ..] if self.kernel_body_reads(*name, found) && open.kind == Kind::BracketOpen => {
                Origin::Varying
            }
            _ => Origin::Open,
        }
    }
}

impl<'a> Declarations<'a> {
    pub(super) fn add(&mut self, name: &'a str, at: u32, declared: HostType, origin: Origin) {
        let is_argument = self.kernel_body.is_some_and(|body| at < body);
        let origin = if is_argument && origin != Origin::PerLane { Origin::Varying } else { origin };
        self.depths.insert(name, self.depth);
        let (_, hidden, known) = self.find(name, at).cloned().unwrap_or((0, HostType::Open, Origin::Open));
        self.hidden.push((name, hidden, known));
        self.by_name.entry(name).or_default().push((at, declared, origin));
    }

    /// Notes a declaration that holds everywhere; nothing is known of a name that has several.
    pub(super) fn note(&mut self, name: &'a str, declared: HostType, origin: Origin) {
        let all = self.by_name.entry(name).or_default();
        match all.first_mut() {
            Some((_, known, value)) if (&*known, *value) != (&declared, origin) => {
                (*known, *value) = (HostType::Open, Origin::Open);
            }
            Some(_) => {}
            None => all.push((0, declared, origin)),
        }
    }

    /// The last declaration of a name before a place.
    pub(super) fn find(&self, name: &str, before: u32) -> Option<&(u32, HostType, Origin)> {
        let all = self.by_name.get(name)?;
        if self.is_unordered {
            return all.last();
        }
        let n = all.partition_point(|(at, ..)| *at < before);
        n.checked_sub(1).map(|i| &all[i])
    }

    pub(super) fn type_of(&self, name: &str, before: u32) -> Option<HostType> {
        self.find(name, before).map(|(_, declared, _)| declared.clone())
    }

    pub(super) fn origin(&self, name: &str, before: u32) -> Origin {
        self.find(name, before).map_or(Origin::Open, |(.., origin)| *origin)
    }
}

fn strip_pointers(read: &HostType) -> HostType {
    match read {
        HostType::Pointer { target, .. } => strip_pointers(target),
        other => other.clone(),
    }
}
