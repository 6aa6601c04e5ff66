//! The types of expressions.

use super::super::brackets::{angle, closing, ends_operand, outermost, split};
use super::super::lexer::{Kind, Token};
use super::aggregate::arithmetic;
use super::declaration::Declarations;
use super::name::builtin;
use super::value::integer;
use super::words::{CASTS, QUALIFIERS};
use super::{DEPTH, Names};
use crate::host::statement::HostType;
use crate::spec::Type;

impl<'a> Names<'a> {
    /// The type of an expression.
    pub fn type_of(&self, tokens: &[Token], declared: &Declarations<'a>) -> HostType {
        self.type_at_depth(tokens, declared, 0)
    }

    fn type_at_depth(&self, tokens: &[Token], declared: &Declarations<'a>, depth: u32) -> HostType {
        if depth > DEPTH {
            return HostType::Open;
        }
        let inner = |tokens: &[Token]| self.type_at_depth(tokens, declared, depth + 1);
        let tokens = Self::unqualified(tokens);
        let Some(first) = tokens.first() else { return HostType::Open };
        if let Some((one, two)) = self.choice(tokens) {
            let (one, two) = (inner(one), inner(two));
            return if one == two { one } else { arithmetic(&one, &two) };
        }
        if let Some((left, right)) = self.bits(tokens) {
            let left = inner(left);
            let right = if right.is_empty() { left.clone() } else { inner(right) };
            return arithmetic(&left, &right);
        }
        // Of a sum: the type of a pointer among its terms, or of all of them.
        if let Some(parts) = self.sum(tokens) {
            let mut types = parts.into_iter().map(inner);
            let first = decayed(types.next().unwrap_or_default());
            return types.fold(first, |sum, term| match (&sum, decayed(term)) {
                (HostType::Pointer { .. }, HostType::Pointer { .. }) => HostType::scalar(Type::Q, false),
                (HostType::Pointer { .. }, _) => sum,
                (_, pointer @ HostType::Pointer { .. }) => pointer,
                (_, term) => arithmetic(&sum, &term),
            });
        }
        match first.kind {
            Kind::Number if tokens.len() == 1 => number_type(self.word(*first)),
            Kind::Other if matches!(self.word(*first), "-" | "~" | "+") => match inner(&tokens[1..]) {
                one @ HostType::Value { n_components: 1, .. } => arithmetic(&one, &one),
                other => other,
            },
            Kind::Star => match inner(&tokens[1..]) {
                HostType::Pointer { target, .. } | HostType::Array { target, .. } => *target,
                _ => HostType::Open,
            },
            Kind::Ampersand => {
                let base = tokens
                    .get(1)
                    .filter(|t| t.kind == Kind::Word && !tokens[1..].iter().any(|t| t.kind == Kind::Arrow));
                let base = base.and_then(|t| declared.type_of(self.word(*t), self.place(*t)));
                // A name of another scope.
                if base.is_none() {
                    return HostType::Open;
                }
                let is_local = matches!(
                    base,
                    Some(HostType::Pointer { is_local: true, .. } | HostType::Array { is_local: true, .. })
                );
                HostType::Pointer { target: Box::new(inner(&tokens[1..])), is_local }
            }
            Kind::Open => {
                let Some(close) = closing(tokens, 0) else { return HostType::Open };
                let inside = &tokens[1..close];
                let rest = &tokens[close + 1..];
                if rest.is_empty() {
                    return inner(inside);
                }
                let is_postfix = matches!(rest[0].kind, Kind::BracketOpen | Kind::Dot | Kind::Arrow);
                if !is_postfix
                    && let Some((read, n)) = self.read_type(inside)
                    && n == inside.len()
                    && self.is_type(inside)
                {
                    return read;
                }
                self.postfix(inner(inside), rest)
            }
            Kind::Word => {
                let word = self.word(*first);
                if let Some(read) = self.cast(tokens) {
                    return read;
                }
                if word == "sizeof" {
                    return HostType::scalar(Type::Q, true);
                }
                let is_call = tokens.get(1).is_some_and(|t| matches!(t.kind, Kind::Open | Kind::BraceOpen));
                if is_call {
                    let Some(close) = closing(tokens, 1) else { return HostType::Open };
                    let base = word.strip_prefix("as_").or_else(|| word.strip_prefix("convert_"));
                    let base = base.map_or(word, |b| b.split('_').next().unwrap_or(b));
                    let read = self.types.get(base).cloned().or_else(|| builtin(base));
                    let read = read.or_else(|| self.returns.get(word).cloned());
                    let argument = || split(&tokens[2..close]).first().map_or(HostType::Open, |first| inner(first));
                    let read = read.or_else(|| builtin_result(word, argument));
                    let read = read.unwrap_or_default();
                    return self.postfix(read, &tokens[close + 1..]);
                }
                if let Some(found) = declared.type_of(word, self.place(*first)) {
                    return self.postfix(found, &tokens[1..]);
                }
                HostType::Open
            }
            _ => HostType::Open,
        }
    }

    /// The type of `static_cast<T>(value)` and `__builtin_bit_cast(T, value)`, with what stands behind them; nothing if it is
    /// none.
    fn cast(&self, tokens: &[Token]) -> Option<HostType> {
        let word = self.word(*tokens.first()?);
        let (read, open) = if word == "__builtin_bit_cast" {
            let inside = tokens.get(2..)?;
            let (read, n) = self.read_type(inside)?;
            (inside.get(n).is_some_and(|t| t.kind == Kind::Comma).then_some(read)?, 1)
        } else {
            let n = angle(&tokens[1..]).filter(|_| CASTS.contains(&word))?;
            (self.read_type(&tokens[2..n]).map_or(HostType::Open, |(read, _)| read), 1 + n)
        };
        let close = tokens.get(open).filter(|t| t.kind == Kind::Open).and_then(|_| closing(tokens, open));
        Some(close.map_or(HostType::Open, |close| self.postfix(read, &tokens[close + 1..])))
    }

    /// A cast or call without the namespaces before its name.
    fn unqualified(tokens: &[Token]) -> &[Token] {
        let mut rest = tokens;
        loop {
            rest = match rest {
                [scope, rest @ ..] if scope.kind == Kind::Scope => rest,
                [space, scope, rest @ ..] if (space.kind, scope.kind) == (Kind::Word, Kind::Scope) => rest,
                [_, open, ..] if matches!(open.kind, Kind::Open | Kind::BraceOpen | Kind::Less) => return rest,
                _ => return tokens,
            };
        }
    }

    /// Whether the tokens of a parenthesis are the name of a type rather than of a variable.
    pub(super) fn is_type(&self, tokens: &[Token]) -> bool {
        let last = tokens[tokens.len() - 1];
        let has_known = tokens.iter().any(|t| {
            let word = self.word(*t);
            t.kind == Kind::Word
                && (builtin(word).is_some() || self.types.contains_key(word) || QUALIFIERS.contains(word))
        });
        has_known || matches!(last.kind, Kind::Star | Kind::Ampersand | Kind::Greater)
    }

    /// `[i]`, `.lo`, `.s01` after an expression of type `read`.
    fn postfix(&self, mut read: HostType, mut rest: &[Token]) -> HostType {
        while let Some(first) = rest.first() {
            match first.kind {
                Kind::BracketOpen => {
                    let Some(close) = closing(rest, 0) else { return HostType::Open };
                    read = match read {
                        HostType::Pointer { target, .. } | HostType::Array { target, .. } => *target,
                        HostType::Value { element, n_components: 2.., is_unsigned } => {
                            HostType::scalar(element, is_unsigned)
                        }
                        _ => HostType::Open,
                    };
                    rest = &rest[close + 1..];
                }
                Kind::Dot | Kind::Arrow => {
                    let Some(name) = rest.get(1) else { return HostType::Open };
                    let structure = match (&read, first.kind) {
                        (HostType::Struct(structure), Kind::Dot) => Some(*structure),
                        (HostType::Pointer { target, .. }, Kind::Arrow) => match **target {
                            HostType::Struct(structure) => Some(structure),
                            _ => None,
                        },
                        _ => None,
                    };
                    // `v.x()` of a vector of SYCL, `tile.row()`.
                    let end = match rest.get(2) {
                        Some(open) if open.kind == Kind::Open => closing(rest, 2).map_or(rest.len(), |close| close + 1),
                        _ => 2,
                    };
                    if let Some(structure) = structure {
                        read = self.member(structure, self.word(*name));
                        rest = &rest[end..];
                        continue;
                    }
                    let is_whole = end > 2 && matches!(self.word(*name), "data" | "data_ref" | "read");
                    if is_whole && matches!(read, HostType::Simd { .. }) {
                        rest = &rest[end..];
                        continue;
                    }
                    let (HostType::Value { element, n_components, is_unsigned }, Kind::Dot) = (read, first.kind) else {
                        return HostType::Open;
                    };
                    let Some(n_components) = n_selected(self.word(*name), n_components) else { return HostType::Open };
                    read = HostType::Value { element, n_components, is_unsigned };
                    rest = &rest[end..];
                }
                _ => return HostType::Open,
            }
        }
        read
    }

    /// The two values between which `?` chooses at the outermost level.
    fn choice<'t>(&self, tokens: &'t [Token]) -> Option<(&'t [Token], &'t [Token])> {
        let mut asked = None;
        for (i, token) in outermost(tokens) {
            match token.kind {
                Kind::Other if asked.is_none() && self.word(token) == "?" => asked = Some(i + 1),
                Kind::Colon => return Some((&tokens[asked?..i], &tokens[i + 1..])),
                _ => {}
            }
        }
        None
    }

    /// The two sides of the last `&`, `|` or `^` at the outermost level, or what is shifted and nothing; nothing if there is
    /// none, or something that binds less.
    fn bits<'t>(&self, tokens: &'t [Token]) -> Option<(&'t [Token], &'t [Token])> {
        let is_glued = |i: usize| tokens.get(i + 1).is_some_and(|next| next.start == tokens[i].end);
        let mut shift = None;
        let mut joint = None;
        let mut skipped = 0;
        for (i, token) in outermost(tokens) {
            if i < skipped || i == 0 || !ends_operand(tokens[i - 1]) {
                continue;
            }
            match token.kind {
                Kind::Less => match angle(&tokens[i..]) {
                    Some(n) if tokens[i - 1].kind == Kind::Word => skipped = i + n,
                    _ if is_glued(i) && tokens[i + 1].kind == Kind::Less => {
                        shift = shift.or(Some(i));
                        skipped = i + 2;
                    }
                    _ => return None,
                },
                Kind::Greater if is_glued(i) && tokens[i + 1].kind == Kind::Greater => {
                    shift = shift.or(Some(i));
                    skipped = i + 2;
                }
                Kind::Greater | Kind::Equal => return None,
                Kind::Ampersand | Kind::Other => {
                    let word = self.word(token);
                    let is_double =
                        is_glued(i) && (self.word(tokens[i + 1]) == word || tokens[i + 1].kind == Kind::Equal);
                    match word {
                        "&" | "|" | "^" if !is_double => joint = Some(i),
                        "+" | "-" | "/" | "%" | "*" => {}
                        _ => return None,
                    }
                }
                _ => {}
            }
        }
        match (joint, shift) {
            (Some(at), _) => Some((&tokens[..at], &tokens[at + 1..])),
            (None, Some(at)) => Some((&tokens[..at], &tokens[..0])),
            (None, None) => None,
        }
    }

    /// The terms and factors of a sum or product at the outermost level; nothing if it is none.
    fn sum<'t>(&self, tokens: &'t [Token]) -> Option<Vec<&'t [Token]>> {
        let mut parts = Vec::new();
        let mut from = 0;
        let mut cast_end = 0;
        for (i, token) in outermost(tokens) {
            if token.kind == Kind::Word && CASTS.contains(&self.word(token)) {
                cast_end = angle(&tokens[i + 1..]).map_or(cast_end, |n| i + 1 + n);
            }
            // The star of a pointer in `reinterpret_cast<int4 *>`.
            if !matches!(token.kind, Kind::Other | Kind::Star) || i < cast_end {
                continue;
            }
            if i == from || !ends_operand(tokens[i - 1]) {
                continue;
            }
            match self.word(token) {
                "+" | "-" | "*" if self.is_cast_before(tokens, i) => {}
                "+" | "-" | "*" | "/" | "%" => {
                    parts.push(&tokens[from..i]);
                    from = i + 1;
                }
                _ => return Some(vec![&tokens[..0]]),
            }
        }
        if parts.is_empty() {
            return None;
        }
        parts.push(&tokens[from..]);
        Some(parts)
    }

    /// Whether a `*`, `+` or `-` follows a cast rather than an operand.
    pub(super) fn is_cast_before(&self, tokens: &[Token], at: usize) -> bool {
        if tokens[at - 1].kind != Kind::Close {
            return false;
        }
        let mut depth = 0;
        for i in (0..at).rev() {
            match tokens[i].kind {
                Kind::Close => depth += 1,
                Kind::Open => {
                    depth -= 1;
                    if depth == 0 {
                        let inside = &tokens[i + 1..at - 1];
                        let is_callee = i > 0 && matches!(tokens[i - 1].kind, Kind::Word | Kind::Greater);
                        return !inside.is_empty()
                            && !is_callee
                            && self.is_type(inside)
                            && self.read_type(inside).is_some_and(|(_, n)| n == inside.len());
                    }
                }
                _ => {}
            }
        }
        false
    }
}

/// What a function of OpenCL C returns, whose first argument has the type `argument`.
fn builtin_result(name: &str, argument: impl Fn() -> HostType) -> Option<HostType> {
    match name {
        "fabs" | "floor" | "ceil" | "rint" | "round" | "fmin" | "fmax" | "native_exp" | "native_exp2"
        | "native_log2" | "native_recip" | "native_rsqrt" | "native_sqrt" | "native_sin" | "native_cos" => {
            Some(argument()).filter(|t| matches!(t, HostType::Value { element, .. } if element.is_float()))
        }
        "sub_group_broadcast"
        | "sub_group_reduce_add"
        | "sub_group_reduce_max"
        | "sub_group_reduce_min"
        | "intel_sub_group_shuffle" => Some(argument()),
        "get_sub_group_local_id"
        | "get_sub_group_id"
        | "get_sub_group_size"
        | "get_max_sub_group_size"
        | "get_num_sub_groups" => Some(HostType::scalar(Type::D, true)),
        "get_global_id"
        | "get_local_id"
        | "get_group_id"
        | "get_global_size"
        | "get_local_size"
        | "get_num_groups"
        | "get_global_linear_id"
        | "get_local_linear_id" => Some(HostType::scalar(Type::Q, true)),
        _ => None,
    }
}

/// The type of a literal number.
fn number_type(text: &str) -> HostType {
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    if !is_hex && text.contains(['.', 'e', 'E']) {
        let element = match text.as_bytes()[text.len() - 1] {
            b'f' | b'F' => Type::F,
            b'h' | b'H' => Type::HF,
            _ => Type::DF,
        };
        return HostType::scalar(element, false);
    }
    let lower = text.to_ascii_lowercase();
    let suffix = lower.trim_start_matches(|c: char| c.is_ascii_hexdigit() || c == 'x' || c == '\'');
    let is_unsigned = suffix.contains('u');
    let is_decimal = !text.starts_with('0');
    let greatest = if is_decimal && !is_unsigned { i64::from(i32::MAX) } else { i64::from(u32::MAX) };
    let is_long = suffix.contains('l') || integer(text).is_some_and(|n| !(0..=greatest).contains(&n));
    HostType::scalar(if is_long { Type::Q } else { Type::D }, is_unsigned)
}

/// An array as the pointer that it becomes.
fn decayed(read: HostType) -> HostType {
    match read {
        HostType::Array { target, is_local } => HostType::Pointer { target, is_local },
        other => other,
    }
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
