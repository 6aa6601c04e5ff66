//! What the strings of a Python text are: joined, formatted, under names, returned by functions.

use super::tokens::{Kind, Token, closing, parts, unwrapped};
use super::{Assigned, Given, MOST_PACKED, Returned, element};
use crate::base::span::Span;
use crate::host::c;
use crate::host::map::Mapped;
use crate::host::statement::{Expansion, HOLE, HostType, WIDE_HOLE};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// A parameter of a function, and the argument that a call gives it, if it is a literal.
pub(super) struct Bound<'a> {
    pub(super) name: &'a str,
    pub(super) argument: Option<&'a [Token]>,
}

/// What is done with the strings of a value.
#[derive(Clone, Copy)]
pub(super) enum Formatting<'a> {
    Plain,
    /// `.format(...)`, with what stands between its parentheses.
    Braces(&'a [Token]),
    /// `% (...)`
    Percent,
}

/// Methods that change nothing but the space around the lines of a string.
pub(super) const SPACERS: [&str; 4] = ["strip", "lstrip", "rstrip", "splitlines"];

/// Functions of a string that change nothing but its space.
const WRAPPERS: [&str; 5] = ["dedent", "indent", "cleandoc", "constexpr", "str"];

/// Names inside of values that are followed.
pub(super) const DEPTH: u32 = 8;

/// Bytes that the names of one template may become. What goes beyond is not known.
pub(super) const MOST_BYTES: usize = 1 << 18;

/// What the strings of a text are.
pub(super) struct Strings<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [Token],
    pub(super) assigned: &'t Assigned<'t>,
    pub(super) returned: &'t FxHashMap<&'t str, Option<Returned>>,
    /// Names that parameters, loops or imports give values, too.
    pub(super) rebound: &'t FxHashSet<&'t str>,
    pub(super) expansion: &'t Expansion,
    /// Lanes of a sub-group, if the file says it once.
    pub(super) sub_group: Option<u32>,
    /// Which text is read of those among which the program chooses, and how many there are.
    pub(super) choice: Cell<usize>,
    pub(super) n_choices: Cell<usize>,
}

impl<'t> Strings<'t> {
    /// The values that a name at a place was given last, and put behind it, in order. One that a branch or a loop puts there
    /// is not known.
    fn values(&self, name: Token) -> Vec<Option<&'t [Token]>> {
        let word = name.span.of(self.text);
        let all = self.assigned.get(word).map_or(&[][..], Vec::as_slice);
        let is_before = |v: &Given| self.tokens.get(v.tokens.end - 1).is_some_and(|t| t.span < name.span);
        let before = &all[..all.partition_point(is_before)];
        let Some(first) = before.iter().rposition(|v| !v.goes_on) else { return Vec::new() };
        let indent = before[first].indent;
        before[first..].iter().map(|v| (v.indent == indent).then(|| &self.tokens[v.tokens.clone()])).collect()
    }

    /// The one value of a name, if `part` is one.
    pub(super) fn value(&self, part: &[Token]) -> Option<&'t [Token]> {
        let [only] = part else { return None };
        match (only.kind, self.values(*only).as_slice()) {
            (Kind::Word, [Some(value)]) => Some(*value),
            _ => None,
        }
    }

    /// The types of the outputs of a call with the given `dtype` and `pack`: elements below 32 bits come several to an
    /// operand. Nothing if a type is not known.
    pub(super) fn outputs(&self, dtype: &[Token], pack: u32) -> Vec<HostType> {
        let dtype = unwrapped(self.text, self.value(dtype).unwrap_or(dtype));
        let dtype = match dtype {
            [open, inside @ .., close] if open.kind == Kind::Open && close.kind == Kind::Close => inside,
            _ => dtype,
        };
        let mut all = Vec::new();
        for one in dtype.split(|t| t.kind == Kind::Comma).filter(|part| !part.is_empty()) {
            let Some((element, is_unsigned)) = one.last().and_then(|t| element(t.span.of(self.text))) else {
                return Vec::new();
            };
            let n_components = (4 / element.bytes().min(4)).min(pack).max(1);
            let operand = HostType::Value { element, n_components, is_unsigned };
            all.extend(std::iter::repeat_n(operand, (pack / n_components).clamp(1, MOST_PACKED) as usize));
        }
        all
    }

    /// The text that a value of one literal becomes in a string: a number, or a string without escapes.
    fn constant_text(&self, value: &[Token]) -> Option<String> {
        let (first, last) = value.first().zip(value.last())?;
        if let (Kind::Text { inside, is_raw, is_format: false }, 1) = (first.kind, value.len()) {
            let inside = inside.of(self.text);
            return (is_raw || !inside.contains('\\')).then(|| inside.to_owned());
        }
        let written = Span::new(first.span.start, last.span.end).of(self.text).replace('_', "");
        let number = match written.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16).ok()?,
            None => written.parse().ok()?,
        };
        Some(number.to_string())
    }

    /// What a name that the file gives one value stands for in a string; `bound` are the parameters around it.
    fn named_text(&self, name: Span, bound: &[Bound]) -> Option<String> {
        let word = name.of(self.text);
        if let Some(parameter) = bound.iter().find(|b| b.name == word) {
            return self.constant_text(parameter.argument?);
        }
        let [Given { tokens, goes_on: false, .. }] = self.assigned.get(word)?.as_slice() else { return None };
        let value = &self.tokens[tokens.clone()];
        let is_before = value.last().is_some_and(|t| t.span < name);
        (is_before && !self.rebound.contains(word)).then(|| self.constant_text(value))?
    }

    /// What stands for `{...}` in a string, if it is known. `place` is what stands between the braces, which is the `n`-th
    /// without a name.
    fn field(&self, place: Span, n: usize, formatting: Formatting, bound: &[Bound]) -> Option<Field> {
        let key = place.of(self.text);
        let Formatting::Braces(arguments) = formatting else {
            let is_number = !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit());
            let text = if is_number { Some(key.to_owned()) } else { self.named_text(place, bound) };
            return text.map(|text| Field { text, place: None });
        };
        let mut given = parts(arguments).filter(|part| !part.is_empty());
        if arguments.iter().any(|t| t.kind == Kind::Other && t.span.of(self.text) == "*") {
            return None;
        }
        let is_named = |part: &&[Token]| part.get(1).is_some_and(|t| t.kind == Kind::Equal);
        let index = if key.is_empty() { Some(n) } else { key.parse().ok() };
        let value = match index {
            Some(index) => given.filter(|part| !is_named(part)).nth(index)?,
            None => &given.find(|part| is_named(part) && part[0].span.of(self.text) == key)?[2..],
        };
        let text = match value {
            [name] if name.kind == Kind::Word => self.named_text(name.span, bound),
            _ => self.constant_text(value),
        };
        // A string stands there as it is pasted.
        let place = match value {
            [only] => inside(only),
            _ => None,
        };
        text.map(|text| Field { text, place })
    }

    /// Appends the text of a string, to which `formatting` is applied.
    fn literal(&self, token: Token, formatting: Formatting, bound: &[Bound], n_fields: &mut usize, out: &mut Mapped) {
        let mut fill = |place: Span| {
            let n = *n_fields;
            *n_fields += usize::from(place.is_empty());
            self.field(place, n, formatting, bound)
        };
        filled(self.text, token, formatting, &mut fill, out);
    }

    /// The number of items of a list that is written out.
    pub(super) fn n_items(&self, list: &[Token]) -> Option<usize> {
        let list = self.value(list).unwrap_or(list);
        let [open, inside @ .., _] = list else { return None };
        let is_list = open.span.of(self.text) == "[" && closing(list, 0) == Some(list.len() - 1);
        let is_open = |t: &Token| matches!(t.span.of(self.text), "for" | "*");
        (is_list && !inside.iter().any(is_open)).then(|| parts(inside).filter(|item| !item.is_empty()).count())
    }

    /// Of `one if condition else two`, the value that is read now.
    fn chosen<'v>(&self, value: &'v [Token]) -> &'v [Token] {
        let word = |at: usize| (value[at].kind == Kind::Word).then(|| value[at].span.of(self.text));
        let mut brackets = 0i32;
        let mut asked = None;
        for at in 0..value.len() {
            brackets += i32::from(value[at].kind == Kind::Open) - i32::from(value[at].kind == Kind::Close);
            match (word(at), asked) {
                (Some("if"), None) if brackets == 0 => asked = Some(at),
                (Some("else"), Some(condition)) if brackets == 0 => {
                    return match self.choose(2) {
                        0 => unwrapped(self.text, &value[..condition]),
                        _ => self.chosen(unwrapped(self.text, &value[at + 1..])),
                    };
                }
                _ => {}
            }
        }
        value
    }

    /// Which of `n` values is read now. Where a text depends on several choices, not all combinations are read.
    fn choose(&self, n: usize) -> usize {
        self.n_choices.set(self.n_choices.get().max(n));
        self.choice.get() % n.max(1)
    }

    /// The items of `NAME[key]`: the one with that key, or else the one that is read now.
    fn item(&self, name: Token, key: &[Token]) -> Option<&'t [Token]> {
        let values = self.values(name);
        let [Some(value)] = values.as_slice() else { return None };
        let value = unwrapped(self.text, value);
        let [open, inside @ .., _] = value else { return None };
        if open.kind != Kind::Open || closing(value, 0) != Some(value.len() - 1) {
            return None;
        }
        let items: Vec<&[Token]> = parts(inside).filter(|item| !item.is_empty()).collect();
        let colon = |item: &[Token]| item.iter().position(|t| t.span.of(self.text) == ":");
        let content = |token: &Token| match token.kind {
            Kind::Text { inside, .. } => inside.of(self.text),
            _ => token.span.of(self.text),
        };
        let is_dictionary = open.span.of(self.text) == "{";
        if let [key] = key
            && key.kind != Kind::Word
        {
            let found = if is_dictionary {
                items.iter().find(|item| item.len() > 2 && content(&item[0]) == content(key)).copied()
            } else {
                content(key).parse().ok().and_then(|n: usize| items.get(n).copied())
            };
            return found.map(|item| if is_dictionary { &item[2..] } else { item });
        }
        let item = *items.get(self.choose(items.len()))?;
        if is_dictionary { Some(&item[colon(item)? + 1..]) } else { Some(item) }
    }

    /// Where the names before the methods of a string end: `self.text`, `tl.constexpr`.
    fn path(&self, term: &[Token]) -> usize {
        let mut end = 1;
        while let [dot, name, ..] = &term[end..] {
            let is_call = term.get(end + 2).is_some_and(|t| t.span.of(self.text) == "(");
            let is_function = WRAPPERS.contains(&name.span.of(self.text));
            if dot.span.of(self.text) != "." || name.kind != Kind::Word || is_call && !is_function {
                break;
            }
            end += 2;
        }
        end
    }

    /// Whether one more name is followed.
    fn follows(&self, depth: u32, out: &Mapped) -> bool {
        depth < DEPTH && out.text.len() < MOST_BYTES && !self.expansion.is_over()
    }

    /// Appends the strings of a value, joined; anything else is a hole.
    pub(super) fn append(&self, value: &[Token], depth: u32, out: &mut Mapped) {
        self.append_formatted(value, Formatting::Plain, &[], depth, out);
    }

    /// Appends the strings of a sum, to which `formatting` is applied. `bound` are the parameters around it.
    fn append_formatted(&self, value: &[Token], formatting: Formatting, bound: &[Bound], depth: u32, out: &mut Mapped) {
        let value = self.chosen(unwrapped(self.text, value));
        self.expansion.spend_steps(value.len());
        let mut brackets = 0i32;
        for term in value.split(|t| {
            brackets += i32::from(t.kind == Kind::Open) - i32::from(t.kind == Kind::Close);
            brackets == 0 && t.kind == Kind::Other && t.span.of(self.text) == "+"
        }) {
            let mut own = Mapped::default();
            if !term.is_empty() && self.term(term, formatting, bound, depth, &mut own).is_none() {
                own = Mapped::default();
                hole(Span::new(term[0].span.start, term[term.len() - 1].span.end), &mut own);
            }
            if depth > 0 {
                self.expansion.spend(&own);
            }
            if !(own.text.starts_with(WIDE_HOLE) && out.text.ends_with(WIDE_HOLE)) {
                out.push_part(&own, Span::new(0, own.text.len() as u32));
            }
        }
    }

    /// Appends a string with its methods: `"...".format(n=16)`, `"..." % n`, `NAME.strip()`, `text("add")`. Nothing if it is
    /// not known.
    fn term(&self, term: &[Token], outer: Formatting, bound: &[Bound], depth: u32, out: &mut Mapped) -> Option<()> {
        let is = |at: usize, word: &str| term.get(at).is_some_and(|t| t.span.of(self.text) == word);
        let first = *term.first()?;
        // The string, up to its methods.
        let end = match first.kind {
            Kind::Text { .. } => term.iter().take_while(|t| matches!(t.kind, Kind::Text { .. })).count(),
            Kind::Open => closing(term, 0)? + 1,
            Kind::Word => {
                let end = self.path(term);
                if is(end, "(") || is(end, "[") { closing(term, end)? + 1 } else { end }
            }
            _ => return None,
        };
        let formatting = if is(end, ".") && is(end + 1, "format") {
            Formatting::Braces(closing(term, end + 2).map_or(&[][..], |close| &term[end + 3..close]))
        } else if is(end, "%") {
            Formatting::Percent
        } else {
            outer
        };
        let mut at = end;
        match first.kind {
            Kind::Text { inside, is_raw, .. } if is(end, ".") && is(end + 1, "join") => {
                let close = closing(term, end + 2)?;
                self.join(inside, is_raw, term.get(end + 3..close)?, depth, out);
                at = close + 1;
            }
            Kind::Text { .. } => {
                let mut n_fields = 0;
                for token in &term[..end] {
                    self.literal(*token, formatting, bound, &mut n_fields, out);
                }
            }
            Kind::Open if depth < DEPTH => {
                self.append_formatted(&term[1..end - 1], formatting, bound, depth + 1, out);
            }
            Kind::Open => return None,
            _ if term[end - 1].kind == Kind::Word => {
                let name = term[end - 1];
                let parameter = bound.iter().find(|b| end == 1 && b.name == first.span.of(self.text));
                let values = match parameter {
                    _ if !self.follows(depth, out) => Vec::new(),
                    Some(parameter) => parameter.argument.map(Some).into_iter().collect(),
                    None => self.values(name),
                };
                for value in &values {
                    match value {
                        Some(value) => self.append_formatted(value, formatting, &[], depth + 1, out),
                        None => hole(first.span, out),
                    }
                }
                if values.is_empty() {
                    return None;
                }
            }
            _ if is(self.path(term), "[") => {
                let open = self.path(term);
                let item = Some(term[open - 1]).filter(|_| self.follows(depth, out));
                let item = self.item(item?, &term[open + 1..end - 1])?;
                self.append_formatted(item, formatting, &[], depth + 1, out);
            }
            _ => {
                let open = term[..end].iter().position(|t| t.kind == Kind::Open)?;
                let arguments = &term[open + 1..end - 1];
                if WRAPPERS.contains(&term[open - 1].span.of(self.text)) {
                    let argument = parts(arguments).next()?;
                    self.append_formatted(argument, formatting, bound, depth, out);
                } else {
                    let function = self.returned.get(first.span.of(self.text)).filter(|_| open == 1)?.as_ref()?;
                    let value = function.value.clone().filter(|_| self.follows(depth, out))?;
                    let bound = self.bound(function, arguments);
                    self.append_formatted(&self.tokens[value], formatting, &bound, depth + 1, out);
                }
            }
        }
        self.methods(&term[at..], out)
    }

    /// The parameters of a function with the arguments of a call.
    fn bound<'a>(&'a self, function: &Returned, arguments: &'a [Token]) -> Vec<Bound<'a>> {
        let word = |token: &Token| token.span.of(self.text);
        let given: Vec<&[Token]> = parts(arguments).collect();
        let name = |part: &&[Token]| part.iter().find(|t| t.kind == Kind::Word).map_or("", word);
        parts(&self.tokens[function.parameters.clone()])
            .enumerate()
            .map(|(i, parameter)| {
                let name = name(&parameter);
                let named = given.iter().find_map(|part| match part {
                    [key, equal, value @ ..] if equal.kind == Kind::Equal && word(key) == name => Some(value),
                    _ => None,
                });
                let positional = given.get(i).copied().filter(|part| part.get(1).is_none_or(|t| t.kind != Kind::Equal));
                // Names are those of another place.
                let is_literal = |part: &&[Token]| {
                    part.iter().all(|t| matches!(t.kind, Kind::Text { .. })) || self.constant_text(part).is_some()
                };
                Bound { name, argument: named.or(positional).filter(is_literal) }
            })
            .collect()
    }

    /// Applies the methods behind a string. Nothing if one is not known.
    fn methods(&self, mut rest: &[Token], out: &mut Mapped) -> Option<()> {
        while let Some(first) = rest.first() {
            if first.span.of(self.text) == "%" {
                return Some(());
            }
            let [dot, name, open, ..] = rest else { return None };
            if dot.span.of(self.text) != "." || open.span.of(self.text) != "(" {
                return None;
            }
            let close = closing(rest, 2)?;
            match name.span.of(self.text) {
                "format" => {}
                "replace" => *out = self.replaced(&rest[3..close], out)?,
                name if SPACERS.contains(&name) => {}
                _ => return None,
            }
            rest = &rest[close + 1..];
        }
        Some(())
    }

    /// A text with `.replace("N", "16")` applied; what stands for it is a hole if it is not known.
    fn replaced(&self, arguments: &[Token], from: &Mapped) -> Option<Mapped> {
        let [old, comma, new @ ..] = arguments else { return None };
        let Kind::Text { inside, is_raw, is_format: false } = old.kind else { return None };
        let mut wanted = Mapped::default();
        part(self.text, inside, is_raw, &mut wanted);
        if comma.kind != Kind::Comma || wanted.text.is_empty() || new.is_empty() {
            return None;
        }
        let mut instead = Mapped::default();
        self.append(new, DEPTH, &mut instead);
        let mut out = Mapped::default();
        let mut done = 0;
        for (at, _) in from.text.match_indices(&wanted.text) {
            out.push_part(from, Span::new(done, at as u32));
            done = (at + wanted.text.len()) as u32;
            out.push_instead(&instead.text, from, self.text, Span::new(at as u32, done));
        }
        out.push_part(from, Span::new(done, from.text.len() as u32));
        (out.text.len() < MOST_BYTES).then_some(out)
    }

    /// `"\n".join([...])`
    fn join(&self, separator: Span, is_raw: bool, items: &[Token], depth: u32, out: &mut Mapped) {
        let values;
        let items = match items {
            [only] if only.kind == Kind::Word => {
                values = self.values(*only);
                match values.as_slice() {
                    [Some(list)] => list,
                    _ => return hole(only.span, out),
                }
            }
            _ => items,
        };
        let Some((first, last)) = items.first().zip(items.last()) else { return };
        let is_list = first.kind == Kind::Open && closing(items, 0) == Some(items.len() - 1);
        let is_comprehension = items.iter().any(|t| t.kind == Kind::Word && t.span.of(self.text) == "for");
        if !is_list || is_comprehension || !self.follows(depth, out) {
            return hole(Span::new(first.span.start, last.span.end), out);
        }
        let mut between = Mapped::default();
        part(self.text, separator, is_raw, &mut between);
        let length = between.text.len() as u32;
        let inside = &items[1..items.len() - 1];
        for item in parts(inside).filter(|item| !item.is_empty()) {
            if item[0].span != inside[0].span {
                out.push_part(&between, Span::new(0, length));
            }
            self.append(item, depth + 1, out);
        }
    }
}

/// What stands for `{...}` in a string.
struct Field {
    text: String,
    /// Where the very bytes of the text stand.
    place: Option<Span>,
}

/// The inside of a string.
pub(super) fn inside(token: &Token) -> Option<Span> {
    match token.kind {
        Kind::Text { inside, .. } => Some(inside),
        _ => None,
    }
}

/// Appends the text of a string, to which `formatting` is applied.
pub(super) fn literal(text: &str, token: Token, formatting: Formatting, out: &mut Mapped) {
    filled(text, token, formatting, &mut |_| None, out);
}

/// Appends the text of a string; `fill` says what stands for what is between braces, if it is known.
fn filled(
    text: &str,
    token: Token,
    formatting: Formatting,
    fill: &mut dyn FnMut(Span) -> Option<Field>,
    out: &mut Mapped,
) {
    let Kind::Text { inside, is_raw, is_format } = token.kind else { return };
    match formatting {
        Formatting::Percent => conversions(text, inside, is_raw, out),
        Formatting::Braces(_) => fields(text, inside, is_raw, fill, out),
        Formatting::Plain if is_format => fields(text, inside, is_raw, fill, out),
        Formatting::Plain => part(text, inside, is_raw, out),
    }
}

/// Appends text that is not known.
pub(super) fn hole(place: Span, out: &mut Mapped) {
    if !out.text.ends_with(WIDE_HOLE) {
        out.push_atom(WIDE_HOLE.encode_utf8(&mut [0; 4]), place);
    }
}

/// One string of which `%d` and `%(n)s` are replaced: they are holes, and `%%` is a percent sign.
pub(super) fn conversions(text: &str, inside: Span, is_raw: bool, out: &mut Mapped) {
    let append = |from: u32, to: u32, out: &mut Mapped| {
        let piece = Span::new(from, to).of(text);
        if is_raw { c::lines(piece, from, out) } else { c::escaped(piece, from, out) }
    };
    let mut from = inside.start;
    while let Some(found) = memchr::memchr(b'%', &text.as_bytes()[from as usize..inside.end as usize]) {
        let at = from + found as u32;
        append(from, at, out);
        let rest = &text[at as usize + 1..inside.end as usize];
        let name = if rest.starts_with('(') { rest.find(')').map_or(0, |i| i + 1) } else { 0 };
        let flags = rest[name..].bytes().take_while(|b| b.is_ascii_digit() || b"-+ #.".contains(b)).count();
        let length = (1 + name + flags + 1).min(rest.len() + 1) as u32;
        let hole = HOLE.encode_utf8(&mut [0; 4]).to_owned();
        let text = if rest.starts_with('%') { "%" } else { &hole };
        out.push_atom(text, Span::new(at, at + length));
        from = at + length;
    }
    append(from, inside.end, out);
}

/// One string without fields.
pub(super) fn part(text: &str, inside: Span, is_raw: bool, out: &mut Mapped) {
    if is_raw {
        c::lines(inside.of(text), inside.start, out);
    } else {
        c::escaped(inside.of(text), inside.start, out);
    }
}

/// One format string: what stands in its braces is what `fill` says, or a hole.
fn fields(text: &str, inside: Span, is_raw: bool, fill: &mut dyn FnMut(Span) -> Option<Field>, out: &mut Mapped) {
    let append = |from: u32, to: u32, out: &mut Mapped| part(text, Span::new(from, to), is_raw, out);
    let bytes = text.as_bytes();
    let mut from = inside.start;
    let mut at = inside.start;
    while at < inside.end {
        let byte = bytes[at as usize];
        let is_double = at + 1 < inside.end && bytes[at as usize + 1] == byte;
        match byte {
            b'{' | b'}' if is_double => {
                append(from, at, out);
                out.push_atom(if byte == b'{' { "{" } else { "}" }, Span::new(at, at + 2));
                at += 2;
                from = at;
            }
            b'{' => {
                append(from, at, out);
                let mut depth = 0i32;
                let length = text[at as usize..inside.end as usize].bytes().position(|b| {
                    depth += i32::from(b == b'{') - i32::from(b == b'}');
                    depth == 0
                });
                let end = length.map_or(inside.end, |n| at + n as u32 + 1);
                match length.and_then(|_| fill(Span::new(at + 1, end - 1))) {
                    Some(Field { text, place: Some(place) }) => out.push_run(&text, place.start),
                    Some(Field { text, place: None }) => out.push_atom(&text, Span::new(at, end)),
                    None => out.push_atom(HOLE.encode_utf8(&mut [0; 4]), Span::new(at, end)),
                }
                at = end;
                from = end;
            }
            _ => at += 1,
        }
    }
    append(from, inside.end, out);
}
