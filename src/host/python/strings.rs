//! What the strings of a Python text are: joined, formatted, under names, returned by functions.

use super::element;
use super::formats::{Field, Formatting, filled, hole, inside, part, word_hole};
use super::lists::{MOST_ITEMS, push_optional};
use super::names::{Assigned, Function, Functions, Given, Put};
use super::tokens::{Kind, Token, closing, parts, tokens, unwrapped};
use crate::base::span::Span;
use crate::host::map::Mapped;
use crate::host::statement::{Expansion, HostType, WIDE_HOLE, elementwise};
use rustc_hash::FxHashSet;
use std::cell::Cell;

/// A parameter of a function, and the argument that a call gives it, if it is a literal.
pub(super) struct Bound<'a> {
    pub(super) name: &'a str,
    pub(super) argument: Option<&'a [Token]>,
}

/// A value that a name is given, or that is put behind what it has.
pub(super) struct Piece<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) put: Put,
    /// Whether a branch or a loop puts it there: once, several times or not at all.
    pub(super) is_optional: bool,
}

/// Methods that change nothing but the space around the lines of a string.
pub(super) const SPACERS: [&str; 5] = ["strip", "lstrip", "rstrip", "splitlines", "getvalue"];

/// Functions of a string that change nothing but its space.
pub(super) const WRAPPERS: [&str; 6] = ["dedent", "indent", "cleandoc", "constexpr", "str", "StringIO"];

/// Functions that write a number as one word.
const WRITERS: [&str; 4] = ["hex", "bin", "oct", "repr"];

/// Names inside of values that are followed.
pub(super) const DEPTH: u32 = 8;

/// Bytes that the names of one template may become. What goes beyond is not known.
pub(super) const MOST_BYTES: usize = 1 << 18;

/// Values that branches may have given a name, of which each is read.
const MOST_WAYS: usize = 8;

/// What the strings of a text are.
pub(super) struct Strings<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [Token],
    pub(super) assigned: &'t Assigned<'t>,
    pub(super) functions: &'t Functions<'t>,
    /// Names that parameters, loops or imports give values, too.
    pub(super) rebound: &'t FxHashSet<&'t str>,
    pub(super) expansion: &'t Expansion,
    /// Lanes of a sub-group, if the file says it once.
    pub(super) sub_group: Option<u32>,
    /// Which text is read of those among which the program chooses, and how many there are.
    pub(super) choice: Cell<usize>,
    pub(super) n_choices: Cell<usize>,
    /// Where the branch ends whose values are read; `usize::MAX` if the program comes through none.
    pub(super) block: Cell<Option<usize>>,
}

impl<'t> Strings<'t> {
    /// What a name at a place was given last, and what was put behind it, in order.
    pub(super) fn pieces(&self, name: Token) -> Vec<Piece<'t>> {
        let word = name.span.of(self.text);
        let all = self.assigned.get(word).map_or(&[][..], Vec::as_slice);
        let is_before = |v: &Given| {
            let last = v.tokens.end.max(v.tokens.start + 1) - 1;
            self.tokens.get(last).is_some_and(|t| t.span < name.span)
        };
        let before = &all[..all.partition_point(is_before)];
        let at = self.tokens.partition_point(|t| t.span < name.span);
        let holds = |v: &Given| v.function_end > at;
        let is_value = |v: &Given| matches!(v.put, Put::Value | Put::Each) && holds(v);
        let Some(last) = before.iter().rposition(is_value) else { return Vec::new() };
        let first = self.branch(before, last, at);
        let indent = before[first].indent;
        if before[first].put == Put::Each {
            let item = Some(&before[first]).filter(|v| v.block_end >= at && last == first);
            let item = item.and_then(|v| self.each(&self.tokens[v.tokens.clone()]));
            return item.map(|tokens| Piece { tokens, put: Put::Value, is_optional: false }).into_iter().collect();
        }
        let piece =
            |v: &Given| Piece { tokens: &self.tokens[v.tokens.clone()], put: v.put, is_optional: v.indent > indent };
        let own = before[first + 1..].iter().position(is_value).map_or(before.len(), |n| first + 1 + n);
        // What follows all branches is put behind each of them.
        let is_common = |v: &&Given| holds(v) && v.tokens.start >= before[last].block_end;
        let common = if own == before.len() { &[][..] } else { &before[last + 1..] };
        let own = before[first..own].iter().filter(|v| holds(v));
        own.chain(common.iter().filter(is_common)).map(piece).collect()
    }

    /// Which value of a name is read now, which is used at the token `at`: the `last` one, or another one of a branch that the
    /// program may have come through. Names that one branch gives values are read together.
    fn branch(&self, before: &[Given], last: usize, at: usize) -> usize {
        if before[last].block_end > at {
            return last;
        }
        let function = before[last].function_end;
        let mut ways = Vec::new();
        let mut is_sure = false;
        for (i, given) in before[..=last].iter().enumerate().rev() {
            if !matches!(given.put, Put::Value) || given.function_end != function || ways.len() == MOST_WAYS {
                continue;
            }
            ways.push(i);
            if given.block_end > at {
                is_sure = true;
                break;
            }
        }
        let sure = ways.last().copied().filter(|_| is_sure);
        let block = |i: usize| if Some(i) == sure { Some(usize::MAX) } else { Some(before[i].block_end) };
        let known = self.block.get().and_then(|known| ways.iter().copied().find(|i| block(*i) == Some(known)));
        if let Some(way) = known.or_else(|| sure.filter(|_| self.block.get().is_some())) {
            return way;
        }
        if ways.is_empty() {
            return last;
        }
        let way = ways[self.choose(ways.len())];
        self.block.set(block(way));
        way
    }

    /// The item of a list that a loop is at now, if the list is written out.
    fn each(&self, list: &'t [Token]) -> Option<&'t [Token]> {
        let list = unwrapped(self.text, self.value(list).unwrap_or(list));
        let inside = match list {
            [open, inside @ .., _] if open.kind == Kind::Open && closing(list, 0) == Some(list.len() - 1) => inside,
            [first, ..] if matches!(first.kind, Kind::Text { .. }) => list,
            _ => return None,
        };
        let items: Vec<&[Token]> = parts(inside).filter(|item| !item.is_empty()).collect();
        let is_literal = |item: &&[Token]| matches!(item, [only] if matches!(only.kind, Kind::Text { .. }));
        items.iter().all(is_literal).then(|| items.get(self.choose(items.len())).copied())?
    }

    /// The one value of a name, if `part` is one.
    pub(super) fn value(&self, part: &[Token]) -> Option<&'t [Token]> {
        let [only] = part else { return None };
        match (only.kind, self.pieces(*only).as_slice()) {
            (Kind::Word, [piece]) => Some(piece.tokens),
            _ => None,
        }
    }

    /// What the function around a parameter is given for it: of several calls, by the one that is read now.
    fn handed_over(&self, parameter: Token) -> Option<&'t [Token]> {
        let at = self.tokens.partition_point(|t| t.span < parameter.span);
        let holds = |f: &&Function| f.parameters.end <= at && at < f.end;
        let function = self.functions.values().flatten().filter(holds).max_by_key(|f| f.parameters.start)?;
        let word = parameter.span.of(self.text);
        let own =
            |part: &&[Token]| part.iter().find(|t| t.kind == Kind::Word).is_some_and(|t| t.span.of(self.text) == word);
        let parameters = &self.tokens[function.parameters.clone()];
        let (index, declared) = parts(parameters).enumerate().find(|(_, part)| own(part))?;
        let default = || declared.iter().position(|t| t.kind == Kind::Equal).map(|equal| &declared[equal + 1..]);
        if function.calls.is_empty() {
            return default();
        }
        let open = function.calls[self.choose(function.calls.len())];
        let close = closing(self.tokens, open)?;
        let is_method = parts(parameters).next().is_some_and(|p| matches!(p, [t] if t.span.of(self.text) == "self"));
        let given: Vec<&[Token]> = parts(&self.tokens[open + 1..close]).filter(|part| !part.is_empty()).collect();
        let is_positional = |part: &&[Token]| part.get(1).is_none_or(|t| t.kind != Kind::Equal);
        let is_named = |part: &&&[Token]| !is_positional(part) && part[0].span.of(self.text) == word;
        let named = given.iter().find(is_named).map(|part| &part[2..]);
        let index = index.checked_sub(usize::from(is_method))?;
        named.or_else(|| given.get(index).copied().filter(is_positional)).or_else(default)
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
            all.extend(elementwise(HostType::scalar(element, is_unsigned), pack));
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

    /// The value that a name stands for in a string, if the file gives it one: as the text writes it, and whether it is one of a
    /// list. `bound` are the parameters around it.
    fn named_value<'v>(&'v self, name: Span, bound: &[Bound<'v>]) -> Option<(&'v [Token], bool)> {
        let word = name.of(self.text);
        if let Some(parameter) = bound.iter().find(|b| b.name == word) {
            return Some((parameter.argument?, false));
        }
        if word.ends_with(']') {
            let tokens = tokens(&self.text[..name.end as usize], name.start as usize, |_| {});
            let [array, open, key @ .., _] = tokens.as_slice() else { return None };
            let is_item = array.kind == Kind::Word
                && open.span.of(self.text) == "["
                && closing(&tokens, 1) == Some(tokens.len() - 1);
            return Some((self.item(Some(*array).filter(|_| is_item)?, key)?, true));
        }
        let [Given { tokens, put, .. }] = self.assigned.get(word)?.as_slice() else { return None };
        let value = &self.tokens[tokens.clone()];
        let is_before = value.last().is_some_and(|t| t.span < name);
        match put {
            _ if !is_before || self.rebound.contains(word) => None,
            Put::Value => Some((value, false)),
            Put::Each => Some((self.each(value)?, true)),
            Put::Behind | Put::Item => None,
        }
    }

    /// What a name stands for in a string.
    fn named_field(&self, name: Span, bound: &[Bound]) -> Option<Field> {
        let (value, is_listed) = self.named_value(name, bound)?;
        let place = match value {
            [only] if is_listed => inside(only),
            _ => None,
        };
        self.constant_text(value).map(|text| Field { text, place })
    }

    /// What stands for `{...}` in a string, if it is known. `place` is what stands between the braces, which is the `n`-th
    /// without a name.
    fn field(&self, place: Span, n: usize, formatting: Formatting, bound: &[Bound]) -> Option<Field> {
        let key = place.of(self.text);
        let Formatting::Braces(arguments) = formatting else {
            let is_number = !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit());
            let number = is_number.then(|| Field { text: key.to_owned(), place: None });
            return number.or_else(|| self.named_field(place, bound));
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
        match value {
            [name] if name.kind == Kind::Word => self.named_field(name.span, bound),
            // A string stands there as it is pasted.
            [only] => self.constant_text(value).map(|text| Field { text, place: inside(only) }),
            _ => self.constant_text(value).map(|text| Field { text, place: None }),
        }
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
    pub(super) fn chosen<'v>(&self, value: &'v [Token]) -> &'v [Token] {
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
        let value = unwrapped(self.text, self.value(&[name])?);
        // `dict(key=value)`
        let is_called = value.first().is_some_and(|t| t.span.of(self.text) == "dict");
        let value = &value[usize::from(is_called)..];
        let [open, inside @ .., _] = value else { return None };
        if open.kind != Kind::Open || closing(value, 0) != Some(value.len() - 1) {
            return None;
        }
        let items: Vec<&[Token]> = parts(inside).filter(|item| !item.is_empty()).collect();
        let colon = |item: &[Token]| item.iter().position(|t| matches!(t.span.of(self.text), ":" | "="));
        let content = |token: &Token| match token.kind {
            Kind::Text { inside, .. } => inside.of(self.text),
            _ => token.span.of(self.text),
        };
        let is_dictionary = is_called || open.span.of(self.text) == "{";
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
            let word = name.span.of(self.text);
            let is_method = matches!(word, "format" | "replace" | "join") || SPACERS.contains(&word);
            let is_function = WRAPPERS.contains(&word) || !is_method && self.functions.contains_key(word);
            if dot.span.of(self.text) != "." || name.kind != Kind::Word || is_call && !is_function {
                break;
            }
            end += 2;
        }
        end
    }

    /// Whether one more name is followed.
    pub(super) fn follows(&self, depth: u32, out: &Mapped) -> bool {
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
                if !self.follows(depth, out) {
                    return None;
                }
                match parameter {
                    Some(parameter) => self.append_formatted(parameter.argument?, formatting, &[], depth + 1, out),
                    None => self.named(name, formatting, depth, out)?,
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
                let called = term[open - 1].span.of(self.text);
                if WRITERS.contains(&called) {
                    word_hole(Span::new(first.span.start, term[end - 1].span.end), out);
                } else if WRAPPERS.contains(&called) {
                    let argument = parts(arguments).next()?;
                    self.append_formatted(argument, formatting, bound, depth, out);
                    if called == "str" && out.text.chars().eq([WIDE_HOLE]) {
                        *out = Mapped::default();
                        word_hole(Span::new(first.span.start, term[end - 1].span.end), out);
                    }
                } else {
                    let function = self.functions.get(called)?.as_ref()?;
                    let value = function.value.clone().filter(|_| self.follows(depth, out))?;
                    let bound = self.bound(function, arguments);
                    self.append_formatted(&self.tokens[value], formatting, &bound, depth + 1, out);
                }
            }
        }
        self.methods(&term[at..], out)
    }

    /// Appends what a name was given. Nothing if that is not known.
    fn named(&self, name: Token, formatting: Formatting, depth: u32, out: &mut Mapped) -> Option<()> {
        let pieces = self.pieces(name);
        if pieces.is_empty() {
            let argument = self.handed_over(name)?;
            self.append_formatted(argument, formatting, &[], depth + 1, out);
        }
        for piece in &pieces {
            match piece.put {
                // A list is no text.
                Put::Item | Put::Each => hole(name.span, out),
                Put::Value | Put::Behind if piece.is_optional => {
                    let mut own = Mapped::default();
                    self.append_formatted(piece.tokens, formatting, &[], depth + 1, &mut own);
                    push_optional(&own, name.span, out);
                }
                Put::Value | Put::Behind => self.append_formatted(piece.tokens, formatting, &[], depth + 1, out),
            }
        }
        Some(())
    }

    /// The parameters of a function with the arguments of a call.
    fn bound<'a>(&'a self, function: &Function, arguments: &'a [Token]) -> Vec<Bound<'a>> {
        let word = |token: &Token| token.span.of(self.text);
        let given: Vec<&[Token]> = parts(arguments).collect();
        let name = |part: &&[Token]| part.iter().find(|t| t.kind == Kind::Word).map_or("", word);
        let is_own = |part: &&[Token]| !matches!(name(part), "self" | "cls");
        let is_named = |part: &&[Token]| part.get(1).is_some_and(|t| t.kind == Kind::Equal);
        // Names are those of another place.
        let is_literal = |part: &&[Token]| {
            part.iter().all(|t| matches!(t.kind, Kind::Text { .. })) || self.constant_text(part).is_some()
        };
        parts(&self.tokens[function.parameters.clone()])
            .filter(is_own)
            .enumerate()
            .map(|(i, parameter)| {
                let name = name(&parameter);
                let named = given.iter().find(|part| is_named(part) && word(&part[0]) == name).map(|part| &part[2..]);
                let positional = given.get(i).copied().filter(|part| !is_named(part));
                let default = parameter.iter().position(|t| t.kind == Kind::Equal).map(|equal| &parameter[equal + 1..]);
                Bound { name, argument: named.or(positional).or(default).filter(is_literal) }
            })
            .collect()
    }

    /// Applies the methods behind a string. Nothing if one is not known.
    fn methods(&self, mut rest: &[Token], out: &mut Mapped) -> Option<()> {
        while let Some(first) = rest.first() {
            match first.span.of(self.text) {
                "%" => return Some(()),
                // `"..." * 4`
                "*" => {
                    let once = out.clone();
                    for _ in 1..self.number(&rest[1..]).filter(|n| (1..=MOST_ITEMS).contains(n))? {
                        out.push_part(&once, Span::new(0, once.text.len() as u32));
                    }
                    return (out.text.len() < MOST_BYTES).then_some(());
                }
                _ => {}
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
}
