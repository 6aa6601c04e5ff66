//! What the strings of a Python text are: joined, formatted, under names, returned by functions.

use super::element;
use super::formats::{Field, Formatting, MOST_ITEMS, filled, hole, inside, part, word_hole};
use super::names::{Around, Assigned, Function, Functions, Given, Put, counters, handed, rebound};
use super::tokens::{Brackets, Kind, Role, Token, closing, names_method, parts, tokens, unwrapped};
use crate::base::span::Span;
use crate::host::map::Mapped;
use crate::host::statement::{Expansion, HostType, WIDE_HOLE, elementwise};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, OnceCell, RefCell};

/// A parameter of a function, and the argument that a call gives it, if it is a literal.
pub(super) struct Bound<'a> {
    pub(super) name: &'a str,
    pub(super) argument: Option<&'a [Token]>,
}

/// Methods that change nothing but the space around the lines of a string.
pub(super) const SPACERS: [&str; 5] = ["strip", "lstrip", "rstrip", "splitlines", "getvalue"];

/// Functions of a string that change nothing but its space.
pub(super) const WRAPPERS: [&str; 7] = ["dedent", "indent", "cleandoc", "constexpr", "str", "StringIO", "Template"];

/// Methods of a `string.Template` that put values in the places of its names.
const SUBSTITUTES: [&str; 2] = ["substitute", "safe_substitute"];

/// Functions that write a number as one word.
const WRITERS: [&str; 4] = ["hex", "bin", "oct", "repr"];

/// Names inside of values that are followed.
pub(super) const DEPTH: u32 = 8;

/// Bytes that the names of one template may become. What goes beyond is not known.
pub(super) const MOST_BYTES: usize = 1 << 18;

/// What the strings of a text are.
pub(super) struct Strings<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [Token],
    pub(super) brackets: &'t Brackets,
    pub(super) assigned: &'t Assigned<'t>,
    pub(super) functions: &'t Functions<'t>,
    /// The innermost function around each token. This and the next three are found when they are asked for.
    pub(super) around: OnceCell<Around<'t>>,
    /// Names that parameters, loops or imports give values, too.
    pub(super) rebound: OnceCell<FxHashSet<&'t str>>,
    /// Where names are arguments of calls that may put something behind their lists.
    pub(super) handed: OnceCell<FxHashMap<&'t str, Vec<u32>>>,
    /// Names that are integers wherever they stand.
    pub(super) counters: OnceCell<FxHashSet<&'t str>>,
    /// Words of strings that `.replace` puts something else in the place of.
    pub(super) replaced: Vec<&'t str>,
    /// Where braces hold a number whose value is not known.
    pub(super) numbers: RefCell<Vec<u32>>,
    pub(super) expansion: &'t Expansion,
    /// What may still be read of lists and dictionaries for items of them.
    pub(super) lookups: Expansion,
    /// Lanes of a sub-group, if the file says it once.
    pub(super) sub_group: Option<u32>,
    /// Which text is read of those among which the program chooses, and how many there are.
    pub(super) choice: Cell<usize>,
    pub(super) n_choices: Cell<usize>,
    /// Where the branch ends whose values are read; `usize::MAX` if the program comes through none.
    pub(super) block: Cell<Option<usize>>,
}

impl Strings<'_> {
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
    pub(super) fn constant_text(&self, value: &[Token]) -> Option<String> {
        let (first, last) = value.first().zip(value.last())?;
        if let (Kind::Text { is_raw, is_format: false, .. }, Some(inside), 1) =
            (first.kind, first.inside(), value.len())
        {
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
            return Some((parameter.argument?, true));
        }
        if word.ends_with(']') {
            let tokens = tokens(&self.text[..name.end as usize], name.start as usize, |_| {});
            let [array, open, key @ .., _] = tokens.as_slice() else { return None };
            let is_item = array.kind == Kind::Word && closing(&tokens, 1) == Some(tokens.len() - 1);
            let item = self.item(Some(*array).filter(|_| is_item && open.span.of(self.text) == "[")?, key);
            return Some((item?, true));
        }
        let Some(given) = self.assigned.get(word) else {
            return self.handed_over(Token::word_at(name)).map(|argument| (argument, true));
        };
        let [Given { tokens, put, .. }] = given.as_slice() else { return None };
        let value = &self.tokens[tokens.clone()];
        let is_before = value.last().is_some_and(|t| t.span < name);
        match put {
            _ if !is_before || self.is_rebound(word) => None,
            Put::Value => {
                let chosen = self.chosen(unwrapped(self.text, value));
                let item = self.item_of(chosen);
                Some((item.unwrap_or(chosen), item.is_some() || chosen.len() < value.len()))
            }
            Put::Each => Some((self.each(value)?, true)),
            Put::Behind | Put::Line | Put::Item => None,
        }
    }

    /// The item that a value of the form `NAME[key]` is.
    fn item_of<'v>(&'v self, value: &'v [Token]) -> Option<&'v [Token]> {
        self.indexed(value).filter(|(_, end)| *end == value.len()).map(|(item, _)| item)
    }

    /// The item that a term begins with, and where it ends: `NAME[key]`, `NAME.get(key)`, `{"key": value}[key]`.
    fn indexed<'v>(&'v self, term: &'v [Token]) -> Option<(&'v [Token], usize)> {
        let is = |at: usize, word: &str| term.get(at).is_some_and(|t| t.span.of(self.text) == word);
        let end = match term.first()?.kind {
            Kind::Word => self.path(term),
            Kind::Open => closing(term, 0)? + 1,
            _ => return None,
        };
        let open = match () {
            () if is(end, "[") => end,
            () if is(end, ".") && is(end + 1, "get") && is(end + 2, "(") => end + 2,
            () => return None,
        };
        let close = closing(term, open)?;
        let key = if open == end { &term[open + 1..close] } else { parts(&term[open + 1..close]).next()? };
        let item = match term[end - 1].kind {
            Kind::Word => self.item(term[end - 1], key),
            _ => self.item_in(&term[..end], key),
        };
        Some((item?, close + 1))
    }

    /// Whether an expression is an integer: made of names that are, and of numbers.
    fn is_number(&self, expression: &str) -> bool {
        let mut words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let is_integer = |word: &str| {
            self.counters().contains(word) || word.bytes().all(|b| b.is_ascii_digit()) || word.starts_with("0x")
        };
        let is_sum = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '+' | '-' | '*' | '%' | '(' | ')');
        expression.contains(|c: char| c.is_ascii_alphabetic())
            && expression.replace("//", "%").chars().all(is_sum)
            && words.all(is_integer)
    }

    /// What a name stands for in a string.
    pub(super) fn named_field(&self, name: Span, bound: &[Bound]) -> Option<Field> {
        let (value, is_listed) = self.named_value(name, bound)?;
        let text = self.constant_text(value)?;
        // Digits are tokens of their own.
        let written = match value {
            [only] => inside(only).unwrap_or(only.span),
            _ => Span::new(value.first()?.span.start, value.last()?.span.end),
        };
        let written = Some(written).filter(|span| span.of(self.text) == text);
        let is_text = value.iter().any(|t| t.is_text());
        Some(match written {
            Some(place) if !is_listed => Field::Named(text, place),
            _ => Field::of(text, written.filter(|_| is_text)),
        })
    }

    /// What stands for `{...}` in a string, if it is known. `place` is what stands between the braces, which is the `n`-th
    /// without a name.
    fn field(&self, place: Span, n: usize, formatting: Formatting, bound: &[Bound]) -> Option<Field> {
        let key = place.of(self.text);
        // Each field is looked for among all that is given.
        self.lookups.spend_steps(formatting.given().len());
        if self.lookups.is_over() {
            return None;
        }
        let arguments = match formatting {
            Formatting::Braces(arguments) | Formatting::Template(arguments) => arguments,
            Formatting::Percent(values) => return self.value_field(self.converted(key, n, values)?, bound),
            Formatting::Plain => {
                let is_number = !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit());
                let number = is_number.then(|| Field::Made(key.to_owned()));
                return number.or_else(|| self.named_field(place, bound)).or_else(|| self.called_field(place));
            }
        };
        let mut given = parts(arguments);
        let is_star = |t: &Token| t.kind == Kind::Other && t.span.of(self.text) == "*";
        let is_named = |part: &&[Token]| part.get(1).is_some_and(|t| t.kind == Kind::Equal);
        let index = if key.is_empty() { Some(n) } else { key.parse().ok() };
        let value = match index {
            Some(_) if arguments.iter().any(is_star) => return None,
            Some(index) => given.nth(index)?,
            None => {
                let own = |part: &&[Token]| is_named(part) && part[0].span.of(self.text) == key;
                let named = given.find(own).map(|part| &part[2..]);
                // `**mapping`, `substitute(mapping)`
                named.or_else(|| {
                    parts(arguments)
                        .find_map(|part| self.entry(part.get(part.iter().take_while(|t| is_star(t)).count()..)?, key))
                })?
            }
        };
        self.value_field(value, bound)
    }

    /// The value of a key of a dictionary that is written out, or that has a name.
    fn entry<'v>(&'v self, mapping: &'v [Token], key: &str) -> Option<&'v [Token]> {
        let mapping = unwrapped(self.text, self.value(mapping).unwrap_or(mapping));
        self.lookups.spend_steps(mapping.len());
        let is_called = mapping.first()?.span.of(self.text) == "dict";
        let [open, listed @ .., _] = &mapping[usize::from(is_called)..] else { return None };
        let is_whole =
            !self.lookups.is_over() && closing(&mapping[usize::from(is_called)..], 0) == Some(listed.len() + 1);
        if !is_whole || open.span.of(self.text) != if is_called { "(" } else { "{" } {
            return None;
        }
        let is_key = |token: &Token| match inside(token) {
            Some(inside) => !is_called && inside.of(self.text) == key,
            None => is_called && token.span.of(self.text) == key,
        };
        let mut all = parts(listed);
        all.find(|part| part.len() > 2 && is_key(&part[0])).map(|part| &part[2..])
    }

    /// What is put in the place of a conversion: the `n`-th of the values behind the percent sign, or the one with that key.
    fn converted<'v>(&'v self, key: &str, n: usize, values: &'v [Token]) -> Option<&'v [Token]> {
        let named = |values: &[Token]| self.value(values).filter(|v| v.first().is_some_and(|t| t.kind == Kind::Open));
        let values = named(values).unwrap_or(values);
        let first = values.first()?;
        let is_whole = first.kind == Kind::Open && closing(values, 0) == Some(values.len() - 1);
        let bracket = first.span.of(self.text);
        let listed = if is_whole { &values[1..values.len() - 1] } else { values };
        let mut all = parts(listed);
        if !key.is_empty() {
            let is_key = |token: &Token| inside(token).is_some_and(|inside| inside.of(self.text) == key);
            let found = all.find(|part| is_whole && bracket == "{" && part.len() > 2 && is_key(&part[0]))?;
            return Some(&found[2..]);
        }
        match bracket {
            "(" if is_whole => all.nth(n),
            _ => Some(values).filter(|_| n == 0 && !is_whole),
        }
    }

    /// What a value becomes in a string.
    fn value_field(&self, value: &[Token], bound: &[Bound]) -> Option<Field> {
        match value {
            [name] if name.kind == Kind::Word => self.named_field(name.span, bound),
            // A string stands there as it is pasted.
            [only] => self.constant_text(value).map(|text| Field::of(text, inside(only))),
            _ => self.constant_text(value).map(Field::Made),
        }
    }

    /// Appends the text of a string, to which `formatting` is applied.
    fn literal(&self, token: Token, formatting: Formatting, bound: &[Bound], n_fields: &mut usize, out: &mut Mapped) {
        let mut fill = |place: Span| {
            let n = *n_fields;
            *n_fields += usize::from(place.is_empty());
            let field = self.field(place, n, formatting, bound);
            if field.is_none() && matches!(formatting, Formatting::Plain) && self.is_number(place.of(self.text)) {
                self.numbers.borrow_mut().push(place.start - 1);
            }
            field
        };
        filled(self.text, token, formatting, &mut fill, out);
    }

    /// The number of items of a list that is written out.
    pub(super) fn n_items(&self, list: &[Token]) -> Option<usize> {
        let list = self.value(list).unwrap_or(list);
        let [open, inside @ .., _] = list else { return None };
        let is_list = open.span.of(self.text) == "[" && closing(list, 0) == Some(list.len() - 1);
        let is_open = |t: &Token| t.role == Role::For || t.is(self.text, "*");
        (is_list && !inside.iter().any(is_open)).then(|| parts(inside).count())
    }

    /// Whether a dot and the name of a function of the file follow, which is called.
    fn calls_method(&self, rest: &[Token]) -> bool {
        let [_, name, open, ..] = rest else { return false };
        open.span.of(self.text) == "(" && self.functions.contains_key(name.span.of(self.text))
    }

    /// Where the names before the methods of a string end: `self.text`, `tl.constexpr`.
    fn path(&self, term: &[Token]) -> usize {
        let mut end = 1;
        while let [dot, name, ..] = &term[end..] {
            let is_call = term.get(end + 2).is_some_and(|t| t.span.of(self.text) == "(");
            let word = name.span.of(self.text);
            let is_method = matches!(word, "format" | "format_map" | "replace" | "join")
                || SPACERS.contains(&word)
                || SUBSTITUTES.contains(&word);
            let is_function = WRAPPERS.contains(&word) || !is_method && self.functions.contains_key(word);
            if dot.kind != Kind::Dot || name.kind != Kind::Word || is_call && !is_function {
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
    pub(super) fn append_formatted(
        &self,
        value: &[Token],
        formatting: Formatting,
        bound: &[Bound],
        depth: u32,
        out: &mut Mapped,
    ) {
        let value = self.chosen(unwrapped(self.text, value));
        self.expansion.spend_steps(value.len());
        let mut brackets = 0i32;
        for term in value.split(|t| {
            brackets += t.nesting();
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
            push_known(&own, out);
        }
    }

    /// Appends a string with its methods: `"...".format(n=16)`, `"..." % n`, `NAME.strip()`, `text("add")`. Nothing if it is
    /// not known.
    fn term(&self, term: &[Token], outer: Formatting, bound: &[Bound], depth: u32, out: &mut Mapped) -> Option<()> {
        let is = |at: usize, word: &str| term.get(at).is_some_and(|t| t.span.of(self.text) == word);
        let first = *term.first()?;
        let item = if self.follows(depth, out) { self.indexed(term) } else { None };
        // The string, up to its methods.
        let end = match first.kind {
            _ if let Some((_, end)) = item => end,
            Kind::Text { .. } => term.iter().take_while(|t| t.is_text()).count(),
            Kind::Open => closing(term, 0)? + 1,
            Kind::Word => {
                let end = self.path(term);
                if is(end, "(") || is(end, "[") { closing(term, end)? + 1 } else { end }
            }
            _ => return None,
        };
        let arguments = || closing(term, end + 2).map_or(&[][..], |close| &term[end + 3..close]);
        let is_method = is(end, ".") && is(end + 2, "(");
        let formatting = if is_method && (is(end + 1, "format") || is(end + 1, "format_map")) {
            Formatting::Braces(arguments())
        } else if is_method && SUBSTITUTES.iter().any(|name| is(end + 1, name)) {
            Formatting::Template(arguments())
        } else if is(end, "%") {
            Formatting::Percent(&term[end + 1..])
        } else {
            outer
        };
        let mut at = end;
        match first.kind {
            _ if let Some((item, _)) = item => self.append_formatted(item, formatting, &[], depth + 1, out),
            Kind::Text { is_raw, .. } if names_method(self.text, term, end, "join") => {
                let close = closing(term, end + 2)?;
                self.join(first.inside()?, is_raw, term.get(end + 3..close)?, depth, out);
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
            // `Emitter().text()`: the method decides.
            _ if is(end, ".") && self.calls_method(&term[end..]) => {
                return self.term(&term[end + 1..], outer, bound, depth, out);
            }
            _ => {
                let open = term[..end].iter().position(|t| t.kind == Kind::Open)?;
                let arguments = &term[open + 1..end - 1];
                let called = term[open - 1].span.of(self.text);
                if WRITERS.contains(&called) {
                    word_hole(Span::new(first.span.start, term[end - 1].span.end), out);
                } else if WRAPPERS.contains(&called) {
                    // `io.StringIO()` holds nothing.
                    let argument = parts(arguments).next().unwrap_or_default();
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

    /// Whether a name is an argument between two places, in a call that may put something behind its list.
    pub(super) fn is_handed(&self, name: Token, from: u32, to: u32) -> bool {
        let handed = self.handed.get_or_init(|| handed(self.text, self.tokens, self.brackets));
        let places = handed.get(name.span.of(self.text)).map_or(&[][..], Vec::as_slice);
        places.get(places.partition_point(|at| *at <= from)).is_some_and(|at| *at < to)
    }

    /// The name of the innermost function around the token at `at`.
    pub(super) fn function_at(&self, at: usize) -> Option<&str> {
        self.around.get_or_init(|| Around::of(self.functions, self.tokens.len())).at(at)
    }

    /// Whether parameters, loops or imports give a name values, too.
    pub(super) fn is_rebound(&self, name: &str) -> bool {
        self.rebound.get_or_init(|| rebound(self.text, self.tokens, self.brackets)).contains(name)
    }

    /// The names that are integers wherever they stand.
    fn counters(&self) -> &FxHashSet<&str> {
        self.counters.get_or_init(|| counters(self.text, self.tokens, self.brackets))
    }

    /// The parameters of a function with the arguments of a call.
    pub(super) fn bound<'a>(&'a self, function: &Function, arguments: &'a [Token]) -> Vec<Bound<'a>> {
        let word = |token: &Token| token.span.of(self.text);
        let given: Vec<&[Token]> = parts(arguments).collect();
        let name = |part: &&[Token]| part.iter().find(|t| t.kind == Kind::Word).map_or("", word);
        let is_own = |part: &&[Token]| !matches!(name(part), "self" | "cls");
        let is_named = |part: &&[Token]| part.get(1).is_some_and(|t| t.kind == Kind::Equal);
        // Names are those of another place.
        let is_literal = |part: &&[Token]| part.iter().all(|t| t.is_text()) || self.constant_text(part).is_some();
        parts(&self.tokens[function.parameters.clone()])
            .filter(is_own)
            .enumerate()
            .map(|(i, parameter)| {
                let name = name(&parameter);
                let named = given.iter().find(|part| is_named(part) && word(&part[0]) == name).map(|part| &part[2..]);
                let positional = given.get(i).copied().filter(|part| !is_named(part));
                let default = parameter.iter().position(|t| t.kind == Kind::Equal).map(|equal| &parameter[equal + 1..]);
                // `*NAME` takes several.
                let argument = named.or(positional).or(default).filter(|_| parameter[0].kind == Kind::Word);
                Bound { name, argument: argument.filter(is_literal) }
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
            if dot.kind != Kind::Dot || open.span.of(self.text) != "(" {
                return None;
            }
            let close = closing(rest, 2)?;
            match name.span.of(self.text) {
                "format" | "format_map" => {}
                name if SUBSTITUTES.contains(&name) => {}
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
        let Kind::Text { is_raw, is_format: false, .. } = old.kind else { return None };
        let mut wanted = Mapped::default();
        part(self.text, old.inside()?, is_raw, &mut wanted);
        if comma.kind != Kind::Comma || wanted.text.is_empty() || new.is_empty() {
            return None;
        }
        let mut instead = Mapped::default();
        self.append(new, DEPTH, &mut instead);
        // What is written out is marked there.
        let is_known = matches!(new, [only] if matches!(only.kind, Kind::Text { is_format: false, .. }));
        let mut out = Mapped::default();
        let mut done = 0;
        for (at, _) in from.text.match_indices(&wanted.text) {
            out.push_part(from, Span::new(done, at as u32));
            done = (at + wanted.text.len()) as u32;
            if is_known {
                out.push_part(&instead, Span::new(0, instead.text.len() as u32));
            } else {
                out.push_instead(&instead.text, from, self.text, Span::new(at as u32, done));
            }
        }
        out.push_part(from, Span::new(done, from.text.len() as u32));
        (out.text.len() < MOST_BYTES).then_some(out)
    }
}

/// Appends a text; two parts that are not known are one.
pub(super) fn push_known(own: &Mapped, out: &mut Mapped) {
    if !(own.text.starts_with(WIDE_HOLE) && out.text.ends_with(WIDE_HOLE)) {
        out.push_part(own, Span::new(0, own.text.len() as u32));
    }
}
