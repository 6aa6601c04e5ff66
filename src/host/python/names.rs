//! What names of a Python text stand for: the values that they are given, and functions with their calls.

use super::tokens::{
    Brackets, Kind, Role, Token, closing, end_of_line, holds_asm, indent, is_annotated, may_hold, parts,
};
use crate::base::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// A function of the file.
pub(super) struct Function {
    pub(super) parameters: Range<usize>,
    /// Where its last line ends.
    pub(super) end: usize,
    /// The value that it returns, if it does so in one place.
    pub(super) value: Option<Range<usize>>,
    n_returns: u32,
    /// The values that it yields, in order, and whether each stands in a branch or a loop.
    pub(super) yielded: Vec<(Range<usize>, bool)>,
    /// The calls of the file: where the parenthesis of each opens.
    pub(super) calls: Vec<usize>,
}

impl Function {
    const fn new(parameters: Range<usize>, end: usize) -> Self {
        Self { parameters, end, value: None, n_returns: 0, yielded: Vec::new(), calls: Vec::new() }
    }
}

/// The functions of a text by their names; of two with one name, nothing is known.
pub(super) type Functions<'a> = FxHashMap<&'a str, Option<Function>>;

/// Finds the functions of a text.
pub(super) fn functions<'a>(text: &'a str, tokens: &[Token], brackets: &Brackets) -> Functions<'a> {
    let mut found = Functions::default();
    // The functions around the line, each with the blanks before its `def` and before its first line.
    let mut inside: Vec<(&str, usize, usize)> = Vec::new();
    let mut depth = 0i32;
    let mut indent = 0;
    for (i, token) in tokens.iter().enumerate() {
        if depth == 0 && token.begins_line {
            if !token.shares_line {
                indent = self::indent(text, *token);
                while let Some((name, ..)) = inside.pop_if(|(_, outer, _)| indent <= *outer) {
                    if let Some(Some(function)) = found.get_mut(name) {
                        function.end = i;
                    }
                }
                if let Some((.., body)) = inside.last_mut() {
                    *body = indent.min(*body);
                }
            }
            match (token.role, tokens.get(i + 1), inside.last()) {
                (Role::Def, Some(name), _) => {
                    let end = brackets.closing(i + 2).unwrap_or(i + 2);
                    let parameters = (i + 3).min(end)..end;
                    let known = Function::new(parameters, tokens.len());
                    let name = name.span.of(text);
                    found.entry(name).and_modify(|f| *f = None).or_insert(Some(known));
                    inside.push((name, indent, usize::MAX));
                }
                (Role::Return, Some(_), Some((name, ..))) => {
                    if let Some(Some(function)) = found.get_mut(name) {
                        function.n_returns += 1;
                        let end = end_of_line(tokens, i + 1);
                        function.value = (function.n_returns == 1).then_some(i + 1..end);
                    }
                }
                (Role::Yield, Some(next), Some((name, _, body))) if !next.begins_line => {
                    if let Some(Some(function)) = found.get_mut(name) {
                        function.yielded.push((i + 1..end_of_line(tokens, i + 1), indent > *body));
                    }
                }
                _ => {}
            }
        }
        depth += token.nesting();
    }
    lambdas(text, tokens, &mut found);
    for (i, two) in tokens.windows(2).enumerate() {
        if (two[0].kind, two[1].kind) == (Kind::Word, Kind::Open)
            && !(i > 0 && tokens[i - 1].role == Role::Def)
            && let Some(Some(function)) = found.get_mut(two[0].span.of(text))
            && let Some(open) = opening(text, tokens, brackets, i + 1)
        {
            function.calls.push(open);
        }
    }
    found
}

/// The innermost function around each token of a text: behind its parameters, up to its end.
pub(super) struct Around<'a> {
    names: Vec<&'a str>,
    /// For each token the number of its function, from 1 on; 0 outside of functions.
    numbers: Vec<u32>,
}

impl<'a> Around<'a> {
    pub(super) fn of(functions: &Functions<'a>, n_tokens: usize) -> Self {
        let all = functions.iter().filter_map(|(name, f)| Some((*name, f.as_ref()?)));
        let mut all: Vec<(&str, &Function)> = all.collect();
        all.sort_unstable_by_key(|(_, f)| f.parameters.start);
        let mut numbers = vec![0; n_tokens];
        for (number, (_, function)) in (1..).zip(&all) {
            let body = function.parameters.end.min(function.end)..function.end.min(n_tokens);
            numbers.get_mut(body).into_iter().flatten().for_each(|place| *place = number);
        }
        Self { names: all.into_iter().map(|(name, _)| name).collect(), numbers }
    }

    /// The name of the function around the token at `at`.
    pub(super) fn at(&self, at: usize) -> Option<&'a str> {
        let number = self.numbers.get(at)?.checked_sub(1)?;
        Some(self.names[number as usize])
    }
}

/// Adds what has a name as `NAME = lambda parameters: value`.
fn lambdas<'a>(text: &'a str, tokens: &[Token], found: &mut Functions<'a>) {
    if !may_hold(text, tokens, "lambda") {
        return;
    }
    let (mut depth, mut end) = (0, 0);
    for (i, three) in tokens.windows(3).enumerate() {
        let [name, equal, lambda] = three else { continue };
        depth += name.nesting();
        let is_function = (name.kind, equal.kind, lambda.role) == (Kind::Word, Kind::Equal, Role::Lambda);
        let first = i + 3;
        // In brackets, it is an argument of that name.
        if depth > 0 || !is_function || parameters_of_lambda(tokens, i + 2) < first {
            continue;
        }
        if end <= first {
            end = end_of_line(tokens, first);
        }
        let colon = parameters_of_lambda(tokens, i + 2);
        let value = (colon + 1 < end).then_some(colon + 1..end);
        let known = Function { value, n_returns: 1, ..Function::new(first..colon, end) };
        found.entry(name.span.of(text)).and_modify(|f| *f = None).or_insert(Some(known));
    }
}

/// Where the parenthesis of a call opens behind a name: `kernel(x)`, `kernel[grid](x)`.
fn opening(text: &str, tokens: &[Token], brackets: &Brackets, at: usize) -> Option<usize> {
    match tokens.get(at)?.span.of(text) {
        "(" => Some(at),
        "[" => brackets
            .closing(at)
            .map(|close| close + 1)
            .filter(|n| tokens.get(*n).is_some_and(|t| t.span.of(text) == "(")),
        _ => None,
    }
}

/// Names that parameters, loops, imports and lists of targets give values.
pub(super) fn rebound<'a>(text: &'a str, tokens: &[Token], brackets: &Brackets) -> FxHashSet<&'a str> {
    let mut found = FxHashSet::default();
    let word = |at: usize| tokens[at].span.of(text);
    let kind = |at: usize| tokens.get(at).map(|t| t.kind);
    let mut parameters_end = 0;
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate() {
        depth += token.nesting();
        if token.kind != Kind::Word {
            continue;
        }
        match token.role {
            Role::Def => parameters_end = brackets.closing(i + 2).unwrap_or(i),
            Role::Lambda => found.extend((i + 1..parameters_of_lambda(tokens, i)).map(word)),
            Role::For => {
                let end = targets_of_loop(tokens, i);
                // A loop of lines over one name is among what names are given.
                if depth > 0 || end != i + 2 {
                    found.extend((i + 1..end).map(word));
                }
            }
            _ => {
                let before = i.checked_sub(1).map(|before| tokens[before]);
                let is_beside = || before.is_some_and(|t| t.kind == Kind::Comma) || kind(i + 1) == Some(Kind::Comma);
                let is_bound = || before.is_some_and(|t| matches!(t.role, Role::As | Role::Import | Role::Global));
                let is_walrus = || depth > 0 && (kind(i + 1), kind(i + 2)) == (Some(Kind::Colon), Some(Kind::Equal));
                if i < parameters_end || depth == 0 && is_beside() || is_bound() || is_walrus() {
                    found.insert(word(i));
                }
            }
        }
    }
    found
}

/// Tokens between `lambda` and its colon, or between `for` and its `in`.
const MOST_TARGETS: usize = 64;

/// Where the colon stands behind the parameters of a `lambda`, or the word itself if it is too far.
fn parameters_of_lambda(tokens: &[Token], lambda: usize) -> usize {
    let near = lambda..tokens.len().min(lambda + MOST_TARGETS);
    near.into_iter().find(|at| tokens[*at].kind == Kind::Colon).unwrap_or(lambda)
}

/// Where the `in` stands behind the targets of a `for`, or the word itself if it is too far.
fn targets_of_loop(tokens: &[Token], for_: usize) -> usize {
    let near = for_..tokens.len().min(for_ + MOST_TARGETS);
    near.into_iter().find(|at| tokens[*at].role == Role::In).unwrap_or(for_)
}

/// Names that are integers wherever they stand: they count the rounds of loops, and nothing else gives them a value.
pub(super) fn counters<'a>(text: &'a str, tokens: &[Token], brackets: &Brackets) -> FxHashSet<&'a str> {
    let kind = |at: usize| tokens.get(at).map(|t| t.kind);
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|t| t.is(text, word));
    let word = |at: usize| tokens.get(at).map_or("", |t| t.span.of(text));
    let mut counting = FxHashSet::default();
    let mut others = FxHashSet::default();
    let mut depth = 0i32;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        depth += token.nesting();
        let others_to = match token.role {
            Role::For => {
                let end = targets_of_loop(tokens, at);
                let first = match () {
                    () if end == at + 2 && is(end + 1, "range") && is(end + 2, "(") => end,
                    () if kind(at + 2) == Some(Kind::Comma) && is(end + 1, "enumerate") && is(end + 2, "(") => at + 2,
                    () => at + 1,
                };
                counting.extend((at + 1..first).map(word));
                at = first.min(end);
                end
            }
            Role::Def => brackets.closing(at + 2).unwrap_or(at),
            Role::Lambda => parameters_of_lambda(tokens, at),
            Role::Import => end_of_line(tokens, at) - 1,
            Role::As | Role::Global => {
                others.insert(word(at + 1));
                at
            }
            _ if token.kind != Kind::Word => at,
            // Targets of assignments: `NAME = value`, `NAME += value`, `NAME := value`.
            _ => {
                let is_target = || depth == 0 && matches!(kind(at + 1), Some(Kind::Equal | Kind::Comma | Kind::Colon));
                let is_changed =
                    || kind(at + 2) == Some(Kind::Equal) && matches!(kind(at + 1), Some(Kind::Other | Kind::Colon));
                if is_target() || is_changed() {
                    others.insert(word(at));
                }
                at
            }
        };
        if others_to > at {
            others.extend((at..=others_to).map(word));
        }
        at = others_to.max(at) + 1;
    }
    counting.retain(|name| !others.contains(name));
    counting
}

/// Functions that put nothing behind the lists that they are given.
const READERS: [&str; 16] = [
    "join",
    "len",
    "print",
    "str",
    "list",
    "tuple",
    "sorted",
    "reversed",
    "enumerate",
    "zip",
    "map",
    "filter",
    "range",
    "dedent",
    "indent",
    "repr",
];

/// Methods that change a list in other ways than by what they put behind it.
const CHANGING: [&str; 8] = ["insert", "pop", "remove", "clear", "reverse", "sort", "appendleft", "writelines"];

/// Where each name is an argument of a call, whose function may put something behind the list of that name; and where what it
/// holds is changed: `NAME.insert(0, value)`, `NAME[0] = value`.
pub(super) fn handed<'a>(text: &'a str, tokens: &[Token], brackets: &Brackets) -> FxHashMap<&'a str, Vec<u32>> {
    let mut found: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    let word = |at: usize| tokens.get(at).map_or("", |t| t.span.of(text));
    // For each bracket around the token, whether it is that of a call which may change what it is given.
    let mut calls: Vec<bool> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open => {
                let callee = i.checked_sub(1).filter(|before| tokens[*before].kind == Kind::Word);
                let is_call = |name: usize| {
                    token.is(text, "(") && !(name > 0 && tokens[name - 1].role == Role::Def) && !holds_asm(word(name))
                };
                calls.push(callee.is_some_and(|name| is_call(name) && !READERS.contains(&word(name))));
            }
            Kind::Close => drop(calls.pop()),
            Kind::Word => {
                let is_argument = calls.last() == Some(&true)
                    && matches!(tokens[i - 1].kind, Kind::Open | Kind::Comma | Kind::Equal)
                    && tokens.get(i + 1).is_some_and(|t| matches!(t.kind, Kind::Close | Kind::Comma));
                let is_changed = || match tokens.get(i + 1).map(|t| t.kind) {
                    Some(Kind::Dot) => CHANGING.contains(&word(i + 2)) && word(i + 3) == "(",
                    Some(Kind::Open) if token.begins_line && word(i + 1) == "[" => brackets
                        .closing(i + 1)
                        .is_some_and(|close| tokens.get(close + 1).is_some_and(|t| t.kind == Kind::Equal)),
                    _ => false,
                };
                if is_argument || is_changed() {
                    found.entry(word(i)).or_default().push(token.span.start);
                }
            }
            _ => {}
        }
    }
    found
}

/// How a value comes to a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Put {
    /// `NAME = value`
    Value,
    /// `NAME += value`, `NAME.write(value)`, `NAME.extend(value)`
    Behind,
    /// `print(value, file=NAME)`, which ends the line; without tokens, what is printed is not known.
    Line,
    /// `NAME.append(value)`
    Item,
    /// `for NAME in value:`
    Each,
}

/// A value that is given a name outside of brackets, or put behind what the name has.
pub(super) struct Given {
    /// The tokens of the value.
    pub(super) tokens: Range<usize>,
    pub(super) put: Put,
    /// Characters before the line, which tell blocks apart.
    pub(super) indent: usize,
    /// Where the block ends that the line stands in: a branch, a loop, a function.
    pub(super) block_end: usize,
    /// Where the function ends around the line.
    pub(super) function_end: usize,
}

/// The values that each name is given, in the order of the text; of one behind a dot, with the dot.
pub(super) type Assigned<'a> = FxHashMap<&'a str, Vec<Given>>;

/// Blocks of lines: where each ends, and where its function does.
struct Blocks {
    /// The blocks around the line, each with the blanks before its lines, and whether it is the body of a function.
    open: Vec<(usize, usize, bool)>,
    ends: Vec<usize>,
}

impl Blocks {
    /// Notes the line that begins at the token `at`, behind `indent` blanks.
    fn line(&mut self, at: usize, indent: usize, begins_function: bool) {
        while let Some((block, ..)) = self.open.pop_if(|(_, blanks, _)| *blanks > indent) {
            self.ends[block] = at;
        }
        if self.open.last().is_none_or(|(_, blanks, _)| *blanks < indent) {
            let is_body = self.open.last().is_none() || begins_function;
            self.open.push((self.ends.len(), indent, is_body));
            self.ends.push(usize::MAX);
        }
    }

    /// The numbers of the innermost block and of that of the function around it.
    fn current(&self) -> (usize, usize) {
        let block = self.open.last().map_or(0, |b| b.0);
        (block, self.open.iter().rev().find(|b| b.2).map_or(0, |b| b.0))
    }
}

/// Finds the values that names are given.
pub(super) fn assigned<'a>(text: &'a str, tokens: &[Token]) -> Assigned<'a> {
    let mut found = Assigned::default();
    let mut depth = 0i32;
    // The line around the token, and the characters before it.
    let (mut line, mut end, mut indent) = (0, 0, 0);
    let mut blocks = Blocks { open: Vec::new(), ends: Vec::new() };
    let mut is_header = false;
    let word = |at: usize| tokens.get(at).map_or("", |t| t.span.of(text));
    for (i, token) in tokens.iter().enumerate() {
        if depth == 0 && token.begins_line {
            if !token.shares_line {
                line = i;
                indent = self::indent(text, *token);
                blocks.line(i, indent, is_header);
                is_header = token.role == Role::Def
                    || token.role == Role::Async && tokens.get(i + 1).is_some_and(|t| t.role == Role::Def);
            }
            let is_loop = token.role == Role::For && tokens.get(i + 2).is_some_and(|t| t.role == Role::In);
            let each = is_loop.then(|| {
                let end = end_of_line(tokens, i + 3);
                (i + 1, Put::Each, i + 3..end - usize::from(tokens[end - 1].kind == Kind::Colon))
            });
            if let Some((name, put, tokens)) = each.or_else(|| method(text, tokens, i)) {
                let (block_end, function_end) = blocks.current();
                let given = Given { tokens, put, indent, block_end, function_end };
                found.entry(word(name)).or_default().push(given);
            }
        }
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Equal if depth == 0 && i > 0 => {
                let is_word = |at: usize| tokens[at].kind == Kind::Word;
                if end <= i {
                    end = end_of_line(tokens, i + 1);
                }
                // `if condition: NAME = value`
                let is_inline = tokens[line].role.begins_block();
                let indent = indent + usize::from(is_inline);
                if is_inline {
                    blocks.line(i, indent, false);
                }
                let (block_end, function_end) = blocks.current();
                let mut push = |name: usize, put| {
                    let given = Given { tokens: i + 1..end, put, indent, block_end, function_end };
                    // `x.NAME = value` says nothing of `NAME`.
                    let is_object = |token: Token| !token.is(text, "self") && !token.is(text, "cls");
                    let is_own = name < 2 || tokens[name - 1].kind != Kind::Dot || !is_object(tokens[name - 2]);
                    let from = if is_own { tokens[name].span.start } else { tokens[name - 1].span.start };
                    found.entry(Span::new(from, tokens[name].span.end).of(text)).or_default().push(given);
                };
                if is_word(i - 1) && (i - 1 == line || !is_annotated(tokens, line)) {
                    push(i - 1, Put::Value);
                } else if is_word(line) {
                    // `NAME: type = value`, or `NAME += value`
                    push(line, if is_annotated(tokens, line) { Put::Value } else { Put::Behind });
                }
            }
            _ => {}
        }
    }
    for given in found.values_mut().flatten() {
        given.block_end = blocks.ends[given.block_end];
        given.function_end = blocks.ends[given.function_end];
    }
    found
}

/// What a line that begins at `line` puts behind a list or a stream, and where that is named: `NAME.append(value)`,
/// `self.NAME.append(value)`, `print(value, file=NAME)`.
fn method(text: &str, tokens: &[Token], line: usize) -> Option<(usize, Put, Range<usize>)> {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.span.of(text));
    if tokens[line].is(text, "print") && word(line + 1) == "(" {
        let close = closing(tokens, line + 1)?;
        let mut given = parts(&tokens[line + 2..close]);
        let first = given.next()?;
        let is_file = |part: &[Token]| part.len() == 3 && part[0].span.of(text) == "file" && part[2].kind == Kind::Word;
        let mut others = given.by_ref().peekable();
        // What stands behind the value changes what is written.
        let is_whole = others.peek().is_some_and(|part| is_file(part));
        let file = others.find(|part| is_file(part))?;
        let name = tokens.partition_point(|t| t.span.start < file[2].span.start);
        let n = if is_whole && others.next().is_none() { first.len() } else { 0 };
        return Some((name, Put::Line, line + 2..line + 2 + n));
    }
    let is_dot = |at: usize| tokens.get(at).is_some_and(|t| t.kind == Kind::Dot);
    if !is_dot(line + 1) {
        return None;
    }
    let is_own = tokens[line].is(text, "self") || tokens[line].is(text, "cls");
    let name = if is_own { line + 2 } else { line };
    if tokens.get(name)?.kind != Kind::Word || !is_dot(name + 1) || word(name + 3) != "(" {
        return None;
    }
    let put = match word(name + 2) {
        "append" => Put::Item,
        "extend" | "write" => Put::Behind,
        _ => return None,
    };
    let close = closing(tokens, name + 3)?;
    Some((name, put, name + 4..close))
}
