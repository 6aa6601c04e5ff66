//! Types of the C family: of declarations near an asm statement, and of the expressions of its operands.

mod aggregate;
mod expression;

use super::lexer::{Kind, Token};
use crate::base::span::Span;
use crate::host::statement::HostType;
use crate::spec::Type;
pub(super) use expression::NOT_TYPES;
use expression::PER_LANE;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a function declares, in order: the place of the name, and its type. A name may be declared several times.
#[derive(Default)]
pub(super) struct Declarations<'a> {
    by_name: FxHashMap<&'a str, Vec<(u32, HostType, Origin)>>,
    /// Where the body of a kernel begins.
    kernel_body: Option<u32>,
    /// Braces around the place that is being read, and around the last declaration of each name.
    depth: i32,
    depths: FxHashMap<&'a str, i32>,
}

/// What is known of a variable's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// A parameter, or something that is set at run time.
    Varying,
    /// A constant that is written at its declaration.
    Constant(i64),
    /// The number of a lane or work-item.
    PerLane,
    Open,
}

/// The tokens of a text with names for types and numbers.
#[derive(Default)]
pub(super) struct Names<'a> {
    pub text: &'a str,
    /// `using` and `typedef` of the file.
    pub types: FxHashMap<&'a str, HostType>,
    /// Templates of `using`: the parameters, and what they become.
    pub templates: FxHashMap<&'a str, (Vec<&'a str>, Vec<Token>)>,
    /// Names of constants of the file, and object-like macros of one number. Nothing for a name that stands for several.
    pub numbers: FxHashMap<&'a str, Option<i64>>,
    /// The types that uses of macros become, by the place of each.
    pub joined: FxHashMap<u32, HostType>,
    /// Namespaces of the file.
    pub spaces: FxHashSet<&'a str>,
    /// What the functions of the file return.
    pub returns: FxHashMap<&'a str, HostType>,
    /// The members of structures.
    pub structs: Vec<FxHashMap<&'a str, HostType>>,
    /// The place that counts for words that stand before it: they are from a macro that is used there.
    pub floor: u32,
}

const QUALIFIERS: [&str; 37] = [
    "const",
    "volatile",
    "static",
    "constexpr",
    "inline",
    "register",
    "restrict",
    "__restrict",
    "__restrict__",
    "extern",
    "private",
    "__private",
    "local",
    "__local",
    "global",
    "__global",
    "constant",
    "__constant",
    "generic",
    "__generic",
    "mutable",
    "typename",
    "thread_local",
    "__const",
    "struct",
    "read_only",
    "write_only",
    "__read_only",
    "__write_only",
    "uniform",
    "enum",
    "class",
    "consteval",
    "constinit",
    "_Atomic",
    "final",
    "kernel",
];

/// Braces inside of each other in which declarations are collected: each structure is read up to its end.
const MOST_BRACES: i32 = 256;

/// Tokens of an expression whose value is computed.
const MOST_EXPRESSION: usize = 24;

/// Namespaces that one declaration opens.
const MOST_SPACES: usize = 8;

/// How the constraints of outputs begin.
const OUTPUT: [&str; 2] = ["\"=", "\"+"];

/// A scalar type of OpenCL C, C++ or the SYCL library: element type, whether it has no sign.
fn scalar(name: &str) -> Option<(Type, bool)> {
    Some(match name {
        "char" | "int8_t" | "cl_char" | "schar" => (Type::B, false),
        "uchar" | "uint8_t" | "cl_uchar" | "bool" => (Type::B, true),
        "short" | "int16_t" | "cl_short" => (Type::W, false),
        "ushort" | "uint16_t" | "cl_ushort" => (Type::W, true),
        "int" | "int32_t" | "cl_int" | "signed" => (Type::D, false),
        "uint" | "uint32_t" | "cl_uint" | "unsigned" => (Type::D, true),
        "long" | "int64_t" | "cl_long" | "ptrdiff_t" | "intptr_t" => (Type::Q, false),
        "ulong" | "uint64_t" | "cl_ulong" | "size_t" | "uintptr_t" => (Type::Q, true),
        "half" | "_Float16" | "__fp16" | "cl_half" => (Type::HF, false),
        "float" | "cl_float" => (Type::F, false),
        "double" | "cl_double" => (Type::DF, false),
        _ => return None,
    })
}

/// The type of a name such as `int`, `uint4`, `cl_float8`.
fn builtin(name: &str) -> Option<HostType> {
    if let Some((element, is_unsigned)) = scalar(name) {
        return Some(HostType::scalar(element, is_unsigned));
    }
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (base, count) = name.split_at(name.len() - digits);
    let n_components: u32 = count.parse().ok().filter(|n| [2, 3, 4, 8, 16].contains(n))?;
    let (element, is_unsigned) = scalar(base).filter(|_| !matches!(base, "bool" | "size_t"))?;
    Some(HostType::Value { element, n_components, is_unsigned })
}

impl<'a> Names<'a> {
    fn word(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// Up to where declarations count for a token.
    fn place(&self, token: Token) -> u32 {
        token.start.max(self.floor)
    }

    /// Reads a type at the beginning of `tokens`, with its `*` and `&`; returns it with the number of tokens. A type that
    /// is not known is open.
    pub fn read_type(&self, tokens: &[Token]) -> Option<(HostType, usize)> {
        let mut at = 0;
        let mut is_local = false;
        let mut found: Option<HostType> = None;
        let mut words: Vec<&str> = Vec::new();
        while let Some(token) = tokens.get(at) {
            match token.kind {
                Kind::Word => {
                    let word = self.word(*token);
                    if QUALIFIERS.contains(&word) {
                        is_local |= matches!(word, "local" | "__local");
                        at += 1;
                    } else if matches!(word, "unsigned" | "signed" | "long" | "short" | "char" | "int" | "double")
                        && (found.is_none() || !words.is_empty())
                    {
                        words.push(word);
                        found = Some(Self::combined(&words));
                        at += 1;
                    } else if found.is_none() {
                        let (read, n) = self.named_type(&tokens[at..])?;
                        found = Some(read);
                        at += n;
                    } else {
                        break;
                    }
                }
                Kind::Scope if found.is_none() => at += 1,
                _ => break,
            }
        }
        let mut read = found?;
        while let Some(token) = tokens.get(at) {
            match token.kind {
                Kind::Star => read = HostType::Pointer { target: Box::new(read), is_local },
                Kind::Ampersand => {}
                Kind::Word if QUALIFIERS.contains(&self.word(*token)) => {}
                Kind::Word => match self.vector_attribute(&read, &tokens[at..]) {
                    Some((vector, n)) => {
                        read = vector;
                        at += n;
                        continue;
                    }
                    None => break,
                },
                _ => break,
            }
            at += 1;
        }
        Some((read, at))
    }

    /// `unsigned long`, `long long`, `unsigned char`.
    fn combined(words: &[&str]) -> HostType {
        let is_unsigned = words.contains(&"unsigned");
        let element = if words.contains(&"char") {
            Type::B
        } else if words.contains(&"short") {
            Type::W
        } else if words.contains(&"double") {
            Type::DF
        } else if words.contains(&"long") {
            Type::Q
        } else {
            Type::D
        };
        HostType::scalar(element, is_unsigned)
    }

    /// A type by its name, with namespaces and template arguments.
    fn named_type(&self, tokens: &[Token]) -> Option<(HostType, usize)> {
        let mut at = 0;
        let mut name = "";
        while let Some(token) = tokens.get(at) {
            match token.kind {
                Kind::Word => {
                    name = self.word(*token);
                    at += 1;
                    if tokens.get(at).is_some_and(|t| t.kind == Kind::Scope) {
                        at += 1;
                        continue;
                    }
                    break;
                }
                _ => return None,
            }
        }
        if name.is_empty() || NOT_TYPES.contains(&name) {
            return None;
        }
        if let Some(read) = self.joined.get(&tokens[at - 1].start).filter(|_| at < tokens.len()) {
            return Some((read.clone(), closing(tokens, at)? + 1));
        }
        let arguments = Self::angle(&tokens[at..]);
        if let Some(n) = arguments {
            let inside = &tokens[at + 1..at + n - 1];
            at += n;
            let is_simd = matches!(name, "simd" | "vector" | "vector_ref");
            if matches!(name, "vec" | "marray") || is_simd {
                let comma = inside.iter().position(|t| t.kind == Kind::Comma);
                if let Some(comma) = comma
                    && let Some((HostType::Value { element, is_unsigned, .. }, _)) = self.read_type(&inside[..comma])
                    && let Some(n) = self.number(&inside[comma + 1..])
                {
                    let n_components = u32::try_from(n).unwrap_or(1);
                    let read = if is_simd {
                        HostType::Simd { element, n_elements: n_components }
                    } else {
                        HostType::Value { element, n_components, is_unsigned }
                    };
                    return Some((read, at));
                }
            }
            return Some((self.of_template(name, inside), at));
        }
        Some((self.type_named(name).unwrap_or_default(), at))
    }

    /// The type of a name.
    pub fn type_named(&self, name: &str) -> Option<HostType> {
        self.types.get(name).cloned().or_else(|| builtin(name))
    }

    /// The number of tokens of `<...>`.
    fn angle(tokens: &[Token]) -> Option<usize> {
        if tokens.first()?.kind != Kind::Less {
            return None;
        }
        let mut depth = 0i32;
        for (i, token) in tokens.iter().enumerate().take(64) {
            match token.kind {
                Kind::Less => depth += 1,
                Kind::Greater => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(i + 1);
                    }
                }
                Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose => return None,
                _ => {}
            }
        }
        None
    }

    /// The number that an expression of one token is.
    pub fn number(&self, mut tokens: &[Token]) -> Option<i64> {
        let mut is_negative = false;
        loop {
            let number = match tokens {
                [token] if token.kind == Kind::Number => integer(self.word(*token))?,
                [token] if token.kind == Kind::Word => (*self.numbers.get(self.word(*token))?)?,
                // A parameter of a template may have any members.
                [class, scope, rest @ ..]
                    if (class.kind, scope.kind) == (Kind::Word, Kind::Scope)
                        && (self.types.contains_key(self.word(*class)) || self.spaces.contains(self.word(*class))) =>
                {
                    tokens = rest;
                    continue;
                }
                [open, inside @ .., close] if open.kind == Kind::Open && close.kind == Kind::Close => {
                    tokens = inside;
                    continue;
                }
                [sign, rest @ ..] if sign.kind == Kind::Other && self.word(*sign) == "-" => {
                    is_negative = !is_negative;
                    tokens = rest;
                    continue;
                }
                _ => return None,
            };
            return if is_negative { number.checked_neg() } else { Some(number) };
        }
    }

    /// Collects the aliases of types and the constants that a text declares anywhere.
    pub fn collect(&mut self, tokens: &[Token]) {
        let mut depth = 0i32;
        for (i, token) in tokens.iter().enumerate() {
            depth += i32::from(token.kind == Kind::BraceOpen) - i32::from(token.kind == Kind::BraceClose);
            if token.kind != Kind::Word || depth > MOST_BRACES {
                continue;
            }
            match self.word(*token) {
                "template" => self.alias_template(&tokens[i + 1..]),
                "using" => {
                    if let [name, equal, rest @ ..] = &tokens[i + 1..]
                        && name.kind == Kind::Word
                        && equal.kind == Kind::Equal
                        && let Some((read, _)) = self.read_type(rest)
                    {
                        self.types.insert(self.word(*name), read);
                    }
                }
                "typedef" => self.typedef(&tokens[i + 1..]),
                "struct" | "class" | "union" => self.structure(&tokens[i + 1..]),
                "enum" => {
                    self.enumeration(&tokens[i + 1..]);
                    self.enumerators(&tokens[i + 1..]);
                }
                "constexpr" | "const" => self.constant(&tokens[i + 1..]),
                "namespace" => {
                    let path = tokens[i + 1..].iter().take_while(|t| matches!(t.kind, Kind::Word | Kind::Scope));
                    let names = path.filter(|t| t.kind == Kind::Word).map(|t| self.word(*t));
                    let names: Vec<&str> = names.take(MOST_SPACES).collect();
                    self.spaces.extend(names);
                }
                _ => {}
            }
        }
    }

    fn typedef(&mut self, tokens: &[Token]) {
        let begins = |word: &str| tokens.first().is_some_and(|t| self.word(*t) == word);
        if begins("struct") || begins("enum") {
            let is_enum = begins("enum");
            let open = tokens.iter().take(4).position(|t| t.kind == Kind::BraceOpen);
            if let Some(open) = open
                && let Some(close) = closing(tokens, open)
                && let [name, end, ..] = &tokens[close + 1..]
                && (name.kind, end.kind) == (Kind::Word, Kind::Semicolon)
            {
                let read =
                    if is_enum { self.enumerated(&tokens[..open]) } else { self.members_of(&tokens[open + 1..close]) };
                self.types.insert(self.word(*name), read);
                return;
            }
        }
        let Some((read, n)) = self.read_type(tokens) else { return };
        let Some(name) = tokens.get(n).filter(|t| t.kind == Kind::Word) else { return };
        let end = tokens[n..].iter().take(24).position(|t| t.kind == Kind::Semicolon).map_or(n, |i| n + i);
        let read = match self.vector_attribute(&read, &tokens[n + 1..]) {
            Some((vector, length)) if end == n + 1 + length => vector,
            None if end == n + 1 => read,
            _ => HostType::Open,
        };
        self.types.insert(self.word(*name), read);
    }

    /// `constexpr int N = 16;`
    fn constant(&mut self, tokens: &[Token]) {
        let Some((_, n)) = self.read_type(tokens) else { return };
        if let [name, equal, rest @ ..] = &tokens[n..]
            && (name.kind, equal.kind) == (Kind::Word, Kind::Equal)
            && let Some(end) = rest.iter().take(MOST_EXPRESSION).position(|t| t.kind == Kind::Semicolon)
            && let Some(value) = self.constant_of(&rest[..end], &[], 0)
        {
            self.is_number(self.word(*name), Some(value));
        }
    }

    /// Notes the number that a name stands for somewhere in the file; nothing if it stands for something else.
    pub fn is_number(&mut self, name: &'a str, value: Option<i64>) {
        match self.numbers.get_mut(name) {
            Some(known) if *known != value => *known = None,
            Some(_) => {}
            None => {
                self.numbers.insert(name, value);
            }
        }
    }

    /// The declarations among the tokens of a function, from its parameters on. What a kernel, whose body begins at
    /// `kernel_body`, declares before it are its arguments.
    pub fn declarations(&self, tokens: &[Token], kernel_body: Option<u32>) -> Declarations<'a> {
        let mut found = Declarations { kernel_body, ..Declarations::default() };
        let mut begins = true;
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at];
            if token.kind == Kind::Word
                && self.word(token) == "template"
                && let Some(n) = Self::angle(&tokens[at + 1..])
            {
                self.template_parameters(&tokens[at + 2..at + n], &mut found);
                at += 1 + n;
                begins = true;
                continue;
            }
            if begins
                && token.kind == Kind::Word
                && let Some(n) = self.declaration(&tokens[at..], &mut found)
            {
                at += n;
                begins = false;
                continue;
            }
            if token.kind == Kind::Word {
                self.assignment(tokens, at, &mut found);
            }
            found.depth += i32::from(token.kind == Kind::BraceOpen) - i32::from(token.kind == Kind::BraceClose);
            // Behind `public:` and labels, too.
            begins = matches!(
                token.kind,
                Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose | Kind::Open | Kind::Comma | Kind::Close
            ) || token.kind == Kind::Colon && is_label(tokens, at);
            at += 1;
        }
        found
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
                && name.kind == Kind::Word
                && let Some((read, n)) = self.read_type(head)
                && n + 1 == head.len()
            {
                found.add(self.word(*name), name.start, read, Origin::Open);
            }
        }
    }

    /// What a class declares between its braces. A member may stand behind the function that uses it.
    pub fn members(&self, tokens: &[Token]) -> Declarations<'a> {
        let mut own = Vec::new();
        let mut depth = 0i32;
        for token in tokens {
            depth -= i32::from(token.kind == Kind::BraceClose);
            if depth == 0 {
                own.push(*token);
            }
            depth += i32::from(token.kind == Kind::BraceOpen);
        }
        let mut found = self.declarations(&own, None);
        for (at, ..) in found.by_name.values_mut().flatten() {
            *at = 0;
        }
        found
    }

    /// A declaration at the beginning of `tokens`: records its names, and returns how many tokens were read.
    fn declaration(&self, tokens: &[Token], found: &mut Declarations<'a>) -> Option<usize> {
        let is_constant = tokens.iter().take(3).any(|t| matches!(self.word(*t), "const" | "constexpr"));
        let (read, mut at) = self.read_type(tokens)?;
        let is_auto = self.word(tokens[at - 1]) == "auto" || tokens.iter().take(at).any(|t| self.word(*t) == "auto");
        let base = match &read {
            HostType::Pointer { .. } => strip_pointers(&read),
            other => other.clone(),
        };
        let is_local = matches!(read, HostType::Pointer { is_local: true, .. });
        let stands_local = tokens[..at].iter().any(|t| matches!(self.word(*t), "local" | "__local"));
        let mut read = read;
        loop {
            let is_reference = Self::is_array_reference(&tokens[at..]);
            at += if is_reference { 2 } else { 0 };
            let name = *tokens.get(at).filter(|t| t.kind == Kind::Word)?;
            if QUALIFIERS.contains(&self.word(name)) {
                return None;
            }
            at += if is_reference { 2 } else { 1 };
            let mut declared = read.clone();
            while tokens.get(at).is_some_and(|t| t.kind == Kind::BracketOpen) {
                let close = tokens[at..].iter().take(64).position(|t| t.kind == Kind::BracketClose)?;
                declared = HostType::Array { target: Box::new(declared), is_local: stands_local };
                at += close + 1;
            }
            let next = tokens.get(at)?;
            let mut origin = Origin::Open;
            match next.kind {
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
                    .is_some_and(|t| QUALIFIERS.contains(&self.word(*t)) || builtin(self.word(*t)).is_some());
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
    fn add(&mut self, name: &'a str, at: u32, declared: HostType, origin: Origin) {
        let is_argument = self.kernel_body.is_some_and(|body| at < body);
        let origin = if is_argument { Origin::Varying } else { origin };
        self.depths.insert(name, self.depth);
        self.by_name.entry(name).or_default().push((at, declared, origin));
    }

    /// The last declaration of a name before a place.
    fn find(&self, name: &str, before: u32) -> Option<&(u32, HostType, Origin)> {
        let all = self.by_name.get(name)?;
        let n = all.partition_point(|(at, ..)| *at < before);
        n.checked_sub(1).map(|i| &all[i])
    }

    fn type_of(&self, name: &str, before: u32) -> Option<HostType> {
        self.find(name, before).map(|(_, declared, _)| declared.clone())
    }

    fn origin(&self, name: &str, before: u32) -> Origin {
        self.find(name, before).map_or(Origin::Open, |(.., origin)| *origin)
    }
}

/// Whether the colon at `at` ends a label, as in `public:`.
fn is_label(tokens: &[Token], at: usize) -> bool {
    let ends = |t: &Token| matches!(t.kind, Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose | Kind::Colon);
    at > 0 && tokens[at - 1].kind == Kind::Word && (at == 1 || ends(&tokens[at - 2]))
}

/// How many components a swizzle selects.
fn n_selected(name: &str, n_components: u32) -> Option<u32> {
    let is_of = |set: &str| !name.is_empty() && name.chars().all(|c| set.contains(c));
    match name {
        "lo" | "hi" | "even" | "odd" => Some(if n_components == 3 { 2 } else { (n_components / 2).max(1) }),
        _ if n_components == 1 => None,
        _ if is_of("xyzw") || is_of("rgba") => Some(name.len() as u32),
        _ => {
            let digits = name.strip_prefix(['s', 'S'])?;
            (!digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit())).then_some(digits.len() as u32)
        }
    }
}

fn strip_pointers(read: &HostType) -> HostType {
    match read {
        HostType::Pointer { target, .. } => strip_pointers(target),
        other => other.clone(),
    }
}

/// Whether an operand ends with a token, so that an operator follows.
fn ends_operand(token: Token) -> bool {
    matches!(token.kind, Kind::Word | Kind::Number | Kind::Close | Kind::BracketClose | Kind::Character)
}

/// The tokens outside of parentheses, brackets and braces, each with its index.
pub(super) fn outermost(tokens: &[Token]) -> impl Iterator<Item = (usize, Token)> {
    let mut depth = 0i32;
    tokens.iter().enumerate().filter_map(move |(i, token)| {
        match token.kind {
            Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth += 1,
            Kind::Close | Kind::BracketClose | Kind::BraceClose => depth -= 1,
            _ if depth == 0 => return Some((i, *token)),
            _ => {}
        }
        None
    })
}

/// The parts between the commas at the outermost level.
pub(super) fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (i, _) in outermost(tokens).filter(|(_, t)| t.kind == Kind::Comma) {
        parts.push(&tokens[from..i]);
        from = i + 1;
    }
    if from < tokens.len() {
        parts.push(&tokens[from..]);
    }
    parts
}

/// The index of what closes the parenthesis, bracket or brace at `open`.
pub(super) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth += 1,
            Kind::Close | Kind::BracketClose | Kind::BraceClose => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where the initial value that begins at `at` ends: at a comma or semicolon.
fn expression_end(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        match token.kind {
            Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth += 1,
            Kind::Close | Kind::BracketClose | Kind::BraceClose => {
                depth -= 1;
                if depth < 0 {
                    return i;
                }
            }
            Kind::Comma | Kind::Semicolon if depth == 0 => return i,
            _ => {}
        }
    }
    tokens.len()
}

/// The value of an integer literal.
fn integer(text: &str) -> Option<i64> {
    let text = text.replace('\'', "");
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16).ok().map(|n| n as i64);
    }
    if let Some(binary) = digits.strip_prefix("0b").or_else(|| digits.strip_prefix("0B")) {
        return u64::from_str_radix(binary, 2).ok().map(|n| n as i64);
    }
    if digits.len() > 1 && digits.starts_with('0') {
        return i64::from_str_radix(digits, 8).ok();
    }
    digits.parse().ok()
}

/// The place of a list of tokens.
pub(super) fn span_of(tokens: &[Token]) -> Span {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => Span::new(first.start, last.end),
        _ => Span::default(),
    }
}
