//! Asm strings in Python: `tl.inline_asm_elementwise(asm, constraints, ...)` and calls of the same kind.

use super::c;
use super::llvm::operands;
use super::map::Mapped;
use super::sign;
use super::statement::{Escapes, Expansion, HOLE, HostType, RawStatement, Value, WIDE_HOLE, append};
use crate::base::span::Span;
use crate::spec::Type;
use rustc_hash::FxHashMap;

/// Something in a Python text that a scanner has to tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Word,
    /// A string: where its inside begins and ends.
    Text {
        inside: Span,
        is_raw: bool,
        is_format: bool,
    },
    Open,
    Close,
    Comma,
    Equal,
    Other,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    kind: Kind,
    span: Span,
}

/// Finds the asm strings of a text behind `from`, and sources of OpenCL C that it holds in strings; comments go to `comment`.
pub(super) fn read(text: &str, from: usize, comment: &mut dyn FnMut(Span)) -> Vec<RawStatement> {
    let tokens = tokens(text, from, &mut *comment);
    let assigned = assigned(text, &tokens);
    let returned = returned(text, &tokens);
    let expansion = Expansion::of(&text[from..]);
    let sub_group = sub_group(text, &tokens);
    let strings =
        Strings { text, tokens: &tokens, assigned: &assigned, returned: &returned, expansion: &expansion, sub_group };
    let mut found = Vec::new();
    let mut function = (0, "");
    for (i, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind == Kind::Word) {
        let word = token.span.of(text);
        if word == "def"
            && let Some(name) = tokens.get(i + 1).filter(|t| t.kind == Kind::Word)
        {
            function = (function.0 + 1, name.span.of(text));
        }
        let is_call = word.contains("asm") && tokens.get(i + 1).is_some_and(|t| t.kind == Kind::Open);
        if is_call && let Some(mut statement) = call(&strings, i) {
            statement.function = function.0;
            function.1.clone_into(&mut statement.function_name);
            found.push(statement);
        }
    }
    // Sources of kernels that are handed to a compiler. What has escapes is not the text that the compiler reads.
    for pair in tokens.windows(2) {
        let is_value = matches!(pair[0].kind, Kind::Open | Kind::Comma | Kind::Equal);
        if let Kind::Text { inside, is_raw, is_format: false } = pair[1].kind
            && is_value
            && sign::is_source(inside.of(text))
            && (is_raw || !inside.of(text).contains('\\'))
        {
            append(&mut found, c::read(&text[..inside.end as usize], inside.start as usize, comment));
        }
    }
    found.sort_by_key(|s| s.span.start);
    found
}

/// What a function of the file returns: its parameters and the value, if it returns in one place.
struct Returned {
    parameters: std::ops::Range<usize>,
    value: Option<std::ops::Range<usize>>,
}

/// The functions of a text by their names; of two with one name, nothing is known.
fn returned<'a>(text: &'a str, tokens: &[Token]) -> FxHashMap<&'a str, Option<Returned>> {
    let mut found: FxHashMap<&str, Option<Returned>> = FxHashMap::default();
    // The function around the line, and the blanks before its `def`.
    let mut inside: Option<(&str, usize)> = None;
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate() {
        let word = if token.kind == Kind::Word { token.span.of(text) } else { "" };
        if depth == 0 && breaks(text, tokens, i) {
            let indent = indent(text, *token);
            if inside.is_some_and(|(_, outer)| indent <= outer) {
                inside = None;
            }
            match (word, tokens.get(i + 1), inside) {
                ("def", Some(name), _) => {
                    let end = closing(tokens, i + 2).unwrap_or(i + 2);
                    let known = Returned { parameters: (i + 3).min(end)..end, value: None };
                    let name = name.span.of(text);
                    found.entry(name).and_modify(|f| *f = None).or_insert(Some(known));
                    inside = Some((name, indent));
                }
                ("return", Some(_), Some((name, _))) => {
                    let end = end_of_line(text, tokens, i + 1);
                    if let Some(function) = found.get_mut(name) {
                        *function = function.take().filter(|f| f.value.is_none());
                        if let Some(function) = function {
                            function.value = Some(i + 1..end);
                        }
                    }
                }
                _ => {}
            }
        }
        depth += i32::from(token.kind == Kind::Open) - i32::from(token.kind == Kind::Close);
    }
    found
}

/// Characters before a token that begins a line.
fn indent(text: &str, token: Token) -> usize {
    let before = &text[..token.span.start as usize];
    before.len() - memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |n| n + 1)
}

/// A value that is given a name outside of brackets, or put behind what the name has (`+=`).
struct Given {
    /// The tokens of the value.
    tokens: std::ops::Range<usize>,
    goes_on: bool,
    /// Characters before the line, which tell blocks apart.
    indent: usize,
}

/// The values that each name is given, in the order of the text.
type Assigned<'a> = FxHashMap<&'a str, Vec<Given>>;

fn assigned<'a>(text: &'a str, tokens: &[Token]) -> Assigned<'a> {
    let mut found = Assigned::default();
    let mut depth = 0i32;
    // The line around the token.
    let (mut line, mut end) = (0, 0);
    for (i, token) in tokens.iter().enumerate() {
        if depth == 0 && breaks(text, tokens, i) {
            line = i;
        }
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Equal if depth == 0 && i > 0 => {
                let is_word = |at: usize| tokens[at].kind == Kind::Word;
                if end <= i {
                    end = end_of_line(text, tokens, i + 1);
                }
                let indent = indent(text, tokens[line]);
                let mut push = |name: usize, goes_on| {
                    let name = tokens[name].span.of(text);
                    found.entry(name).or_default().push(Given { tokens: i + 1..end, goes_on, indent });
                };
                if is_word(i - 1) && (i - 1 == line || !is_annotated(text, tokens, line)) {
                    push(i - 1, false);
                } else if is_word(line) {
                    // `NAME: type = value`, or `NAME += value`
                    push(line, !is_annotated(text, tokens, line));
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a colon follows the word at `at`.
fn is_annotated(text: &str, tokens: &[Token], at: usize) -> bool {
    tokens[at].kind == Kind::Word && tokens.get(at + 1).is_some_and(|t| t.span.of(text) == ":")
}

/// Whether a new line begins at a token, as far as the text before it shows.
fn breaks(text: &str, tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|i| tokens[i].span.end) else { return true };
    let between = &text[before as usize..tokens[at].span.start as usize];
    between.contains('\n') && !between.contains("\\\n") && !between.contains("\\\r\n")
        || tokens[at - 1].span.of(text) == ";"
}

/// Where the line that holds the token `from` ends: brackets join lines.
fn end_of_line(text: &str, tokens: &[Token], from: usize) -> usize {
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate().skip(from) {
        if i > from && depth == 0 && breaks(text, tokens, i) {
            return i;
        }
        depth += match token.kind {
            Kind::Open => 1,
            Kind::Close => -1,
            _ => 0,
        };
    }
    tokens.len()
}

/// The call whose name stands at `name`.
fn call(strings: &Strings, name: usize) -> Option<RawStatement> {
    let (text, tokens) = (strings.text, strings.tokens);
    let mut arguments: Vec<(&str, &[Token])> = Vec::new();
    let mut depth = 0i32;
    let mut from = name + 2;
    let mut end = None;
    for (i, token) in tokens.iter().enumerate().skip(name + 1) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && token.kind == Kind::Comma {
            let part = &tokens[from..i];
            match part {
                [key, equal, value @ ..] if key.kind == Kind::Word && equal.kind == Kind::Equal => {
                    arguments.push((key.span.of(text), value));
                }
                [] => {}
                _ => arguments.push(("", part)),
            }
            from = i + 1;
        }
        if depth == 0 {
            end = Some(token.span.end);
            break;
        }
    }
    let positional = |n: usize| arguments.iter().filter(|(key, _)| key.is_empty()).nth(n).map(|(_, v)| *v);
    let named = |keys: &[&str]| arguments.iter().find(|(key, _)| keys.contains(key)).map(|(_, v)| *v);
    let template = named(&["asm", "asm_str", "asm_string"]).or_else(|| positional(0))?;
    let mut joined = Mapped::default();
    strings.append(template, 0, &mut joined);
    strings.expansion.spend(&joined);
    if joined.text.chars().all(|c| c == WIDE_HOLE) {
        return None;
    }
    let constraints = named(&["constraints", "constraint"]).or_else(|| positional(1));
    let span = Span::new(tokens[name].span.start, end.unwrap_or(tokens[name].span.end));
    let mut statement = RawStatement::new(span, joined, Escapes::Dollar);
    let is_elementwise = tokens[name].span.of(text).contains("elementwise");
    // Each work-item holds several elements, and each group of them gets a copy of the text.
    statement.is_repeated = is_elementwise;
    statement.sub_group = strings.sub_group;
    let mut list = Mapped::default();
    if let Some(part) = constraints {
        strings.append(part, 0, &mut list);
    }
    if list.text.is_empty() || list.text.contains([HOLE, WIDE_HOLE]) {
        return Some(statement);
    }
    let given = |keys: &[&str], n: usize| named(keys).or_else(|| positional(n)).filter(|_| is_elementwise);
    let pack = given(&["pack"], 5).map_or(Some(1), |part| {
        let part = strings.value(part).unwrap_or(part);
        Span::new(part.first()?.span.start, part.last()?.span.end).of(text).parse().ok()
    });
    let outputs = match (given(&["dtype"], 3), pack) {
        (Some(part), Some(pack)) => strings.outputs(part, pack),
        _ => Vec::new(),
    };
    let mut all = operands(&list.text, 0, |index, is_output| {
        let host_type = outputs.get(index).filter(|_| is_output).cloned().unwrap_or_default();
        (host_type, Span::default(), Value::Open)
    });
    for operand in &mut all {
        operand.constraint_span = list.host_span(text, operand.constraint_span);
    }
    statement.operands = Some(all);
    Some(statement)
}

/// Operands that elements are packed to.
const MOST_PACKED: u32 = 64;

/// The element type of a `dtype` by its name; whether it has no sign.
fn element(name: &str) -> Option<(Type, bool)> {
    Some(match name {
        "int8" => (Type::B, false),
        "uint8" => (Type::B, true),
        "int16" => (Type::W, false),
        "uint16" => (Type::W, true),
        "int32" => (Type::D, false),
        "uint32" => (Type::D, true),
        "int64" => (Type::Q, false),
        "uint64" => (Type::Q, true),
        "float16" => (Type::HF, false),
        "float32" => (Type::F, false),
        "float64" => (Type::DF, false),
        _ => return None,
    })
}

/// What `threads_per_warp=` says, if all its uses say the same.
fn sub_group(text: &str, tokens: &[Token]) -> Option<u32> {
    let mut said = tokens.windows(2).filter_map(|w| {
        let is_said = w[0].span.of(text) == "threads_per_warp" && w[1].kind == Kind::Equal;
        let rest = text[w[1].span.end as usize..].trim_start();
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        is_said.then(|| rest[..n_digits].parse::<u32>().ok())
    });
    let first = said.next()??;
    (matches!(first, 8 | 16 | 32) && said.all(|n| n == Some(first))).then_some(first)
}

/// A value without the parentheses around it.
fn unwrapped<'t>(text: &str, mut tokens: &'t [Token]) -> &'t [Token] {
    for _ in 0..DEPTH {
        match tokens {
            [open, inside @ .., _] if open.span.of(text) == "(" && closing(tokens, 0) == Some(tokens.len() - 1) => {
                tokens = inside;
            }
            _ => break,
        }
    }
    tokens
}

/// Where the bracket at `open` is closed.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0i32;
    tokens.iter().enumerate().skip(open).find_map(|(i, token)| {
        depth += i32::from(token.kind == Kind::Open) - i32::from(token.kind == Kind::Close);
        (depth == 0).then_some(i)
    })
}

/// A parameter of a function, and the argument that a call gives it, if it is a literal.
struct Bound<'a> {
    name: &'a str,
    argument: Option<&'a [Token]>,
}

/// The parts between the commas outside of brackets.
fn parts(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    let mut brackets = 0i32;
    tokens.split(move |t| {
        brackets += i32::from(t.kind == Kind::Open) - i32::from(t.kind == Kind::Close);
        brackets == 0 && t.kind == Kind::Comma
    })
}

/// What is done with the strings of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Formatting {
    Plain,
    /// `.format(...)`
    Braces,
    /// `% (...)`
    Percent,
}

/// Functions that change nothing but the space around and before the lines of a string.
const SPACERS: [&str; 8] = ["textwrap", "inspect", "dedent", "cleandoc", "strip", "lstrip", "rstrip", "splitlines"];

/// Names inside of values that are followed.
const DEPTH: u32 = 8;

/// Bytes that the names of one template may become. What goes beyond is not known.
const MOST_BYTES: usize = 1 << 18;

/// What the strings of a text are.
struct Strings<'t> {
    text: &'t str,
    tokens: &'t [Token],
    assigned: &'t Assigned<'t>,
    returned: &'t FxHashMap<&'t str, Option<Returned>>,
    expansion: &'t Expansion,
    /// Lanes of a sub-group, if the file says it once.
    sub_group: Option<u32>,
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
    fn value(&self, part: &[Token]) -> Option<&'t [Token]> {
        let [only] = part else { return None };
        match (only.kind, self.values(*only).as_slice()) {
            (Kind::Word, [Some(value)]) => Some(*value),
            _ => None,
        }
    }

    /// The types of the outputs of a call with the given `dtype` and `pack`: elements below 32 bits come several to an
    /// operand. Nothing if a type is not known.
    fn outputs(&self, dtype: &[Token], pack: u32) -> Vec<HostType> {
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

    /// Whether one more name is followed.
    fn follows(&self, depth: u32, out: &Mapped) -> bool {
        depth < DEPTH && out.text.len() < MOST_BYTES && !self.expansion.is_over()
    }

    /// Appends the strings of a value, joined; anything else is a hole.
    fn append(&self, value: &[Token], depth: u32, out: &mut Mapped) {
        self.append_formatted(value, Formatting::Plain, &[], depth, out);
    }

    /// Appends the strings of a sum, to which `formatting` is applied. `bound` are the parameters around it.
    fn append_formatted(&self, value: &[Token], formatting: Formatting, bound: &[Bound], depth: u32, out: &mut Mapped) {
        let value = unwrapped(self.text, value);
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
                let mut end = 1;
                while SPACERS.contains(&term[end - 1].span.of(self.text)) && is(end, ".") && end + 1 < term.len() {
                    end += 2;
                }
                if is(end, "(") { closing(term, end)? + 1 } else { end }
            }
            _ => return None,
        };
        let formatting = if is(end, ".") && is(end + 1, "format") {
            Formatting::Braces
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
                for token in &term[..end] {
                    let Kind::Text { inside, is_raw, is_format } = token.kind else { continue };
                    match formatting {
                        Formatting::Percent => conversions(self.text, inside, is_raw, out),
                        Formatting::Braces => part(self.text, inside, is_raw, true, out),
                        Formatting::Plain => part(self.text, inside, is_raw, is_format, out),
                    }
                }
            }
            Kind::Open if depth < DEPTH => {
                self.append_formatted(&term[1..end - 1], formatting, bound, depth + 1, out);
            }
            Kind::Open => return None,
            _ if end == 1 => {
                let parameter = bound.iter().find(|b| b.name == first.span.of(self.text));
                let values = match parameter {
                    _ if !self.follows(depth, out) => Vec::new(),
                    Some(parameter) => parameter.argument.map(Some).into_iter().collect(),
                    None => self.values(first),
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
            _ => {
                let open = term[..end].iter().position(|t| t.kind == Kind::Open)?;
                let arguments = &term[open + 1..end - 1];
                if SPACERS.contains(&term[open - 1].span.of(self.text)) {
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
                let is_literal = |part: &&[Token]| part.iter().all(|t| matches!(t.kind, Kind::Text { .. }));
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
        part(self.text, inside, is_raw, false, &mut wanted);
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
        part(self.text, separator, is_raw, false, &mut between);
        let inside = &items[1..items.len() - 1];
        for item in parts(inside).filter(|item| !item.is_empty()) {
            if item[0].span != inside[0].span {
                out.push_atom(&between.text, Span::at(item[0].span.start));
            }
            self.append(item, depth + 1, out);
        }
    }
}

/// Appends text that is not known.
fn hole(place: Span, out: &mut Mapped) {
    if !out.text.ends_with(WIDE_HOLE) {
        out.push_atom(WIDE_HOLE.encode_utf8(&mut [0; 4]), place);
    }
}

/// One string of which `%d` and `%(n)s` are replaced: they are holes, and `%%` is a percent sign.
fn conversions(text: &str, inside: Span, is_raw: bool, out: &mut Mapped) {
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

/// One string: what stands in the braces of a format string is a hole.
fn part(text: &str, inside: Span, is_raw: bool, is_format: bool, out: &mut Mapped) {
    let append = |from: u32, to: u32, out: &mut Mapped| {
        let piece = Span::new(from, to).of(text);
        if is_raw { c::lines(piece, from, out) } else { c::escaped(piece, from, out) }
    };
    if !is_format {
        append(inside.start, inside.end, out);
        return;
    }
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
                out.push_atom(HOLE.encode_utf8(&mut [0; 4]), Span::new(at, end));
                at = end;
                from = end;
            }
            _ => at += 1,
        }
    }
    append(from, inside.end, out);
}

fn tokens(text: &str, from: usize, mut comment: impl FnMut(Span)) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = from;
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        let kind = match byte {
            b'#' => {
                at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
                comment(Span::new(start as u32, (start + text[start..at].trim_end().len()) as u32));
                continue;
            }
            b'"' | b'\'' => string(text, &mut at, false, false),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                let word = &text[start..at];
                let is_prefix = word.len() <= 2 && word.bytes().all(|b| b"rRbBuUfF".contains(&b));
                if is_prefix && matches!(bytes.get(at), Some(b'"' | b'\'')) {
                    string(text, &mut at, word.contains(['r', 'R']), word.contains(['f', 'F']))
                } else {
                    Kind::Word
                }
            }
            b'(' | b'[' | b'{' => {
                at += 1;
                Kind::Open
            }
            b')' | b']' | b'}' => {
                at += 1;
                Kind::Close
            }
            b',' => {
                at += 1;
                Kind::Comma
            }
            b'=' if bytes.get(at + 1) != Some(&b'=') => {
                at += 1;
                Kind::Equal
            }
            b' ' | b'\t' | b'\r' | b'\n' | b'\\' => {
                at += 1;
                continue;
            }
            _ => {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
                Kind::Other
            }
        };
        all.push(Token { kind, span: Span::new(start as u32, at as u32) });
    }
    all
}

/// A string whose quote stands at `at`, which is moved past it.
fn string(text: &str, at: &mut usize, is_raw: bool, is_format: bool) -> Kind {
    let bytes = text.as_bytes();
    let quote = bytes[*at];
    let triple = [quote; 3];
    let is_triple = bytes[*at..].starts_with(&triple);
    *at += if is_triple { 3 } else { 1 };
    let start = *at;
    loop {
        match bytes.get(*at) {
            None => break,
            Some(b'\\') => *at += 2,
            Some(b'\n') if !is_triple => break,
            Some(byte) if *byte == quote && (!is_triple || bytes[*at..].starts_with(&triple)) => break,
            Some(_) => *at += 1,
        }
    }
    let mut end = (*at).min(bytes.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let has_quote = bytes.get(end) == Some(&quote);
    *at = (end
        + if !has_quote {
            0
        } else if is_triple {
            3
        } else {
            1
        })
    .min(bytes.len());
    Kind::Text { inside: Span::new(start as u32, end as u32), is_raw, is_format }
}
